"""Failures of Discord: nothing is lost or told twice, clocks pause where no one can press, and others play on."""

import asyncio
import time

import pytest

from bot.core.counters import PLATFORMS
from tests.core.conftest import CARIBBEAN
from tests.patience import PATIENCE_S
from tests.platforms.discord.house import CALLBACK, EDIT, ORIGINAL, POST, opened, platform_open


@pytest.fixture
def venezia(house):
    return house.server.guild("Venezia")


async def room(house, guild, name="caribbean", game="caribbean"):
    channel = guild.text_channel(name)
    await house.table_in(channel, game)
    return channel


def calls(house, route, channel=None, since=0):
    found = [call for call in house.server.calls[since:] if call.route == route]
    return [call for call in found if channel is None or call.channel_id == channel.id]


# Time for an answer, after which a person is told that the bot did not respond.
DISCORDS_S = 3.0


@pytest.mark.slow
@pytest.mark.parametrize("how", [503, 500, "cut"])
async def test_while_the_api_is_down_its_clocks_stand_and_the_lounge_plays_on(house, venezia, how):
    """The library retries a 500 for half a minute, which is too long."""
    channel = await room(house, venezia)
    anna = venezia.member("Anna")
    await house.deal(channel, anna)
    await house.pass_time(10)
    before = house.left(channel)
    house.soon_doubts()
    house.server.answer_within_s = DISCORDS_S
    if how == "cut":
        house.server.cut("*", times=None)
    else:
        house.server.fail("*", how, times=None)
    telling = asyncio.ensure_future(anna.slash(channel, "cards"))
    await house.until(lambda: house.is_away())
    await house.pass_time(600)
    assert house.table(channel).round.hand.asks
    assert not (await house.lounge("beppe bet 50")).refused
    for clock in (20, 30, 30):  # bets, a choice, the time bank
        await house.pass_time(clock)
    assert house.house.table(CARIBBEAN).last is not None
    house.server.heal()
    await house.until(lambda: not house.is_away())
    assert before - 10 <= house.left(channel) <= before
    await telling
    house.server.unanswered.clear()
    house.server.answer_within_s = PATIENCE_S
    answer = await anna.presses(await house.shown(channel, "waiting for"), "My cards")
    assert "You hold" in answer.text


@pytest.mark.slow
async def test_when_it_is_back_the_newest_state_is_shown_once_and_nothing_is_said_again(house, venezia):
    channel = await room(house, venezia)
    anna, bruno = venezia.member("Anna"), venezia.member("Bruno")
    await anna.slash(channel, "bet", amount="50")
    await house.shown(channel, "Anna")
    await house.server.quiet()
    house.server.answer_within_s = DISCORDS_S
    house.server.fail("*", 503, times=None)
    # The gateway is up: both bets are taken, and no answer gets through.
    betting = [asyncio.ensure_future(member.slash(channel, "bet", amount="10")) for member in (bruno, anna)]
    await house.until(lambda: house.is_away() and len(house.table(channel).round.bets) == 2)
    tried = len(calls(house, EDIT))
    await asyncio.sleep(1.0)
    assert len(calls(house, EDIT)) == tried  # a closed channel gets only the probe whether it is open
    since = len(house.server.calls)
    house.server.heal()
    shown = await house.shown(channel, "Bruno")
    await house.server.quiet()
    assert len(channel.messages) == 1
    assert len(calls(house, EDIT, channel, since)) <= 2
    assert not calls(house, POST, since=since)
    assert "ante 60" in shown.text
    await asyncio.gather(*betting)
    house.server.unanswered.clear()


@pytest.mark.slow
async def test_another_server_plays_on_while_one_channel_answers_with_errors(house, venezia):
    genova = house.server.guild("Genova")
    here, there = await room(house, venezia), await room(house, genova)
    anna, bea = venezia.member("Anna"), genova.member("Bea")
    await house.deal(here, anna)
    house.server.fail("*", 503, times=None, channel=here)
    # Private answers do not come through the channel's messages, but here they fail with them.
    house.server.answer_within_s = DISCORDS_S
    folding = asyncio.ensure_future(anna.slash(here, "fold"))
    await house.until(lambda: house.is_away(here.id))
    house.server.answer_within_s = PATIENCE_S
    assert not house.is_away()
    await house.deal(there, bea)
    await bea.slash(there, "raise")
    await house.shown(there, "Place your bets")
    house.server.heal()
    await folding
    house.server.unanswered.clear()
    await house.pass_time(16)  # its next try
    house.client.context.notify_subscribers({house.table(here).id})
    await house.until(lambda: not house.is_away(here.id))


