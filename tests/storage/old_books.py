"""Books as an older Ridotto left them: the schema of that time, and no count of batches."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from storage import sqlite
from storage.sqlite import APPLICATION_ID, FILE


def known_migrations() -> dict[str, Callable[[Database], None]]:
    with closing(Database(memory=True)) as empty:
        return {one.name: one.fn for one in sqlite.migrations.pending(empty)}


def migrations_of(steps: dict[str, Any]) -> Migrations:
    migrations = Migrations("ridotto")
    for name, step in steps.items():
        migrations(name=name)(step)
    return migrations


def make_old(folder: Path, before: str, **tables: Iterable[Sequence[object]]) -> None:
    """Of the schema that the migration `before` changed, with these rows."""
    folder.mkdir(exist_ok=True)
    steps = known_migrations()
    with closing(Database(folder / FILE)) as db:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA journal_mode = WAL")
        migrations_of({name: steps[name] for name in list(steps)[: list(steps).index(before)]}).apply(db)
        for table, rows in tables.items():
            for row in rows:
                db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
