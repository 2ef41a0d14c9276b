"""What a game says of itself: its title, rules, pay table, odds, options and words. The part of its face for texts.

Law: no game is known here by name. A game is looked up by its name alone; who fills `GAME_TEXTS` is bot/games.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bot.texts import Text, know_games, say
from bot.texts.catalogues import MOVE, NO_CATALOGUES, SPOT, Catalogues
from bot.texts.languages import SOURCE
from bot.texts.options import Option, say_option
from engine.felt import Game
from engine.games import GAMES

Rules = Callable[[Any], tuple[Text, ...]]
CLAUSE = re.compile(r"\b(?:G|[A-Z]{2})[0-9]+\b")
"""How a clause is named in a sentence, and by who asks for one."""


@dataclass(frozen=True)
class GameTexts:
    """Everything that is said of a game and that its rule script does not say.

    title           what it calls itself, the same in every language, and no other game
    channel         what a channel for it is called: lower case, digits, hyphens
    summary         one sentence: what kind of game this is
    rules           (options of a table) -> the rules there in our own words, a paragraph each, with the clauses in
                    brackets. Every option changes a sentence of these or of the pay table
    originals       {clause: what the rulebook says there that is played otherwise here, and why}; {} for none
    paytable        (options of a table) -> what a win pays there, a line each
    bets            {bet, as `ridotto edges` names it: how it is called there}, of each that the game's odds know
    odds            what is to be said of them whatever the options, a sentence each
    options         {option: its unit and what it means}, of each field of `Game.options`
    warnings        (options of a table) -> what they do besides what its bets cost by the cards, with a figure, a
                    sentence each: told to the inspector who sets one; () for nothing
    seats           (how many a table has) -> what so many may do together, with a figure, a sentence each: told to the
                    inspector who sets their number; () for nothing
    kept_by_casino  those that the casino keeps for all its tables, and `/table set` does not set; () for none
    settings        {setting: the same} that its tables have beside those of every table; {} for none
    words           {kind: words} that its sentences take beside its spots and moves: states, ranks (texts.KINDS)
    labels          {word: how it is said in English}, of spots, moves and `words` alike; a word that is missing here is
                    said as it is written. Where two games label a word differently it is said as it is written, too
    catalogues      where its translations lie, if it comes in a package of its own; else NO_CATALOGUES
    """

    title: str
    channel: str
    summary: Text
    rules: Rules
    originals: Mapping[str, Text]
    paytable: Callable[[Any], tuple[Text, ...]]
    bets: Mapping[str, Text]
    odds: tuple[Text, ...]
    options: Mapping[str, Option]
    warnings: Callable[[Any], tuple[Text, ...]]
    kept_by_casino: tuple[str, ...]
    settings: Mapping[str, Option]
    words: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str]
    catalogues: Catalogues
    seats: Callable[[int], tuple[Text, ...]] = lambda seats: ()


def warn_of_nothing(options: Any) -> tuple[Text, ...]:
    """Of a game whose options do nothing that its odds do not tell."""
    return ()


def plain_texts(
    *,
    title: str,
    summary: Text,
    rules: Rules | tuple[Text, ...],
    paytable: Callable[[Any], tuple[Text, ...]],
    odds: tuple[Text, ...],
    options: Mapping[str, Option],
    words: Mapping[str, tuple[str, ...]],
    bets: Mapping[str, Text] = MappingProxyType({}),
    originals: Mapping[str, Text] = MappingProxyType({}),
    catalogues: Catalogues = NO_CATALOGUES,
) -> GameTexts:
    """Of a game whose words are said as they are written, and whose options are each table's own. Its channel is called
    like its title. Paragraphs that stand as they are, whatever the options, need no function.
    """
    return GameTexts(
        title=title,
        channel="-".join(re.findall("[a-z0-9]+", title.lower())),
        summary=summary,
        rules=rules if callable(rules) else lambda _options: rules,
        originals=originals,
        paytable=paytable,
        bets=bets,
        odds=odds,
        options=options,
        warnings=warn_of_nothing,
        kept_by_casino=(),
        settings={},
        words=words,
        labels={},
        catalogues=catalogues,
    )


_texts: dict[str, tuple[Game, GameTexts]] = {}
_parts: dict[str, GameTexts] = {}
GAME_TEXTS: Mapping[str, GameTexts] = MappingProxyType(_parts)
"""{game: what it says of itself}, in the order in which games are offered."""


def add_texts(game: Game, texts: GameTexts) -> None:
    """For bot.games: titles, words and sentences of this game can be said from now on."""
    _texts[game.name], _parts[game.name] = (game, texts), texts
    _tell()


def remove_texts(game: str) -> None:
    """Its words are not known any more."""
    _texts.pop(game, None)
    _parts.pop(game, None)
    _tell()


def _tell() -> None:
    """Whoever says a sentence must know titles, labels and catalogues."""
    titles = {name: texts.title for name, texts in _parts.items()}
    know_games(titles, _agreed_labels(), [texts.catalogues for texts in _parts.values()])


def _agreed_labels() -> dict[str, str]:
    said: dict[str, set[str]] = {}
    for game, texts in _texts.values():
        for _kind, word, label in words_of(game, texts):
            said.setdefault(word, set()).add(label)
    return {word: labels.pop() for word, labels in said.items() if len(labels) == 1}


def words_of(game: Game, texts: GameTexts) -> Iterator[tuple[str, str, str]]:
    """(kind, word, label) of every word that a player of this game sees, each once."""
    found = {(SPOT, word) for word in (*game.spots, *game.all_spots)} | {(MOVE, word) for word in game.words}
    found |= {(kind, word) for kind, words in texts.words.items() for word in words}
    found |= {("", word) for word in texts.labels if word not in {word for _kind, word in found}}
    for kind, word in sorted(found):
        yield kind, word, texts.labels.get(word, word)


def rules_of(game: str, options: Any) -> tuple[Text, ...]:
    """Those of a table with these options, paragraph by paragraph, each with its clauses."""
    return tuple(GAME_TEXTS[game].rules(options))


def originals_of(game: str, paragraph: Text) -> list[tuple[str, Text]]:
    """(clause, what the rulebook says there and is played otherwise), of the clauses that a paragraph names."""
    originals = GAME_TEXTS[game].originals
    return [(clause, originals[clause]) for clause in clauses_in(paragraph) if clause in originals]


def clauses_in(text: Text) -> list[str]:
    """Those that it names, each once."""
    return list(dict.fromkeys(CLAUSE.findall(say(text, SOURCE))))


def has_clause(game: str, clause: str) -> bool:
    """Whether the game has anything to say about it, with its own options."""
    return bool(unfold(game, clause, GAMES[game].parse_options({})))


def unfold(game: str, clause: str, options: Any) -> tuple[Text, ...]:
    """All that is said of a clause at a table with these options: what is played, what is paid, what may be set and how
    it is, and what the rulebook says that is played otherwise.
    """
    texts = GAME_TEXTS[game]
    said = [*texts.rules(options), *texts.paytable(options), *_say_options(texts, options)]
    original = [texts.originals[clause]] if clause in texts.originals else []
    return (*(text for text in said if clause in clauses_in(text)), *original)


def _say_options(texts: GameTexts, options: Any) -> list[Text]:
    values = vars(options)
    return [say_option(option, values[name]) for name, option in texts.options.items()]


def paytable_of(game: str, options: Any) -> tuple[Text, ...]:
    """What a win pays at a table with these options, highest first."""
    return tuple(GAME_TEXTS[game].paytable(options))


def odds_of(game: str) -> tuple[Text, ...]:
    """What is to be said of its bets whatever the options."""
    return GAME_TEXTS[game].odds