@pytest.mark.slow
async def test_a_row_of_429s_is_waited_out_and_the_clock_stands_meanwhile(house, venezia):
    channel = await room(house, venezia)
    anna = venezia.member("Anna")
    house.soon_doubts()
    limited = PLATFORMS["discord"].limited
    house.server.rate_limit(EDIT, 0.5, times=3, channel=channel)
    await anna.slash(channel, "bet", amount="50")
    await house.until(lambda: house.is_away(channel.id))
    await house.pass_time(300)
    assert house.table(channel).phase == "betting"
    await house.shown(channel, "Anna")
    await house.until(lambda: not house.is_away(channel.id))
    assert [call.status for call in calls(house, EDIT, channel)][:4] == [429, 429, 429, 200]
    assert PLATFORMS["discord"].limited - limited == 3
    assert len(channel.messages) == 1


async def test_a_429_of_a_gatekeeper_is_no_reason_to_lose_the_table(house, venezia):
    """Cloudflare's has no Via; the library gives up at once."""
    channel = await room(house, venezia)
    house.server.rate_limit(EDIT, 60, via=False, channel=channel)
    await venezia.member("Anna").slash(channel, "bet", amount="50")
    await house.until(lambda: house.is_away(channel.id))
    assert house.table(channel).status == "open"
    await house.pass_time(16)
    house.client.context.notify_subscribers({house.table(channel).id})
    await house.shown(channel, "Anna")
    await house.until(lambda: not house.is_away(channel.id))


async def test_a_table_whose_posting_lost_its_answer_stands_once(house, venezia):
    channel = venezia.text_channel("caribbean")
    house.server.fail(POST, 503, after=True)
    failed = PLATFORMS["discord"].failed
    await channel.guild.owner.slash(channel, "table open", game="caribbean")
    first = await house.shown(channel, "Place your bets")
    await house.until(lambda: PLATFORMS["discord"].failed > failed)
    await house.pass_time(16)
    await venezia.member("Anna").slash(channel, "bet", amount="50")
    await house.shown(channel, "Anna")
    assert [message.id for message in channel.messages] == [first.id]


@pytest.mark.slow
async def test_a_private_answer_whose_receipt_is_lost_follows_the_hand_all_the_same(house, venezia):
    """The library sends it again, and Discord answers that it was done already."""
    channel = await room(house, venezia)
    anna = venezia.member("Anna")
    house.server.fail(CALLBACK, 500, after=True)
    answer = await anna.slash(channel, "bet", amount="50")
    await house.until(lambda: [call.status for call in calls(house, CALLBACK)][-2:] == [500, 400])
    await house.pass_time(house.left(channel))
    await house.until(lambda: "You hold" in answer.text)
    assert calls(house, ORIGINAL)


@pytest.mark.slow
async def test_metrics_count_what_was_sent_what_need_not_be_and_what_failed(house, venezia):
    tally = PLATFORMS["discord"]
    channel = await room(house, venezia)
    await house.server.quiet()
    sent, skipped, failed = tally.sent, tally.skipped, tally.failed
    house.server.fail(EDIT, 503, channel=channel)
    await venezia.member("Anna").slash(channel, "bet", amount="50")
    await house.until(lambda: tally.failed > failed)
    await house.pass_time(16)
    house.client.context.notify_subscribers({house.table(channel).id})
    await house.shown(channel, "Anna")
    await house.server.quiet()
    assert tally.sent >= sent + 2  # the answer, and the table
    house.client.context.notify_subscribers({house.table(channel).id})
    await house.until(lambda: tally.skipped > skipped)


@pytest.mark.slow
async def test_while_the_gateway_is_lost_clocks_stand_and_late_presses_count_no_more(house, venezia):
    """Discord keeps the presses, but told each player after three seconds that the bot did not respond."""
    channel = await room(house, venezia)
    anna, bruno = venezia.member("Anna"), venezia.member("Bruno")
    await house.deal(channel, anna)
    house.server.answer_within_s = 0.3
    before = house.left(channel)
    house.server.gateway.is_shut = True
    await house.server.disconnect(code=1006)
    await house.until(lambda: house.is_away())
    late = await bruno.slash(channel, "daily")
    assert late.failure is not None
    await anna.slash(channel, "fold")
    await house.pass_time(300)
    house.server.gateway.is_shut = False
    await house.until(lambda: not house.is_away())
    house.server.answer_within_s = PATIENCE_S
    assert house.table(channel).round.hand.asks
    assert before - 10 <= house.left(channel) <= before
    await house.server.quiet()
    assert ("discord", str(bruno.id)) not in house.house.identities
    house.server.unanswered.clear()
    await anna.slash(channel, "fold")
    await house.until(lambda: house.table(channel).round.hand is None)


