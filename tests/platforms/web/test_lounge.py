"""The lounge over HTTP: admission, presses, and secrets."""

import asyncio
import json
import logging
import re
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from aiohttp import FormData, web

from bot.core import writer as writer_module
from bot.core.commands.command import Command, Who
from bot.core.state.lounge import LOBBY
from bot.core.state.plays import PLAYS
from bot.platforms.common.allowance import Allowance
from bot.platforms.web import monitoring, press
from bot.platforms.web.operator_link import find_link
from bot.platforms.web.sessions import TRIED, account_of
from bot.platforms.web.table import PARTS
from bot.texts import LANGUAGES, say_card
from engine.cards import HIDDEN
from storage.sqlite import FILE
from tests.bot.open_house import OPERATOR, TABLE, OpenHouse, Player, open_house
from tests.core.conftest import LINKED, TABLES
from tests.disk import ask, on_disk
from tests.patience import PATIENCE_S, until
from tests.some import some


async def deal(house: OpenHouse, *players: Player) -> None:
    for player in players:
        assert not (await player.press("bet", "50"))["refused"]
    await house.wait(21)
    assert house.table().round.hand is not None


@pytest.mark.parametrize("name", ["", "   ", "x" * 500, "<b>Anna</b>", 'a"b', "a\u202eb", "@anna", "\n"])
async def test_a_name_that_cannot_be_said_is_refused_in_one_sentence(house: OpenHouse, name: str) -> None:
    client = await house.browser()
    answer = await client.post("/sign-in", data={"name": name})
    assert answer.status == 400
    html = await answer.text()
    assert html.count('role="alert"') == 1
    assert "<b>Anna" not in html
    assert not house.writer.state.players


