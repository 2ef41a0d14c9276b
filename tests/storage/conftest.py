"""Stores of both kinds: each guarantee is tested on both."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.postgres import PostgresStore
from tests.postgres_server import Server
from tests.stores import BOTH, LONG_TERM_S, opened_stores


@pytest.fixture(params=BOTH)
def stores(request):
    yield from opened_stores(request)


@pytest.fixture
def books(stores, tmp_path):
    with closing(stores.open(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def schema(postgres: Server) -> Iterator[str]:
    """An empty schema on the tests' own server."""
    name = postgres.new_schema()
    yield name
    postgres.ask(f"DROP SCHEMA IF EXISTS {name} CASCADE")


@pytest.fixture
def store(postgres: Server, schema: str, tmp_path: Path) -> PostgresStore:
    """A store in the schema, with a lease that no busy machine loses."""
    return PostgresStore(postgres.address(schema), tmp_path, LONG_TERM_S)
