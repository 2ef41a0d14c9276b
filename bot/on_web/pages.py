"""The pages around the tables: sign in, the lobby, histories, rules, the verifier."""

import json
from typing import Any

from aiohttp import web

from bot.floor.betting import options_of
from bot.floor.command import Answer, Command, Who
from bot.floor.floor import LOUNGE
from bot.on_web.drawing import draw, go, page, sentence
from bot.on_web.live import Parts
from bot.on_web.lounge import (
    LANGUAGE_COOKIE,
    LOBBY,
    Lounge,
    Visitor,
    language_of,
    lounge_of,
    new_key,
    player_of,
    players_of,
    visitor_of,
)
from bot.on_web.sessions import (
    account_of,
    asker_of,
    new_token,
    read_form,
    set_cookie,
    set_tokens,
    slug_of,
    tokens_of,
)
from bot.texts import LANGUAGES, Text
from bot.texts.rules import odds_of, paytable_of, rules_of
from engine.cards import Card as CardWord
from engine.errors import Illegal
from engine.felt import Amount
from engine.hand import GAMES, Hand
from engine.record import parse_record, spots_of
from storage import ledger

TOO_MANY = Text("Too many new players came from your address: wait a minute, please.")
NO_HAND = Text("There is no hand of that number here.")


async def front(request: web.Request) -> web.Response:
    """Pick a name, or go on as somebody whom this browser knows."""
    return await _front(request)


async def _front(request: web.Request, fault: Text | None = None, status: int = 200) -> web.Response:
    lounge, language = lounge_of(request), language_of(request)
    known = [(player.name, f"/p/{slug_of(player)}/") for _token, player in await players_of(request)]
    visitor = Visitor(lounge, language)
    response = page("front.html", visitor, status=status, known=known, fault=fault, tables=lounge.tables(), games=GAMES)
    if request.query.get("lang") in LANGUAGES:
        set_cookie(request, response, LANGUAGE_COOKIE, language)
    return response


async def sign_in(request: web.Request) -> web.Response:
    answer, token = await make_player(request, (await read_form(request)).get("name", ""))
    if token is None:
        return await _front(request, answer.texts[0], 429 if answer.texts[0] == TOO_MANY else 400)
    player = lounge_of(request).house.player(lounge_of(request).house.identities["web", account_of(token)])
    response = go(f"/p/{slug_of(player)}/")
    set_tokens(request, response, [*tokens_of(request), token])
    return response


async def make_player(request: web.Request, name: str) -> tuple[Answer, str | None]:
    """A new player of that name and his token; None where the name or the pace is refused."""
    lounge = lounge_of(request)
    if not lounge.sign_ins.take(asker_of(request)):
        return Answer((TOO_MANY,), refused=True), None
    if any("\ud800" <= letter <= "\udfff" for letter in name) or len(name) > 1000:
        name = "?"
    token = new_token()
    who = Who("web", account_of(token), name, language_of(request))
    answer = await lounge.submit(Command(new_key(), who, LOBBY, "balance"))
    return answer, None if answer.refused else token


async def sign_out(request: web.Request) -> web.Response:
    """Forgets this player in this browser; his chips stay in the books, but nobody can come back as him."""
    visitor = await visitor_of(request)
    response = go("/")
    if visitor is not None:
        set_tokens(request, response, [token for token in tokens_of(request) if token != visitor.token])
    return response


async def lobby(request: web.Request) -> web.Response:
    visitor = await player_of(request)
    return page("lobby.html", visitor, parts=lobby_parts(visitor.lounge, visitor))


def lobby_parts(lounge: Lounge, visitor: Visitor) -> Parts:
    meter = Amount(lounge.house.balance(ledger.jackpot(LOUNGE)))
    rooms = [(None, lounge.tables()), *lounge.community_tables(visitor.player)]
    shown = [table for _casino, tables in rooms for table in tables]
    mine = [table for table in shown if visitor.player and visitor.player.id in table.players()]
    return {"tables": draw("parts/tables.html", visitor, {"rooms": rooms, "meter": meter, "mine": mine})}


