"""A sit & go in a group: from one press to the prizes, and back to the table that was there."""

import asyncio
from pathlib import Path

from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.state.table import Table
from tests.platforms.telegram.house import House, ask_for_direct_cards, open_house, people, set_up
from tests.servers.telegram import Chat, Message, User

SITE = "https://casino.example"


async def press_on(house: House, group: Chat, players: list[User]) -> None:
    """Let everyone call, and raise all once they may, until the tournament is over."""
    users = {house.app.context.player_of(user.id): user for user in players}
    for _ in range(3000):
        table = house.table_at(group)
        if table.tournament.has_ended:
            return
        hand = table.round.hand
        if hand is None:
            await house.wait(8)
            continue
        ((seat, offers),) = hand.asks.items()
        player, words = users[table.owners()[seat]], [offer.word for offer in offers]
        raises = [offer.word for offer in offers if offer.word in ("raise", "bet")]
        line = f"/{raises[0]} all" if raises else f"/{'call' if 'call' in words else 'check'}"
        await player.says(group, line)
        await house.wait(1)
        if house.table_at(group).round.hand is hand:
            # More than half of the stack is confirmed (HE36).
            verb, *args = line[1:].split()
            who, place = (
                Who("telegram", str(player.id), str(player)),
                Place("telegram", house.app.context.notes.chats[group.id].address),
            )
            sure = Command(
                f"sure {len(hand.moves)} {table.round.hand_id}", who, place, verb, tuple(args), confirmed=True
            )
            assert not (await asyncio.wrap_future(house.writer.submit(sure))).refused
            await house.wait(1)
    raise AssertionError("the tournament has no end")


