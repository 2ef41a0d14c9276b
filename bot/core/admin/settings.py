"""The settings of a casino as pages of buttons, for its inspectors: tables, jackpot, people, rules, audit log.

A page is an answer whose choices turn to another page, or say a command that can be typed as well. Law: a page changes
nothing, and is refused to everybody else.
"""

from collections.abc import Callable, Iterator, Sequence

from bot.core.casinos import sharing
from bot.core.casinos.sharing import RULES, rules_of
from bot.core.commands.acts import NO_ACTS, tell_act
from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.hooks import waiting_in
from bot.core.commands.offers import typed
from bot.core.commands.pages import turn_pages
from bot.core.commands.picks import parse_pick, pick_player
from bot.core.commands.registry import Request, verb
from bot.core.commands.table_options import MANNERS, options_at, settings_at, values_at
from bot.core.guide import questions
from bot.core.rounds.betting import options_of
from bot.core.state.plays import PLAYS
from bot.core.state.table import Table
from bot.texts import GAME_NAMES, Text
from bot.texts.options import Chips, Count, Flag, OneOf, Option
from engine.felt import Amount, Word
from storage import ledger
from storage.questions.accounts import balances_of
from storage.questions.audit import latest_acts
from storage.questions.people import members_called

SETTINGS = "settings"
# What a page of a list holds: it must fit a phone, and the buttons of every platform.
ROWS = 8
TABLES, TABLE, OPTION, JACKPOT, PEOPLE, PERSON, RULE, LOG = (
    "tables",
    "table",
    "option",
    "jackpot",
    "people",
    "person",
    "rules",
    "log",
)
_WHY = Text("Reason, recorded in the audit log")
_AMOUNT = Text("Enter the amount and the reason, for example: 500 contest prize")
_VALUE = Text("Enter the new value and the reason, for example: 20 busy evening")
_ASKS = {
    SETTINGS: Text("Enter a part of the player's name."),
    "grant": _AMOUNT,
    "take": _AMOUNT,
    "meter set": _VALUE,
    "house set": _VALUE,
    "meter confirm": Text("Enter the number of the hand, the seat and the reason."),
}
_HOME = Text("« Settings")
# What concerns the chips of a whole casino: for the community that founded it.
_FOUNDERS = (JACKPOT, PEOPLE, PERSON, RULE)


@verb(SETTINGS, Text("Everything an inspector may do here, as buttons"), group="inspectors")
def settings(request: Request) -> Answer:
    """A page by its name and number; the first one where none is named."""
    name, *rest = request.args or ("",)
    pages: dict[str, Callable[[Request, Sequence[str]], Answer]] = {
        "": _home,
        TABLES: _tables,
        TABLE: _table,
        OPTION: _option,
        JACKPOT: _jackpot,
        PEOPLE: _people,
        PERSON: _person,
        RULE: _rules,
        LOG: _log,
    }
    if name not in pages:
        raise Refused("There is no such page.").offering([_turn(_HOME)])
    if name in _FOUNDERS and not _is_founder(request):
        raise Refused("Only inspectors of the community that founded this casino can do that.")
    return pages[name](request, rest)


def asks_of(verb: str, args: Sequence[str]) -> Text:
    """Return what has to be typed before a button of these pages can say its command."""
    if verb == "table set":
        name = args[0] if args else ""
        return _WHY if len(args) > 1 else Text("Enter the new value.") if name in MANNERS else _VALUE
    return _ASKS.get(verb, _WHY)


def _is_founder(request: Request) -> bool:
    return request.home.id == request.casino.id or request.player.id in request.casino.state.inspectors


def _do(label: Text, verb: str, *args: str, at: int = 0) -> Choice:
    """A button that says a command as soon as the rest of it is typed."""
    return Choice(label, verb, args, at=at, asks=asks_of(verb, args))


def page_after(verb: str, args: Sequence[str], table: int) -> tuple[str, ...]:
    """The page to which one comes back after an act; `table` is the id of the one at which it was said, or 0."""
    if verb == "table set" and args:
        return (OPTION, str(table), args[0])
    if verb == "table open":
        return (TABLES,)
    if verb.startswith("table "):
        return (TABLE, str(table))
    if verb.startswith("meter "):
        return (JACKPOT,)
    if args and (picked := parse_pick(args[0])) is not None and picked.player:
        return (PERSON, str(picked.player))
    return (RULE,) if verb == "house set" else ()


def _turn(label: Text, *args: str) -> Choice:
    return Choice(label, SETTINGS, args, True)


