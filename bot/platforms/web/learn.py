"""Practice hands on the table's page: its address carries all earlier presses. Open to everyone who may read the rules,
also to people who come from an app, which opens a practice hand in their browser.
"""

import asyncio
from collections.abc import Iterator, Sequence

import msgspec
from aiohttp import web

from bot.core.commands.command import Refused
from bot.core.commands.first_hand import FIRST_HANDS, Lesson
from bot.core.commands.offers import as_typed
from bot.core.guide.coaching import Priced
from bot.core.guide.lessons import counted, play
from bot.core.state.plays import PLAYS
from bot.platforms.web.clients import names_loopback, read_body
from bot.platforms.web.drawing import draw, page, sentence
from bot.platforms.web.kept import sheet_address
from bot.platforms.web.lounge import Visitor, language_of, visitor_of
from bot.platforms.web.press import STRANGER, UNREADABLE, lesson_address, parse_press
from bot.platforms.web.table import TABS, TableView, stage_of
from bot.platforms.web.views import Parts
from bot.texts import GAME_NAMES, Text, say
from bot.view.lessons import lesson_table, next_press, words_of
from engine.games import GAMES

_PARTS = ("status", "felt", "mine", "bubble")
_TABS = [(name, label) for name, label in TABS if name != "hands"]
_YOU = Text("You")


async def show_lesson(request: web.Request) -> web.Response:
    """Show the practice hand of a game after the presses `said` (GET); 404 if they are impossible."""
    visitor, game = await visitor_of(request), request.match_info["game"]
    if visitor is None:
        raise web.HTTPSeeOther(lesson_address("", game))
    try:
        lesson = await _play(request, visitor, _read_presses(request))
    except Refused as refused:
        return sentence(visitor, refused.text, status=404)
    return page(
        "table.html",
        visitor,
        lesson=lesson,
        post=_post(visitor, lesson),
        games=FIRST_HANDS,
        table=lesson.table,
        parts=_draw_parts(request, visitor, lesson),
        places=sheet_address(game),
        tabs=_TABS,
        seating=PLAYS[game].seating.value,
        shared=None,
    )


async def press(request: web.Request) -> web.Response:
    """Play one press after those in the address (POST), and answer with the parts of the page that follows."""
    visitor = await visitor_of(request)
    if visitor is None:
        return _refuse(STRANGER.texts[0], language_of(request))
    try:
        said = parse_press(await read_body(request)).said
    except Refused:
        return _refuse(UNREADABLE.texts[0], visitor.language)
    try:
        lesson = await _play(request, visitor, words_of(_read_presses(request), said.verb, said.args))
    except Refused as refused:
        return _refuse(refused.text, visitor.language)
    address = lesson_address(visitor.base, lesson.game, lesson.said)
    return _answer({"parts": _draw_parts(request, visitor, lesson), "at": address, "post": _post(visitor, lesson)})


def _read_presses(request: web.Request) -> list[str]:
    return request.query.get("said", "").split()


async def _play(request: web.Request, visitor: Visitor, words: Sequence[str]) -> Lesson:
    """Play the practice hand of the address up to these words. Raises Refused."""
    name = visitor.name if visitor.player else say(_YOU, visitor.language)
    lesson = play(request.match_info["game"], words, name)
    # Outside the event loop, which goes on meanwhile.
    return await asyncio.to_thread(counted, visitor.lounge.writer.count, lesson)


def _draw_parts(request: web.Request, visitor: Visitor, lesson: Lesson) -> Parts:
    """Return {part: HTML}, of a table's parts those that a practice hand has, and the bubble."""
    shown = lesson_table(lesson, visitor.lounge.state.books)
    button = next_press(lesson, shown)
    ways = [] if shown.moves else list(_find_ways(request, visitor, lesson))
    view = TableView(
        shown, "", GAMES[lesson.game].options(), shows_odds=True, priced=tuple(_price(lesson)), ways=tuple(ways)
    )
    pointed = " ".join((button.verb, *button.args)) if button is not None else "way"
    values = {"at": view, "screen": shown, "stage": stage_of(lesson.table), "pointed": pointed}
    return {part: draw(f"parts/{part}.html", visitor, values) for part in _PARTS}


def _price(lesson: Lesson) -> Iterator[Priced]:
    asks = lesson.table.round.hand.asks if lesson.table.round.hand is not None else {}
    for offers in asks.values():
        for offer in offers:
            for typed in as_typed(offer):
                if (worth := lesson.values.get((typed.verb, *typed.args))) is not None:
                    yield Priced(offer, typed, worth)


def _find_ways(request: web.Request, visitor: Visitor, lesson: Lesson) -> Iterator[tuple[Text, str]]:
    """Yield the way to the game's table, the next practice hand, and the same one again once it is over."""
    tables = visitor.lounge.tables() if visitor.player else ()
    if (table := next((one.id for one in tables if one.game == lesson.game), None)) is not None:
        yield Text("To the table"), f"{visitor.base}/table/{table}"
    elif visitor.player is None and (visitor.lounge.password is not None or names_loopback(request)):
        yield Text("Come in"), "/"
    games = [*FIRST_HANDS]
    following = games[(games.index(lesson.game) + 1) % len(games)]
    yield Text("Next game: {game}", game=GAME_NAMES[following]), lesson_address(visitor.base, following)
    if lesson.said:
        yield Text("Once more"), lesson_address(visitor.base, lesson.game)


def _post(visitor: Visitor, lesson: Lesson) -> str:
    """Return the address that a press is sent to."""
    return lesson_address(visitor.base, lesson.game, lesson.said, "/press")


def _refuse(text: Text, language: str) -> web.Response:
    return _answer({"texts": [say(text, language)], "refused": True})


def _answer(said: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(said), content_type="application/json")
