"""Watchdog of rule scripts: what runs too long is stopped, and nothing else ever is."""

import subprocess
import sys
import threading
import time

import pytest

from bot.core.rounds.script_budget import OverBudget, Watchdog

BUDGET_S = 0.2


@pytest.fixture
def watchdog():
    return Watchdog(BUDGET_S)


def loop():
    while True:
        pass


def loop_in_a_generator():
    def script():
        yield
        loop()

    run = script()
    next(run)
    next(run)


def loop_that_catches_faults():
    while True:
        try:
            loop()
        except Exception:
            continue


def compute_until(end):
    while time.perf_counter() < end:
        pass


@pytest.mark.parametrize("call", [loop, loop_in_a_generator, loop_that_catches_faults])
def test_a_loop_is_stopped(watchdog, call):
    began = time.monotonic()
    with pytest.raises(OverBudget, match=r"more than 0\.2 s"):
        watchdog.run("faulty", call)
    assert time.monotonic() - began > BUDGET_S
    assert watchdog.stopped == {"faulty": 1}
    assert watchdog.find_late() is None


def test_a_loop_is_named_while_it_runs_and_other_threads_go_on(watchdog):
    faults = []

    def run():
        try:
            watchdog.run("faulty", loop)
        except OverBudget as fault:
            faults.append(fault)

    thread = threading.Thread(target=run)
    thread.start()
    named = set()
    while thread.is_alive():
        named.add(watchdog.find_late())
        assert watchdog.run("good", lambda: 5) == 5
    assert "faulty" in named
    assert len(faults) == 1


PROFILED = """
import sys
from bot.core.rounds.script_budget import OverBudget, Watchdog

def loop():
    while True:
        pass

try:
    Watchdog(0.1).run("faulty", loop)
except OverBudget:
    sys.setprofile(lambda *_event: None)
    print(abs(-1))
"""


@pytest.mark.long
def test_a_process_can_be_profiled_after_a_stop():
    """CPython 3.11 hangs at the first profiled call while it looks for an exception of another thread."""
    ran = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, timeout=30, check=False)
    assert (ran.stdout, ran.stderr) == ("1\n", "")


def test_what_a_call_answers_and_raises_is_passed_on(watchdog):
    assert watchdog.run("good", divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        watchdog.run("good", divmod, 7, 0)


def test_calls_within_a_call_have_a_budget_of_their_own(watchdog):
    def outer():
        with pytest.raises(OverBudget):
            watchdog.run("inner", loop)
        loop()

    with pytest.raises(OverBudget):
        watchdog.run("outer", outer)
    assert watchdog.stopped == {"inner": 1, "outer": 1}


@pytest.mark.slow
def test_no_stop_comes_after_the_end_of_a_script():
    """Scripts that end just when they are stopped: a stop that came later would end this test."""
    watchdog, ended, stopped = Watchdog(0.002), 0, 0
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        until = time.monotonic() + 3
        while time.monotonic() < until:
            try:
                lasts = 0.002 + (ended + stopped) % 40 * 0.0001  # around the stop, however fast the machine
                watchdog.run("slow", compute_until, time.perf_counter() + lasts)
                ended += 1
            except OverBudget:
                stopped += 1
            for _step in range(100):
                pass
    finally:
        sys.setswitchinterval(interval)
    assert ended
    assert stopped
