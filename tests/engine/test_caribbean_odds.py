"""Odds of bets and choices at Caribbean Stud: the engine counts by ranks, this test deals the cards."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import pytest

from bot.cli.edges import count_edges
from bot.cli.simulate import simulate
from engine.advice import advise_record, find_decisions
from engine.cards import FRENCH, RANKS, Card
from engine.events import Exchanged
from engine.felt import Deal, Move, Stake
from engine.games import caribbean_odds
from engine.games.caribbean import GAME, PAYS
from engine.games.caribbean_choices import (
    BEST,
    FOLD,
    RAISE,
    UNKNOWN,
    choices_against,
    find_choice,
    hands,
    read_choices,
    sums_by_open_card,
)
from engine.games.caribbean_odds import DealerHands, values
from engine.hand import Hand
from engine.odds import Decision
from engine.poker import name, rank
from engine.record import spots_of, write_record
from tests.counted.caribbean_best import render
from tests.counted.caribbean_count import DEALS, ENDS, Class, Counted, Sums, Table, classes, count

ANTE = 1000
ACE_KING = rank("Ac Kd 4h 3s 2c".split())


def deal_of(
    own: Sequence[Card],
    up: Card,
    rest: Sequence[Card],
    options: Mapping[str, Any] | None = None,
    bets: Mapping[str, int] | None = None,
    jackpot: int | None = None,
) -> Deal:
    """Return a deal for one player; the dealer has the first four of `rest` beside `up`."""
    parsed = GAME.parse_options(options or {})
    dealer = [*rest[:4], up]
    by_hand = [card for pair in zip(own, dealer, strict=True) for card in pair]
    first = by_hand if (options or {}).get("procedure") == "manual" else [*own, *dealer]
    stakes = (Stake(1, "anna", bets or {"ante": ANTE}),)
    return Deal("caribbean", parsed, stakes, (*first, *rest[4:]), jackpot=jackpot)


def moves_of(*written: str) -> list[Move]:
    return [Move("1", *move.split()) for move in written]


def decision_of(own: Sequence[Card], up: Card, *moves: str, rest: Sequence[Card] = (), **deal: Any) -> Decision:
    """Return seat 1's decision after these moves."""
    rest = rest or [card for card in FRENCH if card not in own and card != up]
    return [asked.decision for asked in find_decisions(deal_of(own, up, rest, **deal), moves_of(*moves))][-1]


def net(deal: Deal, *moves: str) -> int:
    """Return the net result as the rules pay it."""
    wagered, returned = spots_of(Hand(deal, moves_of(*moves)))
    return sum(returned["1"].values()) - sum(wagered["1"].values())


def dealt(seed: object) -> tuple[list[Card], Card]:
    *own, up = Random(str(seed)).sample(FRENCH, 6)
    return own, up


# Against the rules, so that few cards are left: the others are open, as if the seat had seen them.


def with_few_left(decision: Decision, left: Sequence[Card]) -> Decision:
    gone = [event.gone for event in decision.events if isinstance(event, Exchanged)]
    own, up = decision.cards["1"], decision.cards["dealer"][4]
    others = [card for card in FRENCH if card not in {*own, *gone, up, *left}]
    return replace(decision, cards={**decision.cards, "others": others})


def mean(found: Iterator[int]) -> float:
    each = list(found)
    return sum(each) / len(each)


def played(own: Sequence[Card], up: Card, left: Sequence[Card], deal: dict[str, Any]) -> dict[str, float]:
    """Return every choice's value by the rule script, for each order of the remaining cards."""

    def end(choice: str, bought: Sequence[Card], word: str) -> float:
        rest = [card for card in left if card not in bought]
        moves = [choice, word] if bought else [word]
        return mean(net(deal_of(own, up, [*four, *bought], **deal), *moves) for four in combinations(rest, 4))

    found = {word: end("", (), word) for word in ("fold", "raise")}
    for card in own:
        choice = f"exchange {card}"
        found[choice] = sum(max(end(choice, [one], "fold"), end(choice, [one], "raise")) for one in left) / len(left)
    return found


