"""Faults of machines, networks and servers. Each lasts for a random time and is over when it returns."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from random import Random

from tests.nemesis.city import City
from tests.nemesis.machines import Machine
from tests.wires import Wire

# How long a network is cut or a process is stopped: within a lease, and longer than it.
BRIEF_S, LONG_S = (0.2, 2.0), (8.5, 11.0)
# File systems of these sizes have no more room.
DISKS = (0, 256 * 1024, 1024 * 1024)
STEPS_S = (-3700.0, -5.0, 5.0, 3700.0)

Fault = Callable[[City, Random], Awaitable[None]]


def _one(city: City, rng: Random) -> Machine:
    """Return a machine, preferably the owner of the store."""
    open_ones = [machine for machine in city.machines if machine.is_open]
    return rng.choice(open_ones if open_ones and rng.random() < 0.7 else city.machines)


async def _last(rng: Random) -> None:
    await asyncio.sleep(rng.uniform(*rng.choice((BRIEF_S, LONG_S))))


async def kill(city: City, rng: Random) -> None:
    _one(city, rng).signal(signal.SIGKILL)


async def stand_still(city: City, rng: Random) -> None:
    machine = _one(city, rng)
    life = machine.life
    machine.signal(signal.SIGSTOP)
    await _last(rng)
    if machine.life is life:
        machine.signal(signal.SIGCONT)


async def hand_over(city: City, rng: Random) -> None:
    _one(city, rng).signal(signal.SIGTERM)


async def cut_from_books(city: City, rng: Random) -> None:
    await _cut(_one(city, rng).to_books, rng)


async def _cut(wires: list[Wire], rng: Random) -> None:
    for wire in wires:
        wire.cut()
    await _last(rng)
    for wire in wires:
        wire.mend()


async def half_open_books(city: City, rng: Random) -> None:
    for wire in _one(city, rng).to_books:
        wire.half_open()


async def fail_over(city: City, rng: Random) -> None:
    await asyncio.to_thread(city.pair.fail_over)


async def restart_server(city: City, rng: Random) -> None:
    await asyncio.to_thread(city.pair.restart)


async def lose_standby(city: City, rng: Random) -> None:
    await asyncio.to_thread(city.pair.lose_standby)
    await _last(rng)
    await asyncio.to_thread(city.pair.find_standby)


async def fill_disk(city: City, rng: Random) -> None:
    await asyncio.to_thread(city.pair.fill_disk, rng.choice(DISKS))
    await _last(rng)
    await asyncio.to_thread(city.pair.make_room)


async def set_clock(city: City, rng: Random) -> None:
    machine = _one(city, rng)
    machine.set_clock(machine.ahead_s + rng.choice(STEPS_S))


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        kill,
        stand_still,
        hand_over,
        cut_from_books,
        half_open_books,
        fail_over,
        restart_server,
        lose_standby,
        fill_disk,
        set_clock,
    )
}


def draw(rng: Random, times: int) -> list[str]:
    """Yield faults in random order, each as often as the others."""
    names = [*FAULTS]
    drawn: list[str] = []
    while len(drawn) < times:
        drawn += rng.sample(names, len(names))
    return drawn[:times]
