"""`/learn` as a command: its answers, and that it changes nothing else."""

import pytest

from bot.core.commands.first_hand import KEY
from bot.core.guide.lessons import play
from bot.texts import LANGUAGES, say
from bot.view.lessons import lesson_screen
from engine.advice import decision_of
from engine.games import ODDS
from tests.core.conftest import CARIBBEAN, STUD, House
from tests.some import some

# The presses of a good player from the first bet to the payment.
GOOD = {
    "caribbean": "ante raise",
    "uth": "ante check play 2",
    "paiju": "west squeeze west",
    "blackjack": "main hit stand",
    "stud": "buyin complete bet",
    "puntobanco": "banco squeeze banco squeeze banco-third",
    "roulette": "black",
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
            assert "is not possible" in str(answer.texts[0]), "a word alone is half of what a button says"
            assert words[end - 1] in ("play", "squeeze")
            continue
        assert "don't count" in str(answer.texts[0])
    assert some(answer.lesson).table.last is not None
    assert lines_of(house, f"anna learn {game} {GOOD[game]}")[0].startswith("anna wins ")


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


def test_the_same_update_twice_is_answered_alike(house: House) -> None:
    command = house.command("anna learn uth ante")
    first, second = house.batch([command, command])
    assert some(first.lesson).said == some(second.lesson).said == ("ante",)


def test_the_rules_lead_to_it(house: House) -> None:
    assert house.says("anna rules caribbean").endswith(
        "Never played it? /learn caribbean deals you a first hand, with practice chips."
    )
    assert "/learn [GAME]: Play a first hand of a game" in house.says("anna help learn")


def test_whoever_plays_with_the_learner_is_somebody(house: House) -> None:
    shown = lesson_screen(some(house.do("anna learn stud buyin complete bet").lesson), house.books)
    assert [seat.name for seat in shown.seats] == ["anna", "Zanetta"]
    assert [seat.stack for seat in shown.seats] == [1700, 0]


@pytest.mark.long
def test_SH10_aces_with_a_low_card_win_as_often_as_the_learner_is_told() -> None:
    hand = some(play("stud", ("buyin",), "Anna").table.round.hand)
    share = some(ODDS["stud"].equity)(decision_of(hand, KEY))
    assert 0.7 < share < 0.8, "three pots in four"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_hand_is_said_in_every_language(house: House, language: str) -> None:
    shown = lesson_screen(some(house.do("anna learn uth ante").lesson), house.books)
    said = {say(line, language) for line in shown.lines}
    assert language == "en" or not said & {say(line, "en") for line in shown.lines}
