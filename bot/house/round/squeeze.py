"""Turning cards oneself: asking for it before the deal, doing it after; an inspector decides between equals."""

from bot.house.people import linking
from bot.house.round import betting, playing
from bot.house.round.turning import TURN_S, UNDECIDED, after, decide_for, highest_on, is_known
from bot.house.speech.command import Answer, Refused
from bot.house.speech.naming import take_player
from bot.house.speech.registry import Request, say, verb
from bot.house.state.table import Table
from bot.texts import Text
from engine.felt import Word

_NOBODY_TURNS = "In this game nobody turns cards himself."


@verb("squeeze", Text("Ask to turn the cards, and turn them"), group="play", usage="[POSITION]")
def squeeze(request: Request) -> Answer:
    """Before the deal it asks for the right of the highest main bet; after it, it turns a position's cards."""
    table = request.table
    clause = table.plays.turned.clause
    if not table.plays.turned.waves:
        raise Refused(_NOBODY_TURNS)
    if table.turning:
        return _turn(request, table)
    table = betting.taking_bets(request)
    if not betting.options_of(request.paper, table).squeeze:
        raise Refused("At this table the dealer turns the cards.", clause)
    me, asked = request.player.id, table.wants_to_turn
    if me in asked:
        request.paper.set_table(table.change(wants_to_turn=tuple(one for one in asked if one != me)))
        return say("The dealer turns your cards.")
    request.paper.set_table(table.change(wants_to_turn=(*asked, me)))
    return say("You turn the cards of each position where your main bet is the highest.")


@verb(
    "table turner",
    Text("Of equal highest bets, say who turns the cards of a position"),
    group="inspectors",
    usage="POSITION PLAYER [REASON]",
)
def decide(request: Request) -> Answer:
    """PJ12: "an inspector decides within that time, else the dealer turns them"; he may have no bet there himself."""
    table, paper, clause = request.table, request.paper, request.table.plays.turned.clause
    if not table.plays.turned.waves:
        raise Refused(_NOBODY_TURNS)
    if len(request.args) < 2:
        such = table.plays.turned.turns[0].position
        raise Refused("Name the position and the player: {such} anna.", clause, such=such)
    position = request.args[0].lower()
    if table.turning.get(position) != UNDECIDED or not is_known(table, position):
        raise Refused("No cards wait for an inspector's decision there.", clause)
    player, rest = take_player(request, 1)
    spot = next(turn.spot for turn in table.plays.turned.turns if turn.position == position)
    equals = [one for one in highest_on(table.bets, spot) if one in table.wants_to_turn]
    if any(linking.are_one(paper, one, request.player.id) for one in equals):
        raise Refused("Your bet is one of them: another inspector decides.", clause)
    if player not in equals:
        names = ", ".join(paper.player(one).name for one in equals)
        raise Refused("One of these turns them: {names}.", clause, names=names)
    name = paper.player(player).name
    told = Text(
        "An inspector decided that {name} turns the cards of {position} ({clause}).",
        "",
        name=name,
        position=Word(position),
        clause=clause,
    )
    # At a table whose place is lost who turns them cannot see them yet (G10): the day's wait stands.
    deadline = table.deadline if table.lost else request.now + TURN_S
    turning = decide_for(table, position, player)
    paper.set_table(table.change(turning=turning, deadline=deadline).tell(told, request.now))
    subject = table.audited("hand", table.hand_id, position, "player", player)
    paper.audit(request.now, table.casino, request.player.id, "table turner", subject, request.remark(rest))
    return say("{name} turns the cards of {position}.", name=name, position=Word(position))


def _turn(request: Request, table: Table) -> Answer:
    due = (turn.position for turn in table.plays.turned.due(table.turning))
    mine = [position for position in due if table.turning[position] == request.player.id]
    wanted = request.args[0].lower() if request.args else next(iter(mine), "")
    if wanted not in mine:
        raise Refused("You have no cards to turn there.", table.plays.turned.clause)
    table = after(table, wanted, request.now)
    if table.turning:
        request.paper.set_table(table)
    else:
        playing.settle(request.paper, table, request.now, request.entropy(32))
    return say("You turned {position}.", position=Word(wanted))
