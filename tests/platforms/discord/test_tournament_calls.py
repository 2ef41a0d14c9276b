"""Calls of a large tournament in one server: twenty tables in threads share the bot's calls (TN28)."""

import asyncio
from itertools import count

import pytest

from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.platforms.discord.calls import Calls
from tests.platforms.discord.house import EDIT, POST, opened

ENTRIES, TABLES, HANDS = 180, 20, 2
A_SECOND = 50
# Calls for each hand of nine players at each table: 8.1 were measured.
MOST_A_HAND = 9.0
_keys = count()


@pytest.fixture
async def house(tmp_path, monkeypatch):
    """A casino on a Discord that takes fifty calls a second, as Discord does."""
    async with opened(tmp_path / "data", monkeypatch, calls=Calls()) as house:
        house.server.limit_all(A_SECOND)
        yield house
        house.server.assert_clean()


async def submit(house, account, channel, verb, *args):
    who, place = Who("discord", str(account), f"Player {account}"), Place("discord", str(channel))
    command = Command(f"calls {next(_keys)}", who, place, verb, args, confirmed=True)
    return await asyncio.wrap_future(house.writer.submit(command))


def tables_of(house, first):
    return [house.house.tables[id] for id in house.house.tables[first].tournament.tables]


def hands_of(house, first):
    """Return how many hands each table has finished."""
    return [table.hands for table in house.house.tables[first].tournament.now.tables.by_number.values()]


async def fold(house, table):
    """Fold the next hand, or check."""
    seat, offers = next(iter(table.round.hand.asks.items()))
    word = "fold" if "fold" in [offer.word for offer in offers] else "check"
    (address,) = house.client.context.addresses_of(table.id)
    account = house.client.context.account_of(table.owners()[seat])
    assert not (await submit(house, account, address, word)).refused


@pytest.mark.slow
async def test_twenty_tables_of_a_tournament_draw_no_429_in_one_server(house):
    """Check that no call is refused, a hand costs no more than measured, and each table is shown."""
    guild = house.server.guild("Venezia")
    channel, members = guild.text_channel("poker"), [guild.member(f"Player {number}") for number in range(ENTRIES)]
    await members[0].slash(channel, "tournament-create", game="holdem", players=ENTRIES, amount="0")
    joined = await asyncio.gather(*(submit(house, one.id, channel.id, "tournament join") for one in members[1:]))
    assert not any(answer.refused for answer in joined)
    first = house.table(channel).id
    await house.until(lambda: all(map(house.client.context.addresses_of, house.table(channel).tournament.tables)))
    assert len(tables_of(house, first)) == TABLES
    await house.server.quiet()
    since, before = len(house.server.calls), sum(hands_of(house, first))
    while min(hands_of(house, first)) < HANDS:
        playing = [table for table in tables_of(house, first) if table.round.hand is not None]
        await asyncio.gather(*(fold(house, table) for table in playing))
        await house.pass_time(4 if playing else 8)
        await house.server.quiet(0.05)
    await house.server.quiet()
    made = [call for call in house.server.calls[since:] if call.route in (EDIT, POST)]
    played = sum(hands_of(house, first)) - before
    assert {call.status for call in made} == {200}
    assert len(made) / played <= MOST_A_HAND, f"{len(made)} calls for {played} hands"
    assert len({call.channel_id for call in made}) == TABLES
