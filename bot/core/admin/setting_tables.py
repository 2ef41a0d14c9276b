"""Pages of the settings about tables: which there are, what one has set, and what an inspector may do at it."""

from collections.abc import Iterator, Mapping, Sequence

from bot.core.admin.setting_buttons import (
    HOME,
    OPTION,
    OPTIONS,
    PICK,
    ROWS,
    SEARCH,
    TABLE,
    TABLES,
    VOID,
    WHY,
    act,
    fill_in,
    label_of,
    turn_home,
    turn_list,
    turn_to,
)
from bot.core.admin.setting_people import find_people
from bot.core.casinos import sharing
from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.offers import typed
from bot.core.commands.picks import pick_player
from bot.core.commands.registry import CommandFlag, Request
from bot.core.commands.table_options import MANNERS, options_at, settings_at, values_at
from bot.core.guide import questions
from bot.core.rounds.betting import options_of
from bot.core.rounds.reveals import UNDECIDED, highest_on, is_known
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.texts import GAME_NAMES, Text
from bot.texts.options import Chips, Count, Flag, OneOf, Option
from engine.felt import Word

# Options and values share a line, so more of them fit.
A_PAGE = 12
_STATUS = {"paused": Text("paused"), "closing": Text("closing after this hand"), "closed": Text("closed")}


def show_tables(request: Request, _args: Sequence[str]) -> Answer:
    """List the tables that these inspectors run, tournaments first, and the games of which one may be opened here."""
    here = [one for one in request.transaction.tables_in(request.casino.id) if _is_ours(request, one)]
    here.sort(key=lambda table: table.tournament is None)
    choices = [turn_to(title_of(table), TABLE, str(table.id)) for table in here[:ROWS]]
    if request.at is None or request.at.status == "closed":
        choices.append(fill_in(label_of(request.verbs["tournament schedule"]), "tournament schedule"))
        choices += [Choice(Text("Open {game}", game=Word(game)), "table open", (game,)) for game in GAME_NAMES]
    lines = [questions.tables(request).texts[0]] if not here else [_say_table(table) for table in here[:ROWS]]
    return Answer((Text("Tables: choose one to change it."), *lines), choices=(*choices, turn_home()))


def title_of(table: Table) -> Text:
    """Return a table's number and its game."""
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


def _find_table(request: Request, args: Sequence[str]) -> Table:
    table = request.transaction.table(int(args[0])) if args and args[0].isascii() and args[0].isdigit() else None
    if table is None or table.casino != request.casino.id or not _is_ours(request, table):
        raise Refused("That table is gone.").offering([turn_to(Text("Tables"), TABLES), turn_to(HOME)])
    return table


def _read_page(args: Sequence[str], at: int) -> int:
    return (parse_count(args[at], 1, 10_000) if len(args) > at else None) or 1


def _is_ours(request: Request, table: Table) -> bool:
    return table.status != "closed" and sharing.is_run_by(request.transaction, table, sharing.speaks_for(request))


def _turn_back(table: Table) -> tuple[Choice, Choice]:
    return turn_to(Text("« Table {number}", number=table.number), TABLE, str(table.id)), turn_home()


def show_table(request: Request, args: Sequence[str]) -> Answer:
    """Show a table with everything that may be done at it now."""
    table = _find_table(request, args)
    id = str(table.id)
    choices = [turn_to(Text("Limits and options »"), OPTIONS, id), *_acts_at(request, table)]
    lines = _say_table(table), Text("Choose what to change:")
    return Answer(lines, choices=(*choices, turn_to(Text("« Tables"), TABLES), turn_home()))


def _acts_at(request: Request, table: Table) -> Iterator[Choice]:
    at, id = table.id, str(table.id)
    if table.status == "paused":
        yield act(request, "table resume", at=at)
    elif table.status == "open":
        yield act(request, "table pause", at=at)
    if table.status != "closing":
        yield act(request, "table close", at=at)
    if table.tournament is not None and table.tournament.is_registering:
        if table.tournament.starts_at and not table.tournament.postponed:
            yield act(request, "tournament postpone", str(table.number))
        yield act(request, "tournament cancel", str(table.number))
    if _has_open_hand(table):
        yield turn_to(label_of(request.verbs["void"]), VOID, id)
    if table.invited is None:
        yield Choice(Text("For invited players only"), "table private", ("on",), at=at)
    else:
        yield Choice(Text("Open to everyone"), "table private", ("off",), at=at)
        yield turn_to(label_of(request.verbs["table invite"]), PICK, id, "1", "table", "invite")
    yield Choice(Text("Invitation link"), "table invite", at=at)
    if len(request.transaction.places_of(table.id)) > 1:
        yield Choice(Text("Stop showing it here"), "table mirror", ("off",), at=at)
    yield from _decide_turner(request, table)
    for verb in request.verbs.values():
        if verb.group == "inspectors" and verb.game == table.game and CommandFlag.FOUNDERS not in verb.flags:
            if verb.usage.startswith("PLAYER"):
                yield turn_to(label_of(verb), PICK, id, "1", *verb.name.split())
            else:
                yield act(request, verb.name, at=at)


def _decide_turner(request: Request, table: Table) -> Iterator[Choice]:
    """Yield who may turn the cards for which an inspector decides, because the highest bets are equal."""
    spots = {turn.position: turn.spot for turn in table.plays.reveals.in_order}
    for position, player in table.round.turning.items():
        if player == UNDECIDED and is_known(table, position):
            for one in highest_on(table.round.bets, spots[position]):
                if one in table.wants_to_turn:
                    label = Text("{name} reveals {position}", name=request.name_of(one), position=Word(position))
                    yield Choice(label, "table turner", (position, pick_player(one)), at=table.id)


