"""Pages around the tables: sign in, the lobby, histories, rules, the verifier."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from aiohttp import web
from markupsafe import escape

from bot.core.commands.counting import CountFault
from bot.core.commands.picks import pick_player
from bot.core.guide.coach import tell_bets
from bot.core.guide.coaching import read_meter
from bot.core.guide.table_rules import card, say_whose
from bot.core.rounds.betting import options_of, seats_of, usual_options
from bot.core.rounds.script_budget import WATCHDOG, OverBudget, replay_hand
from bot.core.state.lounge import LOUNGE
from bot.core.state.plays import PLAYS
from bot.core.state.table import Table
from bot.core.state.values import Casino, read_name
from bot.platforms.web.audiences import Lobby
from bot.platforms.web.clients import client_of, read_form
from bot.platforms.web.drawing import draw, page, redirect_to, sentence
from bot.platforms.web.forms import forms_of
from bot.platforms.web.frames import frames_of, shell
from bot.platforms.web.kept import sheet_address
from bot.platforms.web.lounge import (
    LANGUAGE_COOKIE,
    Lounge,
    Visitor,
    language_of,
    lounge_of,
    player_of,
    players_of,
    reader_of,
    visitor_of,
)
from bot.platforms.web.push import offer_push
from bot.platforms.web.sessions import NO_COOKIES, account_of, keeps_cookies, new_token, set_cookie
from bot.platforms.web.views import GAP, Drawing, PageView, Parts
from bot.texts import LANGUAGES, Text, say_amount
from bot.texts.games import odds_of, originals_of, paytable_of, rules_of
from bot.view.build import limits_of
from engine.cards import Card as CardWord
from engine.errors import Illegal
from engine.felt import Options
from engine.hand import Hand
from engine.record import is_undealt, play_record, spots_of, sums_of, terms_of
from storage.questions.people import members_called

_NOTHING = Drawing({})
# Names that a table in the lobby shows.
_MOST_NAMES = 3
# As many as a list under a field shows.
MOST_PEOPLE = 20
TOO_MANY = Text("Too many new players from your address. Wait a minute.")


async def front(request: web.Request) -> web.Response:
    """Show the front page: pick a name, or continue as a known player (GET). A platform's app gets its own page."""
    if (host := frames_of(request).opened_by(request)) is not None:
        return shell(request, host)
    return await show_front(request)


async def show_front(request: web.Request, fault: Text | None = None, status: int = 200) -> web.Response:
    """Show the players signed in in this browser, and a field for a name (GET).

    `fault` says why the last name was refused.
    """
    visitor = reader_of(request)
    known = [(one.name, f"{one.base}/") for one in await players_of(request) if one.player]
    response = page("front.html", visitor, status=status, known=known, fault=fault, games=PLAYS)
    if request.query.get("lang") in LANGUAGES:
        set_cookie(request, response, LANGUAGE_COOKIE, visitor.language)
    return response


async def sign_in(request: web.Request) -> web.Response:
    """Sign in a new player under a free name (POST)."""
    if not lounge_of(request).sign_ins.spend(client_of(request)):
        return await show_front(request, TOO_MANY, 429)
    if not await keeps_cookies(request):
        return await show_front(request, NO_COOKIES, 400)
    fault, visitor = await make_player(request, (await read_form(request)).get("name", ""))
    return redirect_to(f"{visitor.base}/") if visitor is not None else await show_front(request, fault, 400)


async def make_player(request: web.Request, name: str) -> tuple[Text | None, Visitor | None]:
    """Create a player of that name, signed in in this browser; or return the refusal."""
    lounge = lounge_of(request)
    if any("\ud800" <= letter <= "\udfff" for letter in name) or len(name) > 1000:
        name = ""
    account = account_of(new_token())
    answer = await lounge.browsers.sign_in(request, account, name, language_of(request))
    if answer.refused:
        return answer.texts[0], None
    player = lounge.player_behind(account)
    assert player is not None
    return None, Visitor(lounge, player.language, player, account)


