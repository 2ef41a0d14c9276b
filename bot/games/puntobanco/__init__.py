"""Punto Banco, two hands of the house and bets on which counts more."""

from dataclasses import replace

from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import Seating, plain_play
from bot.games.plugin import Face
from bot.games.puntobanco import road
from bot.games.puntobanco.company import GUEST
from bot.games.puntobanco.felt import FELT
from bot.games.puntobanco.first_hand import FIRST_HAND
from bot.games.puntobanco.look import LOOK
from bot.games.puntobanco.stages import STAGES
from bot.games.puntobanco.turned import TURNED
from bot.games.puntobanco.words import TEXTS
from bot.games.puntobanco.worth import worth
from engine.games.puntobanco import GAME
from engine.games.puntobanco_strategies import SIMULATION

FACE = Face(
    game=GAME,
    rank=60,
    play=replace(
        plain_play(seats=60, moves={}, worth=worth, private_cards=False),
        seating=Seating.AREAS,
        turned=TURNED,
        memory=road.Road,
    ),
    hooks=replace(PLAIN, after_hand=road.add_result),
    texts=TEXTS,
    stages=STAGES,
    guest=GUEST,
    look=LOOK,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
)
