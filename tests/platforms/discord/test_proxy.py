"""A network with only a proxy: every call to Discord goes through it."""

import asyncio

import aiohttp
import discord
import pytest
import yarl

from bot.platforms.common.proxies import find_proxy
from bot.platforms.discord.frames import Activity
from tests.platforms.discord.house import House
from tests.proxy import only_by_proxy
from tests.servers.discord import DiscordServer

HOST = "discord.invalid"


@pytest.fixture
async def led(monkeypatch):
    """(Discord, the proxy that leads to it). Its address is `HOST`, which no resolver knows."""
    async with DiscordServer() as server:
        port = int(server.origin.rpartition(":")[2])
        server.origin = HOST
        monkeypatch.setattr(discord.http.Route, "BASE", server.api)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        async with only_by_proxy(monkeypatch, HOST, port) as proxy:
            yield server, proxy


async def test_a_hand_is_dealt_where_discord_is_reached_through_a_proxy_alone(led, tmp_path):
    server, proxy = led
    house = House(server, tmp_path / "data", unset=None)
    server.enable_activities()
    await house.open()
    activity = Activity(house.client, server.client_secret)
    try:
        guild = server.guild("Venezia")
        channel, bea = guild.text_channel("tables"), guild.member("Bea")
        await house.table_in(channel)
        await house.deal(channel, bea)
        shown = f'{{"code": "{bea.authorizes()}", "instance": "{bea.opens(channel)}"}}'
        assert (await activity.prove(shown.encode())).account == str(bea.id)
    finally:
        await activity.close()
        await house.close()
    server.assert_clean()
    assert {host for _method, host in proxy.asked} == {HOST}


async def test_a_tls_connection_is_a_tunnel_through_the_proxy(led):
    """Discord's own address needs a tunnel; there is no TLS behind this one."""
    _server, proxy = led
    async with aiohttp.ClientSession(proxy=find_proxy("https://discord.invalid/api")) as session:
        with pytest.raises((aiohttp.ClientError, asyncio.TimeoutError)):
            await session.get("https://discord.invalid/api", timeout=aiohttp.ClientTimeout(total=2.0))
    assert proxy.asked == {("CONNECT", HOST): 1}


@pytest.mark.parametrize(("excepted", "is_used"), [("", True), ("discord.invalid", False), ("other.invalid", True)])
def test_an_address_that_is_excepted_is_called_directly(monkeypatch, excepted, is_used):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTPS_PROXY", "10.0.0.1:3128")
    monkeypatch.setenv("NO_PROXY", excepted)
    found = find_proxy("https://discord.invalid/api/v10")
    assert found == ("http://10.0.0.1:3128" if is_used else None)
