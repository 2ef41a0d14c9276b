"""Computation outside the writer: in a separate process, once for each question, and with a time limit."""

import gc
import io
import os
import pickle
import signal
import subprocess
import time
from concurrent.futures import Future

import pytest

from bot.core.commands.command import Answer, Command, Who
from bot.core.commands.counting import _PROGRAM, CountFault, Counting, answer_all
from bot.core.guide.coach import SLOW
from bot.core.state.place import Place
from bot.core.writer import Writer
from tests.core.conftest import CARIBBEAN
from tests.patience import PATIENCE_S, wait_until
from tests.stores import Sqlite


@pytest.fixture
def counting():
    counting = Counting()
    yield counting
    counting.close()


def test_it_is_counted_in_another_process(counting):
    assert counting(os.getpid) != os.getpid()
    assert counting(pow, 2, 10) == 1024


def test_what_a_decision_needs_is_read_before_the_first_question(counting):
    assert counting(eval, "{'engine.advice', 'engine.games'} <= {*__import__('sys').modules}")


def test_the_same_question_is_counted_once(counting):
    assert counting(time.monotonic_ns) == counting(time.monotonic_ns)


def test_what_raises_is_told_in_words_and_the_next_is_answered(counting):
    with pytest.raises(CountFault, match="ZeroDivisionError"):
        counting(divmod, 1, 0)
    assert counting(divmod, 7, 2) == (3, 1)


def test_G8_what_a_fault_says_stays_where_it_was_raised(counting):
    """A message may name a card, and the log records why a computation failed."""
    with pytest.raises(CountFault) as raised:
        counting(int, "As Kd")
    assert str(raised.value) == "ValueError"


def test_a_house_that_is_gone_when_the_answer_comes_is_no_fault():
    """The worker ends silently: a traceback would break the log, in which each line is JSON."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb", buffering=0) as nobody:
        answer_all(io.BytesIO(pickle.dumps(pickle.dumps((divmod, (7, 2))))), nobody)


@pytest.mark.parametrize("asked", [b"", pickle.dumps(pickle.dumps((divmod, (7, 2))))[:-9]])
def test_a_house_that_is_gone_before_it_has_asked_is_no_fault(asked):
    """The worker also ends silently if the parent was only beginning to ask, or to start it."""
    run = subprocess.run(_PROGRAM, input=asked, capture_output=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_what_takes_too_long_is_given_up_with_its_process():
    counting = Counting(late_s=0.2)
    with pytest.raises(CountFault, match=r"no answer within 0\.2 s"):
        counting(time.sleep, 3600)
    counting.close()


def test_it_ends_where_nobody_closes_it():
    counting = Counting()
    process = counting(os.getpid)
    del counting
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_process_that_died_is_followed_by_another(counting):
    os.kill(counting(os.getpid), signal.SIGKILL)
    wait_until(lambda: counting._process.poll() is not None)
    assert counting(pow, 3, 2) == 9


def test_a_table_goes_on_while_nothing_is_counted_and_after_its_process_is_killed(tmp_path):
    """The process is paused, as in an endless loop; then it is killed, and another one answers."""
    books, counting = Sqlite().open(tmp_path), Counting(late_s=3600)
    writer = Writer(books, count=counting)

    def said(name: str, verb: str, *args: str) -> Future[Answer]:
        who = Who("web", name, name)
        return writer.submit(
            Command(f"{name} {verb} {os.urandom(4).hex()}", who, Place("web", str(CARIBBEAN)), verb, args)
        )

    writer.start()
    process = counting(os.getpid)
    os.kill(process, signal.SIGSTOP)
    odds = said("anna", "odds")
    wait_until(counting._lock.locked)  # a call, so that a dead process is noticed on a busy machine too
    for number in range(7):
        assert not said(f"p{number}", "bet", "10").result(PATIENCE_S).refused
    assert not odds.done()
    os.kill(process, signal.SIGKILL)
    assert SLOW in odds.result(PATIENCE_S).said
    assert SLOW not in said("anna", "odds").result(PATIENCE_S).said
    writer.stop()
    counting.close()
    books.close()


def test_it_ends_with_the_house_however_that_ends(counting):
    """The pipe closes when the parent process is gone, so nothing is left behind."""
    process = counting(os.getpid)
    counting._process.stdin.close()
    wait_until(lambda: counting._process.poll() is not None)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
