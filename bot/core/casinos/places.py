"""Places of a casino: communities that arrive, places that are lost, found again, moved, or out of reach (G10).

Platforms report these as internal commands, which cannot be typed.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from msgspec import structs

from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Command, Refused, Who
from bot.core.commands.hooks import hooks_of, of_each_game
from bot.core.commands.internal_commands import InternalCommand, internal_command
from bot.core.commands.naming import take_text
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import refuse_game
from bot.core.rounds import betting, opening, playing
from bot.core.rounds.reveals import decision_s
from bot.core.rounds.tournament_table import tables_of
from bot.core.state.casinos import CasinoState
from bot.core.state.lounge import LOUNGE, is_room
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import WAITS_S, Lost, Table
from bot.core.state.transaction import Layer, State, Transaction
from bot.core.state.values import Casino, Player
from bot.texts import LANGUAGES, Name, Text
from storage.confusables import fold
from storage.questions import notes
from storage.rows import CasinoRow, NoteRow, PlaceRow

# The platform of the casino's own commands; no adapter vouches for anyone there.
HOUSE = "house"
# The address of a chat with one person.
PRIVATE = ""
# The address that stands for a whole platform.
WHOLE = ""
# A dealt hand waits for its place or another, at most a day (G10).
A_MOMENT_S = 3.0
# Platforms whose groups have room for more tables only in topics, whose addresses have a colon. They register
# themselves.
ONLY_IN_TOPICS: set[str] = set()
# Name of such a platform's note, as JSON: whether it opens tables in an app, where no message shows them.
APP_NOTE = "app"


def find_place(transaction: Transaction, command: Command) -> PlaceRow | None:
    """Return the place that a command comes from; a private chat stands for the casino that its person used last."""
    if is_own(command.place):
        return _own_place(transaction, command)
    if command.place.address != PRIVATE:
        return transaction.place(*command.place) or _look_through(transaction, command)
    player = transaction.identity(command.who.platform, command.who.account)
    home = speaks_for(transaction, player)
    if player is None or home is None:
        raise Refused("Play at a table in a server or group first; then your chips answer here, too.")
    return PlaceRow(command.place.platform, PRIVATE, home, find_stranded(transaction, player))


def find_stranded(state: State | Transaction, player: int | None) -> int | None:
    """Return the table in a player's casino whose hand they play and whose place is lost: it is played in private."""
    home = speaks_for(state, player)
    lost = [table.id for table in state.tables_in(home) if is_lost(table)] if home is not None else []
    return next((id for id in lost if player in _owners(state, id)), None)


def _owners(state: State | Transaction, table: int) -> Collection[int]:
    found = state.table(table)
    return found.owners().values() if found is not None else ()


def _look_through(transaction: Transaction, command: Command) -> PlaceRow | None:
    """Return a window of the lounge on a community's table, or None; its address is the id of the table.

    Only members of the community have one. A player whose name was picked in a browser is in no community, unless
    accounts are linked.
    """
    at, account = command.place, command.who.account
    table = transaction.table(int(at.address)) if at.address.isdecimal() and len(at.address) < 12 else None
    player = transaction.identity(at.platform, account) if is_room(at) else None
    if table is None or player is None or table.casino not in communities_of(transaction, transaction.players[player]):
        return None
    homes = {row.home for row in transaction.places_of(table.id)}
    return PlaceRow(*at, table.casino, table.id, homes.pop() if len(homes) == 1 else 0)


def is_window(place: Place, casino: int) -> bool:
    """Return whether a room of the lounge shows another casino's table, where the lounge gives no rights."""
    return is_room(place) and casino != LOUNGE


def communities_of(state: Layer, player: Player) -> list[int]:
    """Return the casinos of the communities where a player has written, each as it is joined now."""
    found = (state.casinos[id].state.joined or id for id in player.state.casinos)
    return list(dict.fromkeys(found))


def shows_one_table(place: Place) -> bool:
    """Check whether a place has no room for the messages of more tables: a group without topics."""
    return place.platform in ONLY_IN_TOPICS and ":" not in place.address


def has_room_beside(transaction: Transaction, place: Place) -> bool:
    """Check whether more tables can be opened beside one: a lounge's pages, threads, topics, or pages of an app."""
    return not shows_one_table(place) or _read_note(transaction, place.platform, APP_NOTE) == "true"


def _read_note(transaction: Transaction, platform: str, name: str) -> str | None:
    row = transaction.get(NoteRow, platform, name)
    return row.value if isinstance(row, NoteRow) else notes.note(transaction.state.books, platform, name)


