"""Ultimate counted board by board: engine/games/uth_counts.json, and figures for tests of the odds.

    python -m tests.engine.uth_by_boards      writes engine/games/uth_counts.json; five minutes, 2 GB

A board is four sets of ranks, one a suit, and all orders of the suits play alike: 134,459 boards represent 2,598,960.
On each the 1,081 hands are ranked once. Two cards meet all hands without either of them, so the hands below them are
those of all, less those with the first card, less those with the second.
"""

import json
import zlib
from base64 import b85encode
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import FRENCH, RANKS, SUITS
from engine.games import uth_table
from engine.games.uth_table import RATES, RUNS, SPARED, class_sizes, hand_class, hand_places, sets_of_suits
from engine.poker import FLUSH, PAIR, THREE, rank

Ints = NDArray[np.int64]
Masks = tuple[int, ...]

# A card is its place in FRENCH, 13 times its suit and its rank; a hand is its place here.
HANDS: Ints = np.array(list(combinations(range(52), 2)))
HAND_AT: Ints = np.zeros((52, 52), dtype=np.int64)
HAND_AT[HANDS[:, 0], HANDS[:, 1]] = HAND_AT[HANDS[:, 1], HANDS[:, 0]] = np.arange(len(HANDS))
ORDERS = list(permutations(range(4)))
# UT13 without the flush, whose 3:2 is rounded down and counted apart; UT14.
BLIND = np.array([0, 0, 0, 0, 1, 0, 3, 10, 50, 500])
TRIPS = np.array([-1, -1, -1, 3, 4, 7, 8, 30, 40, 50])
RULES = ("venice", "us")
CLASSES = [hand_class([FRENCH[one], FRENCH[other]]) for one, other in combinations(range(52), 2)]
DEALERS = comb(45, 2)
FOLDED = -2 * DEALERS
_PAIRS = np.triu_indices(47, 1)
_AT_ONCE = 64


class Sums(NamedTuple):
    """Sums over one or more boards, dealers counted one by one; a value is in antes.

    play    wins less losses, by rule: the result of each ante on Play
    rest    Ante and Blind, by rule, the flush's Blind left out
    flush   wins with a flush, by rule
    river   after waiting: Ante, Blind and Play or the fold, whichever is better, the flush's Blind left out
    won, lost      hands that end above and below zero, by rule, after playing
    river_won, river_lost   the same after waiting
    trips   net of one Trips, the same against every dealer: counted once a board
    """

    play: Ints
    rest: Ints
    flush: Ints
    river: Ints
    won: Ints
    lost: Ints
    river_won: Ints
    river_lost: Ints
    trips: Ints


def orders_of(masks: Masks) -> int:
    """Return how many boards equal this one in other suits."""
    return len(set(permutations(masks)))


def cards_of(masks: Masks) -> list[int]:
    return [13 * suit + r for suit, mask in enumerate(masks) for r in range(13) if mask >> r & 1]


@cache
def without_flush() -> tuple[dict[tuple[int, ...], int], NDArray[np.int32]]:
    """Return {ranks of a board, ascending: its row}, and its ranks with two more by row and their ranks."""
    rows: dict[tuple[int, ...], int] = {}
    table = np.zeros((6175, 13, 13), dtype=np.int32)
    ranked = cache(_rank_spread)
    for ranks in combinations_with_replacement(range(13), 5):
        if max(map(ranks.count, ranks)) > 4:
            continue
        row = rows[ranks] = len(rows)
        for a, b in combinations_with_replacement(range(13), 2):
            seven = tuple(sorted((*ranks, a, b)))
            if max(map(seven.count, seven)) <= 4:
                table[row, a, b] = table[row, b, a] = ranked(seven)
    return rows, table


def _rank_spread(ranks: tuple[int, ...]) -> int:
    """Rank with suits spread: neighbours of one rank differ, and none has five of seven cards."""
    return rank([RANKS[r] + SUITS[i % 4] for i, r in enumerate(ranks)])


@cache
def of_flushes() -> NDArray[np.int32]:
    """Return ranks of flushes by the ranks of one suit as bits; 0 for fewer than five."""
    table = np.zeros(1 << 13, dtype=np.int32)
    for mask in range(1 << 13):
        if 5 <= mask.bit_count() <= 7:
            table[mask] = rank([RANKS[r] + SUITS[0] for r in range(13) if mask >> r & 1])
    return table


