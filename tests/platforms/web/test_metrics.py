"""Monitoring: /healthz, /metrics in the text format of Prometheus, and logs without secrets."""

import asyncio
import io
import json
import logging
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar

from bot.__main__ import main
from bot.core import writer as writer_module
from bot.core.access import BUSY
from bot.core.counters import PLATFORMS, Histogram
from bot.core.rounds.hand_records import read_record
from bot.core.rounds.script_budget import WATCHDOG
from bot.logs import set_up_logs
from bot.platforms.web import monitoring
from bot.platforms.web.sessions import TRIED
from bot.texts import say_card
from engine.hand import Hand
from engine.record import parse_record
from storage.sqlite import FILE, reading
from tests.bot.open_house import TABLE, OpenHouse, open_house
from tests.bot.test_restart import press
from tests.disk import ask, on_disk
from tests.games.test_faulty_game import plugin_with_script
from tests.games.test_looping_game import Loop
from tests.games.toys import installed
from tests.patience import PATIENCE_S
from tests.servers.discord import DiscordServer
from tests.servers.telegram import BotApiServer, SystemClock

_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_SAMPLE = re.compile(
    r"(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)"
    r"(?P<labels>\{[a-zA-Z_][a-zA-Z0-9_]*=\"[^\"\\\n]*\"(,[a-zA-Z_][a-zA-Z0-9_]*=\"[^\"\\\n]*\")*\})?"
    r" (?P<value>[+-]?([0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|Inf|NaN))"
)
_ENDINGS = {"histogram": ("_bucket", "_sum", "_count"), "summary": ("_sum", "_count", "")}


def parse(text: str) -> dict[str, float]:
    """Return {name and labels: value}, and check that Prometheus can read every line."""
    found: dict[str, float] = {}
    kinds: dict[str, str] = {}
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("#"):
            _hash, what, name, rest = line.split(" ", 3)
            assert what in ("HELP", "TYPE")
            assert _NAME.fullmatch(name)
            assert rest
            if what == "TYPE":
                assert name not in kinds, f"{name} is described once"
                kinds[name] = rest
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample, line
        family = max((name for name in kinds if sample["name"].startswith(name)), key=len)
        endings = _ENDINGS.get(kinds[family], ("",))
        assert sample["name"].removeprefix(family) in endings, f"{sample['name']} stands under its own TYPE"
        key = sample["name"] + (sample["labels"] or "")
        assert key not in found, f"{key} stands there once"
        found[key] = float(sample["value"])
    for name, kind in kinds.items():
        if kind == "histogram":
            _check_histogram(name, found)
    return found


def _check_histogram(name: str, found: dict[str, float]) -> None:
    buckets = {key: value for key, value in found.items() if key.startswith(f"{name}_bucket")}
    bounds = [float(re.findall(r'le="([^"]+)"', key)[0]) for key in buckets]
    counts = list(buckets.values())
    assert bounds == sorted(bounds)
    assert bounds[-1] == float("inf")
    assert counts == sorted(counts), "each bucket holds those below it"
    assert counts[-1] == found[f"{name}_count"]


async def scrape(house: OpenHouse) -> dict[str, float]:
    answer = await (await house.browser()).get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return parse(await answer.text())