async def test_a_group_plays_a_tournament_and_goes_back_to_its_table(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    before = house.table_at(group)
    await bea.says(group, "/tournament")
    await house.wait(5)
    await bea.presses(group, "Texas Hold'em for 2: buy-in 100")
    await house.wait(5)
    table = house.table_at(group)
    assert table.tournament is not None
    assert table.tournament.is_registering
    post = house.post_at(group)
    assert "Registration is open: 1 of 2 players." in post.text
    await anna.presses(post, "Register: 100")
    await house.wait(5)
    assert house.table_at(group).tournament.is_running
    await press_on(house, group, [anna, bea])
    await house.wait(10)
    post = house.post_at(group)
    assert "The tournament is over. Winner:" in post.text
    assert "Place 1: " in post.text, "told apart from the numbers of the seats"
    assert ", prize 200" in post.text
    await bea.presses(post, f"Back to table {before.number}")
    await house.wait(5)
    assert house.table_at(group).id == before.id
    assert "Place your bets" in house.post_at(group).text


async def test_an_administrator_announces_a_tournament_and_it_starts_at_its_time(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await bea.says(group, "/tournament schedule holdem 20:00")
    await house.wait(5)
    assert house.table_at(group).tournament is None, "only for administrators"
    await anna.says(group, "/tournament schedule holdem 20:00 4 50")
    await house.wait(5)
    for user in (anna, bea):
        await user.presses(house.post_at(group), "Register: 50")
        await house.wait(5)
    table = house.table_at(group)
    assert "2 of 4 players." in house.post_at(group).text
    await house.wait(table.tournament.starts_at - house.clock.now() - 605)
    assert not reminders(group)
    await bea.says(group, "/mentions off")
    await house.wait(10)
    (reminder,) = reminders(group)
    assert reminder.text.startswith(f"Anna: tournament {table.number} starts on ")
    assert (reminder.topic, reminder.deleted) == (None, False)
    await house.wait(table.tournament.starts_at - house.clock.now())
    assert house.table_at(group).tournament.is_running
    await house.wait(5)
    assert "Level 1." in house.post_at(group).text
    assert reminder.deleted


def reminders(group: Chat) -> list[Message]:
    return [message for message in group.all_messages if " starts on " in (message.text or "")]


async def test_a_tournament_of_more_players_opens_a_topic_for_its_second_table(house: House) -> None:
    """Each player there is mentioned once."""
    anna, *others = people(house, "Anna", "Bea", "Carl", "Dora", "Eve", "Finn", "Gus")
    forum = house.server.forum("Ridotto", members=others, admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(240)
    topic = next(topic for topic in forum.topics.values() if house.table_at(topic).game == "uth")
    for user in others:
        await ask_for_direct_cards(house, user)
    before = {*forum.topics}
    await anna.says(topic, "/tournament create uth 7")
    await house.wait(5)
    for user in others:
        await user.presses(house.post_at(topic), "Register: 100")
        await house.wait(3)
    first = house.table_at(topic)
    assert first.tournament.is_running
    await house.wait(20)
    (new,) = (forum.topics[id] for id in forum.topics.keys() - before)
    assert new.name == f"Tournament {first.number}, table {first.number + 1}"
    second = house.table_at(new)
    assert (second.part_of, len(first.seats), len(second.seats)) == (first.id, 4, 3)
    assert "hand 1 of 20" in house.post_at(new).text
    (mention,) = (message for message in forum.all_messages if "you play at table" in (message.text or ""))
    assert mention.topic is new
    there = {user for user in others if house.app.context.player_of(user.id) in second.seats.values()}
    says = f"You play at table {second.number} now."
    assert {user for user in others if user.private.last_message.text.startswith(says)} == there, "and in private"


async def test_a_group_without_topics_has_room_for_one_table(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await ask_for_direct_cards(house, anna)
    await anna.says(group, "/tournament create uth 7")
    await house.wait(5)
    assert "There is room for one table here, so enter at most 6 players." in anna.private.last_message.text
    assert house.table_at(group).tournament is None


async def test_further_tables_of_a_group_without_topics_open_in_the_app(tmp_path: Path) -> None:
    """Each player there is mentioned once, with a link; the group's message shows the first table alone."""
    async with open_house(tmp_path, main_web_app=True, of={"public_url": SITE}) as house:
        anna, *others = people(house, "Anna", "Bea", "Carl", "Dora", "Eve", "Finn", "Gus")
        group = house.server.supergroup("Salotto", members=others, admins=[anna])
        await set_up(house, group, anna)
        await ask_for_direct_cards(house, anna)
        await anna.says(group, "/tournament create uth 7")
        await house.wait(5)
        told = anna.private.last_message.text
        assert "One table is shown here. The others open in the app; their players get a link." in told
        for user in others:
            await user.presses(house.post_at(group), "Register: 100")
            await house.wait(3)
        await house.wait(20)
        first, context = house.table_at(group), house.app.context
        assert first.tournament.is_running
        assert first.status == "open"
        second = house.writer.state.tables[first.tournament.tables[1]]
        assert (len(first.seats), len(second.seats)) == (4, 3)
        (mention,) = (message for message in group.all_messages if "you play at table" in (message.text or ""))
        there = {str(user) for user in (anna, *others) if context.player_of(user.id) in second.seats.values()}
        assert {name for name in there if name in mention.text} == there
        assert [(button.text, button.url) for button in mention.buttons] == [
            ("Open table", context.app_link(second.id))
        ]
        assert sum("Tournament · hand 1 of 20" in (one.text or one.caption or "") for one in group.all_messages) == 1
        await bets_in_app(house, second, "100")
        assert len(house.writer.state.tables[second.id].round.bets) == 0, "they are sealed"
        live = house.writer.state.tables[second.id].tournament
        assert live is not None
        assert len(live.sealed) == 3
        await anna.says(group, f"/tournament status {first.number}")
        await house.wait(5)
        assert context.app_link(second.id) in {button.url for button in anna.private.last_message.buttons}


async def bets_in_app(house: House, table: Table, amount: str) -> None:
    """Let everyone at a table bet, as their app sends it."""
    (address,) = house.app.context.addresses_of(table.id)
    for player in table.seats.values():
        account = house.app.context.account_of(player)
        command = Command(
            f"app {player}", Who("telegram", account, ""), Place("telegram", address), "bet", ("ante", amount)
        )
        assert not (await asyncio.wrap_future(house.writer.submit(command))).refused
