"""`ridotto` as on a system without `fcntl`, `resource` and `pwd`: none of them can be imported.

A module with Windows' file locks takes the system's part: a number of bytes from the file's position. There is no
/proc, and no signal when a terminal closes.
"""

import builtins
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MISSING = ("fcntl", "resource", "pwd")


class Refusing:
    """An import hook that comes before all others."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


class Msvcrt(ModuleType):
    LK_NBLCK = 2

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert mode == self.LK_NBLCK
        os.lockf(descriptor, os.F_TLOCK, count)  # from the file's position; OSError if another process has locked it


def hiding(look: Callable[..., Any]) -> Callable[..., Any]:
    def hidden(path: Any, *more: Any, **named: Any) -> Any:
        if str(path).startswith(("/proc", "/dev/fd")):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return look(path, *more, **named)

    return hidden


def main() -> int:
    assert not [name for name in MISSING if name in sys.modules], "what is here already cannot be kept out"
    sys.meta_path.insert(0, Refusing())
    import_module("subprocess")  # which takes a system that has `msvcrt` for Windows in all else
    sys.modules["msvcrt"] = Msvcrt("msvcrt")
    for name in ("SIGHUP", "SIGUSR1"):
        delattr(signal, name)
    del os.sysconf
    builtins.open, os.listdir = hiding(builtins.open), hiding(os.listdir)
    from bot.__main__ import main

    status = main()
    assert not [name for name in MISSING if name in sys.modules]
    return status


if __name__ == "__main__":
    sys.exit(main())
