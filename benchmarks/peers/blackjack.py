"""Black Jack compared with blackjack21 and rlcard, which have no insurance, double or split: hit to 16, then stand."""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.peers.rounds import Play, Rounds
from bot.cli.simulate import one_by_one
from engine.cards import Card
from engine.felt import Move, Offers
from engine.games.blackjack import GAME, count
from engine.games.blackjack_strategies import SIMULATION
from engine.simulation import move

DRAWS_TO = 16
HIT, STAND = 0, 1


def draw_or_stand(seat: str, offers: Offers, cards: Mapping[str, list[Card]]) -> Move:
    """Play like the other library: no insurance, no double, no split."""
    if offers[0].word == "insure":
        return move(seat, "decline")
    return move(seat, "hit" if count(cards[seat])[0] <= DRAWS_TO else "stand")


def _play_blackjack21(*, is_shuffled: bool) -> Play:
    """Play with one player and a shoe of six decks, shuffled each round or when three quarters are gone."""
    peer = import_module("blackjack21")
    shoe = peer.Deck(peer.DEFAULT_SUITS, count=6)
    shuffle = shoe.reset if is_shuffled else peer.shoe_reset_hook(shoe)
    table = peer.Table([("player", 10)], shoe, on_round_reset=shuffle)

    def play_round() -> None:
        table.start_game()
        while hand := table.current_hand:
            if hand.total <= DRAWS_TO:
                table.hit()
            else:
                table.stand()

    return play_round


class _Drawing:
    """An agent of rlcard."""

    use_raw = False

    def step(self, state: Mapping[str, Any]) -> int:
        return HIT if state["obs"][0] <= DRAWS_TO else STAND

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


def _play_rlcard() -> Play:
    environment = import_module("rlcard").make(GAME.name)
    environment.set_agents([_Drawing()])
    return lambda: environment.run(is_training=False)


PEERS = (
    Rounds(
        f"{GAME.name}, draws to {DRAWS_TO}, one shoe",
        "one player; six decks, shuffled when three quarters are gone; insurance, payments, facts",
        2000,
        partial(one_by_one, SIMULATION, "", draw_or_stand, {"penetration": 7500}),
    ),
    Rounds(
        f"{GAME.name}, draws to {DRAWS_TO}",
        "the same, fresh cards from six decks a round",
        2000,
        partial(one_by_one, SIMULATION, "", draw_or_stand, {}),
    ),
    Rounds(
        "blackjack21",
        "one player; results without money; six decks, shuffled once in about 40 rounds",
        1000,
        partial(_play_blackjack21, is_shuffled=False),
        "blackjack21",
    ),
    Rounds(
        "blackjack21, shuffled",
        "as blackjack21, six decks shuffled each round",
        1000,
        partial(_play_blackjack21, is_shuffled=True),
        "blackjack21",
    ),
    Rounds(
        "rlcard",
        "one player; wins and losses without bets, observations for learning; one deck, shuffled each round",
        500,
        _play_rlcard,
        "rlcard",
    ),
)
