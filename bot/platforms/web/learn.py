"""Practice hands as pages: each press is a link that carries all earlier ones. Open to everyone who may read the
rules.
"""

import asyncio
from collections.abc import Iterable
from urllib.parse import quote_plus

from aiohttp import web
from msgspec.structs import replace

from bot.core.commands.command import Refused
from bot.core.commands.first_hand import FIRST_HANDS, Lesson
from bot.core.guide.lessons import counted, play
from bot.platforms.web.drawing import page, sentence
from bot.platforms.web.kept import sheet_address
from bot.platforms.web.lounge import visitor_of
from bot.platforms.web.table import TableView
from bot.texts import Text, say
from bot.view import Button
from bot.view.lessons import lesson_screen
from engine.games import GAMES

_YOU = Text("You")


def address_of(base: str, game: str, said: Iterable[str] = ()) -> str:
    """Return the address of a practice hand after these presses; `base` begins the player's own addresses."""
    words = quote_plus(" ".join(said))
    return f"{base}/learn/{game}?said={words}" if words else f"{base}/learn/{game}"


async def show(request: web.Request) -> web.Response:
    """Show the practice hand of a game after the presses `said` (GET); 404 if they are impossible."""
    visitor, game = await visitor_of(request), request.match_info["game"]
    if visitor is None:
        raise web.HTTPSeeOther(address_of("", game))
    name = visitor.name if visitor.player else say(_YOU, visitor.language)
    try:
        lesson = play(game, request.query.get("said", "").split(), name)
    except Refused as refused:
        return sentence(visitor, refused.text, status=404)
    # Outside the event loop, which goes on meanwhile.
    lesson = await asyncio.to_thread(counted, visitor.lounge.writer.count, lesson)
    shown = lesson_screen(lesson, visitor.lounge.state.books)
    tables = visitor.lounge.tables() if visitor.player else ()
    return page(
        "learn.html",
        visitor,
        at=TableView(replace(shown, moves=()), "", GAMES[game].options()),
        screen=replace(shown, moves=()),
        presses=[_press(visitor.base, lesson, button) for button in shown.moves],
        games=FIRST_HANDS,
        places=sheet_address(),
        table=next((table.id for table in tables if table.game == game), None),
    )


def _press(base: str, lesson: Lesson, button: Button) -> tuple[Text, str, bool]:
    """Return the label and address of a link, and whether it is highlighted as the best choice."""
    game, *said = button.args
    is_best = tuple(said[len(lesson.said) :]) == lesson.best or not lesson.best
    return button.label, address_of(base, game, said), button.kind == "move" and is_best
