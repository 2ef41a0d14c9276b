"""Forged, foreign and broken button data and updates, which must do nothing."""

import copy
import io
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import given
from hypothesis import strategies as st
from simcord import actors

from bot.core.command_list import CHAT_COMMANDS
from bot.platforms.common.press import KINDS, LARGEST_DATA, dump_press, load_press
from bot.platforms.discord.codes import read_press
from bot.platforms.telegram.platform import HEADER, PATH, Webhook
from tests.disk import ask
from tests.fuzz import TIMES, examples
from tests.fuzz.counter import WORDS
from tests.fuzz.lines import SENSIBLE
from tests.fuzz.odd import ODD_TEXTS, mutate, odd_texts
from tests.platforms.discord.test_discord import World, codes
from tests.platforms.telegram import house as telegram_house


@pytest.fixture(autouse=True)
def _no_fault_is_logged(caplog: pytest.LogCaptureFixture) -> Any:
    yield
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def sum_of(books: Any) -> int:
    ((total,),) = ask(books, "SELECT sum(balance) FROM accounts")
    assert not ask(books, "SELECT name FROM accounts WHERE balance < 0 AND name NOT GLOB '[bm][ai]n[kt]:*'")
    return int(total)


def published(house: Any) -> tuple[Any, ...]:
    return tuple(dict(part) for part in (house.tables, house.casinos, house.players, house.members))


@examples(300)
@given(odd_texts | st.text(alphabet="vcmbynrdoa|0123456789. abc", max_size=70))
def test_any_callback_data_is_a_press_or_none(data: str) -> None:
    press = load_press(data)
    if press is not None and len(data.encode("utf-8", "replace")) <= LARGEST_DATA:
        assert load_press(dump_press(press)) == press


@examples(300)
@given(odd_texts | st.text(alphabet="tamsynpv|:0123456789.,- abc\n", max_size=110), odd_texts)
def test_any_custom_id_is_a_press_or_none(text: str, picked: str) -> None:
    for press in (read_press(text), read_press(text, (picked,))):
        assert press is None or (press.kind in KINDS and press.table >= 0)


def forge(random: Random) -> str:
    """Return data that resembles a button's but is none of ours."""
    verb = random.choice(sorted(CHAT_COMMANDS))
    words = random.choice(SENSIBLE.get(verb, ("", "test")))
    parts = [random.choice("vcmbynrdoaz") + random.choice(("", "1", "2", "99", "٣")), verb, words, ""]
    parts[3] = random.choice(("", "1", "1.0", "9.9", "x"))
    if random.random() < 0.3:
        parts[random.randrange(4)] = random.choice(random.choice((WORDS, ODD_TEXTS)))
    data = "|".join(parts)
    return data.encode("utf-8", "replace")[:LARGEST_DATA].decode("utf-8", "ignore") or "x"


async def test_telegram_a_forged_press_is_answered_and_gives_nobody_power(tmp_path: Path) -> None:
    async with telegram_house.open_house(tmp_path) as house:
        group, _anna, bea = await telegram_house.deal(house)
        random, post = Random(5), house.post_at(group)
        casinos = dict(house.writer.state.casinos)
        minted = house.writer.state.balance("mint:2")
        for _ in range(40 * (TIMES or 1)):
            press = house.server.user_pressed(bea, post, forge(random))
            await house.settled()
            assert press.answer.done(), press.data
        now = house.writer.state.casinos
        assert all(now[id].change(messages={}) == casinos[id].change(messages={}) for id in casinos)
        assert house.writer.state.balance("mint:2") >= minted - 200_00, "daily chips at most"
        assert sum_of(house.books) == 0


