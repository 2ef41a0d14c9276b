"""`ridotto doctor`, `backup` and `restore`: each planted fault is found, and nothing else."""

import json
import sqlite3
import sys
from contextlib import closing

import pytest

from bot.__main__ import main
from bot.cli import doctor
from storage.sqlite import FILE
from tests.core.conftest import CARIBBEAN, HAND, LINKED, House
from tests.failing_disk import FailingDisk


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A store with a finished hand, a void one, one in play and one that takes bets, copied for each test."""
    folder = tmp_path_factory.mktemp("played")
    house = House(folder)
    house.deal("anna bet 50 jackpot", "bea bet 10")
    house.do("bea exchange 2", sure=True)
    house.do("anna raise")
    house.do("bea raise")
    house.deal("anna bet 50 jackpot")
    house.do(f"insp void {house.table().round.hand_id} why", sure=True)
    house.deal("anna bet 50 jackpot", "bea bet 10")
    house.do("anna exchange 1", sure=True)
    house.do("cat bet 20", table=LINKED)
    house.close()
    return folder


@pytest.fixture
def books(played, tmp_path):
    assert main(["backup", "--data", str(played), str(tmp_path / "copy")]) == 0
    assert main(["restore", "--data", str(tmp_path / "data"), str(tmp_path / "copy")]) == 0
    return tmp_path / "data"


def spoil(folder, *statements):
    """Change the store as with the sqlite3 program: without foreign keys and the triggers of postings."""
    with closing(sqlite3.connect(folder / FILE)) as db, db:
        for statement in statements:
            db.execute(statement)


def faults_of(folder, capsys):
    capsys.readouterr()
    status = main(["doctor", "--data", str(folder)])
    lines = capsys.readouterr().out.splitlines()
    assert status == (0 if lines[0].startswith("No problems found") else 1)
    return lines


@pytest.mark.slow
def test_hands_are_played_again_in_several_processes_with_the_same_faults(books, capsys, monkeypatch):
    spoil(books, f"UPDATE hands SET deal = 'no json' WHERE id = {HAND}")
    found = faults_of(books, capsys)
    assert any("does not replay" in line for line in found)
    monkeypatch.setattr(doctor, "FEW", 0)
    monkeypatch.setattr(doctor, "HANDS_A_PORTION", 2)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["doctor", "--data", str(books)]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == found
    assert "100 %" in said.err


NO_GUARDS = ("DROP TRIGGER postings_stay", "DROP TRIGGER postings_remain")
# A table created again without its keys, as by a careless repair.
UNKEYED = (
    "CREATE TABLE new AS SELECT * FROM {table}",
    "DROP TABLE {table}",
    "ALTER TABLE new RENAME TO {table}",
)


def unkeyed(table):
    return tuple(statement.format(table=table) for statement in UNKEYED)


def test_books_in_order_are_said_to_be(books, capsys):
    (line,) = faults_of(books, capsys)
    assert line.startswith("No problems found: ")
    assert line.endswith(" hands.")


PLANTED = [
    (["UPDATE accounts SET balance = balance + 1 WHERE name = 'player:1:1'"], "All accounts together hold 1"),
    (["UPDATE accounts SET balance = balance + 1 WHERE name = 'player:1:1'"], "Account player:1:1 holds"),
    (
        [
            "UPDATE accounts SET balance = balance + 1 WHERE name = 'player:1:1'",
            "UPDATE accounts SET balance = balance - 1 WHERE name = 'player:1:2'",
        ],
        "Account player:1:2 holds",
    ),
    ([*NO_GUARDS, "DELETE FROM postings WHERE why = 'start' AND credit = 'player:1:1'"], "its postings add up to"),
    (["DROP TRIGGER postings_remain"], "The trigger postings_remain"),
    ([*NO_GUARDS, "UPDATE postings SET amount = amount + 1 WHERE event = 'bet 1'"], "its postings add up to"),
    (
        [
            "INSERT INTO postings VALUES (9999, 1, 'player:1:1', 'hand:77', 5, 'bet', NULL, 'bet 1')",
            "UPDATE accounts SET balance = balance - 5 WHERE name = 'player:1:1'",
            "INSERT INTO accounts VALUES ('hand:77', 5)",
        ],
        "Account hand:77 still holds 5, but its hand is not there.",
    ),
    (
        [
            f"INSERT INTO postings VALUES (9999, 1, 'player:1:1', 'hand:{HAND}', 5, 'bet', {HAND}, 'bet 99')",
            "UPDATE accounts SET balance = balance - 5 WHERE name = 'player:1:1'",
            f"UPDATE accounts SET balance = balance + 5 WHERE name = 'hand:{HAND}'",
        ],
        f"Account hand:{HAND} still holds 5, but its hand is over.",
    ),
    (
        [
            "INSERT INTO postings SELECT 9999, 1, 'player:1:1', 'hand:' || id, 5, 'bet', id, 'bet 99'"
            " FROM hands WHERE status = 'playing'",
            "UPDATE accounts SET balance = balance - 5 WHERE name = 'player:1:1'",
            "UPDATE accounts SET balance = balance + 5"
            " WHERE name = (SELECT 'hand:' || id FROM hands WHERE status = 'playing')",
        ],
        "by the rules and",
    ),
    (
        [
            "INSERT INTO postings SELECT 9999, 1, 'player:1:3', 'hand:' || id, 5, 'bet', id, 'bet 99'"
            f" FROM hands WHERE status = 'betting' AND table_id = {LINKED}",
            "UPDATE accounts SET balance = balance - 5 WHERE name = 'player:1:3'",
            "UPDATE accounts SET balance = balance + 5"
            f" WHERE name = (SELECT 'hand:' || id FROM hands WHERE status = 'betting' AND table_id = {LINKED})",
        ],
        "the bets on the table are 2000",
    ),
    (
        [*unkeyed("postings"), f"UPDATE postings SET amount = amount + 0.5 WHERE hand = {HAND}"],
        "rows of postings have no whole number as amount",
    ),
    ([*unkeyed("results")], "Table results accepts values of any type."),
    ([*unkeyed("answers"), "INSERT INTO answers SELECT * FROM answers LIMIT 1"], "answers has 2 rows with the key"),
    ([*unkeyed("moves"), "INSERT INTO moves SELECT * FROM moves LIMIT 1"], "moves has 2 rows with the key"),
    (
        [*unkeyed("postings"), f"INSERT INTO postings SELECT * FROM postings WHERE hand = {HAND} LIMIT 1"],
        "postings has 2 rows with the key",
    ),
    ([*unkeyed("accounts"), "INSERT INTO accounts VALUES ('bank:1', 0)"], "accounts has 2 rows with the key bank:1."),
    (
        [f"UPDATE hands SET deal = json_set(deal, '$.seed.cuts[0]', 'y') WHERE id = {HAND}"],
        f"Hand {HAND}: its deal is not what",
    ),
    ([f"UPDATE hands SET seed = randomblob(32) WHERE id = {HAND}"], f"Hand {HAND}: its deal is not what"),
    ([f"UPDATE hands SET deal = json_set(deal, '$.stakes[0].bets.ante', 10000) WHERE id = {HAND}"], "by the rules and"),
    ([f"UPDATE hands SET deal = 'no json' WHERE id = {HAND}"], f"Hand {HAND} does not replay"),
    ([f"UPDATE moves SET move = '2 fold' WHERE hand = {HAND} AND move = '2 raise'"], f"Hand {HAND}: "),
    ([f"DELETE FROM moves WHERE hand = {HAND} AND number = 1"], f"The moves of hand {HAND} have gaps"),
    (
        [f"DELETE FROM moves WHERE hand = {HAND} AND number = 2"],
        f"Hand {HAND}: it is over, and its moves say otherwise.",
    ),
    ([f"UPDATE results SET returned = returned + 1 WHERE hand = {HAND}"], f"Hand {HAND}: its results are not"),
    ([f"DELETE FROM results WHERE hand = {HAND}"], f"Hand {HAND}: its results are not"),
    (
        [f"UPDATE results SET returned = returned + 1 WHERE hand = {HAND}"],
        "The totals of player 1 at caribbean in casino 1",
    ),
    ([f"DELETE FROM results WHERE hand = {HAND} AND player = 1"], "The totals of player 1 at caribbean in casino 1"),
    (["UPDATE sums SET best = best + 1"], "The totals of player 1 at caribbean in casino 1"),
    (["DELETE FROM sums WHERE player = 2"], "The totals of player 2 at caribbean in casino 1"),
    (["DROP TRIGGER results_add_up"], "The trigger results_add_up, which adds results up, is missing."),
    (
        ["DROP TRIGGER results_add_up", *unkeyed("sums"), "INSERT INTO sums SELECT * FROM sums LIMIT 1"],
        "sums has 2 rows with the key 1, 1, caribbean.",
    ),
    (["PRAGMA foreign_keys = OFF", f"DELETE FROM hands WHERE id = {HAND}"], "refers to a missing row of hands"),
    (["UPDATE hands SET status = 'over' WHERE status = 'playing'"], "is both closed and open"),
    ([f"UPDATE tables SET state = 'x' WHERE id = {CARIBBEAN}"], f"Table {CARIBBEAN} cannot be read"),
    (
        [
            "INSERT INTO accounts VALUES ('escrow:1:1', 5)",
            "UPDATE accounts SET balance = balance - 5 WHERE name = 'bank:1'",
            "INSERT INTO postings VALUES (9999, 1, 'bank:1', 'escrow:1:1', 5, 'x', NULL, NULL)",
        ],
        "no prize is waiting for confirmation",
    ),
]


@pytest.mark.parametrize(("statements", "fault"), PLANTED, ids=[fault for _statements, fault in PLANTED])
def test_each_planted_fault_is_found(books, capsys, statements, fault):
    spoil(books, *statements)
    assert any(fault in line for line in faults_of(books, capsys))


def test_the_doctor_looks_while_the_house_is_open(tmp_path, capsys):
    house = House(tmp_path)
    house.do("anna bet 50")
    assert faults_of(tmp_path, capsys)[0].startswith("No problems found")
    house.do("bea bet 50")
    house.close()


def test_a_damaged_file_is_one_line(books, capsys):
    path = books / FILE
    path.write_bytes(path.read_bytes()[:4096] + b"\0" * 60_000)
    capsys.readouterr()
    assert main(["doctor", "--data", str(books)]) == 1
    told = capsys.readouterr()
    assert told.out
    assert not told.err


@pytest.mark.parametrize("command", [["doctor"], ["backup", "copy"]])
def test_without_books_there_is_one_line_on_standard_error(tmp_path, capsys, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--data", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"ridotto: There are no books at {tmp_path / 'none' / FILE}.\n"


def test_a_backup_of_an_open_house_brings_everything_back(tmp_path, capsys):
    house = House(tmp_path / "data")
    house.deal("anna bet 50 jackpot")
    assert main(["backup", "--data", str(tmp_path / "data"), str(tmp_path / "copy")]) == 0
    house.do("anna fold")
    house.close()
    assert main(["restore", "--data", str(tmp_path / "other"), str(tmp_path / "copy")]) == 0
    again = House(tmp_path / "other")
    assert again.table().phase == "playing"
    assert not again.do("anna raise").refused
    again.close()
    assert again.faults() == []


def test_restore_refuses_what_would_lose_books_or_is_none(books, tmp_path, capsys):
    assert main(["restore", "--data", str(books), str(tmp_path / "copy")]) == 2
    assert "is not empty. Use a new folder" in capsys.readouterr().err
    (tmp_path / "foreign").write_text(json.dumps({"books": "none"}))
    assert main(["restore", "--data", str(tmp_path / "new"), str(tmp_path / "foreign")]) == 2
    assert "is not a database of Ridotto" in capsys.readouterr().err
    assert main(["restore", "--data", str(tmp_path / "new"), str(tmp_path / "missing")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.long
def test_a_disk_that_does_not_tell_is_no_fault_of_a_hand(books, capsys, monkeypatch):
    """A failing query gives one sentence, which accuses no hand or table."""
    disk = FailingDisk(monkeypatch)
    disk.fail(None)
    (in_order,) = faults_of(books, capsys)
    for number in range(len(disk.asked)):
        disk.fail(number)
        assert faults_of(books, capsys) == [
            f"{books / FILE} cannot be read (disk I/O error): check the disk, and run “ridotto doctor” before you"
            " start the casino again; the file was not changed."
        ]
    disk.heal()
    assert faults_of(books, capsys) == [in_order]
