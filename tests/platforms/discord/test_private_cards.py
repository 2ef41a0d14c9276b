"""Private answers that become the cards by themselves, however slow Discord is: slow calls hide no change."""

import asyncio

import pytest

from tests.platforms.discord.house import CALLBACK, ORIGINAL, opened

SLOW_S = 0.15
HANDS = 8


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        house.channel = guild.text_channel("table")
        house.anna, house.bruno = guild.member("Anna"), guild.member("Bruno")
        yield house
        house.server.assert_clean()


def labels(answer):
    return [str(button["label"]) for button in answer.message.buttons]


def label(message, words):
    """Return the label of the first button that contains these words."""
    return next(str(one["label"]) for one in message.buttons if words in str(one["label"]))


async def bet(house, member, words):
    table = house.channel.last
    answer = await member.presses(table, label(table, words))
    assert answer.is_ephemeral
    return answer


async def all_ready(house, *people):
    """Press Ready in each private answer, in this order: the last press deals."""
    await house.pass_time(6)
    for member, answer in people:
        await house.until(lambda answer=answer: "Ready" in labels(answer))
        await member.presses(answer, "Ready")
    await house.until(
        lambda: house.table(house.channel).round.hand is not None or house.table(house.channel).round.turning
    )


async def test_who_presses_ready_last_is_shown_their_cards(house):
    await house.table_in(house.channel)
    house.server.way_s = lambda number: SLOW_S
    for hand in range(HANDS):
        answer = await bet(house, house.anna, "ante 10")
        await all_ready(house, (house.anna, answer))
        await house.until(lambda answer=answer: "Fold" in labels(answer), f"hand {hand}: {answer.text}")
        await house.anna.presses(answer, "Fold")
        await house.until(lambda: house.table(house.channel).round.hand is None)
        await house.until(lambda: "Place your bets" in house.channel.last.text)


async def test_a_deal_of_the_day_is_a_private_answer_that_each_press_edits(house):
    deal = await house.anna.slash(house.channel, "deal", game="caribbean")
    assert deal.is_ephemeral
    await house.anna.presses(deal, label(deal.message, "Bet 50"))
    await house.until(lambda: "Hand 1 of 10. Chips: 950." in deal.text)
    await house.anna.presses(deal, "Fold")
    await house.until(lambda: "Hand 2 of 10. Chips: 950." in deal.text)
    assert all("Hand 2" not in message.text for message in house.channel.messages)


async def test_of_two_players_both_are_shown_their_cards(house):
    await house.table_in(house.channel)
    house.server.way_s = lambda number: SLOW_S
    answers = [(member, await bet(house, member, "ante 10")) for member in (house.anna, house.bruno)]
    await all_ready(house, *answers)
    for _member, answer in answers:
        await house.until(lambda answer=answer: "Fold" in labels(answer), answer.text)


async def hands_of_two(house, hands):
    """Let Anna and Bruno ask to reveal their hand and be ready, Anna last."""
    for hand in range(hands):
        answers = {}
        for member, spot in ((house.bruno, "banco"), (house.anna, "punto")):
            answers[member] = await member.slash(house.channel, "bet", amount="10", spot=spot)
            if any("I'll reveal" in one for one in labels(answers[member])):
                await member.presses(answers[member], "I'll reveal")
        await all_ready(house, *answers.items())
        yield hand, answers
        await house.until(lambda: "Place your bets" in house.channel.last.text)


async def test_who_is_to_turn_the_cards_is_shown_that_they_are_there(house):
    """The last player to be ready reveals first."""
    await house.table_in(house.channel, "puntobanco")
    house.server.way_s = lambda number: SLOW_S
    async for hand, answers in hands_of_two(house, 3):
        while house.table(house.channel).round.hand is not None:
            (player,), before = house.table(house.channel).turners, house.table(house.channel).round.turning
            member = house.anna if house.house.players[player].own_name == "Anna" else house.bruno
            answer = answers[member]
            why = f"hand {hand}: {answer.text}"
            await house.until(lambda answer=answer: any(one.startswith("Reveal ") for one in labels(answer)), why)
            await member.presses(answer, label(answer.message, "Reveal "))
            await house.until(lambda before=before: house.table(house.channel).round.turning != before)


async def test_a_button_of_before_the_deal_turns_no_cards(house):
    await house.table_in(house.channel, "puntobanco")
    answer = await house.anna.slash(house.channel, "bet", amount="10", spot="punto")
    await house.anna.presses(answer, "I'll reveal")
    await all_ready(house, (house.anna, answer))
    told = await house.anna.presses(answer, "Dealer reveals", stale=True)
    assert "The cards are dealt. Reveal punto now." in told.text
    assert house.table(house.channel).round.turning
    await house.until(lambda: "Reveal punto" in labels(answer))


async def test_an_edit_on_its_way_never_comes_after_a_newer_answer(house):
    """The answer to a press edits the message that an earlier answer's token is just editing."""
    await house.table_in(house.channel)
    answers = {member: await bet(house, member, "ante 10") for member in (house.anna, house.bruno)}
    mine = answers[house.anna]
    await house.anna.presses(mine, "Ready")
    await house.pass_time(6)
    await house.server.quiet()
    edit = house.server.slow(ORIGINAL, 0.5, times=1)
    await house.bruno.presses(answers[house.bruno], "Ready")
    await house.until(lambda: edit.struck)
    await house.anna.presses(mine, "Ready", stale=True)
    await house.server.quiet()
    assert "No more bets" in mine.text
    assert "Fold" in labels(mine)


async def test_two_presses_side_by_side_leave_the_state_after_both(house):
    """The first answer takes longer, and still arrives before the second."""
    await house.table_in(house.channel)
    answer = await bet(house, house.anna, "ante 10")
    house.server.slow(CALLBACK, 0.3, times=1)
    chip = label(answer.message, "ante 10")
    await asyncio.gather(*(house.anna.presses(answer, chip) for _press in range(2)))
    await house.server.quiet()
    assert "970 left" in answer.text
