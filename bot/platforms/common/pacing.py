"""Pacing of tables where many players act one after another, such as Hold'em: few edits a hand.

Cards and payments are shown at once. A turn is shown when its player has thought for some seconds, because most moves
come before; after some such edits in a hand it takes longer. Private answers and presses are never delayed.
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
        self._wanted = (0, 0)

    def wait_s(self, table: Table, now: float) -> float:
        """Return the seconds until the turn of a table is shown; 0 at a table that is not paced."""
        round = table.round
        if round.hand is None or round.deadline is None or round.extended or not stages_of(table.game).is_paced:
            return 0.0
        is_early = self._hand != round.hand_id or self._shown < self._most
        if is_early and self._wanted == (round.hand_id, len(round.hand.moves)):
            return 0.0
        clock_s = decision_s(table)
        return max(0.0, round.deadline - clock_s + min(THINKS_S if is_early else SLOW_S, clock_s / 2) - now)

    def skip_early_turns(self, table: Table) -> None:
        """Show the present turn at once if early ones are left: its player has pressed a button of an older state."""
        if table.round.hand is not None:
            self._wanted = table.round.hand_id, len(table.round.hand.moves)

    def count(self, table: Table) -> None:
        """Count an edit that showed a turn and nothing else."""
        self._shown = self._shown + 1 if self._hand == table.round.hand_id else 1
        self._hand = table.round.hand_id
