"""The coach's comments: the value of each choice, and after a hand the choice that cost its player most.

Law: nothing waits for the coach. A screen shows what is counted already; the rest is counted beside the writer, the
newest first, and then its table is shown again. The coach knows what a seat saw when it chose, and tells only that
player.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from bot.core.commands.counting import Count, CountFault
from bot.core.commands.hand_descriptions import with_board
from bot.core.commands.hooks import HOOKS
from bot.core.commands.offers import Typed, as_typed, typed
from bot.core.state.people import COACH_OFF, COACH_ON
from bot.core.state.table import Table, owners_at
from bot.core.state.transaction import State
from engine.advice import Asked, Weighed, decision_of, find_decisions, weigh
from engine.felt import TIMEOUT, Amount, Deal, Move, Offer, Offers
from engine.games import GAMES, ODDS
from engine.hand import Hand
from engine.odds import Decision, seen, value_nothing
from storage.faults import BooksGone

# A smaller difference is a tie that was broken the other way.
NOTHING = 0.5
# No comment on a choice that cost less than this share of the seat's first bets.
LEAST_SHARE = 0.05
# Dropped counts are not lost: the next look requests them again.
MOST_WAITING, MOST_KEPT = 64, 1024
_log = logging.getLogger(__name__)


class Priced(NamedTuple):
    """A choice as it can be typed, the offer that it takes, and what it is worth in minor units."""

    offer: Offer
    said: Typed
    worth: float


class Dearest(NamedTuple):
    """Most expensive decision of a hand, and the best one by what the player could see.

    `seat` is the key; `is_timed_out`: the clock chose.
    """

    seat: str
    best: Priced
    taken: Priced
    is_timed_out: bool


class Shares(NamedTuple):
    """Shares of a player in a hand between players: how many cards they had when they first chose with that many, and
    their mean part of the pot at a showdown by what they saw then. Sampled.
    """

    steps: tuple[tuple[int, float], ...]


def is_priced(table: Table) -> bool:
    """Check whether there is a choice against the bank whose value is counted and may be shown."""
    odds = ODDS.get(table.game)
    return table.settings.coach and odds is not None and odds.equity is None and odds.values is not value_nothing


def _is_told(table: Table) -> bool:
    """Check whether there is a comment after a hand: also in games between players."""
    return is_priced(table) or (table.settings.coach and table.game in ODDS and ODDS[table.game].equity is not None)


def read_meter(game: str, casino: int, balance: Callable[[str], int]) -> int | None:
    """Return the meter of a game in a casino, in minor units; None without one."""
    account = HOOKS[game].casino.meter(casino)
    return None if account is None else balance(account)


def decision_at(table: Table, hand: Hand, seat: str, balance: Callable[[str], int]) -> Decision:
    """Return what a seat that is asked knows; the jackpot as the deal will name it at the payment."""
    return replace(decision_of(hand, seat), jackpot=_jackpot(table, hand, balance))


def _jackpot(table: Table, hand: Hand, balance: Callable[[str], int]) -> int | None:
    """Return the meter without this hand's own coins."""
    meter, rules = read_meter(table.game, table.casino, balance), GAMES[table.game].meter
    if meter is None or rules is None:
        return None
    coins = sum(rules.spot in stake.bets for stake in hand.deal.stakes)
    return max(0, meter - rules.settle(hand.deal.options, 0, coins, {}).meter)


def price(offers: Offers, values: Mapping[str, float]) -> list[Priced]:
    """Price all listed choices: a card is typed by its place, and named by its face in the odds."""
    return [
        Priced(offer, choice, values[_choice(offer, choice)])
        for offer in offers
        if offer.listed
        for choice in as_typed(offer)
    ]


def _choice(offer: Offer, said: Typed) -> str:
    return f"{offer.word} {int(said.cost) + offer.put}" if offer.most else str(offer)


