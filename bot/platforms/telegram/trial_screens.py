"""A table as Telegram's messages, for `ridotto check-game`: the caption, the keyboard, a player's own cards."""

from collections.abc import Iterator

from bot.core.state.table import Table
from bot.core.writer import Writer
from bot.platforms.telegram.drawing import CAPTION, caption, hand_text, keyboard, own_moves, public_moves, seen_length
from bot.view.build import private_screen, screen

_BOT = "ridotto_bot"


def draw_table(writer: Writer, table: Table, viewer: int | None, language: str) -> Iterator[str]:
    """Draw a table as one viewer sees it, and yield what is wrong."""
    seen = screen(writer.state, table, viewer, writer.clock())
    written = [caption(seen, language, CAPTION)]
    moves = public_moves(seen.moves, language) if viewer is None else own_moves(seen, language)
    keyboard(seen, language, _BOT, moves)
    if viewer is not None:
        written.append(hand_text(private_screen(writer.state, table, viewer, writer.clock()), language))
    for text in written:
        if not text.strip() or seen_length(text) > CAPTION:
            yield f"a message has {seen_length(text)} characters, from 1 to {CAPTION} are possible"
