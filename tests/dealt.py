"""`python -m tests.dealt ...` is `ridotto ...` with fixed randomness: the same commands in the same order deal the same
cards. In real time the order may change, so a test accepts any deal.

A process that starts again on the same store needs another `DEALT`, because no two hands may have the same seed.

`SCHEMA` is the number of steps of this version's schema; further ones change nothing.

`LEASE_S` is the term of its lease on a server's store: long enough for any slow machine. `AHEAD_S` is the error of its
clock; `CLOCK` is a file with that error, which may change at any time.
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

# Unit of a file in `CLOCK`: seconds.
AHEAD = struct.Struct("d")


def fix_chance() -> None:
    """Give every writer of this process its entropy from `DEALT`."""
    chance = random.Random(os.environ.get("DEALT", "first"))
    dealt = partial(bot.core.writer.Writer, entropy=chance.randbytes)
    for name in ("bot.core.writer", "bot.run"):
        if name in sys.modules:
            sys.modules[name].Writer = dealt  # type: ignore[attr-defined]


def set_lease() -> None:
    if term_s := os.environ.get("LEASE_S"):
        postgres: Any = import_module("storage.postgres")
        postgres.PostgresStore = partial(postgres.PostgresStore, term_s=float(term_s))


def add_steps() -> None:
    if number := int(os.environ.get("SCHEMA", "0")):
        postgres: Any = import_module("storage.postgres")
        postgres.STEPS = {**postgres.STEPS, **{f"schema_{step}": "SELECT 1" for step in range(2, number + 1)}}


def set_clock() -> None:
    """Replace `time.time` before any module has imported it."""
    if ahead_s := float(os.environ.get("AHEAD_S", "0")):
        right = time.time
        time.time = lambda: right() + ahead_s
    if clock := os.environ.get("CLOCK"):
        follow_clock(clock)


def follow_clock(file: str) -> None:
    """Add the seconds in the file to the clock, read each time."""
    right = time.time
    with open(file, "rb") as opened:
        ahead = mmap.mmap(opened.fileno(), AHEAD.size, access=mmap.ACCESS_READ)
    time.time = lambda: right() + AHEAD.unpack_from(ahead)[0]


if __name__ == "__main__":
    fix_chance()
    set_lease()
    add_steps()
    set_clock()
    from bot.__main__ import main

    sys.exit(main())
