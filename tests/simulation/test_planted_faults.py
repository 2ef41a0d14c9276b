"""Planted faults, each of which the simulation soon finds."""

import re
from dataclasses import replace

import pytest

from bot.core.handle import CommandHandling
from bot.core.rounds import betting, cash_table
from bot.core.writer import Writer, answer_all
from engine.hand import Hand
from storage.ledger import Draft
from storage.rows import MoveRow, PostingRow
from storage.sqlite import SqliteBooks
from tests.simulation.behavior import BEHAVIORS
from tests.simulation.losses import LOSSES
from tests.simulation.runs import endure


def find(folder, steps=3000, seed=1):
    """Return the fault that a seed finds within this many steps."""
    return endure(seed, steps, folder).fault or ""


def test_nothing_is_found_where_nothing_is_wrong(folder):
    assert find(folder, 300) == ""


def forget_every(one_in, kind, monkeypatch):
    """Drop one in so many rows of this kind."""
    put, count = Draft.put, 0

    def forgetful(draft, row):
        nonlocal count
        count += isinstance(row, kind)
        if not (isinstance(row, kind) and count % one_in == 0):
            put(draft, row)

    monkeypatch.setattr(Draft, "put", forgetful)


def test_a_posting_that_is_lost(folder, monkeypatch):
    forget_every(50, PostingRow, monkeypatch)
    assert "its postings add up to" in find(folder)


def test_a_move_that_is_lost(folder, monkeypatch):
    forget_every(20, MoveRow, monkeypatch)
    assert find(folder)


def test_an_update_key_that_nobody_looks_up(folder, monkeypatch):
    monkeypatch.setattr(SqliteBooks, "answers", lambda books, keys: {})
    monkeypatch.setattr(CommandHandling, "_remember", lambda handling, key, answer: None)
    assert find(folder)


def test_a_refund_that_is_forgotten_when_a_place_is_lost(folder, monkeypatch):
    def forget(transaction, table, now, why):
        return transaction.set_table(betting.wind_clock(table.change_round(bets=(), ready=frozenset(), cuts=()), now))

    monkeypatch.setattr(betting, "return_all_bets", forget)
    assert re.search("lies on table|and not empty", find(folder))


def test_a_stack_that_is_lost_on_leaving(folder, monkeypatch):
    def forget(transaction, table, player, now):
        return table.change(seats={seat: one for seat, one in table.seats.items() if one != player})

    monkeypatch.setattr(cash_table, "stand_up", forget)
    assert "has no seat at table" in find(folder)


def test_a_card_that_is_hidden_and_shown(folder, monkeypatch):
    monkeypatch.setattr(Hand, "view", lambda hand, viewer: list(hand.events))
    assert re.search(r"shows \[.*\] to", find(folder))


def test_an_answer_before_the_commit(folder, monkeypatch):
    """Answers come before the write, so a death in between breaks a promise."""
    commit = Writer._commit

    def hasty(writer, batch):
        answer_all(zip(writer.futures, batch.answers, strict=False))
        writer.futures = []
        commit(writer, batch)

    write = Writer._write

    def noting(writer, commands, futures, now):
        writer.futures = list(futures)
        return write(writer, commands, futures, now)

    monkeypatch.setattr(Writer, "_commit", hasty)
    monkeypatch.setattr(Writer, "_write", noting)
    monkeypatch.setattr(
        "bot.core.writer.answer_all",
        lambda answers: answer_all((future, answer) for future, answer in answers if not future.done()),
    )
    monkeypatch.setattr("tests.simulation.faults.CRASHES", 0.05)
    assert "were answered and are not on disk" in find(folder)


def test_a_meter_that_stands_otherwise_than_its_reset_said(folder, monkeypatch):
    post = Draft.post

    def generous(draft, debit, credit, amount, why, *more):
        post(draft, debit, credit, amount + why.startswith("meter reset") * 100, why, *more)

    monkeypatch.setattr(Draft, "post", generous)
    resetting = replace(BEHAVIORS["caribbean"], inspects=("meter reset test", "meter reset 12345 test") * 20)
    monkeypatch.setattr("tests.simulation.workload.BEHAVIORS", {**BEHAVIORS, "caribbean": resetting})
    assert "after a reset" in find(folder)


