"""Settings of Python's garbage collector for a long-running process."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Thresholds of the collector's three generations, for what was created since the start. With Python's 700 a casino with
# a thousand tables spends a quarter of its time collecting, and stops for half a second every few seconds.
YOUNG = 20_000, 5, 10


@contextmanager
def no_collection() -> Iterator[None]:
    """Suspend garbage collection while a large number of objects is made that all stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def settle() -> None:
    """Exclude everything that exists now, libraries and casino, from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)
