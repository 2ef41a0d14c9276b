"""Texts of Texas Hold'em, and the hand that teaches it: two aces against kings, all-in before the river (HE27)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from bot.texts.catalogues import PHASE, RANK
from bot.texts.games import GameTexts
from bot.texts.options import REVEAL_AFTER, Chips, Count, OneOf, Option
from bot.texts.paragraphs import Page
from engine import poker
from engine.cards import Card
from engine.felt import Move, Offers, Stake, Word
from engine.games.holdem import EACH, FIXED_LIMIT, FROM_BIG_BLIND, NO_LIMIT, POT_LIMIT, STREETS
from engine.simulation import Cards

OPTIONS = {
    "betting": Option(
        OneOf((NO_LIMIT, POT_LIMIT, FIXED_LIMIT), (Text("No-limit"), Text("Pot-limit"), Text("Fixed-limit"))),
        Text("How much may be bet and raised (HE3)."),
        Text("Betting"),
    ),
    "big_blind": Option(Chips(), Text("The big blind (HE5)."), Text("Big blind")),
    "small_blind": Option(Chips(), Text("The small blind (HE5)."), Text("Small blind")),
    "ante": Option(Chips(), Text("The ante, 0 for none (HE9)."), Text("Ante")),
    "ante_from": Option(
        OneOf((EACH, FROM_BIG_BLIND), (Text("Everyone"), Text("The big blind"))),
        Text("The players who post the ante (HE9)."),
        Text("Ante from"),
        needs="ante",
    ),
    "unit": Option(Chips(), Text("The smallest chip on the table (HE29)."), Text("Smallest chip")),
}
# The usual 50 big blinds are always allowed, so that people can sit down on their first day too.
BUY_INS = {
    "buy_in_min": Option(Count(5, 50), Text("The smallest buy-in, in big blinds (HE2)."), Text("Smallest buy-in")),
    "buy_in_max": Option(Count(50, 500), Text("The largest buy-in, in big blinds (HE2)."), Text("Largest buy-in")),
}

RULES = Page(
    """
Texas Hold'em, a cash game. Two to nine players, or as many as the table has set, play against each other from stacks;
the casino only deals and takes no rake (HE1, HE30).

Buy in for 20 to 100 big blinds, unless this table has other limits. Top up between hands; if you come back within an
hour, bring at least what you left with. The daily limits between players apply (HE2).

The blinds are {small_blind}/{big_blind}. The big blind moves to the next player every hand; the small blind and the
button follow it, even to an empty seat (HE5, HE6).

[ante_from=big-blind] The big blind posts an ante of {ante} for the table (HE9).

[ante_from=each] Everyone posts an ante of {ante} (HE9).

A new player, or one who missed blinds, waits for the big blind or posts what they owe. You cannot post on the button or
between it and the big blind (HE7). With two players the button has the small blind (HE8).

Everyone gets two cards face down. Then come the flop (three cards), the turn and the river, with bets before the flop
and after each. The best five of your two cards and the board count (HE10).

[betting=no-limit] No-limit: bet or raise any amount, up to your whole stack (HE14).

[betting=pot-limit] Pot-limit: bet or raise any amount, up to the size of the pot (HE18).

[betting=fixed-limit] Fixed-limit: bets and raises are one big blind before and on the flop and two after it, at most
four per street (HE19, HE20).

Amounts are totals: raise 6 means raise to 6 (HE17). A short all-in does not reopen the betting for players who have
acted, unless they face a full raise (HE16, HE21).

If a player is all-in and the betting is over, all hands are shown. Otherwise the last player to bet on the river shows
first, and hands that cannot win are mucked (HE23, HE24, HE25).

Uncalled bets are returned. Each pot goes to the best hand of those who paid into it; equal hands split it, odd chips go
to the left of the button, in units of {unit} (HE27, HE28, HE29).

If your time runs out, you check if that is free, otherwise you fold; after two time-outs in a row you sit out (HE31).

A hand's record and seed are shown some hours later, so that folded hands stay secret while it matters. The table's
rules say after how many (`/rules table`).
""",
    OPTIONS,
)

PAYTABLE = Page(
    """
Blinds {small_blind}/{big_blind}, ante {ante}.

Each pot goes to the best hand; equal hands split it (HE28).

Hands, highest first: {ranks}.
""",
    OPTIONS,
    ranks=lambda options: [Word(rank) for rank in reversed(poker.CATEGORIES)],
)
# For the foot of a screen.
BLINDS = Page(
    """
[not ante] Blinds {small_blind}/{big_blind}

[ante] Blinds {small_blind}/{big_blind}, ante {ante}
""",
    OPTIONS,
)

TEXTS = GameTexts(
    title="Texas Hold'em",
    channel="texas-holdem",
    summary=Text("Poker between players, from stacks. Two cards of your own and five on the board."),
    rules=RULES,
    paytable=PAYTABLE,
    odds=(Text("No rake: the casino keeps nothing (HE30)."),),
    options=OPTIONS,
    settings={**BUY_INS, **REVEAL_AFTER},
    words={PHASE: tuple(STREETS), RANK: tuple(poker.CATEGORIES)},
)

_PRE_FLOP = (
    Text("Two aces: the best hand to start with. The other player has called the big blind."),
    Text("Raise while you are ahead. Amounts are totals: raise 6 means raise to 6 (HE17)."),
)
_LATER = (
    Text("The flop, the turn and the river come to the board, with bets after each (HE10)."),
    Text("Your aces are still ahead. Bet, and the other player has to pay to see the next card."),
)
_SHOWDOWN = (
    Text("The last player to bet on the river shows first; a hand that cannot win may stay hidden (HE24, HE25)."),
    Text("The pot comes from the players' stacks, never from the casino (HE30)."),
)
_GAVE_UP = (Text("A fold leaves the pot to the others, and no cards are shown (HE26)."),)
_BEST = ("raise", "bet", "check", "call")
_STACK = 1200


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    if offers:
        return _LATER if cards.get("board") else _PRE_FLOP
    return _SHOWDOWN if len(cards.get("board", ())) == 5 else _GAVE_UP


def _best(seat: str, offers: Offers, cards: Cards) -> Move:
    """Bet the pot with aces as long as it is possible."""
    by_word = {offer.word: offer for offer in offers}
    offer = by_word[next(word for word in _BEST if word in by_word)]
    return Move(seat, offer.word, str(offer.sizes[-1]) if offer.most else "")


FIRST_HAND = FirstHand(
    cards="As Kh Ad Kd 7c 9s 2h Jd 4c",
    bets=({},),
    opening=(
        Text("You play against each other; the casino only deals. The best hand takes the pot (HE28)."),
        Text("You get two cards; five more come to the board for everyone. Any five of the seven count (HE10)."),
        Text("You buy in with a stack. With two players one posts the small blind and the other the big blind (HE8)."),
    ),
    tells=_tells,
    best=_best,
    stack=_STACK,
    others=(Stake(2, "p2", {}, stack=_STACK),),
)
