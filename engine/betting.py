"""Betting between players with stacks: who is still in, what it costs to stay in, and what each may do in turn.

Shared by all games in which players win from each other (`Game.stacks`).
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from functools import lru_cache

from engine.felt import Asks, Felt, Move, Offer, Stake, check

POT = "pot"
CAP = 4  # SH7, HE20: bet, raise, re-raise, cap

_FOLD, _CHECK = Offer("fold"), Offer("check")
_NOTHING_OFF: Mapping[str, str] = {}
BETS = ("complete", "bet", "raise")


def check_stacks(stakes: Sequence[Stake], most: int, clause: str, order: str) -> None:
    """Check for two to `most` stacks from the dealer's left, so that seats rise and wrap once. Raises IllegalDeal.

    `clause` is about the players of a hand, `order` about the order of their stakes.
    """
    seats = [stake.seat for stake in stakes]
    check(2 <= len(seats) <= most, "A hand is for 2 to {most} players.", clause, most=most)
    check(all(1 <= seat <= most for seat in seats), "Choose a seat from 1 to {most}.", clause, most=most)
    first = seats.index(min(seats))
    rising = seats[first:] + seats[:first]
    check(rising == sorted(set(seats)), "Stakes must be ordered from the dealer's left, one per seat.", order)
    check(len({stake.player for stake in stakes}) == len(stakes), "A player can have one seat.", "G9")
    check(all(stake.stack > 0 for stake in stakes), "A player needs a stack at the table.", clause)


class PlayerRing:
    """The players from the dealer's left: their chips, who is still in, and who folded in which order."""

    def __init__(self, stakes: Sequence[Stake]) -> None:
        self.stacks = {str(stake.seat): stake.stack for stake in stakes}
        self.live = list(self.stacks)
        self.folded: list[str] = []
        self._chips = sum(self.stacks.values())

    @property
    def pot(self) -> int:
        """Return all chips that have been put in."""
        return self._chips - sum(self.stacks.values())

    def with_chips(self) -> list[str]:
        """Return the seats that are in and have chips."""
        return [seat for seat in self.live if self.stacks[seat]]

    def with_chips_from(self, seat: str) -> list[str]:
        """Return the seats that are in and have chips clockwise, `seat` first if it is one of them."""
        at = self.live.index(seat)
        return [seat for seat in self.live[at:] + self.live[:at] if self.stacks[seat]]

    def with_chips_after(self, seat: str) -> list[str]:
        """Return the seats that are in and have chips clockwise, without `seat`."""
        at = self.live.index(seat)
        return [seat for seat in self.live[at + 1 :] + self.live[:at] if self.stacks[seat]]

    def are_others_all_in(self, seat: str) -> bool:
        """Check whether every other player who is in has no chips left."""
        stacks = self.stacks
        for other in self.live:  # noqa: SIM110 - every ask comes here, and `all` takes four times as long
            if stacks[other] and other != seat:
                return False
        return True

    def fold(self, seat: str) -> None:
        """Take a seat out of the hand."""
        self.live.remove(seat)
        self.folded.append(seat)


def post(felt: Felt, ring: PlayerRing, seat: str, amount: int) -> int:
    """Put in a forced amount, or all that is left (SH9, HE12). Return what was put in."""
    amount = min(amount, ring.stacks[seat])
    if amount:
        ring.stacks[seat] -= amount
        felt.stake(seat, POT, amount)
    return amount


