"""Texts of every registered game: complete, explained, labelled, and in every language."""

from dataclasses import fields, replace
from typing import Any

import pytest

from bot.core.commands.options import parse_option
from bot.core.commands.table_options import settings_at
from bot.core.state.table import Settings
from bot.games import PLUGINS
from bot.games.check_texts import check_texts
from bot.texts import LANGUAGES, Text, say, say_value
from bot.texts.catalogues import HOUSE, NO_CATALOGUES, SPOT, Catalogues
from bot.texts.games import add_texts, remove_texts, words_of
from bot.texts.options import BasisPoints, Chips, Option
from engine.felt import Word
from tests.some import some

GAMES = sorted(PLUGINS)
OTHER_LANGUAGES = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(params=GAMES)
def plugin(request):
    return PLUGINS[request.param]


@pytest.fixture
def caribbean():
    return PLUGINS["caribbean"]


def catalogues_of(plugin, language):
    """Return the catalogues of a game's sentences, the project's own first; none if it does not have the language."""
    own, is_ours = plugin.texts.catalogues, plugin.game.script.__module__.startswith("engine.")
    if own == NO_CATALOGUES:
        return [HOUSE.read(language)] if is_ours else []
    return [HOUSE.read(language), own.read(language)] if own.file(language).is_file() else []


def has(catalogue, kind, text):
    return (one := catalogue.get(text, kind)) is not None and one.string


def test_its_texts_can_be_taken(plugin):
    assert check_texts(plugin.game, plugin.texts) is None


def test_its_title_and_channel_are_its_own():
    for part in ("title", "channel"):
        assert len({getattr(plugin.texts, part) for plugin in PLUGINS.values()}) == len(PLUGINS)


def test_every_option_of_its_rules_is_explained_and_no_other(plugin):
    assert {*plugin.texts.options} == {field.name for field in fields(plugin.game.options)}
    assert {*plugin.texts.settings} <= {field.name for field in fields(Settings)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_default_can_be_typed_as_it_is_written(plugin, language):
    defaults = {**vars(Settings()), "seats": plugin.play.seats, **vars(plugin.game.options())}
    for name, option in {**plugin.texts.options, **settings_at(plugin.game.name)}.items():
        written = say_value(option.unit.write(defaults[name]), language)
        assert parse_option(name, option.unit, written, language) == defaults[name], name
        assert say(option.means, language).strip()


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_every_sentence_and_every_word_is_translated(plugin, language):
    catalogues = catalogues_of(plugin, language)
    if not catalogues:
        pytest.skip(f"{plugin.game.name} speaks no {language}")
    texts = plugin.texts
    usual = plugin.game.options()
    said = [texts.summary, *texts.rules(usual), *texts.odds, *texts.paytable(usual), *texts.originals.values()]
    said += [option.means for option in (*texts.options.values(), *texts.settings.values())]
    found: list[tuple[str | None, str]] = [(None, text.template) for text in said]
    found += [(kind or None, label) for kind, _word, label in words_of(plugin.game, texts)]
    assert not [(kind, text) for kind, text in found if not any(has(one, kind, text) for one in catalogues)]


NO_UNIT: Any = None
NO_TEXTS: Any = None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": ""}, "they have no title"),
        ({"title": "Paiju"}, "paiju has their title"),
        ({"channel": "Caribbean Stud"}, "no name of a channel"),
        ({"summary": Text("")}, "summary has something that"),
        ({"rules": lambda options: ()}, "rules has nothing to say"),
        ({"rules": lambda options: ("plain",)}, "rules has something that is no Text"),
        ({"rules": lambda options: 1 / 0}, "they raise ZeroDivisionError"),
        ({"originals": {"CS8": Text("")}}, "originals of CS8 has something that"),
        ({"originals": {"the eighth": Text("Said.")}}, "originals has 'the eighth', which is no clause"),
        ({"odds": (Text("{percent} %"),)}, "they raise KeyError"),
        ({"paytable": lambda options: ()}, "paytable has nothing to say"),
        ({"paytable": lambda options: 1 / 0}, "they raise ZeroDivisionError"),
        ({"options": {}}, "is not explained"),
        ({"kept_by_casino": ("colour",)}, "colour, which the casino is to keep, is no option"),
        ({"settings": {"colour": Option(Chips(), Text("x"), Text("x"))}}, "colour is no setting that a game may have"),
        ({"settings": {"pace": Option(Chips(), Text("x"), Text("x"))}}, "pace is no setting that a game may have"),
        ({"words": {"colours": ("red",)}}, "which is no kind with words"),
        ({"words": {SPOT: "ante"}}, "which is no kind with words"),
        ({"labels": {"ante": ""}}, "labels has something that is no word"),
        ({"labels": None}, "labels has something that is no word"),
        ({"words": None}, "they raise AttributeError"),
    ],
)
def test_what_is_incomplete_or_untrue_is_told_in_a_sentence(caribbean, changes, reason):
    told = some(check_texts(caribbean.game, replace(caribbean.texts, **changes)))
    assert told.startswith("The texts of caribbean cannot be taken: ")
    assert reason in told


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (Option(BasisPoints(0, 10), Text("x"), Text("x")), "the default of minimum, 1000, does not fit its unit"),
        (Option(Chips(), Text(""), Text("x")), "minimum has something that is no Text"),
        (Option(NO_UNIT, Text("x"), Text("x")), "minimum has no unit"),
    ],
)
def test_an_option_must_fit_its_unit(caribbean, option, reason):
    options = {**caribbean.texts.options, "minimum": option}
    assert reason in some(check_texts(caribbean.game, replace(caribbean.texts, options=options)))


