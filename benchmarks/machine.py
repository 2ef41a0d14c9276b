"""Facts about the machine: memory, the disk's flushes, percentiles, its description."""

import os
import platform
import sqlite3
import subprocess
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

_MIB = 1024 * 1024


def rss_mib(process: int | str = "self") -> float:
    """Return the memory of a process that is not swapped or shared out (Linux)."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / _MIB, 1)


def fsync_ms(folder: Path, times: int = 50) -> float:
    """Return the time in which the disk flushes four kilobytes: the lower bound of every commit."""
    path, waits = folder / "fsync", []
    with path.open("wb", buffering=0) as file:
        for _time in range(times):
            file.write(bytes(4096))
            started = time.perf_counter()
            os.fsync(file.fileno())
            waits.append(time.perf_counter() - started)
    path.unlink()
    return milliseconds(median(waits))


def drop_from_cache(folder: Path) -> None:
    """Write the files of a folder to the disk and drop them from the page cache, as after a reboot (Linux)."""
    for path in folder.iterdir():
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def percentile(waits: Sequence[float], share: float) -> float:
    """Return a percentile of sorted seconds; 0 for none."""
    return waits[min(len(waits) - 1, int(len(waits) * share))] if waits else 0.0


def milliseconds(seconds: float) -> float:
    """Return milliseconds with two decimals, for a table."""
    return round(seconds * 1000, 2)


def describe_machine() -> dict[str, str | int]:
    """Return the facts that belong to every figure."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": _commit(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def _commit() -> str:
    """Return the short hash of this checkout, marked if files differ from it; "unknown" outside one."""
    asked = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--exclude", "*"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown"


def cpu_s(process: int | str = "self") -> float:
    """Return the CPU time of a process so far, in seconds (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
