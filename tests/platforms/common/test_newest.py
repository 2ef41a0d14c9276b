"""The coalescing sender: one send at a time, changes together, and no starvation by endless changes."""

import asyncio

from bot.platforms.common.newest import Newest
from tests.patience import PATIENCE_S


async def test_changes_of_one_moment_are_sent_once() -> None:
    state, sent = [0], list[int]()

    async def send() -> None:
        sent.append(state[0])

    newest = Newest(send, lambda: 0.0, together_s=0.02)
    for number in range(1, 6):
        state[0] = number
        newest.mark()
    async with asyncio.timeout(PATIENCE_S):
        while not sent:
            await asyncio.sleep(0.005)
    await asyncio.sleep(0.1)
    assert sent == [5]


async def test_changes_without_end_hold_nothing_up() -> None:
    sent = asyncio.Semaphore(0)

    async def send() -> None:
        sent.release()

    async def change() -> None:
        while True:
            newest.mark()
            await asyncio.sleep(0)

    newest = Newest(send, lambda: 0.0, together_s=0.02)
    changing = asyncio.ensure_future(change())
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(3):
            await sent.acquire()
    changing.cancel()
    newest.close()
