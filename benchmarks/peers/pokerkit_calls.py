"""Six players who call to the end, in our games between players and in pokerkit's."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import count
from typing import Any

from benchmarks.peers.rounds import Play, Rounds
from engine.cards import FRENCH
from engine.felt import Deal
from engine.quick import play
from engine.shuffler import Stream
from engine.simulation import Simulation, call_down


def calling_beside_pokerkit(
    simulation: Simulation, create: Callable[[Any, tuple[Any, ...]], Any], stacks: str
) -> tuple[Rounds, ...]:
    """Compare a game with pokerkit's; `create(pokerkit, automations)` makes a hand of it, `stacks` says how deep."""
    name = simulation.game.name
    return (
        Rounds(
            f"{name}, committed shuffle",
            f"six players call down; checked by a seed, {stacks} each, pots, facts",
            300,
            partial(_deal_committed, simulation),
        ),
        Rounds(
            f"pokerkit, {name}",
            f"six players call down; all automations, a shuffle a hand, {stacks} each, pots",
            10,
            partial(_play_pokerkit, create),
            "pokerkit",
        ),
    )


def _deal_committed(simulation: Simulation) -> Play:
    """Deal each hand from a server seed of its own that anyone can verify."""
    game = simulation.game
    options = game.parse_options({})
    stakes, numbers = simulation.lay(options, ""), count()

    def play_hand() -> None:
        deck = Stream(next(numbers).to_bytes(32, "big"), ("a cut",)).shuffle(FRENCH)
        play(Deal(game.name, options, stakes, deck), call_down)

    return play_hand


def _play_pokerkit(create: Callable[[Any, tuple[Any, ...]], Any]) -> Play:
    pokerkit = import_module("pokerkit")
    automations = tuple(pokerkit.Automation)

    def play_hand() -> None:
        state = create(pokerkit, automations)
        while state.status:
            if state.can_post_bring_in():
                state.post_bring_in()
            else:
                state.check_or_call()

    return play_hand
