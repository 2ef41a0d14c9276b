"""How the wings of the books are spread over the houses that share them.

Each looks several times a second: what nobody keeps it takes, up to its fair share, and what still lies there a second
later whoever sees it takes. Who has less than his share asks the house that has most for what it has above its own, and
that one gives it between two of its batches: a wing is kept by nobody only for the moment of its way. A house that does
not hear its platforms (yet) asks for nothing, and takes only what those that hear have left for longer: what is pressed
there another one hears, and only the keeper answers.

A command over several casinos (a link, a community that joins another) gathers the wings it needs in the house where it
is said, the lower one first, so that two that want each other's do not wait for each other for ever; what it has is not
given away until it is done.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec

from bot.house.floor import ELSEWHERE
from bot.house.pit import Pit
from bot.house.speech.command import FAULT, Answer, Command
from bot.house.state.house import Elsewhere
from bot.house.state.lounge import LOUNGE
from bot.lanes.carrying import give_answer
from bot.lanes.host import WISH, Wish
from bot.lanes.wire import LaneLost, NotLetIn, call
from storage.faults import BooksGone
from storage.rows import WINGS, wing_of

LOOKS_EVERY_S = 0.2
# What one house did not take, which may stand still, another does; and one that does not hear its platforms after that.
LEFT_S, LEFT_BY_ALL_S = 1.0, 4.0
# Who needs wings of several houses has them in this time, or is told to try again; and how often they are asked for.
GATHERED_S, AGAIN_S = 2.0, 0.05
# Until a house has given what it is asked for: a large batch may be under way.
GIVEN_S = 5.0
_gone = (LaneLost, NotLetIn, TimeoutError, msgspec.MsgspecError)
_log = logging.getLogger("ridotto.lanes")


class Sharing:
    """Belongs to an event loop. `own` is this house's lane; `hears`: whether it hears all its platforms now."""

    def __init__(self, pit: Pit, secret: bytes, own: str, hears: Callable[[], bool]) -> None:
        self._pit, self._secret, self._own, self._hears = pit, secret, own, hears
        self._free_since: dict[int, float] = {}
        self._said: set[tuple[str, str]] = set()
        self._is_closed = False
        # For what is gathered: how many commands hold each.
        self._held: Counter[int] = Counter()
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """From now on this house sees to its fair share."""
        self._spawn(self._keep())

    async def close(self) -> None:
        """Nothing is taken or given any more; what is being gathered for is said again under its key."""
        self._is_closed = True
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def give(self, wish: Wish) -> frozenset[int]:
        """What another house asks for, as far as this one has it to spare: kept by nobody from now on. Raises
        BooksGone."""
        if self._is_closed:
            return frozenset()
        share = await asyncio.to_thread(self._pit.books.fair_share)
        return await asyncio.wrap_future(self._pit.between(partial(self._give, wish, share)))

    def _give(self, wish: Wish, share: int) -> frozenset[int]:
        """In the pit's thread."""
        kept = self._pit.books.wings
        free = kept - self._held.keys()
        given = free.intersection(wish.of) if wish.of else choose(free, min(wish.most, len(kept) - share))
        if given:
            self._pit.give_wings(given)
        return given

    async def _keep(self) -> None:
        while True:
            try:
                await self._level()
            except BooksGone:
                return  # the house has been told, and ends
            except Exception as fault:  # and the next look does it
                _log.error("the wings were not looked after: %s", type(fault).__name__, exc_info=fault)
                await asyncio.sleep(LEFT_S)
            await asyncio.sleep(LOOKS_EVERY_S)

    async def _level(self) -> None:
        """Raises BooksGone."""
        books = self._pit.books
        share, lanes = await asyncio.to_thread(lambda: (books.fair_share(), books.find_lanes()))
        hears = self._hears()
        share = share if hears else 0
        free = frozenset(wing for wing, lane in lanes.items() if lane is None)
        await self._take(free, share - len(books.wings))
        await self._take(self._left_over(free, LEFT_S if hears else LEFT_BY_ALL_S), WINGS)
        lack = share - len(books.wings)
        kept = Counter(lane for lane in lanes.values() if lane and lane != self._own)
        lane, most = max(kept.items(), key=lambda one: one[1], default=("", 0))
        if lack > 0 and most > share:
            given = await self._wish(lane, Wish(min(lack, most - share)))
            await self._take(given, len(given))

    def _left_over(self, free: frozenset[int], left_s: float) -> frozenset[int]:
        now = asyncio.get_running_loop().time()
        self._free_since = {wing: self._free_since.get(wing, now) for wing in free}
        return frozenset(wing for wing, since in self._free_since.items() if now - since >= left_s)

    async def _take(self, free: Collection[int], most: int) -> None:
        if free and most > 0:
            wings = frozenset(free)
            await asyncio.wrap_future(self._pit.between(partial(self._pit.take_wings, most, wings)))

    async def _wish(self, lane: str, wish: Wish) -> frozenset[int]:
        """What the house there gives; nothing where it is not reached: its lease tells whether it is there."""
        try:
            async with asyncio.timeout(GIVEN_S):
                return await ask_for(lane, self._secret, wish)
        except _gone as fault:
            self._say_once(lane, str(fault) or type(fault).__name__)
            await asyncio.sleep(LEFT_S)
            return frozenset()

    # What needs several

    def gather(self, command: Command, wing: int, answer: "Future[Answer]") -> None:
        """In any thread. `answer` is given in any case; ELSEWHERE where the wings are not had in time."""
        try:
            self._loop.call_soon_threadsafe(lambda: self._spawn(self._see_to(command, wing, answer)))
        except RuntimeError:
            give_answer(answer, ELSEWHERE)  # the loop is closed: the house ends

    async def _see_to(self, command: Command, wing: int, answer: "Future[Answer]") -> None:
        found = ELSEWHERE
        try:
            async with asyncio.timeout(GATHERED_S):
                found = await self._gather(command, {wing})
        except (TimeoutError, BooksGone):
            pass
        except Exception as fault:
            _log.error("command %s was not gathered for: %s", command.verb, type(fault).__name__, exc_info=fault)
            found = FAULT
        finally:
            give_answer(answer, found)

    async def _gather(self, command: Command, wings: set[int]) -> Answer:
        """Raises BooksGone."""
        row = self._pit.floor.house.places.get(command.place)
        wings |= {wing_of(row.casino)} if row is not None else set()
        while True:
            with self._holding(wings) as missing:
                if missing is not None:
                    await self._fetch(missing)
                    continue
                try:
                    return await asyncio.wrap_future(self._pit.submit_here(command))
                except Elsewhere as lack:
                    wings.add(lack.wing)

    @contextmanager
    def _holding(self, wings: set[int]) -> Iterator[int | None]:
        """The lowest that is not here; those below it, or all, are not given away meanwhile."""
        missing = min(wings - self._pit.books.wings, default=None)
        held = [wing for wing in wings if missing is None or wing < missing]
        self._held.update(held)
        try:
            yield missing
        finally:
            self._held.subtract(held)
            self._held = +self._held

    async def _fetch(self, wing: int) -> None:
        lane = await asyncio.to_thread(self._pit.books.find_lane, wing)
        if lane is not None and lane != self._own and not await self._wish(lane, Wish(of=(wing,))):
            await asyncio.sleep(AGAIN_S)
        await self._take({wing}, 1)

    def _say_once(self, lane: str, why: str) -> None:
        if (lane, why) not in self._said:
            self._said.add((lane, why))
            _log.warning("the house at %s gives no wings: %s", lane, why)


async def ask_for(lane: str, secret: bytes, wish: Wish) -> frozenset[int]:
    """What the house at `lane` gives. Raises LaneLost, NotLetIn, msgspec.MsgspecError."""
    wire = await call(lane, secret)
    try:
        wire.write(WISH + msgspec.json.encode(wish))
        return msgspec.json.decode(await wire.read(), type=frozenset[int])
    finally:
        wire.close()


def choose(kept: Collection[int], number: int) -> frozenset[int]:
    """So many of these, spread evenly over them, so that what was founded one after the other is not all of one house.
    The lounge's own stays, as long as it is one of several."""
    others = [wing for wing in sorted(kept) if wing != wing_of(LOUNGE)]
    number = min(number, len(others))
    return frozenset(others[place * len(others) // number] for place in range(number))