def is_own(place: Place) -> bool:
    """Check whether it is the address of a private chat with a table of its own against the bank: "@" and a number."""
    return place.address.startswith("@")


def speaks_for(state: Layer, player: int | None) -> int | None:
    """Return the casino used last, or the one that it has joined since: the wallet in the old one is frozen."""
    home = state.seen_last[player].casino if player is not None else None
    joined = state.casinos[home].state.joined if home is not None else None
    return joined or home


@command("casino choose", Text("Choose the casino of your private chats"), group="me", usage="[NUMBER|NAME]")
def choose(request: Request) -> Answer:
    """Choose the casino of a private chat, from those where the player has been; the next one used elsewhere replaces
    it.
    """
    player, known = (
        request.player,
        [request.transaction.casinos[id] for id in communities_of(request.transaction, request.player)],
    )
    if not known:
        raise Refused("Play at a table in a server or group first; then your chips answer here, too.")
    if not request.args:
        lines = [Text("{n}. {name}", n=n, name=Name(casino.name)) for n, casino in enumerate(known, start=1)]
        return Answer((*lines, Text("Use `/casino choose NUMBER` to choose the casino of your private chats.")))
    wanted = take_text((" ".join(request.args),), 0)[0]
    number = parse_count(wanted, 1, len(known))
    found = [known[number - 1]] if number else [one for one in known if fold(one.name) == fold(wanted)]
    if len(found) != 1:
        raise Refused("Enter the number of one of your casinos, 1 to {most}.", most=len(known))
    request.transaction.note_seen(request.transaction.seen_last[player.id]._replace(casino=found[0].id))
    return answer_with("Your private chats now belong to {name}.", name=found[0].name)


def _own_place(transaction: Transaction, command: Command) -> PlaceRow | None:
    """Return the casino that a private chat stands for: that of the player's own table while money is on it, else the
    one used last. A move in a hand that has lost its place is made here too.
    """
    row = transaction.place(*command.place)
    player = transaction.identity(command.who.platform, command.who.account)
    home = speaks_for(transaction, player)
    if (
        row is not None
        and _may_be_of_stranded(transaction, row, command.verb)
        and (held := find_stranded(transaction, player))
    ):
        return row._replace(casino=home or row.casino, table_id=held)
    if row is None or home in (None, row.casino) or (row.table_id and _is_in_use(transaction, row)):
        return row
    return row._replace(casino=home, table_id=None)


def _may_be_of_stranded(transaction: Transaction, row: PlaceRow, word: str) -> bool:
    own = transaction.table(row.table_id) if row.table_id else None
    return (word == "cards" or word in playing.MOVES) and (own is None or own.round.hand is None)


def _is_in_use(transaction: Transaction, row: PlaceRow) -> bool:
    table = transaction.table(row.table_id) if row.table_id else None
    return table is not None and (bool(table.round.bets) or table.round.hand is not None)


def is_lost(table: Table) -> bool:
    """Check whether a table cannot be shown where it is and waits for a place (G10)."""
    return table.lost is not None


@command("setup", Text("Set up Ridotto here"), group="inspectors", flags=CommandFlag.LINKABLE, button=Text("Set up"))
def set_up(request: Request) -> Answer:
    """Refuse `/setup` where the platform has nothing to set up."""
    raise Refused("There is nothing to set up here. Use this in a server or a group.")


@internal_command("arrive")
def arrive(request: InternalCommand) -> None:
    """Found a casino for a community (a server, a group): `NAME LANGUAGE`. Repeating it changes nothing."""
    if request.row is not None:
        return
    name, language = request.args
    id = request.transaction.next_id(CasinoRow)
    casino = request.transaction.set_casino(Casino(id, name[:100] or "?", CasinoState(language=language), request.now))
    of_each_game(lambda game: game.found(request.transaction, casino, request.now), request.transaction)
    request.transaction.set_place(PlaceRow(request.at.platform, request.at.address, id, None))


@internal_command("enter")
def enter(request: InternalCommand) -> None:
    """Add a place of a known community, without a table yet: `COMMUNITY`."""
    if request.row is None and (home := request.transaction.place(request.at.platform, request.args[0])) is not None:
        request.transaction.set_place(PlaceRow(request.at.platform, request.at.address, home.casino, None, home.home))


