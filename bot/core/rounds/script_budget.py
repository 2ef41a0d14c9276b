"""The time that a game's code may take: a loop is stopped, and costs only its own hand or screen.

Rule scripts run in the writer's thread, and in those that show a stored hand; presenters in the threads that draw, and
strategies of house players in the event loop. A watchdog in a thread of its own looks at what runs, a few times in the
budget, and raises in the thread of what is still running then. Arming it costs two writes. What it counts are its
looks, not seconds: a process that stood still has not used its budget.

A call into C that does not return, such as the power of two huge numbers, cannot be stopped; /healthz names its game.
"""

import ctypes
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import msgspec

from engine.felt import Deal, Move
from engine.hand import Hand
from engine.record import JSON, parse_record

P = ParamSpec("P")
T = TypeVar("T")

_LOOKS = 4
# Seconds between two threads while a script is stopped again and again.
_HURRY_S = 1e-6
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class OverBudget(Exception):
    """Code of a game that took longer than it may. The sentence names no card."""


class Escaped(Exception):
    """An exception that would have ended the thread, such as SystemExit. The sentence names no card."""


class _Stop(BaseException):
    """Stop of a script, raised in it by the watchdog; no `except Exception` there catches it."""


class _WatchedScript(msgspec.Struct):
    """A script that runs in one thread.

    `is_claimed` and `is_settled` are written by the watchdog around each stop, `is_done` by the script's thread: each
    writes its own first and then reads the other's, so that no stop comes after the end.
    """

    game: str
    looks: int = 0
    is_claimed: bool = False
    is_done: bool = False
    is_settled: bool = False


class Watchdog:
    """A watchdog that stops rule scripts which take longer than `budget_s`. Thread-safe."""

    def __init__(self, budget_s: float = 1.0) -> None:
        self.budget_s = budget_s
        # How many scripts of each game were stopped since the start.
        self.stopped: Counter[str] = Counter()
        self._runs: dict[int, _WatchedScript | None] = {}
        self._thread: threading.Thread | None = None

    def run(self, game: str, call: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Return what a call of a game's code answers. Raises OverBudget if it takes too long, Escaped for what is no
        `Exception`, else what the call raises.
        """
        if self._thread is None:
            self._start()
        me = threading.get_ident()
        before, run = self._runs.get(me), _WatchedScript(game)
        self._runs[me] = run
        try:
            try:
                return call(*args, **more)
            finally:
                run.is_done = True
                self._runs[me] = before
                if run.is_claimed:
                    _await_stop(run)
        except _Stop:
            self.stopped[game] += 1
            raise OverBudget(f"its code ran for more than {self.budget_s:g} s") from None
        except Exception:
            raise
        except BaseException as fault:
            if isinstance(fault, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise  # a person's Ctrl-C
            raise Escaped(f"its code raised {type(fault).__name__}") from fault

    def find_late(self) -> str | None:
        """Return the game of a script that has used half of its budget, or None."""
        late = (run.game for run in list(self._runs.values()) if run is not None and run.looks > _LOOKS // 2)
        return next(late, None)

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="script budget", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while True:
            time.sleep(self.budget_s / _LOOKS)
            for thread, run in list(self._runs.items()):
                if run is not None:
                    run.looks += 1
                    if run.looks > 2 * _LOOKS:
                        _insist(thread, run)
                    elif run.looks > _LOOKS:
                        _stop(thread, run)


def _insist(thread: int, run: _WatchedScript) -> None:
    """Stop a script that catches each stop, until one finds it where it catches nothing."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_HURRY_S)
    try:
        while not run.is_done:
            _stop(thread, run)
            time.sleep(0)
    finally:
        sys.setswitchinterval(usual)


def _stop(thread: int, run: _WatchedScript) -> None:
    """Raise in the thread of a script, unless it has ended."""
    run.is_settled = False
    run.is_claimed = True
    if not run.is_done:
        _raise_in(thread, ctypes.py_object(_Stop))
    run.is_settled = True


def _await_stop(run: _WatchedScript) -> None:
    """Wait for a stop that is on its way to a script that has ended, so that it comes here and not later.

    To withdraw it instead would leave CPython 3.11 looking for it at every call, forever.
    """
    try:
        while not run.is_settled:
            time.sleep(0.001)
        for _ in range(2):  # CPython raises it at a jump back
            pass
    except _Stop:
        pass


WATCHDOG = Watchdog()


def deal_hand(deal: Deal) -> Hand:
    """Deal a hand within the budget of its script."""
    return WATCHDOG.run(deal.game, Hand, deal)


def play_move(hand: Hand, move: Move) -> Hand:
    """Play a move within the budget of the script. Raises IllegalMove."""
    return WATCHDOG.run(hand.deal.game, hand.play, move)


def replay_hand(game: str, record: JSON) -> Hand:
    """Replay a stored hand within the budget of its script. Raises Illegal for what is no record."""
    return WATCHDOG.run(game, lambda: Hand(*parse_record(record)))
