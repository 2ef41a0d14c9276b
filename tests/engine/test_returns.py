"""Returns of bets from hands: each comparison by chosen hands, and the bound of their sum."""

from fractions import Fraction
from math import inf
from random import Random

import pytest

from bot.cli.game_checks.random_hands import play_at_random
from engine.felt import Deal, Move, Stake
from engine.games import GAMES, ODDS
from engine.hand import Hand
from engine.odds import BetOdds, chance_alone
from engine.returns import Outcome, Tally, judge, outcomes_of
from tests.engine.conformance import random_deal
from tests.some import some


def hand(game, first, stakes, moves="", jackpot=None, **options):
    """Return a hand whose deck begins with these cards."""
    parsed, cards = GAMES[game].parse_options(options), first.split()
    rest = list(GAMES[game].full_deck(parsed))
    for card in cards:
        rest.remove(card)
    deal = Deal(game, parsed, stakes, (*cards, *rest), (1, 4) if GAMES[game].dice else None, None, jackpot)
    return Hand(deal, [Move(*move.split()) for move in filter(None, moves.split(", "))])


def outcomes(hand, void_seats=()):
    found = outcomes_of(hand, ODDS[hand.deal.game], void_seats, with_choices=True)
    return {(one.spot, one.compared): one for one in found}


def seats(*bets):
    return tuple(Stake(seat, f"p{seat}", spots) for seat, spots in enumerate(bets, start=1))


def test_a_bet_without_choices_is_told_in_units_with_the_moments_of_its_odds():
    natural = hand("puntobanco", "9s Ts Th 2c", seats({"punto": 500, "banco": 700}))
    found = outcomes(natural)
    assert {key: one.net for key, one in found.items()} == {("punto", "exact"): 1.0, ("banco", "exact"): -1.0}
    odds = ODDS["puntobanco"].edges(natural.deal.options, None)["punto"]
    punto = found["punto", "exact"]
    assert punto.expected == pytest.approx(-some(odds.edge))
    assert punto.variance == pytest.approx(some(odds.win) + some(odds.lose) - some(odds.edge) ** 2)


def test_winnings_are_expected_as_they_are_rounded_down():
    """Banco pays 19 to 20: for one minor unit nothing, for twenty nineteen."""
    exact = ODDS["puntobanco"].edges(GAMES["puntobanco"].parse_options({}), None)["banco"]
    for amount, pays in ((1, Fraction(0)), (3, Fraction(2, 3)), (20, Fraction(19, 20))):
        dealt = hand("puntobanco", "9s Ts Th 2c", seats({"banco": amount}), minimum=1, step=1)
        assert outcomes(dealt)["banco", "exact"].expected == pytest.approx(
            some(exact.win) * float(pays) - some(exact.lose)
        )


def test_bets_of_one_name_in_one_hand_are_one_at_their_mean_and_a_void_seat_is_none():
    dealt = hand("paiju", "", seats({"south": 500, "south-west": 500}, {"south": 900}, {"west": 500}))
    each = {seat: outcomes(dealt, {str(other) for other in (1, 2, 3) if other != seat}) for seat in (1, 2, 3)}
    assert set(each[2]) == {("south", "exact")}
    assert outcomes(dealt)["south", "exact"] == each[1]["south", "exact"] == each[2]["south", "exact"]
    boxes = hand("blackjack", "Ts 9h Th 9d 8c 2c 5h", seats({"main": 1000}, {"main": 2000}), "1 stand, 2 hit, 2 stand")
    one, both = outcomes(boxes, {"2"}), outcomes(boxes)
    assert both["main", "most"].net == (one["main", "most"].net + outcomes(boxes, {"1"})["main", "most"].net) / 2


