"""Value of a hand of black jack under best play, counted over the cards that may come (BJ11 to BJ16).

Best play knows the cards seen before the hand, and those of its own line: the hand's, and those of the pairs that were
split on the way to it. It ignores the draws of other hands of the same split; by the symmetry of unseen cards their
order does not matter then, and the value of such play is exact. A finished hand keeps its value whatever is drawn after
it, for the same reason.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.games.blackjack_dealer import ACE, BITS, GONE, KINDS, MOST, SEVEN, DealersOdds, count_of, total_of

# Number of splits after which a line is not split again in the count, by kind: each split is less than a sixth as
# likely, and hands of low cards take long to count.
_SPLITS = (12, 2, 2, 4, 4, 4, 4, 4, 4, 12)


class BetRules(NamedTuple):
    """Options that concern the bets on a hand.

    spares  a dealer's Black Jack takes the original bet alone (BJ14)
    """

    spares: bool
    double_soft: bool


class HandLine(NamedTuple):
    """A hand with the cards that have gone in its line.

    gone, size  which cards those are (as `blackjack_dealer` tells them), and how many
    low         the sum of the hand with aces as 1
    is_first    its bet is the original one of its box
    """

    gone: int
    size: int
    low: int
    has_ace: bool
    is_first: bool

    def draw(self, kind: int) -> "HandLine":
        gone, size, low, has_ace, is_first = self
        return HandLine(gone + GONE[kind], size + 1, low + kind + 1, has_ace or kind == ACE, is_first)


class BoxPlay:
    """Best play of a box against one dealer. Values are nets of one unit of the bet.

    When the cards run out a hand has the value 0: its stake is returned (G6).
    `splits` is the maximum number of splits of a line; None leaves out values below 1e-4 of a unit.
    """

    def __init__(self, rules: BetRules, dealer: DealersOdds, *, splits: int | None = None) -> None:
        self.rules = rules
        self.dealer = dealer
        self.unseen, self.size = dealer.unseen, dealer.size
        # Otherwise it does not matter which bet is the original one.
        self._spares = rules.spares and dealer.may_have_black_jack
        self._splits = splits
        self._bests: dict[tuple[int, int, bool, bool], float] = {}
        self._slots: dict[tuple[int, int, bool], float] = {}

    def chances(self, gone: int, size: int) -> list[tuple[int, float]]:
        """Return (kind, chance) of each card that may come next; empty where the cards have run out."""
        left, chances = self.size - size, []
        for kind, number in enumerate(self.unseen):
            if number := number - (gone & MOST):
                chances.append((kind, number / left))
            gone >>= BITS
        return chances

    def stand(self, line: HandLine, bet: int = 1) -> float:
        """Return the value of standing with `bet` units on a hand of at most 21 and no Black Jack (BJ14, BJ15)."""
        total, _ = total_of(line.low, line.has_ace)
        return self.against(total, line.gone, line.size, bet, is_first=line.is_first)

    def against(self, total: int, gone: int, size: int, bet: int, *, is_first: bool) -> float:
        """Return the value of standing by the total of the hand."""
        taken = int(is_first) if self._spares else bet
        return bet * self.dealer.net(total, gone, size) - taken * self.dealer.black_jack(gone, size)

    def hit(self, line: HandLine, bonus: int | None = None) -> float:
        """Return the value of one card and best play from there on. A card of the kind `bonus` pays a unit (BJ16)."""
        value = self._hit(*line)
        if bonus is not None:
            value += dict(self.chances(line.gone, line.size)).get(bonus, 0.0)
        return value

    def _hit(self, gone: int, size: int, low: int, has_ace: bool, is_first: bool) -> float:
        value = 0.0
        for kind, chance in self.chances(gone, size):
            if low + kind >= 21:
                value -= chance
            else:
                value += chance * self._best(
                    gone + GONE[kind], size + 1, low + kind + 1, has_ace or kind == ACE, is_first
                )
        return value

    def _best(self, gone: int, size: int, low: int, has_ace: bool, is_first: bool) -> float:
        key = gone, low, has_ace, is_first
        best = self._bests.get(key)
        if best is None:
            best = self._bests[key] = self._count_best(gone, size, low, has_ace, is_first)
        return best

    def _count_best(self, gone: int, size: int, low: int, has_ace: bool, is_first: bool) -> float:
        total, is_soft = total_of(low, has_ace)
        if total <= 11:
            # Never worse: no card breaks, and the dealer draws from the same cards in any order.
            return self._hit(gone, size, low, has_ace, is_first)
        stands = self.against(total, gone, size, 1, is_first=is_first)
        if total == 21 or (not is_soft and self._most_by_drawing(gone, size, low) <= stands):
            return stands
        return max(stands, self._hit(gone, size, low, has_ace, is_first))

    def _most_by_drawing(self, gone: int, size: int, low: int) -> float:
        """Return an upper bound of the value of drawing: every card that does not break a hard hand wins."""
        breaking = sum([self.unseen[kind] - (gone >> BITS * kind & MOST) for kind in KINDS[21 - low :]])
        left = self.size - size
        return 1.0 - 2.0 * breaking / left if left else 0.0

    def double(self, line: HandLine, bet: int = 2) -> float:
        """Return the value of one last card, with `bet` units on the hand. A hand that doubles cannot break (BJ11)."""
        drawn = self.chances(line.gone, line.size)
        return sum(chance * self.stand(line.draw(kind), bet) for kind, chance in drawn)

    def choices(self, line: HandLine, pair: tuple[int, int], *, is_split: bool) -> dict[str, float]:
        """Return the value of each choice with two cards of these kinds."""
        first, second = pair
        total, is_soft = total_of(line.low, line.has_ace)
        values = {"stand": self.stand(line)}
        if total == 21:
            return values
        if not (is_split and first == ACE):
            values["hit"] = self.hit(line, SEVEN if not is_split and first == second == SEVEN else None)
            if total in ((19, 20) if is_soft else (9, 10, 11)) and (self.rules.double_soft or not is_soft):
                values["double"] = self.double(line)
        if first == second and count_of(line.gone, first) <= self._most_splits(first):
            values["split"] = self._split(line.gone, line.size, first, is_first=line.is_first)
        return values

    def _most_splits(self, kind: int) -> int:
        return _SPLITS[kind] if self._splits is None else self._splits

    def _split(self, gone: int, size: int, kind: int, *, is_first: bool) -> float:
        """Return the value of two hands that begin with this kind, each with a bet of its own."""
        value = self.slot(gone, size, kind, is_first=is_first)
        other = self.slot(gone, size, kind, is_first=False) if is_first and self._spares else value
        return value + other

    def slot(self, gone: int, size: int, kind: int, *, is_first: bool) -> float:
        """Return the value of a split hand that waits for its second card, with all hands that it may be split into."""
        key = gone, kind, is_first
        value = self._slots.get(key)
        if value is None:
            value = 0.0
            for second, chance, line in self._seconds(gone, size, kind, is_first):
                value += chance * max(self.choices(line, (kind, second), is_split=True).values())
            self._slots[key] = value
        return value

    def _seconds(self, gone: int, size: int, kind: int, is_first: bool) -> Iterator[tuple[int, float, HandLine]]:
        """Yield (kind, chance, hand then) of each second card."""
        waiting = HandLine(gone, size, kind + 1, kind == ACE, is_first)
        for second, chance in self.chances(gone, size):
            yield second, chance, waiting.draw(second)

    def drawn_on(self, gone: int, size: int, kind: int) -> float:
        """Return the value of a waiting split hand, not the first, that may only be hit and stood on (BJ6)."""
        value = 0.0
        for _, chance, line in self._seconds(gone, size, kind, False):
            value += chance * (self.stand(line) if kind == ACE else self._best(*line))
        return value

    def ride(self, line: HandLine, pair: tuple[int, int], *, is_split: bool = False) -> float:
        """Return the value of a unit behind a holder with best play, whose doubles and splits it does not follow
        (BJ13).

        It "rides on the one-card hand" and "stays on the first hand only".
        """
        values = self.choices(line, pair, is_split=is_split)
        word = max(values, key=values.__getitem__)
        if word == "double":
            return self.double(line, 1)
        if word == "split":
            seconds = self._seconds(line.gone, line.size, pair[0], line.is_first)
            return sum(chance * self.ride(hand, (pair[0], second), is_split=True) for second, chance, hand in seconds)
        return values[word]
