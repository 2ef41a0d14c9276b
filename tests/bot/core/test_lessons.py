"""`/learn` as a command: what is asked and answered there, and that nothing in the house has changed by it."""

import pytest

from bot.core.commands.first_hand import FIRST_HANDS, KEY
from bot.core.guide.lessons import play
from bot.games import FACES
from bot.texts import LANGUAGES, say, title_of
from bot.view.lessons import lesson_screen
from engine.advice import decision_of
from engine.games import ODDS
from tests.bot.core.conftest import CARIBBEAN, STUD, House
from tests.some import some

NO_ROULETTE = f"There is no game called “roulette” here. Try {', '.join(map(title_of, FIRST_HANDS))}."
# What is pressed from the first bet to the payment, as a good player does.
GOOD = {
    "caribbean": "ante raise",
    "uth": "ante check play 2",
    "paiju": "west squeeze west",
    "blackjack": "main hit stand",
    "stud": "buyin complete bet",
    "puntobanco": "banco squeeze banco squeeze banco-third",
}


def lines_of(house: House, line: str) -> list[str]:
    lesson = some(house.do(line).lesson)
    return [say(text, "en") for text in lesson_screen(lesson, house.books).lines]


@pytest.mark.long
@pytest.mark.parametrize("game", GOOD)
def test_a_hand_is_learnt_from_the_bet_to_the_payment(house: House, game: str) -> None:
    words = GOOD[game].split()
    for end in range(len(words) + 1):
        answer = house.do(f"anna learn {game} {' '.join(words[:end])}")
        if answer.refused:
            assert "does not fit" in str(answer.texts[0]), "a word alone is half of what a button says"
            assert words[end - 1] in ("play", "squeeze")
            continue
        assert "in no books" in str(answer.texts[0])
    assert some(answer.lesson).table.last is not None
    assert lines_of(house, f"anna learn {game} {GOOD[game]}")[0].startswith("anna wins ")


def test_every_game_has_its_own() -> None:
    assert GOOD.keys() <= FACES.keys()


def test_nothing_of_it_comes_into_the_books_or_to_a_table(house: House) -> None:
    house.do("anna balance")
    house.do("bea bet 50")
    before, tables, hands = house.balances(), dict(house.writer.state.tables), house.says("anna history")
    house.changed.clear()
    for game, words in GOOD.items():
        assert not house.do(f"anna learn {game}").refused
        assert not house.do(f"anna learn {game} {words}").refused
    assert house.changed == []
    assert house.balances() == before
    assert house.writer.state.tables == tables
    assert house.says("anna history") == hands
    assert house.chips("anna") == 100_000
    assert "hand" not in house.says("anna statement").lower()


def test_it_needs_no_chips_and_no_limit_keeps_from_it(house: House) -> None:
    house.do("anna balance")
    house.do("insp ban anna for a test", sure=True)
    assert house.do("anna bet 50").refused
    assert not house.do("anna learn caribbean ante raise").refused
    house.do("bea pause 30", sure=True)
    assert house.do("bea bet 50").refused
    assert not house.do("bea learn caribbean ante raise").refused


def test_without_a_name_it_is_the_game_of_the_table(house: House) -> None:
    assert some(house.do("anna learn", table=STUD).lesson).game == "stud"
    assert some(house.do("anna learn", table=CARIBBEAN).lesson).game == "caribbean"
    assert some(house.do("anna learn UTH").lesson).game == "uth"


def test_what_does_not_fit_is_refused_in_a_sentence(house: House) -> None:
    assert house.says("anna learn roulette") == NO_ROULETTE
    told = "does not fit this practice hand as it is now: /learn caribbean begins it anew."
    for words in ("raise", "ante ante", "ante raise raise", "ante exchange 6", "ante exchange", "x" * 200):
        answer = house.do(f"anna learn caribbean {words}")
        assert answer.refused
        assert told in str(answer.texts[0])
        assert len(str(answer.texts[0])) < 160


def test_a_hand_that_was_begun_goes_on_after_a_restart(house: House) -> None:
    before = lines_of(house, "anna learn uth ante check")
    house.restart()
    assert lines_of(house, "anna learn uth ante check") == before


def test_the_same_update_twice_is_answered_alike(house: House) -> None:
    command = house.command("anna learn uth ante")
    first, second = house.batch([command, command])
    assert some(first.lesson).said == some(second.lesson).said == ("ante",)


def test_the_rules_lead_to_it(house: House) -> None:
    assert house.says("anna rules caribbean").endswith(
        "Never played it? /learn caribbean deals you a first hand, with practice chips."
    )
    assert "/learn [GAME]: A first hand of a game" in house.says("anna help learn")


def test_the_choices_are_priced_and_the_last_one_judged(house: House) -> None:
    asked = lines_of(house, "anna learn caribbean ante")
    assert "Best: Raise (20)." in asked
    assert any("Raise (20): -0.80" in line and "Fold: -10" in line for line in asked)
    assert lines_of(house, "anna learn caribbean ante raise")[-1] == "That was the best choice."
    assert lines_of(house, "anna learn caribbean ante fold")[-1] == (
        "You chose fold; raise was worth 9.20 more, on average."
    )


def test_where_the_bet_is_the_only_choice_the_bets_are_priced(house: House) -> None:
    told = lines_of(house, "anna learn puntobanco")
    assert "A bet on banco: the house keeps 1.06 % of it in the long run." in told
    assert told[-1] == "Best: banco 10."
    assert not any("Best" in line for line in lines_of(house, "anna learn paiju")), "one costs as much as the other"


def test_whoever_plays_with_the_learner_is_somebody(house: House) -> None:
    shown = lesson_screen(some(house.do("anna learn stud buyin complete bet").lesson), house.books)
    assert [seat.name for seat in shown.seats] == ["anna", "Zanetta"]
    assert [seat.stack for seat in shown.seats] == [1700, 0]


@pytest.mark.long
def test_SH10_aces_with_a_low_card_win_as_often_as_the_learner_is_told() -> None:
    hand = some(play("stud", ("buyin",), "Anna").table.play)
    share = some(ODDS["stud"].equity)(decision_of(hand, KEY))
    assert 0.7 < share < 0.8, "three pots in four"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_hand_is_said_in_every_language(house: House, language: str) -> None:
    shown = lesson_screen(some(house.do("anna learn uth ante").lesson), house.books)
    said = {say(line, language) for line in shown.lines}
    assert language == "en" or not said & {say(line, "en") for line in shown.lines}
