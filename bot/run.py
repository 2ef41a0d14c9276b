"""Open the house: books, pit, doors; close it in good order.

The exit status is 0 after SIGTERM, SIGINT or SIGHUP, 1 where the house cannot open or the books fail, 2 for a wrong
setting.
"""

import asyncio
import logging
import math
import os
import selectors
import sys
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, nullcontext, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NoReturn

from bot.config import Address, BadSetting, Config, Relays, check_doors, read_config
from bot.doors.kit.door import CannotOpen, Door, Opening
from bot.house.pit import Pit
from bot.house.state.lounge import LOUNGE
from bot.house.state.plays import LEFT_OUT
from bot.lanes.carrying import Carrier
from bot.lanes.host import Host
from bot.lanes.sharing import Sharing
from bot.logs import set_up_logs
from bot.memory import settle
from bot.signing import check_key, find_key, take_key
from bot.view.pictures.worker import Renderer
from storage import system
from storage.faults import BooksError, BooksGone, LeaseLost
from storage.questions.casinos import casino
from storage.rows import ALL_WINGS, wing_of
from storage.store import Books, Held, Store, Waits
from storage.stores import store_of

if TYPE_CHECKING:
    from bot.beacon.follow import Beacon

FINE, FAILED, BAD = 0, 1, 2
# What has arrived is worked out within this, or it comes again.
PATIENCE_S = 2.5
# Until a house that waits looks again whether it is its turn, and one that keeps its books whether it still may.
TURN_S, GUARD_S = 0.05, 0.5
# Until a house that waits ends when it is told to, whatever it waits for; and looks again for a first log of the books.
LEAVE_S, KEY_S = 1.0, 1.0
_log = logging.getLogger("ridotto")


def main(data: str | None = None, guests: int | None = None, *, new_key: bool = False) -> int:
    """Every platform that is set up. Books that another house keeps are waited for, where they can be handed on."""
    return open_house(lambda: replace(read_config(data=data, guests=guests), new_key=new_key), waits=True)


def open_house(configure: Callable[[], Config], *, waits: bool = False) -> int:
    """Open the house and keep it until a signal comes; the answer is the exit status (docs/operations.md)."""
    _open_streams()
    try:
        config = configure()
        check_doors(config)
    except BadSetting as fault:
        return _complain(str(fault), BAD)
    # The books hold the seeds of hands that are being played.
    system.keep_private()
    passwords = (config.web_password, config.secret, *(config.books.secrets if config.books else ()))
    set_up_logs(config.log, (config.discord_token, config.discord_secret, config.telegram_token, *passwords))
    for game, why in LEFT_OUT.items():
        _log.error("the game %s is left out: %s", game, why)
    ended = threading.Event()
    try:
        store, spreads = store_of(config.data, config.books), waits and config.spreads
        with _StandingBy(config, store, ended) if waits else nullcontext() as standing_by:
            books = store.open(standing_by, frozenset() if spreads else ALL_WINGS)
    except (BooksError, CannotOpen) as fault:
        return FINE if ended.is_set() else _complain(str(fault), FAILED)
    try:
        with asyncio.Runner(loop_factory=partial(_guarded_loop, books) if books.may_lapse else None) as runner:
            status = runner.run(_keep_open(config, str(store), books, ended, spreads=spreads))
        if status == FINE:
            books.check()  # what was deleted after the pit had looked for the last time
    except (CannotOpen, BooksGone) as fault:
        status = _complain(str(fault), FAILED)
    finally:
        books.close()
    if books.is_lost:
        # Whatever is still open to files that are gone is not to be closed: others may lie in their place.
        _end_at_once(status)
    return status


def _end_at_once(status: int) -> NoReturn:
    """With what was said so far, and not a word more to anybody."""
    logging.shutdown()
    os._exit(status)


