"""Texts of a game: title, rules, pay table, odds, options and words. The part of its plugin that texts read.

Law: no game is named here. A game is looked up by its name alone; bot/games fills `GAME_TEXTS`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from bot.texts import Text, know_games, say
from bot.texts.catalogues import MOVE, NO_CATALOGUES, SPOT, STATE, Catalogues
from bot.texts.languages import SOURCE
from bot.texts.options import LIMITS, Option, plain_option, say_option
from engine.felt import Game, Limits, Word
from engine.games import GAMES

Rules = Callable[[Any], tuple[Text, ...]]
CLAUSE = re.compile(r"\b(?:G|[A-Z]{2})[0-9]+\b")
"""Pattern of a clause's name in a sentence or a question."""


def say_nothing(about: Any) -> tuple[Text, ...]:
    """Return no sentences, whatever the options or the number of seats."""
    return ()


@dataclass(frozen=True)
class GameTexts:
    """Texts of a game that its rule script does not have.

    title           its name in every language, unlike any other game's
    channel         name for a channel: lower case, digits, hyphens
    summary         one sentence: the kind of game
    rules           (options of a table) -> the rules in our own words, a paragraph each, with the clauses in
                    brackets. Every option changes a sentence of these or of the pay table
    originals       {clause: the rulebook's rule that is played otherwise here, and why}; {} for none
    paytable        (options of a table) -> the payout of each win, a line each
    bets            {bet, as `ridotto edges` names it: its name}, for each bet that the game's odds know
    odds            remarks on the odds that hold for all options, a sentence each
    options         {option: its unit and meaning}, for each field of `Game.options`
    warnings        (options of a table) -> effects of the options beyond the cost of bets, with a figure, a
                    sentence each: shown to the inspector who sets one; () for nothing
    seats           (number of seats) -> effects of that number, with a figure, a sentence each: shown to the
                    inspector who sets it; () for nothing
    kept_by_casino  options of the whole casino, which `/table set` does not change; () for none
    settings        {setting: the same} that its tables have besides those of every table; {} for none
    words           {kind: words} in its sentences besides its spots and moves: states, ranks (texts.KINDS)
    labels          {word: its English label}, for spots, moves and `words` alike; a word without a label is
                    written as it is, and so is a word that two games label differently
    catalogues      folder of its translations, if it comes in a package of its own; else NO_CATALOGUES
    """

    title: str
    summary: Text
    rules: Rules
    paytable: Rules
    channel: str = ""
    originals: Mapping[str, Text] = field(default_factory=dict)
    bets: Mapping[str, Text] = field(default_factory=dict)
    odds: tuple[Text, ...] = ()
    options: Mapping[str, Option] = field(default_factory=dict)
    warnings: Rules = say_nothing
    kept_by_casino: tuple[str, ...] = ()
    settings: Mapping[str, Option] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    catalogues: Catalogues = NO_CATALOGUES
    seats: Callable[[int], tuple[Text, ...]] = say_nothing


def complete_texts(game: Game, texts: GameTexts, states: tuple[str, ...]) -> GameTexts:
    """Return the texts with what they leave out: a channel named after the title, `states` of seats, the sentences of
    the limits, switches and numbers that are called by their names, and that the odds are not known.
    """
    limits = LIMITS if issubclass(game.options, Limits) else {}
    options = {**limits, **texts.options}
    defaults = vars(game.options())
    plain = (name for name, default in defaults.items() if isinstance(default, int) and name not in options)
    options |= {name: plain_option(name, defaults[name]) for name in plain}
    return replace(
        texts,
        channel=texts.channel or "-".join(re.findall("[a-z0-9]+", texts.title.lower())),
        options=options,
        odds=texts.odds if texts.odds or texts.bets else (Text("The odds of this game are not known."),),
        words={**({STATE: states} if states else {}), **texts.words},
    )


