"""Differences between operating systems: locks, limits, signals, rights, resource use.

No other module imports what some system lacks. Knows nothing of books.
"""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import IO

try:
    import fcntl
    import resource
except ImportError:  # Windows
    fcntl = resource = None  # type: ignore[assignment]

# When the process began, in Unix time; a moment later, because it is measured at import.
STARTED = time.time()
# Windows may update a file's time only when it is closed.
WRITES_SHOW_AT_ONCE = fcntl is not None
# Closing a terminal sends SIGHUP, closing a window of Windows SIGBREAK; no system has both.
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
_EVEN: int | None = getattr(time, "CLOCK_BOOTTIME", None)
# Where the system lists a process's open files.
_OPEN_FILES = "/dev/fd"


def lock(file: IO[str]) -> None:
    """Lock a file until it is closed. Raises OSError if another process holds the lock."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        msvcrt = import_module("msvcrt")
        file.seek(0)
        # Byte offset of the lock; the byte need not exist.
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)


def keep_private() -> None:
    """Make files that this process creates private to its user. On Windows a file is as open as its folder."""
    os.umask(0o077)


def raise_open_limit(wanted: int) -> int:
    """Raise the limit of open files and sockets towards `wanted`; return what the process may have."""
    if resource is None:  # Windows does not count sockets as files
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return wanted if soft == resource.RLIM_INFINITY else soft


def count_open() -> int | None:
    """Count the open files and sockets of this process; None where the system does not tell."""
    try:
        return len(os.listdir(_OPEN_FILES)) - 1  # the listing itself is one
    except FileNotFoundError:
        return None


def resident_bytes() -> int | None:
    """Return the resident memory of this process in bytes; None where the system does not tell (all but Linux)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except FileNotFoundError:
        return None


def elapsed_s() -> float:
    """Return a monotonic time, which includes sleep of the machine where the system has such a clock."""
    return time.clock_gettime(_EVEN) if _EVEN is not None else time.monotonic()


def hear_end(end: Callable[[], object]) -> None:
    """Call `end`, between two steps of the main thread, when the process is asked to end.

    A RuntimeError of `end` is ignored: the event loop that should have been told has ended.
    """

    def forward_signal(number: int, frame: object) -> None:
        with suppress(RuntimeError):
            end()

    for number in _ENDING:
        # Started with `nohup`: ignore the end of the terminal.
        if signal.Signals(number).name != "SIGHUP" or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, forward_signal)


@contextmanager
def ending(told: threading.Event, grace_s: float, end: Callable[[], object]) -> Iterator[None]:
    """Set `told` when the process is asked to end. If the block is not left within `grace_s`, call `end` in another
    thread: the main thread may hang in a call that hears no signal.
    """
    hear_end(told.set)
    # Written by the system's own handler, whatever Python is doing.
    hears, speaks = socket.socketpair()
    speaks.setblocking(False)
    before = signal.set_wakeup_fd(speaks.fileno(), warn_on_full_buffer=False)
    is_left = threading.Event()

    def wait() -> None:
        while number := hears.recv(1):
            if number[0] in _ENDING:
                told.set()
                if not is_left.wait(grace_s):
                    end()
                return

    waiting = threading.Thread(target=wait, name="ending", daemon=True)
    waiting.start()
    try:
        yield
    finally:
        is_left.set()
        signal.set_wakeup_fd(before)
        speaks.close()
        waiting.join()
        hears.close()


def hear_nothing() -> None:
    """Ignore the terminal's interrupt in a child process: it ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def hear_no_more() -> None:
    """Ignore further signals, so that a second one does not kill a process that closes its books."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
