"""Texts of Texas Hold'em."""

from bot.texts import Text
from bot.texts.catalogues import NO_CATALOGUES, PHASE, RANK, STATE
from bot.texts.games import GameTexts, warn_of_nothing
from bot.texts.options import Chips, Count, OneOf, Option
from engine import poker
from engine.felt import Amount, Word
from engine.games.holdem import EACH, FIXED_LIMIT, FROM_BIG_BLIND, NO_LIMIT, POT_LIMIT, STREETS, HoldemOptions

_BETTING = {
    NO_LIMIT: Text("No-limit: bet or raise any amount, up to your whole stack (HE14)."),
    POT_LIMIT: Text("Pot-limit: bet or raise any amount, up to the size of the pot (HE18)."),
    FIXED_LIMIT: Text(
        "Fixed-limit: bets and raises are one big blind before and on the flop and two after it, at most four per "
        "street (HE19, HE20)."
    ),
}


def rules(options: HoldemOptions) -> tuple[Text, ...]:
    """Return the rules at a table with these options, clause by clause."""
    return (
        Text(
            "Texas Hold'em, a cash game. Two to nine players, or as many as the table has set, play against each other "
            "from stacks; the casino only deals and takes no rake (HE1, HE30)."
        ),
        Text(
            "Buy in for 20 to 100 big blinds. Top up between hands; if you come back within an hour, bring at least "
            "what you left with. The daily limits between players apply (HE2)."
        ),
        Text(
            "The blinds are {small}/{big}. The big blind moves to the next player every hand; the small blind and the "
            "button follow it, even to an empty seat (HE5, HE6).",
            small=Amount(options.small_blind),
            big=Amount(options.big_blind),
        ),
        *_ante(options),
        Text(
            "A new player, or one who missed blinds, waits for the big blind or posts what they owe. You cannot post "
            "on the button or between it and the big blind (HE7). With two players the button has the small blind "
            "(HE8)."
        ),
        Text(
            "Everyone gets two cards face down. Then come the flop (three cards), the turn and the river, with bets "
            "before the flop and after each. The best five of your two cards and the board count (HE10)."
        ),
        _BETTING[options.betting],
        Text(
            "Amounts are totals: raise 6 means raise to 6 (HE17). A short all-in does not reopen the betting for "
            "players who have acted, unless they face a full raise (HE16, HE21)."
        ),
        Text(
            "If a player is all-in and the betting is over, all hands are shown. Otherwise the last player to bet on "
            "the river shows first, and hands that cannot win are mucked (HE23, HE24, HE25)."
        ),
        Text(
            "Uncalled bets are returned. Each pot goes to the best hand of those who paid into it; equal hands "
            "split it, odd chips go to the left of the button, in units of {unit} (HE27, HE28, HE29).",
            unit=Amount(options.unit),
        ),
        Text(
            "If your time runs out, you check if that is free, otherwise you fold; after two time-outs in a row you "
            "sit out (HE31)."
        ),
        Text(
            "A hand's record and seed are shown some hours later, so that folded hands stay secret while it "
            "matters. The table's rules say after how many (`/rules table`)."
        ),
    )


def _ante(options: HoldemOptions) -> tuple[Text, ...]:
    """Say who posts an ante; without one, who would."""
    ante = Amount(options.ante)
    if options.ante_from == FROM_BIG_BLIND:
        return (Text("The big blind posts an ante of {ante} for the table (HE9).", ante=ante),)
    return (Text("Everyone posts an ante of {ante} (HE9).", ante=ante),)


ODDS = (Text("No rake: the casino keeps nothing (HE30)."),)


def paytable(options: HoldemOptions) -> tuple[Text, ...]:
    """Return the blinds of this table and the ranks of hands."""
    small, big, ante = Amount(options.small_blind), Amount(options.big_blind), Amount(options.ante)
    return (
        Text("Blinds {small}/{big}, ante {ante}.", small=small, big=big, ante=ante),
        Text("Each pot goes to the best hand; equal hands split it (HE28)."),
        Text("Hands, highest first: {ranks}.", ranks=[Word(rank) for rank in reversed(poker.CATEGORIES)]),
    )


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
    ),
    "unit": Option(Chips(), Text("The smallest chip on the table (HE29)."), Text("Smallest chip")),
}
SETTINGS = {
    "reveal_after": Option(
        Count(0, 168),
        Text("Hours until a hand's record and seed are shown."),
        Text("Hours until the seed is shown"),
    ),
}

TEXTS = GameTexts(
    title="Texas Hold'em",
    channel="texas-holdem",
    summary=Text("Poker between players, from stacks. Two cards of your own and five on the board."),
    rules=rules,
    originals={},
    paytable=paytable,
    bets={},
    odds=ODDS,
    options=OPTIONS,
    warnings=warn_of_nothing,
    kept_by_casino=(),
    settings=SETTINGS,
    words={
        PHASE: tuple(STREETS),
        RANK: tuple(poker.CATEGORIES),
        STATE: ("folded", "checked", "called", "has bet", "raised"),
    },
    labels={},
    catalogues=NO_CATALOGUES,
)
