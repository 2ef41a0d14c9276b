"""Texas Hold'em, played from stacks."""

from random import Random
from typing import Any

from bot.core.commands.company import Guest
from bot.core.commands.hand_descriptions import of_poker_seat
from bot.core.rounds.cash_table import CASH_HOOKS, CashMemory
from bot.core.state.plays import NO_FOLLOW_UP, NO_REVEALS, Cash, MoveHelp, Play, Seating
from bot.core.state.table import Table
from bot.games.holdem.first_hand import FIRST_HAND
from bot.games.holdem.presenter import FELT, PRESENTER, STAGES
from bot.games.holdem.words import TEXTS
from bot.games.plugin import GamePlugin
from bot.texts import Text
from engine.games.holdem import EACH, GAME, HoldemOptions
from engine.games.holdem_strategies import SIMULATION


def _bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    return ("sit",)


def _dead(options: HoldemOptions) -> int:
    """Return what a stack must exceed to post a dead small blind (HE7)."""
    return options.small_blind + (options.ante if options.ante_from == EACH else 0)


PLUGIN = GamePlugin(
    game=GAME,
    rank=70,
    play=Play(
        seats=9,
        seating=Seating.STACKS,
        follow_up=NO_FOLLOW_UP,
        takes_turns=True,
        private_cards=True,
        reveals=NO_REVEALS,
        orders={},
        linked_meter=False,
        memory=CashMemory,
        lounge_tables=1,
        moves={
            "check": MoveHelp(Text("Pass without betting")),
            "call": MoveHelp(Text("Call the bet")),
            "raise": MoveHelp(Text("Raise to an amount: half, pot, all or a number"), "AMOUNT", "HE17"),
            "bet": MoveHelp(Text("Bet an amount: half, pot, all or a number"), "AMOUNT", "HE14"),
            "fold": MoveHelp(Text("Give up the hand")),
        },
        describe_hand=of_poker_seat,
        cash=Cash(bet=lambda options: int(options.big_blind), least=20, most=100, usual=50, dead=_dead),
    ),
    hooks=CASH_HOOKS,
    texts=TEXTS,
    stages=STAGES,
    guest=Guest(bet=_bet),
    presenter=PRESENTER,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
)
