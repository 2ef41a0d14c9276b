"""The doctor holds each casino's log against its tree, its heads and the hands: every planted fault is found."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from bot.tools.log_faults import examine_logs
from engine.fairness.canonical import encode
from engine.fairness.merkle import grow
from storage.rows import CasinoRow, HandRow, TableRow
from storage.sqlite import FILE, SqliteBooks, reading
from tests.bot.kept_logs import CASINO, keep_an_evening
from tests.storage.drafts import write

NAME = f"Log 1 of casino {CASINO}: "
# As somebody would with the sqlite3 program.
NO_GUARDS = ("DROP TRIGGER log_entries_stay", "DROP TRIGGER log_entries_remain")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of an evening's log and its hands, as a house has them that has played it; and what was written."""
    folder = tmp_path_factory.mktemp("kept")
    with closing(SqliteBooks(folder)) as books:
        written = keep_an_evening(books)
        write(books, CasinoRow(1, "Lounge", "{}", 0.0), TableRow(1, CASINO, "uth", "closed", "{}"))
        for line, entry in enumerate(written.entries):
            if entry["k"] == "commit":
                hand = entry["promise"]["hand"]
                lines = written.lines.get(hand, [line])
                deal = json.dumps({"v": 2, "promise": entry["promise"], "lines": lines})
                status = "over" if len(lines) == 3 else "void"
                write(books, HandRow(int(hand), CASINO, 1, "uth", status, written.seeds[hand], deal, 1.0, 2.0))
    return folder, written


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
        ("UPDATE log_entries SET entry = replace(entry, ':', ': ') WHERE number = 7", "entry 7 is not as it is hashed"),
        ("UPDATE log_entries SET entry = '[]' WHERE number = 7", "entry 7 is not as it is hashed"),
        ("UPDATE log_entries SET entry = '{{' WHERE number = 7", "entry 7 is not as it is hashed"),
        (
            "UPDATE log_entries SET nodes = zeroblob(64) WHERE number = 9",
            "entry 9: its nodes of the tree are not those that it completes",
        ),
        ("UPDATE log_heads SET root = zeroblob(32) WHERE size = 5", "its head of 5 entries has another root"),
        ("UPDATE log_heads SET at = at + 1", "its head of {size} entries is not signed by its house"),
        (
            "UPDATE log_heads SET size = size + 1 WHERE size = {size}",
            "a head covers {above} entries, and there are {size}",
        ),
        ("UPDATE logs SET joined = 1", "it goes on, and is marked as ended"),
        ("DELETE FROM hands WHERE id = 1", "entry 1: it promises hand 1, which is not in the books"),
        ("UPDATE hands SET seed = x'00' WHERE id = 1", "entry 1: hand 1 has another seed than was promised"),
    ],
)
def test_what_was_changed_in_a_log_is_found(kept, folder, statement, fault):
    size = len(kept[1].entries)
    found = faults_of(folder, statement.format(size=size))
    assert NAME + fault.format(size=size, above=size + 1) + "." in found


def test_an_entry_that_was_changed_with_its_nodes_is_found_by_the_heads(kept, folder):
    """The tree alone would not tell: it was hashed anew from there on, as whoever keeps it can."""
    changed, statements = 2, []
    peaks: tuple[bytes, ...] = ()
    for line, entry in enumerate(rows_of(folder)):
        if line == changed:
            entry = encode(json.loads(entry) | {"at": json.loads(entry)["at"] + 1}).decode()
        peaks, completed = grow(line, peaks, entry.encode())
        values = (entry, b"".join(completed), line)
        statements.append(("UPDATE log_entries SET entry = ?, nodes = ? WHERE number = ?", values))
    found = faults_of(folder, *statements)
    assert f"{NAME}its head of 5 entries has another root." in found


def rows_of(folder):
    with closing(sqlite3.connect(folder / FILE)) as db:
        return [entry for (entry,) in db.execute("SELECT entry FROM log_entries ORDER BY number")]


def test_what_the_rules_of_a_log_forbid_is_found(folder):
    (entry,) = [one for one in rows_of(folder) if '"k":"open"' in one][:1]
    number = rows_of(folder).index(entry)
    other = encode(json.loads(entry) | {"seed": "00" * 32}).decode()
    found = faults_of(folder, ("UPDATE log_entries SET entry = ? WHERE number = ?", (other, number)))
    assert f"{NAME}entry {number}: this is not the seed of the promise." in found


@pytest.mark.parametrize(
    ("kept_deal", "fault"),
    [
        ({"lines": [4, 2, 3]}, "its promise does not stand in the log where it should"),
        ({"lines": [1, 2, 100_000]}, "its promise does not stand in the log where it should"),
        ({"lines": []}, "its promise does not stand in the log where it should"),
        ({"lines": [1, 2]}, "it is over, and its payment does not stand in the log"),
        ({"lines": [1, 3, 2]}, "its entries in the log are commit, paid, close"),
        ({"lines": "x"}, "its place in the log cannot be read"),
        ({"promise": {}}, "its place in the log cannot be read"),
    ],
)
def test_a_hand_that_does_not_stand_in_its_log_is_found(kept, folder, kept_deal, fault):
    deal = {"v": 2, "promise": kept[1].entries[1]["promise"], "lines": [1, 2, 3]} | kept_deal
    found = faults_of(folder, ("UPDATE hands SET deal = ? WHERE id = 1", (json.dumps(deal),)))
    assert found == [f"Hand 1: {fault}."]
