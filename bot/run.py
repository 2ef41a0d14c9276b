"""Open the house: books, pit, doors; close it in good order.

The exit status is 0 after SIGTERM, SIGINT or SIGHUP, 1 where the house cannot open or the books fail, 2 for a wrong
setting.
"""

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from importlib import import_module
from typing import Any

from bot.config import BadSetting, Config, check_doors, read_config
from bot.doors.kit.door import CannotOpen, Door, Opening
from bot.house.pit import Pit
from bot.house.play import LEFT_OUT
from bot.logs import set_up_logs
from bot.view.pictures.worker import Renderer
from storage import system
from storage.faults import BooksError, BooksGone
from storage.store import Books
from storage.stores import store_of

FINE, FAILED, BAD = 0, 1, 2
# What has arrived is worked out within this, or it comes again.
PATIENCE_S = 2.5
_log = logging.getLogger("ridotto")


def main(data: str | None = None, guests: int | None = None) -> int:
    """Every platform that is set up."""
    return open_house(lambda: read_config(data=data, guests=guests))


def open_house(configure: Callable[[], Config]) -> int:
    """Open the house and keep it until a signal comes; the answer is the exit status (docs/operations.md)."""
    _open_streams()
    try:
        config = configure()
        check_doors(config)
    except BadSetting as fault:
        return _complain(str(fault), BAD)
    # The books hold the seeds of hands that are being played.
    system.keep_private()
    passwords = config.books.secrets if config.books else ()
    set_up_logs(config.log, (config.discord_token, config.telegram_token, config.web_password, *passwords))
    for game, why in LEFT_OUT.items():
        _log.error("the game %s is left out: %s", game, why)
    try:
        store = store_of(config.data, config.books)
        books = store.open()
    except BooksError as fault:
        return _complain(str(fault), FAILED)
    try:
        status = asyncio.run(_keep_open(config, str(store), books))
        if status == FINE:
            books.check()  # what was deleted after the pit had looked for the last time
    except (CannotOpen, BooksGone) as fault:
        status = _complain(str(fault), FAILED)
    finally:
        books.close()
    if books.is_lost:
        # Whatever is still open to files that are gone is not to be closed: others may lie in their place.
        logging.shutdown()
        os._exit(status)
    return status


def _open_streams() -> None:
    """Those that a shell has closed: or the books would get their numbers, and what is said there."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


async def _keep_open(config: Config, where: str, books: Books) -> int:
    loop = asyncio.get_running_loop()
    closing: asyncio.Future[int] = loop.create_future()

    def close(status: int) -> None:
        if not closing.done():
            closing.set_result(status)

    # Not the loop's own handlers: they go with the loop, and the books are closed after it.
    system.hear_end(partial(loop.call_soon_threadsafe, close, FINE))

    def stop_for_good(fault: BaseException) -> None:
        """What is not on disk was not said, and nothing more will be."""
        loop.call_soon_threadsafe(close, FAILED)

    loop.set_exception_handler(_note_fault)
    pit, renderer = Pit(books, language=config.language, on_fatal=stop_for_good), Renderer()
    opening = Opening(config, pit, renderer, partial(close, FINE))
    async with AsyncExitStack() as stack:
        stack.callback(renderer.close)
        opening.doors.extend(_make_door(name, opening) for name in config.doors)
        pit.start()
        stack.push_async_callback(asyncio.to_thread, pit.stop, PATIENCE_S)
        # The libraries and the house stay: a full collection would stop the loop for 50 ms to look through them.
        gc.collect()
        gc.freeze()
        for door in opening.doors:
            await door.open()
            stack.push_async_callback(door.close)
        if books.is_new:
            # Where a disk is not mounted, this is the sign of it.
            _log.info("new books are founded in %s", where)
        _log.info("ready")
        status = await closing
        system.hear_no_more()
        _log.info("closing")
        await asyncio.gather(*(door.hush() for door in opening.doors))
        # What has arrived is finished and said; hands under way stay in the books.
        await asyncio.to_thread(pit.stop, PATIENCE_S)
    return status


def _make_door(name: str, opening: Opening) -> Door:
    """Imported only by a house that opens it: it brings its platform's library."""
    door: Door = import_module(f"bot.doors.{name}.door").make_door(opening)
    return door


def _note_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Of what a task ends with. That the books are gone has been said once, and ends all of them."""
    if not isinstance(context.get("exception"), BooksGone):
        loop.default_exception_handler(context)


def _complain(sentence: str, status: int) -> int:
    print(f"ridotto: {sentence}", file=sys.stderr)
    return status
