"""A table as an Activity: Discord opens it and proves who looks; no one else gets in, whatever a page claims."""

import asyncio
import itertools
import logging
from contextlib import asynccontextmanager

import pytest
from aiohttp import WSMsgType, WSServerHandshakeError
from aiohttp.test_utils import TestClient

from bot.platforms.common.allowance import Allowance
from bot.platforms.discord.frames import Activity
from bot.platforms.web.app import HEADERS, make_app
from bot.platforms.web.frames import FRAMES_KEY
from bot.platforms.web.live import PROTOCOL, Live
from bot.platforms.web.lounge import Lounge
from tests.bot.open_house import Page, Server
from tests.patience import PATIENCE_S
from tests.platforms.discord.house import opened, platform_open

SITE = "https://casino.example"
LATE_S = (0.0, 0.0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.2)
TOO_LATE = "The table has changed"


class Lobby:
    """The lounge of the same casino, as Activities reach it: by Discord's proxy, with its own origin."""

    def __init__(self, house, server, activity):
        self.house, self.server, self.activity = house, server, activity
        self.client = TestClient(server, ws_response_class=Page)
        self.numbers = itertools.count()

    @property
    def origin(self):
        return {"Origin": f"https://{self.house.server.application_id}.discordsays.com", "Host": "casino.example"}

    async def prove(self, code, instance, table="", **headers):
        shown = {"code": code, "instance": instance, "table": table}
        answer = await self.client.post("/frame/discord/prove", json=shown, headers={**self.origin, **headers})
        return answer.status, await answer.json()

    async def opens(self, member, channel, table=""):
        """Open the Activity in that channel; return the headers of the page, and the table's address."""
        status, said = await self.prove(member.authorizes(), member.opens(channel), table)
        assert status == 200, said
        return {**self.origin, "Authorization": f"Bearer {said['token']}"}, said["go"]

    async def refused(self, *shown, **headers):
        status, said = await self.prove(*shown, **headers)
        assert status == 403
        assert not len(self.server.app[FRAMES_KEY])
        return said["texts"][0]

    async def press(self, headers, go, verb, *args):
        press = {"key": f"press-{next(self.numbers):06}", "verb": verb, "args": list(args)}
        answer = await self.client.post(f"{go}/press", json=press, headers=headers)
        return answer.status, await answer.json()


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch, unset=None) as house:
        house.server.enable_activities()
        await house.restart()
        yield house


@pytest.fixture
async def lobby(house):
    async with lobby_of(house) as lobby:
        yield lobby


@asynccontextmanager
async def lobby_of(house):
    activity = Activity(house.client, house.server.client_secret)
    lounge = Lounge(house.writer, Live(), password="a password", frames=[activity.host], public_url=SITE)
    lounge.presses = Allowance(10**9, 10.0**9)
    ends = house.writer.subscribe(lounge.mark)
    server = Server(make_app(lounge))
    await server.start_server()
    lobby = Lobby(house, server, activity)
    try:
        yield lobby
    finally:
        ends()
        await lounge.live.close()
        await lobby.client.close()
        await server.close()
        lounge.renderer.close()
        await activity.close()


@pytest.fixture
async def venice(house):
    """(the channel with a table, Bea who has never spoken there)"""
    guild = house.server.guild("Venezia")
    channel = guild.text_channel("tables")
    await house.table_in(channel)
    return channel, guild.member("Bea")


@pytest.mark.slow
async def test_the_button_below_a_table_opens_it_and_so_does_discords_own_command(house, venice):
    channel, bea = venice
    message = await house.server.message(channel, "Place your bets")
    pressed = await bea.presses(message, "Open table")
    assert (pressed.answer, pressed.instance is not None) == (12, True)
    next(one for one in house.server.commands if one["type"] == 4)["handler"] = 1
    assert (await bea.presses_entry_point(channel)).instance == pressed.instance
    house.server.assert_clean()


@pytest.mark.slow
async def test_lists_of_tables_link_to_it(house, venice):
    channel, bea = venice
    said = (await bea.slash(channel, "tables")).text
    link = f"https://discord.com/activities/{house.server.application_id}?custom_id=t{house.table(channel).id}"
    assert link in said


