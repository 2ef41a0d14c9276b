"""Overload: the queue is bounded, refusals are polite, nothing is lost."""

import threading
from concurrent.futures import Future

import pytest

from bot.core import writer as writer_module
from bot.core.access import BUSY
from bot.core.commands.command import Answer, Command, Who
from bot.core.state.place import Place
from bot.core.writer import Writer
from bot.texts import say
from storage.sqlite import SqliteBooks
from tests.core.conftest import BLACKJACK, CARIBBEAN, LINKED, PAIJU, UTH
from tests.disk import ask
from tests.load.overload import measure_flood
from tests.load.sockets import measure_sockets
from tests.patience import PATIENCE_S


@pytest.mark.slow
def test_a_flood_is_answered_to_the_last_command_and_what_waits_is_bounded(monkeypatch):
    """More is offered than any machine can do, with a small queue, so that some are refused."""
    monkeypatch.setattr(writer_module, "MOST_WAITING", 50)
    found = measure_flood(1.0, clients=200, sustained=2000)
    assert found.offered == found.done + found.refused + found.busy
    assert found.done > 0
    assert found.busy > 0
    assert found.lost == 0
    # One thread sends, so that waiting and running commands together never exceed the bound.
    assert found.most_waiting <= 51
    assert found.p50_ms <= found.p99_ms


@pytest.mark.slow
def test_the_lounges_sockets_lose_nothing_under_a_crowd(monkeypatch):
    found = measure_sockets(2.0, clients=30)
    assert found.offered == found.done + found.refused + found.busy
    assert found.done > 30
    assert found.lost == 0


def test_who_is_turned_away_is_told_so_at_once_and_nothing_is_kept_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(writer_module, "MOST_WAITING", 3)
    books = SqliteBooks(tmp_path)
    writer = Writer(books)
    bet = [
        Command(f"key {n}", Who("web", f"p{n}", f"P{n}"), Place("web", str(CARIBBEAN)), "bet", ("10",))
        for n in range(6)
    ]
    waiting = [writer.submit(command) for command in bet]
    assert [future.done() for future in waiting] == [False, False, False, True, True, True]
    assert {future.result() for future in waiting[3:]} == {BUSY}
    assert say(BUSY.texts[0], "en") == "The table is busy, try again."
    writer.start()
    assert not any(future.result(PATIENCE_S).refused for future in waiting[:3])
    # The same update again, now that there is room: it counts, because nothing was done before.
    assert not writer.submit(bet[3]).result(PATIENCE_S).refused
    writer.stop()
    assert ask(books, "SELECT key FROM answers ORDER BY key") == [(f"key {n}",) for n in range(4)]
    books.close()


def test_who_gives_up_waiting_takes_the_others_refusal_from_nobody(tmp_path, monkeypatch):
    """All refused commands share one answer: cancelling it must not harm the next."""
    monkeypatch.setattr(writer_module, "MOST_WAITING", 0)
    books = SqliteBooks(tmp_path)
    writer = Writer(books)
    command = Command("key", Who("web", "anna", "Anna"), Place("web", str(CARIBBEAN)), "bet", ("10",))
    threads = [threading.Thread(target=lambda: writer.submit(command).cancel()) for _thread in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert writer.submit(command).result(0) == BUSY
    books.close()


def test_many_clocks_that_run_out_together_do_not_hold_up_a_bet(tmp_path, monkeypatch):
    """Clocks are handled a few at a time, between commands, as after a start with many hands in play."""
    monkeypatch.setattr(writer_module, "MOST_CLOCKS", 2)
    now = [1_000_000.0]
    books = SqliteBooks(tmp_path)
    writer = Writer(books, clock=lambda: now[0])
    asked = (CARIBBEAN, UTH, PAIJU, BLACKJACK)
    bets = [Command(f"k{n}", Who("web", f"p{n}", f"P{n}"), Place("web", str(n)), "bet", ("min",)) for n in asked]
    writer.round(bets, [Future() for _bet in bets])
    now[0] += 100
    tables = writer.state.tables
    for playing in (2, 4):
        late: Future[Answer] = Future()
        elsewhere = Place("web", str(LINKED))
        writer.round([Command(f"late {playing}", Who("web", "late", "Late"), elsewhere, "bet", ("10",))], [late])
        assert not late.result(0).refused
        assert sum(tables[n].round.hand is not None or tables[n].last is not None for n in asked) == playing
    books.close()
