"""A sit & go in a channel: from one press to the prizes, and back to the table that was there."""

import asyncio

from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.platforms.common import further_tables

HOLDEM = "Texas Hold'em for 2: buy-in 100"


async def play_on(house, channel, *members):
    """Let everyone go all-in until the tournament is over."""
    known = {house.house.identities["discord", str(member.id)]: member for member in members}
    for _ in range(200):
        table = house.table(channel)
        if table.tournament.has_ended:
            return
        if table.round.hand is None:
            await house.pass_time(8)
            await house.until(
                lambda: house.table(channel).round.hand is not None or house.table(channel).tournament.has_ended
            )
            continue
        ((seat, offers),) = table.round.hand.asks.items()
        words = [offer.word for offer in offers]
        raises = [word for word in ("raise", "bet") if word in words]
        verb, *args = [raises[0], "all"] if raises else ["call" if "call" in words else "check"]
        id = str(known[table.owners()[seat]].id)
        command = Command(
            f"move {house.server.new_id()}", Who("discord", id, id), Place("discord", str(channel.id)), verb
        )
        answer = await asyncio.wrap_future(house.writer.submit(command._replace(args=tuple(args), confirmed=True)))
        assert not answer.refused, answer
    raise AssertionError("the tournament has no end")


async def test_a_server_plays_a_tournament_and_goes_back_to_its_table(house):
    guild = house.server.guild("Venezia")
    channel, bea = guild.text_channel("holdem"), guild.member("Bea")
    await house.table_in(channel)
    before = house.table(channel)
    told = await bea.slash(channel, "tournament")
    told = await bea.presses(told, HOLDEM)
    assert "You are registered: 1 of 2." in told.text
    shown = await house.shown(channel, "Registration is open: 1 of 2 players.")
    told = await guild.owner.presses(shown, "Register: 100")
    assert "the tournament starts" in told.text
    assert house.table(channel).tournament.is_running
    await play_on(house, channel, bea, guild.owner)
    shown = await house.shown(channel, "The tournament is over. Winner:")
    assert "prize 200" in shown.text
    told = await bea.presses(shown, f"Back to table {before.number}")
    assert house.table(channel).id == before.id
    await house.shown(channel, "Place your bets")


async def test_a_tournament_is_cancelled_by_an_inspector_alone(house):
    guild = house.server.guild("Venezia")
    channel, bea = guild.text_channel("holdem"), guild.member("Bea")
    await bea.slash(channel, "tournament-create", game="holdem", players=2)
    number = house.table(channel).number
    await house.shown(channel, "Registration is open")
    told = await guild.owner.slash(channel, "tournament-cancel", number=str(number), reason="late")
    told = await guild.owner.presses(told, "Yes")
    assert "is cancelled" in told.text
    await house.shown(channel, "The tournament is cancelled.")
    assert house.chips(bea) == 1000_00


async def test_an_announced_tournament_starts_at_its_time(house):
    guild = house.server.guild("Venezia")
    channel, bea, carl = guild.text_channel("holdem"), guild.member("Bea"), guild.member("Carl")
    told = await guild.owner.slash(channel, "tournament-schedule", game="holdem", time="20:00", players=4, amount="50")
    assert "Registration is open." in told.text
    shown = await house.shown(channel, "0 of 4 players.")
    for member in (bea, carl):
        assert "You are registered" in (await member.presses(shown, "Register: 50")).text
    await house.shown(channel, "2 of 4 players.")
    live = house.table(channel).tournament
    await house.pass_time(live.starts_at - house.server.now_s() - 600)
    reminder = await house.shown(channel, " starts on ")
    assert len(reminder.pinged) == 2
    assert reminder.text.endswith(f" starts on <t:{live.starts_at:.0f}:f>."), "in each reader's local time"
    await house.pass_time(live.starts_at - house.server.now_s())
    await house.until(lambda: house.table(channel).tournament.is_running)
    await house.until(lambda: reminder.is_deleted)
    assert house.chips(bea) == 950_00


async def test_bets_against_the_bank_are_hidden_in_the_channel_until_betting_closes(house):
    guild = house.server.guild("Venezia")
    channel, bea = guild.text_channel("holdem"), guild.member("Bea")
    await bea.slash(channel, "tournament-create", game="caribbean", players=2)
    shown = await house.shown(channel, "Registration is open: 1 of 2 players.")
    await guild.owner.presses(shown, "Register: 100")
    shown = await house.shown(channel, "They stay hidden until betting closes.")
    told = await bea.presses(shown, "ante 100")
    assert "Your bet: ante 100. 9,900 tournament chips left." in told.text
    await guild.owner.presses(shown, "ante 100")
    assert house.table(channel).round.bets == ()
    for member in (bea, guild.owner):
        assert "Ready." in (await member.slash(channel, "ready")).text
    await house.pass_time(6)
    await house.until(lambda: house.table(channel).round.hand is not None)
    assert [bet.spots for bet in house.table(channel).round.bets] == [{"ante": 100_00}] * 2


async def test_a_second_table_gets_a_thread_whose_players_are_mentioned_there_once(house, monkeypatch):
    monkeypatch.setattr(further_tables, "CLOSES_AFTER_S", 0.0)
    guild = house.server.guild("Venezia")
    channel, members = guild.text_channel("uth"), [guild.member(f"Player {number}") for number in range(7)]
    await members[0].slash(channel, "tournament-create", game="uth", players=7)
    shown = await house.shown(channel, "1 of 7 players.")
    for member in members[1:]:
        await member.presses(shown, "Register: 100")
    first = house.table(channel)
    assert first.tournament.is_running
    await house.until(lambda: any(one.is_thread for one in guild.channels))
    (thread,) = (one for one in guild.channels if one.is_thread)
    assert thread.name == f"Tournament {first.number}, table {first.number + 1}"
    await house.shown(thread, "hand 1 of 20")
    second = house.table(thread)
    assert (second.part_of, len(first.seats), len(second.seats)) == (first.id, 4, 3)
    mention = await house.shown(thread, "you play at table")
    assert len(mention.pinged) == 3
    for user in mention.pinged:
        assert not mention.is_deleted
        await next(one for one in members if one.id == user.id).slash(thread, "balance")
    await house.until(lambda: mention.is_deleted)
    told = await guild.owner.slash(channel, "table close", reason="late")
    await guild.owner.presses(told, "Yes")
    await house.until(lambda: thread.is_archived)
