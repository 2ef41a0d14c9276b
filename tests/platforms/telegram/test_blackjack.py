"""Black jack in a busy Telegram group: each turn is in the table's message, and everyone reads their own cards."""

from pathlib import Path

import pytest

from bot.platforms.common.press import load_press
from engine.games.blackjack import count as count_points
from tests.platforms.telegram.house import House, make_busy, open_house, people, place_bets, set_up
from tests.servers.telegram import Alert, Chat, Message, User

# The chance that the dealer's first card is an ace in a hand of three.
AN_ACE = 2
NAMES = ("Anna", "Bea", "Carla", "Dora", "Elsa", "Fede", "Gina")


async def deal(house: House, count: int) -> tuple[Chat, list[User]]:
    players = people(house, *NAMES[:count])
    group = house.server.group("Salotto", members=players[1:], admins=players[:1])
    await set_up(house, group, players[0], "blackjack")
    await house.wait(60)
    await place_bets(house, group, players, "blackjack")
    await house.wait(21)
    return group, players


def turn_of(house: House, group: Chat, players: list[User]) -> User | None:
    """Return the player in turn, as published."""
    table = house.table_at(group)
    if table.round.hand is None:
        return None
    users = {house.app.context.player_of(user.id): user for user in players}
    return users[table.owners()[next(iter(table.round.hand.asks))]]


def messages_with(group: Chat, verb: str) -> list[Message]:
    return [
        message
        for message in group.messages
        if any((press := load_press(b.data or "")) and press.verb == verb for b in message.buttons)
    ]


async def press(house: House, group: Chat, user: User, verb: str) -> Alert | None:
    """Press on the newest message with such a button."""
    message = messages_with(group, verb)[-1]
    data = next(b.data for b in message.buttons if (p := load_press(b.data or "")) and p.verb == verb)
    return await user.presses(message, str(data))


def edits_of(house: House, group: Chat, since: float) -> list[str]:
    """Return the calls that posted or edited the table's message."""
    post = house.post_at(group).id
    calls = [call for call in house.server.calls_of(group) if call.spent and call.ok and call.time >= since]
    return [call.method for call in calls if call.parameters.get("message_id") == post]


async def insure_nobody(house: House, group: Chat, players: list[User]) -> None:
    while (user := turn_of(house, group, players)) and messages_with(group, "decline"):
        if "decline" not in {
            offer.word for offers in house.table_at(group).round.hand.asks.values() for offer in offers
        }:
            return
        await press(house, group, user, "decline")


@pytest.mark.parametrize("count", [1, 2, 3, 7])
async def test_each_turn_is_in_the_tables_message_in_a_busy_group(
    house: House, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All players hit to 17 or more, then stand; no second message has the buttons."""
    make_busy(monkeypatch)
    group, players = await deal(house, count)
    begun = house.clock.now() - 22
    await insure_nobody(house, group, players)
    turns, last = 0, None
    while (user := turn_of(house, group, players)) is not None:
        if user is not last:
            await house.wait(4)
            if turn_of(house, group, players) is not user:
                continue
            assert f"waiting for {user}" in house.post_at(group).text
            last, turns = user, turns + 1
        hand = house.table_at(group).round.hand
        total, _soft = count_points(hand.cards(None)[next(iter(hand.asks))])
        word = "stand" if total >= 17 else "hit"
        assert messages_with(group, word) == [house.post_at(group)]
        await press(house, group, user, word)
        after = house.table_at(group).round.hand
        if after is not None and after.moves == hand.moves:
            await house.wait(1)  # they were told the present state
            await press(house, group, user, word)
        await house.wait(1)
    await house.wait(5)
    assert house.table_at(group).last is not None
    edits = edits_of(house, group, begun)
    assert len(edits) <= max(6, turns + 4), edits
    assert "Anna" in house.post_at(group).text


async def test_who_draws_is_told_their_cards_by_the_answer(house: House) -> None:
    group, players = await deal(house, 3)
    await insure_nobody(house, group, players)
    await house.wait(4)
    user = turn_of(house, group, players)
    assert user is not None
    alert = await press(house, group, user, "hit")
    assert alert is not None
    assert not alert.show_alert
    assert "You hold" in alert.text


async def test_a_button_of_another_players_turn_tells_them_how_it_stands_and_moves_nothing(house: House) -> None:
    group, players = await deal(house, 2)
    await insure_nobody(house, group, players)
    await house.wait(4)
    first, post = turn_of(house, group, players), house.post_at(group)
    assert first is not None
    stand = next(str(b.data) for b in post.buttons if b.text == "Stand")
    await first.presses(post, stand)
    second = turn_of(house, group, players)
    assert second is not None
    assert second is not first
    alert = await second.presses(post, stand, stale=True)
    assert alert is not None
    assert alert.text.startswith("It's your turn. Press again.")
    assert "You hold" in alert.text
    assert turn_of(house, group, players) is second
    await house.wait(1)
    await second.presses(post, stand, stale=True)
    assert turn_of(house, group, players) is not second


async def test_BJ10_insurance_is_answered_by_all_from_one_message(tmp_path: Path) -> None:
    """One answer does not make another's button stale."""
    async with open_house(tmp_path, of={"chance": AN_ACE}) as house:
        group, players = await deal(house, 3)
        assert house.table_at(group).round.hand.asks.keys() == {"1", "2", "3"}
        post = house.post_at(group)
        refuse = next(str(b.data) for b in post.buttons if (p := load_press(b.data or "")) and p.verb == "decline")
        for number, user in enumerate(players, start=1):
            await user.presses(post, refuse)
            assert len(house.table_at(group).round.hand.moves) == number
