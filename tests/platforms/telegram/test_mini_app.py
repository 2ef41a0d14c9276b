"""A table as a Mini App: people proven by Telegram are admitted at their own table, no one else by any trick."""

import asyncio
import itertools
import json
import logging
import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from aiohttp import WSMsgType, WSServerHandshakeError

from bot.core.casinos.places import APP_NOTE, internal_command_of
from bot.core.commands.command import Answer, Command, Who
from bot.core.state.lounge import LOBBY
from bot.core.state.place import Place
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.context import PlatformContext, new_key
from bot.platforms.common.frames import NotProven
from bot.platforms.telegram.frames import LARGEST, MiniApp, read_init_data
from bot.platforms.web.app import HEADERS
from bot.platforms.web.frames import FRAMES_KEY, LASTS_S
from bot.platforms.web.installed import MANIFEST, OFFLINE, WORKER
from bot.platforms.web.live import PROTOCOL
from tests.bot.open_house import OpenHouse, open_house
from tests.patience import PATIENCE_S, until
from tests.servers.telegram.mini_app import init_data, sign

TOKEN = "4242:a-token-that-nobody-may-read"
SITE = "https://casino.example"
ANNA, BEA, ZOE = 501, 502, 503
GROUP = "1"


@pytest.fixture(autouse=True)
def _no_fault_is_logged(caplog: pytest.LogCaptureFixture) -> Any:
    yield
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """Anna's group, with a table at which Bea has said something; Zoe is in no group. The bot cannot be reached, so
    only the store knows them.
    """
    async with open_house(
        tmp_path,
        password="a password",
        frames=lambda writer: [MiniApp(TOKEN, PlatformContext(writer, "telegram"), writer.clock, lambda: None).host],
        public_url=SITE,
    ) as opened:
        await tell(opened, internal_command_of(new_key("telegram"), Place("telegram", GROUP), "arrive", "Anna's", "en"))
        await chat(opened, ANNA, "Anna", "table open", "caribbean", inspector=True)
        await chat(opened, BEA, "Bea", "balance")
        yield opened


async def tell(house: OpenHouse, command: Command) -> Answer:
    return await asyncio.wrap_future(house.writer.submit(command))


async def chat(house: OpenHouse, user: int, name: str, verb: str, *args: str, inspector: bool = False) -> Answer:
    """Post a message in the group."""
    who = Who("telegram", str(user), name, "en", inspector=inspector)
    command = Command(new_key("telegram"), who, Place("telegram", GROUP), verb, args, confirmed=True)
    answer = await tell(house, command)
    assert not answer.refused, answer
    return answer


def the_table(house: OpenHouse) -> int:
    return next(row.table_id for row in PlatformContext(house.writer, "telegram").places() if row.table_id is not None)


def data_for(house: OpenHouse, user: int, name: str = "Bea", **more: Any) -> str:
    return init_data(TOKEN, user, name, start=f"t{the_table(house)}", **more)


class App:
    """A page in Telegram's app."""

    def __init__(self, house: OpenHouse, client: Any) -> None:
        self.house, self.client, self.token, self.go = house, client, "", ""
        self.numbers = itertools.count()

    async def prove(self, data: str, table: str = "") -> tuple[int, dict[str, Any]]:
        answer = await self.client.post("/frame/telegram/prove", json={"data": data, "table": table})
        said = await answer.json()
        self.token, self.go = said.get("token", self.token), said.get("go", self.go)
        return answer.status, said

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def get(self, path: str) -> tuple[int, str]:
        answer = await self.client.get(path, headers=self.headers, allow_redirects=False)
        return answer.status, await answer.text()

    async def press(self, verb: str, *args: str) -> dict[str, Any]:
        press = {"key": f"press-{next(self.numbers):06}", "verb": verb, "args": list(args)}
        answer = await self.client.post(f"{self.go}/press", json=press, headers=self.headers)
        return {**await answer.json(), "status": answer.status}

    async def watch(self) -> Any:
        return await self.client.ws_connect(f"{self.go}/live", protocols=(PROTOCOL, self.token))


async def app_of(house: OpenHouse, user: int = BEA, name: str = "Bea") -> App:
    app = App(house, await house.browser())
    status, said = await app.prove(data_for(house, user, name))
    assert status == 200, said
    return app


async def refused(house: OpenHouse, data: str, table: str = "") -> str:
    """Return the sentence of a refusal, and check that no one was admitted."""
    app = App(house, await house.browser())
    status, said = await app.prove(data, table)
    assert status in (403, 413), said
    assert not app.token
    assert not len(house.server.app[FRAMES_KEY])
    return str(said["texts"][0])


