"""The page about a casino's log: it agrees with the log, shows no seed, and its cost does not grow."""

import asyncio
import json
import re
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.core.casinos import log_health
from bot.core.rounds.commitments import CHANGED
from bot.core.state.lounge import LOUNGE
from bot.core.state.transaction import Transaction
from bot.core.writer import Writer
from storage.questions import logs
from storage.rows import HandRow, OpeningRow
from storage.sqlite import SqliteBooks
from tests.bot.open_house import OPERATOR, TABLE, OpenHouse, open_house
from tests.cli.kept_logs import CASINO, SECRET, keep_an_evening
from tests.disk import ask
from tests.engine.fairness.writing import Writing
from tests.some import some
from tests.storage.drafts import write

MORNING = 1_800_000_000


def lay_an_evening(folder: Path) -> Writing:
    with closing(SqliteBooks(folder)) as books:
        Writer(books, secret=SECRET)
        return keep_an_evening(books)


async def lay_waiting(folder: Path, *openings: tuple[int, int, int]) -> None:
    """Store waiting seeds: (hand, casino, time of opening)."""
    async with open_house(folder):
        """With tables."""
    with closing(SqliteBooks(folder)) as books:
        for hand, casino, at in openings:
            seed = bytes([hand]) * 32
            write(books, HandRow(hand, casino, 1, "stud", "over", seed, "{}", 0.0, 1.0), OpeningRow(hand, casino, at))


async def look(house: OpenHouse, casino: int = CASINO, status: int = 200, more: str = "") -> str:
    """Return the page as a stranger sees it."""
    answer = await (await house.browser()).get(f"/log/{casino}{more}", allow_redirects=False)
    assert answer.status == status
    return await answer.text()


def said_in(html: str, heading: str) -> list[str]:
    """Return the list below a heading, as (count × reason) in words."""
    after = re.split(f"<h[23]>{heading}", html, maxsplit=1)[-1]
    return [re.sub(r"<[^>]*>", "", item) for item in re.findall(r"<li>(.*?)</li>", after.partition("</ul>")[0])]


def counted(entries: list[dict[str, Any]], kind: str, why: str) -> list[str]:
    found = Counter(entry[why] for entry in entries if entry["k"] == kind and entry[why])
    return [f"{count} × {reason}" for reason, count in found.most_common()]


async def test_a_stranger_reads_how_the_log_stands_at_a_house_with_a_password(tmp_path: Path) -> None:
    written = lay_an_evening(tmp_path)
    async with open_house(tmp_path, password="a secret of guests") as house:
        html, newest = await look(house), json.loads(await look(house, more="/head"))["head"]
        assert f'<code class="hash">{newest["root"][:32]}</code>' in html
        assert newest["root"][:33] not in html
        assert f"{newest['size']} entries" in html
        assert f"<dt>Entries</dt><dd>{len(written.entries)}</dd>" in html
        assert "<dt>Number of the log</dt><dd>1</dd>" in html
        assert "the casino&#39;s first log" in html
        assert f"log check {house.url}/log/{CASINO}</pre>" in html
        assert f'<a href="/log/{CASINO}/head">' in html
        assert "Venice" not in html, "a community's name is its members'"


async def test_dropped_and_void_hands_are_those_that_a_check_of_the_log_finds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_an_evening(tmp_path)
    async with open_house(tmp_path) as house:
        html = await look(house)
        assert await asyncio.to_thread(main, ["log", "check", f"{house.url}/log/{CASINO}"]) == 0
    found = json.loads(capsys.readouterr().out)
    for heading, kind in (("Cancelled", "dropped"), ("Void", "voided")):
        reasons = Counter(hand["why"] for hand in found[kind])
        assert reasons
        assert sorted(said_in(html, heading)) == sorted(f"{count} × {why}" for why, count in reasons.items())
    assert said_in(html, "Jackpot changed") == ["1 × counted again", "1 × a present"]
    assert "Counts the whole log." in html


async def test_of_a_long_log_the_newest_entries_alone_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = lay_an_evening(tmp_path)
    newest = written.entries[-40:]
    monkeypatch.setattr(log_health, "MOST_COUNTED", len(newest))
    async with open_house(tmp_path) as house:
        html = await look(house)
    assert f"Counts the newest {len(newest)} entries only." in html
    assert f"<dt>Entries</dt><dd>{len(written.entries)}</dd>" in html
    voided = counted(newest, "paid", "void")
    assert said_in(html, "Void") == (voided or ["No hand."])
    assert voided != counted(written.entries, "paid", "void")


@pytest.mark.long
def test_what_is_read_does_not_grow_with_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = lay_an_evening(tmp_path)
    monkeypatch.setattr(log_health, "MOST_COUNTED", 10)
    asked: list[str] = []
    with closing(SqliteBooks(tmp_path)) as books:
        books.db.conn.set_trace_callback(asked.append)
        read = some(log_health.read_health(books, CASINO))
        books.db.conn.set_trace_callback(None)
        (first,) = logs.entries(books, CASINO, 1, 0, 1)
        rows = [ask(books, sql) for sql in asked]
        plans = [line for sql in asked for *_ids, line in ask(books, f"EXPLAIN QUERY PLAN {sql}")]
    assert (read.size, read.counted, read.began) == (len(written.entries), 10, json.loads(first)["at"])
    assert read.size > 100 > 10 >= max(len(found) for found in rows)
    assert plans
    assert not [line for line in plans if not line.startswith("SEARCH")]


