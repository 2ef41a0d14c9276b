"""Texts of Ultimate Texas Hold'em."""

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
            "Ultimate Texas Hold'em in the Venice variant: your two cards and five on the board against the "
            "bank's two and the same five; the best five of seven count. Six seats unless the table has fewer "
            "(UT1)."
        ),
        Text(
            "Before the deal you place the Ante, and the Blind of the same amount follows. Trips is an "
            "optional side bet (UT2)."
        ),
        Text(
            "Ante and Trips are {least} to {most} each, in steps of {step} (UT1, G5); Play may be more (UT6).",
            least=Amount(options.minimum),
            most=Amount(options.maximum),
            step=Amount(options.step),
        ),
        _deal(options),
        Text(
            "With two cards you check or play 3 or 4 times the ante (UT4); on the flop you check or play 2 "
            "times (UT5); with the whole board you play 1 time or fold (UT6). You play once per hand and can "
            "fold only at the end."
        ),
        Text("Everyone decides at the same time on each street (UT7). Don't show or tell your cards (G8)."),
        *_unqualified(options),
        Text(
            "If it qualifies and your hand is better, Play and Ante pay 1 to 1, and the Blind pays by its "
            "table for a straight or better, otherwise it is a push. If the bank's hand is better, you lose "
            "all three. Equal hands: all three are a push (UT10, UT12, UT13)."
        ),
        _trips(options),
        Text(
            "If your time runs out you check, on the river you fold, unless you have a standing order: "
            "`/standing play-pairs` (UT17)."
        ),
    )


def _deal(options: UltimateOptions) -> Text:
    if options.procedure == "manual":
        return Text(
            "Cards are dealt one at a time in two rounds, the bank last, and a card is burned before the flop, "
            "the turn and the river (UT3)."
        )
    return Text("The five board cards are dealt face down first; then everyone gets two at once, the bank last (UT3).")


def _unqualified(options: UltimateOptions) -> tuple[Text, ...]:
    if options.nonqualify == "us":
        return (
            Text(
                "The bank qualifies with a pair or better (UT8). If it doesn't, your Ante is returned, and "
                "Play and Blind are still decided by the cards (UT9)."
            ),
        )
    return (
        Text(
            "The bank qualifies with a pair or better (UT8). If it doesn't, your Ante is paid 1 to 1, and Play "
            "and Blind are returned whatever you hold (UT9)."
        ),
        Text(
            "This Venice rule costs you more than the usual one, where the Ante is returned and Play and Blind "
            "are resolved (UT9)."
        ),
    )


def _trips(options: UltimateOptions) -> Text:
    if options.procedure == "manual":
        return Text(
            "Trips pays by its table for three of a kind or better, whoever wins (UT14). If you fold, you lose "
            "Ante, Blind and Trips, because the cards are dealt by hand (UT15)."
        )
    return Text(
        "Trips pays by its table for three of a kind or better, whoever wins (UT14), and stays live after a fold; "
        "Ante and Blind are lost with the fold (UT15)."
    )


def fold_here(options: UltimateOptions) -> Text:
    """Describe what a fold loses with these options."""
    if options.procedure == "manual":
        return Text("Give up Ante, Blind and Trips (UT15)")
    return Text("Give up Ante and Blind; Trips stays in play (UT15)")


ORIGINALS = {
    "UT7": Text(
        "In a casino players decide one after another and see what the others did. Here everyone decides at "
        "once, and the round ends when all have decided; decisions may be visible meanwhile (UT7)."
    ),
    "UT9": Text(
        "This follows the Venice rulebook; most casinos push the Ante and resolve Play and Blind. The option "
        "nonqualify offers the usual rule (UT9)."
    ),
    "UT15": Text(
        "The rulebook has both: with a shuffler Trips stays in play after a fold, dealt by hand it is lost. "
        "The option procedure decides (UT15)."
    ),
    "UT16": Text(
        "The rulebook replaces bank cards that fall face up. Virtual cards cannot fall; if a hand is spoiled "
        "anyway, all of it is voided (UT16)."
    ),
}

BETS = {"ante": Text("Ante and blind together, for each ante"), "trips": Text("Trips")}


def paytable(options: UltimateOptions) -> tuple[Text, ...]:
    """Return the pay table of play, ante, blind and trips (UT10, UT13, UT14)."""
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
        Text("How cards are dealt: hand by hand, or one at a time with burn cards (UT3)."),
        Text("Dealing"),
    ),
    "nonqualify": Option(
        OneOf(("venice", "us"), (Text("Venice rules"), Text("US rules"))),
        Text(
            "What happens when the bank has no pair: the Venice rule, or the usual one, which returns the Ante (UT9)."
        ),
        Text("Dealer doesn't qualify"),
    ),
}

TEXTS = GameTexts(
    title="Ultimate Texas Hold'em",
    channel="ultimate-texas-holdem",
    summary=Text("Poker against the bank with two cards of your own and five for everyone."),
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
