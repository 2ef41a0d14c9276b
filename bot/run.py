"""Open the casino: books, writer, platforms; close it in good order.

The exit status is 0 after SIGTERM, SIGINT or SIGHUP, 1 where the casino cannot open or the books fail, 2 for a wrong
setting.
"""

import asyncio
import logging
import os
import selectors
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AsyncExitStack, ExitStack, nullcontext
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from bot.config import ALL, CHATS, FRONT, BadSetting, Config, RelaySettings, check_platforms, read_config
from bot.core.forwarding import Forwarder
from bot.core.front import Front
from bot.core.rounds.script_budget import WATCHDOG
from bot.core.state.plays import LEFT_OUT
from bot.core.writer import Writer
from bot.logs import set_up_logs
from bot.memory import no_collection, settle
from bot.platforms.common.platform import CannotOpen, Opening, Platform
from bot.view.pictures.worker import Renderer
from storage import system
from storage.faults import BooksError, BooksGone, LeaseLost
from storage.store import Books, FrontBooks, ReadableBooks, Store, Waits
from storage.stores import store_of

if TYPE_CHECKING:
    from bot.beacon.follow import BeaconFollower

FINE, FAILED, BAD = 0, 1, 2
# Commands that have arrived are worked out within this time, or come again.
PATIENCE_S = 2.5
# Interval at which a waiting process checks whether it is its turn, and the writer whether it still has the books.
TURN_S, GUARD_S = 0.05, 0.5
# A waiting process that is told to end does so within this time.
LEAVE_S = 1.0
_log = logging.getLogger("ridotto")


def main(data: str | None = None, guests: int | None = None) -> int:
    """Run every platform that is set up.

    Where books can be handed on, it waits for those that another process has.
    """
    return open_house(lambda: read_config(data=data, guests=guests), waits=True)


def open_house(configure: Callable[[], Config], *, waits: bool = False) -> int:
    """Open the casino and keep it open until a signal comes; return the exit status (docs/host/install.md)."""
    _open_streams()
    try:
        config = configure()
        check_platforms(config)
    except BadSetting as fault:
        return _complain(str(fault), BAD)
    # The books hold the seeds of hands that are being played.
    system.keep_private()
    passwords = (config.web_password, *(config.books.secrets if config.books else ()))
    set_up_logs(config.log, (config.discord_token, config.discord_secret, config.telegram_token, *passwords))
    for game, why in LEFT_OUT.items():
        _log.error("game %s is skipped: %s", game, why)
    WATCHDOG.budget_s = config.script_budget_s
    ended = threading.Event()
    try:
        store = store_of(config.data, config.books)
        with _StandingBy(config, store, ended) if waits else nullcontext() as standing_by:
            books = _open_books(config, store, standing_by)
    except (BooksError, CannotOpen) as fault:
        return FINE if ended.is_set() else _complain(str(fault), FAILED)
    try:
        guarded = partial(_guarded_loop, books) if books.may_lapse else None
        with asyncio.Runner(loop_factory=guarded) as runner:
            status = runner.run(_keep_open(config, str(store), books, ended))
        if status == FINE and isinstance(books, Books):
            books.check()  # answers deleted after the writer's last check
    except (CannotOpen, BooksGone) as fault:
        status = _complain(str(fault), FAILED)
    finally:
        books.close()
    if isinstance(books, Books) and books.is_lost:
        # Open handles of files that are gone are not closed: other files may be at their paths.
        _end_at_once(status)
    return status


def _open_books(config: Config, store: Store, waits: Waits | None) -> Books | FrontBooks:
    if config.role == FRONT:
        return store.open_front(waits or (lambda held: False))
    return store.open(waits)


def _end_at_once(status: int) -> NoReturn:
    """Flush what was printed and end the process without sending anything more."""
    logging.shutdown()
    os._exit(status)


