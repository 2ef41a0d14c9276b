"""Odds of choices at Ultimate, compared with the rule script, with another way of counting, and with published figures.

`uth_by_boards` counts all hands of a board at once, where the engine counts all dealers of a hand.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from phevaluator import evaluate_cards

from engine.advice import advise_record
from engine.cards import FRENCH, RANKS, SUITS, Card
from engine.felt import Deal, Move, Offer, Stake
from engine.games.uth import STREETS, UltimateOptions
from engine.games.uth_odds import (
    ODDS,
    Against,
    SeatBets,
    Worth,
    count_boards,
    count_dealers,
    value_flop,
    value_river,
    value_two_cards,
)
from engine.games.uth_strategies import play_best, play_simple
from engine.games.uth_table import RUNS, class_sizes, hand_class, plays_flop, sets_of_suits, shares, spared, two_cards
from engine.quick import play
from tests.engine import uth_by_boards as by_boards

RULES = pytest.mark.parametrize("nonqualify", ["venice", "us"])
PROCEDURES = pytest.mark.parametrize("procedure", ["shuffler", "manual"])
# A board that pays Trips to everyone and on which low cards lose; one that gives everyone a flush.
THREE_ACES, ALL_HEARTS = "As Ad Ah 9c 7d", "4h 5h 7h 8h 2h"


def bets_of(ante: int, trips: int = 0, **options: Any) -> SeatBets:
    return SeatBets(ante, trips, UltimateOptions(minimum=1, step=1, **options))


def unseen(*seen: Card) -> list[Card]:
    return [card for card in FRENCH if card not in seen]


def deal_river(random: Random) -> tuple[list[Card], list[Card]]:
    """Return two cards and a board; every second one with few suits, so that there are flushes."""
    deck = FRENCH if random.random() < 0.5 else [card for card in FRENCH if card[1] in "sh" or random.random() < 0.2]
    cards = random.sample(deck, 7)
    return cards[:2], cards[2:]


def net_by_script(
    own: list[Card], board: list[Card], dealers: tuple[Card, Card], bets: SeatBets, words: list[str]
) -> int:
    """Return the seat's net result by the rule script."""
    one, other = own
    if bets.options.procedure == "shuffler":
        deck = [*board, *own, *dealers]
    else:
        burnt = unseen(*own, *board, *dealers)
        deck = [one, dealers[0], other, dealers[1]]
        deck += [burnt[0], *board[:3], burnt[1], board[3], burnt[2], board[4]]
    stakes = {"ante": bets.ante} | ({"trips": bets.trips} if bets.trips else {})
    said = iter(words)

    def choose(seat: str, offers: object, cards: object) -> Move:
        return Move(seat, *next(said).split())

    felt = play(Deal("uth", bets.options, (Stake(1, "anna", stakes),), tuple(deck)), choose)
    return sum(felt.returned.values()) - sum(felt.staked.values())


def mean_by_script(own: list[Card], board: list[Card], bets: SeatBets, words: list[str]) -> float:
    nets = [net_by_script(own, board, dealers, bets, words) for dealers in combinations(unseen(*own, *board), 2)]
    return sum(nets) / len(nets)


def check_river(own: list[Card], board: list[Card], bets: SeatBets) -> None:
    worth = value_river(bets, own, board)
    assert worth.of_choice(Offer("fold")) == mean_by_script(own, board, bets, ["check", "check", "fold"])
    assert worth.of_choice(Offer("play", "1")) == mean_by_script(own, board, bets, ["check", "check", "play 1"])


@pytest.mark.slow
@RULES
@PROCEDURES
def test_on_the_river_a_choice_is_worth_what_the_script_pays_on_average(nonqualify: str, procedure: str) -> None:
    random = Random(f"{nonqualify} {procedure}")
    for ante, trips in ((500, 0), (501, 300), (1, 2), (3, 1), (777, 12300)):
        for _ in range(2):
            check_river(*deal_river(random), bets_of(ante, trips, procedure=procedure, nonqualify=nonqualify))


@pytest.mark.long
@RULES
@pytest.mark.parametrize("board", [THREE_ACES, ALL_HEARTS])
def test_it_does_where_the_board_plays_for_everybody(nonqualify: str, board: str) -> None:
    for own in ("2s 3d", "Kh Qd"):
        check_river(own.split(), board.split(), bets_of(5, 1, procedure="manual", nonqualify=nonqualify))


