"""Setup of every test process: it knows all games, whichever tests it runs, and which tests are the fast tier."""

import os
from collections.abc import Generator
from contextlib import closing

import pytest

import bot.games
from bot.memory import settle
from tests.memory import memory
from tests.outside import WATCH, goes_outside
from tests.postgres_server import Schemas, Server, lacking

bot.games.load()
# The limit of an exhaustive test; every other has the one of pyproject.toml.
EXHAUSTIVE_S = 600

# Every folder that a test is given; each goes when its test has passed.
if folder := memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))


@pytest.fixture(scope="session")
def postgres() -> Generator[Server, None, None]:
    """A server for all tests of this process that need one."""
    lacking()
    server = Server().start()
    yield server
    server.end()


@pytest.fixture(scope="session")
def schemas(postgres: Server) -> Generator[Schemas, None, None]:
    """Prepared schemas on the server."""
    with closing(Schemas(postgres)) as ready:
        yield ready


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort tests before `-m` selects: slow modules come first, or one core would wait for the other at the end."""
    length = dict.fromkeys((item.path for item in items), 0)
    for item in items:
        if item.get_closest_marker("exhaustive") is not None:
            item.add_marker("slow")
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(EXHAUSTIVE_S))
        if item.get_closest_marker("slow") is not None:
            length[item.path] = 2
        elif item.get_closest_marker("long") is not None or goes_outside(item):
            length[item.path] = max(1, length[item.path])
        else:
            item.add_marker("fast")
    items.sort(key=lambda item: length[item.path], reverse=True)


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, because they stay."""
    settle()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    WATCH.begin(item)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """Check after all fixtures have ended, where pytest reports a failure as usual."""
    try:
        return (yield)
    finally:
        if way := WATCH.end():
            pytest.fail(f"went outside ({way}) without the mark `outside`", pytrace=False)
