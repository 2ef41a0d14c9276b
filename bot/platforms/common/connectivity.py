"""Connectivity: which places cannot be reached. The writer stops the clocks there.

A place is away while at least one cause holds: the platform does not answer, a shard has no gateway, a chat is
rate-limited.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from bot.core.access import Access
from bot.core.casinos.places import internal_command_of
from bot.core.state.place import Place
from bot.platforms.common.context import new_key

# The address of the whole platform.
EVERYWHERE = ""
SLOW_S = 5.0
ASK_AGAIN_S, MOST_ASK_AGAIN_S = 1.0, 15.0
API = ("api",)
Cause = tuple[str | int, ...]
_log = logging.getLogger("ridotto.platforms")


class _Outage(NamedTuple):
    """The addresses that a cause makes unreachable, and since when."""

    addresses: tuple[str, ...]
    since: float


class Connectivity:
    """Connectivity of one platform. Belongs to the event loop. A cause is a tuple whose first word is its kind.

    answers        probes the platform; may take `slow_s` at most
    is_unreached   whether an exception means that the platform was not reached
    on_back        called with a removed cause and the addresses that can be reached again
    sleep          waits between two probes, which are `most_ask_again_s` apart at most
    """

    def __init__(
        self,
        writer: Access,
        platform: str,
        *,
        answers: Callable[[], Awaitable[bool]],
        is_unreached: Callable[[BaseException], bool],
        on_back: Callable[[Cause, Iterable[str]], None],
        slow_s: float = SLOW_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        most_ask_again_s: float = MOST_ASK_AGAIN_S,
    ) -> None:
        self._writer, self._platform, self.slow_s = writer, platform, slow_s
        self._answers, self._is_unreached, self._on_back = answers, is_unreached, on_back
        self._causes: dict[Cause, _Outage] = {}
        self._away: Counter[str] = Counter()
        self._sleep, self._most_ask_again_s = sleep, most_ask_again_s
        self._asking: asyncio.Task[None] | None = None
        self._found_at = float("-inf")
        self._loop: asyncio.AbstractEventLoop | None = None

    def close(self) -> None:
        """Stop probing."""
        if self._asking is not None:
            self._asking.cancel()

    @property
    def is_silent(self) -> bool:
        """Return whether the platform does not answer, so that messages are lost or late."""
        return API in self._causes

    def reaches(self, address: str) -> bool:
        return not self._away[EVERYWHERE] and not self._away[address]

    def lose(self, cause: Cause, places: Iterable[str] = (EVERYWHERE,), since: float | None = None) -> None:
        """Mark places as unreachable for a cause. Repeating it changes nothing."""
        if cause in self._causes:
            return
        since = self._writer.clock() if since is None else since
        self._causes[cause] = lost = _Outage(tuple(dict.fromkeys(places)), since)
        self._away.update(lost.addresses)
        self._report_addresses("away", [one for one in lost.addresses if self._away[one] == 1], str(since))

    def recover(self, cause: Cause) -> None:
        """Remove a cause, and report the places that can be reached again."""
        if cause not in self._causes:
            return
        addresses = self._causes.pop(cause).addresses
        self._away.subtract(addresses)
        back = [one for one in addresses if not self._away[one]]
        for address in back:
            del self._away[address]
        self._report_addresses("back", back)
        self._found_at = self._writer.monotonic()
        self._on_back(cause, back)

    def divide(self, cause: Cause, among: Mapping[Cause, Iterable[str]]) -> None:
        """Replace a cause by others with the same start; places of none of them can be reached again."""
        if cause in self._causes:
            since = self._causes[cause].since
            for other, places in among.items():
                self.lose(other, places, since)
            self.recover(cause)

    def was_lost(self, within_s: float) -> bool:
        """Return whether something is unreachable, or was within the last `within_s` seconds."""
        return bool(self._causes) or self._writer.monotonic() - self._found_at < within_s

    def _report_addresses(self, verb: str, addresses: Sequence[str], *args: str) -> None:
        """Report all addresses to the writer in one command, which counts wholly or not at all; retry if it is busy."""
        if not addresses:
            return
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._writer.on_new_writer.append(self._tell_new_writer)
        where = Place(self._platform, EVERYWHERE)
        told = self._writer.submit(internal_command_of(new_key(self._platform), where, verb, *args, *addresses))
        if told.done() and told.result().refused:
            asyncio.get_running_loop().call_later(ASK_AGAIN_S, self._tell_again, addresses)

    def _tell_new_writer(self) -> None:
        """Report the present state to another writer, in any thread."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(lambda: self._tell_again([*{EVERYWHERE: 1, **self._away}]))

    def _tell_again(self, addresses: Sequence[str]) -> None:
        """Report the present state of these addresses again."""
        away = [one for one in addresses if self._away[one]]
        since = min((lost.since for lost in self._causes.values() if {*lost.addresses} & {*away}), default=0.0)
        self._report_addresses("away", away, str(since))
        self._report_addresses("back", [one for one in addresses if not self._away[one]])

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch a call: if it takes long, the platform is doubted meanwhile."""
        began = self._writer.clock()
        slow = asyncio.get_running_loop().call_later(self.slow_s, self.doubt, began)
        try:
            yield
        except Exception as fault:
            if self._is_unreached(fault):
                self.doubt(began)
            raise
        finally:
            slow.cancel()

    def doubt(self, since: float) -> None:
        """Doubt the platform after a failed call: probe until it answers."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._await_answer(since))

    async def _await_answer(self, since: float) -> None:
        wait = min(ASK_AGAIN_S, self._most_ask_again_s)
        while not await self._answers():
            if API not in self._causes:
                _log.warning("%s does not answer; clocks of its tables are paused until it does", self._platform)
                self.lose(API, since=since)
            await self._sleep(wait)
            wait = min(self._most_ask_again_s, 2 * wait)
        self.recover(API)
