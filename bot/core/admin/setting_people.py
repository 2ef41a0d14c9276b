"""Pages of the settings about people: who plays here, their chips and rights, and the hands that they played."""

from collections.abc import Iterator, Sequence

from bot.core.admin.setting_buttons import (
    ASK_NAME,
    HANDS,
    LOG,
    PEOPLE,
    PERSON,
    ROWS,
    SETTINGS,
    act,
    fill_in,
    turn_home,
    turn_list,
    turn_to,
)
from bot.core.casinos import tournaments
from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.picks import pick_player
from bot.core.commands.registry import Request
from bot.core.rounds import tournament_table
from bot.texts import Text
from engine.felt import Amount, Word
from storage import ledger
from storage.questions.accounts import balances_of
from storage.questions.people import members_called
from storage.questions.results import latest_results


def find_people(request: Request, page: int, words: Sequence[str]) -> tuple[list[tuple[int, Text]], bool]:
    """Return a page of people with these words in their names, each with their chips, and whether there are more."""
    casino, books = request.casino, request.transaction.books
    found = members_called(books, casino.id, " ".join(words), ROWS + 1, (page - 1) * ROWS)
    chips = balances_of(books, [ledger.wallet(casino.id, id) for id in found]) if found else {}
    people = [(id, _say_person(request, id, chips.get(ledger.wallet(casino.id, id), 0))) for id in found[:ROWS]]
    return people, len(found) > ROWS


def _say_person(request: Request, player: int, chips: int) -> Text:
    return Text("{name}, {chips} chips", name=request.name_of(player), chips=Amount(chips))


def show_people(request: Request, args: Sequence[str]) -> Answer:
    """List people: all, or those with a part of their names."""
    page = (parse_count(args[0], 1, 10_000) if args else None) or 1
    words = args[1:] if args and args[0].isdigit() else args
    found, has_more = find_people(request, page, words)
    choices = [turn_to(text, PERSON, str(id)) for id, text in found]
    choices += turn_list(page, PEOPLE, has_more=has_more, rest=words)
    search = Choice(Text("Search"), SETTINGS, (PEOPLE, "1"), True, asks=ASK_NAME)
    head = Text("People: choose a player.") if found else Text("No player here is called that.")
    return Answer((head,), choices=(*choices, search, turn_home()))


def _find_person(request: Request, args: Sequence[str]) -> int:
    id = parse_count(args[0], 1, 10**9) if args else None
    if id is None or request.transaction.member(request.casino.id, id) is None:
        raise Refused("That person has not played here yet.").offering([turn_to(Text("« People"), PEOPLE)])
    return id


def show_person(request: Request, args: Sequence[str]) -> Answer:
    """Show a person with everything that an inspector may do about them."""
    id, casino = _find_person(request, args), request.casino
    lines = [_say_person(request, id, request.transaction.balance(ledger.wallet(casino.id, id)))]
    if id in casino.state.inspectors:
        lines.append(Text("Inspector"))
    if id in casino.state.banned:
        lines.append(Text("Banned: {reason}", reason=casino.state.banned[id]))
    choices = (*_acts_about(request, id), turn_to(Text("« People"), PEOPLE), turn_home())
    return Answer(tuple(lines), choices=choices)


def _acts_about(request: Request, id: int) -> Iterator[Choice]:
    whom, state = pick_player(id), request.casino.state
    for name in ("grant", "take"):
        yield act(request, name, whom)
    yield turn_to(Text("Correct a hand"), HANDS, str(id), "1")
    yield act(request, "unban" if id in state.banned else "ban", whom)
    yield act(request, "name reset", whom)
    if id in state.inspectors:
        yield act(request, "inspector remove", whom)
    else:
        yield Choice(Text("Make inspector"), "inspector add", (whom,))
    for table in request.transaction.tables_in(request.casino.id):
        if tournaments.is_under_way(table) and tournament_table.is_left(table, id):
            yield act(request, "tournament remove", str(table.number), whom)
    yield turn_to(Text("Audit log"), LOG, "1", str(id))


def show_hands(request: Request, args: Sequence[str]) -> Answer:
    """List the settled hands of a person, each of which may be corrected."""
    id = _find_person(request, args)
    page = (parse_count(args[1], 1, 10_000) if len(args) > 1 else None) or 1
    books, ids = request.transaction.books, request.transaction.players[id].ids
    rows = latest_results(books, request.casino.id, ids, ROWS + 1, (page - 1) * ROWS)
    choices = []
    for row in rows[:ROWS]:
        net = row.returned - row.wagered
        values = {"hand": str(row.hand), "game": Word(row.game), "net": Amount(net)}
        label = Text("Hand {hand}, {game}: +{net}" if net > 0 else "Hand {hand}, {game}: {net}", **values)
        choices.append(fill_in(label, "adjust", str(row.hand), pick_player(id)))
    choices += turn_list(page, HANDS, str(id), has_more=len(rows) > ROWS)
    name = request.name_of(id)
    head = Text("{name}: choose the hand to correct." if rows else "{name} has no hands yet.", name=name)
    return Answer((head,), choices=(*choices, turn_to(Text("« {name}", name=name), PERSON, str(id)), turn_home()))
