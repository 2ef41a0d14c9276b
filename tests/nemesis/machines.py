"""A machine with one node, started again whenever it ends, and its networks to the store."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.dealt import AHEAD
from tests.kills.house import House, Nursery
from tests.patience import PATIENCE_S
from tests.ports import free_port
from tests.postgres_server import USER, Server
from tests.wires import Wire

# Restart delays, as of a supervisor.
RESTART_S = 0.2


class Machine:
    """A machine; `life` is its present process."""

    def __init__(self, number: int, folder: Path, servers: Sequence[Server]) -> None:
        self.number, self.folder = number, folder / f"machine {number}"
        self.folder.mkdir()
        self.life: House | None = None
        self.ends: Counter[int] = Counter()
        self.to_books = [Wire(server.folder / ".s.PGSQL.5432") for server in servers]
        self._web = free_port()
        self._clock = self.folder / "clock"
        self.set_clock(0.0)
        self._nursery: Nursery | None = None

    async def open(self) -> None:
        """Open the networks; the first process comes with `run`."""
        ports = [await wire.open() for wire in self.to_books]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        # Longer than a node would wait by itself, because a busy machine is slow.
        given = f"target_session_attrs=read-write&connect_timeout={PATIENCE_S / 4:.0f}"
        self.books = f"postgresql://{USER}@{hosts}/postgres?{given}"
        self.settings = {
            "RIDOTTO_BOOKS": self.books,
            "RIDOTTO_WEB": f"127.0.0.1:{self._web}",
            "RIDOTTO_DATA": str(self.folder / "data"),
            "CLOCK": str(self._clock),
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._web}"

    async def run(self, environment: Mapping[str, str], log: Path) -> None:
        """Run one process after the other, for ever."""
        while True:
            out = self.folder / f"said {self.ends.total()}"
            out.write_text("")
            self.life = await self._bear({**environment, **self.settings, "OUT": str(out), "LOG": str(log)}, out)
            await self.life.died.wait()
            ended = await self.life.end(signal.SIGKILL)
            # The signal came before it could be handled.
            is_too_early = ended == -signal.SIGTERM and not self.life.opened.is_set()
            self.ends[0 if is_too_early else ended] += 1
            await asyncio.sleep(RESTART_S)

    async def _bear(self, environment: dict[str, str], out: Path) -> House:
        if self._nursery is None:
            self._nursery = await Nursery.open()
        environment["DEALT"] = f"{environment['DEALT']} {self.number} {self.ends.total()}"
        number, ended = await self._nursery.bear(environment)
        house = House(number, out, ended)
        house.url = self.url
        return house

    @property
    def is_alive(self) -> bool:
        return self.life is not None and self.life.lives

    @property
    def is_open(self) -> bool:
        """Return whether the process lives and has announced that it is open."""
        return self.life is not None and self.life.lives and self.life.opened.is_set()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if there is one."""
        if self.life is not None and self.life.lives:
            with suppress(ProcessLookupError):  # it had ended already
                os.kill(self.life.number, number)

    def set_clock(self, ahead_s: float) -> None:
        """Set the clock of the present and later processes; the file stays the one that they have mapped."""
        self.ahead_s = ahead_s
        with open(self._clock, "r+b" if self._clock.exists() else "wb") as file:
            file.write(AHEAD.pack(ahead_s))

    async def close(self) -> None:
        if self.life is not None:
            self.signal(signal.SIGCONT)
            self.ends[await self.life.end(signal.SIGKILL)] += 1
            self.life = None
        if self._nursery is not None:
            await self._nursery.close()
            self._nursery = None
        for wire in self.to_books:
            await wire.close()
