"""The beacon follower: its newest round, and those that hands wait for.

A requested round is fetched until it exists, and no other takes its place. Every reported round was checked: its
number, its hash, and the chain's signature, in a thread.
"""

import asyncio
import logging
import queue
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from bot.beacon.chain import QUICKNET, Chain, name_of, read_info
from bot.beacon.relays import QUIET_S, TIMEOUT_S, Relays
from bot.beacon.rounds import KINDS, Failed, check_signature, read_round
from engine.fairness.beacon import CHAIN, PERIOD_S, BeaconRound, round_at, time_of

# Seconds between two requests for the newest round, and after a failed one; in between, rounds are counted by the
# monotonic clock.
LOOK_EVERY_S, LOOK_AGAIN_S = 30.0, 5.0
# Relays have a round a moment after its time; a relay without it after this many seconds is late.
GRACE_S = 2.0 * PERIOD_S
# Longest sleep, so that a change of the wall clock is noticed.
LONGEST_SLEEP_S = 1.0
_RETRY_S = 0.5
_MOST_KEPT = 64
_log = logging.getLogger("ridotto.beacon")
Tell = Callable[[BeaconRound], None]


class BeaconFollower:
    """The follower of a beacon.

    `open` and `close` belong to the event loop, `subscribe`, `request_round` and `forget` to any thread.

    chain, addresses    the hash of the chain, and who is asked for its rounds: as bot.config.RelaySettings has them
    clock, monotonic    of this machine: the first says which rounds are over
    timeout_s           for an answer
    second_s            how long a second of pause is, after a failure
    """

    def __init__(
        self,
        chain: str,
        addresses: tuple[str, ...],
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        timeout_s: float = TIMEOUT_S,
        second_s: float = 1.0,
    ) -> None:
        self._relays = Relays(
            [f"{address}/{chain}" for address in addresses],
            monotonic=monotonic, timeout_s=timeout_s, second_s=second_s,
        )  # fmt: skip
        # Those that were fetched and checked.
        self.rounds = 0
        self._hash = chain
        self._chain: Chain | None = QUICKNET if chain == CHAIN else None
        self._clock, self._monotonic, self._second_s = clock, monotonic, second_s
        # The newest fetched round, and the one from which rounds are counted since then.
        self._newest = 0
        self._seen: tuple[int, float] = (0, 0.0)
        self._look_at = 0.0
        # {wanted round: when it was last requested}.
        self._wanted: dict[int, float] = {}
        self._kept: OrderedDict[int, BeaconRound] = OrderedDict()
        # Rounds that other threads want (True) or no longer want.
        self._requests: queue.SimpleQueue[tuple[int, bool]] = queue.SimpleQueue()
        self._subscribers: tuple[Tell, ...] = ()
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._checker = ThreadPoolExecutor(1, thread_name_prefix="beacon")
        # Since when no relay answers, and when that, and a slow clock, were last logged.
        self._silent_since: float | None = None
        self._told_silence = self._told_clock = -QUIET_S

    @property
    def name(self) -> str:
        """Name of the chain: `quicknet`, or the hash of another one."""
        return name_of(self._hash)

    @property
    def newest(self) -> int:
        """A round that is surely over; 0 if none was seen.

        It is the newest that was seen, or a later one that has come since by the monotonic clock.
        """
        round, seen_at = self._seen
        return round + int((self._monotonic() - seen_at) / PERIOD_S) if round else 0

    @property
    def newest_at(self) -> int:
        """Return when the newest round that was fetched and checked was published, in seconds since 1970; 0 if none
        was.
        """
        return time_of(self._newest) if self._newest else 0

    @property
    def failures(self) -> dict[str, int]:
        """Return the relays' failures by kind."""
        return {kind: self._relays.failures[kind] for kind in KINDS}

    def subscribe(self, tell: Tell) -> Callable[[], None]:
        """Call `tell(round)` in the event loop for each wanted round that arrives. Returns a function that
        unsubscribes.
        """

        def told(round: BeaconRound) -> None:
            tell(round)

        def end() -> None:
            self._subscribers = tuple(one for one in self._subscribers if one is not told)

        self._subscribers = (*self._subscribers, told)
        return end

    def request_round(self, round: int) -> None:
        """Ask for a round: subscribers hear of it when it arrives, or at once if it is here."""
        self._request(round, True)

    def forget(self, round: int) -> None:
        """Stop waiting for a round."""
        self._request(round, False)

    def _request(self, round: int, is_wanted: bool) -> None:
        self._requests.put((round, is_wanted))
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake.set)

    async def open(self) -> None:
        """Fetch in the background, without waiting for a relay here."""
        await self._relays.open()
        self._loop = asyncio.get_running_loop()
        _log.info("the beacon is %s", self.name)
        if self._hash != CHAIN:
            _log.warning(
                "RIDOTTO_BEACON names a chain other than quicknet; other people's verifiers will not accept its rounds"
            )
        self._task = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Stop fetching and checking; subscribers are not called any more."""
        self._loop = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._checker.shutdown(wait=False, cancel_futures=True)
        await self._relays.close()

    async def _follow(self) -> None:
        while True:
            try:
                pause_s = await self._step()
            except Exception as fault:
                _log.error("the beacon failed: %s", type(fault).__name__, exc_info=fault)
                pause_s = LONGEST_SLEEP_S
            with suppress(TimeoutError):
                async with asyncio.timeout(min(pause_s, LONGEST_SLEEP_S)):
                    await self._wake.wait()
            self._wake.clear()

    async def _step(self) -> float:
        """Make one request if one is due, and return the seconds until the next may be."""
        self._run_errands()
        if self._chain is None:
            return await self._get_chain()
        if (until_look := self._look_at - self._monotonic()) <= 0:
            return await self._fetch_newest()
        # The one requested longest ago: a round that no relay has must not block the others.
        _asked_at, round = min(
            ((at, round) for round, at in self._wanted.items() if self._is_over(round)), default=(0, 0)
        )
        if round:
            return await self._fetch(round)
        return min([until_look, *(time_of(round) - self._clock() for round in self._wanted)])

    def _is_over(self, round: int) -> bool:
        return time_of(round) <= self._clock()

    def _run_errands(self) -> None:
        while not self._requests.empty():
            round, is_wanted = self._requests.get()
            if not is_wanted:
                self._wanted.pop(round, None)
            elif round in self._kept:
                self._notify_subscribers(self._kept[round])
            else:
                self._wanted.setdefault(round, 0.0)

    async def _get_chain(self) -> float:
        """Fetch the key of a chain that is not quicknet; nothing can be checked before."""

        async def parse_chain(data: bytes) -> Chain:
            return read_info(data, self._hash)

        self._chain = await self._relays.fetch_first("info", parse_chain, is_due=True)
        return self._note(is_answered=self._chain is not None)

    async def _fetch(self, round: int) -> float:
        """Fetch a wanted round that is over by this machine's clock."""
        self._wanted[round] = self._monotonic()

        async def parse_round(data: bytes) -> BeaconRound:
            return await self._checked(read_round(data, round))

        is_late = self._clock() >= time_of(round) + GRACE_S
        got = await self._relays.fetch_first(f"public/{round}", parse_round, is_due=is_late)
        if got is not None:
            self._keep_round(got)
        return self._note(is_answered=got is not None)

    async def _fetch_newest(self) -> float:
        """Fetch the newest round; a relay without one of the last few is late."""

        async def parse_newest(data: bytes) -> BeaconRound:
            round = read_round(data, None)
            behind_s = self._clock() - time_of(round.round)
            if behind_s > PERIOD_S + GRACE_S:
                raise Failed("late", f"its newest round is {behind_s:.0f} s old by this machine's clock")
            return await self._checked(round)

        got = await self._relays.fetch_first("public/latest", parse_newest, is_due=True)
        if got is not None:
            self._keep_round(got)
        self._look_at = self._monotonic() + (LOOK_EVERY_S if got else LOOK_AGAIN_S * self._second_s)
        return self._note(is_answered=got is not None)

    async def _checked(self, round: BeaconRound) -> BeaconRound:
        """Return a round that passed all checks. Raises Failed."""
        assert self._chain is not None
        key, loop = self._chain.key, asyncio.get_running_loop()
        await loop.run_in_executor(self._checker, check_signature, round, key)
        return round

    def _keep_round(self, round: BeaconRound) -> None:
        self.rounds += 1
        self._kept[round.round] = round
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        self._newest = max(self._newest, round.round)
        if round.round >= self.newest:
            self._seen = (round.round, self._monotonic())
            self._compare_clocks(round.round)
        if round.round in self._wanted:
            del self._wanted[round.round]
            self._notify_subscribers(round)

    def _notify_subscribers(self, round: BeaconRound) -> None:
        for tell in self._subscribers:
            tell(round)

    def _compare_clocks(self, newest: int) -> None:
        """Warn about this machine's clock if a round has come before its time."""
        if newest > round_at(self._clock()) and self._monotonic() - self._told_clock >= QUIET_S:
            self._told_clock = self._monotonic()
            behind_s = time_of(newest) - self._clock()
            _log.warning("this machine's clock is at least %.0f s behind the beacon; correct it", behind_s + 0.5)

    def _note(self, *, is_answered: bool) -> float:
        """Note the result of one request: log the begin and end of an outage, and return the pause before the next
        request.
        """
        now = self._monotonic()
        if is_answered:
            if self._silent_since is not None and self._told_silence >= self._silent_since:
                _log.info("the beacon answers again, after %.0f s", now - self._silent_since)
            self._silent_since = None
            return 0.0
        if self._relays.all_fail:
            self._silent_since = now if self._silent_since is None else self._silent_since
            if now - self._told_silence >= QUIET_S:
                self._told_silence = now
                _log.warning("no relay of the beacon answers; hands keep waiting for their round")
        return max(self._relays.pause_s, _RETRY_S * self._second_s)
