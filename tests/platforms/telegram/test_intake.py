"""Updates stay Telegram's until they are done: 200, or the next offset, means that they are on disk."""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from aiohttp import ClientSession, web
from telegram import Update
from telegram.error import TimedOut
from telegram.ext import CallbackContext, TypeHandler

import bot.core.writer
from bot.core.writer import Writer
from bot.platforms.telegram import intake
from bot.platforms.telegram.intake import MOST_TRIES, Intake, Poll
from bot.platforms.telegram.platform import HEADER, PATH, TelegramConnection, Webhook
from storage.sqlite import SqliteBooks
from tests.disk import ask
from tests.servers.telegram import BotApiServer, Chat, SystemClock, User

WAYS = ["webhook", "polling"]


class HeldWriter(Writer):
    """A writer whose commits wait while it is held."""

    def __init__(self, books: SqliteBooks) -> None:
        super().__init__(books)
        self.may_go, self.is_held = threading.Event(), threading.Event()
        self.may_go.set()

    def _commit(self, batch: Any) -> None:
        if not batch.transaction.is_empty and not self.may_go.is_set():
            self.is_held.set()
            self.may_go.wait(20)
        super()._commit(batch)


class House:
    def __init__(self, writer: HeldWriter, app: Any, url: str, webhook: Webhook | None) -> None:
        self.writer, self.app, self.url, self.webhook = writer, app, url, webhook

    def bets(self) -> list[int]:
        """Return the antes on the group's table."""
        tables = self.writer.state.tables.values()
        return [bet.spots["ante"] for table in tables if table.casino != 1 for bet in table.round.bets]

    def on_disk(self) -> int:
        return len(ask(self.writer.books, "SELECT 1 FROM postings WHERE why = 'bet' OR event LIKE 'bet %'"))


@asynccontextmanager
async def opened(server: BotApiServer, folder: Path, way: str) -> AsyncIterator[House]:
    books = SqliteBooks(folder)
    writer = HeldWriter(books)
    writer.start()
    webhook = Webhook(server.token) if way == "webhook" else None
    site = web.Application()
    if webhook is not None:
        site.router.add_post(PATH, webhook.handle_request)
    runner = web.AppRunner(site, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        line = TelegramConnection(writer, server.token, server.base_url, address if webhook else None, webhook)
        async with line.serve() as app:
            yield House(writer, app, address + PATH, webhook)
            writer.may_go.set()
    finally:
        await runner.cleanup()
        writer.may_go.set()
        writer.stop()
        books.close()


@asynccontextmanager
async def table(server: BotApiServer, folder: Path, way: str) -> AsyncIterator[tuple[House, Chat, User]]:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    async with opened(server, folder, way) as house:
        await anna.asks(group, "/setup")
        await server.until(lambda: any(b.text == "ante 10" for m in anna.sees(group) for b in m.buttons))
        await server.until(lambda: not server.updates.queue)
        yield house, group, anna


@pytest.fixture
async def server() -> AsyncIterator[BotApiServer]:
    async with BotApiServer(clock=SystemClock()) as api:
        yield api


async def held(house: House, server: BotApiServer) -> None:
    """An update under way whose commit waits."""
    await asyncio.to_thread(house.writer.is_held.wait, 10)
    coming = [update["update_id"] for update in server.updates.queue]
    await server.until(lambda: any(map(house.app.intake.is_under_way, coming)))


@pytest.mark.parametrize("way", WAYS)
async def test_an_update_is_telegrams_until_its_commit(server: BotApiServer, tmp_path: Path, way: str) -> None:
    async with table(server, tmp_path, way) as (house, group, anna):
        house.writer.may_go.clear()
        press = anna.press(group, "ante 10")
        await held(house, server)
        assert server.updates.queue, "nothing is acknowledged that is not on disk"
        assert not press.answer.done()
        house.writer.may_go.set()
        await server.until(lambda: not server.updates.queue)
        assert house.on_disk() == 1
        assert await press.answered()


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
async def test_what_dies_with_the_process_comes_again_and_is_done_once(
    server: BotApiServer, tmp_path: Path, way: str
) -> None:
    async with table(server, tmp_path / "first", way) as (house, group, anna):
        house.writer.may_go.clear()
        # Two presses with the same words: the second is a bet of its own, also after a restart.
        presses = [anna.press(group, "ante 10"), anna.press(group, "ante 10")]
        await held(house, server)
        # A process killed now would leave exactly what is on disk.
        shutil.copytree(tmp_path / "first", tmp_path / "second")
        if house.webhook is not None:
            house.webhook.listen(None)
        else:
            await house.app.updater.stop()
        assert len(server.updates.queue) == 2
        async with opened(server, tmp_path / "second", way) as heir:
            await server.until(lambda: not server.updates.queue)
            assert heir.bets() == [20_00]
            assert heir.on_disk() == 2
            assert all([await press.answered() for press in presses])


@pytest.mark.parametrize("way", WAYS)
async def test_what_a_busy_writer_has_no_room_for_comes_again(
    server: BotApiServer, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(server, tmp_path, way) as (house, group, anna):
        monkeypatch.setattr(bot.core.writer, "MOST_WAITING", 0)
        told = await anna.presses(group, "ante 10")
        assert told is not None
        assert told.text == "The casino is busy. Your press is waiting and will be done."
        if way == "polling":  # this server's webhook brings one update after the other
            again = await anna.presses(group, "ante 10")
            assert again == told, "the same press is no second one while the first waits"
        assert server.updates.queue
        assert not house.bets()
        monkeypatch.undo()
        await server.until(lambda: not server.updates.queue)
        assert house.bets() == [10_00]
        heard = await anna.presses(group, "ante 10")
        assert heard is not None
        assert heard.text.startswith("That is already done. Press again to repeat it.\nBet 10: ante.")
        assert house.bets() == [10_00]
        assert await anna.presses(group, "ante 10")
        assert house.bets() == [20_00]


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "tries"), [(ValueError("a fault of ours"), 1), (TimedOut(), MOST_TRIES)])
@pytest.mark.parametrize("way", WAYS)
async def test_an_update_that_always_fails_is_given_up(
    server: BotApiServer, tmp_path: Path, way: str, fault: Exception, tries: int
) -> None:
    tried = []

    async def fail(update: Update, _context: CallbackContext[Any, Any, Any, Any]) -> None:
        if update.message is not None:
            tried.append(update.update_id)
            raise fault

    async with table(server, tmp_path, way) as (house, group, anna):
        house.app.add_handler(TypeHandler(Update, fail), group=-2)
        await anna.says(group, "/bet 10")
        await server.until(lambda: not server.updates.queue)
        assert len(tried) == tries
        assert house.bets() == [10_00], "what came after the fault in each try was done, and once"
        assert await anna.presses(group, "ante 10"), "the house goes on"


