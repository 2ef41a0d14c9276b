"""A house whose server goes to another house on the same books, and comes back: what shows its table and its meter."""

import asyncio
from concurrent.futures import Future
from contextlib import closing

import pytest

from bot.doors.discord.calls import MOST
from bot.house.pit import Pit
from bot.house.speech.command import Answer, Command, Who
from bot.house.speech.counting import here
from bot.house.state.place import Place
from storage.rows import WINGS, wing_of
from storage.store import Claim
from tests.doors.discord.house import POST, opened
from tests.doors.discord.test_boards import set_up
from tests.patience import PATIENCE_S
from tests.stores import Postgres

pytestmark = [pytest.mark.outside, pytest.mark.slow]


@pytest.fixture
async def house(schemas, tmp_path, monkeypatch):
    stores = Postgres(schemas)
    async with opened(tmp_path, monkeypatch, store=stores.of(tmp_path)) as house:
        yield house
        house.server.assert_clean()
    stores.end()


async def between(house, act):
    """In the pit's thread, between two rounds."""
    await asyncio.wait_for(asyncio.wrap_future(house.pit.between(act)), PATIENCE_S)


class Other:
    """Another house on the same books, which nobody has come to but over lanes."""

    def __init__(self, house):
        self.books = house.store.open(wings=frozenset())
        clock, entropy = house.server.now_s, house.random.randbytes
        self.pit = Pit(self.books, clock=clock, entropy=entropy, count=here, secret=bytes(32))

    def bets(self, member, channel, line):
        verb, *args = line.split()
        who = Who("discord", str(member.id), member.name)
        command = Command(f"other {line}", who, Place("discord", str(channel.id)), verb, tuple(args))
        answer: Future[Answer] = Future()
        self.pit.round([command], [answer])
        assert not answer.result(0).refused, answer.result(0)


def changes(house):
    """What it has said to Discord."""
    return [call for call in house.server.calls if call.method != "GET"]


async def test_what_another_house_shows_is_left_alone_and_shown_again_where_it_stands_when_it_comes_back(house):
    guild, channel, board = await set_up(house)
    anna, bea = guild.member("Anna"), guild.member("Bea")
    await anna.slash(channel, "bet", amount="50")
    post = (await house.shown(channel, "Anna")).id
    await house.server.quiet()
    wing, known = frozenset({wing_of(house.table(channel).casino)}), house.client.tables._messages
    assert guild.id in house.client.boards._boards
    await between(house, lambda: house.pit.give_wings(wing))
    await house.until(lambda: channel.id not in known)
    assert not house.client.boards._boards
    assert house.client.desk.table_at(str(channel.id)) is None

    other, said = Other(house), len(changes(house))
    try:
        other.pit.take_wings(WINGS)
        other.bets(bea, channel, "bet 25 jackpot")
        house.client.boards.look_again(())
        house.client.tables.look_again([""])
        await house.server.quiet()
        assert len(changes(house)) == said, "it is not its own to show"
        other.pit.give_wings(wing)
    finally:
        other.books.close()
    await between(house, lambda: house.pit.take_wings(WINGS))
    shown = await house.shown(channel, "Bea")
    assert shown.id == post
    await house.until(lambda: guild.id in house.client.boards._boards)
    assert [message.id for message in channel.messages if "Caribbean" in message.text] == [post]
    assert len(board.messages) == 1


async def test_what_reaches_a_channel_when_its_table_is_another_houses_already_is_deleted(house):
    _guild, channel, _board = await set_up(house)
    await house.server.quiet()
    (post,) = [message.id for message in channel.messages if "Caribbean" in message.text]
    wing = frozenset({wing_of(house.table(channel).casino)})
    held = house.server.hold(POST, channel=channel)
    house.client.desk.below.forget()
    house.client.tables.message(channel.id).call()
    await house.until(lambda: held.struck)
    await between(house, lambda: house.pit.give_wings(wing))
    held.stop()
    await house.until(lambda: any(call.method == "DELETE" for call in changes(house)))
    await house.server.quiet()
    assert [message.id for message in channel.messages if "Caribbean" in message.text] == [post]
    await between(house, lambda: house.pit.take_wings(WINGS))
    await house.until(lambda: house.client.desk.table_at(str(channel.id)) is not None)
    assert house.client.tables.message(channel.id).post.message == post


async def test_a_house_has_all_calls_of_its_bot_that_no_other_wants_and_makes_none_while_another_is_told_to_make_none(
    house,
):
    await set_up(house)
    line = house.client.calls
    await house.until(lambda: line.budget.window.most == MOST)
    half = frozenset(range(WINGS // 2))
    await between(house, lambda: house.pit.give_wings(half))
    with closing(house.store.open(wings=half)) as other:
        await house.until(lambda: line.budget.window.most == MOST // 2, "what another one keeps is his until he says")
        assert other.claim("discord", Claim(WINGS // 2, 0.1, 0.1)) == 0.1
        await house.until(lambda: 0.5 < line.budget.bucket.part <= 0.9)
        assert line.budget.bucket.free_at <= line.now()
        other.claim("discord", Claim(WINGS // 2, 0.1, 0.1, held_s=3600))
        await house.until(lambda: line.budget.bucket.free_at > line.now() + 3000)
