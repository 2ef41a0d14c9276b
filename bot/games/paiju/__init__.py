"""Paiju, the bank against three positions."""

from random import Random
from typing import Any

from bot.core.commands.company import Guest, little
from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import NO_FOLLOW_UP, GameMemory, Play, Reveal, Reveals, Seating
from bot.core.state.table import Table
from bot.games.paiju import noncoup
from bot.games.paiju.first_hand import FIRST_HAND
from bot.games.paiju.hand_description import describe_hand
from bot.games.paiju.presenter import FELT, PRESENTER, STAGES
from bot.games.paiju.words import TEXTS
from bot.games.plugin import GamePlugin
from engine.games.paiju import AREAS, GAME
from engine.games.paiju_strategies import SIMULATION


def _bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    amount = little(random, options)
    return ("bet", random.choice(AREAS), amount)


GUEST = Guest(bet=_bet)


# PJ6: south, west and north are turned, then the bank.
REVEALS = Reveals(
    (
        tuple(Reveal(position, to=position, spot=position) for position in ("south", "west", "north")),
        (Reveal("east", to="east", spot=""),),
    ),
    clause="PJ12",
)
PLUGIN = GamePlugin(
    game=GAME,
    rank=30,
    play=Play(
        seats=60,
        seating=Seating.AREAS,
        follow_up=NO_FOLLOW_UP,
        takes_turns=False,
        private_cards=False,
        reveals=REVEALS,
        orders={},
        linked_meter=False,
        memory=GameMemory,
        lounge_tables=1,
        moves={},
        describe_hand=describe_hand,
    ),
    hooks=PLAIN,
    texts=TEXTS,
    stages=STAGES,
    guest=GUEST,
    presenter=PRESENTER,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
    commands=(noncoup.non_coup,),
)
