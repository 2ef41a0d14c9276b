"""Where the table option `witness` is on, "no more bets" is a message of its own, never edited, before the round comes.

Nobody is woken by it. It is told once: what is noted is not told again, whatever ends in between, and what has no room
before the round is not told at all: it would prove nothing then.
"""

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from bot.doors.kit.desk import Desk, Keeper
from bot.house.casinos.places import PRIVATE
from bot.house.round.witness import head_of_close, say_closed
from bot.house.state.house import Holding
from bot.house.state.table import Table
from bot.texts import Text
from engine.fairness.beacon import time_of

NAME = "closed "


class Closed(NamedTuple):
    """`text`, then a line to be copied; `counts` is asked before each try whether its round is still to come."""

    text: Text
    line: str
    counts: Callable[[], bool]


Publish = Callable[[str, Table, Closed], Coroutine[Any, Any, None]]


class Witness:
    """Belongs to the event loop. `publish` shows it at an address, before what can wait and as long as it counts."""

    def __init__(self, desk: Desk, publish: Publish) -> None:
        self._desk, self._publish = desk, publish
        # {address: the hand that was told last}
        self._told: dict[str, int] = {}

    def open(self) -> None:
        """What was told before the last start, or by another house, is not told again."""
        self._desk.keepers.append(Keeper(self.let_go, self.take_up))
        self.take_up(self._desk.whole())

    def take_up(self, came: Holding) -> None:
        self._told |= self._desk.noted_of(came.addresses, NAME)

    def let_go(self, went: Holding) -> None:
        for address in went.addresses:
            self._told.pop(address, None)

    def look(self, id: int) -> None:
        """A table changed."""
        table = self._desk.house.table(id)
        if table is None or table.waits is None or not table.settings.witness:
            return
        due, covering = time_of(table.waits.round), head_of_close(self._desk.house, table)
        if covering is None or self._desk.pit.clock() >= due:
            return
        closed = Closed(*say_closed(table, covering), lambda: self._desk.pit.clock() < due)
        for address in self._desk.addresses_of(id):
            if address != PRIVATE and self._told.get(address) != table.hand_id:
                self._told[address] = table.hand_id
                self._desk.spawn(self._tell(address, table, closed))

    async def _tell(self, address: str, table: Table, closed: Closed) -> None:
        """On disk before it is told."""
        if await self._desk.keep_at(address, f"{NAME}{address}", table.hand_id):
            await self._publish(address, table, closed)
