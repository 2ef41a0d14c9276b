"""Logs as a casino writes them have no fault; each forgery is found by its check.

Most forgeries here are the casino's own: changed, and signed anew, so that tree and heads are in order.
"""

import io
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.verifier.logs import check_log
from engine.fairness import beacon, log
from engine.fairness.canonical import Unreadable
from engine.fairness.commitment import commit_to
from tests.engine.fairness.growing_log import sign_head
from tests.engine.fairness.writing import SECRET, STAKES, Table, Writing, an_evening, publish, write_lines
from tests.verified import leaves, other

Event = dict[str, Any]
Change = Callable[[list[Event]], object]
HOUR_S = 3600


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """A function that returns the output of `ridotto log check`."""

    def check(lines: list[Event] | str, seen: list[Event] | None = None, **how: Any) -> dict[str, Any]:
        (tmp_path / "log").write_text(lines if isinstance(lines, str) else write_lines(lines), "utf-8")
        if seen is not None:
            (tmp_path / "seen").write_text(write_lines(seen), "utf-8")
        out = io.StringIO()
        with check_log(str(tmp_path / "log"), str(tmp_path / "seen") if seen is not None else None, **how) as report:
            report.write(out)
        answer: dict[str, Any] = json.loads(out.getvalue())
        return answer

    return check


def checks_of(answer: dict[str, Any]) -> set[str]:
    return {fault["check"] for fault in answer["faults"]}


@cache
def evening() -> Writing:
    return an_evening()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_what_the_house_writes_has_no_fault(check: Callable[..., dict[str, Any]], seed: int) -> None:
    written = an_evening(seed)
    answer = check(written.lines_of_file())
    assert list(answer) == ["entries", "heads", "faults", "dropped", "voided", "hundred", "seals", "unopened"]
    assert answer["faults"] == []
    assert (answer["entries"], answer["heads"]) == (len(written.entries), len(written.heads))
    (lying,) = answer["unopened"]
    assert (
        commit_to(next(e["promise"] for e in written.entries if e["k"] == "commit" and table_of(e) == "lying")) == lying
    )


@pytest.mark.long
@pytest.mark.parametrize("part", range(5))
def test_a_log_has_no_fault_while_it_grows(check: Callable[..., dict[str, Any]], part: int) -> None:
    """A log signed after any entry, with hands in play and unshown seeds, has no faults."""
    events = evening().events
    for count in range(1 + part, len(events), 25):
        at = max(event.get("at", 0) for event in events[:count])
        answer = check(publish([*events[:count], {"sign": max(at, events[count - 1].get("sign", 0))}]))
        assert answer["faults"] == [], count


def table_of(entry: Event) -> str:
    return str(entry["promise"]["table"])


def test_dropped_and_void_hands_are_listed(check: Callable[..., dict[str, Any]]) -> None:
    answer = check(evening().lines_of_file())
    (dropped,) = answer["dropped"]
    assert list(dropped) == ["commit", "table", "why"]
    assert (dropped["table"], dropped["why"]) == ("dropping", "options changed")
    public = next(one for one in answer["voided"] if one["table"] == "public")
    assert list(public) == ["commit", "start", "table", "round", "why"]
    assert public["round"] > 0
    assert public["why"] == "the beacon was away"
    assert answer["hundred"]["t0"] == [0, 50]
    assert answer["hundred"]["dropping"] == [33.33, 33.33]


def test_lines_may_be_spelled_in_any_way(check: Callable[..., dict[str, Any]]) -> None:
    values = [dict(reversed(value.items())) for value in evening().lines_of_file()]
    text = "".join(json.dumps(value, separators=(" , ", " :\t")) + "\r\n" for value in values)
    assert check(text)["faults"] == []


def test_the_house_cannot_append_what_has_no_form() -> None:
    written = Writing()
    table = Table("t", "uth")
    written.commitment(table)
    size = written.log.tree.size
    closed = log.closed(table.commit, start=0, cuts=[], salt="0" * 32, stakes=[], round=0, at=written.at)
    bad = [
        closed | {"at": written.at - 1},
        closed | {"extra": 1},
        closed | {"start": -1},
        log.begin(1, {}, "again", written.at),
        log.committed(table.commitment | {"casino": "18"}, written.at),
        log.committed(table.commitment | {"options": {}}, written.at),
    ]
    for entry in bad:
        with pytest.raises(ValueError, match=r"."):
            written.log.append(entry)
    assert written.log.tree.size == size


