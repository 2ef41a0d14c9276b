"""The deal of the day as a pure function of its seed and a line of play."""

import hashlib
import hmac

import pytest

from engine.daily import CHIPS, HANDS, KEY, DailyCourse, DailyDeal, follow_course, score_of
from engine.errors import Illegal
from engine.felt import Limits
from engine.games import GAMES
from engine.record import play_record

SEED = hashlib.sha256(b"deal").digest()
DECIDED = ("caribbean", "uth", "blackjack")


def deal_of(game: str) -> DailyDeal:
    options = GAMES[game].options()
    assert isinstance(options, Limits)
    return DailyDeal(game, GAMES[game].rules, options, SEED)


def finish(course: DailyCourse, bet: int) -> DailyCourse:
    """Bet the same each hand, as long as the chips last, and take the first offer."""
    while not course.is_over:
        course = course.play(
            str(bet) if course.hand is None else next(str(offer) for offer in course.offers if not offer.most)
        )
    return course


@pytest.mark.parametrize("game", DECIDED)
def test_TN31_hand_i_is_dealt_from_the_hmac_of_the_seed(game: str) -> None:
    deal = deal_of(game)
    course = deal.deal(3, deal.options.minimum)
    assert course.deal.seed is not None
    assert course.deal.seed.server == hmac.new(SEED, b"deal 3", hashlib.sha256).digest()


@pytest.mark.parametrize("game", DECIDED)
def test_TN31_ten_hands_end_with_a_score_that_the_records_add_up_to(game: str) -> None:
    course = finish(DailyCourse(deal_of(game)), deal_of(game).options.minimum)
    assert len(course.played) == HANDS
    nets = [play_record(record)["net"][KEY] for record in course.records()]
    assert course.chips == CHIPS + sum(nets) == score_of(course.deal, course.moves)
    with pytest.raises(Illegal):
        course.play("1000")


@pytest.mark.parametrize("game", DECIDED)
def test_TN32_what_is_left_at_the_end_of_the_day_is_played_as_time_outs(game: str) -> None:
    deal = deal_of(game)
    begun = DailyCourse(deal).play(str(deal.options.minimum)).time_out()
    assert begun.is_over
    assert set(begun.moves) <= {str(deal.options.minimum), "timeout"}
    assert follow_course(deal, begun.moves).chips == begun.chips


def test_TN31_nothing_is_offered_that_the_chips_do_not_pay_for() -> None:
    deal = deal_of("caribbean")
    course = DailyCourse(deal).play(str(CHIPS))
    assert {offer.word for offer in course.offers} == {"fold"}
    with pytest.raises(Illegal, match="enough chips"):
        course.play("raise")
    broke = course.play("fold")
    assert broke.is_over
    assert broke.chips == 0


@pytest.mark.parametrize("word", ["0", "1", "100500000", "raise", "", "-5", "1e3"])
def test_a_bet_must_be_within_the_limits_and_the_chips(word: str) -> None:
    with pytest.raises(Illegal):
        DailyCourse(deal_of("caribbean")).play(word)


def test_a_line_that_does_not_reach_the_end_has_no_score() -> None:
    with pytest.raises(Illegal):
        score_of(deal_of("uth"), ["500"])


def test_a_seed_is_in_no_representation() -> None:
    course = DailyCourse(deal_of("uth")).play("500")
    assert SEED.hex() not in repr(course)
    assert repr(SEED) not in repr(course)
