"""Two fronts, a writer and its standby on one server, HAProxy before the fronts, and people who bet through it.

Faults of a seed follow one another; after each of them somebody is answered again.
"""

import asyncio
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import yaml  # type: ignore[import-untyped]
from aiohttp import ClientError, ClientSession, ClientTimeout, CookieJar

from bot.core.access import BUSY
from bot.core.front import UNANSWERED
from tests.bot.open_house import TABLE
from tests.bot.test_restart import ROOT
from tests.bot.test_take_over import Balancer
from tests.nemesis.machines import Machine
from tests.patience import PATIENCE_S, until
from tests.postgres_server import Server

PEOPLE = 6
# How long a network is cut, within a lease and longer than it; a writer's lease.
BRIEF_S, LONG_S, LEASE_S = (0.2, 1.0), (4.2, 5.0), "4"
PAUSE_S = (0.1, 0.5)
# Number of answers after which people play again.
ENOUGH = PEOPLE
# Steps of the schema: of the fronts and writers that play, and of the versions before and after theirs.
VERSION, OLDER, NEWER = "2", "1", "3"
_LATER = {str(UNANSWERED.texts[0]), str(BUSY.texts[0])}


class FrontBalancer(Balancer):
    """HAProxy as compose.growing.yaml configures it."""

    def read_example(self) -> str:
        compose = yaml.safe_load((ROOT / "compose.growing.yaml").read_text("utf-8"))
        return str(compose["configs"]["balancer"]["content"])

    def changes(self, port: int, one: str, two: str) -> dict[str, str]:
        return {
            "bind :8080": f"bind 127.0.0.1:{port}",
            "resolvers containers\n    nameserver docker 127.0.0.11:53\n": "",
            "    default-server resolvers containers init-addr libc,none\n": "",
            "front-one:8080": one,
            "front-two:8080": two,
        }


class Better:
    """A person who bets and takes back, each by a key that is sent until it is answered."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.rng = name, Random(seed)
        self.session = ClientSession(cookie_jar=CookieJar(unsafe=True), timeout=ClientTimeout(total=PATIENCE_S / 3))
        self.base, self.keys, self.is_done = "", 0, False
        self.taken: Counter[str] = Counter()
        self.waits_s: list[float] = []

    @property
    def player(self) -> int:
        return int(self.base.rpartition("-")[2])

    async def enter(self, url: str) -> None:
        async with self.session.post(url, data={"name": self.name}) as answer:
            assert answer.status == 200, await answer.text()
            self.base = answer.url.path.removesuffix("/operator").rstrip("/")

    async def live(self, url: str) -> None:
        while not self.is_done:
            await self.press(url, self.rng.choice(("/bet 10", "/bet 10", "/bet 10", "/takeback")))
            await asyncio.sleep(self.rng.uniform(0.1, 0.3))

    async def press(self, url: str, line: str) -> dict[str, Any]:
        """Send a command until it is answered, and note whether it was done."""
        self.keys += 1
        said, began = None, time.monotonic()
        while said is None:
            said = await self._try(f"{url}{self.base}{TABLE}/press", {"key": f"key-{self.keys:05}", "line": line})
        self.waits_s.append(time.monotonic() - began)
        self.taken[line.split()[0]] += not said["refused"]
        return said

    async def _try(self, address: str, body: dict[str, str]) -> dict[str, Any] | None:
        try:
            async with self.session.post(address, json=body) as answer:
                said: dict[str, Any] = await answer.json()
                if answer.status == 200 and not _LATER & {*said["texts"]}:
                    return said
        except (ClientError, TimeoutError):
            pass
        await asyncio.sleep(0.05)
        return None


class Fleet:
    """`async with Fleet(folder, seed)`: everything runs, and people play."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng = folder, Random(seed)
        self.server = Server().start()
        machines = [Machine(number, folder, [self.server]) for number in range(4)]
        self.writers, self.fronts = machines[:2], machines[2:]
        self.machines, self.log = machines, folder / "log"
        self.people = [Better(f"Person {number}", self.rng.getrandbits(64)) for number in range(PEOPLE)]
        self._work: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Fleet":
        clean = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
        ours = {"RIDOTTO_GUESTS": "0", "RIDOTTO_LOG": "warning", "PYTHONPATH": str(ROOT), "DIES": "0"}
        given = {**clean, **ours, "LEASE_S": LEASE_S, "SCHEMA": VERSION, "DEALT": f"{self.rng.getrandbits(64)}"}
        self.log.touch()
        for machine in self.machines:
            await machine.open()
        for machine in self.fronts:
            machine.settings["RIDOTTO_ROLE"] = "front"
        self._work = [asyncio.ensure_future(one.run(given, self.log)) for one in self.machines]
        self.balancer = FrontBalancer(self.folder, *(front.url for front in self.fronts))
        await self.balancer.reach(200)
        await until(lambda: all(front.is_open for front in self.fronts))
        said = (self.fronts[0].folder / "said 0").read_text()
        (link,) = re.findall(r"http://\S+/operator/\S+", said)
        await self.people[0].enter(link)
        for person in self.people[1:]:
            await person.enter(f"{self.balancer.url}/sign-in")
        # No hand is dealt: a takeover starts the betting clock anew.
        assert not (await self.people[0].press(self.balancer.url, "/table set betting_s 300"))["refused"]
        self._playing = [asyncio.ensure_future(one.live(self.balancer.url)) for one in self.people]
        return self

    async def fall_silent(self) -> None:
        """Let everybody finish: what was sent is answered."""
        for person in self.people:
            person.is_done = True
        await asyncio.wait_for(asyncio.gather(*self._playing), PATIENCE_S)

    async def __aexit__(self, *_: object) -> None:
        for task in (*self._playing, *self._work):
            task.cancel()
        await asyncio.gather(*self._playing, *self._work, return_exceptions=True)
        self.balancer.end()
        for machine in self.machines:
            await machine.close()
        for person in self.people:
            await person.session.close()
        await asyncio.to_thread(self.server.end)

    @property
    def answered(self) -> int:
        return sum(len(person.waits_s) for person in self.people)

    async def plays_on(self) -> None:
        """Wait until people are answered, and all machines that are meant to be there are."""
        before = self.answered
        await until(lambda: self.answered >= before + ENOUGH, f"nobody is answered: {self.log.read_text()[-3000:]}")
        for playing in self._playing:
            if playing.done():
                playing.result()

    async def find_writer(self) -> Machine:
        await until(lambda: any(one.is_open for one in self.writers))
        return next(one for one in self.writers if one.is_open)

    async def find_front(self) -> Machine:
        """Return one of the fronts when both are open."""
        await until(lambda: all(one.is_open for one in self.fronts))
        return self.rng.choice(self.fronts)


