"""The operator's console: pages on which an inspector uses forms instead of typing. A form submits a command as any
press does, so that refusals, questions and entries of the audit log are the same.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import lru_cache, partial, wraps
from typing import NamedTuple

from aiohttp import web

from bot.core.casinos.sharing import RULES
from bot.core.commands.acts import AuditReader, Undo, tell_act, undo_of
from bot.core.commands.naming import members_named
from bot.core.commands.picks import pick_player
from bot.core.commands.table_options import values_at
from bot.core.rounds.commitments import options_to_come
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Table
from bot.core.state.values import load_player, read_name
from bot.platforms.common.sentences import FOR_INSPECTORS
from bot.platforms.web import forms
from bot.platforms.web.drawing import draw, page, sentence
from bot.platforms.web.lounge import NO_TABLE, Lounge, Visitor, player_of
from bot.platforms.web.pages import page_number
from bot.platforms.web.views import Drawing, PageView, Parts
from bot.texts import Text
from bot.texts.times import DAY_S, read_day
from engine.felt import Amount
from storage import ledger
from storage.questions.accounts import balances_of
from storage.questions.audit import Act, acts_taken_back, kinds_of_acts, latest_acts
from storage.questions.people import member, members_called, player
from storage.store import Reader as Books

ROWS = 20
# People of one name whose acts are shown together.
MOST_NAMED = 50
_NOBODY = Text("There is no such player here.")
_FOUNDERS = Text("Only inspectors of the community that founded this casino can do that.")
_NOTHING = Drawing({})
_Show = Callable[[web.Request, Visitor], Awaitable[web.StreamResponse]]


def for_inspectors(show: _Show) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Guard a page for inspectors, with a sentence for others."""

    @wraps(show)
    async def answer(request: web.Request) -> web.StreamResponse:
        visitor = await player_of(request)
        if not visitor.is_inspector:
            return sentence(visitor, FOR_INSPECTORS, status=403)
        return await show(request, visitor)

    return answer


def for_founders(show: _Show) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Guard a page about the whole casino, for its own inspectors."""

    async def answer(request: web.Request, visitor: Visitor) -> web.StreamResponse:
        if not visitor.is_founder:
            return sentence(visitor, _FOUNDERS, status=403)
        return await show(request, visitor)

    return for_inspectors(wraps(show)(answer))


def tables_view(visitor: Visitor) -> PageView:
    """Return all tables of the lounge, closed ones included; nothing for a visitor who is no longer an inspector."""
    if not visitor.is_inspector:
        return PageView(_NOTHING)
    return PageView(_NOTHING, own={"tables": draw("parts/console_tables.html", visitor, {"tables": visitor.inspected})})


@for_inspectors
async def follow_tables(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Follow the list of tables by a websocket."""
    return await visitor.follow(request, None, tables_view)


