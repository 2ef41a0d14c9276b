"""Hide the objects of open pages from the garbage collector, which would traverse them again and again.

A page is some ninety objects that stay as long as it is open. With 13,000 pages a full collection takes over a second,
in which nothing is answered; frozen objects (`gc.freeze`) are skipped. They are freed by reference counting alone, so
when half of those pages have gone, all is unfrozen, and frozen again after the collector's next full run.
"""

import gc

# Number of new pages that are frozen together, and the least that are unfrozen.
STEP = 500


class GcFreeze:
    """The number of open pages, whose objects it freezes. Belongs to the event loop."""

    def __init__(self) -> None:
        self._came = 0
        # The number of the last frozen page, how many of those are still open, and how many have gone.
        self._last = self._frozen = self._gone = 0
        # How many full collections there were when it was thawed.
        self._thawed_at = -1

    def count_opened(self, open_pages: int) -> int:
        """Count an opened page, with which `open_pages` are open; return its number."""
        self._came += 1
        if open_pages - self._frozen >= STEP and _full_collections() > self._thawed_at:
            gc.collect(1)
            gc.freeze()
            self._last, self._frozen, self._gone = self._came, open_pages, 0
        return self._came

    def count_closed(self, number: int) -> None:
        """Count the page of that number as closed."""
        if number > self._last:
            return
        self._frozen -= 1
        self._gone += 1
        if self._gone >= max(STEP, self._frozen):
            gc.unfreeze()
            self._thawed_at = _full_collections()
            self._last = self._frozen = self._gone = 0


def _full_collections() -> int:
    return int(gc.get_stats()[2]["collections"])
