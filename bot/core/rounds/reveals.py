"""Cards that players turn themselves, in games that allow it (PJ12): the player who asked and has the highest bet on a
hand.

The hand is dealt and decided already; until its cards are turned they are shown only to the player who turns them, and
nothing is paid.
"""

from typing import Any

from bot.core.state.table import PACES, Bet, Table

TURN_S = 15.0
# If the highest bets are equal, no one reveals the hand until an inspector decides.
UNDECIDED = 0


def decision_s(table: Table) -> float:
    """Return the full clock of the players who are to act now: turning cards gets less time than a move."""
    return TURN_S if table.round.turning else PACES[table.settings.pace]


def turners(table: Table) -> dict[str, int]:
    """Return {position: player who reveals it}: the highest bettor who asked. Among equals an inspector may decide."""
    if table.round.turning or table.round.hand is None or not table.wants_to_turn or not table.plays.reveals.steps:
        return {}
    options: Any = table.round.hand.deal.options
    if not options.squeeze:
        return {}
    found, cards = {}, table.round.hand.cards(None)
    for turn in (turn for turn in table.plays.reveals.in_order if turn.spot and turn.of(cards)):
        highest = highest_on(table.round.bets, turn.spot)
        if any(player in table.wants_to_turn for player in highest):
            found[turn.position] = highest[0] if len(highest) == 1 else UNDECIDED
    return found


def decide_for(table: Table, position: str, player: int) -> dict[str, int]:
    """Assign a position to a player, who turns all of a hand."""
    turns = {turn.position: turn.spot for turn in table.plays.reveals.in_order}
    return {
        one: player if turns[one] == turns[position] and now == UNDECIDED else now
        for one, now in table.round.turning.items()
    }


def first_deadline(table: Table, now: float) -> float:
    """Return the deadline of the first player to turn cards; a table without a place keeps waiting for one (G10)."""
    return max(now + TURN_S, table.round.deadline or 0.0) if table.lost else now + TURN_S


def after(table: Table, position: str, now: float) -> Table:
    """Turn these cards; the next player gets as much time as the first, except at a waiting table (G10)."""
    left = {one: player for one, player in table.round.turning.items() if one != position}
    due = table.plays.reveals.due
    is_next = not {turn.position for turn in due(left)} <= {turn.position for turn in due(table.round.turning)}
    return table.change_round(
        turning=left, deadline=now + TURN_S if is_next and not table.lost else table.round.deadline
    )


def lapse(table: Table, now: float) -> Table:
    """Turn the cards that are overdue, and the rest of their hands: the dealer does."""
    spots = {turn.spot for turn in table.plays.reveals.due(table.round.turning)}
    spot_of = {turn.position: turn.spot for turn in table.plays.reveals.in_order}
    left = {one: player for one, player in table.round.turning.items() if spot_of[one] not in spots}
    return table.change_round(turning=left, deadline=now + TURN_S)


def is_known(table: Table, position: str) -> bool:
    """Check whether everyone may know that these cards are waiting to be turned: they begin a hand, or are due."""
    due = table.plays.reveals.due(table.round.turning)
    turns = (turn for turn in table.plays.reveals.in_order if turn.position == position)
    return position in table.round.turning and any(turn.first == 1 or turn in due for turn in turns)


def highest_on(bets: tuple[Bet, ...], spot: str) -> list[int]:
    """Return the players with the highest bet on a spot: several if they are equal, none without a bet."""
    most = max((bet.spots.get(spot, 0) for bet in bets), default=0)
    return [bet.player for bet in bets if most and bet.spots.get(spot, 0) == most]
