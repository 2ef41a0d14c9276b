"""Both stores in tests: a store for a folder, and ways to damage it for each engine.

A test with the fixture `stores` runs on both. On PostgreSQL it goes outside; without a server it is skipped, or fails
where one is required (tests/postgres_server.py).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from storage.sqlite import SqliteBooks, SqliteReader, SqliteStore
from storage.store import Books, Reader, Store
from tests.disk import lay_new_books
from tests.postgres_server import Schemas

SQLITE, POSTGRES = "sqlite", "postgres"
# Long enough that no slow machine loses the store.
LONG_TERM_S = 3600.0
BOTH = [SQLITE, pytest.param(POSTGRES, marks=pytest.mark.outside)]
# Most tests on a server belong to those that only CI runs.
BOTH_SLOWLY = [SQLITE, pytest.param(POSTGRES, marks=[pytest.mark.outside, pytest.mark.slow])]


class Stores(ABC):
    """A store for each folder, with ways to plant what no casino would write."""

    name: str

    @abstractmethod
    def of(self, folder: Path) -> Store:
        """Return a new store in the folder, never opened. The same folder has the same store."""

    @abstractmethod
    def empty(self, folder: Path) -> Store:
        """Return an empty store."""

    def open(self, folder: Path) -> Books:
        return self.of(folder).open()

    @abstractmethod
    def change(self, books: Reader, sql: str, *values: object) -> None:
        """Change rows without the ledger; "?" for values. The schema's checks still apply."""

    @abstractmethod
    def spoil(self, books: Books, sql: str) -> None:
        """Change the store as `change` does, without references and triggers."""

    @abstractmethod
    @contextmanager
    def refusing(self, books: Books, table: str, condition: str) -> Iterator[None]:
        """Let the schema refuse rows for which this condition on `new` holds."""

    @abstractmethod
    def stop_writes(self, books: Books) -> str:
        """Prevent large batches; return the pattern of the error."""

    @abstractmethod
    def take_away(self, books: Books) -> None:
        """Take the store away, as another node would that has come in somehow."""


class Sqlite(Stores):
    name = SQLITE

    def of(self, folder: Path) -> SqliteStore:
        lay_new_books(folder)
        return SqliteStore(folder)

    def empty(self, folder: Path) -> SqliteStore:
        return SqliteStore(folder)

    def change(self, books: Reader, sql: str, *values: object) -> None:
        assert isinstance(books, SqliteReader)
        books.db.execute(sql, values)

    def spoil(self, books: Books, sql: str) -> None:
        assert isinstance(books, SqliteBooks)
        books.db.execute("PRAGMA foreign_keys = OFF")
        triggers = books._select("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, _made in triggers:
            books.db.execute(f"DROP TRIGGER {name}")
        books.db.execute(sql)
        for _name, made in triggers:
            books.db.execute(made)
        books.db.execute("PRAGMA foreign_keys = ON")

    @contextmanager
    def refusing(self, books: Books, table: str, condition: str) -> Iterator[None]:
        self.change(
            books,
            f"CREATE TRIGGER culprit BEFORE INSERT ON {table} WHEN {condition} BEGIN SELECT RAISE(ABORT, 'no'); END",
        )
        yield
        self.change(books, "DROP TRIGGER culprit")

    def stop_writes(self, books: Books) -> str:
        assert isinstance(books, SqliteBooks)
        ((pages,),) = books._select("PRAGMA page_count")
        books.db.execute(f"PRAGMA max_page_count = {pages}")
        return r"\(database or disk is full\): make room on the disk"

    def take_away(self, books: Books) -> None:
        assert isinstance(books, SqliteBooks)
        self.change(books, "UPDATE books SET epoch = epoch + 1")


class Postgres(Stores):
    name = POSTGRES

    def __init__(self, schemas: Schemas) -> None:
        self.schemas = schemas
        self.taken: dict[Path, str] = {}
        self.made: list[str] = []

    def of(self, folder: Path) -> Store:
        from storage.postgres import PostgresStore

        folder.mkdir(parents=True, exist_ok=True)
        schema = self.taken.get(folder) or self.taken.setdefault(folder, self.schemas.take())
        return PostgresStore(self.schemas.server.address(schema), folder, LONG_TERM_S)

    def empty(self, folder: Path) -> Store:
        from storage.postgres import PostgresStore

        self.made.append(self.schemas.server.new_schema())
        return PostgresStore(self.schemas.server.address(self.made[-1]), folder, LONG_TERM_S)

    def end(self) -> None:
        for schema in self.made:
            self.schemas.server.ask(f"DROP SCHEMA {schema} CASCADE")
        for schema in self.taken.values():
            self.schemas.give_back(schema)

    def change(self, books: Reader, sql: str, *values: object) -> None:
        from storage.postgres import PostgresReader, _marked

        assert isinstance(books, PostgresReader)
        books._conn.execute(_marked(sql).encode(), values)

    def spoil(self, books: Books, sql: str) -> None:
        self.schemas.server.ask(f"SET session_replication_role = replica; {sql}", self._schema_of(books))

    @contextmanager
    def refusing(self, books: Books, table: str, condition: str) -> Iterator[None]:
        self.schemas.server.ask(
            f"""CREATE FUNCTION culprit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF {condition} THEN RAISE 'no' USING ERRCODE = 'integrity_constraint_violation'; END IF;
                    RETURN new;
                END $$;
                CREATE TRIGGER culprit BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION culprit()""",
            self._schema_of(books),
        )
        yield
        self.schemas.server.ask("DROP FUNCTION culprit CASCADE", self._schema_of(books))

    def stop_writes(self, books: Books) -> str:
        from storage.postgres import PostgresBooks

        assert isinstance(books, PostgresBooks)
        for conn in (books._conn, books._aside):
            if conn is not None:
                self.schemas.server.ask(f"SELECT pg_terminate_backend({conn.info.backend_pid}, 10000)")
        return r"terminating connection due to administrator command\): check the server"

    def take_away(self, books: Books) -> None:
        self.schemas.server.ask("UPDATE lease SET epoch = epoch + 1", self._schema_of(books))

    def _schema_of(self, books: Books) -> str:
        return self.taken[books.folder]


def opened_stores(request: pytest.FixtureRequest) -> Iterator[Stores]:
    """Yield the value of a fixture `stores`."""
    if request.param == SQLITE:
        yield Sqlite()
        return
    stores = Postgres(request.getfixturevalue("schemas"))
    yield stores
    stores.end()
