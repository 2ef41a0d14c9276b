"""Checks by `doctor` of each casino's log against its tree, its heads and the hands: every planted fault is found."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from bot.cli.log_faults import examine_logs
from bot.core.rounds.hand_records import dump_dropped, dump_record
from bot.core.rounds.posted_sums import paid_by_player
from engine.fairness.canonical import encode
from engine.fairness.merkle import grow
from storage import ledger
from storage.questions import hands
from storage.rows import CasinoRow, HandRow, MoveRow, PlayerRow, PostingRow, ResultRow, TableRow
from storage.sqlite import FILE, SqliteBooks, reading
from tests.cli.kept_logs import CASINO, keep_an_evening
from tests.some import some
from tests.storage.drafts import write

NAME = f"Log 1 of casino {CASINO}: "
# Changes as with the sqlite3 program.
NO_GUARDS = [
    f"DROP TRIGGER IF EXISTS {table}_{guard}" for table in ("log_entries", "postings") for guard in ("stay", "remain")
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of a log with its hands, as after real play; and what was written."""
    folder = tmp_path_factory.mktemp("kept")
    with closing(SqliteBooks(folder)) as books:
        written = keep_an_evening(books)
        write(books, CasinoRow(1, "Lounge", "{}", 0.0), TableRow(1, CASINO, "uth", "closed", "{}"))
        write(books, *(PlayerRow(number, name, "en", "{}", 0.0) for name, number in (("A", 1), ("B", 2), ("C", 3))))
        for line, entry in enumerate(written.entries):
            if entry["k"] == "commit":
                write(books, *rows_of_hand(written, entry["promise"], line))
    return folder, written


def rows_of_hand(written, commitment, line):
    hand, lines = commitment["hand"], written.lines.get(commitment["hand"], [line])
    number, seed, record = int(hand), written.seeds[hand], written.records.get(hand)
    if record is None or "paid" not in record:
        why = record["void"] if record is not None else "table closed"
        yield HandRow(number, CASINO, 1, "uth", "void", seed, dump_dropped(commitment, lines, seed, why), 1.0, 2.0)
        return
    is_void = bool(written.entries[lines[-1]]["void"])
    status = "void" if is_void else "over"
    yield HandRow(number, CASINO, 1, "uth", status, seed, dump_record(record, lines, seed), 1.0, 2.0)
    yield from (MoveRow(number, at, move, 1.5) for at, move in enumerate(record["moves"]))
    if is_void:
        return
    for name, (wagered, returned) in paid_by_player(record).items():
        player = int(name.removeprefix("p"))
        wallet = ledger.wallet(CASINO, player)
        yield ResultRow(number, player, CASINO, "uth", wagered, returned, 2.0)
        yield PostingRow(1.0, wallet, ledger.hand(number), wagered, "bets", number, f"bet {player}")
        if returned:
            yield PostingRow(2.0, ledger.hand(number), wallet, returned, "wins", number, f"win {player}")


@pytest.fixture
def folder(kept, tmp_path):
    shutil.copytree(kept[0], tmp_path / "data")
    return tmp_path / "data"


def faults_of(folder, *statements):
    with closing(sqlite3.connect(folder / FILE)) as db, db:
        for statement in (*NO_GUARDS, *statements):
            db.execute(*statement) if isinstance(statement, tuple) else db.execute(statement)
    with reading(folder / FILE) as books:
        return list(examine_logs(books))


def test_what_is_in_order_has_no_faults(folder):
    assert faults_of(folder) == []


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM log_entries WHERE number = 30", "entry 30 is missing"),
        (
            "UPDATE log_entries SET entry = replace(entry, ':', ': ') WHERE number = 7",
            "entry 7 does not match its hash",
        ),
        ("UPDATE log_entries SET entry = '[]' WHERE number = 7", "entry 7 does not match its hash"),
        ("UPDATE log_entries SET entry = '{{' WHERE number = 7", "entry 7 does not match its hash"),
        (
            "UPDATE log_entries SET nodes = zeroblob(64) WHERE number = 9",
            "entry 9: its tree nodes are wrong",
        ),
        ("UPDATE log_heads SET root = zeroblob(32) WHERE size = 5", "its tree head of 5 entries has a different root"),
        ("UPDATE log_heads SET at = at + 1", "its tree head of {size} entries is not signed by the casino"),
        (
            "UPDATE log_heads SET size = size + 1 WHERE size = {size}",
            "a tree head covers {above} entries, but there are {size}",
        ),
        ("UPDATE logs SET joined = 1", "it continues but is marked as ended"),
        ("DELETE FROM hands WHERE id = 1", "entry 1: it commits hand 1, which is not in the books"),
        ("UPDATE hands SET seed = x'00' WHERE id = 1", "entry 1: hand 1 has a different seed than committed"),
    ],
)
def test_what_was_changed_in_a_log_is_found(kept, folder, statement, fault):
    size = len(kept[1].entries)
    found = faults_of(folder, statement.format(size=size))
    assert NAME + fault.format(size=size, above=size + 1) + "." in found


