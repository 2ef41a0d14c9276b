"""Keeps what open pages are made of away from the collector of garbage, which else goes through all of it again.

A page is some ninety objects that stay as long as it is open. With 13,000 of them a full collection takes more than a
second, in which nobody is answered; frozen (`gc.freeze`) they are not looked at. What was frozen is freed by counting
references alone: so when half of those pages have gone, all is thawed, and frozen again once the collector has gone
through it at its own time.
"""

import gc

# So many new pages are frozen together, and no fewer are thawed.
STEP = 500


class Frost:
    """Of all pages, which are counted as they come and go; belongs to the event loop."""

    def __init__(self) -> None:
        self._came = 0
        # The number of the last page that is frozen, how many of them are still open, how many have gone.
        self._last = self._frozen = self._gone = 0
        # How many full collections there were when it was thawed.
        self._thawed_at = -1

    def come(self, open_pages: int) -> int:
        """A page has opened, with which there are so many. The answer is its number."""
        self._came += 1
        if open_pages - self._frozen >= STEP and _full_collections() > self._thawed_at:
            gc.collect(1)
            gc.freeze()
            self._last, self._frozen, self._gone = self._came, open_pages, 0
        return self._came

    def go(self, number: int) -> None:
        """The page of that number has closed."""
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
