"""People play, one fault follows another, and the store is compared with all answers."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from storage.postgres import PostgresStore
from tests.kills.deeds import Deeds
from tests.kills.evidence import STOPPED, EvidenceOnServer, unsigned_logs
from tests.kills.test_kills import check_the_end
from tests.nemesis.city import City
from tests.nemesis.evidence import faults_of_answers, faults_of_order, open_hands, watch_writers
from tests.nemesis.faults import FAULTS, draw
from tests.nemesis.state import describe
from tests.patience import PATIENCE_S

# Number of faults between two checks of the store, and how long people play between two faults.
LOOK_EVERY, PAUSE_S = 5, (0.3, 3.0)
# After the last fault.
QUIET_S = 3.0
# A hand of stud in which every decision waits for its clock takes minutes.
ENDS_S = 400.0
# Expected log lines of a node here: it ends, and says why.
MEANT = (
    STOPPED,
    "and start the casino again",
    "refuses the connection",
    "is in recovery and read-only",
    "was written by a newer Ridotto",
)


@dataclass
class Report:
    """Events and findings. `wrong` is empty if all held."""

    seed: int
    faults: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"seed {self.seed}: {self.faults.total()} faults"]
        lines += [f"  {name}: {number}" for name, number in sorted(self.faults.items())]
        lines += [f"  {name}: {number}" for name, number in self.counts.items()]
        return "\n".join([*lines, *(f"  WRONG: {one}" for one in self.wrong)])


class Campaign:
    """A campaign; `tell` reports its progress."""

    def __init__(self, folder: Path, seed: int, houses: int, tell: Callable[[str], None]) -> None:
        self._folder, self._rng, self._houses, self._tell = folder, Random(seed), houses, tell
        self.report = Report(seed)

    async def run(self, times: int) -> Report:
        """Inject this many faults, or stop at the first finding."""
        began = time.monotonic()
        async with City(self._folder, self.report.seed, self._houses) as city:
            self._city, self._evidence = city, EvidenceOnServer(self._store(city), city.folder, city.deeds)
            await city.settle()
            await city.plays_everywhere()
            await asyncio.to_thread(watch_writers, city.pair.primary)
            for number, name in enumerate(draw(self._rng, times), start=1):
                await self._befall(number, name)
                if self.report.wrong:
                    return self.report
            await self._end()
        self.report.counts["seconds"] = int(time.monotonic() - began)
        return self.report

    def _store(self, city: City) -> PostgresStore:
        """Return the store on the present primary, past all networks, however slow the machine."""
        address = city.pair.primary.address(connect_timeout=f"{PATIENCE_S:.0f}")
        return PostgresStore(address, self._folder)

    async def _befall(self, number: int, name: str) -> None:
        city = self._city
        self._tell(f"{number}: {name}")
        await FAULTS[name](city, self._rng)
        self.report.faults[name] += 1
        await asyncio.sleep(self._rng.uniform(*PAUSE_S))
        city.check()
        city.repeat()
        if number % LOOK_EVERY == 0:
            before = city.answered()
            await city.is_open()
            await self._somebody_is_answered(before)
            await self._look()

    async def _somebody_is_answered(self, before: int) -> None:
        """Wait until someone is answered again."""
        give_up_s = time.monotonic() + PATIENCE_S
        while self._city.answered() <= before:
            self._city.check()
            if time.monotonic() > give_up_s:
                self.report.wrong.append(f"nobody was answered for {PATIENCE_S} s")
                self._tell("\n".join(await describe(self._city)))
                return
            await asyncio.sleep(0.1)

    async def _look(self, *, anew: bool = False) -> None:
        """Check in another thread, because this one runs the networks. What was acknowledged before must be there."""
        evidence, deeds = self._evidence, self._city.deeds
        evidence.store = self._store(self._city)
        evidence.deeds = Deeds(deeds.all, deeds.take_told())
        self.report.wrong += await asyncio.to_thread(self._find_wrong, anew)

    def _find_wrong(self, anew: bool) -> list[str]:
        found = self._evidence.look(anew=anew)
        with self._evidence.books() as books:
            return [*found, *faults_of_order(books), *faults_of_answers(books, self._city.deeds)]

    async def _end(self) -> None:
        city, counts = self._city, self.report.counts
        await city.is_open()
        await asyncio.sleep(QUIET_S)
        await city.fall_silent()
        self._evidence.store = self._store(city)
        await self._every_hand_ends()
        await self._every_log_is_signed()
        await city.shut_houses()
        await self._look(anew=True)
        counts |= Counter({f"houses that ended with {status}": number for status, number in city.ends.items()})
        if not self.report.wrong:
            await asyncio.to_thread(check_the_end, city, self._evidence, counts, MEANT)

    async def _every_hand_ends(self) -> None:
        """Wait until clocks have ended all hands in play; no one acts any more."""
        give_up_s = time.monotonic() + ENDS_S
        left = await asyncio.to_thread(self._open_hands)
        while left := left & await asyncio.to_thread(self._open_hands):
            if time.monotonic() > give_up_s:
                self.report.wrong.append(f"hands {left} do not end")
                return
            await asyncio.sleep(0.5)

    async def _every_log_is_signed(self) -> None:
        """Wait until heads cover all entries, so that every hand can be proven."""
        give_up_s = time.monotonic() + ENDS_S
        while left := await asyncio.to_thread(self._unsigned_logs):
            if time.monotonic() > give_up_s:
                self.report.wrong.append(f"logs {left} are not signed")
                return
            await asyncio.sleep(0.5)

    def _unsigned_logs(self) -> list[tuple[int, int]]:
        with self._evidence.books() as books:
            return unsigned_logs(books)

    def _open_hands(self) -> set[int]:
        with self._evidence.books() as books:
            return open_hands(books)
