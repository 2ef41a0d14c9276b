"""Strategies of stud: simple ones that keep a hand going."""

from engine.felt import Move, Offers, Stake
from engine.games.stud import GAME, StudOptions
from engine.simulation import Cards, Simulation, choose_at_random, move


def call_down(seat: str, offers: Offers, cards: Cards) -> Move:
    """Stud without a thought: check what is free, call what is not, never fold, never raise."""
    for offer in offers:
        if offer.word in ("check", "call", "bring-in"):
            return move(seat, offer.word)
    raise AssertionError("There is always a calm choice.")


def six_stacks(options: StudOptions, strategy: str) -> tuple[Stake, ...]:
    """Six seats with a hundred big bets each."""
    return tuple(Stake(seat, f"player{seat}", {}, stack=100 * options.upper) for seat in range(1, 7))


SIMULATION = Simulation(
    game=GAME,
    strategies={"call-down": call_down, "guest": call_down},
    lay=six_stacks,
    cards=42,
    by_chance={"random": choose_at_random},
)