def entries(events: list[Event], kind: str, **values: Any) -> Iterator[Event]:
    """Yield the entries of a kind with these values; `table` also matches by the commitment."""
    table = values.pop("table", None)
    tables = {commit_to(e["promise"]): table_of(e) for e in events if is_commitment(e)}
    for event in events:
        named = table_of(event) if is_commitment(event) else tables.get(event.get("commit", ""))
        if event.get("k") == kind and table in (None, named) and all(event[k] == v for k, v in values.items()):
            yield event


def is_commitment(event: Event) -> bool:
    return event.get("k") == "commit" and isinstance(event.get("promise"), dict)


def first(events: list[Event], kind: str, **values: Any) -> Event:
    return next(entries(events, kind, **values))


def last(events: list[Event], kind: str, **values: Any) -> Event:
    return [*entries(events, kind, **values)][-1]


def put(event: Event, **values: Any) -> None:
    event.update(values)


def commit_anew(events: list[Event], event: Event, **values: Any) -> None:
    """Change a commitment, and the commit wherever it is named."""
    before = commit_to(event["promise"])
    event["promise"].update(values)
    after = commit_to(event["promise"])
    for one in events:
        if one.get("commit") == before:
            one["commit"] = after
        if is_commitment(one) and one["promise"]["previous"] == before:
            # The chain continues: this commit has changed too.
            commit_anew(events, one, previous=after)


def place(events: list[Event], event: Event) -> int:
    return next(index for index, one in enumerate(events) if one is event)


def insert_after(events: list[Event], event: Event, new: Event) -> None:
    events.insert(place(events, event) + 1, new)


def remove(events: list[Event], event: Event) -> None:
    del events[place(events, event)]


def swap(events: list[Event], one: Event, other: Event) -> None:
    here, there = place(events, one), place(events, other)
    events[here], events[there] = other, one


def shown_late(events: list[Event], event: Event, at: int) -> None:
    """Delay everything from this event on."""
    seconds = at - event["at"]
    for later in events[place(events, event) :]:
        for key in ("at", "sign"):
            if key in later:
                later[key] += seconds


def next_of(events: list[Event], event: Event) -> Event:
    """Return the next commitment of the same table."""
    return first(events[place(events, event) + 1 :], "commit", table=table_of(event))


def say_dropped(events: list[Event]) -> None:
    """Log a shoe with a void hand as if nothing had been dealt from it."""
    put(first(events, "paid", table="shoe"), void="bad cards")
    put(first(events, "open", table="shoe"), why="options changed")


def add_end(events: list[Event], *more: Event) -> None:
    at = events[-1]["sign"]
    events[-1:] = [log.ended("18", at), *more, {"sign": at}]