def _open_streams() -> None:
    """Open standard streams that a shell has closed: otherwise the books would get their numbers, and their output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


class _StandingBy:
    """A process that waits while another one has its books: it hears the signal that ends it, reports that it waits,
    and prepares for its turn.

    Nothing is written yet: told to end while the server keeps it waiting, it ends without answering the server.
    """

    def __init__(self, config: Config, store: Store, ended: threading.Event) -> None:
        self._config, self._store, self._ended = config, store, ended
        self._stack, self._waits = ExitStack(), False

    def __enter__(self) -> Waits:
        self._stack.enter_context(system.ending(self._ended, LEAVE_S, partial(_end_at_once, FINE)))
        return self

    def __exit__(self, *_fault: object) -> None:
        self._stack.close()

    def __call__(self, held: str) -> bool:
        if not self._waits:
            self._waits = True
            does = "waits for the writer" if self._config.role == FRONT else "waits and takes over when that one ends"
            _log.info("%s; this process %s", held, does)
            for name in self._config.platforms:
                if stand_in := getattr(_platform_module(name), "stand_in", None):
                    self._stack.enter_context(stand_in(self._config))
            settle()
        return not self._ended.wait(TURN_S)


class _Guard(selectors.DefaultSelector):
    """Selector that stops the event loop between two steps once the books, or a bot's token, may belong to another
    process, and after a pause of the whole process. Everything that is sent is sent by a step of the loop.
    """

    def __init__(self, books: ReadableBooks) -> None:
        super().__init__()
        self._books = books

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(GUARD_S if timeout is None else min(timeout, GUARD_S))
        if lapsed := self._books.lapsed():
            self._books.lose(lapsed)
            _end_at_once(FAILED)
        return found


def _guarded_loop(books: ReadableBooks) -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(_Guard(books))


async def _keep_open(config: Config, where: str, books: Books | FrontBooks, ended: threading.Event) -> int:
    loop = asyncio.get_running_loop()
    closing: asyncio.Future[int] = loop.create_future()

    def close(status: int) -> None:
        if not closing.done():
            closing.set_result(status)

    # Not the loop's own handlers: they end with the loop, and the books are closed after it.
    system.hear_end(partial(loop.call_soon_threadsafe, close, FINE))
    if ended.is_set():
        close(FINE)

    def stop_for_good(fault: BaseException) -> None:
        """Stop for good: what is not on disk was not answered, and nothing more will be."""
        if isinstance(fault, LeaseLost):
            _end_at_once(FAILED)  # an orderly close says so, and another process answers now
        loop.call_soon_threadsafe(close, FAILED)

    loop.set_exception_handler(_note_fault)
    beacon = _make_beacon(config.beacon) if config.beacon is not None and config.role == ALL else None
    forwarder: Forwarder | None = None
    writer: Writer | Front
    with no_collection():
        if isinstance(books, FrontBooks):
            writer = Front(books, on_fatal=stop_for_good)
        else:
            writer = Writer(books, language=config.language, on_fatal=stop_for_good, beacon=beacon)
    renderer = Renderer()
    opening = Opening(config, writer, renderer, beacon=beacon)
    async with AsyncExitStack() as stack:
        stack.callback(renderer.close)
        if beacon is not None:
            await beacon.open()
            stack.push_async_callback(beacon.close)
        opening.platforms.extend(_make_platform(name, opening) for name in config.platforms)
        chats = [name for name in config.platforms if name in CHATS]
        tokens = {name: writer.await_token(name) for name in chats} if isinstance(writer, Front) else {}
        opening.opened.extend(one for one in opening.platforms if one.name not in tokens)
        writer.start()
        stack.push_async_callback(asyncio.to_thread, writer.stop, PATIENCE_S)
        settle()
        for platform in [*opening.opened]:
            await platform.open()
            stack.push_async_callback(platform.close)
        in_turn = [
            asyncio.ensure_future(_open_in_turn(platform, tokens[platform.name], opening, stack))
            for platform in opening.platforms
            if platform.name in tokens
        ]
        if isinstance(books, Books) and books.is_new:
            # The sign of a disk that is not mounted.
            _log.info("created new books in %s", where)
        # After the platforms, because people wait for those when a standby takes over.
        if not isinstance(writer, Front) and (line := await asyncio.to_thread(writer.books.open_forwarding)):
            forwarder = Forwarder(writer, line)
            forwarder.start()
            stack.callback(forwarder.close)
        _log.info("ready")
        status = await closing
        system.hear_no_more()
        _log.info("closing")
        for waiting in in_turn:
            waiting.cancel()
        await asyncio.gather(*(platform.drain() for platform in opening.opened))
        # Commands that have arrived are finished and answered; open hands stay in the books.
        if forwarder is not None:
            await asyncio.to_thread(forwarder.stop)
        await asyncio.to_thread(writer.stop, PATIENCE_S)
        if forwarder is not None:
            await asyncio.to_thread(forwarder.close)
        if status == FINE and isinstance(books, Books):
            await asyncio.to_thread(books.release)
    return status


async def _open_in_turn(platform: Platform, token: Future[None], opening: Opening, stack: AsyncExitStack) -> None:
    """Open a platform once no other front uses its token."""
    await asyncio.wrap_future(token)
    await platform.open()
    opening.opened.append(platform)
    stack.push_async_callback(platform.close)


def _make_beacon(relays: RelaySettings) -> "BeaconFollower":
    """Make the beacon. Imported here, so that it is only loaded if it is used."""
    beacon: BeaconFollower = import_module("bot.beacon.follow").BeaconFollower(*relays)
    return beacon


def _make_platform(name: str, opening: Opening) -> Platform:
    """Make a platform. Imported here, so that its library is only loaded if it is used."""
    platform: Platform = _platform_module(name).make_platform(opening)
    return platform


def _platform_module(name: str) -> Any:
    return import_module(f"bot.platforms.{name}.platform")


def _note_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report an exception of a background task. Lost books are reported once and end all tasks."""
    if not isinstance(context.get("exception"), BooksGone):
        loop.default_exception_handler(context)


def _complain(sentence: str, status: int) -> int:
    print(f"ridotto: {sentence}", file=sys.stderr)
    return status
