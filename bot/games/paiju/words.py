"""Texts of Paiju, and the hand that teaches it: a sum, a listed pair, and an area across two positions."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Card, Text
from bot.texts.catalogues import SPOT
from bot.texts.games import GameTexts
from bot.texts.options import Flag, Option
from bot.texts.paragraphs import Page, by_clause
from engine.cards import HIDDEN, PAIJU
from engine.felt import Offers
from engine.games.paiju import POSITIONS, PaijuOptions, score

OPTIONS = {
    "squeeze": Option(
        Flag(), Text("The highest bet on a position may reveal its cards (PJ12)."), Text("Players reveal cards")
    ),
}

RULES = Page(
    """
Paiju: 32 cards, two for each of four positions. East is the bank; South, West and North play against it, and everyone
can bet on any of them (PJ1, PJ2).

You can bet on one position, or across two (south-west, north-west, north-south), with no other bet needed (PJ3). Two
dice decide who gets the first card, then cards are dealt anticlockwise (PJ5).

Bets are {minimum} to {maximum} per area, in steps of {step} (PJ3, G5).

Listed pairs score 20 (joker and 3♦) down to 13; a queen with a nine scores 12, with an eight 11, an eight with a two
10, whatever the suits (PJ7).

Any other hand scores the last digit of its sum: ten 0, jack 1, queen 2, joker 6, other cards their number (PJ8).

The higher score wins. If both sums are equal and not 0, the best single card decides, worth what its pair scores; the
joker then counts only 6 and the 3♦ only 3 (PJ9). The bank wins ties (PJ10).

A bet on a position that beats the bank pays 1 to 1. A bet across two positions pays 1 to 1 when both beat the bank and
is a push when exactly one does (PJ11).

[not squeeze] The dealer reveals all cards here (PJ12).

[squeeze] The highest bettor on a position may ask to reveal its cards; that never changes the result (PJ12).

Cards seen before bets are closed are used up in a non-betting coup: all bets are returned (PJ13).
""",
    OPTIONS,
)

ORIGINALS = by_clause(
    """
The rulebook subtracts ten from a sum “above 10”, but in its own example a six and a four count 0: ten is subtracted
from 10 as well (PJ8).

In the rulebook, a player holds the cards. Here that player sees them first and reveals them with a button within a
short time, or the dealer does; a table can turn this off (PJ12).

In the rulebook, seen cards lead to a coup without bets. Here an inspector calls it with /noncoup before bets are
closed, and the next deck is new (PJ13).
"""
)


def paytable(options: PaijuOptions) -> tuple[Text, ...]:
    """Return the payouts of areas and the table of pairs (PJ7, PJ11)."""
    return (
        Text("A position that beats the bank pays 1 to 1; across two, 1 to 1 when both do (PJ11)."),
        Text("Listed pairs (PJ7):"),
        *(Text("{score}: {pairs}", score=wanted, pairs=_pairs(wanted)) for wanted in range(20, 12, -1)),
        Text("12: queen and nine; 11: queen and eight; 10: eight and two."),
    )


def _pairs(wanted: int) -> list[Card]:
    """Return the cards that make pairs of this score, each pair's two next to each other (PJ1)."""
    found = [pair for pair in zip(PAIJU[::2], PAIJU[1::2], strict=True) if score(*pair) == wanted]
    return [Card(card) for pair in found for card in pair]


TEXTS = GameTexts(
    title="Paiju",
    summary=Text("Two cards on each of four positions: bet on those that beat the bank."),
    rules=RULES,
    originals=ORIGINALS,
    paytable=paytable,
    bets={"area": Text("A bet on one position"), "cavallo": Text("A bet across two positions")},
    options=OPTIONS,
    words={SPOT: POSITIONS},
)

_TURN = (
    Text("The dice decide who gets the first card (PJ5). There is nothing left to decide (PJ4)."),
    Text("Your bet on west is the highest, so you see its cards first and reveal them; that changes nothing (PJ12)."),
)
_OVER = (
    Text("The bank's nine and eight sum to 17 and score 7; west's two fours score 8 and win (PJ8)."),
    Text(
        "South's queen and nine do not count 11: they are a listed pair and score 12. The bank wins ties (PJ7, PJ10)."
    ),
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[str]]) -> tuple[Text, ...]:
    return _TURN if any(HIDDEN in hand for hand in cards.values()) else _OVER


FIRST_HAND = FirstHand(
    cards="9h Td 4h Qh 8s 6d 4s 9d",
    bets=({"west": 1000}, {"south-west": 1000}),
    opening=(
        Text("South, west, north and east get two cards each. East is the bank; you bet that others beat it (PJ2)."),
        Text(
            "An area such as south-west covers two positions. It pays when both win and is a push when only one does "
            "(PJ11)."
        ),
        Text(
            "Some pairs score 10 to 20, as the table shows; any other hand scores the last digit of its sum (PJ7, PJ8)."
        ),
    ),
    tells=_tells,
    dice=(1, 4),
)