@pytest.mark.parametrize(("multiple", "words"), [("4", ["play 4"]), ("3", ["play 3"]), ("2", ["check", "play 2"])])
def test_a_play_bet_of_an_earlier_street_is_worth_what_the_script_pays(multiple: str, words: list[str]) -> None:
    random, bets = Random(multiple), bets_of(501, 700)
    for _ in range(3):
        own, board = deal_river(random)
        assert value_river(bets, own, board).of_choice(Offer("play", multiple)) == mean_by_script(
            own, board, bets, words
        )


def against_by_phevaluator(own: list[Card], board: list[Card]) -> tuple[int, ...]:
    """Return dealers below and above, of all and of those that qualify, and those that do not; there the lower number
    wins.
    """
    mine = evaluate_cards(*own, *board)
    nothing = evaluate_cards(*"2s 2d 3c 4c 5d".split())
    counts = [0] * 5
    for dealers in combinations(unseen(*own, *board), 2):
        theirs = evaluate_cards(*dealers, *board)
        qualifies = theirs <= nothing
        for i, is_so in enumerate((theirs > mine, theirs < mine)):
            counts[i] += is_so
            counts[i + 2] += is_so and qualifies
        counts[4] += not qualifies
    return tuple(counts)


def check_against(rounds: int, seed: int) -> None:
    random = Random(seed)
    for _ in range(rounds):
        own, board = deal_river(random)
        assert tuple(count_dealers(own, board))[1:] == against_by_phevaluator(own, board)


@pytest.mark.long
def test_dealers_are_counted_as_by_another_evaluator() -> None:
    check_against(60, seed=1)


@pytest.mark.exhaustive
def test_dealers_of_very_many_boards_are() -> None:
    check_against(1000, seed=2)


@pytest.mark.long
def test_dealers_of_boards_with_three_four_and_five_of_a_suit_are() -> None:
    for board in ("2h 9h Kh 4s 4d", "2h 9h Kh 4h 4d", "2h 9h Kh 4h 5h", "Th Jh Qh Kh 2c", "Th Jh Qh Kh Ah"):
        for own in ("Ac Qc", "8h 3c", "8h 3h", "4c 9c"):
            if set(own.split()).isdisjoint(board.split()):
                cards = own.split(), board.split()
                assert tuple(count_dealers(*cards))[1:] == against_by_phevaluator(*cards)


@cache
def sums_of_flop(flop: tuple[Card, ...]) -> tuple[by_boards.Ints, by_boards.Ints, by_boards.Sums]:
    """Return hands, categories and sums of a flop's 1,176 boards, by board and hand."""
    boards = [masks_of([*flop, *more]) for more in combinations(unseen(*flop), 2)]
    hands, own, sums = zip(
        *(by_boards.count_boards(boards[i : i + 64]) for i in range(0, len(boards), 64)), strict=True
    )
    joined = by_boards.Sums(*(np.concatenate(of_all) for of_all in zip(*sums, strict=True)))
    return np.concatenate(hands), np.concatenate(own) >> 20, joined


def masks_of(cards: list[Card]) -> tuple[int, ...]:
    return tuple(sum(1 << RANKS.index(card[0]) for card in cards if card[1] == suit) for suit in SUITS)


def worth_by_boards(bets: SeatBets, own: list[Card], flop: list[Card]) -> Worth:
    hands, kinds, sums = sums_of_flop(tuple(sorted(flop)))
    hand = by_boards.HAND_AT[tuple(FRENCH.index(card) for card in own)]
    there = hands == hand
    rule = by_boards.RULES.index(bets.options.nonqualify)
    dealers, kind = by_boards.DEALERS, kinds[there]
    trips = bets.trips * sums.trips[there]
    rest = bets.ante * sums.rest[there][:, rule] + bets.ante * 3 // 2 * sums.flush[there][:, rule] + trips * dealers
    played = bets.ante * sums.play[there][:, rule]
    kept = trips if bets.options.procedure == "shuffler" else np.full_like(trips, -bets.trips)
    wait = np.maximum(rest + played, (kept - 2 * bets.ante) * dealers)
    assert len(kind) == 1081
    return Worth(int(wait.sum()), int(rest.sum()), int(played.sum()), 1081 * dealers)


FLOPS = ("Kh 9h 4h", "Ah Ad 7s", "9s 9d 9h", "Qs Js 5d", "8c 5d 2h")


