"""Telegram unreachable, flooded, or slow: clocks pause, other places play on, nothing is lost or told twice."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.commands.command import Command, Who
from bot.core.counters import PLATFORMS
from bot.core.state.place import Place
from bot.core.writer import Writer
from bot.platforms.telegram import connectivity, platform
from storage.sqlite import SqliteBooks
from tests.platforms.telegram.house import (
    CARD,
    House,
    ask_for_direct_cards,
    button,
    choose,
    deal,
    open_house,
    people,
    place_bets,
    play_hand,
    play_on,
    set_up,
    start_process,
    stop_process,
)
from tests.servers.telegram import BotApiServer, Chat, Message, SystemClock
from tests.some import some

MINUTES = 600.0

# Games with private cards.
HIDDEN = ("caribbean", "uth", "stud")


@pytest.fixture
async def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A casino that considers a call lost after moments of real time, which no virtual clock shortens."""
    monkeypatch.setattr(connectivity, "PATIENCE_S", 0.1)
    async with open_house(tmp_path, of={"read_timeout_s": 0.3}) as opened:
        yield opened


def left(house: House, where: Chat) -> float:
    return float(house.table_at(where).round.deadline - house.clock.now())


async def come_back(house: House) -> None:
    """Let Telegram answer again, and wait until the casino has noticed."""
    await house.server.come_back()
    await house.wait(3)
    # The library's poller pauses in real time.
    await house.server.until(lambda: house.server.updates._waiting is not None)
    await house.wait(connectivity.LONGEST_PAUSE_S + 3)
    assert not house.app.connectivity.is_away


def tables_of(group: Chat) -> list[Message]:
    return [message for message in group.messages if "table 1" in message.text.partition("\n")[0]]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["refused", "502"])
async def test_clocks_stand_for_minutes_without_telegram_and_run_on_with_what_was_left(house: House, how: str) -> None:
    group, anna, bea = await deal(house)
    assert left(house, group) > 25
    await house.server.go_down(how)
    await house.wait(MINUTES)
    table = house.table_at(group)
    assert table.round.hand is not None
    assert not table.round.hand.moves, "nobody's clock ran out"
    assert not table.round.away
    await come_back(house)
    assert 0 < left(house, group) <= 30
    await play_on(house, group, [anna, bea])
    assert house.table_at(group).last is not None
    assert len(tables_of(group)) == 1


@pytest.mark.slow
async def test_since_when_it_is_away_is_told_by_the_wall_clock_although_it_was_set(house: House) -> None:
    await deal(house)
    steady = house.writer.clock
    house.writer.clock = lambda: steady() + 7200.0
    await house.server.go_down("refused")
    await house.wait(connectivity.BEAT_S + 2)
    since = house.writer.state.away["telegram", ""]
    assert since is not None
    assert house.writer.clock() - 3 * connectivity.BEAT_S <= since <= house.writer.clock()
    await come_back(house)


@pytest.mark.slow
async def test_a_line_that_swallows_everything_is_noticed_before_a_clock_runs_out(impatient: House) -> None:
    house = impatient
    group, _anna, _bea = await deal(house)
    await house.server.go_down("silent")
    await house.wait(connectivity.BEAT_S + 2)
    assert house.app.connectivity.is_away
    await house.wait(60)
    assert not house.table_at(group).round.hand.moves
    await come_back(house)
    assert 0 < left(house, group) <= 30


@pytest.mark.slow
async def test_what_piled_up_is_done_once_and_stale_buttons_are_refused_politely(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna)
    old = button(post, "ante 10")
    await play_hand(house, group, [anna], "caribbean")
    await house.server.go_down()
    stale = bea.press(post, old) if old in [b.data for b in post.buttons] else house.server.user_pressed(bea, post, old)
    fresh = anna.press(post, "ante 10")
    await bea.says(group, "/bet 35")
    await house.wait(20)
    await come_back(house)
    bets = {bet.player: bet.spots["ante"] for bet in house.table_at(group).round.bets}
    assert bets == {house.app.context.player_of(anna.id): 10_00, house.app.context.player_of(bea.id): 35_00}
    answers = [await press.answered() for press in (stale, fresh)]
    assert answers[0] is not None
    assert "The table has changed" in answers[0].text
    assert answers[1] is not None
    assert len(tables_of(group)) == 1


