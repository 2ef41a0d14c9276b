"""A table's rules for everyone: pay table, game card, changed options, single clauses."""

import pytest

from bot.core.commands.table_options import known_at
from bot.core.state.plays import PLAYS
from bot.platforms.discord.drawing import table_view
from bot.platforms.telegram.drawing import CAPTION, caption
from bot.texts import LANGUAGES, say, say_amount, title_of
from bot.view.build import screen
from tests.core.communities import do, found, says
from tests.core.conftest import BLACKJACK, CARIBBEAN, LINKED, STUD, TABLES, UTH


def number(house, table=BLACKJACK):
    return house.table(table).number


def lines(house, line, **more):
    return [str(text) for text in house.do(line, **more).texts]


def shown(house, table=BLACKJACK):
    return screen(house.writer.state, house.table(table), None, house.clock.now)


def put(house, *options, table=BLACKJACK):
    for option in options:
        assert not house.do(f"insp table set {option} why", table=table).refused, option


def test_the_rules_are_those_of_the_table_here(house):
    put(house, "hits_soft_17 on", "blackjack_pays 6:5", "double_soft on", "dealer_blackjack_takes original")
    told = house.says("anna rules", table=BLACKJACK)
    assert told.startswith(f"Black Jack at table {number(house)}. For its settings")
    for said in ("to a soft 17", "Black Jack 6 to 5", "an ace and an 8 or 9", "only your first bet"):
        assert said in told
    assert "Black Jack 6 to 5" in house.says("anna paytable", table=BLACKJACK)


def test_named_elsewhere_a_game_is_told_by_its_usual_options_and_says_so(house):
    put(house, "hits_soft_17 on")
    for line in ("rules blackjack", "paytable blackjack"):
        first, *_rest = lines(house, f"anna {line}", table=CARIBBEAN)
        assert first.startswith("Black Jack with default settings.")
    assert "stands on all 17s" in house.says("anna rules blackjack", table=CARIBBEAN)


def test_usual_are_what_the_casino_has_set_for_all_its_tables(house):
    assert not house.do("insp meter set coin 2 why", sure=True).refused
    assert "A jackpot coin (2) pays" in house.says("anna paytable caribbean", table=UTH)


@pytest.mark.parametrize("line", ["rules", "rules blackjack", "paytable", "paytable blackjack"])
def test_a_table_is_named_by_its_number_wherever_one_is(house, line):
    put(house, "blackjack_pays 6:5")
    told = house.says(f"anna {line} {number(house)}", table=STUD)
    assert told.startswith(f"Black Jack at table {number(house)}. For its settings")
    assert "Black Jack 6 to 5" in told


def test_the_buttons_of_a_table_ask_for_its_own_rules(house):
    rules = [(button.verb, button.args) for button in shown(house).more if button.verb in ("rules", "paytable")]
    of_table = ("blackjack", str(number(house)))
    assert rules == [("rules", of_table), ("paytable", of_table)]


def test_another_casinos_table_of_that_number_is_not_told(house):
    """A link may be followed in a chat of another casino: there the game is explained with its defaults."""
    put(house, "blackjack_pays 6:5")
    found(house, "discord:1", "caribbean")
    assert says(house, "anna rules blackjack 4", "discord:1").startswith("Black Jack with default settings.")
    assert says(house, "anna rules 4", "discord:1") == "There is no table 4 here."
    assert do(house, "anna rules 4", "discord:1").refused


@pytest.mark.parametrize("line", ["rules CS8", "rules cs8", "rules caribbean CS8", "rules caribbean 1 CS8"])
def test_a_clause_is_told_with_what_the_rulebook_says_there(house, line):
    told = house.says(f"anna {line}")
    assert "exactly twice the ante" in told
    assert "Irregular raises: off" in told
    assert "The rulebook settles a raise that is not twice the ante." in told
    assert "CS11" not in told


def test_a_clause_is_told_as_the_table_plays_it(house):
    put(house, "irregular_bets on", table=CARIBBEAN)
    assert "A smaller one pays" in house.says("anna rules CS8")
    assert "exactly twice" in house.says("anna rules CS8", table=UTH)


def test_a_clause_is_looked_for_in_the_game_here_first(house):
    assert "in steps of 1 (UT1, G5)" in house.says("anna rules G5", table=UTH)
    assert "(PJ3, G5)" not in house.says("anna rules G5", table=UTH)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("rules XX9", "No game here has a clause XX9."),
        ("rules paiju CS8", "The rules of Paiju have no clause CS8."),
        ("rules 99", "There is no table 99 here."),
        ("rules bingo", f"There is no game called “bingo” here. Try {', '.join(map(title_of, PLAYS))}."),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence(house, no_errors, line, told):
    assert house.says(f"anna {line}") == told
    assert house.do(f"anna {line}").refused


