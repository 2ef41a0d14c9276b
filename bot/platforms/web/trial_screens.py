"""A table as a page of the lounge, for `ridotto check-game`: every part of it as the public and each player see it."""

import asyncio
from collections.abc import Iterator
from functools import lru_cache

from bot.core.state.table import Table
from bot.core.writer import Writer
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import Lounge, Visitor
from bot.platforms.web.table import draw_parts_for


def draw_table(writer: Writer, table: Table, viewer: int | None, language: str) -> Iterator[str]:
    """Draw a table as one viewer sees it, and yield what is wrong."""
    lounge = _open_lounge(writer)
    player = lounge.state.players.find(viewer) if viewer is not None else None
    for part, html in draw_parts_for(Visitor(lounge, language, player), table).items():
        if part == "felt" and not html.strip():
            yield "the felt is empty"


@lru_cache(maxsize=1)
def _open_lounge(writer: Writer) -> Lounge:
    """Return a lounge without visitors; its pages belong to a loop that has ended."""

    async def make_lounge() -> Lounge:
        return Lounge(writer, Live())

    return asyncio.run(make_lounge())
