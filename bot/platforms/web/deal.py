"""The deal of the day as a page of the player alone: a press is a command, and the page shows what the books have."""

from aiohttp import web
from msgspec.structs import replace

from bot.core.rounds.daily_deals import daily_games
from bot.core.state.plays import PLAYS
from bot.platforms.web.drawing import page, sentence
from bot.platforms.web.kept import sheet_address
from bot.platforms.web.lounge import player_of
from bot.platforms.web.table import TableView
from bot.view.lessons import lesson_screen, title_of_lesson
from engine.games import GAMES


async def show_deal(request: web.Request) -> web.Response:
    """Show the player's deal of the day of a game (GET); 404 for a game without one."""
    visitor = await player_of(request)
    answer = await visitor.submit_question("deal", request.match_info["game"])
    lesson = answer.lesson
    if lesson is None:
        return sentence(visitor, answer.texts[0], status=404)
    shown = lesson_screen(lesson, visitor.lounge.state.books)
    screen = replace(shown, moves=())
    return page(
        "deal.html",
        visitor,
        title=title_of_lesson(lesson),
        at=TableView(screen, "", GAMES[lesson.game].options()),
        screen=screen,
        moves=shown.moves,
        games=daily_games(),
        places=sheet_address(lesson.game),
        seating=PLAYS[lesson.game].seating.value,
    )
