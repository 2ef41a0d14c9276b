"""Sign-ins: ordinary use loses no one, signing out is final, and a lost cookie can be recovered."""

import asyncio
import json
import logging
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient

from bot.platforms.common.allowance import Allowance
from bot.platforms.web import account, password_throttle, sessions
from bot.platforms.web.account import WORDS, new_phrase, normalise
from bot.platforms.web.password_throttle import PasswordThrottle
from bot.platforms.web.sessions import GRACE_S, TRIED, TURNS_S, kind_of, new_token
from bot.texts import LANGUAGES
from storage.sqlite import FILE
from tests.bot.open_house import TABLE, OpenHouse, Player, open_house
from tests.disk import ask

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile Safari/604.1"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path) as house:
        house.lounge.sign_ins = Allowance(1000, 0.0)
        yield house


def jar_of(client: Any) -> dict[str, str]:
    return {one.key: one.value for one in client.session.cookie_jar if one.key != TRIED}


async def browser_with(house: OpenHouse, cookies: dict[str, str]) -> "TestClient[Any, Any]":
    client: TestClient[Any, Any] = TestClient(house.server, cookie_jar=CookieJar(unsafe=True))
    house.clients.append(client)
    client.session.cookie_jar.update_cookies(cookies, house.server.make_url("/"))
    return client


async def is_in(client: Any, base: str, agent: str = "") -> bool:
    answer = await client.get(f"{base}/", headers={"User-Agent": agent}, allow_redirects=False)
    return bool(answer.status == 200)


async def sign_in(client: Any, name: str) -> str:
    answer = await client.post("/sign-in", data={"name": name}, allow_redirects=False)
    assert answer.status == 303, await answer.text()
    return str(answer.headers["Location"]).rstrip("/")


async def test_without_cookies_the_lounge_says_so_and_makes_no_player(house: OpenHouse) -> None:
    client = await house.browser(keeps_cookies=False)
    people = ask(house.writer.books, "SELECT count(*) FROM players")
    for _time in range(2):
        answer = await client.post("/sign-in", data={"name": "Anna"})
        assert (answer.status, len(answer.history)) == (400, 1)
        assert "Your browser did not keep the cookie that signs you in." in await answer.text()
    assert ask(house.writer.books, "SELECT count(*) FROM players") == people
    anna = await house.browser(keeps_cookies=None)
    answer = await anna.post("/sign-in", data={"name": "Anna"})
    assert (answer.status, answer.url.path.startswith("/p/anna-")) == (200, True), "nobody else has the name"


async def test_a_browser_holds_as_many_players_as_come(house: OpenHouse) -> None:
    client = await house.browser()
    bases = [await sign_in(client, f"Player {n}") for n in range(30)]
    assert len(jar_of(client)) == 1, "one cookie, however many they are"
    assert [await is_in(client, base) for base in bases] == [True] * 30
    front = await (await client.get("/")).text()
    assert all(f'"{base}/"' in front for base in bases)


@pytest.mark.parametrize("known", [0, 1, 12])
async def test_tabs_that_sign_in_at_once_lose_nobody(house: OpenHouse, known: int) -> None:
    """Every tab sends the earlier cookies; each answer sets its own; the browser keeps all."""
    client = await house.browser()
    bases = [await sign_in(client, f"Known {n}") for n in range(known)]
    bases += await asyncio.gather(*(sign_in(client, f"Tab {n}") for n in range(5)))
    assert [await is_in(client, base) for base in bases] == [True] * (known + 5)
    front = await (await client.get("/")).text()
    assert all(f'"{base}/"' in front for base in bases)


async def test_all_that_happens_to_a_browser_of_several_cookies_happens_to_all(house: OpenHouse) -> None:
    client = await house.browser()
    one, other = await asyncio.gather(sign_in(client, "One"), sign_in(client, "Other"))
    third = await sign_in(client, "Third")
    assert len(jar_of(client)) == 2
    house.ahead[0] += TURNS_S + 1
    assert [await is_in(client, base) for base in (one, other, third)] == [True] * 3
    await client.post(f"{third}/sign-out")
    assert [await is_in(client, base) for base in (one, other, third)] == [True, True, False]


