"""Of every game that is installed: a storm's people can play it, and a storm of its tables alone ends in good order."""

from contextlib import closing

import pytest

from bot.games import FACES
from bot.house.verbs import VERBS
from bot.tools.storm.crowd import split_line
from bot.tools.storm.games import first_bet
from bot.tools.storm.history import History
from storage.questions import hands
from tests.bot.house.conftest import TABLES, House
from tests.some import some

STEPS = 300
LACKS = "That costs"
LIMITS = "G5"

EVERY_GAME = pytest.mark.parametrize("game", FACES)


@pytest.fixture
def house(tmp_path):
    opened = House(tmp_path)
    yield opened
    opened.close()


def filled(line):
    """A line as somebody may type it who looks at hand 1."""
    return line.format(amount=20, seat=1, player="anna", hand=1, last=1)


def is_refused(answer):
    """For what the line says, and not for want of chips or by the limits."""
    return answer.refused and answer.clause != LIMITS and not str(answer.texts[0]).startswith(LACKS)


@EVERY_GAME
def test_a_newcomer_may_bet_where_nobody_is(house, game):
    answer = house.do(f"anna {first_bet(game)}", table=TABLES[game])
    assert not answer.refused, answer


@EVERY_GAME
def test_every_bet_is_taken_from_a_newcomer_or_on_top_of_the_first(house, game):
    table = TABLES[game]
    for number, line in enumerate(FACES[game].storm.bets):
        line = f"player{number} {filled(line)}"
        if is_refused(house.do(line, table=table)):
            house.do(f"player{number} {first_bet(game)}", table=table)
            assert not is_refused(answer := house.do(line, table=table)), (line, answer)
        house.do(f"player{number} takeback", table=table)
        house.do(f"player{number} leave", table=table)


@EVERY_GAME
def test_every_line_is_a_command(game):
    storm = FACES[game].storm
    for line in (*storm.bets, *storm.says, *storm.inspects):
        assert split_line(filled(line))[0] in VERBS, line


@EVERY_GAME
def test_what_inspectors_set_can_be_set(house, game):
    for line in FACES[game].storm.inspects:
        if line.startswith("table set"):
            answer = house.do(f"insp {filled(line)}", table=TABLES[game])
            assert not answer.refused, (line, answer)


@pytest.mark.slow
@EVERY_GAME
def test_a_storm_of_its_tables_alone_plays_hands_to_their_end(tmp_path, game):
    """The doctor looks at the whole of the books when it is over; nobody is shown a card that is hidden from him."""
    with closing(History(1, tmp_path / "house", (game,))) as storm:
        for _step in storm.run(STEPS):
            pass
        storm.finish()
        rows = [some(hands.hand(storm.books, id)) for id in hands.hand_numbers(storm.books)]
    assert {row.game for row in rows if row.status == "over"} == {game}
