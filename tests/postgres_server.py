"""A PostgreSQL server for tests: made with `initdb` in a temporary folder, reached by a socket in it.

It flushes nothing, because the tests kill the server and never the machine.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from storage.address import ServerAddress, parse_address
from storage.rows import COLUMNS
from tests.memory import memory
from tests.patience import PATIENCE_S, wait_until

if TYPE_CHECKING:
    import psycopg

REQUIRED = "RIDOTTO_POSTGRES_REQUIRED"
USER = "ridotto"
# A user who needs a password, which appears nowhere else.
LOCKED, PASSWORD = "locked", "Vendramin@/:1638"
# What fronts, bots and the writer leave there.
_PASSING = ("inbox", "outbox", "tokens")
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "autovacuum": "off",
    "jit": "off",
}


def find_programs() -> Path | None:
    """Return the folder of `initdb`; Debian has one for each version."""
    there = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parts[4]))
    found = shutil.which("initdb") or (there[-1] if there else None)
    return Path(found).resolve().parent if found else None


def why_none() -> str | None:
    """Return why there is no server to test with, or None."""
    if find_spec("psycopg") is None:
        return "psycopg is not installed"
    return None if find_programs() else "no PostgreSQL is installed (Debian's package is postgresql)"


class Server:
    """A server to `start` and `kill` any number of times; `end` removes it."""

    def __init__(self, of: "Server | None" = None, /, **options: str) -> None:
        """Create a new server, or a standby `of` a running one."""
        programs = find_programs()
        assert programs is not None
        self.programs, self.options = programs, _OPTIONS | options
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=memory()))
        self.numbers = count(1)
        self.process: subprocess.Popen[bytes] | None = None
        if self.owner:
            shutil.chown(self.folder, self.owner)
        if of is None:
            self._make()
        else:
            self.follow(of)

    def _make(self) -> None:
        made = [self.programs / "initdb", "-D", self.folder / "data", "-U", USER, "-A", "trust", "--no-sync"]
        # Small log segments, because test servers are in memory.
        self._run(*made, "-E", "UTF8", "--locale=C", "--wal-segsize=1")
        access = self.folder / "data" / "pg_hba.conf"
        access.write_text(f"local all {LOCKED} scram-sha-256\nlocal all all trust\nlocal replication all trust\n")

    def follow(self, other: "Server") -> None:
        """Make this server a standby of another one from its next start on, whatever it held."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        copy = [self.programs / "pg_basebackup", "-D", self.folder / "data", "-h", other.folder, "-U", USER]
        self._run(*copy, "-R", "-X", "stream", "-c", "fast", "--no-sync")

    @property
    def owner(self) -> str | None:
        """Return the owner of its processes, because its programs refuse to run as root; None for the present user."""
        if os.geteuid():
            return None
        with suppress(KeyError):
            return pwd.getpwnam("postgres").pw_name
        return "nobody"

    def start(self) -> "Server":
        options = [word for name, value in self.options.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder, *options],
                stdout=log, stderr=log, user=self.owner, cwd=self.folder,
            )  # fmt: skip
        wait_until(self._is_up, "the server starts")
        return self

    @property
    def children(self) -> list[int]:
        """Return its processes: one for each connection, and those for the files."""
        assert self.process is not None
        listed = ["ps", "-o", "pid=", "--ppid", str(self.process.pid)]
        return [int(pid) for pid in subprocess.run(listed, capture_output=True, text=True, check=False).stdout.split()]

    def kill(self) -> None:
        """Kill all of its processes without warning."""
        assert self.process is not None
        children = self.children
        self.process.kill()
        self.process.wait()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            wait_until(partial(is_dead, child), "the server's processes end")

    def end(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(PATIENCE_S)
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, schema: str = "public", *, user: str = USER, password: str = "", **more: str) -> ServerAddress:
        account = f"{user}:{quote(password, safe='')}" if password else user
        given = {"host": str(self.folder), "options": f"-csearch_path={schema}", **more}
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in given.items())
        return parse_address(f"postgresql://{account}@/postgres?{query}")

    def new_schema(self) -> str:
        """Return an empty schema."""
        name = f"books_{next(self.numbers)}"
        self.ask(f"CREATE SCHEMA {name}")
        return name

    def ask(self, sql: str, schema: str = "public") -> list[tuple[Any, ...]]:
        """Run SQL without the product."""
        import psycopg

        with psycopg.connect(self.address(schema).text, autocommit=True) as conn:
            cursor = conn.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def empty(self, schema: str, by: "psycopg.Connection[Any]") -> None:
        """Empty a schema, so that it is like a new store."""
        gone = "; ".join(f"DELETE FROM {table}" for table in (*COLUMNS, "sums", "lease", *_PASSING))
        counted = "; ".join(f"ALTER SEQUENCE {table}_id_seq RESTART" for table in ("answers", "postings", "audit"))
        free = "INSERT INTO lease VALUES (1, 0)"
        to = f"SET search_path = {schema}; SET session_replication_role = replica"
        by.execute(f"{to}; {gone}; {counted}; {free}".encode())

    def _run(self, *command: object) -> None:
        subprocess.run([*map(str, command)], check=True, capture_output=True, user=self.owner, cwd=self.folder)

    def _is_up(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "log").read_text()
        return self.answers

    @property
    def answers(self) -> bool:
        from psycopg import OperationalError

        try:
            return self.ask("SELECT 1") == [(1,)]
        except OperationalError:
            return False


def is_dead(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


class Schemas:
    """Prepared stores on one server, because creating the tables takes longer than most tests.

    One connection empties them; opening a new one would take seven times as long.
    """

    def __init__(self, server: Server) -> None:
        import psycopg

        self.server = server
        self.free: list[str] = []
        self.connection = psycopg.connect(server.address().text, autocommit=True)

    def take(self) -> str:
        """Return a schema with the tables of a new store."""
        if self.free:
            return self.free.pop()
        from storage.postgres import PostgresStore

        schema = self.server.new_schema()
        PostgresStore(self.server.address(schema), self.server.folder).open().close()
        self.server.empty(schema, self.connection)
        return schema

    def give_back(self, schema: str) -> None:
        self.server.empty(schema, self.connection)
        self.free.append(schema)

    def close(self) -> None:
        self.connection.close()


def lacking() -> None:
    """Skip a test without a server, or fail if one is required."""
    if why := why_none():
        if os.environ.get(REQUIRED):
            pytest.fail(f"{REQUIRED} is set, and {why}", pytrace=False)
        pytest.skip(why)
