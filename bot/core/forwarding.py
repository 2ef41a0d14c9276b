"""The writer's end of fronts (bot.core.front): takes their commands in, and tells them answers and changes.

Nothing here is durable. What is lost on the way is sent again under its key, and the writer does it once.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial

import msgspec

from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Answer, Command
from bot.core.crossing import (
    Alive,
    Answered,
    Greeting,
    Told,
    Welcome,
    describe_changes,
    dump_answer,
    dump_told,
    load_sent,
)
from bot.core.state.place import Place
from bot.core.state.transaction import Transaction
from bot.core.writer import Writer
from storage.faults import BooksGone
from storage.store import Forwarding

# A front that was silent for this long gets no more messages until it sends again.
FORGET_S = 20.0
# The platforms of a front that was silent for this long cannot be reached until another front serves them, or it again.
SILENT_S = 3.0
LOOK_S = 0.5
_EVERYBODY = ""
_Said = Told | tuple[str, Answer]
_log = logging.getLogger("ridotto.forwarding")


class Forwarder:
    """Serves fronts in two threads of its own. Without a front nothing is written for them."""

    def __init__(self, writer: Writer, line: Forwarding) -> None:
        self._writer, self._line = writer, line
        # When each front last sent something.
        self._fronts: dict[str, float] = {}
        # {platform: the front that serves it}
        self._serving: dict[str, str] = {}
        # Commands without an answer so far: (front, key).
        self._working: set[tuple[str, str]] = set()
        self._outgoing: queue.SimpleQueue[tuple[str, _Said] | None] = queue.SimpleQueue()
        self._is_over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
            for name, work in (("inbox", self._receive_all), ("outbox", self._tell_all))
        ]
        writer.on_published = self._note_published

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Accept nothing more. Accepted commands are still answered until `close`."""
        self._is_over.set()
        with suppress(BooksGone):
            self._line.wake()
        self._threads[0].join(LOOK_S)

    def close(self) -> None:
        """Send the remaining messages, then end; the writer has stopped."""
        if not self._is_over.is_set():
            self.stop()
        self._outgoing.put(None)
        self._threads[1].join(LOOK_S)
        self._line.close()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BooksGone:
            return  # the writer was told of the fault and ends
        except BaseException as fault:
            self._writer.give_up(fault)

    def _receive_all(self) -> None:
        while not self._is_over.is_set():
            for front, body in self._line.receive(LOOK_S):
                is_new, self._fronts[front] = front not in self._fronts, time.monotonic()
                if is_new:
                    self._outgoing.put((front, Welcome()))
                try:
                    self._handle_message(front, load_sent(body))
                except msgspec.DecodeError as fault:
                    _log.error("a front sent something that is no command: %s", fault)
            now = time.monotonic()
            self._note_silence(now)
            self._fronts = {front: at for front, at in self._fronts.items() if now - at < FORGET_S}

    def _handle_message(self, front: str, sent: Command | Greeting) -> None:
        if isinstance(sent, Command):
            self._submit(front, sent)
            return
        self._serving |= dict.fromkeys(sent.serves, front)
        self._outgoing.put((front, Alive()))

    def _note_silence(self, now: float) -> None:
        """Pause the clocks of platforms whose front is silent. It is welcomed anew, and then says what it reaches."""
        for platform, front in [*self._serving.items()]:
            if now - self._fronts.get(front, float("-inf")) >= SILENT_S:
                self._fronts.pop(front, None)
                del self._serving[platform]
                since, key = self._writer.clock() - SILENT_S, f"silent {front} {platform} {now}"
                self._writer.submit(internal_command_of(key, Place(platform, ""), "away", str(since)))

    def _submit(self, front: str, command: Command) -> None:
        if (front, command.key) in self._working:
            return  # sent again while its report is made
        self._working.add((front, command.key))
        self._writer.submit(command).add_done_callback(partial(self._note_answer, front, command.key))

    def _note_answer(self, front: str, key: str, answered: "Future[Answer]") -> None:
        self._outgoing.put((front, (key, answered.result())))
        self._working.discard((front, key))

    def _note_published(self, transaction: Transaction, tables: set[int]) -> None:
        if self._fronts:
            self._outgoing.put((_EVERYBODY, describe_changes(transaction, tables)))

    def _tell_all(self) -> None:
        """Send everything that has come since the last call in one transaction."""
        one = self._outgoing.get()
        while one is not None:
            waiting = [one]
            while not self._outgoing.empty() and (one := self._outgoing.get()) is not None:
                waiting.append(one)
            self._line.send_bodies([(front, _dump(said)) for front, said in waiting])
            one = self._outgoing.get() if one is not None else None


def _dump(said: _Said) -> str:
    return dump_told(Answered(said[0], dump_answer(said[1])) if isinstance(said, tuple) else said)