def test_what_a_bet_of_the_play_brings_counts_in_units_of_the_ante_and_choices_add_what_they_gave_away():
    """A royal flush against a dealer who does not qualify wins the ante; folding it costs its earlier value."""
    royal = "As Ks Qs Js Ts 2h 3d 4c 5h 7d"
    raised = outcomes(hand("caribbean", royal, seats({"ante": 1000}), "1 raise"))
    assert raised["ante", "most"].net == raised["ante", "choices"].net == 1.0  # the dealer does not qualify
    folded = outcomes(hand("caribbean", royal, seats({"ante": 1000}), "1 fold"))
    assert folded["ante", "most"].net == -1.0
    assert folded["ante", "choices"].net > 100
    edge = some(ODDS["caribbean"].edges(GAMES["caribbean"].options(), None)["ante"].edge)
    assert folded["ante", "choices"].expected == -edge


def test_CS7_a_prize_that_was_given_up_by_an_exchange_counts_for_the_coin_and_its_loss_for_no_bet():
    full = "As Ah Ad Kc Ks 2h 3d 4c 5h 7d"
    stakes = seats({"ante": 1000, "jackpot": 100}, {"ante": 1000})
    kept = outcomes(hand("caribbean", f"{full} 2s 3h", stakes, "1 raise, 2 fold", 1_000_000))
    given = outcomes(hand("caribbean", f"{full} 2s 3h", stakes, "1 exchange Kc, 2 fold, 1 raise", 1_000_000))
    assert kept["jackpot", "exact"].net == given["jackpot", "exact"].net == 99.0
    alone = outcomes(
        hand("caribbean", f"{full} 2s 3h", seats({"ante": 1000}, {"ante": 1000}), "1 exchange Kc, 2 fold, 1 raise")
    )
    assert given["ante", "choices"] == alone["ante", "choices"]


def test_BJ10_an_insurance_is_held_against_what_it_was_worth_when_it_was_taken():
    """Two tens of the box's own have gone: 94 of the remaining 309 make the dealer's Black Jack."""
    dealt = hand("blackjack", "Ts As Th 9d", seats({"main": 1000}), "1 insure 500, 1 stand")
    insured = outcomes(dealt)["insurance", "choices"]
    assert insured.net == -1.0
    assert insured.expected == pytest.approx(3 * 94 / 309 - 1)
    declined = outcomes(hand("blackjack", "Ts As Th 9d", seats({"main": 1000}), "1 decline, 1 stand"))
    assert ("insurance", "choices") not in declined
    assert declined["main", "choices"].net == outcomes(dealt)["main", "choices"].net


def test_BJ5_who_bets_behind_chooses_nothing_and_can_have_no_more_than_best_play():
    stakes = (Stake(1, "anna", {"main": 2000}), Stake(1, "bea", {"main": 1000}))
    dealt = hand("blackjack", "Ts 9h 2h 5d 8c Tc", stakes, "1 hit, 1 stand")
    assert set(outcomes(dealt)) == {("main", "most"), ("main", "choices")}
    assert set(outcomes(dealt, {"1"})) == {("main", "most")}


def test_UT15_what_nobody_has_counted_is_not_compared():
    board = hand("uth", "As Ah", seats({"ante": 500, "trips": 500}), "1 play 4", procedure="manual")
    assert set(outcomes(board)) == {("ante", "most"), ("ante", "choices")}


@pytest.mark.long
@pytest.mark.parametrize("game", [name for name, odds in ODDS.items() if odds.units])
def test_whatever_is_bet_and_played_each_bet_is_compared_and_is_finite(game):
    random = Random(f"returns {game}")
    for _ in range(6):
        *_, last = play_at_random(random_deal(game, random), random)
        if last.is_void or not last.is_over:
            continue
        bets = ODDS[game].edges(last.deal.options, None)
        laid = {
            spot
            for stake in last.deal.stakes
            for spot in stake.bets
            if bets[ODDS[game].units[spot].bet].edge is not None
        }
        found = outcomes(last)
        assert laid <= {spot for spot, _ in found}
        assert all(abs(one.net) < inf and abs(one.expected) < 100 for one in found.values())


