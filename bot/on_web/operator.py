"""The operator's link and page: who holds the link makes one player an inspector, once."""

import asyncio
import hmac

from aiohttp import web

from bot.floor.command import Who
from bot.floor.floor import LOUNGE
from bot.on_web.drawing import go, page, sentence
from bot.on_web.figures import meter_history
from bot.on_web.lounge import LOBBY, Lounge, Visitor, language_of, lounge_of, player_of, players_of
from bot.on_web.pages import make_player
from bot.on_web.sessions import account_of, read_form, set_tokens, slug_of, tokens_of
from bot.texts import Text
from storage.database import read

USED = Text("This link has been used, or was never given: the house prints a new one when it starts.")


def _holds_link(request: web.Request) -> bool:
    token = lounge_of(request).operator_token
    given = request.match_info["token"].encode("utf-8", "replace")
    return token is not None and hmac.compare_digest(token.encode(), given)


async def link(request: web.Request) -> web.Response:
    """Asks as whom. Looking does not use the link up: chats and browsers look at links by themselves."""
    visitor = Visitor(lounge_of(request), language_of(request))
    if not _holds_link(request):
        return sentence(visitor, USED, status=404)
    known = [player for _token, player in await players_of(request)]
    return page("operator_link.html", visitor, known=known, fault=None, token=request.match_info["token"])


async def take(request: web.Request) -> web.Response:
    """One of the browser's players, or a new one, becomes an inspector."""
    lounge, visitor = lounge_of(request), Visitor(lounge_of(request), language_of(request))
    if not _holds_link(request):
        return sentence(visitor, USED, status=404)
    form, tokens = await read_form(request), tokens_of(request)
    known = await players_of(request)
    if not _holds_link(request):
        return sentence(visitor, USED, status=404)
    # Nobody else comes through while this one is seen to.
    given, lounge.operator_token = lounge.operator_token, None
    token = next((token for token, player in known if str(player.id) == form.get("player")), None)
    if token is None:
        answer, token = await make_player(request, form.get("name", ""))
        if token is None:
            lounge.operator_token = given
            return page(
                "operator_link.html",
                visitor,
                status=400,
                known=[player for _token, player in known],
                fault=answer.texts[0],
                token=request.match_info["token"],
            )
        tokens.append(token)
    player = lounge.house.player(lounge.house.identities["web", account_of(token)])
    now = Visitor(lounge, player.language, player, token)
    command = now.command(LOBBY, "inspector add", (player.name,))
    who = Who("web", account_of(token), player.name, player.language, inspector=True)
    answer = await lounge.submit(command._replace(who=who))
    if answer.refused:
        lounge.operator_token = given
        return sentence(visitor, answer.texts[0], status=409)
    response = go(f"/p/{slug_of(player)}/operator")
    set_tokens(request, response, tokens)
    return response


async def operator(request: web.Request) -> web.Response:
    """Tables, meters, books and audit, for inspectors alone."""
    visitor = await player_of(request)
    if not visitor.is_inspector:
        return sentence(visitor, Text("That is for inspectors."), status=403)
    lounge = visitor.lounge
    totals = await asyncio.to_thread(_totals, lounge)
    meter = await asyncio.to_thread(meter_history, lounge)
    audit, jackpot = await visitor.ask("audit"), await visitor.ask("jackpot")
    tables = [table for table in list(lounge.house.tables.values()) if table.casino == LOUNGE]
    return page(
        "operator.html",
        visitor,
        tables=tables,
        totals=totals,
        audit=audit.texts,
        jackpot=jackpot.texts,
        history=meter,
    )


_KINDS = ("player", "stack", "hand", "escrow", "jackpot", "bank", "mint")


def _totals(lounge: Lounge) -> list[tuple[str, int, int]]:
    """(kind of account, how many, their sum); all sums together are zero."""
    sql = "SELECT substr(name, 1, instr(name, ':') - 1), count(*), sum(balance) FROM accounts GROUP BY 1"
    found = {kind: (count, total) for kind, count, total in read(lounge.pit.books.path, sql)}
    return [(kind, *found[kind]) for kind in _KINDS if kind in found]