def _home(request: Request, _args: Sequence[str]) -> Answer:
    lines = (Text("Settings of {name}", name=request.casino.name),)
    pages = [
        (Text("Tables"), TABLES),
        (Text("Jackpot"), JACKPOT),
        (Text("People"), PEOPLE),
        (Text("Chips and rules"), RULE),
        (Text("Audit log"), LOG),
    ]
    has_meter = any(play.linked_meter for play in PLAYS.values())
    return Answer(
        lines,
        choices=tuple(
            _turn(text, page)
            for text, page in pages
            if (page != JACKPOT or has_meter) and (page not in _FOUNDERS or _is_founder(request))
        ),
    )


# Tables


def _tables(request: Request, _args: Sequence[str]) -> Answer:
    here = [one for one in request.transaction.tables_in(request.casino.id) if _is_ours(request, one)]
    choices = [_turn(_title(table), TABLE, str(table.id)) for table in here[: 2 * ROWS]]
    if request.at is None or request.at.status == "closed":
        choices += [Choice(Text("Open {game}", game=Word(game)), "table open", (game,)) for game in GAME_NAMES]
    lines = [questions.tables(request).texts[0]] if not here else [_say_table(table) for table in here[: 2 * ROWS]]
    return Answer((Text("Tables: choose one to change it."), *lines), choices=(*choices, _turn(_HOME)))


def _title(table: Table) -> Text:
    return Text("{number}: {game}", number=table.number, game=Word(table.game))


def _say_table(table: Table) -> Text:
    return Text(
        "{number}: {game}, {n} player, {status}",
        "{number}: {game}, {n} players, {status}",
        number=table.number,
        game=Word(table.game),
        n=len(table.players()),
        status=_STATUS.get(table.status, Text("open")),
    )


_STATUS = {"paused": Text("paused"), "closing": Text("closing after this hand"), "closed": Text("closed")}


def _find(request: Request, args: Sequence[str]) -> Table:
    table = request.transaction.table(int(args[0])) if args and args[0].isascii() and args[0].isdigit() else None
    if table is None or table.casino != request.casino.id or not _is_ours(request, table):
        raise Refused("That table is gone.").offering([_turn(Text("Tables"), TABLES), _turn(_HOME)])
    return table


def _is_ours(request: Request, table: Table) -> bool:
    return table.status != "closed" and sharing.is_run_by(request.transaction, table, sharing.speaks_for(request))


def _known(table: Table) -> dict[str, Option]:
    return {**settings_at(table.game), **options_at(table.game)}


def _table(request: Request, args: Sequence[str]) -> Answer:
    table = _find(request, args)
    at, values = str(table.id), values_at(table, options_of(request.transaction, table))
    choices = [
        _turn(Text("{option}: {value}", option=option.label, value=option.unit.write(values[name])), OPTION, at, name)
        for name, option in _known(table).items()
    ]
    if table.status == "paused":
        choices.append(Choice(Text("Resume"), "table resume", at=table.id))
    elif table.status == "open":
        choices.append(_do(Text("Pause"), "table pause", at=table.id))
    if table.status != "closing":
        choices.append(_do(Text("Close the table"), "table close", at=table.id))
    lines = _say_table(table), Text("Choose what to change:")
    return Answer(lines, choices=(*choices, _turn(Text("« Tables"), TABLES), _turn(_HOME)))


def _option(request: Request, args: Sequence[str]) -> Answer:
    table, name = _find(request, args), args[1] if len(args) > 1 else ""
    option = _known(table).get(name)
    if option is None:
        raise Refused("This table has no option called {name}.", name=name[:40]).offering(
            [_turn(Text("Tables"), TABLES)]
        )
    value = values_at(table, options_of(request.transaction, table))[name]
    asks = None if name in MANNERS else _WHY
    choices = [
        Choice(Text("{value}", value=option.unit.write(one)), "table set", (name, word), at=table.id, asks=asks)
        for word, one in _suggest(table, name, option, value)
    ]
    if not isinstance(option.unit, Flag | OneOf):
        choices.append(_do(Text("Another value"), "table set", name, at=table.id))
    said = Text("{option}: {value} · {means}", option=option.label, value=option.unit.write(value), means=option.means)
    back = _turn(Text("« Table {number}", number=table.number), TABLE, str(table.id))
    return Answer((said,), choices=(*choices, back, _turn(_HOME)))


