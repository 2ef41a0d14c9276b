"""Seven Card Stud beside pokerkit: six players who call to the end."""

from importlib import import_module
from itertools import count

from benchmarks.peers.rounds import Play, Rounds
from engine.cards import FRENCH
from engine.felt import Deal
from engine.games.stud import GAME
from engine.games.stud_strategies import SIMULATION, call_down
from engine.quick import play
from engine.shuffler import Stream


def _deal_committed() -> Play:
    """Each hand from a server seed of its own that anybody can verify."""
    options = GAME.parse_options({})
    stakes, numbers = SIMULATION.lay(options, ""), count()

    def play_hand() -> None:
        deck = Stream(next(numbers).to_bytes(32, "big"), ("a cut",)).shuffle(FRENCH)
        play(Deal(GAME.name, options, stakes, deck), call_down)

    return play_hand


def _play_pokerkit() -> Play:
    pokerkit = import_module("pokerkit")
    variant, automations = pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter, tuple(pokerkit.Automation)

    def play_hand() -> None:
        state = variant.create_state(automations, True, 50, 200, 400, 800, [80000] * 6, 6)
        while state.status:
            if state.can_post_bring_in():
                state.post_bring_in()
            else:
                state.check_or_call()

    return play_hand


PEERS = (
    Rounds(
        f"{GAME.name}, committed shuffle",
        "six players call down; checked by a seed, 100 big bets each, pots, facts",
        300,
        _deal_committed,
    ),
    Rounds(
        "pokerkit",
        "six players call down; all automations, a shuffle a hand, 100 big bets each, pots",
        10,
        _play_pokerkit,
        "pokerkit",
    ),
)