SIGNED_ANEW: dict[str, tuple[str, Change]] = {
    # entry
    "an entry of another kind": ("entry", lambda es: put(first(es, "close"), k="note")),
    "an entry without a kind": ("entry", lambda es: first(es, "close").pop("k")),
    "an entry with a key more": ("entry", lambda es: put(first(es, "close"), note="x")),
    "an entry without one": ("entry", lambda es: first(es, "paid").pop("meter")),
    "an entry that is none": ("entry", lambda es: es.insert(3, {"list": [1]})),
    "a time that falls": ("entry", lambda es: put(first(es, "open"), at=first(es, "open")["at"] - 1)),
    "a time below 0": ("entry", lambda es: put(es[0], at=-1)),
    "a time that is true": ("entry", lambda es: put(first(es, "open"), at=True)),
    "no begin": ("entry", lambda es: es.pop(0)),
    "two begins": ("entry", lambda es: es.insert(1, dict(es[0]))),
    "log 1 after another": ("entry", lambda es: put(es[0], after=publish([{"sign": 5}])[0]["head"])),
    "log 2 after nothing": ("entry", lambda es: put(es[0], log=2)),
    "a begin without a why": ("entry", lambda es: put(es[0], why="")),
    "a promise of version 1": ("entry", lambda es: commit_anew(es, first(es, "commit"), v=1)),
    "a promise with a key more": ("entry", lambda es: commit_anew(es, first(es, "commit"), note="x")),
    "a promise without its options": ("entry", lambda es: commit_anew(es, first(es, "commit"), options={})),
    "a promise with an option that cannot be": (
        "entry",
        lambda es: commit_anew(
            es, first(es, "commit"), options=first(es, "commit")["promise"]["options"] | {"step": 0}
        ),
    ),
    "a promise of an unknown game": ("entry", lambda es: commit_anew(es, first(es, "commit"), game="bingo")),
    "a promise by unknown rules": ("entry", lambda es: commit_anew(es, first(es, "commit"), rules=99)),
    "a promise that opens late": ("entry", lambda es: commit_anew(es, first(es, "commit", table="t1"), opens=9)),
    "a promise of another house": ("entry", lambda es: commit_anew(es, last(es, "commit"), house="ab" * 32)),
    "a promise of another casino": ("entry", lambda es: commit_anew(es, last(es, "commit"), casino="18")),
    "a promise of another log": ("entry", lambda es: commit_anew(es, last(es, "commit"), log=2)),
    "cuts that are no hash": ("entry", lambda es: put(first(es, "close"), cuts="abc")),
    "a meter with a key more": ("entry", lambda es: first(es, "paid", table="t0")["meter"].update(x=1)),
    "a bet after the end": ("entry", lambda es: add_end(es, dict(last(es, "commit")))),
    "an end that leads nowhere": ("entry", lambda es: es.append(log.ended("", es[-1]["sign"]))),
    # head
    "no head at all": ("head", lambda es: sign_nothing(es)),
    "entries under no head": ("head", lambda es: es.pop()),
    "a head whose time falls": ("head", lambda es: put(es[-1], sign=es[-1]["sign"] - 90000)),
    "a head older than its entries": ("head", lambda es: put(first_head(es), sign=first_head(es)["sign"] - 30)),
    # chain
    "a promise that follows no other": (
        "chain",
        lambda es: commit_anew(es, next_of(es, first(es, "commit")), previous=""),
    ),
    "a promise that follows another table's": (
        "chain",
        lambda es: commit_anew(es, last(es, "commit", table="t1"), previous=commit_to(first(es, "commit")["promise"])),
    ),
    "a first promise that follows one": (
        "chain",
        lambda es: commit_anew(es, first(es, "commit", table="t2"), previous="ab" * 32),
    ),
    "a promise left out of the chain": ("chain", lambda es: leave_out(es, "dropping")),
    "a promise made twice": (
        "chain",
        lambda es: insert_after(es, first(es, "commit"), dict(first(es, "commit"))),
    ),
    # close
    "a close without a promise": ("close", lambda es: remove(es, first(es, "commit", table="t1"))),
    "a close of an unknown commit": ("close", lambda es: put(first(es, "close"), commit="ab" * 32)),
    "a close after the seed was shown": (
        "close",
        lambda es: swap(es, first(es, "open", table="t1"), first(es, "close", table="t1")),
    ),
    "a second close while the first waits": (
        "close",
        lambda es: insert_after(es, first(es, "close"), dict(first(es, "close"))),
    ),
    "a second hand of a promise for one": ("close", lambda es: play_again(es, "t1")),
    "a first hand that starts later": ("close", lambda es: start_at(es, "t1", 5)),
    "a shoe that skips cards": ("close", lambda es: skip(es, 1)),
    "a shoe that goes back": ("close", lambda es: skip(es, -1)),
    "a hand beyond the penetration": ("close", lambda es: commit_to_less(es)),
    "a shoe with other cuts": ("close", lambda es: put([*entries(es, "close", table="shoe")][1], cuts="ab" * 32)),
    "a shoe with another round": ("close", lambda es: put(last(es, "close", table="again"), round=7)),
    "a round without a beacon": ("close", lambda es: put(first(es, "close"), round=5)),
    "a beacon without a round": ("close", lambda es: put(first(es, "close", table="public"), round=0)),
    "a round that was known": ("close", lambda es: move_round(es, -1)),
    "a round that was waited for": ("close", lambda es: move_round(es, 1)),
    "a head too late for its round": ("close", lambda es: put(head_of_round(es), sign=head_of_round(es)["sign"] + 7)),
    "no head before its round": ("close", lambda es: remove(es, head_of_round(es))),
    "a close of an older promise": ("close", lambda es: close_older(es)),
    # paid
    "a payment without a close": ("paid", lambda es: remove(es, first(es, "close", table="t1"))),
    "a payment made twice": ("paid", lambda es: insert_after(es, first(es, "paid"), dict(first(es, "paid")))),
    "a payment of another start": ("paid", lambda es: put(first(es, "paid", table="t1"), start=3)),
    "a next start outside shoes": ("paid", lambda es: put(first(es, "paid", table="t1"), next=9)),
    "a next start without cards": (
        "paid",
        lambda es: put(last(es, "paid", table="again"), next=last(es, "paid", table="again")["start"]),
    ),
    "a next start beyond the shoe": ("paid", lambda es: put(last(es, "paid", table="again"), next=313)),
    "a next start that the next hand does not take": (
        "paid",
        lambda es: put(first(es, "paid", table="shoe"), next=first(es, "paid", table="shoe")["next"] + 1),
    ),
    "a move of the meter without a reason": ("entry", lambda es: put(last(es, "meter"), why="")),
    "a move of the meter without its end": ("entry", lambda es: last(es, "meter").pop("after")),
    "a move of the meter from another reading": ("paid", lambda es: put(last(es, "meter"), before=5)),
    "a move of the meter to another reading": ("paid", lambda es: put(first(es, "meter"), after=5)),
    "a move of the meter that is left out": ("paid", lambda es: remove(es, first(es, "meter"))),
    "a meter where none is": ("paid", lambda es: put(first(es, "paid", table="t1"), meter={"before": 1, "after": 1})),
    "no meter where one is": ("paid", lambda es: put(first(es, "paid", table="t0"), meter={})),
    "a meter that jumps": ("paid", lambda es: last(es, "paid", table="public")["meter"].update(before=5)),
    "a meter that jumps afterwards": ("paid", lambda es: first(es, "paid", table="t0")["meter"].update(after=5)),
    "a void hand that moves the meter": (
        "paid",
        lambda es: last(es, "paid", table="t0")["meter"].update(
            after=last(es, "paid", table="t0")["meter"]["after"] + 1
        ),
    ),
    "a hand that was never paid": ("paid", lambda es: remove(es, first(es, "paid", table="dropping"))),
    "a payment before its round": ("paid", lambda es: pay_early(es, "public", 1)),
    # void
    "a void hand before its round": ("void", lambda es: pay_early(es, "sealed public", 1, void="x")),
    "a void hand of a shoe within the hour": ("void", lambda es: void_undealt(es)),
    # seals
    "seals that are none": ("entry", lambda es: put(sealed(es), seals="none")),
    "an empty list of seals": ("entry", lambda es: put(sealed(es), seals=[])),
    "seals out of order": ("entry", lambda es: sealed(es)["seals"].reverse()),
    "a seal twice": ("entry", lambda es: sealed(es)["seals"].append(sealed(es)["seals"][-1])),
    "unopened seals out of order": ("entry", lambda es: put(cuts_of(es, "sealed", 1), unopened=["b" * 64, "a" * 64])),
    "a cuts entry without its list": ("entry", lambda es: cuts_of(es).pop("unopened")),
    "a round in a close with seals": ("close", lambda es: put(sealed(es, "sealed public"), round=5)),
    "seals of a later hand": (
        "close",
        lambda es: put(last(es, "close", table="sealed shoe"), seals=["ab" * 32]),
    ),
    "other cuts of a later hand": ("close", lambda es: put(last(es, "close", table="sealed shoe"), cuts="ab" * 32)),
    "another round of a later hand": ("close", lambda es: put(last(es, "close", table="sealed shoe"), round=7)),
    "no cuts entry": ("cuts", lambda es: remove(es, cuts_of(es))),
    "a second cuts entry": ("cuts", lambda es: insert_after(es, cuts_of(es), dict(cuts_of(es)))),
    "a cuts entry after the payment": ("cuts", lambda es: swap(es, cuts_of(es), first(es, "paid", table="sealed"))),
    "a cuts entry without seals": ("cuts", lambda es: sealed(es).pop("seals")),
    "a cuts entry of an unknown commit": ("cuts", lambda es: put(cuts_of(es), commit="ab" * 32)),
    "a cuts entry of another start": ("cuts", lambda es: put(cuts_of(es), start=9)),
    "an unopened seal that nobody gave": ("cuts", lambda es: put(cuts_of(es, "sealed", 1), unopened=["ab" * 32])),
    "an unopened seal within 5 s": ("cuts", lambda es: put(cuts_of(es), unopened=sealed(es)["seals"][:1])),
    "a cuts entry with a round without a beacon": ("cuts", lambda es: put(cuts_of(es), round=5)),
    "a cuts entry without a round": ("cuts", lambda es: put(cuts_of(es, "sealed public"), round=0)),
    "a cuts entry with a later round": (
        "cuts",
        lambda es: put(cuts_of(es, "sealed public"), round=cuts_of(es, "sealed public")["round"] + 1),
    ),
    "a head too late for the round of the cuts": (
        "cuts",
        lambda es: put(head_of_cuts(es), sign=head_of_cuts(es)["sign"] + 7),
    ),
    # opening
    "a why for a void hand": ("opening", lambda es: put(first(es, "open", table="sealed public"), why="x")),
    "another seed": ("opening", lambda es: put(first(es, "open"), seed="ab" * 32)),
    "a seed shown twice": ("opening", lambda es: insert_after(es, first(es, "open"), dict(first(es, "open")))),
    "a seed of an unknown commit": ("opening", lambda es: put(last(es, "open"), commit="ab" * 32)),
    "a seed shown while the hand is under way": (
        "opening",
        lambda es: swap(es, first(es, "open", table="t1"), first(es, "paid", table="t1")),
    ),
    "a dropped hand without a why": ("opening", lambda es: put(first(es, "open", table="dropping"), why="")),
    "a why for a dealt hand": ("opening", lambda es: put(first(es, "open", table="t1"), why="bad cards")),
    "a why for a shoe that was dealt, with a void hand in it": ("opening", lambda es: say_dropped(es)),
    "a seed never shown": ("opening", lambda es: remove(es, first(es, "open", table="t1"))),
    "a dropped seed never shown": ("opening", lambda es: remove(es, first(es, "open", table="dropping"))),
    "a dropped seed shown after the next promise": ("opening", lambda es: drop_late(es)),
    "a dropped seed not shown with the next promise": ("opening", lambda es: hide_dropped(es)),
    "a seed shown late": (
        "opening",
        lambda es: shown_late(es, first(es, "open", table="t1"), first(es, "paid", table="t1")["at"] + HOUR_S + 1),
    ),
    "a seed of stud shown late": (
        "opening",
        lambda es: shown_late(
            es, first(es, "open", table="slow"), first(es, "paid", table="slow")["at"] + 25 * HOUR_S + 1
        ),
    ),
    "a seed of stud shown early": (
        "opening",
        lambda es: commit_anew(es, first(es, "commit", table="t4"), opens=1),
    ),
    "a shoe shown late": (
        "opening",
        lambda es: shown_late(
            es, first(es, "open", table="small shoe"), last(es, "paid", table="small shoe")["at"] + 24 * HOUR_S + 1
        ),
    ),
}