@pytest.mark.slow
@pytest.mark.parametrize("flop", FLOPS)
def test_on_the_flop_a_choice_is_worth_what_all_boards_sum_up_to(flop: str) -> None:
    random, cards = Random(flop), flop.split()
    for ante, trips in ((1000, 0), (1, 0), (501, 100), (700, 10), (500, 500)):
        for nonqualify in by_boards.RULES:
            for procedure in ("shuffler", "manual")[: 1 + bool(trips)]:
                bets = bets_of(ante, trips, nonqualify=nonqualify, procedure=procedure)
                own = random.sample(unseen(*cards), 2)
                assert value_flop(bets, own, cards) == worth_by_boards(bets, own, cards)


@pytest.mark.slow
@RULES
def test_on_the_flop_it_is_what_all_cards_dealt_one_by_one_sum_up_to(nonqualify: str) -> None:
    own, flop, bets = "Qh 3h".split(), "Kh 9h 4c".split(), bets_of(1000, 100, nonqualify=nonqualify)
    wait = rest = played = 0
    for cards in combinations(unseen(*own, *flop), 2):
        board = [*flop, *cards]
        against = Against(count_dealers(own, board).hand, *against_by_phevaluator(own, board))
        fold, one, none = bets.fold_net(against.hand) * 990, against.play_net(bets, 1), against.play_net(bets, 0)
        wait, rest, played = wait + max(fold, one), rest + none, played + one - none
    assert value_flop(bets, own, flop) == Worth(wait, rest, played, 1081 * 990)


def test_kinds_of_boards_are_few_and_stand_for_all() -> None:
    """The representatives are the boards computed for a decision, instead of 1,081."""
    random = Random(4)
    for flop in [*map(str.split, FLOPS), *(random.sample(FRENCH, 3) for _ in range(20))]:
        own = random.sample(unseen(*flop), 2)
        kinds = list(count_boards(own, flop))
        assert sum(alike for _, alike in kinds) == 1081
        assert len(kinds) <= 500


def test_before_the_flop_the_american_rule_plays_four_times_what_is_published() -> None:
    sums = two_cards("us")
    plays = {hand for hand in class_sizes() if 4 * sums[hand].play + sums[hand].rest > sums[hand].wait}
    offers = STREETS[0].offers(100)
    published = {
        hand_class(own) for own in combinations(FRENCH, 2) if play_simple("1", offers, {"1": list(own)}).word == "play"
    }
    assert plays == published


@pytest.mark.parametrize(
    ("hand", "equity"),
    [("AA", 85.2), ("KK", 82.4), ("AKs", 67.0), ("22", 50.3), ("72o", 34.6), ("32o", 32.3)],
)
def test_two_cards_against_two_of_anybody_have_their_published_equity(hand: str, equity: float) -> None:
    assert round(50 + 50 * two_cards("us")[hand].play / RUNS, 1) == equity


def test_player_and_bank_are_dealt_alike() -> None:
    assert sum(size * two_cards("us")[hand].play for hand, size in class_sizes().items()) == 0


@RULES
def test_waiting_before_the_flop_is_no_worse_than_to_play_twice_after_it(nonqualify: str) -> None:
    for sums in two_cards(nonqualify).values():
        assert sums.wait >= 2 * sums.play + sums.rest


def test_what_a_lost_trips_takes_from_waiting_grows_with_it_to_a_quarter_of_the_ante() -> None:
    for hand in class_sizes():
        taken = [spared("venice", hand, 4000, trips) for trips in range(0, 1001, 50)]
        steps = [more - less for less, more in pairwise(taken)]
        assert taken[0] == 0
        assert all(step >= 0 for step in steps)
        assert all(later <= earlier + 1e-6 for earlier, later in pairwise(steps))
        assert spared("venice", hand, 4000, 1000) == spared("venice", hand, 1, 50000)


def worth_of_bets(own: list[Card], every: list[SeatBets]) -> Iterator[list[Worth]]:
    """Yield the values on each flop with its number of equivalents; each kind of board is counted once for all bets."""
    for flop, alike in kinds_of_flops(own).items():
        sums = [[0, 0, 0] for _ in every]
        for cards, boards in count_boards(own, flop):
            against = count_dealers(own, [*flop, *cards])
            for bets, of_bets in zip(every, sums, strict=True):
                rest, one = against.play_net(bets, 0), against.play_net(bets, 1)
                fold = bets.fold_net(against.hand) * by_boards.DEALERS
                for i, net in enumerate((max(fold, one), rest, one - rest)):
                    of_bets[i] += alike * boards * net
        yield [Worth(wait, rest, played, RUNS) for wait, rest, played in sums]


