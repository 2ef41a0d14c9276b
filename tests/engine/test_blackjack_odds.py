"""Odds of black jack's bets and choices, compared with the rule script, dealt card by card."""

from collections.abc import Sequence
from fractions import Fraction
from math import fsum, nextafter
from random import Random
from typing import Any

import pytest

from engine.advice import advise_record
from engine.cards import FRENCH, Card
from engine.events import Split
from engine.felt import Deal, Move, Stake
from engine.games.blackjack import BlackJackOptions, is_black_jack
from engine.games.blackjack_dealer import ACE, GONE, KINDS, OF_A_DECK, TEN, DealersOdds
from engine.games.blackjack_odds import EDGES, edges, kind_of, nets, rules_of, values
from engine.games.blackjack_play import BetRules, BoxPlay, HandLine
from engine.games.blackjack_strategies import play_best
from engine.hand import Hand
from engine.odds import Decision
from tests.counted.blackjack_count import count_main
from tests.counted.blackjack_edges import SHOES, render
from tests.engine.blackjack_by_cards import Cards, lay_out

ONE_DECK = BlackJackOptions(decks=1)
SOFT = BlackJackOptions(decks=1, hits_soft_17=True, double_soft=True)
SPARED = BlackJackOptions(decks=1, dealer_blackjack_takes="original")
BUST, BLACK_JACK = 22, 23
HOLDER = Stake(7, "anna", {"main": 1000})


def decide(options: BlackJackOptions, stakes: Sequence[Stake], deck: Sequence[Card], moves: Sequence[Move], seat: str):
    hand = Hand(Deal("blackjack", options, tuple(stakes), tuple(deck)), moves)
    return Decision(options, hand.deal.stakes, seat, hand.asks[seat], hand.view(seat), hand.cards(seat), hand.moves)


def play_of(decision: Decision) -> BoxPlay:
    """Return the play with the cards unseen in the decision, everything counted."""
    unseen = [number * decision.options.decks for number in OF_A_DECK]
    for card in (card for cards in decision.cards.values() for card in cards):
        unseen[kind_of(card)] -= 1
    up, hits = kind_of(decision.cards["dealer"][0]), decision.options.hits_soft_17
    return BoxPlay(rules_of(decision.options), DealersOdds(unseen, up, hits_soft_17=hits, counts_all=True))


def value(own: str, up: str, unseen: str, options: BlackJackOptions, *stakes: Stake):
    """Return (values, results of dealing all cards) of box 7's first choice."""
    table = *lay_out(own, up, unseen, *(stakes or [HOLDER]), options=options), "7"
    lying, deck, moves, seat = table
    return values(decide(options, *table)), Cards(options, lying).choices(deck, moves, seat)


def record(deck: str, *moves: str, stakes: Any = None, **options: Any) -> dict[str, Any]:
    stakes = stakes or [{"seat": 1, "player": "anna", "bets": {"main": 1000}}]
    return {"game": "blackjack", "options": options, "deck": deck.split(), "stakes": stakes, "moves": list(moves)}


def advise(deck: str, *moves: str, **table: Any) -> list[dict[str, Any]]:
    answer = advise_record(record(deck, *moves, **table))
    assert answer["method"] == "exact"
    decisions: list[dict[str, Any]] = answer["decisions"]
    return decisions


def dealers_nets(cards: dict[int, int], up: int, options: BlackJackOptions) -> dict[int, Fraction]:
    """Return the dealer's chances by total, from every order of cards, by the clauses alone (BJ9, BJ14)."""
    ends: dict[int, Fraction] = {}

    def draw(drawn: list[int], chance: Fraction) -> None:
        low = sum(drawn)
        soft = 1 in drawn and low <= 11
        total = low + 10 if soft else low
        if total > 17 or (total == 17 and not (soft and options.hits_soft_17)):
            end = BLACK_JACK if total == 21 and len(drawn) == 2 else min(total, BUST)
            ends[end] = ends.get(end, Fraction(0)) + chance
            return
        left = {points: number - drawn[1:].count(points) for points, number in cards.items()}
        size = sum(left.values())
        for points, number in left.items():
            if number:
                draw([*drawn, points], chance * Fraction(number, size))

    draw([up], Fraction(1))
    return ends


