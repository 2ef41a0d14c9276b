"""The writer's thread: commands from many threads, clocks, and a stop that finishes what has arrived."""

import asyncio
import contextlib
import os
import sqlite3
import threading
import time
from concurrent.futures import Future
from dataclasses import replace

import pytest

from bot.core import writer as writer_module
from bot.core.access import BUSY
from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import FAULT, Answer, Command, Who
from bot.core.state.place import Place
from bot.core.writer import Writer
from storage.faults import BooksGone
from storage.questions import postings
from storage.sqlite import SqliteBooks
from tests.core.conftest import CARIBBEAN
from tests.disk import ask
from tests.patience import PATIENCE_S, wait_until
from tests.some import some

TABLE = Place("web", str(CARIBBEAN))


def command(name, verb, *args, key=""):
    return Command(key or f"{name} {verb} {args}", Who("web", name, name), TABLE, verb, args)


@pytest.fixture
def books(tmp_path):
    opened = SqliteBooks(tmp_path)
    yield opened
    opened.close()


def test_commands_of_many_threads_share_commits_and_are_all_on_disk(books):
    writer = Writer(books)
    writer.start()
    answers = []

    def play(name):
        for number in range(20):
            verb, args = ("takeback", ()) if number % 2 else ("bet", ("10",))
            answers.append(writer.submit(command(name, verb, *args, key=f"{name} {number}")).result(PATIENCE_S))

    players = [threading.Thread(target=play, args=(f"p{number}",)) for number in range(7)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    writer.stop()
    assert len(answers) == 140
    assert not [answer for answer in answers if answer.refused]
    assert ask(books, "SELECT count(*) FROM answers") == [(140,)]
    assert writer.commands == 140


@pytest.mark.slow
def test_a_clock_runs_out_by_itself_and_is_told(books):
    told: list[set[int]] = []
    writer = Writer(books)
    writer.subscribe(told.append)
    table = writer.state.tables[CARIBBEAN]
    writer.state.tables[CARIBBEAN] = table.change(settings=replace(table.settings, betting_s=1))
    writer.start()
    writer.submit(command("anna", "bet", "10")).result(PATIENCE_S)
    wait_until(lambda: writer.state.tables[CARIBBEAN].round.hand is not None)
    assert writer.state.tables[CARIBBEAN].phase == "playing"
    writer.stop()
    assert {1} in told


def test_a_stop_finishes_what_has_arrived(books):
    writer = Writer(books)
    futures = [writer.submit(command(f"p{number}", "balance")) for number in range(50)]
    writer.start()
    writer.stop()
    assert not writer.is_alive
    assert all(not future.result(0).refused for future in futures)


async def test_an_event_loop_is_called_once_for_a_batch(books, monkeypatch):
    writer = Writer(books)
    waiting = [writer.submit_from_loop(command(f"p{number}", "balance")) for number in range(50)]
    waiting[7].cancel()
    loop = asyncio.get_running_loop()
    calls: list[object] = []
    call = loop.call_soon_threadsafe

    def count_call(callback, *args, **kwargs):
        calls.append(callback)
        return call(callback, *args, **kwargs)

    monkeypatch.setattr(loop, "call_soon_threadsafe", count_call)
    writer.start()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    writer.stop()
    assert len(calls) == 1
    assert isinstance(answers[7], asyncio.CancelledError)
    assert all(isinstance(answer, Answer) for answer in answers[:7] + answers[8:])


async def test_an_event_loop_is_turned_away_at_once(books, monkeypatch):
    monkeypatch.setattr(writer_module, "MOST_WAITING", 0)
    assert await Writer(books).submit_from_loop(command("anna", "balance")) == BUSY


def test_answers_of_an_event_loop_that_has_ended_are_dropped(books):
    writer = Writer(books)

    async def ask():
        return writer.submit_from_loop(command("anna", "balance"))

    asyncio.run(ask())
    future = writer.submit(command("bea", "balance"))
    writer.start()
    assert not future.result(PATIENCE_S).refused
    writer.stop()


def test_a_writer_that_is_drowning_says_so_at_once(books, monkeypatch):
    monkeypatch.setattr(writer_module, "MOST_WAITING", 2)
    writer = Writer(books)
    futures = [writer.submit(command(f"p{number}", "balance")) for number in range(3)]
    assert [future.done() for future in futures] == [False, False, True]
    assert futures[2].result() == BUSY
    assert (writer.turned_away, writer.put_off) == (1, 0)


def test_a_commit_that_fails_ends_the_thread_and_nothing_is_said(books, caplog):
    fatal: list[BaseException] = []
    writer = Writer(books, on_fatal=fatal.append)
    writer.start()
    assert not writer.submit(command("anna", "balance")).result(PATIENCE_S).refused
    books.db.conn.execute("PRAGMA query_only = ON")
    future = writer.submit(command("anna", "bet", "10"))
    wait_until(lambda: not writer.is_alive)
    assert [type(fault) for fault in fatal] == [BooksGone]
    assert not future.done()
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]