Fault = Callable[[Fleet], Awaitable[None]]


async def kill_front(fleet: Fleet) -> None:
    (await fleet.find_front()).signal(signal.SIGKILL)


async def stop_front(fleet: Fleet) -> None:
    (await fleet.find_front()).signal(signal.SIGTERM)


async def kill_writer(fleet: Fleet) -> None:
    (await fleet.find_writer()).signal(signal.SIGKILL)


async def stop_writer(fleet: Fleet) -> None:
    (await fleet.find_writer()).signal(signal.SIGTERM)


async def restart_server(fleet: Fleet) -> None:
    await asyncio.to_thread(fleet.server.kill)
    await asyncio.to_thread(fleet.server.start)


async def cut_front(fleet: Fleet) -> None:
    await _cut(fleet, await fleet.find_front(), BRIEF_S)


async def cut_writer(fleet: Fleet) -> None:
    await _cut(fleet, await fleet.find_writer(), fleet.rng.choice((BRIEF_S, LONG_S)))


async def _cut(fleet: Fleet, machine: Machine, length_s: tuple[float, float]) -> None:
    for wire in machine.to_books:
        wire.cut()
    await asyncio.sleep(fleet.rng.uniform(*length_s))
    for wire in machine.to_books:
        wire.mend()


async def half_open_front(fleet: Fleet) -> None:
    for wire in (await fleet.find_front()).to_books:
        wire.half_open()


async def half_open_writer(fleet: Fleet) -> None:
    for wire in (await fleet.find_writer()).to_books:
        wire.half_open()


async def other_version(fleet: Fleet) -> None:
    """Replace a front by one of another version: an older one ends, a newer one waits for an upgrade."""
    front, version = await fleet.find_front(), fleet.rng.choice((OLDER, NEWER))
    front.settings["SCHEMA"], life = version, front.life
    front.signal(signal.SIGKILL)
    await until(lambda: front.life is not life and front.life is not None)
    if version == OLDER:
        ended = front.ends[1]
        await until(lambda: front.ends[1] > ended)
    else:
        await fleet.plays_on()
        assert not front.is_open
    front.settings["SCHEMA"] = VERSION
    front.signal(signal.SIGKILL)


FAULTS: tuple[Fault, ...] = (
    kill_front,
    stop_front,
    kill_writer,
    stop_writer,
    restart_server,
    cut_front,
    cut_writer,
    half_open_front,
    half_open_writer,
    other_version,
)


async def endure(fleet: Fleet, times: int) -> Counter[str]:
    """Cause this many faults, each kind as often as the others, in an order of the seed."""
    drawn: list[Fault] = []
    while len(drawn) < times:
        drawn += fleet.rng.sample(FAULTS, len(FAULTS))
    await fleet.plays_on()
    for fault in drawn[:times]:
        began = time.monotonic()
        await fault(fleet)
        fault_s = time.monotonic() - began
        await asyncio.sleep(fleet.rng.uniform(*PAUSE_S))
        await fleet.plays_on()
        print(f"{fault.__name__}: {fault_s:.1f} s, then {time.monotonic() - began - fault_s:.1f} s")
    return Counter(fault.__name__ for fault in drawn[:times])
