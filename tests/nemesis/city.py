"""Several machines on the stores of two servers, three platforms, and people who repeat unanswered commands under the
same key at any node.
"""

import asyncio
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientTimeout, ClientWebSocketResponse, ClientWSTimeout, WSMsgType

from tests.kills.deeds import Deed
from tests.kills.house import House, Town
from tests.kills.people import LOST, Browser, choose, until_death
from tests.nemesis.machines import Machine
from tests.nemesis.pair import Pair
from tests.patience import until
from tests.some import some

# Long enough that no node loses its lease because a busy machine delays it.
LEASE_S = "8"
# Decision time: no player may be there for that long.
PACE_S = "6"
# After this time without news a player goes to another node.
IMPATIENT_S = 8.0
# A page without any message, not even a heartbeat, connects again.
DEAF_S = 8.0
PAUSE_S = (0.1, 0.5)


class Moment:
    """A period after which people stop waiting for an answer."""

    def __init__(self) -> None:
        self.died, self.lives = asyncio.Event(), True

    def pass_away(self) -> None:
        self.lives = False
        self.died.set()


@dataclass
class Visitor(Browser):
    """A browser that uses any of the nodes, and stays with one while it answers."""

    machines: list[Machine] = field(default_factory=list)
    at: House | None = None
    watching: "asyncio.Task[None] | None" = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.session._timeout = ClientTimeout(total=IMPATIENT_S)

    async def live(self) -> None:
        while True:
            await asyncio.sleep(self.rng.uniform(*self.pause_s))
            there = [machine.life for machine in self.machines if machine.is_alive]
            if self.at not in there:
                self.at = self.rng.choice(there) if there else None
            if (house := self.at) is not None:
                self.at = None
                await until_death(house, self._stay(house))

    async def _stay(self, house: House) -> None:
        await self.act(house)
        self.at = house

    async def act(self, house: House) -> None:
        if not self.base:
            await self._sign_in(house)
            return
        if self.shows is not house or self.watching is None or self.watching.done():
            self._leave()
            if self.watching is not None and self.watching.done() and not self.watching.cancelled():
                self.watching.result()  # a lost connection is no fault
            self.shows, self.watching = house, asyncio.ensure_future(self._watch(house))
        if (deed := self._unanswered()) is not None:
            await self._send(house, deed)
        elif (choice := choose(self.rng, self._choices())) is not None:
            await self._press(house, choice)

    def _unanswered(self) -> Deed | None:
        mine = (deed for deed in reversed(self.deeds.all) if deed.account == ("web", str(self.player)))
        last = next(mine, None)
        return last if last is not None and last.said is None else None

    async def _watch(self, house: House) -> None:
        address = f"{house.url}{self.base}/table/{self.table}/live"
        with suppress(*LOST):
            async with self.session.ws_connect(address, timeout=ClientWSTimeout(ws_receive=DEAF_S)) as socket:
                await self._follow(socket)

    async def _follow(self, socket: ClientWebSocketResponse) -> None:
        async for message in socket:
            if message.type is WSMsgType.TEXT and "parts" in (said := message.json()):
                self.parts |= said["parts"]
                self._note()

    def _leave(self) -> None:
        if self.watching is not None:
            self.watching.cancel()


class City(Town):
    """`async with City(folder, seed, houses)`: nodes, networks and people; people go on whatever happens to the
    machines.
    """

    browser = Visitor

    def __init__(self, folder: Path, seed: int, houses: int) -> None:
        super().__init__(folder, seed, LEASE_S=LEASE_S, PACE_S=PACE_S)
        self.folder.mkdir()
        self.pair = Pair()
        self.machines = [Machine(number, folder, self.pair.servers) for number in range(houses)]
        # In its own network: the operator's machine, which checks the store.
        self.operator = Machine(houses, folder, self.pair.servers)
        self.moment = Moment()
        self._work: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "City":
        await self.telegram.start()
        await self.discord.start()
        for machine in (*self.machines, self.operator):
            await machine.open()
        self.settings["RIDOTTO_BOOKS"] = self.operator.books
        environment = {**self.environment, "DIES": "0"}
        self.log.touch()
        self._work = [asyncio.ensure_future(one.run(environment, self.log)) for one in self.machines]
        self._work.append(asyncio.ensure_future(self._pass_time()))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.fall_silent()
        await self.shut_houses()
        await self.operator.close()
        for person in self.people:
            if isinstance(person, Browser):
                await person.session.close()
        await self.discord.stop()
        await self.telegram._close()
        await asyncio.to_thread(self.pair.end)

    async def shut_houses(self) -> None:
        """Stop all nodes for good."""
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        self._work.clear()
        for machine in self.machines:
            await machine.close()

    async def _pass_time(self) -> None:
        """End a period now and then, so that people in chats do not wait for ever."""
        while True:
            await asyncio.sleep(IMPATIENT_S)
            self.moment.pass_away()
            self.moment = Moment()

    async def start(self, dies: int = 0) -> House:
        """Let people come as soon as a node is open."""
        return await self.opens()

    async def opens(self) -> House:
        """Wait for the node that owns the store."""
        await until(lambda: any(machine.is_open for machine in self.machines), "a house opens")
        return next(some(machine.life) for machine in self.machines if machine.is_open)

    async def is_open(self) -> bool:
        """Wait until a node is open on every platform."""
        await self.opens()
        await self.discord.until(lambda: self.discord.is_connected, "a house is on Discord")
        await self.telegram.until(lambda: self.telegram.updates.polls, "a house polls Telegram")
        return True

    async def settle(self) -> None:
        await super().settle()
        for person in self.people:
            person.pause_s = PAUSE_S  # type: ignore[misc]
            if isinstance(person, Visitor):
                person.machines = self.machines

    def _now(self) -> Any:
        return self.moment if any(machine.is_open for machine in self.machines) else None

    async def fall_silent(self) -> None:
        for person in self.people:
            if isinstance(person, Visitor):
                person._leave()
        await super().fall_silent()

    def check(self) -> None:
        super().check()
        for task in self._work:
            if task.done():
                task.result()
        strange = self.ends.keys() - {0, 1, -signal.SIGKILL}
        assert not strange, f"houses have ended with {strange}"

    @property
    def ends(self) -> Counter[int]:
        """Return how the processes ended."""
        return sum((machine.ends for machine in self.machines), Counter())

    def answered(self) -> int:
        return sum(deed.is_acknowledged for deed in self.deeds.all)
