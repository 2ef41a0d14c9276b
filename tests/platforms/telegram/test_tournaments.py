"""A sit & go in a group: from one press to the prizes, and back to the table that was there."""

import asyncio

from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from tests.platforms.telegram.house import House, people, set_up
from tests.servers.telegram import Chat, User


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
    assert "prize 200" in post.text
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
    live = house.table_at(group).tournament
    assert "2 of 4 players." in house.post_at(group).text
    await house.wait(live.starts_at - house.clock.now())
    assert house.table_at(group).tournament.is_running
    await house.wait(5)
    assert "Level 1." in house.post_at(group).text


async def test_a_tournament_of_more_players_opens_a_topic_for_its_second_table(house: House) -> None:
    """Each player there is mentioned once."""
    anna, *others = people(house, "Anna", "Bea", "Carl", "Dora", "Eve", "Finn", "Gus")
    forum = house.server.forum("Ridotto", members=others, admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(240)
    topic = next(topic for topic in forum.topics.values() if house.table_at(topic).game == "uth")
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


async def test_a_group_without_topics_has_room_for_one_table(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await anna.says(group, "/tournament create uth 7")
    await house.wait(5)
    assert house.table_at(group).tournament is None
