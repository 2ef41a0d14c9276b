"""Statistical tests of the shuffler against chance.

Decks are made as hands are dealt (engine.shuffler), from seeds that follow from a number. Cards are identified by their
place in the written order, so that each card of a shoe is distinct.

All tests together reject a fair shuffle at most once in a hundred times: however they depend on each other, the bound
of 1 % is shared among them (Bonferroni). A shuffle that is too even is rejected as well.
"""

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, islice
from random import Random
from typing import NamedTuple

from bot.cli.progress import bar_of
from engine.felt import check
from engine.shuffler import Stream

SHUFFLES = 100_000
# With fewer shuffles some pairs are expected less than five times, and the test would be invalid.
FEWEST = 20_000
LEVEL = 0.01
DECK, SHOE, DICE = 52, 312, 6
# A shoe has as many places for six times as many cards: it needs fewer shuffles for the same counts.
_SHOES = 10
_BATCH = 5_000
# Diamonds and hearts stand between clubs and spades.
_RED = [DECK // 4 <= card < 3 * DECK // 4 for card in range(DECK)]
# Rarer results are counted together with the next ones.
_RARE = 5.0

# Result of each test.
OUT = "OUT"
AS_CHANCE = "as chance"

Make = Callable[[bytes], Stream]
Cards = str
"""A deck as letters, one for each card by its place in the written order."""


class Measure(NamedTuple):
    """The most extreme of `tests` tests of one kind: chance alone reaches it with `p`, and below `limit` it is
    rejected.
    """

    test: str
    cards: int
    shuffles: int
    tests: int
    p: float
    limit: float
    found: str


class Found(NamedTuple):
    """The two-sided p-value of one test."""

    test: str
    cards: int
    shuffles: int
    p: float


def stream_of(server: bytes) -> Stream:
    """Return the stream of a hand without cuts, at a table without the beacon."""
    return Stream(server, (), "")


def measure_chance(shuffles: int = SHUFFLES, seed: int = 1, make: Make = stream_of) -> list[Measure]:
    """Test this many shuffles of a deck, as many with dice before them, and a tenth as many of a shoe.

    `make` draws from 32 bytes. Raises IllegalDeal for too few shuffles.
    """
    check(shuffles >= FEWEST, "Fewer than {least} shuffles tell nothing.", None, least=FEWEST)
    done, bar = 0, bar_of(2 * shuffles + shuffles // _SHOES)

    def streams(name: str, count: int) -> Iterator[Stream]:
        nonlocal done
        chance = Random(f"{name} {seed}")
        for _shuffle in range(count):
            yield make(chance.randbytes(32))
            done += 1
            bar(done)

    found = [
        *_test_decks(streams("deck", shuffles), DECK, shuffles),
        *_test_dice(streams("dice", shuffles), shuffles),
        *_test_decks(streams("shoe", shuffles // _SHOES), SHOE, shuffles // _SHOES),
    ]
    return _judge(found)


def _judge(found: Sequence[Found]) -> list[Measure]:
    """Yield a row for each kind of test."""
    rows, limit = list[Measure](), LEVEL / len(found)
    for (test, cards, shuffles), kind in groupby(found, key=lambda one: one[:3]):
        ps = [one.p for one in kind]
        verdict = OUT if min(ps) < limit else AS_CHANCE
        rows.append(Measure(test, cards, shuffles, len(ps), _round(min(ps)), _round(limit), verdict))
    return rows


def _round(p: float) -> float:
    return float(f"{p:.2g}")


def _test_decks(streams: Iterator[Stream], cards: int, shuffles: int) -> Iterator[Found]:
    """Test positions, pairs, runs, and dependence between decks."""
    written = [chr(card) for card in range(cards)]
    places: list[Counter[str]] = [Counter() for _place in range(cards)]
    pairs: list[Counter[tuple[str, str]]] = [Counter() for _place in range(cards - 1)] if cards == DECK else []
    next_decks: Counter[tuple[str, str]] = Counter()
    rises: Counter[int] = Counter()
    colours: Counter[int] = Counter()
    neighbours: Counter[int] = Counter()
    follows = {card: card + 1 for card in range(cards)}
    last = ""
    while decks := ["".join(stream.shuffle(written)) for stream in islice(streams, _BATCH)]:
        columns = ["".join(column) for column in zip(*decks, strict=True)]
        for count, column in zip(places, columns, strict=True):
            count.update(column)
        for both, column, after in zip(pairs, columns, columns[1:], strict=False):
            both.update(zip(column, after, strict=True))
        if cards == DECK:
            next_decks.update(zip(last + columns[0], columns[0] if last else columns[0][1:], strict=False))
            last = columns[0][-1]
        rises.update(map(_count_rises, decks))
        colours.update(map(_count_colour_changes, decks))
        neighbours.update(sum(map(operator.eq, deck.translate(follows), deck[1:])) for deck in decks)
    yield Found("positions", cards, shuffles, _test_places(places, shuffles))
    for both in pairs:
        yield Found("pairs", cards, shuffles, _test_even(list(both.values()), cards * (cards - 1), shuffles))
    yield Found("neighbours", cards, shuffles, _test_counts(neighbours, chance_of_neighbours(cards), shuffles))
    if cards == DECK:
        yield Found("from deck to deck", cards, shuffles, _test_even(list(next_decks.values()), cards**2, shuffles - 1))
    yield Found("runs, rising", cards, shuffles, _test_counts(rises, chance_of_rises(cards), shuffles))
    yield Found("runs, of a colour", cards, shuffles, _test_counts(colours, chance_of_colour_changes(cards), shuffles))


def _test_dice(streams: Iterator[Stream], shuffles: int) -> Iterator[Found]:
    """Test both dice with the first card after them, and dependence between throws."""
    written = [chr(card) for card in range(DECK)]
    dice: Counter[tuple[int, int]] = Counter()
    cards: Counter[tuple[int, int, str]] = Counter()
    throws: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
    last: tuple[int, int] | None = None
    for stream in streams:
        both = stream.dice()
        dice[both] += 1
        cards[*both, stream.shuffle(written)[0]] += 1
        if last is not None:
            throws[last, both] += 1
        last = both
    faces = DICE**2
    yield Found("dice", DECK, shuffles, _test_even(list(dice.values()), faces, shuffles))
    yield Found("dice and first card", DECK, shuffles, _test_even(list(cards.values()), faces * DECK, shuffles))
    yield Found("from throw to throw", DECK, shuffles, _test_even(list(throws.values()), faces**2, shuffles - 1))


def _count_rises(deck: Cards) -> int:
    return sum(map(operator.lt, deck, deck[1:]))


def _count_colour_changes(deck: Cards) -> int:
    colours = [_RED[ord(card) % DECK] for card in deck]
    return sum(map(operator.ne, colours, colours[1:]))


def _test_places(places: Sequence[Counter[str]], shuffles: int) -> float:
    """Test how often each card came to each place.

    The counts of one card depend on those of all others: a permutation has (n - 1)^2 degrees of freedom, and each is
    worth n / (n - 1) of a free one.
    """
    size = len(places)
    expected = shuffles / size
    squares = sum((count - expected) ** 2 for column in places for count in column.values())
    squares += sum((size - len(column)) * expected**2 for column in places)
    return _of_chi_squared((size - 1) / shuffles * squares, (size - 1) ** 2)


def _test_even(counts: Sequence[int], cells: int, total: int) -> float:
    """Test cells of equal chance; empty cells are not among the counts."""
    expected = total / cells
    squares = sum((count - expected) ** 2 for count in counts) + (cells - len(counts)) * expected**2
    return _of_chi_squared(squares / expected, cells - 1)


def _test_counts(counted: Counter[int], chances: Sequence[float], total: int) -> float:
    """Test how often each number came against its known chance; rare ones at both ends are merged."""
    cells, seen, due = list[tuple[int, float]](), 0, 0.0
    for number, chance in enumerate(chances):
        seen, due = seen + counted[number], due + chance * total
        if due >= _RARE:
            cells.append((seen, due))
            seen, due = 0, 0.0
    last_seen, last_due = cells.pop()
    cells.append((last_seen + seen, last_due + due))
    return _of_chi_squared(sum((seen - due) ** 2 / due for seen, due in cells), len(cells) - 1)


@cache
def chance_of_rises(cards: int) -> list[float]:
    """Return the chance of each number of rises in a shuffled deck: the Eulerian numbers, of n! decks."""
    numbers = [1]
    for size in range(2, cards + 1):
        numbers = [
            (k + 1) * (numbers[k] if k < size - 1 else 0) + (size - k) * (numbers[k - 1] if k else 0)
            for k in range(size)
        ]
    decks = math.factorial(cards)
    return [float(Fraction(number, decks)) for number in numbers]


@cache
def chance_of_neighbours(cards: int) -> list[float]:
    """Return the chance of each number of cards directly behind their predecessor in the written order.

    Decks without such a pair are counted by derangements.
    """
    derangements = [1, 0]
    for size in range(2, cards + 1):
        derangements.append((size - 1) * (derangements[-1] + derangements[-2]))
    decks = math.factorial(cards)
    without = [derangements[size] + derangements[size - 1] for size in range(1, cards + 1)]
    return [float(Fraction(math.comb(cards - 1, many) * without[-1 - many], decks)) for many in range(cards)]


@cache
def chance_of_colour_changes(cards: int) -> list[float]:
    """Return the chance of each number of colour changes in a half red, half black deck, by cutting both halves into
    runs.
    """
    half = cards // 2
    ways = [0] * cards
    for changes in range(1, cards):
        first, second = (changes + 2) // 2, (changes + 1) // 2
        ways[changes] = 2 * math.comb(half - 1, first - 1) * math.comb(half - 1, second - 1)
    return [float(Fraction(way, math.comb(cards, half))) for way in ways]


def _of_chi_squared(value: float, freedom: int) -> float:
    """Return the two-sided p-value of a chi-squared value."""
    above = upper_gamma(freedom / 2, value / 2)
    return min(1.0, 2 * min(above, 1 - above))


def upper_gamma(a: float, x: float) -> float:
    """Return Q(a, x), the regularized upper incomplete gamma function: a series below a + 1, a continued fraction
    beyond.
    """
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - front * total)
    # Lentz's algorithm.
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction, step, i = d, 0.0, 0
    while abs(step - 1) > 1e-15:
        i += 1
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        step = d * c
        fraction *= step
    return front * fraction
