"""What the nemesis looks for is found where it is planted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.postgres import PostgresStore
from tests.kills.deeds import Choice, Deed, Deeds
from tests.nemesis.evidence import faults_of_answers, faults_of_order, open_hands, watch_writers
from tests.postgres_server import Server, lacking

CASINO = "INSERT INTO casinos VALUES (1, 'Ridotto', '{}', 0)"
TABLE = "INSERT INTO tables VALUES (1, 1, 'uth', 'open', '{}')"
HAND = "INSERT INTO hands VALUES ({}, 1, 1, 'uth', '{}', '', '{{}}', 0, NULL)"
POSTING = "INSERT INTO postings (at, debit, credit, amount, why, hand) VALUES (0, 'bank:1', 'hand:{0}', 1, 'main', {0})"
NEXT_HOUSE = "UPDATE lease SET epoch = epoch + 1"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Its books have one table, and whoever writes is noted."""
    lacking()
    server = Server().start()
    PostgresStore(server.address(), tmp_path).open().close()
    server.ask(CASINO)
    watch_writers(server)
    server.ask(TABLE)
    yield server
    server.end()


def found(server: Server, tmp_path: Path) -> list[str]:
    with PostgresStore(server.address(), tmp_path).reading() as books:
        return [*faults_of_order(books)]


def test_two_sessions_that_write_in_one_epoch_are_found(server, tmp_path):
    """Each question is a session of its own."""
    server.ask(NEXT_HOUSE)
    server.ask(HAND.format(1, "over"))
    assert found(server, tmp_path) == []
    server.ask(NEXT_HOUSE)
    server.ask(HAND.format(2, "over"))
    assert found(server, tmp_path) == []
    server.ask(HAND.format(3, "over"))
    (fault,) = found(server, tmp_path)
    assert "2 sessions wrote in epoch" in fault


def test_two_orders_at_one_table_are_found(server, tmp_path):
    statements = [HAND.format(1, "playing"), HAND.format(2, "playing"), "INSERT INTO moves VALUES (1, 1, '1 check', 0)"]
    # One session and one transaction, as of one house.
    server.ask("; ".join([NEXT_HOUSE, *statements, *(POSTING.format(hand) for hand in (1, 2, 1))]))
    assert found(server, tmp_path) == [
        "2 hands are open at table 1",
        "the 1 moves of hand 1 are not in one order",
        "hand 2 of table 1 was paid for before the hand before it was over",
    ]
    with PostgresStore(server.address(), tmp_path).reading() as books:
        assert open_hands(books) == {1, 2}


def test_presses_that_were_done_in_another_order_than_they_were_answered_are_found(server, tmp_path):
    deeds = Deeds([Deed(f"web:7:{key}", ("web", "7"), Choice("ready")) for key in ("one", "two")])
    for key in ("two", "one"):
        server.ask(f"INSERT INTO answers (key, answer, at) VALUES ('web:7:{key}', '', 0)")
    with PostgresStore(server.address(), tmp_path).reading() as books:
        (fault,) = faults_of_answers(books, deeds)
    assert "the presses of ('web', '7') were done in another order" in fault
