"""What comes back of a button is the press that it was made for, in whatever edition that was."""

import pytest

from bot.doors.discord.codes import read_press
from bot.doors.kit.press import Press, dump_press

# Of 2f8e369: the select says for all its choices what they were made for. Of the edition after it: each choice does.
OLD = [
    ("t:12:34:bet:ante,2.50", (), Press("verb", "bet", ("ante", "2.50"), "34", 12)),
    ("t:12:34.2:raise:", (), Press("verb", "raise", (), "34.2", 12)),
    ("t:12:34.2.1/p7.400:bring-in:", (), Press("verb", "bring-in", (), "34.2.1/p7.400", 12)),
    ("t:0::meter show:", (), Press("verb", "meter show")),
    ("a:12:34:bet:", (), Press("ask", "bet", (), "34", 12)),
    ("m:12:34:cut:", (), Press("typed", "cut", (), "34", 12)),
    ("s:12:34:1", ("bet:west,5",), Press("verb", "bet", ("west", "5"), "34", 12)),
    ("s:12:34:1", ("34...500:bet:west,5",), Press("verb", "bet", ("west", "5"), "34...500", 12)),
    ("y:1400000000000000001", (), Press("yes", "1400000000000000001")),
    ("n:1400000000000000001", (), Press("no", "1400000000000000001")),
]


@pytest.mark.parametrize(("code", "picked", "press"), OLD)
def test_the_codes_of_older_editions_are_read(code, picked, press):
    assert read_press(code, picked) == press


@pytest.mark.parametrize("press", [press for _code, _picked, press in OLD])
def test_a_press_comes_back_as_it_went_out_by_itself_and_picked_among_others(press):
    assert read_press(dump_press(press)) == press
    assert read_press(dump_press(Press("pick", "", ("1",), "34", 12)), (dump_press(press),)) == press


@pytest.mark.parametrize("code", ["", "t:", "t:1", "t:a::bet:", "s:12:34:1", "vote:1", "x|", "p12||1|34", "t:1:2:BET:"])
def test_what_is_none_of_ours_is_no_press(code):
    assert read_press(code) is None