def kinds_of_flops(own: list[Card]) -> dict[tuple[Card, ...], int]:
    """Return one flop for all that are equal when suits that the player does not hold swap."""
    held = [suit for suit in SUITS if any(card[1] == suit for card in own)]
    others = [suit for suit in SUITS if suit not in held]
    kinds: dict[tuple[int, ...], list[tuple[Card, ...]]] = {}
    for flop in combinations(unseen(*own), 3):
        masks = dict(zip(SUITS, masks_of(list(flop)), strict=True))
        kind = *(masks[suit] for suit in held), *sorted(masks[suit] for suit in others)
        kinds.setdefault(kind, []).append(flop)
    return {flops[0]: len(flops) for flops in kinds.values()}


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_the_table_has_what_all_flops_sum_up_to() -> None:
    """One ante loses a lot by rounding its 3:2 down; Trips is compared with the table's own figures."""
    own = "8h 3h"
    every = [bets_of(1000), bets_of(1, 3), bets_of(1000, nonqualify="us")]
    by_hand = [
        bets_of(1, 1, procedure="manual"),
        bets_of(1000, 1, procedure="manual"),
        bets_of(1001, 77, procedure="manual", nonqualify="us"),
    ]
    waits, rests, plays = ([0] * len(every + by_hand) for _ in range(3))
    for of_flop in worth_of_bets(own.split(), every + by_hand):
        for i, worth in enumerate(of_flop):
            waits[i] += max(worth.wait, worth.of_play(2))
            rests[i] += worth.rest
            plays[i] += worth.play
    summed = [Worth(*sums, RUNS) for sums in zip(waits, rests, plays, strict=True)]
    hand = hand_class(own.split())
    assert [value_two_cards(bets, hand) for bets in every] == summed[: len(every)]
    for bets, worth in zip(by_hand, summed[len(every) :], strict=True):
        tabled = value_two_cards(bets, hand)
        assert (tabled.rest, tabled.play) == (worth.rest, worth.play)
        assert tabled.wait / RUNS / bets.ante == pytest.approx(worth.wait / RUNS / bets.ante, abs=2e-7)


@pytest.mark.exhaustive
@RULES
def test_the_table_of_the_flop_has_what_boards_made_anew_say(nonqualify: str) -> None:
    bets = bets_of(1000, nonqualify=nonqualify)
    for flop in FLOPS:
        for own in combinations(unseen(*flop.split()), 2):
            sums = two_cards(nonqualify)[hand_class(own)]
            if 4 * sums.play + sums.rest <= sums.wait:
                worth = worth_by_boards(bets, list(own), flop.split())
                assert plays_flop(nonqualify, own, flop.split()) == worth.is_played(2)


@pytest.mark.exhaustive
def test_a_flush_is_never_folded() -> None:
    """The 3:2 of a flush is therefore worth the same in any play, however little remains after rounding down."""
    boards = [board for board in sets_of_suits(5) if max(mask.bit_count() for mask in board) >= 3]
    for some in (boards[i : i + 64] for i in range(0, len(boards), 640)):
        _, _, sums = by_boards.count_boards(some)
        flush = sums.flush > 0
        assert (sums.play + sums.rest + sums.flush)[flush].min() > by_boards.FOLDED


def test_the_ante_costs_what_is_published_by_the_american_rule_and_more_by_that_of_venice() -> None:
    """Best play costs 2.185 % of the ante."""
    us = ODDS.edges(UltimateOptions(nonqualify="us"), None)["ante"]
    assert us.edge == pytest.approx(0.0218497, abs=5e-8)
    assert us.exact == Fraction(50643648973, 2317817502000)
    venice = ODDS.edges(UltimateOptions(), None)["ante"]
    assert venice.exact == Fraction(51874719313, 331116786000)
    assert venice.edge == pytest.approx(0.156666, abs=5e-7)


def test_the_procedure_changes_nothing_of_the_ante() -> None:
    shuffler, manual = (ODDS.edges(UltimateOptions(procedure=how), None)["ante"] for how in ("shuffler", "manual"))
    assert shuffler == manual


def test_three_to_two_rounded_down_costs_the_least_ante_what_its_flushes_lose() -> None:
    """An ante of one loses half of it for each flush; an even one loses nothing."""
    even, one, odd = (ODDS.edges(UltimateOptions(m, 1), None)["ante"].exact for m in (500, 1, 501))
    flushes = sum(size * two_cards("venice")[hand].flush for hand, size in class_sizes().items())
    share = Fraction(flushes, sum(class_sizes().values()) * RUNS)
    assert even is not None
    assert (one, odd) == (even + share / 2, even + share / 2 / 501)