def run(writer, *commands):
    futures: list[Future[Answer]] = [Future() for _command in commands]
    writer.round(commands, futures)
    assert not any(future.result(0).refused for future in futures)


class Times:
    """A wall clock that tests set, and a monotonic one."""

    def __init__(self):
        self.wall, self.steady = 1_000_000.0, 50.0

    def go_on(self, seconds):
        self.wall += seconds
        self.steady += seconds

    def writer(self, books, **more):
        return Writer(books, clock=lambda: self.wall, monotonic=lambda: self.steady, **more)


@pytest.mark.parametrize("step", [3600.0, -3600.0, 86400.0, -0.6, 12 * 3600.0])
def test_who_sets_the_wall_clock_moves_no_deadline(books, step, caplog):
    times = Times()
    told: list[set[int]] = []
    writer = times.writer(books)
    writer.subscribe(told.append)
    run(writer, command("anna", "bet", "10"))
    times.go_on(7.0)
    times.wall += step
    run(writer)
    table = writer.state.tables[CARIBBEAN]
    assert (table.round.started, table.round.deadline) == (
        times.wall - 7,
        times.wall + 13,
    )  # 20 s to bet: the remaining time of everyone is unchanged
    assert "the system clock was changed" in caplog.text
    assert CARIBBEAN in told[-1]  # platforms with countdowns learn the new end
    times.go_on(12.9)
    run(writer)
    assert writer.state.tables[CARIBBEAN].round.hand is None
    times.go_on(0.2)
    run(writer)
    assert writer.state.tables[CARIBBEAN].round.hand is not None


def test_a_wall_clock_that_is_only_corrected_is_left_to_itself(books, caplog):
    times = Times()
    writer = times.writer(books)
    run(writer, command("anna", "bet", "10"))
    deadline = writer.state.tables[CARIBBEAN].round.deadline
    for _second in range(5):
        times.go_on(1.0)
        times.wall += 0.01
        run(writer)
    assert writer.state.tables[CARIBBEAN].round.deadline == deadline
    assert "wall clock" not in caplog.text


def test_time_lost_before_the_wall_clock_was_set_is_given_back_once(books):
    times = Times()
    writer = times.writer(books)
    run(writer, command("anna", "bet", "10"))
    times.go_on(5.0)
    run(writer, internal_command_of("1", Place("web", ""), "away"))
    times.go_on(8.0)
    times.wall += 86400.0
    times.go_on(8.0)
    run(writer)
    assert writer.state.tables[CARIBBEAN].round.hand is None  # it pauses
    run(writer, internal_command_of("2", Place("web", ""), "back"))
    assert writer.state.tables[CARIBBEAN].round.deadline == times.wall + 15


