"""Ranks and lows, counted exhaustively and compared with an independent evaluator.

A hand's rank depends on how often each rank is there and on whether five share a suit. So every multiset of ranks is
looked at once and weighted by the ways to choose its suits: all five-card and seven-card hands are counted exactly.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, groupby, pairwise
from math import comb, prod
from random import Random

import pytest
from phevaluator import evaluate_cards

from engine import poker
from engine.cards import FRENCH, RANKS, SUITS, Card
from engine.poker import category, low, name, rank, rank_and_low, rank_each, rank_showing

# Published frequencies, from high card to royal flush.
OF_FIVE = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]
OF_SEVEN = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324]
# How many ways there are to choose 0 to 4 of the three suits that are not clubs.
OF_THREE_SUITS = [1, 3, 3, 1, 0]


def multisets(size: int) -> Iterator[str]:
    """Yield every choice of `size` ranks, none more than four times."""
    for ranks in combinations_with_replacement(RANKS, size):
        if all(ranks[i] != ranks[i + 4] for i in range(size - 4)):
            yield "".join(ranks)


def spread_suits(ranks: str) -> list[Card]:
    """Return cards of these ranks with suits as even as possible: never five of one."""
    used = Counter(dict.fromkeys(SUITS, 0))
    cards: list[Card] = []
    for same, group in groupby(ranks):
        suits = sorted(SUITS, key=used.__getitem__)[: len(list(group))]
        used.update(suits)
        cards += [same + suit for suit in suits]
    return cards


def clubs_flushes(ranks: str) -> Iterator[tuple[list[Card], int]]:
    """Yield every way to have five or more of these ranks in clubs, one example each, with the number of equivalent
    suits.
    """
    counts = {same: len(list(group)) for same, group in groupby(ranks)}
    for suited in range(5, len(counts) + 1):
        for clubs in combinations(counts, suited):
            others = {same: count - (same in clubs) for same, count in counts.items()}
            if ways := prod(map(OF_THREE_SUITS.__getitem__, others.values())):
                rest = [same + suit for same, count in others.items() for suit in "dhs"[:count]]
                yield [same + "c" for same in clubs] + rest, ways


def count_categories(size: int) -> list[int]:
    totals = [0] * len(poker.CATEGORIES)
    for ranks in multisets(size):
        plain = prod(comb(4, len(list(group))) for _, group in groupby(ranks))
        for cards, ways in clubs_flushes(ranks):
            totals[category(rank(cards))] += 4 * ways
            plain -= 4 * ways
        if plain:
            totals[category(rank(spread_suits(ranks)))] += plain
    return totals


@pytest.mark.long
def test_all_2598960_five_card_hands_by_category() -> None:
    assert count_categories(5) == OF_FIVE
    assert sum(OF_FIVE) == comb(52, 5)


@pytest.mark.exhaustive
def test_all_133784560_seven_card_hands_by_category() -> None:
    assert count_categories(7) == OF_SEVEN
    assert sum(OF_SEVEN) == comb(52, 7)


@pytest.mark.exhaustive
def test_all_2598960_five_card_hands_one_by_one() -> None:
    counts = Counter(category(rank(cards)) for cards in combinations(FRENCH, 5))
    assert [counts[kind] for kind in range(len(OF_FIVE))] == OF_FIVE


def test_five_cards_have_7462_different_ranks() -> None:
    plain = {rank(spread_suits(ranks)) for ranks in multisets(5)}
    suited = {rank(cards) for ranks in multisets(5) for cards, _ in clubs_flushes(ranks)}
    assert len(plain | suited) == 7462


def compare_with_phevaluator(hands: int, seed: int) -> None:
    """Check that both rank all hands in the same order, ties included; there the lower number wins."""
    random = Random(seed)
    seen = set()
    for i in range(hands):
        cards = random.sample(FRENCH, 5 + i % 3)
        seen.add((rank(cards), evaluate_cards(*cards)))
    ours, theirs = zip(*sorted(seen), strict=True)
    assert len(set(ours)) == len(ours)
    assert all(better > worse for better, worse in pairwise(theirs))


@pytest.mark.long
def test_ranks_agree_with_phevaluator() -> None:
    compare_with_phevaluator(20_000, seed=1)


@pytest.mark.exhaustive
def test_a_million_ranks_agree_with_phevaluator() -> None:
    compare_with_phevaluator(1_000_000, seed=2)


def low_by_trial(ranks: str) -> int | None:
    """Return the low by SH10, word for word: any five different ranks of eight or lower, ace low, the highest card
    first.
    """
    different = {rank.replace("A", "1") for rank in ranks if rank in "A2345678"}
    return min((int("".join(five), 16) for five in combinations(sorted(different, reverse=True), 5)), default=None)


@pytest.mark.parametrize("size", [5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_SH10_lows_of_every_multiset_of_ranks(size: int) -> None:
    for ranks in multisets(size):
        cards = spread_suits(ranks)
        assert low(cards) == low_by_trial(ranks)
        assert rank_and_low(cards) == (rank(cards), low(cards))


def test_SH10_straights_and_flushes_do_not_count_against_a_low() -> None:
    assert low("As 2s 3s 4s 5s".split()) == 0x54321
    assert rank_and_low("As 2s 3s 4s 5s Kd Kh".split()) == (rank("As 2s 3s 4s 5s".split()), 0x54321)


def test_SH10_an_eight_is_the_highest_card_of_a_low() -> None:
    assert low("8s 7d 6h 5c 4s Ks Kd".split()) == 0x87654
    assert low("9s 7d 6h 5c 4s Ks Kd".split()) is None


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As Kd Qh Jc 9s", "As Kd Qh Jc 8s"),
        ("2s 2d 3h 4c 5s", "As Kd Qh Jc 9s"),
        ("As Ad 4h 3c 2s", "Ks Kd Ah Qc Js"),
        ("As Ad Kh 3c 2s", "Ah Ac Qd Jc Ts"),
        ("3s 3d 2h 2c 4s", "As Ad Kh Qc Js"),
        ("As Ad 2h 2c 3s", "Ks Kd Qh Qc As"),
        ("2s 2d 2h 3c 4s", "As Ad Kh Kc Qs"),
        ("6s 5d 4h 3c 2s", "As 5d 4h 3c 2s"),
        ("As 5d 4h 3c 2s", "As Ad Ah Kc Qs"),
        ("7s 5s 4s 3s 2s", "As Kd Qh Jc Ts"),
        ("2s 2d 2h 3c 3s", "As Ks Qs Js 9s"),
        ("3s 3d 3h 2c 2s", "2s 2d 2h Ac As"),
        ("2s 2d 2h 2c 3s", "As Ad Ah Kc Ks"),
        ("5s 4s 3s 2s As", "As Ad Ah Ac Ks"),
        ("As Ks Qs Js Ts", "Kd Qd Jd Td 9d"),
    ],
)
def test_the_better_hand_has_the_higher_number(better: str, worse: str) -> None:
    assert rank(better.split()) > rank(worse.split())


def test_G4_the_ace_is_low_in_the_lowest_straight_and_does_not_go_round_the_corner() -> None:
    assert name(rank("Ah 2s 3d 4c 5h".split())) == "straight"
    assert name(rank("Kh As 2d 3c 4h".split())) == "high card"
    assert name(rank("Ah 2h 3h 4h 5h".split())) == "straight flush"


def test_G3_suits_and_order_never_count() -> None:
    spades = "As Ks 9s 9h 3d".split()
    assert rank(spades) == rank("3c 9d Kd 9c Ah".split()) == rank(spades[::-1])


def test_the_ranks_with_each_further_card_are_those_of_the_whole_hands() -> None:
    random = Random(1)
    for _ in range(300):
        cards = random.sample(FRENCH, random.randint(4, 6))
        more = [card for card in FRENCH if card not in cards]
        assert rank_each(cards, more) == [rank([*cards, card]) for card in more]


def test_the_best_five_of_seven_count() -> None:
    assert rank("As Ad Ks Kd Qs Qd Jh".split()) == rank("Ah Ac Kh Kc Qh".split())
    assert rank("2s 2d 2h 3s 3d 3h Ac".split()) == rank("3s 3d 3h 2s 2d".split())
    assert rank("9s 8s 7s 6s 5s 4d 3d".split()) == rank("9h 8h 7h 6h 5h".split())
    assert rank("As 9s 8s 4s 3s 2s Kd".split()) == rank("Ah 9h 8h 4h 3h".split())


@pytest.mark.parametrize(
    ("begins", "follows"),
    [
        ("Ks", "Qd"),
        ("2s 2d", "As Kd"),
        ("2s 2d Ah", "2h 2c Ks"),
        ("2s 2d 3h 3c", "As Ad Kh Qc"),
        ("2s 2d 2h", "3s 3d Ah"),
    ],
)
def test_SH5_showing_hands_rank_by_groups_and_high_cards(begins: str, follows: str) -> None:
    assert rank_showing(begins.split()) > rank_showing(follows.split())


@pytest.mark.parametrize(("suited", "plain"), [("As Ks Qs Js", "Ad Kh Qc Jd"), ("5s 4s 3s 2s", "5s 4d 3h 2c")])
def test_SH5_four_of_a_flush_or_straight_are_high_cards(suited: str, plain: str) -> None:
    assert rank_showing(suited.split()) == rank_showing(plain.split())
