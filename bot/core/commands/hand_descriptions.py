"""Descriptions of hands in words. A hand with a hidden card is not described.

The names of poker hands are here, for every game that ranks hands that way; others are in the games' folders.
"""

from collections.abc import Mapping, Sequence

from bot.texts import Text
from engine import poker
from engine.cards import HIDDEN, Card
from engine.felt import Word

# By value, from 2: the plural, and the word for the highest card of a straight or a flush.
_MANY = "twos threes fours fives sixes sevens eights nines tens jacks queens kings aces".split()
_HIGH = "two three four five six seven eight nine ten jack queen king ace".split()
_LETTERS = "2 3 4 5 6 7 8 9 10 J Q K A".split()

# By category; {a} and {b} are the values that make the hand, {high} the highest, {cards} all five.
_TEMPLATES = (
    Text("high card {cards}"),
    Text("pair of {a}"),
    Text("two pair, {a} and {b}"),
    Text("three of a kind, {a}"),
    Text("straight, {high}"),
    Text("flush, {high}"),
    Text("full house, {a} over {b}"),
    Text("four of a kind, {a}"),
    Text("straight flush, {high}"),
    Text("royal flush"),
)


def many(value: int) -> Word:
    """Return the plural of a card's value: 14 is "aces"."""
    return Word(_MANY[value - 2])


def describe(ranked: int) -> Text:
    """Describe a number of `poker.rank` or `poker.rank_showing` in words: pair of kings."""
    values = [ranked >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    there = [value for value in values if value]
    a, *others = dict.fromkeys(there)
    words = {"a": many(a), "b": many(others[0]) if others else "", "high": Word(f"{_HIGH[a - 2]} high")}
    template = _TEMPLATES[poker.category(ranked)].template
    return Text(template, **words, cards="-".join(_LETTERS[value - 2] for value in there))


def of_poker(cards: Sequence[Card]) -> Text | None:
    """Describe the best five of five to seven cards, or what fewer cards show; None if one is hidden."""
    if not cards or HIDDEN in cards:
        return None
    return describe(poker.rank(cards) if len(cards) >= 5 else poker.rank_showing(cards))


def with_board(cards: Mapping[str, Sequence[Card]], to: str) -> list[Card]:
    """Return a player's own cards and the open cards of the board (UT3, SH4)."""
    return [*cards[to], *(card for card in cards.get("board", ()) if card != HIDDEN)]


def of_poker_seat(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Describe a hand of a game with poker ranks; usable as `Play.describe_hand`."""
    return of_poker(with_board(cards, to))