class BettingRound(ABC):
    """The bets of one street.

    level      what a player must have put in on this street to stay in
    put        {seat: what it has put in on this street}
    aggressor  the last seat that bet or raised, "" if none did
    word       what the next bet is called
    """

    def __init__(self, ring: PlayerRing, word: str) -> None:
        self.ring = ring
        self.word = word
        self.level = 0
        self.put = dict.fromkeys(ring.live, 0)
        self.aggressor = ""

    def is_answerable(self, seat: str) -> bool:
        """Check whether another player could put in more than the level."""
        stacks, put, level = self.ring.stacks, self.put, self.level
        for other in self.ring.live:  # noqa: SIM110 - every ask comes here, and `any` takes four times as long
            if stacks[other] + put[other] > level and other != seat:
                return True
        return False

    def is_settled(self, seat: str) -> bool:
        """Return whether `seat` has nothing to decide: it has matched all that others, who are all-in, could put in.

        No other seat is asked on this street then, so the level falls to what they have put in (HE12).
        """
        if not self.ring.are_others_all_in(seat):
            return False
        self.level = min(self.level, max(self.put[other] for other in self.ring.live if other != seat))
        return self.put[seat] >= self.level

    def enter_bet(self, seat: str, amount: int) -> bool:
        """Add a call, bet or raise of `seat`. Return whether the others must answer it."""
        self.ring.stacks[seat] -= amount
        self.put[seat] = put = self.put[seat] + amount
        if put <= self.level:
            self.enter_call(seat)
            return False
        self.enter_raise(seat, put)
        self.level, self.aggressor = put, seat
        return True

    @abstractmethod
    def count_blind(self, amount: int) -> None:
        """Set the level to the big blind, even if it is short (HE12)."""

    @abstractmethod
    def enter_call(self, seat: str) -> None:
        """Note a check or call."""

    @abstractmethod
    def enter_raise(self, seat: str, to: int) -> None:
        """Note a bet or raise to `to`, before the level rises."""

    @abstractmethod
    def offer(self, seat: str) -> tuple[Sequence[Offer], Mapping[str, str]]:
        """Return what `seat` may do now, with the clause for each bet that is off."""


class FixedLimitRound(BettingRound):
    """Bets and raises of one size.

    counted  the level of the last bet that counts, or of the bring-in: a raise is measured from there
    bets     how many bets count
    acted    who acted since the last bet that counts
    word     stays that of a first bet after a bet that is too short to count
    full     the level of the next bet; after such a short one still the level that it fell short of
    """

    def __init__(self, ring: PlayerRing, limit: int, word: str, capped: str, closed: str) -> None:
        """Set up a round of fixed bets; `capped` and `closed` are the clauses on the last bet and on short all-ins."""
        super().__init__(ring, word)
        self.limit = self.full = limit
        self.counted = self.bets = 0
        self.acted: set[str] = set()
        self._capped, self._closed = _off(capped), _off(closed)

    def bring_in(self, seat: str, amount: int) -> None:
        """Enter a bring-in, which the others call and which is not a bet (SH5, SH7)."""
        self.put[seat] = self.level = self.counted = amount
        self.acted.add(seat)

    def count_blind(self, amount: int) -> None:
        """Count the big blind as the first bet, even if it is short (HE20)."""
        self.level = self.counted = amount
        self.full = amount + self.limit
        self.bets, self.word = 1, "raise"

    def enter_call(self, seat: str) -> None:
        self.acted.add(seat)

    def enter_raise(self, seat: str, to: int) -> None:
        """Count a raise as a bet from half a bet on; a shorter one does not reopen the betting (SH9, HE21)."""
        self.acted.add(seat)
        if 2 * (to - self.counted) >= self.limit:
            self.bets += 1
            self.word, self.counted, self.full = "raise", to, to + self.limit
            self.acted = {seat}

    def offer(self, seat: str) -> tuple[Sequence[Offer], Mapping[str, str]]:
        """Return the seat's choices, and why a bet or raise is missing: {word: clause}."""
        chips, put = self.ring.stacks[seat], self.put[seat]
        owed = self.level - put
        if self.bets == CAP:
            off = self._capped
        # A bet needs chips beyond the call, and another player who could put in more: the rest would come back.
        elif seat in self.acted or chips <= owed or not self.is_answerable(seat):
            off = self._closed
        else:
            stake = self.full - put
            return answers(owed, self.word, stake if stake < chips else chips), _NOTHING_OFF
        return answers(min(owed, chips)), off


