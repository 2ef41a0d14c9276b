"""Two real houses on the books of one server, with a lane between them: people may come to either, at any time. The
lounge's own casino is kept by the one that came first.
"""

import asyncio
import re
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession, WSMsgType

from bot.__main__ import main
from bot.lanes.wire import LaneLost, NotLetIn, call
from storage import house_key
from tests.bot.open_house import TABLE
from tests.bot.test_restart import deal, own_cards, press, text
from tests.bot.test_take_over import (
    SECRET,
    SOON_S,
    WAITS,
    House,
    anna,  # noqa: F401  (a fixture)
    answered,
    books,
    goes_on,
    house,  # noqa: F401  (a fixture)
    in_order,
    schema,  # noqa: F401  (a fixture)
)
from tests.patience import PATIENCE_S, STEP_S
from tests.postgres_server import Server
from tests.some import some

pytestmark = [pytest.mark.outside, pytest.mark.slow]

OTHER = "the secret of some other house"
# Who waits for a house that stands still asks again after it.
AGAIN_S = 2.0
ENDS = {signal.SIGKILL: -signal.SIGKILL, signal.SIGSTOP: 1, signal.SIGTERM: 0}
Make = Callable[..., House]


async def two(make: Make, **settings: str) -> tuple[House, House]:
    """One that keeps the lounge, and one that keeps other wings."""
    first = await make(RIDOTTO_SECRET=SECRET, **settings).start()
    await first.plays()
    second = await make(RIDOTTO_SECRET=SECRET, **settings).start()
    await second.plays()
    return first, second


async def status_at(somebody: ClientSession, url: str) -> int:
    async with somebody.get(url) as answer:
        return answer.status


async def sign_in(browser: ClientSession, operator: str, url: str) -> str:
    """By the operator's link, at the address of whichever house; the path of a table as she sees it."""
    link = f"{url}/operator/{operator.rpartition('/')[2]}"
    async with browser.post(link, data={"name": "Anna"}) as answer:
        return f"{answer.url.path.removesuffix('/operator')}{TABLE}"


async def press_until_answered(browser: ClientSession, url: str, key: str, line: str) -> dict[str, Any]:
    """As a page does: under the same key until somebody has answered."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with suppress(ClientError, TimeoutError):
                async with asyncio.timeout(AGAIN_S):
                    return await press(browser, url, key, line)
            await asyncio.sleep(STEP_S)


async def test_people_who_come_to_the_other_house_play_in_the_one_that_keeps_the_lounge(house, anna):  # noqa: F811
    first, second = await two(house)
    table = await sign_in(anna, first.operator, second.url)
    before = await deal(anna, f"{second.url}{table}")
    assert own_cards(await text(anna, f"{first.url}{table}")) == own_cards(before), "it is one house"
    async with anna.ws_connect(f"{second.url}{table}/live") as page:
        assert (await page.receive()).type is WSMsgType.TEXT
        assert not (await press(anna, f"{first.url}{table}", "fold-0001", "/fold"))["refused"]
        changed = await asyncio.wait_for(page.receive(), PATIENCE_S)
        assert changed.type is WSMsgType.TEXT
    await second.plays()
    assert (await press(anna, f"{second.url}{table}", "bal-00001", "/balance"))["texts"] == ["You have 950 chips."]
    async with anna.get(f"{second.url}/static/nothing") as answer:
        assert answer.status == 404
    async with anna.get(f"{second.url}/metrics") as answer:
        assert {"ridotto_wings 32", "ridotto_waits_for_books 0"} <= {*(await answer.text()).splitlines()}


async def keeps(somebody: ClientSession, house: House, wings: int) -> None:  # noqa: F811
    """Waits until it does."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with somebody.get(f"{house.url}/metrics") as answer:
                if f"ridotto_wings {wings}" in (await answer.text()).splitlines():
                    return
            await asyncio.sleep(STEP_S)


@pytest.mark.parametrize("number", [*ENDS])
async def test_whatever_becomes_of_the_keeper_what_is_said_at_the_other_address_is_answered_and_done_once(
    house,  # noqa: F811
    anna,  # noqa: F811
    postgres,
    schema,  # noqa: F811
    tmp_path,
    monkeypatch,
    number,
):
    first, second = await two(house, LEASE_S=SOON_S)
    table = await sign_in(anna, first.operator, second.url)
    before = await deal(anna, f"{second.url}{table}")
    assert (await press(anna, f"{second.url}{table}", "bal-00001", "/balance"))["texts"] == ["You have 950 chips."]
    said = []
    for key in range(20):
        if key == 10:
            first.process.send_signal(number)
        line = "/give Beppe 1" if key % 2 else "/balance"
        said.append(await press_until_answered(anna, f"{second.url}{table}", f"said-{key:05}", line))
    assert all(one["texts"] for one in said)
    await keeps(anna, second, 64)
    await goes_on(anna, before, second, table)
    if number is signal.SIGSTOP:
        first.process.send_signal(signal.SIGCONT)
    assert await first.ended() == ENDS[number]
    with books(postgres, schema, tmp_path).reading() as seen:
        assert answered(seen, "fold-0001") == 1
    assert await second.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