@pytest.mark.parametrize("options", [ONE_DECK, SOFT], ids=["stands", "hits"])
@pytest.mark.parametrize("up", [1, 6, 7, 10])
def test_BJ14_the_dealers_ends_are_those_of_every_order_of_the_cards(up: int, options: BlackJackOptions) -> None:
    cards = {1: 2, 2: 1, 4: 2, 6: 2, 7: 3, 9: 2, 10: 6}
    ends = dealers_nets(cards, up, options)
    dealer = DealersOdds(
        [cards.get(kind + 1, 0) for kind in KINDS], up - 1, hits_soft_17=options.hits_soft_17, counts_all=True
    )
    for total in range(16, 22):
        wins = sum(chance for end, chance in ends.items() if end == BUST or end < total)
        loses = sum(chance for end, chance in ends.items() if total < end < BUST)
        assert dealer.net(total, 0, 0) == pytest.approx(float(wins - loses), abs=1e-12)
    assert dealer.black_jack(0, 0) == pytest.approx(float(ends.get(BLACK_JACK, 0)))


def test_BJ14_cards_that_have_gone_are_counted_as_if_they_had_never_been_there() -> None:
    fresh = [4] * 9 + [16]
    dealer = DealersOdds(fresh, 5, hits_soft_17=False, counts_all=True)
    gone = 3 * GONE[0] + GONE[4] + 2 * GONE[9]
    without = DealersOdds([1, 4, 4, 4, 3, 4, 4, 4, 4, 14], 5, hits_soft_17=False, counts_all=True)
    for total in range(16, 22):
        assert dealer.net(total, gone, 6) == pytest.approx(without.net(total, 0, 0), abs=1e-12)


@pytest.mark.parametrize(("decks", "within"), [(6, 1e-5), (1, 3e-3)])
def test_BJ14_what_is_reckoned_is_near_what_is_counted(decks: int, within: float) -> None:
    unseen = [4 * decks] * 9 + [16 * decks]
    random = Random(decks)
    for up in (0, 1, 5, 9):
        counted, reckoned = (DealersOdds(unseen, up, hits_soft_17=True, counts_all=all_) for all_ in (True, False))
        for size in (3, 4, 5):
            gone = sum(GONE[kind] for kind in random.choices(KINDS, k=size))
            for total in range(16, 22):
                assert reckoned.net(total, gone, size) == pytest.approx(counted.net(total, gone, size), abs=within)


@pytest.mark.long
@pytest.mark.parametrize(
    ("own", "up", "unseen"),
    [("T6", "9", ""), ("65", "9", "2"), ("45", "T", "A"), ("A8", "T", "2"), ("A7", "9", "2"), ("86", "A", "")],
)
@pytest.mark.parametrize("options", [ONE_DECK, SOFT, SPARED], ids=["usual", "soft", "spared"])
def test_BJ11_hit_stand_and_double_are_worth_what_all_cards_bring(
    own: str, up: str, unseen: str, options: BlackJackOptions
) -> None:
    told, dealt = value(own, up, unseen, options)
    assert told == pytest.approx(dealt, abs=1e-3)


def check_small_shoes(rounds: int, seed: int) -> None:
    """Check random hands of two ranks under random rules, against the 27 or so high cards that are left of one deck."""
    random = Random(seed)
    for _ in range(rounds):
        ranks = "A23456789TJQK"
        # No pairs, which are tested further down, and no Black Jack, which has no choice.
        own = random.choice([one + other for one in ranks for other in ranks[1:9] if one != other])
        up = random.choice(ranks)
        hits, soft = random.random() < 0.5, random.random() < 0.5
        takes = random.choice(["all", "original"])
        options = BlackJackOptions(decks=1, hits_soft_17=hits, double_soft=soft, dealer_blackjack_takes=takes)
        told, dealt = value(own, up, "", options)
        assert told == pytest.approx(dealt, abs=1e-3), (own, up, options)


@pytest.mark.long
def test_BJ11_random_choices_are_worth_what_a_small_shoe_brings() -> None:
    check_small_shoes(20, seed=1)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2, 7))
