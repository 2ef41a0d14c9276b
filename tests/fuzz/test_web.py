"""The lounge's sockets with bad cookies, presses, forms and websocket frames of every kind: no 500, no change."""

import asyncio
import json
import logging
import struct
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.commands.command import Refused
from bot.platforms.common.allowance import Allowance
from bot.platforms.web.press import parse_press
from bot.platforms.web.sessions import new_token, player_in
from tests.bot.open_house import TABLE, OpenHouse, open_house
from tests.fuzz import TIMES, examples
from tests.fuzz.odd import ODD_TEXTS, mutate, odd_texts, odd_values
from tests.patience import PATIENCE_S
from tests.platforms.web.test_web_hardening import books, cookie_of, place_of, request, say, status_of


@pytest.fixture
async def house(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[OpenHouse]:
    """A lounge without rate limits; at the end there must be no fault."""
    async with open_house(tmp_path) as house:
        lounge = house.lounge
        lounge.presses = lounge.pages = lounge.sign_ins = Allowance(10**6, 1000.0)
        lounge.asked = lounge.sent = lounge.sent_bytes = Allowance(10**9, 10.0**9)
        yield house
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


GOOD = {"key": "good-key-1", "verb": "bet", "args": ["ante", "50"], "fresh": "1.0", "confirmed": False}


@examples(300)
@given(st.one_of(st.binary(max_size=60), odd_values.map(lambda value: json.dumps(value).encode())))
def test_any_body_is_a_press_or_refused(body: bytes) -> None:
    try:
        press = parse_press(body)
    except Refused:
        return
    assert all(word.isascii() or word.encode() for word in (press.key, *press.said.args, press.said.verb))


@examples(300)
@given(odd_texts | st.text(alphabet="abc-019 ٣/", max_size=20))
def test_any_slug_is_a_player_or_nobody(slug: str) -> None:
    number = player_in(slug)
    assert number is None or 0 < number < 10**12


@pytest.mark.slow
async def test_a_press_that_was_tampered_with_is_answered(house: OpenHouse) -> None:
    anna, random = await house.enter("Anna"), Random(1)
    for _ in range(300 * (TIMES or 1)):
        body = mutate(random, json.loads(json.dumps(GOOD)))
        before = books(house)
        answer = await anna.client.post(f"{anna.base}{TABLE}/press", data=json.dumps(body).encode())
        said = await answer.json()
        assert answer.status in (200, 400)
        assert said["texts"]
        if said["refused"]:
            assert books(house) == before


async def test_any_bytes_as_a_press_are_answered(house: OpenHouse) -> None:
    anna, random = await house.enter("Anna"), Random(2)
    before = books(house)
    good = json.dumps({**GOOD, "verb": "tables"}).encode()
    for _ in range(200 * (TIMES or 1)):
        place = random.randrange(len(good))
        body = good[:place] + random.randbytes(random.randint(0, 4)) + good[place + random.randint(0, 4) :]
        kind = random.choice(
            ("application/json", "text/plain", "multipart/form-data", "x", "application/json; charset=x")
        )
        answer = await anna.client.post(f"{anna.base}{TABLE}/press", data=body, headers={"Content-Type": kind})
        assert answer.status in (200, 400)
    assert books(house) == before


def cookies(random: Random, good: str) -> str:
    """Return a Cookie header: bytes of Latin 1 without line ends."""
    part = random.choice(
        (
            good,
            good[:-1],
            new_token(),
            "." * random.randint(1, 50),
            random.choice(ODD_TEXTS),
            random.randbytes(random.randint(0, 60)).decode("latin-1"),
        )
    )
    text = random.choice(
        ("ridotto={}", "ridotto={0}; ridotto={0}", "{}", 'ridotto="{}"', "=;{};", "language={}; door={}")
    )
    text = text.replace("{0}", part).replace("{}", part)
    plain = "".join(letter for letter in text.encode("utf-8", "replace").decode("latin-1") if letter not in "\r\n\0")
    return plain[:7000]


async def test_any_cookie_is_somebody_or_nobody(house: OpenHouse) -> None:
    anna, random = await house.enter("Anna"), Random(3)
    good, before = cookie_of(anna), books(house)
    for _ in range(200 * (TIMES or 1)):
        header = "Cookie: " + cookies(random, good)
        for path in (f"{anna.base}/", "/"):
            answer = await say(place_of(house), request(f"GET {path}", header))
            assert status_of(answer) in (200, 303, 400)
            if good not in header:
                assert b"/statement" not in answer, "nobody is let in"
    assert books(house) == before


async def test_any_form_is_answered(house: OpenHouse) -> None:
    random, kinds = (
        Random(4),
        ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/x", "x/y"),
    )
    for number in range(150 * (TIMES or 1)):
        odd = random.choice(ODD_TEXTS).encode("utf-8", "replace")[:2000]
        part = (
            b'--x\r\nContent-Disposition: form-data; name="name"'
            + random.choice((b"", b'; filename="a"'))
            + b"\r\n\r\n"
        )
        body = random.choice(
            (
                b"name=" + odd,
                part + odd + b"\r\n--x--\r\n",
                part + odd,
                random.randbytes(random.randint(0, 200)),
                part[: random.randint(0, len(part))],
            )
        )
        head = (f"Content-Type: {random.choice(kinds)}", f"Content-Length: {len(body)}")
        path = ("/sign-in", "/operator/guess", "/door")[number % 3]
        assert status_of(await say(place_of(house), request(f"POST {path}", *head, body=body))) in (303, 307, 400, 404)
    assert all(player.own_name.isprintable() for player in house.writer.state.players.values())


def frame(random: Random) -> bytes:
    """Return one websocket frame by RFC 6455, or nearly."""
    code = random.choice((0, 1, 2, 8, 9, 10, 3, 11, 15))
    payload = random.choice(
        (b"", b"{}", b"x" * 125, b"x" * 126, b"\xff\xfe", b"[" * 1000, b"x" * 70_000, struct.pack("!H", 999))
    )
    first = code | random.choice((0x80, 0x80, 0x80, 0, 0xC0, 0xF0))
    masked, mask = random.choice((0x80, 0x80, 0x80, 0)), bytes(random.randrange(256) for _ in range(4))
    size = random.choice((len(payload), len(payload), len(payload), 2**63, 2**31, len(payload) + 9))
    if size < 126:
        head = struct.pack("!BB", first, masked | size)
    elif size < 2**16:
        head = struct.pack("!BBH", first, masked | 126, size)
    else:
        head = struct.pack("!BBQ", first, masked | 127, size)
    body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload[:2000])) if masked else payload[:2000]
    return head + (mask if masked else b"") + body


async def test_any_frames_end_a_page_and_nothing_else(house: OpenHouse) -> None:
    anna, random = await house.enter("Anna"), Random(5)
    before = books(house)
    for number in range(150 * (TIMES or 1)):
        path = ("/live", f"{TABLE}/live")[number % 2]
        extensions = random.choice(("", "Sec-WebSocket-Extensions: permessage-deflate\r\n"))
        head = (
            f"GET {anna.base}{path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{extensions}"
            f"Cookie: {cookie_of(anna)}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection(*place_of(house))
        writer.write(head.encode())
        assert status_of(await asyncio.wait_for(reader.readline(), PATIENCE_S)) == 101
        for _ in range(random.randint(1, 4)):
            writer.write(frame(random) if random.random() < 0.8 else random.randbytes(20))
        writer.close()
    async with asyncio.timeout(PATIENCE_S):
        while house.lounge.live.open_pages:
            await asyncio.sleep(0.02)
    assert books(house) == before
    answer: Any = await (await house.browser()).get("/healthz")
    assert answer.status == 200
