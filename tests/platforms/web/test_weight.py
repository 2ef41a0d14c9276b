"""The size of a page for a new browser: the page and all files that it names."""

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

import bot.platforms.web
from bot.core.state.plays import PLAYS
from bot.view.pictures.felt import Board, felt_of
from tests.bot.open_house import OpenHouse
from tests.core.conftest import TABLES

STATIC = Path(bot.platforms.web.__file__).parent / "static"
NAMED = re.compile(r'(?:src|href)="(/(?:static|cards|places)/[^"]+)"')


@pytest.fixture
async def wire(house: OpenHouse) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser that shows bytes as they come; it may keep cookies of an address without a name."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(house.url, auto_decompress=False, cookie_jar=jar) as session:
        yield session


async def bytes_of(wire: aiohttp.ClientSession, path: str) -> bytes:
    async with wire.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.status == 200, path
        return await answer.read()


async def weigh(wire: aiohttp.ClientSession, path: str) -> int:
    page = await bytes_of(wire, path)
    named = set(NAMED.findall(gzip.decompress(page).decode()))
    assert named
    return len(page) + sum([len(await bytes_of(wire, one)) for one in named])


async def test_the_first_page_weighs_little(wire: aiohttp.ClientSession) -> None:
    assert await weigh(wire, "/") <= 14_000


@pytest.mark.parametrize("game", PLAYS)
async def test_a_table_weighs_little_even_for_who_has_seen_nothing(
    house: OpenHouse, wire: aiohttp.ClientSession, game: str
) -> None:
    async with wire.post("/sign-in", data={"name": "Anna"}) as answer:
        base = answer.url.path.rstrip("/")
    layout = felt_of(game).layout
    places = len(layout.cells) if isinstance(layout, Board) else 0
    assert await weigh(wire, f"{base}/table/{TABLES[game]}") <= 40_000 + 36 * places


@pytest.mark.parametrize("name", ["table.css", "lounge.js", "ridotto.svg"])
async def test_a_file_comes_compressed_or_as_it_is_and_only_once(wire: aiohttp.ClientSession, name: str) -> None:
    """Comments that fill their lines, and the indentation of style sheets, are left out."""
    lines, is_comment, content = (STATIC / name).read_bytes().split(b"\n"), False, b""
    for line in lines:
        is_comment |= line.lstrip().startswith((b"//", b"/*")) and not name.endswith(".svg")
        content += b"" if is_comment else line.lstrip() if name.endswith(".css") else line
        content += b"\n"
        is_comment &= name.endswith(".css") and not line.endswith(b"*/")
    content = content[:-1]
    assert content.count(b"\n") == len(lines) - 1, "the numbers of lines stay"
    assert gzip.decompress(await bytes_of(wire, f"/static/{name}")) == content
    async with wire.get(f"/static/{name}", headers={"Accept-Encoding": "identity"}) as answer:
        assert await answer.read() == content
        tag = answer.headers["ETag"]
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.headers["Vary"] == "Accept-Encoding"
    async with wire.get(f"/static/{name}", headers={"If-None-Match": tag}) as answer:
        assert answer.status == 304
        assert not await answer.read()
    async with wire.get("/static/nothing.css") as answer:
        assert answer.status == 404
