"""What Punto Banco says of itself."""

from bot.texts import Text
from bot.texts.catalogues import NO_CATALOGUES, SPOT
from bot.texts.games import GameTexts
from bot.texts.options import LIMITS, BasisPoints, Flag, OneOf, Option
from engine.felt import Amount
from engine.games.puntobanco import PuntoBancoOptions

# The gain of a perfect card counter, a hand, of the largest bet: more than all areas together brought over 500 shoes
# (0.0001, nearly all of it for an égalité that pays nine, and nothing for punto and banco). Measured by
# `python -m tests.counted.puntobanco_counter`.
COUNTED_GAIN = 0.0003


def rules(options: PuntoBancoOptions) -> tuple[Text, ...]:
    """The page of the rules at a table with these options, clause by clause."""
    return (
        Text(
            "Punto Banco: two hands are dealt, punto's and banco's, and the one that counts more wins. Anybody bets on "
            "any of five areas: punto, banco, égalité, and that the first two cards of a hand are a pair (PB2)."
        ),
        Text(
            "A bet on an area is {least} to {most}, in steps of {step} (PB2, G5).",
            least=Amount(options.minimum),
            most=Amount(options.maximum),
            step=Amount(options.step),
        ),
        _shoe(options),
        Text(
            "An ace counts 1, two to nine their number, tens and court cards nothing; of the sum only the last digit "
            "counts (PB1). Cards alternate, punto's first, two each (PB3)."
        ),
        Text("Eight or nine with two cards is a natural: nobody draws (PB4)."),
        Text(
            "Else punto draws a third card with 0 to 5 and stands with 6 or 7 (PB5). When punto stood, banco does the "
            "same (PB6). Nobody decides anything."
        ),
        Text(
            "When punto drew, banco draws with 0, 1 and 2; with 3 unless punto's third card is an 8; with 4 if it is 2 "
            "to 7; with 5 if it is 4 to 7; with 6 if it is 6 or 7; with 7 it stands (PB7)."
        ),
        _winnings(options),
        Text("When both count the same, égalité wins, and bets on punto and banco come back (PB8)."),
        Text("A pair is two cards of one rank; it pays whatever the result, and needs no other bet (PB2, PB9)."),
        _turning(options),
        Text("The table shows the results of past hands; they say nothing of the next (PB12)."),
    )


def _shoe(options: PuntoBancoOptions) -> Text:
    if not options.penetration:
        return Text("The shoe holds {decks} decks, and every hand has a new one (PB1).", decks=options.decks)
    out = Amount(options.penetration)
    return Text(
        "The shoe holds {decks} decks and serves until {percent} % of it are out (PB1).",
        decks=options.decks,
        percent=out,
    )


def _winnings(options: PuntoBancoOptions) -> Text:
    if not options.commission:
        return Text("Punto and banco pay 1 to 1, without a commission (PB8).")
    return Text(
        "Punto pays 1 to 1; banco pays the same less {percent} %, rounded down for each bet (PB8).",
        percent=Amount(options.commission),
    )


def _turning(options: PuntoBancoOptions) -> Text:
    if not options.squeeze:
        return Text("The dealer turns all the cards here (PB10).")
    return Text(
        "Who has the highest bet on punto, or on banco, may ask to turn its cards himself; it never changes the "
        "result (PB10)."
    )


ORIGINALS = {
    "PB5": Text(
        "There is no rulebook of one house behind this game: it follows the usual rules of Italian casinos. In other "
        "forms of baccarat punto may choose with five; in this one he draws (PB5)."
    ),
}

BETS = {
    "punto": Text("A bet on punto"),
    "banco": Text("A bet on banco"),
    "egalite": Text("A bet on égalité"),
    "pair-punto": Text("A bet on a pair of punto"),
    "pair-banco": Text("A bet on a pair of banco"),
}
ODDS = (Text("Ties, which come back, are counted in."),)


def paytable(options: PuntoBancoOptions) -> tuple[Text, ...]:
    """What each area pays at a table with these options (PB8, PB9)."""
    return (
        Text("A pair pays 11 to 1 (PB9)."),
        Text("Égalité pays {pays} to 1 (PB8).", pays=options.egalite_pays),
        _banco(options.commission),
        Text("Punto pays 1 to 1 (PB8)."),
    )


def _banco(commission: int) -> Text:
    if not commission:
        return Text("Banco pays 1 to 1 (PB8).")
    return Text("Banco pays 1 to 1 less {percent} % (PB8).", percent=Amount(commission))


def warnings(options: PuntoBancoOptions) -> tuple[Text, ...]:
    """What a shoe that goes on is worth to who counts (PB1)."""
    if not options.penetration:
        return ()
    return (
        Text(
            "Who counts the cards of a shoe that goes on gains next to nothing: with {most} on an area where it pays, "
            "and no bet else, less than {amount} in a hundred rounds (PB1).",
            most=Amount(options.maximum),
            amount=Amount(max(1, round(100 * COUNTED_GAIN * options.maximum))),
        ),
    )


OPTIONS = {
    **LIMITS,
    "decks": Option(OneOf((6, 8)), Text("How many decks the shoe holds, 6 or 8 (PB1)."), Text("Decks")),
    "penetration": Option(
        BasisPoints(0, 7500),
        Text("How much of a shoe comes out before the next one; with 0 % every hand has its own (PB1)."),
        Text("Penetration"),
    ),
    "commission": Option(
        BasisPoints(0, 10000), Text("What the house keeps of what banco wins (PB8)."), Text("Commission on banco")
    ),
    "egalite_pays": Option(OneOf((8, 9)), Text("What égalité pays to 1, 8 or 9 (PB8)."), Text("Égalité pays")),
    "squeeze": Option(
        Flag(), Text("Whether the highest bet on a hand may turn its cards (PB10)."), Text("Players turn cards")
    ),
}

TEXTS = GameTexts(
    title="Punto Banco",
    channel="punto-banco",
    summary=Text("Punto or banco, whose hand comes closer to nine? Bets on either, on a tie and on pairs."),
    rules=rules,
    originals=ORIGINALS,
    paytable=paytable,
    bets=BETS,
    odds=ODDS,
    options=OPTIONS,
    warnings=warnings,
    kept_by_casino=(),
    settings={},
    words={SPOT: ("punto-third", "banco-third")},
    labels={"egalite": "égalité", "punto-third": "punto's third card", "banco-third": "banco's third card"},
    catalogues=NO_CATALOGUES,
)