class OpenRound(BettingRound):
    """Bets and raises of any size from a minimum on, up to the stack or up to the pot.

    step   the largest full bet or raise of this street, at least the big blind (HE14)
    acted  {seat: the level when it last acted}
    """

    def __init__(self, ring: PlayerRing, word: str, big_blind: int, unit: int, *, is_pot_limit: bool) -> None:
        super().__init__(ring, word)
        self.step = big_blind
        self.acted: dict[str, int] = {}
        self._unit = unit
        self._is_pot_limit = is_pot_limit

    def count_blind(self, amount: int) -> None:
        self.level, self.word = amount, "raise"

    def enter_call(self, seat: str) -> None:
        self.acted[seat] = self.level

    def enter_raise(self, seat: str, to: int) -> None:
        """Let a short all-in raise the level and not the size of the minimum raise (HE15)."""
        self.step = max(self.step, to - self.level)
        self.acted[seat], self.word = to, "raise"

    def offer(self, seat: str) -> tuple[Sequence[Offer], Mapping[str, str]]:
        """Return the seat's choices, and why a bet or raise is missing: {word: clause}."""
        chips, put, level = self.ring.stacks[seat], self.put[seat], self.level
        owed = level - put
        if chips <= owed or not self.is_answerable(seat):
            return answers(min(owed, chips)), _UNANSWERABLE
        if seat in self.acted and level - self.acted[seat] < self.step:
            return answers(owed), _NOT_REOPENED
        most, pot = put + chips, self.ring.pot + owed
        least = min(level + self.step, most)
        if self._is_pot_limit:
            most = min(most, max(least, level + pot))  # HE18
        return answers_to(owed, self.word, put, least, most, self._unit, level, pot), _NOTHING_OFF


def _off(clause: str) -> Mapping[str, str]:
    return dict.fromkeys(BETS, clause)


_UNANSWERABLE, _NOT_REOPENED = _off("HE13"), _off("HE16")


# Made once: they never change.
@lru_cache(1000)
def answers(owed: int, word: str = "", stake: int = 0) -> tuple[Offer, ...]:
    """Return check, or fold and call (SH8, HE11), then the bet that is open, if any."""
    first = (_FOLD, to_pot("call", owed)) if owed else (_CHECK,)
    return (*first, to_pot(word, stake)) if word else first


@lru_cache(1000)
def answers_to(
    owed: int, word: str, put: int, least: int, most: int, unit: int, level: int, pot: int
) -> tuple[Offer, ...]:
    """Return the offers to answer, with a bet or raise from `least` to `most` (HE17); `pot` includes the call."""
    half, full = level + pot // 2, level + pot
    half, full = half - half % unit, full - full % unit
    bet = Offer(word, spot=POT, least=least, most=most, put=put, unit=unit, half=half, pot=full)
    return (*answers(owed), bet)


def to_pot(word: str, stake: int) -> Offer:
    """Offer a move that puts `stake` minor units into the pot."""
    return Offer(word, stake=stake, spot=POT)


def bet_in_turn(
    felt: Felt, ring: PlayerRing, betting: BettingRound, waiting: Sequence[str]
) -> Generator[Asks, Move, None]:
    """Ask the seats that wait, and again after each bet, until all have answered or one player is left."""
    left = list(waiting)
    while left:
        seat = left.pop(0)
        if betting.is_settled(seat):
            continue
        offers, off = betting.offer(seat)
        # SH14, HE31: a time-out checks if that is free, otherwise folds.
        move = yield from felt.ask_one(seat, offers, timeout=offers[0].word, forbidden=off)
        if move.word == "fold":
            ring.fold(seat)
            if len(ring.live) == 1:
                return
        elif betting.enter_bet(seat, move.stake):
            left = ring.with_chips_after(seat)