def test_shares_are_of_hands_that_end_above_and_below_nothing() -> None:
    for nonqualify in by_boards.RULES:
        won, lost = (Fraction(n, 1326 * RUNS) for n in shares(nonqualify))
        odds = ODDS.edges(UltimateOptions(nonqualify=nonqualify), None)["ante"]
        assert (odds.win, odds.lose) == (float(won), float(lost))
        assert odds.push == float(1 - won - lost)


def test_UT14_trips_costs_what_is_published() -> None:
    trips = ODDS.edges(UltimateOptions(), None)["trips"]
    assert trips.exact == Fraction(233985, 6689228)
    assert trips.edge == pytest.approx(0.0349794, abs=5e-8)
    assert trips.push == 0


def test_UT14_trips_of_the_table_of_two_cards_is_the_same() -> None:
    trips = sum(size * two_cards("us")[hand].trips for hand, size in class_sizes().items())
    assert Fraction(-trips, 1326 * RUNS) == Fraction(233985, 6689228)


def test_UT15_by_hand_trips_has_no_cost_of_its_own() -> None:
    trips = ODDS.edges(UltimateOptions(procedure="manual"), None)["trips"]
    assert (trips.edge, trips.exact, trips.win) == (None, None, None)
    assert "UT15" in trips.why


@pytest.mark.exhaustive
@RULES
def test_the_edge_is_what_best_values_of_random_deals_lose_on_average(nonqualify: str) -> None:
    """A hand played before the flop is also valued on the flop, by its Play bet."""
    random, bets = Random(nonqualify), bets_of(1000, nonqualify=nonqualify)
    losses = []
    for _ in range(1000):
        cards = random.sample(FRENCH, 5)
        first, flop = value_two_cards(bets, hand_class(cards[:2])), value_flop(bets, cards[:2], cards[2:])
        best = flop.of_play(4) if first.is_played(4) else max(flop.wait, flop.of_play(2))
        losses.append(-best / flop.of / bets.ante)
    error = np.std(losses) / len(losses) ** 0.5
    assert np.mean(losses) == pytest.approx(ODDS.edges(bets.options, None)["ante"].edge, abs=4 * error)


def record(cards: list[Card], moves: str, bets: dict[str, int], **options: object) -> dict[str, Any]:
    stakes = [{"seat": 2, "player": "anna", "bets": bets}, {"seat": 5, "player": "bea", "bets": {"ante": 600}}]
    return {"game": "uth", "options": options, "deck": cards, "stakes": stakes, "moves": moves.split(", ")}


MOVES = "2 check, 5 check, 2 check, 5 play 2, 2 fold"


@pytest.mark.long
@pytest.mark.parametrize("procedure", ["shuffler", "manual"])
def test_each_street_has_its_choices_and_no_choice_taken_is_better_than_the_best(procedure: str) -> None:
    random = Random(procedure)
    for _ in range(3):
        answer = advise_record(
            record(random.sample(FRENCH, 52), MOVES, {"ante": 7000, "trips": 600}, procedure=procedure)
        )
        decisions = answer["decisions"]
        assert answer["method"] == "exact"
        assert [(said["move"], said["seat"], said["taken"]) for said in decisions] == [
            (0, "2", "check"), (1, "5", "check"), (2, "2", "check"), (3, "5", "play 2"), (4, "2", "fold"),
        ]  # fmt: skip
        assert [list(said["choices"]) for said in decisions] == [
            ["check", "play 3", "play 4"], ["check", "play 3", "play 4"],
            ["check", "play 2"], ["check", "play 2"], ["fold", "play 1"],
        ]  # fmt: skip
        assert all(said["cost"] >= 0 for said in decisions)
        assert all(said["choices"][said["best"]] == max(said["choices"].values()) for said in decisions)


@pytest.mark.long
def test_advice_is_the_same_whatever_cards_a_seat_does_not_see() -> None:
    """The board comes first, then the seat's two cards: in a street's decision no other card is known."""
    random = Random(8)
    for moves, opened in (("2 check", 0), ("2 check, 5 check, 2 check", 3), (MOVES, 5)):
        cards = random.sample(FRENCH, 52)
        board, own, rest = cards[:5], cards[5:7], cards[7:]
        hidden = random.sample([*board[opened:], *rest], 50 - opened)
        other = [*board[:opened], *hidden[: 5 - opened], *own, *hidden[5 - opened :]]
        one, two = (advise_record(record(deck, moves, {"ante": 900, "trips": 500})) for deck in (cards, other))
        assert cards != other
        at = len(moves.split(", ")) - 1
        assert one["decisions"][at] == two["decisions"][at]


