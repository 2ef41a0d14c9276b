"""Where a casino speaks: communities that arrive, places that are lost, found again or moved (G10).

Adapters tell the floor of these things as commands of the house itself, so that nobody can type them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.floor import betting, inspectors, meter, squeeze, stacks
from bot.floor.command import Answer, Command, Place, Refused, Who
from bot.floor.house import Casino, Paper, Player
from bot.floor.table import PACES, Table
from engine.hand import GAMES
from storage.rows import CasinoRow, NoteRow, PlaceRow

# The platform of the house's own commands: no adapter vouches for anybody there.
HOUSE = "house"
# The address of a chat with one person.
PRIVATE = ""
# A dealt hand waits for its place or another, at most a day (G10).
WAITS_S = 24 * 3600.0


@dataclass
class Errand:
    paper: Paper
    command: Command
    now: float
    entropy: Callable[[int], bytes]

    @property
    def at(self) -> Place:
        return self.command.place

    @property
    def args(self) -> tuple[str, ...]:
        return self.command.args

    @property
    def row(self) -> PlaceRow | None:
        return self.paper.place(*self.at)


ERRANDS: dict[str, Callable[[Errand], None]] = {}


def errand(name: str) -> Callable[[Callable[[Errand], None]], Callable[[Errand], None]]:
    def declare(run: Callable[[Errand], None]) -> Callable[[Errand], None]:
        ERRANDS[name] = run
        return run

    return declare


def tend(paper: Paper, command: Command, now: float, entropy: Callable[[int], bytes]) -> Answer:
    ERRANDS[command.verb](Errand(paper, command, now, entropy))
    return Answer()


def find(paper: Paper, command: Command) -> PlaceRow | None:
    """The place that a command speaks from; a private chat speaks for the casino that the person used last."""
    if is_own(command.place):
        return _own_place(paper, command)
    if command.place.address != PRIVATE:
        return paper.place(*command.place)
    player = paper.identity(command.who.platform, command.who.account)
    home = _speaks_for(paper, player)
    if player is None or home is None:
        raise Refused("Play in a server or a group first: a private chat speaks for the casino that you used last.")
    stranded = (table for table in paper.all_tables().values() if table.casino == home and is_lost(table))
    held = next((table.id for table in stranded if player in table.owners().values()), None)
    return PlaceRow(command.place.platform, PRIVATE, home, held)


def is_own(place: Place) -> bool:
    """A chat with one person where he may have a table of his own against the bank: "@" and a number."""
    return place.address.startswith("@")


def _speaks_for(paper: Paper, player: int | None) -> int | None:
    """The casino that he used last, or the one that it has joined since: his wallet in the old one is frozen."""
    home = paper.player(player).state.get("casino") if player is not None else None
    joined: int | None = paper.casino(home).get("joined", None) if home is not None else None
    return joined or home


def _own_place(paper: Paper, command: Command) -> PlaceRow | None:
    """While money lies on his own table the chat speaks for its casino, then for the one that he used last."""
    row = paper.place(*command.place)
    player = paper.identity(command.who.platform, command.who.account)
    home = _speaks_for(paper, player)
    table = paper.table(row.table_id) if row is not None and row.table_id else None
    if row is None or home in (None, row.casino) or (table is not None and (table.bets or table.play is not None)):
        return row
    return row._replace(casino=home, table_id=None)


def is_lost(table: Table) -> bool:
    return bool(table.memory.get("lost"))


# Communities


@errand("arrive")
def arrive(errand: Errand) -> None:
    """`NAME LANGUAGE`: a community (a server, a group) starts with a casino of its own; twice changes nothing."""
    if errand.row is not None:
        return
    name, language = errand.args
    id = errand.paper.next_id(CasinoRow)
    casino = errand.paper.set_casino(Casino(id, name[:100] or "?", {"language": language}, errand.now))
    meter.found_meter(errand.paper, casino, errand.now)
    errand.paper.set_place(PlaceRow(errand.at.platform, errand.at.address, id, None))


@errand("enter")
def enter(errand: Errand) -> None:
    """`COMMUNITY`: a place of a community that is known, still without a table."""
    if errand.row is None and (home := errand.paper.place(errand.at.platform, errand.args[0])) is not None:
        errand.paper.set_place(PlaceRow(errand.at.platform, errand.at.address, home.casino, None, home.home))


@errand("call on")
def call_on(errand: Errand) -> None:
    """`ACCOUNT NAME LANGUAGE`: somebody writes in private; who has used no casino yet gets one of his own."""
    account, name, language = errand.args
    if errand.row is not None:
        return
    player = errand.paper.identity(errand.at.platform, account)
    home = _speaks_for(errand.paper, player)
    if home is None:
        arrive(replace(errand, command=errand.command._replace(args=(name, language))))
    else:
        errand.paper.set_place(PlaceRow(errand.at.platform, errand.at.address, home, None))


@errand("open own")
def open_own(errand: Errand) -> None:
    """`GAME LANGUAGE`: a table in one person's own place, against the bank; one that is open there closes."""
    game, language = errand.args
    row, paper = errand.row, errand.paper
    if row is None or game not in GAMES:
        raise Refused("Name the game: {games}.", None, games=", ".join(GAMES))
    if game == "stud":
        raise Refused("7 Card Stud is played between people: play it in a group.", "SH1")
    table = paper.table(row.table_id) if row.table_id else None
    if table is not None and (table.bets or table.play is not None):
        raise Refused("Play this hand first, or take your bets back.")
    if table is not None:
        paper.set_table(table.change(status="closed", seats={}, deadline=None))
    casino = paper.casino(row.casino)
    inspectors.open_table(paper, casino.id, game, errand.at, errand.now, errand.entropy(32), language=language)


