"""Connectivity of places: lost once, found when the last cause is gone, and repeated to a busy writer."""

import asyncio

import pytest

from bot.core import writer as writer_module
from bot.core.writer import Writer
from bot.platforms.common import connectivity
from bot.platforms.common.connectivity import API, EVERYWHERE, Connectivity
from storage.sqlite import SqliteBooks
from tests.patience import until


class Platform:
    """A platform that answers while it is up."""

    def __init__(self, writer):
        self.is_up, self.asked = True, 0
        self.back: list[tuple[object, list[str]]] = []
        self.connectivity = Connectivity(
            writer,
            "web",
            answers=self.answers,
            is_unreached=lambda fault: isinstance(fault, OSError),
            on_back=lambda cause, addresses: self.back.append((cause, list(addresses))),
            slow_s=0.02,
        )

    async def answers(self):
        self.asked += 1
        return self.is_up


@pytest.fixture
async def writer(tmp_path):
    books = await asyncio.to_thread(SqliteBooks, tmp_path)
    writer = Writer(books)
    writer.start()
    yield writer
    await asyncio.to_thread(writer.stop)
    await asyncio.to_thread(books.close)


@pytest.fixture
def platform(writer, monkeypatch):
    monkeypatch.setattr(connectivity, "ASK_AGAIN_S", 0.01)
    return Platform(writer)


def stands(writer, address):
    return writer.state.away.get(("web", address)) is not None


async def test_a_place_is_back_when_the_last_of_its_causes_is_gone(writer, platform):
    line = platform.connectivity
    line.lose(("shard", 0), ["1", "2"])
    line.lose(("shard", 0), ["3"])
    line.lose(("server", 7), ["2"])
    assert [line.reaches(one) for one in ("1", "2", "3")] == [False, False, True]
    line.recover(("shard", 0))
    line.recover(("shard", 0))
    assert [line.reaches(one) for one in ("1", "2")] == [True, False]
    line.recover(("server", 7))
    assert platform.back == [(("shard", 0), ["1"]), (("server", 7), ["2"])]


async def test_the_clocks_of_what_is_away_stand(writer, platform):
    platform.connectivity.lose(("shard", 0), ["1"])
    await until(lambda: stands(writer, "1"))
    platform.connectivity.recover(("shard", 0))
    await until(lambda: not stands(writer, "1"))


async def test_of_what_is_divided_each_part_has_been_away_as_long(writer, platform):
    line, since = platform.connectivity, writer.clock() - 50
    line.lose(("start",), since=since)
    line.divide(("start",), {("shard", 1): ["1"], ("shard", 2): ["2"]})
    assert line.reaches("3")
    assert not line.reaches("1")
    await until(lambda: stands(writer, "1"))
    assert writer.state.away["web", "1"] == pytest.approx(since)


async def test_what_does_not_get_through_raises_doubt_until_the_platform_answers(writer, platform):
    platform.is_up = False
    with pytest.raises(OSError, match="gone"), platform.connectivity.watching():
        raise OSError("gone")
    await until(lambda: platform.connectivity.is_silent)
    assert not platform.connectivity.reaches("1")
    await until(lambda: stands(writer, EVERYWHERE))
    platform.is_up = True
    await until(lambda: platform.back == [(API, [EVERYWHERE])])
    assert platform.connectivity.was_lost(60)


async def test_a_slow_call_is_doubted_and_a_refusal_is_not(platform):
    with platform.connectivity.watching():
        await until(lambda: platform.asked == 1)
    assert not platform.connectivity.is_silent
    with pytest.raises(ValueError, match="no"), platform.connectivity.watching():
        raise ValueError("no")
    await asyncio.sleep(0)
    assert platform.asked == 1


async def test_a_busy_house_is_told_again_as_it_is_by_then(writer, platform, monkeypatch):
    monkeypatch.setattr(writer_module, "MOST_WAITING", -1)
    platform.connectivity.lose(("shard", 0), ["1", "2"])
    platform.connectivity.lose(("server", 1), ["1"])
    platform.connectivity.recover(("shard", 0))
    monkeypatch.undo()
    await until(lambda: stands(writer, "1"))
    assert not stands(writer, "2")


async def test_a_new_writer_is_told_what_is_away_and_what_is_not(writer, platform):
    platform.connectivity.lose(("shard", 0), ["1"])
    await until(lambda: stands(writer, "1"))
    # As another writer has it, which took the platform's silence for an outage.
    writer.state.away |= {("web", "1"): None, ("web", EVERYWHERE): 0.0}
    for tell in writer.on_new_writer:
        tell()
    await until(lambda: stands(writer, "1") and not stands(writer, EVERYWHERE))
