"""Settings of Python's garbage collector for a long-running process."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# After so many new objects the young are looked through, after five of those what has outlived one, after ten of these
# all that came since the house settled. By Python's own 700 a house with a thousand tables spends a quarter of its time
# looking, and stands still for half a second every few seconds.
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