async def test_their_table_opens_with_their_wallet_and_a_bet_there_lies_in_the_chat(house: OpenHouse) -> None:
    app = await app_of(house)
    status, page = await app.get(app.go)
    assert status == 200
    assert "1,000" in page
    assert "data-press" in page
    assert not (await app.press("bet", "ante", "50"))["refused"]
    table, player = house.table(the_table(house)), house.lounge.state.identity("telegram", str(BEA))
    assert any(stake.player == player for stake in table.round.bets), "it is the chat's own hand"
    said = await chat(house, BEA, "Bea", "balance")
    assert "950" in str(said.texts[0])


async def test_what_is_pressed_in_the_chat_comes_to_the_page(house: OpenHouse) -> None:
    app = await app_of(house)
    async with await app.watch() as page:
        await page.receive_json()
        await chat(house, BEA, "Bea", "bet", "ante", "50")
        assert "950" in json.dumps(await page.receive_json())
        assert page.protocol == PROTOCOL, "the token is named in no answer"


async def test_both_windows_press_at_once_and_it_is_done_once(house: OpenHouse) -> None:
    """Telegram repeats unanswered updates; so does the page."""
    app = await app_of(house)
    await chat(house, BEA, "Bea", "bet", "ante", "50")
    await chat(house, ANNA, "Anna", "bet", "ante", "50")
    house.ahead[0] += 60
    await house.submit("tables")
    assert house.table(the_table(house)).round.hand is not None
    who, at = Who("telegram", str(BEA), "Bea", "en"), Place("telegram", GROUP)
    in_chat = [Command(new_key("telegram"), who, at, "raise") for _ in range(2)]
    pressed, *said = await asyncio.gather(app.press("raise"), *(tell(house, one) for one in in_chat))
    refused = [bool(pressed["refused"]), *(answer.refused for answer in said)]
    assert refused.count(False) == 1, (pressed, said)
    balance = await chat(house, BEA, "Bea", "balance")
    assert "850" in str(balance.texts[0]), "50 and the raise of 100"


async def test_a_spectator_sees_the_table_and_no_card_of_anybody(house: OpenHouse) -> None:
    cara = 777
    await chat(house, cara, "Cara", "balance")
    app = await app_of(house, cara, "Cara")
    await chat(house, BEA, "Bea", "bet", "ante", "50")
    house.ahead[0] += 60
    await house.submit("tables")
    status, page = await app.get(app.go)
    assert status == 200
    assert "Bea" in page
    table = house.table(the_table(house))
    assert table.round.hand is not None
    own = next(cards for key, cards in table.round.hand.cards("1").items() if key == "1")
    assert not any(f'data-key="{card}"' in page for card in own if str(card) != "??")


async def test_history_rules_and_the_verifier_come_into_the_page(house: OpenHouse) -> None:
    app = await app_of(house)
    base = app.go.partition("/table/")[0]
    for path in ("history", "rules/caribbean", "verify", "statement", "leaderboard"):
        status, page = await app.get(f"{base}/{path}")
        assert status == 200, path
        assert "Operator" not in page
        assert "Come in" not in page


async def test_the_menu_offers_the_tables_of_their_groups_and_the_same_proof_opens_the_one_they_choose(
    house: OpenHouse,
) -> None:
    app, data = App(house, await house.browser()), init_data(TOKEN, BEA)
    _status, said = await app.prove(data)
    assert not app.token
    (offered,) = said["tables"]
    assert offered["label"] == "Caribbean Stud 1 · Anna's"
    status, _said = await app.prove(data, offered["table"])
    assert status == 200
    assert app.token


async def test_forged_data_is_refused(house: OpenHouse) -> None:
    fields = dict(parse_qsl(data_for(house, ZOE, "Zoe")))
    fields["user"] = json.dumps({"id": BEA, "first_name": "Bea"})
    assert "did not come from" in await refused(house, urlencode(fields))
    del fields["hash"]
    assert "did not come from" in await refused(house, urlencode(fields))


async def test_another_bots_data_is_refused(house: OpenHouse) -> None:
    other = init_data("4243:the-token-of-another-bot", BEA, start=f"t{the_table(house)}")
    assert "did not come from" in await refused(house, other)


async def test_old_data_is_refused_and_a_day_is_not_old(house: OpenHouse) -> None:
    now = house.writer.clock()
    assert "too long" in await refused(house, data_for(house, BEA, at_s=now - 24 * 3600 - 10))
    status, _said = await App(house, await house.browser()).prove(data_for(house, BEA, at_s=now - 24 * 3600 + 60))
    assert status == 200