def sealed(events: list[Event], table: str = "sealed") -> Event:
    """The first close with seals of a table."""
    return next(event for event in entries(events, "close", table=table) if "seals" in event)


def cuts_of(events: list[Event], table: str = "sealed", number: int = 0) -> Event:
    return [*entries(events, "cuts", table=table)][number]


def head_of_cuts(events: list[Event]) -> Event:
    return first_head(events[place(events, cuts_of(events, "sealed public")) :])


def pay_early(events: list[Event], table: str, seconds: int, **values: Any) -> None:
    """The first payment of a table comes before the time of its round."""
    paid = first(events, "paid", table=table)
    before = events[place(events, paid) - 1]
    put(paid, at=before["at" if "at" in before else "sign"] + seconds, **values)


def void_undealt(events: list[Event]) -> None:
    paid = first(events, "paid", table="again")
    close = last(events, "close", table="again")
    put(paid, void="no cards", next=paid["start"])
    put(close, start=paid["start"])
    put(last(events, "paid", table="again"), start=paid["start"])


def sign_nothing(events: list[Event]) -> None:
    events[:] = [event for event in events if "sign" not in event]


def first_head(events: list[Event]) -> Event:
    return next(event for event in events if "sign" in event)


def leave_out(events: list[Event], table: str) -> None:
    """Leave out a dropped commitment and its seed, as if it had never been."""
    remove(events, first(events, "open", table=table))
    remove(events, first(events, "commit", table=table))


