"""Traces that two writers, or two orders of moves at one table, would leave in the store."""

from collections import defaultdict
from collections.abc import Iterator

from storage.store import Reader
from tests.disk import ask
from tests.kills.deeds import Deeds
from tests.postgres_server import Server

# In a separate schema, so that the store is unchanged. A restarted server counts its processes from the beginning, so
# the number of its start is recorded too.
_WATCH = """
CREATE SCHEMA nemesis;
CREATE TABLE nemesis.writers (
    epoch BIGINT, life TIMESTAMPTZ, pid INTEGER, PRIMARY KEY (epoch, life, pid));
CREATE FUNCTION nemesis.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO nemesis.writers SELECT epoch, pg_postmaster_start_time(), pg_backend_pid()
    FROM public.lease ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER nemesis_hands AFTER INSERT OR UPDATE ON hands FOR EACH ROW EXECUTE FUNCTION nemesis.note();
CREATE TRIGGER nemesis_tables AFTER INSERT OR UPDATE ON tables FOR EACH ROW EXECUTE FUNCTION nemesis.note();
"""


def watch_writers(server: Server) -> None:
    """Record every session that writes a hand or a table, with the epoch of the lease."""
    server.ask(_WATCH)


def faults_of_order(books: Reader) -> Iterator[str]:
    """Yield faults in the writers and their order."""
    twice = "SELECT epoch, count(*) FROM nemesis.writers GROUP BY epoch HAVING count(*) > 1"
    for epoch, number in ask(books, twice):
        yield f"{number} sessions wrote in epoch {epoch}"
    beside = """SELECT table_id, count(*) FROM hands WHERE status IN ('betting', 'playing')
                GROUP BY table_id HAVING count(*) > 1"""
    for table, number in ask(books, beside):
        yield f"{number} hands are open at table {table}"
    gaps = "SELECT hand, count(*) FROM moves GROUP BY hand HAVING count(*) <> max(number) + 1 OR min(number) <> 0"
    for hand, number in ask(books, gaps):
        yield f"the {number} moves of hand {hand} are not in one order"
    mixed = """SELECT table_id, id FROM
               (SELECT table_id, hands.id, min(postings.id) AS first,
                       lag(max(postings.id)) OVER (PARTITION BY table_id ORDER BY hands.id) AS before
                FROM postings JOIN hands ON hands.id = postings.hand GROUP BY table_id, hands.id) AS spans
               WHERE first < before"""
    for table, hand in ask(books, mixed):
        yield f"hand {hand} of table {table} was paid for before the hand before it was over"


def faults_of_answers(books: Reader, deeds: Deeds) -> Iterator[str]:
    """Check that each key has one answer, and that people who wait for answers have them in the order of their
    presses.
    """
    for key, number in ask(books, "SELECT key, count(*) FROM answers GROUP BY key HAVING count(*) > 1"):
        yield f"{key} was answered {number} times"
    places = dict(ask(books, "SELECT key, id FROM answers"))
    of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for deed in deeds.all:
        if deed.account[0] == "web" and deed.key in places:
            of[deed.account].append(places[deed.key])
    for account, numbers in of.items():
        if numbers != sorted(numbers):
            yield f"the presses of {account} were done in another order than that in which they were answered"


def open_hands(books: Reader) -> set[int]:
    """Return the hands in play."""
    return {id for (id,) in ask(books, "SELECT id FROM hands WHERE status = 'playing'")}
