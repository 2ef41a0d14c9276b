"""Attacks on the lounge: forged, foreign, oversized and slow requests over real sockets."""

import asyncio
import gzip
import json
import logging
import os
import re
import secrets
import signal
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType, WSServerHandshakeError
from aiohttp.test_utils import make_mocked_request

from bot.config import BadSetting, parse_config
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.context import new_key
from bot.platforms.web import clients, live, password_throttle
from bot.platforms.web.app import HEADERS, make_app
from bot.platforms.web.clients import client_of
from bot.platforms.web.connections import CONNECTIONS_KEY, listen, make_runner
from bot.platforms.web.installed import MANIFEST, OFFLINE, WORKER
from bot.platforms.web.operator_link import find_link
from bot.platforms.web.password_throttle import PasswordThrottle
from bot.platforms.web.sessions import TRIED, account_of, new_token
from bot.platforms.web.share import share_path
from tests.bot.open_house import OPERATOR, TABLE, OpenHouse, Player, open_house
from tests.bot.test_config import run
from tests.bot.test_restart import ROOT, start
from tests.core.conftest import CARIBBEAN, UTH
from tests.disk import ask
from tests.patience import PATIENCE_S, until

FOREIGN = {"Origin": "http://evil.example"}


@pytest.fixture(autouse=True)
def _no_fault_is_logged(caplog: pytest.LogCaptureFixture) -> Any:
    """Check that no request causes a fault: no traceback, no 500."""
    yield
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def books(house: OpenHouse) -> list[tuple[Any, ...]]:
    """Return everything of value that is on disk."""
    with house.writer.books.snapshot() as disk:
        return [
            *ask(disk, "SELECT name, balance FROM accounts ORDER BY name"),
            *ask(disk, "SELECT id, name, state FROM players ORDER BY id"),
            *ask(disk, "SELECT id, state FROM casinos"),
            *ask(disk, "SELECT id, status, state FROM tables"),
        ]


def place_of(house: OpenHouse) -> tuple[str, int]:
    return "127.0.0.1", int(house.url.rpartition(":")[2])


async def say(at: tuple[str, int], sent: bytes) -> bytes:
    """Send these bytes and read until the server hangs up."""
    reader, writer = await asyncio.open_connection(*at)
    try:
        writer.write(sent)
        return await asyncio.wait_for(reader.read(), PATIENCE_S)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def request(line: str, *headers: str, body: bytes = b"", host: str = "localhost") -> bytes:
    head = [line + " HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
    return "\r\n".join(head).encode("latin-1") + body


def status_of(answer: bytes) -> int:
    found = re.match(rb"HTTP/1\.[01] ([0-9]{3}) ", answer)
    assert found, answer[:200]
    return int(found[1])


def cookie_of(player: Player) -> str:
    return next(f"{one.key}={one.value}" for one in player.client.session.cookie_jar if one.key.startswith("ridotto-"))


@pytest.mark.parametrize("password", [None, "", "   "])
@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0:0",
        "[::]:0",
        "192.0.2.7:80",
        "example.org:80",
        "127.0.0.1.example.org:80",
        "localhost.example:80",
        "0:1",
    ],
)
def test_nothing_listens_beyond_loopback_without_a_password(address: str, password: str | None) -> None:
    given = {"RIDOTTO_WEB": address} | ({} if password is None else {"RIDOTTO_WEB_PASSWORD": password})
    with pytest.raises(BadSetting, match="RIDOTTO_WEB_PASSWORD"):
        parse_config(given)


def test_the_process_itself_does_not_start_there(tmp_path: Path) -> None:
    ended = run(tmp_path, "run", RIDOTTO_WEB="0.0.0.0:0", RIDOTTO_WEB_PASSWORD=" ")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "RIDOTTO_WEB_PASSWORD" in ended.stderr


async def test_behind_a_password_every_address_leads_to_the_door(tmp_path: Path) -> None:
    """The list of public pages is exact: a new page needs the password."""
    async with open_house(tmp_path, password="Bauta") as house:
        at, is_open = place_of(house), set()
        for known in house.server.app.router.resources():
            path = known.canonical.replace("{slug}", "anna-1").replace("{table}", "1").replace("{shared}", "1")
            path = path.replace("{hand}", "1").replace("{game}", "stud").replace("{token}", "guess")
            path = path.replace("{version}", "0" * 12).replace("{card}", "As")
            for method in ("GET", "POST"):
                answer = await say(at, request(f"{method} {path}", "Content-Length: 0"))
                if b"Location: /door" not in answer and status_of(answer) not in (403, 404, 405):
                    is_open.add((method, path))
        assert is_open == {("GET", path) for path in ("/door", "/healthz", "/metrics", MANIFEST, WORKER, OFFLINE)}


async def knock(client: Any, address: str, password: str) -> int:
    headers = {"X-Forwarded-For": address}
    answer = await client.post("/door", data={"password": password}, headers=headers, allow_redirects=False)
    return int(answer.status)