async def test_who_comes_in_gets_chips_and_sees_the_tables(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    html = await anna.page()
    assert "1,000" in html
    assert html.count("/table/") == len(house.writer.state.tables)


async def test_two_people_of_one_name_are_told_apart(house: OpenHouse) -> None:
    first, second = await house.enter("Anna"), await house.enter("Anna")
    assert first.id != second.id
    assert "Anna (2)" in await second.page()


async def test_the_books_know_a_token_by_its_hash_only(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    (cookie,) = (one for one in anna.client.session.cookie_jar if one.key != TRIED)
    rows = ask(house.writer.books, "SELECT * FROM browsers")
    assert [row[:2] for row in rows] == [(cookie.key.removeprefix("ridotto-"), account_of(cookie.value))]
    dump = "\n".join(on_disk(house.writer.books).db.conn.iterdump())
    assert account_of(cookie.value) in dump
    assert cookie.value not in dump


async def test_nobody_plays_as_another(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    said = await Player(house, bea.client, anna.base).press("bet", "50")
    assert said["status"] == 401
    assert not house.table().round.bets


async def test_who_was_forgotten_here_is_not_let_in_again(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.client.post(f"{anna.base}/sign-out")
    answer = await anna.client.get(f"{anna.base}/", allow_redirects=False)
    assert answer.status == 303


async def test_a_door_whose_key_nobody_could_note_is_asked_again_and_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is new and the server overloaded; without a stored key no one is admitted."""
    async with open_house(tmp_path, password="Bauta") as house:
        client = await house.browser()
        with monkeypatch.context() as drowned:
            drowned.setattr(writer_module, "MOST_WAITING", 0)
            answer = await client.post("/door", data={"password": "Bauta"})
            assert answer.status == 503
            assert "Too busy just now. Try again in a moment." in await answer.text()
        assert (await client.post("/door", data={"password": "Bauta"})).status == 200
        assert "Pick a name" in await (await client.get("/")).text()


async def test_a_press_bets_and_says_what_it_took_and_what_happens_next(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    said = await anna.press("bet", "ante", "50")
    assert said["texts"] == ["Bet 50: ante. 950 left. Cards in 20 s."]
    assert anna.chips == 95000


async def test_the_same_press_twice_does_nothing_twice(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    first = await anna.press("bet", "50", key="double-click")
    second = await anna.press("bet", "50", key="double-click")
    assert first["texts"] == second["texts"]
    assert anna.chips == 95000


async def test_one_players_keys_do_not_touch_anothers(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    await anna.press("bet", "50", key="the-same-key")
    await bea.press("bet", "20", key="the-same-key")
    assert (anna.chips, bea.chips) == (95000, 98000)


async def test_everything_can_be_typed(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    assert not (await anna.type("/bet 50 jackpot"))["refused"]
    assert house.table().bets_of(anna.id)[0].spots == {"ante": 5000, "jackpot": 100}
    assert (await anna.type("  balance "))["texts"] == ["You have 949 chips."]
    assert (await anna.type("/dance"))["refused"]
    assert (await anna.type("/table pause cleaning"))["texts"] == ["Only inspectors can do that."]


@pytest.mark.parametrize(
    "amount",
    ["0", "-5", "1e9", "abc", "1.2345", "∞", "9" * 40, "999999", "12.34.56", "１０", "0x10", "", "NaN", "1,00", "7"],
)
async def test_an_absurd_amount_is_one_sentence_and_nothing_changes(house: OpenHouse, amount: str) -> None:
    anna = await house.enter("Anna")
    said = await anna.press("bet", "ante", amount)
    assert said["refused"]
    assert len(said["texts"]) == 1
    assert (anna.chips, house.table().round.bets) == (100000, ())


_GOOD = {"key": "good-key-1", "verb": "bet", "args": ["50"]}
_BROKEN: list[Any] = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[" * 10_000,
    b"null",
    b'"bet"',
    b"[1]",
    {**_GOOD, "key": ""},
    {**_GOOD, "key": "x" * 500},
    {**_GOOD, "key": "web:1:abcdefgh"},
    {**_GOOD, "key": 12345678},
    {**_GOOD, "verb": None},
    {**_GOOD, "args": "50"},
    {**_GOOD, "args": [50]},
    {**_GOOD, "args": ["\ud800"]},
    {**_GOOD, "args": ["5"] * 100},
    {**_GOOD, "args": ["5" * 5000]},
    {**_GOOD, "fresh": "1.x"},
    {**_GOOD, "fresh": "-1"},
    {**_GOOD, "fresh": ["1"]},
    {**_GOOD, "confirmed": "yes"},
    {**_GOOD, "inspector": True},
    {**_GOOD, "line": "bet 50"},
    {"key": "good-key-1"},
]


@pytest.mark.parametrize("body", _BROKEN, ids=range(len(_BROKEN)))
async def test_what_no_page_sends_is_one_sentence_and_no_error(
    house: OpenHouse, body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    anna = await house.enter("Anna")
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = await anna.client.post(f"{anna.base}{TABLE}/press", data=data)
    said = await answer.json()
    assert (answer.status, said["refused"], len(said["texts"])) == (400, True, 1)
    assert (anna.chips, house.table().round.bets) == (100000, ())
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("table", ["99", "0", "999999999999999999999"])
async def test_a_table_that_is_not_there_is_one_sentence(house: OpenHouse, table: str) -> None:
    anna = await house.enter("Anna")
    answer = await anna.client.post(f"{anna.base}/table/{table}/press", json=_GOOD)
    assert answer.status == 404
    assert len((await answer.json())["texts"]) == 1
    assert "There is no such table." in await anna.page(f"/table/{table}", status=404)


async def test_another_tables_button_does_nothing_here(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    said = await anna.press("bet", "ante", "50", fresh=str(house.table(LINKED).round.hand_id))
    assert said["texts"] == ["The table has changed. Here it is now."]
    assert not house.table().round.bets


async def test_a_player_presses_at_a_human_pace(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    house.lounge.presses = Allowance(20, 0.0)
    said = [await anna.press("balance") for _ in range(22)]
    assert [one["status"] for one in said] == [200] * 20 + [429] * 2
    assert len(said[-1]["texts"]) == 1


async def test_a_question_is_asked_once_and_the_yes_goes_through(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    said = await anna.press("bet", "ante", "600")
    assert said["confirm"]
    assert anna.chips == 100000
    said = await anna.press("bet", "ante", "600", confirmed=True)
    assert not said["refused"]
    assert anna.chips == 40000


async def test_our_own_pages_name_this_origin(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    headers = {"Origin": house.url, "Sec-Fetch-Site": "same-origin"}
    answer = await anna.client.post(f"{anna.base}{TABLE}/press", json=_GOOD, headers=headers)
    assert answer.status == 200


PAGES = (
    "/",
    *(f"/table/{table}" for table in TABLES.values()),
    "/history",
    "/statement",
    "/leaderboard",
    "/verify",
    "/rules/caribbean",
    "/rules/stud",
)


async def test_pages_that_are_not_there_say_so(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.page("/rules/poker", status=404)
    await anna.page("/hand/99", status=404)
    await anna.page("/nowhere", status=404)
    assert (await anna.client.get("/static/../app.py")).status == 404
    assert (await anna.client.get("/static/%2e%2e/app.py")).status == 404


async def next_parts(socket: Any) -> dict[str, str]:
    message = await asyncio.wait_for(socket.receive_json(), PATIENCE_S)
    parts: dict[str, str] = message["parts"]
    return parts


async def test_a_change_is_pushed_and_only_what_changed(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    async with await anna.watch() as socket:
        first = await next_parts(socket)
        assert set(first) == set(PARTS)
        await bea.press("bet", "50")
        changed = await next_parts(socket)
        assert "Bea" in changed["felt"]
        assert f'data-sealers="{bea.id}"' in changed["fair"]
        assert set(changed) == {"felt", "status", "fair"}


async def test_many_changes_at_once_are_few_messages(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    async with await anna.watch() as socket:
        await next_parts(socket)
        await asyncio.gather(*(bea.press("bet", "10") for _ in range(12)))
        messages = [await next_parts(socket)]
        while "120</span>" not in messages[-1].get("felt", ""):
            messages.append(await next_parts(socket))
        assert len(messages) <= 6


async def test_changes_without_end_hold_no_page_up(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")

    async def change() -> None:
        while True:
            house.lounge.live.look_again(anna.id)
            await asyncio.sleep(0.001)

    async with await anna.watch() as socket:
        await next_parts(socket)
        changing = asyncio.ensure_future(change())
        await bea.press("bet", "50")
        assert "Bea" in (await next_parts(socket))["felt"]
        changing.cancel()


async def test_who_only_looks_is_told_of_one_drawing_and_who_plays_of_their_own(house: OpenHouse) -> None:
    anna, bea, cleo = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    sockets = [await one.watch() for one in (anna, bea, bea, cleo, cleo)]
    for socket in sockets:
        await next_parts(socket)
    await anna.press("bet", "50")
    told = [await next_parts(socket) for socket in sockets]
    assert all("Anna" in parts["felt"] for parts in told)
    views = {page.player: some(page._seen) for page in house.lounge.live.pages}
    assert views[bea.id].drawing is views[cleo.id].drawing
    assert not views[bea.id].own
    assert "is-viewer" in views[anna.id].own["felt"]
    await bea.press("bet", "50")
    await until(lambda: all(page.is_crowd == (page.player == cleo.id) for page in house.lounge.live.pages))
    for socket in sockets:
        await socket.close()


async def test_a_wallet_is_pushed_when_it_changes_elsewhere(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    async with await anna.watch(1) as socket:
        await next_parts(socket)
        await anna.press("bet", "ante", "50", table=LINKED)
        assert "950" in (await next_parts(socket))["mine"]


async def test_CS17_one_meter_moves_at_every_table(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    async with await bea.watch(LINKED) as socket:
        assert "10,000</b>" in (await next_parts(socket))["status"]
        await anna.press("bet", "ante", "50", "jackpot")
        await house.wait(21)
        assert "10,000.90" in (await next_parts(socket))["status"]


def names(card: str, text: str) -> bool:
    """Return whether the text shows this card: in the page's markup, or as symbols in a sentence, which JSON may
    escape.
    """
    said = say_card(card)
    return card in re.findall(r'data-key=.?"(..)', text) or any(
        re.search(rf"(?<![0-9]){re.escape(one)}", text) for one in (said, json.dumps(said)[1:-1])
    )


async def collect(socket: Any, into: list[str]) -> None:
    async for message in socket:
        into.append(message.data)


async def test_nothing_hidden_is_sent_to_anybody_before_its_time(house: OpenHouse) -> None:
    """The pages, pushes and answers of A and of a spectator contain neither B's cards, nor the dealer's four, nor the
    seed.
    """
    anna, bea, onlooker = await house.enter("Anna"), await house.enter("Bea"), await house.enter("Cate")
    sent: dict[str, list[str]] = {"anna": [], "cate": []}
    async with await anna.watch() as to_anna, await onlooker.watch() as to_cate:
        listening = [asyncio.ensure_future(collect(to_anna, sent["anna"]))]
        listening.append(asyncio.ensure_future(collect(to_cate, sent["cate"])))
        await deal(house, anna, bea)
        table = house.table()
        hand, seed = table.round.hand, table.round.seed.hex()
        assert hand is not None
        cards = hand.felt.cards
        mine = cards[str(table.seat_of(anna.id))]
        theirs = cards[str(table.seat_of(bea.id))]
        dealers = cards["dealer"][:4]
        of_the_hand = [f"/hand/{table.round.hand_id}{what}" for what in ("", "/record", "/replay", "/played")]
        for path in ("/", TABLE, "/history", f"/verify?hand={table.round.hand_id}", *of_the_hand):
            for who, player in (("anna", anna), ("cate", onlooker)):
                sent[who].append(await (await player.client.get(player.base + path)).text())
        for line in ("/cards", f"/verify {table.round.hand_id}", "/history", "/tables", "/jackpot", "/statement"):
            sent["anna"].append(json.dumps(await anna.type(line)))
            sent["cate"].append(json.dumps(await onlooker.type(line)))
        pushed = {who: len(texts) for who, texts in sent.items()}
        await anna.press("exchange", "1", confirmed=True)
        await until(lambda: all(len(texts) > pushed[who] for who, texts in sent.items()))
    await asyncio.gather(*listening)
    assert all(any('"parts"' in text for text in texts) for texts in sent.values())
    assert house.table().round.hand is not None, "the hand is still being played"
    sent["anna"].append(await (await anna.client.get("/metrics")).text())
    for who, hidden in (("anna", theirs + dealers), ("cate", mine + theirs + dealers)):
        everything = "\n".join(sent[who])
        assert seed not in everything
        for card in hidden:
            assert not names(card, everything), (who, card)
    assert names(HIDDEN, "\n".join(sent["cate"]))
    assert all(names(card, "\n".join(sent["anna"])) for card in mine)


async def test_a_hand_is_told_in_history_with_its_record_and_cards(house: OpenHouse, tmp_path: Path) -> None:
    anna = await house.enter("Anna")
    await deal(house, anna)
    number, entry = house.table().round.hand_id, house.table().round.lines[0]
    await anna.press("raise")
    told = await anna.page("/history")
    assert f"/hand/{number}" in told
    assert f">1 / {entry}<" in told
    html = await anna.page(f"/hand/{number}")
    assert html.count('class="card suit-') >= 10
    assert "The record pays what the rules give." in html
    record = await (await anna.client.get(f"{anna.base}/hand/{number}/record")).json()
    assert (record["promise"]["hand"], record["moves"]) == (str(number), ["1 raise"])
    assert record["seed"]["server"] in html
    assert "+" in await anna.page("/statement")
    with closing(sqlite3.connect(tmp_path / FILE)) as books, books:
        books.execute("UPDATE moves SET move = '1 fold' WHERE hand = ?", (number,))
    assert "the record does not pay what the rules give" in await anna.page(f"/hand/{number}")


async def test_daily_chips_and_the_leaderboard(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    answer = await anna.client.post(f"{anna.base}/press", json={"key": "daily-00001", "verb": "daily"})
    assert not (await answer.json())["refused"]
    assert "1,200" in await anna.page("/leaderboard")


async def test_the_leaderboard_is_paged_and_names_ones_own_place(house: OpenHouse) -> None:
    for number in range(12):
        who = Who("test", f"player {number}", f"Player {number}")
        await house.lounge.submit(Command(f"player-{number}", who, LOBBY, "balance"))
    anna = await house.enter("Anna")
    first, second = await anna.page("/leaderboard"), await anna.page("/leaderboard?page=2")
    assert "Your rank: 13, with 1,000 chips" in first
    assert "Places 11 to 20" in first
    assert "Your rank" not in second
    assert re.search(r'<tr class="own"><td class="n">13</td><td><bdi>Anna', second)
    assert "Places 1 to 10" in second


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr-FR,de;q=0.5", "de"),
        ("EN-gb", "en"),
        ("it", "it"),
        ("fr", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
async def test_the_lounge_speaks_what_the_browser_asks_for(house: OpenHouse, asked: str, language: str) -> None:
    client = await house.browser()
    page = await (await client.get("/", headers={"Accept-Language": asked})).text()
    assert f'<html lang="{language}">' in page
    others = re.findall(r'<a href="\?lang=(\w+)"', page)
    assert others == [one for one in LANGUAGES if one != language]


async def test_the_language_is_chosen_before_and_after_signing_in(house: OpenHouse) -> None:
    client = await house.browser()
    for asked, language in (
        ("en;q=0.1,de;q=0.9", "de"),
        ("en;q=0, it;q=0.5", "it"),
        ("fr, de ; q=0.2, it;q=0.3", "it"),
        ("de;q=high,it;q=0.001", "it"),
    ):
        page = await (await client.get("/", headers={"Accept-Language": asked})).text()
        assert f'<html lang="{language}">' in page, asked
    assert '<html lang="it">' in await (await client.get("/", headers={"Accept-Language": "it-IT,it;q=0.9"})).text()
    assert '<html lang="it">' in await (await client.get("/?lang=it")).text()
    assert '<html lang="it">' in await (await client.get("/")).text(), "the choice is remembered"
    anna = await house.enter("Anna")
    assert '<html lang="en">' in await anna.page()
    assert (await anna.press("language", "it"))["reload"]
    assert '<html lang="it">' in await anna.page(TABLE)


async def test_the_operators_link_makes_one_inspector_once(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    assert "Only inspectors can do that." in await anna.page("/operator", status=403)
    assert (await anna.client.get("/operator/guess")).status == 404
    assert "Anna" in await (await anna.client.get(f"/operator/{OPERATOR}")).text(), "looking uses nothing up"
    answer = await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    assert answer.url.path == f"{anna.base}/operator"
    html = await answer.text()
    assert "Inspector added" in html
    assert "Total, always zero" in html
    assert (await bea.client.post(f"/operator/{OPERATOR}", data={"player": str(bea.id)})).status == 404
    assert not (await anna.type("/table set betting_s 5"))["refused"]
    assert (await bea.type("/table set betting_s 5"))["refused"]


async def test_rules_are_those_of_the_table_that_leads_to_them(house: OpenHouse) -> None:
    """The lounge has two tables of Caribbean, each with a link to the rules as it plays them."""
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    first, second = (table for table in house.lounge.tables() if table.game == "caribbean")
    assert not (await anna.type("/table set procedure manual by hand", table=second.id))["refused"]
    for table, said, other in (
        (first, "at once, seat 1 first", "Cards are dealt one at a time"),
        (second, "Cards are dealt one at a time", "seat 1 first and"),
    ):
        path = f"/rules/caribbean?table={table.number}"
        assert path in await bea.page(f"/table/{table.id}")
        html = await bea.page(path)
        assert f"Caribbean Stud at table {table.number}. For its settings" in html
        assert said in html.partition('id="pays"')[0]
        assert other not in html.partition('id="pays"')[0]
    assert "(default all at once)" in html
    assert "In the rulebook, seats exchange one after another" in html


async def test_nobody_becomes_an_inspector_with_anothers_number(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    answer = await bea.client.post(f"/operator/{OPERATOR}", data=FormData({"player": str(anna.id)}))
    assert answer.status == 400
    assert find_link(house.lounge.folder, OPERATOR, house.writer.clock())
    assert not house.lounge.casino.state.inspectors


async def test_health_follows_the_writer(house: OpenHouse) -> None:
    client = await house.browser()
    assert (await client.get("/healthz")).status == 200
    house.writer.stop()
    answer = await client.get("/healthz")
    assert (answer.status, await answer.text()) == (503, "the writer has stopped\n")


@dataclass
class OtherPlatform:
    """A platform with only the requested parts."""

    name: str
    connected: dict[str, bool]
    routes: Sequence[web.RouteDef] = ()

    async def open(self) -> None: ...

    def is_contested(self) -> bool:
        return False

    def is_connected(self) -> bool:
        return self.connected[self.name]

    async def drain(self) -> None: ...

    async def close(self) -> None: ...


async def test_a_platform_that_is_not_connected_is_told(house: OpenHouse) -> None:
    client, connected = await house.browser(), {"discord": True, "telegram": False}
    house.lounge.platforms = [OtherPlatform(name, connected) for name in connected]
    answer = await client.get("/healthz")
    assert (answer.status, await answer.text()) == (503, "not connected: telegram\n")
    assert 'platform_connected{platform="discord"} 1' in await (await client.get("/metrics")).text()
    connected["telegram"] = True
    assert (await client.get("/healthz")).status == 200


async def test_a_writer_that_does_not_answer_is_not_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring, "PATIENCE_S", 0.05)
    async with open_house(tmp_path) as house:
        gate, really = threading.Event(), house.writer.clock

        def clock() -> float:
            if threading.current_thread().name == "writer":
                gate.wait(PATIENCE_S)
            return really()

        house.writer.clock = clock
        assert (await monitoring.fault_of(house.lounge)).startswith("the writer has not committed for")
        house.writer.books.held_up = "another program has locked the books"
        assert await monitoring.fault_of(house.lounge) == "another program has locked the books"
        house.writer.books.held_up = None
        gate.set()
        monkeypatch.setattr(monitoring, "PATIENCE_S", PATIENCE_S)
        assert await monitoring.fault_of(house.lounge) == ""


async def test_metrics_count_and_name_nobody(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await deal(house, anna)
    text = await (await anna.client.get("/metrics")).text()
    values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert int(values["ridotto_commands_total"]) >= 3
    assert int(values["ridotto_batch_commands_sum"]) >= int(values["ridotto_batch_commands_count"])
    assert values['ridotto_tables{phase="playing"}'] == "1"
    assert "Anna" not in text
    assert house.table().round.seed.hex() not in text


def next_press(html: str) -> tuple[str, list[str]]:
    """Return verb and arguments of the button that the bubble of a practice hand points at."""
    (pointed,) = re.findall(r'data-at="([^"]*)"', html)
    buttons = re.findall(r'data-verb="([^"]*)" data-args=\'([^\']*)\'', html)
    return next((verb, args) for verb, said in buttons if " ".join((verb, *(args := json.loads(said)))) == pointed)


async def test_a_stranger_is_dealt_a_first_hand_of_every_game(house: OpenHouse) -> None:
    """The stranger needs no name and is no player in the store afterwards."""
    client = await house.browser()
    for game in PLAYS:
        answer = await client.get(f"/learn/{game}")
        html = await answer.text()
        assert answer.status == 200
        assert "A practice hand: the chips don't count." in unescape(html)
        assert 'data-live="' not in html
        (verb, args), post = next_press(html), f"/learn/{game}/press"
        assert f'data-post="{post}"' in html
        played = await (await client.post(post, json={"key": "first-hand", "verb": verb, "args": args})).json()
        assert played["at"] == f"/learn/{game}?said={'+'.join(args) or verb}"
        assert 'class="bubble"' in played["parts"]["bubble"]
        assert played["parts"]["mine"] in unescape(await (await client.get(played["at"])).text())
    assert not house.writer.state.players


@pytest.mark.parametrize("address", ["/learn/bingo", "/learn/uth?said=raise", f"/learn/uth?said={'x' * 500}"])
async def test_a_first_hand_that_is_none_is_a_sentence(house: OpenHouse, address: str) -> None:
    answer = await (await house.browser()).get(address)
    assert answer.status == 404
    html = await answer.text()
    assert "There is no game called" in html or "is not possible in this practice hand" in html
    assert len(html) < 10_000
    press = {"key": "first-hand", "verb": "raise"}
    path, _mark, said = address.partition("?")
    answer = await (await house.browser()).post(f"{path}/press?{said}", json=press)
    assert (await answer.json())["refused"]


async def test_a_typed_command_leads_to_the_first_hand(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    said = await anna.type("/learn caribbean ante exchange 3")
    assert said["go"] == f"{anna.base}/learn/caribbean?said=ante+exchange+3"
    html = await anna.page("/learn/caribbean?said=ante+exchange+3")
    assert "You chose exchange; raise was worth" in html
    assert "Anna" in html
    assert f'href="{anna.base}{TABLE}"' in await anna.page("/learn/caribbean?said=ante+raise")
    assert "go" not in await anna.type("/learn bingo")


async def test_a_deal_of_the_day_is_a_page_of_the_player_alone(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    listed = await anna.press("deal")
    assert {"label": "Black Jack", "verb": "deal", "args": ["blackjack"]} in listed["choices"]
    go = (await anna.press("deal", "blackjack"))["go"]
    assert go == f"{anna.base}/deal/blackjack"
    html = unescape(await anna.page("/deal/blackjack"))
    verb, args = some(re.search(r'data-verb="(deal play)" data-args=\'([^\']*bet[^\']*)\'', html)).groups()
    assert (await anna.press(verb, *json.loads(args)))["go"] == go
    assert "Hand 1 of 10. Chips: 990." in await anna.page("/deal/blackjack")
    assert "Hand 1 of 10. Chips: 1,000." in await bea.page("/deal/blackjack")
    assert 'data-verb="deal"' in await anna.page("/")
    assert (await (await house.browser()).get(go, allow_redirects=False)).status == 303
    with pytest.raises(AssertionError):
        await anna.page("/deal/stud")


async def test_the_tables_and_the_rules_lead_to_the_first_hand(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    for path, game in (("/", next(iter(PLAYS))), (TABLE, "caribbean"), ("/rules/caribbean", "caribbean")):
        links = re.findall(r'href="([^"]*)"', await anna.page(path))
        assert f"{anna.base}/learn/{game}" in {urljoin(f"{anna.base}{path}", link) for link in links}, path


async def test_the_lobby_recommends_a_table_and_names_who_is_there(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    lobby = await anna.page("/")
    assert lobby.count("Start here") == 1
    assert "asleep" not in lobby
    await bea.press("bet", "50")
    lobby = await anna.page("/")
    assert (lobby.count("Start here"), "Bea" in lobby, "Waiting for a bet" in lobby) == (1, True, True)
    assert "Start here" not in await bea.page("/"), "she has a table"


async def test_the_seat_of_a_closed_page_is_free_for_the_next_player(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep seats with an open page, with a bet, or within GONE_S."""
    people = [await house.enter(f"Player {number}") for number in range(1, 8)]
    for one in people:
        assert not (await one.press("sit"))["refused"]
    anna, bea, *_others = people
    cleo = await house.enter("Cleo")
    async with await bea.watch() as socket:
        await next_parts(socket)
        async with await anna.watch() as other:
            await next_parts(other)
        (told,) = (await cleo.press("bet", "50"))["texts"]
        assert told.startswith("All seats are taken. Watch, or join table ")
        monkeypatch.setattr(press, "GONE_S", 0.0)
        assert not (await cleo.press("bet", "50"))["refused"]
    assert house.table().seat_of(cleo.id) == 1, "it was Anna's"
    assert house.table().seat_of(bea.id) == 2
    assert not (await bea.press("bet", "50"))["refused"]
    dora = await house.enter("Dora")
    assert (await dora.press("bet", "50"))["refused"], "Bea is gone, but has a bet"