async def test_the_webhook_answers_at_once_what_is_nothing_to_us(server: BotApiServer, tmp_path: Path) -> None:
    async with table(server, tmp_path, "webhook") as (house, _group, _anna), ClientSession() as telegram:
        assert house.webhook is not None
        headers = {HEADER: house.webhook.secret}
        house.writer.may_go.clear()
        chat = {"id": -5, "type": "group", "title": "Other"}
        message = {"message_id": 1, "date": 1, "chat": chat, "from": {"id": 7, "is_bot": False, "first_name": "Cat"}}
        talk = {"update_id": 1, "message": message | {"text": "good evening"}}
        foreign = {"update_id": 2, "message": message | {"text": "/bet@other_bot 5"}}
        for update in (talk, foreign, {"update_id": 3}, {"update_id": 4, "message": "?"}):
            assert (await telegram.post(house.url, json=update, headers=headers)).status == 200, update
        assert (await telegram.post(house.url, json=talk)).status == 403


async def test_the_webhook_says_nothing_good_of_what_is_cut_off(server: BotApiServer, tmp_path: Path) -> None:
    async with table(server, tmp_path, "webhook") as (house, group, anna):
        house.writer.may_go.clear()
        anna.press(group, "ante 10")
        await held(house, server)
        webhook = server.updates.webhook
        house.app.intake.close()
        assert webhook is not None
        await server.until(lambda: webhook.last_error and "503" in webhook.last_error[1])
        assert server.updates.queue
        house.writer.may_go.set()
        await server.until(lambda: not server.updates.queue)
        assert house.on_disk() == 1


MANY = 150
"""More updates than Telegram returns in one poll."""


class Held(SystemClock):
    """A clock on which long waits last as long as the test wants."""

    def __init__(self) -> None:
        self.may_go = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        if seconds < 1:
            await super().sleep(seconds)  # the method behind every call
        else:
            await self.may_go.wait()