def rank_hands(boards: Sequence[Masks]) -> tuple[Ints, Ints]:
    """Return the 47 remaining cards of each board, and the rank of each two of them with it."""
    rows, plain = without_flush()
    cards = np.array([cards_of(masks) for masks in boards])
    row = np.array([rows[tuple(ranks)] for ranks in np.sort(cards % 13, axis=1).tolist()])
    there = np.ones((len(boards), 52), dtype=bool)
    there[np.arange(len(boards))[:, None], cards] = False
    left = np.nonzero(there)[1].reshape(len(boards), 47)
    ranks, suits = left % 13, left // 13
    ranked = plain[row[:, None, None], ranks[:, :, None], ranks[:, None, :]]
    suited = np.array([max(range(4), key=lambda s: masks[s].bit_count()) for masks in boards])
    board = np.array([masks[suit] for masks, suit in zip(boards, suited, strict=True)])
    bits = np.where(suits == suited[:, None], 1 << ranks, 0)
    flushes = of_flushes()[board[:, None, None] | bits[:, :, None] | bits[:, None, :]]
    return left, np.maximum(ranked, flushes).astype(np.int64)


def count_boards(boards: Sequence[Masks]) -> tuple[Ints, Ints, Sums]:
    """Return (hands, their ranks, sums) by board and hand."""
    left, ranked = rank_hands(boards)
    first, second = _PAIRS
    own = ranked[:, first, second]
    below = _lower(own) - _both(_lower_with_card(ranked))
    not_above = _lower(own, or_equal=True) - _both(_lower_with_card(ranked, or_equal=True)) + 1
    above = DEALERS - not_above
    out = own < PAIR << 20
    rows_out = (ranked < PAIR << 20).sum(axis=2) - (np.diagonal(ranked, axis1=1, axis2=2) < PAIR << 20)
    unqualified = out.sum(axis=1)[:, None] - rows_out[:, first] - rows_out[:, second] + out
    qualified_below = np.where(out, 0, below - unqualified)
    qualified_above = np.where(out, DEALERS - unqualified, above)
    kind = own >> 20
    hands = HAND_AT[left[:, first], left[:, second]]
    return hands, own, _value(kind, below, above, qualified_below, qualified_above, unqualified)


def _lower(rows: Ints, or_equal: bool = False) -> Ints:
    """Return how many values of the same row are lower."""
    apart = rows + (np.arange(len(rows)) << 25)[:, None]
    at: Ints = np.searchsorted(np.sort(apart, axis=1).ravel(), apart, side="right" if or_equal else "left")
    lower: Ints = at - (np.arange(len(rows)) * rows.shape[1])[:, None]
    return lower


def _lower_with_card(ranked: Ints, or_equal: bool = False) -> Ints:
    """Return, of the hands with the first card, how many are lower than it is with the second."""
    boards, size, _ = ranked.shape
    rows = ranked.reshape(boards * size, size).copy()
    rows[np.arange(boards * size), np.tile(np.arange(size), boards)] = 1 << 24  # No card twice, first of all.
    return _lower(rows, or_equal).reshape(ranked.shape)


def _both(rows: Ints) -> Ints:
    first, second = _PAIRS
    both: Ints = rows[:, first, second] + rows[:, second, first]
    return both


def _value(kind: Ints, below: Ints, above: Ints, qualified_below: Ints, qualified_above: Ints, out: Ints) -> Sums:
    won = np.stack([qualified_below, below], axis=-1)
    lost = np.stack([qualified_above, above], axis=-1)
    paid, is_flush = BLIND[kind][..., None] * won, (kind == FLUSH)[..., None]
    # UT9: the ante is won where the bank withdraws; by the American rule it comes back.
    ante = (qualified_below - qualified_above)[..., None] + np.stack([out, np.zeros_like(out)], axis=-1)
    play, rest, flush = won - lost, ante + paid - lost, won * is_flush
    above_nothing = won + np.stack([out, np.zeros_like(out)], axis=-1)
    plays = 2 * (play + rest) + 3 * flush > 2 * FOLDED
    return Sums(
        play,
        rest,
        flush,
        np.where(plays, play + rest, FOLDED),
        above_nothing,
        lost,
        np.where(plays, above_nothing, 0),
        np.where(plays, lost, DEALERS),
        TRIPS[kind],
    )


class Flops(NamedTuple):
    """All boards, gathered by flop and hand, as the turns and rivers of one flop sum up.

    masks   the flops, each for all its orders of suits
    like    by flop and hand: the first hand that plays alike there
    counts  by flop, hand and number of a sum: `Sums` in a row, each first by the rules of Venice, `trips` last
    folds   what best play folds at the river though Trips would be paid: [flop, hand (the first of those alike), rule,
            odds of Trips, what the fold spares in antes and dealers, how often]
    """

    masks: list[Masks]
    like: Ints
    counts: Ints
    folds: Ints


