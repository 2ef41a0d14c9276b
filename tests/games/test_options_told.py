"""Options in a table's rules and pay table: each option of every game, value by value."""

from itertools import combinations
from typing import Any

import pytest

from bot.cli.game_checks.edges import check_figures
from bot.cli.game_checks.random_hands import list_tables
from bot.games import PLUGINS
from bot.texts import LANGUAGES, Text, say
from bot.texts.catalogues import NO_CATALOGUES
from bot.texts.games import clauses_in, originals_of, paytable_of, rules_of, unfold
from engine.games import GAMES, ODDS

OPTIONS = [(name, option) for name, plugin in PLUGINS.items() for option in plugin.texts.options]


def told(game: str, options: Any, language: str = "en") -> tuple[str, ...]:
    return tuple(say(text, language) for text in (*rules_of(game, options), *paytable_of(game, options)))


def speaks(game: str, language: str) -> bool:
    catalogues = PLUGINS[game].texts.catalogues
    return language == "en" or catalogues == NO_CATALOGUES or catalogues.file(language).is_file()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_another_value_of_an_option_is_another_text_of_rules_or_pay_table(
    game: str, option: str, language: str
) -> None:
    if not speaks(game, language):
        pytest.skip(f"{game} speaks no {language}")
    tables = list_tables(game, option)
    assert len(tables) > 1
    for one, other in combinations(tables, 2):
        assert told(game, one, language) != told(game, other, language), (one, other)


@pytest.mark.parametrize("game", [game for game in PLUGINS if game in ODDS])
def test_every_option_changes_a_figure_or_the_odds_say_why_not(game: str) -> None:
    assert list(check_figures(PLUGINS[game])) == []


# Help of a move whose options matter: (game, move, options, said).
HELP = [
    ("caribbean", "raise", {}, "no more and no less"),
    ("caribbean", "raise", {"irregular_bets": True}, "a smaller raise counts as it is"),
    ("caribbean", "fold", {}, "Give up the hand"),
    ("uth", "fold", {}, "Trips stays in play"),
    ("uth", "fold", {"procedure": "manual"}, "Ante, Blind and Trips"),
    ("blackjack", "double", {}, "with a hard 9, 10 or 11"),
    ("blackjack", "double", {"double_soft": True}, "an ace and an 8 or 9"),
    ("stud", "bring-in", {}, "of 2; the others may complete it"),
    ("stud", "bring-in", {"lower": 1000, "bring_in_may_complete": True}, "of 5, or the whole limit of 10"),
    ("stud", "complete", {"lower": 1000}, "to 10 "),
    ("stud", "bet", {}, "Bet 4 on third and fourth street, 8 after that"),
    ("stud", "bet", {"lower": 1000}, "Bet 10 on third and fourth street, 20 after that"),
    ("stud", "raise", {"lower": 1000}, "Raise by 10 on third and fourth street, by 20 after that"),
]


@pytest.mark.parametrize(("game", "move", "options", "said"), HELP)
def test_what_a_move_does_is_told_from_the_options(game: str, move: str, options: dict[str, object], said: str) -> None:
    assert said in str(PLUGINS[game].play.moves[move].at(GAMES[game].parse_options(options)))


@pytest.mark.parametrize("game", PLUGINS)
def test_the_help_of_a_move_names_clauses_that_its_rules_have(game: str) -> None:
    usual = PLUGINS[game].game.options()
    for told in PLUGINS[game].play.moves.values():
        for clause in clauses_in(told.at(usual)):
            assert unfold(game, clause, usual)


@pytest.mark.parametrize("game", PLUGINS)
def test_a_clause_unfolds_to_the_sentences_that_name_it_and_to_its_original(game: str) -> None:
    plugin = PLUGINS[game]
    usual = plugin.game.options()
    for text in rules_of(game, usual):
        for clause in clauses_in(text):
            unfolded = unfold(game, clause, usual)
            assert text in unfolded
            assert all(clause in clauses_in(one) for one in unfolded)
    for clause, original in plugin.texts.originals.items():
        assert unfold(game, clause, usual)[-1] == original
        assert clauses_in(original) == [clause]
    assert unfold(game, "G999", usual) == ()


@pytest.mark.parametrize("game", PLUGINS)
def test_an_original_hangs_at_every_paragraph_that_names_its_clause(game: str) -> None:
    plugin = PLUGINS[game]
    assert originals_of(game, Text("Said (G999).")) == []
    for clause, original in plugin.texts.originals.items():
        assert originals_of(game, Text(f"Said ({clause}).")) == [(clause, original)]


