"""What the house says: nothing without its Italian, plurals and amounts by the language, cards that need no colour."""

import re
import string
from itertools import chain
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.screens import sight
from bot.texts import Card, Text, say, say_amount, say_card
from bot.texts.extract import messages, messages_of_page, words
from bot.texts.rules import RULES, odds_of, paytable, rules_text
from engine import caribbean, uth
from engine.felt import Amount, Word
from engine.hand import GAMES
from tests.bot.floor.conftest import House

ROOT = Path(__file__).parents[2]
SOURCES = sorted(chain((ROOT / "engine").rglob("*.py"), (ROOT / "bot").rglob("*.py")))
PAGES = sorted((ROOT / "bot" / "on_web" / "templates").rglob("*.html"))
CLAUSE = re.compile(r"\b(?:CS|UT|PJ|BJ|SH|G)[0-9]+\b")


@pytest.fixture(scope="module")
def italian():
    """{template: its Italian forms}."""
    with open(ROOT / "bot/texts/it/LC_MESSAGES/ridotto.po", "rb") as file:
        catalogue = read_po(file, locale="it")
    assert not catalogue.obsolete
    return {_forms(one.id)[0]: _forms(one.string) for one in catalogue if one.id}


def _forms(message):
    return message if isinstance(message, tuple | list) else (message,)


def fields(template):
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("path", SOURCES + PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_template_in_the_source_has_its_italian(path, italian):
    read = messages_of_page if path.suffix == ".html" else messages
    for found in read(path.read_text("utf-8")):
        forms = italian.get(found.template, ())
        assert forms, f"line {found.line}: {found.template!r} has no Italian; `make texts` adds it"
        assert all(forms), f"line {found.line}: {found.template!r} waits for its Italian"
        assert len(forms) == (2 if found.plural else 1)
        expected = fields(found.template) | (fields(found.plural) if found.plural else set())
        assert all(fields(form) == expected for form in forms), found.template


def test_a_walk_over_the_source_finds_templates_that_are_chosen_or_named_first():
    source = """
template = "one {a}" if x else "two {a}"
raise Confirm(template, a=1)
Text("a hand" if n else "no hand", "")
Text("{n} card", "{n} cards", n=n)
check(n > 0, "too few")
"""
    found = {(one.template, one.plural) for one in messages(source)}
    assert found == {
        ("one {a}", ""),
        ("two {a}", ""),
        ("a hand", ""),
        ("no hand", ""),
        ("{n} card", "{n} cards"),
        ("too few", ""),
    }


def test_every_word_of_the_games_has_its_italian(italian):
    assert not [word for word in words() if not all(italian.get(word, [""]))]
    assert set(sight.STATES.values()) <= set(words())


def test_clauses_survive_translation(italian):
    for template, forms in italian.items():
        for form in forms:
            assert set(CLAUSE.findall(form)) == set(CLAUSE.findall(template)), template


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_words_are_none_and_not_the_head_of_the_catalogue(language):
    assert say(Text("{word}", "", word=Word("")), language) == say(Text(""), language) == ""


def test_one_and_many():
    def hands(n):
        return Text("Table {number}: {game}, {n} player, {phase}", "Table {number}: {game}, {n} players, {phase}",
                    number=1, game=Word("uth"), n=n, phase=Word("asleep"))  # fmt: skip

    assert "1 player," in say(hands(1), "en")
    assert "2 players," in say(hands(2), "en")
    assert "0 players," in say(hands(0), "en")
    assert say(hands(1), "it") == "Tavolo 1: Ultimate Texas Hold’em, 1 giocatore, dorme"
    assert "2 giocatori," in say(hands(2), "it")
    assert "0 giocatori," in say(hands(0), "it")


@pytest.mark.parametrize(
    ("minor", "english", "italian"),
    [
        (0, "0", "0"),
        (100, "1", "1"),
        (1250, "12.50", "12,50"),
        (5, "0.05", "0,05"),
        (123456700, "1,234,567", "1.234.567"),
        (-20050, "-200.50", "-200,50"),
    ],
)
def test_amounts_are_written_by_the_locale(minor, english, italian):
    assert (say_amount(minor, "en"), say_amount(minor, "it")) == (english, italian)
    assert say(Text("You have {chips} left.", chips=Amount(minor)), "it") == f"Ti restano {italian}."


def test_cards_can_be_told_apart_without_colour_and_the_joker_and_a_back_have_a_sign():
    deck = {card for game in GAMES.values() for card in game.full_deck(game.options())}
    said = {card: say_card(card) for card in deck}
    assert len(set(said.values())) == len(deck)
    assert said["Th"] == "10♥"
    assert said["JK"] == "Joker"
    assert say_card("??") not in said.values()
    assert {card[-1] for card in said.values() if card != "Joker"} == set("♠♥♦♣")
    assert say(Text("Your cards: {cards}", cards=[Card("As"), Card("Td")]), "it") == "Le tue carte: A♠, 10♦"


# Rules and pay tables


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_rules_a_pay_table_and_odds(game, language):
    assert len(rules_text(game, language)) >= 7
    assert paytable(game, GAMES[game].options(), language)
    assert all(say(line, language) for line in odds_of(game))
    assert set(RULES) == set(GAMES)


def test_pay_tables_are_the_engines_own():
    options = GAMES["caribbean"].options()
    said = paytable("caribbean", options, "en")
    assert all(f"{rank}: {a} / {b}" in said for rank, (a, b) in caribbean.PAYS.items())
    said = paytable("uth", GAMES["uth"].options(), "it")
    assert "colore: 3 a 2" in said
    assert "tris: 3 a 1" in said
    assert len([line for line in said if " a " in line]) >= len(uth.BLIND_PAYS) + len(uth.TRIPS_PAYS)
    assert "15: 10♥, 10♦, 6♥, 6♦, 4♠, 4♣" in paytable("paiju", GAMES["paiju"].options(), "en")
    odds = GAMES["blackjack"].parse_options({"blackjack_pays": "6:5"})
    assert "A win pays 1 to 1, Black Jack 6 to 5 (BJ15)." in paytable("blackjack", odds, "en")


def test_UT9_the_rules_say_that_the_rule_of_venice_costs_more():
    assert any("24 %" in text and "2.2 %" in text for text in rules_text("uth", "en"))
    assert any("24 %" in text and "2,2 %" in text for text in rules_text("uth", "it"))


def test_rules_pay_table_and_odds_are_told_at_a_table(tmp_path):
    """Of the game that is named, else of the table's own, by its options."""
    house = House(tmp_path)
    try:
        assert "five cards each against the dealer" in house.says("anna rules")
        assert "East is the bank" in house.says("anna rules paiju")
        assert "A jackpot coin of 1 pays" in house.says("anna paytable")
        assert "about 24 % of the ante" in house.says("anna odds uth")
        assert house.do("anna odds roulette").refused
    finally:
        house.close()
