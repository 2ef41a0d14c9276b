"""Turn notices by a browser whose pages are out of sight: encrypted, once a turn, and only while wanted."""

import asyncio
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import http_ece
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from yarl import URL

from bot.core.state.lounge import PLATFORM
from bot.platforms.web.lounge import Lounge
from bot.platforms.web.push import KEY, PUSH_KEY, OutsideOnly, Push, is_outside, public_of
from storage.questions.notes import note
from tests.bot.open_house import TABLE, OpenHouse, Player, open_house
from tests.core.conftest import STUD
from tests.patience import until

CONTACT = "https://casino.example.org"


def letters(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


class Browser:
    """A browser: a key pair, a secret, and its push service."""

    def __init__(self, service: "Service", name: str) -> None:
        self.key, self.secret, self.name, self.service = (
            ec.generate_private_key(ec.SECP256R1()),
            b"s" * 16,
            name,
            service,
        )

    def subscription(self, **changes: str) -> dict[str, Any]:
        """Return the subscription like `PushSubscription.toJSON`."""
        encoding, form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        point = letters(self.key.public_key().public_bytes(encoding, form))
        keys = {"p256dh": point, "auth": letters(self.secret)}
        return {"endpoint": self.service.address(self.name), "expirationTime": None, "keys": keys, **changes}

    def told(self) -> list[dict[str, str]]:
        """Return the decrypted notices that came."""
        bodies = [body for name, _headers, body in self.service.came if name == self.name]
        return [json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret)) for body in bodies]


class Service:
    """A push service on the loopback: it records what it gets, and answers as told."""

    def __init__(self) -> None:
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        app = web.Application()
        app.router.add_post("/to/{name}", self.take)
        self.server = TestServer(app)

    def address(self, name: str) -> str:
        return str(self.server.make_url(f"/to/{name}"))

    async def take(self, request: web.Request) -> web.Response:
        self.came.append((request.match_info["name"], dict(request.headers), await request.read()))
        return web.Response(status=self.status)


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    found = Service()
    await found.server.start_server()
    yield found
    await found.server.close()


def make_push(lounge: Lounge) -> Push:
    """Return a sender that may call the loopback."""
    return Push(lounge, CONTACT, lambda url: True, aiohttp.ClientSession)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path, push=make_push) as house:
        yield house


async def wish(one: Player, wanted: dict[str, Any] | None) -> dict[str, Any]:
    answer = await one.client.post(f"{one.base}/push", data=json.dumps(wanted))
    return {**(await answer.json()), "status": answer.status}


async def both_sit_down(house: OpenHouse, *people: Player) -> None:
    """Seat everyone at stud, where turns come one after the other."""
    for one in people:
        assert not (await one.press("buyin", "320", table=STUD))["refused"]
    await house.wait(31)


def has_come(service: Service, turns: int) -> bool:
    return len(service.came) == turns


def waited_for(house: OpenHouse) -> int:
    table = house.table(STUD)
    assert table.round.hand is not None
    return table.owners()[next(iter(table.round.hand.asks))]


async def act(house: OpenHouse, people: list[Player]) -> None:
    one = next(one for one in people if one.id == waited_for(house))
    play = house.table(STUD).round.hand
    words = [offer.word for offer in play.asks[next(iter(play.asks))]] if play is not None else []
    word = next(word for word in ("check", "call", "bring-in") if word in words)
    assert not (await one.press(word, table=STUD))["refused"]


async def test_each_turn_is_told_once_in_ones_language_sealed_and_signed(house: OpenHouse, service: Service) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    assert not (await anna.press("language", "it"))["refused"]
    browser = Browser(service, "anna")
    assert await wish(anna, browser.subscription()) == {
        "texts": ["Questo browser ti avvisa quando tocca a te."], "refused": False, "status": 200,
    }  # fmt: skip
    await both_sit_down(house, anna, bea)
    turns = 0
    for _move in range(6):
        if house.table(STUD).round.hand is None:
            break
        turns += waited_for(house) == anna.id
        await until(partial(has_come, service, turns))
        await act(house, [anna, bea])
    assert turns >= 2
    told = browser.told()[0]
    assert told == {
        "title": "Tocca a te.",
        "body": f"7 Card Stud Hi/Lo, tavolo {house.table(STUD).number}",
        "url": f"{anna.base}/table/{STUD}",
        "tag": f"table{STUD}",
    }
    _name, headers, body = service.came[0]
    assert headers["Content-Encoding"] == "aes128gcm"
    assert 0 < int(headers["TTL"]) <= 60
    assert (headers["Topic"], headers["Urgency"]) == (f"table{STUD}", "high")
    assert Vapid02.verify(headers["Authorization"])
    assert b"Anna" not in body


