"""A whole casino in a separate process, and many people who press on its platforms at once.

The platforms are the strict servers of the tests on the loopback, which run here with all the people, so that their CPU
is separate from the casino's. Telegram by polling and by webhook: a thousand groups with a table each. Discord: a
thousand channels, under the bot's fifty calls a second. Presses come at a steady rate whether earlier ones are answered
or not, by random people, on random game buttons of the messages in their group.
"""

import asyncio
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.machine import percentile
from benchmarks.people import QUIET_S, Calls, Discord, Pressed, Telegram, Town, bet_ages
from benchmarks.process import House, open_house
from bot.core.state.plays import PLAYS

TABLES, A_SECOND = 1000, 100
SECONDS, WARM_UP_S = 30.0, 10.0
# After this time a person gives up waiting.
ANSWERED_WITHIN_S = 10.0


class Served(NamedTuple):
    """The service of one casino on one platform.

    platform            the platform
    tables, presses     the tables, and the presses counted after the warm-up
    unanswered          presses without an answer within ten seconds
    p50_s, p99_s, max_s from the press to its answer, as the platform saw it
    cpu_ms              CPU of the casino for each press and all its effects
    shown, pictures     messages and edits in that time, and how many of them brought a new picture
    limited             calls that were refused for coming too fast (429)
    refused, why        calls that were refused for another reason; the number of each
    bet_p50_s ...       how long a newcomer's confirmed bet was missing on the table's message
    rss_mib             memory of the casino at the end
    here_cores          CPU of the servers and people: with a full core, they are the bottleneck
    """

    platform: str
    tables: int
    presses: int
    unanswered: int
    p50_s: float
    p99_s: float
    max_s: float
    cpu_ms: float
    shown: int
    pictures: int
    limited: int
    refused: int
    bet_p50_s: float
    bet_p99_s: float
    bet_max_s: float
    rss_mib: float
    here_cores: float
    why: str


class Reading(NamedTuple):
    """The measurements at one moment."""

    at: float
    house_s: float
    here_s: float
    calls: Calls


MakeTown = Callable[[int, Sequence[str]], Town]
PLATFORMS: dict[str, MakeTown] = {
    "telegram, polling": Telegram,
    "telegram, webhook": lambda tables, games: Telegram(tables, games, webhook=True),
    "discord": Discord,
}


def measure_platforms(
    *,
    seconds: float = SECONDS,
    tables: int = TABLES,
    rate: float = A_SECOND,
    warm_up_s: float = WARM_UP_S,
    quiet_s: float = QUIET_S,
) -> Iterator[Served]:
    """Measure one casino after the other on each platform; `rate` presses a second are counted for some seconds."""
    load = Load(tables, [*PLAYS], rate, warm_up_s, seconds, quiet_s)
    for platform in PLATFORMS:
        yield asyncio.run(_serve(platform, load))


class Load(NamedTuple):
    """The number of tables, their games, and the rate and duration of presses."""

    tables: int
    games: Sequence[str]
    rate: float
    warm_up_s: float
    seconds: float
    quiet_s: float


async def _serve(platform: str, load: Load) -> Served:
    town = PLATFORMS[platform](load.tables, load.games)
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        async with town, open_house(Path(folder), town.settings()) as house:
            await town.set_up(load.quiet_s)
            await press_for(town, load.warm_up_s, load.rate)
            before = _look(town, house)
            pressed = await press_for(town, load.seconds, load.rate)
            after = _look(town, house)
            await _until_answered(pressed, after.at + ANSWERED_WITHIN_S)
            return _sum_up(platform, load.tables, pressed, town, before, after, house.rss_mib())


async def press_for(town: Town, seconds: float, rate: float) -> list[Pressed]:
    """Press at this rate; late presses follow at once."""
    chance, pressed = random.Random(1), []
    started = time.perf_counter()
    for number in range(int(seconds * rate)):
        await asyncio.sleep(max(0.0, started + number / rate - time.perf_counter()))
        if (press := town.press(chance)) is not None:
            pressed.append(press)
    await asyncio.sleep(max(0.0, started + seconds - time.perf_counter()))
    return pressed


async def _until_answered(pressed: Sequence[Pressed], give_up: float) -> None:
    while time.time() < give_up and any(press.answered is None for press in pressed):
        await asyncio.sleep(0.1)


def _look(town: Town, house: House) -> Reading:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Reading(time.time(), house.cpu_s(), used.ru_utime + used.ru_stime, town.calls())


def _sum_up(
    platform: str,
    tables: int,
    pressed: Sequence[Pressed],
    town: Town,
    before: Reading,
    after: Reading,
    rss_mib: float,
) -> Served:
    waits = sorted(wait for press in pressed if (wait := _wait(press)) <= ANSWERED_WITHIN_S)
    bets = bet_ages(pressed, town.versions(), time.time())
    now, then = after.calls, before.calls
    refused = Counter(now.refused) - Counter(then.refused)
    return Served(
        platform,
        tables,
        len(pressed),
        len(pressed) - len(waits),
        *_three(waits),
        round((after.house_s - before.house_s) / max(1, len(pressed)) * 1e3, 2),
        now.shown - then.shown,
        now.pictures - then.pictures,
        now.limited - then.limited,
        refused.total(),
        *_three(bets),
        rss_mib,
        round((after.here_s - before.here_s) / (after.at - before.at), 2),
        "; ".join(f"{number} x {what}" for what, number in refused.most_common()),
    )


def _wait(press: Pressed) -> float:
    return float("inf") if press.answered is None else press.answered - press.at


def _three(waits: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 99th percentile, and the longest."""
    return round(percentile(waits, 0.5), 3), round(percentile(waits, 0.99), 3), round(percentile(waits, 1.0), 3)
