"""The operator's link and page: its holder makes one player an inspector, once."""

import asyncio
from typing import Any

from aiohttp import web

from bot.core.commands.command import Answer
from bot.core.commands.picks import pick_player
from bot.core.state.lounge import LOBBY
from bot.core.state.plays import PLAYS
from bot.platforms.web import returns
from bot.platforms.web.clients import read_form
from bot.platforms.web.console import for_inspectors, tables_view
from bot.platforms.web.drawing import page, redirect_to, sentence
from bot.platforms.web.figures import meter_history
from bot.platforms.web.lounge import Lounge, Visitor, lounge_of, players_of, reader_of
from bot.platforms.web.operator_link import find_link, keep_link, use_up
from bot.platforms.web.pages import make_player
from bot.platforms.web.sessions import NO_COOKIES, keeps_cookies
from bot.texts import Text
from storage.questions.accounts import Total, totals_by_kind

USED = Text("This link is not valid any more. Get a new one with `ridotto operator`.")


def _find_link(request: web.Request) -> str | None:
    lounge = lounge_of(request)
    return find_link(lounge.folder, request.match_info["token"], lounge.writer.clock())


async def link(request: web.Request) -> web.Response:
    """Ask which player the link is for (GET).

    Viewing does not use the link up, because chats and browsers open links by themselves.
    """
    if _find_link(request) is None:
        return _say_used(request)
    return await _show_form(request)


async def make_inspector(request: web.Request) -> web.Response:
    """Make one of the browser's players, or a new one, an inspector (POST)."""
    if _find_link(request) is None:
        return _say_used(request)
    if not await keeps_cookies(request):
        return await _show_form(request, NO_COOKIES, 400)
    form, known = await read_form(request), await players_of(request)
    folder, kept = lounge_of(request).folder, _find_link(request)
    if kept is None:
        return _say_used(request)
    # Concurrent requests with the same link are refused.
    use_up(folder)
    chosen = next((one for one in known if one.player and str(one.player.id) == form.get("player")), None)
    if chosen is None:
        fault, chosen = await make_player(request, form.get("name", ""))
        if chosen is None:
            keep_link(folder, kept)
            return await _show_form(request, fault, 400)
    answer = await _appoint(chosen)
    if answer.refused:
        keep_link(folder, kept)
        return sentence(reader_of(request), answer.texts[0], status=409)
    return redirect_to(f"{chosen.base}/operator")


async def _appoint(visitor: Visitor) -> Answer:
    """Appoint the player as an inspector in the casino's name."""
    assert visitor.player is not None
    command = visitor.command(LOBBY, "inspector add", (pick_player(visitor.player.id),))
    return await visitor.lounge.submit(command._replace(who=command.who._replace(inspector=True), confirmed=True))


async def _show_form(request: web.Request, fault: Text | None = None, status: int = 200) -> web.Response:
    known = await players_of(request)
    token = request.match_info["token"]
    return page("operator_link.html", reader_of(request), status=status, known=known, fault=fault, token=token)


def _say_used(request: web.Request) -> web.Response:
    return sentence(reader_of(request), USED, status=404)


@for_inspectors
async def operator(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Show tables, meter and audit (GET); in the lounge also totals and returns, but not inside an app."""
    audit, jackpot = await visitor.submit_question("audit"), await visitor.submit_question("jackpot")
    figures = await _figures_of_all(request) if visitor.frame is None else {}
    return page(
        "operator.html",
        visitor,
        parts=tables_view(visitor).parts,
        games=PLAYS,
        audit=audit.texts,
        jackpot=jackpot.texts,
        figures=figures,
    )


async def _figures_of_all(request: web.Request) -> dict[str, Any]:
    """Return figures of all casinos together."""
    lounge, kept = lounge_of(request), request.app[returns.RETURNS_KEY]
    found = kept.latest(lounge)
    return {
        "kept": kept,
        "returns": returns.list_results(lounge, found) if found is not None else None,
        "percent": returns.percent,
        "errors": returns.errors,
        "totals": await asyncio.to_thread(_totals, lounge),
        "history": await asyncio.to_thread(meter_history, lounge),
    }


_KINDS = ("player", "stack", "hand", "escrow", "pool", "jackpot", "bank", "mint")


def _totals(lounge: Lounge) -> list[Total]:
    """Return the totals of each kind of account that exists."""
    with lounge.writer.books.snapshot() as books:
        found = {total.kind: total for total in totals_by_kind(books)}
    return [found[kind] for kind in _KINDS if kind in found]
