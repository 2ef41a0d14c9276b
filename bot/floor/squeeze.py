"""Paiju's cards in hand, and its non-betting coup (PJ12, PJ13).

`table.memory["squeeze"]` lists who asked to turn cards in the coming coup. The hand is dealt and decided already; until
the cards are turned nothing of them is shown but to who turns them, and nothing is paid.
"""

from typing import Any

from bot.floor import betting, playing
from bot.floor.command import Answer, Confirm, Refused
from bot.floor.registry import Request, say, verb
from bot.floor.table import Bet, Table
from bot.texts import Text
from engine.felt import Word

TURN_S = 15.0
POSITIONS = ("south", "west", "north")


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
    """Who turns which position: the highest main bet on it, if he asked. Among equals the dealer turns them."""
    if table.game != "paiju" or table.turning or table.play is None:
        return {}
    options: Any = table.play.deal.options
    if not options.squeeze:
        return {}
    asked = table.memory.get("squeeze", [])
    return {position: player for position in POSITIONS if (player := _highest(table.bets, position)) in asked}


def _highest(bets: tuple[Bet, ...], position: str) -> int:
    amounts = sorted(((bet.spots.get(position, 0), bet.player) for bet in bets), reverse=True)
    if not amounts[0][0] or (len(amounts) > 1 and amounts[0][0] == amounts[1][0]):
        return 0
    return amounts[0][1]


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
    betting.open_anew(paper, table, request.now, request.entropy(32))
    paper.audit(request.now, table.casino, request.player.id, "noncoup", f"hand {hand_id}", reason)
    return say("A non-betting coup: every bet came back, a new deck is committed.")
