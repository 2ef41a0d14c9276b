"""Words of the casino and of its games, for pybabel (bot/texts/babel.cfg).

A game in a package of its own asks for its words alone (`from_game`): docs/develop/add-a-game.md.
"""

from collections.abc import Iterable
from typing import IO, Any

import bot.games
from bot.core.state.plays import LEFT_OUT
from bot.texts.extract import Found, words
from bot.texts.games import GAME_TEXTS, words_of
from engine.games import GAMES


def from_tables(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the words of all installed games that no source spells, as an extraction method of Babel."""
    bot.games.load()
    yield from _as_babel(words())


def from_game(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the words of the game that the section's option `game` names, without those that the casino has already."""
    bot.games.load()
    game = options["game"]
    if game not in GAME_TEXTS:
        raise SystemExit(f"The game {game} is not here: {LEFT_OUT.get(game, 'it is not installed.')}")
    found = {(kind, label) for kind, _word, label in words_of(GAMES[game], GAME_TEXTS[game])}
    yield from _as_babel(sorted(found - {*words()}))


def _as_babel(words: Iterable[tuple[str, str]]) -> Found:
    for kind, word in words:
        yield (1, "pgettext", (kind, word), []) if kind else (1, "gettext", (word,), [])