def test_BJ11_a_thousand_random_choices_are_worth_what_a_small_shoe_brings(seed: int) -> None:
    check_small_shoes(200, seed)


def test_BJ16_the_bonus_of_three_sevens_is_in_the_value() -> None:
    stakes, deck, moves = lay_out("77", "T", "", HOLDER, options=ONE_DECK)
    told, dealt = values(decide(ONE_DECK, stakes, deck, moves, "7")), Cards(ONE_DECK, stakes)
    nets = {word: dealt.nets(deck, [*moves, Move("7", word)])["7"] for word in ("hit", "stand")}
    assert {word: told[word] for word in nets} == pytest.approx(nets, abs=1e-3)


class OwnLine:
    """Splits played by `BoxPlay`: each hand by its own cards and the pairs that led to it."""

    def __init__(self, play: BoxPlay) -> None:
        self.play = play

    def __call__(self, hand: Hand, seat: str) -> str:
        on, splits = hand.asks[seat][0].on, {seat: 0}
        for event in hand.events:
            if isinstance(event, Split) and event.seat == seat:
                splits[event.hand] += 1
                splits[event.into] = splits[event.hand]
        kinds = [kind_of(card) for card in hand.cards(seat)[on]]
        gone = (splits[on] - 1) * GONE[kinds[0]] + sum(GONE[kind] for kind in kinds[1:])
        line = HandLine(gone, splits[on] + len(kinds) - 2, sum(kinds) + len(kinds), ACE in kinds, on == seat)
        if len(kinds) > 2:
            choices = {"stand": self.play.stand(line), "hit": self.play.hit(line)}
        else:
            choices = self.play.choices(line, (kinds[0], kinds[1]), is_split=True)
        return max(choices, key=choices.__getitem__)


@pytest.mark.long
@pytest.mark.parametrize(
    ("own", "up", "unseen", "options"),
    [("AA", "9", "A", ONE_DECK), ("AA", "T", "A", SPARED), ("99", "T", "", ONE_DECK), ("99", "T", "", SPARED)],
)
def test_BJ11_a_split_is_worth_what_playing_each_hand_by_its_own_line_brings(
    own: str, up: str, unseen: str, options: BlackJackOptions
) -> None:
    stakes, deck, moves = lay_out(own, up, unseen, HOLDER, options=options)
    decision = decide(options, stakes, deck, moves, "7")
    play, kind = play_of(decision), kind_of(deck[6])
    split = play.choices(HandLine(0, 0, 2 * kind + 2, kind == ACE, True), (kind, kind), is_split=False)["split"]
    dealt = Cards(options, stakes, OwnLine(play)).nets(deck, [*moves, Move("7", "split")])["7"]
    assert 1000 * split == pytest.approx(dealt, abs=1e-6)
    assert values(decision)["split"] == pytest.approx(dealt, abs=0.5)


# The first hand stands on 17 and the second waits; then the second gets its card, and the first its total.
@pytest.mark.parametrize(
    ("drawn", "said"),
    [pytest.param(["8s"], ["split"], marks=pytest.mark.slow), (["8s", "7s"], ["split", "stand"])],
)
def test_BJ11_in_a_split_the_hands_that_stand_and_those_that_wait_are_in_the_value(
    drawn: list[str], said: list[str]
) -> None:
    stakes, deck, moves = lay_out("99", "T", "", HOLDER, options=ONE_DECK)
    now, moves = [*deck, *drawn], [*moves, *(Move("7", word) for word in said)]
    told = values(decide(ONE_DECK, stakes, now, moves, "7"))
    assert told == pytest.approx(Cards(ONE_DECK, stakes).choices(now, moves, "7"), abs=1.0)


BEA, CID = Stake(7, "bea", {"main": 2000}), Stake(7, "cid", {"main": 3000}, follow=True)


