"""The lounge's doors against who means ill: forged, foreign, oversized and slow requests over real sockets."""

import asyncio
import gzip
import json
import logging
import re
import signal
import time
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar, WSMsgType, WSServerHandshakeError
from aiohttp.test_utils import make_mocked_request

from bot.config import BadSetting, parse_config
from bot.floor.command import Command, Place, Who
from bot.on_web import live
from bot.on_web.app import HEADERS, make_app
from bot.on_web.connections import CONNECTIONS_KEY, listen, make_runner
from bot.on_web.lounge import new_key
from bot.on_web.sessions import Allowance, account_of, asker_of, new_token
from bot.on_web.share import share_path
from storage.database import read
from tests.bot.open_house import OPERATOR, OpenHouse, Player, open_house
from tests.bot.test_config import run
from tests.bot.test_restart import start

FOREIGN = {"Origin": "http://evil.example"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path) as house:
        yield house


@pytest.fixture(autouse=True)
def _no_fault_is_logged(caplog: pytest.LogCaptureFixture) -> Any:
    """Whatever is sent here, the house has no fault of its own: no traceback, no 500."""
    yield
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def books(house: OpenHouse) -> list[tuple[Any, ...]]:
    """Everything of worth that is on disk."""
    path = house.pit.books.path
    return [
        *read(path, "SELECT name, balance FROM accounts ORDER BY name"),
        *read(path, "SELECT id, name, state FROM players ORDER BY id"),
        *read(path, "SELECT id, state FROM casinos"),
        *read(path, "SELECT id, status, state FROM tables"),
    ]


def place_of(house: OpenHouse) -> tuple[str, int]:
    return "127.0.0.1", int(house.url.rpartition(":")[2])


async def say(at: tuple[str, int], sent: bytes, patience_s: float = 20.0) -> bytes:
    """Send these bytes and read until the house hangs up."""
    reader, writer = await asyncio.open_connection(*at)
    try:
        writer.write(sent)
        return await asyncio.wait_for(reader.read(), patience_s)
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
    return next(one.value for one in player.client.session.cookie_jar if one.key == "ridotto")


# Beyond loopback


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
    """The list of what is open is exact: whoever adds a page adds it behind the door."""
    async with open_house(tmp_path, password="Bauta") as house:
        at, is_open = place_of(house), set()
        for resource in house.server.app.router.resources():
            path = resource.canonical.replace("{slug}", "anna-1").replace("{table}", "1").replace("{shared}", "1")
            path = path.replace("{hand}", "1").replace("{game}", "stud").replace("{token}", "guess")
            path = path.replace("{version}", "0" * 12).replace("{card}", "As")
            for method in ("GET", "POST"):
                answer = await say(at, request(f"{method} {path}", "Content-Length: 0"))
                if b"Location: /door" not in answer and status_of(answer) not in (403, 404, 405):
                    is_open.add((method, path))
        assert is_open == {("GET", "/door"), ("GET", "/healthz"), ("GET", "/metrics")}


