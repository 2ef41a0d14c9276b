"""A command that came to a house which does not keep its casino is carried to the one that does, and its answer back.

What was sent and not answered, because a house or the way to it has gone, is sent again under its key, to whoever keeps
the wing by then: once done it is answered as it was. A command goes over one lane at most: a keeper that needs another
wing than the one that was asked for gathers that, or refuses the whole.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import count

import msgspec

from bot.house.floor import ELSEWHERE
from bot.house.pit import BUSY, Pit
from bot.house.speech.command import FAULT, Answer, Command
from bot.house.state.house import Elsewhere
from bot.lanes.answers import Told, answer_of, read_told, write_asked, write_handed
from bot.lanes.host import COMMANDS
from bot.lanes.wire import LaneLost, NotLetIn, Wire, call
from storage.faults import BooksGone

# A keeper that stands still loses its wings after two seconds, and another has opened them soon after.
FOLLOW_S = 10.0
# Until it is asked again whose the wing is: who is slow is found to have the answer when it comes to him twice.
ANSWER_S = 2.5
AGAIN_S = 0.05
# More of them wait than a keeper takes in: the others are told at once to try again.
MOST_UNDER_WAY = 2_000
_log = logging.getLogger("ridotto.lanes")


class _Lacking(Exception):
    """The house that was asked does not keep that wing, and has done nothing."""

    def __init__(self, wing: int) -> None:
        super().__init__(f"wing {wing}")
        self.wing = wing


class _TooSlow(Exception):
    """No answer in time: it may have been done, and may still come."""


class _Line:
    """A wire on which commands go out and answers come back, in any order."""

    def __init__(self, wire: Wire) -> None:
        self._wire, self._numbers = wire, count()
        self._waiting: dict[int, asyncio.Future[Told]] = {}
        self._heard = asyncio.get_running_loop().time()
        self._reading = asyncio.ensure_future(self._read())

    @property
    def is_lost(self) -> bool:
        return self._reading.done()

    def ask(self, write: Callable[[int], bytes]) -> Awaitable[Told]:
        """`write` makes the frame of a number. It is sent at once, in the order of the calls; who waits for what is
        told may have LaneLost or _TooSlow raised."""
        number = next(self._numbers)
        frame = write(number)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        self._wire.write(frame)
        return self._wait_for(number)

    async def _wait_for(self, number: int) -> Told:
        try:
            if self.is_lost:
                raise LaneLost
            done, _late = await asyncio.wait({self._waiting[number]}, timeout=ANSWER_S)
            if not done:
                if asyncio.get_running_loop().time() - self._heard >= ANSWER_S:
                    self._reading.cancel()  # the house stands still, or the way there carries nothing
                raise _TooSlow
            return self._waiting[number].result()
        finally:
            del self._waiting[number]

    async def _read(self) -> None:
        try:
            with suppress(LaneLost, msgspec.MsgspecError):
                while True:
                    told = read_told(await self._wire.read())
                    self._heard = asyncio.get_running_loop().time()
                    waiting = self._waiting.get(told.number)
                    if waiting is not None and not waiting.done():
                        waiting.set_result(told)
        finally:
            self._wire.close()
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(LaneLost())

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.wait({self._reading})


class Carrier:
    """Belongs to an event loop; `carry` may be called in any thread. `own` is this house's lane."""

    def __init__(self, pit: Pit, secret: bytes, own: str) -> None:
        self._pit, self.secret, self._own = pit, secret, own
        self._loop = asyncio.get_running_loop()
        # By lane; and where the keeper of a wing was found last, or is being looked for.
        self._lines: dict[str, asyncio.Future[_Line]] = {}
        self._lanes: dict[int, asyncio.Future[str | None]] = {}
        # Who has something for a wing goes in the order in which he came, until it is written.
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._tasks: set[asyncio.Task[None]] = set()
        self._said: set[str] = set()

    def carry(self, command: Command, wing: int, answer: "Future[Answer]") -> None:
        """`answer` is given in any case; ELSEWHERE where nobody could be asked in time."""
        try:
            self._loop.call_soon_threadsafe(self._begin, command, wing, answer)
        except RuntimeError:
            give_answer(answer, ELSEWHERE)  # the loop is closed: the house ends

    async def hand_on(self, door: str, update: str, wing: int) -> bool:
        """What a platform has brought, to the house that keeps the wing: whether it is done and on disk there. False:
        nobody has done it in time, and the platform says it again."""
        try:
            write = partial(write_handed, door=door, update=update)
            async with asyncio.timeout(FOLLOW_S):
                while True:
                    async with self._turns[wing]:
                        line = await self._line_to(wing)
                        if line is None:  # it has come here meanwhile
                            self._lanes.pop(wing, None)
                            return False
                        told, asked = line.ask(write), self._lanes.get(wing)
                    with suppress(LaneLost, _TooSlow):
                        return (await told).done
                    await self._look_again(wing, asked)
        except NotLetIn as refused:
            self._say_once(str(refused))
        except (TimeoutError, BooksGone):
            pass
        return False

    def _begin(self, command: Command, wing: int, answer: "Future[Answer]") -> None:
        if len(self._tasks) >= MOST_UNDER_WAY:
            give_answer(answer, BUSY)
            return
        task = self._loop.create_task(self._see_to(command, wing, answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _see_to(self, command: Command, wing: int, answer: "Future[Answer]") -> None:
        found = ELSEWHERE
        try:
            async with asyncio.timeout(FOLLOW_S):
                found = await self._carry(command, wing)
        except TimeoutError:
            pass
        except NotLetIn as refused:
            self._say_once(str(refused))
        except BooksGone:
            pass  # the house has been told, and ends
        except Exception as fault:
            _log.error("command %s could not be carried: %s", command.verb, type(fault).__name__, exc_info=fault)
            found = FAULT
        finally:
            give_answer(answer, found)

    async def _carry(self, command: Command, wing: int) -> Answer:
        """Raises NotLetIn, BooksGone."""
        write = partial(write_asked, command=command, wing=wing)
        while True:
            async with self._turns[wing]:
                line = await self._line_to(wing)
                asked = self._lanes.get(wing)
                if line is None:
                    answer = self._told_here(self._pit.submit_here(command, wing))
                else:
                    answer = self._told(line.ask(write))
            try:
                return await answer
            except _Lacking as lack:
                if lack.wing != wing:
                    return ELSEWHERE
            except (LaneLost, _TooSlow):
                pass
            await self._look_again(wing, asked)

    async def _told_here(self, answer: "Future[Answer]") -> Answer:
        """The wing has come to this house meanwhile. Raises _Lacking."""
        try:
            return await asyncio.wrap_future(answer)
        except Elsewhere as lack:
            raise _Lacking(lack.wing) from None

    async def _told(self, told: Awaitable[Told]) -> Answer:
        """Raises _Lacking, LaneLost, _TooSlow, BooksGone."""
        answered = await told
        if answered.lacks is not None:
            raise _Lacking(answered.lacks)
        answer = await asyncio.to_thread(answer_of, answered, self._pit.books)
        return BUSY if answer == BUSY else answer

    async def _line_to(self, wing: int) -> _Line | None:
        """To the house that keeps it, as soon as one does and is reached; None: it is this one. Raises NotLetIn,
        BooksGone."""
        while (lane := await self.find(wing)) != self._own:
            asked = self._lanes.get(wing)
            with suppress(LaneLost):
                if lane is not None:
                    return await self._line(lane)
            await self._look_again(wing, asked)
        return None

    async def _look_again(self, wing: int, asked: "asyncio.Future[str | None] | None") -> None:
        """Where the keeper was, by `asked`, it is not any more, unless somebody has looked since."""
        if self._lanes.get(wing) is asked:
            self._lanes.pop(wing, None)
        await asyncio.sleep(AGAIN_S)

    async def find(self, wing: int) -> str | None:
        """Where its keeper was, or is now. Raises BooksGone."""
        if wing not in self._lanes:
            self._lanes[wing] = asyncio.ensure_future(asyncio.to_thread(self._pit.books.find_lane, wing))
        return await asyncio.shield(self._lanes[wing])

    async def _line(self, lane: str) -> _Line:
        """All commands to a house go by one connection. Raises LaneLost, NotLetIn."""
        known = self._lines.get(lane)
        if known is not None and known.done() and (known.cancelled() or known.exception() or known.result().is_lost):
            known = None
        if known is None:
            known = self._lines[lane] = asyncio.ensure_future(self._call(lane))
        return await asyncio.shield(known)

    async def _call(self, lane: str) -> _Line:
        wire = await call(lane, self.secret)
        wire.write(COMMANDS)
        return _Line(wire)

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            _log.error("%s", sentence)

    async def close(self) -> None:
        """What is under way is not waited for: it comes again under its key."""
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for made in await asyncio.gather(*self._lines.values(), return_exceptions=True):
            if isinstance(made, _Line):
                await made.close()


def give_answer(future: "Future[Answer]", answer: Answer) -> None:
    """Who does not wait any more is not told."""
    if future.set_running_or_notify_cancel():
        future.set_result(answer)
