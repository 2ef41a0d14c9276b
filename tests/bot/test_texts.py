"""Sentences: all translated, with plurals and amounts by language, and cards that need no colour."""

import re
import string
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from bot.core.state.plays import PLAYS
from bot.texts import LANGUAGES, Card, Name, Text, dump_texts, load_texts, say, say_amount, say_card, say_value
from bot.texts.catalogues import HOUSE, KINDS
from bot.texts.extract import messages, messages_of_page, words
from bot.texts.games import odds_of, paytable_of, rules_of
from bot.texts.languages import SOURCE
from bot.view.presenter import PRESENTERS
from engine.cards import is_pocket
from engine.felt import Amount, Word
from engine.games import GAMES, caribbean, uth
from tests.core.conftest import House

ROOT = Path(__file__).parents[2]
SOURCES = sorted(chain((ROOT / "engine").rglob("*.py"), (ROOT / "bot").rglob("*.py")))
PAGES = sorted((ROOT / "bot" / "platforms/web" / "templates").rglob("*.html"))
OTHERS = [language for language in LANGUAGES if language != SOURCE]
CLAUSE = re.compile(r"\b(?:G|[A-Z]{2})[0-9]+\b")


@cache
def catalogue_of(language):
    return HOUSE.read(language)


@cache
def translations(language):
    """Return {template, or (kind, word): its forms in the language}."""
    catalogue = catalogue_of(language)
    assert not catalogue.obsolete
    return {_key(one): _forms(one.string) for one in catalogue if one.id}


def _key(message):
    return (message.context, message.id) if message.context else _forms(message.id)[0]


def _forms(message):
    return message if isinstance(message, tuple | list) else (message,)


def fields(template):
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(template) if name is not None}