async def test_data_of_the_future_is_refused_and_a_clock_may_be_a_little_ahead(house: OpenHouse) -> None:
    now = house.writer.clock()
    assert "did not come from" in await refused(house, data_for(house, BEA, at_s=now + 120))
    status, _said = await App(house, await house.browser()).prove(data_for(house, BEA, at_s=now + 30))
    assert status == 200


async def test_a_name_that_comes_twice_is_refused(house: OpenHouse) -> None:
    good = data_for(house, BEA)
    for added in ("user=%7B%22id%22%3A501%7D", "auth_date=1", "hash=" + "0" * 64, "start_param=t99"):
        assert "did not come from" in await refused(house, f"{good}&{added}")
        assert "did not come from" in await refused(house, f"{added}&{good}")


async def test_data_that_is_too_large_is_refused(house: OpenHouse) -> None:
    long = data_for(house, BEA, note="x" * LARGEST)
    assert await refused(house, long)
    assert await refused(house, long * 200)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"data":1}', b'{"data":"\xff"}', b"[" * 5000, b'{"data":"a=b"}'])
async def test_what_is_no_proof_at_all_is_a_sentence(house: OpenHouse, body: bytes) -> None:
    client = await house.browser()
    answer = await client.post("/frame/telegram/prove", data=body)
    assert answer.status == 403
    assert "open the table again" in (await answer.json())["texts"][0]


@pytest.mark.parametrize("field", ["auth_date", "user"])
def test_signed_data_that_lacks_something_is_refused(field: str) -> None:
    fields = dict(parse_qsl(init_data(TOKEN, BEA)))
    del fields["hash"], fields[field]
    data = urlencode({**fields, "hash": sign(fields, TOKEN)})
    if field == "user":
        assert "user" not in read_init_data(data, TOKEN, time.time())
        return
    with pytest.raises(NotProven):
        read_init_data(data, TOKEN, time.time())


async def test_who_is_of_no_community_is_told_so(house: OpenHouse) -> None:
    assert "own community" in await refused(house, data_for(house, ZOE, "Zoe"))
    assert "own community" in await refused(house, init_data(TOKEN, ZOE, "Zoe"), f"t{the_table(house)}")
    assert "There is none here" in await refused(house, init_data(TOKEN, ZOE, "Zoe"))
    assert house.lounge.state.identity("telegram", str(ZOE)) is None, "and she is nobody's guest"


async def test_the_lounges_own_tables_are_behind_its_password(house: OpenHouse) -> None:
    assert "own community" in await refused(house, init_data(TOKEN, BEA, start="t1"))


async def test_the_same_proof_again_ends_the_session_that_it_opened(house: OpenHouse) -> None:
    """Clients show it again when they reload the page, so it is not single-use; there is one session each."""
    first, data = App(house, await house.browser()), data_for(house, BEA)
    await first.prove(data)
    second = App(house, await house.browser())
    await second.prove(data)
    assert (await second.get(second.go))[0] == 200
    assert (await first.get(first.go))[0] == 401
    assert len(house.server.app[FRAMES_KEY]) == 1


async def ends(house: OpenHouse, app: App, page: Any, says: str) -> None:
    """Check that the open page is told why it is closed, and that its token no longer works."""
    said = ""
    while (message := await asyncio.wait_for(page.receive(), PATIENCE_S)).type == WSMsgType.TEXT:
        said += message.data
    assert says in said
    status, text = await app.get(app.go)
    assert (status, "open the table again" in text) == (401, True)
    assert (await app.press("bet", "ante", "50"))["status"] == 401
    with pytest.raises(WSServerHandshakeError):
        await app.watch()


@pytest.mark.slow
async def test_a_ban_ends_an_open_session_and_no_other_begins(house: OpenHouse) -> None:
    app = await app_of(house)
    async with await app.watch() as page:
        await page.receive_json()
        await chat(house, ANNA, "Anna", "ban", "Bea", "cheating", inspector=True)
        await ends(house, app, page, "You are banned")
    _status, said = await app.prove(data_for(house, BEA))
    assert said["texts"] == ["You are banned from this casino."]