@pytest.fixture
async def hooked(tmp_path: Path) -> AsyncIterator[tuple[Any, Any, list[Any]]]:
    """A casino with a webhook, how to send an update, and good updates of every kind."""
    async with telegram_house.open_house(tmp_path) as house:
        good, add = [], house.server.add_update

        def noted(kind: str, payload: Any) -> None:
            good.append({"update_id": 7, kind: copy.deepcopy(payload)})
            add(kind, payload)

        house.server.add_update = noted  # type: ignore[method-assign]
        group, anna, bea = await telegram_house.deal(house)
        await bea.says(group, "/bet 50 jackpot")
        await anna.says(house.server.private_chat(anna), "/balance")
        house.server.bot_membership_changed(group, anna, "administrator")
        await house.settled()
        webhook = Webhook(house.server.token)
        webhook.listen(house.app)
        app = web.Application(client_max_size=64 * 1024)
        app.router.add_post(PATH, webhook.handle_request)
        client = TestClient(TestServer(app))
        await client.start_server()

        async def post(body: Any) -> int:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            answer = await client.post(PATH, data=io.BytesIO(data), headers={HEADER: webhook.secret})
            await house.settled()
            return answer.status

        yield house, post, good
        await client.close()


BROKEN: tuple[Any, ...] = (
    b"",
    b"{",
    b"\xff\xfe",
    b"[" * 20_000,
    b"9" * 5000,
    b"x" * 1_040_000,
    None,
    5,
    "update",
    [],
    [1],
    {},
    {"update_id": "x"},
    {"update_id": None, "message": None},
    {"update_id": 1, "message": 5},
    {"update_id": 1, "message": []},
    {"update_id": 1, "message": {"message_id": 1}},
    {"update_id": 1, "message": {"message_id": 1, "date": 10**30, "chat": {"id": 1, "type": "private"}}},
    {"update_id": 1, "message": {"message_id": 1, "date": -(10**18), "chat": {"id": 1, "type": "private"}}},
    {"update_id": 1, "callback_query": {"id": "1", "from": {}, "chat_instance": "x"}},
    {"update_id": 1, "my_chat_member": {"chat": {"id": 1, "type": "?"}}},
)


async def test_telegram_a_webhook_body_that_is_no_update_is_taken_and_forgotten(hooked: Any) -> None:
    house, post, _good = hooked
    before = published(house.writer.state)
    for body in BROKEN:
        assert await post(body) == 200, str(body)[:80]
    assert published(house.writer.state) == before


async def test_telegram_an_update_that_was_tampered_with_breaks_nothing(
    hooked: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """An update without its usual fields gives one log line and nothing else; only Telegram knows the secret."""
    house, post, good = hooked
    assert {kind for update in good for kind in update} >= {"message", "callback_query", "my_chat_member"}
    random = Random(6)
    for _ in range(150 * (TIMES or 1)):
        assert await post(mutate(random, copy.deepcopy(random.choice(good)))) == 200
    assert sum_of(house.books) == 0
    await house.wait(60)
    house.server.complaints.clear()  # the recipient was removed from the request
    ours = [record for record in caplog.records if record.name.startswith("ridotto")]
    faults = {record.getMessage() for record in ours if record.levelno >= logging.ERROR}
    assert faults <= {"an update failed: AttributeError", "an update failed: TypeError", "an update failed: KeyError"}
    caplog.clear()


def forge_id(random: Random, known: list[str]) -> str:
    if random.random() < 0.3:
        text = random.choice(known)
        cut = random.randint(0, len(text))
        return (text[:cut] + random.choice(ODD_TEXTS) + text[cut + random.randint(0, 2) :])[:100] or "x"
    return forge(random)


@pytest.mark.slow
async def test_discord_a_forged_custom_id_gives_nobody_power(tmp_path: Path) -> None:
    world = World(tmp_path / "data")
    await world.start()
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    await world.hand(channel)
    casinos, random, post = dict(world.house.casinos), Random(8), channel.last_message
    minted = world.house.balance("mint:2")
    known = [*codes(post), *anna.codes]
    for _ in range(100 * (TIMES or 1)):
        data: dict[str, Any] = {"custom_id": forge_id(random, known), "component_type": random.choice((2, 3))}
        if data["component_type"] == 3:
            data["values"] = [random.choice((*WORDS, "bet:south,50", "v1|bet|south 50|1", "x" * 100))]
        stored = copy.deepcopy(world.env.backend.get_message(post.channel.id, post.id))
        await actors._component_interaction(anna.actor, stored, data)
        await world.wait(3)
    assert {id: one.state for id, one in casinos.items()} == {id: world.house.casinos[id].state for id in casinos}
    assert world.house.balance("mint:2") >= minted - 200_00
    assert sum_of(world.books) == 0
    await world.stop()