COIN: dict[str, Any] = {"bets": {"ante": 2500, "jackpot": 100}, "jackpot": 5_000_000}
KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a royal flush with a coin": ("As Ks Qs Js Ts", "2d", COIN),
    "a straight flush with a coin": ("9s 8s 7s 6s 5s", "Ad", COIN),
    "a straight flush without one": ("9s 8s 7s 6s 5s", "Ad", {}),
    "a coin on a meter that has just restarted": ("9s 8s 7s 6s 5s", "Ad", {"bets": COIN["bets"]}),
    "four of a kind with a coin": ("7c 7d 7h 7s 2c", "As", COIN),
    "four to a flush in the suit of the open card": ("As 9s 6s 2s Kd", "4s", {}),
    "four to a flush in another suit": ("Ah 9h 6h 2h Kd", "4s", {}),
    "four to a royal flush and a pair": ("Ah Kh Qh Jh Jd", "9h", {}),
    "four to a straight": ("9h 8d 7c 6s 2d", "Kc", {}),
    "ace and king": ("As Kd 9c 5h 3d", "9h", {}),
    "ace and king against an ace": ("As Kd Jc 5h 3d", "Ah", {}),
    "the dealer's equal": ("As Kd 9c 5h 3d", "3h", {"options": {"procedure": "manual"}}),
    "less than the dealer qualifies with": ("Qs Jd 9c 5h 3d", "2h", {}),
    "two pair": ("Qs Qd 5c 5h 3d", "Th", COIN),
    "a full house with prizes of the house": (
        "Qs Qd Qc 5h 5d",
        "Th",
        {"bets": {"ante": ANTE, "jackpot": 300}, "options": {"coin": 300, "fixed": {"full": 777}}},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("few", ["any", "of the open suit"])
def test_CS5_every_choice_is_worth_what_the_rules_pay_on_average(kind: str, few: str) -> None:
    own, up, deal = KINDS[kind][0].split(), KINDS[kind][1], KINDS[kind][2]
    unseen = [card for card in FRENCH if card not in own and card != up]
    suited = [card for card in unseen if card[1] == up[1]]
    random = Random(kind)
    left = random.sample(unseen, 7) if few == "any" else [*random.sample(suited, 5), *random.sample(unseen, 1)]
    left = list(dict.fromkeys(left))
    found = values(with_few_left(decision_of(own, up, **deal), left))
    assert found == pytest.approx(played(own, up, left, deal), abs=1e-6)
    assert list(found) == ["fold", "raise", *(f"exchange {card}" for card in own)]


def check_small_decks(rounds: int, seed: int) -> None:
    """Check random hands and open cards, random options and coins, with five random cards left."""
    random = Random(seed)
    for _ in range(rounds):
        *own, up = random.sample(FRENCH, 6)
        left = random.sample([card for card in FRENCH if card not in own and card != up], 5)
        deal = random.choice([{}, COIN, {"options": {"procedure": "manual"}}])
        found = values(with_few_left(decision_of(own, up, **deal), left))
        assert found == pytest.approx(played(own, up, left, deal), abs=1e-6), (own, up, left)


@pytest.mark.long
def test_CS5_random_choices_are_worth_what_a_small_deck_brings() -> None:
    check_small_decks(20, seed=1)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2, 4))
def test_CS5_a_thousand_random_choices_are_worth_what_a_small_deck_brings(seed: int) -> None:
    check_small_decks(500, seed)


@pytest.mark.parametrize("seed", range(12))
def test_CS6_the_card_that_left_is_neither_the_dealers_nor_bought(seed: int) -> None:
    own, up = dealt(seed)
    unseen = [card for card in FRENCH if card not in own and card != up]
    bought, *left = Random(seed).sample(unseen, 7)
    choice = f"exchange {own[seed % 5]}"
    deal: dict[str, Any] = COIN if seed % 2 else {}
    decision = decision_of(own, up, choice, rest=[*left[:4], bought], **deal)
    fours = [[*four, bought] for four in combinations(left, 4)]
    assert values(with_few_left(decision, left)) == pytest.approx(
        {word: mean(net(deal_of(own, up, rest, **deal), choice, word) for rest in fours) for word in ("fold", "raise")},
        abs=1e-6,
    )


def all_dealers(own: Sequence[Card], up: Card, left: Sequence[Card], has_exchanged: bool) -> float:
    """Return the mean net of a raise over every possible hand of the dealer."""
    ranked = rank(own)
    odds = PAYS[name(ranked)][has_exchanged]
    wins: Counter[int] = Counter()
    for four in combinations(left, 4):
        dealers = rank([up, *four])
        wins[1 if dealers < ACE_KING else 1 + 2 * odds if ranked > dealers else -3 if ranked < dealers else 0] += 1
    return ANTE * sum(worth * number for worth, number in wins.items()) / wins.total()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_a_raise_by_all_163185_hands_of_the_dealer(seed: int) -> None:
    own, up = dealt(seed)
    left = [card for card in FRENCH if card not in own and card != up]
    assert values(decision_of(own, up))["raise"] == pytest.approx(all_dealers(own, up, left, False), abs=1e-6)