@pytest.mark.slow
async def test_an_account_that_became_another_players_ends_it_and_so_does_unlinking(house: OpenHouse) -> None:
    dora = 888
    in_lounge = Command(new_key("web"), Who("web", "dora", "Dora"), LOBBY, "link")
    code = str((await tell(house, in_lounge)).texts[0].values["code"])
    await chat(house, dora, "Dora", "balance")
    app = await app_of(house, dora, "Dora")
    async with await app.watch() as page:
        await page.receive_json()
        await chat(house, dora, "Dora", "link", code)
        await ends(house, app, page, "signed out here")
    house.ahead[0] += 25 * 3600
    again = App(house, await house.browser())
    await again.prove(data_for(house, dora, "Dora", at_s=house.writer.clock()))
    async with await again.watch() as page:
        await page.receive_json()
        await chat(house, dora, "Dora", "unlink")
        await ends(house, again, page, "signed out here")


async def test_signing_out_ends_it(house: OpenHouse) -> None:
    app = await app_of(house)
    async with await app.watch() as page:
        await page.receive_json()
        answer = await app.client.post("/frame/leave", headers=app.headers)
        assert answer.status == 200
        await ends(house, app, page, "signed out here")


@pytest.mark.slow
async def test_it_ends_after_six_hours(house: OpenHouse) -> None:
    app = await app_of(house)
    house.ahead[0] += LASTS_S - 60
    assert (await app.get(app.go))[0] == 200
    house.ahead[0] += 120
    assert (await app.get(app.go))[0] == 401
    await until(lambda: not len(house.server.app[FRAMES_KEY]))


async def test_a_session_opens_nothing_but_its_own_table(house: OpenHouse) -> None:
    await chat(house, ANNA, "Anna", "balance")
    app = await app_of(house)
    base = app.go.partition("/table/")[0]
    other = house.lounge.state.identity("telegram", str(ANNA))
    own = ("table/1", "", "account", "operator", "live")
    others = (f"/p/{other}/history", f"/p/anna-{other}/table/{the_table(house)}", "/", "/metrics/x", "/operator/x")
    for path in (*(f"{base}/{one}" for one in own), *others):
        status, _page = await app.get(path)
        assert status in (403, 404), path
    assert not (await app.client.get(app.go, allow_redirects=False)).cookies, "and it leaves no cookie"
    assert (await app.client.get(app.go, allow_redirects=False)).status == 303, "without its token it is the password"


@pytest.mark.parametrize("token", ["x", "A" * 43, "", "Ä" * 43])
async def test_a_token_that_is_none_is_refused(house: OpenHouse, token: str) -> None:
    client = await house.browser()
    answer = await client.get("/p/bea-3/history", headers={"Authorization": f"Bearer {token or '-'}"})
    assert answer.status == 401


async def test_too_many_proofs_are_asked_for_patience(house: OpenHouse) -> None:
    app = App(house, await house.browser())
    for _ in range(100):
        status, said = await app.prove(data_for(house, BEA))
        if status == 429:
            break
    assert status == 429
    assert "fast" in said["texts"][0]


async def test_whoever_asks_too_much_in_an_app_leaves_others_behind_the_same_proxy_alone(house: OpenHouse) -> None:
    greedy, other = await app_of(house), await app_of(house, ANNA, "Anna")
    house.lounge.asked = Allowance(5, 0.0)
    assert [(await greedy.get(greedy.go))[0] for _ in range(6)] == [200] * 5 + [429]
    assert (await other.get(other.go))[0] == 200


async def test_the_page_alone_may_be_framed_and_by_telegram_alone(house: OpenHouse) -> None:
    app = await app_of(house)
    shell = await app.client.get("/frame/telegram")
    policy = shell.headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors https://web.telegram.org")
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert shell.status == 200
    assert "https://telegram" not in await shell.text()
    for path in ("/door", "/verify", "/", app.go):
        answer = await app.client.get(path, headers=app.headers if path == app.go else {})
        assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"], path
    assert (await app.client.get("/frame/discord")).status == 404
    assert (await app.client.get("/frame/nobody")).status == 404


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "https://123.discordsays.com", "null", SITE + ".evil.example"]
)
async def test_another_sites_page_is_refused(house: OpenHouse, origin: str) -> None:
    app = await app_of(house)
    for path, more in (("/frame/telegram/prove", {}), (f"{app.go}/press", app.headers), ("/frame/leave", app.headers)):
        answer = await app.client.post(path, json={}, headers={**more, "Origin": origin})
        assert answer.status == 403, path
    with pytest.raises(WSServerHandshakeError):
        await app.client.ws_connect(f"{app.go}/live", protocols=(PROTOCOL, app.token), headers={"Origin": origin})