async def test_who_looks_is_told_nothing_and_who_has_turned_away_is(house: OpenHouse, service: Service) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    assert not (await wish(anna, Browser(service, "anna").subscription()))["refused"]
    assert not (await wish(bea, Browser(service, "bea").subscription()))["refused"]
    page = await anna.watch(STUD)
    await both_sit_down(house, anna, bea)
    people = [anna, bea]
    for turn in (anna, bea):
        while waited_for(house) != turn.id:
            await act(house, people)
    await until(lambda: service.came)
    assert {name for name, *_rest in service.came} == {"bea"}
    await page.send_str("away")
    await until(lambda: not house.lounge.live.is_looked_at_by(anna.id))
    while house.table(STUD).round.hand is not None and "anna" not in {name for name, *_rest in service.came}:
        await act(house, people)
        await asyncio.sleep(0.05)
    assert "anna" in {name for name, *_rest in service.came}
    await page.send_str("here")
    await until(lambda: house.lounge.live.is_looked_at_by(anna.id))


async def test_a_free_seat_is_told_to_the_one_who_asked_and_closed_the_page(house: OpenHouse, service: Service) -> None:
    people = [await house.enter(f"Player {number}") for number in range(1, 8)]
    for one in people:
        assert not (await one.press("sit"))["refused"]
    anna = await house.enter("Anna")
    browser = Browser(service, "anna")
    assert not (await wish(anna, browser.subscription()))["refused"]
    assert not (await anna.press("notify", "seat"))["refused"]
    assert not (await people[3].press("leave"))["refused"]
    await until(lambda: service.came)
    (told,) = browser.told()
    assert (told["title"], told["url"]) == ("A seat is free.", f"{anna.base}{TABLE}")


async def test_what_is_told_holds_no_card_and_no_key_of_the_house(
    house: OpenHouse, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "ridotto")
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    browser = Browser(service, "anna")
    await wish(anna, browser.subscription())
    await both_sit_down(house, anna, bea)
    while waited_for(house) != anna.id:
        await act(house, [anna, bea])
    await until(lambda: service.came)
    (told,) = browser.told()
    assert told.keys() == {"title", "body", "url", "tag"}
    kept = note(house.writer.books, PLATFORM, KEY)
    assert browser.secret.decode() not in caplog.text
    assert service.address("anna") not in caplog.text
    assert kept is not None
    assert kept not in caplog.text


async def test_nobody_is_told_who_does_not_want_it_any_more_or_is_signed_out(
    house: OpenHouse, service: Service
) -> None:
    anna, bea, cleo = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    for one, name in ((anna, "anna"), (bea, "bea"), (cleo, "cleo")):
        await wish(one, Browser(service, name).subscription())
    assert "data-wanted" in await anna.page()
    assert (await wish(anna, None))["texts"] == ["Notifications are off in this browser."]
    assert "data-wanted" not in await anna.page("/account")
    for one in (anna, bea, cleo):
        assert not (await one.press("buyin", "320", table=STUD))["refused"]
    await bea.client.post(f"{bea.base}/sign-out", allow_redirects=False)
    for _clock in range(8):
        await house.wait(61)
    await until(lambda: service.came)
    assert {name for name, *_rest in service.came} == {"cleo"}