async def follow_lobby(request: web.Request) -> web.StreamResponse:
    visitor = await player_of(request)
    assert visitor.player is not None
    lounge, player = visitor.lounge, visitor.player.id
    lounge.live.check_room(player)

    def render() -> Parts:
        known = lounge.house.player(player)
        return lobby_parts(lounge, Visitor(lounge, known.language, known, visitor.token))

    return await lounge.live.follow(request, None, player, render)


# What the books say of him, by the same commands that he could type


def _page_number(request: web.Request) -> int:
    wanted = request.query.get("page", "1")
    return int(wanted) if wanted.isascii() and wanted.isdigit() and 0 < len(wanted) < 6 and int(wanted) else 1


async def history(request: web.Request) -> web.Response:
    visitor, number = await player_of(request), _page_number(request)
    answer = await visitor.ask("history", str(number))
    rows = [text.values for text in answer.texts if "wagered" in text.values]
    return page("history.html", visitor, rows=rows, said=answer.texts, number=number)


async def statement(request: web.Request) -> web.Response:
    visitor, number = await player_of(request), _page_number(request)
    answer = await visitor.ask("statement", str(number))
    rows = [text.values for text in answer.texts if "why" in text.values]
    return page("statement.html", visitor, rows=rows, said=answer.texts, number=number)


async def leaderboard(request: web.Request) -> web.Response:
    visitor = await player_of(request)
    answer, own = await visitor.ask("leaderboard"), await visitor.ask("stats")
    rows = [text.values for text in answer.texts if "place" in text.values]
    return page("leaderboard.html", visitor, rows=rows, own=own.texts)


async def _record(visitor: Visitor, number: str) -> tuple[dict[str, Any] | None, Text]:
    """The record of a finished hand; without one, why not."""
    answer = await visitor.ask("verify", number)
    if answer.file is None:
        return None, answer.texts[0] if answer.texts else NO_HAND
    return json.loads(answer.file[1]), Text("")


async def hand(request: web.Request) -> web.Response:
    visitor, number = await player_of(request), request.match_info["hand"]
    record, fault = await _record(visitor, number)
    if record is None:
        return sentence(visitor, fault, status=404)
    try:
        played = Hand(*parse_record(record))
    except Illegal:
        return page("hand.html", visitor, number=number, record=record, seats=[], house=[], played=False, dice=None)
    seats, house = _lay_out(visitor, played)
    return page(
        "hand.html",
        visitor,
        number=number,
        record=record,
        seats=seats,
        house=house,
        played=True,
        dice=played.deal.dice,
    )


def _lay_out(visitor: Visitor, played: Hand) -> tuple[list[dict[str, Any]], list[tuple[str, list[CardWord]]]]:
    """Each seat with the cards that were seen, and what it paid; then the house's cards."""
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
    house = [(to, cards) for to, cards in seen.items() if not to[:1].isdigit()]
    return seats, house


async def hand_record(request: web.Request) -> web.Response:
    """The record as JSON, for the verifier in the page."""
    visitor = await player_of(request)
    record, fault = await _record(visitor, request.match_info["hand"])
    if record is None:
        return web.json_response({"texts": [str(fault)], "refused": True}, status=404)
    return web.json_response(record)


async def verifier(request: web.Request) -> web.Response:
    visitor = await visitor_of(request)
    if visitor is None:
        raise web.HTTPSeeOther("/verify")
    wanted = request.query.get("hand", "")
    return page("verify.html", visitor, wanted=wanted if wanted.isascii() and wanted.isdigit() else "")


async def rules(request: web.Request) -> web.Response:
    visitor = await visitor_of(request)
    if visitor is None:
        raise web.HTTPSeeOther(f"/rules/{request.match_info['game']}")
    game = request.match_info["game"]
    if game not in GAMES:
        return sentence(visitor, Text("There is no such game here."), status=404)
    tables = [table for table in visitor.lounge.tables() if table.game == game]
    options = options_of(visitor.lounge.house, tables[0]) if tables else GAMES[game].parse_options({})
    return page(
        "rules.html",
        visitor,
        wanted=game,
        games=GAMES,
        rules=rules_of(game),
        pays=paytable_of(game, options),
        odds=odds_of(game),
    )
