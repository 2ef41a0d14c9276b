"""Two programs with one token: with different stores no bets are accepted, with the same store all goes on."""

from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.platforms.discord.house import House, opened

CONTESTED = "No bets for now: another program is using this bot's token."


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        yield house


@asynccontextmanager
async def another(house, folder, store=None):
    """Start a second process with the same token."""
    other = House(house.server, folder, store=store)
    await other.open()
    try:
        yield other
    finally:
        await other.close()


async def test_with_other_books_neither_takes_bets_and_says_why(house, tmp_path, monkeypatch):
    channel = house.server.guild("Venezia").text_channel("caribbean")
    await house.table_in(channel)
    anna = channel.guild.member("Anna")
    async with another(house, tmp_path / "other") as other:
        desks = house.client.context, other.client.context
        await anna.slash(channel, "balance")
        assert not any(context.is_contested for context in desks), "one press that another answered may be a chance"
        for _press in range(12):  # now one of them is late, now the other
            await anna.slash(channel, "balance")
            await house.server.quiet()
            if all(context.is_contested for context in desks):
                break
        assert all(context.is_contested for context in desks)
        await house.until(lambda: any(CONTESTED in one.text for one in channel.messages if "Caribbean" in one.text))
        assert (await anna.slash(channel, "bet", amount="50")).text.startswith(CONTESTED)
        assert house.chips(anna) == 1000_00
    monkeypatch.setattr("bot.platforms.discord.contest.LASTS_S", 0.1)
    house.client.context.contest._begin()
    await house.until(lambda: not house.client.context.is_contested)
    await house.server.quiet()
    assert "950" in (await anna.slash(channel, "bet", amount="50")).text


async def test_a_message_of_a_process_with_other_books_is_enough_and_one_with_ours_is_none(house, tmp_path):
    channel = house.server.guild("Venezia").text_channel("lobby")
    async with another(house, tmp_path / "other") as other:
        contest = other.client.context.contest
        await house.client.context.tend("note", "", f"mark:{contest._mark}", "1")
        where = other.client.get_partial_messageable(channel.id)
        await where.send("Good evening", nonce=contest.new_nonce())
        await house.server.quiet()
        assert not house.client.context.is_contested
        await where.send("Good evening", nonce="0123456789abcdef")
        await house.until(lambda: house.client.context.is_contested)
        assert not house.client.connectivity.reaches(""), "clocks stand"


async def test_the_nonce_that_a_client_gives_a_press_tells_of_no_other_program(house):
    channel = house.server.guild("Venezia").text_channel("caribbean")
    anna = channel.guild.member("Anna")
    shared = await anna.slash(channel, "rank")
    await house.server.quiet()
    assert not house.client.context.is_contested, shared.text
    message = house.server.post(answer_to(shared))
    assert message.payload()["nonce"]
    await anna.slash(channel, "balance")  # later messages have arrived
    await house.server.quiet()
    assert not house.client.context.is_contested


def answer_to(shown):
    """Send the same answer again, visible to everyone."""
    return replace(shown.message, id=shown.message.id + 1, reader=None, flags=0)
