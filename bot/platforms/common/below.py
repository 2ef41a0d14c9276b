"""Count the messages below each table message, from incoming updates; nothing is fetched.

A table that has scrolled up is posted again at its next hand, with a least time between; on request it is posted
at once.
"""

from dataclasses import dataclass
from math import inf

from bot.platforms.common.recent import Recent

MOST_PLACES = 50_000
# Least time between two posts of a scrolled-up table; a table without players is never posted again.
LEAST_BETWEEN_S = 60.0
# A request for a table that is near, or was just posted on request, is answered with a link.
NEAR, ASKED_AGAIN_S = 3, 60.0


@dataclass
class _Sunk:
    """Scroll position of a table message. `newest` is the highest message number heard of there."""

    message: int
    newest: int
    count: int = 0


class Below:
    """Scroll positions by place. Message numbers grow with time; `most` messages below are too many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._places: Recent[str, _Sunk] = Recent(MOST_PLACES)
        # {place: when it was last posted on request}.
        self._asked: Recent[str, float] = Recent(MOST_PLACES)

    def stands(self, place: str, message: int, below: int = 0) -> None:
        """Count from here: `message` shows the table there now, with `below` messages under it."""
        self._places[place] = _Sunk(message, message, below)

    def is_known(self, place: str, message: int) -> bool:
        """Return whether all messages below this one have been counted since it was posted."""
        known = self._places.get(place)
        return known is not None and known.message == message

    def forget(self) -> None:
        """Forget all counts, because updates may have been missed."""
        self._places.clear()

    def leave(self, place: str) -> None:
        self._places.pop(place, None)
        self._asked.pop(place, None)

    def heard(self, place: str, message: int, *, is_dense: bool = False) -> None:
        """Count a message. `is_dense`: the place numbers its own messages without gaps, so that none goes unnoticed."""
        known = self._places.get(place)
        if known is None or message <= known.newest:
            return
        known.count += message - known.newest if is_dense else 1
        known.newest = message

    def gone(self, place: str, message: int) -> None:
        """Note that a message was deleted."""
        known = self._places.get(place)
        if known is not None and message > known.message:
            known.count = max(0, known.count - 1)

    def count(self, place: str) -> float:
        """Return the known number of messages below; infinite if unknown."""
        known = self._places.get(place)
        return known.count if known is not None else inf

    def has_sunk(self, place: str, stood_s: float) -> bool:
        """Return whether to post the table again at the next hand; its message is `stood_s` seconds old."""
        known = self._places.get(place)
        return known is not None and known.count >= self.most and stood_s >= LEAST_BETWEEN_S

    def may_be_called(self, place: str, now: float) -> bool:
        """Return whether a request for the table may post it again; False while it is near or was just posted on
        request.
        """
        if self.count(place) < NEAR or now - self._asked.get(place, -inf) < ASKED_AGAIN_S:
            return False
        self._asked[place] = now
        return True