def play_again(events: list[Event], table: str) -> None:
    """Play twice from the same commitment before showing the seed."""
    close, paid = first(events, "close", table=table), first(events, "paid", table=table)
    insert_after(events, paid, dict(paid))
    insert_after(events, paid, close | {"at": paid["at"]})


def start_at(events: list[Event], table: str, start: int) -> None:
    put(first(events, "close", table=table), start=start)
    put(first(events, "paid", table=table), start=start)


def skip(events: list[Event], cards: int) -> None:
    close, paid = [*entries(events, "close", table="shoe")][2], [*entries(events, "paid", table="shoe")][2]
    put(close, start=close["start"] + cards)
    put(paid, start=paid["start"] + cards)


def commit_to_less(events: list[Event]) -> None:
    """Let the shoe commit to fewer hands than were dealt from it."""
    commitment = first(events, "commit", table="shoe")
    commit_anew(events, commitment, options=commitment["promise"]["options"] | {"penetration": 500})


def move_round(events: list[Event], rounds: int) -> None:
    close = first(events, "close", table="public")
    close["round"] += rounds


def head_of_round(events: list[Event]) -> Event:
    close = first(events, "close", table="public")
    return first_head(events[place(events, close) :])


def close_older(events: list[Event]) -> None:
    """Have two open commitments, of which the casino uses the one it prefers."""
    older = first(events, "commit", table="dropping")
    newer = next_of(events, older)
    opened = first(events, "open", table="dropping")
    remove(events, opened)
    insert_after(events, newer, opened | {"at": newer["at"]})
    insert_after(events, newer, first(events, "close", table="dropping") | {"commit": commit_to(older["promise"])})


