"""The books on disk: opened by one process, refused when they are not ours, written whole or not at all."""

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from storage import database
from storage.database import APPLICATION_ID, FILE, Books, BooksError, copy, reading, restore
from storage.ledger import Draft
from storage.rows import AnswerRow, CasinoRow, HandRow, PlayerRow, PostingRow, TableRow


@pytest.fixture
def books(tmp_path):
    opened = Books(tmp_path / "data")
    yield opened
    opened.close()


def draft_on(books, *rows, **balances):
    draft = Draft(books)
    for row in rows:
        draft.put(row)
    draft.balances |= {name.replace("_", ":"): amount for name, amount in balances.items()}
    return draft


def with_a_hand(books, **balances):
    casino, table = CasinoRow(1, "Lounge", "{}", 0.0), TableRow(1, 1, "caribbean", "open", "{}")
    hand = HandRow(7, 1, 1, "caribbean", "betting", b"seed", "{}", 0.0, None)
    return draft_on(books, casino, table, hand, **balances)


def post(draft, debit, credit, amount, event="bet 1", hand=7):
    draft.post(debit, credit, amount, "bet", 1.0, hand, event)
    return draft


# Opening


def test_a_second_process_is_told_that_the_folder_is_in_use(books):
    script = f"from pathlib import Path; from storage.database import Books; Books(Path({str(books.path.parent)!r}))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "is in use by another process: stop it first." in ran.stderr


def test_the_lock_is_free_again_after_closing_and_after_a_refusal(tmp_path):
    (tmp_path / FILE).write_text("no database " * 500)
    with pytest.raises(BooksError):
        Books(tmp_path)
    (tmp_path / FILE).unlink()
    for _ in range(2):
        Books(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BooksError, match=r"cannot be used: .*\.$"):
        Books(tmp_path / "file")


def damage(path):
    """Overwrite the middle of the file, as a bad disk does."""
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 8192))


