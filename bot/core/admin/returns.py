"""Compare what the bets of each table have returned with what they are worth.

A table's hands count apart for every set of options that it has had. Only what was paid counts: no void hand, no void
seat; and only what is counted exactly: no hand from inside a shoe, and none that was dealt under older rules.
Nothing is kept of a hand but sums, so the books may be as large as they like; they are read from their end.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, NamedTuple

from bot.core.commands.counting import Count
from bot.core.rounds.hand_records import record_of
from bot.core.rounds.script_budget import replay_hand
from bot.core.state.table import VOID_SEAT
from engine.games import GAMES, ODDS
from engine.odds import BetOdds, Odds
from engine.record import differing, terms_of
from engine.returns import Compared, Tally, Verdict, judge, outcomes_of
from storage.questions.hands import moves_of_hands, settled_hands
from storage.questions.postings import events_of_hands
from storage.rows import HandRow
from storage.store import Reader

# Number of a table's latest hands whose choices are valued, which takes a hundred times as long as the rest.
CHOICES = 500
_READ_AT_ONCE = 500
# Number of hands counted at a time, so that other questions to the counting process need not wait long.
_COUNTED_AT_ONCE, _CHOSEN_AT_ONCE = 50, 4

# Reasons to leave a hand out.
NOT_COUNTED, OLDER, INSIDE, UNREADABLE = "not counted", "older", "inside", "unreadable"
_LATEST = 2**62


Reading = Callable[[], AbstractContextManager[Reader]]


class Group(NamedTuple):
    """A table with the options of a deal: `table` is its id in the books, `options` those set, as JSON of a record."""

    table: int
    game: str
    options: str


class Settled(NamedTuple):
    """A hand that was paid, from the books."""

    group: Group
    record: Any
    void_seats: tuple[str, ...]
    with_choices: bool


class ReturnTallies(NamedTuple):
    """Sums of bets over hands; `left_out` counts the hands that were not compared, by the reason."""

    tallies: dict[tuple[Group, str, Compared], Tally]
    left_out: Counter[str]


class BetComparison(NamedTuple):
    """One comparison of what a bet returned with what it is worth."""

    group: Group
    spot: str
    compared: Compared
    verdict: Verdict


class Returns(NamedTuple):
    """All comparisons, by table; `hands` is the number of hands looked at."""

    hands: int
    lines: list[BetComparison]
    left_out: Mapping[str, int]


def compare_returns(
    reading: Reading,
    count: Count,
    *,
    casino: int | None = None,
    most: int | None = None,
    choices: int = CHOICES,
    tell: Callable[[int], None] = lambda done: None,
) -> Returns:
    """Compare the returns of one casino or of all; of the latest `most` hands, with `choices` choices at each table.

    `reading` opens the books for some hands at a time: what was paid does not change. `tell` is called with the number
    of hands done. Raises CountFault.
    """
    sums, done, with_choices, before = ReturnTallies({}, Counter()), 0, Counter[Group](), _LATEST
    while most is None or done < most:
        with reading() as books:
            rows = settled_hands(
                books, before, _READ_AT_ONCE if most is None else min(_READ_AT_ONCE, most - done), casino
            )
            settled = list(_settle(books, rows, sums.left_out, with_choices, choices))
        if not rows:
            break
        done, before = done + len(rows) - len(settled), rows[-1].id
        for some in _portions(settled):
            _merge(sums, count(add_up, some))
            done += len(some)
            tell(done)
    lines = [BetComparison(*key, judge(tally, key[2])) for key, tally in sums.tallies.items()]
    return Returns(done, sorted(lines, key=lambda line: line[:3]), dict(sums.left_out))


def _settle(
    books: Reader, rows: Sequence[HandRow], left_out: Counter[str], with_choices: Counter[Group], choices: int
) -> Iterator[Settled]:
    ids = [row.id for row in rows]
    moves, void_seats = moves_of_hands(books, ids), dict[int, list[str]]()
    for hand, event in events_of_hands(books, ids, VOID_SEAT):
        void_seats.setdefault(hand, []).append(event.removeprefix(VOID_SEAT))
    for row in rows:
        if (odds := ODDS.get(row.game)) is None or not odds.units:
            left_out[NOT_COUNTED] += 1
            continue
        try:
            record = record_of(row, moves[row.id])
            assert record is not None, "it was paid"
            terms = terms_of(record)
            group = Group(row.table_id, row.game, _say_options(row.game, terms["options"]))
            why = INSIDE if record.get("start") else OLDER if terms["rules"] != GAMES[row.game].rules else None
        except Exception:  # the doctor reports what is wrong with it
            why = UNREADABLE
        if why is not None:
            left_out[why] += 1
            continue
        with_choices[group] += 1
        yield Settled(group, record, tuple(void_seats.get(row.id, ())), with_choices[group] <= choices)


def _say_options(game: str, given: Mapping[str, Any]) -> str:
    """Write only the options that differ from the defaults, so that a group is named shortly."""
    return json.dumps(differing(GAMES[game], GAMES[game].parse_options(given)), sort_keys=True)


def _portions(settled: Sequence[Settled]) -> Iterator[list[Settled]]:
    some: list[Settled] = []
    room = 1.0
    for one in settled:
        some.append(one)
        room -= 1 / (_CHOSEN_AT_ONCE if one.with_choices else _COUNTED_AT_ONCE)
        if room <= 0:
            yield some
            some, room = [], 1.0
    if some:
        yield some


def _merge(sums: ReturnTallies, more: ReturnTallies) -> None:
    sums.left_out.update(more.left_out)
    for key, tally in more.tallies.items():
        sums.tallies.setdefault(key, Tally()).merge(tally)


def add_up(settled: Sequence[Settled]) -> ReturnTallies:
    """Add up the bets of settled hands, each played again and compared with its record. Can run in any process."""
    sums, known = ReturnTallies({}, Counter()), dict[tuple[Group, int | None], Mapping[str, BetOdds]]()
    for one in settled:
        odds = ODDS.get(one.group.game)
        if odds is None:
            sums.left_out[NOT_COUNTED] += 1
            continue
        try:
            hand = replay_hand(one.group.game, one.record)
            remembered = _remember(odds, one.group, known)
            outcomes = list(outcomes_of(hand, remembered, one.void_seats, with_choices=one.with_choices))
        except Exception:  # as above
            sums.left_out[UNREADABLE] += 1
            continue
        for outcome in outcomes:
            sums.tallies.setdefault((one.group, outcome.spot, outcome.compared), Tally()).add(outcome)
    return sums


def _remember(odds: Odds, group: Group, known: dict[tuple[Group, int | None], Mapping[str, BetOdds]]) -> Odds:
    """Return these odds with a cache of edges, which are the same for all hands of one group and one meter."""

    def edges(options: Any, meter: int | None) -> Mapping[str, BetOdds]:
        if (group, meter) not in known:
            known[group, meter] = odds.edges(options, meter)
        return known[group, meter]

    return replace(odds, edges=edges)