def pay_lines(pays: Mapping[str, int | tuple[int, int]]) -> tuple[Text, ...]:
    """Return a line for each rank of a pay table: what it pays to 1, or (what, to what)."""
    odds = {rank: paid if isinstance(paid, tuple) else (paid, 1) for rank, paid in pays.items()}
    return tuple(Text("{rank}: {pays} to {to}", rank=Word(rank), pays=paid, to=to) for rank, (paid, to) in odds.items())


_texts: dict[str, tuple[Game, GameTexts]] = {}
_parts: dict[str, GameTexts] = {}
GAME_TEXTS: Mapping[str, GameTexts] = MappingProxyType(_parts)
"""{game: its texts}, in the order in which games are offered."""


def add_texts(game: Game, texts: GameTexts) -> None:
    """Register the texts of a game. For bot.games."""
    _texts[game.name], _parts[game.name] = (game, texts), texts
    _pass_on_texts()


def remove_texts(game: str) -> None:
    """Remove the texts of a game: its words are unknown from now on."""
    _texts.pop(game, None)
    _parts.pop(game, None)
    _pass_on_texts()


def _pass_on_texts() -> None:
    """Pass titles, labels and catalogues on to the package that writes sentences."""
    titles = {name: texts.title for name, texts in _parts.items()}
    know_games(titles, _agreed_labels(), [texts.catalogues for texts in _parts.values()])


def _agreed_labels() -> dict[str, str]:
    said: dict[str, set[str]] = {}
    for game, texts in _texts.values():
        for _kind, word, label in words_of(game, texts):
            said.setdefault(word, set()).add(label)
    return {word: labels.pop() for word, labels in said.items() if len(labels) == 1}


def words_of(game: Game, texts: GameTexts) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, word, label) of every word that a player of this game sees, each once; not of words without letters,
    such as the spots 17 and 17-20, which are the same in every language.
    """
    found = {(SPOT, word) for word in (*game.spots, *game.all_spots)} | {(MOVE, word) for word in game.words}
    found |= {(kind, word) for kind, words in texts.words.items() for word in words}
    found |= {("", word) for word in texts.labels if word not in {word for _kind, word in found}}
    for kind, word in sorted(pair for pair in found if any(map(str.isalpha, pair[1]))):
        yield kind, word, texts.labels.get(word, word)


def rules_of(game: str, options: Any) -> tuple[Text, ...]:
    """Return the rules of a table with these options, paragraph by paragraph, each with its clauses."""
    return tuple(GAME_TEXTS[game].rules(options))


def originals_of(game: str, paragraph: Text) -> list[tuple[str, Text]]:
    """Return (clause, original text) of the clauses in a paragraph that are played otherwise than by the rulebook."""
    originals = GAME_TEXTS[game].originals
    return [(clause, originals[clause]) for clause in clauses_in(paragraph) if clause in originals]


def clauses_in(text: Text) -> list[str]:
    """Return the clauses that a text names, each once."""
    return list(dict.fromkeys(CLAUSE.findall(say(text, SOURCE))))


def has_clause(game: str, clause: str) -> bool:
    """Check whether the game's texts, with its default options, mention a clause."""
    return bool(unfold(game, clause, GAMES[game].parse_options({})))


def unfold(game: str, clause: str, options: Any) -> tuple[Text, ...]:
    """Return all texts on a clause at a table with these options.

    That is what is played and paid, which options it has and how they are set, and the rulebook's text where it is
    played otherwise.
    """
    texts = GAME_TEXTS[game]
    said = [*texts.rules(options), *texts.paytable(options), *_say_options(texts, options)]
    original = [texts.originals[clause]] if clause in texts.originals else []
    return (*(text for text in said if clause in clauses_in(text)), *original)


def _say_options(texts: GameTexts, options: Any) -> list[Text]:
    values = vars(options)
    return [say_option(option, values[name]) for name, option in texts.options.items()]


def paytable_of(game: str, options: Any) -> tuple[Text, ...]:
    """Return the payouts of a table with these options, highest first."""
    return tuple(GAME_TEXTS[game].paytable(options))


def odds_of(game: str) -> tuple[Text, ...]:
    """Return the remarks on a game's odds that hold for all options."""
    return GAME_TEXTS[game].odds
