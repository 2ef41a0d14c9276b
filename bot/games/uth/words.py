"""What Ultimate Texas Hold'em says of itself."""

from bot.texts import Text
from bot.texts.catalogues import NO_CATALOGUES, RANK, STATE
from bot.texts.games import GameTexts, warn_of_nothing
from bot.texts.options import LIMITS, OneOf, Option
from engine import poker
from engine.felt import Amount, Word
from engine.games.uth import BLIND_PAYS, TRIPS_PAYS, UltimateOptions


def rules(options: UltimateOptions) -> tuple[Text, ...]:
    """The page of the rules at a table with these options, clause by clause."""
    return (
        Text(
            "Ultimate Texas Hold'em in the Venice variant: your two cards and five on the board against the bank's two "
            "and the same five; the best five of seven count. Six seats, or as many as the table has set (UT1)."
        ),
        Text(
            "Before the deal you put the ante; the blind follows it and is the same. Trips is an optional bet of its "
            "own (UT2)."
        ),
        Text(
            "Ante and Trips are {least} to {most} each, in steps of {step} (UT1, G5); Play may be more (UT6).",
            least=Amount(options.minimum),
            most=Amount(options.maximum),
            step=Amount(options.step),
        ),
        _deal(options),
        Text(
            "On two cards you check or play 3 or 4 times the ante (UT4); on the flop you check or play 2 times (UT5); "
            "with the whole board open you play 1 time or fold (UT6). You play once in a hand, and nobody folds before "
            "the whole board is open."
        ),
        Text("On each street all choose at the same time (UT7). Nobody shows or tells his cards (G8)."),
        *_unqualified(options),
        Text(
            "If it qualifies: yours is better, Play and Ante pay 1 to 1 and the Blind by its table from a straight up, "
            "with less it comes back; the bank's is better, all three are lost; equal hands, all three stay (UT10, "
            "UT12, UT13)."
        ),
        _trips(options),
        Text(
            "When your time runs out you check, and on the river you fold, unless you left a standing order: "
            "`/standing play-pairs` (UT17)."
        ),
    )


def _deal(options: UltimateOptions) -> Text:
    if options.procedure == "manual":
        return Text(
            "The cards are dealt by hand: one at a time in two rounds, the bank last, and a card is burnt before the "
            "flop, the turn and the river (UT3)."
        )
    return Text("The five cards of the board lie face down first; then each gets two at once, the bank last (UT3).")


def _unqualified(options: UltimateOptions) -> tuple[Text, ...]:
    if options.nonqualify == "us":
        return (
            Text(
                "The bank qualifies with a pair or better (UT8). If not, the usual rule holds here: your ante comes "
                "back, and Play and Blind are decided by the cards all the same (UT9)."
            ),
        )
    return (
        Text(
            "The bank qualifies with a pair or better (UT8). If not, it withdraws: your ante is paid 1 to 1, Play and "
            "Blind come back, whatever you hold (UT9)."
        ),
        Text(
            "This rule of Venice costs you more than the usual one, where the ante comes back and Play and Blind are "
            "resolved (UT9)."
        ),
    )


def _trips(options: UltimateOptions) -> Text:
    if options.procedure == "manual":
        return Text(
            "Trips pays by its table for three of a kind or better, whoever wins (UT14); with a fold Ante and Blind "
            "are lost, and Trips with them, since the cards are dealt by hand (UT15)."
        )
    return Text(
        "Trips pays by its table for three of a kind or better, whoever wins (UT14), and stays live after a fold; "
        "Ante and Blind are lost with the fold (UT15)."
    )


def fold_here(options: UltimateOptions) -> Text:
    """What a fold gives up at a table with these options."""
    if options.procedure == "manual":
        return Text("Give up ante and blind, and Trips with them (UT15)")
    return Text("Give up ante and blind; Trips stays live (UT15)")


ORIGINALS = {
    "UT7": Text(
        "At a real table one player chooses after the other, and sees what the others did. Here a street ends when all "
        "have chosen; what others have chosen may be seen meanwhile (UT7)."
    ),
    "UT9": Text(
        "This is the rulebook of Venice to the letter, where most casinos push the ante and resolve Play and Blind. It "
        "is the default because it is the original; the option nonqualify has the usual rule (UT9)."
    ),
    "UT15": Text(
        "The rulebook has both: with the shuffler Trips stays live after a fold, dealt by hand it is lost. The option "
        "procedure says which holds (UT15)."
    ),
    "UT16": Text(
        "The rulebook replaces bank cards that fall open, or lets who has not finished stay in without a Play bet. "
        "Virtual cards cannot fall; whatever spoils a hand all the same voids the whole of it (UT16)."
    ),
}

BETS = {"ante": Text("Ante and blind together, for each ante"), "trips": Text("Trips")}


def paytable(options: UltimateOptions) -> tuple[Text, ...]:
    """What play, ante, blind and trips pay (UT10, UT13, UT14)."""
    lines = [Text("Play and Ante pay 1 to 1 (UT10). The Blind pays a winner (UT13):")]
    for rank, (pays, to) in BLIND_PAYS.items():
        lines.append(Text("{rank}: {pays} to {to}", rank=Word(rank), pays=pays, to=to))
    lines.append(Text("Trips pays, whoever wins (UT14):"))
    for rank, pays in TRIPS_PAYS.items():
        lines.append(Text("{rank}: {pays} to {to}", rank=Word(rank), pays=pays, to=1))
    return tuple(lines)


OPTIONS = {
    **LIMITS,
    "procedure": Option(
        OneOf(("shuffler", "manual"), (Text("all at once"), Text("card by card"))),
        Text("How the cards are dealt: all of a hand at once, or one at a time with burnt cards (UT3)."),
        Text("Dealing"),
    ),
    "nonqualify": Option(
        OneOf(("venice", "us"), (Text("Venice rules"), Text("US rules"))),
        Text("What a bank without a pair pays: Venice's way, or the usual one, where the ante comes back (UT9)."),
        Text("Dealer doesn't qualify"),
    ),
}

TEXTS = GameTexts(
    title="Ultimate Texas Hold’em",
    channel="ultimate-texas-holdem",
    summary=Text("Poker with two cards of your own and five for all, against the bank."),
    rules=rules,
    originals=ORIGINALS,
    paytable=paytable,
    bets=BETS,
    odds=(),
    options=OPTIONS,
    warnings=warn_of_nothing,
    kept_by_casino=(),
    settings={},
    words={RANK: tuple(poker.CATEGORIES), STATE: ("checked", "played", "folded")},
    labels={},
    catalogues=NO_CATALOGUES,
)