# Text for a value, and text that must disappear: (game, options, said, not said).
SAID = [
    ("blackjack", {}, "stands on all 17s", "to a soft 17"),
    ("blackjack", {"hits_soft_17": True}, "to a soft 17", "all 17s"),
    ("blackjack", {}, "a hard 9, 10 or 11", "an ace and an 8 or 9"),
    ("blackjack", {"double_soft": True}, "an ace and an 8 or 9", "hard 9"),
    ("blackjack", {}, "Black Jack 3 to 2", "6 to 5"),
    ("blackjack", {"blackjack_pays": "6:5"}, "Black Jack 6 to 5", "3 to 2"),
    ("blackjack", {}, "wins all bets except", "only your first bet"),
    ("blackjack", {"dealer_blackjack_takes": "original"}, "wins only your first bet", "all bets except"),
    ("blackjack", {}, "Every hand has a new shoe", "are out"),
    ("blackjack", {"penetration": 7500}, "replaced after 75 % of it", "Every hand has a new shoe"),
    ("blackjack", {"decks": 2}, "new shoe of 2 decks", "6 decks"),
    ("blackjack", {"minimum": 2000}, "takes 20 or 40", "10 or 20"),
    ("blackjack", {"minimum": 2000, "step": 500}, "minimum bet is 20, in steps of 5", "minimum bet is 10"),
    ("caribbean", {}, "at once, seat 1 first", "dealt by hand"),
    ("caribbean", {"procedure": "manual"}, "dealt one at a time", "at once, seat 1 first"),
    ("caribbean", {}, "exactly twice the ante", "A smaller one"),
    ("caribbean", {"irregular_bets": True}, "A smaller one pays", "exactly twice"),
    ("caribbean", {}, "confirmed at once", "pauses all tables"),
    ("caribbean", {"hand_pay": "keys"}, "pauses all tables on the meter", "play continues"),
    ("caribbean", {"coin": 200}, "coin (2) pays", "coin (1) pays"),
    ("caribbean", {"fixed": {"flush": 4000}}, "flush: 40", "flush: 50\n"),
    ("caribbean", {"contribution": 9500}, "95 % of each coin goes to the meter", "90 %"),
    ("caribbean", {"reset": 500000}, "again from 5,000", "10,000"),
    ("caribbean", {"maximum": 50000}, "10 to 500", "1,000, in steps"),
    ("uth", {}, "Play and Blind are returned whatever you hold", "your Ante is returned"),
    ("uth", {"nonqualify": "us"}, "your Ante is returned", "Venice rule costs you more"),
    ("uth", {}, "stays live after a fold", "Ante, Blind and Trips"),
    ("uth", {"procedure": "manual"}, "Ante, Blind and Trips", "stays live"),
    ("uth", {"procedure": "manual"}, "a card is burned", "face down first"),
    ("uth", {"minimum": 1000}, "10 to 500 each", "5 to 500"),
    ("paiju", {}, "may ask to reveal its cards", "reveals all cards"),
    ("paiju", {"squeeze": False}, "The dealer reveals all cards", "may ask to reveal"),
    ("puntobanco", {"squeeze": False}, "The dealer reveals all cards", "may ask to reveal"),
    ("puntobanco", {}, "less 5 %", "without a commission"),
    ("puntobanco", {"commission": 0}, "without a commission", " less "),
    ("puntobanco", {"decks": 8, "penetration": 5000}, "8 decks and is replaced after 50 %", "6 decks"),
    ("puntobanco", {"egalite_pays": 9}, "pays 9 to 1", "pays 8 to 1"),
    ("stud", {}, "The bring-in is a forced bet", "whole limit instead"),
    ("stud", {"bring_in_may_complete": True}, "the whole limit instead", "is a forced bet"),
    ("stud", {"lower": 1000}, "are 10 on third and fourth street and 20 after", "are 4 "),
    ("stud", {"lower": 1000}, "bring-in of 5, half", "bring-in of 2"),
    ("stud", {}, "an ante of 0.50", "There is no ante"),
    ("stud", {"lower": 50}, "There is no ante", "an ante of"),
    ("stud", {"unit": 50}, "smallest chip is 0.50", "0.01"),
]


@pytest.mark.parametrize(("game", "options", "said", "not_said"), SAID)
def test_what_is_set_is_said_and_nothing_that_it_contradicts(
    game: str, options: dict[str, object], said: str, not_said: str
) -> None:
    text = "\n".join(told(game, PLUGINS[game].game.parse_options(options)))
    assert said in text
    assert not_said not in text


# Words of the rulebook that players must not miss: (game, clause, a word of it).
LEFT_OUT = [
    ("caribbean", "CS2", "forbids showing or telling cards"),
    ("caribbean", "CS2", "fewer seats"),
    ("caribbean", "CS9", "borrow the raise"),
    ("caribbean", "CS11", "an ace or a king"),
    ("caribbean", "CS22", "stops all tables"),
    ("caribbean", "CS25", "/void"),
    ("caribbean", "CS26", "exchange was forgotten"),
    ("uth", "G8", "Don't show or tell your cards"),
    ("uth", "UT15", "dealt by hand it is lost"),
    ("uth", "UT16", "replaces bank cards"),
    ("paiju", "PJ8", "above 10"),
    ("paiju", "PJ13", "a coup without bets"),
    ("blackjack", "BJ2", "cut from the last player who bet behind"),
    ("blackjack", "BJ4", "After three hands in a row"),
    ("blackjack", "BJ7", "forbids counting cards"),
    ("blackjack", "BJ11", "another ace may be split again"),
    ("blackjack", "BJ17", "10 or 20"),
    ("stud", "SH4", "the hand that folded first"),
]


@pytest.mark.parametrize(("game", "clause", "said"), LEFT_OUT)
def test_what_the_rulebooks_say_is_told_at_its_clause(game: str, clause: str, said: str) -> None:
    assert said in "\n".join(map(str, unfold(game, clause, PLUGINS[game].game.options())))
