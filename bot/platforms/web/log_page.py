"""The public page of a casino's fairness log: its state, what it proves, how to check it."""

import asyncio

from aiohttp import web

from bot.core.casinos.log_health import MOST_WAITING, LogHealth, read_health
from bot.platforms.common.sentences import FAST
from bot.platforms.web.clients import is_https
from bot.platforms.web.drawing import page, sentence
from bot.platforms.web.lounge import Lounge, visitor_of
from bot.platforms.web.verify import log_words
from bot.texts import Text
from bot.verifier.pack import FILE

_NO_LOG = Text("This casino has no log yet. It starts with the first hand.")


async def show_log(request: web.Request) -> web.Response:
    """Show the casino's last log, or that of `?log=` (GET).

    A casino is identified by number, because its name belongs to its members.
    """
    visitor, casino = await visitor_of(request), int(request.match_info["casino"])
    wanted = request.query.get("log", "")
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else None
    address = f"/log/{casino}"
    if visitor is None:
        raise web.HTTPSeeOther(address if number is None else f"{address}?log={number}")
    if visitor.player is not None and not visitor.lounge.pages.spend(visitor.player.id):
        return sentence(visitor, FAST, status=429)
    health = await asyncio.to_thread(_read_snapshot, visitor.lounge, casino, number)
    if health is None:
        return sentence(visitor, _NO_LOG, status=404)
    return page(
        "log.html",
        visitor,
        health=health,
        address=address,
        which="" if health.log.number == health.logs[0].number else f"?log={health.log.number}",
        site=f"{'https' if is_https(request) else 'http'}://{request.host}",
        most_waiting=MOST_WAITING,
        verifier_file=FILE,
        words=log_words(visitor.language),
    )


def _read_snapshot(lounge: Lounge, casino: int, number: int | None) -> LogHealth | None:
    """Read the log's health from a snapshot of the store."""
    with lounge.writer.books.snapshot() as books:
        return read_health(books, casino, number)
