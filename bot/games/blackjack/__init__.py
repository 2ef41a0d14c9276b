"""Black Jack with boxes, co-players and Admiral Jack."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import MoveHelp, Order, Play, Seating
from bot.games.blackjack import boxes
from bot.games.blackjack.presenter import FELT, PRESENTER, STAGES, of_black_jack
from bot.games.blackjack.words import FIRST_HAND, TEXTS, double_here
from bot.games.building import bank_game
from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers
from engine.games.blackjack import count
from engine.games.blackjack_strategies import SIMULATION


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Describe a hand. Split hands are "1", "1.1"...: there an ace and a ten are 21 (BJ11)."""
    box = to.partition(".")[0]
    return of_black_jack(cards[to], is_split=any(name.startswith(f"{box}.") for name in cards))


def stand_on(total: int) -> Order:
    """Return an order that draws below the total and insures nothing (BJ6)."""

    def order(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
        words = {offer.word for offer in offers}
        if "decline" in words:
            return "decline"
        now = count(cards[offers[0].on or seat])[0]
        return "hit" if now < total and "hit" in words else "stand"

    return order


PLUGIN = bank_game(
    SIMULATION,
    Play(
        seats=7,
        seating=Seating.BOXES,
        takes_turns=True,
        private_cards=False,
        orders={f"stand-{total}": stand_on(total) for total in range(12, 19)},
        memory=boxes.BoxesMemory,
        moves={
            "hit": MoveHelp(Text("Take a card"), done=Text("You took a card."), label=Text("Hit"), did="drew"),
            "stand": MoveHelp(Text("Take no more cards"), done=Text("You stand."), label=Text("Stand"), did="stands"),
            "double": MoveHelp(
                Text("Double the bet for one card"),
                here=double_here,
                done=Text("Doubled for {cost}: one card, then you stand."),
                label=Text("Double"),
                did="doubled",
            ),
            "split": MoveHelp(
                Text("Split two cards of equal value"),
                done=Text("Split for {cost}: each hand has its own bet."),
                label=Text("Split"),
                did="has split",
            ),
            "insure": MoveHelp(
                Text("Insure against the dealer's Black Jack"),
                "AMOUNT",
                done=Text("Insured for {cost}. It pays 2 to 1 if the dealer has Black Jack; otherwise it is lost."),
                label=Text("Insure"),
                did="insured",
            ),
            "decline": MoveHelp(
                Text("Take no insurance"),
                done=Text("You declined insurance."),
                label=Text("No insurance"),
                did="declined",
            ),
            "stay": MoveHelp(
                Text("Stop following the box holder"),
                done=Text("You no longer follow the box holder."),
                label=Text("Don't follow"),
                did="stays",
            ),
        },
        describe_hand=describe_hand,
    ),
    TEXTS,
    FIRST_HAND,
    rank=40,
    presenter=PRESENTER,
    felt=FELT,
    stages=STAGES,
    hooks=replace(
        PLAIN,
        sit=boxes.sit,
        seat_of_bet=boxes.take_box,
        check_seat=boxes.check_box,
        before_deal=boxes.fix_holders,
        after_deal=boxes.return_cut_bets,
        before_move=boxes.stays_for_lack,
    ),
    commands=(boxes.refuse_boxes, boxes.follow),
)
