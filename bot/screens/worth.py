"""What cards are worth, in words. Only of cards that are seen: a hidden one among them, and nothing is said."""

from collections.abc import Sequence

from bot.texts import Text
from engine import blackjack, paiju, poker
from engine.cards import HIDDEN, Card
from engine.felt import Word
from engine.stud import spell_low

# By value, from 2: as many of them, and as the highest of a straight or a flush.
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
    """14: aces."""
    return Word(_MANY[value - 2])


def describe(ranked: int) -> Text:
    """A number of `poker.rank` or `poker.rank_showing` as words: pair of kings."""
    values = [ranked >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    there = [value for value in values if value]
    a, *others = dict.fromkeys(there)
    words = {"a": many(a), "b": many(others[0]) if others else "", "high": Word(f"{_HIGH[a - 2]} high")}
    template = _TEMPLATES[poker.category(ranked)].template
    return Text(template, "", **words, cards="-".join(_LETTERS[value - 2] for value in there))


def of_poker(cards: Sequence[Card]) -> Text | None:
    """The best five of five to seven cards, or what fewer show."""
    if not cards or HIDDEN in cards:
        return None
    return describe(poker.rank(cards) if len(cards) >= 5 else poker.rank_showing(cards))


def of_hi_lo(cards: Sequence[Card]) -> Text | None:
    """High and low of stud (SH10)."""
    high = of_poker(cards)
    low = poker.low(cards) if high is not None and len(cards) >= 5 else None
    return Text("{high}; low {low}", "", high=high, low=spell_low(low)) if low else high


def of_black_jack(cards: Sequence[Card], *, is_split: bool = False) -> Text | None:
    """The total (BJ9): soft 17, Black Jack, 23 and over."""
    if not cards:
        return None
    total, is_soft = blackjack.count(cards)
    if blackjack.is_black_jack(cards) and not is_split:
        return Text("Black Jack")
    if total > 21:
        return Text("{total}, too many", "", total=total)
    return Text("soft {total}", "", total=total) if is_soft and total < 21 else Text("{total}", "", total=total)


def of_paiju(cards: Sequence[Card]) -> Text | None:
    """The score, and whether the table of pairs gives it (PJ7) or the sum (PJ8)."""
    if len(cards) != 2 or HIDDEN in cards:
        return None
    score = paiju.score(cards[0], cards[1])
    return Text("{score} by the table", "", score=score) if score >= 10 else Text("{score}", "", score=score)
