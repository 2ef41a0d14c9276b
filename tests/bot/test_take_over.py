"""Two real nodes on the store of one server: one owns it, the other waits, and continues where the first one ends."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession, CookieJar, WSMsgType

from bot.__main__ import main
from bot.verifier.records import verify_record
from storage.postgres import PostgresStore
from storage.store import Reader
from tests.bot.open_house import TABLE
from tests.bot.test_restart import LOOK_S, ROOT, deal, own_cards, press, text
from tests.disk import ask
from tests.patience import PATIENCE_S, STEP_S
from tests.ports import free_port
from tests.postgres_server import USER, Server
from tests.wires import Wire

pytestmark = [pytest.mark.outside, pytest.mark.slow, pytest.mark.timeout(240)]

# Lease terms of nodes that must keep the store on a slow machine, and of nodes that are stopped until the lease ends.
NEVER, SOON_S = "3600", "8"
WAITS = "waits for the books, which another process holds\n"


class House:
    """`ridotto run` on a server's store, with the lounge at a fixed address."""

    def __init__(self, folder: Path, books: str, **settings: str) -> None:
        port = free_port()
        self.url, self.log = f"http://127.0.0.1:{port}", folder / f"{port}.log"
        self.tree = ROOT
        clean = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
        ours = {
            "RIDOTTO_BOOKS": books,
            "RIDOTTO_WEB": f"127.0.0.1:{port}",
            "RIDOTTO_GUESTS": "0",
        }
        self._env = {
            **clean,
            **ours,
            "RIDOTTO_DATA": str(folder / f"{port}"),
            "DEALT": str(port),
            "LEASE_S": NEVER,
            **settings,
        }

    @property
    def folder(self) -> Path:
        return Path(self._env["RIDOTTO_DATA"])

    def set(self, **settings: str) -> None:
        """Set environment variables of the next start."""
        self._env |= settings

    def upgrade(self, tree: Path) -> "House":
        """Run the version in `tree` from the next start on."""
        self.tree = tree
        return self

    async def start(self) -> "House":
        with open(self.log, "ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.dealt", "run"),
                cwd=self.tree,
                env=self._env | {"PYTHONPATH": str(self.tree)},
                stdout=log,
                stderr=log,
            )
        return self

    async def health(self) -> tuple[int, str]:
        """Return the status and text of /healthz; status 0 if there is no process."""
        try:
            async with ClientSession() as session, session.get(f"{self.url}/healthz") as answer:
                return answer.status, await answer.text()
        except ClientError:
            return 0, ""

    async def is_told(self, status: int) -> str:
        async with asyncio.timeout(PATIENCE_S):
            while (found := await self.health())[0] != status:
                assert self.process.returncode is None, self.log.read_text()
                await asyncio.sleep(STEP_S)
        return found[1]

    async def plays(self) -> None:
        assert await self.is_told(200) == "ok\n"

    async def waits(self) -> None:
        assert await self.is_told(503) == WAITS

    async def ended(self) -> int:
        return await asyncio.wait_for(self.process.wait(), PATIENCE_S)

    async def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return await self.ended()

    @property
    def operator(self) -> str:
        found = re.search(r"http://\S+/operator/\S+", self.log.read_text())
        assert found is not None
        return found[0]


@pytest.fixture
def schema(postgres: Server) -> str:
    return postgres.new_schema()


@pytest.fixture
async def house(postgres: Server, schema: str, tmp_path: Path) -> AsyncIterator[Callable[..., House]]:
    """A maker of nodes on one store; none outlives the test."""
    made: list[House] = []

    def make(**settings: str) -> House:
        made.append(House(tmp_path, postgres.address(schema).text, **settings))
        return made[-1]

    yield make
    for one in made:
        with suppress(AttributeError, ProcessLookupError):
            one.process.kill()
            await one.process.wait()


@pytest.fixture
async def anna() -> AsyncIterator[ClientSession]:
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield session


