"""`ridotto simulate` knows no game: a game from another package with its own simulation is simulated like ours."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from bot.cli.simulate import SimulationSums, enumerate_exactly, find_control, play_rounds, simulate
from bot.core.state import plays
from engine.cards import FRENCH
from engine.errors import IllegalDeal
from engine.felt import Deal, Felt, Game, Limits, Offer, Script
from engine.games import GAMES, ODDS, SIMULATIONS, add_game, add_simulation, remove_game
from engine.poker import value
from engine.quick import play
from engine.simulation import BEST, PlayedRound, Simulation, choose_at_random, deal_others, least_on, move
from tests.some import some


@dataclass(frozen=True)
class HighOptions(Limits):
    minimum: int = 10
    step: int = 10
    maximum: int = 1000


def deal(felt: Felt) -> Script:
    """A game: the higher card wins even money; a player may give up the bet. The bank wins ties."""
    for seat, bets in felt.place_all().items():
        felt.deal_to(seat)
        felt.deal_to("bank")
        move = yield from felt.ask_one(seat, [Offer("stay"), Offer("fold")], timeout="fold")
        own, bank = value(felt.cards[seat][0]), value(felt.cards["bank"][0])
        wins = move.word == "stay" and own > bank
        felt.pay(seat, "high", 2 * bets["high"] if wins else 0, "win" if wins else "lose", "HI1")


HIGH = Game(
    "high",
    deal,
    HighOptions,
    lambda options, stakes: None,
    spots=("high",),
    turn="HI1",
    words={"stay": "HI1", "fold": "HI1"},
    all_spots=("high",),
)
SIMULATION = Simulation(
    game=HIGH,
    strategies={"stay": lambda seat, offers, cards: move(seat, "stay"), "guest": lambda *asked: move("1", "fold")},
    lay=least_on("high"),
    cards=2,
    by_chance={"blind": choose_at_random},
    by_options={"best": lambda options: lambda *asked: move("1", "stay" if options.minimum == 20 else "fold")},
    exact=lambda options: {"high": {"win": Fraction(24, 51), "edge": Fraction(3, 51)}},
)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(plays._plays, "high", next(iter(plays.PLAYS.values())))
    add_game(HIGH)
    add_simulation(SIMULATION)
    yield
    remove_game("high")
    assert "high" not in SIMULATIONS


@pytest.mark.long
def test_its_first_strategy_is_taken_and_any_other_by_its_name() -> None:
    answer = simulate("high", rounds=20_000)
    assert (answer["strategy"], answer["by_spot"]["high"]["wagered"]) == ("stay", 200_000)
    assert answer["edge"] == pytest.approx(3 / 51, abs=4 * answer["se"])
    assert simulate("high", rounds=10, strategy="guest")["edge"] == 1.0
    assert simulate("high", rounds=1000, strategy="blind")["edge"] == pytest.approx(0.53, abs=0.1)


def test_one_that_minds_the_options_is_told_them() -> None:
    assert simulate("high", rounds=10, strategy="best")["edge"] == 1.0
    assert simulate("high", rounds=1000, strategy="best", options={"minimum": 20})["edge"] < 0.5


def test_its_deals_are_counted_exactly_where_it_counts_them() -> None:
    answer = enumerate_exactly("high")
    assert answer["by_spot"] == {"high": {"win": "8/17", "edge": "1/17"}}
    assert answer["edge"] == 3 / 51
    with pytest.raises(IllegalDeal, match=r"caribbean has too many deals .* high"):
        enumerate_exactly("caribbean")


def test_what_it_does_not_have_is_refused_as_with_ours() -> None:
    with pytest.raises(IllegalDeal, match=r"high has no strategy lucky\. Choose one of: stay, guest, blind, best"):
        simulate("high", strategy="lucky")
    with pytest.raises(IllegalDeal, match="high has no option decks"):
        simulate("high", options={"decks": 1})


def test_a_game_is_simulated_in_one_way() -> None:
    other = Simulation(HIGH, SIMULATION.strategies, SIMULATION.lay, 2)
    with pytest.raises(ValueError, match="high"):
        add_simulation(other)


@pytest.mark.long
@pytest.mark.parametrize("game", SIMULATIONS)
def test_every_game_deals_what_its_simulation_lays(game: str) -> None:
    """`cards` usually suffice; a round that needs more draws more."""
    simulation = SIMULATIONS[game]
    for name in [*simulation.strategies, *simulation.by_chance, *simulation.by_options]:
        assert simulate(game, rounds=30, strategy=name, seed=Random(game).randrange(100))["rounds"] == 30


def test_PB8_the_best_area_follows_the_commission() -> None:
    """Banco costs less than punto with 5 %, and more with 6 %."""
    for commission, area in ((500, "banco"), (600, "punto")):
        answer = simulate("puntobanco", rounds=10, strategy="best", options={"commission": commission})
        assert list(answer["by_spot"]) == [area]


@pytest.mark.long
def test_BJ17_side_bets_stand_by_themselves_and_the_edge_is_told_in_units_of_the_bet_on_the_box() -> None:
    answer = simulate("blackjack", rounds=2000, strategy="side-bets")
    spots = answer["by_spot"]
    assert {"main", "admiral", "insurance"} <= set(spots)
    assert spots["admiral"]["wagered"] == 2000 * 1000
    assert answer["edge"] == pytest.approx(sum(spot["edge"] for spot in spots.values()))


@pytest.mark.long
@pytest.mark.parametrize(("game", "bet", "first"), [("uth", "trips", 500), ("caribbean", "jackpot", 1000)])
def test_CS17_UT14_a_side_bet_costs_beside_the_same_rounds_what_is_counted(game: str, bet: str, first: int) -> None:
    """The same cards and play differ by the side bet only, whose chance is known."""
    alone, beside = (simulate(game, 1500, strategy) for strategy in ("basic", "side-bets"))
    options = GAMES[game].parse_options({})
    meter = some(GAMES[game].meter).settle(options, None, 1, {}).meter if GAMES[game].meter else None
    edge = some(ODDS[game].edges(options, meter)[bet].edge)
    wagered = beside["by_spot"][bet]["wagered"]
    assert wagered == 1500 * (100 if bet == "jackpot" else first)
    assert (beside["edge"] - alone["edge"]) * 1500 * first == pytest.approx(edge * wagered)
    assert beside["se"] == pytest.approx(alone["se"])
    assert 0 < beside["by_spot"][bet]["returned"] != wagered


def rounds_of(game: str, options: dict[str, object], rounds: int) -> list[tuple[int, Counter[str]]]:
    """Return the number of cards and the cards of each round."""
    simulation = SIMULATIONS[game]
    parsed, (name, choose) = simulation.game.parse_options(options), next(iter(simulation.strategies.items()))
    played = play_rounds(simulation, parsed, simulation.lay(parsed, name), choose, rounds, Random(1))
    return [(felt.drawn, Counter(card for cards in felt.cards.values() for card in cards)) for felt in played]


def test_BJ7_a_shoe_goes_on_until_its_part_is_out_and_then_a_new_one_comes() -> None:
    gone, shoe, shoes = 0, Counter[str](), 0
    for drawn, cards in rounds_of("blackjack", {"penetration": 7500, "decks": 6}, 2000):
        assert drawn == cards.total()
        shoe += cards
        gone += drawn
        assert max(shoe.values()) <= 6
        if gone * 10000 >= 312 * 7500 or 312 - gone < 96:
            gone, shoe, shoes = 0, Counter[str](), shoes + 1
    assert shoes > 30


def test_without_a_shoe_that_goes_on_every_round_has_all_cards() -> None:
    cards = Counter[str]()
    for _, taken in rounds_of("blackjack", {"decks": 1}, 300):
        assert max(taken.values()) == 1
        cards += taken
    assert len(cards) == 52


@pytest.mark.long
def test_a_shoe_keeps_as_much_as_new_cards_do() -> None:
    fresh, shoe = (simulate("blackjack", 4000, options={"penetration": part}) for part in (0, 7500))
    assert fresh["edge"] == pytest.approx(shoe["edge"], abs=4 * (fresh["se"] + shoe["se"]))
    assert fresh["by_spot"] != shoe["by_spot"]


CONTROLLED = [name for name, simulation in SIMULATIONS.items() if simulation.control]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"procedure": "manual"},
    {"nonqualify": "us"},
    {"irregular_bets": True},
    {"decks": 1},
    {"decks": 8, "penetration": 7500},
    {"double_soft": True, "hits_soft_17": True, "blackjack_pays": "6:5", "dealer_blackjack_takes": "original"},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("game", CONTROLLED)
def test_what_is_taken_off_as_chance_comes_to_nothing_however_it_is_played(game: str, options: dict[str, Any]) -> None:
    simulation = SIMULATIONS[game]
    try:
        parsed = simulation.game.parse_options(options)
    except IllegalDeal:
        pytest.skip(f"{game} has no such option")
    random = choose_at_random(Random(f"choices {game}"))
    for name, choose in [*simulation.strategies.items(), ("guest", random)]:
        control = find_control(simulation, parsed, 1)
        rounds = play_rounds(simulation, parsed, simulation.lay(parsed, name), choose, 1500, Random(f"{game} {name}"))
        won = [control(felt) for felt in rounds]
        assert fmean(won) == pytest.approx(0, abs=4 * stdev(won) / len(won) ** 0.5)


@pytest.mark.long
def test_BJ14_over_all_orders_of_what_a_shoe_still_holds_it_comes_to_nothing_exactly() -> None:
    """Eight cards are left of a deck, in 10,080 orders; among the rounds are splits and doubles."""
    simulation = SIMULATIONS["blackjack"]
    options = simulation.game.parse_options({"decks": 1, "hits_soft_17": True})
    left = ["8s", "8h", "Ts", "Kh", "9s", "3s", "As", "Js"]
    gone, stakes = [card for card in FRENCH if card not in left], simulation.lay(options, "side-bets")
    kinds, total, played = {"8h": "8s", "Kh": "Ts"}, 0.0, Counter[str]()
    for deck in permutations(left):
        if any(deck.index(one) < deck.index(other) for one, other in kinds.items()):
            continue
        felt = play(Deal("blackjack", options, stakes, deck), simulation.strategies["side-bets"])
        total += (
            simulation.control(options)(PlayedRound(felt, felt.moves, gone), Random(1)) if simulation.control else 1
        )
        played.update(move.word for move in felt.moves)
    assert total == pytest.approx(0, abs=1e-6)
    assert min(played[word] for word in ("hit", "stand", "double", "split", "insure")) > 100


def test_others_that_could_have_been_dealt_have_little_in_common() -> None:
    for cards, size in ((45, 2), (46, 4), (47, 4), (50, 3)):
        hands = [frozenset(hand) for hand in deal_others(FRENCH[:cards], size, Random(size))]
        deals = hands[: len(hands) // 2], hands[len(hands) // 2 :]
        for deal in deals:
            assert len(frozenset().union(*deal)) == len(deal) * size == cards // size * size
        assert max(len(one & other) for one in deals[0] for other in deals[1]) <= 2


@pytest.mark.long
@pytest.mark.parametrize("game", CONTROLLED)
def test_the_edge_is_that_of_the_rounds_themselves_and_scatters_less(game: str) -> None:
    simulation, rounds, seed = SIMULATIONS[game], 2500, 4
    strategy, choose = next(iter(simulation.strategies.items()))
    answer = simulate(game, rounds, strategy, seed)
    plain, parsed = SimulationSums(), simulation.game.parse_options({})
    for felt in play_rounds(simulation, parsed, simulation.lay(parsed, strategy), choose, rounds, Random(seed)):
        plain.add(felt)
    (first_bet,) = simulation.lay(parsed, strategy)[0].bets.values()
    edge, error = plain.edge(first_bet)
    assert answer["edge"] != edge
    assert answer["edge"] == pytest.approx(edge, abs=4 * error)
    assert answer["se"] < 0.3 * error
    amounts = {spot: (one["wagered"], one["returned"]) for spot, one in answer["by_spot"].items()}
    assert amounts == {spot: (plain.wagered.get(spot, 0), plain.returned.get(spot, 0)) for spot in amounts}
    assert sum(one["edge"] for one in answer["by_spot"].values()) == pytest.approx(answer["edge"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [(game, {}) for game in CONTROLLED] + [("uth", {"nonqualify": "us"}), ("blackjack", {"decks": 1})],
)
def test_best_play_loses_what_is_counted_exactly(game: str, options: dict[str, Any]) -> None:
    answer = simulate(game, 10_000, "best", 3, options)
    edge = next(iter(ODDS[game].edges(GAMES[game].parse_options(options), None).values())).edge
    assert answer["edge"] == pytest.approx(edge, abs=4 * answer["se"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [(game, {}) for game in SIMULATIONS if game in ODDS and BEST in SIMULATIONS[game].by_options]
    + [("uth", {"nonqualify": "us"}), ("blackjack", {"penetration": 7500})],
)
def test_as_many_rounds_as_are_played_unasked_tell_the_edge_to_a_tenth(game: str, options: dict[str, Any]) -> None:
    """The error is estimated from a part of the rounds, with a fifth to spare."""
    part = 20_000
    error = simulate(game, part, BEST, 5, options)["se"] * (part / SIMULATIONS[game].rounds) ** 0.5
    edge = next(iter(ODDS[game].edges(GAMES[game].parse_options(options), None).values())).edge
    assert edge
    assert error < 0.1 * edge / 1.2


@pytest.mark.long
def test_BJ7_rounds_of_one_shoe_hang_together_in_the_error() -> None:
    """The error agrees with the mean over shoes, each with its rounds."""
    simulation, options, rounds = SIMULATIONS["blackjack"], {"penetration": 7500}, 3000
    answer, parsed = simulate("blackjack", rounds, "basic", 2, options), simulation.game.parse_options(options)
    control, shoes = find_control(simulation, parsed, 2), list[list[float]]()
    played = play_rounds(
        simulation, parsed, simulation.lay(parsed, "basic"), simulation.strategies["basic"], rounds, Random(2)
    )
    for felt in played:
        if not felt.gone:
            shoes.append([])
        lost = sum(felt.staked.values()) - sum(felt.returned.values()) + control(felt)
        shoes[-1].append(lost / 1000)
    edge = sum(map(sum, shoes)) / rounds
    squares = sum((sum(shoe) - len(shoe) * edge) ** 2 for shoe in shoes)
    assert len(shoes) < rounds / 30
    assert answer["edge"] == pytest.approx(edge)
    assert answer["se"] == pytest.approx(squares**0.5 / rounds)
    assert answer["se"] < 0.005
