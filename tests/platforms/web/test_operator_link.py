"""The link that appoints an inspector: created by the command line, good once and for a quarter of an hour."""

import re
import stat
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar

from bot.platforms.web.operator_link import FILE, LASTS_S, find_link, make_link, use_up
from tests.bot.open_house import OPERATOR, open_house
from tests.bot.test_config import run
from tests.bot.test_restart import start
from tests.disk import on_disk


def test_a_link_opens_for_a_quarter_of_an_hour(tmp_path: Path) -> None:
    token = make_link(tmp_path, 1000.0)
    assert find_link(tmp_path, token, 1000.0 + LASTS_S - 1)
    assert not find_link(tmp_path, token, 1000.0 + LASTS_S)
    assert not find_link(tmp_path, token, 900.0), "a clock that was set back gives no more time"
    assert not find_link(tmp_path, token[:-1], 1000.0)
    assert LASTS_S == 15 * 60


def test_a_newer_link_takes_the_place_of_the_older(tmp_path: Path) -> None:
    first, second = make_link(tmp_path, 1000.0), make_link(tmp_path, 1000.0)
    assert not find_link(tmp_path, first, 1000.0)
    assert find_link(tmp_path, second, 1000.0)
    use_up(tmp_path)
    use_up(tmp_path)
    assert not find_link(tmp_path, second, 1000.0)


@pytest.mark.parametrize("kept", ["", "x", "x y z", "\xff\xfe", f"{'0' * 64} soon"])
def test_what_lies_there_and_is_no_link_opens_nothing(tmp_path: Path, kept: str) -> None:
    (tmp_path / FILE).write_bytes(kept.encode("latin-1"))
    assert not find_link(tmp_path, "x", 1000.0)


def test_the_file_says_nothing_of_the_link_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    token = make_link(tmp_path, 1000.0)
    assert token not in (tmp_path / FILE).read_text()
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


async def test_a_link_that_has_ended_makes_nobody_an_inspector(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        anna = await house.enter("Anna")
        house.ahead[0] += LASTS_S + 1
        answer = await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
        assert answer.status == 404
        assert "ridotto operator" in await answer.text()
        assert not house.lounge.casino.state.inspectors


async def test_whoever_holds_it_becomes_an_inspector_though_others_have_their_name(tmp_path: Path) -> None:
    """Two people may have the same name in an old store."""
    async with open_house(tmp_path) as house:
        anna, bea = await house.enter("Anna"), await house.enter("Bea")
        on_disk(house.writer.books).db.execute("UPDATE players SET name = 'Anna' WHERE id = ?", [bea.id])
        answer = await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
        assert answer.status == 200
        assert house.lounge.casino.state.inspectors == (anna.id,)


def link_in(printed: str) -> str:
    (path,) = re.findall(r"/operator/[\w-]{32}$", printed, re.M)
    return str(path)


@pytest.mark.slow
async def test_the_command_line_makes_one_beside_the_running_house_and_without_it(tmp_path: Path) -> None:
    books = tmp_path / "books"
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        async with start(books) as house:
            made = run(tmp_path, "operator", "--data", str(books), RIDOTTO_WEB="127.0.0.1:0")
            assert (made.returncode, made.stderr) == (0, "")
            async with session.get(house.operator) as answer:
                assert answer.status == 404, "the newer one took its place"
            async with session.post(house.url + link_in(made.stdout), data={"name": "Marco"}) as answer:
                assert answer.url.path.endswith("/operator")
            async with session.get(house.url + link_in(made.stdout)) as answer:
                assert answer.status == 404, "it is used up"
        made = run(tmp_path, "operator", "--data", str(books), RIDOTTO_WEB="127.0.0.1:8080")
        assert made.stdout.startswith("Once, within 15 minutes: http://127.0.0.1:8080/operator/")
        async with start(books) as house:
            assert not house.operator, "with an inspector there, no start prints a link"
            async with session.post(house.url + link_in(made.stdout), data={"name": "Zorzi"}) as answer:
                assert answer.url.path.endswith("/operator")


def test_the_command_line_says_why_it_makes_none(tmp_path: Path) -> None:
    none = run(tmp_path, "operator", "--data", str(tmp_path / "nowhere"))
    assert (none.returncode, none.stdout, none.stderr.count("\n")) == (2, "", 1)
    assert "There are no books" in none.stderr
    assert not (tmp_path / "nowhere").exists()
    off = run(tmp_path, "operator", RIDOTTO_WEB="off")
    assert (off.returncode, off.stdout, off.stderr.count("\n")) == (2, "", 1)
    assert "RIDOTTO_WEB" in off.stderr
