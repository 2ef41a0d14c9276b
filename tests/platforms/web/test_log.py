"""A casino's log over HTTP: answers, refusals in a sentence, and `ridotto log check` against it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.core.writer import Writer
from engine.fairness.canonical import encode
from engine.fairness.log import is_signed
from storage.sqlite import SqliteBooks
from tests.bot.open_house import OpenHouse, open_house
from tests.cli.kept_logs import CASINO, SECRET, keep_an_evening
from tests.engine.fairness.trees import GrowingTree, is_consistent
from tests.engine.fairness.writing import Writing


class Kept:
    """An open casino with a log."""

    def __init__(self, house: OpenHouse, written: Writing) -> None:
        self.house, self.written = house, written

    async def ask(self, path: str, status: int = 200, casino: int = CASINO) -> Any:
        answer = await (await self.house.browser()).get(f"/log/{casino}/{path}", allow_redirects=False)
        assert answer.status == status, await answer.text()
        assert answer.content_type == "application/json"
        return await answer.json()


def lay_an_evening(folder: Path) -> Writing:
    with closing(SqliteBooks(folder)) as books:
        Writer(books, secret=SECRET)
        return keep_an_evening(books)


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Kept]:
    written = lay_an_evening(tmp_path)
    async with open_house(tmp_path) as house:
        yield Kept(house, written)


async def test_the_newest_head_is_the_houses(kept: Kept) -> None:
    said = await kept.ask("head")
    assert is_signed(said["head"], said["signature"])
    assert (said["head"]["casino"], said["head"]["size"]) == (str(CASINO), len(kept.written.entries))


async def test_entries_come_as_they_were_written(kept: Kept) -> None:
    assert (await kept.ask("entries?from=1&to=9"))["entries"] == kept.written.entries[1:9]
    assert (await kept.ask("entries?from=4&to=4"))["entries"] == []
    assert (await kept.ask("entries?from=1&to=9&log=1"))["entries"] == kept.written.entries[1:9]


async def test_two_heads_are_shown_to_belong_together(kept: Kept) -> None:
    newest, old = (await kept.ask("head"))["head"], 5
    proof = (await kept.ask(f"consistency?from={old}&to={newest['size']}"))["proof"]
    some = (await kept.ask(f"entries?from=0&to={old}"))["entries"]
    tree = GrowingTree()
    for entry in some:
        tree.append(encode(entry))
    nodes = [bytes.fromhex(node) for node in proof]
    assert is_consistent(old, tree.root(), newest["size"], bytes.fromhex(newest["root"]), nodes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("entries", 400, "from must be a whole number from 0."),
        ("entries?from=0", 400, "to must be a whole number from 0."),
        ("entries?from=-1&to=2", 400, "from must be a whole number from 0."),
        ("entries?from=1e3&to=2", 400, "from must be a whole number from 0."),
        ("entries?from=0&to=99999999999999999999", 400, "to must be a whole number from 0."),
        ("entries?from=%C2%B2&to=3", 400, "from must be a whole number from 0."),
        ("entries?from=3&to=2", 400, "The range must not end before it begins."),
        ("entries?from=0&to=100000", 400, "This log has {size} entries."),
        ("consistency?from=1&to=100000", 400, "This log has {size} entries."),
        ("head?log=0", 400, "log must be a whole number from 1."),
        ("head?log=2", 404, "There is no such log here."),
    ],
)
async def test_what_cannot_be_answered_is_refused_in_a_sentence(kept: Kept, path: str, status: int, why: str) -> None:
    said = await kept.ask(path, status)
    assert said == {"refused": why.format(size=len(kept.written.entries))}


async def test_a_casino_without_a_log_has_none_to_show(kept: Kept) -> None:
    assert await kept.ask("head", 404, casino=77) == {"refused": "There is no such log here."}


async def test_no_answer_is_longer_than_a_page(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.platforms.web.log.MOST_ENTRIES", 10)
    assert len((await kept.ask("entries?from=0&to=10"))["entries"]) == 10
    assert await kept.ask("entries?from=0&to=11", 400) == {"refused": "Ask for at most 10 entries at once."}


async def test_a_stranger_checks_the_log_of_a_house_with_a_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = lay_an_evening(tmp_path)
    async with open_house(tmp_path, password="a secret of guests") as house:
        assert await asyncio.to_thread(main, ["log", "check", f"{house.url}/log/{CASINO}"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["entries"], said["heads"], said["faults"]) == (len(written.entries), len(written.heads), [])
