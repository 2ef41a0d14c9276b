"""Work that a platform does once a minute."""

import asyncio

from bot.platforms.common.minutes import EachMinute


class Looks(EachMinute):
    times = 0

    async def tick(self) -> None:
        self.times += 1


async def test_a_door_that_is_opened_again_looks_once_a_minute() -> None:
    minute = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await minute.wait()
        await asyncio.sleep(0)
        minute.clear()

    looks = Looks(sleep)
    looks.open()
    looks.open()
    for _turn in range(3):
        await asyncio.sleep(0)
    minute.set()
    for _turn in range(10):
        await asyncio.sleep(0)
    assert looks.times == 1
    looks.close()