async def lobby(request: web.Request) -> web.Response:
    """List the tables that the player may join (GET)."""
    visitor = await player_of(request)
    parts, push = lobby_view(visitor).parts, await offer_push(request, visitor)
    return page("lobby.html", visitor, parts=parts, push=push, places=sheet_address())


def lobby_view(visitor: Visitor) -> PageView:
    """Return the lobby's view, shared by everyone who sits nowhere and is in no community."""
    lounge, player, language = visitor.lounge, visitor.player, visitor.language
    assert player is not None
    lobby, rooms, wallet = lounge.lobby.now(), lounge.communities(player), _say_wallet(visitor)
    if wallet and not rooms and player.id not in lobby.people:
        return PageView(lobby.drawing(language, lambda: _draw_lobby(Visitor(lounge, language), lobby, [], GAP)), wallet)
    return PageView(_NOTHING, own=_draw_lobby(visitor, lobby, rooms, wallet))


def _draw_lobby(visitor: Visitor, lobby: Lobby, rooms: list[tuple[Casino, list[Table]]], wallet: str) -> Parts:
    """Return {part of the page: HTML}."""
    shown: list[tuple[Casino | None, list[Table]]] = [(None, lobby.tables), *rooms]
    mine = [
        table for _casino, there in shown for table in there if visitor.player and visitor.player.id in table.players()
    ]
    lounge = visitor.lounge
    limits = {one.id: limits_of(lounge.state, one, lounge.writer.clock()) for _casino, there in shown for one in there}
    names = {one.id: _name_players(lounge, one) for _casino, there in shown for one in there}
    start = None if mine else _find_start(lobby.tables)
    values = {"rooms": shown, "meter": lobby.meter, "mine": mine, "wallet": wallet, "limits": limits}
    return {"tables": draw("parts/tables.html", visitor, values | {"names": names, "start": start})}


def _name_players(lounge: Lounge, table: Table) -> Text | None:
    """Return the names of the first players at a table and the number of the others; None for an empty table."""
    names = [lounge.state.name_of(table.casino, player) for player in sorted(table.players())]
    if not names:
        return None
    shown, others = names[:_MOST_NAMES], len(names) - _MOST_NAMES
    return Text("{names} and {n} more", names=shown, n=others) if others > 0 else Text("{names}", names=names)


def _find_start(tables: Iterable[Table]) -> Table | None:
    """Return the table that the lobby recommends to newcomers: the first open one with a free seat."""
    return next((one for one in tables if one.status == "open" and len(one.seats) < seats_of(one)), None)


def _say_wallet(visitor: Visitor) -> str:
    """Return the wallet as HTML; "" if there is none yet."""
    chips = visitor.chips
    return "" if chips is None else str(escape(say_amount(chips, visitor.language)))


async def follow_lobby(request: web.Request) -> web.StreamResponse:
    """Follow the lobby by a websocket."""
    return await (await player_of(request)).follow(request, None, lobby_view)


def page_number(request: web.Request) -> int:
    """Return the page number of an address, from 1."""
    wanted = request.query.get("page", "1")
    return int(wanted) if wanted.isascii() and wanted.isdigit() and 0 < len(wanted) < 6 and int(wanted) else 1


def _filters(request: web.Request, *names: str) -> dict[str, str]:
    """Return {name: value} of the filters in the address."""
    return {name: asked for name in names if (asked := request.query.get(name, "").strip())}


async def history(request: web.Request) -> web.Response:
    """Show the player's hands, fifteen a page, filtered by game and day (GET)."""
    visitor, number = await player_of(request), page_number(request)
    filters = _filters(request, "game", "day")
    answer = await visitor.submit_question("history", str(number), *filters.values())
    rows = [text.values for text in answer.texts if "wagered" in text.values]
    receipts = [text for text in answer.texts if "digits" in text.values]
    others = [text for text in answer.texts if "wagered" not in text.values and text not in receipts]
    return page(
        "history.html", visitor, rows=rows, receipts=receipts, said=others, number=number, filters=filters, games=PLAYS
    )


