"""Slow computations in a process of their own: no table waits for them, and their memory is separate.

The process starts with the first question and ends with the casino, however that ends. It is given the question alone:
no books, no secret.
"""

import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO, Any, TypeVar

from storage import system

T = TypeVar("T")
Count = Callable[..., Any]
"""`count(function, *args)`: the function's result, wherever it is computed. Raises CountFault."""

# Time limit; no question takes a tenth of it on a quiet machine.
LATE_S = 10.0
_MOST_KEPT = 256
# Modules that nearly every question needs, imported at the start, so that the first decision is not slow.
_READ_BEFORE = ("engine.advice",)
# In bytes; longer questions are whole hands, which are not asked twice.
_LONGEST_KEPT = 20_000
_PROGRAM = (sys.executable, "-c", "from bot.core.commands.counting import main; main()")


def here(function: Callable[..., T], *args: object) -> T:
    """Compute at once, where that delays nothing."""
    return function(*args)


class CountFault(Exception):
    """A question that has no answer: what kind of fault its function raised, or that it took too long."""


class Counting:
    """A process for slow computations: `counting(function, *args)` returns the function's result. Thread-safe.

    Questions are answered one after the other.

    The function is found by its name, and the same question is counted once. Raises CountFault.
    """

    def __init__(self, late_s: float = LATE_S) -> None:
        self._late_s = late_s
        self._lock = threading.Lock()
        self._is_over = False
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = lambda: None
        # {question: answer}, the last requested at the end.
        self._kept: OrderedDict[bytes, Any] = OrderedDict()

    def __call__(self, function: Callable[..., T], *args: object) -> T:
        asked = pickle.dumps((function, args))
        with self._lock:
            if len(asked) > _LONGEST_KEPT:
                answer: T = self._ask_process(asked)
                return answer
            if asked not in self._kept:
                self._kept[asked] = self._ask_process(asked)
            self._kept.move_to_end(asked)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            answer = self._kept[asked]
            return answer

    def close(self) -> None:
        """Answer no more questions and kill the process; a question under way ends as a fault."""
        self._is_over = True
        if self._process is not None:
            self._process.kill()
        with self._lock:
            self._hang_up()

    def _hang_up(self) -> None:
        """End the process; the next question starts another."""
        self._end()
        self._process = None

    def _ask_process(self, asked: bytes) -> Any:
        if self._is_over:
            raise CountFault("the house closes")
        process, is_late = self._open(), threading.Event()

        def give_up() -> None:
            is_late.set()
            process.kill()

        clock = threading.Timer(self._late_s, give_up)
        clock.daemon = True
        clock.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            _send(process.stdin, asked)
            is_fine, answer = pickle.loads(pickle.load(process.stdout))
        except (OSError, EOFError, pickle.UnpicklingError):
            self._hang_up()
            ended = f"no answer within {self._late_s:g} s" if is_late.is_set() else "the calculation process has ended"
            raise CountFault(ended) from None
        finally:
            clock.cancel()
        if not is_fine:
            raise CountFault(answer)
        return answer

    def _open(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self._hang_up()
            # The process inherits the module path, but neither threads nor open files.
            found = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
            self._process = subprocess.Popen(_PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=found)
            # Ends it even if nobody calls `close`.
            self._end = weakref.finalize(self, _end, self._process)
        return self._process


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for line in (process.stdin, process.stdout):
        assert line is not None
        with suppress(OSError):  # data that could not be sent any more
            line.close()


def main() -> None:
    """Run the counting process. It ignores the terminal's interrupt, which is for the casino's process to handle."""
    system.hear_nothing()
    with os.fdopen(os.dup(1), "wb", buffering=0) as answers:
        os.dup2(2, 1)  # printed text must not mix with answers
        for name in _READ_BEFORE:
            import_module(name)
        answer_all(sys.stdin.buffer, answers)


def answer_all(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Answer each question until the other side closes the pipe. May be killed at any time."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            _send(answers, _answer(pickle.load(asked)))


def _send(line: IO[bytes], said: bytes) -> None:
    """Write one answer, framed so that its reader finds the end even of an answer that it cannot decode."""
    pickle.dump(said, line)
    line.flush()


def _answer(asked: bytes) -> bytes:
    """Return an answer as `Counting` reads it. A failure may come from a module that only the casino has.

    The text of an error is left out: it may hold cards, and it would get into the log.
    """
    try:
        function, args = pickle.loads(asked)
        return pickle.dumps((True, function(*args)))
    except Exception as fault:
        return pickle.dumps((False, type(fault).__name__))