async def test_what_is_called_after_an_account_opens_nothing(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    (identity,) = [name for platform, name in house.writer.state.identities if platform == "web"]
    for value in (identity, identity[:43]):
        assert not await is_in(await browser_with(house, {"ridotto": value}), anna.base)


async def test_a_token_turns_over_once_a_day_and_the_old_one_ends(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    first = jar_of(anna.client)
    await anna.page()
    assert jar_of(anna.client) == first, "not before its time"
    house.ahead[0] += TURNS_S + 1
    await anna.page()
    second = jar_of(anna.client)
    assert second != first
    assert second.keys() == first.keys()
    await anna.page()
    assert await is_in(await browser_with(house, first), anna.base), "what was under way is answered"
    house.ahead[0] += GRACE_S + 1
    assert not await is_in(await browser_with(house, first), anna.base)
    assert await is_in(await browser_with(house, second), anna.base)


async def test_two_tabs_that_turn_it_over_at_once_are_given_the_same(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.page()
    first = jar_of(anna.client)
    house.ahead[0] += TURNS_S + 1
    tabs = [await browser_with(house, first) for _ in range(6)]
    assert all(await asyncio.gather(*(is_in(tab, anna.base) for tab in tabs)))
    assert len({json.dumps(jar_of(tab)) for tab in tabs}) == 1
    for tab in tabs:
        assert await is_in(tab, anna.base)


async def test_a_browser_that_never_got_the_new_token_is_not_locked_out(house: OpenHouse) -> None:
    """The answer was lost, and the server has forgotten the new token."""
    anna = await house.enter("Anna")
    await anna.page()
    first = jar_of(anna.client)
    house.ahead[0] += TURNS_S + 1
    lost = await browser_with(house, first)
    assert await is_in(lost, anna.base)
    house.lounge.browsers._passing.clear()
    house.ahead[0] += 40 * 86400
    again = await browser_with(house, first)
    assert await is_in(again, anna.base)
    assert jar_of(again) != first
    assert await is_in(again, anna.base)
    assert not await is_in(lost, anna.base), "what never came to anybody is no good"


async def test_sessions_outlive_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        anna = await house.enter("Anna")
        other = await sign_in(anna.client, "Other")
        cookies, base = jar_of(anna.client), anna.base
    async with open_house(tmp_path) as house:
        client = await browser_with(house, cookies)
        assert [await is_in(client, one) for one in (base, other)] == [True, True]
        assert "1,000" in await (await client.get(f"{base}/")).text(), "with their chips"


async def test_who_signs_out_is_gone_wherever_their_cookie_is(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    kept = jar_of(anna.client)
    socket = await anna.watch()
    await socket.receive_json()
    answer = await anna.client.post(f"{anna.base}/sign-out", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    thief = await browser_with(house, kept)
    said = await Player(house, thief, anna.base).press("balance")
    assert said["status"] == 401
    for path in ("/", TABLE, "/history", "/statement", "/account", "/hand/1/record"):
        answer = await thief.get(f"{anna.base}{path}", allow_redirects=False)
        assert (answer.status, answer.headers["Location"]) == (303, "/")
    ended = [message async for message in socket]
    assert "signed out" in ended[0].json()["notice"]
    assert socket.closed, "the page that was open sees no more"


async def test_others_in_the_browser_stay(house: OpenHouse) -> None:
    client = await house.browser()
    anna, bea = await sign_in(client, "Anna"), await sign_in(client, "Bea")
    await client.post(f"{anna}/sign-out")
    assert [await is_in(client, base) for base in (anna, bea)] == [False, True]


async def test_nobody_signs_another_out(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    ((browser,),) = ask(
        house.writer.books, "SELECT browser FROM sessions JOIN identities ON name = account WHERE player = ?", anna.id
    )
    for path in ("sign-out", "end-session"):
        await bea.client.post(f"{anna.base}/{path}", data={"browser": browser})
        await bea.client.post(f"{bea.base}/end-session", data={"browser": browser})
    assert await is_in(anna.client, anna.base)


async def phrase_of(player: Player, **headers: str) -> str:
    answer = await player.client.post(f"{player.base}/phrase", headers=headers)
    assert answer.status == 200
    assert answer.headers["Cache-Control"] == "no-store"
    return str(re.findall(r'class="phrase"><strong>([^<]*)<', await answer.text())[0])


async def recover(client: Any, phrase: str, address: str = "127.0.0.1") -> Any:
    headers = {"X-Forwarded-For": address, "User-Agent": SAFARI}
    return await client.post("/recover", data={"phrase": phrase}, headers=headers, allow_redirects=False)


async def test_sessions_are_listed_and_each_can_be_ended(house: OpenHouse) -> None:
    anna = await house.enter("Anna", **{"User-Agent": FIREFOX})
    phrase = await phrase_of(anna, **{"User-Agent": FIREFOX})
    phone, tablet = await house.browser(), await house.browser()
    for other in (phone, tablet):
        assert (await recover(other, phrase)).status == 303
        assert await is_in(other, anna.base, SAFARI)
    html = await (await anna.client.get(f"{anna.base}/account")).text()
    assert html.count("Safari · iPhone") == 2
    assert html.count("Firefox · Linux · this one") == 1
    assert len(re.findall(r"<td>20\d\d-\d\d-\d\d \d\d:\d\d</td>", html)) == 6
    (id,) = [name.removeprefix("ridotto-") for name in jar_of(phone)]
    socket = await phone.ws_connect(f"{anna.base}/live")
    await socket.receive_json()
    await anna.client.post(f"{anna.base}/end-session", data={"browser": id})
    assert [await is_in(one, anna.base) for one in (anna.client, phone, tablet)] == [True, False, True]
    assert [message async for message in socket]
    assert socket.closed
    await anna.client.post(f"{anna.base}/end-session")
    assert [await is_in(one, anna.base) for one in (anna.client, phone, tablet)] == [True, False, False]
    assert (await anna.page("/account")).count("<tr") == 2


async def test_a_lost_cookie_comes_back_by_the_phrase(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.press("bet", "50")
    phrase = await phrase_of(anna)
    assert len(phrase.split()) == WORDS
    assert phrase not in await anna.page("/account"), "it is shown once"
    anna.client.session.cookie_jar.clear()
    anna.client.session.cookie_jar.update_cookies({TRIED: "1"}, house.server.make_url("/"))
    assert not await is_in(anna.client, anna.base)
    answer = await recover(anna.client, f"  {phrase.upper().replace(' ', ',  ')}.")
    assert answer.headers["Location"] == f"{anna.base}/"
    assert anna.chips == 950 * 100
    assert not (await anna.press("takeback"))["refused"]


async def test_a_new_phrase_takes_the_place_of_the_old_one(house: OpenHouse) -> None:
    anna, stranger = await house.enter("Anna"), await house.browser()
    first, second = await phrase_of(anna), await phrase_of(anna)
    assert first != second
    assert (await recover(stranger, first)).status == 403
    assert (await recover(stranger, second)).status == 303


@pytest.mark.slow
@pytest.mark.parametrize("said", ["", " ", "abandon", " ".join(["abandon"] * WORDS), "x" * 5000, "\ud800", "%_"])
async def test_a_wrong_phrase_is_nobodys(house: OpenHouse, said: str) -> None:
    anna, stranger = await house.enter("Anna"), await house.browser()
    await phrase_of(anna)
    body = "phrase=" + quote_from_bytes(said.encode("utf-8", "surrogatepass"))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await stranger.post("/recover", data=body.encode(), headers=headers)
    assert answer.status == 403
    assert "No player has that phrase" in await answer.text()
    assert not jar_of(stranger)


async def test_wrong_phrases_slow_down_who_tries_them_and_nobody_else(house: OpenHouse) -> None:
    house.lounge.phrases = PasswordThrottle(Allowance(3, 0.0), wait_s=30.0, most_waiting=0)
    anna, stranger = await house.enter("Anna"), await house.browser()
    phrase = await phrase_of(anna)
    tried = [(await recover(stranger, "wrong", "192.0.2.1")).status for _ in range(5)]
    assert tried == [403] * 3 + [429] * 2
    assert (await recover(stranger, phrase, "192.0.2.2")).status == 303


async def test_phrases_are_made_at_a_pace(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    statuses = [(await anna.client.post(f"{anna.base}/phrase")).status for _ in range(6)]
    assert statuses == [200] * 5 + [429]


async def test_every_try_is_hashed_as_slowly(house: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = []

    async def counted(secret: str, salt: bytes) -> bytes:
        hashed.append(secret)
        return await password_throttle.stretch(secret, salt)

    monkeypatch.setattr(account, "stretch", counted)
    stranger = await house.browser()
    for said in ("", "one", " ".join(["abandon"] * WORDS)):
        await recover(stranger, said)
    assert len(hashed) == 3


def test_phrases_are_words_of_the_language_and_read_as_people_write_them() -> None:
    for language in LANGUAGES:
        phrases = {new_phrase(language) for _ in range(50)}
        assert len(phrases) == 50
        assert all(normalise(phrase) == phrase and len(phrase.split()) == WORDS for phrase in phrases)
    assert len(set(account._words("en")) | set(account._words("it"))) > 4000
    assert normalise("1. Abbaco\n2) ABETE; ａbile") == "abbaco abete abile"


@pytest.mark.parametrize(
    ("said", "kind"),
    [(FIREFOX, "Firefox · Linux"), (SAFARI, "Safari · iPhone"), ("", ""), ("curl/8", ""), ("x" * 9999, "")],
)
def test_a_browser_is_told_in_a_word_or_two(said: str, kind: str) -> None:
    from aiohttp.test_utils import make_mocked_request

    assert kind_of(make_mocked_request("GET", "/", headers={"User-Agent": said})) == kind


async def test_no_token_phrase_or_pass_is_in_books_logs_metrics_or_errors(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_house(tmp_path, password="Bauta-Moretta-1638") as house:
        client = await house.browser()
        await client.post("/door", data={"password": "Bauta-Moretta-1638"})
        base = await sign_in(client, "Anna")
        anna = Player(house, client, base)
        phrase = await phrase_of(anna)
        await recover(client, phrase)
        await recover(client, f"{phrase} zebra")
        secrets = {phrase, "Bauta-Moretta-1638", *jar_of(client).values()}
        house.ahead[0] += TURNS_S + 1
        texts = [await anna.page(), await anna.page("/account"), await (await client.get("/metrics")).text()]
        secrets |= set(jar_of(client).values())
        for path in ("/nowhere", f"{base}/hand/9", "/operator/x", f"{base}/nowhere"):
            texts.append(await (await client.get(path)).text())
        texts += [repr(house.lounge), repr(house.lounge.browsers._passing), repr(house.writer.state.browsers)]
    with closing(sqlite3.connect(tmp_path / FILE)) as books:
        texts += books.iterdump()
    texts += [record.getMessage() + str(record.exc_text) for record in caplog.records]
    assert len(secrets) >= 4
    for secret in secrets:
        for text in texts:
            assert secret not in text, text[:200]


async def test_cookies_of_other_houses_at_this_address_are_left_until_they_are_many(house: OpenHouse) -> None:
    other = {f"ridotto-{n:016x}": new_token() for n in range(sessions.MOST_COOKIES)}
    client = await browser_with(house, other)
    await client.get("/")
    assert jar_of(client) == other
    more = {**other, f"ridotto-{99:016x}": new_token(), f"ridotto-{98:016x}": new_token()}
    client = await browser_with(house, more)
    base = await sign_in(client, "Anna")
    assert len(jar_of(client)) == sessions.MOST_COOKIES + 1
    assert await is_in(client, base)


async def test_a_name_is_changed_on_the_account_page(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    answer = await anna.client.post(f"{anna.base}/name", data={"name": "Dealer"})
    assert "looks like the casino itself" in await answer.text()
    answer = await anna.client.post(f"{anna.base}/name", data={"name": "דנה"})
    assert answer.url.path == f"/p/{anna.id}/account"
    assert "<h1><bdi>דנה</bdi></h1>" in await answer.text()
