"""`ridotto bench hands`: whole rounds as `ridotto simulate` plays them, and the same game of the peers, by turns.

A row of ours counts everything that a round takes, shuffling and choosing too; CPU time, medians.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from bot.bench.engine import Measure, compare, fill_tables
from bot.simulate import SETTINGS, Sums, lay_stakes, play_rounds, shuffle_top
from engine.blackjack import count
from engine.cards import FRENCH, Card
from engine.felt import Deal, Move, Offers
from engine.hand import GAMES, run
from engine.quick import play
from engine.shuffler import Stream
from engine.strategies import STRATEGIES, Strategy, call_down

ROUNDS = {"caribbean": 2000, "uth": 2000, "paiju": 2000, "blackjack": 2000, "stud": 300}
PEERS_ROUNDS = {"pokerkit": 10, "blackjack21": 1000, "rlcard": 500}
# What the peers can: no insurance, no doubling, no splitting; hit to this and stand above it.
DRAWS_TO = 16
HIT, STAND = 0, 1

_DOES = {
    "stud, committed shuffle": "six players call down; checked by a seed, 100 big bets each, pots, facts",
    "pokerkit": "six players call down; all automations, a shuffle a hand, 100 big bets each, pots",
    f"blackjack, draws to {DRAWS_TO}": "one player; fresh cards from six decks a round, insurance, payments, facts",
    "blackjack21": "one player; results without money; six decks, shuffled once in about 40 rounds",
    "blackjack21, shuffled": "the same, six decks shuffled each round",
    "rlcard": "one player; wins and losses without bets, observations for learning; one deck, shuffled each round",
}


def measure_hands() -> list[Measure]:
    fill_tables()
    rows: list[Measure] = []
    for game in GAMES:
        choose = next(iter(STRATEGIES[game].values()))
        told = f"{game}, with its events"
        rows += compare(
            {game: partial(_simulate, game, choose), told: partial(_tell, game, choose)}, {told: "as at a table"}
        )
    stud: dict[str, Callable[[], float]] = {"stud, committed shuffle": _deal_committed_stud}
    blackjack: dict[str, Callable[[], float]] = {
        f"blackjack, draws to {DRAWS_TO}": partial(_simulate, "blackjack", draw_or_stand)
    }
    if find_spec("pokerkit"):
        stud["pokerkit"] = _play_pokerkit_stud
    if find_spec("blackjack21"):
        blackjack["blackjack21"] = _play_blackjack21
        blackjack["blackjack21, shuffled"] = partial(_play_blackjack21, is_shuffled=True)
    if find_spec("rlcard"):
        blackjack["rlcard"] = _play_rlcard
    return rows + compare(stud, _DOES) + compare(blackjack, _DOES)


def _per_s(rounds: Iterator[object]) -> float:
    """How many there are in a second of CPU time."""
    started = time.process_time()
    done = sum(1 for _round in rounds)
    return done / max(time.process_time() - started, 1e-9)


def _simulate(game: str, choose: Strategy) -> float:
    options, sums = GAMES[game].parse_options({}), Sums()
    stakes = lay_stakes(game, options, "south")
    return _per_s(map(sums.add, play_rounds(GAMES[game], options, stakes, choose, ROUNDS[game], Random(1))))


def _tell(game: str, choose: Strategy) -> float:
    """The same rounds as scripts play them at a table: they stop at every ask, and leave all their events."""
    options, random = GAMES[game].parse_options({}), Random(1)
    stakes, deck = lay_stakes(game, options, "south"), list(GAMES[game].full_deck(options))

    def play_round(_number: int) -> None:
        shuffle_top(deck, 0, SETTINGS[game].cards, random)
        dice = (random.randrange(1, 7), random.randrange(1, 7)) if game == "paiju" else None
        run(Deal(game, options, stakes, tuple(deck), dice), choose)

    return _per_s(map(play_round, range(ROUNDS[game])))


def _deal_committed_stud() -> float:
    """Six players who call to the end, each hand from a server seed of its own that anybody can verify."""
    options = GAMES["stud"].parse_options({})
    stakes = lay_stakes("stud", options, "")

    def play_hand(number: int) -> None:
        deck = Stream(number.to_bytes(32, "big"), ("a cut",)).shuffle(FRENCH)
        play(Deal("stud", options, stakes, deck), call_down)

    return _per_s(map(play_hand, range(ROUNDS["stud"])))


def _play_pokerkit_stud() -> float:
    pokerkit = import_module("pokerkit")
    variant, automations = pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter, tuple(pokerkit.Automation)

    def play_hand(_number: int) -> None:
        state = variant.create_state(automations, True, 50, 200, 400, 800, [80000] * 6, 6)
        while state.status:
            if state.can_post_bring_in():
                state.post_bring_in()
            else:
                state.check_or_call()

    return _per_s(map(play_hand, range(PEERS_ROUNDS["pokerkit"])))


def draw_or_stand(seat: str, offers: Offers, cards: Mapping[str, list[Card]]) -> Move:
    if offers[0].word == "insure":
        return Move(seat, "decline")
    return Move(seat, "hit" if count(cards[seat])[0] <= DRAWS_TO else "stand")


def _play_blackjack21(*, is_shuffled: bool = False) -> float:
    """One player and a shoe of six decks that is shuffled each round, or when three quarters of it are gone."""
    peer = import_module("blackjack21")
    shoe = peer.Deck(peer.DEFAULT_SUITS, count=6)
    shuffle = shoe.reset if is_shuffled else peer.shoe_reset_hook(shoe)
    table = peer.Table([("player", 10)], shoe, on_round_reset=shuffle)

    def play_round(_number: int) -> None:
        table.start_game()
        while hand := table.current_hand:
            if hand.total <= DRAWS_TO:
                table.hit()
            else:
                table.stand()

    return _per_s(map(play_round, range(PEERS_ROUNDS["blackjack21"])))


class _Drawing:
    """An agent of rlcard."""

    use_raw = False

    def step(self, state: Mapping[str, Any]) -> int:
        return HIT if state["obs"][0] <= DRAWS_TO else STAND

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


def _play_rlcard() -> float:
    environment = import_module("rlcard").make("blackjack")
    environment.set_agents([_Drawing()])

    def play_round(_number: int) -> None:
        environment.run(is_training=False)

    return _per_s(map(play_round, range(PEERS_ROUNDS["rlcard"])))