@pytest.mark.long
@pytest.mark.parametrize(("own", "up"), [("65", "9"), ("T6", "9"), ("AA", "9")])
@pytest.mark.parametrize("options", [ONE_DECK, SPARED], ids=["usual", "spared"])
def test_BJ13_a_bet_behind_rides_by_the_holders_best_play(own: str, up: str, options: BlackJackOptions) -> None:
    stakes, deck, moves = lay_out(own, up, "", HOLDER, BEA, CID, options=options)
    nets = Cards(options, stakes).nets(deck, moves)
    decision = decide(options, stakes, deck, moves, "7")
    kinds = [kind_of(card) for card in decision.cards["7"]]
    line, pair = HandLine(0, 0, sum(kinds) + 2, ACE in kinds, True), (kinds[0], kinds[1])
    play = play_of(decision)
    assert nets["7/bea"] == pytest.approx(2000 * play.ride(line, pair), abs=1e-6)
    assert nets["7/cid"] == pytest.approx(3 * max(values(decision).values()), abs=1e-2)


def test_BJ6_who_decides_for_an_absent_holder_is_told_by_their_own_bets() -> None:
    stakes, deck, moves = lay_out("T5", "9", "", HOLDER, BEA, options=ONE_DECK)
    away = [*moves, Move("7", "timeout")]
    told = values(decide(ONE_DECK, stakes, deck, away, "7/bea"))
    assert told == pytest.approx(Cards(ONE_DECK, stakes).choices(deck, away, "7/bea"), abs=1e-3)


def test_BJ6_in_a_split_their_bet_lies_on_the_first_hand_alone() -> None:
    stakes, deck, moves = lay_out("99", "T", "", HOLDER, BEA, CID, options=ONE_DECK)
    away = [*moves, Move("7", "split"), Move("7", "timeout"), Move("7/cid", "stand")]
    now = [*deck, "8s", "7s"]
    told = values(decide(ONE_DECK, stakes, now, away, "7/cid"))
    assert told == pytest.approx(Cards(ONE_DECK, stakes).choices(now, away, "7/cid"), abs=1e-3)


def test_BJ6_an_absent_holder_has_no_cost() -> None:
    (asked,) = [one for one in advise("Ts 9d 5h 8c 2d", "1 timeout") if one["move"] == 0]
    assert (asked["taken"], asked["cost"]) == (None, None)


def stake(player: str, main: int, **more: Any) -> dict[str, Any]:
    return {"seat": 1, "player": player, "bets": {"main": main} | more.pop("bets", {}), **more}


def test_BJ10_an_insurance_adds_what_it_pays_itself_at_its_least_and_its_most() -> None:
    insure, play = advise("9s As 7h", "1 decline", stakes=[stake("anna", 5000)])
    assert list(insure["choices"]) == ["insure 1000", "insure 2500", "decline"]
    declined = insure["choices"]["decline"]
    assert declined == pytest.approx(max(play["choices"].values()))
    net = 3 * Fraction(96, 309) - 1
    for amount in (1000, 2500):
        assert insure["choices"][f"insure {amount}"] == pytest.approx(declined + float(amount * net))
    assert (insure["best"], insure["taken"], insure["cost"]) == ("decline", "decline", 0)


def test_BJ10_what_is_insured_is_in_the_values_of_the_hand_and_an_amount_between_has_its_own_cost() -> None:
    insured, play = advise("9s As 7h", "1 insure 1500", stakes=[stake("anna", 5000)])
    net = float(3 * Fraction(96, 309) - 1)
    assert insured["cost"] == pytest.approx(-1500 * net)
    _, plain = advise("9s As 7h", "1 decline", stakes=[stake("anna", 5000)])
    for word, worth in plain["choices"].items():
        assert play["choices"][word] == pytest.approx(worth + 1500 * net)


def test_BJ10_a_black_jack_is_insured_by_what_the_table_pays_rounded_down() -> None:
    (asked,) = advise("As Ah Kh", stakes=[stake("anna", 1001)], step=1, minimum=1, blackjack_pays="6:5")
    assert asked["choices"]["decline"] == pytest.approx(1201 * (1 - 95 / 309))


