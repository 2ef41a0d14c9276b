"""Standing orders: what a player wants played when his time runs out (CS10, UT17, BJ6).

The move that an order plays is written as that move, never as a time-out.
"""

from collections.abc import Callable, Mapping, Sequence

from bot.floor.command import Answer, Refused
from bot.floor.house import Paper
from bot.floor.registry import Request, say, verb
from bot.floor.table import Table
from bot.texts import Text
from engine import blackjack, poker, uth
from engine.felt import Move, Offers
from engine.poker import category, rank
from storage import ledger

Order = Callable[[str, Offers, Mapping[str, Sequence[str]]], str]


def raise_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[str]]) -> str:
    """CS10: "raise with a pair or better, else fold"."""
    return "raise" if category(rank(cards[seat])) >= poker.PAIR else "fold"


def play_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[str]]) -> str:
    """UT17: "on the river play 1 with a pair or better that uses a hole card, else fold"; before it, check."""
    if any(offer.word == "check" for offer in offers):
        return "check"
    return "play 1" if uth.has_hidden_pair(list(cards[seat]), list(cards["board"])) else "fold"


def stand_on(total: int) -> Order:
    """BJ6: an instruction; draw below the total, insure nothing."""

    def order(seat: str, offers: Offers, cards: Mapping[str, Sequence[str]]) -> str:
        words = {offer.word for offer in offers}
        if "decline" in words:
            return "decline"
        now = blackjack.count(cards[offers[0].on or seat])[0]
        return "hit" if now < total and "hit" in words else "stand"

    return order


ORDERS: dict[str, dict[str, Order]] = {
    "caribbean": {"raise-pairs": raise_pairs},
    "uth": {"play-pairs": play_pairs},
    "blackjack": {f"stand-{total}": stand_on(total) for total in range(12, 19)},
}


def standing_move(paper: Paper, table: Table, seat: str) -> Move | None:
    """What the player's order plays here, if he has one and can pay for it."""
    hand, player = table.play, table.owners()[seat]
    member = paper.member(table.casino, player)
    name = member.state.get("standing", {}).get(table.game) if member else None
    order = ORDERS.get(table.game, {}).get(name or "")
    if hand is None or order is None:
        return None
    offers = hand.asks[seat]
    word, _space, argument = order(seat, offers, hand.cards(seat)).partition(" ")
    cost = sum(offer.stake for offer in offers if (offer.word, offer.argument) == (word, argument))
    if cost > paper.balance(ledger.wallet(table.casino, player)):
        return None
    return Move(seat, word, argument)


@verb("standing", Text("What is played when your time runs out"), group="play", usage="ORDER|off")
def standing(request: Request) -> Answer:
    orders = ORDERS.get(request.table.game, {})
    if not orders:
        raise Refused("This game has no standing orders.")
    wanted = request.args[0].lower() if request.args else ""
    if wanted not in orders and wanted != "off":
        raise Refused("Say one of these: {orders}, or off.", None, orders=", ".join(orders))
    kept = {game: name for game, name in request.member.state.get("standing", {}).items() if game != request.table.game}
    if wanted != "off":
        kept[request.table.game] = wanted
    request.paper.set_member(request.member.change(standing=kept))
    return say("When your time runs out: {order}.", order=wanted)
