"""Sealed cuts: a page seals a cut while bets are open, and opens it once the close is in the log.

No chat has these commands: a chat cannot keep a secret of its player's. The opened cuts stay in the table until all of
them count, and nothing shows them before.
"""

from bot.core.commands.command import Answer, Refused
from bot.core.commands.registry import CommandSpec, Request
from bot.core.rounds import commitments, playing, shoe
from bot.core.rounds.betting import taking_bets
from bot.core.state.plays import Seating
from bot.texts import Text
from engine.fairness import shape
from engine.fairness.seals import seal as seal_cut

_is_hash = shape.is_hex(64)
_TOO_LATE = Text("Too late: the cuts of this hand are fixed.")


def seal(request: Request) -> Answer:
    """Store the seal of a cut that the player's page keeps secret: `SEAL COMMIT`. Repeating it changes nothing."""
    named, commit = _parse(request)
    table, player = taking_bets(request), request.player.id
    if commit != table.round.commit or shoe.goes_on(table):
        raise Refused(_TOO_LATE.template)
    has_stack = table.plays.seating is Seating.STACKS or table.tournament is not None
    if not (table.bets_of(player) or (has_stack and table.seat_of(player) is not None)):
        raise Refused("Place your bets first.")
    if (player, named) in table.round.seals:
        return Answer()
    if any(owner == player for owner, _seal in table.round.seals):
        raise Refused("Another page of yours has sealed a cut for this hand. The first one counts.")
    if any(owner == player for owner, _text in table.round.cuts):
        raise Refused("You have already cut this deck. The first cut counts.")
    if any(one == named for _owner, one in table.round.seals):
        raise Refused("Another player has this seal. Draw a new cut.")
    request.transaction.set_table(table.change_round(seals=(*table.round.seals, (player, named))))
    return Answer()


def open_cut(request: Request) -> Answer:
    """Open the cut of one's own seal after the close: `CUT COMMIT`. The last one deals the cards."""
    cut, commit = _parse(request)
    table, named = request.table, seal_cut(cut)
    if commit != table.round.commit or not table.awaits_cuts:
        raise Refused(_TOO_LATE.template)
    if (request.player.id, named) not in table.round.seals or named not in commitments.seals_of(table):
        raise Refused("This is not the cut of your seal.")
    if (named, cut) in table.round.openings:
        return Answer()
    table = request.transaction.set_table(table.change_round(openings=(*table.round.openings, (named, cut))))
    if not commitments.unopened_of(table):
        playing.settle_cuts(request.transaction, table, request.now, request.entropy(32))
    return Answer()


def _parse(request: Request) -> tuple[str, str]:
    if len(request.args) != 2 or not all(map(_is_hash, request.args)):
        raise Refused("That could not be read. Reload the page and press again.")
    return request.args[0], request.args[1]


SEAL = CommandSpec("seal", seal, Text("Seal a cut"), "play")
OPEN_CUT = CommandSpec("open-cut", open_cut, Text("Open a sealed cut"), "play")