@pytest.mark.slow
@pytest.mark.parametrize("resume", [True, False])
async def test_a_reconnect_of_a_moment_changes_no_clock_and_edits_nothing(house, venezia, resume):
    channel = await room(house, venezia)
    anna = venezia.member("Anna")
    await house.deal(channel, anna)
    await house.server.quiet()
    before, since = house.table(channel), len(house.server.calls)
    visits = len(house.server.gateway.visits)
    await house.server.disconnect(resume=resume)
    await house.until(lambda: len(house.server.gateway.visits) > visits and house.server.is_connected)
    await house.until(lambda: not house.is_away())
    await house.server.quiet()
    if house.table(channel) is before:  # a slow machine may have taken more than a moment
        assert not calls(house, EDIT, since=since)
    assert not calls(house, POST, since=since)
    answer = await anna.slash(channel, "cards")
    assert "You hold" in answer.text


async def test_a_server_that_is_out_waits_and_another_plays_on(house, venezia):
    genova = house.server.guild("Genova")
    here, there = await room(house, venezia), await room(house, genova)
    anna, bea = venezia.member("Anna"), genova.member("Bea")
    await house.deal(here, anna)
    await house.deal(there, bea)
    venezia.goes_down()
    await house.until(lambda: house.is_away(here.id))
    await house.pass_time(100)
    assert house.table(here).round.hand.asks
    assert house.table(there).round.hand is None or house.table(there).round.extended is not None
    venezia.comes_back()
    await house.until(lambda: not house.is_away(here.id))
    assert house.left(here) > 0
    assert house.table(here).round.extended is None


async def test_after_a_long_outage_the_gateway_is_tried_again_within_a_minute(house):
    await house.server.disconnect(code=1006)
    await house.until(lambda: house.server.gateway.visits[-1][0] == "resume")
    # A private attribute of the library: whether it still uses the given connector.
    waits = [house.client.shards[0]._parent._backoff.delay() for _try in range(200)]
    assert 30 < max(waits) <= 60


