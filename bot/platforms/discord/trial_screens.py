"""A table as Discord's messages, for `ridotto check-game`: the public message, a player's panel, a practice hand."""

from collections.abc import Iterator, Sequence

from bot.core.state.table import Table
from bot.core.writer import Writer
from bot.platforms.discord.components import Part, View
from bot.platforms.discord.drawing import own_screen, panel_view, table_view
from bot.view.build import private_screen, screen
from bot.view.describe import describe


def draw_table(writer: Writer, table: Table, viewer: int | None, language: str) -> Iterator[str]:
    """Draw a table as one viewer sees it, and yield what is wrong."""
    seen = screen(writer.state, table, viewer, writer.clock())
    yield from _find_faults(table_view(seen, language, picture=describe(seen, language)))
    if viewer is not None:
        own = private_screen(writer.state, table, viewer, writer.clock())
        yield from _find_faults(panel_view(own, (), language))
        describe(own_screen(own), language)


def _find_faults(view: View) -> Iterator[str]:
    codes = [part["custom_id"] for part in _walk(view.parts) if "custom_id" in part]
    for code in sorted({code for code in codes if codes.count(code) > 1}):
        yield f"two buttons send {code!r}"


def _walk(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from _walk(part.get("components", ()))
