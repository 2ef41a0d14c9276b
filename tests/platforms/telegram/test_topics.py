"""Topics that are switched off or deleted while they have tables, and groups that become forums."""

import pytest

from bot.core.state.plays import PLAYS
from tests.platforms.telegram.house import House, people, place_bets
from tests.servers.telegram import Chat, Topic, User


async def set_up_forum(house: House, *admins: User) -> tuple[Chat, dict[str, Topic]]:
    forum = house.server.forum("Ridotto", members=admins[1:], admins=admins[:1], bot="administrator")
    await admins[0].says(forum, "/setup")
    await house.wait(60)
    return forum, {house.table_at(topic).game: topic for topic in forum.topics.values()}


def chips_of(house: House, who: User, forum: Chat) -> int:
    context = house.app.context
    casino = context.row_at(context.notes.chats[forum.id].address).casino
    balance: int = context.state.balance(f"player:{casino}:{context.player_of(who.id)}")
    return balance


@pytest.mark.parametrize("how", ["switched off", "deleted"])
async def test_without_their_topics_bets_come_back_and_a_hand_is_finished_in_private(house: House, how: str) -> None:
    anna, bea = people(house, "Anna", "Bea")
    forum, topics = await set_up_forum(house, anna, bea)
    await anna.starts()
    await place_bets(house, topics["caribbean"], [anna, bea], "caribbean")
    await house.wait(21)
    old = house.post_at(topics["caribbean"])
    await place_bets(house, topics["uth"], [bea], "uth")
    hand, idle = house.table_at(topics["caribbean"]), house.table_at(topics["uth"])
    if how == "switched off":
        await forum.switches_topics(False)
        await bea.says(forum, "/balance")
    else:
        await topics["caribbean"].is_deleted()
        await topics["uth"].is_deleted()
    await house.wait(25)
    tables = house.writer.state.tables
    if how == "switched off":
        assert tables[idle.id].status == "closed"
        assert chips_of(house, bea, forum) == 990_00, "the bet that was not dealt came back"
    hand = tables[hand.id]
    assert hand.round.hand is not None
    told = next(message for message in forum.messages if "Finish your hand in our private chat." in message.text)
    assert set(told.mentions) == {anna, bea}
    shown = next(message for message in anna.private.messages if "Finish your hand here." in message.text)
    await anna.presses(shown, next(b.text for b in shown.buttons if b.text.startswith("Raise")))
    if how == "switched off":
        alert = await bea.presses(old, "My cards")
        assert alert is not None
        assert "You hold:" in alert.text, "the old message is still there"
        await bea.starts()
        await bea.says(bea.private, "/fold")
    else:
        await bea.presses(told, "My cards")
        await house.wait(4)
        await bea.says(bea.private, "/fold")
    await house.wait(5)
    assert tables[hand.id].status == "closed"
    assert tables[hand.id].round.hand is None


async def test_a_move_typed_where_no_table_stands_is_for_the_hand_that_lost_its_place(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    forum, topics = await set_up_forum(house, anna, bea)
    await place_bets(house, topics["caribbean"], [anna, bea], "caribbean")
    await house.wait(21)
    hand = house.table_at(topics["caribbean"]).id

    def moves() -> list[str]:
        play = house.writer.state.tables[hand].round.hand
        return [move.word for move in play.moves] if play is not None else []

    await bea.says(forum, "/raise")
    await house.wait(2)
    assert moves() == [], "its table still stands"
    await forum.switches_topics(False)
    await bea.says(forum, "/balance")
    await house.wait(25)
    await bea.says(forum, "/raise")
    await house.wait(3)
    assert moves() == ["raise"]


async def test_setup_makes_a_deleted_topic_again(house: House) -> None:
    (anna,) = people(house, "Anna")
    forum, topics = await set_up_forum(house, anna)
    await topics["caribbean"].is_deleted()
    await anna.says(forum, "/setup")
    await house.wait(60)
    living = {house.table_at(topic).game for topic in forum.topics.values() if not topic.deleted}
    assert living == set(PLAYS)


async def test_topics_that_are_switched_on_again_get_their_tables_back(house: House) -> None:
    (anna,) = people(house, "Anna")
    forum, topics = await set_up_forum(house, anna)
    await forum.switches_topics(False)
    await anna.says(forum, "/tables")
    await house.wait(10)
    assert not any(house.table_at(topic) for topic in topics.values())
    await forum.switches_topics(True)
    await anna.says(forum, "/setup")
    await house.wait(60)
    assert {house.table_at(topic).game for topic in topics.values()} == set(PLAYS)
    assert len(forum.topics) == len(PLAYS)


async def test_a_hand_goes_on_in_a_group_that_becomes_a_forum(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna], bot="administrator")
    await anna.says(group, "/setup")
    await house.wait(5)
    await place_bets(house, group, [anna, bea], "caribbean")
    await house.wait(21)
    await group.switches_topics(True)
    for who in (anna, bea):
        alert = await who.presses(house.post_at(group), "Fold")
        assert alert is None or "before" not in alert.text
    await house.wait(5)
    assert house.table_at(group).round.hand is None
    await anna.presses(house.post_at(group), "ante 10")
    await house.wait(3)
    assert house.table_at(group).round.bets
