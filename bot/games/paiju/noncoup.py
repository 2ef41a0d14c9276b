"""The non-betting coup of paiju: cards that were shown before the bets are used up (PJ13)."""

from bot.core.commands.command import Answer, Refused
from bot.core.commands.registry import CommandFlag, Request, command, say
from bot.core.rounds import betting, commitments, opening
from bot.texts import Text
from engine.games.paiju import GAME


@command(
    "noncoup",
    Text("Play a coup without bets and return all bets"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="REASON",
    button=Text("Play a coup without bets"),
)
def non_coup(request: Request) -> Answer:
    """Call a non-betting coup: cards shown before the bets are used up; only before "Nulla va più" (PJ13)."""
    table = betting.taking_bets(request)
    if table.game != GAME.name:
        raise Refused("Only Paiju has a non-betting coup.", "PJ13")
    reason = request.reason(0)
    request.confirm("Use up the cards of hand {hand} and return all bets?", hand=str(table.round.hand_id))
    transaction, hand_id = request.transaction, table.round.hand_id
    table = betting.return_all_bets(transaction, table, request.now, "non-betting coup")
    told = Text("A non-betting coup (PJ13): all bets are returned, and a new deck is committed.")
    table = table.tell(told, request.now)
    opening.open_anew(transaction, table, request.now, request.entropy(32), commitments.NON_COUP)
    subject = table.audited("hand", hand_id)
    transaction.audit(request.now, table.casino, request.player.id, "noncoup", subject, reason)
    return say("A non-betting coup: all bets are returned, and a new deck is committed.")
