"""Payments that are worth a reaction, if an inspector wants them."""

from bot.core.state.table import Table, owners_of
from engine.record import spots_of

# So many times what somebody had put down, and more, is a big win.
BIG = 5


def has_big_win(table: Table) -> bool:
    """Return whether the paid hand on the table had a big enough win; a void hand had none."""
    hand = table.last
    if not table.settings.cheers or table.round.hand is not None or table.round.bets or hand is None or hand.is_void:
        return False
    wagered, returned = spots_of(hand, table.void_seats(table.last_hand))
    put, won = dict[int, int](), dict[int, int]()
    for key, player in owners_of(hand).items():
        put[player] = put.get(player, 0) + sum(wagered.get(key, {}).values())
        won[player] = won.get(player, 0) + sum(returned.get(key, {}).values())
    return any(won[player] - put[player] >= BIG * put[player] > 0 for player in put)
