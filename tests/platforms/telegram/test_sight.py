"""Telegram under load: presses are visible soon, and typed commands delay no table."""

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from bot.core.commands.stages import STAGES
from bot.core.state.plays import Seating
from bot.platforms.common.press import load_press
from bot.platforms.telegram.whispered_hands import FILE
from tests.platforms.telegram.house import (
    CARD,
    House,
    ask_for_direct_cards,
    asks,
    button,
    choose,
    deal,
    make_busy,
    open_house,
    people,
    place_bets,
    set_up,
)
from tests.servers.telegram import Alert, Chat, User
from tests.servers.telegram.world import Shown


def shown_after(house: House, group: Chat, since: float, words: str) -> float:
    """Return the seconds until the table's message contained these words."""
    post = house.post_at(group)
    shown = (one for one in house.server.shown if one.message is post and one.time >= since)
    return next(one.time - since for one in shown if words in one.text)


def crowd(house: House, count: int) -> list[User]:
    return [house.server.user(f"Member {number}") for number in range(count)]


@pytest.mark.parametrize("bot", ["member", "administrator"])
async def test_a_bet_is_shown_within_six_seconds_in_a_flood_of_typed_commands(house: House, bot: str) -> None:
    anna, *typing = crowd(house, 61)
    group = house.server.supergroup("Salotto", members=typing, admins=[anna], bot=bot)
    await set_up(house, group, anna)
    await house.wait(30)
    for number, member in enumerate(typing):
        await member.says(group, "/bet 7")
        if number == 40:
            pressed = house.clock.now()
            await place_bets(house, group, [anna], "caribbean")
        await house.wait(0.17)
    await house.wait(10)
    assert shown_after(house, group, pressed, str(anna)) <= 6
    await house.wait(60)
    open_there = [one for one in group.messages if one.buttons and not one.deleted]
    assert len(open_there) <= 1 + 3, [one.text for one in open_there]
    calls = [call.time for call in house.server.calls_of(group) if call.spent]
    assert all(later - earlier > 60 for earlier, later in zip(calls, calls[20:], strict=False))


async def test_each_reads_their_own_in_one_message_for_all_who_wait(house: House) -> None:
    anna, bea, carla, dora = people(house, "Anna", "Bea", "Carla", "Dora")
    group = house.server.group("Salotto", members=[bea, carla, dora], admins=[anna])
    await set_up(house, group, anna)
    await house.wait(10)
    await dora.says(group, "/balance")
    await house.settled()  # everything said within a second of it waits for the next message
    for line in ("/bet 7", "/balance"):
        await bea.says(group, line)
    await carla.says(group, "/bet 3000")
    await anna.says(group, "/table close enough")
    await house.wait(10)
    told = [one for one in group.messages if any(b.text == "Read" for b in one.buttons) and not one.deleted]
    last = told[-1]
    alert = await carla.presses(last, "Read")
    assert alert is not None
    assert "3,000" in alert.text or "1,000" in alert.text
    other = await dora.presses(last, "Read")
    assert other is not None
    assert "not for you" in other.text
    await dora.presses(told[0], "Read")
    first = [await bea.presses(last, "Read")]
    assert any("multiple" in alert.text or "10" in alert.text for alert in first if alert), first
    assert "Yes" not in [one.text for one in last.buttons]
    await anna.presses(last, "Read")
    await house.wait(5)
    await anna.presses(last, "Yes")
    await house.wait(2)
    assert house.table_at(group).status == "closed"
    assert all(one.deleted for one in told), "nobody waits for them any more"


async def test_turns_do_not_crawl_in_a_private_chat(house: House) -> None:
    """A private chat takes one edit a second: at that rate each press sees the present state."""
    (anna,) = people(house, "Anna")
    await anna.says(anna.private, "/start")
    await house.wait(3)
    await anna.says(anna.private, "/setup blackjack")
    await house.wait(5)
    refused, pressed = [], 0
    for _ in range(40):
        post = house.post_at(anna.private)
        labels = [one.text for one in post.buttons]
        wanted = next((one for one in labels if one.startswith(("Hit", "Box 1", "Decline", "Stand"))), None)
        if wanted is not None:
            alert = await anna.presses(post, button(post, wanted))
            pressed += 1
            refused += [alert.text] if isinstance(alert, Alert) and alert.show_alert else []
        await house.wait(1.1)
    assert pressed > 10
    assert not refused


