"""The platform context: places of tables, identities, and submitted commands."""

import asyncio

import pytest

from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.writer import Writer
from bot.platforms.common.context import PlatformContext, language_of
from storage.rows import PlaceRow
from storage.sqlite import SqliteBooks
from tests.patience import until


@pytest.fixture
async def context(tmp_path):
    books = await asyncio.to_thread(SqliteBooks, tmp_path)
    writer = Writer(books)
    writer.start()
    yield PlatformContext(writer, "web")
    await asyncio.to_thread(writer.stop)
    await asyncio.to_thread(books.close)


async def say(context, name, line, address="lobby"):
    verb, *args = line.split()
    return await context.submit(
        Command(f"{name} {line}", Who("web", name, name), context.place(address), verb, tuple(args))
    )


async def test_a_table_is_found_where_it_stands_and_not_where_it_stood(context):
    table = next(iter(context.state.tables))
    (own,) = context.addresses_of(table)
    assert context.table_at(own).id == table
    assert PlatformContext(context.writer, "elsewhere").addresses_of(table) == []
    await say(context, "anna", "balance")
    del context.state.places["web", own]
    assert (context.addresses_of(table), context.table_at(own)) == ([], None)


async def test_places_of_one_community_are_found_without_those_of_others(context):
    (own,) = context.addresses_of(next(iter(context.state.tables)))
    context.state.places["web", "guest"] = PlaceRow(
        "web", "guest", context.state.places["web", own].casino, None, home=7
    )
    context.state.places["web", "guest 2"] = PlaceRow(
        "web", "guest 2", context.state.places["web", own].casino, None, home=7
    )
    context.state.places["other", "far"] = PlaceRow("other", "far", context.state.places["web", own].casino, None)
    beside = [row.address for row in context.places_beside(own)]
    assert own in beside
    assert not {"guest", "guest 2", "far"} & {*beside}
    assert [row.address for row in context.places_beside("guest")] == ["guest", "guest 2"]
    assert context.places_beside("nowhere") == []


async def test_what_is_open_in_a_casino_is_listed_by_its_number(context):
    numbers = [table.number for table in context.tables()]
    assert numbers == sorted(numbers)
    assert len(numbers) == len(context.state.tables)
    inspector = Who("web", "bea", "bea", inspector=True)
    at = context.place(context.addresses_of(1)[0])
    await context.submit(Command("close", inspector, at, "table close", ("why",), confirmed=True))
    assert [table.number for table in context.tables()] == numbers[1:]
    assert context.tables(casino=2) == []


async def test_who_was_met_is_known_by_their_account_and_by_their_number(context):
    assert context.player_of("anna") is None
    assert context.language_of("anna", "it-IT") == "it"
    await say(context, "anna", "balance")
    player = context.player_of("anna")
    assert context.account_of(player) == "anna"
    assert context.language_of("anna", "it-IT") == "en", "the language that the casino knows"
    await say(context, "anna", "language it")
    assert context.language_of("anna", "en-GB") == "it"


async def test_an_account_that_comes_later_is_not_taken_for_none(context):
    await say(context, "anna", "balance")
    elsewhere = PlatformContext(context.writer, "post")
    player = context.player_of("anna")
    assert elsewhere.account_of(player) is None
    context.state.books.db.execute("INSERT INTO identities (platform, name, player) VALUES ('post', 'a', ?)", [player])
    assert elsewhere.account_of(player) == "a"


async def test_who_stops_waiting_does_not_undo_what_they_said(context):
    waiting = asyncio.ensure_future(say(context, "anna", "daily"))
    await asyncio.sleep(0)
    waiting.cancel()
    answer = await say(context, "anna", "balance")
    assert not answer.refused


async def test_an_internal_command_is_the_platforms_own_and_each_has_its_key(context):
    one, two = context.internal_command("away", ""), context.internal_command("away", "")
    assert one.key != two.key
    assert one._replace(key="") == internal_command_of("", Place("web", ""), "away")
    assert not (await context.tend("away", "")).refused


async def test_each_table_that_changes_is_told_on_the_loop_until_nobody_hears(context):
    loop, told = asyncio.get_running_loop(), []
    context.subscribers.append(lambda table: told.append((table, asyncio.get_running_loop() is loop)))
    end = context.start_notifying()
    one, two = [next(table for table in context.tables() if table.game == game) for game in ("caribbean", "uth")]
    await say(context, "anna", "bet 10", context.addresses_of(two.id)[0])
    await say(context, "anna", "bet 20", context.addresses_of(one.id)[0])
    await until(lambda: len(told) >= 2)
    assert told == [(two.id, True), (one.id, True)]
    end()
    await say(context, "anna", "takeback", context.addresses_of(one.id)[0])
    await say(context, "anna", "balance")
    assert len(told) == 2
    context.notify_subscribers({two.id, one.id})
    assert [table for table, _is_here in told[2:]] == sorted({one.id, two.id})


async def test_a_table_looks_as_its_viewer_may_see_it(context):
    table = context.tables()[0]
    await say(context, "anna", "bet 10", context.addresses_of(table.id)[0])
    player, now = context.player_of("anna"), context.state.table(table.id)
    assert [seat.name for seat in context.own_screen(now, player).seats] == ["anna"]
    assert not any(seat.is_viewer for seat in context.screen(now).seats)
    assert any(seat.is_viewer for seat in context.screen(now, player).seats)


async def test_notes_are_found_by_how_their_names_begin(context):
    for name, value in (("board 1", [5, None]), ("board 2", None), ("chat 1", {"id": 7})):
        context.note(name, value)
    await say(context, "anna", "balance")  # earlier ones are in the store
    assert dict(context.noted("board ")) == {"1": [5, None], "2": None}
    assert dict(PlatformContext(context.writer, "elsewhere").noted()) == {}


async def test_what_runs_beside_is_done_or_its_fault_is_told_or_it_is_cut_off(context):
    done, faults = [], []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context["exception"]))

    async def work(fault=None):
        await asyncio.sleep(0)
        if fault is not None:
            raise fault
        done.append(True)

    context.spawn(work())
    context.spawn(work(fault := OSError("away")))
    for _turn in range(4):
        await asyncio.sleep(0)
    assert (done, faults) == ([True], [fault])
    context.spawn(asyncio.Event().wait())
    await context.close()
    await asyncio.sleep(0)
    assert (done, faults) == ([True], [fault])


@pytest.mark.parametrize(
    ("code", "language"), [("it", "it"), ("it-CH", "it"), ("it_IT", "it"), ("IT", "it"), ("tlh", "en"), (None, "en")]
)
def test_a_language_is_known_by_its_code(code, language):
    assert language_of(code) == language


async def test_a_platform_is_told_of_its_own_awake_tables_at_the_start(context):
    table = next(iter(context.state.tables))
    await say(context, "anna", "bet 10", context.addresses_of(table)[0])
    told: list[int] = []
    context.subscribers.append(told.append)
    await context.tell_awake()
    assert told == [table]
    elsewhere = PlatformContext(context.writer, "elsewhere")
    elsewhere.subscribers.append(told.append)
    await elsewhere.tell_awake()
    assert told == [table]
