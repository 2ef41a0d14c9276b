"""A button's custom id decodes to its press."""

import pytest

from bot.platforms.common.press import Press, dump_press
from bot.platforms.discord.codes import read_press

PRESSES = [
    Press("verb", "bet", ("ante", "2.50"), "34", 12),
    Press("verb", "raise", (), "34.2", 12),
    Press("verb", "bring-in", (), "34.2.1/p7.400", 12),
    Press("verb", "meter show"),
    Press("ask", "bet", (), "34", 12),
    Press("typed", "cut", (), "34", 12),
    Press("verb", "bet", ("west", "5"), "34...500", 12),
    Press("yes", "1400000000000000001"),
    Press("no", "1400000000000000001"),
]


@pytest.mark.parametrize("press", PRESSES)
def test_a_press_comes_back_as_it_went_out_by_itself_and_picked_among_others(press):
    assert read_press(dump_press(press)) == press
    assert read_press(dump_press(Press("pick", "", ("1",), "34", 12)), (dump_press(press),)) == press


@pytest.mark.parametrize("code", ["", "t:", "t:1", "t:12:34:bet:5", "y:14", "s:12:34:1", "vote:1", "x|", "p12||1|34"])
def test_what_is_none_of_ours_is_no_press(code):
    assert read_press(code) is None
