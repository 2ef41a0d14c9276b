"""Incomplete stores: the start reports what is missing, founds nothing over it, and changes nothing.

A killed process leaves its files as they are at that moment, so tests copy them while the store is open.
"""

import shutil
import sqlite3
from contextlib import closing

import pytest

from storage.faults import BooksError
from storage.integrity import WITNESS
from storage.ledger import Draft
from storage.rows import AuditRow, CasinoRow
from storage.sqlite import FILE, LOCK, SqliteBooks, copy, find_loss, reading, restore, take_over
from tests.disk import ask, rows_of

LOG = f"{FILE}-wal"
BATCHES = 40


def drip(books, times=1):
    """Write batches that move a chip each."""
    for _time in range(times):
        draft = Draft(books)
        draft.post("bank:1", "player:1:1", 1, "drip", 1.0)
        books.write(draft)


def open_casino(folder):
    books = SqliteBooks(folder)
    draft = Draft(books)
    draft.put(CasinoRow(1, "Lounge", "{}", 0.0))
    books.write(draft)
    return books


def leave(books, folder):
    """Copy the files that a process dying now leaves into another folder."""
    folder.mkdir()
    for name in (FILE, LOG, WITNESS, LOCK):
        shutil.copy(books.path.with_name(name), folder / name)
    return folder


