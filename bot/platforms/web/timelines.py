"""The numbered events of a table, for pages that show it: a page gets what is new and continues after a reconnect.

A new page gets the state of the felt and the number of the last step; from then on only steps. The public events are
one course, stored once; a player at the table has a course of their own, which branches off it.
"""

from collections import OrderedDict
from collections.abc import Callable
from secrets import token_hex

import msgspec

from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.texts import say
from bot.view.narration import NOTHING, Narration, narrate
from bot.view.timeline import Seen, Step, seen_of, steps

MOST_COURSES = 2048
# Number of steps kept for reconnecting pages; a page that has missed more gets the state of the felt.
MOST_STEPS = 512
# Number of narrations kept.
MOST_SAID = 16
SaySteps = Callable[[Table, int | None, list[Step], tuple[str, ...]], Narration]
_encode = msgspec.json.encode


class Mark(msgspec.Struct, frozen=True):
    """A page's position in a course."""

    timeline: str
    number: int


class Timeline:
    """The events of one table for everyone (`viewer` None) or for one player; `parent`: the course it branched off.

    `say_steps` returns the sentences beside the steps.
    """

    def __init__(self, table: Table, viewer: int | None, say_steps: SaySteps, parent: "Timeline | None" = None) -> None:
        self.id = token_hex(6)
        self.table, self._viewer, self._say_steps = table, viewer, say_steps
        self._seen = seen_of(table, viewer)
        self.mark = Mark(self.id, 0)
        self._steps: list[Step] = []
        # The events, with the number of the step before each.
        self._said: list[tuple[int, Narration]] = []
        self._told: dict[tuple[int, str], bytes] = {}
        # A page at most this far in the parent course knows the same of this one.
        self._forked = parent.mark if parent is not None and parent.leads_to(self._seen) else None
        if parent is not None and self._forked is not None:
            self._steps, self.mark = parent._steps, Mark(self.id, parent.mark.number)
            self._add(parent._seen)

    def leads_to(self, seen: Seen) -> bool:
        """Return whether a viewer who sees `seen` knows everything that this course has told."""
        own = self._seen
        return own.felt.hand != seen.felt.hand or own.events == seen.events[: len(own.events)]

    def go_on(self, table: Table) -> None:
        """Append the steps to the table's new state."""
        before, self._seen, self.table = self._seen, seen_of(table, self._viewer), table
        self._add(before)

    def _add(self, before: Seen) -> None:
        if found := steps(before, self._seen):
            # Chips shown again because bets were taken back have been told already.
            is_new = self._seen.felt.hand >= before.felt.hand
            said = self._say_steps(self.table, self._viewer, found, before.felt.asked) if is_new else NOTHING
            if said.lines or said.turn is not None:
                self._said = [*self._said, (self.mark.number, said)][-MOST_SAID:]
            self.mark = Mark(self.id, self.mark.number + len(found))
            self._steps = [*self._steps, *found][-MOST_STEPS:]
            self._told = {}

    def since(self, mark: Mark | None, language: str) -> bytes:
        """Return what a page at `mark` does not know yet, as members of a JSON object; b"" if nothing is new."""
        if mark is self.mark:
            return b""
        key = self._known(mark), language
        if key not in self._told:
            self._told[key] = self._encode_news(*key)
        return self._told[key]

    def _known(self, mark: Mark | None) -> int:
        """Return the number up to which a page knows this course; -1 if it needs the state of the felt."""
        if mark is None or not self.mark.number - len(self._steps) <= mark.number <= self.mark.number:
            return -1
        forked = self._forked
        is_of_parent = forked is not None and mark.timeline == forked.timeline and mark.number <= forked.number
        return mark.number if mark.timeline == self.id or is_of_parent else -1

    def _encode_news(self, known: int, language: str) -> bytes:
        number = self.mark.number
        if known == number:
            return b""
        head = b'"course":"%b","number":%d' % (self.id.encode(), number)
        if known < 0:
            return b'%b,"lies":%b' % (head, self._seen.felt.encode())
        told = b'%b,"steps":%b' % (head, _encode(self._steps[known - number :]))
        new = [said for at, said in self._said if at >= known]
        if lines := [say(line, language) for said in new for line in said.lines]:
            told = b'%b,"said":%b' % (told, _encode(lines))
        if new and new[-1].turn is not None and self._seen.felt.asked:
            told = b'%b,"turn":%b' % (told, _encode(say(new[-1].turn, language)))
        return told


class Timelines:
    """The courses of all watched tables. Belongs to the event loop."""

    def __init__(self, state: State, clock: Callable[[], float]) -> None:
        self._state, self._clock = state, clock
        self._known: OrderedDict[tuple[int, int | None], Timeline] = OrderedDict()

    def of(self, table: Table, viewer: int | None) -> Timeline:
        """Return the course of a table as it is now."""
        key = table.id, viewer
        timeline = self._known.get(key)
        if timeline is None:
            timeline = self._known[key] = Timeline(table, viewer, self._say_steps, self._known.get((table.id, None)))
            while len(self._known) > MOST_COURSES:
                self._known.popitem(last=False)
        elif timeline.table is not table:
            timeline.go_on(table)
        self._known.move_to_end(key)
        return timeline

    def _say_steps(self, table: Table, viewer: int | None, found: list[Step], was_asked: tuple[str, ...]) -> Narration:
        return narrate(self._state, table, viewer, found, was_asked, self._clock())
