"""What takes long to count is counted in a process of its own: no table waits for it, and its memory is apart.

The process begins with the first question and ends with the house, however that ends. It is told what it is asked, and
nothing else: no books, no secret.
"""

import multiprocessing
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from storage import system

T = TypeVar("T")
Count = Callable[..., Any]
"""`count(function, *args)`: what the function answers, wherever it is counted. Raises CountFault."""

# Nothing that is asked takes a tenth of it on a quiet machine.
LATE_S = 10.0
_MOST_KEPT = 256
# What nearly every question needs: read when the process begins, so that the first decision does not pay for it.
_READ_BEFORE = ("engine.advice",)
# In bytes; what is longer is whole hands, and nobody asks for them twice.
_LONGEST_KEPT = 20_000


def here(function: Callable[..., T], *args: object) -> T:
    """Counts at once, where nobody is held up by it."""
    return function(*args)


class CountFault(Exception):
    """A question that has no answer: what kind of fault its function raised, or that it took too long."""


class Counting:
    """`counting(function, *args)` is what the function answers there; for any thread, one question after the other.

    The function is found by its name, and the same question is counted once. Raises CountFault.
    """

    def __init__(self, late_s: float = LATE_S) -> None:
        self._late_s = late_s
        self._lock = threading.Lock()
        self._is_over = False
        self._line: Connection | None = None
        self._process: BaseProcess | None = None
        # {question: answer}, the last asked at the end.
        self._kept: OrderedDict[bytes, Any] = OrderedDict()

    def __call__(self, function: Callable[..., T], *args: object) -> T:
        asked = pickle.dumps((function, args))
        with self._lock:
            if len(asked) > _LONGEST_KEPT:
                answer: T = self._ask(asked)
                return answer
            if asked not in self._kept:
                self._kept[asked] = self._ask(asked)
            self._kept.move_to_end(asked)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            answer = self._kept[asked]
            return answer

    def close(self) -> None:
        """No question is answered any more; one that is under way ends as a fault."""
        self._is_over = True
        if self._process is not None:
            self._process.kill()
        with self._lock:
            self._hang_up()

    def _hang_up(self) -> None:
        """Another question begins another process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None

    def _ask(self, asked: bytes) -> Any:
        if self._is_over:
            raise CountFault("the house closes")
        line = self._open()
        try:
            line.send_bytes(asked)
            if not line.poll(self._late_s):
                self._hang_up()
                raise CountFault(f"no answer within {self._late_s:g} s")
            is_fine, answer = line.recv()
        except (OSError, EOFError):
            self._hang_up()
            raise CountFault("the process that counts has ended") from None
        if not is_fine:
            raise CountFault(answer)
        return answer

    def _open(self) -> Connection:
        if self._line is None or self._process is None or not self._process.is_alive():
            self._hang_up()
            # Nothing of this process goes along, neither its threads nor its open files.
            context = multiprocessing.get_context("spawn")
            self._line, theirs = context.Pipe()
            self._process = context.Process(target=_count, args=(theirs,), name="counting", daemon=True)
            self._process.start()
            theirs.close()  # so that its end is heard of
        return self._line


def _count(line: Connection) -> None:
    """In the process of its own. An end typed at a terminal is the house's to take."""
    system.hear_nothing()
    for name in _READ_BEFORE:
        import_module(name)
    answer_all(line)


def answer_all(line: Connection) -> None:
    """Each question that comes on this line, until the house hangs up: it may be killed while something is counted."""
    with suppress(EOFError, OSError):
        while True:
            line.send_bytes(_answer(line.recv_bytes()))


def _answer(asked: bytes) -> bytes:
    """As `Counting` reads it. What fails may be a module that is there for the house alone.

    Never what a fault says: it may have had cards in its hands, and it comes into the log.
    """
    try:
        function, args = pickle.loads(asked)
        return pickle.dumps((True, function(*args)))
    except Exception as fault:
        return pickle.dumps((False, type(fault).__name__))
