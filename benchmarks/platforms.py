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
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.machine import percentile
from benchmarks.people import (
    QUIET_S,
    BusyTelegram,
    Calls,
    Discord,
    Pressed,
    Telegram,
    Town,
    Version,
    bet_ages,
    by_hand,
    clock_ages,
    hands_in,
    is_mention,
    most_within,
)
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
    clock_p50_s ...     how long a clock on a table's message had been over before the message changed
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
    clock_p50_s: float
    clock_p99_s: float
    clock_max_s: float
    rss_mib: float
    here_cores: float
    why: str


class Said(NamedTuple):
    """The messages at the tables of one game, by hand and by hour at each table.

    messages, edits     visible to everyone in the group or channel
    mentions            messages that mention a player to move
    most_a_hand         of messages and edits, at any of the tables
    most_mentions       of one person in one hand
    most_in_5_s ...     of messages and edits in one place: Discord takes 5 in five seconds, Telegram 20 in a minute
    """

    platform: str
    game: str
    tables: int
    hands: int
    messages_a_hand: float
    edits_a_hand: float
    mentions_a_hand: float
    messages_an_hour: float
    edits_an_hour: float
    most_a_hand: int
    most_mentions: int
    most_in_5_s: int
    most_a_minute: int


def say_by_game(
    platform: str, games: Sequence[str], versions: Mapping[int, Sequence[Version]], since: float, until: float
) -> Iterator[Said]:
    """Yield the messages by game in that time; `versions` are by table, and the games follow one another."""
    for place, game in enumerate(games):
        there = [said for number, said in versions.items() if number % len(games) == place]
        seen = [[one for one in said if since <= one.at < until] for said in there]
        hands = sum(map(hands_in, seen))
        new = sum(one.is_new for said in seen for one in said)
        edits, mentions = sum(map(len, seen)) - new, sum(is_mention(one) for said in seen for one in said)
        hours = (until - since) / 3600 * max(1, len(there))
        a_hand = 1 / max(1, hands)
        yield Said(
            platform,
            game,
            len(there),
            hands,
            round(new * a_hand, 2),
            round(edits * a_hand, 2),
            round(mentions * a_hand, 2),
            round(new / hours, 1),
            round(edits / hours, 1),
            max((len(hand) for said in seen for hand in by_hand(said)), default=0),
            max((_most_mentions(hand) for said in seen for hand in by_hand(said)), default=0),
            max((most_within(said, 5.0) for said in seen), default=0),
            max((most_within(said, 60.0) for said in seen), default=0),
        )


def _most_mentions(hand: Sequence[Version]) -> int:
    """Return the most mentions of one person."""
    return max(Counter(name for version in hand for name in version.called).values(), default=0)


class Presenter(NamedTuple):
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
BUSY: dict[str, MakeTown] = {"telegram, busy": BusyTelegram, "discord, busy": Discord}
"""Platforms with scarce calls: groups in which much is typed; on Discord, many tables for one bot."""
BUSY_TABLES, BUSY_A_SECOND = 300, 60


def measure_platforms(
    *,
    seconds: float = SECONDS,
    tables: int | None = None,
    rate: float | None = None,
    warm_up_s: float = WARM_UP_S,
    platforms: Sequence[str] = (),
    busy: bool = False,
    quiet_s: float = QUIET_S,
) -> list[Served | Said]:
    """Measure one casino after the other on each platform.

    `rate` presses a second are counted for this many seconds. `busy`: only with scarce calls, where a hand of a bank
    game keeps to its number of messages and edits.
    """
    games = [*PLAYS]
    tables, rate = tables or (BUSY_TABLES if busy else TABLES), rate or (BUSY_A_SECOND if busy else A_SECOND)
    platforms = platforms or tuple(BUSY if busy else PLATFORMS)
    load = Load(tables, games, rate, warm_up_s, seconds, quiet_s)
    found = [asyncio.run(_serve(platform, load)) for platform in platforms]
    return [*(served for served, _said in found), *(one for _served, said in found for one in said)]


class Load(NamedTuple):
    """The number of tables, their games, and the rate and duration of presses."""

    tables: int
    games: Sequence[str]
    rate: float
    warm_up_s: float
    seconds: float
    quiet_s: float


async def _serve(platform: str, load: Load) -> tuple[Served, list[Said]]:
    town = {**PLATFORMS, **BUSY}[platform](load.tables, load.games)
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        async with town, open_house(Path(folder), town.settings()) as house:
            await town.set_up(load.quiet_s)
            await press_for(town, load.warm_up_s, load.rate)
            before = _look(town, house)
            pressed = await press_for(town, load.seconds, load.rate)
            after = _look(town, house)
            await _until_answered(pressed, after.at + ANSWERED_WITHIN_S)
            served = _sum_up(platform, load.tables, pressed, town, before, after, house.rss_mib())
            said = say_by_game(platform, load.games, town.versions(), before.at, after.at)
            return served, list(said)


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


def _look(town: Town, house: House) -> Presenter:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Presenter(time.time(), house.cpu_s(), used.ru_utime + used.ru_stime, town.calls())


def _sum_up(
    platform: str,
    tables: int,
    pressed: Sequence[Pressed],
    town: Town,
    before: Presenter,
    after: Presenter,
    rss_mib: float,
) -> Served:
    waits = sorted(wait for press in pressed if (wait := _wait(press)) <= ANSWERED_WITHIN_S)
    versions, end = town.versions(), time.time()
    bets, clocks = bet_ages(pressed, versions, end), clock_ages(versions, before.at, after.at)
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
        *_three(clocks),
        rss_mib,
        round((after.here_s - before.here_s) / (after.at - before.at), 2),
        "; ".join(f"{number} x {what}" for what, number in refused.most_common()),
    )


def _wait(press: Pressed) -> float:
    return float("inf") if press.answered is None else press.answered - press.at


def _three(waits: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 99th percentile, and the longest."""
    return round(percentile(waits, 0.5), 3), round(percentile(waits, 0.99), 3), round(percentile(waits, 1.0), 3)