@for_inspectors
async def open_form(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Show all settings and options of a new table of a game (GET)."""
    game = request.match_info["game"]
    if game not in PLAYS:
        return sentence(visitor, Text("There is no such game here."), status=404)
    form = forms.form_to_open(game, visitor.ground.state.language or visitor.language)
    return page("console_open.html", visitor, wanted=game, form=form, means=forms.means_of(game))


@for_inspectors
async def table(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Show a table's settings, with a form for each, and the acts there (GET)."""
    at = _find_table(request, visitor)
    if at is None:
        return sentence(visitor, NO_TABLE, status=404)
    values = values_at(at, options_to_come(visitor.lounge.state, at))
    return page(
        "console_table.html",
        visitor,
        at=at,
        parts=_draw_table(visitor, at),
        setting=forms.forms_to_set(at.game, values, visitor.language),
    )


@for_inspectors
async def follow_table(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Follow a table by a websocket."""
    at = _find_table(request, visitor)
    if at is None:
        return sentence(visitor, NO_TABLE, status=404)
    return await visitor.follow(request, at.id, partial(_table_view, at.id))


def _table_view(id: int, visitor: Visitor) -> PageView:
    at = visitor.lounge.state.table(id)
    return PageView(_NOTHING, own=_draw_table(visitor, at) if at is not None and visitor.is_inspector else {})


def _find_table(request: web.Request, visitor: Visitor) -> Table | None:
    number = request.match_info["table"]
    return next((one for one in visitor.inspected if str(one.id) == number), None)


def _draw_table(visitor: Visitor, at: Table) -> Parts:
    state = visitor.lounge.state
    people = [(id, state.name_of(at.casino, id), Amount(at.lying(id))) for id in sorted(at.players())]
    is_open = at.phase in ("playing", "waiting")
    void = list(forms.forms_of("void", (str(at.round.hand_id),))) if is_open else []
    return {
        "stands": draw("parts/console_stands.html", visitor, {"at": at, "people": people, "void": void}),
        "here": draw("parts/console_acts.html", visitor, {"acts": forms.forms_for_table(at)}),
    }


@for_founders
async def players(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """List players whose name contains the words, with their wallets (GET)."""
    words, number = request.query.get("name", "").strip()[:64], page_number(request)
    rows = await asyncio.to_thread(_find_players, visitor, words, number)
    banned = visitor.ground.state.banned
    acts = list(forms.forms_of("adjust"))
    return page(
        "console_players.html", visitor, rows=rows, banned=banned, words=words, number=number, most=ROWS, acts=acts
    )


def _find_players(visitor: Visitor, words: str, number: int) -> list[tuple[int, str, Amount]]:
    casino = visitor.ground.id
    with visitor.lounge.writer.books.snapshot() as books:
        found = members_called(books, casino, words, ROWS, (number - 1) * ROWS)
        wallets = {id: ledger.wallet(casino, id) for id in found}
        holds = balances_of(books, list(wallets.values())) if found else {}
        return [(id, read_name(books, casino, id), Amount(holds.get(wallets[id], 0))) for id in found]


class Holding(NamedTuple):
    """A player's chips at a table: the stack, and the bets from it or from the wallet."""

    table: Table
    stack: Amount | None
    lying: Amount


_ACTS = ("grant", "take", "ban", "unban", "name reset", "inspector add", "inspector remove")


@for_founders
async def one_player(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Show a player's chips, tables, and the acts that an inspector can choose (GET)."""
    lounge, ground, id = visitor.lounge, visitor.ground, int(request.match_info["player"])
    name, chips = await asyncio.to_thread(_look_up, lounge, ground.id, id)
    if name is None:
        return sentence(visitor, _NOBODY, status=404)
    at = [
        one for table in sorted(lounge.state.presence.tables_of(id)) if (one := lounge.state.table(table)) is not None
    ]
    named = [form for verb in _ACTS for form in forms.forms_of(verb, (pick_player(id),))]
    return page(
        "console_player.html",
        visitor,
        id=id,
        name=name,
        wallet=chips,
        holdings=[_make_holding(lounge, table, id) for table in at if table.casino == ground.id],
        ban=ground.state.banned.get(id),
        is_one=id in ground.state.inspectors,
        acts=named,
    )


def _look_up(lounge: Lounge, casino: int, id: int) -> tuple[str | None, Amount]:
    with lounge.writer.books.snapshot() as books:
        name = read_name(books, casino, id) if member(books, casino, id) is not None else None
        return name, Amount(books.balance(ledger.wallet(casino, id)))


def _make_holding(lounge: Lounge, table: Table, id: int) -> Holding:
    has_stack = table.plays.seating is Seating.STACKS and table.tournament is None
    stack = Amount(lounge.state.balance(table.purse(id))) if has_stack else None
    return Holding(table, stack, Amount(table.lying(id)))


@for_founders
async def jackpot(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Show the meter, its movements, its options, and wins that wait (GET)."""
    meter, rolls = await visitor.submit_question("jackpot"), await visitor.submit_question("meter history")
    acts = forms.forms_for_jackpot(visitor.ground, visitor.language)
    return page("console_jackpot.html", visitor, meter=meter.texts, rolls=rolls.texts, acts=acts)


@for_founders
async def casino(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Show the house rules, and where the casino's chips are (GET)."""
    rules = await visitor.submit_question("casino show")
    acts = forms.forms_for_rules(visitor.ground, visitor.language)
    # Each rule is on the button that changes it.
    told = [text for text in rules.texts if text.values.get("name") not in RULES.values()]
    return page("console_casino.html", visitor, told=told, acts=acts)


class ConsoleAct(NamedTuple):
    """An act on the page: its number, sentence, the command that undoes it, and whether it was undone."""

    id: int
    told: Text
    undo: Undo | None
    is_back: bool


@for_founders
async def audit(request: web.Request, visitor: Visitor) -> web.StreamResponse:
    """Show the audit log by name, kind, table, day and words (GET)."""
    asked = {name: request.query.get(name, "").strip()[:64] for name in ("who", "kind", "table", "day", "words")}
    filters = {name: said for name, said in asked.items() if said}
    number = page_number(request)
    rows, kinds = await asyncio.to_thread(_find_acts, visitor, filters, number)
    return page(
        "console_audit.html",
        visitor,
        rows=rows,
        kinds=kinds,
        filters=filters,
        number=number,
        most=ROWS,
        ids={one.number: one.id for one in visitor.inspected},
        acts=list(forms.forms_of("export")),
    )


def _find_acts(visitor: Visitor, filters: dict[str, str], number: int) -> tuple[list[ConsoleAct], list[str]]:
    casino = visitor.ground.id
    with visitor.lounge.writer.books.snapshot() as books:
        name_of = lru_cache(partial(read_name, books, casino))
        reader = AuditReader(name_of, {one.number: one for one in visitor.inspected}, visitor.language)
        acts = _acts_in(books, visitor, filters, (number - 1) * ROWS)
        back = acts_taken_back(books, casino, acts[-1].id) if acts else set()
        rows = [
            ConsoleAct(one.id, tell_act(one.row, name_of), undo_of(one.row, reader), one.id in back) for one in acts
        ]
        return rows, sorted(kinds_of_acts(books, casino))


def _acts_in(books: Books, visitor: Visitor, filters: dict[str, str], skip: int) -> list[Act]:
    """Return the entries of the audit log that fit the filters; none for an invalid table or day."""
    casino, who = visitor.ground.id, list[int]()
    kind, words = filters.get("kind", ""), filters.get("words", "")
    table = _table_number(filters.get("table", ""))
    begins = read_day(filters.get("day", ""))
    if ("table" in filters and table is None) or ("day" in filters and begins is None):
        return []
    until = begins + DAY_S if begins is not None else None
    if "who" in filters:
        named = members_named(books, casino, filters["who"], MOST_NAMED)
        who = [number for id in named for number in _numbers_of(books, id)]
        if not who:
            return []
    return latest_acts(books, casino, ROWS, kind=kind, players=who, words=words, table=table, until=until, skip=skip)


def _table_number(said: str) -> int | None:
    """Return the number of a table, open or closed."""
    return int(said) if re.fullmatch("[0-9]{1,9}", said) else None


def _numbers_of(books: Books, id: int) -> list[int]:
    row = player(books, id)
    return load_player(row).ids if row is not None else []
