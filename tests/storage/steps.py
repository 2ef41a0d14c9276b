"""The steps of the schema, and further ones."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from storage.sqlite_schema import migrations


def known_migrations() -> dict[str, Callable[[Database], None]]:
    with closing(Database(memory=True)) as empty:
        return {one.name: one.fn for one in migrations.pending(empty)}


def migrations_of(steps: dict[str, Any]) -> Migrations:
    made = Migrations("ridotto")
    for name, step in steps.items():
        made(name=name)(step)
    return made