@internal_command("show further")
def show_further(request: InternalCommand) -> None:
    """Show a further table of a tournament at this place, which has none: `TABLE`. Refused if it is shown already."""
    row, transaction = request.row, request.transaction
    table = transaction.table(int(request.args[0]))
    if row is None or row.table_id is not None or table is None or table.part_of is None or table.status == "closed":
        raise Refused("There is nothing to answer.")
    if table.casino != row.casino or any(one.platform == row.platform for one in transaction.places_of(table.id)):
        raise Refused("There is nothing to answer.")
    transaction.set_place(row._replace(table_id=table.id))
    transaction.set_table(table.change())


@internal_command("hold tournament")
def hold_tournament(request: InternalCommand) -> None:
    """Pause all tables of the tournament here, of which one cannot be shown: `WHY`."""
    table = request.transaction.table(request.row.table_id) if request.row and request.row.table_id else None
    told = Text(
        "The tournament is paused: {why} Once that is solved, an inspector can continue with /table resume.",
        why=request.args[0],
    )
    for one in tables_of(request.transaction, table) if table is not None else ():
        if one.status == "open":
            held = one.tournament and structs.replace(one.tournament, is_held=True)
            one = one.change(status="paused", tournament=held).set_notice(told, request.now)
            request.transaction.set_table(hooks_of(one).wake(request.transaction, one, request.now))


@internal_command("call on")
def call_on(request: InternalCommand) -> None:
    """Admit a private chat: `ACCOUNT NAME LANGUAGE`. A player without a casino gets a new one."""
    account, name, language = request.args
    if request.row is not None:
        return
    player = request.transaction.identity(request.at.platform, account)
    home = speaks_for(request.transaction, player)
    if home is None:
        arrive(replace(request, command=request.command._replace(args=(name, language))))
    else:
        request.transaction.set_place(PlaceRow(request.at.platform, request.at.address, home, None))


@internal_command("open own")
def open_own(request: InternalCommand) -> None:
    """Open a table against the bank in a person's own place: `GAME LANGUAGE`. One that is open there closes."""
    game, language = request.args
    row, transaction = request.row, request.transaction
    if row is None or game not in PLAYS:
        raise refuse_game(game)
    if PLAYS[game].seating is Seating.STACKS:
        raise Refused("This game is played between people. Play it in a group.")
    table = transaction.table(row.table_id) if row.table_id else None
    if table is not None and (table.round.bets or table.round.hand is not None):
        raise Refused("Finish this hand first, or take back your bets.")
    if table is not None:
        transaction.set_table(opening.close_for_good(transaction, table, request.now))
    casino = transaction.casinos[row.casino]
    opening.open_table(transaction, casino.id, game, request.at, request.now, request.entropy(32), language=language)


@internal_command("note")
def note(request: InternalCommand) -> None:
    """Store a note of an adapter about its platform: `NAME VALUE`."""
    request.transaction.put(NoteRow(request.at.platform, *request.args))


@internal_command("note first")
def note_first(request: InternalCommand) -> None:
    """Store a note of an adapter unless there is one under that name: `NAME VALUE`. Read it to learn which one won."""
    if _read_note(request.transaction, request.at.platform, request.args[0]) is None:
        note(request)


@internal_command("entrust")
def entrust(request: InternalCommand) -> None:
    """Make everybody who has this role on the platform an inspector: `ROLE ACCOUNT`; the account decided it."""
    if request.row is None:
        return
    casino = request.transaction.casinos[founding_casino_of(request.row)]
    before = casino.state.roles
    role, account = request.args
    request.transaction.set_casino(casino.change(roles={**before, request.at.platform: role}))
    who = request.transaction.identity(request.at.platform, account) or 0
    request.transaction.audit(
        request.now, request.row.casino, who, "inspector role", request.at.address, "", before, role
    )


@internal_command("speak")
def speak(request: InternalCommand) -> None:
    """Set the language of tables opened in this community: `LANGUAGE ACCOUNT`; the account decided it."""
    if request.row is None:
        return
    casino, (language, account) = request.transaction.casinos[founding_casino_of(request.row)], request.args
    if language not in LANGUAGES or language == casino.state.language:
        return
    request.transaction.set_casino(casino.change(language=language))
    who = request.transaction.identity(request.at.platform, account) or 0
    before = casino.state.language
    request.transaction.audit(request.now, casino.id, who, "language", request.at.address, "", before, language)


@internal_command("posted")
def posted(request: InternalCommand) -> None:
    """Store the id of the table's message at this place, so that it is found after a restart: `MESSAGE`."""
    if request.row is not None:
        casino = request.transaction.casinos[founding_casino_of(request.row)]
        request.transaction.set_casino(
            casino.change(messages={**casino.state.messages, _name(request.at): request.args[0]})
        )