async def test_seeds_that_wait_are_those_of_the_casino_and_the_first_is_named(tmp_path: Path) -> None:
    lay_an_evening(tmp_path)
    await lay_waiting(
        tmp_path, (71, CASINO, MORNING + 60), (72, CASINO, MORNING), (73, LOUNGE, MORNING - 60), (74, CASINO, 0)
    )
    async with open_house(tmp_path) as house:
        html = await look(house)
    assert "<dd>2, the first at 2027-01-15 08:00 UTC</dd>" in html
    assert not [hand for hand in (71, 72, 73, 74) if bytes([hand] * 6).hex() in html], "a seed that waits is hidden"


async def test_seeds_that_are_shown_next_are_named_and_none_of_another_casino(tmp_path: Path) -> None:
    lay_an_evening(tmp_path)
    await lay_waiting(tmp_path, (71, CASINO, MORNING + 60), (72, CASINO, MORNING), (73, LOUNGE, MORNING - 60))
    async with open_house(tmp_path) as house:
        _, _, listed = (await look(house)).partition('id="due">')
    items = re.findall(r"<li>(.*?)</li>", listed.partition("</ul>")[0])
    assert items == ["Hand 72: 2027-01-15 08:00 UTC", "Hand 71: 2027-01-15 08:01 UTC"]


def lay_two_logs(folder: Path) -> Writing:
    """Store two logs: a finished one, and the next one at its beginning."""
    with closing(SqliteBooks(folder)) as books:
        writer = Writer(books, secret=SECRET)
        written = keep_an_evening(books)
        transaction = Transaction(writer.state)
        transaction.begin_log(CASINO, "the books were restored", MORNING)
        books.write(transaction)
        writer.state.publish(transaction)
        writer.heads.sign()
        writer.round([], [])
    return written


async def test_older_logs_are_listed_and_each_has_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = lay_two_logs(tmp_path)
    async with open_house(tmp_path) as house:
        newest = await look(house)
        older = await look(house, more="?log=1")
        assert "<dt>Number of the log</dt><dd>2</dd>" in newest
        assert "<dd>1</dd>" in newest
        assert "<dt>Number of the log</dt><dd>1</dd>" in older
        assert f"<dt>Entries</dt><dd>{len(written.entries)}</dd>" in older
        for html in (newest, older):
            _, _, listed = html.partition('id="logs">')
            found = re.findall(
                r'<a href="(.*?)">Log (\d)</a>: .*?, Entries: (\d+), <span lang="en">(.*?)</span>', listed
            )
            assert found == [
                (f"/log/{CASINO}", "2", "1", "the books were restored"),
                (f"/log/{CASINO}?log=1", "1", str(len(written.entries)), "the casino&#39;s first log"),
            ]
        assert 'id="known"' in newest
        assert 'id="known"' not in older, "what a browser remembers is held against the newest one"
        assert sorted(said_in(older, "Cancelled")) != said_in(newest, "Cancelled") == ["No hand."]
        assert f'/log/{CASINO}/head?log=1"' in older
        assert f"to={len(written.entries)}&amp;log=1" in older
        assert f'log check "{house.url}/log/{CASINO}?log=1"</pre>' in older
        assert await asyncio.to_thread(main, ["log", "check", f"{house.url}/log/{CASINO}?log=1"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert (said["entries"], said["faults"]) == (len(written.entries), [])
        assert "This casino has no log yet" in await look(house, status=404, more="?log=3")
        assert "<dt>Number of the log</dt><dd>2</dd>" in await look(house, more="?log=x")


async def test_a_casino_without_a_log_has_no_page(house: OpenHouse) -> None:
    assert "This casino has no log yet" in await look(house, 77, 404)


async def test_no_seed_of_an_open_hand_stands_on_the_page(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    for step in ("betting", "dealt"):
        if step == "betting":
            await anna.press("bet", "50")
        else:
            await house.wait(30)
        pages = [await look(house, LOUNGE), await anna.page("/log/1")]
        open_tables = [table for table in house.writer.state.tables.values() if table.round.commitment is not None]
        assert open_tables
        for table in open_tables:
            assert len(table.round.seed) == 32
            assert not [html for html in pages if table.round.seed.hex()[:12] in html]
    assert house.table().round.hand is not None, "the hand is being played"


async def test_what_an_inspector_changes_drops_a_hand_with_its_reason(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    assert said_in(await look(house, LOUNGE), "Cancelled") == ["No hand."]
    await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    assert not (await anna.type("/table set maximum 100 because"))["refused"]
    assert said_in(await look(house, LOUNGE), "Cancelled") == [f"1 × {CHANGED}"]


async def test_the_page_on_checking_and_a_table_lead_to_it(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.press("bet", "50")
    assert f'href="{anna.base}/log/1"' in await anna.page("/verify")
    assert 'href="../log/1"' in await anna.page(TABLE)
    assert "The log of casino 1" in await anna.page("/log/1")
    stranger = await house.browser()
    assert 'href="/log/1"' in await (await stranger.get("/verify")).text()
    answer = await stranger.get(f"{anna.base}/log/1")
    assert (answer.status, answer.url.path) == (200, "/log/1")