def show_void(request: Request, args: Sequence[str]) -> Answer:
    """Offer to void the open hand of a table, or one seat of it."""
    table = _find_table(request, args)
    if not _has_open_hand(table):
        raise Refused("No hand is being played at this table.").offering(_turn_back(table))
    page = _read_page(args, 1)
    hand, seats = str(table.round.hand_id), _seats_of_hand(table)
    choices = [fill_in(Text("Void hand {hand}", hand=hand), "void", hand, at=table.id)]
    for key in seats[(page - 1) * ROWS : page * ROWS]:
        box, behind, _name = key.partition("/")
        player = table.owners()[key]
        label = Text("Void seat {seat}: {name}", seat=box, name=request.name_of(player))
        seat = f"{box}/{pick_player(player)}" if behind else box
        choices.append(fill_in(label, "void", hand, seat, at=table.id))
    choices += turn_list(page, VOID, str(table.id), has_more=len(seats) > page * ROWS)
    head = Text("Void hand {hand}, or one seat of it. Voided stakes are returned.", hand=hand)
    return Answer((head,), choices=(*choices, *_turn_back(table)))


def _has_open_hand(table: Table) -> bool:
    """Return whether a hand waits for its cards or a decision; only such a hand may be void (G6)."""
    return table.phase in ("playing", "waiting") and (table.round.hand is None or bool(table.round.hand.asks))


def _seats_of_hand(table: Table) -> list[str]:
    """Return the seats that may be void alone, those of players who bet behind a box included."""
    if table.round.hand is None or table.round.waits is not None or table.plays.seating is Seating.STACKS:
        return []
    wagered, void_seats = table.round.hand.wagered(), table.void_seats(table.round.hand_id)
    return [key for key in table.owners() if wagered.get(key) and key not in void_seats]


def show_people_to_pick(request: Request, args: Sequence[str]) -> Answer:
    """Offer people for a command at a table: `TABLE PAGE COMMAND ? PART OF A NAME`."""
    table = _find_table(request, args)
    page = _read_page(args, 1)
    words = [*args[2:], SEARCH]
    end = words.index(SEARCH)
    named, searched = words[:end], words[end + 1 : -1]
    verb = request.verbs.get(" ".join(named))
    if verb is None or verb.group != "inspectors":
        raise Refused("There is no such page.").offering([turn_home()])
    found, has_more = find_people(request, page, searched)
    asks = WHY if verb.usage.endswith(" REASON") else None
    choices = [Choice(text, verb.name, (pick_player(id),), at=table.id, asks=asks) for id, text in found]
    before = (PICK, str(table.id))
    choices += turn_list(page, *before, has_more=has_more, rest=(*named, SEARCH, *searched))
    choices.append(fill_in(Text("Search"), "settings", *before, "1", *named, SEARCH)._replace(turns=True))
    head = Text("{act}: choose a player.", act=label_of(verb))
    return Answer((head,), choices=(*choices, *_turn_back(table)))


def _known_at(table: Table) -> Mapping[str, Option]:
    return {**settings_at(table.game), **options_at(table.game)}


def show_options(request: Request, args: Sequence[str]) -> Answer:
    """List what a table has set, a page at a time."""
    table = _find_table(request, args)
    page = _read_page(args, 1)
    values = values_at(table, options_of(request.transaction, table))
    known = [(name, option) for name, option in _known_at(table).items() if option.is_needed(values)]
    choices = [
        turn_to(label_with_value(option, values[name]), OPTION, str(table.id), name)
        for name, option in known[(page - 1) * A_PAGE : page * A_PAGE]
    ]
    turns = turn_list(page, OPTIONS, str(table.id), has_more=len(known) > page * A_PAGE)
    head = Text("Table {number}: choose what to change.", number=table.number)
    return Answer((head,), choices=(*choices, *turns, *_turn_back(table)))


def label_with_value(option: Option, value: object) -> Text:
    """Return the label of a button that changes an option: its name and value."""
    return Text("{option}: {value}", option=option.label, value=option.unit.write(value))


def show_option(request: Request, args: Sequence[str]) -> Answer:
    """Show an option of a table with the values that are likely to be chosen."""
    table, name = _find_table(request, args), args[1] if len(args) > 1 else ""
    option = _known_at(table).get(name)
    if option is None:
        raise Refused("This table has no option called {name}.", name=name[:40]).offering(_turn_back(table))
    value = values_at(table, options_of(request.transaction, table))[name]
    asks = None if name in MANNERS else WHY
    page, suggested = _read_page(args, 2), list(suggest_values(option, value))
    choices = [
        Choice(Text("{value}", value=option.unit.write(one)), "table set", (name, word), at=table.id, asks=asks)
        for word, one in suggested[(page - 1) * A_PAGE : page * A_PAGE]
    ]
    choices += turn_list(page, OPTION, str(table.id), name, has_more=len(suggested) > page * A_PAGE)
    if not isinstance(option.unit, Flag | OneOf):
        choices.append(fill_in(Text("Another value"), "table set", name, at=table.id))
    said = Text("{option}: {value} · {means}", option=option.label, value=option.unit.write(value), means=option.means)
    return Answer((said,), choices=(*choices, *_turn_back(table)))


def suggest_values(option: Option, value: object) -> Iterator[tuple[str, object]]:
    """Yield (as it is typed, the value) of what is likely to be chosen in place of a value."""
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