def test_BJ10_who_bets_behind_is_told_by_the_holders_play_and_their_own_bet() -> None:
    stakes = [stake("anna", 1000), stake("bea", 2000), stake("cid", 3000, follow=True)]
    asked = {
        one["seat"]: one["choices"] for one in advise("6s As 5h", stakes=stakes, dealer_blackjack_takes="original")
    }
    decision = decide(
        BlackJackOptions(dealer_blackjack_takes="original"),
        [Stake(1, "anna", {"main": 1000})],
        ["6s", "As", "5h"],
        [Move("1", "decline")],
        "1",
    )
    ride = play_of(decision).ride(HandLine(0, 0, 11, False, True), (5, 4))
    assert asked["1/cid"]["decline"] == pytest.approx(3 * asked["1"]["decline"])
    assert asked["1/bea"]["decline"] == pytest.approx(2000 * ride, abs=0.01)
    stayed = advise("6s As 5h", "1/cid stay", stakes=stakes, dealer_blackjack_takes="original")
    assert stayed[-1]["seat"] == "1/cid"
    assert stayed[-1]["choices"]["decline"] == pytest.approx(3000 * ride, abs=0.01)


def test_BJ17_admiral_jack_is_in_the_value_as_it_is_decided() -> None:
    with_it = stake("anna", 1000, bets={"admiral": 2000})
    for ranks, net in (("Ts 9d 5h", -2000), ("As Ah Kh", 38000)):
        plain, told = advise(ranks)[0]["choices"], advise(ranks, stakes=[with_it])[0]["choices"]
        assert {word: worth - net for word, worth in told.items()} == pytest.approx(plain)


def shuffled(random: Random, decks: int) -> list[Card]:
    return random.sample(FRENCH * decks, 52 * decks)


STAKES_OF_TWO = [{"seat": seat, "player": "anna", "bets": {"main": 1000}} for seat in (1, 4)]


@pytest.mark.parametrize("decks", [1, 6])
def test_what_nobody_has_seen_changes_nothing(decks: int) -> None:
    random = Random(decks)
    for _ in range(5):
        deck = shuffled(random, decks)
        told = [
            advise(" ".join(deck[:5] + random.sample(deck[5:], len(deck) - 5)), decks=decks, stakes=STAKES_OF_TWO)
            for _ in range(2)
        ]
        assert told[0] == told[1]


@pytest.mark.long
def test_no_choice_costs_less_than_nothing_and_best_play_takes_what_is_worth_most() -> None:
    random = Random(7)
    options = BlackJackOptions(decks=2, hits_soft_17=True)
    choose, seen = play_best(options), 0
    for _ in range(25):
        hand = Hand(Deal("blackjack", options, (Stake(1, "anna", {"main": 1000}),), tuple(shuffled(random, 2))))
        while hand.asks:
            move = choose("1", hand.asks["1"], hand.cards("1"))
            told = values(decide(options, hand.deal.stakes, hand.deal.deck, hand.moves, "1"))
            assert set(told) == {str(offer) for offer in hand.asks["1"]} or "decline" in told
            assert told[str(move._replace(seat=""))] >= max(told.values()) - (10 if "1.2" in hand.cards("1") else 1)
            hand, seen = hand.play(move), seen + 1
    assert seen > 20


@pytest.mark.long
@pytest.mark.parametrize("own", ["2s 2h", "As 2h", "As Ah", "3s 3h"])
@pytest.mark.parametrize("takes", ["all", "original"])
def test_a_decision_counts_each_two_cards_that_go_once_and_no_more(own: str, takes: str) -> None:
    options = BlackJackOptions(dealer_blackjack_takes=takes)
    first, second = own.split()
    decision = decide(options, [Stake(1, "anna", {"main": 1000})], [first, "Td", second], [], "1")
    unseen = [number * 6 for number in OF_A_DECK]
    for card in (first, second, "Td"):
        unseen[kind_of(card)] -= 1
    play = BoxPlay(rules_of(options), DealersOdds(unseen, TEN, hits_soft_17=False, counts_all=False))
    pair = kind_of(first), kind_of(second)
    told = play.choices(HandLine(0, 0, sum(pair) + 2, ACE in pair, True), pair, is_split=False)
    assert values(decision) == pytest.approx({word: 1000 * worth for word, worth in told.items()})
    # No card gone, each kind, each two kinds; and the hands that three splits in sequence can give.
    assert len(play.dealer._nets) <= 1 + 10 + 55
    assert len(play._bests) < 12_000