def _open_streams() -> None:
    """Those that a shell has closed: or the books would get their numbers, and what is said there."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


class _StandingBy:
    """What a house does while another one has its books: it hears whoever ends it, tells whoever asks, and gets ready
    before its turn comes.

    Nothing is written yet: when it is told to end and the server keeps it waiting, it ends without a word to that.
    """

    def __init__(self, config: Config, store: Store, ended: threading.Event) -> None:
        self._config, self._store, self._ended = config, store, ended
        self._stack, self._waits = ExitStack(), False
        self._looks_at_key_from = 0.0
        # Whoever is told where the house is that is open.
        self._told: list[Callable[[str | None], None]] = []

    def __enter__(self) -> Waits:
        self._stack.enter_context(system.ending(self._ended, LEAVE_S, partial(_end_at_once, FINE)))
        try:
            if self._config.books is not None:
                self._look_at_key()
        except BaseException:
            self._stack.close()
            raise
        return self

    def _look_at_key(self) -> None:
        """Before its turn comes: a house that could not go on must not be taken for one that can. Raises CannotOpen."""
        key, is_known = find_key(self._config), False
        # Books of another version are told by who opens them.
        with suppress(BooksError), self._store.reading() as books:
            is_known = check_key(self._config, key, books)
        self._looks_at_key_from = math.inf if is_known else system.elapsed_s() + KEY_S

    def __exit__(self, *_fault: object) -> None:
        self._stack.close()

    def __call__(self, held: Held) -> bool:
        if not self._waits:
            self._waits = True
            _log.info("%s: this one waits, and takes them when that one has ended", held.told)
            for name in self._config.doors:
                if stand_in := getattr(_door_module(name), "stand_in", None):
                    self._told.append(self._stack.enter_context(stand_in(self._config)))
            settle()
        for tell in self._told:
            tell(held.lane)
        if self._config.books is not None and system.elapsed_s() >= self._looks_at_key_from:
            self._look_at_key()
        return not self._ended.wait(TURN_S)


class _Guard(selectors.DefaultSelector):
    """Between any two steps of a loop, and when the process has stood still: with books that may be another's by now it
    takes no further one. All that is said to anybody is said by a step of the loop."""

    def __init__(self, books: Books) -> None:
        super().__init__()
        self._books = books

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(GUARD_S if timeout is None else min(timeout, GUARD_S))
        if lapsed := self._books.lapsed():
            self._books.lose(lapsed)
            _end_at_once(FAILED)
        return found


def _guarded_loop(books: Books) -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(_Guard(books))


async def _keep_open(config: Config, where: str, books: Books, ended: threading.Event, *, spreads: bool) -> int:
    loop = asyncio.get_running_loop()
    closing: asyncio.Future[int] = loop.create_future()

    def close(status: int) -> None:
        if not closing.done():
            closing.set_result(status)

    # Not the loop's own handlers: they go with the loop, and the books are closed after it.
    system.hear_end(partial(loop.call_soon_threadsafe, close, FINE))
    if ended.is_set():
        close(FINE)

    def stop_for_good(fault: BaseException) -> None:
        """What is not on disk was not said, and nothing more will be."""
        if isinstance(fault, LeaseLost):
            _end_at_once(FAILED)  # who closes in good order says so to everybody, and another house speaks now
        loop.call_soon_threadsafe(close, FAILED)

    loop.set_exception_handler(_note_fault)
    beacon = _make_beacon(config.beacon) if config.beacon is not None else None
    if spreads:
        await asyncio.to_thread(_take_share, books, ended)
    key = take_key(config, books) if config.books is not None else None
    pit = Pit(books, language=config.language, on_fatal=stop_for_good, beacon=beacon, secret=key)
    renderer = Renderer()
    opening = Opening(config, pit, renderer, partial(close, FINE), beacon=beacon)
    async with AsyncExitStack() as stack:
        stack.callback(renderer.close)
        if beacon is not None:
            await beacon.open()
            stack.push_async_callback(beacon.close)
        sharing: Sharing | None = None
        if config.secret is not None:
            secret = config.secret.encode()
            opening.host = Host(pit, secret, opening.end)
            stack.push_async_callback(opening.host.close)
            lane = await _open_lane(opening.host, config.address)
            if spreads:
                opening.carrier = Carrier(pit, secret, lane)
                stack.push_async_callback(opening.carrier.close)
                pit.carry = opening.carrier.carry
        opening.doors.extend(_make_door(name, opening) for name in config.doors)
        pit.start()
        stack.push_async_callback(asyncio.to_thread, pit.stop, PATIENCE_S)
        settle()
        for door in opening.doors:
            await door.open()
            stack.push_async_callback(door.close)
        if opening.host is not None:
            await asyncio.to_thread(books.announce, lane)
            _log.info("other houses reach this one at %s", lane)
        if opening.host is not None and opening.carrier is not None:
            sharing = Sharing(
                pit, opening.carrier.secret, lane, lambda: all(door.is_connected() for door in opening.doors)
            )
            opening.host.give, pit.gather = sharing.give, sharing.gather
            sharing.open()
            stack.push_async_callback(sharing.close)
        if books.is_new:
            # Where a disk is not mounted, this is the sign of it.
            _log.info("new books are founded in %s", where)
        _log.info("ready")
        status = await closing
        system.hear_no_more()
        _log.info("closing")
        if sharing is not None:
            await sharing.close()
        await asyncio.gather(*(door.hush() for door in opening.doors))
        # What has arrived is finished and said; hands under way stay in the books.
        await asyncio.to_thread(pit.stop, PATIENCE_S)
        if status == FINE:
            await asyncio.to_thread(books.release)
    return status


async def _open_lane(host: Host, address: Address) -> str:
    """Where other houses reach this one, once they are told. Raises CannotOpen."""
    try:
        return await host.open(address)
    except OSError as fault:
        reason = os.strerror(fault.errno) if fault.errno and fault.errno > 0 else "there is no such address"
        raise CannotOpen(f"RIDOTTO_ADDRESS {address.host}:{address.port} cannot be used: {reason}.") from None


def _take_share(books: Books, ended: threading.Event) -> None:
    """What nobody keeps, before the doors open. Books that another house founds at this moment have a lounge first."""
    while not ended.is_set():
        books.take_wings(books.fair_share())
        if wing_of(LOUNGE) in books.wings or casino(books, LOUNGE) is not None:
            return
        ended.wait(TURN_S)


def _make_beacon(relays: Relays) -> "Beacon":
    """Imported only by a house that has one. Raises CannotOpen."""
    if find_spec("py_ecc") is None:
        raise CannotOpen("RIDOTTO_BEACON needs py_ecc: pip install 'ridotto[beacon]'.")
    beacon: Beacon = import_module("bot.beacon.follow").Beacon(*relays)
    return beacon


def _make_door(name: str, opening: Opening) -> Door:
    """Imported only by a house that opens it: it brings its platform's library."""
    door: Door = _door_module(name).make_door(opening)
    return door


def _door_module(name: str) -> Any:
    return import_module(f"bot.doors.{name}.door")


def _note_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Of what a task ends with. That the books are gone has been said once, and ends all of them."""
    if not isinstance(context.get("exception"), BooksGone):
        loop.default_exception_handler(context)


def _complain(sentence: str, status: int) -> int:
    print(f"ridotto: {sentence}", file=sys.stderr)
    return status