@pytest.mark.parametrize("game", PLAYS)
def test_the_card_has_every_option_in_force_with_a_sentence(house, game):
    head, *told, last = lines(house, "anna rules table", table=TABLES[game])
    assert head.endswith("Its settings:")
    assert last == "Who changed what, and when: /rules changes."
    assert [line.partition(":")[0] for line in told] == [str(option.label) for option in known_at(game).values()]
    for line, option in zip(told, known_at(game).values(), strict=True):
        assert line.endswith(f" · {option.means}")


def test_what_is_not_the_games_usual_stands_first_and_is_marked(house):
    put(house, "hits_soft_17 on", "boxes_per_player 2", "decks 8", "decks 6")
    told = lines(house, "anna rules table", table=BLACKJACK)
    marked = [line for line in told if line.startswith("●")]
    assert marked == told[1:3]
    assert marked[0].startswith("● Boxes per player: 2 (default 3) · ")
    assert marked[1].startswith("● Dealer hits soft 17: on (default off) · ")


def test_what_the_casino_has_set_for_all_tables_is_marked_too(house):
    assert not house.do("insp meter set flush 40 why", sure=True).refused
    assert "● Fixed prizes: four 500, full 100, flush 40 (default four 500, full 100, flush 50) · " in "\n".join(
        lines(house, "anna rules table")
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PLAYS)
def test_a_new_table_shows_everybody_limits_and_jackpot_and_none_of_its_settings(house, game, language):
    new = shown(house, TABLES[game])
    said = caption(new, language, CAPTION)
    on_discord = [part["content"] for part in table_view(new, language).parts[0]["components"] if "content" in part]
    for words in (said, "\n".join(on_discord)):
        assert not [one for one in known_at(game).values() if say(one.means, language) in words]
        assert len(words.splitlines()) <= 8
        assert say(new.limits, language) in words
        if new.meter is not None:
            assert say_amount(new.meter, language) in words


def test_a_change_is_told_with_before_and_after_and_kept_for_every_player(house):
    house.do("anna balance")
    put(house, "hits_soft_17 on")
    house.wait(3600)
    put(house, "penetration 50", "pace fast")
    house.restart()
    assert lines(house, "anna rules changes", table=BLACKJACK) == [
        f"Changes to table {number(house)}, latest first:",
        "1970-01-12 14:46 UTC · insp: Time to decide: normal → fast",
        "1970-01-12 14:46 UTC · insp: Penetration: 0 % → 50 %",
        "1970-01-12 13:46 UTC · insp: Dealer hits soft 17: off → on",
    ]
    assert house.says(f"anna rules changes {number(house)}") == house.says("anna rules changes", table=BLACKJACK)


def test_a_change_that_is_said_again_hides_nothing(house):
    put(house, "hits_soft_17 on", "hits_soft_17 on")
    assert str(shown(house).notice).endswith("Dealer hits soft 17: off → on.")


def test_with_what_a_table_was_opened_is_the_first_of_its_changes(house):
    new = max(house.writer.state.tables) + 1
    house.do("insp table open uth minimum 10 nonqualify us for friends")
    assert not house.do("insp table set pace slow", table=new).refused
    assert lines(house, "anna rules changes", table=new)[1:] == [
        "1970-01-12 13:46 UTC · insp: Time to decide: normal → slow",
        "1970-01-12 13:46 UTC · opened by insp: Minimum: 10, Dealer doesn't qualify: US rules",
    ]


def test_what_the_casino_sets_for_its_tables_is_among_their_changes_and_no_others(house):
    for line in ("coin 2", "flush 40"):
        assert not house.do(f"insp meter set {line} why", sure=True).refused
    assert not house.do("insp meter set 9000 counted", sure=True).refused
    told = lines(house, "anna rules changes", table=LINKED)
    assert [line.partition("insp: ")[2] for line in told[1:]] == [
        "Prize for a flush: 50 → 40",
        "Price of a jackpot coin: 1 → 2",
    ]
    assert house.says("anna rules changes", table=UTH) == f"Nothing has been changed at table {number(house, UTH)}."


def test_tables_whose_numbers_begin_alike_have_their_own_changes(house):
    while len(house.writer.state.tables) < 11:
        house.do("insp table open uth")
    eleventh = next(id for id, table in house.writer.state.tables.items() if table.number == 11)
    put(house, "pace fast", table=eleventh)
    assert house.says("anna rules changes 1") == "Nothing has been changed at table 1."
    assert "Time to decide" in house.says("anna rules changes 11")