def test_a_damaged_file_is_refused_and_left_as_it_was(tmp_path):
    Books(tmp_path).close()
    path = tmp_path / FILE
    damage(path)
    before = path.read_bytes()
    with pytest.raises(BooksError, match="restore a backup"):
        Books(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\x00 and then nothing of the kind" * 9])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_was(tmp_path, content):
    path = tmp_path / FILE
    path.write_bytes(content)
    with pytest.raises(BooksError, match="not a database of Ridotto"):
        Books(tmp_path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_as_it_was(tmp_path):
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as foreign:
        foreign.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(BooksError, match="belongs to another program"):
        Books(tmp_path)
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["lock", FILE]


def test_a_folder_in_place_of_the_file_is_one_sentence(tmp_path):
    (tmp_path / FILE).mkdir()
    with pytest.raises(BooksError, match="cannot be opened"):
        Books(tmp_path)


def test_an_empty_file_becomes_books(tmp_path):
    (tmp_path / FILE).touch()
    with closing(Books(tmp_path)) as books:
        assert books.select("PRAGMA application_id") == [(APPLICATION_ID,)]
        assert books.rows(PlayerRow) == []


def test_the_books_are_ours_from_the_first_page_on(tmp_path):
    """A process that ends while it makes them leaves what the next one takes for its own."""
    with closing(sqlite3.connect(tmp_path / FILE)) as half:
        half.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    with closing(Books(tmp_path)) as books:
        assert books.rows(PlayerRow) == []


def test_what_is_written_is_durable(books):
    pragmas = {name: books.select(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous", "foreign_keys")}
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


# Migrations


def schema_of(books):
    return books.select("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")


def test_migrations_run_once(tmp_path):
    with closing(Books(tmp_path)) as books:
        first = books.select("SELECT name, applied_at FROM _sqlite_migrations"), schema_of(books)
    with closing(Books(tmp_path)) as books:
        assert (books.select("SELECT name, applied_at FROM _sqlite_migrations"), schema_of(books)) == first


def known_migrations():
    with closing(Database(memory=True)) as empty:
        return {one.name: one.fn for one in database.migrations.pending(empty)}


def migrations_of(steps):
    migrations = Migrations("ridotto")
    for name, step in steps.items():
        migrations(name=name)(step)
    return migrations


def test_books_of_the_first_schema_are_brought_up_to_date_with_all_they_hold(tmp_path, monkeypatch):
    first = {"first_schema": known_migrations()["first_schema"]}
    with monkeypatch.context() as then:
        then.setattr(database, "migrations", migrations_of(first))
        with closing(Books(tmp_path)) as books:
            books.write(draft_on(books, PlayerRow(1, "anna", "en", "{}", 0.0), AnswerRow("bet 7", "said", 5.0)))
    if len(known_migrations()) > 1:
        with pytest.raises(BooksError, match="of an older Ridotto"), reading(tmp_path / FILE):
            pass
    with closing(Books(tmp_path)) as books:
        assert [row.name for row in books.rows(PlayerRow)] == ["anna"]
        assert books.answers(["bet 7"]) == {"bet 7": "said"}
        now = schema_of(books)
    with closing(Books(tmp_path / "new")) as new:
        assert schema_of(new) == now


def test_a_step_that_fails_leaves_the_books_as_they_were_and_newer_books_are_refused(tmp_path, monkeypatch):
    with closing(Books(tmp_path)) as books:
        books.write(draft_on(books, PlayerRow(1, "anna", "en", "{}", 0.0)))
    faults = [sqlite3.OperationalError("disk full")]

    def next_schema(db):
        db.execute("ALTER TABLE players ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine'")
        if faults:
            raise faults.pop()

    with monkeypatch.context() as later:
        later.setattr(database, "migrations", migrations_of(known_migrations() | {"next_schema": next_schema}))
        with pytest.raises(BooksError, match="disk full"):
            Books(tmp_path)
        with closing(Books(tmp_path)) as books:
            assert books.select("SELECT name, mood FROM players") == [("anna", "fine")]
    with pytest.raises(BooksError, match=r"written by a newer Ridotto \(next_schema\)"):
        Books(tmp_path)


# Writing


def test_a_batch_is_written_whole(books):
    books.write(post(with_a_hand(books, player_1_1=100), "player:1:1", "hand:7", 30))
    assert books.select("SELECT name, balance FROM accounts ORDER BY name") == [("hand:7", 30), ("player:1:1", 70)]
    assert [row.amount for row in books.rows(PostingRow)] == [30]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda draft: draft.balances.update({"player:1:1": -1}),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "hand:7", 5, "self", 7, None)),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "bank:1", 0, "nothing", 7, None)),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "bank:1", 5, "again", 7, "bet 1")),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "bank:1", 5, "no such hand", 8, "bet 1")),
        lambda draft: draft.put(HandRow(7, 1, 1, "caribbean", "lost", b"", "{}", 0.0, None)),
        lambda draft: [draft.put(AnswerRow("key", "again", 1.0)) for _ in range(2)],
    ],
    ids=["below zero", "to itself", "nothing", "paid twice", "foreign hand", "status", "doubled key"],
)
def test_a_row_that_the_schema_refuses_takes_the_whole_batch_with_it(books, spoil):
    draft = post(with_a_hand(books, player_1_1=100), "player:1:1", "hand:7", 30)
    spoil(draft)
    with pytest.raises(sqlite3.IntegrityError):
        books.write(draft)
    for table in ("accounts", "postings", "hands", "casinos", "answers"):
        assert books.select(f"SELECT count(*) FROM {table}") == [(0,)]


def test_who_reads_from_another_thread_sees_what_is_committed(books):
    books.write(draft_on(books, bank_1=-5))
    seen = []
    with books.db.atomic():
        books.db.execute("UPDATE accounts SET balance = -9")
        assert books.balance("bank:1") == -9
        reader = threading.Thread(target=lambda: seen.append(books.balance("bank:1")))
        reader.start()
        reader.join()
    assert seen == [-5]


def test_the_bank_and_the_mint_may_owe(books):
    books.write(draft_on(books, bank_1=-5, mint_1=-7))
    assert (books.balance("bank:1"), books.balance("mint:1"), books.balance("player:1:1")) == (-5, -7, 0)


def test_nothing_is_paid_twice_in_a_later_batch_either(books):
    books.write(post(with_a_hand(books, hand_7=100), "hand:7", "bank:1", 30, "event 9"))
    with pytest.raises(sqlite3.IntegrityError, match=r"postings\.hand, postings\.event"):
        books.write(post(Draft(books), "hand:7", "bank:1", 30, "event 9"))
    assert books.balance("hand:7") == 70


