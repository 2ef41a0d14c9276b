"""Who turns cards himself, where a game lets players do so (PJ12): who asked for it, and has the highest bet on a hand.

The hand is dealt and decided already; until its cards are turned nothing of them is shown but to who turns them, and
nothing is paid.
"""

from typing import Any

from bot.core.state.table import PACES, Bet, Table

TURN_S = 15.0
# Nobody turns a hand whose highest bets are equal, until an inspector decides.
UNDECIDED = 0


def decision_s(table: Table) -> float:
    """Of the whole clock of who is waited for in the hand now: cards are turned in less time than moves are made."""
    return TURN_S if table.turning else PACES[table.settings.pace]


def turners(table: Table) -> dict[str, int]:
    """{position: who turns it}: the highest bet on its spot, if he asked. Among equals an inspector may decide."""
    if table.turning or table.play is None or not table.wants_to_turn or not table.plays.turned.waves:
        return {}
    options: Any = table.play.deal.options
    if not options.squeeze:
        return {}
    found, cards = {}, table.play.cards(None)
    for turn in (turn for turn in table.plays.turned.turns if turn.spot and turn.of(cards)):
        highest = highest_on(table.bets, turn.spot)
        if any(player in table.wants_to_turn for player in highest):
            found[turn.position] = highest[0] if len(highest) == 1 else UNDECIDED
    return found


def decide_for(table: Table, position: str, player: int) -> dict[str, int]:
    """Who turns a hand turns all of it."""
    turns = {turn.position: turn.spot for turn in table.plays.turned.turns}
    return {
        one: player if turns[one] == turns[position] and now == UNDECIDED else now for one, now in table.turning.items()
    }


def first_deadline(table: Table, now: float) -> float:
    """Of who turns first; a table that has lost its place goes on waiting for it (G10)."""
    return max(now + TURN_S, table.deadline or 0.0) if table.lost else now + TURN_S


def after(table: Table, position: str, now: float) -> Table:
    """These cards are turned; who turns the next has as much time as the first, but at a table that waits (G10)."""
    left = {one: player for one, player in table.turning.items() if one != position}
    due = table.plays.turned.due
    is_next = not {turn.position for turn in due(left)} <= {turn.position for turn in due(table.turning)}
    return table.change(turning=left, deadline=now + TURN_S if is_next and not table.lost else table.deadline)


def lapse(table: Table, now: float) -> Table:
    """Nobody turned what is due in time: the dealer does, and what else of these hands is to be turned."""
    spots = {turn.spot for turn in table.plays.turned.due(table.turning)}
    spot_of = {turn.position: turn.spot for turn in table.plays.turned.turns}
    left = {one: player for one, player in table.turning.items() if spot_of[one] not in spots}
    return table.change(turning=left, deadline=now + TURN_S)


def is_known(table: Table, position: str) -> bool:
    """Whether everybody may know that these cards are there to be turned: they begin a hand, or are due."""
    due = table.plays.turned.due(table.turning)
    turns = (turn for turn in table.plays.turned.turns if turn.position == position)
    return position in table.turning and any(turn.first == 1 or turn in due for turn in turns)


def highest_on(bets: tuple[Bet, ...], spot: str) -> list[int]:
    """Whose bet on a spot is the highest: several when they are equal, nobody without one."""
    most = max((bet.spots.get(spot, 0) for bet in bets), default=0)
    return [bet.player for bet in bets if most and bet.spots.get(spot, 0) == most]
