"""Punto Banco, two hands of the house and bets on which counts more."""

from dataclasses import replace
from random import Random
from typing import Any

from bot.core.commands.company import Guest, little
from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import Reveal, Reveals, Seating, plain_play
from bot.core.state.table import Table
from bot.games.plugin import GamePlugin
from bot.games.puntobanco import road
from bot.games.puntobanco.first_hand import FIRST_HAND
from bot.games.puntobanco.hand_description import describe_hand
from bot.games.puntobanco.presenter import FELT, PRESENTER, STAGES
from bot.games.puntobanco.words import TEXTS
from engine.games.puntobanco import GAME, HANDS
from engine.games.puntobanco_strategies import SIMULATION


def _bet(random: Random, table: Table, options: Any) -> tuple[str, ...]:
    amount = little(random, options)
    return ("bet", random.choice(HANDS), amount)


GUEST = Guest(bet=_bet)


REVEALS = Reveals(
    (
        (Reveal("punto", to="punto", spot="punto", size=2),),
        (Reveal("banco", to="banco", spot="banco", size=2),),
        (Reveal("punto-third", to="punto", spot="punto", first=3),),
        (Reveal("banco-third", to="banco", spot="banco", first=3),),
    ),
    clause="PB10",
)


PLUGIN = GamePlugin(
    game=GAME,
    rank=60,
    play=replace(
        plain_play(seats=60, moves={}, describe_hand=describe_hand, private_cards=False),
        seating=Seating.AREAS,
        reveals=REVEALS,
        memory=road.Road,
    ),
    hooks=replace(PLAIN, after_hand=road.add_result),
    texts=TEXTS,
    stages=STAGES,
    guest=GUEST,
    presenter=PRESENTER,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
)
