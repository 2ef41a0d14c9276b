"""Tree heads, signed beside the writer every ten seconds for each log that has grown, and at once for hands that wait.

Signed entries are on disk already; the signature goes to the writer, and is shown only once it is written. No command
waits for a signature, but a hand that names a round of the beacon, or has sealed cuts, waits for the head that covers
it.
"""

import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Collection, Sequence

from bot.core.state.casino_log import CasinoLog
from bot.core.state.transaction import State
from engine.fairness import ed25519
from engine.fairness.canonical import encode
from storage.faults import BooksGone
from storage.rows import LogHeadRow

HEADS_EVERY_S = 10.0
_log = logging.getLogger("ridotto.heads")

# (casino, number of its log).
_Log = tuple[int, int]


class Heads:
    """The signer of tree heads with the casino's `secret`. `hand_over` takes heads in any thread."""

    def __init__(
        self,
        state: State,
        secret: bytes,
        clock: Callable[[], float],
        hand_over: Callable[[Sequence[LogHeadRow]], None],
    ) -> None:
        self._state, self._secret, self._clock, self._hand_over = state, secret, clock, hand_over
        # Logs to sign at once; None ends the thread.
        self._wake: queue.SimpleQueue[set[_Log] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="heads", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """Sign a last head of each log that has grown, so that every hand can be proven, and end."""
        self._wake.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def sign_soon(self, logs: set[_Log]) -> None:
        """Sign these logs at once, in the thread of the heads."""
        self._wake.put(logs)

    def sign(self, logs: Collection[_Log] | None = None) -> int:
        """Sign each log that has grown since its last head, or only `logs`; return the number of heads."""
        asked = self._state.take_grown() if logs is None else logs
        signed = [head for casino, number in sorted(asked) if (head := self._sign(casino, number)) is not None]
        if signed:
            self._hand_over(signed)
        return len(signed)

    def sign_again(self, logs: Collection[_Log]) -> None:
        """Sign, at a start, the logs whose heads a kill kept from being written, with the time of their last entry.

        A hand waits for its cards under such a head: with a later time, it would say that bets were closed too late.
        """
        if signed := [head for log in sorted(logs) if (head := self._sign(*log, is_late=True)) is not None]:
            self._hand_over(signed)

    def _sign(self, casino: int, number: int, *, is_late: bool = False) -> LogHeadRow | None:
        log, before = self._state.log_of(casino, number), self._state.head_of(casino, number)
        if not self._state.is_signed(casino, number) or not log.size or (before and before.size >= log.size):
            return None
        now = 0 if is_late else math.ceil(self._clock())
        return sign(self._secret, log, max(now, log.last_at, before.at if before else 0))

    def _run(self) -> None:
        try:
            while True:
                self._sign_all(None)
                due = time.monotonic() + HEADS_EVERY_S
                while (left := due - time.monotonic()) > 0:
                    try:
                        logs = self._wake.get(timeout=left)
                    except queue.Empty:
                        break
                    self._sign_all(logs)
                    if logs is None:
                        return
        except BooksGone:
            return  # the writer was told of the fault and ends

    def _sign_all(self, logs: set[_Log] | None) -> None:
        try:
            self.sign(logs)
        except BooksGone:
            raise
        except Exception as fault:
            _log.error("heads could not be signed: %s", type(fault).__name__, exc_info=fault)


def sign(secret: bytes, log: CasinoLog, at: int) -> LogHeadRow:
    """Sign the head of all entries in the log."""
    head = log.head(at)
    signature = ed25519.sign(secret, encode(head))
    return LogHeadRow(log.casino, log.number, log.size, bytes.fromhex(head["root"]), at, signature)