def count_flops() -> Flops:
    """Count all flops; takes minutes."""
    masks = list(sets_of_suits(3))
    like = np.array([np.min([reorder_hands(order) for order in orders_alike(mask)], axis=0) for mask in masks])
    at = {mask: place for place, mask in enumerate(masks)}
    counts = np.zeros((len(masks), len(HANDS), 17), dtype=np.int64)
    folded: list[Ints] = []
    boards = list(sets_of_suits(5))
    for start in range(0, len(boards), _AT_ONCE):
        some = boards[start : start + _AT_ONCE]
        hands, own, sums = count_boards(some)
        columns = in_a_row(sums)
        spared = np.where((own >> 20 >= THREE)[..., None], FOLDED - sums.play - sums.rest, 0)
        spared[sums.flush > 0] = 0
        for i, board in enumerate(some):
            weight = orders_of(board)
            who, rule = np.nonzero(spared[i] > 0)
            fold = [rule, TRIPS[own[i, who] >> 20], spared[i, who, rule], np.full(len(who), weight)]
            for flop, order in flops_of(board):
                place, moved = at[flop], reorder_hands(order)[hands[i]]
                counts[place, moved] += weight * columns[i]
                if len(who):
                    folded.append(np.stack([np.full(len(who), place), like[place, moved[who]], *fold]))
    for place, mask in enumerate(masks):
        counts[place] = sum(counts[place, reorder_hands(order)] for order in orders_alike(mask)) // len(ORDERS)
    return Flops(masks, like, counts, _summed(folded, masks, like))


def in_a_row(sums: Sums) -> Ints:
    return np.concatenate([*sums[:-1], sums.trips[..., None]], axis=-1)