def test_an_open_hand_is_advised_on_what_is_asked_now() -> None:
    cards = "As Ad 7h 9c 2d Ah 8h Kc Qc Td Tc".split()
    open_ones = advise_record(record(cards, "2 check, 5 check, 5 check", {"ante": 1000}))["decisions"]
    assert [(said["move"], said["seat"], said["taken"], said["cost"]) for said in open_ones[2:]] == [
        (2, "5", "check", open_ones[2]["cost"]),
        (None, "2", None, None),
    ]
    assert open_ones[3]["best"] == "play 2"


def test_UT17_a_time_out_costs_what_it_plays() -> None:
    cards = "As Ad 7h 9c 2d Ah 8h Kc Qc Td Tc".split()
    out = advise_record(record(cards, "2 timeout, 5 play 4, 2 timeout, 2 timeout", {"ante": 1000}))["decisions"]
    assert [said["taken"] for said in out] == ["timeout", "play 4", "timeout", "timeout"]
    assert out[3]["choices"]["fold"] == -2000
    assert out[3]["cost"] == out[3]["choices"]["play 1"] + 2000


def test_UT15_by_hand_a_fold_loses_trips_that_stays_live_otherwise() -> None:
    own, board = "2s 3d".split(), THREE_ACES.split()
    live, lost = (bets_of(1000, 100, procedure=procedure) for procedure in ("shuffler", "manual"))
    fold = Offer("fold")
    assert value_river(live, own, board).of_choice(fold) == -2000 + 300
    assert value_river(lost, own, board).of_choice(fold) == -2000 - 100


@pytest.mark.exhaustive
@RULES
def test_best_play_of_many_rounds_wins_pushes_and_loses_as_it_is_told(nonqualify: str) -> None:
    random, options, rounds = Random(nonqualify), UltimateOptions(nonqualify=nonqualify), 30_000
    odds, choose = ODDS.edges(options, None)["ante"], play_best(options)
    stakes = (Stake(1, "anna", {"ante": 500}),)
    nets = []
    for _ in range(rounds):
        felt = play(Deal("uth", options, stakes, tuple(random.sample(FRENCH, 9))), choose)
        nets.append(sum(felt.returned.values()) - sum(felt.staked.values()))
    assert -np.mean(nets) / 500 == pytest.approx(odds.edge, abs=4 * np.std(nets) / 500 / rounds**0.5)
    for share, counted in zip((odds.win, odds.push, odds.lose), (np.greater, np.equal, np.less), strict=True):
        assert share is not None
        error = (share * (1 - share) / rounds) ** 0.5
        assert np.mean(counted(nets, 0)) == pytest.approx(share, abs=4 * error)


@pytest.mark.long
@RULES
def test_best_play_is_what_the_values_say(nonqualify: str) -> None:
    random, bets = Random(nonqualify), bets_of(500, nonqualify=nonqualify)
    choose = play_best(bets.options)
    asked = 0
    while asked < 12:
        own, board = deal_river(random)
        for street, worth in (
            (STREETS[0], value_two_cards(bets, hand_class(own))),
            (STREETS[1], value_flop(bets, own, board[:3])),
            (STREETS[2], value_river(bets, own, board)),
        ):
            multiple = street.multiples[-1]
            played = choose("1", street.offers(500), {"1": own, "board": board})
            assert played == (Move("1", "play", str(multiple)) if worth.is_played(multiple) else Move("1", street.wait))
            if played.word == "play":
                break
            asked += 1


def test_G8_best_play_looks_at_no_card_that_is_not_open() -> None:
    choose, own = play_best(UltimateOptions()), "Qs 7d".split()
    for street, board in ((STREETS[0], ["??"] * 5), (STREETS[1], "Qh 7s 2d ?? ??".split())):
        assert choose("1", street.offers(500), {"1": own, "board": board, "dealer": ["??", "??"]}).word in "check play"


def test_nobody_qualifies_below_a_pair() -> None:
    """UT8: on a board without a pair the bank needs one; with a pair on it, the bank always has it."""
    assert count_dealers("Ks Qd".split(), "2s 4d 7h 9c Jd".split()).out > 0
    assert count_dealers("Ks Qd".split(), "2s 2d 7h 9c Jd".split()).out == 0