def test_an_entry_that_was_changed_with_its_nodes_is_found_by_the_heads(kept, folder):
    """The tree alone would not show it, because it was hashed anew from there, as its owner can."""
    changed, statements = 2, []
    peaks: tuple[bytes, ...] = ()
    for line, entry in enumerate(rows_of(folder)):
        if line == changed:
            entry = encode(json.loads(entry) | {"at": json.loads(entry)["at"] + 1}).decode()
        peaks, completed = grow(line, peaks, entry.encode())
        values = (entry, b"".join(completed), line)
        statements.append(("UPDATE log_entries SET entry = ?, nodes = ? WHERE number = ?", values))
    found = faults_of(folder, *statements)
    assert f"{NAME}its tree head of 5 entries has a different root." in found


def rows_of(folder):
    with closing(sqlite3.connect(folder / FILE)) as db:
        return [entry for (entry,) in db.execute("SELECT entry FROM log_entries ORDER BY number")]


def test_what_the_rules_of_a_log_forbid_is_found(folder):
    (entry,) = [one for one in rows_of(folder) if '"k":"open"' in one][:1]
    number = rows_of(folder).index(entry)
    other = encode(json.loads(entry) | {"seed": "00" * 32}).decode()
    found = faults_of(folder, ("UPDATE log_entries SET entry = ? WHERE number = ?", (other, number)))
    assert f"{NAME}entry {number}: the seed does not match the commitment." in found


@pytest.mark.parametrize(
    ("kept_deal", "fault"),
    [
        ({"lines": [4, 2, 3]}, "its commitment is not where it should be in the log"),
        ({"lines": [1, 2, 100_000]}, "its commitment is not where it should be in the log"),
        ({"lines": []}, "its commitment is not where it should be in the log"),
        ({"lines": [1, 2]}, "it is over, but its payout is not in the log"),
        ({"lines": [1, 3, 2]}, "its entries in the log are commit, paid, close"),
        ({"lines": "x"}, "its place in the log cannot be read"),
        ({"promise": {}}, "its place in the log cannot be read"),
    ],
)
def test_a_hand_that_does_not_stand_in_its_log_is_found(kept, folder, kept_deal, fault):
    deal = {"v": 2, "promise": kept[1].entries[1]["promise"], "lines": [1, 2, 3]} | kept_deal
    found = faults_of(folder, ("UPDATE hands SET deal = ? WHERE id = 1", (json.dumps(deal),)))
    assert found == [f"Hand 1: {fault}."]


def hand_with(written, holds):
    """Return the number of the first hand whose payment is so."""
    return next(number for number, record in written.records.items() if holds(written, number, record))


def is_paid(written, number, record):
    return "paid" in record and not written.entries[written.lines[number][-1]]["void"] and number == "1"


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE moves SET move = '1 fold' WHERE hand = {hand} AND number = 0", "computed from a different record"),
        ("DELETE FROM moves WHERE hand = {hand}", "computed from a different record"),
        ("UPDATE hands SET status = 'void' WHERE id = {hand}", "it is void, but its payout in the log says otherwise"),
        ("UPDATE results SET returned = returned + 1 WHERE hand = {hand} AND player = 1", "its record pays p1"),
        ("UPDATE results SET wagered = 0 WHERE hand = {hand} AND player = 1", "its record pays p1"),
        ("DELETE FROM results WHERE hand = {hand} AND player = 1", "and its results say nothing"),
        (
            "INSERT INTO results SELECT hand, 3, casino, game, 5, 7, at FROM results WHERE hand = {hand} LIMIT 1",
            "its record pays p3 nothing, and its results say 7 for 5",
        ),
        ("UPDATE postings SET amount = amount + 1 WHERE hand = {hand} AND credit LIKE 'hand%'", "its record brings p1"),
        ("DELETE FROM postings WHERE hand = {hand}", "and its postings 0"),
    ],
)
def test_a_payment_that_is_not_what_the_books_have_paid_is_found(kept, folder, statement, fault):
    hand = hand_with(kept[1], is_paid)
    assert faults_of(folder) == []
    found = faults_of(folder, statement.format(hand=hand))
    assert [one for one in found if one.startswith(f"Hand {hand}: ") and fault in one], found


def test_a_void_hand_that_the_books_call_paid_is_found(kept, folder):
    written = kept[1]
    hand = hand_with(written, lambda _written, _number, record: "void" in record and "paid" in record)
    found = faults_of(folder, f"UPDATE hands SET status = 'over' WHERE id = {hand}")
    assert found == [f"Hand {hand}: it is over, but its payout in the log says otherwise."]


@pytest.mark.parametrize(
    "change",
    [
        lambda deal: deal["stakes"][0].update(more=1),
        lambda deal: deal["paid"]["net"].update({"9": 5}),
        lambda deal: deal.update(salt="ab" * 16),
        lambda deal: deal.update(cuts=["x"]),
        lambda deal: deal.update(start=4),
        lambda deal: deal.update(void="gone"),
    ],
    ids=["stakes", "net", "salt", "cuts", "start", "void"],
)
def test_a_deal_that_is_not_what_the_payment_was_made_of_is_found(kept, folder, change):
    hand = int(hand_with(kept[1], is_paid))
    with reading(folder / FILE) as books:
        deal = json.loads(some(hands.hand(books, hand)).deal)
    change(deal)
    found = faults_of(folder, ("UPDATE hands SET deal = ? WHERE id = ?", (json.dumps(deal), hand)))
    assert found == [f"Hand {hand}: its payout in the log was computed from a different record."]