async def test_no_secret_comes_into_a_log(house: OpenHouse, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "ridotto")
    app, data = App(house, await house.browser()), data_for(house, BEA)
    await app.prove(data)
    await app.prove(f"{data}&x=y")
    await app.get(app.go)
    async with await app.watch() as page:
        await page.receive_json()
    given = dict(parse_qsl(data))["hash"]
    for secret in (given, app.token, TOKEN, data):
        assert secret not in caplog.text


async def test_what_is_open_to_apps_is_an_exact_list(house: OpenHouse) -> None:
    """All other addresses need the password, except public logs."""
    client, is_open = await house.browser(), set[str]()
    for known in house.server.app.router.resources():
        if known.canonical.startswith("/log/"):
            continue
        path = re.sub(r"\{\w+\}", "1", known.canonical).replace("/frame/1", "/frame/telegram")
        path = path.replace("/cards/1/1", f"/cards/{'0' * 12}/As").replace("/places/1/1", f"/places/{'0' * 12}/all")
        answer = await client.get(path, allow_redirects=False)
        if answer.headers.get("Location") != "/door" and answer.status not in (403, 404, 405):
            is_open.add(known.canonical)
    assert is_open == {
        "/door", "/healthz", "/metrics", "/frame/session", "/frame/{host}", "/frame/{host}/script.js",
        "/cards/{version}/{card}.svg", "/places/{version}/{game}.css", MANIFEST, WORKER, OFFLINE,
    }  # fmt: skip


async def test_a_house_without_a_public_address_shows_itself_in_no_app(tmp_path: Path) -> None:
    async with open_house(
        tmp_path,
        frames=lambda writer: [MiniApp(TOKEN, PlatformContext(writer, "telegram"), writer.clock, lambda: None).host],
    ) as house:
        client = await house.browser()
        assert (await client.get("/frame/telegram")).status == 404
        answer = await client.post("/frame/telegram/prove", json={"data": init_data(TOKEN, BEA)})
        assert answer.status == 404
        assert (await answer.json())["texts"]


async def test_a_first_hand_is_for_the_browser_to_which_the_app_sends_it(house: OpenHouse) -> None:
    """The person has no password of the lounge; the app's one page shows one table."""
    app = await app_of(house)
    own, _table, _number = app.go.rpartition("/table/")
    assert (await app.get(f"{own}/learn/uth"))[0] == 404
    browser = await house.browser()
    shown = await browser.get("/learn/uth")
    assert (shown.status, 'data-post="/learn/uth/press"' in await shown.text()) == (200, True)
    press = {"key": "first-hand", "verb": "bet", "args": ["ante"]}
    assert (await (await browser.post("/learn/uth/press", json=press)).json())["at"] == "/learn/uth?said=ante"
    assert (await browser.get("/rules/uth", allow_redirects=False)).status == 200
    assert (await browser.get("/verify", allow_redirects=False)).status == 303


async def test_a_session_leads_to_the_other_tables_of_its_tournament(house: OpenHouse) -> None:
    """A player who is moved goes on there by a press, without a new proof."""
    await tell(house, internal_command_of(new_key("telegram"), Place("telegram", "3"), "arrive", "Group", "en"))
    await tell(house, internal_command_of(new_key("telegram"), Place("telegram", ""), "note", APP_NOTE, "true"))
    group = Place("telegram", "3")
    for user in range(601, 608):
        verb, *args = ["tournament create", "uth", "7"] if user == 601 else ["tournament join"]
        command = Command(new_key("telegram"), Who("telegram", str(user), f"Player {user}"), group, verb, tuple(args))
        answer = await tell(house, command)
        assert not answer.refused, answer
    row = house.lounge.state.place(*group)
    assert row is not None
    first, second = house.table(row.table_id or 0).tournament.tables  # type: ignore[union-attr]
    await tell(house, internal_command_of(new_key("telegram"), Place("telegram", "3:-9"), "enter", "3"))
    await tell(house, internal_command_of(new_key("telegram"), Place("telegram", "3:-9"), "show further", str(second)))
    state = house.lounge.state
    seated = {*house.table(second).seats.values()}
    user = next(one for one in range(601, 608) if state.identity("telegram", str(one)) in seated)
    app = App(house, await house.browser())
    status, said = await app.prove(init_data(TOKEN, user, f"Player {user}", start=f"t{second}"))
    assert status == 200, said
    assert not (await app.press("bet", "ante", "100"))["refused"]
    own, _table, _number = app.go.rpartition("/table/")
    assert (await app.get(f"{own}/table/{first}"))[0] == 200
    assert (await app.get(f"{own}/table/{the_table(house)}"))[0] == 404
