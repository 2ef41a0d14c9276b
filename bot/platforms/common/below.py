"""How much stands below each message that shows a table: counted from what comes in, never fetched.

A table that has sunk is posted anew at its next hand, and not all the time; whoever asks for it has it at once.
"""

from dataclasses import dataclass
from math import inf

from bot.platforms.common.recent import Recent

MOST_PLACES = 50_000
# Between two times that it is posted anew because of what stands below it. Where nobody plays it never is.
LEAST_BETWEEN_S = 60.0
# Who asks for it while it is as near is told where it is; nor is it brought down again so soon.
NEAR, ASKED_AGAIN_S = 3, 60.0


@dataclass
class _Sunk:
    """`newest`: the highest number of a message that was heard of there."""

    message: int
    newest: int
    count: int = 0


class Below:
    """{place: what stands below its message}. The numbers of messages grow with time; `most` of them are too many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._places: Recent[str, _Sunk] = Recent(MOST_PLACES)
        # {place: when somebody had it brought down}.
        self._asked: Recent[str, float] = Recent(MOST_PLACES)

    def stands(self, place: str, message: int, below: int = 0) -> None:
        """This message shows the table there from now on."""
        self._places[place] = _Sunk(message, message, below)

    def is_known(self, place: str, message: int) -> bool:
        """Whether what stands below this message has been counted from the beginning."""
        known = self._places.get(place)
        return known is not None and known.message == message

    def forget(self) -> None:
        """Something may have come that nobody told us of."""
        self._places.clear()

    def leave(self, place: str) -> None:
        self._places.pop(place, None)
        self._asked.pop(place, None)

    def heard(self, place: str, message: int, *, is_dense: bool = False) -> None:
        """One more. `is_dense`: the place numbers its own messages one by one, so that none goes unnoticed."""
        known = self._places.get(place)
        if known is None or message <= known.newest:
            return
        known.count += message - known.newest if is_dense else 1
        known.newest = message

    def gone(self, place: str, message: int) -> None:
        """A message was deleted."""
        known = self._places.get(place)
        if known is not None and message > known.message:
            known.count = max(0, known.count - 1)

    def count(self, place: str) -> float:
        """How many, as far as it is known."""
        known = self._places.get(place)
        return known.count if known is not None else inf

    def has_sunk(self, place: str, stood_s: float) -> bool:
        """Whether the message, which has stood for so long, is to be posted anew with the next hand."""
        known = self._places.get(place)
        return known is not None and known.count >= self.most and stood_s >= LEAST_BETWEEN_S

    def may_be_called(self, place: str, now: float) -> bool:
        """Whether who asks for the table has it brought down, or has it before him."""
        if self.count(place) < NEAR or now - self._asked.get(place, -inf) < ASKED_AGAIN_S:
            return False
        self._asked[place] = now
        return True