def founding_casino_of(row: PlaceRow) -> int:
    """Return the casino that keeps a place's messages and roles: the community's own, wherever it has joined."""
    return row.home or row.casino


def message_at(casino: Casino, place: Place) -> str | None:
    """Return the platform's id of the table's message at a place, or None where the platform has reported none."""
    return casino.state.messages.get(_name(place))


@internal_command("lose")
def lose(request: InternalCommand) -> None:
    """Mark a place as out of reach, as gone (`gone`), or the whole community with all its places as gone (`all`)."""
    if request.row is None:
        return
    if request.args == ("all",):
        rows = [row for row in request.transaction.places_in(request.row.casino) if row.platform == request.at.platform]
    else:
        rows = [request.row]
    for row in rows:
        if row.table_id is not None:
            _lose_table(request, row, is_gone=bool(request.args))


def _lose_table(request: InternalCommand, row: PlaceRow, *, is_gone: bool) -> None:
    transaction = request.transaction
    table = transaction.table(row.table_id or 0)
    if is_gone:
        transaction.set_place(row._replace(table_id=None))
        casino = transaction.casinos[founding_casino_of(row)]
        messages = dict(casino.state.messages)
        if messages.pop(_name(Place(row.platform, row.address)), None):
            transaction.set_casino(casino.change(messages=messages))
    if table is None or table.status == "closed" or (is_lost(table) and not is_gone):
        return
    if is_gone and table.part_of is not None:
        return  # its players play on in the lounge, or at a new place
    if any(one != row for one in transaction.places_of(table.id)):
        return
    _strand(transaction, table, request.now, is_gone=is_gone)


def _strand(transaction: Transaction, table: Table, now: float, *, is_gone: bool) -> None:
    """Hold a table that lost its place: return undealt bets; a dealt hand waits, then ends by time-outs (G10)."""
    lost = table.lost or Lost(now, table.status)
    if table.round.hand is not None:
        status = "closing" if is_gone or table.status == "closing" else "paused"
        transaction.set_table(
            table.change(
                status=status, lost=lost, round=structs.replace(table.round, deadline=now + WAITS_S, extended=None)
            )
        )
        return
    if table.round.waits is not None:
        status = "closing" if is_gone or table.status == "closing" else "paused"
        transaction.set_table(table.change(status=status, lost=lost))
        return
    table = betting.return_all_bets(transaction, table, now, "place lost")
    if is_gone:
        table = opening.close_for_good(transaction, hooks_of(table).close(transaction, table, now), now)
    else:
        table = table.change(status="paused")
    table = table.change(lost=lost, round=structs.replace(table.round, started=None, deadline=None))
    transaction.set_table(hooks_of(table).wake(transaction, table, now))


@internal_command("regain")
def regain(request: InternalCommand) -> None:
    """Resume the table of a place that can be reached again, with a new clock."""
    table = request.transaction.table(request.row.table_id) if request.row and request.row.table_id else None
    if table is not None and table.lost is not None and table.status != "closed":
        go_on(request.transaction, table, request.now, table.lost.status)


def take_over(transaction: Transaction, casino: int, game: str, place: Place, now: float) -> Table | None:
    """Continue a hand whose place is lost at another one, where someone opens a table of its game (G10)."""
    waiting = [table for table in transaction.tables_in(casino) if (table.game, table.status) == (game, "closing")]
    id = next((table.id for table in waiting if is_lost(table) and not transaction.places_of(table.id)), None)
    table = transaction.table(id) if id is not None else None
    if table is None:
        return None
    known = transaction.place(*place)
    transaction.set_place(known._replace(table_id=table.id) if known else PlaceRow(*place, casino, table.id))
    return go_on(transaction, table, now, "open")


def go_on(transaction: Transaction, table: Table, now: float, status: str) -> Table:
    """Resume a table that had lost its place, with a new clock for whatever is played there."""
    table = table.change(status=status, lost=None, round=structs.replace(table.round, extended=None))
    if table.round.hand is not None:
        wait = decision_s(table)
        return transaction.set_table(table.change_round(deadline=now + wait))
    if table.round.waits is not None:
        return transaction.set_table(table)
    return transaction.set_table(hooks_of(table).wake(transaction, betting.wind_clock(table, now), now))


