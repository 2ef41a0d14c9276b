"""Typed commands: only what a person wrote here, not forwarded, quoted, from another bot, or edited."""

from typing import Any

import pytest

from tests.platforms.telegram.house import House, people, set_up
from tests.servers.telegram import Chat, User

QUOTE = {"text": "ante 10", "position": 0, "is_manual": True}
ELSEWHERE = {"type": "channel", "date": 1, "chat": {"id": -1009, "type": "channel", "title": "News"}, "message_id": 7}
NOT_TYPED: list[dict[str, Any]] = [
    {"quote": QUOTE},
    {"external_reply": {"origin": ELSEWHERE}},
    {"forward_origin": ELSEWHERE, "is_automatic_forward": True},
    {"sender_business_bot": {"id": 7, "is_bot": True, "first_name": "Away", "username": "away_bot"}},
]


async def opened(house: House) -> tuple[Chat, User, User]:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna], bot="administrator")
    await set_up(house, group, anna)
    await bea.says(group, "/balance")
    await house.wait(6)
    return group, anna, bea


async def said_nothing_to(house: House, who: User, where: Chat, text: str, **how: Any) -> None:
    seen = len(house.server.shown)
    await who.says(where, text, **how)
    await house.wait(6)
    assert not house.server.shown[seen:]


async def test_what_is_forwarded_is_nobodys_command(house: House) -> None:
    group, anna, bea = await opened(house)
    player = house.app.context.player_of(bea.id)
    await said_nothing_to(house, anna, group, "/grant Bea 5000 thanks", forwarded_from=bea)
    await said_nothing_to(house, anna, group, "/inspector add Bea help", forwarded_from=bea)
    await said_nothing_to(house, anna, group, "/bet 50", forwarded_from=bea)
    await anna.starts()
    await house.wait(2)
    await said_nothing_to(house, anna, anna.private, "/balance", forwarded_from=bea)
    assert house.writer.state.balance(f"player:{house.table_at(group).casino}:{player}") == 1_000_00
    assert not house.table_at(group).round.bets


async def test_what_another_bot_brings_is_nobodys_command(house: House) -> None:
    group, anna, _bea = await opened(house)
    await said_nothing_to(house, anna, group, "/bet 50", via=house.server.user("Fun", username="fun_bot"))
    assert not house.table_at(group).round.bets


@pytest.mark.parametrize("more", NOT_TYPED, ids=lambda more: next(iter(more)))
async def test_what_quotes_somebody_is_no_command(house: House, more: dict[str, Any]) -> None:
    group, anna, _bea = await opened(house)
    await said_nothing_to(house, anna, group, "/bet 50", **more)
    assert not house.table_at(group).round.bets


async def test_what_is_said_about_the_game_in_answer_to_the_table_is_no_bet(house: House) -> None:
    group, anna, bea = await opened(house)
    post = house.post_at(group)
    for words in ("well played, Bea", "see you at 10", "nice", "we are all in luck"):
        await said_nothing_to(house, anna, group, words, reply_to=post)
    seen = len(house.server.shown)
    await anna.says(group, "tie 50", reply_to=post)
    await house.wait(6)
    assert "There is no bet called “tie” here." in house.server.shown[seen].text
    await bea.says(group, "ante 50 jackpot", reply_to=post)
    await house.wait(6)
    assert [bet.player for bet in house.table_at(group).round.bets] == [house.app.context.player_of(bea.id)]


async def test_whoever_asks_this_bot_for_what_there_is_not_is_answered(house: House) -> None:
    group, anna, _bea = await opened(house)
    await said_nothing_to(house, anna, group, "/roll")
    await said_nothing_to(house, anna, group, "/start setup")
    for line, answer in ((f"/roll@{house.server.bot.username}", "There is no command"), ("/start", "/tables")):
        seen = len(house.server.shown)
        await anna.says(group, line)
        await house.wait(6)
        assert answer in house.server.shown[seen].text


async def test_one_groups_anonymous_administrator_slows_no_other_groups(house: House) -> None:
    group, anna, _bea = await opened(house)
    gina = house.server.user("Gina")
    other = house.server.supergroup("Altro", admins=[gina], bot="administrator")
    for _line in range(25):
        await anna.says(group, "/tables", anonymous=True)
    await gina.says(other, "/tables", anonymous=True)
    await house.wait(5)
    assert [message for message in other.messages if message.sender is house.server.bot]


async def test_a_refusal_goes_after_a_while(house: House) -> None:
    group, anna, _bea = await opened(house)
    await anna.says(group, "/takeback")
    await house.wait(5)
    refusal = next(message for message in anna.sees(group) if message.receiver is anna)
    await anna.says(group, "/balance")
    await house.wait(150)
    left = [message for message in anna.sees(group) if message.receiver is anna]
    assert refusal not in left
    assert any("You have" in message.text for message in left), "an answer stays"


async def test_an_amount_that_answers_the_table_or_a_keyboard_is_typed_too(house: House) -> None:
    group, anna, bea = await opened(house)
    post = house.post_at(group)
    await said_nothing_to(house, anna, group, "50", reply_to=post, forwarded_from=bea)
    await anna.presses(post, "Other amount")
    await house.wait(3)
    keyboard = group.last_message
    for how in ({"forwarded_from": bea}, *NOT_TYPED):
        await said_nothing_to(house, anna, group, "60", reply_to=keyboard, **how)
    await anna.says(group, "70", reply_to=keyboard)
    await house.wait(3)
    assert [bet.spots for bet in house.table_at(group).round.bets] == [{"ante": 70_00}], "it was still asked for"
