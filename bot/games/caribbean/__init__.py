"""Caribbean Stud with card exchange and the linked progressive."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.commands.company import Guest, bet_little
from bot.core.commands.hand_descriptions import of_poker_seat
from bot.core.commands.hooks import CasinoHooks
from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import NO_REVEALS, FollowUp, GameMemory, MoveHelp, Play, Seating
from bot.games.caribbean import meter, prize_keys
from bot.games.caribbean.first_hand import FIRST_HAND
from bot.games.caribbean.presenter import FELT, PRESENTER, STAGES
from bot.games.caribbean.words import TEXTS, give_up_jackpot, raise_here
from bot.games.plugin import GamePlugin
from bot.texts import Text
from engine import poker
from engine.cards import Card
from engine.felt import Offers
from engine.games.caribbean import GAME
from engine.games.caribbean_strategies import SIMULATION
from engine.poker import category, rank
from storage import ledger


def raise_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
    """CS10: "raise with a pair or better, else fold"."""
    return "raise" if category(rank(cards[seat])) >= poker.PAIR else "fold"


ORDERS = {"raise-pairs": raise_pairs}


PLUGIN = GamePlugin(
    game=GAME,
    rank=10,
    play=Play(
        seats=7,
        seating=Seating.SEATS,
        follow_up=FollowUp("bet", 2, "ante"),
        takes_turns=False,
        private_cards=True,
        reveals=NO_REVEALS,
        orders=ORDERS,
        linked_meter=True,
        memory=GameMemory,
        lounge_tables=2,
        moves={
            "raise": MoveHelp(Text("Bet twice the ante, or raise"), here=raise_here),
            "fold": MoveHelp(Text("Give up the hand")),
            "exchange": MoveHelp(
                Text("Buy one new card for the price of the ante"),
                "POSITION",
                "CS6",
                done=Text("Card {argument} swapped for {cost}."),
                gives_up=give_up_jackpot,
            ),
        },
        describe_hand=of_poker_seat,
    ),
    hooks=replace(
        PLAIN,
        prices=meter.price_of_coin,
        may_deal=meter.may_deal,
        after_deal=meter.drop_coins,
        before_payment=meter.pay_prizes,
        payee=meter.payee,
        take_back=meter.take_back_coins,
        dues=meter.dues,
        casino=CasinoHooks(
            found=meter.found_meter,
            options=meter.with_meter,
            runs_out=prize_keys.next_confirmation,
            tick=prize_keys.confirm_old_prizes,
            shift_clocks=prize_keys.shift_clocks,
            waits=meter.waits,
            meter=ledger.jackpot,
            reading=meter.stood,
        ),
    ),
    texts=TEXTS,
    stages=STAGES,
    guest=Guest(bet=bet_little),
    presenter=PRESENTER,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
    commands=(
        meter.show,
        meter.reset,
        meter.set_option,
        meter.history,
        prize_keys.confirm,
        prize_keys.reject,
    ),
)
