"""The dead button and missed blinds (HE6 to HE8): positions of the next hand, who is dealt in, and who owes what."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

# Above every seat, so that distances clockwise can be counted round the table.
_ROUND = 100
BIG, LIVE, BOTH, DEAD = "big", "live", "both", "dead"
NEW = "new"
"""A new player owes a live big blind, and no more however long they wait."""


class BlindPositions(NamedTuple):
    """Seats of a hand: those of the button and the small blind may be empty. All are 0 before the first hand."""

    button: int = 0
    small: int = 0
    big: int = 0


class BlindsDeal(NamedTuple):
    """Positions of a hand, its seats in the order of the stakes with what each posts, and who owes what after it."""

    positions: BlindPositions
    posts: dict[int, str]
    owed: dict[int, str]


def next_deal(
    last: BlindPositions,
    ready: Collection[int],
    away: Collection[int] = (),
    owed: Mapping[int, str] | None = None,
    posting: Collection[int] = (),
) -> BlindsDeal:
    """Deal in the next hand at a table. Not checked: that two seats are ready.

    ready    seats that want to play; those of `owed` wait for the big blind, unless they are in `posting`
    away     seats whose players sit out
    owed     {seat: NEW, LIVE, DEAD or BOTH}
    posting  seats that post what they owe as soon as they may
    """
    owed = owed or {}
    if not last.big:
        return _first_deal(ready)
    big = _clockwise(ready, last.big)[0]
    dealt = {seat for seat in ready if seat not in owed} | {big}
    posters = ({*posting} & {*ready}) - {last.big}
    if len(ready) == 2:
        dealt = {*ready}
    elif len(dealt) == 1:  # All others wait: the next of them has the big blind, heads-up.
        big, posters = _clockwise(ready, big)[0], set()
        dealt.add(big)
    small, button = last.big, last.small
    if last.button == last.small and (others := (dealt | posters) - {small, big}):
        button = _clockwise(others, small)[-1]  # HE7: two players before, so the button is right of the small blind
    dealt |= {seat for seat in posters if not _is_behind(button, seat, big)}
    if len(dealt) == 2:
        (button,) = dealt - {big}
        positions, posts = BlindPositions(button, button, big), {big: "", button: ""}
    else:
        is_dead = small not in dealt
        order = [big if is_dead else small, *_clockwise(dealt, big if is_dead else small)]
        posts = {seat: _post_of(owed, seat) for seat in dict.fromkeys(order)}
        posts[big] = BIG if is_dead else ""
        positions = BlindPositions(button, small, big)
    return BlindsDeal(positions, posts, dict(_owed_after(last, positions, {*ready, *away} - {*posts}, owed)))


def _first_deal(ready: Collection[int]) -> BlindsDeal:
    """Put the button at the lowest seat (HE6); nobody owes anything."""
    button = min(ready)
    order = _clockwise(ready, button)
    if len(order) == 2:
        return BlindsDeal(BlindPositions(button, button, order[0]), dict.fromkeys(order, ""), {})
    return BlindsDeal(BlindPositions(button, *order[:2]), dict.fromkeys(order, ""), {})


def _clockwise(seats: Iterable[int], after: int) -> list[int]:
    """Return seats clockwise, beginning after one, which comes last if it is among them."""
    return sorted(seats, key=lambda seat: (seat - after - 1) % _ROUND)


def _is_between(first: int, seat: int, last: int) -> bool:
    return 0 < (seat - first) % _ROUND < (last - first) % _ROUND


def _is_behind(button: int, seat: int, big: int) -> bool:
    """Check whether a seat is on the button or between it and the big blind, where no one may post."""
    return seat == button or _is_between(button, seat, big)


def _post_of(owed: Mapping[int, str], seat: int) -> str:
    due = owed.get(seat, "")
    return LIVE if due == NEW else due


def _owed_after(
    last: BlindPositions, now: BlindPositions, absent: Collection[int], owed: Mapping[int, str]
) -> Iterable[tuple[int, str]]:
    """Add what passed seats that are not dealt in; a blind that is missed several times counts once."""
    for seat in sorted(absent):
        due = owed.get(seat, "")
        missed_big = due in (LIVE, BOTH) or _is_between(last.big, seat, now.big)
        missed_small = due in (DEAD, BOTH) or seat == now.small or _is_between(last.small, seat, now.small)
        if due == NEW and not _is_between(last.big, seat, now.big):
            yield seat, NEW
        elif missed_big:
            yield seat, BOTH if missed_small else LIVE
        elif missed_small:
            yield seat, DEAD