@pytest.mark.slow
def test_an_exchange_by_all_46_cards_and_all_148995_hands_of_the_dealer() -> None:
    own, up = "Ah Kh 9h 4h 4d".split(), "Ts"
    left = [card for card in FRENCH if card not in own and card != up]
    total = 0.0
    for bought in left:
        rest = [card for card in left if card != bought]
        total += max(-ANTE, all_dealers(["Ah", "Kh", "9h", "4h", bought], up, rest, True))
    assert values(decision_of(own, up))["exchange 4d"] == pytest.approx(total / len(left) - ANTE, abs=1e-6)


def class_of(own: Sequence[Card], up: Card) -> Class:
    suits = [card[1] for card in own]
    shared = next((suit for suit in suits if suits.count(suit) >= 4 and suit != up[1]), "")
    return tuple(sorted((card[0], 1 if card[1] == up[1] else 2 if card[1] == shared else 0) for card in own))


def of_one_suit(seed: int, number: int) -> tuple[list[Card], Card]:
    random = Random(f"{number} {seed}")
    suit = random.choice("cdhs")
    own = random.sample([card for card in FRENCH if card[1] == suit], number)
    own += random.sample([card for card in FRENCH if card not in own], 5 - number)
    return own, random.choice([card for card in FRENCH if card not in own])


SOME = [*(dealt(f"some {seed}") for seed in range(40)), *(of_one_suit(seed, 4) for seed in range(30))]
SOME += [of_one_suit(seed, 5) for seed in range(5)]


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {up: Table(up) for up in RANKS}


@pytest.mark.long
def test_a_class_is_worth_what_each_of_its_hands_is(tables: dict[str, Table]) -> None:
    for own, up in SOME:
        found, value = values(decision_of(own, up)), tables[up[0]].value(class_of(own, up))
        assert ANTE * value.best / ENDS == pytest.approx(max(found.values()), abs=1e-6)
        assert ANTE * value.without_exchange / ENDS == pytest.approx(max(found["fold"], found["raise"]), abs=1e-6)


@pytest.mark.long
def test_the_best_choice_is_the_one_that_was_written_down() -> None:
    known = 0
    for own, up in SOME:
        choice, found = find_choice(own, up[0]), values(decision_of(own, up))
        if choice != UNKNOWN:
            written = {FOLD: "fold", RAISE: "raise"}.get(choice, f"exchange {choice}")
            assert found[written] == max(found.values())
            known += 1
    assert known >= 0.95 * len(SOME)


@pytest.mark.long
def test_every_hand_against_every_open_card_has_its_choice() -> None:
    """Five ranks have 13^5 combinations, less those that one deck cannot have."""
    for up in RANKS:
        assert len({ranks for ranks, _ in hands(up)}) == 6163
        assert len(set(hands(up))) == len(list(hands(up)))


@pytest.mark.exhaustive
def test_the_shipped_sums_are_counted_anew_for_one_open_card() -> None:
    counted = count("9")
    assert counted.sums == Sums(*sums_by_open_card()["9"])
    # Compared after reading, because the packing may differ.
    assert "".join(choices_against("9").values()) == counted.choices


def test_what_is_counted_is_written_as_it_is_read() -> None:
    """The shipped file is rendered again from what is read from it."""
    read = {up: Counted(Sums(*sums), "".join(choices_against(up).values())) for up, sums in sums_by_open_card().items()}
    written, shipped = json.loads(render(read)), json.loads(BEST.read_text("utf-8"))
    assert written["sums"] == shipped["sums"]
    assert read_choices(written["choices"]) == read_choices(shipped["choices"])


@pytest.mark.exhaustive
def test_the_classes_are_all_deals_and_their_raises_those_of_every_deal() -> None:
    assert classes("A").total() == DEALS == comb(51, 5)


def test_the_ante_costs_what_was_counted_over_all_deals() -> None:
    bets = count_edges("caribbean")["bets"]
    for place, bet in enumerate(("ante", "ante without exchange")):
        total = sum(sums[place] for sums in sums_by_open_card().values())
        assert Fraction(bets[bet]["exact"]) == Fraction(-total, 13 * DEALS * ENDS)
        assert float(Fraction(bets[bet]["exact"])) == bets[bet]["edge"]
    # Every book has the second: 5.224 % of the ante.
    assert round(100 * bets["ante without exchange"]["edge"], 3) == 5.224
    assert bets["ante"]["edge"] < bets["ante without exchange"]["edge"]


