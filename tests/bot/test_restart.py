"""The real process: killed in the middle of a hand and started again; ended politely."""

import asyncio
import json
import os
import re
import resource
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession, CookieJar

from storage.sqlite import FILE
from tests.bot.open_house import TABLE
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent.parent
# The lounge would refuse more frequent requests.
LOOK_S = 0.2
DEALT = (sys.executable, "-m", "tests.dealt")


class House:
    """`ridotto run` in a separate process; `operator` is "" if there is an inspector already."""

    def __init__(self, process: asyncio.subprocess.Process, url: str, operator: str) -> None:
        self.process, self.url, self.operator = process, url, operator

    async def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return await asyncio.wait_for(self.process.wait(), PATIENCE_S)


@asynccontextmanager
async def start(folder: Path, ridotto: Sequence[str] = DEALT, **settings: str) -> AsyncIterator[House]:
    """Start a process; `ridotto` is the command line."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
    process = await asyncio.create_subprocess_exec(
        *ridotto,
        "run",
        "--data",
        str(folder),
        "--guests",
        "0",
        env={**clean, "PYTHONPATH": str(ROOT), "RIDOTTO_WEB": "127.0.0.1:0", **settings},
        cwd=folder.parent,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        lines = [(await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)).decode() for _ in range(2)]
        url, operator = (re.search(r"http://\S+", line) for line in lines)
        assert url is not None, lines
        yield House(process, url[0].rstrip("/"), operator[0] if operator else "")
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.fixture
async def browser_of_anna() -> AsyncIterator[ClientSession]:
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield session


async def press(session: ClientSession, url: str, key: str, line: str) -> dict[str, Any]:
    async with session.post(f"{url}/press", json={"key": key, "line": line}) as answer:
        said: dict[str, Any] = await answer.json()
        return said


async def text(session: ClientSession, url: str) -> str:
    async with session.get(url) as answer:
        assert answer.status == 200
        return await answer.text()


def own_cards(html: str) -> list[str]:
    mine = html[html.index('data-part="mine"') :]
    return re.findall(r"([a-z]+ of [a-z]+): ", mine)


async def deal(session: ClientSession, table: str) -> str:
    """Bet and wait for the cards; return the page of the hand in play."""
    assert not (await press(session, table, "set-00001", "/table set betting_s 5"))["refused"]
    assert not (await press(session, table, "bet-00001", "/bet 50"))["refused"]
    async with asyncio.timeout(PATIENCE_S):
        while not own_cards(html := await text(session, table)):
            await asyncio.sleep(LOOK_S)
    return html


@pytest.mark.slow
async def test_a_house_killed_in_a_hand_goes_on_with_the_same_hand(
    tmp_path: Path, browser_of_anna: ClientSession
) -> None:
    anna, folder = browser_of_anna, tmp_path / "books"
    async with start(folder) as house:
        async with anna.post(house.operator, data={"name": "Anna"}) as answer:
            base = answer.url.path.removesuffix("/operator")
        before = await deal(anna, f"{house.url}{base}{TABLE}")
        await house.end(signal.SIGKILL)
    async with start(folder, DEALT="again") as house:
        table = f"{house.url}{base}{TABLE}"
        after = await text(anna, table)
        assert own_cards(after) == own_cards(before)
        assert len(own_cards(after)) == 5
        assert re.findall(r'class="hash">(\w+)', after) == re.findall(r'class="hash">(\w+)', before)
        now = float(re.findall(r'data-now="([0-9.]+)"', after)[0])
        deadline = float(re.findall(r'data-deadline="([0-9.]+)"', after)[0])
        assert 20 < deadline - now <= 30, "the clock starts anew"
        assert (await press(anna, table, "bal-00001", "/balance"))["texts"] == ["You have 950 chips."]
        # The bet from before the kill is recognised when sent again.
        assert not (await press(anna, table, "bet-00001", "/bet 50"))["refused"]
        assert (await press(anna, table, "bal-00002", "/balance"))["texts"] == ["You have 950 chips."]
        assert not (await press(anna, table, "fold-0001", "/fold"))["refused"]
        assert (await press(anna, table, "bal-00003", "/balance"))["texts"] == ["You have 950 chips."]
        assert "you" in await text(anna, f"{house.url}{base}/hand/1")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_polite_end_says_so_at_the_tables_and_is_quick(
    tmp_path: Path, browser_of_anna: ClientSession, number: signal.Signals
) -> None:
    anna = browser_of_anna
    async with start(tmp_path / "books") as house:
        async with anna.post(f"{house.url}/sign-in", data={"name": "Anna"}) as answer:
            table = f"{house.url}{answer.url.path}table/1"
        async with anna.ws_connect(f"{table}/live") as socket:
            await socket.receive_json()
            assert await house.end(number) == 0
            told = [message.data async for message in socket]
        assert any("notice" in json.loads(one) for one in told)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can fill the disk of a running process")
async def test_books_that_cannot_be_written_end_the_house_and_nothing_was_said(
    tmp_path: Path, browser_of_anna: ClientSession
) -> None:
    anna, folder = browser_of_anna, tmp_path / "books"
    async with start(folder) as house:
        async with anna.post(f"{house.url}/sign-in", data={"name": "Anna"}) as answer:
            base = answer.url.path.rstrip("/")
        resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, (1, 1))
        with pytest.raises(ClientError):
            await press(anna, f"{house.url}{base}{TABLE}", "bet-00001", "/bet 50")
        assert await asyncio.wait_for(house.process.wait(), PATIENCE_S) == 1
    async with start(folder) as house:
        said = await press(anna, f"{house.url}{base}{TABLE}", "bal-00001", "/balance")
        assert said["texts"] == ["You have 1,000 chips."]


@pytest.mark.slow
async def test_books_that_cannot_be_read_end_the_house_whoever_looks(
    tmp_path: Path, browser_of_anna: ClientSession
) -> None:
    """A page reads beside the writer, whose own pages of the file are still in memory."""
    anna, folder = browser_of_anna, tmp_path / "books"
    async with start(folder) as house:
        await house.end(signal.SIGTERM)
    async with start(folder) as house:
        async with anna.post(f"{house.url}/sign-in", data={"name": "Anna"}) as answer:
            base = answer.url.path.rstrip("/")
        with open(folder / FILE, "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        async with anna.get(f"{house.url}{base}/statistics") as answer:
            assert answer.status == 503
            assert "Something went wrong" in await answer.text()
        assert await asyncio.wait_for(house.process.wait(), PATIENCE_S) == 1
        assert house.process.stderr is not None
        lines = (await house.process.stderr.read()).decode().splitlines()
        told = [json.loads(line) for line in lines if line.startswith("{")]
        assert [one["says"] for one in told if one["level"] in ("error", "critical")] == [
            "The books cannot be read or written (database disk image is malformed): run “ridotto doctor” "
            "to find out whether the file is damaged."
        ]
        assert "Traceback" not in "".join(lines)


@pytest.mark.slow
async def test_a_port_or_a_folder_in_use_is_one_line(tmp_path: Path) -> None:
    async with start(tmp_path / "books") as house:
        address = house.url.removeprefix("http://")
        for folder, web, named in (("other", address, "RIDOTTO_WEB"), ("books", "127.0.0.1:0", "in use")):
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot",
                "--data",
                str(tmp_path / folder),
                env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "RIDOTTO_WEB": web},
                cwd=tmp_path,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            out, err = await asyncio.wait_for(process.communicate(), PATIENCE_S)
            assert process.returncode == 1
            assert out == b""
            assert err.count(b"\n") == 1
            assert named in err.decode()


async def test_no_secret_comes_into_the_logs(tmp_path: Path, browser_of_anna: ClientSession) -> None:
    anna = browser_of_anna
    async with start(tmp_path / "books", RIDOTTO_LOG="debug") as house:
        async with anna.post(house.operator, data={"name": "Anna"}) as answer:
            base = answer.url.path.removesuffix("/operator")
        (cookie,) = (one.value for one in anna.cookie_jar if one.key.startswith("ridotto-"))
        await press(anna, f"{house.url}{base}{TABLE}", "bet-00001", "/bet 50")
        await house.end(signal.SIGTERM)
        assert house.process.stderr is not None
        logged = (await house.process.stderr.read()).decode()
    assert all(json.loads(line) for line in logged.splitlines())
    assert cookie not in logged
    assert house.operator.rpartition("/")[2] not in logged
