"""Cases of a server that a file does not have: refused connections, outages, passwords."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from storage import doctor
from storage.address import parse_address
from storage.faults import BooksError, BooksGone
from storage.postgres import PostgresBooks, PostgresStore
from storage.postgres_schema import STEPS
from storage.rows import AnswerRow, CasinoRow
from storage.sqlite import FILE
from storage.store import Store, opened
from storage.stores import store_named
from tests.disk import ask
from tests.patience import PATIENCE_S
from tests.postgres_server import LOCKED, PASSWORD, Server
from tests.storage.drafts import draft_on, write
from tests.storage.steps import known_migrations

pytestmark = pytest.mark.outside


@pytest.fixture
def store(postgres: Server, schema: str, tmp_path: Path) -> PostgresStore:
    return PostgresStore(postgres.address(schema), tmp_path)


def test_a_server_that_is_not_there_is_a_sentence(tmp_path):
    address = parse_address(f"postgresql://ridotto:{PASSWORD_IN_ADDRESS}@127.0.0.1:1/books?connect_timeout=2")
    with pytest.raises(
        BooksError,
        match=r"^PostgreSQL at postgresql://ridotto@127\.0\.0\.1:1/books refuses the connection .*"
        "Check that the server runs",
    ):
        PostgresStore(address, tmp_path).open()


PASSWORD_IN_ADDRESS = "Vendramin%40%2F%3A1638"


@pytest.mark.parametrize("more", [{}, {"dbname": "nowhere"}], ids=["password", "database"])
def test_whoever_is_not_let_in_is_told_so_and_no_password_with_it(postgres, tmp_path, caplog, more):
    caplog.set_level(logging.DEBUG)
    if not postgres.ask(f"SELECT 1 FROM pg_roles WHERE rolname = '{LOCKED}'"):
        postgres.ask(f"CREATE ROLE {LOCKED} LOGIN PASSWORD 'another'")
    store = PostgresStore(postgres.address("public", user=LOCKED, password=PASSWORD, **more), tmp_path)
    for attempt in (store.open, store.is_there, store.check_empty, lambda: store.back_up(tmp_path / "backup")):
        with pytest.raises(
            BooksError, match=f"PostgreSQL at postgresql://{LOCKED}@/postgres refuses the connection"
        ) as told:
            attempt()
        for said in (str(told.value), repr(told.value), repr(store.address), str(store), caplog.text):
            assert PASSWORD not in said
            assert PASSWORD_IN_ADDRESS not in said
    assert not list(tmp_path.glob("backup*"))


def test_a_house_that_is_let_in_no_more_to_read_beside_its_writer_is_told_so_once(postgres, store):
    """The first session goes on; failing to get a second one is as grave, and the same kind of fault."""
    gone: list[BooksGone] = []
    others = postgres.address(dbname="template1").text
    with closing(store.open()) as books, closing(psycopg.connect(others, autocommit=True)) as operator:
        books.on_gone = gone.append
        operator.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS false")
        try:
            with (
                ThreadPoolExecutor(1) as beside,
                pytest.raises(BooksGone, match=r"refuses the connection .*Check that the"),
            ):
                beside.submit(books.balance, "bank:1").result(PATIENCE_S)
        finally:
            operator.execute("ALTER DATABASE postgres ALLOW_CONNECTIONS true")
        assert [type(one) for one in gone] == [BooksGone]


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ridotto:se@cret@db/books",
        "postgresql://ridotto:se/cret@db/books",
        "postgresql://ridotto:se:cret@db/books",
        "postgresql://ridotto:se#cret@db/books",
        "postgresql://ridotto:se cret@db/books",
        "postgresql://ridotto:secret@db:port/books",
        "postgresql://ridotto:secret@db:99999/books",
        "mysql://ridotto:secret@db/books",
        "secret",
    ],
)
def test_an_address_that_is_none_is_refused_and_never_quoted(text):
    for parse in (parse_address, lambda name: store_named(name, Path("data"))):
        with pytest.raises(ValueError, match=r"postgresql://USER@HOST/DATABASE") as told:
            parse(text)
        assert "cret" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("postgresql://ridotto:s%40fe@db:5433/books?sslmode=require", "postgresql://ridotto@db:5433/books"),
        ("postgres://a,b:5433/books?target_session_attrs=read-write&password=s%40fe", "postgres://a,b:5433/books"),
        ("postgresql://[::1]:5432/books", "postgresql://[::1]:5432/books"),
        ("postgresql:///books?host=/run/postgresql", "postgresql:///books"),
    ],
)
def test_an_address_is_told_without_its_password(text, told):
    address = parse_address(text)
    assert (address.text, address.told) == (text, told)
    assert "s%40fe" not in repr(address)
    for secret in address.secrets:
        assert address.scrub(f"it was {secret}.") == "it was ***."


def test_a_parameter_that_nobody_knows_is_not_quoted(postgres, tmp_path):
    address = parse_address("postgresql://ridotto@/postgres?sekret=1638")
    with pytest.raises(BooksError, match="unknown parameter") as told:
        PostgresStore(address, tmp_path).open()
    assert "1638" not in str(told.value)


def refused(store: PostgresStore) -> str:
    with pytest.raises(BooksError) as told:
        store.open()
    return str(told.value)


def test_a_schema_that_is_not_there_is_a_sentence(postgres, tmp_path):
    store = PostgresStore(postgres.address("nowhere"), tmp_path)
    assert "names a schema that does not exist. Create it" in refused(store)


def test_another_programs_schema_is_refused_and_left_as_it_is(postgres, store, schema):
    postgres.ask("CREATE TABLE theirs (x INTEGER)", schema)
    assert "belongs to another program and was not changed" in refused(store)
    with pytest.raises(BooksError, match="is not empty"):
        store.check_empty()
    assert not store.is_there()
    with pytest.raises(BooksError, match="There are no books at"), store.reading():
        pass
    assert postgres.ask("SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace", schema) == [
        ("theirs",)
    ]


def test_who_may_not_make_tables_is_told_what_to_grant(postgres, schema, tmp_path):
    postgres.ask(f"CREATE ROLE guest_{schema} LOGIN; GRANT USAGE ON SCHEMA {schema} TO guest_{schema}")
    store = PostgresStore(postgres.address(schema, user=f"guest_{schema}"), tmp_path)
    assert "GRANT USAGE and CREATE on the schema" in refused(store)


def test_a_user_who_may_only_read_is_told_so(postgres, schema, tmp_path):
    options = f"-csearch_path={schema} -cdefault_transaction_read_only=on"
    store = PostgresStore(postgres.address(schema, options=options), tmp_path)
    assert "is read-only. Unset default_transaction_read_only" in refused(store)


def test_a_database_in_another_encoding_is_refused(postgres, tmp_path):
    postgres.ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    assert "uses the encoding LATIN1" in refused(PostgresStore(postgres.address(dbname="latin"), tmp_path))


def test_an_older_server_is_refused(postgres, store, monkeypatch):
    monkeypatch.setattr("storage.postgres.OLDEST", 99)
    assert "The books need 99 or newer" in refused(store)


@pytest.mark.slow
def test_a_server_in_recovery_is_refused_by_who_writes_and_read_by_the_doctor(tmp_path):
    """A standby is in recovery, and so is a server that a backup is restored to."""
    server = Server().start()
    try:
        store = PostgresStore(server.address(), tmp_path)
        with opened(store) as books:
            write(books, bank_1=-5)
        server.kill()
        (server.folder / "data" / "standby.signal").touch()
        server.start()
        assert "is in recovery and read-only. Connect to the primary server" in refused(store)
        with store.reading() as seen:
            assert seen.balance("bank:1") == -5
    finally:
        server.end()


def test_the_steps_have_the_names_of_sqlites():
    assert list(STEPS) == list(known_migrations())


def test_books_of_an_earlier_commit_are_refused(postgres, store, schema):
    store.open().close()
    postgres.ask("UPDATE ridotto_steps SET name = 'count_of_batches'", schema)
    said = "was written before Ridotto 1.0, and no release can open it. Move it aside and start with new books"
    assert said in refused(store)
    with pytest.raises(BooksError, match=r"was written before Ridotto 1\.0"), store.reading():
        pass


def test_a_step_that_fails_leaves_the_books_as_they_were_and_newer_books_are_refused(store, monkeypatch):
    with opened(store) as books:
        write(books, CasinoRow(1, "Lounge", "{}", 0.0))
    with monkeypatch.context() as later:
        later.setattr(
            "storage.postgres.STEPS",
            {**STEPS, "mood": "ALTER TABLE casinos ADD mood TEXT; SELECT 1 / 0"},
        )
        assert "division by zero" in refused(store)
        later.setattr("storage.postgres.STEPS", {**STEPS, "mood": "ALTER TABLE casinos ADD mood TEXT DEFAULT 'fine'"})
        with (
            pytest.raises(BooksError, match=r"was written by an older Ridotto\. Start the casino once"),
            store.reading(),
        ):
            pass
        with opened(store) as books:
            assert ask(books, "SELECT name, mood FROM casinos") == [("Lounge", "fine")]
    assert "was written by a newer Ridotto (mood)" in refused(store)
    with pytest.raises(BooksError, match="written by a newer Ridotto"), store.reading():
        pass


def test_functions_are_the_programs_own_whatever_was_there(postgres, store, schema):
    with opened(store):
        pass
    postgres.ask(
        "CREATE OR REPLACE FUNCTION write_books(batch JSONB, epoch BIGINT) RETURNS void"
        " LANGUAGE sql AS ''; "
        "COMMENT ON FUNCTION write_books IS 'of another version'",
        schema,
    )
    with opened(store) as books:
        write(books, bank_1=-5)
        assert books.balance("bank:1") == -5


def test_two_houses_that_come_at_once_make_one_set_of_tables_and_one_is_refused(store):
    found: list[object] = []

    def come() -> None:
        try:
            found.append(store.open())
        except BooksError as fault:
            found.append(fault)

    threads = [threading.Thread(target=come) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (books,) = [one for one in found if isinstance(one, PostgresBooks)]
    with closing(books):
        write(books, bank_1=-5)
    assert sum("Another process has opened" in str(one) for one in found) == 3


def test_a_house_whose_session_ended_leaves_the_books_to_the_next_at_once(postgres, store):
    first = store.open()
    postgres.ask(f"SELECT pg_terminate_backend({first._conn.info.backend_pid}, 10000)")
    with opened(store) as second:
        write(second, bank_1=-5)
        with pytest.raises(BooksGone):
            write(first, bank_1=-6)
        assert second.balance("bank:1") == -5
    first.close()


def test_what_an_operator_set_for_all_does_not_hold_for_the_books(postgres, schema, tmp_path):
    options = f"-csearch_path={schema} -csynchronous_commit=off -cstatement_timeout=60000 -cidle_session_timeout=60000"
    with opened(PostgresStore(postgres.address(schema, options=options), tmp_path)) as books:
        for name, value in (("synchronous_commit", "on"), ("statement_timeout", "0"), ("idle_session_timeout", "0")):
            assert ask(books, f"SHOW {name}") == [(value,)]


def test_a_reader_that_is_cut_off_ends_the_house_in_its_own_thread_too(postgres, store):
    books = store.open()
    gone: list[BaseException] = []
    books.on_gone = gone.append

    def look() -> None:
        with pytest.raises(BooksGone, match="check the server and the network, and start the casino again"):
            books.balance("bank:1")

    def in_a_thread(work) -> None:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    in_a_thread(lambda: books.balance("bank:1"))
    postgres.ask(f"SELECT pg_terminate_backend({books._aside.info.backend_pid}, 10000)")
    in_a_thread(look)
    assert len(gone) == 1
    books.close()


def test_the_size_is_that_of_all_tables_and_there_is_no_log(store):
    with opened(store) as books:
        before = books.size()
        write(books, *(AnswerRow(f"key {number}", "said " * 100, 1.0) for number in range(2000)))
        books.tend(0.0)
        assert books.size().books > before.books > 0
        assert books.size().log is None


def test_what_is_wrong_with_the_schema_is_told(postgres, store, schema):
    with opened(store) as books:
        assert list(books.faults_of_store()) == []
        postgres.ask(
            "DROP TRIGGER results_add_up ON results; ALTER TABLE postings DISABLE TRIGGER postings_stay;"
            " SET session_replication_role = replica; INSERT INTO moves VALUES (9, 0, 'x', 0)",
            schema,
        )
        assert list(books.faults_of_store()) == [
            "The trigger postings_stay, which keeps postings as they were written, is missing.",
            "The trigger results_add_up, which adds results up, is missing.",
            "1 rows of moves refer to missing rows of hands.",
        ]


@pytest.mark.slow
def test_a_server_that_is_killed_under_load_has_all_that_was_acknowledged_each_once(tmp_path):
    """Killed at any moment: an unacknowledged batch may be there whole, or not at all."""
    server = Server().start()
    try:
        store: Store = PostgresStore(server.address(), tmp_path)
        acknowledged = number = 0
        for _life in range(3):
            books, killing = store.open(), threading.Timer(0.15, server.kill)
            assert acknowledged <= books.balance("player:1:1") <= number
            number = books.balance("player:1:1")
            killing.start()
            with suppress(BooksGone):
                while True:
                    draft = draft_on(books, AnswerRow(f"key {number}", "said", 1.0))
                    draft.post("bank:1", "player:1:1", 1, "drip", 1.0)
                    number += 1
                    books.write(draft)
                    acknowledged = number
            books.close()
            killing.join()
            server.start()
        with opened(store) as books:
            has = books.balance("player:1:1")
            assert acknowledged <= has <= number
            assert ask(books, "SELECT count(*), count(DISTINCT key) FROM answers") == [(has, has)]
            assert ask(books, "SELECT count(*) FROM postings") == [(has,)]
            assert ask(books, "SELECT sum(balance) FROM accounts") == [(0,)]
            assert len(books.answers(f"key {one}" for one in range(has))) == has
            assert list(doctor.examine(books)) == []
    finally:
        server.end()


def test_no_house_with_a_folder_needs_the_library(tmp_path):
    import subprocess
    import sys

    script = (
        "import sys; from pathlib import Path; import bot.run; from storage.stores import store_of;"
        f" store_of(Path({str(tmp_path)!r})).open().close(); assert 'psycopg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert (tmp_path / FILE).exists()
