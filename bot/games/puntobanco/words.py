"""Texts of Punto Banco, and the hand that teaches it: which area costs least, and when a third card is drawn."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from bot.texts.catalogues import SPOT
from bot.texts.games import GameTexts
from bot.texts.options import BasisPoints, Flag, OneOf, Option
from bot.texts.paragraphs import Page, by_clause
from engine.cards import HIDDEN, Card
from engine.felt import Amount, Offers

# The gain of a perfect card counter, a hand, of the largest bet: more than all areas together brought over 500 shoes
# (0.0001, nearly all of it for an égalité that pays nine, and nothing for punto and banco). Measured by
# `python -m tests.counted.puntobanco_counter`.
COUNTED_GAIN = 0.0003

OPTIONS = {
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

RULES = Page(
    """
Punto Banco: two hands are dealt, punto and banco, and the one with the higher count wins. Everyone can bet on any of
five areas: punto, banco, égalité, and a pair in the first two cards of either hand (PB2).

Bets are {minimum} to {maximum} per area, in steps of {step} (PB2, G5).

[not penetration] Every hand has a new shoe of {decks} decks (PB1).

[penetration] The shoe has {decks} decks and is replaced after {penetration} of it (PB1).

An ace counts 1, two to nine their number, tens and face cards 0; only the last digit of the sum counts (PB1). Punto and
banco get two cards each, in turn (PB3).

Eight or nine with two cards is a natural: no one draws (PB4).

Otherwise punto draws a third card with 0 to 5 and stands with 6 or 7 (PB5). If punto stands, banco follows the same
rule (PB6). No one decides anything.

When punto drew, banco draws with 0, 1 and 2; with 3 unless punto's third card is an 8; with 4 if it is 2 to 7; with 5
if it is 4 to 7; with 6 if it is 6 or 7; with 7 it stands (PB7).

[not commission] Punto and banco pay 1 to 1, without a commission (PB8).

[commission] Punto pays 1 to 1; banco pays the same less {commission}, rounded down for each bet (PB8).

If both count the same, égalité wins, and bets on punto and banco are a push (PB8).

A pair bet wins when the first two cards have the same rank. It pays whatever the result and needs no other bet (PB2,
PB9).

[not squeeze] The dealer reveals all cards here (PB10).

[squeeze] The highest bettor on punto or banco may ask to reveal its cards; that never changes the result (PB10).

The table shows past results; they do not predict the next one (PB12).
""",
    OPTIONS,
)

ORIGINALS = by_clause(
    """
This game follows the usual rules of Italian casinos. In other forms of baccarat punto may choose with five; here punto
draws (PB5).
"""
)

PAYTABLE = Page(
    """
A pair pays 11 to 1 (PB9).

Égalité pays {egalite_pays} to 1 (PB8).

[not commission] Banco pays 1 to 1 (PB8).

[commission] Banco pays 1 to 1 less {commission} (PB8).

Punto pays 1 to 1 (PB8).
""",
    OPTIONS,
)

# What card counters gain from a shoe used for several hands.
WARNINGS = Page(
    """
[penetration] Counting cards gains next to nothing: betting {maximum} on an area only when it pays wins less than
{amount} in a hundred rounds (PB1).
""",
    OPTIONS,
    amount=lambda options: Amount(max(1, round(100 * COUNTED_GAIN * options.maximum))),
)

TEXTS = GameTexts(
    title="Punto Banco",
    summary=Text("Punto or banco: which hand comes closer to nine? Bet on either, on a tie, or on pairs."),
    rules=RULES,
    originals=ORIGINALS,
    paytable=PAYTABLE,
    bets={
        "punto": Text("A bet on punto"),
        "banco": Text("A bet on banco"),
        "egalite": Text("A bet on égalité"),
        "pair-punto": Text("A bet on a pair of punto"),
        "pair-banco": Text("A bet on a pair of banco"),
    },
    odds=(Text("Ties are included as pushes."),),
    options=OPTIONS,
    warnings=WARNINGS,
    words={SPOT: ("punto-third", "banco-third")},
    labels={"egalite": "égalité", "punto-third": "punto's third card", "banco-third": "banco's third card"},
)

_TURN = Text("Your bet on this hand is the highest, so you see its cards first and reveal them (PB10).")


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    punto, banco = cards["punto"], cards["banco"]
    if HIDDEN not in (*punto, *banco):
        return (
            Text("Banco drew a five for 9 against punto's 1: banco wins and pays 1 to 1 less 5 % (PB8)."),
            Text("A tie would pay 8 to 1 on égalité and be a push for punto and banco (PB8)."),
        )
    if HIDDEN in (*punto[:2], *banco[:2]):
        return (Text("Two cards each. Punto draws a third with 0 to 5, and stands with 6 or 7 (PB5)."), _TURN)
    if HIDDEN in punto:
        return (Text("Punto has two and three, a 5, and draws (PB5)."), _TURN)
    return (
        Text("Punto has drawn a six and counts 1. Banco has 4 and draws against a third card of 2 to 7 (PB7)."),
        _TURN,
    )


FIRST_HAND = FirstHand(
    cards="2h Td 3c 4s 6d 5h",
    bets=({"banco": 1000}, {"punto": 1000}, {"egalite": 1000}),
    opening=(
        Text("Two hands are dealt, punto and banco. You bet which comes closer to nine, or on a tie (PB2)."),
        Text("An ace counts 1, tens and face cards 0; only the last digit of a sum counts (PB1)."),
        Text(
            "The bet is your only decision. Banco knows punto's third card before it draws, so it has the lowest house "
            "edge."
        ),
    ),
    tells=_tells,
)
