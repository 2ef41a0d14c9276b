"""Reasons of postings in words, for statements, exports and the jackpot's history."""

import re

from bot.texts import Text
from engine.felt import Word
from storage import ledger
from storage.rows import PostingRow

_ADJUSTED = re.compile(r"adjust hand ([0-9]+)")
_WHY = {
    "start": Text("Start chips"),
    "daily": Text("Daily chips"),
    "gift": Text("Gift"),
    "bet": Text("Bet"),
    "taken back": Text("Bet taken back"),
    "void": Text("Hand voided"),
    "cut": Text("Over the limit of the box, returned"),
    "table closed": Text("Bet returned: table closed"),
    "table paused": Text("Bet returned: table paused"),
    "place lost": Text("Bet returned: the table lost its place"),
    "non-betting coup": Text("Bet returned: coup without bets"),
    "buy in": Text("Buy-in"),
    "top up": Text("Top-up"),
    "leaves the table": Text("Left the table"),
    "winnings": Text("The bank pays the winners"),
    "losses": Text("The bank collects the losses"),
    "coin": Text("Jackpot coin"),
    "coin returned": Text("Jackpot coin returned"),
    "jackpot": Text("Jackpot win"),
    "confirmed": Text("Jackpot win confirmed"),
    "rejected": Text("Jackpot win rejected"),
    "meter starts": Text("Start of the casino"),
    "meter restarts": Text("Restart after a win"),
    "meter reset": Text("Jackpot reset"),
    "meter set": Text("Jackpot changed"),
    "season ends": Text("End of the season"),
    "season starts": Text("Start of a season"),
    "linked": Text("From your linked account"),
    "linked: bank chips": Text("Bank chips of a linked account returned"),
    "linked: lost house chips": Text("Lost bank chips of a linked account repaid"),
    "tournament buy-in": Text("Tournament buy-in"),
    "tournament refund": Text("Tournament buy-in returned"),
    "tournament prize": Text("Tournament prize"),
    "grant": Text("Chips given"),
    "take": Text("Chips taken"),
}


def say_reason(row: PostingRow) -> Text:
    """Return why the chips of an entry moved; a bet and its payment name the spot, an inspector's act its reason."""
    if (row.event or "").startswith("event ") and row.hand is not None:
        is_bet = row.credit == ledger.hand(row.hand)
        return Text("Added during the hand: {spot}" if is_bet else "Payment: {spot}", spot=Word(row.why))
    if row.why in _WHY:
        return _WHY[row.why]
    act, _colon, reason = row.why.partition(": ")
    adjusted = _ADJUSTED.fullmatch(act)
    what = Text("Hand {hand} corrected", hand=adjusted[1]) if adjusted else _WHY.get(act, Text("{why}", why=act))
    return Text("{what}: {reason}", what=what, reason=reason) if reason else what
