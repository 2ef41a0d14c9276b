"""Texts of Punto Banco."""

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
            "Punto Banco: two hands are dealt, punto and banco, and the one with the higher count wins. "
            "Everyone can bet on any of five areas: punto, banco, égalité, and a pair in the first two cards "
            "of either hand (PB2)."
        ),
        Text(
            "Bets are {least} to {most} per area, in steps of {step} (PB2, G5).",
            least=Amount(options.minimum),
            most=Amount(options.maximum),
            step=Amount(options.step),
        ),
        _shoe(options),
        Text(
            "An ace counts 1, two to nine their number, tens and face cards 0; only the last digit of the sum "
            "counts (PB1). Punto and banco get two cards each, in turn (PB3)."
        ),
        Text("Eight or nine with two cards is a natural: no one draws (PB4)."),
        Text(
            "Otherwise punto draws a third card with 0 to 5 and stands with 6 or 7 (PB5). If punto stands, "
            "banco follows the same rule (PB6). No one decides anything."
        ),
        Text(
            "When punto drew, banco draws with 0, 1 and 2; with 3 unless punto's third card is an 8; with 4 if it is 2 "
            "to 7; with 5 if it is 4 to 7; with 6 if it is 6 or 7; with 7 it stands (PB7)."
        ),
        _winnings(options),
        Text("If both count the same, égalité wins, and bets on punto and banco are a push (PB8)."),
        Text(
            "A pair bet wins when the first two cards have the same rank. It pays whatever the result and needs no "
            "other bet (PB2, PB9)."
        ),
        _turning(options),
        Text("The table shows past results; they do not predict the next one (PB12)."),
    )


def _shoe(options: PuntoBancoOptions) -> Text:
    if not options.penetration:
        return Text("Every hand has a new shoe of {decks} decks (PB1).", decks=options.decks)
    out = Amount(options.penetration)
    return Text(
        "The shoe has {decks} decks and is replaced after {percent} % of it (PB1).",
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
        return Text("The dealer reveals all cards here (PB10).")
    return Text(
        "The highest bettor on punto or banco may ask to reveal its cards; that never changes the result (PB10)."
    )


ORIGINALS = {
    "PB5": Text(
        "This game follows the usual rules of Italian casinos. In other forms of baccarat punto may choose "
        "with five; here punto draws (PB5)."
    ),
}

BETS = {
    "punto": Text("A bet on punto"),
    "banco": Text("A bet on banco"),
    "egalite": Text("A bet on égalité"),
    "pair-punto": Text("A bet on a pair of punto"),
    "pair-banco": Text("A bet on a pair of banco"),
}
ODDS = (Text("Ties are included as pushes."),)


def paytable(options: PuntoBancoOptions) -> tuple[Text, ...]:
    """Return the payouts of each area for these options (PB8, PB9)."""
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
    """Warn what card counters gain from a shoe used for several hands (PB1)."""
    if not options.penetration:
        return ()
    return (
        Text(
            (
                "Counting cards gains next to nothing: betting {most} on an area only when it pays wins less than "
                "{amount} in a hundred rounds (PB1)."
            ),
            most=Amount(options.maximum),
            amount=Amount(max(1, round(100 * COUNTED_GAIN * options.maximum))),
        ),
    )


OPTIONS = {
    **LIMITS,
    "decks": Option(OneOf((6, 8)), Text("Decks in the shoe, 6 or 8 (PB1)."), Text("Decks")),
    "penetration": Option(
        BasisPoints(0, 7500),
        Text("Share of the shoe dealt before a new one; 0 % means a new shoe for every hand (PB1)."),
        Text("Penetration"),
    ),
    "commission": Option(BasisPoints(0, 10000), Text("Commission on banco's wins (PB8)."), Text("Commission on banco")),
    "egalite_pays": Option(OneOf((8, 9)), Text("Payout of égalité: 8 or 9 to 1 (PB8)."), Text("Égalité pays")),
    "squeeze": Option(
        Flag(), Text("The highest bet on a hand may reveal its cards (PB10)."), Text("Players reveal cards")
    ),
}

TEXTS = GameTexts(
    title="Punto Banco",
    channel="punto-banco",
    summary=Text("Punto or banco: which hand comes closer to nine? Bet on either, on a tie, or on pairs."),
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
