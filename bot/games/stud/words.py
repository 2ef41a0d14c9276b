"""What Seven Card Stud Hi/Lo says of itself."""

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
            "Seven Card Stud Hi/Lo, eight or better, fixed limit: two players or more, up to eight or as many as the "
            "table has set, against each other with a stack on the table; the house only deals and takes no rake (SH1, "
            "SH13)."
        ),
        Text(
            "What you may lose to others in a day, and win from them, has an end: as much as may be given and taken "
            "(/casino show). Of a larger stack no more than that is in play; on your first day here you bring 40 big "
            "bets at most (SH1)."
        ),
        _ante(options),
        Text(
            "Two cards down and one up, then one up on fourth, fifth and sixth street and one down on the river, with "
            "a round of bets after each (SH3). Should the deck run out, one open card belongs to everybody: the first "
            "down card of the hand that folded first, or the next of the deck where nobody folded (SH4)."
        ),
        Text(
            "The lowest open card brings in {half}, half the lower limit; equal ranks by suit: spades highest, hearts, "
            "diamonds, clubs. Later the highest hand showing begins (SH5).",
            half=Amount(options.lower // 2),
        ),
        _bring_in(options),
        Text(
            "Bets and raises are {lower} on third and fourth street, {upper} after that (SH6), at most four in a "
            "round: bet, raise, raise again, cap (SH7).",
            lower=Amount(options.lower),
            upper=Amount(options.upper),
        ),
        Text(
            "Who is short of a bet is all in and plays for the pots he paid into; what nobody called goes back (SH9)."
        ),
        Text(
            "At the showdown any five of your seven cards make the high hand and any five the low one. A low is five "
            "different cards of eight or lower, the ace low; straights and flushes do not count against it; the best "
            "is 5-4-3-2-A (SH10)."
        ),
        Text(
            "The best high takes half of each pot, the best low the other half; without a low the high takes all. "
            "Equal hands share: the odd chip of the halving goes to the high, those within a half go one each, first "
            "to the dealer's left (SH11). The last player left takes the pot and shows nothing (SH12)."
        ),
        Text("The smallest chip is {unit}: stacks and shares go in steps of it (SH11).", unit=Amount(options.unit)),
        Text(
            "When your time runs out you check if that is free, else you fold; twice in a row, and you sit out (SH14)."
        ),
        Text(
            "The record of a hand and its seed are shown some hours later, so that folded hands stay secret while it "
            "matters: after how many, the table's card says (`/rules table`)."
        ),
    )


def _ante(options: StudOptions) -> Text:
    if not options.ante:
        return Text("Nobody posts an ante at these limits (SH2).")
    return Text("Everybody posts an ante of {ante} (SH2).", ante=Amount(options.ante))


def _bring_in(options: StudOptions) -> Text:
    if options.bring_in_may_complete:
        return Text("Who brings in may bet the whole limit at once instead (SH5).")
    return Text("The bring-in is forced: the others may complete it to the limit, and who posts it may not yet (SH5).")


def bring_in_here(options: StudOptions) -> Text:
    """What the bring-in is at a table with these options."""
    half, lower = Amount(options.lower // 2), Amount(options.lower)
    if options.bring_in_may_complete:
        return Text("Post the bring-in of {half}, or the whole limit of {lower} (SH5)", half=half, lower=lower)
    return Text("Post the bring-in of {half}; the others may complete it (SH5)", half=half)


def complete_here(options: StudOptions) -> Text:
    """What completes a bring-in at a table with these options."""
    return Text("Complete the bring-in to {lower} (SH5)", lower=Amount(options.lower))


def bet_here(options: StudOptions) -> Text:
    """What a bet is at a table with these options."""
    lower, upper = Amount(options.lower), Amount(options.upper)
    return Text("Bet {lower} on third and fourth street, {upper} after that (SH6)", lower=lower, upper=upper)


def raise_here(options: StudOptions) -> Text:
    """What a raise is at a table with these options."""
    lower, upper = Amount(options.lower), Amount(options.upper)
    return Text("Raise by {lower} on third and fourth street, by {upper} after that (SH6)", lower=lower, upper=upper)


ORIGINALS = {
    "SH1": Text(
        "The rulebook says nothing of who wins from whom. Here what passes between players in a day has an end, since "
        "chips could else be handed over by losing them (SH1)."
    ),
    "SH4": Text(
        "The rulebook takes a discard for the card that belongs to everybody, and does not say which: here the first "
        "down card of the hand that folded first (SH4)."
    ),
    "SH5": Text(
        "The rulebook leaves open whether who brings in may bet the whole limit at once: the option "
        "bring_in_may_complete says it (SH5)."
    ),
    "SH11": Text(
        "The rulebook does not say who gets odd chips. Here they go one each, first to the dealer's left, as is the "
        "custom of poker (SH11)."
    ),
}

ODDS = (Text("No rake: the house keeps nothing, the players win from each other (SH13)."),)


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
    "ante": Option(Chips(), Text("What everybody posts before the cards (SH2)."), Text("Ante")),
    "unit": Option(Chips(), Text("The smallest chip on the table (SH11)."), Text("Smallest chip")),
    "bring_in_may_complete": Option(
        Flag(), Text("Whether the lowest card may bet the whole limit at once (SH5)."), Text("Bring-in may complete")
    ),
}
# A week at most.
SETTINGS = {
    "reveal_after": Option(
        Count(0, 168),
        Text("After how many hours the record and the seed of a hand are shown."),
        Text("Hours until the seed is shown"),
    ),
}
_STATES = ("folded", "checked", "called", "has bet", "raised", "completed", "brought in")

TEXTS = GameTexts(
    title="7 Card Stud Hi/Lo",
    channel="7-card-stud-hi-lo",
    summary=Text("Poker between the players, from stacks: the best high hand and the best low one share the pot."),
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