@pytest.mark.slow
async def test_a_house_that_opens_while_discord_is_down_keeps_its_clocks_until_it_is_there(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        venezia = house.server.guild("Venezia")
        channel = await room(house, venezia)
        anna = venezia.member("Anna")
        await house.deal(channel, anna)
        await house.close()
        house.server.fail("*", 503, times=1)
        await asyncio.to_thread(house.open_books)
        async with platform_open(house):
            await house.until(lambda: house.is_away())
            await house.pass_time(100)
            assert house.table(channel).round.hand.asks
            await house.until(lambda: not house.is_away())
            assert 20 <= house.left(channel) <= 30
            answer = await anna.slash(channel, "cards")
            assert "You hold" in answer.text
        house.running = asyncio.ensure_future(asyncio.sleep(0))


@pytest.fixture
async def sharded(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch, shards=10) as house:
        yield house
        house.server.assert_clean()


@pytest.mark.slow
async def test_after_a_restart_each_clock_waits_for_the_shard_of_its_server(sharded):
    """The library connects one shard in five seconds: the tenth would come when both have run out of time."""
    server = sharded.server
    near, far = server.guild("Venezia", shard=0), server.guild("Genova", shard=9)
    here, there = await room(sharded, near), await room(sharded, far)
    anna, bea, carlo = near.member("Anna"), far.member("Bea"), far.member("Carlo")
    await sharded.deal(here, anna)
    await sharded.deal(there, bea, carlo)
    await sharded.close()
    server.gateway.held = set(range(1, 10))
    await sharded.begin()
    await sharded.until(lambda: not sharded.is_away() and sharded.is_away(there.id))
    assert not sharded.is_away(here.id)
    for _clock in range(4):  # the choice, the time bank, and twice as much again
        await sharded.pass_time(30)
    assert sharded.table(here).round.hand is None
    assert len(sharded.table(there).round.hand.asks) == 2
    assert sharded.table(there).round.extended is None
    server.gateway.held.discard(3)
    await sharded.until(lambda: any(session.shard == 3 for session in server.gateway.connected))
    await sharded.pass_time(30)
    assert len(sharded.table(there).round.hand.asks) == 2
    server.gateway.held.clear()
    await sharded.until(lambda: not sharded.is_away(there.id))
    assert 28 <= sharded.left(there) <= 30
    for member in (bea, carlo):
        assert "You hold" in (await member.slash(there, "cards")).text
        await member.slash(there, "raise")
    await sharded.until(lambda: sharded.table(there).round.hand is None)


@pytest.mark.slow
async def test_a_server_that_is_out_at_the_start_waits_until_it_is_back(house, venezia):
    channel = await room(house, venezia)
    anna = venezia.member("Anna")
    await house.deal(channel, anna)
    await house.close()
    venezia.is_out = True
    await house.open()
    await house.until(lambda: house.is_away(channel.id))
    await house.pass_time(100)
    assert house.table(channel).round.hand.asks
    venezia.comes_back()
    await house.until(lambda: not house.is_away(channel.id))
    assert 25 <= house.left(channel) <= 30
    await anna.slash(channel, "raise")


@pytest.mark.slow
async def test_of_two_shards_the_lost_one_alone_waits(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch, shards=2) as house:
        server = house.server
        guilds = [server.guild("Sala", shard=shard) for shard in range(2)]
        here, there = await room(house, guilds[0]), await room(house, guilds[1])
        anna, bea = guilds[0].member("Anna"), guilds[1].member("Bea")
        await house.deal(here, anna)
        await house.deal(there, bea)
        before = house.left(here)
        server.gateway.is_shut = True
        lost = next(session for session in server.gateway.connected if session.shard == 0)
        lost.socket.cut()
        await house.until(lambda: house.is_away(here.id))
        assert not house.is_away(there.id)
        assert not house.is_away()
        answer = await bea.slash(there, "raise")
        assert answer.is_ephemeral
        await house.pass_time(200)
        assert house.table(here).round.hand.asks
        server.gateway.is_shut = False
        await house.until(lambda: not house.is_away(here.id))
        assert before - 10 <= house.left(here) <= before
        await anna.slash(here, "raise")
        await house.until(lambda: house.table(here).round.hand is None)


async def test_G10_a_deleted_table_message_is_posted_again_at_once(house, venezia):
    channel = await room(house, venezia)
    first = channel.last
    first.delete()
    await house.until(lambda: channel.messages and channel.last is not first)
    assert "Place your bets" in channel.last.text
    await venezia.member("Anna").presses(channel.last, "ante 50")
    await house.shown(channel, "Anna")
    assert len(channel.messages) == 1


@pytest.mark.slow
async def test_G10_so_it_is_after_a_restart(house, venezia):
    channel = await room(house, venezia)
    await house.restart()
    channel.last.delete()
    await house.until(lambda: channel.messages)


@pytest.mark.slow
async def test_who_deletes_it_each_time_is_not_quarrelled_with(house, venezia):
    channel = await room(house, venezia)
    channel.last.delete()
    await house.until(lambda: channel.messages)
    await house.server.quiet()
    channel.last.delete()
    await asyncio.sleep(0.5)
    assert channel.messages == []
    await house.pass_time(16)
    house.client.context.notify_subscribers({house.table(channel).id})
    await house.until(lambda: channel.messages)


@pytest.mark.slow
async def test_a_message_that_is_deleted_under_the_writer_is_posted_once(house, venezia):
    channel = await room(house, venezia)
    slow = house.server.slow(EDIT, 0.3, times=1, channel=channel)
    betting = asyncio.ensure_future(venezia.member("Anna").slash(channel, "bet", amount="50"))
    await house.until(lambda: slow.struck)
    channel.last.delete()
    await house.shown(channel, "Anna")
    await betting
    await house.server.quiet()
    assert len(channel.messages) == 1


@pytest.mark.slow
async def test_the_message_of_a_closed_table_is_not_posted_again(house, venezia):
    channel = await room(house, venezia)
    owner = venezia.owner
    await owner.presses(await owner.slash(channel, "table close", reason="late"), "Yes")
    await house.until(lambda: house.table(channel) is None or house.table(channel).status == "closed")
    await house.server.quiet()
    channel.last.delete()
    await asyncio.sleep(0.3)
    assert channel.messages == []


async def test_a_bet_is_seen_soon_after_an_edit_that_failed_six_times(house, venezia):
    channel = await room(house, venezia)
    await house.server.quiet()
    house.server.fail(EDIT, 503, times=6, channel=channel)
    began = time.monotonic()
    await venezia.member("Anna").slash(channel, "bet", amount="50")
    await house.shown(channel, "**Anna** · ante 50")
    assert time.monotonic() - began < 12
    assert [call.status for call in calls(house, EDIT, channel)][-7:] == [503] * 6 + [200]


@pytest.mark.parametrize("how", [429, 502])
async def test_what_comes_after_a_failed_edit_is_the_newest_state(house, venezia, how):
    """The library waits, and would send the same again: an old deadline, without the new bets."""
    channel = await room(house, venezia)
    await house.server.quiet()
    if how == 429:
        house.server.rate_limit(EDIT, 0.8, channel=channel)
    else:
        house.server.fail(EDIT, how, channel=channel)
    await venezia.member("Anna").slash(channel, "bet", amount="50")
    await house.until(lambda: calls(house, EDIT, channel)[-1].status == how)
    await venezia.member("Bruno").slash(channel, "bet", amount="20")
    await house.shown(channel, "**Anna** · ante 50")
    first = next(call for call in reversed(calls(house, EDIT, channel)) if call.status == 200)
    assert "Bruno" in str(first.json)
