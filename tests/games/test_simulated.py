"""Simulate every game that is installed: people can play it, and a house of its tables alone ends in good order."""

from contextlib import closing
from itertools import groupby

import pytest

from bot.core.command_list import VERBS
from bot.games import FACES
from storage.questions import hands
from tests.bot.core.conftest import TABLES, House
from tests.simulation.behavior import BEHAVIORS, first_bet
from tests.simulation.crowd import split_line
from tests.simulation.history import History
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
    for number, line in enumerate(BEHAVIORS[game].bets):
        line = f"player{number} {filled(line)}"
        if is_refused(house.do(line, table=table)):
            house.do(f"player{number} {first_bet(game)}", table=table)
            assert not is_refused(answer := house.do(line, table=table)), (line, answer)
        house.do(f"player{number} takeback", table=table)
        house.do(f"player{number} leave", table=table)


@EVERY_GAME
def test_every_line_is_a_command(game):
    behavior = BEHAVIORS[game]
    for line in (*behavior.bets, *behavior.says, *behavior.inspects):
        assert split_line(filled(line))[0] in VERBS, line


@EVERY_GAME
def test_every_spot_is_bet_on_and_every_option_of_a_table_is_set(game):
    face, behavior = FACES[game], BEHAVIORS[game]
    if not face.game.stacks:
        words = {word for line in behavior.bets for word in line.split()}
        assert {*face.game.spots[1:]} <= words
    set_here = {line.split()[2] for line in behavior.inspects if line.startswith("table set")}
    assert set_here <= face.texts.options.keys() | face.texts.settings.keys()
    assert set_here or not face.texts.options.keys() - {*face.texts.kept_by_casino}


@EVERY_GAME
def test_what_inspectors_set_can_be_set(house, game):
    """Each option by itself, one value after the other: one may rule out another's value."""
    tables, at = house.writer.state.tables, TABLES[game]
    lines = [line for line in BEHAVIORS[game].inspects if line.startswith("table set")]
    for _option, values in groupby(lines, key=lambda line: line.split()[2]):
        for line in values:
            answer = house.do(f"insp {filled(line)}", table=at)
            assert not answer.refused, (line, answer)
        tables[at] = tables[at].change(options={})


@pytest.mark.slow
@EVERY_GAME
def test_a_house_of_its_tables_alone_plays_hands_to_their_end(tmp_path, game):
    """The doctor looks at the whole of the books when it is over; nobody is shown a card that is hidden from them."""
    with closing(History(1, tmp_path / "house", (game,))) as history:
        for _step in history.run(STEPS):
            pass
        history.finish()
        rows = [some(hands.hand(history.books, id)) for id in hands.hand_numbers(history.books)]
    assert {row.game for row in rows if row.status == "over"} == {game}
