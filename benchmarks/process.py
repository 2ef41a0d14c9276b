"""A casino in a separate process, and its CPU use."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from benchmarks.machine import cpu_s, rss_mib

PATIENCE_S = 180.0


class House(NamedTuple):
    """The process; `url` is its lounge's."""

    number: int
    url: str

    def cpu_s(self) -> float:
        """Return the CPU time so far, that of child processes included."""
        return sum(map(cpu_s, (self.number, *_below(self.number))))

    def rss_mib(self) -> float:
        """Return the memory of the casino's process alone."""
        return rss_mib(self.number)


@asynccontextmanager
async def open_house(data: Path, settings: Mapping[str, str]) -> AsyncIterator[House]:
    """Open a casino, yield once its sockets listen, and end it. Raises ChildProcessError if it does not open."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
    env |= {"RIDOTTO_DATA": str(data), "RIDOTTO_WEB": "127.0.0.1:0", "RIDOTTO_GUESTS": "0", **settings}
    with TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", env=env, stdout=asyncio.subprocess.PIPE, stderr=log
        )
        assert process.stdout is not None
        try:
            line = (await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)).decode()
            if not line:
                raise ChildProcessError(f"the house did not open: {_last_line(log)}")
            yield House(process.pid, line.partition(": ")[2].strip())
        finally:
            if process.returncode is None:
                process.terminate()
            await process.communicate()


def _last_line(log: IO[bytes]) -> str:
    log.seek(0)
    lines = log.read().decode(errors="replace").splitlines()
    return lines[-1] if lines else "it said nothing"


def _below(number: int) -> Iterator[int]:
    """Return the child processes of a process, and theirs (Linux)."""
    for task in Path(f"/proc/{number}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from _below(int(child))