def hide_dropped(events: list[Event]) -> None:
    """Drop everything within one second, up to the next commitment."""
    events[place(events, next_of(events, first(events, "commit", table="dropping"))) + 1 :] = []
    opened = first(events, "open", table="dropping")
    remove(events, opened)
    events.append({"sign": events[-1]["at"]})


def drop_late(events: list[Event]) -> None:
    opened = first(events, "open", table="dropping")
    close = first(events, "close", table="dropping")
    remove(events, opened)
    insert_after(events, close, opened | {"at": close["at"]})


@pytest.mark.slow
@pytest.mark.parametrize("name", SIGNED_ANEW)
def test_what_the_house_forges_and_signs_is_found(check: Callable[..., dict[str, Any]], name: str) -> None:
    business, change = SIGNED_ANEW[name]
    events = deepcopy(evening().events)
    change(events)
    answer = check(publish(events))
    assert business in checks_of(answer), answer["faults"]


def resigned(lines: list[Event], line: int, secret: bytes = SECRET, **values: Any) -> None:
    lines[line] = sign_head(secret, lines[line]["head"] | values)


AFTERWARDS: dict[str, tuple[str, Change]] = {
    "a payment that changed": ("tree", lambda ls: put(first(ls, "paid"), record="ab" * 32)),
    "an entry left out": ("tree", lambda ls: ls.pop(7)),
    "an entry put in": ("tree", lambda ls: ls.insert(7, dict(ls[7]))),
    "two entries swapped": ("tree", lambda ls: swap(ls, ls[20], ls[21])),
    "the last entry cut off": ("tree", lambda ls: remove(ls, last(ls, "commit"))),
    "a root of something else": ("tree", lambda ls: resigned(ls, -1, root="ab" * 32)),
    "a head of more than there is": ("tree", lambda ls: resigned(ls, -1, size=10_000)),
    "a head of more than there is, too": ("head", lambda ls: resigned(ls, -1, size=10_000)),
    "a head with a key more": ("head", lambda ls: ls[-1]["head"].update(note=1)),
    "a line with a key more": ("head", lambda ls: put(ls[-1], note=1)),
    "a head whose time changed": ("head", lambda ls: ls[-2]["head"].update(at=ls[-2]["head"]["at"] + 1)),
    "a signature of another head": ("head", lambda ls: put(ls[-1], signature=ls[-2]["signature"])),
    "a signature that is no hex": ("head", lambda ls: put(ls[-1], signature="x")),
    "a signature of another key": ("head", lambda ls: resigned(ls, -3, b"\7" * 32)),
    "a head of another house": ("head", lambda ls: ls[-3]["head"].update(house="ab" * 32)),
    "a head of another casino": ("head", lambda ls: resigned(ls, -3, casino="18")),
    "a head of another log": ("head", lambda ls: resigned(ls, -3, log=2)),
    "heads in another order": ("head", lambda ls: swap(ls, ls[-3], ls[-5])),
    "an entry among the heads": ("head", lambda ls: ls.insert(len(ls) - 3, dict(ls[5]))),
    "a head among the entries": ("entry", lambda ls: ls.insert(5, dict(ls[-1]))),
}


