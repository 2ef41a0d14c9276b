"""Texts of French roulette, and the spin that teaches it."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from bot.texts.catalogues import SPOT
from bot.texts.games import GameTexts
from bot.texts.options import Flag, Option
from bot.texts.paragraphs import Page
from engine.cards import Card
from engine.felt import Offers, Word
from engine.games.roulette import ANNOUNCED, BETS, EVEN_CHANCES


def describe_number(number: int) -> Text:
    """Describe a number by the even chances that it wins."""
    if not number:
        return Text("zero")
    return Text(
        "{spot}", spot=[Word(bet) for bet in ("red", "black", "odd", "even", "low", "high") if _wins(bet, number)]
    )


def _wins(bet: str, number: int) -> bool:
    return number in EVEN_CHANCES[bet]


OPTIONS = {
    "la_partage": Option(Flag(), Text("On zero an even chance gets half of the bet back (RO10)."), Text("La partage"))
}

RULES = Page(
    """
French roulette: the ball stops in one of 37 pockets, 0 to 36. Bet on a number, on a group of numbers, or on an even
chance: red or black, even or odd, low (1 to 18) or high (19 to 36). Everyone can bet on any number of bets (RO1, RO2).

Each bet is {minimum} to {maximum}, in steps of {step} (RO2, G5).

One of the 37 pockets is drawn from a shuffle of all, which is committed before the first bet: each is equally likely
(RO1).

A number is straight up (RO3). A split covers two numbers that touch (RO4), a street three across (RO5), a corner four
that meet (RO6), a six line two streets (RO7). Zero has splits with 1, 2 and 3, streets with 1 and 2 or 2 and 3, and the
first four with 1, 2 and 3.

Columns and dozens cover twelve numbers. Zero belongs to none of them (RO8), and to no even chance (RO9).

[la_partage] On zero an even chance loses half; the other half is returned, rounded down (RO10).

[not la_partage] On zero an even chance loses (RO10).

Type a bet and its amount, for example `/bet 17 10`. A split, street, corner or six line is called by its lowest and
highest number, such as 17-20, 16-18, 16-20 and 16-21.

Announced bets place several chips of the same amount: voisins nine, tiers six and orphelins five around the wheel,
finals one on each number that ends in that digit (RO11).

Losing bets are collected first, then winning bets are paid, the smallest odds first (RO12).

The table shows past results; they do not predict the next one (RO13).
""",
    OPTIONS,
)

PAYTABLE = Page(
    """
Straight up, one number, pays 35 to 1 (RO3).

A split pays 17 to 1 (RO4).

A street pays 11 to 1 (RO5).

A corner and the first four pay 8 to 1 (RO6).

A six line pays 5 to 1 (RO7).

A column or a dozen pays 2 to 1 (RO8).

An even chance pays 1 to 1 (RO9).

[la_partage] On zero an even chance gets half back (RO10).
""",
    OPTIONS,
)

TEXTS = GameTexts(
    title="French Roulette",
    channel="roulette",
    summary=Text("One ball, 37 pockets: bet on a number, a group of numbers, or red or black."),
    rules=RULES,
    paytable=PAYTABLE,
    bets={
        "straight": Text("A bet on one number"),
        "split": Text("A split"),
        "street": Text("A street"),
        "corner": Text("A corner or the first four"),
        "six-line": Text("A six line"),
        "dozen": Text("A dozen or a column"),
        "even-chance": Text("An even chance"),
    },
    odds=(Text("Combining bets does not make any of them cheaper."),),
    options=OPTIONS,
    words={SPOT: ("ball", *ANNOUNCED)},
    labels={word: word.replace("-", " ") for word in (*BETS, *ANNOUNCED) if word[0].isalpha() and "-" in word},
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    return (
        Text("The ball stopped in 17: black, odd and low. Those even chances pay 1 to 1 (RO9)."),
        Text("The number itself would pay 35 to 1, its dozen 2 to 1 (RO3, RO8)."),
    )


FIRST_HAND = FirstHand(
    cards="b17",
    bets=({"black": 1000}, {"red": 1000}, {"17": 1000}),
    opening=(
        Text("The ball stops in one of 37 pockets. You bet on where, as often as you like (RO1, RO2)."),
        Text("Red and black, even and odd, low and high cover 18 numbers each and pay 1 to 1 (RO9)."),
        Text("Fewer numbers pay more: twelve 2 to 1, one 35 to 1. Zero belongs to none of the groups (RO3, RO8)."),
    ),
    tells=_tells,
)
