"""`/notify`: one notice on request when a seat is free at a table, or when many people play there.

Law: only people who asked get a notice, and each request brings one.
"""

from collections.abc import Callable

from bot.core.commands.command import Answer, Choice, Refused, Where
from bot.core.commands.internal_commands import InternalCommand, internal_command
from bot.core.commands.registry import Request, answer_with, command
from bot.core.commands.words import find_word
from bot.core.rounds.betting import BELL, has_seat
from bot.core.rounds.cash_table import MISSED_HANDS, RETURNED, STANDS_STILL_S
from bot.core.rounds.sealed_bets import tournament_of
from bot.core.rounds.tournament_table import SEATED, STARTS
from bot.core.state.lounge import is_room
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.texts import Text, Timestamp

(SEAT,), HOT, OFF = BELL.args, "hot", "off"
_KINDS = {SEAT: Text("When a seat is free"), HOT: Text("When many people play"), OFF: Text("No message")}
# Number of players at which a table counts as busy.
MANY, MOST_WAITING = 3, 50


@command(
    "notify",
    Text("Get one message when a seat is free or many people play"),
    group="me",
    usage="seat|hot|off",
)
def notify(request: Request) -> Answer:
    """Ask for a notice, or take both back at this table with `off`; anything else is answered with the choices.

    A page of the lounge shows how many people play, so that only a free seat is worth a notice there.
    """
    table, player = request.table, request.player.id
    is_page = is_room(request.command.place)
    kinds = (SEAT, OFF) if is_page else (SEAT, HOT, OFF)
    word = find_word(request.args[0], kinds) if request.args else None
    if word is None:
        return Answer(
            (Text("When do you want one message about this table?"),),
            refused=bool(request.args),
            choices=tuple(Choice(_KINDS[kind], "notify", (kind,), True) for kind in kinds),
        )
    if word == OFF:
        request.transaction.set_table(table.without_notice(player, SEAT, HOT))
        return answer_with("You get no messages about this table.")
    if table.status in ("closing", "closed"):
        raise Refused("This table is closed.")
    if word == SEAT:
        _check_needs_seat(table, player)
    waiting = [one for one in table.notify.get(word, ()) if one != player]
    if len(waiting) >= MOST_WAITING:
        raise Refused("The waiting list is full: at most {n} people. Try again later.", n=MOST_WAITING)
    request.transaction.set_table(table.change(notify={**table.notify, word: (*waiting, player)}))
    if word == SEAT and is_page:
        return answer_with(
            "This page tells you once when a seat is free, as long as the lounge stays open or may notify you."
        )
    if word == SEAT:
        return answer_with("You get one message here when a seat is free.")
    return answer_with("You get one message here when {n} or more people play.", n=MANY)


def _check_needs_seat(table: Table, player: int) -> None:
    """Raise Refused where a notice of a free seat would never come, or is not needed."""
    if table.tournament is not None:
        raise Refused("Seats of a tournament are drawn. Register with /tournament join.")
    if (seat := table.seat_of(player)) is not None:
        raise Refused("You already have seat {seat}.", "G9", seat=seat)
    if has_seat(table):
        raise Refused("A seat is free.").offering([_way_to_seat(table)])


def _way_to_seat(table: Table) -> Choice:
    """Take a seat by a press; where that costs a stack, go to the table, whose buttons name the price."""
    if table.plays.seating is Seating.STACKS:
        return Choice(Text("To the table"), where=Where(table.id))
    return Choice(Text("Take a seat"), "sit")


@internal_command("noticed")
def noticed(request: InternalCommand) -> None:
    """Claim a notice before it is sent: `KIND PLAYER...`. Refused if another platform was faster."""
    kind, players = request.args[0], [int(one) for one in request.args[1:]]
    table = (
        request.transaction.table(request.row.table_id) if request.row is not None and request.row.table_id else None
    )
    if table is None or not {*players} <= {*table.notify.get(kind, ())}:
        raise Refused("There is nothing to answer.")
    for player in players:
        table = table.without_notice(player, kind)
    request.transaction.set_table(table)


def due(table: Table, reaches: Callable[[int], bool] = lambda player: True) -> tuple[str, int] | None:
    """Return the notice to send now, or None: a free seat goes to the one who has waited longest, does not play here,
    and whom the platform `reaches`.
    """
    there = table.players() | set(table.owners().values())
    kinds = [SEAT] if has_seat(table) else []
    if table.round.hand is not None and len(set(table.owners().values())) >= MANY:
        kinds.append(HOT)
    waiting = ((kind, player) for kind in kinds for player in table.notify.get(kind, ()) if player not in there)
    return next(((kind, player) for kind, player in waiting if reaches(player)), None)


def say_notice(kind: str, table: Table, name: str) -> Text:
    """Write a notice to a player, or to several; `name` may be their mentions."""
    if kind == SEATED:
        return Text("{name}: you play at table {number} now.", name=name, number=table.number)
    if kind == STARTS:
        when = Timestamp(tournament_of(table).starts_at)
        return Text("{name}: tournament {number} starts on {when}.", name=name, number=table.number, when=when)
    if kind == RETURNED:
        return Text(
            "{name}: you sat out for {n} hands or {minutes} minutes, so your stack is back in your wallet.",
            name=name,
            n=MISSED_HANDS,
            minutes=round(STANDS_STILL_S / 60),
        )
    if kind == SEAT and table.plays.seating is Seating.STACKS:
        return Text(
            "{name}: a seat is free at table {number}. Take it within a minute.", name=name, number=table.number
        )
    if kind == SEAT:
        return Text("{name}: a seat is free at table {number}.", name=name, number=table.number)
    return Text("{name}: table {number} is busy.", name=name, number=table.number)