def test_the_outcomes_of_a_bet_sum_to_one_and_bring_its_edge():
    for game, odds in ODDS.items():
        for name, bet in odds.edges(GAMES[game].parse_options({}), None).items():
            if bet.outcomes is not None:
                assert sum(bet.outcomes.values()) == 1, (game, name)
                assert -sum(net * chance for net, chance in bet.outcomes.items()) == bet.exact
    assert chance_alone("any", {Fraction(-1): Fraction(1, 4), Fraction(2): Fraction(1, 4)}) == BetOdds(
        0.25,
        "any",
        Fraction(1, 4),
        0.25,
        0.0,
        0.75,
        outcomes={Fraction(-1): Fraction(3, 4), Fraction(2): Fraction(1, 4)},
    )


def tally(*outcomes):
    sums = Tally()
    for one in outcomes:
        sums.add(one)
    return sums


def even(wins, losses):
    """Return the tally of a bet that wins or loses a unit with equal chance."""
    return tally(
        *[Outcome("spot", "exact", 1.0, 0.0, 1.0, 0.0)] * wins,
        *[Outcome("spot", "exact", -1.0, 0.0, 1.0, 0.0)] * losses,
    )


def test_out_is_what_differs_by_more_than_four_standard_errors():
    assert not judge(even(70, 30), "exact").is_out  # exactly four
    verdict = judge(even(71, 29), "exact")
    assert (verdict.hands, verdict.measured, verdict.exact, verdict.error) == (100, 1.42, 1.0, 0.1)
    assert verdict.z == pytest.approx(4.2)
    assert verdict.is_out
    assert judge(even(29, 71), "exact").is_out


def test_of_what_may_be_less_only_too_much_is_out():
    wins, losses = (Outcome("spot", "most", net, 0.0) for net in (1.0, -1.0))
    assert not judge(tally(*[wins] * 100, *[losses] * 300), "most").is_out
    assert judge(tally(*[wins] * 300, *[losses] * 100), "most").is_out


def test_a_rare_prize_has_to_have_had_its_chance_before_it_says_anything():
    """A thousand units once in a thousand: one of them in fifty hands is off by four errors, by chance."""
    odds = chance_alone("any", {Fraction(999): Fraction(1, 1000)})
    moments = 0.0, 999.0, 1000**3 * 0.001 - 3 * 1000**2 * 0.001 + 2

    def coins(won, lost):
        kinds = Outcome("coin", "exact", 999.0, *moments), Outcome("coin", "exact", -1.0, *moments)
        return judge(tally(*[kinds[0]] * won, *[kinds[1]] * lost), "exact")

    assert odds.edge == 0
    once = coins(1, 49)
    assert once.z > 4
    assert not once.is_known
    # Fifteen where five were expected: by chance once in 5,000 times, much more often than four standard errors.
    assert coins(15, 4985).z > 4
    assert coins(15, 4985).is_known
    assert not coins(15, 4985).is_out
    assert coins(25, 4975).is_out


def test_few_hands_of_which_nobody_knows_the_spread_say_nothing():
    one = Outcome("spot", "most", 1.0, 0.0)
    other = Outcome("spot", "most", 0.9, 0.0)
    assert not judge(tally(*[one] * 99, *[other] * 100), "most").is_known
    assert judge(tally(*[one] * 100, *[other] * 100), "most").is_out
    assert judge(tally(one), "most").z == inf


def test_sums_of_parts_are_the_sum():
    random = Random(3)
    all_of_them = [Outcome("spot", "exact", random.random(), 0.4, 0.1, 0.01) for _ in range(20)]
    parts = tally(*all_of_them[:7])
    parts.merge(tally(*all_of_them[7:]))
    assert judge(parts, "exact") == pytest.approx(judge(tally(*all_of_them), "exact"))