@asynccontextmanager
async def slow(server: BotApiServer, folder: Path) -> AsyncIterator[tuple[House, Chat, User, User, Chat]]:
    """A group with a table, and a deferred update: Telegram does not say whether its sender is an administrator."""
    async with table(server, folder, "polling") as (house, group, anna):
        # The first table's setup makes other calls than the slow one.
        await server.until(lambda: [message for message in group.messages if "only for you" in message.text])
        bruno = server.user("Bruno")
        other = server.group("Cucina", admins=[bruno])
        server.clock = held = Held()
        server.slow("getChatMember", 60.0)
        await bruno.says(other, "/setup")
        try:
            await server.until(lambda: house.app.intake.put_by and not server.updates.queue)
            yield house, group, anna, bruno, other
        finally:
            held.may_go.set()


@pytest.mark.slow
async def test_one_update_that_takes_long_holds_up_nobody_behind_it(server: BotApiServer, tmp_path: Path) -> None:
    async with slow(server, tmp_path) as (house, group, anna, _bruno, other):
        people = [anna, *(server.user(f"Player {number}") for number in range(MANY))]
        for one in people[1:]:
            group.set_member(one, "member")
        presses = [one.press(group, "ante 10") for one in people]
        assert all([await press.answered() for press in presses])
        assert house.app.intake.put_by, "the slow one is still under way"
        assert not [message for message in other.messages if message.buttons]


@pytest.mark.slow
async def test_what_was_put_by_is_done_by_the_next_house(server: BotApiServer, tmp_path: Path) -> None:
    async with slow(server, tmp_path / "first") as (house, _group, _anna, bruno, other):
        # Telegram no longer keeps it, and a process killed now would leave exactly what is on disk.
        shutil.copytree(tmp_path / "first", tmp_path / "second")
        await house.app.updater.stop()
        async with opened(server, tmp_path / "second", "polling") as heir:
            await server.until(lambda: any(b.text == "ante 10" for m in bruno.sees(other) for b in m.buttons))
            await server.until(lambda: not heir.app.intake.put_by)
            await server.until(
                lambda: ask(heir.writer.books, "SELECT value FROM notes WHERE name = 'late'") == [("[]",)]
            )


def answers(server: BotApiServer) -> list[tuple[bool, str]]:
    """Return (whether it went with the 200, its text) of each answer to a press."""
    calls = [call for call in server.calls if call.method == "answerCallbackQuery"]
    return [(call.by_webhook, str(call.parameters.get("text", ""))) for call in calls]


async def test_by_webhook_a_press_is_answered_for_no_call(server: BotApiServer, tmp_path: Path) -> None:
    async with table(server, tmp_path, "webhook") as (house, group, anna):
        told = await anna.presses(group, "ante 10")
        refused = await anna.presses(group, "Other amount")
        assert told is not None
        assert refused is not None
        assert (told.show_alert, refused.show_alert) == (False, True)
        assert answers(server) == [(True, told.text), (True, refused.text)]
        assert house.on_disk() == 1


async def test_an_answer_that_telegram_did_not_get_is_said_by_a_call(server: BotApiServer, tmp_path: Path) -> None:
    """Telegram sends the press again, which shows that its answer was lost; a call then answers it."""
    async with table(server, tmp_path, "webhook") as (house, group, anna), ClientSession() as telegram:
        assert house.webhook is not None
        update = press_of(server, anna, group, "ante 10")
        headers = {HEADER: house.webhook.secret}
        first = await telegram.post(house.url, json=update, headers=headers)
        assert (await first.json())["method"] == "answerCallbackQuery"
        assert not answers(server), "the answer was lost"
        again = await telegram.post(house.url, json=update, headers=headers)
        assert (again.status, await again.read()) == (200, b"")
        await server.until(lambda: answers(server))
        ((is_window, text),) = answers(server)
        assert not is_window
        assert text.startswith("Bet 10: ante. 990 left.")
        assert house.bets() == [10_00]


async def test_after_a_press_that_came_twice_the_next_counts(server: BotApiServer, tmp_path: Path) -> None:
    """The first answer arrived, so the second is refused; the player knows what was done."""
    async with table(server, tmp_path, "webhook") as (house, group, anna):
        server.double_updates()
        assert await anna.presses(group, "ante 10")
        await server.until(lambda: len(answers(server)) == 2)
        told = await anna.presses(group, "ante 10")
        assert told is not None
        assert not told.show_alert
        assert house.bets() == [20_00]


