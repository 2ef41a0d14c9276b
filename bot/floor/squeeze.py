"""Paiju's cards in hand, and its non-betting coup (PJ12, PJ13).

`table.memory["squeeze"]` lists who asked to turn cards in the coming coup. The hand is dealt and decided already; until
the cards are turned nothing of them is shown but to who turns them, and nothing is paid. In `table.turning` nobody (0)
turns a position whose highest bets are equal, until an inspector decides.
"""

from typing import Any

from bot.floor import betting, persons, playing
from bot.floor.command import Answer, Confirm, Refused
from bot.floor.registry import Request, say, verb
from bot.floor.table import Bet, Table
from bot.floor.words import take_player
from bot.texts import Text
from engine.felt import Word

TURN_S = 15.0
POSITIONS = ("south", "west", "north")
UNDECIDED = 0


@verb("squeeze", Text("Ask to turn the cards, and turn them"), group="play", usage="[POSITION]")
def squeeze(request: Request) -> Answer:
    """Before the deal it asks for the right of the highest main bet; after it, it turns a position's cards."""
    table = request.table
    if table.game != "paiju":
        raise Refused("Only paiju has cards in hand.", "PJ12")
    if table.turning:
        return _turn(request, table)
    table = betting.taking_bets(request)
    if not betting.options_of(request.paper, table).squeeze:
        raise Refused("At this table the dealer turns the cards.", "PJ12")
    asked = table.memory.get("squeeze", [])
    if request.player.id in asked:
        request.paper.set_table(table.remember(squeeze=[one for one in asked if one != request.player.id]))
        return say("The dealer turns your cards.")
    request.paper.set_table(table.remember(squeeze=[*asked, request.player.id]))
    return say("You turn the cards of each position where your main bet is the highest.")


def turners(table: Table) -> dict[str, int]:
    """Who turns which position: the highest main bet on it, if he asked. Among equals an inspector may decide."""
    if table.game != "paiju" or table.turning or table.play is None:
        return {}
    options: Any = table.play.deal.options
    if not options.squeeze:
        return {}
    asked = table.memory.get("squeeze", [])
    found = {}
    for position in POSITIONS:
        highest = _highest(table.bets, position)
        if any(player in asked for player in highest):
            found[position] = highest[0] if len(highest) == 1 else UNDECIDED
    return found


def _highest(bets: tuple[Bet, ...], position: str) -> list[int]:
    """Whose main bet on a position is the highest: several when they are equal, nobody without one."""
    most = max((bet.spots.get(position, 0) for bet in bets), default=0)
    return [bet.player for bet in bets if most and bet.spots.get(position, 0) == most]


@verb(
    "table turner",
    Text("Of equal highest bets, say who turns the cards of a position"),
    group="inspectors",
    usage="POSITION PLAYER [REASON]",
)
def decide(request: Request) -> Answer:
    """PJ12: "an inspector decides within that time, else the dealer turns them"; he may have no bet there himself."""
    table, paper = request.table, request.paper
    position = request.argument(0, "Name the position and the player: south anna.").lower()
    request.argument(1, "Name the position and the player: south anna.")
    if table.turning.get(position) != UNDECIDED:
        raise Refused("No cards wait for an inspector's decision there.", "PJ12")
    player, rest = take_player(request, 1)
    asked = table.memory.get("squeeze", [])
    equals = [one for one in _highest(table.bets, position) if one in asked]
    if any(persons.are_one(paper, one, request.player.id) for one in equals):
        raise Refused("Your bet is one of them: another inspector decides.", "PJ12")
    if player not in equals:
        names = ", ".join(paper.player(one).name for one in equals)
        raise Refused("One of these turns them: {names}.", "PJ12", names=names)
    name = paper.player(player).name
    told = Text("An inspector decided that {name} turns the cards of {position} (PJ12).", "", name=name,
                position=Word(position))  # fmt: skip
    turning = {**table.turning, position: player}
    paper.set_table(table.change(turning=turning, deadline=request.now + TURN_S).tell(told, request.now))
    subject = f"hand {table.hand_id} {position} player {player}"
    paper.audit(request.now, table.casino, request.player.id, "table turner", subject, request.remark(rest))
    return say("{name} turns the cards of {position}.", name=name, position=Word(position))


def _turn(request: Request, table: Table) -> Answer:
    mine = [position for position, player in table.turning.items() if player == request.player.id]
    wanted = request.args[0].lower() if request.args else next(iter(mine), "")
    if wanted not in mine:
        raise Refused("You have no cards to turn there.", "PJ12")
    left = {position: player for position, player in table.turning.items() if position != wanted}
    if left:
        request.paper.set_table(table.change(turning=left))
    else:
        playing.settle(request.paper, table.change(turning={}), request.now, request.entropy(32))
    return say("You turned {position}.", position=Word(wanted))


@verb("noncoup", Text("Play a coup without bets: every bet comes back"), group="inspectors", usage="REASON")
def non_coup(request: Request) -> Answer:
    """PJ13: cards that were shown before the bets are used up; only before "Nulla va più"."""
    table = betting.taking_bets(request)
    if table.game != "paiju":
        raise Refused("Only paiju has a non-betting coup.", "PJ13")
    reason = request.reason(0)
    if not request.command.confirmed:
        raise Confirm("The cards of hand {hand} are used up and every bet comes back. Do it?", hand=str(table.hand_id))
    paper, hand_id = request.paper, table.hand_id
    table = betting.return_all_bets(paper, table, request.now, "non-betting coup")
    told = Text("A non-betting coup (PJ13): every bet came back, a new deck is committed.")
    betting.open_anew(paper, table.tell(told, request.now), request.now, request.entropy(32))
    paper.audit(request.now, table.casino, request.player.id, "noncoup", f"hand {hand_id}", reason)
    return say("A non-betting coup: every bet came back, a new deck is committed.")
