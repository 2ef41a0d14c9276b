"""Calls of a large tournament in one group: twenty tables in topics share what a group may be sent (TN29)."""

import asyncio
from collections.abc import Iterator
from itertools import count

from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.state.table import Table
from tests.platforms.telegram.house import House, people

ENTRIES, TABLES, HANDS = 180, 20, 3
THINKS_S = 4.0
# Calls for each hand and table: 0.4 were measured, because the group's fifteen to twenty a minute are all there is.
MOST_A_HAND = 0.5
_keys = count()


async def test_twenty_tables_of_a_tournament_keep_within_the_calls_of_one_group(house: House) -> None:
    """Check that no call is refused, a hand costs no more than measured, and each table has its turn."""
    users = people(house, *(f"Player {number}" for number in range(ENTRIES)))
    anna, *others = users
    forum = house.server.forum("Ridotto", members=others, admins=[anna], bot="administrator")
    topic = await forum.topic("Poker")
    await anna.says(topic, "/table open holdem")
    await house.wait(10)
    context = house.app.context
    address = f"{context.notes.chats[forum.id].address}:{topic.id}"
    await submit(house, anna.id, address, "tournament create", "holdem", str(ENTRIES), "0")
    for user in others:
        await submit(house, user.id, address, "tournament join")
    await house.wait(240)  # topics, mentions and first messages of all tables
    first = house.table_at(topic)
    assert len(first.tournament.tables) == TABLES
    assert all(context.addresses_of(id) for id in first.tournament.tables), "each has a topic"
    began, since, before = house.clock.now(), len(house.server.calls), hands_of(house, first)
    while min(hands_of(house, first)) < min(before) + HANDS:
        for table in playing(house, first):
            await fold(house, table)
        await house.wait(THINKS_S)
    spent, played = house.server.spent_in(forum, began), sum(hands_of(house, first)) - sum(before)
    assert not [call for call in house.server.calls if call.error_code == 429]
    assert spent / played <= MOST_A_HAND, f"{spent} calls for {played} hands"
    shown = {call.parameters.get("message_id") for call in house.server.calls[since:] if call.spent}
    posts = {context.notes.posts[one].message for id in first.tournament.tables for one in context.addresses_of(id)}
    assert {str(post) for post in posts} <= {str(one) for one in shown}, "each table was shown"


async def submit(house: House, account: int, address: str, verb: str, *args: str) -> None:
    who = Who("telegram", str(account), f"Player {account}")
    command = Command(f"calls {next(_keys)}", who, Place("telegram", address), verb, args, confirmed=True)
    answer = await asyncio.wrap_future(house.writer.submit(command))
    assert not answer.refused, answer


def tables_of(house: House, first: Table) -> Iterator[Table]:
    """Yield the tables of the tournament as they are now."""
    live = house.writer.state.tables[first.id].tournament
    assert live is not None
    yield from (house.writer.state.tables[id] for id in live.tables)


def hands_of(house: House, first: Table) -> list[int]:
    """Return how many hands each table has finished."""
    live = house.writer.state.tables[first.id].tournament
    assert live is not None
    return [table.hands for table in live.now.tables.by_number.values()]


def playing(house: House, first: Table) -> list[Table]:
    return [table for table in tables_of(house, first) if table.round.hand is not None]


async def fold(house: House, table: Table) -> None:
    """Fold the next hand, or check."""
    assert table.round.hand is not None
    seat, offers = next(iter(table.round.hand.asks.items()))
    word = "fold" if "fold" in [offer.word for offer in offers] else "check"
    (address,) = house.app.context.addresses_of(table.id)
    await submit(house, int(house.app.context.account_of(table.owners()[seat])), address, word)
