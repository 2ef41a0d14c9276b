"""Standing orders: the move to make when a player's time runs out (CS10, UT17, BJ6).

A move by an order is written as that move, never as a time-out. A move that the player could not make, for
lack of chips or because of a limit, no order makes either.
"""

from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.registry import Request, answer_with, command
from bot.core.commands.words import find_word
from bot.core.players import self_limits
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.felt import Move, Offers, Word, find_offer
from storage import ledger


def standing_move(transaction: Transaction, table: Table, seat: str, now: float) -> Move | None:
    """Return the move of the player's standing order, if they have one, can pay for it, and their limits allow it."""
    hand, player = table.round.hand, table.owners()[seat]
    member = transaction.member(table.casino, player)
    name = member.state.standing.get(table.game) if member else None
    order = table.plays.orders.get(name or "")
    if hand is None or order is None:
        return None
    offers = hand.asks[seat]
    word, _space, argument = order(seat, offers, hand.cards(seat)).partition(" ")
    choice = Move(seat, word, argument)
    if cost_of(offers, choice) > transaction.balance(ledger.wallet(table.casino, player)):
        return None
    return choice if self_limits.may_risk(transaction, player, risk_of(table, offers, choice), now) else None


def cost_of(offers: Offers, choice: Move) -> int:
    """Return the cost of a move; 0 if it is not offered."""
    offer = find_offer(offers, choice)
    return 0 if offer is None else offer.cost(choice.argument)


def risk_of(table: Table, offers: Offers, choice: Move) -> int:
    """Return what a move adds to the chips at risk: the bet that had to follow is counted from the ante on."""
    offer, spot = find_offer(offers, choice), table.plays.follow_up.spot
    counted = table.follow_up(choice.seat) if offer is not None and offer.spot and offer.spot == spot else 0
    return cost_of(offers, choice) - counted


@command("standing", Text("Set the move that is made when your time runs out"), group="play", usage="ORDER|off")
def standing(request: Request) -> Answer:
    """Set a standing order for all tables of this game in the casino: `ORDER` or `off` (CS10)."""
    orders = request.table.plays.orders
    if not orders:
        raise Refused("This game has no standing orders.")
    choices = tuple(Choice(Text("{order}", order=Word(name)), "standing", (name,), True) for name in (*orders, "off"))
    if not request.args:
        order = request.member.state.standing.get(request.table.game, "")
        now = Text("If your time runs out: {order}.", order=order)
        told = (
            now
            if order
            else Text(
                "If your time runs out, you make the move that costs nothing. To do something else, choose an order:"
            )
        )
        return Answer((told,), choices=tuple(one for one in choices if one.args != (order or "off",)))
    wanted = find_word(" ".join(request.args), (*orders, "off"), "order")
    if wanted is None:
        raise Refused("Choose one of: {orders}, or off.", orders=", ".join(orders)).offering(choices)
    kept = {game: name for game, name in request.member.state.standing.items() if game != request.table.game}
    if wanted != "off":
        kept[request.table.game] = wanted
    request.transaction.set_member(request.member.change(standing=kept))
    return answer_with("If your time runs out: {order}.", order=wanted)
