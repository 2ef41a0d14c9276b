"""A game in a package says its sentences as its own catalogue has them, the casino as its own."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.commands.deeds import say_deed
from bot.games import PLUGINS
from bot.games.plugin import GamePlugin
from bot.texts import Text, say
from bot.texts.catalogues import Catalogues, unmarked
from bot.texts.games import remove_texts, rules_of
from bot.texts.paragraphs import Page
from engine.games import remove_game
from tests.games.test_faulty_game import FAULTY, plugin_with
from tests.games.toys import installed

CATALOGUE = """
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Play"
msgstr "Mitspielen"

msgid "Fold"
msgstr "Weg damit"

msgid "Cards"
msgstr "Karten"
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[GamePlugin]:
    """A game with a German catalogue that has three of the casino's sentences, two of them in other words."""
    file = tmp_path / "de" / "LC_MESSAGES" / "own.po"
    file.parent.mkdir(parents=True)
    file.write_text(CATALOGUE, "utf-8")
    known = PLUGINS["uth"]
    moves = {**known.play.moves, "play": known.play.moves["play"]._replace(help=Text("Play"))}
    words = replace(known.presenter.words, labels={"play": Text("Play"), "fold": Text("Fold")})
    plugin = plugin_with(
        play=replace(known.play, moves=moves),
        texts=replace(
            known.texts, title="Own", channel="own", rules=Page("Play"), catalogues=Catalogues(tmp_path, "own")
        ),
        presenter=replace(known.presenter, words=words),
    )
    with installed(plugin):
        yield plugin
        remove_texts(FAULTY)
        remove_game(FAULTY)


def test_a_game_says_its_own_words_where_the_casino_has_others(own: GamePlugin) -> None:
    assert say(say_deed(FAULTY, "play", (), 500), "de") == "Mitspielen (5)"
    assert say(say_deed(FAULTY, "fold", (), 0), "de") == "Weg damit"
    assert [say(text, "de") for text in rules_of(FAULTY, None)] == ["Mitspielen"]
    assert say(PLUGINS[FAULTY].play.moves["play"].help, "de") == "Mitspielen"


def test_the_casino_and_other_games_keep_theirs(own: GamePlugin) -> None:
    assert say(Text("Play"), "de") == "Abspielen"
    assert say(say_deed("uth", "fold", (), 0), "de") != "Weg damit"


def test_what_its_catalogue_lacks_is_said_as_the_casino_says_it(own: GamePlugin) -> None:
    label = say_deed(FAULTY, "fold", (), 0)
    assert say(label, "it") == say(Text("Fold"), "it")
    assert say(label, "en") == str(label) == unmarked(label.template) == "Fold"
