"""Fronts on a server: one of them has a bot's token, and the clocks of its tables pause when it falls silent."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.core import forwarding
from bot.core.crossing import Greeting, Welcome, dump_sent, load_told
from bot.core.forwarding import Forwarder
from bot.core.writer import Writer
from storage.faults import BooksGone, LeaseLost
from storage.store import FrontBooks, Store
from tests.patience import wait_until
from tests.postgres_server import Schemas
from tests.some import some
from tests.stores import Postgres

pytestmark = pytest.mark.outside


@pytest.fixture
def store(schemas: Schemas, tmp_path: Path) -> Iterator[Store]:
    stores = Postgres(schemas)
    yield stores.of(tmp_path)
    stores.end()


@pytest.fixture
def writer(store: Store) -> Iterator[Writer]:
    with closing(store.open()) as books:
        writer = Writer(books)
        writer.start()
        yield writer
        writer.stop()


def open_front(store: Store) -> FrontBooks:
    books = store.open_front(lambda held: False)
    books.on_gone = lambda gone: None
    return books


def test_one_front_has_a_token_until_its_lease_is_over_or_released(
    writer: Writer, store: Store, schemas: Schemas, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = open_front(store), open_front(store)
    assert [one.hold_token("telegram") for one in (first, second, first, second)] == [True, False, True, False]
    assert second.hold_token("discord")
    assert first.lapsed() is None
    now = time.monotonic()
    monkeypatch.setattr("storage.system.elapsed_s", lambda: now + 3600.0)
    assert isinstance(first.lapsed(), LeaseLost)
    monkeypatch.undo()
    first.close()
    assert second.hold_token("telegram")
    third, lost = open_front(store), list[BooksGone]()
    second.on_gone = lost.append
    third._select("UPDATE tokens SET until = clock_timestamp() - interval '1 s' RETURNING 1")
    assert third.hold_token("telegram")
    with pytest.raises(LeaseLost):
        second.hold_token("telegram")
    assert [type(gone) for gone in lost] == [LeaseLost]
    second.close()
    third.close()


def test_a_silent_front_pauses_its_platforms_and_is_welcomed_again(
    writer: Writer, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarding, "SILENT_S", 0.2)
    forwarder = Forwarder(writer, some(writer.books.open_forwarding()))
    forwarder.start()
    front, said = open_front(store), list[str]()

    def count_welcomes() -> int:
        said.extend(front.receive_bodies(0.1))
        return sum(isinstance(load_told(one), Welcome) for one in said)

    front.send([dump_sent(Greeting(["telegram"]))])
    wait_until(lambda: count_welcomes() == 1)
    wait_until(lambda: writer.state.away.get(("telegram", "")) is not None)
    assert not writer.state.away.get(("discord", ""))
    front.send([dump_sent(Greeting(["telegram"]))])
    wait_until(lambda: count_welcomes() == 2)
    forwarder.close()
    front.close()
