"""Whole rounds to measure beside ours: six players who call to the end, by our rules and by pokerkit's."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import count
from typing import Any, NamedTuple

from engine.cards import FRENCH
from engine.felt import Deal
from engine.games import holdem_strategies, stud_strategies
from engine.quick import play
from engine.shuffler import Stream
from engine.simulation import Simulation, call_down

Play = Callable[[], object]


class Rounds(NamedTuple):
    """One row of the benchmark.

    what      its name
    does      what a round of it is, in a few words: compared rows seldom do the same
    many      how many rounds are played for one figure
    prepare   () -> how to play one of them; the preparation is not measured
    library   the module without which the row is left out; "" where it is ours
    """

    what: str
    does: str
    many: int
    prepare: Callable[[], Play]
    library: str = ""


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


def _create_holdem(pokerkit: Any, automations: tuple[Any, ...]) -> Any:
    return pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, (100, 200), 200, [20000] * 6, 6)


def _create_stud(pokerkit: Any, automations: tuple[Any, ...]) -> Any:
    variant = pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter
    return variant.create_state(automations, True, 50, 200, 400, 800, [80000] * 6, 6)


PEERS = (
    calling_beside_pokerkit(stud_strategies.SIMULATION, _create_stud, "100 big bets"),
    calling_beside_pokerkit(holdem_strategies.SIMULATION, _create_holdem, "100 big blinds"),
)
"""Rows of one comparison each, which the first begins."""
