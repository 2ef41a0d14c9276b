"""Chips that pass from person to person: gifts, pots, and what a link carries over. One budget a day (UTC) for all.

In each casino a member passes on at most `give_a_day` in a day and takes at most `take_a_day`, both net of what comes
the other way. Both hold at every moment, with cards on the table too: a hand from stacks is dealt with no more at stake
than they leave (`cash_table.in_play`), so that no payment is ever refused. A tournament's buy-in counts as given, its
prize as received; only the part of a prize above a full table's first one is not foreseen, and can pass the limit.

The owner of any number of accounts therefore brings to one of them, beyond its own start and daily chips and its wins
from the bank, at most `take_a_day` for each day that is touched: 31 of them in thirty times 24 hours. That makes 62,000
chips by the rules of a new casino, and 310,000 in the lounge's own, where a name is picked in a moment and
`give_a_day` is 10,000. Nothing passes from the bank: a bet behind a box wins and loses for its owner alone, and the
progressive is open to every coin. Grants of inspectors are in the audit log.

In a member's state: `given`, the day and what has passed on in it; negative if more was taken.
"""

from bot.core.state.people import Given
from bot.core.state.plays import Seating
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino, Member
from storage import ledger

GIVE_A_DAY = 500_00
# At the default limits an honest winner at a full table hardly ever takes this much.
TAKE_A_DAY = 2000_00
GIVE_AFTER_S = 24 * 3600.0
DAY_S = 86400


def give_a_day(casino: Casino) -> int:
    """Return how much a player may give away in a day, in minor units."""
    most = casino.state.give_a_day
    return GIVE_A_DAY if most is None else most


def take_a_day(casino: Casino) -> int:
    """Return how much a player may be given in a day, in minor units.

    It is at least what one may give, unless inspectors have set it.
    """
    most = casino.state.take_a_day
    return max(TAKE_A_DAY, give_a_day(casino)) if most is None else most


def give_after_s(casino: Casino) -> float:
    """Return the seconds until a newcomer may give."""
    after = casino.state.give_after_s
    return GIVE_AFTER_S if after is None else after


def is_new(casino: Casino, member: Member, now: float) -> bool:
    """Check whether a member is in their first day here: they give nothing yet, and bring small stacks."""
    return hours_new(casino, member, now) > 0


def hours_new(casino: Casino, member: Member, now: float) -> int:
    """Return the whole hours until a newcomer may give, rounded up; 0 if allowed."""
    left = min(member.joined, now) + give_after_s(casino) - now
    return max(0, -int(-left // 3600))


def hours_left(now: float) -> int:
    """Return the hours until the day's budgets begin again."""
    return -int(-(DAY_S - now % DAY_S) // 3600)


def may_give(transaction: Transaction, member: Member, now: float) -> int:
    """Return what a member may still pass on today, whatever the result of their present hands."""
    at_stake = sum(own for own, _others in _hands_of(transaction, member))
    return _left(give_a_day(transaction.casinos[member.casino]), _passed(member, now) + at_stake)


def may_take(transaction: Transaction, member: Member, now: float) -> int:
    """Return what a member may still receive today, whatever they win in their present hands."""
    to_win = sum(min(own, other) for own, others in _hands_of(transaction, member) for other in others)
    to_win += sum(_first_prizes(transaction, member))
    return _left(take_a_day(transaction.casinos[member.casino]), to_win - _passed(member, now))


def note(transaction: Transaction, casino: int, player: int, amount: int, now: float) -> None:
    """Count an amount that has passed from a member; negative: to the member."""
    member = transaction.member(casino, player)
    if amount and member is not None:
        transaction.set_member(member.change(given=Given(_day(now), _passed(member, now) + amount)))


def pass_on(transaction: Transaction, casino: int, giver: int, taker: int, amount: int, why: str, now: float) -> None:
    """Post an amount from one player to another and count it for both. Not checked: that both may."""
    transaction.post(ledger.wallet(casino, giver), ledger.wallet(casino, taker), amount, why, now)
    note(transaction, casino, giver, amount, now)
    note(transaction, casino, taker, -amount, now)


def _left(a_day: int, used: int) -> int:
    """Return what is left of a daily budget, which receipts in the other direction may have enlarged; 0 stays 0."""
    return max(0, a_day - used) if a_day else 0


def _passed(member: Member, now: float) -> int:
    given = member.state.given
    return given.passed if given is not None and given.day == _day(now) else 0


def _day(now: float) -> int:
    return int(now // DAY_S)


def _hands_of(transaction: Transaction, member: Member) -> list[tuple[int, list[int]]]:
    """Return, for each hand from stacks that a member is in, their stake and the stakes of the others."""
    found = []
    for table in transaction.tables_of(member.player):
        is_for_money = table.plays.seating is Seating.STACKS and table.tournament is None
        if is_for_money and table.has_closed and table.casino == member.casino:
            stacks = {str(stake.seat): stake.stack for stake in table.stakes()}
            for key in table.seats_played_by(member.player):
                found.append((stacks[key], [stack for other, stack in stacks.items() if other != key]))
    return found


def _first_prizes(transaction: Transaction, member: Member) -> list[int]:
    """Return the first prize of each tournament that a member still plays in, as for one full table."""
    tables = (table for table in transaction.tables_of(member.player) if table.casino == member.casino)
    playing = [table.tournament for table in tables if table.tournament is not None and not table.tournament.has_ended]
    return [live.rules.first_prize for live in playing]