def test_a_batch_of_which_half_is_written(folder, monkeypatch):
    """A death in the middle leaves a part if there is no transaction around the batch."""

    def in_pieces(books, write):
        books.db.execute("UPDATE books SET batch = batch + 1, at_home = ?", [books._log.at_home])
        write()
        books.batch += 1
        books._witness.write(books.batch)

    monkeypatch.setattr(SqliteBooks, "_run_batch", in_pieces)
    monkeypatch.setattr("tests.simulation.faults.CRASHES", 0.2)
    assert re.search("of a batch that failed there is|came back otherwise|its postings add up to", find(folder))


def test_a_read_that_fails_and_is_taken_for_a_bug(folder, monkeypatch):
    """A handler of bugs that catches it voids a hand, or reports that something went wrong.

    Without a handler the read ends the process, as it should; whichever comes first ends that seed's history.
    """

    class Gone(Exception):
        pass

    monkeypatch.setattr("storage.sqlite.BooksGone", Gone)
    monkeypatch.setattr("tests.simulation.faults.CRASHES", 0.1)
    monkeypatch.setattr("tests.simulation.faults.FATES", ("unread",))
    found = [find(folder, seed=seed) for seed in range(1, 9)]
    assert any(re.search("failed: Gone|hand [0-9]+ is void|no longer replays", fault) for fault in found)


def test_clocks_that_go_by_the_wall_clock(folder, monkeypatch):
    monkeypatch.setattr(Writer, "_look_at_wall_clock", lambda writer: None)
    monkeypatch.setattr("tests.simulation.faults.SETTINGS", 0.1)
    assert "what is left of the clocks at tables" in find(folder)


@pytest.mark.parametrize(
    ("loss", "mend"), [("lost log", "find_shortage"), ("earlier file", "find_shortage"), ("lost file", "find_gone")]
)
def test_books_that_open_though_they_are_not_all_there(folder, monkeypatch, loss, mend):
    monkeypatch.setattr(f"storage.sqlite.{mend}", lambda *_asked: None)
    monkeypatch.setattr("tests.simulation.faults.CRASHES", 0.2)
    monkeypatch.setattr("tests.simulation.faults.LOSSES_AT_DEATH", 1.0)
    monkeypatch.setattr("tests.simulation.history.LOSSES", {loss: LOSSES[loss]})
    assert f"knows less: {loss}" in find(folder)


def test_two_houses_that_write_to_the_same_books(folder, monkeypatch):

    def unchecked(books, write):
        with books.db.atomic():
            write()

    monkeypatch.setattr(SqliteBooks, "_run_batch", unchecked)
    monkeypatch.setattr("tests.simulation.faults.SECOND_HOUSES", 0.05)
    assert "two houses have written to the same books" in find(folder)


@pytest.mark.slow
def test_chips_that_are_given_twice(folder, monkeypatch):
    post = Draft.post

    def twice(draft, debit, credit, amount, why, *more):
        for _time in range(1 + (why == "daily")):
            post(draft, debit, credit, amount, why, *more)

    monkeypatch.setattr(Draft, "post", twice)
    assert "2 times “daily” by 1 commands" in find(folder)


def test_a_winner_who_is_paid_twice(folder, monkeypatch):
    post = Draft.post

    def twice(draft, debit, credit, amount, why, at, hand_id=None, event=None):
        post(draft, debit, credit, amount, why, at, hand_id, event)
        if debit.startswith("hand:") and credit.startswith("player:") and why == "main":
            post(draft, f"bank:{credit.split(':')[1]}", credit, amount, why, at, hand_id, f"{event} again")

    monkeypatch.setattr(Draft, "post", twice)
    assert "by the rules and" in find(folder)