async def test_a_right_password_passes_however_many_wrong_ones_were_tried(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        client = await house.browser()
        assert [await knock(client, f"2001:db8:0:{n:x}::1", "guess") for n in range(60)] == [403] * 60
        assert await knock(client, "192.0.2.61", "Bauta") == 303
        assert [await knock(client, f"2001:db8:0:{n:x}::1", "Bauta") for n in range(60)] == [303] * 60


@pytest.mark.slow
async def test_who_guesses_wrong_too_often_waits_their_turn_and_still_comes_in(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        house.lounge.passwords = PasswordThrottle(Allowance(3, 0.0), wait_s=0.2, most_waiting=2)
        client = await house.browser()
        assert [await knock(client, "192.0.2.1", "guess") for _ in range(3)] == [403] * 3
        began = time.monotonic()
        assert [await knock(client, "192.0.2.1", "guess") for _ in range(3)] == [403] * 3
        assert time.monotonic() - began >= 0.6, "each waits"
        at_once = await asyncio.gather(*(knock(client, "192.0.2.1", "guess") for _ in range(8)))
        assert sorted(at_once) == [403] * 2 + [429] * 6
        assert await knock(client, "192.0.2.1", "Bauta") == 303


async def test_guesses_of_many_addresses_are_let_try_some_a_second_and_who_was_in_before_does_not_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(password_throttle, "DRAW_S", 0.05)
    monkeypatch.setattr(password_throttle, "MOST_IN_CROWD", 5)
    async with open_house(tmp_path, password="Bauta") as house:
        house.lounge.passwords = PasswordThrottle(Allowance(3, 0.0), of_all=Allowance(10, 0.0))
        client, anna = await house.browser(), await house.browser()
        assert await knock(anna, "192.0.2.1", "Bauta") == 303
        async with anna.post("/sign-in", data={"name": "Anna"}) as answer:
            assert answer.status == 200
        assert [await knock(client, f"2001:db8:0:{n:x}::1", "guess") for n in range(10)] == [403] * 10
        began = time.monotonic()
        crowd = [asyncio.ensure_future(knock(client, f"2001:db8:1:{n:x}::1", "guess")) for n in range(20)]
        assert await knock(anna, "192.0.2.1", "Bauta") == 303
        tried = await asyncio.gather(*crowd)
        assert tried.count(403) <= 1 + (time.monotonic() - began) / 0.05
        assert tried.count(429) >= 10
        assert await knock(client, "192.0.2.2", "Bauta") == 303, "a stranger who knows it comes in as well"


async def test_the_doors_pass_is_random_and_ends(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        passes = []
        for _ in range(2):
            client = await house.browser()
            await client.post("/door", data={"password": "Bauta"})
            passes.append(next(one.value for one in client.session.cookie_jar if one.key == "door"))
            assert (await client.get("/", allow_redirects=False)).status == 200
        assert passes[0] != passes[1]
        stranger = await house.browser()

        async def shows(value: str) -> int:
            headers = {"Cookie": f"door={value}"}
            return (await stranger.get("/", headers=headers, allow_redirects=False)).status

        until, nonce, signature = passes[0].split(".")
        later = f"{int(until) + 1}.{nonce}.{signature}"
        for forged in ("", "x", until, f"{until}.{nonce}", f"{until}..{signature}", later, passes[0][:-1], "9" * 5000):
            assert await shows(forged) == 303, forged
        house.ahead[0] += 31 * 86400
        assert await shows(passes[0]) == 303, "a month is over"


async def test_a_pass_outlives_a_restart_and_ends_with_its_password(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        client = await house.browser()
        await client.post("/door", data={"password": "Bauta"})
        kept = next(f"door={one.value}" for one in client.session.cookie_jar if one.key == "door")
    for password, status in (("Bauta", 200), ("Moretta", 303), ("Bauta", 200)):
        async with open_house(tmp_path, password=password) as house:
            client = await house.browser()
            assert (await client.get("/", headers={"Cookie": kept}, allow_redirects=False)).status == status


async def test_who_comes_regularly_is_not_asked_again(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        client = await house.browser()
        await client.post("/door", data={"password": "Bauta"})
        for _ in range(4):
            house.ahead[0] += 20 * 86400
            assert (await client.get("/", allow_redirects=False)).status == 200


async def test_a_token_that_was_planted_before_never_becomes_anybody(house: OpenHouse) -> None:
    """Session fixation: signing in gives a token that no one could know before."""
    planted = new_token()
    client = await house.browser()
    cookie = {"Cookie": f"ridotto={planted}"}
    answer = await client.post("/sign-in", data={"name": "Anna"}, headers=cookie, allow_redirects=False)
    (given,) = (one.value for name, one in answer.cookies.items() if name.startswith("ridotto-"))
    assert given != planted
    identities = house.writer.state.identities
    assert not {("web", account_of(given)), ("web", account_of(planted))} & set(identities)
    thief = await house.browser()
    base = answer.headers["Location"]
    assert (await thief.get(base, headers=cookie, allow_redirects=False)).status == 303


async def test_an_operator_gets_a_token_of_their_own_too(house: OpenHouse) -> None:
    planted = new_token()
    client = await house.browser()
    cookie = {"Cookie": f"ridotto={planted}"}
    form = {"name": "Marco"}
    answer = await client.post(f"/operator/{OPERATOR}", data=form, headers=cookie, allow_redirects=False)
    assert planted not in [one.value for one in answer.cookies.values()]
    assert ("web", account_of(planted)) not in house.writer.state.identities


async def test_cookies_are_out_of_reach_and_https_stays_https(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        client = await house.browser()
        secure = {"X-Forwarded-Proto": "https"}
        for headers, is_secure in (({}, False), (secure, True)):
            answer = await client.post("/door", data={"password": "Bauta"}, headers=headers, allow_redirects=False)
            cookie = answer.headers["Set-Cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert ("Secure" in cookie) is is_secure
            assert ("Strict-Transport-Security" in answer.headers) is is_secure


async def test_no_post_of_another_sites_page_does_anything(house: OpenHouse) -> None:
    """CSRF on every route that takes a POST."""
    anna = await house.enter("Anna")
    before = books(house)
    posts = [route for route in house.server.app.router.routes() if route.method == "POST"]
    assert len(posts) >= 6
    press = json.dumps({"key": "foreign-01", "verb": "bet", "args": ["50"]})
    for route in posts:
        assert route.resource is not None
        path = route.resource.canonical.replace("/p/{slug}", anna.base).replace("{table}", "1")
        path = path.replace("{token}", OPERATOR)
        for headers in (FOREIGN, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
                answer = await anna.client.post(path, data=press, headers={**headers, "Content-Type": kind})
                assert answer.status == 403, path
    assert books(house) == before
    assert find_link(house.lounge.folder, OPERATOR, house.writer.clock())


async def test_no_get_changes_anything(house: OpenHouse) -> None:
    """A link or picture on another site can cause these requests with the visitor's cookie."""
    anna = await house.enter("Anna")
    await anna.press("bet", "50")
    before = books(house)
    for known in house.server.app.router.resources():
        path = known.canonical.replace("/p/{slug}", anna.base).replace("{table}", "1").replace("{shared}", "1")
        path = path.replace("{hand}", "1").replace("{game}", "stud").replace("{token}", OPERATOR)
        await anna.client.get(path, headers={"Sec-Fetch-Site": "cross-site"})
        await anna.client.head(path)
    assert books(house) == before


@pytest.mark.parametrize("path", ["/live", f"{TABLE}/live"])
@pytest.mark.parametrize(
    "connection", ["Connection: Upgrade", "Connection: keep-alive\r\nConnection: Upgrade", "connection: upgrade, x"]
)
async def test_another_sites_page_opens_no_websocket(house: OpenHouse, path: str, connection: str) -> None:
    anna = await house.enter("Anna")
    for name, value in (*FOREIGN.items(), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")):
        head = (
            f"GET {anna.base}{path} HTTP/1.1\r\nHost: localhost\r\n{connection}\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Cookie: {cookie_of(anna)}\r\n{name}: {value}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection(*place_of(house))
        writer.write(head.encode())
        assert status_of(await asyncio.wait_for(reader.readline(), PATIENCE_S)) == 403
        writer.close()
    assert not house.lounge.live.open_pages


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("127.0.0.1:8080", 200),
        ("[::1]:1", 200),
        ("rebound.example", 421),
        ("localhost.evil.example:80", 421),
        ("evil.example@localhost", 421),
        ("127.0.0.1.nip.example", 421),
        ("", 421),
    ],
)
async def test_a_name_that_was_made_to_point_here_is_turned_away(house: OpenHouse, host: str, status: int) -> None:
    """DNS rebinding: a foreign page would count as ours under its own name."""
    assert status_of(await say(place_of(house), request("GET /", host=host))) == status


async def test_a_request_without_a_host_waits_for_no_name_server(house: OpenHouse) -> None:
    answer = await say(place_of(house), b"GET / HTTP/1.0\r\n\r\n")
    assert status_of(answer) in (200, 421)


async def test_what_a_host_header_says_is_escaped_where_it_is_shown(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        for host in ('a"><script>alert(1)</script>', "a'onload=x", "evil.example"):
            answer = await say(place_of(house), request(f"GET {share_path(house.lounge, 1)}", host=host))
            assert b"Lounge" in answer or b"Caribbean" in answer, "the page is shown"
            assert b"<script>alert" not in answer
            assert b"a'onload" not in answer


@pytest.mark.parametrize(
    "name", ["Anna\r\nSet-Cookie: x=1", "Anna\nX: 1", "A\rB", "A\0B", "A\u2028B", "A\u0085B", "\x7f"]
)
async def test_a_name_brings_nothing_into_the_headers(house: OpenHouse, name: str) -> None:
    client = await house.browser()
    answer = await client.post("/sign-in", data={"name": name}, allow_redirects=False)
    assert not {"X", "x"} & set(answer.headers)
    assert all(cookie.startswith("ridotto-") for cookie in answer.headers.getall("Set-Cookie", []))
    assert re.fullmatch(r"/p/[a-z0-9-]+/", answer.headers.get("Location", "/p/a-1/"))
    assert all(player.own_name.isprintable() for player in house.writer.state.players.values())


@pytest.mark.parametrize("path", ["/?lang=en%0d%0aX:1", "/%0d%0aX:1", "/p/a%0d%0aX:%201-1/", "/verify?hand=%0d%0aX:1"])
async def test_an_address_brings_nothing_into_the_headers(house: OpenHouse, path: str) -> None:
    answer = await say(place_of(house), request(f"GET {path}"))
    head = answer.partition(b"\r\n\r\n")[0]
    assert b"\r\nX:" not in head
    assert status_of(answer) in (200, 303, 404)


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "'-alert(1)-'",
        "</td><svg/onload=x>",
        "{{9973*9967}}",
    ],
)
async def test_a_name_from_another_platform_stays_text_on_every_page(house: OpenHouse, name: str) -> None:
    """Other platforms allow any name; here it appears at a table, in lists and in the audit log."""
    anna = await house.enter("Anna")
    await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    stranger = Who("telegram", "66", name)
    for table, verb, args in (
        (CARIBBEAN, "bet", ("50",)),
        (CARIBBEAN, "daily", ()),
        (CARIBBEAN, "cut", (name,)),
        (UTH, "table pause", (name,)),
    ):
        command = Command(new_key("web"), stranger._replace(inspector=True), Place("web", str(table)), verb, args)
        await asyncio.wrap_future(house.writer.submit(command))
    assert house.table().round.bets, "the player has a bet"
    shown = name[:32].strip()
    pages = ("/", TABLE, "/leaderboard", "/statistics", "/jackpot", "/operator", "/history", "/statement")
    htmls = [await anna.page(path) for path in pages] + [await (await anna.client.get(TABLE)).text()]
    async with await anna.watch() as socket:
        message = await asyncio.wait_for(socket.receive_json(), PATIENCE_S)
        htmls += message["parts"].values()
    for html in htmls:
        assert shown not in html or not set("<>\"'") & set(shown)
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "99400891" not in html or "{{" not in name or "{{9973*9967}}" in html
    assert any("alert" in html or "onload" in html or "{{9973*9967}}" in html for html in htmls), "the name is shown"


@pytest.mark.parametrize(
    "path", ["/hand/1", "/history?page=%3Cscript%3E", "/verify?hand=%22%3E%3Cscript%3E", "/rules/%3Cscript%3E"]
)
async def test_an_address_is_not_repeated_on_the_page(house: OpenHouse, path: str) -> None:
    anna = await house.enter("Anna")
    html = await (await anna.client.get(f"{anna.base}{path}")).text()
    assert "<script>" not in html


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/%2e%2e%2fapp.py",
        "/static/%252e%252e/app.py",
        "/static/..%5capp.py",
        "/static/....//app.py",
        "/static/%00",
        "/static/ridotto.css%00.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/",
        "/static/" + "a/" * 2000,
        "/../../etc/passwd",
        "//etc/passwd",
        "/cards/000000000000/..%2f..%2fapp.py.svg",
    ],
)
async def test_no_path_leads_out_of_the_house(house: OpenHouse, path: str) -> None:
    answer = await say(place_of(house), request(f"GET {path}"))
    assert status_of(answer) in (400, 403, 404)
    assert b"import " not in answer
    assert b"root:" not in answer


def chunked(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


HUGE = 200_000
OVERSIZED = {
    "a long line": request("GET /" + "x" * HUGE),
    "a long header": request("GET /", "X: " + "x" * HUGE),
    "many headers": request("GET /", *(f"X-{n}: 1" for n in range(2000))),
    "a long cookie": request("GET /", "Cookie: " + "ridotto=" + "A" * HUGE),
    "a long body": request("POST /sign-in", f"Content-Length: {HUGE}", body=b"name=" + b"x" * HUGE),
    "chunks without end": request("POST /sign-in", "Transfer-Encoding: chunked", body=chunked(b"x" * HUGE)),
    "a length beyond numbers": request("POST /sign-in", "Content-Length: " + "9" * 40, body=b"name=x"),
    "a negative length": request("POST /sign-in", "Content-Length: -1", body=b"name=x"),
    "two lengths": request("POST /sign-in", "Content-Length: 6", "Content-Length: 60", body=b"name=x"),
    "a length and chunks": request("POST /sign-in", "Content-Length: 6", "Transfer-Encoding: chunked", body=b"name=x"),
    "many fields": request(
        "POST /sign-in",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 60000",
        body=b"a&" * 30_000,
    ),
    "a form without a boundary": request(
        "POST /sign-in", "Content-Type: multipart/form-data", "Content-Length: 5", body=b"hello"
    ),
    "an empty boundary": request(
        "POST /sign-in", "Content-Type: multipart/form-data; boundary=", "Content-Length: 5", body=b"hello"
    ),
    "a form cut short": request(
        "POST /sign-in",
        "Content-Type: multipart/form-data; boundary=x",
        "Content-Length: 50",
        body=b'--x\r\nContent-Disposition: form-data; name="name"\r\n',
    ),
    "a foreign alphabet": request(
        "POST /sign-in",
        "Content-Type: application/x-www-form-urlencoded; charset=klingon",
        "Content-Length: 6",
        body=b"name=x",
    ),
    "no UTF-8": request(
        "POST /sign-in",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 7",
        body=b"name=\xd2\xff",
    ),
    "no gzip": request("POST /sign-in", "Content-Encoding: gzip", "Content-Length: 6", body=b"name=x"),
    "a file": request(
        "POST /sign-in",
        "Content-Type: multipart/form-data; boundary=x",
        "Content-Length: 85",
        body=b'--x\r\nContent-Disposition: form-data; name="name"; filename="a"\r\n\r\nAnna\r\n--x--\r\n      ',
    ),
    "no method": b"\r\n\r\n\r\n",
    "a foreign protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n",
    "a strange method": request("BREW /"),
    "CONNECT": request("CONNECT evil.example:443"),
    "TRACE": request("TRACE /"),
    "a whole address": request("GET http://evil.example/"),
    "version 9": b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("sent", OVERSIZED.values(), ids=[name.replace(" ", "-") for name in OVERSIZED])
async def test_a_request_that_no_browser_makes_is_refused_and_changes_nothing(house: OpenHouse, sent: bytes) -> None:
    before = books(house)
    reader, writer = await asyncio.open_connection(*place_of(house))
    writer.write(sent)
    writer.write_eof()
    answer = b""
    try:
        answer = await asyncio.wait_for(reader.read(), PATIENCE_S)
    except ConnectionError:
        pass
    finally:
        writer.close()
    assert not answer or status_of(answer) in (200, 400, 403, 404, 405, 413, 421), answer[:300]
    assert b"Traceback" not in answer
    assert books(house) == before
    assert (await (await house.browser()).get("/healthz")).status == 200


async def test_a_body_that_swells_when_unpacked_is_refused_before_it_has(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    bomb = gzip.compress(b"0" * 50_000_000)
    assert len(bomb) < 64 * 1024
    head = (f"Content-Length: {len(bomb)}", "Content-Encoding: gzip", f"Cookie: {cookie_of(anna)}")
    tracemalloc.start()
    answer = await say(place_of(house), request(f"POST {anna.base}{TABLE}/press", *head, body=bomb))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert status_of(answer) == 400
    assert peak < 8_000_000


@asynccontextmanager
async def listening(house: OpenHouse, *, idle_s: float = 30.0, **limits: float) -> AsyncIterator[tuple[str, int]]:
    """The lounge on a socket as the process opens it; `limits` by their names in Connections."""
    app = make_app(house.lounge)
    for name, limit in limits.items():
        assert hasattr(app[CONNECTIONS_KEY], name)
        setattr(app[CONNECTIONS_KEY], name, limit)
    runner = make_runner(app, idle_s)
    await runner.setup()
    server = await listen(runner, app[CONNECTIONS_KEY], "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()
    finally:
        server.close()
        await runner.cleanup()


async def trickle(at: tuple[str, int], sent: bytes, gap_s: float = 0.05) -> float:
    """Send byte by byte until the server hangs up; return the time it took."""
    began, (reader, writer) = time.monotonic(), await asyncio.open_connection(*at)
    ended = asyncio.ensure_future(reader.read())
    try:
        for byte in sent:
            writer.write(bytes([byte]))
            await asyncio.wait([ended], timeout=gap_s)
            if ended.done():
                break
        await asyncio.wait_for(ended, PATIENCE_S)
    except ConnectionError:
        pass
    finally:
        writer.close()
    return time.monotonic() - began


@pytest.mark.slow
async def test_a_head_that_comes_byte_by_byte_is_cut(house: OpenHouse) -> None:
    async with listening(house, idle_s=0.5) as at:
        took = await trickle(at, request("GET /", "X: " + "x" * 10_000))
        assert took >= 0.4
        took = await trickle(at, b"")
        assert took >= 0.4


SLOW_BODY = request(
    "POST /sign-in", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 1000", body=b"n"
)


@pytest.mark.slow
async def test_a_body_that_does_not_come_is_not_waited_for(house: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "BODY_S", 0.3)
    anna = await house.enter("Anna")
    press = request(f"POST {anna.base}{TABLE}/press", f"Cookie: {cookie_of(anna)}", "Content-Length: 90", body=b"{")
    async with listening(house) as at:
        for sent in (SLOW_BODY, press):
            assert status_of(await say(at, sent)) == 408


@pytest.mark.slow
async def test_who_asks_too_much_is_told_before_their_body_has_come(house: OpenHouse) -> None:
    house.lounge.sign_ins = Allowance(0, 0.0)
    async with listening(house) as at:
        assert status_of(await say(at, SLOW_BODY)) == 429
    for budget in ("sent", "sent_bytes"):
        setattr(house.lounge, budget, Allowance(0, 0.0))
        async with listening(house, put_off_s=0.1) as at:
            reader, writer = await asyncio.open_connection(*at)
            writer.write(SLOW_BODY)
            assert status_of(await asyncio.wait_for(reader.readline(), PATIENCE_S)) == 429
            writer.close()


async def test_bytes_are_counted_by_what_is_announced(house: OpenHouse) -> None:
    house.lounge.sent_bytes = Allowance(100_000, 0.0)
    client = await house.browser()
    form = {"name": "x" * 40_000}
    assert [(await client.post("/sign-in", data=form)).status for _ in range(3)] == [400, 400, 429]
    at = place_of(house)
    kept = f"Cookie: {TRIED}=1"
    chunks = request(
        "POST /sign-in", "X-Forwarded-For: 192.0.2.1", kept, "Transfer-Encoding: chunked", body=chunked(b"x")
    )
    assert [status_of(await say(at, chunks)) for _ in range(2)] == [400, 429], "who does not say may send all"


async def test_pages_and_websockets_come_at_a_pace_from_each_address(house: OpenHouse) -> None:
    anna = await house.enter("Anna", **{"X-Forwarded-For": "192.0.2.1"})
    house.lounge.asked = Allowance(6, 0.0)
    mine, other = ({"X-Forwarded-For": f"192.0.2.{n}"} for n in (1, 2))

    async def ask(path: str, headers: dict[str, str] = mine) -> int:
        return (await anna.client.get(path, headers=headers)).status

    assert [await ask(f"{anna.base}{TABLE}") for _ in range(3)] == [200] * 3
    socket = await anna.client.ws_connect(f"{anna.base}/live", headers=mine)
    assert [await ask("/static/ridotto.css") for _ in range(16)] == [200] * 16, "sixteen small files are a page"
    assert [await ask("/") for _ in range(2)] == [200, 429]
    with pytest.raises(WSServerHandshakeError, match="429"):
        await anna.client.ws_connect(f"{anna.base}/live", headers=mine)
    assert [await ask("/healthz") for _ in range(3)] == [200] * 3
    assert [await ask("/", other) for _ in range(2)] == [200] * 2
    assert not (await anna.press("balance"))["refused"], "presses have a pace of their own"
    await socket.close()


async def test_a_refusal_is_said_in_the_visitors_language_and_to_a_page_as_it_reads_it(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    house.lounge.asked = house.lounge.sent = Allowance(0, 0.0)
    answer = await anna.client.get("/", headers={"Accept-Language": "it"})
    assert (answer.status, answer.headers["Retry-After"]) == (429, "1")
    assert (await answer.text()).strip() == "Troppo veloce. Riprova tra un momento."
    said = await anna.press("balance")
    assert said["status"] == 429
    assert said["refused"]
    assert said["texts"]


def live_of(player: Player, address: str) -> bytes:
    return request(
        f"GET {player.base}/live",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Cookie: {cookie_of(player)}",
        f"X-Forwarded-For: {address}",
    ).replace(b"Connection: close", b"Connection: Upgrade")


async def test_one_address_is_served_on_so_many_connections_and_no_more(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    async with listening(house, most_of_one=3, put_off_s=0.0) as at:
        opened = []
        for address, status in [("192.0.2.1", 101)] * 3 + [("192.0.2.1", 429), ("192.0.2.2", 101)]:
            reader, writer = await asyncio.open_connection(*at)
            writer.write(live_of(anna, address))
            assert status_of(await asyncio.wait_for(reader.readline(), PATIENCE_S)) == status
            opened.append(writer)
        assert status_of(await say(at, request("GET /", "X-Forwarded-For: 192.0.2.1"))) == 429
        assert status_of(await say(at, request("GET /healthz", "X-Forwarded-For: 192.0.2.1"))) == 200
        opened[0].close()
        await until(lambda: house.lounge.live.open_pages == 3)
        assert status_of(await say(at, request("GET /", "X-Forwarded-For: 192.0.2.1"))) == 200
        for writer in opened:
            writer.close()


async def test_who_asks_for_nothing_makes_room_for_their_own_next_connection(house: OpenHouse) -> None:
    async with listening(house, most_of_one=3) as at:
        opened = []
        for _ in range(5):
            reader, writer = await asyncio.open_connection(*at)
            writer.write(
                request("GET /healthz").replace(b"Connection: close\r\n", b"").replace(b"/healthz", b"/verify")
            )
            assert status_of(await asyncio.wait_for(reader.readline(), PATIENCE_S)) == 200
            opened.append((reader, writer))
        for reader, writer in opened[:2]:
            with suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), PATIENCE_S)
            writer.close()
        for reader, writer in opened[2:]:
            assert not reader.at_eof()
            writer.close()


async def test_from_elsewhere_an_address_is_counted_before_it_has_said_a_word(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platforms.web.connections.client_at", lambda peer: "192.0.2.7")
    async with listening(house, most_of_one=5) as at:
        opened = [await asyncio.open_connection(*at) for _ in range(12)]
        for reader, _writer in opened[:7]:
            with suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), PATIENCE_S) == b""
        await until(lambda: sum(reader.at_eof() for reader, _writer in opened) == 7)
        for _reader, writer in opened:
            writer.close()


async def test_too_few_open_files_are_told(tmp_path: Path) -> None:
    few = await asyncio.create_subprocess_exec(
        *("sh", "-c", f"ulimit -n 24 && exec {sys.executable} -m bot run --guests 0"),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "RIDOTTO_WEB": "127.0.0.1:0"},
        cwd=tmp_path,
        stderr=asyncio.subprocess.PIPE,
    )
    _out, err = await asyncio.wait_for(few.communicate(), PATIENCE_S)
    assert few.returncode == 1
    assert err.count(b"\n") == 1
    assert b"Too many open files" in err


async def test_who_does_not_read_their_answers_is_cut(house: OpenHouse) -> None:
    """Many requests at once and nothing read: neither the answers nor the connection stay for ever."""
    anna = await house.enter("Anna")
    one = f"GET {anna.base}{TABLE} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie_of(anna)}\r\n\r\n".encode()
    async with listening(house, patience_s=0.5) as at:
        reader, writer = await asyncio.open_connection(*at, limit=1024)
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(one * 2000)
        async with asyncio.timeout(PATIENCE_S):
            while not writer.transport.is_closing():
                with suppress(ConnectionError):
                    writer.write(b"x")
                    await writer.drain()
                await asyncio.sleep(0.05)
        writer.close()


@pytest.mark.slow
async def test_a_page_that_reads_nothing_costs_one_message_and_is_cut(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow reader gets only the latest state later, and is closed without a heartbeat."""
    monkeypatch.setattr(live, "HEARTBEAT_S", 1.0)
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    head = (
        f"GET {anna.base}{TABLE}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Cookie: {cookie_of(anna)}\r\n\r\n"
    )
    _reader, writer = await asyncio.open_connection(*place_of(house), limit=1024)
    writer.write(head.encode())
    await until(lambda: house.lounge.live.open_pages == 1)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    (socket,) = (page.socket for page in house.lounge.live.pages)
    largest = 0
    for _ in range(40):
        await bea.press("bet", "10")
        await bea.press("takeback")
        transport = socket._req.transport if socket._req is not None else None
        largest = max(largest, transport.get_write_buffer_size() if transport is not None else 0)
    assert largest < 300_000
    await until(lambda: house.lounge.live.open_pages == 0)
    writer.close()


async def test_who_speaks_where_a_page_only_looks_is_cut(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    for send in ("send_str", "send_bytes"):
        for payload in ("x", "{}", "[" * 900, "x" * 100_000):
            socket = await anna.watch()
            await asyncio.wait_for(socket.receive_json(), PATIENCE_S)
            await getattr(socket, send)(payload if send == "send_str" else payload.encode())
            ended = [message.type async for message in socket]
            assert socket.closed
            assert WSMsgType.TEXT not in ended[1:]
    assert not house.lounge.live.open_pages


async def test_a_page_that_pings_without_end_is_answered_some_times_and_closed(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    socket = await anna.client.ws_connect(f"{anna.base}/table/{CARIBBEAN}/live", autoping=False)
    for _ in range(200):
        await socket.ping()
    said = [message.type async for message in socket]
    assert said.count(WSMsgType.PONG) <= live.PINGS_AT_ONCE + 2
    assert socket.close_code == 1008
    await until(lambda: not house.lounge.live.open_pages)


async def test_the_end_is_told_to_all_at_once_however_many_do_not_listen(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    sockets, met = [await anna.watch() for _ in range(20)], []
    for watching in sockets:
        await watching.receive_json()  # no further message is on its way

    told = asyncio.Barrier(20)  # opens when all of them are being told

    async def stuck(*_args: Any, **_more: Any) -> None:
        await told.wait()
        met.append(1)
        await asyncio.sleep(PATIENCE_S)

    for page in house.lounge.live.pages:
        page.socket.send_json = stuck  # type: ignore[method-assign]
    await house.lounge.live.tell_everyone("The house closes.")
    assert len(met) == 20
    for watching in sockets:
        await watching.close()


async def test_one_player_watches_so_many_pages_and_no_more(house: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_OF_ONE_PLAYER", 3)
    monkeypatch.setattr(live, "MOST_PAGES", 4)
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    lobby = f"{anna.base}/live"
    sockets = [await anna.watch(), await anna.watch(2), await anna.client.ws_connect(lobby)]
    await until(lambda: house.lounge.live.open_pages == 3)
    for path in (lobby, f"{anna.base}{TABLE}/live"):
        with pytest.raises(WSServerHandshakeError, match="429"):
            await anna.client.ws_connect(path)
    sockets.append(await bea.watch())
    await until(lambda: house.lounge.live.open_pages == 4)
    with pytest.raises(WSServerHandshakeError, match="429"):
        await bea.watch()
    for watching in sockets:
        await watching.close()


async def test_when_the_house_is_full_the_longest_idle_makes_room(house: OpenHouse) -> None:
    async with listening(house, most=10) as at:
        first, *others = [await asyncio.open_connection(*at) for _ in range(10)]
        assert status_of(await say(at, request("GET /healthz"))) == 200
        assert await asyncio.wait_for(first[0].read(), PATIENCE_S) == b"", "who came first and said nothing went"
        reader, writer = others[-1]
        writer.write(request("GET /healthz"))
        assert status_of(await asyncio.wait_for(reader.read(), PATIENCE_S)) == 200, "the others are still here"
        for _reader, one in (first, *others):
            one.close()


async def follow(anna: Player, at: tuple[str, int]) -> ClientWebSocketResponse:
    address = f"http://127.0.0.1:{at[1]}{anna.base}/live"
    return await anna.client.session.ws_connect(address, headers={"Cookie": cookie_of(anna)})


async def test_open_pages_take_nobodys_place_and_one_too_many_is_put_off(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    async with listening(house, most=1, most_followed=2, put_off_s=0.1) as at:
        sockets = [await follow(anna, at) for _ in range(2)]
        assert status_of(await say(at, request("GET /"))) == 200
        with pytest.raises(WSServerHandshakeError, match="429"):
            await follow(anna, at)
        assert status_of(await say(at, request("GET /"))) == 200, "a client with requests keeps its connection"
        await sockets.pop().close()
        await until(lambda: house.lounge.live.open_pages == 1)
        sockets.append(await follow(anna, at))
        for socket in sockets:
            assert "parts" in await asyncio.wait_for(socket.receive_json(), PATIENCE_S)
            await socket.close()


async def test_every_kind_of_answer_carries_the_headers(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        anna = await house.enter("Anna")
        gets = {"/": 200, "/nowhere": 404, "/static/ridotto.css": 200, "/static/nothing": 404, f"{TABLE}.png": 200}
        gets |= {"/healthz": 200, "/metrics": 200, "/table/99.png": 404, "/operator/guess": 404}
        gets |= {"/cards/000000000000/As.svg": 200, f"{anna.base}/hand/7/record": 404}
        for path, status in gets.items():
            answer = await anna.client.get(path)
            assert answer.status == status, path
            assert {name: answer.headers[name] for name in HEADERS} == HEADERS, path
            assert "Python" not in answer.headers["Server"]
        for answer in (
            await anna.client.post("/sign-in", data={"name": "B"}, headers=FOREIGN),
            await anna.client.get("/", headers={"Host": "evil.example"}),
            await anna.client.post("/sign-in", data={"name": "x" * 100_000}),
            await anna.client.put("/"),
        ):
            assert answer.status in (403, 405, 413, 421)
            assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        socket = await anna.watch()
        assert {name: socket._response.headers[name] for name in HEADERS} == HEADERS
        await socket.close()


async def test_a_private_page_is_kept_by_no_cache(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    for path in ("/", TABLE, "/history", "/statement", "/statistics"):
        answer = await anna.client.get(f"{anna.base}{path}")
        assert answer.headers["Cache-Control"] == "no-store"


def asked_by(remote: str, *forwarded: str) -> str:
    class Transport:
        @staticmethod
        def get_extra_info(name: str, default: Any = None) -> Any:
            return (remote, 1) if name == "peername" else default

        @staticmethod
        def is_closing() -> bool:
            return False

    headers = [("X-Forwarded-For", one) for one in forwarded]
    return client_of(make_mocked_request("GET", "/", headers=headers, transport=Transport()))


def test_who_asks_is_told_by_their_address() -> None:
    assert asked_by("192.0.2.7") == "192.0.2.7"
    assert asked_by("2001:db8:1:2:aaaa::1") == asked_by("2001:db8:1:2:bbbb::9") == "2001:db8:1:2::/64"
    assert asked_by("2001:db8:1:2::1") != asked_by("2001:db8:1:3::1")
    assert asked_by("::ffff:192.0.2.7") == "192.0.2.7"


def test_a_proxy_on_this_machine_says_for_whom_it_asks() -> None:
    assert asked_by("127.0.0.1", "192.0.2.7") == "192.0.2.7"
    assert asked_by("::1", "10.0.0.1, 192.0.2.7") == "192.0.2.7", "what the client wrote stands before it"
    assert asked_by("127.0.0.1", "10.0.0.1", "192.0.2.7") == "192.0.2.7"
    assert asked_by("127.0.0.1", "nonsense") == "127.0.0.1"


def test_nobody_else_may_say_who_they_are() -> None:
    assert asked_by("192.0.2.7", "198.51.100.1") == "192.0.2.7"


async def test_new_players_come_at_a_pace_from_each_address(house: OpenHouse) -> None:
    client = await house.browser()

    async def enter(address: str) -> int:
        headers = {"X-Forwarded-For": address}
        return (await client.post("/sign-in", data={"name": "Anna"}, headers=headers)).status

    assert [await enter("192.0.2.1") for _ in range(12)] == [200] * 10 + [429] * 2
    assert await enter("192.0.2.2") == 200, "others are not kept out"


async def test_commands_come_at_a_pace_whichever_way_they_are_sent(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    house.lounge.presses = Allowance(4, 0.0)
    said = [
        await anna.press("balance"),
        await anna.press("balance", table=UTH),
        {"status": 200} if not (await anna.type("/balance"))["refused"] else {},
        {"status": (await anna.client.post(f"{anna.base}/press", json={"key": "lobby-001", "verb": "daily"})).status},
        await anna.press("balance"),
    ]
    assert [one.get("status") for one in said] == [200, 200, 200, 200, 429]
    bea = await house.enter("Bea")
    assert (await bea.press("balance"))["status"] == 200


async def test_pages_that_ask_the_books_come_at_a_pace(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    house.lounge.pages = Allowance(3, 0.0)
    paths = ("/history", "/statement", "/leaderboard", "/statistics", "/jackpot")
    texts = [await (await anna.client.get(f"{anna.base}{path}")).text() for path in paths]
    assert ["Too fast" in text for text in texts[3:]] == [True, True]


async def test_forged_cookies_cost_the_books_little(house: OpenHouse) -> None:
    client = await house.browser()
    before = house.writer.commands
    for _ in range(4):
        old = ".".join(new_token() for _ in range(12))
        new = "; ".join(f"ridotto-{secrets.token_hex(8)}={new_token()}" for _ in range(12))
        await client.get("/", headers={"Cookie": f"ridotto={old}; {new}"})
    assert house.writer.commands == before


async def test_two_who_hold_the_link_at_once_do_not_both_come_in(house: OpenHouse) -> None:
    players = [await house.enter(name) for name in ("Anna", "Bea", "Cate", "Dora")]
    answers = await asyncio.gather(
        *(one.client.post(f"/operator/{OPERATOR}", data={"player": str(one.id)}) for one in players)
    )
    assert sorted(answer.status for answer in answers) == [200, 404, 404, 404]
    assert len(house.lounge.casino.state.inspectors) == 1
    assert find_link(house.lounge.folder, OPERATOR, house.writer.clock()) is None


async def test_a_link_that_was_not_used_well_is_still_good(house: OpenHouse) -> None:
    client = await house.browser()
    for form in ({"name": "<b>"}, {"name": ""}, {}):
        assert (await client.post(f"/operator/{OPERATOR}", data=form)).status == 400
    assert (await client.post(f"/operator/{OPERATOR}", data={"name": "Marco"})).status == 200


@pytest.mark.parametrize(
    "guess", ["%C3%A9", "%ED%A0%80", "%00", "x" * 5000, "%F0%9F%8E%B2", OPERATOR[:-1], OPERATOR + "x"]
)
async def test_a_guess_at_the_link_is_a_page_that_is_not_there(house: OpenHouse, guess: str) -> None:
    for method in ("GET", "POST"):
        assert status_of(await say(place_of(house), request(f"{method} /operator/{guess}", "Content-Length: 0"))) == 404
    assert find_link(house.lounge.folder, OPERATOR, house.writer.clock())


@pytest.mark.slow
async def test_who_is_slow_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """SIGTERM: pages that read nothing, heads and bodies under way, and the process still ends within five seconds."""
    async with start(tmp_path / "books") as process, ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        at = "127.0.0.1", int(process.url.rpartition(":")[2])
        async with session.post(f"{process.url}/sign-in", data={"name": "Anna"}) as answer:
            base = answer.url.path.rstrip("/")
        (cookie,) = (f"{one.key}={one.value}" for one in session.cookie_jar if one.key != TRIED)
        live = (
            f"GET {base}{TABLE}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Cookie: {cookie}\r\n\r\n"
        )
        body = request("POST /sign-in", "Content-Length: 1000", body=b"name=")
        opened = []
        for sent in [live.encode()] * 20 + [b"GET / HTTP/1.1\r\nHost: loc"] * 20 + [body] * 20 + [b""] * 20:
            reader, writer = await asyncio.open_connection(*at, limit=1024)
            writer.write(sent)
            if sent == live.encode():
                assert status_of(await asyncio.wait_for(reader.readline(), PATIENCE_S)) == 101
                writer.transport.pause_reading()  # type: ignore[attr-defined]
            opened.append(writer)
        began = time.monotonic()
        process.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.process.wait(), PATIENCE_S) == 0
        # Waiting for one of them would take 30 s.
        assert time.monotonic() - began < 30
        for writer in opened:
            writer.close()