@cache
def messages_in(path):
    read = messages_of_page if path.suffix == ".html" else messages
    return list(read(path.read_text("utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_every_template_in_the_source_is_translated(language):
    known, plurals = translations(language), catalogue_of(language).num_plurals
    wrong = [
        f"{path.relative_to(ROOT)}:{found.line}: {found.template!r} {fault}"
        for path in SOURCES + PAGES
        for found in messages_in(path)
        if (fault := fault_of(found, known.get(found.template, ()), plurals))
    ]
    assert not wrong


def fault_of(found, forms, plurals):
    if not forms:
        return "is not there; `make texts` adds it"
    if not all(forms):
        return "waits for its translation"
    if len(forms) != (plurals if found.plural else 1):
        return "has another number of forms"
    expected = fields(found.template) | (fields(found.plural) if found.plural else set())
    return None if all(fields(form) == expected for form in forms) else "names other fields"


@pytest.mark.parametrize("language", OTHERS)
def test_every_word_of_the_games_is_translated(language):
    known = translations(language)
    assert not [(kind, word) for kind, word in words() if not all(known.get((kind, word) if kind else word, [""]))]
    assert {("state", str(state)) for look in PRESENTERS.values() for state in look.words.states.values()} <= set(
        words()
    )
    assert {kind for kind, _word in words()} == {"", *KINDS}


@pytest.mark.parametrize("language", OTHERS)
def test_clauses_survive_translation(language):
    for template, forms in translations(language).items():
        for form in forms:
            said = template if isinstance(template, str) else template[1]
            assert set(CLAUSE.findall(form)) == set(CLAUSE.findall(said)), template


def test_one_and_many():
    def hands(n):
        one = "Table {number}: {game}, {n} player, {phase}{where}"
        return Text(
            one, one.replace("player", "players"), number=1, game=Word("uth"), n=n, phase=Word("asleep"), where=""
        )

    assert "1 player," in say(hands(1), "en")
    assert "2 players," in say(hands(2), "en")
    assert "0 players," in say(hands(0), "en")
    assert say(hands(1), "it") == "Tavolo 1: Ultimate Texas Hold'em, 1 giocatore, dorme"
    assert "2 giocatori," in say(hands(2), "it")
    assert say(hands(2), "de") == "Tisch 1: Ultimate Texas Hold'em, 2 Spieler, schläft"
    assert "0 giocatori," in say(hands(0), "it")


@pytest.mark.parametrize(
    ("minor", "english", "italian"),
    [
        (0, "0", "0"),
        (100, "1", "1"),
        (1250, "12.50", "12,50"),
        (5, "0.05", "0,05"),
        (123456700, "1,234,567", "1.234.567"),
        (123450, "1,234.50", "1.234,50"),
        (-20050, "-200.50", "-200,50"),
    ],
)
def test_amounts_are_written_by_the_locale(minor, english, italian):
    assert (say_amount(minor, "en"), say_amount(minor, "it")) == (english, italian)
    assert say_amount(minor, "de") == italian
    assert (
        say(Text("{amount} returned. You have {chips}.", amount=Amount(0), chips=Amount(minor)), "it")
        == f"Restituzione: 0. Hai {italian}."
    )


def test_cards_can_be_told_apart_without_colour_and_the_joker_and_a_back_have_a_sign():
    deck = {card for game in GAMES.values() for card in game.full_deck(game.options())}
    said = {card: say_card(card) for card in deck}
    assert len(set(said.values())) == len(deck)
    assert said["Th"] == "10♥"
    assert said["JK"] == "Joker"
    assert say_card("??") not in said.values()
    suited = {said[card] for card in deck if card != "JK" and not is_pocket(card)}
    assert {card[-1] for card in suited} == set("♠♥♦♣")
    assert said["r7"] == "7"
    assert say(Text("Your cards: {cards}", cards=[Card("As"), Card("Td")]), "it") == "Le tue carte: A♠, 10♦"


def test_a_game_is_said_by_its_title_only_where_a_game_is_meant():
    assert say(Text("{game}", game=Word("paiju")), "it") == "Paiju"
    assert say(Text("{spot}", spot=Word("paiju")), "it") == "paiju"
    assert say(Text("{game}", game=Word("bingo")), "it") == "bingo"
    assert say_value(Word("stud"), "en") == "stud"


def test_a_word_is_said_by_what_it_is_and_else_as_it_is_said_anywhere():
    assert say(Text("{state}", state=Word("raised")), "it") == "rilancia"
    assert say(Text("{area}", area=Word("south-west")), "it") == "Sud-Ovest"
    assert say(Text("{ranks}", ranks=[Word("pair"), Word("flush")]), "it") == "coppia, colore"
    assert say_value(Word("raised"), "it") == say(Text("{spot}", spot=Word("raised")), "it") == "rilancia"
    assert say(Text("{rank} of {suit}", rank=Word("ace"), suit=Word("hearts")), "it") == "asso di cuori"
    assert say(Text("{spot}", spot=Word("never said")), "it") == "never said"


def paytable(game, options, language):
    return [say(line, language) for line in paytable_of(game, options)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PLAYS)
def test_every_game_has_rules_a_pay_table_and_odds(game, language):
    assert len(rules_of(game, GAMES[game].options())) >= 7
    assert paytable(game, GAMES[game].options(), language)
    assert all(say(line, language) for line in odds_of(game))


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


def test_rules_pay_table_and_odds_are_told_at_a_table(tmp_path):
    """The answer is about the named game, else the table's own, with its options."""
    house = House(tmp_path)
    try:
        assert "five cards each against the dealer" in house.says("anna rules")
        assert "East is the bank" in house.says("anna rules paiju")
        assert "A jackpot coin (1) pays" in house.says("anna paytable")
        assert "Ante and blind together, for each ante: house edge" in house.says("anna odds uth")
        assert house.do("anna odds bingo").refused
    finally:
        house.close()


def test_a_translation_that_names_what_the_sentence_does_not_have_gives_way_to_english(monkeypatch):
    monkeypatch.setattr("bot.texts.translate", lambda template, language: "Tavolo {m}")
    assert say(Text("Table {n}", n=3), "it") == "Table 3"
    monkeypatch.setattr("bot.texts.translate_many", lambda *words: "{m} mani")
    assert say(Text("{n} hand", "{n} hands", n=1), "it") == "1 hand"
    assert say(Text("{n} hand", "{n} hands", n=2), "it") == "2 hands"


def test_a_name_from_right_to_left_keeps_to_itself_and_others_stay_as_they_are():
    board = Text("{place}. {name}: {chips}", place=1, name=Name("דנה"), chips=Amount(105000))
    assert say(board, "en") == "1. \u2068דנה\u2069: 1,050"
    many = Text("Waiting for {names}.", names=[Name("Anna"), Name("علی"), Name("Дима")])
    assert say(many, "en") == "Waiting for Anna, \u2068علی\u2069, Дима."
    assert load_texts(dump_texts((board, many))) == (board, many)
