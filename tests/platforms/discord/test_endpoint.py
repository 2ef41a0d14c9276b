"""Interactions sent to the web server: freshly signed by Discord, handled once, and nothing else accepted."""

import json

import pytest
from aiohttp.test_utils import TestServer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bot.config import BadSetting, check_platforms, parse_config
from bot.platforms.discord.endpoint import FRESH_S, LARGEST, PATH, PONG
from bot.platforms.web.app import make_app
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import Lounge
from tests.platforms.discord.house import CALLBACK, brought, opened, platform_open

PING = json.dumps({"id": "1", "type": 1, "user": {"id": "5"}}).encode()


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path, monkeypatch) as house, brought(house):
        yield house


@pytest.fixture
def salotto(house):
    guild = house.server.guild("Venezia")
    return guild.owner, guild.text_channel("caribbean")


async def test_discord_finds_out_that_somebody_listens_and_looks_at_signatures(house):
    status, answer = await house.server.bring(PING)
    assert (status, json.loads(answer)) == (200, {"type": PONG})
    status, _answer = await house.server.bring(PING, **{"X-Signature-Ed25519": "00" * 64})
    assert status == 401


async def test_a_command_and_a_press_are_answered_as_by_the_gateway(house, salotto):
    anna, channel = salotto
    opened = await anna.slash(channel, "table open", game="caribbean")
    assert opened.failure is None
    bet = await anna.slash(channel, "bet", amount="10")
    assert "10: ante" in bet.text
    assert house.chips(anna) == 99_000
    house.server.assert_clean()
    assert not [session for session in house.server.gateway.sessions if b"INTERACTION" in repr(session.events).encode()]


@pytest.mark.parametrize("at_s", [-FRESH_S - 2, FRESH_S + 2])
async def test_what_was_signed_long_ago_or_in_a_time_to_come_is_not_taken(house, at_s):
    now = house.server.now_s()
    assert (await house.server.bring(PING, at_s=now + at_s))[0] == 401
    assert (await house.server.bring(PING, at_s=now + at_s / 2))[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Signature-Ed25519": ""},
        {"X-Signature-Ed25519": "zz" * 64},
        {"X-Signature-Ed25519": "00" * 63},
        {"X-Signature-Timestamp": ""},
        {"X-Signature-Timestamp": "-1"},
        {"X-Signature-Timestamp": "soon"},
        {"X-Signature-Timestamp": "9" * 30},
    ],
)
async def test_what_is_signed_by_nobody_is_not_taken(house, headers):
    assert (await house.server.bring(PING, **headers))[0] == 401


async def test_what_another_application_signs_or_somebody_has_changed_is_not_taken_and_does_nothing(house, salotto):
    anna, channel = salotto
    await anna.slash(channel, "table open", game="caribbean")
    answers, bringing = len(house.server.calls_of(CALLBACK)), house.server.bring
    house.server.signs, own = Ed25519PrivateKey.from_private_bytes(bytes(32)), house.server.signs
    forged = await anna.slash(channel, "bet", amount="10")
    house.server.signs = own
    assert forged.failure is not None

    async def change(body, **how):
        at = str(int(house.server.now_s()))
        signature = own.sign(at.encode() + body).hex()
        return await bringing(
            body.replace(b'"value": "10"', b'"value": "90"'),
            **{"X-Signature-Ed25519": signature, "X-Signature-Timestamp": at},
        )

    house.server.bring = change
    changed = await anna.slash(channel, "bet", amount="10")
    del house.server.bring
    assert changed.failure is not None
    assert len(house.server.calls_of(CALLBACK)) == answers
    assert house.table(channel).round.bets == ()
    assert [one.count("with 401") for one in house.server.complaints] == [1, 1]


async def test_what_is_brought_again_is_done_once(house, salotto):
    anna, channel = salotto
    await anna.slash(channel, "table open", game="caribbean")
    bodies, bringing = [], house.server.bring

    async def note(body, **how):
        bodies.append(body)
        return await bringing(body, **how)

    house.server.bring = note
    await anna.slash(channel, "bet", amount="10")
    del house.server.bring
    answers = len(house.server.calls_of(CALLBACK))
    for _again in range(3):
        assert await house.server.bring(bodies[0]) == (202, b"")
    await house.server.quiet()
    assert len(house.server.calls_of(CALLBACK)) == answers
    assert house.chips(anna) == 99_000


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b"no json", b'{"type": 2}', b'{"type": 2, "id": "1"}', b'{"type": 3, "id": 1, "user": 5}'],
)
async def test_what_discord_would_never_say_is_refused_and_the_next_is_taken(house, body):
    assert (await house.server.bring(body))[0] == 400
    assert (await house.server.bring(PING))[0] == 200


async def test_what_is_too_large_is_not_read(house):
    assert (await house.server.bring(b" " * (LARGEST + 1)))[0] == 413


async def test_a_house_that_cannot_answer_yet_says_so(house, salotto):
    anna, channel = salotto
    house.client.is_open = False
    asked = await anna.slash(channel, "balance")
    assert asked.failure is not None
    assert "with 503" in house.server.complaints[-1]
    house.client.is_open = True
    assert (await anna.slash(channel, "balance")).failure is None


async def test_the_door_has_its_place_at_the_web_server_where_there_is_a_key(house):
    await house.client.close()
    async with platform_open(house, discord_public_key=house.server.public_key) as platform:
        await house.server.ready()
        lounge = Lounge(house.writer, Live())
        lounge.platforms = [platform]
        async with TestServer(make_app(lounge)) as server:
            house.server.endpoint = str(server.make_url(PATH))
            await house.until(lambda: house.client.is_open)
            assert (await house.server.bring(PING))[0] == 200
            guild = house.server.guild("Trieste")
            assert (await guild.owner.slash(guild.text_channel("lobby"), "balance")).failure is None
        lounge.renderer.close()


def test_a_key_without_a_place_where_discord_could_call_is_refused():
    key = {"RIDOTTO_DISCORD_PUBLIC_KEY": "ab" * 32}
    assert parse_config(key).discord_public_key == bytes.fromhex("ab" * 32)
    for lacks in ({}, {"RIDOTTO_DISCORD_TOKEN": "a.b.c", "RIDOTTO_WEB": "off"}):
        with pytest.raises(BadSetting, match="RIDOTTO_DISCORD_PUBLIC_KEY needs"):
            check_platforms(parse_config(key | lacks))
