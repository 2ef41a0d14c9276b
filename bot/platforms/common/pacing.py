"""Pacing of tables where many players act one after another, such as Hold'em: few edits a hand.

Cards and payments are shown at once. A turn is shown when its player has thought for some seconds, because most moves
come before; after some such edits in a hand it takes longer. A deadline in the message never passes: by then the
present turn is shown. Private answers and presses are never delayed.
"""

from bot.core.commands.stages import stages_of
from bot.core.rounds.reveals import decision_s
from bot.core.state.table import Table

THINKS_S, SLOW_S = 3.0, 10.0


class TurnPacer:
    """The turns that a message has shown of its table's hand, at most `most` of them early."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._hand = self._shown = 0
        self._wanted, self._is_needed = (0, 0), False
        self._deadline: float | None = None

    def wait_s(self, table: Table, now: float) -> float:
        """Return the seconds until the turn of a table is shown; 0 at a table that is not paced."""
        round = table.round
        if round.hand is None or round.deadline is None or round.extended or not stages_of(table.game).is_paced:
            return 0.0
        is_early = self._hand != round.hand_id or self._shown < self._most
        is_wanted = self._wanted == (round.hand_id, len(round.hand.moves))
        if is_wanted and (is_early or self._is_needed):
            return 0.0
        clock_s = decision_s(table)
        due = round.deadline - clock_s + min(THINKS_S if is_early else SLOW_S, clock_s / 2)
        return max(0.0, (due if self._deadline is None else min(due, self._deadline)) - now)

    def skip_early_turns(self, table: Table, *, is_needed: bool) -> None:
        """Show the present turn at once if early ones are left, because its player has pressed a button of an older
        state. `is_needed`: show it in any case, because that move is not possible now.
        """
        if table.round.hand is not None:
            self._wanted, self._is_needed = (table.round.hand_id, len(table.round.hand.moves)), is_needed

    def note_edit(self, table: Table, *, is_turn: bool) -> None:
        """Note an edit, and count it if it showed a turn and nothing else."""
        self._deadline = table.round.deadline
        if is_turn:
            self._shown = self._shown + 1 if self._hand == table.round.hand_id else 1
            self._hand = table.round.hand_id