async def test_without_activities_there_is_no_button_and_the_log_says_what_is_missing(tmp_path, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    async with opened(tmp_path / "data", monkeypatch, unset=None) as house:
        guild = house.server.guild("Venezia")
        channel = guild.text_channel("tables")
        message = await house.table_in(channel)
        assert "Open table" not in message.text
        assert "Activities" not in (await guild.owner.slash(channel, "setup")).text
    assert "enable Activities" in caplog.text


async def test_without_an_address_the_log_says_so_and_setup_does_not(tmp_path, monkeypatch, caplog):
    """An admin of a server cannot change what the operator has not set."""
    caplog.set_level(logging.INFO)
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        channel = guild.text_channel("tables")
        said = (await guild.owner.slash(channel, "setup")).text.replace("\\", "")
        assert "RIDOTTO_" not in said
        assert "docs/" not in said
    assert "RIDOTTO_PUBLIC_URL is not set" in caplog.text


@pytest.mark.slow
async def test_who_opens_it_sits_at_the_table_of_its_channel_and_is_welcomed(house, lobby, venice):
    channel, bea = venice
    headers, go = await lobby.opens(bea, channel)
    page = await (await lobby.client.get(go, headers=headers)).text()
    assert "1,000" in page
    status, said = await lobby.press(headers, go, "bet", "ante", "50")
    assert (status, said["refused"]) == (200, False)
    assert house.chips(bea) == 95000
    assert "950" in (await bea.slash(channel, "balance")).text


@pytest.mark.slow
async def test_both_windows_press_at_once_and_it_is_done_once(house, lobby, venice):
    """The press that comes a few milliseconds later is refused with a sentence."""
    channel, bea = venice
    headers, go = await lobby.opens(bea, channel)

    async def press_in_the_app(late_s):
        await asyncio.sleep(late_s)
        return await lobby.press(headers, go, "raise")

    for late_s in LATE_S:
        await bea.slash(channel, "bet", amount="10")
        await house.pass_time(house.left(channel))
        await house.until(lambda: house.table(channel).round.hand is not None)
        hand, panel = house.table(channel).round.hand_id, await bea.slash(channel, "cards")
        pressed, (status, said) = await asyncio.gather(bea.presses(panel, "Raise (20)"), press_in_the_app(late_s))
        await house.until(lambda: house.table(channel).round.hand is None)
        assert (status, house.table(channel).last_hand) == (200, hand)
        assert [move.word for move in house.table(channel).last.moves] == ["raise"]
        assert said["refused"] != (TOO_LATE in pressed.text), (said, pressed.text)
        assert said["texts"]


@pytest.mark.slow
async def test_a_link_of_another_channel_of_their_server_opens_its_table_where_the_house_knows_them(
    house, lobby, venice
):
    channel, bea = venice
    lounge = channel.guild.text_channel("lounge")
    named = f"t{house.table(channel).id}"
    assert "own community" in await lobby.refused(bea.authorizes(), bea.opens(lounge), named)
    await bea.slash(channel, "balance")
    _headers, go = await lobby.opens(bea, lounge, named)
    assert go.endswith(f"/table/{named[1:]}")


@pytest.mark.slow
async def test_another_persons_instance_is_refused(house, lobby, venice):
    channel, bea = venice
    cara = channel.guild.member("Cara")
    assert "did not come from" in await lobby.refused(cara.authorizes(), bea.opens(channel))


@pytest.mark.slow
async def test_an_instance_that_nobody_has_opened_is_refused(house, lobby, venice):
    _channel, bea = venice
    assert "did not come from" in await lobby.refused(bea.authorizes(), "i-1-gc-1")


@pytest.mark.slow
async def test_a_code_is_good_once(house, lobby, venice):
    channel, bea = venice
    code, instance = bea.authorizes(), bea.opens(channel)
    assert (await lobby.prove(code, instance))[0] == 200
    assert (await lobby.prove(code, instance))[0] == 403


@pytest.mark.slow
async def test_a_code_that_is_none_is_refused(house, lobby, venice):
    channel, bea = venice
    assert "did not come from" in await lobby.refused("a-code-of-nobody", bea.opens(channel))


@pytest.mark.slow
async def test_a_channel_of_another_server_does_not_open_this_ones_table(house, lobby, venice):
    channel, bea = venice
    await bea.slash(channel, "balance")
    elsewhere = house.server.guild("Padova").text_channel("tables")
    named = f"t{house.table(channel).id}"
    assert "own community" in await lobby.refused(bea.authorizes(), bea.opens(elsewhere), named)


@pytest.mark.slow
async def test_a_channel_without_a_table_is_told_so(house, lobby, venice):
    channel, bea = venice
    empty = channel.guild.text_channel("empty")
    await lobby.refused(bea.authorizes(), bea.opens(empty))


@pytest.mark.slow
@pytest.mark.parametrize("body", [b"", b"[]", b'{"code":"x"}', b'{"code":"../x","instance":"a"}', b"\xff", b"[" * 4000])
async def test_what_is_no_proof_at_all_is_a_sentence(house, lobby, body):
    answer = await lobby.client.post("/frame/discord/prove", data=body, headers=lobby.origin)
    assert answer.status == 403
    assert (await answer.json())["texts"]


@pytest.mark.slow
async def test_a_wrong_secret_lets_nobody_in_and_the_log_says_what_to_do(house, venice, caplog):
    channel, bea = venice
    house.server.client_secret = "another one, made anew in the portal"
    async with lobby_of(house) as lobby:
        lobby.activity._secret = "the one of before"
        await lobby.refused(bea.authorizes(), bea.opens(channel))
    assert "RIDOTTO_DISCORD_SECRET is refused" in caplog.text


@pytest.mark.slow
async def test_a_discord_that_is_away_asks_for_patience(house, lobby, venice):
    channel, bea = venice
    code, instance = bea.authorizes(), bea.opens(channel)
    house.server.fail("POST /oauth2/token", status=503, times=None, body={})
    assert "in a minute" in await lobby.refused(code, instance)


@pytest.mark.slow
async def test_the_first_page_is_the_shell_for_discord_alone_and_may_be_framed_by_discord_alone(house, lobby):
    launched = "/?instance_id=i-1-gc-1&frame_id=2c0d&platform=desktop"
    shell = await lobby.client.get(launched, headers={"Host": "casino.example"})
    policy = shell.headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors https://discord.com https://*.discordsays.com")
    assert str(house.server.application_id) in await shell.text()
    other = await lobby.client.get("/?instance_id=1", allow_redirects=False)
    assert (other.status, other.headers["Content-Security-Policy"]) == (303, HEADERS["Content-Security-Policy"])


@pytest.mark.slow
@pytest.mark.parametrize("origin", ["https://1.discordsays.com", "https://evil.example", "https://discord.com", "null"])
async def test_only_its_own_origin_of_discords_speaks_for_it(house, lobby, venice, origin):
    channel, bea = venice
    status, _said = await lobby.prove(bea.authorizes(), bea.opens(channel), Origin=origin)
    assert status == 403
    headers, go = await lobby.opens(bea, channel)
    assert (await lobby.press({**headers, "Origin": origin}, go, "bet", "ante", "50"))[0] == 403
    token = headers["Authorization"].removeprefix("Bearer ")
    with pytest.raises(WSServerHandshakeError):
        await lobby.client.ws_connect(f"{go}/live", protocols=(PROTOCOL, token), headers={"Origin": origin})


@pytest.mark.slow
async def test_that_origin_is_another_sites_for_whoever_has_no_session_of_discords(house, lobby):
    answer = await lobby.client.post("/sign-in", data={"name": "Eve"}, headers=lobby.origin)
    assert answer.status == 403


@pytest.mark.slow
async def test_a_ban_ends_it_while_it_is_open(house, lobby, venice):
    channel, bea = venice
    headers, go = await lobby.opens(bea, channel)
    token = headers["Authorization"].removeprefix("Bearer ")
    page = await lobby.client.ws_connect(f"{go}/live", protocols=(PROTOCOL, token), headers=lobby.origin)
    await page.receive_json()
    asked = await channel.guild.owner.slash(channel, "ban", player=bea, reason="cheating")
    await channel.guild.owner.presses(asked, "Yes")
    said = ""
    while (message := await asyncio.wait_for(page.receive(), PATIENCE_S)).type == WSMsgType.TEXT:
        said += message.data
    assert "You are banned" in said
    assert (await lobby.client.get(go, headers=headers)).status == 401


@pytest.mark.slow
async def test_no_secret_comes_into_a_log(house, lobby, venice, caplog):
    caplog.set_level(logging.DEBUG, "ridotto")
    channel, bea = venice
    code = bea.authorizes()
    status, said = await lobby.prove(code, bea.opens(channel))
    assert status == 200
    for secret in (code, said["token"], house.server.client_secret, *house.server.user_tokens):
        assert secret not in caplog.text


@pytest.mark.slow
async def test_the_door_shows_tables_in_discord_where_all_is_set(house, monkeypatch):
    await house.close()
    await asyncio.to_thread(house.open_books)
    async with platform_open(house, public_url=SITE, discord_secret=house.server.client_secret):
        await house.server.ready()
        assert [host.name for host in house.frames] == ["discord"]
        await house.server.until(lambda: house.client.context.app_lack is None)
    house.running = asyncio.ensure_future(asyncio.sleep(0))


async def test_who_manages_the_server_or_has_its_role_runs_it_and_nobody_else(house, lobby, venice):
    channel, bea = venice
    guild = channel.guild
    role = guild.role("Croupier")
    cleo = guild.member("Cleo")
    cleo.roles.append(role)
    await house.client.context.tend("entrust", str(channel.id), str(role.id), str(guild.owner.user.id))
    boss = guild.owner

    async def may(member):
        headers, go = await lobby.opens(member, channel)
        answer = await lobby.client.get(f"{go.rsplit('/table/', 1)[0]}/operator", headers=headers)
        _status, said = await lobby.press(headers, go, "table pause", "a check")
        if not said["refused"]:
            assert not (await lobby.press(headers, go, "table resume", "it was"))[1]["refused"]
        assert (answer.status == 200) == (not said["refused"])
        return answer.status == 200

    assert [await may(one) for one in (boss, cleo, bea)] == [True, True, False]
    cleo.roles.remove(role)
    assert not await may(cleo)