async def sign_in(anna: ClientSession, house: House) -> str:
    """Sign in as an inspector, who may set the betting time; return the path of a table."""
    async with anna.post(house.operator, data={"name": "Anna"}) as answer:
        return f"{answer.url.path.removesuffix('/operator')}{TABLE}"


def books(postgres: Server, schema: str, tmp_path: Path) -> PostgresStore:
    return PostgresStore(postgres.address(schema), tmp_path)


def in_order(monkeypatch: pytest.MonkeyPatch, postgres: Server, schema: str, tmp_path: Path) -> bool:
    """Check that `doctor` finds nothing: sums are zero, balances match their postings, hands replay."""
    monkeypatch.setenv("RIDOTTO_BOOKS", postgres.address(schema).text)
    return main(["doctor", "--data", str(tmp_path / "doctor")]) == 0


def answered(seen: Reader, key: str) -> int:
    ((count,),) = ask(seen, "SELECT count(*) FROM answers WHERE key LIKE ?", f"%{key}")
    return int(count)


async def goes_on(anna: ClientSession, before: str, after: "House | Balancer", table: str) -> None:
    """Check that the same hand goes on with its cards, all its time, and every key; then play it to the end."""
    there = f"{after.url}{table}"
    page = await text(anna, there)
    assert own_cards(page) == own_cards(before)
    assert len(own_cards(page)) == 5
    assert re.findall(r'class="hash">(\w+)', page) == re.findall(r'class="hash">(\w+)', before)
    now, deadline = clock_on(page)
    assert deadline > clock_on(before)[1], "the clock starts anew"
    assert 0 < deadline - now <= 30
    assert (await press(anna, there, "bal-00001", "/balance"))["texts"] == ["You have 950 chips."]
    assert not (await press(anna, there, "bet-00001", "/bet 50"))["refused"]
    assert not (await press(anna, there, "fold-0001", "/fold"))["refused"]
    assert (await press(anna, there, "bal-00003", "/balance"))["texts"] == ["You have 950 chips."]


def clock_on(page: str) -> tuple[float, float]:
    """Return the present time and the deadline on the page."""
    (now,) = map(float, re.findall(r'data-now="([0-9.]+)"', page))
    (deadline,) = map(float, re.findall(r'data-deadline="([0-9.]+)"', page))
    return now, deadline


async def test_a_house_on_a_server_is_opened_played_in_stopped_and_opened_again(
    house, anna, postgres, schema, tmp_path, monkeypatch
):
    first = await house().start()
    await first.plays()
    assert f"created new books in {books(postgres, schema, tmp_path)}" in first.log.read_text()
    table = await sign_in(anna, first)
    before = await deal(anna, f"{first.url}{table}")
    assert await first.end(signal.SIGTERM) == 0
    second = await house().start()
    await second.plays()
    assert "waits" not in second.log.read_text()
    await goes_on(anna, before, second, table)
    assert await second.end(signal.SIGINT) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 0)])
async def test_a_hand_goes_on_in_the_house_that_waited_when_the_first_one_ends(
    house, anna, postgres, schema, tmp_path, monkeypatch, number, status
):
    first = await house().start()
    await first.plays()
    second = await house().start()
    await second.waits()
    table = await sign_in(anna, first)
    before = await deal(anna, f"{first.url}{table}")
    await second.waits()
    assert await first.end(number) == status
    await second.plays()
    await goes_on(anna, before, second, table)
    assert second.log.read_text().count("this process waits and takes over when that one ends") == 1
    assert await second.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