async def test_a_hand_is_counted_for_its_game_when_it_is_over(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    key = 'ridotto_hands_total{game="caribbean"}'
    await anna.press("bet", "50")
    await house.wait(21)
    assert (await scrape(house))[key] == 0, "it is being played"
    await anna.press("fold")
    found = await scrape(house)
    assert found[key] == 1
    assert sum(value for name, value in found.items() if name.startswith("ridotto_hands_total")) == 1


async def test_commands_batches_and_commits_are_counted(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    before = await scrape(house)
    await anna.press("bet", "50")
    await anna.press("balance")
    after = await scrape(house)
    more = {name: after[name] - before[name] for name in before}
    assert more["ridotto_commands_total"] == 2
    assert more["ridotto_batch_commands_count"] == 2
    assert more["ridotto_batch_commands_sum"] == 2
    assert more['ridotto_batch_commands_bucket{le="1"}'] == 2
    assert more["ridotto_commits_total"] == more["ridotto_commit_seconds_count"] == 1, "a question needs no disk"
    assert more["ridotto_commit_seconds_sum"] > 0
    assert more['ridotto_commit_seconds_bucket{le="+Inf"}'] == 1


async def test_pushes_are_counted_as_sent_or_skipped(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    sent, skipped = (f'ridotto_edits_total{{platform="web",result="{result}"}}' for result in ("sent", "skipped"))
    async with await anna.watch() as socket:
        await asyncio.wait_for(socket.receive_json(), PATIENCE_S)
        before = await scrape(house)
        await bea.press("bet", "50")
        await asyncio.wait_for(socket.receive_json(), PATIENCE_S)
        middle = await scrape(house)
        assert middle[sent] > before[sent]
        house.lounge.live.look_again(anna.id)  # and there is no change to see
        async with asyncio.timeout(PATIENCE_S):
            while (await scrape(house))[skipped] == middle[skipped]:
                await asyncio.sleep(0.02)


async def test_what_platforms_count_is_shown(house: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("sent", 7), ("skipped", 8), ("failed", 9), ("limited", 10)):
        monkeypatch.setattr(PLATFORMS["telegram"], name, value)
    found = await scrape(house)
    assert found['ridotto_edits_total{platform="telegram",result="sent"}'] == 7
    assert found['ridotto_edits_total{platform="telegram",result="skipped"}'] == 8
    assert found['ridotto_platform_errors_total{platform="telegram"}'] == 9
    assert found['ridotto_platform_limits_total{platform="telegram"}'] == 10


async def test_what_waits_and_who_was_told_to_try_again_is_shown(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, gate, reached, really = (
        'ridotto_busy_answers_total{what="command"}',
        threading.Event(),
        threading.Event(),
        house.writer.clock,
    )

    def clock() -> float:
        if threading.current_thread().name == "writer":
            reached.set()
            gate.wait(60)
        return really()

    house.writer.clock = clock
    first = asyncio.ensure_future(house.submit("tables"))
    assert await asyncio.to_thread(reached.wait, 20)
    waiting = [first, *(asyncio.ensure_future(house.submit("tables")) for _ in range(4))]
    await asyncio.sleep(0)
    found = await scrape(house)
    assert 4 <= found["ridotto_commands_waiting"] <= 5, "the writer may hold the first already"
    assert found[busy] == 0
    monkeypatch.setattr(writer_module, "MOST_WAITING", 0)
    assert await house.submit("tables") == BUSY
    assert (await scrape(house))[busy] == 1
    gate.set()
    await asyncio.gather(*waiting)
    assert (await scrape(house))["ridotto_commands_waiting"] == 0


async def test_health_names_a_game_whose_rule_script_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WATCHDOG, "budget_s", 4.0)
    monkeypatch.setattr(monitoring, "PATIENCE_S", 3.2)
    with installed(plugin_with_script(Loop("".__eq__))):
        async with open_house(tmp_path) as house:
            client, anna = await house.browser(), await house.enter("Anna")
            table = next(one.id for one in house.writer.state.tables.values() if one.game == "faulty")
            assert (await anna.press("bet", "50", table=table))["status"] == 200
            house.ahead[0] += 30
            answers = [asyncio.ensure_future(house.submit("tables")) for _ in range(2)]
            health = await client.get("/healthz")
            assert (health.status, await health.text()) == (503, "code of faulty is running for too long\n")
            await asyncio.gather(*answers)
            health = await client.get("/healthz")
            told = "ok; code of games that was stopped because it ran too long: faulty (1)\n"
            assert (health.status, await health.text()) == (200, told)
            assert house.table(table).status == "open"
    WATCHDOG.stopped.clear()


async def test_an_event_loop_that_is_held_up_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "LOOK_EVERY_S", 0.01)
    async with open_house(tmp_path) as house:
        await asyncio.sleep(0)  # the first check has been requested
        time.sleep(0.3)
        await asyncio.sleep(0.05)
        found = await scrape(house)
    late = found["ridotto_loop_lag_seconds_count"] - found['ridotto_loop_lag_seconds_bucket{le="0.25"}']
    assert late >= 1
    assert found["ridotto_loop_lag_seconds_sum"] > 0.25


async def test_the_process_tells_what_it_takes(house: OpenHouse, tmp_path: Path) -> None:
    before = await scrape(house)
    with ExitStack() as stack:
        for number in range(20):
            stack.enter_context(open(tmp_path / f"file {number}", "w"))
        while time.process_time() < before["process_cpu_seconds_total"] + 0.01:
            pass
        after = await scrape(house)
    assert after["process_open_fds"] >= before["process_open_fds"] + 20
    assert after["process_cpu_seconds_total"] > before["process_cpu_seconds_total"]
    assert after["process_start_time_seconds"] == before["process_start_time_seconds"] < time.time()
    assert 20 << 20 < after["process_resident_memory_bytes"] < 4 << 30


async def test_the_books_tell_how_large_they_and_their_log_are(house: OpenHouse) -> None:
    await (await house.enter("Anna")).press("bet", "50")
    found = await scrape(house)
    path = on_disk(house.writer.books).path
    assert found["ridotto_books_bytes"] == path.stat().st_size > 0
    assert found["ridotto_books_log_bytes"] == path.with_name(f"{path.name}-wal").stat().st_size > 0


async def test_the_last_backup_is_known_to_the_house(house: OpenHouse, tmp_path: Path) -> None:
    assert (await scrape(house))["ridotto_last_backup_seconds"] == 0
    before, folder = time.time(), house.lounge.folder
    assert await asyncio.to_thread(main, ["backup", "--data", str(folder), str(tmp_path / "copies" / "one")]) == 0
    made = (await scrape(house))["ridotto_last_backup_seconds"]
    assert before - 0.01 < made < time.time() + 0.01
    assert await asyncio.to_thread(main, ["backup", "--data", str(folder), str(tmp_path / "copies" / "one")]) == 2
    assert (await scrape(house))["ridotto_last_backup_seconds"] == made, "what is refused is no backup"


def test_a_histogram_counts_each_value_once_and_a_bound_to_what_lies_below_it() -> None:
    histogram = Histogram((1, 5, 10))
    for value in (0, 1, 2, 5, 6, 10, 11, 10**6):
        histogram.note(value)
    assert histogram.up_to() == [(1, 2), (5, 4), (10, 6)]
    assert (histogram.count, histogram.total) == (8, 35 + 10**6)


@pytest.mark.parametrize(
    ("value", "digits", "said"),
    [(500, 6, "0.0005"), (2_500_000, 6, "2.5"), (1_000_000, 6, "1"), (0, 6, "0"), (1200, 0, "1200"), (10, 1, "1")],
)
def test_whole_numbers_are_said_in_larger_units_without_rounding(value: int, digits: int, said: str) -> None:
    assert monitoring._scaled(value, digits) == said


async def test_a_writer_that_takes_nothing_more_is_not_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer answers at once that it is busy, which alone is no sign of commits."""
    async with open_house(tmp_path) as house:
        gate, really = threading.Event(), house.writer.clock

        def clock() -> float:
            if threading.current_thread().name == "writer":
                gate.wait(PATIENCE_S)
            return really()

        house.writer.clock = clock
        client = await house.browser()
        waiting = asyncio.ensure_future(house.submit("tables"))
        await asyncio.sleep(0)
        monkeypatch.setattr(writer_module, "MOST_WAITING", 0)
        answer = await client.get("/healthz")
        assert (answer.status, await answer.text()) == (503, "the writer is too busy\n")
        gate.set()
        monkeypatch.undo()
        await waiting
        assert (await client.get("/healthz")).status == 200


async def test_a_house_that_closes_is_not_well(house: OpenHouse) -> None:
    house.lounge.is_closing = True
    answer = await (await house.browser()).get("/healthz")
    assert (answer.status, await answer.text()) == (503, "the casino is stopping\n")


@pytest.fixture
def catch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], io.StringIO]]:
    """Return a function that captures standard error from its call on."""
    root, names = logging.getLogger(), ("", "ridotto", "aiohttp.server", "asyncio")
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in names}

    def catch() -> io.StringIO:
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        return sys.stderr  # type: ignore[return-value]

    yield catch
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def test_a_record_is_one_line_of_json_whatever_is_in_it(catch: Callable[[], io.StringIO]) -> None:
    lines = catch()
    set_up_logs("info")
    logging.getLogger("ridotto.x").warning("%s said\n%s", "A\u2028\ud800", {"a": "\x1b[2J"})
    (line,) = lines.getvalue().split("\n")[:-1]
    assert line.isascii()
    assert json.loads(line)["level"] == "warning"


def test_on_a_terminal_nobody_writes_control_characters(catch: Callable[[], io.StringIO]) -> None:
    lines = catch()
    lines.isatty = lambda: True  # type: ignore[method-assign]
    set_up_logs("info")
    logging.getLogger("ridotto.x").warning("Anna\n12:00:00 error ridotto: forged \x1b[2J\x9b2J")
    (line,) = lines.getvalue().split("\n")[:-1]
    assert line.isprintable()


def test_libraries_say_nothing_below_warnings_whatever_the_level(catch: Callable[[], io.StringIO]) -> None:
    """Debug messages of libraries contain whole requests: tokens of presses, and the cards of private answers."""
    lines = catch()
    set_up_logs("debug")
    for name in ("discord.http", "discord.gateway", "httpx", "telegram.ext", "aiohttp.access", "sqlite_utils"):
        logging.getLogger(name).debug("secret")
        logging.getLogger(name).info("secret")
    logging.getLogger("ridotto.x").debug("open")
    assert [json.loads(line)["says"] for line in lines.getvalue().splitlines()] == ["open"]


def test_a_secret_that_comes_into_a_record_is_blotted_out(catch: Callable[[], io.StringIO]) -> None:
    lines = catch()
    set_up_logs("info", ("the-token", None, ""))
    log = logging.getLogger("discord.http")
    log.warning("got 429 at /webhooks/123/aW50ZXJhY3Rpb24/messages/@original with the-token")
    log.warning("%s", ConnectionError("http://127.0.0.1/bot123:ABC-def_9/getMe"))
    assert "aW50ZXJhY3Rpb24" not in lines.getvalue()
    assert "the-token" not in lines.getvalue()
    assert "ABC-def_9" not in lines.getvalue()
    assert "/messages/@original" in lines.getvalue()


def test_a_trace_names_places_and_no_values(catch: Callable[[], io.StringIO]) -> None:
    lines = catch()
    set_up_logs("info")
    try:
        raise ValueError("the seed is 1234")
    except ValueError as fault:
        logging.getLogger("ridotto").error("it failed", exc_info=fault)
    said = json.loads(lines.getvalue())
    assert "1234" not in lines.getvalue()
    assert said["trace"].startswith("ValueError at test_metrics.py:")


@pytest.mark.slow
async def test_no_secret_comes_into_the_logs_of_a_busy_house(tmp_path: Path) -> None:
    """All three platforms at debug level: no token, cookie, seed, password or card in any line, on either stream."""
    secrets: dict[str, str] = {"password": "Bauta-Moretta-1638"}
    async with BotApiServer(clock=SystemClock()) as telegram, DiscordServer() as discord:
        guild = discord.guild("Venezia")
        settings = {
            "RIDOTTO_DATA": str(tmp_path / "data"),
            "RIDOTTO_LOG": "debug",
            "RIDOTTO_WEB": "127.0.0.1:0",
            "RIDOTTO_WEB_PASSWORD": secrets["password"],
            "RIDOTTO_GUESTS": "2",
            "RIDOTTO_TELEGRAM_TOKEN": telegram.token,
            "RIDOTTO_TELEGRAM_API": telegram.base_url,
        }
        secrets |= {"telegram": telegram.token, "discord": discord.token}
        env = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.dealt",
            env=env | settings | discord.env,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        printed = [(await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)).decode() for _ in range(2)]
        url = re.findall(r"http://[^/]+", printed[0])[0]
        secrets["operator"] = printed[1].strip().rpartition("/")[2]
        await discord.ready()
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
            await play_in_the_lounge(session, url, secrets)
            await play_on_discord(discord, guild)
            await play_on_telegram(telegram)
            secrets |= {f"{cookie.key} cookie": cookie.value for cookie in session.cookie_jar if cookie.key != TRIED}
            async with session.get(f"{url}/metrics") as answer:
                parse(await answer.text())
        process.send_signal(signal.SIGTERM)
        out, err = (stream.decode() for stream in await asyncio.wait_for(process.communicate(), PATIENCE_S))
        assert process.returncode == 0
    logged = err.splitlines()
    assert logged
    assert all(json.loads(line)["level"] for line in logged)
    secrets |= {f"seed of hand {hand}": seed for hand, seed in seeds_in(tmp_path / "data" / FILE)}
    secrets |= {call.path: call.ids["interaction_token"] for call in discord.calls if "interaction_token" in call.ids}
    assert len(secrets) > 10
    for what, secret in secrets.items():
        assert secret not in err, what
        assert secret not in out, what
    assert cards_in(tmp_path / "data" / FILE), "hands were dealt"
    for card in cards_in(tmp_path / "data" / FILE):
        assert say_card(card) not in err
        assert f'"{card}"' not in err
        assert f"'{card}'" not in err


async def play_in_the_lounge(session: ClientSession, url: str, secrets: dict[str, str]) -> None:
    await session.post(f"{url}/door", data={"password": "a guess"})
    await session.post(f"{url}/door", data={"password": secrets["password"]})
    async with session.post(f"{url}/operator/{secrets['operator']}", data={"name": "Anna"}) as answer:
        base = url + answer.url.path.removesuffix("/operator")
    table = f"{base}{TABLE}"
    await press(session, table, "set-00001", "/table set betting_s 5")
    async with session.ws_connect(f"{table}/live") as socket:
        await press(session, table, "bet-00001", "/bet 50 jackpot")
        async with asyncio.timeout(PATIENCE_S):
            async for message in socket:
                if "of hearts" in message.data or "of spades" in message.data:
                    break
    for number, line in enumerate(("/cards", "/exchange 1", "/raise", "/verify 1", "/history", "/nonsense \x1b[2J")):
        await press(session, table, f"line-{number:04}", line)
    await session.post(f"{table}/press", data=b"\xff{")
    await session.get(f"{url}/operator/%C3%A9")


async def play_on_discord(discord: Any, guild: Any) -> None:
    channel = guild.text_channel("caribbean")
    await guild.owner.slash(channel, "table open", game="caribbean")
    await discord.message(channel, "Place your bets")
    bea = guild.member("Bea")
    await bea.presses(channel.messages[-1], "ante 50")
    await bea.slash(channel, "balance")
    await bea.slash(channel, "ready")


async def play_on_telegram(telegram: Any) -> None:
    cate = telegram.user("Cate")
    group = telegram.group("Salotto", admins=[cate])
    await cate.asks(group, "/setup")
    await cate.says(group, "/bet 50")
    await cate.says(group, "/nonsense")


def seeds_in(path: Path) -> list[tuple[int, str]]:
    with reading(path) as books:
        return [(id, bytes(seed).hex()) for id, seed in ask(books, "SELECT id, seed FROM hands")]


def cards_in(path: Path) -> set[str]:
    cards: set[str] = set()
    with reading(path) as books:
        for (id,) in ask(books, "SELECT id FROM hands WHERE status IN ('playing', 'over')"):
            hand = Hand(*parse_record(read_record(books, id)))
            cards |= {card for held in hand.felt.cards.values() for card in held}
    return cards