def test_what_is_no_texts_at_all_is_told_too(caribbean):
    assert check_texts(caribbean.game, NO_TEXTS) == "The texts of caribbean are no GameTexts."


def test_a_catalogue_that_cannot_be_read_is_told_and_one_that_is_to_come_is_none(caribbean, tmp_path):
    def told_of(folder):
        return check_texts(caribbean.game, replace(caribbean.texts, catalogues=Catalogues(folder, "war")))

    assert told_of(tmp_path / "nowhere") is None
    assert told_of(tmp_path) is None
    write_catalogue(tmp_path, "msgid broken")
    assert "they raise PoFileError" in told_of(tmp_path)


def write_catalogue(folder, text):
    path = Catalogues(folder, "war").file("it")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n{text}\n', "utf-8")


@pytest.fixture
def war(caribbean, tmp_path):
    """A game called war with a spot and a move called war, and an Italian catalogue."""
    spot = 'msgctxt "spot"\nmsgid "going to war"\nmsgstr "in guerra"'
    write_catalogue(tmp_path, f'{spot}\n\nmsgid "The higher card wins."\nmsgstr "Vince la carta più alta."')
    game = replace(caribbean.game, name="war", spots=("ante", "war"), all_spots=("ante", "war"), words={"war": "WR1"})
    texts = replace(
        caribbean.texts,
        title="Casino War",
        channel="casino-war",
        summary=Text("The higher card wins."),
        labels={"war": "going to war", "ante": "the first bet"},
        catalogues=Catalogues(tmp_path, "war"),
    )
    assert check_texts(game, texts) is None
    add_texts(game, texts)
    yield texts
    remove_texts("war")


def test_a_word_that_is_called_like_a_game_is_not_said_by_its_title(war):
    assert say(Text("{spot}", spot=Word("war")), "en") == "going to war"
    assert say(Text("{game}", game=Word("war")), "en") == "Casino War"


def test_its_translations_come_with_it_and_english_stands_where_there_is_none(war):
    assert say(Text("{spot}", spot=Word("war")), "it") == "in guerra"
    assert say(war.summary, "it") == "Vince la carta più alta."
    assert say(Text("{reason}", reason=Text("A sentence of its own.")), "it") == "A sentence of its own."


def test_it_changes_no_word_of_another_game(war):
    assert say(Text("{spot}", spot=Word("ante")), "en") == "ante"
    assert say(Text("{state}", state=Word("raised")), "it") == "rilancia"


def test_it_leaves_nothing_behind(war):
    remove_texts("war")
    assert say(Text("{spot}", spot=Word("war")), "it") == "war"
    assert say(Text("{game}", game=Word("war")), "it") == "war"
