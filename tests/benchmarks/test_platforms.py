"""benchmarks.platforms counts what it says it counts, with a whole house on each platform."""

import pytest

from benchmarks import people
from benchmarks.people import Pressed, Version, bet_ages, clock_ages, clock_of, is_played
from benchmarks.platforms import BUSY, Said, Served, measure_platforms, say_by_game
from benchmarks.process import open_house
from bot.core.state.plays import PLAYS
from tests.servers.telegram import Message

NOON = 20_000 * 86400.0 + 12 * 3600


@pytest.mark.parametrize("platform", ["telegram, polling", pytest.param("telegram, webhook", marks=pytest.mark.slow)])
def test_a_house_answers_everybody_in_a_few_groups(platform):
    found = serve(platform)
    assert found.limited == 0
    assert found.refused <= found.tables, "a new group is tried once whether it takes what is for one alone"
    assert found.pictures > 0


@pytest.mark.slow
@pytest.mark.parametrize("platform", BUSY)
def test_a_busy_house_keeps_to_its_limits_and_every_game_is_counted(platform):
    _served, *said = measure_platforms(
        seconds=8.0, tables=6, rate=12, warm_up_s=1.0, platforms=[platform], busy=True, quiet_s=0.3
    )
    games = {one.game: one for one in said if isinstance(one, Said)}
    assert list(games) == [*PLAYS]
    assert all(one.messages_an_hour + one.edits_an_hour > 0 for one in games.values()), games
    assert max(one.most_in_5_s for one in games.values()) <= 5


def test_what_is_typed_is_answered_and_is_no_part_of_a_hand():
    town = people.BusyTelegram(1, ["caribbean"])
    [group] = town._groups
    bot = town.server.bot

    def sent(text, *data):
        message = Message(group.chat, town.server.next_message_id(group.chat), town.server.now, bot)
        message.text = text
        message.markup = {"inline_keyboard": [[{"text": "x", "callback_data": one} for one in data]]}
        town.server.show(message, "message")

    sent("Ada, this is for you alone.", "r|c1730bf1417172e7||")
    sent("Caribbean Stud: Hand 7", "v|bet|ante 10|8...1000")
    assert [version.text for version in town.versions()[0]] == ["Caribbean Stud: Hand 7"]


@pytest.mark.slow
def test_a_house_answers_everybody_in_a_few_channels():
    assert serve("discord").limited == 0


def serve(platform):
    found, *said = measure_platforms(seconds=2.0, tables=4, rate=10, warm_up_s=0.5, platforms=[platform], quiet_s=0.3)
    assert isinstance(found, Served)
    assert sum(one.tables for one in said if isinstance(one, Said)) == 4
    assert (found.platform, found.tables) == (platform, 4)
    assert 0 < found.presses <= 20
    assert found.unanswered == 0
    assert 0 < found.p50_s <= found.p99_s <= found.max_s
    assert found.cpu_ms > 0 < found.here_cores
    assert found.shown > 0
    assert found.rss_mib > 20
    return found


async def test_a_house_that_does_not_open_says_why(tmp_path):
    with pytest.raises(ChildProcessError, match="the house did not open: ridotto: RIDOTTO_PACE is no setting"):
        async with open_house(tmp_path / "data", {"RIDOTTO_PACE": "fast"}):
            pass


@pytest.mark.parametrize(
    ("code", "played"),
    [
        ("v|bet|ante 10|8...1000", True),
        ("v17|cards||", True),
        ("v|buyin|320||", True),
        ("m|raise||7.2", True),
        ("b|bet|7 main|9", True),
        ("a|bet||8", False),
        ("v|leave||", False),
        ("c|||", False),
        ("r|c1730bf1417172e7||", False),
    ],
)
def test_what_is_pressed_is_what_plays(code, played):
    assert is_played(code) == played


def newcomer(at, answered, *, is_in=True, is_new=True, name="Zoraide"):
    return Pressed(7, name, at, is_new, answered, is_in)


def test_a_bet_is_as_old_as_the_message_that_does_not_show_it():
    versions = {7: [Version(9.0, "Zoraide: 10"), Version(11.0, "nobody"), Version(12.5, "Quirino and Zoraide")]}
    assert bet_ages([newcomer(10.0, 10.5)], versions, 20.0) == [2.0]
    assert bet_ages([newcomer(10.0, 13.0)], versions, 20.0) == [0.0], "shown before he was answered"
    assert bet_ages([newcomer(10.0, 10.5, name="Ludmilla")], versions, 20.0) == [9.5], "not shown at all"


@pytest.mark.parametrize(
    "press", [newcomer(10.0, None), newcomer(10.0, 11.0, is_in=False), newcomer(10.0, 11.0, is_new=False)]
)
def test_who_has_no_new_bet_waits_for_no_message(press):
    assert bet_ages([press], {7: [Version(12.0, "Zoraide")]}, 20.0) == []


def test_an_answer_tells_whether_the_bet_lies_there():
    press = newcomer(10.0, None)
    press.hear(11.0, "10: ante. 990 left. Cards in 20 s.")
    assert (press.answered, press.is_in) == (11.0, True)
    press.hear(11.0, "All seats are taken.")
    assert not press.is_in


@pytest.mark.parametrize(
    ("text", "runs_out"),
    [
        ("⏱ 20 s, until 12:00:20 UTC", NOON + 20),
        ("until 11:59:50 UTC", NOON - 10),
        (f"deal <t:{NOON + 30:.0f}:R>", NOON + 30),
        ("nobody plays", None),
    ],
)
def test_a_clock_is_read_off_the_message(text, runs_out):
    assert clock_of(Version(NOON, text)) == runs_out


def test_messages_edits_and_mentions_are_counted_by_hand_and_by_hour():
    said = [
        Version(9.0, "Hand 6: abc", is_new=True),
        Version(10.0, "Hand 7: abc", is_new=True),
        Version(20.0, "Zoraide plays"),
        Version(30.0, "Zoraide: it is your turn.", is_new=True, called=("3",)),
        Version(40.0, "-# Jackpot 10 · Hand 8"),
        Version(1810.0, "Hand 9: abc"),
    ]
    one, other = say_by_game("wire", ["paiju", "uth"], {0: said, 1: [], 2: []}, 10.0, 1810.0)
    assert (one.game, one.tables, one.hands) == ("paiju", 2, 2)
    assert (one.messages_a_hand, one.edits_a_hand, one.mentions_a_hand) == (1.0, 1.0, 0.5)
    assert (one.messages_an_hour, one.edits_an_hour) == (2.0, 2.0)
    assert (one.most_a_hand, one.most_mentions, one.most_in_5_s, one.most_a_minute) == (3, 1, 1, 4)
    assert (other.game, other.tables, other.hands) == ("uth", 1, 0)


def test_a_clock_may_run_past_midnight():
    assert clock_of(Version(NOON + 12 * 3600 - 5, "until 00:00:15 UTC")) == NOON + 12 * 3600 + 15


def test_a_clock_is_over_until_the_message_changes():
    clock = "until 12:00:20 UTC"
    said = [Version(NOON, clock), Version(NOON + 10, clock), Version(NOON + 23, "asleep")]
    assert clock_ages({7: said}, NOON, NOON + 60) == [0.0, 3.0]
    assert clock_ages({7: said[:1]}, NOON, NOON + 60) == [40.0], "still the same"
    assert clock_ages({7: said}, NOON + 21, NOON + 60) == [], "before anybody counted"
