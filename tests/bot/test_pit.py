"""The pit's own thread: commands from many threads, clocks by themselves, a stop that finishes what has arrived."""

import sqlite3
import threading
import time
from dataclasses import replace

import pytest

from bot import pit as pits
from bot.floor.command import Command, Place, Who
from bot.pit import BUSY, Pit
from storage.database import Books

TABLE = Place("web", "1")


def command(name, verb, *args, key=""):
    return Command(key or f"{name} {verb} {args}", Who("web", name, name), TABLE, verb, args)


@pytest.fixture
def books(tmp_path):
    opened = Books(tmp_path)
    yield opened
    opened.close()


def test_commands_of_many_threads_share_commits_and_are_all_on_disk(books):
    pit = Pit(books)
    pit.start()
    answers = []

    def play(name):
        for number in range(20):
            verb, args = ("takeback", ()) if number % 2 else ("bet", ("10",))
            answers.append(pit.submit(command(name, verb, *args, key=f"{name} {number}")).result(10))

    players = [threading.Thread(target=play, args=(f"p{number}",)) for number in range(7)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    pit.stop()
    assert len(answers) == 140
    assert not [answer for answer in answers if answer.refused]
    assert books.select("SELECT count(*) FROM answers") == [(140,)]
    assert pit.commands == 140


def test_a_clock_runs_out_by_itself_and_is_told(books):
    told = []
    pit = Pit(books, on_change=told.append)
    table = pit.floor.house.tables[1]
    pit.floor.house.tables[1] = table.change(settings=replace(table.settings, betting_s=0.2))
    pit.start()
    pit.submit(command("anna", "bet", "10")).result(10)
    until = time.monotonic() + 5
    while pit.floor.house.tables[1].play is None and time.monotonic() < until:
        time.sleep(0.01)
    assert pit.floor.house.tables[1].phase == "playing"
    pit.stop()
    assert {1} in told


def test_a_stop_finishes_what_has_arrived(books):
    pit = Pit(books)
    futures = [pit.submit(command(f"p{number}", "balance")) for number in range(50)]
    pit.start()
    pit.stop()
    assert not pit.is_alive
    assert all(not future.result(0).refused for future in futures)


def test_a_pit_that_is_drowning_says_so_at_once(books, monkeypatch):
    monkeypatch.setattr(pits, "MOST_WAITING", 2)
    pit = Pit(books)
    futures = [pit.submit(command(f"p{number}", "balance")) for number in range(3)]
    assert [future.done() for future in futures] == [False, False, True]
    assert futures[2].result() == BUSY


def test_a_commit_that_fails_ends_the_thread_and_nothing_is_said(books, caplog):
    fatal = []
    pit = Pit(books, on_fatal=fatal.append)
    pit.start()
    assert not pit.submit(command("anna", "balance")).result(10).refused
    books.db.conn.execute("PRAGMA query_only = ON")
    future = pit.submit(command("anna", "bet", "10"))
    until = time.monotonic() + 5
    while pit.is_alive and time.monotonic() < until:
        time.sleep(0.01)
    assert isinstance(fatal[0], sqlite3.OperationalError)
    assert not future.done()
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]