async def test_passwords_are_tried_at_a_pace_from_one_address_and_from_many(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        house.lounge.tries = Allowance(30, 0.0)
        client = await house.browser()

        async def knock(address: str) -> int:
            headers = {"X-Forwarded-For": address}
            return (await client.post("/door", data={"password": "guess"}, headers=headers)).status

        assert [await knock("192.0.2.1") for _ in range(12)] == [403] * 10 + [429] * 2
        assert [await knock(f"192.0.2.{n}") for n in range(2, 26)] == [403] * 20 + [429] * 4


# Who somebody is


async def test_a_token_that_was_planted_before_never_becomes_anybody(house: OpenHouse) -> None:
    """Session fixation: who signs in gets a token that nobody could know before."""
    planted = new_token()
    client = await house.browser()
    cookie = {"Cookie": f"ridotto={planted}"}
    answer = await client.post("/sign-in", data={"name": "Anna"}, headers=cookie, allow_redirects=False)
    given = answer.cookies["ridotto"].value.split(".")
    assert given[-1] != planted
    identities = house.pit.floor.house.identities
    assert ("web", account_of(given[-1])) in identities
    assert ("web", account_of(planted)) not in identities
    thief = await house.browser()
    base = answer.headers["Location"]
    assert (await thief.get(base, headers=cookie, allow_redirects=False)).status == 303


async def test_an_operator_gets_a_token_of_his_own_too(house: OpenHouse) -> None:
    planted = new_token()
    client = await house.browser()
    cookie = {"Cookie": f"ridotto={planted}"}
    form = {"name": "Marco"}
    answer = await client.post(f"/operator/{OPERATOR}", data=form, headers=cookie, allow_redirects=False)
    assert answer.cookies["ridotto"].value.split(".")[-1] != planted
    assert ("web", account_of(planted)) not in house.pit.floor.house.identities


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


# Other sites


async def test_no_post_of_another_sites_page_does_anything(house: OpenHouse) -> None:
    """CSRF, on every route that takes a POST."""
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
    assert house.lounge.operator_token == OPERATOR


async def test_no_get_changes_anything(house: OpenHouse) -> None:
    """What a link or a picture of another site could ask for with the visitor's cookie."""
    anna = await house.enter("Anna")
    await anna.press("bet", "50")
    before = books(house)
    for resource in house.server.app.router.resources():
        path = resource.canonical.replace("/p/{slug}", anna.base).replace("{table}", "1").replace("{shared}", "1")
        path = path.replace("{hand}", "1").replace("{game}", "stud").replace("{token}", OPERATOR)
        await anna.client.get(path, headers={"Sec-Fetch-Site": "cross-site"})
        await anna.client.head(path)
    assert books(house) == before


@pytest.mark.parametrize("path", ["/live", "/table/1/live"])
@pytest.mark.parametrize(
    "connection", ["Connection: Upgrade", "Connection: keep-alive\r\nConnection: Upgrade", "connection: upgrade, x"]
)
async def test_another_sites_page_opens_no_websocket(house: OpenHouse, path: str, connection: str) -> None:
    anna = await house.enter("Anna")
    for name, value in (*FOREIGN.items(), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")):
        head = (
            f"GET {anna.base}{path} HTTP/1.1\r\nHost: localhost\r\n{connection}\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Cookie: ridotto={cookie_of(anna)}\r\n{name}: {value}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection(*place_of(house))
        writer.write(head.encode())
        assert status_of(await asyncio.wait_for(reader.readline(), 20)) == 403
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


# What is written into headers and pages


@pytest.mark.parametrize(
    "name", ["Anna\r\nSet-Cookie: x=1", "Anna\nX: 1", "A\rB", "A\0B", "A\u2028B", "A\u0085B", "\x7f"]
)
async def test_a_name_brings_nothing_into_the_headers(house: OpenHouse, name: str) -> None:
    client = await house.browser()
    answer = await client.post("/sign-in", data={"name": name}, allow_redirects=False)
    assert not {"X", "x"} & set(answer.headers)
    assert all(cookie.startswith("ridotto=") for cookie in answer.headers.getall("Set-Cookie", []))
    assert re.fullmatch(r"/p/[a-z0-9-]+/", answer.headers.get("Location", "/p/a-1/"))
    assert all(player.name.isprintable() for player in house.pit.floor.house.players.values())


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
    """There anybody is called as he likes; here he stands at a table, in lists and in the audit log."""
    anna = await house.enter("Anna")
    await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    stranger = Who("telegram", "66", name)
    for table, verb, args in (
        ("1", "bet", ("50",)),
        ("1", "daily", ()),
        ("1", "cut", (name,)),
        ("2", "table pause", (name,)),
    ):
        command = Command(new_key(), stranger._replace(inspector=True), Place("web", table), verb, args)
        await asyncio.wrap_future(house.pit.submit(command))
    assert house.table().bets, "he sits there"
    shown = name[:32].strip()
    pages = ("/", "/table/1", "/leaderboard", "/statistics", "/jackpot", "/operator", "/history", "/statement")
    htmls = [await anna.page(path) for path in pages] + [await (await anna.client.get("/table/1")).text()]
    async with await anna.watch() as socket:
        message = await asyncio.wait_for(socket.receive_json(), 20)
        htmls += message["parts"].values()
    for html in htmls:
        assert shown not in html or not set("<>\"'") & set(shown)
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "99400891" not in html or "{{" not in name or "{{9973*9967}}" in html
    assert any("alert" in html or "onload" in html or "{{9973*9967}}" in html for html in htmls), "he is to be seen"


@pytest.mark.parametrize(
    "path", ["/hand/1", "/history?page=%3Cscript%3E", "/verify?hand=%22%3E%3Cscript%3E", "/rules/%3Cscript%3E"]
)
async def test_an_address_is_not_repeated_on_the_page(house: OpenHouse, path: str) -> None:
    anna = await house.enter("Anna")
    html = await (await anna.client.get(f"{anna.base}{path}")).text()
    assert "<script>" not in html


# Paths


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


# Too much at once


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
        answer = await asyncio.wait_for(reader.read(), 20)
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
    head = (f"Content-Length: {len(bomb)}", "Content-Encoding: gzip", f"Cookie: ridotto={cookie_of(anna)}")
    tracemalloc.start()
    answer = await say(place_of(house), request(f"POST {anna.base}/table/1/press", *head, body=bomb))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert status_of(answer) == 400
    assert peak < 8_000_000


# Who is slow


@asynccontextmanager
async def listening(
    house: OpenHouse, *, idle_s: float = 30.0, patience_s: float = 30.0, most: int = 4000
) -> AsyncIterator[tuple[str, int]]:
    """The lounge on a socket as the process itself opens it."""
    app = make_app(house.lounge)
    app[CONNECTIONS_KEY].most, app[CONNECTIONS_KEY].patience_s = most, patience_s
    runner = make_runner(app, idle_s)
    await runner.setup()
    server = await listen(runner, app[CONNECTIONS_KEY], "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()
    finally:
        server.close()
        await runner.cleanup()


async def trickle(at: tuple[str, int], sent: bytes, gap_s: float = 0.05) -> float:
    """Byte by byte, until the house hangs up; how long that took."""
    began, (reader, writer) = time.monotonic(), await asyncio.open_connection(*at)
    ended = asyncio.ensure_future(reader.read())
    try:
        for byte in sent:
            writer.write(bytes([byte]))
            await asyncio.wait([ended], timeout=gap_s)
            if ended.done():
                break
        await asyncio.wait_for(ended, 20)
    except ConnectionError:
        pass
    finally:
        writer.close()
    return time.monotonic() - began


async def test_a_head_that_comes_byte_by_byte_is_cut(house: OpenHouse) -> None:
    async with listening(house, idle_s=0.5) as at:
        took = await trickle(at, request("GET /", "X: " + "x" * 10_000))
        assert took >= 0.4
        took = await trickle(at, b"")
        assert took >= 0.4


async def test_a_body_that_comes_byte_by_byte_is_cut(house: OpenHouse) -> None:
    before = books(house)
    async with listening(house, patience_s=0.5) as at:
        await trickle(at, request("POST /sign-in", "Content-Length: 10000", body=b"name=" + b"x" * 9995))
    assert books(house) == before


async def test_who_does_not_read_his_answers_is_cut(house: OpenHouse) -> None:
    """Many requests in one go and never a byte read: neither the answers nor the connection stay for ever."""
    anna = await house.enter("Anna")
    one = f"GET {anna.base}/table/1 HTTP/1.1\r\nHost: localhost\r\nCookie: ridotto={cookie_of(anna)}\r\n\r\n".encode()
    async with listening(house, patience_s=0.5) as at:
        reader, writer = await asyncio.open_connection(*at, limit=1024)
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(one * 2000)
        async with asyncio.timeout(60):
            while not writer.transport.is_closing():
                with suppress(ConnectionError):
                    writer.write(b"x")
                    await writer.drain()
                await asyncio.sleep(0.05)
        writer.close()


async def test_a_page_that_reads_nothing_costs_one_message_and_is_cut(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest state wins: what a slow reader has not seen is not kept for him, and his heart must beat."""
    monkeypatch.setattr(live, "HEARTBEAT_S", 1.0)
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    head = (
        f"GET {anna.base}/table/1/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Cookie: ridotto={cookie_of(anna)}\r\n\r\n"
    )
    _reader, writer = await asyncio.open_connection(*place_of(house), limit=1024)
    writer.write(head.encode())
    house.lounge.presses = Allowance(10_000, 1000.0)
    await until(lambda: house.lounge.live.open_pages == 1)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    (socket,) = house.lounge.live._sockets
    largest = 0
    for _ in range(40):
        await bea.press("bet", "10")
        await bea.press("takeback")
        transport = socket._req.transport if socket._req is not None else None
        largest = max(largest, transport.get_write_buffer_size() if transport is not None else 0)
    assert largest < 300_000
    await until(lambda: house.lounge.live.open_pages == 0)
    writer.close()


async def until(condition: Any, patience_s: float = 30.0) -> None:
    async with asyncio.timeout(patience_s):
        while not condition():
            await asyncio.sleep(0.02)


async def test_who_speaks_where_a_page_only_looks_is_cut(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    for send in ("send_str", "send_bytes"):
        for payload in ("x", "{}", "[" * 900, "x" * 100_000):
            socket = await anna.watch()
            await asyncio.wait_for(socket.receive_json(), 20)
            await getattr(socket, send)(payload if send == "send_str" else payload.encode())
            ended = [message.type async for message in socket]
            assert socket.closed
            assert WSMsgType.TEXT not in ended[1:]
    assert not house.lounge.live.open_pages


async def test_the_end_is_told_to_all_at_once_however_many_do_not_listen(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    sockets = [await anna.watch() for _ in range(20)]
    await until(lambda: house.lounge.live.open_pages == 20)

    async def stuck(*_args: Any, **_more: Any) -> None:
        await asyncio.sleep(60)

    for socket in house.lounge.live._sockets:
        socket.send_json = stuck  # type: ignore[method-assign,assignment]
    began = time.monotonic()
    await house.lounge.live.tell(["The house closes."])
    assert time.monotonic() - began < 5
    for socket in sockets:
        await socket.close()


# Many


async def test_one_player_watches_so_many_pages_and_no_more(house: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_OF_ONE_PLAYER", 3)
    monkeypatch.setattr(live, "MOST_PAGES", 4)
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    lobby = f"{anna.base}/live"
    sockets = [await anna.watch(), await anna.watch(2), await anna.client.ws_connect(lobby)]
    await until(lambda: house.lounge.live.open_pages == 3)
    for path in (lobby, f"{anna.base}/table/1/live"):
        with pytest.raises(WSServerHandshakeError, match="429"):
            await anna.client.ws_connect(path)
    sockets.append(await bea.watch())
    await until(lambda: house.lounge.live.open_pages == 4)
    with pytest.raises(WSServerHandshakeError, match="429"):
        await bea.watch()
    for socket in sockets:
        await socket.close()


async def test_when_the_house_is_full_the_longest_idle_makes_room(house: OpenHouse) -> None:
    async with listening(house, most=10) as at:
        first, *others = [await asyncio.open_connection(*at) for _ in range(10)]
        assert status_of(await say(at, request("GET /healthz"))) == 200
        assert await asyncio.wait_for(first[0].read(), 20) == b"", "who came first and said nothing went"
        reader, writer = others[-1]
        writer.write(request("GET /healthz"))
        assert status_of(await asyncio.wait_for(reader.read(), 20)) == 200, "the others are still here"
        for _reader, one in (first, *others):
            one.close()


async def test_who_is_being_served_is_not_sent_away_for_others(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    async with listening(house, most=2) as at:
        sockets = [
            await anna.client.session.ws_connect(
                f"http://127.0.0.1:{at[1]}{anna.base}/live", headers={"Cookie": f"ridotto={cookie_of(anna)}"}
            )
            for _ in range(2)
        ]
        assert await say(at, request("GET /healthz")) == b"", "there is no room"
        for socket in sockets:
            assert "parts" in await asyncio.wait_for(socket.receive_json(), 20)
            await socket.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_thousand_idle_connections_and_pages_keep_nobody_waiting(house: OpenHouse) -> None:
    players = [await house.enter(f"P{n}", **{"X-Forwarded-For": f"192.0.2.{n}"}) for n in range(45)]
    async with listening(house) as at:
        idle = [await asyncio.open_connection(*at) for _ in range(1000)]
        half = [await asyncio.open_connection(*at) for _ in range(200)]
        for _reader, writer in half:
            writer.write(b"GET / HTTP/1.1\r\nHost: loc")
        pages = []
        for player in players:
            cookie = {"Cookie": f"ridotto={cookie_of(player)}"}
            url = f"http://127.0.0.1:{at[1]}{player.base}/table/1/live"
            pages += [await player.client.session.ws_connect(url, headers=cookie) for _ in range(23)]
        await until(lambda: house.lounge.live.open_pages == len(pages))
        assert len(pages) > 1000
        anna, waits = players[0], []
        for n in range(20):
            began = time.monotonic()
            body = json.dumps({"key": f"press-{n:05}", "verb": "balance"}).encode()
            head = (f"Content-Length: {len(body)}", f"Cookie: ridotto={cookie_of(anna)}")
            assert status_of(await say(at, request(f"POST {anna.base}/table/2/press", *head, body=body))) == 200
            assert status_of(await say(at, request("GET /healthz"))) == 200
            waits.append(time.monotonic() - began)
        assert sorted(waits)[len(waits) // 2] < 1.0
        for _reader, writer in (*idle, *half):
            writer.close()
        await asyncio.gather(*(page.close() for page in pages))


# Headers


async def test_every_kind_of_answer_carries_the_headers(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        anna = await house.enter("Anna")
        gets = {"/": 200, "/nowhere": 404, "/static/ridotto.css": 200, "/static/nothing": 404, "/table/1.png": 200}
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
    for path in ("/", "/table/1", "/history", "/statement", "/statistics"):
        answer = await anna.client.get(f"{anna.base}{path}")
        assert answer.headers["Cache-Control"] == "no-store"


# Paces


def asked_by(remote: str, *forwarded: str) -> str:
    class Transport:
        @staticmethod
        def get_extra_info(name: str, default: Any = None) -> Any:
            return (remote, 1) if name == "peername" else default

        @staticmethod
        def is_closing() -> bool:
            return False

    headers = [("X-Forwarded-For", one) for one in forwarded]
    return asker_of(make_mocked_request("GET", "/", headers=headers, transport=Transport()))  # type: ignore[arg-type]


def test_who_asks_is_told_by_his_address() -> None:
    assert asked_by("192.0.2.7") == "192.0.2.7"
    assert asked_by("2001:db8:1:2:aaaa::1") == asked_by("2001:db8:1:2:bbbb::9") == "2001:db8:1:2::/64"
    assert asked_by("2001:db8:1:2::1") != asked_by("2001:db8:1:3::1")
    assert asked_by("::ffff:192.0.2.7") == "192.0.2.7"


def test_a_proxy_on_this_machine_says_for_whom_it_asks() -> None:
    assert asked_by("127.0.0.1", "192.0.2.7") == "192.0.2.7"
    assert asked_by("::1", "10.0.0.1, 192.0.2.7") == "192.0.2.7", "what the client wrote stands before it"
    assert asked_by("127.0.0.1", "10.0.0.1", "192.0.2.7") == "192.0.2.7"
    assert asked_by("127.0.0.1", "nonsense") == "127.0.0.1"


def test_nobody_else_may_say_who_he_is() -> None:
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
        await anna.press("balance", table=2),
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
    assert ["take a breath" in text for text in texts[3:]] == [True, True]


async def test_forged_cookies_cost_the_books_little(house: OpenHouse) -> None:
    house.lounge.strangers = Allowance(5, 0.0)
    client = await house.browser()
    before = house.pit.commands
    for _ in range(4):
        cookie = ".".join(new_token() for _ in range(12))
        await client.get("/", headers={"Cookie": f"ridotto={cookie}"})
    assert house.pit.commands - before == 5


# The operator's link


async def test_two_who_hold_the_link_at_once_do_not_both_come_in(house: OpenHouse) -> None:
    players = [await house.enter(name) for name in ("Anna", "Bea", "Cate", "Dora")]
    answers = await asyncio.gather(
        *(one.client.post(f"/operator/{OPERATOR}", data={"player": str(one.id)}) for one in players)
    )
    assert sorted(answer.status for answer in answers) == [200, 404, 404, 404]
    assert len(house.lounge.casino.get("inspectors", [])) == 1
    assert house.lounge.operator_token is None


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
    assert house.lounge.operator_token == OPERATOR


# The end


async def test_who_is_slow_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """SIGTERM: pages that read nothing, heads and bodies under way, and still the process ends within five seconds."""
    async with start(tmp_path / "books") as process, ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        at = "127.0.0.1", int(process.url.rpartition(":")[2])
        async with session.post(f"{process.url}/sign-in", data={"name": "Anna"}) as answer:
            base = answer.url.path.rstrip("/")
        (cookie,) = (one.value for one in session.cookie_jar)
        live = (
            f"GET {base}/table/1/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Cookie: ridotto={cookie}\r\n\r\n"
        )
        body = request("POST /sign-in", "Content-Length: 1000", body=b"name=")
        opened = []
        for sent in [live.encode()] * 20 + [b"GET / HTTP/1.1\r\nHost: loc"] * 20 + [body] * 20 + [b""] * 20:
            reader, writer = await asyncio.open_connection(*at, limit=1024)
            writer.write(sent)
            if sent == live.encode():
                assert status_of(await asyncio.wait_for(reader.readline(), 20)) == 101
                writer.transport.pause_reading()  # type: ignore[attr-defined]
            opened.append(writer)
        began = time.monotonic()
        process.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.process.wait(), 30) == 0
        # A slow machine takes longer to leave Python; waiting for one of them would take 30 s.
        assert time.monotonic() - began < 10
        for writer in opened:
            writer.close()
