"""A tournament as it is played: entries, hands, levels, eliminations, the end (TN3 to TN26)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple

from engine.tournaments.definition import SIT_AND_GO, Definition, require
from engine.tournaments.payouts import group_by_stack, in_order, pay_abandoned, pay_places, places_of
from engine.tournaments.tables import TournamentTables

REGISTERING, RUNNING, OVER, CANCELLED, ABANDONED = "registering", "running", "over", "cancelled", "abandoned"


class Elimination(NamedTuple):
    """A player without chips: `when` orders eliminations, and `stack` is what they had before that hand."""

    player: str
    when: int
    stack: int


class Tournament:
    """A tournament; each event changes it, or raises IllegalTournament and changes nothing."""

    def __init__(self, definition: Definition, seed: bytes) -> None:
        self.definition = definition
        self.state = REGISTERING
        self.tables = TournamentTables(definition, seed)
        self.order: list[str] = []
        self.buy_ins: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        self.stacks: dict[str, int] = {}
        self.level = 1
        self.out: list[Elimination] = []
        self.removed: set[str] = set()
        self.is_hand_for_hand = False
        # Hand-for-hand: tables that have finished the round, and players eliminated in it.
        self._finished: set[int] = set()
        self._pending: list[Elimination] = []
        self._recorded = 0

    def copy(self) -> "Tournament":
        """Return an independent copy, to which the next event can be applied."""
        other = copy(self)
        for name in ("order", "buy_ins", "paid", "stacks", "out", "removed", "_finished", "_pending"):
            setattr(other, name, copy(getattr(self, name)))
        other.tables = self.tables.copy()
        return other

    # Present state

    @property
    def entries(self) -> int:
        return sum(self.buy_ins.values())

    @property
    def pool(self) -> int:
        return self.entries * self.definition.buy_in + self.definition.added

    @property
    def ranked(self) -> int:
        return len(self.order) - len(self.removed)

    @property
    def prizes(self) -> list[int]:
        return self.definition.prizes_of(self.pool, self.entries, self.ranked)

    @property
    def left(self) -> int:
        """Players left, with those whom an unfinished round of hand-for-hand has eliminated (TN18)."""
        return len(self.stacks) + len(self._pending)

    @property
    def places(self) -> dict[str, int]:
        """Places of eliminated players; of everyone when it is over."""
        return places_of(self._eliminated_groups(), self.left + 1) | places_of(self._standing_groups())

    def _standing_groups(self) -> list[list[str]]:
        is_ranked = self.state == OVER or (self.state == ABANDONED and not self.definition.is_elimination)
        return group_by_stack(self._stacks_in_order()) if is_ranked else []

    def _eliminated_groups(self) -> list[list[str]]:
        """Group eliminated players, the best first: later hands, then larger stacks before the hand (TN17, TN19)."""
        groups: dict[tuple[int, int], list[str]] = {}
        for one in self.out:
            groups.setdefault((one.when, one.stack), []).append(one.player)
        return [in_order(groups[key], self.order) for key in sorted(groups, reverse=True)]

    def _stacks_in_order(self) -> dict[str, int]:
        return {player: self.stacks[player] for player in self.order if player in self.stacks}

    @property
    def prizes_won(self) -> dict[str, int]:
        """Prizes of eliminated players by their places as they are now; those who tie share."""
        return pay_places(self.definition, self.prizes, self._eliminated_groups(), self.left + 1)

    def playing_tables(self) -> list[int]:
        """Return the tables that may play a hand now."""
        return [number for number in sorted(self.tables.by_number) if self._may_play(number)]

    def _may_play(self, number: int) -> bool:
        table = self.tables.by_number[number]
        if not self.definition.is_elimination:
            return bool(table.seats) and table.hands < self.definition.hands
        return len(table.seats) > 1 and number not in self._finished

    # Entries

    def register(self, player: str) -> None:
        self._need(REGISTERING, "Registration is closed.", "TN5")
        require(player not in self.order, f"{player} is registered already.", "TN3")
        require(self.entries < self.definition.most, f"All {self.definition.most} entries are taken.", "TN2")
        self.order.append(player)
        self.buy_ins[player] = 1

    def unregister(self, player: str) -> None:
        self._need(REGISTERING, "You can unregister only until the start.", "TN5")
        require(player in self.order, f"{player} is not registered.", "TN5")
        self.order.remove(player)
        del self.buy_ins[player]
        self.paid[player] += self.definition.buy_in

    def start(self) -> None:
        """Seat the players with their stacks; cancel with too few entries. A sit & go must be full."""
        self._need(REGISTERING, "The tournament has started already.", "TN2")
        is_full = self.entries == self.definition.most
        require(self.definition.kind != SIT_AND_GO or is_full, "A sit & go starts when it is full.", "TN2")
        if self.entries < self.definition.least:
            self._cancel()
            return
        self.state = RUNNING
        self.stacks = dict.fromkeys(self.order, self.definition.stack)
        self.tables.start(self.order)
        self._look_for_hand_for_hand(None)

    def enter_late(self, player: str) -> None:
        require(player not in self.buy_ins, f"{player} has entered already.", "TN11")
        self._enter(player, "late")

    def enter_again(self, player: str) -> None:
        require(any(one.player == player for one in self.out), f"{player} is not an eliminated player.", "TN12")
        require(self.buy_ins[player] <= self.definition.reentries, f"{player} has used all re-entries.", "TN12")
        self._enter(player, "re-entry")
        self.out = [one for one in self.out if one.player != player]

    def _enter(self, player: str, why: str) -> None:
        self._need(RUNNING, "Late entry is open only while the tournament runs.", "TN11")
        is_open = self.level <= self.definition.late_levels and not self.is_hand_for_hand
        require(is_open, "Late entry is closed.", "TN11")
        require(self.entries < self.definition.most, f"All {self.definition.most} entries are taken.", "TN2")
        require(self.tables.draw_seat(player, why), "There is no free seat.", "TN11")
        if player not in self.buy_ins:
            self.order.append(player)
        self.buy_ins[player] += 1
        self.stacks[player] = self.definition.stack
        self._look_for_hand_for_hand(None)

    # Hands

    def record_hand(self, number: int, stacks: Mapping[str, int]) -> None:
        """Take the stacks after a hand of the players who were dealt in."""
        self._need(RUNNING, "No hands are played now.", "TN24")
        require(number in self.tables.by_number, f"There is no table {number}.", "TN10")
        require(self._may_play(number), f"Table {number} cannot play a hand now.", "TN18")
        table = self.tables.by_number[number]
        positions = self.tables.positions_of_hand(number, stacks) if self.definition.is_elimination else None
        dealt = [table.seats[seat] for seat in positions.dealt] if positions else list(table.seats.values())
        require(set(stacks) == set(dealt), f"The players of this hand are {', '.join(dealt)}.", "TN15")
        before = {player: self.stacks[player] for player in dealt}
        is_kept = not self.definition.is_elimination or sum(stacks.values()) == sum(before.values())
        require(is_kept, f"The stacks must add up to {sum(before.values())}.", "TN22")
        self.stacks |= stacks
        table.last, table.newcomers = positions, ()
        table.hands += 1
        if self.definition.is_elimination:
            self._end_hand(number, before)
        else:
            self._end_bank_hand(number, before)

    def _end_hand(self, number: int, before: Mapping[str, int]) -> None:
        self._recorded += 1
        broke = [player for player in before if not self.stacks[player]]
        gone = [Elimination(player, self._recorded, before[player]) for player in broke]
        self._take_out(broke)
        if self.is_hand_for_hand:
            self._pending += gone
            self._finished.add(number)
        else:
            self.out += gone
        self._count_hand(number)
        self._after_hand(number)

    def _count_hand(self, number: int) -> None:
        table = self.tables.by_number[number]
        table.level_hands += 1
        if table.level_hands == self.definition.level_hands:
            self._raise_level()

    def _raise_level(self) -> None:
        self.level += 1
        for table in self.tables.by_number.values():
            table.level_hands = 0

    def raise_level(self) -> None:
        """Raise the level by the clock (TN8)."""
        self._need(RUNNING, "The tournament is not running.", "TN8")
        by_clock = self.definition.is_elimination and not self.definition.level_hands
        require(by_clock, "The level does not follow a clock here.", "TN8")
        self._raise_level()

    def _after_hand(self, number: int) -> None:
        """End the tournament, or break and balance tables, as after a hand at this table."""
        if len(self.stacks) < 2:
            self._place_pending()
            self._finish()
        elif not self.is_hand_for_hand:
            self._tidy(number)
            self._look_for_hand_for_hand(number)
        elif not self._is_bubble() or not self.playing_tables():
            self._end_round()

    def _tidy(self, number: int) -> None:
        self._break_tables(number)
        if number in self.tables.by_number:
            self.tables.balance(number)

    def _break_tables(self, number: int) -> None:
        """Break the last table if its hand is just over, or at once if it has fewer than two players (TN13)."""
        while (last := self.tables.breaking) and (last == number or len(self.tables.by_number[last].seats) < 2):
            self.tables.break_up(last)

    def _end_round(self) -> None:
        """End a round of hand-for-hand: place the eliminated, then break and balance by table number (TN18)."""
        self._place_pending()
        for number in sorted(self.tables.by_number):
            if number in self.tables.by_number:
                self._tidy(number)
        while last := self.tables.breaking:
            self.tables.break_up(last)
        self._finished = set()
        self.is_hand_for_hand = self._is_bubble()

    def _place_pending(self) -> None:
        self.out += [one._replace(when=self._recorded) for one in self._pending]
        self._pending = []

    def _is_bubble(self) -> bool:
        return len(self.tables) > 1 and self.left == len(self.prizes) + 1

    def _look_for_hand_for_hand(self, number: int | None) -> None:
        """Begin hand-for-hand on the bubble; the table whose hand is just over waits for the others."""
        if not self.definition.is_elimination or not self._is_bubble():
            return
        self.is_hand_for_hand = True
        self._finished = {number} if number in self.tables.by_number and number is not None else set()
        if not self.playing_tables():
            self._finished = set()

    def _end_bank_hand(self, number: int, before: Mapping[str, int]) -> None:
        table = self.tables.by_number[number]
        hand = table.hands
        # After the last hand only a player without chips is out (TN19).
        least = self.definition.minimum(hand + 1) if hand < self.definition.hands else 1
        short = [player for player in before if self.stacks[player] < least]
        self.out += [Elimination(player, hand, before[player]) for player in short]
        self._take_out(short)
        self._finish_bank_game()

    def _finish_bank_game(self) -> None:
        if not self.playing_tables():
            self._finish()

    def _take_out(self, players: Sequence[str]) -> None:
        for player in players:
            self.tables.leave(player)
            del self.stacks[player]

    # Inspectors, and the end

    def remove(self, player: str) -> None:
        """Remove a player for cheating or a second account (TN23)."""
        if self.state == REGISTERING:
            self.unregister(player)
            return
        self._need(RUNNING, "The tournament is over.", "TN23")
        require(player in self.stacks, f"{player} is not playing.", "TN23")
        number = self.tables.leave(player)
        del self.stacks[player]
        self.removed.add(player)
        if not self.ranked:
            self._cancel()
        elif self.definition.is_elimination:
            self._after_hand(number)
        else:
            self._finish_bank_game()

    def cancel(self) -> None:
        self._need(REGISTERING, "A tournament can be cancelled only before the start.", "TN23")
        self._cancel()

    def _cancel(self) -> None:
        self.state = CANCELLED
        for player, times in self.buy_ins.items():
            self.paid[player] += times * self.definition.buy_in

    def _finish(self) -> None:
        self.state = OVER
        self.is_hand_for_hand = False
        self._pay(pay_places(self.definition, self.prizes, self._all_groups()))

    def _all_groups(self) -> list[list[str]]:
        return group_by_stack(self._stacks_in_order()) + self._eliminated_groups()

    def abandon(self) -> None:
        """End a running tournament: prizes by place, and what is open among the players left (TN25)."""
        self._need(RUNNING, "Only a running tournament can be abandoned.", "TN25")
        self._place_pending()
        self.state = ABANDONED
        if not self.definition.is_elimination:
            self._pay(pay_places(self.definition, self.prizes, self._all_groups()))
            return
        stacks, prizes = self._stacks_in_order(), self.prizes
        self._pay(pay_abandoned(self.definition, self.pool, prizes, stacks))
        self._pay(pay_places(self.definition, prizes, self._eliminated_groups(), len(stacks) + 1))

    def _pay(self, paid: Mapping[str, int]) -> None:
        for player, amount in paid.items():
            self.paid[player] += amount

    def _need(self, state: str, sentence: str, clause: str) -> None:
        require(self.state == state, sentence, clause)