async def test_a_table_that_is_too_old_to_be_deleted_becomes_a_line_that_leads_to_the_new_one(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    old = await set_up(house, group, anna)
    await house.wait(49 * 3600)
    await anna.says(group, "/setup")
    await house.wait(10)
    new = house.post_at(group)
    assert new is not old
    assert not old.deleted
    assert old.buttons == []
    assert old.text == f"Caribbean Stud · table 1 · further down: https://t.me/c/{str(group.id)[4:]}/{new.id}"
    assert [one for one in group.messages if one.buttons and "only for you" not in one.text] == [new]


async def test_what_stands_below_is_counted_by_the_numbers_of_messages_where_the_bot_hears_little(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    old = await set_up(house, group, anna)
    await house.wait(601)
    for talk in (20, 10):
        for _line in range(talk):
            await bea.says(group, "ciao")
        await bea.says(group, "/bet 10")
        await house.wait(22)
        assert (house.post_at(group) is old) == (talk == 20)
        await bea.says(group, "/fold")
        await house.wait(5)
    assert old.deleted


@pytest.mark.parametrize("is_busy", [False, True])
async def test_an_ephemeral_hand_is_of_this_street_or_not_there(
    house: House, is_busy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, anna, bea = await deal(house, "uth")
    await house.wait(10)
    await bea.presses(group, "My cards")
    await house.wait(8)
    [hers] = [one for one in bea.sees(group) if one.receiver is bea]
    assert "Play 4" in str(hers.buttons)
    if is_busy:
        make_busy(monkeypatch)
    for player in (anna, bea):
        await player.presses(house.post_at(group), "Check")
    await house.wait(7)
    there = [one for one in bea.sees(group) if one.receiver is bea]
    assert there == ([] if is_busy else [hers])
    if not is_busy:
        assert "Play 4" not in str(hers.buttons)
        assert "Play 2" in str(hers.buttons)
        alert = await bea.presses(hers, button(hers, "Check"))
        assert alert is not None
        assert "before" not in alert.text


@pytest.mark.parametrize("move", ["Check", "Play 4"])
async def test_what_happens_while_an_ephemeral_hand_is_on_its_way_is_shown_in_it(house: House, move: str) -> None:
    """The next street, or the end of the hand, comes before Telegram has returned the message's id."""
    group, anna, bea = await deal(house, "uth")
    await house.wait(10)
    slow = house.server.slow("sendMessage", 4.0, chat=group)
    await bea.presses(group, "My cards")
    await house.wait(1)
    assert slow.times == 0
    post = house.post_at(group)
    for player in (anna, bea):
        await player.presses(post, button(post, move))
    await house.wait(14)
    there = [one for one in bea.sees(group) if one.receiver is bea]
    assert [str(one.buttons) for one in there if "Play 4" in str(one.buttons)] == []
    assert len(there) == (1 if move == "Check" else 0)


async def test_the_end_of_a_hand_whose_direct_message_was_on_its_way_is_told_in_it(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await ask_for_direct_cards(house, bea)
    await place_bets(house, group, [anna, bea], "caribbean")
    await house.wait(15)
    slow = house.server.slow("sendMessage", 5.0, chat=bea.private)
    await house.wait(6)
    assert slow.times == 0
    post = house.post_at(group)
    for player in (anna, bea):
        await player.presses(post, button(post, "Fold"))
    await house.wait(10)
    assert house.table_at(group).round.hand is None
    assert not bea.private.last_message.buttons
    assert "fold" in bea.private.last_message.text.lower()


@pytest.mark.parametrize("is_over", [False, True])
async def test_an_ephemeral_hand_of_a_house_that_ended_follows_the_game_or_goes(tmp_path: Path, is_over: bool) -> None:
    async with open_house(tmp_path) as house:
        group, anna, bea = await deal(house, "uth")
        await house.wait(10)
        await bea.presses(group, "My cards")
        await house.wait(8)
        [hers] = [one for one in bea.sees(group) if one.receiver is bea]
        await house.close()
        kept = tmp_path / FILE
        assert kept.stat().st_mode & 0o777 == 0o600
        assert not CARD.search(kept.read_text())
        await house.reopen()
        for player in (anna, bea):
            post = house.post_at(group)
            await player.presses(post, button(post, "Play 4" if is_over else "Check"))
        await house.wait(7)
        there = [one for one in bea.sees(group) if one.receiver is bea]
        assert "Play 2" in str([one.buttons for one in there]) if not is_over else not there
        assert hers not in there or "Play 4" not in str(hers.buttons)
        await house.close()
        await house.reopen()
        await house.wait(2)
        assert [one for one in bea.sees(group) if one.receiver is bea] == there, "what has gone is not looked for again"


@pytest.mark.parametrize("game", STAGES)
async def test_who_never_answers_is_mentioned_once_a_hand(house: House, game: str) -> None:
    anna, bea, carla = players = people(house, "Anna", "Bea", "Carla")
    group = house.server.supergroup("Salotto", members=[bea, carla], admins=[anna])
    await set_up(house, group, anna, game)
    await anna.says(group, "/table set pace slow")
    await house.wait(30)
    for which, player in enumerate(players):
        await press_a_bet(house, group, player, which if house.table_at(group).plays.seating is Seating.BOXES else 0)
    since, hand = len(house.server.shown), house.table_at(group).round.hand_id
    await house.wait(31)  # bets are taken for twenty seconds, stacks for ten
    is_asked = house.table_at(group).round.hand is not None
    while house.table_at(group).round.hand is not None and house.table_at(group).round.hand_id == hand:
        await house.wait(20)
    assert house.table_at(group).last is not None
    said = [one.message for one in house.server.shown[since:] if one.kind == "message" and one.message is not None]
    mentioned = Counter(user.first_name for message in said for user in message.mentions)
    assert bool(mentioned) is is_asked
    assert set(mentioned.values()) <= {1}, mentioned


BANK_GAMES = [game for game, stages in STAGES.items() if not stages.is_long]


# If people's commands use up the group's minute, a hand of one decision has two or three calls for later bets; one of
# three streets, or with two passed turns, has one.
LATE_BETS_S = {"uth": 10.0, "blackjack": 10.0}


@pytest.mark.slow
@pytest.mark.parametrize("game", BANK_GAMES)
async def test_later_bets_are_shown_within_six_seconds_in_a_group_where_people_type(house: House, game: str) -> None:
    """A hand still costs six calls, and the group's minute is full."""
    anna, bea, carla, dora, emma, *typing = players = crowd(house, 9)
    group = house.server.supergroup("Salotto", members=players[1:], admins=[anna])
    await set_up(house, group, anna, game)
    await types_on(house, group, typing, 60)
    since, hand = len(house.server.shown), house.table_at(group).round.hand_id
    late = [anna, bea, carla] if house.table_at(group).plays.takes_turns else [anna, bea, carla, dora, emma]
    await bets_one_by_one(house, group, typing, late, LATE_BETS_S.get(game, 6.0))
    while house.table_at(group).round.hand_id == hand:
        await types_on(house, group, typing, 9)
        await play_one(house, group, players)
    await house.wait(4)
    assert calls_of_table(house, group, since) <= 6
    calls = [call.time for call in house.server.calls_of(group) if call.spent]
    used = [sum(at < one <= at + 60 for one in calls) for at in calls]
    assert 14 <= max(used) <= 20, "busy, and within what Telegram takes"


async def types_on(house: House, group: Chat, typing: list[User], seconds: float) -> None:
    """Let people type commands in turn, each with a private answer."""
    for number in range(int(seconds / 1.5)):
        await typing[number % len(typing)].says(group, "/balance")
        await house.wait(1.5)


async def bets_one_by_one(
    house: House, group: Chat, typing: list[User], players: list[User], most_s: float, *, every_s: float = 1.5
) -> None:
    """Bet one by one, every three and a half seconds, while others type; each bet is soon visible, the last with the
    deal.
    """
    pressed: dict[User, float] = {}
    for second in range(42):
        if second % 7 == 0 and players[len(pressed) :]:
            player = players[len(pressed)]
            pressed[player] = house.clock.now()
            await press_a_bet(
                house, group, player, len(pressed) - 1 if house.table_at(group).plays.seating is Seating.BOXES else 0
            )
        if (second / 2) % every_s == 0:
            await typing[second % len(typing)].says(group, "/balance")
        await house.wait(0.5)
    await house.wait(2)
    late = {str(player): shown_after(house, group, at, str(player)) for player, at in pressed.items()}
    assert max(late.values()) <= most_s, late


def calls_of_table(house: House, group: Chat, since: int) -> int:
    """Return versions of the table's message, and mentions."""
    seen = [one for one in house.server.shown[since:] if one.chat is group and one.to is None and one.message]
    return sum(is_table(one) or (one.kind == "message" and bool(one.message and one.message.mentions)) for one in seen)


def is_table(shown: Shown) -> bool:
    """Return whether the message is a table; an answer to a typed command has none of these buttons."""
    presses = (load_press(button.data or "") for button in shown.buttons)
    return any(press is not None and press.verb in ("bet", "cards") for press in presses)


async def press_a_bet(house: House, group: Chat, player: User, which: int) -> None:
    post = house.post_at(group)
    verbs = ("bet", "buyin")
    bets = [one for one in post.buttons if (press := load_press(one.data or "")) and press.verb in verbs]
    await player.presses(post, str(bets[which % len(bets)].data))


async def play_one(house: House, group: Chat, players: list[User]) -> None:
    """Let the first player to move make their preferred choice."""
    table, users = house.table_at(group), {house.app.context.player_of(one.id): one for one in players}
    if table.round.hand is None:
        return
    owners = table.owners()
    if asked := [owners[key] for key in table.round.hand.asks] or list(table.round.turning.values()):
        with suppress(StopIteration):  # the table does not show this player's turn yet
            await choose(house, group, users[asked[0]])


async def test_an_anonymous_administrator_reads_and_confirms(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna], bot="administrator")
    await set_up(house, group, anna)
    await anna.says(group, "/table close enough", anonymous=True)
    await house.wait(6)
    told = group.messages[-1]
    other = await bea.presses(told, "Read")
    assert other is not None
    assert "not for you" in other.text
    read = await anna.presses(told, "Read")
    assert read is not None
    assert "after this hand" in read.text
    await house.wait(5)
    await anna.presses(told, "Yes")
    await house.wait(2)
    assert house.table_at(group).status == "closed"
    answer = await asks(house, bea, group, "/balance")
    assert answer.receiver is bea, "others are whispered to as before"


@pytest.mark.parametrize("code", [429, 502])
async def test_one_failed_probe_does_not_switch_ephemeral_messages_off(house: House, code: int) -> None:
    anna, bea = people(house, "Anna", "Bea")
    groups = [house.server.supergroup(f"Sala {n}", members=[bea], admins=[anna], bot="administrator") for n in "12"]
    for group in groups:
        await set_up(house, group, anna)
    house.server.fail("deleteEphemeralMessage", code, "Bad luck", retry_after=5)
    first = await asks(house, bea, groups[0], "/balance")
    assert any(one.text == "Read" for one in first.buttons)
    await house.wait(10)
    for group in (groups[1], groups[0]):
        assert (await asks(house, bea, group, "/balance")).receiver is bea
        await house.wait(10)
