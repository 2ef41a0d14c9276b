"""`python -m tests.dealt ...` is `ridotto ...` with its chance fixed: the same said in the same order brings the same
cards. In real time the order may change, so a test takes whatever is dealt.

A house that is started again on the same books needs another `DEALT`: no two hands have the same seed.

`LEASE_S` is how long its lease on a server's books lasts: no machine is so slow that it loses them. `AHEAD_S` is by how
much its clock is wrong; `CLOCK` is a file that says so, and may say something else at any time.
"""

import mmap
import os
import random
import struct
import sys
import time
from functools import partial
from importlib import import_module
from typing import Any

import bot.core.writer

# What a file of `CLOCK` holds: seconds.
AHEAD = struct.Struct("d")


def fix_chance() -> None:
    """Every writer of this process has its entropy from `DEALT`."""
    chance = random.Random(os.environ.get("DEALT", "first"))
    dealt = partial(bot.core.writer.Writer, entropy=chance.randbytes)
    for name in ("bot.core.writer", "bot.run"):
        if name in sys.modules:
            sys.modules[name].Writer = dealt  # type: ignore[attr-defined]


def set_lease() -> None:
    if term_s := os.environ.get("LEASE_S"):
        postgres: Any = import_module("storage.postgres")
        postgres.PostgresStore = partial(postgres.PostgresStore, term_s=float(term_s))


def set_clock() -> None:
    """Before anybody has taken it: `time.time` is what the process takes for the time."""
    if ahead_s := float(os.environ.get("AHEAD_S", "0")):
        right = time.time
        time.time = lambda: right() + ahead_s
    if clock := os.environ.get("CLOCK"):
        follow_clock(clock)


def follow_clock(file: str) -> None:
    """By as many seconds as it says at the moment."""
    right = time.time
    with open(file, "rb") as opened:
        ahead = mmap.mmap(opened.fileno(), AHEAD.size, access=mmap.ACCESS_READ)
    time.time = lambda: right() + AHEAD.unpack_from(ahead)[0]


if __name__ == "__main__":
    fix_chance()
    set_lease()
    set_clock()
    from bot.__main__ import main

    sys.exit(main())
