"""How long a test waits for what is sure to come: a slow machine makes tests slow and not red.

Only who would fail anyway waits so long. A wait that is itself what is tested has its own number and says why.
"""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Below the limit of a test (pyproject.toml), so that a wait ends with its own words.
PATIENCE_S = 45.0
STEP_S = 0.01


async def until(holds: Callable[[], T], why: str = "") -> T:
    """What `holds` says as soon as that is true."""
    give_up_s = time.monotonic() + PATIENCE_S
    while not (held := holds()):
        assert time.monotonic() < give_up_s, f"not within {PATIENCE_S} s: {why or holds}"
        await asyncio.sleep(STEP_S)
    return held


def wait_until(holds: Callable[[], T], why: str = "") -> T:
    """As `until`, for a test without a loop."""
    give_up_s = time.monotonic() + PATIENCE_S
    while not (held := holds()):
        assert time.monotonic() < give_up_s, f"not within {PATIENCE_S} s: {why or holds}"
        time.sleep(STEP_S)
    return held