def test_a_seat_that_is_offered_and_a_stack_that_was_taken_away_wait_as_long_as_before(books):
    times = Times()
    writer = times.writer(books)
    stud = next(table for table in writer.state.tables.values() if table.game == "stud")
    at = Place("web", str(stud.id))
    run(
        writer,
        Command("1", Who("web", "anna", "anna"), at, "buyin", ("320",)),
        Command("2", Who("web", "anna", "anna"), at, "leave"),
    )
    before = writer.state.tables[stud.id].memory
    times.wall -= 7200.0
    run(writer)
    after = writer.state.tables[stud.id].memory
    assert after.freed == before.freed - 7200
    assert [when for _had, when in after.left.values()] == [times.wall]


@pytest.mark.slow
def test_the_writer_is_never_asleep_when_a_clock_runs_out(books):
    """The wall clock is set back by an hour while it waits; it deals in time without a press."""
    wall = time.time
    ahead = [0.0]
    writer = Writer(books, clock=lambda: wall() + ahead[0], monotonic=time.monotonic)
    table = writer.state.tables[CARIBBEAN]
    writer.state.tables[CARIBBEAN] = table.change(settings=replace(table.settings, betting_s=2))
    writer.start()
    writer.submit(command("anna", "bet", "10")).result(PATIENCE_S)
    ahead[0] = -3600.0
    wait_until(lambda: writer.state.tables[CARIBBEAN].round.hand is not None)
    writer.stop()


def test_whoever_has_an_answer_finds_every_view_up_to_date(books):
    writer, told = Writer(books), list[list[bool]]()
    answers = [Future[Answer](), Future[Answer]()]
    writer.subscribe(lambda tables: told.append([answer.done() for answer in answers]))
    writer.round([command("anna", "balance"), command("anna", "bet", "10")], answers)
    assert told == [[False, False]]
    assert [answer.result().refused for answer in answers] == [False, False]


@pytest.fixture
def ended(books):
    """A running writer, and what ended it."""
    fatal: list[BaseException] = []
    writer = Writer(books, on_fatal=fatal.append)
    writer.start()
    assert not writer.submit(command("anna", "balance")).result(PATIENCE_S).refused  # its start has read everything
    yield writer, fatal
    writer.stop()


def is_moved(path):
    """Move what the log of changes has into the file, and return whether it was all."""
    with contextlib.closing(sqlite3.connect(path)) as beside:  # the writer reads by its own connection meanwhile
        busy, pages, moved = beside.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return (busy, moved) == (0, pages)


def damage(books, writer):
    """Overwrite all pages on the disk but the first, and drop the cache.

    The file's time stays the same, as when a disk fails: the writer has just looked at it, and looks again in a second.
    """
    assert not writer.submit(command("anna", "balance")).result(PATIENCE_S).refused
    was = books.path.stat()
    wait_until(lambda: is_moved(books.path), "everything is in the file, also what is written meanwhile")
    books.db.conn.execute("PRAGMA shrink_memory")
    with open(books.path, "r+b") as file:
        size = file.seek(0, 2)
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    os.utime(books.path, ns=(was.st_atime_ns, was.st_mtime_ns))


def test_a_read_that_fails_ends_the_writer_and_nothing_is_said(books, ended, caplog):
    writer, fatal = ended
    damage(books, writer)
    future = writer.submit(command("anna", "bet", "10"))
    wait_until(lambda: not writer.is_alive)
    assert [str(fault) for fault in fatal] == [
        "The books cannot be read or written (database disk image is malformed): run “ridotto doctor” "
        "to find out whether the file is damaged."
    ]
    assert not future.done()
    assert [(one.levelname, one.getMessage()) for one in caplog.records] == [("CRITICAL", str(fatal[0]))]


def test_a_read_that_fails_in_another_thread_ends_the_writer_once_and_first_of_all(books, ended, caplog):
    """The exception may end in a task that no one waits for."""
    writer, fatal = ended
    damage(books, writer)
    for _time in range(2):
        with pytest.raises(BooksGone):
            books.balance("player:1:1")
    assert len(fatal) == 1
    wait_until(lambda: not writer.is_alive)
    assert not writer.submit(command("anna", "balance")).done()
    assert len(caplog.records) == 1


