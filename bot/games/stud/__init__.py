"""7 Card Stud Hi/Lo, played from stacks."""

from random import Random
from typing import Any

from bot.core.commands.company import Guest
from bot.core.rounds.cash_table import CASH_HOOKS, CashMemory
from bot.core.state.plays import NO_FOLLOW_UP, NO_REVEALS, Cash, MoveHelp, Play, Seating
from bot.core.state.table import Table
from bot.games.plugin import GamePlugin
from bot.games.stud.first_hand import FIRST_HAND
from bot.games.stud.hand_description import describe_hand
from bot.games.stud.presenter import FELT, PRESENTER, STAGES
from bot.games.stud.words import TEXTS, bet_here, bring_in_here, complete_here, raise_here
from bot.texts import Text
from engine.games.stud import GAME
from engine.games.stud_strategies import SIMULATION


def _bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    return ("sit",)


GUEST = Guest(bet=_bet)


PLUGIN = GamePlugin(
    game=GAME,
    rank=50,
    play=Play(
        seats=8,
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
            "bring-in": MoveHelp(Text("Post the bring-in"), here=bring_in_here),
            "complete": MoveHelp(Text("Complete the bring-in"), here=complete_here),
            "check": MoveHelp(Text("Pass without betting")),
            "call": MoveHelp(Text("Call the bet")),
            "raise": MoveHelp(Text("Bet twice the ante, or raise"), here=raise_here),
            "bet": MoveHelp(Text("Place a bet"), here=bet_here),
            "fold": MoveHelp(Text("Give up the hand")),
        },
        describe_hand=describe_hand,
        cash=Cash(bet=lambda options: int(options.upper), least=10, most=100, usual=40),
    ),
    hooks=CASH_HOOKS,
    texts=TEXTS,
    stages=STAGES,
    guest=GUEST,
    presenter=PRESENTER,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
)