@errand("note")
def note(errand: Errand) -> None:
    """`NAME VALUE`: what an adapter keeps of its platform."""
    name, value = errand.args
    errand.paper.put(NoteRow(errand.at.platform, name, value))


@errand("entrust")
def entrust(errand: Errand) -> None:
    """`ROLE ACCOUNT`: who has this role of the platform is an inspector; the account decided so."""
    if errand.row is None:
        return
    casino = errand.paper.casino(keeper_of(errand.row))
    before = casino.get("roles", {})
    role, account = errand.args
    errand.paper.set_casino(casino.change(roles={**before, errand.at.platform: role}))
    who = errand.paper.identity(errand.at.platform, account) or 0
    errand.paper.audit(errand.now, errand.row.casino, who, "inspector role", errand.at.address, "", before, role)


# Places


@errand("posted")
def posted(errand: Errand) -> None:
    """`MESSAGE`: the table's message at this place, to be found again after a restart."""
    if errand.row is not None:
        casino = errand.paper.casino(keeper_of(errand.row))
        errand.paper.set_casino(
            casino.change(messages={**casino.get("messages", {}), _name(errand.at): errand.args[0]})
        )


def keeper_of(row: PlaceRow) -> int:
    """The casino that keeps a place's messages and roles: the community's own, wherever it has joined."""
    return row.home or row.casino


def message_at(casino: Casino, place: Place) -> str | None:
    found: dict[str, str] = casino.get("messages", {})
    return found.get(_name(place))


@errand("lose")
def lose(errand: Errand) -> None:
    """`[gone|all]`: the place is out of reach, or no more, or the whole community with all its places is no more."""
    if errand.row is None:
        return
    if errand.args == ("all",):
        rows = [row for row in errand.paper.all_places().values() if row.casino == errand.row.casino]
        rows = [row for row in rows if row.platform == errand.at.platform]
    else:
        rows = [errand.row]
    for row in rows:
        if row.table_id is not None:
            _lose_table(errand, row, is_gone=bool(errand.args))


def _lose_table(errand: Errand, row: PlaceRow, *, is_gone: bool) -> None:
    paper = errand.paper
    table = paper.table(row.table_id or 0)
    if is_gone:
        paper.set_place(row._replace(table_id=None))
        casino = paper.casino(keeper_of(row))
        messages = dict(casino.get("messages", {}))
        if messages.pop(_name(Place(row.platform, row.address)), None):
            paper.set_casino(casino.change(messages=messages))
    elsewhere = (one for one in paper.all_places().values() if one.table_id == row.table_id and one != row)
    if table is None or table.status == "closed" or any(elsewhere) or (is_lost(table) and not is_gone):
        return
    _strand(paper, table, errand.now, is_gone=is_gone)


def _strand(paper: Paper, table: Table, now: float, *, is_gone: bool) -> None:
    """Bets not yet dealt come back; a dealt hand waits, then ends by its time-outs (G10)."""
    lost = table.memory.get("lost") or {"at": now, "status": table.status}
    if table.play is not None:
        status = "closing" if is_gone else "paused"
        paper.set_table(table.change(status=status, deadline=now + WAITS_S, extended=None).remember(lost=lost))
        return
    table = betting.return_all_bets(paper, table, now, "place lost")
    if is_gone:
        table = stacks.close_table(paper, table, now).change(status="closed", seats={})
    else:
        table = table.change(status="paused")
    paper.set_table(table.change(started=None, deadline=None).remember(lost=lost))


@errand("regain")
def regain(errand: Errand) -> None:
    """The place can be reached again: it goes on as it was, with a new clock (experience: lost time is given back)."""
    table = errand.paper.table(errand.row.table_id) if errand.row and errand.row.table_id else None
    if table is not None and is_lost(table) and table.status != "closed":
        _go_on(errand.paper, table, errand.now, table.memory["lost"]["status"])


def take_over(paper: Paper, casino: int, game: str, place: Place, now: float) -> Table | None:
    """A hand whose place is gone goes on at another, where somebody opens a table of its game (G10)."""
    tables = paper.all_tables().values()
    waiting = [table for table in tables if (table.casino, table.game, table.status) == (casino, game, "closing")]
    table = next((table for table in waiting if is_lost(table)), None)
    if table is None:
        return None
    paper.set_place(PlaceRow(place.platform, place.address, casino, table.id))
    return _go_on(paper, table, now, "open")


def _go_on(paper: Paper, table: Table, now: float, status: str) -> Table:
    table = table.change(status=status, extended=None).remember(lost=None)
    if table.play is not None:
        wait = squeeze.TURN_S if table.turning else PACES[table.settings.pace]
        return paper.set_table(table.change(deadline=now + wait))
    return paper.set_table(stacks.wake(paper, betting.wind_clock(table, now), now))


@errand("move")
def move(errand: Errand) -> None:
    """`ADDRESS`: the platform gave the place a new address."""
    row, address = errand.row, errand.args[0]
    if row is None or errand.paper.place(row.platform, address) is not None:
        return
    errand.paper.set_place(row._replace(address=address))
    errand.paper.set_place(row._replace(table_id=None))


def _name(place: Place) -> str:
    return f"{place.platform}:{place.address}"


def remember_casino(paper: Paper, command: Command, player: Player, casino: int) -> Player:
    """What a private chat of his will speak for; the lounge has no private chats."""
    if command.place.platform in ("web", "guest") or is_own(command.place) or player.state.get("casino") == casino:
        return player
    return paper.set_player(player.change(casino=casino))


def errand_of(key: str, place: Place, verb: str, *args: str) -> Command:
    """A command of the house itself."""
    return Command(key, Who(HOUSE, "", "Ridotto"), place, verb, args)
