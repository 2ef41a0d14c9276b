"""Pages with plots: a player's statistics and the jackpot. The store is read outside the writer's thread."""

import asyncio
from collections.abc import Sequence

from aiohttp import web

from bot.core.commands.command import Answer
from bot.core.state.lounge import LOUNGE
from bot.platforms.common.sentences import FAST
from bot.platforms.web.drawing import page, sentence
from bot.platforms.web.lounge import Lounge, Visitor, player_of
from bot.platforms.web.plots import MOST_SHOWN, BalanceCurve, bars_of, curve_of
from engine.felt import Amount
from storage import ledger
from storage.questions.accounts import balance_history
from storage.questions.results import GameResults, results_by_game


async def statistics(request: web.Request) -> web.Response:
    """Show `/stats` as a table, with the player's results by game and balance over time (GET)."""
    visitor = await player_of(request)
    assert visitor.player is not None
    if not visitor.lounge.pages.spend(visitor.player.id):
        return slowly(visitor)
    results, balance = await asyncio.to_thread(_figures, visitor.lounge, visitor.cage.casino, visitor.player.ids)
    return page("statistics.html", visitor, results=results, bars=bars_of(results), balance=balance)


async def jackpot(request: web.Request) -> web.Response:
    """Show the jackpot meter, its payments, and its history (GET)."""
    visitor = await player_of(request)
    answer: Answer = await visitor.submit_question("jackpot")
    if answer.refused:
        return slowly(visitor)
    history = await asyncio.to_thread(meter_history, visitor.lounge, visitor.cage.casino)
    meter = Amount(visitor.lounge.state.balance(ledger.jackpot(visitor.cage.casino)))
    return page("jackpot.html", visitor, meter=meter, said=answer.texts, history=history)


def slowly(visitor: Visitor) -> web.Response:
    """Tell a visitor that they asked too often."""
    return sentence(visitor, FAST, status=429)


def _figures(lounge: Lounge, casino: int, players: Sequence[int]) -> tuple[list[GameResults], BalanceCurve | None]:
    wallets = [ledger.wallet(casino, player) for player in players]
    with lounge.writer.books.snapshot() as books:
        return results_by_game(books, casino, players), curve_of(balance_history(books, wallets, MOST_SHOWN))


def meter_history(lounge: Lounge, casino: int = LOUNGE) -> BalanceCurve | None:
    """Return at most MOST_SHOWN readings of the meter from a snapshot; None if it never moved."""
    with lounge.writer.books.snapshot() as books:
        return curve_of(balance_history(books, [ledger.jackpot(casino)], MOST_SHOWN))
