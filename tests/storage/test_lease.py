"""The lease of a store on a server: acquired, renewed, handed over, lost; and nodes that wait for it."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg
import pytest

from storage import system
from storage.faults import BooksError, BooksGone, LeaseLost
from storage.postgres import PostgresBooks, PostgresStore
from tests.patience import PATIENCE_S, wait_until
from tests.postgres_server import Server
from tests.storage.drafts import write
from tests.stores import LONG_TERM_S

pytestmark = pytest.mark.outside

SOON_S = 0.02


@pytest.fixture
def ends_term(postgres: Server, schema: str) -> Callable[[], object]:
    """A function that ends the lease as if its owner had not renewed it for long."""
    return lambda: postgres.ask("UPDATE lease SET until = now() - interval '1 second'", schema)


class Waiting:
    """A node that waits in a thread. `look` lets it check again; `give_up` ends it."""

    def __init__(self, store: PostgresStore) -> None:
        self.said: list[str] = []
        self.books: PostgresBooks | None = None
        self.refused: BooksError | None = None
        self._goes_on = True
        self._thread = threading.Thread(target=self._open, args=[store])
        self._thread.start()

    def _open(self, store: PostgresStore) -> None:
        try:
            self.books = store.open(self._wait)
        except BooksError as fault:
            self.refused = fault

    def _wait(self, held: str) -> bool:
        self.said.append(held)
        threading.Event().wait(SOON_S)
        return self._goes_on

    def has_looked(self) -> None:
        """Wait until it has checked again."""
        looked = len(self.said)
        wait_until(lambda: len(self.said) > looked + 1, "it looks again")

    def give_up(self) -> None:
        self._goes_on = False
        self._thread.join(PATIENCE_S)

    def taken(self) -> PostgresBooks:
        self._thread.join(PATIENCE_S)
        assert self.books is not None, self.refused
        return self.books


@contextmanager
def waiting(store: PostgresStore) -> Iterator[Waiting]:
    one = Waiting(store)
    try:
        yield one
    finally:
        one.give_up()
        if one.books is not None:
            one.books.close()


def test_who_waits_has_the_books_when_they_are_released_though_the_first_reads_on(store):
    with closing(store.open()) as first, waiting(store) as second:
        write(first, bank_1=-5)
        second.has_looked()
        assert second.books is None
        assert second.said[0] == f"Another process has opened {store}, from the same machine"
        first.release()
        assert second.taken().balance("bank:1") == -5
        write(second.taken(), bank_1=-6)
        assert first.balance("bank:1") == -6
        assert first.lapsed() is None
        first.check()  # it was released, not lost
        with pytest.raises(LeaseLost, match="Another process has opened"):
            write(first, bank_1=-7)


def test_who_gives_up_waiting_is_told_as_who_does_not_wait(store):
    with closing(store.open()), waiting(store) as second:
        second.has_looked()
        second.give_up()
        assert str(second.refused) == f"Another process has opened {store}, from the same machine: stop it first."


def test_of_two_who_wait_one_gets_them_and_the_other_waits_on(store):
    with closing(store.open()) as first, waiting(store) as second, waiting(store) as third:
        second.has_looked()
        third.has_looked()
        first.release()
        wait_until(lambda: second.books or third.books, "one of them has the books")
        loser, winner = (second, third) if third.books else (third, second)
        loser.has_looked()
        assert loser.books is None
        winner.taken().release()
        write(loser.taken(), bank_1=-5)


def test_a_session_that_is_gone_keeps_nobody_waiting(postgres, store):
    first = store.open()
    with waiting(store) as second:
        second.has_looked()
        postgres.ask(f"SELECT pg_terminate_backend({first._conn.info.backend_pid}, 10000)")
        write(second.taken(), bank_1=-5)
    with pytest.raises(BooksGone):
        write(first, bank_1=-6)
    first.close()


def test_when_the_term_is_over_the_next_takes_them_and_the_first_ones_session_ends(store, ends_term):
    """The first node was stopped, or lost its machine or network: its session is still there."""
    first = store.open()
    with waiting(store) as second:
        second.has_looked()
        ends_term()
        write(second.taken(), bank_1=-5)
        with pytest.raises(BooksGone, match="terminating connection"):
            write(first, bank_1=-6)
        assert second.taken().balance("bank:1") == -5
    first.close()


def test_where_the_session_may_not_be_ended_the_epoch_alone_keeps_the_first_from_writing(
    postgres, store, schema, ends_term, tmp_path
):
    with closing(store.open()) as first:
        postgres.ask(
            f"CREATE ROLE other_{schema} LOGIN; GRANT ALL ON SCHEMA {schema} TO other_{schema};"
            f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO other_{schema};"
            f"GRANT ALL ON ALL SEQUENCES IN SCHEMA {schema} TO other_{schema}",
            schema,
        )
        others = PostgresStore(postgres.address(schema, user=f"other_{schema}"), tmp_path, LONG_TERM_S)
        ends_term()
        with closing(others.open()) as second:
            write(second, bank_1=-5)
            with pytest.raises(LeaseLost, match="Another process has opened"):
                write(first, bank_1=-6)
            assert first.balance("bank:1") == -5
    postgres.ask(f"DROP OWNED BY other_{schema}; DROP ROLE other_{schema}")


@pytest.mark.slow
def test_what_is_being_written_is_waited_for_where_its_session_may_not_be_ended(postgres, store, schema, ends_term):
    """A session that has locked the lease cannot lose it before its commit."""
    with closing(store.open()) as first, psycopg.connect(postgres.address(schema).text) as writing:
        writing.execute("SELECT hold_lease(1)")
        assert first._lease._renew(), "a batch that takes long holds up no renewal"
        first.release()
        with waiting(store) as second:
            second.has_looked()
            assert second.books is None
            writing.execute("INSERT INTO accounts VALUES ('player:1:1', 5)")
            writing.commit()
            assert second.taken().balance("player:1:1") == 5


def test_a_lease_that_has_ended_is_not_renewed_and_the_house_is_told_once(postgres, schema, ends_term, tmp_path):
    books = PostgresStore(postgres.address(schema), tmp_path, 0.5).open()
    gone: list[BooksGone] = []
    books.on_gone = gone.append
    ends_term()
    wait_until(lambda: gone, "the lease could not be renewed")
    books.close()
    assert [type(one) for one in gone] == [LeaseLost]


@pytest.mark.slow
def test_a_house_whose_server_does_not_answer_any_more_is_told_when_its_lease_is_over(postgres, schema, tmp_path):
    """A query would hang for ever where the server's machine or a proxy still acknowledges packets: the node would
    neither play nor end.
    """
    with closing(PostgresStore(postgres.address(schema), tmp_path, 1.0).open()) as books:
        gone: list[BooksGone] = []
        books.on_gone = gone.append
        session = books._renewing.info.backend_pid
        os.kill(session, signal.SIGSTOP)
        try:
            wait_until(lambda: gone, "the lease is over")
            assert [type(one) for one in gone] == [LeaseLost]
        finally:
            os.kill(session, signal.SIGCONT)


def test_a_house_falls_silent_by_its_own_clock_before_the_server_gives_the_books_to_another(store, monkeypatch):
    now = system.elapsed_s()
    monkeypatch.setattr(system, "elapsed_s", lambda: now)
    with closing(store.open()) as books:
        assert books.lapsed() is None
        now += LONG_TERM_S
        lapsed = books.lapsed()
        assert str(lapsed) == (f"The lease on {store} could not be renewed in time. This process has stopped.")
        with pytest.raises(BooksError, match="stop it first"):
            store.open()
        # What fails it now failed for that.
        gone: list[BooksGone] = []
        books.on_gone = gone.append
        books._conn.close()
        with pytest.raises(LeaseLost, match="could not be renewed in time"):
            write(books, bank_1=-5)


@pytest.mark.slow
def test_a_lease_goes_on_by_itself_however_long_nobody_asks(postgres, schema, tmp_path):
    with closing(PostgresStore(postgres.address(schema), tmp_path, 2.0).open()) as books:
        until = postgres.ask("SELECT until FROM lease", schema)
        wait_until(lambda: postgres.ask("SELECT until FROM lease", schema) > until, "it is renewed")
        write(books, bank_1=-5)


@pytest.mark.slow
def test_a_batch_that_takes_long_to_work_out_holds_up_no_renewal(postgres, schema, tmp_path):
    """The writer's thread does not release Python's lock by itself."""
    with closing(PostgresStore(postgres.address(schema), tmp_path, 2.0).open()) as books:
        lease, renewed, patience = books._lease, 0, system.elapsed_s() + PATIENCE_S
        ends = lease._ends
        while renewed < 2 and system.elapsed_s() < patience:
            sum(range(10_000))
            renewed, ends = renewed + (lease._ends > ends), lease._ends
        assert renewed == 2
        write(books, bank_1=-5)


@pytest.mark.slow
def test_a_server_that_goes_away_ends_who_waits_too(tmp_path):
    server = Server().start()
    try:
        store = PostgresStore(server.address(), tmp_path, LONG_TERM_S)
        first = store.open()
        with waiting(store) as second:
            second.has_looked()
            server.kill()
            wait_until(lambda: second.refused, "it is told")
            assert "check the server and the network, and start the casino again" in str(second.refused)
        first.close()
        server.start()
        with closing(store.open()) as again:
            write(again, bank_1=-5)
    finally:
        server.end()