@pytest.mark.parametrize("name", AFTERWARDS)
def test_what_is_forged_without_the_key_is_found(check: Callable[..., dict[str, Any]], name: str) -> None:
    business, change = AFTERWARDS[name]
    lines = deepcopy(evening().lines_of_file())
    change(lines)
    answer = check(lines)
    assert business in checks_of(answer), answer["faults"]


@pytest.mark.long
def test_no_value_of_a_line_can_be_changed_unseen(check: Callable[..., dict[str, Any]]) -> None:
    """The tree protects what no other check covers, for one line of each kind."""
    lines = evening().lines_of_file()
    kinds = {line.get("k", "head"): index for index, line in enumerate(lines)}
    for index in kinds.values():
        for number in range(len([*leaves(lines[index])])):
            changed = [*lines[:index], deepcopy(lines[index]), *lines[index + 1 :]]
            container, key = [*leaves(changed[index])][number]
            container[key] = other(container[key])
            assert check(changed)["faults"], (lines[index], key)


def test_a_fault_names_its_line(check: Callable[..., dict[str, Any]]) -> None:
    lines = deepcopy(evening().lines_of_file())
    entry = first(lines, "open", table="t1")
    put(entry, seed="ab" * 32)
    faults = check(lines)["faults"]
    assert {"check": "opening", "index": lines.index(entry), "why": "the seed does not match the commitment"} in faults
    heads = [fault["index"] for fault in faults if fault["check"] == "tree"]
    assert min(heads) > len(evening().entries)


def test_a_thousand_faults_are_told_in_a_few(check: Callable[..., dict[str, Any]]) -> None:
    lines = [log.begin(1, {}, "first", 5), *({"k": "note", "at": 5} for _ in range(1000))]
    faults = [fault for fault in check(publish([*lines, {"sign": 5}]))["faults"] if fault["check"] == "entry"]
    assert len(faults) == 101
    assert faults[-1]["index"] == 1000
    assert "last of 900 more" in faults[-1]["why"]


@pytest.mark.parametrize(
    "text",
    [
        "null",
        '{"k": "begin", "k": "begin"}',
        '{"at": 1.0}',
        '{"at": 1e3}',
        '{"at": 9007199254740992}',
        r'{"why": "\ud800"}',
        '{"k": "commit", "promise": {"hou',
        "[" * 100_000,
        "",
        " " * 2_000_000,
        "\xff",
    ],
)
@pytest.mark.parametrize("line", [0, 50, 180])
def test_a_line_that_cannot_be_read_is_refused_by_its_index(
    check: Callable[..., dict[str, Any]], text: str, line: int, tmp_path: Path
) -> None:
    lines = [json.dumps(value) for value in evening().lines_of_file()]
    lines[line] = text
    with pytest.raises(Unreadable, match=rf"^line {line}: [^\n]{{5,200}}$"):
        check("\n".join(lines) + "\n")


