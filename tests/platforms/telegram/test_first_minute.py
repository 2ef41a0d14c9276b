"""First minutes in a group: from being added to the first dealt hand, and forums that are hard to set up."""

import pytest

from bot.core.state.plays import PLAYS
from tests.platforms.telegram.house import House, people


@pytest.mark.parametrize(
    ("language", "sets_up", "ready"),
    [("en", "Set up", "Ready"), ("it", "Prepara", "Pronto"), ("de", "Einrichten", "Fertig")],
)
async def test_from_the_greeting_to_the_first_hand_in_three_presses_and_no_typed_word(
    house: House, language: str, sets_up: str, ready: str
) -> None:
    anna, bea = people(house, "Anna", "Bea")
    anna.language_code = language
    group = house.server.group("Salotto", members=[bea], admins=[anna], bot=None)
    await group.adds_bot(anna)
    await house.wait(3)
    (greeting,) = [message for message in group.messages if message.sender is house.server.bot]
    assert [one.text for one in greeting.buttons] == [sets_up]
    alert = await bea.presses(greeting, sets_up)
    assert alert is not None
    assert house.table_at(group) is None
    await anna.presses(greeting, sets_up)
    await house.wait(3)
    assert house.post_at(group).text.count("Fate il vostro gioco") == 1, "the dealer calls once, in Italian"
    await anna.presses(group, next(one.text for one in house.post_at(group).buttons if one.text.endswith(" 10")))
    await house.wait(6)
    await anna.presses(group, next(one.text for one in house.post_at(group).buttons if ready in one.text))
    await house.wait(3)
    assert house.table_at(group).round.hand is not None


async def test_a_forum_is_set_up_to_its_end_when_telegram_asks_for_patience(house: House) -> None:
    (anna,) = people(house, "Anna")
    forum = house.server.forum("Ridotto", admins=[anna], bot="administrator")
    house.server.fail("createForumTopic", error_code=429, retry_after=5, times=2)
    await anna.says(forum, "/setup")
    await house.wait(240)
    assert sorted(house.table_at(topic).game for topic in forum.topics.values()) == sorted(PLAYS)


async def test_who_is_removed_and_added_again_finds_their_own_topics(house: House) -> None:
    (anna,) = people(house, "Anna")
    forum = house.server.forum("Ridotto", admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(240)
    before = set(forum.topics)
    await forum.removes_bot(anna)
    await house.wait(2)
    await forum.adds_bot(anna, "administrator")
    lost = next(iter(forum.topics.values()))
    await lost.is_deleted()
    await anna.says(forum, "/setup")
    await house.wait(240)
    there = {id for id, topic in forum.topics.items() if not topic.deleted}
    assert before - {lost.id} <= there
    assert len(there) == len(PLAYS)
    assert all(house.table_at(forum.topics[id]).status == "open" for id in there)


async def test_a_table_of_before_it_was_removed_loses_its_buttons_at_the_first_press(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await anna.says(group, "/setup")
    await house.wait(5)
    old = house.post_at(group)
    await group.removes_bot(anna)
    await house.wait(2)
    await group.adds_bot(anna)
    await house.wait(3)
    alert = await bea.presses(old, next(one.text for one in old.buttons if one.text.endswith(" 10")))
    assert alert is not None
    assert "There is no table here" in alert.text
    await house.wait(5)
    assert old.buttons == []