async def test_a_typed_move_that_waited_is_not_played_in_another_hand(house: House) -> None:
    group, anna, bea = await deal(house)
    house.server.lose_updates()
    late = await anna.says(group, "/fold")
    await house.wait(10)
    await play_on(house, group, [anna, bea])
    await house.wait(5)
    await place_bets(house, group, [anna, bea], "caribbean")
    await house.wait(21)
    house.server.add_update("message", late.as_json())
    await house.wait(3)
    assert not house.table_at(group).round.hand.moves
    assert house.server.shown[-1].text.startswith("Anna, this is only for you")


@pytest.mark.slow
async def test_a_newer_state_goes_out_once_when_telegram_is_back(house: House) -> None:
    """No message is repeated, and of many changes only the last is shown."""
    group, anna, bea = await deal(house)
    await house.wait(5)
    before = house.server.spent_in(group)
    await house.server.go_down()
    await house.wait(20)
    table = house.table_at(group)
    fresh = f"{table.round.hand_id}"
    for user in (anna, bea):
        who, place = Who("telegram", str(user.id), user.first_name), Place("telegram", "1")
        assert not house.writer.submit(Command(f"else:{user.id}", who, place, "fold", (), fresh)).result().refused
    assert house.table_at(group).last is not None
    await house.wait(60)
    await come_back(house)
    assert house.server.spent_in(group) == before + 1
    assert "Anna" in house.post_at(group).text
    assert not [message for message in group.messages if message.mentions]


@pytest.mark.parametrize("what", ["drop_connection", "cut_answer"])
async def test_a_table_that_was_posted_without_our_knowing_is_found_by_a_press(house: House, what: str) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    lost: Any = {"done": True} if what == "drop_connection" else {}
    getattr(house.server, what)("sendMessage", **lost)
    await anna.says(group, "/setup")
    await house.wait(5)
    [posted] = tables_of(group)
    assert await bea.presses(posted, "ante 10") is not None
    await house.wait(40)
    assert tables_of(group) == [posted]
    assert "Bea" in posted.text


