"""A first hand on Discord: a private answer with the picture of the table, which each press takes further."""

import pytest

from bot.view.pictures import Renderer
from tests.platforms.discord.house import opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    renderer = Renderer(late_s=20.0)
    monkeypatch.setattr("bot.platforms.discord.panels.SOON_S", 20.0)
    async with opened(tmp_path / "data", monkeypatch, paint=renderer.render) as house:
        yield house
        house.server.assert_clean()
    renderer.close()


async def test_it_goes_on_in_one_private_answer_that_nobody_else_sees(house):
    guild = house.server.guild("Venezia")
    channel, anna, bea = guild.text_channel("salotto"), guild.member("Anna"), guild.member("Bea")
    table = await house.table_in(channel, "caribbean")
    begins = await anna.presses(table, "First hand")
    assert "Caribbean Stud: a first hand" in begins.text
    assert list(begins.message.files) == ["table.png"]
    message = begins.message
    asks = await anna.presses(message, "ante 10")
    assert asks.message is message
    assert "Best: Raise (20)." in message.text
    await anna.presses(message, "★ Raise (20)")
    assert "bet pays 1 to 1 +" in message.text
    await anna.presses(message, "Next game: Ultimate Texas Hold’em")
    assert "Ultimate Texas Hold’em: a first hand" in message.text
    assert not any("Best:" in str(sight.text) for sight in house.server.everything_sent_to(bea))
    assert house.chips(anna) == 100_000


async def test_every_game_can_be_asked_for_by_its_name_where_no_table_is(house):
    guild = house.server.guild("Venezia")
    channel, anna = guild.text_channel("altrove"), guild.member("Anna")
    for game in ("uth", "paiju", "blackjack", "stud", "puntobanco"):
        answer = await anna.slash(channel, "learn", game=game)
        assert ": a first hand" in answer.text
        assert answer.message.files