def test_an_empty_file_is_no_log(check: Callable[..., dict[str, Any]]) -> None:
    with pytest.raises(Unreadable):
        check("")


def seen_in_time() -> list[Event]:
    return [{**head, "seen": head["head"]["at"]} for head in evening().heads]


def test_heads_that_were_seen_are_held_against_the_log(check: Callable[..., dict[str, Any]]) -> None:
    seen = seen_in_time()
    assert check(evening().lines_of_file(), seen)["faults"] == []
    assert check(evening().lines_of_file(), seen[::-1])["faults"] == []
    assert check(evening().lines_of_file(), [])["faults"] == []


def test_who_was_shown_another_log_finds_it(check: Callable[..., dict[str, Any]]) -> None:
    events = deepcopy(evening().events)
    put(first(events, "paid", table="t1"), record="ab" * 32)
    answer = check(publish(events), seen_in_time())
    assert checks_of(answer) == {"tree"}
    assert all("seen head" in fault["why"] for fault in answer["faults"])


def test_who_was_shown_a_longer_log_finds_it(check: Callable[..., dict[str, Any]]) -> None:
    events = evening().events[:50]
    assert "tree" in checks_of(check(publish([*events, {"sign": evening().at}]), seen_in_time()))


@pytest.mark.parametrize(("key", "value"), [("signature", "ab" * 64), ("seen", "soon"), ("note", 1)])
def test_a_seen_head_must_be_the_houses(check: Callable[..., dict[str, Any]], key: str, value: Any) -> None:
    seen = deepcopy(seen_in_time())
    seen[2][key] = value
    assert checks_of(check(evening().lines_of_file(), seen)) == {"head"}


def test_a_close_that_nobody_saw_in_time_is_a_fault(check: Callable[..., dict[str, Any]]) -> None:
    """The casino's heads say that it was in time; participants know better."""
    lines = evening().lines_of_file()
    close = first(lines, "close", table="public")
    late = [dict(head) for head in seen_in_time()]
    for head in late:
        if head["head"]["size"] > lines.index(close):
            head["seen"] = max(head["seen"], beacon.time_of(close["round"]))
    faults = check(lines, late)["faults"]
    assert [fault["check"] for fault in faults] == ["close"]
    assert faults[0]["index"] == lines.index(close)
    assert str(close["round"]) in faults[0]["why"]
    # A verifier who saw nothing later knows nothing about it.
    before = [head for head in late if head["head"]["size"] <= lines.index(close)]
    assert check(lines, before)["faults"] == []


def test_with_the_newest_head_alone_nothing_is_said_of_rounds(check: Callable[..., dict[str, Any]]) -> None:
    events = [event for event in evening().events[:-1] if "sign" not in event] + [evening().events[-1]]
    assert checks_of(check(publish(events))) == {"close", "cuts"}
    assert check(publish(events), has_newest_head_only=True)["faults"] == []


def test_a_log_after_another_one_has_no_fault(check: Callable[..., dict[str, Any]]) -> None:
    head = evening().heads[-1]["head"]
    after = Writing(number=2, after=head, at=head["at"] + 60)
    table = Table("t1", "uth")
    after.commitment(table)
    after.play(table, stakes=STAKES["uth"])
    after.open(table)
    after.sign()
    assert check(after.lines_of_file())["faults"] == []


@pytest.mark.parametrize(
    "after", [{"log": 2}, {"casino": "18"}, {"at": 10**12}, {"root": "ab"}, {"size": -1}, {"note": 1}]
)
def test_a_log_comes_after_the_last_head_of_the_one_before(
    check: Callable[..., dict[str, Any]], after: dict[str, Any]
) -> None:
    head = evening().heads[-1]["head"] | after
    at = evening().heads[-1]["head"]["at"]
    events = [log.begin(2, head, "a new key", at)]
    lines = publish([*events, {"sign": at}])
    resigned(lines, -1, log=2)
    assert checks_of(check(lines)) == {"entry"}
