"""Checks of a game's texts: every sentence and word translated where the package brings a language, options told."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from babel.messages.catalog import Catalog

from bot.cli.game_checks.random_hands import list_tables
from bot.games.plugin import GamePlugin
from bot.texts import LANGUAGES, Text, say
from bot.texts.catalogues import HOUSE, NO_CATALOGUES
from bot.texts.games import paytable_of, rules_of, words_of
from bot.texts.languages import SOURCE
from bot.view.presenter import PRESENTERS


def list_languages(plugin: GamePlugin) -> list[str]:
    """Return the languages other than English that the game's package brings, all for one of our own."""
    own, is_ours = plugin.texts.catalogues, plugin.game.script.__module__.startswith("engine.")
    others = [language for language in LANGUAGES if language != SOURCE]
    if own == NO_CATALOGUES:
        return others if is_ours else []
    return [language for language in others if own.file(language).is_file()]


def check_translations(plugin: GamePlugin) -> Iterator[str]:
    """Check that every sentence and every word has a translation in each language of the package."""
    own = plugin.texts.catalogues
    for language in list_languages(plugin):
        catalogues = [HOUSE.read(language)] + ([own.read(language)] if own != NO_CATALOGUES else [])
        file = own.file(language).name if own != NO_CATALOGUES else "ridotto.po"
        for kind, text in dict.fromkeys(_list_messages(plugin)):
            if not any(_has_translation(one, kind, text) for one in catalogues):
                named = f"the {kind} “{text}”" if kind else f"“{text}”"
                yield f"{named} has no translation in {language}: add it to {file} of that language."


def _list_messages(plugin: GamePlugin) -> Iterator[tuple[str | None, str]]:
    texts, usual, words = plugin.texts, plugin.game.options(), PRESENTERS[plugin.game.name].words
    said = [texts.summary, *texts.rules(usual), *texts.odds, *texts.bets.values(), *texts.paytable(usual)]
    said += [*texts.originals.values(), *plugin.first_hand.opening]
    said += [text for option in (*texts.options.values(), *texts.settings.values())
             for text in (option.means, option.label)]  # fmt: skip
    said += [help.at(usual) for help in plugin.play.moves.values()]
    said += [*words.labels.values(), *(call.said for call in words.calls.values())]
    said += [*words.reasons.values(), *words.shares.values()]
    yield from ((None, text.template) for text in said)
    yield from ((kind or None, label) for kind, _word, label in words_of(plugin.game, texts))


def _has_translation(catalogue: Catalog, kind: str | None, text: str) -> bool:
    message = catalogue.get(text, kind)
    return message is not None and bool(message.string)


def check_options(plugin: GamePlugin) -> Iterator[str]:
    """Check that every value of an option changes a sentence of the rules or the pay table, in each language."""
    name = plugin.game.name
    for option in plugin.texts.options:
        tables = list_tables(name, option)
        if len(tables) < 2:
            yield f"The option {option} has one legal value: widen its unit, or remove it."
        for language in (SOURCE, *list_languages(plugin)):
            if any(
                _write_rules(name, one, language) == _write_rules(name, other, language)
                for one, other in combinations(tables, 2)
            ):
                yield f"Two values of {option} read the same in {language}: name it in the rules or the pay table."


def _write_rules(name: str, options: Any, language: str) -> tuple[str, ...]:
    texts: tuple[Text, ...] = (*rules_of(name, options), *paytable_of(name, options))
    return tuple(say(text, language) for text in texts)