async def statement(request: web.Request) -> web.Response:
    """Show the player's statement, fifteen entries a page, filtered by hand and day (GET)."""
    visitor, number = await player_of(request), page_number(request)
    filters = _filters(request, "hand", "day")
    asked = [f"#{value.removeprefix('#')}" if name == "hand" else value for name, value in filters.items()]
    answer = await visitor.submit_question("statement", str(number), *asked)
    rows = [text.values for text in answer.texts if "why" in text.values]
    records = [text for text in answer.texts if "digits" in text.values]
    return page(
        "statement.html", visitor, rows=rows, records=records, said=answer.texts, number=number, filters=filters
    )


async def leaderboard(request: web.Request) -> web.Response:
    """Show the leaderboard, and the player's own figures (GET)."""
    visitor = await player_of(request)
    number = page_number(request)
    answer, own = (
        await visitor.submit_question("leaderboard", "page", str(number)),
        await visitor.submit_question("stats"),
    )
    rows = [text.values for text in answer.texts if "place" in text.values]
    # The player's own place where it is on another page, or why there is nothing to see.
    said = [text for text in answer.texts if text.values.keys() <= {"own", "chips", "most"}]
    turns = {one.args[1] for one in answer.choices if one.args[0] == "page"}
    pages = [one for one in (number - 1, number + 1) if str(one) in turns]
    return page("leaderboard.html", visitor, rows=rows, own=own.texts, said=said, number=number, pages=pages)


async def show_gift_form(request: web.Request) -> web.Response:
    """Show a form for a gift, with people to choose from (GET)."""
    visitor = await player_of(request)
    balance = await visitor.submit_question("balance")
    return page("give.html", visitor, balance=balance.texts, acts=list(forms_of("give")))


async def people(request: web.Request) -> web.Response:
    """Return people with these letters in their names as JSON (GET).

    Those at the player's tables come first, the player never.
    """
    visitor, words = await player_of(request), request.query.get("name", "").strip()[:64]
    found = await asyncio.to_thread(_find_people, visitor, words)
    return web.json_response([{"name": name, "pick": pick_player(id)} for id, name in found])


def _find_people(visitor: Visitor, words: str) -> list[tuple[int, str]]:
    assert visitor.player is not None
    me, casino, state = visitor.player.id, visitor.cage.casino, visitor.lounge.state
    mine = [table for table in state.tables_in(casino) if me in table.players()]
    beside = dict.fromkeys(id for table in mine for id in sorted(table.players()))
    with visitor.lounge.writer.books.snapshot() as books:
        named = members_called(books, casino, words, MOST_PEOPLE)
        ids = dict.fromkeys([*(id for id in beside if id in named or not words), *named])
        return [(id, str(read_name(books, casino, id))) for id in ids if id != me][:MOST_PEOPLE]


async def _record(visitor: Visitor, number: str) -> tuple[dict[str, Any] | None, Text | None]:
    """Return the record of a finished hand with a remark on it or None; without a record, None and the reason."""
    answer = await visitor.submit_question("verify", number, "record")
    if answer.file is None:
        return None, answer.texts[0]
    return json.loads(answer.file[1]), answer.texts[0] if len(answer.texts) > 1 else None


async def hand(request: web.Request) -> web.Response:
    """Show a finished hand from its record (GET); 404 if the player may not see it."""
    visitor, number = await player_of(request), request.match_info["hand"]
    record, first = await _record(visitor, number)
    if record is None:
        assert first is not None
        return sentence(visitor, first, status=404)
    told = {"number": number, "record": record, "game_of": terms_of(record)["game"], "first": first}
    if is_undealt(record):
        return page("hand.html", visitor, **told, seats=[], bank=[], played=False, dice=None)
    try:
        played = replay_hand(told["game_of"], record)
    except (Illegal, OverBudget):
        return page("hand.html", visitor, **told, seats=[], bank=[], played=False, dice=None)
    seats, bank = _lay_out(visitor, played)
    return page(
        "hand.html",
        visitor,
        **told,
        seats=seats,
        bank=bank,
        played=True,
        pays=record.get("paid", {}) == sums_of(played),
        dice=played.deal.dice,
    )


