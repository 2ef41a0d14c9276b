"""Checks of a game's texts, complete and true, run once before the game is loaded.

A fault is one sentence, for the log and for `/table open`; an exception of the game's own code becomes one, too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from bot.core.commands.command import Refused
from bot.core.commands.options import parse_option
from bot.core.commands.table_options import EVERY_TABLE
from bot.core.state.table import Settings
from bot.texts import LANGUAGES, Text, say, say_value
from bot.texts.catalogues import KINDS
from bot.texts.games import CLAUSE, GAME_TEXTS, GameTexts
from bot.texts.options import Option, Unit
from engine.felt import Game

_CHANNEL = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def check_texts(game: Game, texts: GameTexts) -> str | None:
    """Describe a missing or wrong text of a game, or return None."""
    try:
        if not isinstance(texts, GameTexts):
            return f"The texts of {game.name} are no GameTexts."
        wrong = next(_all_wrong(game, texts), None)
    except Exception as fault:
        wrong = f"they raise {type(fault).__name__}: {fault}"
    return wrong and f"The texts of {game.name} cannot be taken: {wrong}."


def _all_wrong(game: Game, texts: GameTexts) -> Iterator[str]:
    yield from _wrong_names(game, texts)
    yield from _wrong_options(game, texts)
    usual = game.options()
    said = {"summary": (texts.summary,), "rules": texts.rules(usual), "odds": (*texts.bets.values(), *texts.odds)}
    for name, paragraphs in {**said, "paytable": texts.paytable(usual)}.items():
        yield from _wrong_texts(name, paragraphs)
    if warnings := texts.warnings(usual):
        yield from _wrong_texts("warnings", warnings)
    yield from _wrong_originals(texts)
    yield from _wrong_words(texts)
    for language in LANGUAGES:
        texts.catalogues.read(language)  # raises if it cannot be said


def _wrong_names(game: Game, texts: GameTexts) -> Iterator[str]:
    if not (isinstance(texts.title, str) and texts.title.strip()):
        yield "they have no title"
    for other, one in GAME_TEXTS.items():
        if other != game.name and (one.title == texts.title or one.channel == texts.channel):
            yield f"{other} has their title, or their channel, already"
    if not _CHANNEL.fullmatch(texts.channel):
        yield f"{texts.channel!r} is no name of a channel: lower case, digits and hyphens"


def _wrong_texts(name: str, paragraphs: Iterable[Text]) -> Iterator[str]:
    """Yield texts that cannot be said, such as a template whose values are missing."""
    if not isinstance(paragraphs, list | tuple) or not paragraphs:
        yield f"{name} has nothing to say"
    for one in paragraphs:
        if not isinstance(one, Text) or not say(one, "en").strip():
            yield f"{name} has something that is no Text, or says nothing"


def _wrong_originals(texts: GameTexts) -> Iterator[str]:
    for clause, text in texts.originals.items():
        yield from _wrong_texts(f"originals of {clause}", (text,))
        if not CLAUSE.fullmatch(clause):
            yield f"originals has {clause!r}, which is no clause"


def _wrong_options(game: Game, texts: GameTexts) -> Iterator[str]:
    defaults, settings = vars(game.options()), {field.name for field in fields(Settings)}
    for name in sorted({*texts.options} ^ {*defaults}):
        yield f"{name} is no option of the rules" if name in texts.options else f"the option {name} is not explained"
    for name in texts.kept_by_casino:
        if name not in texts.options:
            yield f"{name}, which the casino is to keep, is no option"
    for name in texts.settings:
        if name not in settings or name in EVERY_TABLE:
            yield f"{name} is no setting that a game may have"
    for name in texts.options:
        if name in settings:
            yield f"the option {name} is called like a setting of the table"
    for name, option in {**texts.options, **texts.settings}.items():
        if isinstance(option, Option) and option.needs and (option.needs == name or option.needs not in defaults):
            yield f"{name} needs {option.needs!r}, which is no other option of the rules"
        yield from _wrong_option(name, option, {**vars(Settings()), **defaults}[name])


def _wrong_option(name: str, option: Option, default: object) -> Iterator[str]:
    if not isinstance(option, Option) or not isinstance(option.unit, Unit):
        yield f"{name} has no unit"
    yield from _wrong_texts(name, (option.means, option.label))
    if not option.unit.fits(default):
        yield f"the default of {name}, {default!r}, does not fit its unit"
    for language in LANGUAGES:
        if _read_back(option.unit, default, language) != default:
            yield f"the default of {name}, {default!r}, cannot be typed as it is written"


def _read_back(unit: Unit, value: object, language: str) -> object:
    try:
        return parse_option("", unit, say_value(unit.write(value), language), language)
    except Refused:
        return None


def _wrong_words(texts: GameTexts) -> Iterator[str]:
    for kind, words in texts.words.items():
        if kind not in KINDS or isinstance(words, str) or not all(isinstance(word, str) and word for word in words):
            yield f"words has {kind!r}, which is no kind with words: {', '.join(KINDS)}"
    if not isinstance(texts.labels, Mapping) or not all(isinstance(one, str) and one for one in texts.labels.values()):
        yield "labels has something that is no word"
