"""siege counts what it says it counts, with a whole house under each siege."""

import asyncio

import pytest

from tests.load import clients, siege
from tests.load.clients import COME, Head, Looker, Tally
from tests.load.siege import QUIET, SIZES, WAYS, measure_siege


def test_every_siege_has_somebody_who_comes():
    assert set(COME) | {QUIET, siege.BUSY} == set(WAYS)
    assert set(SIZES) < set(COME)


@pytest.mark.slow
def test_a_crowd_looks_and_everybody_is_answered():
    nobody, crowd = measure_siege(seconds=2.0, crowd=39, ways=[QUIET, "crowd"])
    for row in (nobody, crowd):
        assert (row.answered, row.unwell) == (row.presses, 0)
        assert row.presses > 4
        assert 0 < row.press_p50_ms <= row.press_p99_ms <= row.press_max_ms
        assert 0 < row.health_p50_ms <= row.health_p99_ms
    assert (nobody.held, nobody.pushes, nobody.push_us) == (0, 0, None)
    assert (crowd.held, crowd.turned_away) == (39, 0)
    # A bet and its taking back are seen by the thirty at the table; the lobby sees whether anybody plays there.
    assert crowd.pushes >= 39
    assert crowd.push_us is not None


@pytest.mark.slow
@pytest.mark.parametrize("way", [way for way in SIZES if way != "slow bodies"])
def test_an_attack_is_borne(way, monkeypatch):
    monkeypatch.setattr(siege, "SIZES", dict.fromkeys(SIZES, 20))
    (row,) = measure_siege(seconds=3.0, ways=[way])
    assert row.answered == row.presses > 0


async def test_a_looker_reads_frames_however_they_are_cut_and_answers_a_ping():
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        text = b"\x81\x05hello" + b"\x81\x7e\x01\x00" + b"x" * 256 + b"\x89\x00"
        for at in range(0, len(text), 7):
            writer.write((b"HTTP/1.1 101 Switching Protocols\r\n\r\n" if not at else b"") + text[at : at + 7])
            await writer.drain()
            await asyncio.sleep(0)
        heard.append(await reader.readexactly(6))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port, tally = server.sockets[0].getsockname()[1], Tally()
    _transport, looker = await asyncio.get_running_loop().create_connection(
        lambda: Looker(bytes(Head("/live", "10.0.0.1")), tally), "127.0.0.1", port
    )
    assert await looker.is_in
    while tally.held:
        await asyncio.sleep(0.01)
    assert (tally.heard, heard[1]) == (2, clients._PONG)
    assert b"X-Forwarded-For: 10.0.0.1\r\n" in heard[0]
    server.close()