async def test_nothing_is_kept_of_a_browser_where_nobody_is_signed_in_any_more(
    house: OpenHouse, service: Service
) -> None:
    """Two people share the browser: its service stays known as long as one of them gets notices there."""
    anna = await house.enter("Anna")
    await wish(anna, Browser(service, "both").subscription())
    answer = await anna.client.post("/sign-in", data={"name": "Bea"})
    bea = Player(house, anna.client, answer.url.path.rstrip("/"))
    await wish(bea, Browser(service, "both").subscription())

    def kept() -> list[str]:
        return [wish["to"]["endpoint"] for _browser, wish in house.lounge.noted("push ") if wish]

    await anna.client.post(f"{anna.base}/sign-out", allow_redirects=False)
    assert kept() == [service.address("both")]
    assert "data-wanted" in await bea.page()
    await bea.client.post(f"{bea.base}/sign-out", allow_redirects=False)
    assert kept() == []
    assert service.address("both") not in str(list(house.lounge.noted("push ")))


async def test_a_service_that_knows_a_browser_no_more_is_called_once(house: OpenHouse, service: Service) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    await wish(anna, Browser(service, "anna").subscription())
    service.status = 410
    await both_sit_down(house, anna, bea)
    while waited_for(house) != anna.id:
        await act(house, [anna, bea])
    await until(lambda: [value for _browser, value in house.lounge.noted("push ")] == [None])
    assert len(service.came) == 1
    assert "data-wanted" not in await anna.page()


async def test_another_house_and_the_next_start_know_who_wants_it(house: OpenHouse, service: Service) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    browser = Browser(service, "anna")
    await wish(anna, browser.subscription())
    before, push = house.server.app[PUSH_KEY], make_push(house.lounge)
    house.lounge.subscribers = [push.handle_change]
    assert public_of(await push.key()) == public_of(await before.key())
    push.handle_change(STUD)
    await until(lambda: push.tells(anna.id))
    await both_sit_down(house, anna, bea)
    while waited_for(house) != anna.id:
        await act(house, [anna, bea])
    await until(lambda: browser.told())
    await push.close()


@pytest.mark.parametrize(
    "body",
    [
        "{}", "[]", "7", '"x"', "\xff", "{",
        '{"endpoint": "https://push.example.org/1"}',
        json.dumps({"endpoint": "https://push.example.org/1", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}),
        json.dumps({"endpoint": "https://push.example.org/" + "x" * 2000, "keys": {"p256dh": "AAAA", "auth": "AAAA"}}),
    ],
)  # fmt: skip
async def test_what_is_no_subscription_is_said_in_a_sentence(house: OpenHouse, body: str) -> None:
    anna = await house.enter("Anna")
    answer = await anna.client.post(f"{anna.base}/push", data=body.encode("latin-1"))
    assert (answer.status, (await answer.json())["texts"]) == (400, ["This browser's push service cannot be used."])
    assert not list(house.lounge.noted("push "))


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/abc", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://127.0.0.1/abc", False),
        ("https://[::1]/abc", False),
        ("https://localhost/abc", False),
        ("https://10.0.0.1/abc", False),
        ("https://93.184.216.34/abc", False),
        ("https://push.example.org:8443/abc", False),
        ("https://me:too@push.example.org/abc", False),
    ],
)
def test_the_house_calls_names_over_https_and_no_address(address: str, may: bool) -> None:
    assert is_outside(URL(address)) is may


async def test_a_name_of_this_network_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(_self: object, host: str, *_more: object) -> list[dict[str, Any]]:
        return [{"hostname": host, "host": {"far.example.org": "93.184.216.34"}.get(host, "192.168.1.1"), "port": 443}]

    monkeypatch.setattr("aiohttp.DefaultResolver.resolve", resolve)
    names = OutsideOnly()
    assert [one["host"] for one in await names.resolve("far.example.org", 443)] == ["93.184.216.34"]
    with pytest.raises(OSError, match="not a public internet address"):
        await names.resolve("near.example.org", 443)
    await names.close()


async def test_a_stranger_and_a_house_without_the_extra_offer_nothing(
    house: OpenHouse, service: Service, tmp_path: Path
) -> None:
    anna, stranger = await house.enter("Anna"), await house.browser()
    assert "data-push" in await anna.page()
    answer = await stranger.post(f"{anna.base}/push", json=Browser(service, "x").subscription(), allow_redirects=False)
    assert answer.status == 303
    async with open_house(tmp_path / "without") as without:
        bea = await without.enter("Bea")
        assert "data-push" not in await bea.page()
        assert (await bea.client.post(f"{bea.base}/push", data="null")).status == 404
