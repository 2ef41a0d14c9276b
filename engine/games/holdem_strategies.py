"""Strategies of house players for Texas Hold'em: they only keep a hand going."""

from engine.games.holdem import GAME
from engine.simulation import Simulation, call_down, choose_at_random, six_stacks

SIMULATION = Simulation(
    game=GAME,
    strategies={"call-down": call_down, "guest": call_down},
    lay=six_stacks(lambda options: 100 * options.big_blind),
    cards=17,
    by_chance={"random": choose_at_random},
)
