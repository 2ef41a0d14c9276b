"""No scrolling: while each game is played by presses, almost nothing is posted below the table's message."""

import pytest

from bot.core.commands.stages import STAGES
from bot.platforms.common.press import Press, load_press
from bot.texts import LANGUAGES
from tests.platforms.telegram.house import LIKED, House, people, set_up
from tests.servers.telegram import Chat, User

# A mention of a player to move, besides the messages of the setup.
MOST_BELOW = 1
HANDS = 2
IN_EVERY_LANGUAGE = [
    pytest.param(game, language, marks=() if language == "en" else pytest.mark.slow)
    for game in STAGES
    for language in LANGUAGES
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "language"), IN_EVERY_LANGUAGE)
async def test_two_hands_are_played_and_nobody_scrolls(house: House, game: str, language: str) -> None:
    anna, bea, carla = players = people(house, "Anna", "Bea", "Carla")
    group = house.server.supergroup("Salotto", members=[bea, carla], admins=[anna])
    await set_up(house, group, anna, game)
    if language != "en":
        await anna.says(group, f"/table set language {language} for the group")
        await house.wait(20)
    await house.wait(60)
    first = house.post_at(group)
    below = [messages_below(house, group)]
    ended = 0
    for _look in range(300):
        before = house.table_at(group).round.hand_id
        await act(house, group, players)
        await house.wait(2)
        below.append(messages_below(house, group))
        ended += house.table_at(group).round.hand_id != before
        if ended == HANDS:
            break
    assert ended == HANDS
    assert max(below) - below[0] <= MOST_BELOW, below
    assert house.post_at(group) is first, "one message, from the first bet to the last payment"


def messages_below(house: House, group: Chat) -> int:
    numbers = [message.id for message in group.messages if not message.deleted]
    return sum(number > house.post_at(group).id for number in numbers)


def presses_on(house: House, group: Chat) -> dict[str, Press]:
    found = ((str(button.data), load_press(button.data or "")) for button in house.post_at(group).buttons)
    return {data: press for data, press in found if press is not None}


async def act(house: House, group: Chat, players: list[User]) -> None:
    """Bet or buy in if there is no hand, else let each player in turn choose; all by buttons of the table."""
    table, there = house.table_at(group), presses_on(house, group)
    users = {house.app.context.player_of(one.id): one for one in players}
    if table.round.hand is None:
        idle = [one for one in players if house.app.context.player_of(one.id) not in table.players()]
        first = next(
            (data for data, press in there.items() if press.verb in ("bet", "buyin") and press.kind != "ask"), ""
        )
        if idle and first:
            await idle[0].presses(house.post_at(group), boxed(there, first, len(idle)))
        return
    owners = table.owners()
    asked = [owners[key] for key in table.round.hand.asks] or list(table.round.turning.values())
    moves = {press.verb: data for data, press in there.items() if press.verb in LIKED}
    verb = next((verb for verb in LIKED if verb in moves), None)
    if asked and verb is not None:
        await users[asked[0]].presses(house.post_at(group), moves[verb])


def boxed(there: dict[str, Press], first: str, number: int) -> str:
    """Return the data of a bet on a box of the player's own, in games with boxes."""
    bets = [data for data, press in there.items() if press.verb == "bet" and press.kind == there[first].kind]
    return bets[number % len(bets)] if bets and there[first].kind == "bet" else first
