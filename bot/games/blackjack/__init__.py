"""Black Jack with boxes, co-players and Admiral Jack."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.commands.company import Guest, bet_little
from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import NO_FOLLOW_UP, NO_REVEALS, MoveHelp, Order, Play, Seating
from bot.games.blackjack import boxes
from bot.games.blackjack.first_hand import FIRST_HAND
from bot.games.blackjack.hand_description import describe_hand
from bot.games.blackjack.presenter import FELT, PRESENTER, STAGES
from bot.games.blackjack.words import TEXTS, double_here
from bot.games.plugin import GamePlugin
from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers
from engine.games.blackjack import GAME, count
from engine.games.blackjack_strategies import SIMULATION


def stand_on(total: int) -> Order:
    """BJ6: an instruction; draw below the total, insure nothing."""

    def order(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
        words = {offer.word for offer in offers}
        if "decline" in words:
            return "decline"
        now = count(cards[offers[0].on or seat])[0]
        return "hit" if now < total and "hit" in words else "stand"

    return order


ORDERS = {f"stand-{total}": stand_on(total) for total in range(12, 19)}


PLUGIN = GamePlugin(
    game=GAME,
    rank=40,
    play=Play(
        seats=7,
        seating=Seating.BOXES,
        follow_up=NO_FOLLOW_UP,
        takes_turns=True,
        private_cards=False,
        reveals=NO_REVEALS,
        orders=ORDERS,
        linked_meter=False,
        memory=boxes.BoxesMemory,
        lounge_tables=1,
        moves={
            "hit": MoveHelp(Text("Take a card")),
            "stand": MoveHelp(Text("Take no more cards")),
            "double": MoveHelp(
                Text("Double the bet for one card"),
                here=double_here,
                done=Text("Doubled for {cost}: one card, then you stand."),
            ),
            "split": MoveHelp(
                Text("Split two cards of equal value"),
                done=Text("Split for {cost}: each hand has its own bet."),
            ),
            "insure": MoveHelp(
                Text("Insure against the dealer's Black Jack"),
                "AMOUNT",
                done=Text("Insured for {cost}. It pays 2 to 1 if the dealer has Black Jack; otherwise it is lost."),
            ),
            "decline": MoveHelp(Text("Take no insurance")),
            "stay": MoveHelp(Text("Stop following the box holder")),
        },
        describe_hand=describe_hand,
    ),
    hooks=replace(
        PLAIN,
        sit=boxes.sit,
        seat_of_bet=boxes.take_box,
        check_seat=boxes.check_box,
        before_deal=boxes.fix_holders,
        after_deal=boxes.return_cut_bets,
        before_move=boxes.stays_for_lack,
    ),
    texts=TEXTS,
    stages=STAGES,
    guest=Guest(bet=bet_little),
    presenter=PRESENTER,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
    commands=(
        boxes.refuse_boxes,
        boxes.follow,
    ),
)