@pytest.mark.parametrize(
    "options",
    [
        {"minimum": 500, "maximum": 5000},
        {"procedure": "manual"},
        {"irregular_bets": True},
        {"coin": 200, "contribution": 10000, "reset": 5, "hand_pay": "keys"},
    ],
)
def test_no_option_changes_what_the_ante_costs(options: dict[str, Any]) -> None:
    """The pay table is the rulebook's; best play never makes an irregular raise (CS8)."""
    usual, other = count_edges("caribbean")["bets"], count_edges("caribbean", options)["bets"]
    assert all(other[bet] == usual[bet] for bet in ("ante", "ante without exchange"))


@pytest.mark.parametrize("meter", [0, 1, 9, 1_000_000, 10**12 + 7])
def test_CS19_a_coin_costs_what_its_prizes_leave(meter: int) -> None:
    bet = count_edges("caribbean", {}, meter)["bets"]["jackpot"]
    back = 4 * meter + 36 * (meter // 10) + 624 * 50000 + 3744 * 10000 + 5108 * 5000
    assert Fraction(bet["exact"]) == 1 - Fraction(back, 100 * 2_598_960)
    shares = dict.fromkeys(("win",), (4 * (meter > 100) + 36 * (meter // 10 > 100) + 9476) / 2598960)
    assert (bet["win"], bet["push"]) == (pytest.approx(shares["win"]), 0.0)


def test_CS18_without_a_meter_it_is_the_one_that_it_restarts_from() -> None:
    options = {"reset": 123_456}
    assert count_edges("caribbean", options)["bets"] == count_edges("caribbean", options, 123_456)["bets"]


def test_CS19_a_prize_of_one_coin_is_no_win_and_a_smaller_one_is_a_loss() -> None:
    options = {"coin": 500, "fixed": {"four": 500, "full": 499, "flush": 501}}
    bet = count_edges("caribbean", options, 500)["bets"]["jackpot"]
    of_all = 2_598_960
    assert bet["win"] == pytest.approx(5108 / of_all)
    assert bet["push"] == pytest.approx((624 + 4) / of_all)
    assert bet["lose"] == pytest.approx(1 - (5108 + 628) / of_all)


@pytest.mark.parametrize("options", [{}, {"coin": 200}, {"fixed": {"four": 0, "full": 0, "flush": 0}}])
def test_at_the_fair_meter_a_coin_costs_nothing(options: dict[str, Any]) -> None:
    fair = count_edges("caribbean", options)["fair_meter"]
    below, above = (
        count_edges("caribbean", options, meter)["bets"]["jackpot"]["edge"] for meter in (int(fair), int(fair) + 10)
    )
    assert below >= 0 >= above


def record_of(own: Sequence[Card], up: Card, *moves: str, **deal: Any) -> dict[str, Any]:
    rest = [card for card in FRENCH if card not in own and card != up]
    return write_record(deal_of(own, up, rest, **deal), moves_of(*moves))


def test_advice_names_the_best_choice_and_what_another_cost() -> None:
    (decision,) = advise_record(record_of(*dealt(1), "fold"))["decisions"]
    choices = decision["choices"]
    assert (decision["move"], decision["seat"], decision["taken"]) == (0, "1", "fold")
    assert choices[decision["best"]] == max(choices.values())
    assert decision["cost"] == choices[decision["best"]] - choices["fold"]


def test_an_exchange_is_two_decisions_and_the_second_is_still_open() -> None:
    own, up = dealt(2)
    answer = advise_record(record_of(own, up, f"exchange {own[0]}"))
    first, second = answer["decisions"]
    assert answer["method"] == "exact"
    assert (first["taken"], first["move"]) == (f"exchange {own[0]}", 0)
    assert (second["taken"], second["move"], second["cost"]) == (None, None, None)
    assert list(second["choices"]) == ["fold", "raise"]


def test_CS10_a_time_out_costs_what_a_fold_does() -> None:
    (by_time,), (by_word,) = (advise_record(record_of(*dealt(3), word))["decisions"] for word in ("timeout", "fold"))
    assert by_time == by_word | {"taken": "timeout"}


def test_CS8_an_irregular_raise_is_valued_where_it_was_made() -> None:
    own, up = "Qs Jd 9c 5h 3d".split(), "2h"
    deal: dict[str, Any] = {"options": {"irregular_bets": True}}
    (regular,) = advise_record(record_of(own, up, "raise", **deal))["decisions"]
    assert list(regular["choices"])[:3] == ["fold", "raise", "exchange Qs"]
    left = "2c 2d Ac Kd 7h 7s 8d".split()
    for amount in (1, 999, 2000, 5000):
        decision = replace(
            with_few_left(decision_of(own, up, **deal), left),
            offers=[offer for offer in decision_of(own, up, **deal).offers if offer.most],
        )
        (offer,) = decision.offers
        narrowed = replace(decision, offers=[replace(offer, least=amount, most=amount, listed=True)])
        fours = [deal_of(own, up, four, **deal) for four in combinations(left, 4)]
        paid = sum(net(four, f"raise {amount}") for four in fours) / len(fours)
        assert values(narrowed) == {f"raise {amount}": pytest.approx(paid, abs=1e-6)}
    (short,) = advise_record(record_of(own, up, "raise 999", **deal))["decisions"]
    assert short["taken"] == "raise 999"
    assert short["cost"] == max(short["choices"].values()) - short["choices"]["raise 999"]


def test_CS20_a_prize_is_counted_on_the_meter_with_all_coins_of_the_hand_in_it() -> None:
    """Three seats, two coins; the player with the royal flush folds."""
    own, up = "As Ks Qs Js Ts".split(), "2d"
    rest = [card for card in FRENCH if card not in own and card != up]
    bets = [{"ante": 1000, "jackpot": 100}, {"ante": 2000}, {"ante": 500 * 3, "jackpot": 100}]
    stakes = tuple(Stake(seat, f"p{seat}", bet) for seat, bet in enumerate(bets, start=1))
    deck = (*own, *rest[:10], *rest[10:14], up)
    deal = Deal("caribbean", GAME.options(), stakes, deck, jackpot=777_777)
    moves = [Move(seat, "fold") for seat in "123"]
    asked = next(find_decisions(deal, moves))
    wagered, returned = spots_of(Hand(deal, moves))
    assert returned["1"]["jackpot"] == 777_777 + 180
    assert values(asked.decision)["fold"] == sum(returned["1"].values()) - sum(wagered["1"].values())


def test_advice_rests_on_nothing_that_the_seat_cannot_see() -> None:
    """Other cards in the deck, with the dealer and with the neighbour, give the same figures to the last digit."""
    random = Random(6)
    deck = random.sample(FRENCH, len(FRENCH))
    stakes = (Stake(1, "anna", {"ante": 1000}), Stake(4, "bea", {"ante": 2000}))
    own, up = slice(5, 10), 14
    seen = {*deck[own], deck[up]}
    hidden = random.sample([card for card in deck if card not in seen], 46)
    again = [card if card in seen else hidden.pop() for card in deck]
    answers = []
    for cards in (deck, again):
        deal = Deal("caribbean", GAME.options(), stakes, tuple(cards))
        answers.append(advise_record(write_record(deal, [Move("1", "raise")]))["decisions"][1])
    assert deck != again
    assert answers[0] == answers[1]
    assert answers[0]["seat"] == "4"


@pytest.mark.slow
def test_the_edge_is_what_best_values_lose_on_average() -> None:
    """The test uses 400 random deals and four standard errors."""
    best = [max(values(decision_of(*dealt(f"edge {seed}"))).values()) / ANTE for seed in range(400)]
    average = sum(best) / len(best)
    error = (sum((one - average) ** 2 for one in best) / len(best) ** 2) ** 0.5
    assert count_edges("caribbean")["bets"]["ante"]["edge"] == pytest.approx(-average, abs=4 * error)


def test_a_decision_counts_the_dealers_hands_once_for_each_rank_that_may_be_bought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fourteen times 1,820 products for any hand."""
    made: list[str] = []

    class Counting(DealerHands):
        def __init__(self, up: str, left: Sequence[int]) -> None:
            made.append(up)
            super().__init__(up, left)

    monkeypatch.setattr(caribbean_odds, "DealerHands", Counting)
    values(decision_of(*dealt(9)))
    assert len(made) == 1 + len(RANKS)


@pytest.mark.long
def test_best_play_loses_what_it_should_and_remembers_the_card_that_left() -> None:
    answer = simulate("caribbean", rounds=2000, strategy="best", seed=3)
    edge = count_edges("caribbean")["bets"]["ante"]["edge"]
    assert answer["edge"] == pytest.approx(edge, abs=4 * answer["se"])
    assert answer["by_spot"]["exchange"]["wagered"] > 0
