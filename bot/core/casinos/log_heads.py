"""Tree heads, signed beside the writer every ten seconds for each log that has grown.

Signed entries are on disk already; the signature goes to the writer, and is shown only once it is written. A signature
in plain Python takes some milliseconds, for which no command waits.
"""

import logging
import math
import queue
import threading
from collections.abc import Callable

from bot.core.state.casino_log import CasinoLog
from bot.core.state.transaction import State
from engine.fairness import ed25519
from engine.fairness.canonical import encode
from storage.faults import BooksGone
from storage.rows import LogHeadRow

HEADS_EVERY_S = 10.0
_log = logging.getLogger("ridotto.heads")


class Heads:
    """Signs with the `secret` of the house; `clock` is wall time, `hand_over` takes a head in any thread."""

    def __init__(
        self, state: State, secret: bytes, clock: Callable[[], float], hand_over: Callable[[LogHeadRow], None]
    ) -> None:
        self._state, self._secret, self._clock, self._hand_over = state, secret, clock, hand_over
        self._wake: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="heads", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """Sign a last head of each log that has grown, so that every hand can be proven, and end."""
        self._wake.put(False)
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def sign(self) -> int:
        """A head of each log that has grown since its last one; the answer is how many."""
        grown = sorted(self._state.take_grown())
        signed = [head for casino, number in grown if (head := self._sign(casino, number)) is not None]
        for head in signed:
            self._hand_over(head)
        return len(signed)

    def _sign(self, casino: int, number: int) -> LogHeadRow | None:
        log, before = self._state.log_of(casino, number), self._state.head_of(casino, number)
        # Others may have seen more of a log that was left for another, or its key is gone.
        is_kept = log.number == self._state.log_of(casino).number or bool(log.joined)
        if not is_kept or log.house != self._state.key or not log.size or (before and before.size >= log.size):
            return None
        return sign(self._secret, log, max(math.ceil(self._clock()), log.last_at, before.at if before else 0))

    def _run(self) -> None:
        try:
            while True:
                self._sign_all()
                try:
                    self._wake.get(timeout=HEADS_EVERY_S)
                    self._sign_all()
                    return
                except queue.Empty:
                    continue
        except BooksGone:
            return  # the house has been told, and ends

    def _sign_all(self) -> None:
        try:
            self.sign()
        except BooksGone:
            raise
        except Exception as fault:
            _log.error("heads could not be signed: %s", type(fault).__name__, exc_info=fault)


def sign(secret: bytes, log: CasinoLog, at: int) -> LogHeadRow:
    """Sign the head of all entries in the log."""
    head = log.head(at)
    signature = ed25519.sign(secret, encode(head))
    return LogHeadRow(log.casino, log.number, log.size, bytes.fromhex(head["root"]), at, signature)