async def test_what_may_have_waited_at_telegram_is_answered_by_a_call(server: BotApiServer, tmp_path: Path) -> None:
    async with table(server, tmp_path, "webhook") as (house, group, anna):
        house.app.connectivity.settle()
        assert await anna.presses(group, "ante 10")
        assert [by_webhook for by_webhook, _text in answers(server)] == [False]


async def test_a_press_that_took_long_is_answered_by_a_call(
    server: BotApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(server, tmp_path, "webhook") as (house, group, anna):
        monkeypatch.setattr("bot.platforms.telegram.intake.IN_TIME_S", 0.05)
        house.writer.may_go.clear()
        press = anna.press(group, "ante 10")
        await held(house, server)
        await asyncio.sleep(0.1)
        house.writer.may_go.set()
        assert await press.answered()
        assert [by_webhook for by_webhook, _text in answers(server)] == [False]


def press_of(server: BotApiServer, user: User, group: Chat, words: str) -> dict[str, Any]:
    """Return the update of a press, which the server sends to no one."""
    server.updates.to_lose = 1
    user.press(group, words)
    return server.updates.lost[-1]


async def fetch_too(server: BotApiServer) -> None:
    """Poll as another bot's process does, with its pause after each 409."""
    async with ClientSession() as telegram:
        while True:
            url = f"{server.base_url}{server.token}/getUpdates"
            async with telegram.post(url, json={"timeout": 10, "offset": 1}) as answer:
                await answer.read()
            await asyncio.sleep(0.2)


async def test_while_another_program_uses_the_token_no_bets_are_taken(
    server: BotApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.platforms.telegram.connectivity.CALM_S", 3600.0)
    monkeypatch.setattr("bot.platforms.telegram.connectivity.QUIET_S", 0.0)
    async with table(server, tmp_path, "polling") as (house, group, anna):
        connectivity = house.app.connectivity
        assert await anna.presses(group, "ante 10")
        other = asyncio.ensure_future(fetch_too(server))
        await server.until(lambda: connectivity.is_contested)
        assert "RIDOTTO_TELEGRAM_TOKEN" in caplog.text
        other.cancel()
        told = await anna.presses(group, "ante 10")
        assert told is not None
        assert told.text.startswith("No bets for now: another program is using this bot's token.")
        assert house.bets() == [10_00]
        await server.until(lambda: any("another program is using" in one.text for one in group.messages if one.buttons))
        assert not connectivity.is_connected
        monkeypatch.setattr("bot.platforms.telegram.connectivity.CALM_S", 1.0)
        # It is alone again: without updates a poll lasts its ten seconds.
        for _ in range(100):
            await anna.says(group, "good evening")
            await asyncio.sleep(0.1)
            if not connectivity.is_contested:
                break
        assert connectivity.is_connected
        assert await anna.presses(group, "ante 10")
        assert house.bets() == [20_00]
        await server.until(lambda: not any("another program" in one.text for one in group.messages if one.buttons))


async def test_one_poll_that_telegram_ended_for_another_is_no_contest(server: BotApiServer, tmp_path: Path) -> None:
    """An old process that is just ending causes a single conflict."""
    async with table(server, tmp_path, "polling") as (house, group, anna):
        async with ClientSession() as telegram:
            await telegram.post(f"{server.base_url}{server.token}/getUpdates", json={"timeout": 0})
        await server.until(lambda: house.app.connectivity._conflicts == 1)
        told = await anna.presses(group, "ante 10")
        assert told is not None
        assert house.bets() == [10_00]


async def test_an_update_that_comes_while_it_is_under_way_shares_its_outcome() -> None:
    intake = Intake()
    outcome, is_new = intake.register_update(5)
    assert (is_new, intake.register_update(5)) == (True, (outcome, False))
    intake.end(5)
    assert await outcome
    later, is_new = intake.register_update(5)
    assert (await later, is_new) == (True, False)


async def test_an_update_of_the_same_id_with_another_subject_is_begun() -> None:
    intake = Intake()
    intake.register_update(5, subject="press 1")
    intake.end(5)
    assert not intake.register_update(5, subject="press 1")[1]
    assert intake.register_update(5, subject="press 2")[1]


class Queue:
    """Telegram's side of the poll: the kept updates, from an offset on or, if that is far above, from the head."""

    def __init__(self, *ids: int) -> None:
        self.ids, self.offsets = list(ids), list[int]()

    async def get_updates(self, offset: int = 0, **_more: Any) -> list[Update]:
        self.offsets.append(offset)
        if self.ids and offset <= self.ids[-1] + 10:
            self.ids = [id for id in self.ids if id >= offset]
        return [Update(id) for id in self.ids]


async def poll_once(poll: Poll, offset: int = 0) -> list[int]:
    return [update.update_id for update in await poll.get_updates(offset=offset, timeout=10)]


async def test_polling_keeps_telegram_from_the_first_that_is_not_done(monkeypatch: Any) -> None:
    monkeypatch.setattr(intake, "AGAIN_S", 0.0)
    monkeypatch.setattr(intake, "PATIENCE_S", 0.0)
    telegram, known = Queue(5, 6, 7), Intake()
    poll = Poll(cast(Any, telegram), known, put_by=lambda updates: None)
    assert await poll_once(poll) == [5, 6, 7]
    known.end(6)
    assert (await poll_once(poll, 8), telegram.offsets[-1]) == ([], 5)
    known.end(5, is_cut=True)
    assert (await poll_once(poll, 8), telegram.offsets[-1]) == ([5], 5)
    known.end(5)
    assert (await poll_once(poll, 8), telegram.offsets[-1]) == ([], 7)
    known.put_by.add(7)
    assert (await poll_once(poll, 8), telegram.offsets[-1]) == ([], 8)
    telegram.ids = [8, 9]
    assert await poll_once(poll, 8) == [8, 9]
    known.end(8, is_cut=True)
    telegram.ids = [9]
    assert (await poll_once(poll, 10), telegram.offsets[-1]) == ([], 8)
    known.end(9)
    assert (await poll_once(poll, 10), telegram.offsets[-1]) == ([], 10), "what Telegram keeps no more is not awaited"


async def test_the_offset_follows_the_last_id_that_came_also_downwards() -> None:
    telegram, known = Queue(500_000_001), Intake()
    poll = Poll(cast(Any, telegram), known, put_by=lambda updates: None)
    for id in (500_000_001, 1_001, 1_002):
        telegram.ids = [id]
        assert await poll_once(poll) == [id]
        known.end(id)
    assert telegram.offsets == [0, 500_000_002, 1_002]
    assert (await poll_once(poll), telegram.offsets[-1], telegram.ids) == ([], 1_003, [])


async def test_after_a_quiet_week_with_lower_ids_everybody_is_heard(server: BotApiServer, tmp_path: Path) -> None:
    server.updates.pass_a_quiet_week(500_000_001)
    async with table(server, tmp_path, "polling") as (house, group, anna):
        await anna.presses(group, "ante 10")
        await server.until(lambda: not server.updates.queue)
        # Ids start low again, so that former ids are reused and are no duplicates.
        server.updates.pass_a_quiet_week(1_000)
        polls = server.updates.polls
        people = [anna, *(server.user(f"Player {number}") for number in range(MANY))]
        for one in people[1:]:
            group.set_member(one, "member")
        presses = [one.press(group, "ante 10") for one in people]
        assert all([await press.answered() for press in presses])
        await server.until(lambda: not server.updates.queue)
        assert server.updates.polls - polls < MANY
        server.updates.pass_a_quiet_week(1_000)
        assert await anna.presses(group, "ante 10")
        await server.until(lambda: not server.updates.queue)
        assert house.bets()[0] == 30_00, "an id that was used before is another update"


class Updates:
    """Telegram's side of the poll: returns updates in batches, and counts requests."""

    def __init__(self, *batches: int) -> None:
        self.batches, self.asked, self.id = list(batches), 0, 0

    async def get_updates(self, **_more: Any) -> list[Update]:
        self.asked += 1
        first = self.id + 1
        self.id += self.batches.pop(0)
        return [Update(id) for id in range(first, self.id + 1)]


@pytest.mark.parametrize(("many", "waits"), [(0, False), (1, False), (2, True), (100, True)])
async def test_where_many_press_the_next_are_left_to_gather(many: int, waits: bool, monkeypatch: Any) -> None:
    monkeypatch.setattr(intake, "GATHER_S", 60.0)
    telegram, known = Updates(many, 1), Intake()
    poll = Poll(cast(Any, telegram), known, put_by=lambda updates: None)
    assert len(await poll.get_updates()) == many
    for id in range(1, many + 1):
        known.end(id)
    asking = asyncio.ensure_future(poll.get_updates(many + 1))
    await asyncio.wait({asking}, timeout=0.2 if waits else 20)
    assert telegram.asked == (1 if waits else 2)
    asking.cancel()
