"""Hold'em in a Telegram group: a hand of six people costs few edits, and each reads what concerns them."""

import re
from itertools import cycle

from tests.platforms.telegram.house import House, people, set_up
from tests.servers.telegram import Alert, Chat, User
from tests.some import some

NAMES = ("Anna", "Bea", "Carla", "Dora", "Elsa", "Fede")
CLOCK = re.compile(r"until (\d+):(\d+):(\d+) UTC")
# Seconds of thinking.
THINKS = (4, 2, 6, 3, 5)


async def sit(house: House, count: int = 6) -> tuple[Chat, list[User]]:
    """Deal a hand of Hold'em to so many people in a group."""
    players = people(house, *NAMES[:count])
    group = house.server.supergroup("Salotto", members=players[1:], admins=players[:1])
    await set_up(house, group, players[0], "holdem")
    for player in players:
        await player.presses(house.post_at(group), "Buy in: 100")
    await house.wait(12)
    assert len(house.table_at(group).round.hand.deal.stakes) == count
    return group, players


def turn_of(house: House, group: Chat, players: list[User]) -> User:
    """Return the player in turn."""
    table = house.table_at(group)
    users = {house.app.context.player_of(user.id): user for user in players}
    return users[table.owners()[next(iter(table.round.hand.asks))]]


async def press(house: House, group: Chat, player: User, *words: str) -> Alert:
    """Press the first of these buttons that the table shows, until it counts."""
    for _ in range(3):
        before = house.table_at(group).round.hand
        post = house.post_at(group)
        labels = [button.text for button in post.buttons if button.text != "Check/fold"]
        label = next(label for word in words for label in labels if label.startswith(word))
        alert = some(await player.presses(post, label))
        if house.table_at(group).round.hand is not before:
            return alert
        await house.wait(1)
    raise AssertionError(alert.text)


def left_s(house: House, group: Chat) -> float:
    """Return the seconds until the end of the clock that the table's message shows."""
    hour, minute, second = map(int, some(CLOCK.search(house.post_at(group).text)).groups())
    return 3600.0 * hour + 60 * minute + second - house.clock.now() % 86400


async def test_a_hand_of_six_costs_at_most_eight_edits_its_deal_included(house: House) -> None:
    group, players = await sit(house)
    hand, spent = house.table_at(group).round.hand_id, house.server.spent_in(group)
    log = []
    for thinks in cycle(THINKS):
        await house.wait(thinks)
        player = turn_of(house, group, players)
        is_first = not house.table_at(group).round.hand.moves
        alert = await press(house, group, player, *(["Raise to"] if is_first else []), "Check", "Call")
        log.append((str(player), alert.text))
        if house.table_at(group).round.hand_id != hand:
            break
    await house.wait(4)
    assert len(log) == 24
    assert house.server.spent_in(group) - spent <= 7
    said = [text for _name, text in log]
    assert said[0] == "You raised to 4. Waiting for Elsa."
    assert said[1] == "You called: 4. Waiting for Fede."
    assert said[6] == "You checked. Waiting for Carla."
    assert said[-1] == "You checked. The hand is over."


async def test_no_clock_in_the_message_is_past_while_people_think_for_long(house: House) -> None:
    group, players = await sit(house)
    hand = house.table_at(group).round.hand_id
    while house.table_at(group).round.hand_id == hand:
        for _second in range(9):
            await house.wait(1)
            assert left_s(house, group) >= -1
        await press(house, group, turn_of(house, group, players), "Check", "Call")


async def test_a_move_that_is_not_possible_now_shows_the_present_ones_at_once(house: House) -> None:
    """The big blind of a pot without a raise reads the price of the others, and cannot call."""
    group, players = await sit(house)
    for _caller in players[:-1]:
        await house.wait(4)
        await press(house, group, turn_of(house, group, players), "Call")
    player, post = turn_of(house, group, players), house.post_at(group)
    stale = next(one for one in post.buttons if one.text.startswith("Call"))
    alert = some(await player.presses(post, str(stale.data), stale=True))
    assert alert.text.startswith("It's your turn. This move is not possible now.\n")
    assert "You may: Check, Raise to 4" in alert.text
    await house.wait(2)
    assert "Check" in [one.text for one in house.post_at(group).buttons]


async def test_a_check_counts_at_once_on_its_street_and_is_asked_again_on_the_next(
    house: House,
) -> None:
    group, players = await sit(house, 3)
    for _ in players:
        await press(house, group, turn_of(house, group, players), "Check", "Call")
    await house.wait(4)
    post = house.post_at(group)
    check = next(str(one.data) for one in post.buttons if one.text == "Check")
    edits = post.edits
    for _ in players:
        player = turn_of(house, group, players)
        alert = some(await player.presses(post, check, stale=True))
        assert alert.text.startswith("You checked.")
    assert post.edits == edits, "all from one message"
    player = turn_of(house, group, players)
    alert = some(await player.presses(post, check, stale=True))
    assert alert.text.startswith("Check? Press again.")


async def test_a_button_of_an_older_turn_tells_its_price_now_and_counts_the_second_time(house: House) -> None:
    group, players = await sit(house, 3)
    post, first = house.post_at(group), turn_of(house, group, players)
    label = next(b.text for b in post.buttons if b.text.startswith("Raise to 4"))
    await first.presses(post, label)
    second = turn_of(house, group, players)
    stale = next(b for b in post.buttons if b.text.startswith("Call"))
    assert stale.text == "Call (2)"
    alert = some(await second.presses(post, stale.text))
    assert alert.text.startswith("Call (3)? Press again.")
    assert not [move for move in house.table_at(group).round.hand.moves if move.word == "call"]
    await house.wait(1)
    alert = some(await second.presses(post, str(stale.data), stale=True))
    assert alert.text.startswith("You called: 3. Waiting for ")