async def test_houses_with_different_secrets_say_so_and_the_one_that_keeps_nothing_says_that_it_waits(house, anna):  # noqa: F811
    first = await house(RIDOTTO_SECRET=SECRET).start()
    await first.plays()
    second = house(RIDOTTO_SECRET=OTHER)
    second.folder.mkdir()
    shutil.copy(first.folder / house_key.FILE, second.folder)
    await second.start()
    await second.waits()
    refused = "has another RIDOTTO_SECRET: give all houses on these books the same one"
    async with asyncio.timeout(PATIENCE_S):
        while refused not in second.log.read_text():
            assert await status_at(anna, f"{second.url}/") == 503
    async with anna.get(f"{second.url}/") as answer:
        assert (answer.status, "Another machine of this house keeps that" in await answer.text()) == (503, True)
    assert "Somebody with another RIDOTTO_SECRET has called" in first.log.read_text()
    for one in (first, second):
        assert SECRET not in one.log.read_text()
        assert OTHER not in one.log.read_text()


async def test_a_house_with_another_secret_leaves_nothing_that_keeps_it_out_when_it_has_theirs(house):  # noqa: F811
    first = await house(RIDOTTO_SECRET=SECRET).start()
    await first.plays()
    second = house(RIDOTTO_SECRET=OTHER)
    await second.start()
    assert await second.ended() == 1
    assert "set RIDOTTO_SECRET to the same value here" in second.log.read_text()
    assert not (second.folder / house_key.FILE).exists()
    second.set(RIDOTTO_SECRET=SECRET)
    await second.start()
    await second.plays()


async def test_without_a_secret_there_is_no_lane(house, anna):  # noqa: F811
    first = await house().start()
    await first.plays()
    second = house(RIDOTTO_SECRET=SECRET)
    shutil.copytree(first.folder, second.folder)
    await second.start()
    await second.waits()
    async with anna.get(f"{second.url}/") as answer:
        assert (answer.status, await answer.text()) == (503, WAITS)
    assert "other houses reach" not in first.log.read_text()


async def test_a_lane_lets_nobody_in_without_the_secret_and_is_told_with_the_houses(
    house,  # noqa: F811
    schema,  # noqa: F811
    postgres: Server,
    tmp_path: Path,
):
    both = await two(house)
    lanes = [some(one.lane) for one in books(postgres, schema, tmp_path).find_houses() if one.wings]
    for one, lane in zip(both, lanes, strict=True):
        assert re.search(rf"other houses reach this one at {re.escape(lane)}", one.log.read_text())
    with pytest.raises(NotLetIn):
        await call(lane, OTHER.encode())
    wire = await call(lane, SECRET.encode())
    wire.write(b"something else")
    with pytest.raises(LaneLost):
        await wire.read()
    wire.close()


async def test_the_operator_has_the_books_handed_over_and_nobody_loses_his_hand(
    house,  # noqa: F811
    anna,  # noqa: F811
    postgres,
    schema,  # noqa: F811
    tmp_path,
    monkeypatch,
    capsys,
):
    monkeypatch.setenv("RIDOTTO_BOOKS", postgres.address(schema).text)
    operator = str(tmp_path / "operator")

    def release(*lane: str) -> tuple[int, str]:
        status = main(["release", "--data", operator, *lane])
        told = capsys.readouterr()
        return status, told.out + told.err

    first = await house(RIDOTTO_SECRET=SECRET).start()
    await first.plays()
    status, told = release()
    assert (status, told) == (
        2,
        "ridotto: RIDOTTO_SECRET is not set: only a house's own operator asks it for its books.\n",
    )
    monkeypatch.setenv("RIDOTTO_SECRET", SECRET)
    status, told = release()
    assert status == 2
    assert "start another first, or the casino would be closed." in told
    table = await sign_in(anna, first.operator, first.url)
    before = await deal(anna, f"{first.url}{table}")
    assert (await press(anna, f"{first.url}{table}", "bal-00001", "/balance"))["texts"] == ["You have 950 chips."]
    second = await house(RIDOTTO_SECRET=SECRET).start()
    await second.plays()
    lane = some(re.search(r"other houses reach this one at ([\d.:]+)", first.log.read_text()))[1]
    monkeypatch.setenv("RIDOTTO_SECRET", OTHER)
    status, told = await asyncio.to_thread(release, lane)
    assert status == 2
    assert "has another RIDOTTO_SECRET" in told
    await first.plays()
    monkeypatch.setenv("RIDOTTO_SECRET", SECRET)
    status, told = await asyncio.to_thread(release, lane)
    assert (status, "The books are handed over.\nfrom " in told) == (0, True), told
    assert await first.ended() == 0
    await second.plays()
    await goes_on(anna, before, second, table)
    assert await second.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)