@pytest.fixture
def killed(tmp_path):
    """Files of a killed process: half of the batches are in the main file, the others only in the log. An older main
    file is beside it.
    """
    with closing(open_casino(tmp_path / "books")) as books:
        drip(books, BATCHES // 4)
        books._log.carry_home()
        shutil.copy(books.path, tmp_path / "older")
        drip(books, BATCHES // 4)
        books._log.carry_home()
        drip(books, BATCHES // 2)
        return leave(books, tmp_path / "killed")


def chips(folder):
    with closing(SqliteBooks(folder)) as books:
        return books.balance("player:1:1")


def files_of(folder):
    """Return the files, without the lock, empty logs, and those that SQLite makes to read them."""
    found = {one.name: one.read_bytes() for one in folder.iterdir() if not one.name.endswith("-shm")}
    return {name: content for name, content in found.items() if content}


def cut(path, share):
    with open(path, "r+b") as file:
        file.truncate(int(path.stat().st_size * share))


def flip(path, share):
    with open(path, "r+b") as file:
        file.seek(int(path.stat().st_size * share))
        (byte,) = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))


def lose_log(folder):
    (folder / LOG).unlink()


def empty_log(folder):
    cut(folder / LOG, 0)


def cut_log(folder):
    cut(folder / LOG, 0.5)


def flip_bit_in_log(folder):
    flip(folder / LOG, 0.4)


def flip_first_bit_of_log(folder):
    flip(folder / LOG, 0)


def copy_main_file_alone(folder):
    for name in (LOG, WITNESS, LOCK):
        (folder / name).unlink()


def copy_main_file_and_log(folder):
    (folder / WITNESS).unlink()


def tear_witness(folder):
    cut(folder / WITNESS, 0.5)


def flip_bit_in_witness(folder):
    flip(folder / WITNESS, 0.5)


def put_older_main_file_back(folder):
    shutil.copy(folder.parent / "older", folder / FILE)


def put_older_main_file_and_no_log(folder):
    put_older_main_file_back(folder)
    lose_log(folder)


def put_backup_over_it(folder):
    with closing(open_casino(folder.parent / "young")) as young:
        copy(young.path, folder.parent / "backup")
    lose_log(folder)
    shutil.copy(folder.parent / "backup", folder / FILE)


def put_other_books_over_it(folder):
    put_backup_over_it(folder)
    (folder / WITNESS).unlink()
    with closing(open_casino(folder.parent / "others")) as others:
        drip(others)
        leave(others, folder.parent / "other files")
    shutil.copy(folder.parent / "other files" / LOG, folder / LOG)


def lose_main_file(folder):
    (folder / FILE).unlink()


def lose_books(folder):
    lose_main_file(folder)
    lose_log(folder)


def lose_all_but_log(folder):
    lose_main_file(folder)
    (folder / WITNESS).unlink()


def empty_main_file(folder):
    cut(folder / FILE, 0)


def empty_main_file_and_lose_log(folder):
    empty_main_file(folder)
    lose_log(folder)


SHORT = r"ridotto\.sqlite3 ends with batch \d+, but batch 41 was acknowledged: its log .* is missing or damaged"
LOGLESS = r"ridotto\.sqlite3 was copied or left without its log .*, in which everything after batch 21 is\."
UNWITNESSED = r"witness is missing or damaged and the casino was not stopped cleanly"
NOT_ITS_LOG = r"ridotto\.sqlite3 is not the file that its log .* was written to"
GONE = r"ridotto\.sqlite3 is missing or empty, but this folder contained .*no new books are created here"
DAMAGE = {
    lose_log: SHORT,
    empty_log: SHORT,
    cut_log: SHORT,
    flip_bit_in_log: SHORT,
    flip_first_bit_of_log: SHORT,
    copy_main_file_alone: LOGLESS,
    copy_main_file_and_log: UNWITNESSED,
    tear_witness: UNWITNESSED,
    flip_bit_in_witness: UNWITNESSED,
    put_older_main_file_back: NOT_ITS_LOG,
    put_older_main_file_and_no_log: SHORT,
    put_backup_over_it: "witness belongs to other books",
    put_other_books_over_it: NOT_ITS_LOG,
    lose_main_file: GONE,
    lose_books: GONE,
    lose_all_but_log: GONE,
    empty_main_file: GONE,
    empty_main_file_and_lose_log: GONE,
}
each_damage = pytest.mark.parametrize("harm", DAMAGE, ids=[harm.__name__ for harm in DAMAGE])


@each_damage
def test_what_is_missing_is_told_at_the_start_and_nothing_is_founded_or_touched(killed, harm):
    harm(killed)
    before = files_of(killed)
    for _time in range(2):
        with pytest.raises(BooksError, match=DAMAGE[harm]) as refused:
            SqliteBooks(killed)
        assert files_of(killed) == before
    assert "backup" in str(refused.value)
    assert find_loss(killed / FILE) == str(refused.value)


@each_damage
def test_what_is_missing_gets_into_no_backup_and_is_not_restored(killed, tmp_path, harm):
    harm(killed)
    is_there = (killed / FILE).exists() and (killed / FILE).stat().st_size
    expected = DAMAGE[harm] if is_there else "There are no books at|belongs to another program"
    for target in (tmp_path / "copy", tmp_path / "restored" / FILE):
        with pytest.raises(BooksError, match=expected):
            copy(killed / FILE, target) if target.name == "copy" else restore(killed / FILE, target.parent)
        assert not target.exists()


@pytest.mark.parametrize("harm", [lose_log, copy_main_file_alone, flip_bit_in_log, put_older_main_file_back])
def test_what_is_left_is_taken_over_on_purpose_and_stands_in_the_audit(killed, tmp_path, harm):
    harm(killed)
    loss = take_over(killed / FILE, tmp_path / "new", 5.0)
    assert loss is not None
    with closing(SqliteBooks(tmp_path / "new")) as books:
        (row,) = rows_of(books, AuditRow)
        assert row[:5] == (5.0, 1, 0, "accept loss", "books")
        assert row.reason == loss
        left = int(row.after.removeprefix("batch "))
        assert books.balance("player:1:1") == left - 1 == ask(books, "SELECT count(*) FROM postings")[0][0]
        assert left >= 11
        assert ask(books, "SELECT sum(balance) FROM accounts") == [(0,)]
    with pytest.raises(BooksError, match=DAMAGE[harm]):
        SqliteBooks(killed)


def test_a_log_that_is_damaged_where_it_was_carried_home_already_costs_nothing(killed, tmp_path):
    """SQLite uses the log before the damage, which is older than the main file."""
    with closing(sqlite3.connect(killed / FILE)) as books:
        books.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        shutil.copytree(killed, tmp_path / "again")
    flip(tmp_path / "again" / LOG, 0.4)
    with pytest.raises(BooksError, match=SHORT):
        SqliteBooks(tmp_path / "again")
    take_over(tmp_path / "again" / FILE, tmp_path / "new", 5.0)
    assert chips(tmp_path / "new") == BATCHES


def test_what_is_whole_is_taken_over_without_a_word(killed, tmp_path):
    assert take_over(killed / FILE, tmp_path / "new", 5.0) is None
    with closing(SqliteBooks(tmp_path / "new")) as books:
        assert rows_of(books, AuditRow) == []
        assert books.balance("player:1:1") == BATCHES


def test_a_main_file_without_tables_is_all_a_log_left_behind_and_nothing_is_taken_over(tmp_path):
    """An older Ridotto left such files of a new store for minutes: the rest was in the log."""
    (tmp_path / "old").mkdir()
    with closing(sqlite3.connect(tmp_path / "old" / FILE, isolation_level=None)) as books:
        books.execute(f"PRAGMA application_id = {0x1D0770}")
        books.execute("PRAGMA journal_mode = WAL")
        books.execute("CREATE TABLE casinos (id)")
        (tmp_path / "copied").mkdir()
        shutil.copy(tmp_path / "old" / FILE, tmp_path / "copied" / FILE)
    with pytest.raises(BooksError, match=r"was copied without its log .* is empty without it"):
        SqliteBooks(tmp_path / "copied")
    with pytest.raises(BooksError, match="contains nothing that could be taken over"):
        take_over(tmp_path / "copied" / FILE, tmp_path / "new", 5.0)


def write_much(books):
    """Write more than a page, after everything else."""
    draft = Draft(books)
    draft.put(CasinoRow(2, "x" * 100_000, "{}", 0.0))
    books.write(draft)


def test_a_main_file_that_ends_within_a_page_is_not_opened_where_its_log_does_not_go_on(tmp_path):
    """SQLite would read the rest of the page as zeros."""
    with closing(open_casino(tmp_path / "books")) as books:
        write_much(books)
        books._log.carry_home()
        drip(books)
        left = leave(books, tmp_path / "killed")
    size = (left / FILE).stat().st_size
    with open(left / FILE, "r+b") as file:
        file.truncate(size - 100)
    with pytest.raises(
        BooksError, match=r"ridotto\.sqlite3 ends in the middle of a page, and its log .* does not continue"
    ):
        SqliteBooks(left)
    assert (left / FILE).stat().st_size == size - 100


def test_a_page_that_a_dying_house_had_half_carried_home_costs_nothing(tmp_path):
    with closing(open_casino(tmp_path / "books")) as books:
        books._log.carry_home()
        write_much(books)
        left = leave(books, tmp_path / "killed")
    with open(left / FILE, "ab") as file:
        file.write(b"x" * 100)
    with closing(SqliteBooks(left)) as books:
        assert {len(casino.name) for casino in rows_of(books, CasinoRow)} == {6, 100_000}


def test_a_killed_house_has_all_it_acknowledged(killed):
    assert chips(killed) == BATCHES


def test_a_crash_between_the_commit_and_the_witness_leaves_the_books_ahead_of_it(killed):
    says = (killed / WITNESS).read_bytes()
    shutil.copytree(killed, killed.with_name("before"))
    with closing(SqliteBooks(killed.with_name("before"))) as books:
        drip(books)
        ahead = leave(books, killed.with_name("ahead"))
    (ahead / WITNESS).write_bytes(says)
    assert chips(ahead) == BATCHES + 1


def test_the_main_file_alone_is_whole_after_an_orderly_end(killed, tmp_path):
    SqliteBooks(killed).close()
    assert sorted(one.name for one in killed.iterdir()) == [LOCK, FILE, WITNESS]
    (tmp_path / "alone").mkdir()
    shutil.copy(killed / FILE, tmp_path / "alone" / FILE)
    assert chips(tmp_path / "alone") == BATCHES


@pytest.mark.parametrize("harm", [tear_witness, flip_bit_in_witness, copy_main_file_and_log])
def test_a_witness_that_is_gone_after_an_orderly_end_is_made_anew(killed, harm):
    SqliteBooks(killed).close()
    harm(killed)
    assert chips(killed) == BATCHES
    lose_main_file(killed)
    with pytest.raises(BooksError, match=GONE):
        SqliteBooks(killed)


def test_a_folder_may_be_moved(killed):
    assert chips(killed.rename(killed.with_name("moved"))) == BATCHES


def test_new_books_are_never_an_empty_house_in_a_copy(tmp_path):
    """The main file records from the first moment that it is open, and has its tables."""
    with closing(SqliteBooks(tmp_path / "books")) as books:
        (tmp_path / "copied").mkdir()
        shutil.copy(books.path, tmp_path / "copied" / FILE)
    with pytest.raises(BooksError, match="was copied or left without its log"):
        SqliteBooks(tmp_path / "copied")


def test_a_log_that_another_program_has_carried_home_is_not_missed(killed):
    with closing(sqlite3.connect(killed / FILE)) as books:
        books.execute("SELECT * FROM accounts").fetchone()
    assert not (killed / LOG).exists()
    assert chips(killed) == BATCHES


def test_a_backup_beside_the_books_is_held_against_no_witness(tmp_path):
    with closing(open_casino(tmp_path)) as books:
        copy(books.path, tmp_path / "backup")
        drip(books)
        restore(tmp_path / "backup", tmp_path / "new")
        assert find_loss(books.path) is None
    assert chips(tmp_path / "new") == 0


def test_who_looks_at_what_a_killed_house_left_changes_nothing(killed):
    before = files_of(killed)
    with reading(killed / FILE) as books:
        assert books.balance("player:1:1") == BATCHES
    copy(killed / FILE, killed.with_name("copy"))
    assert find_loss(killed / FILE) is None
    assert files_of(killed) == before