def _price_one(offers: Offers, choice: str, worth: float) -> Priced:
    """Price the choice taken, which may be an amount within a range or one that is not listed."""
    word, _space, argument = choice.partition(" ")
    for offer in offers:
        if offer.word == word and offer.most and offer.least <= int(argument) <= offer.most:
            return Priced(offer, Typed(word, (typed(int(argument)),), Amount(offer.cost(argument))), worth)
        if not offer.most and str(offer) == choice:
            return Priced(offer, next(iter(as_typed(offer))), worth)
    raise KeyError(choice)


def weigh_own(count: Count, deal: Deal, moves: list[Move], players: Iterable[int]) -> Iterator[tuple[Asked, Weighed]]:
    """Yield each decision of the players in a finished hand, with its value and cost. Raises CountFault."""
    for asked in _own(deal, moves, players):
        weighed = count(weigh, ODDS[deal.game].values, asked)
        if weighed.cost is not None:
            yield asked, weighed


def share_own(count: Count, deal: Deal, moves: list[Move], players: Iterable[int]) -> Iterator[tuple[Asked, float]]:
    """Yield each decision of the players in a game between players, with their share of the pot. Raises CountFault.

    The share is computed from what they saw.
    """
    equity = ODDS[deal.game].equity
    if equity is not None:
        yield from ((asked, count(equity, asked.decision)) for asked in _own(deal, moves, players))


def _own(deal: Deal, moves: list[Move], players: Iterable[int]) -> Iterator[Asked]:
    own = set(players)
    keys = {key for key, owner in owners_at(deal.stakes).items() if owner in own}
    for asked in find_decisions(deal, moves):
        if asked.taken is not None and asked.decision.seat.partition(".")[0] in keys:
            yield asked


class _Uncounted(Enum):
    NOT_YET = "not yet"


