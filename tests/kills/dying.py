"""`DIES=N python -m tests.kills.dying ...` is `python -m tests.dealt ...` that kills itself with SIGKILL before its
store changes a file for the N-th time.

SQLite's system calls can be replaced, so that a death falls within a commit: after half of a write, between the journal
and the page, before the journal is deleted. From outside such moments are hit by luck only.
"""

import ctypes
import functools
import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from typing import Any

from tests.dealt import add_steps, fix_chance, set_clock, set_lease

_POINTER = ctypes.c_void_p


class _Vfs(ctypes.Structure):
    """`sqlite3_vfs` of sqlite3.h, version 3."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("os_file", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", _POINTER),
        ("name", ctypes.c_char_p),
        ("data", _POINTER),
        ("methods", _POINTER * 13),
        ("set_system_call", ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_char_p, _POINTER)),
        ("get_system_call", ctypes.CFUNCTYPE(_POINTER, _POINTER, ctypes.c_char_p)),
    ]


# Calls that change a file or a folder: their arguments, and which of them are (bytes, how many).
_CALLS: dict[str, tuple[Any, int | None]] = {
    "write": (ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, _POINTER, ctypes.c_size_t), 2),
    "pwrite": (ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, _POINTER, ctypes.c_size_t, ctypes.c_long), 2),
    "pwrite64": (ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, _POINTER, ctypes.c_size_t, ctypes.c_long), 2),
    "ftruncate": (ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_long), None),
    "unlink": (ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p), None),
}
_kept: list[Any] = []


def can_die() -> bool:
    """Return whether this Python's SQLite is a library whose calls can be replaced."""
    return _find_library() is not None


def die_at(number: int, *, lingers_s: float = 0.0) -> None:
    """Kill this process before SQLite changes a file for the N-th time; 0 is never.

    `lingers_s`: it dies slowly, as on a slow disk, so that premature answers have time to get out.
    """
    library = _find_library()
    assert library is not None
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    vfs = library.sqlite3_vfs_find(None)
    count = 0

    def meet(original: Any, size: int | None, *arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == number:
            if size is not None:  # torn: half of it is there
                original(*arguments[:size], arguments[size] // 2, *arguments[size + 1 :])
            time.sleep(lingers_s)
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*arguments)

    for name, (kind, size) in _CALLS.items():
        address = vfs.contents.get_system_call(vfs, name.encode())
        if address:
            replaced = kind(functools.partial(meet, kind(address), size))
            _kept.append(replaced)
            vfs.contents.set_system_call(vfs, name.encode(), ctypes.cast(replaced, _POINTER))


@functools.cache
def _find_library() -> Any:
    with closing(sqlite3.connect(":memory:")), open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "libsqlite3" in line}
    return ctypes.CDLL(paths.pop()) if len(paths) == 1 else None


def _hurry() -> None:
    """Shorten hands: ready ends the betting at once, and stud does not pause between hands. `PACE_S` is the decision
    time.
    """
    from bot.core.rounds import betting, cash_table, playing
    from bot.core.state.table import PACES

    betting.READY_AFTER_S, cash_table.BETWEEN_HANDS_S = 0.0, 1
    if pace_s := os.environ.get("PACE_S"):
        PACES["normal"] = playing.TIME_BANK_S = float(pace_s)


def main(arguments: list[str] | None = None) -> int:
    from bot.__main__ import main as run

    fix_chance()
    set_lease()
    add_steps()
    set_clock()
    _hurry()
    if number := int(os.environ.get("DIES", "0")):
        die_at(number, lingers_s=0.25)
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