async def test_a_house_that_is_stopped_and_goes_on_says_nothing_more_and_writes_nothing(
    house, anna, postgres, schema, tmp_path, monkeypatch
):
    first = await house(LEASE_S=SOON_S).start()
    await first.plays()
    table = await sign_in(anna, first)
    before = await deal(anna, f"{first.url}{table}")
    second = await house().start()
    await second.waits()
    first.process.send_signal(signal.SIGSTOP)
    # Requests meanwhile wait at its sockets and would be answered first.
    late = [
        asyncio.ensure_future(text(anna, f"{first.url}/metrics")),
        asyncio.ensure_future(text(anna, f"{first.url}{table}")),
        asyncio.ensure_future(press(anna, f"{first.url}{table}", "late-0001", "/fold")),
    ]
    await second.plays()
    await goes_on(anna, before, second, table)
    assert not [one for one in late if one.done()]
    first.process.send_signal(signal.SIGCONT)
    assert await first.ended() == 1
    for one in late:
        with pytest.raises(ClientError):
            await one
    assert "could not be renewed in time. This process has stopped." in first.log.read_text()
    with books(postgres, schema, tmp_path).reading() as seen:
        assert answered(seen, "late-0001") == 0
    # Restarted, as by a supervisor, it waits.
    await (await house().start()).waits()
    assert await second.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


@pytest.mark.parametrize(
    ("number", "soon_s"),
    [pytest.param(signal.SIGTERM, 0.2, id="handed over"), pytest.param(signal.SIGSTOP, 0.5, id="lost")],
)
async def test_people_play_again_a_moment_after_the_books_are_free(house, postgres, schema, tmp_path, number, soon_s):
    """The best of several times counts: the node's own waits are in each, delays by other work on this machine are
    not.
    """
    owner, other, took = await house(LEASE_S=SOON_S).start(), house(LEASE_S=SOON_S), list[float]()
    await owner.plays()
    while not took or (min(took) > soon_s and len(took) < 12):
        await other.start()
        await other.waits()
        owner.process.send_signal(number)
        left_s = await asyncio.to_thread(left_at, postgres, schema, tmp_path) if number is signal.SIGSTOP else 0.0
        began = time.monotonic()
        await other.plays()
        took.append(time.monotonic() - began - left_s)
        with suppress(ProcessLookupError):
            owner.process.kill()
        await owner.ended()
        owner, other = other, owner
    assert min(took) <= soon_s, took
    assert number is signal.SIGTERM or min(took) > -0.1, "nobody takes what is not free"


def left_at(postgres: Server, schema: str, tmp_path: Path) -> float:
    """Return for how long the present owner still has the store."""
    return max(one.left_s for one in books(postgres, schema, tmp_path).find_nodes() if one.left_s is not None)


