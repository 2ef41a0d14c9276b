"""Strategies of stud: simple ones that keep a hand going."""

from engine.games.stud import GAME
from engine.simulation import Simulation, call_down, choose_at_random, six_stacks

SIMULATION = Simulation(
    game=GAME,
    strategies={"call-down": call_down, "guest": call_down},
    lay=six_stacks(lambda options: 100 * options.upper),
    cards=42,
    by_chance={"random": choose_at_random},
)