def test_a_report_that_cannot_be_read_ends_the_writer_too(books, ended):
    writer, fatal = ended
    damage(books, writer)
    with pytest.raises(BooksGone), books.snapshot() as reader:
        reader.balance("player:1:1")
    assert "run “ridotto doctor”" in str(fatal[0])


def test_a_fault_of_the_writer_itself_is_told_with_the_place_where_it_came_about(books, ended, caplog, monkeypatch):
    writer, fatal = ended

    def fail(books, before):
        raise TypeError("ours")

    monkeypatch.setattr(SqliteBooks, "forget_answers", fail)
    writer._forgot = float("-inf")
    writer.submit(command("anna", "balance"))
    wait_until(lambda: not writer.is_alive)
    assert [type(fault) for fault in fatal] == [TypeError]
    assert caplog.messages == ["the writer failed: TypeError"]
    assert caplog.records[0].exc_info is not None


def test_a_report_holds_nobody_up_and_sees_what_was_on_disk(books, monkeypatch):
    """An export is read while others bet."""
    reads, may_go_on = threading.Event(), threading.Event()
    read = postings.postings_of_casino

    def slowly(*args):
        reads.set()
        may_go_on.wait(10)
        return read(*args)

    monkeypatch.setattr(postings, "postings_of_casino", slowly)
    writer = Writer(books)
    writer.start()
    inspector = Who("web", "insp", "insp", inspector=True)
    export = writer.submit(Command("export", inspector, TABLE, "export", ("1",)))
    assert reads.wait(10)
    for number in range(7):
        assert not writer.submit(command(f"p{number}", "bet", "10")).result(PATIENCE_S).refused
    assert not export.done()
    may_go_on.set()
    answer = export.result(PATIENCE_S)
    writer.stop()
    assert answer.report is None
    assert some(answer.file)[1].count(",Start chips,") == 1


def test_reports_that_nobody_can_wait_for_are_refused_at_once(books, monkeypatch):
    monkeypatch.setattr(writer_module, "MOST_REPORTS", 1)
    may_go_on = threading.Event()
    monkeypatch.setattr(postings, "latest_postings", lambda *args: may_go_on.wait(10))
    writer = Writer(books)
    writer.start()
    waiting = [writer.submit(command(f"p{number}", "statement", "csv")) for number in range(3)]
    assert waiting[2].result(PATIENCE_S) == BUSY
    may_go_on.set()
    assert writer.put_off == sum(future.result(PATIENCE_S) == BUSY for future in waiting)
    writer.stop()


def test_a_report_that_fails_is_told_to_who_asked(books, monkeypatch, caplog):
    def fail(*args):
        raise TypeError("ours")

    monkeypatch.setattr(postings, "postings_of_casino", fail)
    writer = Writer(books)
    writer.start()
    inspector = Who("web", "insp", "insp", inspector=True)
    assert writer.submit(Command("export", inspector, TABLE, "export", ("1",))).result(PATIENCE_S) == FAULT
    assert writer.is_alive
    writer.stop()
    assert caplog.messages == ["a report failed: TypeError"]


def test_clocks_that_the_schema_does_not_let_move_end_nobody(books, caplog):
    wall, uptime = [1_000_000.0], [5_000.0]
    writer = Writer(books, clock=lambda: wall[0], monotonic=lambda: uptime[0])
    writer.round([command("anna", "bet", "10")], [Future()])
    books.db.execute("CREATE TRIGGER no BEFORE UPDATE ON tables BEGIN SELECT RAISE(ABORT, 'no'); END")
    wall[0] += 3600.0
    writer.round([], [])
    books.db.execute("DROP TRIGGER no")
    answer: Future[Answer] = Future()
    writer.round([command("anna", "balance")], [answer])
    assert not answer.result(0).refused
    assert "the books refused the remaining times: no" in caplog.messages
