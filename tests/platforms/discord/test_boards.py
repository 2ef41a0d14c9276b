"""The jackpot channel: one message that follows the meter, seldom edited and never lost."""

import pytest

from tests.platforms.discord.house import EDIT, POST, opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch, pace=1.0) as house:
        yield house
        house.server.assert_clean()


async def set_up(house):
    """Set up from a lobby; return the channels of Caribbean Stud and of the jackpot."""
    guild = house.server.guild("Venezia")
    await guild.owner.slash(guild.text_channel("lobby"), "setup")
    board = guild.channel("jackpot")
    await house.until(lambda: board.messages)
    return guild, guild.channel("caribbean-stud"), board


async def play(house, channel, *members):
    """Play a hand with coins, and fold."""
    for member in members:
        answer = await member.slash(channel, "bet", amount="10 jackpot")
        assert "jackpot" in answer.text, answer.text
    await house.pass_time(house.left(channel))
    await house.until(lambda: house.table(channel).round.hand is not None)
    for member in members:
        await member.slash(channel, "fold")
    await house.until(lambda: house.table(channel).round.hand is None)


def calls(house, channel):
    return [call.route for call in house.server.calls if call.channel_id == channel.id and call.method != "GET"]


@pytest.mark.slow
async def test_the_meter_is_shown_as_it_moves_once_a_minute_at_most(house):
    guild, channel, board = await set_up(house)
    assert "Jackpot 10,000" in board.last.text
    assert board.last.labels == ["The jackpot now"]
    anna = guild.member("Anna")
    before = board.last.text
    for _hand in range(2):
        await play(house, channel, anna)
    await house.server.quiet()
    assert calls(house, board) == [POST]  # the minute is not over
    await house.pass_time(61)
    house.client.boards.handle_change(house.table(channel).id)
    await house.until(lambda: board.last.text != before)
    assert calls(house, board) == [POST, EDIT]
    assert len(board.messages) == 1


@pytest.mark.slow
async def test_a_table_without_coins_moves_nothing(house):
    guild, channel, board = await set_up(house)
    await house.pass_time(61)
    anna = guild.member("Anna")
    await anna.slash(channel, "bet", amount="10")
    await house.server.quiet()
    assert calls(house, board) == [POST]


@pytest.mark.slow
async def test_what_an_inspector_sets_is_shown_too(house):
    guild, channel, board = await set_up(house)
    await house.pass_time(61)
    question = await guild.owner.slash(channel, "meter reset", amount="12345", reason="season")
    if "Yes" in question.message.labels:
        await guild.owner.presses(question, "Yes")
    await house.until(lambda: "12,345" in board.last.text)


@pytest.mark.slow
async def test_it_outlives_a_restart(house):
    guild, channel, board = await set_up(house)
    before = board.last.text
    await play(house, channel, guild.member("Anna"))
    await house.restart()
    await house.until(lambda: board.last.text != before)
    assert calls(house, board) == [POST, EDIT]


@pytest.mark.slow
async def test_deleted_it_is_posted_again_but_not_in_a_quarrel(house):
    _guild, channel, board = await set_up(house)
    await house.pass_time(61)
    board.last.delete()
    await house.until(lambda: board.messages)
    board.last.delete()
    await house.server.quiet()
    assert calls(house, board) == [POST, POST]
    await house.pass_time(61)
    house.client.boards.handle_change(house.table(channel).id)
    await house.until(lambda: board.messages)


@pytest.mark.slow
async def test_without_its_channel_it_is_forgotten_until_setup(house):
    guild, channel, board = await set_up(house)
    board.delete()
    await play(house, channel, guild.member("Anna"))
    await house.pass_time(61)
    house.client.boards.handle_change(house.table(channel).id)
    await house.until(lambda: not house.client.boards.has_board(guild.id))
    await guild.owner.slash(guild.channel("lobby"), "setup")
    await house.shown(guild.channel("jackpot"), "Jackpot")