def _suggest(table: Table, name: str, option: Option, value: object) -> Iterator[tuple[str, object]]:
    """(as it is typed, the value) of what is likely to be chosen."""
    match option.unit:
        case Flag():
            yield ("off", False) if value else ("on", True)
        case OneOf(values):
            yield from ((str(one), one) for one in values if one != value)
        case Count(least, most) if most - least < ROWS:
            yield from ((str(one), one) for one in range(least, most + 1) if one != value)
        case Chips():
            assert isinstance(value, int)
            yield from ((typed(one), one) for one in (value // 2, value * 2, value * 5) if one and one % 100 == 0)


# The jackpot


def _jackpot(request: Request, args: Sequence[str]) -> Answer:
    if "history" in args[:1]:
        lines = request.verbs["meter history"](request).texts if "meter history" in request.verbs else ()
        return Answer(lines[: 2 * ROWS], choices=(_turn(Text("« Jackpot"), JACKPOT), _turn(_HOME)))
    shown = request.verbs["jackpot"](request).texts if "jackpot" in request.verbs else ()
    choices = (
        _do(Text("Reset the jackpot"), "meter reset"),
        _do(Text("Set the jackpot"), "meter set"),
        _do(Text("Price of a coin"), "meter set", "coin"),
        *([_do(Text("Confirm a win"), "meter confirm")] if waiting_in(request.casino) else []),
        _turn(Text("History"), JACKPOT, "history"),
    )
    return Answer(shown, choices=(*choices, _turn(_HOME)))


# People


def _people(request: Request, args: Sequence[str]) -> Answer:
    """Found by a part of their names, or all of them, so many on a page."""
    page = (parse_count(args[0], 1, 10_000) if args else None) or 1
    words = " ".join(args[1:]) if args and args[0].isdigit() else " ".join(args)
    casino, books = request.casino, request.transaction.books
    found = members_called(books, casino.id, words, ROWS + 1, (page - 1) * ROWS)
    chips = balances_of(books, [ledger.wallet(casino.id, id) for id in found]) if found else {}
    people = [
        (
            id,
            Text(
                "{name}, {chips} chips",
                name=request.name_of(id),
                chips=Amount(chips.get(ledger.wallet(casino.id, id), 0)),
            ),
        )
        for id in found[:ROWS]
    ]
    choices = [_turn(text, PERSON, str(id)) for id, text in people]
    choices += _pages(PEOPLE, page, has_more=len(found) > ROWS, rest=tuple(words.split()))
    search = Choice(Text("Search"), SETTINGS, (PEOPLE, "1"), True, asks=Text("Enter a part of the player's name."))
    head = Text("People: choose a player.") if found else Text("No player here is called that.")
    return Answer((head,), choices=(*choices, search, _turn(_HOME)))


def _pages(name: str, page: int, *, has_more: bool, rest: tuple[str, ...] = ()) -> tuple[Choice, ...]:
    return turn_pages(SETTINGS, page, has_more=has_more, before=(name,), rest=rest)


def _person(request: Request, args: Sequence[str]) -> Answer:
    id = parse_count(args[0], 1, 10**9) if args else None
    casino = request.casino
    if id is None or request.transaction.member(casino.id, id) is None:
        raise Refused("That person has not played here yet.").offering([_turn(Text("« People"), PEOPLE)])
    whom, banned = pick_player(id), casino.state.banned
    chips = Amount(request.transaction.balance(ledger.wallet(casino.id, id)))
    lines = [Text("{name}, {chips} chips", name=request.name_of(id), chips=chips)]
    if id in casino.state.inspectors:
        lines.append(Text("Inspector"))
    if id in banned:
        lines.append(Text("Banned: {reason}", reason=banned[id]))
    is_one = id in casino.state.inspectors
    choices = (
        _do(Text("Give chips"), "grant", whom),
        _do(Text("Take chips"), "take", whom),
        _do(Text("Unban"), "unban", whom) if id in banned else _do(Text("Ban"), "ban", whom),
        _do(Text("Remove as inspector"), "inspector remove", whom)
        if is_one
        else Choice(Text("Make inspector"), "inspector add", (whom,)),
        _turn(Text("« People"), PEOPLE),
        _turn(_HOME),
    )
    return Answer(tuple(lines), choices=choices)


# Chips and rules


def _rules(request: Request, _args: Sequence[str]) -> Answer:
    lines = [Text("{name}: {value}", name=RULES[name], value=one) for name, one in rules_of(request.casino).items()]
    choices = [_do(RULES[name], "house set", name) for name in rules_of(request.casino)]
    return Answer(tuple(lines), choices=(*choices, _turn(_HOME)))


# The audit log


def _log(request: Request, args: Sequence[str]) -> Answer:
    page = (parse_count(args[0], 1, 10_000) if args else None) or 1
    done = latest_acts(request.transaction.books, request.casino.id, ROWS + 1, skip=(page - 1) * ROWS)
    lines = tuple(tell_act(one.row, request.name_of) for one in done[:ROWS]) or (NO_ACTS,)
    return Answer(lines, choices=(*_pages(LOG, page, has_more=len(done) > ROWS), _turn(_HOME)))