async def test_a_table_that_may_have_been_posted_is_posted_again_and_the_one_too_many_goes(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    house.server.drop_connection("sendMessage", done=True)
    await anna.says(group, "/setup")
    await house.wait(40)
    first, second = tables_of(group)
    assert house.post_at(group) is second
    assert await bea.presses(first, "ante 10") is not None
    await house.wait(10)
    assert tables_of(group) == [second]
    assert "Bea" in second.text


async def test_a_mention_and_an_answer_that_may_have_arrived_are_not_said_again(house: House) -> None:
    group, anna, bea = await deal(house)
    await house.wait(5)
    before = len(group.messages)
    house.server.drop_connection("sendMessage", times=2, done=True)
    await anna.says(group, "/balance")
    await house.wait(20)
    said = group.messages[before:]
    assert len([message for message in said if message.mentions]) == 1
    assert len([message for message in said if "only for you" in message.text]) == 1
    await play_on(house, group, [anna, bea])


async def test_direct_cards_that_may_have_arrived_are_not_sent_again(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await ask_for_direct_cards(house, bea)
    house.server.drop_connection("sendMessage", chat=bea.private, done=True)
    await place_bets(house, group, [anna, bea], "caribbean")
    await house.wait(24)
    await play_on(house, group, [anna, bea])
    await house.wait(5)
    assert len([message for message in bea.private.messages if "You hold" in message.text]) == 1


async def test_an_edit_whose_answer_was_lost_is_made_again_for_that_repeats_nothing(house: House) -> None:
    group, anna, _bea = await deal(house)
    house.server.drop_connection("editMessageText", done=True)
    await anna.presses(group, "Fold")
    await house.wait(10)
    assert len(tables_of(group)) == 1
    assert house.table_at(group).round.hand is not None


async def test_a_flooded_group_stands_still_while_another_plays(house: House) -> None:
    group, anna, bea = await deal(house)
    other = house.server.group("Other", members=[bea], admins=[anna])
    await set_up(house, other, anna)
    house.server.limit_rate(group, 120)
    await anna.presses(group, "⇄ 2 (10)")
    await bea.presses(group, "⇄ 2 (10)")
    await house.wait(2)
    assert left(house, group) > 20
    assert await play_hand(house, other, [bea], "caribbean") >= 3
    await house.wait(60)
    assert house.table_at(group).round.hand.asks, "no player can see a new card on the table: the clock pauses"
    await house.wait(90)
    assert not house.server.impatient
    await play_on(house, group, [anna, bea])
    assert house.table_at(group).last is not None


async def test_rate_limits_of_all_groups_pass_and_nothing_is_lost(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    groups = [house.server.group(f"G{n}", members=[bea], admins=[anna]) for n in range(5)]
    for group in groups:
        await set_up(house, group, anna)
        await place_bets(house, group, [bea], "caribbean")
    limited = PLATFORMS["telegram"].limited
    house.server.limit_rate(None, 60)
    await house.wait(40)
    tried = [call for call in house.server.calls if call.error_code == 429]
    assert PLATFORMS["telegram"].limited - limited == len(tried) > 0
    assert len(tried) <= len(groups), "each was tried once"
    await house.wait(60)
    for group in groups:
        await house.wait(3)
        await play_on(house, group, [bea])
        await house.wait(4)
        assert "Bea" in house.post_at(group).text
    assert not house.server.impatient


@pytest.mark.parametrize("how", ["502", "line", "cut"])
async def test_an_answer_that_is_lost_is_said_once_more(house: House, how: str) -> None:
    group, anna = await betting(house)
    if how == "502":
        house.server.fail("answerCallbackQuery", 502, "Bad Gateway")
    elif how == "line":
        house.server.drop_connection("answerCallbackQuery")
    else:
        house.server.cut_answer("answerCallbackQuery")
    alert = await anna.presses(group, "ante 10")
    assert alert is not None
    assert alert.text.startswith("Bet 10: ante. 990 left.")
    await house.wait(1)
    assert len(house.server.calls_of(group, "answerCallbackQuery")) == 2
    assert antes(house, group) == [10_00]


async def test_a_press_whose_answers_were_both_lost_is_not_made_twice_unheard(house: House) -> None:
    group, anna = await betting(house)
    bea = house.server.user("Bea")
    await bea.joins(group)
    house.server.fail("answerCallbackQuery", 502, "Bad Gateway", times=2)
    lost = anna.press(group, "ante 10")
    await house.wait(1)
    assert not lost.answer.done()
    assert antes(house, group) == [10_00]
    # Presses of others, or of another button, are separate.
    await bea.presses(group, "ante 10")
    await anna.presses(group, "ante 50")
    assert antes(house, group) == [60_00, 10_00]
    heard = await anna.presses(group, "ante 10")
    assert heard is not None
    assert heard.show_alert
    assert heard.text.startswith("That is already done. Press again to repeat it.\nBet 10: ante.")
    assert antes(house, group) == [60_00, 10_00]
    await anna.presses(group, "ante 10")
    assert antes(house, group) == [70_00, 10_00]


async def test_what_telegram_refuses_to_answer_is_not_tried_again(house: House) -> None:
    group, anna = await betting(house)
    house.server.fail("answerCallbackQuery", 400, "Bad Request: query is too old and response timeout expired")
    anna.press(group, "ante 10")
    await house.wait(1)
    assert len(house.server.calls_of(group, "answerCallbackQuery")) == 1
    assert antes(house, group) == [10_00]


async def betting(house: House) -> tuple[Chat, Any]:
    (anna,) = people(house, "Anna")
    group = house.server.supergroup("Salotto", admins=[anna])
    await set_up(house, group, anna)
    return group, anna


def antes(house: House, group: Chat) -> list[int]:
    return [bet.spots["ante"] for bet in house.table_at(group).round.bets]


async def test_slow_answers_of_one_group_hold_up_no_other(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    slow, other = (house.server.group(name, members=[bea], admins=[anna]) for name in ("Slow", "Other"))
    for group in (slow, other):
        await set_up(house, group, anna)
    house.server.slow("editMessageText", 60, times=1, chat=slow)
    await place_bets(house, slow, [anna], "caribbean")
    assert await play_hand(house, other, [bea], "caribbean") >= 3
    await house.wait(60)
    await play_on(house, slow, [anna])
    assert len(tables_of(slow)) == 1


async def test_a_group_whose_calls_keep_failing_stands_still_by_itself(house: House) -> None:
    group, anna, bea = await deal(house)
    house.server.fail("editMessageText", 500, "Internal Server Error", times=6, chat=group)
    await anna.presses(group, "⇄ 2 (10)")
    await bea.presses(group, "⇄ 2 (10)")
    await house.wait(50)
    assert house.table_at(group).round.hand.asks
    await house.wait(20)
    await play_on(house, group, [anna, bea])
    await house.wait(5)
    assert "Anna" in house.post_at(group).text


@pytest.mark.slow
async def test_a_message_deleted_while_telegram_was_away_is_posted_again(house: House) -> None:
    group, anna, bea = await deal(house)
    old = house.post_at(group)
    await house.server.go_down("502")
    await anna.deletes(old)
    await house.wait(60)
    await come_back(house)
    await anna.says(group, "/fold")
    await bea.says(group, "/fold")
    await house.wait(8)
    assert tables_of(group) == [house.post_at(group)]
    assert house.post_at(group) is not old


async def test_a_webhook_that_is_not_called_stops_the_clocks_but_not_the_edits(house: House) -> None:
    group, anna, bea = await deal(house)
    await house.app.updater.stop()
    await house.app.bot.set_webhook("http://127.0.0.1:1/telegram")
    anna.press(group, "Fold")
    await house.server.until(lambda: some(house.server.updates.webhook).last_error is not None)
    await house.wait(connectivity.BEAT_S + 3)
    assert house.app.connectivity.is_away
    await house.wait(MINUTES)
    assert not house.table_at(group).round.hand.moves
    assert not house.app.context.outbox._is_paused
    await house.app.bot.delete_webhook()
    await house.app.updater.start_polling(poll_interval=0, timeout=10)
    await house.server.until(lambda: not house.server.updates.queue)
    await house.wait(5)
    assert not house.app.connectivity.is_away
    assert len(house.table_at(group).round.hand.moves) == 1
    await choose(house, group, bea)


async def test_clocks_of_a_restarted_house_stand_until_telegram_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "FIRST_WAIT_S", 0.05)
    everywhere = ("telegram", "")
    async with BotApiServer(clock=SystemClock()) as server:
        await server.go_down()
        books = SqliteBooks(tmp_path)
        writer = Writer(books)
        writer.start()
        line = platform.TelegramConnection(writer, server.token, server.base_url)
        running = asyncio.ensure_future(line.keep_running())
        try:
            await server.until(lambda: writer.state.away.get(everywhere))
            assert not line.is_connected()
            await server.come_back()
            await server.until(lambda: line.is_connected() and writer.state.away[everywhere] is None)
        finally:
            running.cancel()
            await asyncio.wait({running})
            writer.stop()
            books.close()


@pytest.mark.slow
async def test_the_real_process_survives_a_refused_line_and_its_hand_goes_on(tmp_path: Path) -> None:
    async with BotApiServer(clock=SystemClock()) as server:
        anna = server.user("Anna")
        group = server.group("Salotto", admins=[anna])
        process = await start_process(server, tmp_path)
        try:
            post = await anna.asks(group, "/setup")
            assert await anna.presses(post, "ante 10") is not None
            await server.until(lambda: any(b.text == "Ready" for b in post.buttons))
            await anna.presses(post, "Ready")
            await server.until(lambda: any(b.text == "Fold" for b in post.buttons))
            await server.go_down()
            await asyncio.sleep(6)
            await server.come_back()
            press = anna.press(post, "Fold")
            await server.until(lambda: "Anna" in post.text and not any(b.text == "Fold" for b in post.buttons))
            assert press.answer.done()
            assert "before" not in "".join(shown.text for shown in server.shown if shown.kind == "alert")
            assert tables_of(group) == [post]
        finally:
            await stop_process(process)


async def test_a_webhook_that_cannot_be_set_at_first_is_set_at_the_next_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "FIRST_WAIT_S", 0.05)
    async with BotApiServer(clock=SystemClock()) as server:
        server.fail("setWebhook", 502, "Bad Gateway", times=2)
        books = SqliteBooks(tmp_path)
        writer = Writer(books)
        writer.start()
        line = platform.TelegramConnection(
            writer, server.token, server.base_url, "http://127.0.0.1:1", platform.Webhook(server.token)
        )
        running = asyncio.ensure_future(line.keep_running())
        try:
            await server.until(line.is_connected)
            assert server.updates.webhook is not None
            assert not running.done()
        finally:
            running.cancel()
            await asyncio.wait({running})
            writer.stop()
            books.close()


async def test_what_went_out_what_need_not_and_what_failed_is_counted(house: House) -> None:
    tally = PLATFORMS["telegram"]
    sent, skipped, failed = tally.sent, tally.skipped, tally.failed
    group, anna, bea = await deal(house)
    await house.wait(5)
    assert tally.sent - sent == house.server.spent_in(group)
    house.server.limit_rate(group, 10)
    await anna.presses(group, "⇄ 2 (10)")
    await bea.presses(group, "⇄ 2 (10)")
    await house.wait(2)
    assert tally.failed == failed + 1
    await anna.says(group, "/raise")
    await bea.says(group, "/raise")
    await house.wait(15)
    assert tally.skipped > skipped, "newer state came first"
    assert tally.failed == failed + 1


@pytest.mark.exhaustive
async def test_private_hands_of_a_killed_process_are_shown_again(tmp_path: Path) -> None:
    """The next change of a table shows them, without a press, in each game with hidden cards."""
    async with BotApiServer(clock=SystemClock()) as server:
        anna, bea = server.user("Anna"), server.user("Bea")
        process = await start_process(server, tmp_path)
        await anna.starts()
        await server.until(lambda: any(one.buttons for one in anna.private.messages), "a welcome")
        await anna.presses(anna.private, "Send my cards here")
        for game in HIDDEN:
            group = server.supergroup(game, members=[bea], admins=[anna])
            await anna.asks(group, f"/table open {game}")
            for who in (anna, bea):
                await who.says(group, "/buyin 320" if game == "stud" else "/bet 10")

        def hands(since: int) -> int:
            """Return how many of Anna's private messages have shown her cards since then."""
            shown = [one.message for one in server.shown[since:] if one.chat is anna.private]
            return len({id(one) for one in shown if one is not None and CARD.search(one.text)})

        await server.until(lambda: hands(0) >= len(HIDDEN), "her hands")
        process.kill()
        await process.communicate()
        seen = len(server.shown)
        process = await start_process(server, tmp_path, DEALT="second")
        await server.until(lambda: hands(seen) >= len(HIDDEN), "her hands again")
        await stop_process(process)