def _summed(folded: list[Ints], masks: list[Masks], like: Ints) -> Ints:
    """Merge equal folds; a hand that some orders of the suits leave unchanged has been met less often."""
    kept = np.array([sum(reorder_hands(o) == np.arange(len(HANDS)) for o in orders_alike(mask)) for mask in masks])
    rows = np.concatenate(folded, axis=1)
    different, which = np.unique(rows[:-1], axis=1, return_inverse=True)
    often = np.bincount(which, weights=rows[-1]).astype(np.int64)
    return np.vstack([different, often * kept[different[0], different[1]] // len(ORDERS)])


def flops_of(board: Masks) -> Iterator[tuple[Masks, tuple[int, ...]]]:
    """Yield each three of the five cards, in their representative order of suits, with that order by suit of the
    board.
    """
    for cards in combinations(cards_of(board), 3):
        masks = [sum(1 << card % 13 for card in cards if card // 13 == suit) for suit in range(4)]
        suits = sorted(range(4), key=masks.__getitem__, reverse=True)
        yield tuple(masks[suit] for suit in suits), tuple(suits.index(suit) for suit in range(4))


@cache
def orders_alike(masks: Masks) -> list[tuple[int, ...]]:
    """Return orders of the suits that leave the cards unchanged."""
    return [order for order in ORDERS if all(masks[order[suit]] == masks[suit] for suit in range(4))]


@cache
def reorder_hands(order: tuple[int, ...]) -> Ints:
    """Return the index of each hand after its suits are renamed by `order`."""
    cards = np.array(order)[HANDS // 13] * 13 + HANDS % 13
    reordered: Ints = HAND_AT[cards[:, 0], cards[:, 1]]
    return reordered


class Table(NamedTuple):
    """The content of engine/games/uth_counts.json, by hand where nothing else is said; hands of one class play alike.

    sums    by rule and name, over all flops, turns and rivers; `wait` is best play from the flop on
    trips   the same, against one dealer
    spared  by rule, hand and rate: the loss by waiting, in antes and over all, where a fold loses Trips too, and Trips
            is to the ante as the rate to RATES
    flops   by rule, flop and hand: whether it plays there
    first   by rule: whether it plays before
    shares  by rule: hands of best play that end above and below zero, over all
    """

    sums: list[dict[str, Ints]]
    trips: Ints
    spared: list[NDArray[np.float64]]
    flops: list[NDArray[np.bool_]]
    first: list[NDArray[np.bool_]]
    shares: list[tuple[int, int]]


def tabulate(flops: Flops) -> Table:
    boards = np.array([orders_of(mask) for mask in flops.masks])
    table = Table([], of_classes(boards @ flops.counts[:, :, 16]), [], [], [], [])
    for rule in range(len(RULES)):
        by_name = dict(zip(Sums._fields, np.moveaxis(flops.counts[:, :, rule:16:2], 2, 0), strict=False))
        on_flop, river = 2 * by_name["play"] + by_name["rest"], by_name["river"]
        plays = on_flop > river
        sums = {name: of_classes(boards @ by_name[name]) for name in ("play", "rest")}
        sums["wait"] = of_classes(boards @ np.where(plays, on_flop, river))
        sums["flush"] = of_classes(boards @ by_name["flush"])
        first = 4 * sums["play"] + sums["rest"] > sums["wait"]
        won, lost = (
            int(np.where(first, boards @ by_name[name], boards @ np.where(plays, by_name[name], waited)).sum())
            for name, waited in (("won", by_name["river_won"]), ("lost", by_name["river_lost"]))
        )
        table.sums.append(sums)
        table.spared.append(_spare(flops, rule, boards, np.maximum(river - on_flop, 0)))
        table.flops.append(plays)
        table.first.append(first)
        table.shares.append((won, lost))
    return table


def of_classes(by_hand: Ints) -> Ints:
    """Return the average of a class for each of its hands, because representative flops hold its suits unequally
    often.
    """
    return np.rint(_of_classes(by_hand)).astype(np.int64)


def _of_classes(by_hand: NDArray[Any]) -> NDArray[np.float64]:
    _, which, size = np.unique(CLASSES, return_inverse=True, return_counts=True)
    return (np.bincount(which, weights=by_hand) / size)[which]


def _spare(flops: Flops, rule: int, boards: Ints, margin: Ints) -> NDArray[np.float64]:
    """Return the loss by waiting for each rate. `margin` is how much better waiting on a flop is than playing there.

    With Trips at a quarter of the ante no hand that it pays for is folded, so the rates end there.
    """
    flop, hand, _, odds, spared, often = flops.folds[:, flops.folds[2] == rule]
    place, which = np.unique(flop * len(HANDS) + hand, return_inverse=True)
    flop, hand = place // len(HANDS), place % len(HANDS)
    alike = np.array([np.bincount(like, minlength=len(HANDS)) for like in flops.like])
    weight = boards[flop] * alike[flop, hand]
    columns = []
    for rate in range(RATES // 4 + 1):
        kept = np.bincount(which, weights=often * np.minimum((odds + 1) * DEALERS * rate / RATES, spared))
        lost = weight * np.minimum(kept, margin[flop, hand])
        columns.append(_of_classes(np.bincount(hand, weights=lost, minlength=len(HANDS))))
    return np.stack(columns, axis=1)


# In antes: how far a straight line may be from the exact curve.
_NEAR = 1e-7


def write(table: Table) -> str:
    at = {name: CLASSES.index(name) for name in class_sizes()}
    spared = [
        {name: " ".join(_write_knots(by_hand[hand] / RUNS)) for name, hand in at.items()} for by_hand in table.spared
    ]
    counts = {
        "sums": {name: sums_of(table, hand) for name, hand in at.items()},
        "shares": table.shares,
        "spared": spared,
        "flops": [_write_flops(plays, first) for plays, first in zip(table.flops, table.first, strict=True)],
    }
    return json.dumps(counts, indent=1) + "\n"


def sums_of(table: Table, hand: int) -> list[int]:
    """Return a hand's sums in the order of SUMS."""
    sums = [int(sums[name][hand]) for sums in table.sums for name in ("play", "rest", "wait", "flush")]
    return [*sums, int(table.trips[hand]) * DEALERS]


def _write_knots(curve: NDArray[np.float64]) -> list[str]:
    """Return as few knots as suffice, each line as long as possible."""
    written, start = [], 0
    while start < len(curve) - 1:
        near, far = start + 1, len(curve) - 1
        while near < far:
            middle = (near + far + 1) // 2
            near, far = (middle, far) if _is_straight(curve[start : middle + 1]) else (near, middle - 1)
        if curve[near] > curve[start]:
            written.append(f"{near}:{round(curve[near] * SPARED)}")
        start = near
    return written


def _is_straight(curve: NDArray[np.float64]) -> bool:
    return bool(np.abs(curve - np.linspace(curve[0], curve[-1], len(curve))).max() <= _NEAR)


def _write_flops(plays: NDArray[np.bool_], first: NDArray[np.bool_]) -> str:
    """Encode the flops compactly: a hand that has played before, or cannot be there, repeats the flop before."""
    there = np.array([[set(hand).isdisjoint(cards_of(flop)) for hand in HANDS.tolist()] for flop in sets_of_suits(3)])
    asked = there & ~first
    rows = plays.copy()
    for row, before, who in zip(rows[1:], rows[:-1], asked[1:], strict=True):
        row[~who] = before[~who]
    rows = rows[:, np.argsort([hand_places()[FRENCH[one], FRENCH[other]] for one, other in HANDS.tolist()])]
    rows[1:] ^= rows[:-1].copy()
    return b85encode(zlib.compress(np.packbits(rows, axis=1, bitorder="little").tobytes(), 9)).decode()


if __name__ == "__main__":
    Path(uth_table.__file__).with_name("uth_counts.json").write_text(write(tabulate(count_flops())), encoding="utf-8")
