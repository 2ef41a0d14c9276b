"""Answers in places without a table: links to those of the server."""

from tests.platforms.discord.house import opened


async def test_in_a_channel_without_a_table_a_bet_leads_to_those_of_the_server(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        channel, other, bea = guild.text_channel("caribbean"), guild.text_channel("altrove"), guild.member("Bea")
        told = await guild.owner.slash(other, "bet", amount="50")
        assert "An inspector opens one with" in told.text
        assert "Paiju" in [one["label"] for one in told.message.buttons], "who may open one has a button for it"
        await house.table_in(channel)
        await house.table_in(guild.text_channel("paiju"), "paiju")
        told = await bea.slash(other, "bet", amount="50")
        assert told.is_ephemeral
        assert "Open tables: 1: Caribbean Stud, 2: Paiju." in told.text
        way = f"https://discord.com/channels/{guild.id}/{channel.id}"
        assert next(one["url"] for one in told.message.buttons) == way
        await bea.slash(channel, "bet", amount="50")
        told = await bea.slash(other, "ready")
        assert "You play at 1: Caribbean Stud." in told.text
        assert [(one["label"], one["url"]) for one in told.message.buttons] == [("1: Caribbean Stud", way)]
        house.server.assert_clean()