@pytest.mark.parametrize("sql", ["UPDATE postings SET amount = 1", "DELETE FROM postings"])
def test_postings_are_append_only(books, sql):
    books.write(post(with_a_hand(books, hand_7=100), "hand:7", "bank:1", 30))
    with pytest.raises(sqlite3.IntegrityError, match="postings never"):
        books.db.execute(sql)


def test_answers_are_found_by_key_and_forgotten_by_age(books):
    books.write(draft_on(books, AnswerRow("a", "one", 100.0), AnswerRow("b", "two", 200.0)))
    assert books.answers(["a", "b", "c"]) == {"a": "one", "b": "two"}
    assert books.answers([]) == {}
    assert not books.forget_answers(150.0), "nothing more that is old"
    assert books.answers(["a", "b"]) == {"b": "two"}


def test_old_answers_go_in_slices_so_that_nobody_waits_long(books):
    books.write(draft_on(books, *(AnswerRow(f"key {n}", "said", float(n)) for n in range(10))))
    assert books.forget_answers(5.0, most=3)
    assert sorted(books.answers(f"key {n}" for n in range(10))) == [f"key {n}" for n in range(3, 10)]
    assert not books.forget_answers(5.0, most=3)
    assert sorted(books.answers(f"key {n}" for n in range(10))) == [f"key {n}" for n in range(5, 10)]


def test_a_thousand_keys_are_looked_up_at_once(books):
    assert books.answers(f"key {number}" for number in range(1000)) == {}


# Copies


def test_a_copy_is_made_under_load_and_is_consistent(books, tmp_path):
    """Every batch moves chips between two accounts: a copy that is torn would not sum to zero."""
    books.write(draft_on(books, bank_1=0, player_1_1=0))
    stop = threading.Event()

    def write():
        while not stop.is_set():
            draft = Draft(books)
            draft.post("bank:1", "player:1:1", 1, "drip", 1.0)
            books.write(draft)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            copy(books.path, tmp_path / f"copy {number}")
    finally:
        stop.set()
        writer.join()
    for number in range(5):
        with reading(tmp_path / f"copy {number}") as copied:
            assert copied.select("SELECT sum(balance) FROM accounts") == [(0,)]
            assert copied.balance("player:1:1") == copied.select("SELECT count(*) FROM postings")[0][0]
    assert sorted(one.name for one in tmp_path.iterdir()) == [*(f"copy {number}" for number in range(5)), "data"]


def test_a_copy_never_overwrites(books, tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(BooksError, match="exists already"):
        copy(books.path, tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def test_what_is_not_there_cannot_be_copied_or_read(tmp_path):
    with pytest.raises(BooksError, match="There are no books"):
        copy(tmp_path / FILE, tmp_path / "copy")
    with pytest.raises(BooksError, match="There are no books"), reading(tmp_path / FILE):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_copy_is_restored_into_an_empty_folder_only(books, tmp_path):
    books.write(draft_on(books, PlayerRow(1, "anna", "en", "{}", 0.0)))
    copy(books.path, tmp_path / "copy")
    with pytest.raises(BooksError, match="is not empty"):
        restore(tmp_path / "copy", books.path.parent)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "new" / "deep"):
        restore(tmp_path / "copy", folder)
        with closing(Books(folder)) as restored:
            assert [row.name for row in restored.rows(PlayerRow)] == ["anna"]


def test_a_damaged_or_foreign_copy_is_not_restored_and_leaves_nothing(books, tmp_path):
    copy(books.path, tmp_path / "damaged")
    damage(tmp_path / "damaged")
    (tmp_path / "foreign").write_text("something else" * 100)
    for name, sentence in (("damaged", "is damaged"), ("foreign", "not a database of Ridotto")):
        with pytest.raises(BooksError, match=sentence):
            restore(tmp_path / name, tmp_path / "new")
        assert not (tmp_path / "new").exists() or not list((tmp_path / "new").iterdir())


def test_reading_sees_one_moment_and_never_writes(books):
    books.write(draft_on(books, bank_1=-1, player_1_1=1))
    with reading(books.path) as seen:
        assert seen.balance("player:1:1") == 1
        books.write(draft_on(books, bank_1=-2, player_1_1=2))
        assert seen.balance("player:1:1") == 1
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            seen.db.execute("DELETE FROM accounts")
    assert books.balance("player:1:1") == 2