class Coaching:
    """The coach. Thread-safe. `tell` is called with each table that has new results.

    Before `start` and after `stop`, only `compute_waiting` counts anything.
    """

    def __init__(self, state: State, count: Count, tell: Callable[[set[int]], None]) -> None:
        self._state, self._count, self._tell = state, count, tell
        self._changed = threading.Condition()
        # {question: (the table that shows the answer, how to count it)}, and the one being counted.
        self._waiting: OrderedDict[Hashable, tuple[int, Callable[[], Any]]] = OrderedDict()
        self._counting: Hashable = None
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="coach", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Start no more counts; `join` waits for the running ones."""
        with self._changed:
            self._is_over = True
            self._changed.notify()

    def join(self, timeout_s: float) -> None:
        """Wait until the coach does not read the books any more."""
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def worths(self, table: Table, player: int) -> tuple[Priced, ...]:
        """Return the values of the player's present choices if their coach is on; () until they are counted.

        They belong to this very decision: this hand, this number of moves of the seat, these offers and cards.
        """
        hand = table.round.hand
        if hand is None or not is_priced(table) or self._state.players[player].state.coach != COACH_ON:
            return ()
        seat = next((seat for seat in table.seats_played_by(player) if seat in hand.asks), None)
        if seat is None:
            return ()
        decision = decision_of(hand, seat)
        moved = sum(move.seat == seat for move in hand.moves)
        key = (table.round.hand_id, seat, moved, tuple(decision.offers), tuple(sorted(seen(decision))))
        found = self._find_or_queue(key, table.id, partial(self._price, table, hand, seat))
        return () if found is None or found is _Uncounted.NOT_YET else found

    def _price(self, table: Table, hand: Hand, seat: str) -> tuple[Priced, ...]:
        asked = Asked(decision_at(table, hand, seat, self._state.peek_balance))
        weighed = self._count(weigh, ODDS[table.game].values, asked)
        return tuple(price(asked.decision.offers, weighed.values))

    def dearest(self, table: Table, player: int) -> Dearest | Shares | None:
        """Return the most expensive choice of the last hand while it is shown; None if no choice cost anything, or
        until it is counted.

        Between players it is their share of the pot, choice by choice.
        """
        found = self._dearest(table, player)
        return None if found is _Uncounted.NOT_YET else found

    def is_counting(self, table: Table, player: int) -> bool:
        """Check whether the comment on the last hand is still being counted."""
        return self._dearest(table, player) is _Uncounted.NOT_YET

    def _dearest(self, table: Table, player: int) -> Any:
        hand = table.last
        if table.round.hand is not None or table.round.bets or hand is None or hand.is_void or not _is_told(table):
            return None
        known = self._state.players[player]
        if known.state.coach == COACH_OFF or not {*known.ids} & {*owners_at(hand.deal.stakes).values()}:
            return None
        find = self._find_dearest if is_priced(table) else self._find_shares
        work = partial(find, hand, known.ids, table.void_seats(table.last_hand))
        return self._find_or_queue((table.last_hand, player), table.id, work)

    def _find_dearest(self, hand: Hand, players: list[int], void_seats: frozenset[str]) -> Dearest | None:
        dearest, most = None, NOTHING
        for asked, weighed in weigh_own(self._count, hand.deal, list(hand.moves), players):
            seat, offers, cost = asked.decision.seat, asked.decision.offers, weighed.cost or 0.0
            if seat.partition(".")[0] in void_seats or cost <= max(most, LEAST_SHARE * _first_bet(hand, seat)):
                continue
            assert asked.taken is not None, "each has chosen"
            taken, worth = asked.played or weighed.taken or "", weighed.values[weighed.best] - cost
            best = _price_one(offers, weighed.best, weighed.values[weighed.best])
            is_timed_out = asked.taken.word == TIMEOUT
            dearest, most = Dearest(seat, best, _price_one(offers, taken, worth), is_timed_out), cost
        return dearest

    def _find_shares(self, hand: Hand, players: list[int], void_seats: frozenset[str]) -> Shares | None:
        firsts = dict[int, Decision]()
        for asked in _own(hand.deal, list(hand.moves), players):
            seat = asked.decision.seat
            if seat not in void_seats:
                firsts.setdefault(len(with_board(asked.decision.cards, seat)), asked.decision)
        equity = ODDS[hand.deal.game].equity
        steps = tuple((cards, self._count(equity, decision)) for cards, decision in firsts.items())
        return Shares(steps) if steps else None

    def _find_or_queue(self, key: Hashable, table: int, work: Callable[[], Any]) -> Any:
        with self._changed:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            if key != self._counting:
                self._waiting[key] = table, work
                self._waiting.move_to_end(key)
                while len(self._waiting) > MOST_WAITING:
                    self._waiting.popitem(last=False)
                self._changed.notify()
            return _Uncounted.NOT_YET

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_over)
                if self._is_over:
                    return
            try:
                self.compute_waiting()
            except BooksGone:
                return  # the writer was told of the fault and ends

    def compute_waiting(self) -> None:
        """Compute all that waits."""
        while (next_one := self._next()) is not None:
            key, (table, work) = next_one
            try:
                found = work()
            except CountFault as fault:
                _log.info("not counted: %s", fault)  # the next look requests it again
                continue
            except Exception as fault:
                # Log no message: it may contain cards.
                _log.error("the coach failed: %s", type(fault).__name__)
                found = None
            self._keep_result(key, found)
            self._tell({table})

    def _next(self) -> Any:
        with self._changed:
            if self._is_over or not self._waiting:
                self._counting = None
                return None
            key, work = self._waiting.popitem()
            self._counting = key
            return key, work

    def _keep_result(self, key: Hashable, found: Any) -> None:
        with self._changed:
            self._known[key], self._counting = found, None
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)


def _first_bet(hand: Hand, seat: str) -> int:
    """Return a seat's bets before the deal; of a player who bets behind a box, their own."""
    key, owners = seat.partition(".")[0], owners_at(hand.deal.stakes)
    return next(sum(stake.bets.values()) for stake, known in zip(hand.deal.stakes, owners, strict=True) if known == key)