@pytest.mark.parametrize(
    ("decks", "admiral", "insurance"),
    [(1, Fraction(23, 663), Fraction(1, 17)), (6, None, Fraction(23, 311)), (8, None, Fraction(31, 415))],
)
def test_BJ10_BJ17_side_bets_cost_what_is_published(decks: int, admiral: Fraction | None, insurance: Fraction) -> None:
    told = edges(BlackJackOptions(decks=decks), None)
    assert told["insurance"].exact == insurance
    deals = 52 * decks * (52 * decks - 1)
    assert told["admiral"].exact == 1 - Fraction(20 * 2 * 4 * 16 * decks * decks, deals)
    assert admiral is None or told["admiral"].exact == admiral


def test_BJ14_BJ15_every_option_of_the_rules_changes_the_edge_as_a_player_would_say() -> None:
    def edge(**options: Any) -> float:
        told = edges(BlackJackOptions(**options), None)["main"].edge
        assert told is not None
        return told

    usual = edge()
    assert edge(decks=1) < edge(decks=2) < usual < edge(decks=8)
    assert edge(hits_soft_17=True) > usual > edge(dealer_blackjack_takes="original")
    assert edge(hits_soft_17=True, double_soft=True) < edge(hits_soft_17=True)
    # BJ15: in this share of hands a box has a Black Jack and the dealer has none.
    assert edge(blackjack_pays="1:1") - usual == pytest.approx(0.5 * 0.0453, abs=5e-5)
    assert edge(blackjack_pays="6:5") - usual == pytest.approx(0.3 * 0.0453, abs=3e-5)
    assert edge(minimum=500, maximum=5000, penetration=5000) == usual


def test_every_shoe_and_rule_has_been_counted() -> None:
    assert len(nets()) == 8 * 2 * 2 * 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_what_is_shipped_of_one_deck_is_what_is_counted(hits_soft_17: bool) -> None:
    for rules, net in count_main(1, hits_soft_17).items():
        assert nets()[1, hits_soft_17, *rules] == pytest.approx(net, abs=1e-12)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("decks", "within"), [(1, 1e-5), (6, 2e-6)])
def test_the_edge_is_what_the_best_choices_of_all_deals_lose(decks: int, within: float) -> None:
    options, size = BlackJackOptions(decks=decks), 52 * decks
    parts = []
    for up in KINDS:
        for first in KINDS:
            for second in KINDS[: first + 1]:
                left, chance = [number * decks for number in OF_A_DECK], 2.0 if first != second else 1.0
                for taken, kind in enumerate((up, first, second)):
                    chance *= left[kind] / (size - taken)
                    left[kind] -= 1
                parts.append(chance * _worth_of_deal(options, _card(up), _card(first), _card(second)))
    assert edges(options, None)["main"].edge == pytest.approx(-fsum(parts) / 1000, abs=within)


def _card(kind: int) -> Card:
    return "A23456789T"[kind] + "s"


def _worth_of_deal(options: BlackJackOptions, up: Card, first: Card, second: Card) -> float:
    """Return the value of a deal without insurance; suits do not matter."""
    suits = iter("shd")
    deck = [first[0] + next(suits), up[0] + next(suits), second[0] + next(suits)]
    stakes, declined = [Stake(1, "anna", {"main": 1000})], [Move("1", "decline")] if up[0] == "A" else []
    if not is_black_jack([first, second]):
        return max(values(decide(options, stakes, deck, declined, "1")).values())
    left = 52 * options.decks - 3
    beaten = {"A": 16 * options.decks - 1, "T": 4 * options.decks - 1}.get(up[0], 0) / left
    return 1500 * (1 - beaten)


def test_what_is_shipped_is_as_it_is_written_and_rests_on_no_release_of_python():
    """The last digit of a sum of floats depends on the release, so it is not written."""
    found = [{BetRules(*key[2:]): net for key, net in nets().items() if key[:2] == shoe} for shoe in SHOES]
    written = render(found)
    assert written == EDGES.read_text("utf-8")
    assert render([{rules: nextafter(net, 1) for rules, net in one.items()} for one in found]) == written
