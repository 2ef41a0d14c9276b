"""Relays of the beacon, asked in turn: the last one to answer first; a failing one is skipped for a while.

Each failure of a relay is counted, and each kind is logged at most once in ten minutes.
"""

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import aiohttp

from bot.beacon.rounds import LONGEST_ANSWER, Failed

T = TypeVar("T")
TIMEOUT_S = 4.0
# Each kind of failure of a relay is logged once in this many seconds.
QUIET_S = 600.0
# {kind: how long a relay is skipped after the first failure, and at most; it doubles}
_PAUSES = {"silent": (1, 30), "refused": (2, 60), "late": (1, 30), "wrong": (10, 300), "forged": (60, 300)}
# Statuses for a missing round: drand's own, and that of relays that wait until the round is over.
_HAS_NONE = (404, 425)
_log = logging.getLogger("ridotto.beacon")


@dataclass
class _Relay:
    """A relay: `failures` since its last answer; `until`, and when each kind was `told`, by the monotonic clock."""

    address: str
    failures: int = 0
    until: float = 0.0
    told: dict[str, float] = field(default_factory=dict)


class Relays:
    """The relays of a chain, asked one after the other. Belongs to the event loop that opens it.

    A second of pause is `second_s` long.
    """

    def __init__(
        self,
        addresses: Sequence[str],
        *,
        monotonic: Callable[[], float] = time.monotonic,
        timeout_s: float = TIMEOUT_S,
        second_s: float = 1.0,
    ) -> None:
        self.failures: Counter[str] = Counter()
        self._relays = [_Relay(address) for address in addresses]
        self._monotonic, self._timeout_s, self._second_s = monotonic, timeout_s, second_s
        self._first = 0
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Open the session for requests. A proxy is taken from the environment."""
        self._session = aiohttp.ClientSession(
            auto_decompress=False,  # a short answer may unpack to a long one
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": "Ridotto", "Accept-Encoding": "identity"},
            timeout=aiohttp.ClientTimeout(total=self._timeout_s),
            trust_env=True,
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    @property
    def all_fail(self) -> bool:
        """Check whether every relay has failed since its last answer."""
        return all(relay.failures for relay in self._relays)

    @property
    def pause_s(self) -> float:
        """Return the seconds until the first relay may be asked again."""
        return max(0.0, min(relay.until for relay in self._relays) - self._monotonic())

    async def fetch_first(self, path: str, read: Callable[[bytes], Awaitable[T]], *, is_due: bool) -> T | None:
        """Return what `read` makes of the first answer that it accepts, or None. `read` raises Failed for bad answers.

        A round that is not `is_due` may be missing: a relay that does not have it yet has not failed.
        """
        for relay in self._in_turn():
            try:
                answer = await read(await self._fetch_from(f"{relay.address}/{path}"))
            except Failed as failed:
                if failed.kind != "late" or is_due:
                    self._note(relay, failed)
            else:
                relay.failures = 0
                self._first = self._relays.index(relay)
                return answer
        return None

    def _in_turn(self) -> list[_Relay]:
        now = self._monotonic()
        turn = self._relays[self._first :] + self._relays[: self._first]
        return [relay for relay in turn if relay.until <= now]

    async def _fetch_from(self, address: str) -> bytes:
        """Return a relay's answer, reading at most its largest size. Raises Failed."""
        assert self._session is not None
        try:
            async with self._session.get(address, allow_redirects=False) as answer:
                if answer.status in _HAS_NONE:
                    raise Failed("late", "it has no such round")
                if answer.status != 200:
                    raise Failed("refused", f"its answer has the status {answer.status}")
                data = b""
                async for chunk in answer.content.iter_chunked(LONGEST_ANSWER):
                    data += chunk
                    if len(data) > LONGEST_ANSWER:
                        raise Failed("wrong", f"its answer is longer than {LONGEST_ANSWER} bytes")
                return data
        except TimeoutError:
            raise Failed("silent", f"no answer within {self._timeout_s:g} s") from None
        except (aiohttp.ClientError, OSError, UnicodeError) as fault:
            raise Failed("silent", f"it cannot be reached ({type(fault).__name__})") from None

    def _note(self, relay: _Relay, failed: Failed) -> None:
        first_s, longest_s = _PAUSES[failed.kind]
        now = self._monotonic()
        pause_s = min(first_s * 2 ** min(relay.failures, 10), longest_s) * self._second_s
        relay.failures += 1
        relay.until = now + pause_s
        self.failures[failed.kind] += 1
        if now - relay.told.get(failed.kind, -QUIET_S) >= QUIET_S:
            relay.told[failed.kind] = now
            level = logging.ERROR if failed.kind == "forged" else logging.WARNING
            said = "beacon relay %s is not asked for %g s (%s): %s"
            _log.log(level, said, relay.address, pause_s, failed.kind, failed)