@internal_command("away")
def away(request: InternalCommand) -> None:
    """Handle `[SINCE [ADDRESS...]]`: these addresses, or this place, have been unreachable since then (or now).

    The address "" is the whole platform.

    Nothing ends by that, and presses that get through count. But the clocks of a table without another reachable place
    pause until "back". A platform should report it as soon as a call fails or does not return, and at the start until
    the first connection; and report "back" when something gets through again. Both may be repeated. A permanent loss is
    "lose".

        writer.submit(internal_command_of(key, Place(platform, ""), "away", str(last_heard_s)))
        writer.submit(internal_command_of(key, Place(platform, ""), "back"))
    """
    since = float(request.args[0]) if request.args else request.now
    for at in _places_named(request, request.args[1:]):
        if request.transaction.away_since(*at) is None:
            request.transaction.set_away(*at, min(request.now, since))


@internal_command("back")
def back(request: InternalCommand) -> None:
    """Mark addresses as reachable again: `[ADDRESS...]`. Clocks get back the time that they lost meanwhile."""
    transaction = request.transaction
    found = [at for at in _places_named(request, request.args) if transaction.away_since(*at) is not None]
    if any(at.address == WHOLE for at in found):
        rows = transaction.places_on(request.at.platform)
    else:
        rows = [row for at in found if (row := transaction.place(*at)) is not None]
    tables = sorted({row.table_id for row in rows if row.table_id is not None})
    stood = {id: since for id in tables if (since := away_since(transaction, id)) is not None}
    for at in found:
        transaction.set_away(*at, None)
    for id, since in stood.items():
        if away_since(transaction, id) is None and (table := transaction.table(id)) is not None:
            _give_back(transaction, table, request.now - since, request.now)


def _places_named(request: InternalCommand, addresses: Sequence[str]) -> list[Place]:
    return [Place(request.at.platform, address) for address in addresses] or [request.at]


def away_since(transaction: Transaction, table: int) -> float | None:
    """Return since when none of a table's places can be reached; None if one can be, or if it has none."""
    found = []
    for row in transaction.places_of(table) if transaction.away or transaction.state.away else ():
        either = (transaction.away_since(row.platform, address) for address in (WHOLE, row.address))
        since = min((one for one in either if one is not None), default=None)
        if since is None:
            return None
        found.append(since)
    return max(found, default=None)


def _give_back(transaction: Transaction, table: Table, lost_s: float, now: float) -> None:
    """Give a table's clock back the time lost, at most up to a full clock; nothing for a mere moment."""
    if table.round.deadline is None or table.round.waits is not None or is_lost(table):
        return
    if lost_s < A_MOMENT_S and table.round.deadline > now + A_MOMENT_S:
        return
    changes = {
        name: min(now, since + lost_s)
        for name, since in (("started", table.round.started), ("extended", table.round.extended))
        if since is not None
    }
    deadline = min(table.round.deadline + lost_s, now + _clock_of(table))
    transaction.set_table(table.change_round(deadline=max(now, deadline), **changes))


def _clock_of(table: Table) -> float:
    """Return the full length of the clock that runs now, in seconds."""
    if table.round.hand is not None:
        if table.round.extended is not None:
            return playing.TIME_BANK_S if table.tournament is None else playing.TOURNAMENT_BANK_S
        return decision_s(table)
    if table.round.started is None:
        return opening.SLEEP_AFTER_S
    return hooks_of(table).bets_s(table)


@internal_command("move")
def move(request: InternalCommand) -> None:
    """Change the address of a place, as its platform reports: `ADDRESS`."""
    row, address = request.row, request.args[0]
    if row is None or request.transaction.place(row.platform, address) is not None:
        return
    request.transaction.set_place(row._replace(address=address))
    request.transaction.set_place(row._replace(table_id=None))


def _name(place: Place) -> str:
    return f"{place.platform}:{place.address}"


def remember_casino(transaction: Transaction, command: Command, player: Player, casino: int) -> Player:
    """Remember the casino that a player used, for their private chats; the lounge has no private chats."""
    if is_room(command.place) or is_own(command.place):
        return player
    known, seen = player.state.casinos, transaction.seen_last[player.id]
    if seen.casino != casino:
        transaction.note_seen(seen._replace(casino=casino))
    return player if casino in known else transaction.set_player(player.change(casinos=tuple(sorted({*known, casino}))))


def internal_command_of(key: str, place: Place, verb: str, *args: str) -> Command:
    """Make a command of the casino itself."""
    return Command(key, Who(HOUSE, "", "Ridotto"), place, verb, args)
