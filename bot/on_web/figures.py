"""The pages with plots: a player's statistics, the jackpot's panel. The books are read off the pit's thread."""

import asyncio
from collections.abc import Sequence

from aiohttp import web

from bot.floor.command import Answer
from bot.floor.floor import LOUNGE
from bot.on_web.drawing import page, sentence
from bot.on_web.lounge import SLOWLY, Lounge, Visitor, visitor_of
from bot.on_web.plots import MOST_SHOWN, Course, bars_of, course_of
from engine.felt import Amount
from storage import ledger
from storage.database import reading
from storage.reports import GameResults, course, results_by_game


async def statistics(request: web.Request) -> web.Response:
    """/stats as a table, with the player's results by game and his balance over time."""
    visitor = await _player(request)
    assert visitor.player is not None
    if not visitor.lounge.pages.take(visitor.player.id):
        return _slowly(visitor)
    results, balance = await asyncio.to_thread(_figures, visitor.lounge, visitor.player.ids)
    return page("statistics.html", visitor, results=results, bars=bars_of(results), balance=balance)


async def jackpot(request: web.Request) -> web.Response:
    """What the meter stands at, pays, and stood at before."""
    visitor = await _player(request)
    answer: Answer = await visitor.ask("jackpot")
    if answer.refused:
        return _slowly(visitor)
    history = await asyncio.to_thread(meter_history, visitor.lounge)
    meter = Amount(visitor.lounge.house.balance(ledger.jackpot(LOUNGE)))
    return page("jackpot.html", visitor, meter=meter, said=answer.texts, history=history)


async def _player(request: web.Request) -> Visitor:
    visitor = await visitor_of(request)
    if visitor is None or visitor.player is None:
        raise web.HTTPSeeOther("/")
    return visitor


def _slowly(visitor: Visitor) -> web.Response:
    return sentence(visitor, SLOWLY.texts[0], status=429)


def _figures(lounge: Lounge, players: Sequence[int]) -> tuple[list[GameResults], Course | None]:
    wallets = [ledger.wallet(LOUNGE, player) for player in players]
    with reading(lounge.pit.books.path) as books:
        return results_by_game(books, LOUNGE, players), course_of(course(books, wallets, MOST_SHOWN))


def meter_history(lounge: Lounge) -> Course | None:
    with reading(lounge.pit.books.path) as books:
        return course_of(course(books, [ledger.jackpot(LOUNGE)], MOST_SHOWN))
