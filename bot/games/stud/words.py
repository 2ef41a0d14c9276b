"""Texts of Seven Card Stud Hi/Lo."""

from bot.texts import Text
from bot.texts.catalogues import NO_CATALOGUES, PHASE, RANK, STATE
from bot.texts.games import GameTexts, warn_of_nothing
from bot.texts.options import Chips, Count, Flag, Option
from engine import poker
from engine.felt import Amount, Word
from engine.games.stud import STREETS, StudOptions


def rules(options: StudOptions) -> tuple[Text, ...]:
    """The page of the rules at a table with these options, clause by clause."""
    return (
        Text(
            "Seven Card Stud Hi/Lo, eight or better, fixed limit. Two to eight players, or fewer if the table "
            "has fewer seats, play against each other from stacks; the casino only deals and takes no rake "
            "(SH1, SH13)."
        ),
        Text(
            "There is a daily limit on what you can win from, or lose to, other players (/casino show). Larger "
            "stacks play only up to it; on your first day you can bring 40 big bets at most (SH1)."
        ),
        _ante(options),
        Text(
            "Two cards down and one up, then one up on fourth, fifth and sixth street and one down on the "
            "river, with a round of bets after each (SH3). If the deck runs out, one open card is shared by "
            "everyone: the first down card of the hand that folded first, or the next card of the deck (SH4)."
        ),
        Text(
            (
                "The lowest open card posts the bring-in of {half}, half the lower limit; ties by suit: spades "
                "highest, then hearts, diamonds, clubs. On later streets the highest hand showing acts first (SH5)."
            ),
            half=Amount(options.lower // 2),
        ),
        _bring_in(options),
        Text(
            (
                "Bets and raises are {lower} on third and fourth street and {upper} after that (SH6), at most four "
                "per round: bet, raise, re-raise, cap (SH7)."
            ),
            lower=Amount(options.lower),
            upper=Amount(options.upper),
        ),
        Text(
            "A player who cannot cover a bet is all-in and plays for the pots they paid into; uncalled bets "
            "are returned (SH9)."
        ),
        Text(
            "At the showdown any five of your seven cards make your high hand and any five your low hand. A "
            "low is five different ranks of eight or lower, with aces low; straights and flushes do not count "
            "against it, and the best low is 5-4-3-2-A (SH10)."
        ),
        Text(
            "The best high hand takes half of each pot, the best low the other half; without a low the high "
            "takes all. Equal hands share. An odd chip from the halving goes to the high, odd chips within a "
            "half go one each, first to the dealer's left (SH11). The last player left takes the pot without "
            "showing (SH12)."
        ),
        Text("The smallest chip is {unit}; stacks and shares are multiples of it (SH11).", unit=Amount(options.unit)),
        Text(
            "If your time runs out, you check if that is free, otherwise you fold; after two time-outs in a "
            "row you sit out (SH14)."
        ),
        Text(
            "A hand's record and seed are shown some hours later, so that folded hands stay secret while it "
            "matters. The table's rules say after how many (`/rules table`)."
        ),
    )


def _ante(options: StudOptions) -> Text:
    if not options.ante:
        return Text("There is no ante at these limits (SH2).")
    return Text("Everyone posts an ante of {ante} (SH2).", ante=Amount(options.ante))


def _bring_in(options: StudOptions) -> Text:
    if options.bring_in_may_complete:
        return Text("The bring-in player may bet the whole limit instead (SH5).")
    return Text(
        "The bring-in is a forced bet. The others may complete it to the limit, but the player who posts it may "
        "not yet (SH5)."
    )


def bring_in_here(options: StudOptions) -> Text:
    """Describe the bring-in with these options."""
    half, lower = Amount(options.lower // 2), Amount(options.lower)
    if options.bring_in_may_complete:
        return Text("Post the bring-in of {half}, or the whole limit of {lower} (SH5)", half=half, lower=lower)
    return Text("Post the bring-in of {half}; the others may complete it (SH5)", half=half)


def complete_here(options: StudOptions) -> Text:
    """Describe the completion of a bring-in with these options."""
    return Text("Complete the bring-in to {lower} (SH5)", lower=Amount(options.lower))


def bet_here(options: StudOptions) -> Text:
    """Describe a bet with these options."""
    lower, upper = Amount(options.lower), Amount(options.upper)
    return Text("Bet {lower} on third and fourth street, {upper} after that (SH6)", lower=lower, upper=upper)


def raise_here(options: StudOptions) -> Text:
    """Describe a raise with these options."""
    lower, upper = Amount(options.lower), Amount(options.upper)
    return Text("Raise by {lower} on third and fourth street, by {upper} after that (SH6)", lower=lower, upper=upper)


ORIGINALS = {
    "SH1": Text(
        "The rulebook has no limit on what players win from each other. Here there is a daily limit, because "
        "chips could otherwise be passed on by losing them (SH1)."
    ),
    "SH4": Text(
        "The rulebook uses a discard as the community card without saying which. Here it is the first down "
        "card of the hand that folded first (SH4)."
    ),
    "SH5": Text(
        "The rulebook does not say whether the bring-in player may bet the whole limit at once. The option "
        "bring_in_may_complete decides (SH5)."
    ),
    "SH11": Text(
        "The rulebook does not say who gets odd chips. Here they go one each, starting left of the dealer, as "
        "is usual in poker (SH11)."
    ),
}

ODDS = (Text("No rake: the casino keeps nothing (SH13)."),)


def paytable(options: StudOptions) -> tuple[Text, ...]:
    """The limits of this table, how a pot is shared, and the ranks (SH11)."""
    lower, upper, ante = Amount(options.lower), Amount(options.upper), Amount(options.ante)
    return (
        Text(
            "Limits {lower}/{upper}, ante {ante}, bring-in {half}.",
            lower=lower,
            upper=upper,
            ante=ante,
            half=Amount(options.lower // 2),
        ),
        Text("Half of each pot to the best high, half to the best low of eight or better (SH11)."),
        Text("Hands, highest first: {ranks}.", ranks=[Word(rank) for rank in reversed(poker.CATEGORIES)]),
    )


OPTIONS = {
    "lower": Option(
        Chips(), Text("The limit of bets and raises on third and fourth street (SH6)."), Text("Lower limit")
    ),
    "upper": Option(Chips(), Text("The limit of bets and raises from fifth street on (SH6)."), Text("Upper limit")),
    "ante": Option(Chips(), Text("Ante of each player (SH2)."), Text("Ante")),
    "unit": Option(Chips(), Text("The smallest chip on the table (SH11)."), Text("Smallest chip")),
    "bring_in_may_complete": Option(
        Flag(), Text("The lowest card may bet the whole limit at once (SH5)."), Text("Bring-in may complete")
    ),
}
# A week at most.
SETTINGS = {
    "reveal_after": Option(
        Count(0, 168),
        Text("Hours until a hand's record and seed are shown."),
        Text("Hours until the seed is shown"),
    ),
}
_STATES = ("folded", "checked", "called", "has bet", "raised", "completed", "brought in")

TEXTS = GameTexts(
    title="7 Card Stud Hi/Lo",
    channel="7-card-stud-hi-lo",
    summary=Text("Poker between players, from stacks. The best high hand and the best low hand share the pot."),
    rules=rules,
    originals=ORIGINALS,
    paytable=paytable,
    bets={},
    odds=ODDS,
    options=OPTIONS,
    warnings=warn_of_nothing,
    kept_by_casino=(),
    settings=SETTINGS,
    words={PHASE: STREETS, RANK: tuple(poker.CATEGORIES), STATE: _STATES},
    labels={},
    catalogues=NO_CATALOGUES,
)