def _lay_out(visitor: Visitor, played: Hand) -> tuple[list[dict[str, Any]], list[tuple[str, list[CardWord]]]]:
    """Yield each seat with its visible cards and payments, then the bank's cards."""
    mine = f"p{visitor.player.id}" if visitor.player else ""
    wagered, returned = spots_of(played)
    seen = played.cards(None)
    seats: list[dict[str, Any]] = []
    for stake in played.deal.stakes:
        key = str(stake.seat)
        key = key if not any(seat["key"] == key for seat in seats) else f"{key}/{stake.player}"
        is_mine = stake.player == mine
        cards = {**seen, **(played.cards(key) if is_mine else {})}
        own = [cards[to] for to in cards if to == key or to.startswith(f"{key}.")]
        net = sum(returned[key].values()) - sum(wagered[key].values())
        spots = [(spot, amount, returned[key][spot]) for spot, amount in wagered[key].items() if amount]
        seats.append({"key": key, "mine": is_mine, "piles": own, "spots": spots, "net": net})
    bank = [(to, cards) for to, cards in seen.items() if not to[:1].isdigit()]
    return seats, bank


async def hand_record(request: web.Request) -> web.Response:
    """Return the record as JSON, for the verifier in the page (GET)."""
    visitor = await player_of(request)
    record, fault = await _record(visitor, request.match_info["hand"])
    if record is None:
        return web.json_response({"texts": [str(fault)], "refused": True}, status=404)
    return web.json_response(record)


async def hand_replay(request: web.Request) -> web.Response:
    """Return the output of `ridotto replay` for a hand that the player may see (GET)."""
    visitor = await player_of(request)
    record, fault = await _record(visitor, request.match_info["hand"])
    if record is None:
        return web.json_response({"texts": [str(fault)], "refused": True}, status=404)
    return web.json_response(_replay(record))


async def hand_played(request: web.Request) -> web.Response:
    """Return the record and the output of `ridotto replay`, or null (GET).

    Every table's page asks after each hand, and a record that is shown later is no error.
    """
    visitor = await player_of(request)
    record, _fault = await _record(visitor, request.match_info["hand"])
    return web.json_response({"record": record, "replay": _replay(record) if record is not None else None})


def _replay(record: dict[str, Any]) -> dict[str, Any]:
    return WATCHDOG.run(terms_of(record)["game"], play_record, record)


async def rules(request: web.Request) -> web.Response:
    """Show rules, pay table and odds of a game, each clause with the rulebook's text (GET).

    They are by the options of the requested table, or of the first one.
    """
    visitor = await visitor_of(request)
    if visitor is None:
        raise web.HTTPSeeOther(f"/rules/{request.match_info['game']}")
    game, state = request.match_info["game"], visitor.lounge.state
    if game not in PLAYS:
        return sentence(visitor, Text("There is no such game here."), status=404)
    tables = [table for table in visitor.lounge.tables() if table.game == game]
    named = [table for table in tables if str(table.number) == request.query.get("table")]
    at = next(iter(named or tables), None)
    options = options_of(state, at) if at is not None else usual_options(state.casinos[LOUNGE], game)
    return page(
        "rules.html",
        visitor,
        wanted=game,
        games=PLAYS,
        whose=say_whose(game, at),
        card=card(at, options) if at is not None else (),
        rules=[(text, originals_of(game, text)) for text in rules_of(game, options)],
        pays=paytable_of(game, options),
        odds=await asyncio.to_thread(_odds_of, visitor, game, options),
    )


def _odds_of(visitor: Visitor, game: str, options: Options) -> tuple[Text, ...]:
    """Return the odds of a game, computed beside the writer; empty if that takes too long."""
    meter = read_meter(game, LOUNGE, visitor.lounge.state.balance)
    try:
        return *tell_bets(visitor.lounge.writer.count, game, options, meter), *odds_of(game)
    except CountFault:
        return odds_of(game)