async def test_the_operator_is_told_who_plays_and_who_waits(house, postgres, schema, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RIDOTTO_BOOKS", postgres.address(schema).text)

    def told() -> list[str]:
        assert main(["nodes", "--data", str(tmp_path / "operator")]) == 0
        return [line.partition(" UTC: ")[2] for line in capsys.readouterr().out.splitlines()]

    first = await house().start()
    await first.plays()
    assert told() == ["holds the books"]
    second = await house().start()
    await second.waits()
    assert told() == ["holds the books", "waits"]
    await first.end(signal.SIGKILL)
    await second.plays()
    assert told() == ["holds the books"]
    monkeypatch.delenv("RIDOTTO_BOOKS")
    assert main(["nodes", "--data", str(tmp_path / "operator")]) == 2
    assert "For a standby, move the books to a server" in capsys.readouterr().err


async def test_a_house_that_is_cut_off_from_its_books_falls_silent_before_the_next_one_speaks(
    house, anna, postgres, schema, tmp_path, monkeypatch
):
    """The node itself is well, and people reach it; nothing tells it."""
    wire = Wire(postgres.folder / ".s.PGSQL.5432")
    address = f"postgresql://{USER}@127.0.0.1:{await wire.open()}/postgres?options=-csearch_path%3D{schema}"
    first = await house(LEASE_S=SOON_S, RIDOTTO_BOOKS=address).start()
    await first.plays()
    table = await sign_in(anna, first)
    before = await deal(anna, f"{first.url}{table}")
    second = await house().start()
    await second.waits()
    wire.cut()
    assert "ridotto_waits_for_books 0" in await text(anna, f"{first.url}/metrics")
    await second.plays()
    with pytest.raises(ClientError):
        await text(anna, f"{first.url}/metrics")
    assert await first.ended() == 1
    assert "could not be renewed in time" in first.log.read_text()
    await goes_on(anna, before, second, table)
    await wire.close()
    assert await second.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """A copy of this version with one more step in its schema."""
    tree = tmp_path / "newer"
    for room in ("bot", "engine", "storage", "tests"):
        shutil.copytree(ROOT / room, tree / room, ignore=shutil.ignore_patterns("__pycache__"))
    schema = tree / "storage" / "postgres_schema.py"
    before = schema.read_text("utf-8")
    steps = '{"schema_1": _SCHEMA}'
    assert before.count(steps) == 1
    step = '"of_the_next_version": "CREATE TABLE to_come (id BIGINT)"'
    schema.write_text(before.replace(steps, f"{steps[:-1]}, {step}}}"), "utf-8")
    return tree


async def test_a_house_of_a_newer_schema_waits_for_the_older_one_which_takes_its_books_no_more(
    house, newer, anna, postgres, schema, tmp_path
):
    steps = "SELECT count(*) FROM ridotto_steps WHERE name = 'of_the_next_version'"
    older = await house().start()
    await older.plays()
    table = await sign_in(anna, older)
    before = await deal(anna, f"{older.url}{table}")
    upgraded = await house().upgrade(newer).start()
    await upgraded.waits()
    with books(postgres, schema, tmp_path).reading() as seen:
        assert ask(seen, steps) == [(0,)]
    assert await older.end(signal.SIGTERM) == 0
    await upgraded.plays()
    await goes_on(anna, before, upgraded, table)
    await older.start()
    assert await older.ended() == 1
    assert "was written by a newer Ridotto (of_the_next_version)" in older.log.read_text()
    await upgraded.plays()
    assert await upgraded.end(signal.SIGTERM) == 0
    assert await (await upgraded.start()).is_told(200) == "ok\n"


STANDS_STILL = """
import asyncio, sys
from functools import partial
from pathlib import Path
from bot.run import _guarded_loop
from storage import system
from storage.address import parse_address
from storage.postgres import PostgresStore

async def speak():
    print("as long as the lease lasts", flush=True)
    now = system.elapsed_s() + 3600.0
    system.elapsed_s = lambda: now
    print("in the step that is under way", flush=True)
    await asyncio.sleep(0)
    print("and longer", flush=True)

books = PostgresStore(parse_address(sys.argv[1]), Path(sys.argv[2]), 3600.0).open()
books.on_gone = lambda gone: print(type(gone).__name__, flush=True)
with asyncio.Runner(loop_factory=partial(_guarded_loop, books)) as runner:
    runner.run(speak())
"""


def test_between_two_steps_of_the_loop_a_lease_that_has_run_out_ends_all_that_is_said(postgres, schema, tmp_path):
    """Any thread may notice first where a process is stopped; here no other one does."""
    ended = subprocess.run(
        [sys.executable, "-c", STANDS_STILL, postgres.address(schema).text, tmp_path],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    said = ["as long as the lease lasts", "in the step that is under way", "LeaseLost"]
    assert (ended.stdout.splitlines(), ended.returncode) == (said, 1), ended.stderr


async def test_of_two_houses_that_wait_one_takes_over_and_the_other_waits_on(house):
    first, others = await house().start(), [house(), house()]
    await first.plays()
    for one in others:
        await (await one.start()).waits()
    await first.end(signal.SIGKILL)
    async with asyncio.timeout(PATIENCE_S):
        while not (took := [one for one in others if (await one.health())[0] == 200]):
            await asyncio.sleep(STEP_S)
    (owner,), (waiting,) = took, [one for one in others if one not in took]
    await waiting.waits()
    await owner.plays()
    assert await owner.end(signal.SIGTERM) == 0
    await waiting.plays()


async def test_a_house_that_waits_ends_when_it_is_told_to_and_the_books_are_looked_after_meanwhile(
    house, postgres, schema, tmp_path, monkeypatch, capsys
):
    first, second = await house().start(), house()
    await first.plays()
    await (await second.start()).waits()
    async with ClientSession() as session, session.get(f"{second.url}/metrics") as answer:
        assert (answer.status, (await answer.text()).splitlines()[-1]) == (200, "ridotto_waits_for_books 1")
    assert in_order(monkeypatch, postgres, schema, tmp_path)
    assert main(["backup", "--data", str(tmp_path), str(tmp_path / "copy")]) == 0
    assert main(["move-books", postgres.address(schema).text, f"sqlite:{tmp_path / 'moved'}"]) == 2
    assert "Another process has opened" in capsys.readouterr().err
    assert await second.end(signal.SIGTERM) == 0
    await first.plays()
    assert await first.end(signal.SIGTERM) == 0


async def test_a_house_that_waits_ends_when_it_is_told_to_though_the_server_answers_nothing(tmp_path):
    server = Server().start()
    assert server.process is not None
    address = server.address().text
    first, second = House(tmp_path, address), House(tmp_path, address)
    try:
        await (await first.start()).plays()
        await (await second.start()).waits()
        for child in (server.process.pid, *server.children):
            os.kill(child, signal.SIGSTOP)
        await asyncio.sleep(1.0)  # it asks twenty times a second, and hangs in the next question
        began = time.monotonic()
        assert await second.end(signal.SIGTERM) == 0
        assert time.monotonic() - began < 2.0
    finally:
        server.kill()
        for one in (first, second):
            with suppress(ProcessLookupError):
                one.process.kill()
                await one.process.wait()
        server.process = None
        server.end()


async def test_a_bet_on_the_table_is_played_and_verified_by_a_machine_with_a_data_folder_of_its_own(
    house, anna, postgres, schema, tmp_path
):
    first, second = await house().start(), house()
    await first.plays()
    table = await sign_in(anna, first)
    assert not (await press(anna, f"{first.url}{table}", "bet-00001", "/bet 50"))["refused"]
    before = await text(anna, f"{first.url}{table}")
    await (await second.start()).waits()
    assert await first.end(signal.SIGKILL) == -signal.SIGKILL
    shutil.rmtree(first.folder)
    await second.plays()
    there = f"{second.url}{table}"
    after = await text(anna, there)
    assert re.findall(r'class="hash">(\w+)', after) == re.findall(r'class="hash">(\w+)', before)
    assert (await press(anna, there, "bal-00001", "/balance"))["texts"] == ["You have 950 chips."]
    async with asyncio.timeout(PATIENCE_S):
        while not own_cards(await text(anna, there)):
            await asyncio.sleep(LOOK_S)
    assert not (await press(anna, there, "fold-0001", "/fold"))["refused"]
    with books(postgres, schema, tmp_path).reading() as seen:
        ((number,),) = ask(seen, "SELECT min(id) FROM hands WHERE status = 'over'")
        assert ask(seen, "SELECT count(*) FROM logs WHERE casino = 1") == [(1,)], "the log goes on"
    record = await proven_record(anna, f"{second.url}{table.partition('/table/')[0]}/hand/{number}/record")
    verified = verify_record(record)
    assert verified["verified"], verified
    assert record["paid"]["net"]
    assert await second.end(signal.SIGTERM) == 0


async def proven_record(anna: ClientSession, address: str) -> dict[str, Any]:
    """Return the record once a head covers its payment."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with anna.get(address) as answer:
                record: dict[str, Any] = await answer.json(content_type=None) if answer.status == 200 else {}
            if "log" in record:
                return record
            await asyncio.sleep(LOOK_S)


class Balancer:
    """HAProxy as the docs configure it, in front of the nodes at these addresses; without TLS, which only needs a
    certificate.
    """

    def __init__(self, folder: Path, *nodes: str) -> None:
        program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            is_required = os.environ.get("RIDOTTO_HAPROXY_REQUIRED") == "1"
            (pytest.fail if is_required else pytest.skip)("haproxy is not installed")
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        shown = self.read_example()
        for before, after in self.changes(port, *(node.removeprefix("http://") for node in nodes)).items():
            assert before in shown
            shown = shown.replace(before, after)
        config = folder / "haproxy.cfg"
        config.write_text(shown, "utf-8")
        self.process = subprocess.Popen(
            [program, "-db", "-q", "-f", config], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def read_example(self) -> str:
        (page,) = (ROOT / "docs").rglob("standby.md")
        (shown,) = re.findall(r"```[a-z]*\n(defaults\n.*?)```", page.read_text("utf-8"), re.S)
        return str(shown)

    def changes(self, port: int, one: str, two: str) -> dict[str, str]:
        return {
            "bind :443 ssl crt /etc/haproxy/casino.pem": f"bind 127.0.0.1:{port}",
            "X-Forwarded-Proto https": "X-Forwarded-Proto http",
            "10.0.0.1:8080": one,
            "10.0.0.2:8080": two,
        }

    async def reach(self, status: int) -> None:
        """Wait until it answers so."""
        async with asyncio.timeout(PATIENCE_S), ClientSession() as session:
            while True:
                assert self.process.poll() is None, self.process.stdout and self.process.stdout.read()
                with suppress(ClientError):
                    async with session.get(f"{self.url}/healthz") as answer:
                        if answer.status == status:
                            return
                await asyncio.sleep(STEP_S)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


async def test_people_play_on_through_haproxy_when_the_writer_dies(
    house, anna, postgres, schema, tmp_path, monkeypatch
):
    first = await house().start()
    await first.plays()
    second = await house().start()
    await second.waits()
    balancer = Balancer(tmp_path, first.url, second.url)
    try:
        await balancer.reach(200)
        table = await sign_in(anna, first)
        before = await deal(anna, f"{balancer.url}{table}")
        async with anna.ws_connect(f"{balancer.url}{table}/live", headers={"Origin": balancer.url}) as live:
            assert (await live.receive(PATIENCE_S)).type is WSMsgType.TEXT
            assert await first.end(signal.SIGKILL) == -signal.SIGKILL
            async with asyncio.timeout(PATIENCE_S):
                while (await live.receive()).type is WSMsgType.TEXT:
                    pass
        await second.plays()
        await balancer.reach(200)
        await goes_on(anna, before, balancer, table)
    finally:
        balancer.end()
    assert await second.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


async def test_a_clock_that_is_wrong_neither_takes_the_books_nor_loses_them_nor_costs_a_player_time(house, anna):
    """The server's clock decides: the nodes' are wrong by more than a lease lasts."""
    first = await house(AHEAD_S="-5000").start()
    await first.plays()
    table = await sign_in(anna, first)
    before = await deal(anna, f"{first.url}{table}")
    second = await house(AHEAD_S="5000").start()
    await second.waits()
    await first.plays()
    await second.waits()
    await first.end(signal.SIGKILL)
    await second.plays()
    await goes_on(anna, before, second, table)


async def test_a_server_that_is_killed_under_both_houses_has_all_that_was_acknowledged(anna, tmp_path, monkeypatch):
    server = Server().start()
    made: list[House] = []

    async def start() -> House:
        made.append(await House(tmp_path, server.address().text).start())
        return made[-1]

    try:
        first = await start()
        await first.plays()
        second = await start()
        await second.waits()
        table = await sign_in(anna, first)
        before = await deal(anna, f"{first.url}{table}")
        server.kill()
        with suppress(ClientError):
            said = await press(anna, f"{first.url}{table}", "fold-0009", "/fold")
            raise AssertionError(f"answered without books: {said}")
        for one in (first, second):
            assert await one.ended() == 1
            assert "check the server and the network, and start the casino again" in one.log.read_text()
        server.start()
        third = await start()
        await third.plays()
        await (await start()).waits()
        await goes_on(anna, before, third, table)
        assert await third.end(signal.SIGKILL) == -signal.SIGKILL
        await made[-1].plays()
        assert await made[-1].end(signal.SIGTERM) == 0
        assert in_order(monkeypatch, server, "public", tmp_path)
    finally:
        for one in made:
            with suppress(ProcessLookupError):
                one.process.kill()
            await one.process.wait()
        server.end()
