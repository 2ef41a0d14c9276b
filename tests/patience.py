"""Waiting times of tests for what is sure to come, so that a slow machine makes tests slow and not red.

Only a failing test waits that long. A wait that is itself under test has its own number and a reason.
"""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Below a test's limit (pyproject.toml), so that a wait fails with its own message.
PATIENCE_S = 45.0
STEP_S = 0.01


async def until(holds: Callable[[], T], why: str = "") -> T:
    """Wait until `holds()` is true and return its value."""
    give_up_s = time.monotonic() + PATIENCE_S
    while not (held := holds()):
        assert time.monotonic() < give_up_s, f"not within {PATIENCE_S} s: {why or holds}"
        await asyncio.sleep(STEP_S)
    return held


def wait_until(holds: Callable[[], T], why: str = "") -> T:
    """Wait like `until`, without an event loop."""
    give_up_s = time.monotonic() + PATIENCE_S
    while not (held := holds()):
        assert time.monotonic() < give_up_s, f"not within {PATIENCE_S} s: {why or holds}"
        time.sleep(STEP_S)
    return held
