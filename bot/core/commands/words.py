"""Words of a game as people type them, matched with how they are shown in any language.

Law: whatever is shown as a word can be typed as one, on every platform.
"""

from collections.abc import Iterable, Sequence

from bot.core.commands.command import Refused
from bot.core.commands.naming import is_quoted, take_text
from bot.core.state.plays import PLAYS
from bot.texts import Text, typed_words
from bot.texts.folding import fold
from engine.felt import Word

GAME, SPOT, POSITION = "game", "spot", "position"
_SHOWN = {GAME: Text("{game}"), SPOT: Text("{spot}"), POSITION: Text("{position}")}
# The longest name has fewer words.
_MOST_WORDS = 6


def find_word(typed: str, words: Iterable[str], kind: str = "") -> str | None:
    """Return the one of `words` that was typed, or None. `kind` is the name of such a word in a sentence: "spot".

    A word's own name takes precedence over translations. A word without letters must be typed as it is: 1-2 is not 12.
    """
    if typed in (known := tuple(words)):
        return typed
    wanted = fold(typed)
    return typed_words(known, kind).get(wanted) if wanted else None


def has_letters(word: str) -> bool:
    """Return whether a word has letters: others are the same in every language."""
    return any(map(str.isalpha, word))


def take_word(args: Sequence[str], start: int, words: Iterable[str], kind: str = "") -> tuple[str | None, int]:
    """Return the word that begins at an argument, in quotes or the longest that matches, and where the next begins.

    Where none does, None and `start`.
    """
    known = tuple(words)
    if start < len(args) and is_quoted(args[start]):
        text, end = take_text(args, start)
        found = find_word(text, known, kind)
        return (found, end) if found is not None else (None, start)
    for end in range(min(len(args), start + _MOST_WORDS), start, -1):
        found = find_word(" ".join(args[start:end]), known, kind)
        if found is not None:
            return found, end
    return None, start


def name_words(words: Iterable[str], kind: str) -> list[Text]:
    """Return words for a sentence, each as it is shown."""
    return [Text(_SHOWN[kind].template, **{kind: Word(word)}) for word in words]


def take_game(args: Sequence[str], start: int, games: Iterable[str] = ()) -> tuple[str, int]:
    """Return the game that is named there, and where the next argument begins. Raises Refused, with the games."""
    known = tuple(games) or tuple(PLAYS)
    game, end = take_word(args, start, known, GAME)
    if game is not None:
        return game, end
    raise refuse_game(args[start] if start < len(args) else "", known)


def refuse_game(word: str, games: Iterable[str] = ()) -> Refused:
    """Return the refusal of a word that names none of the games: all of those that there are."""
    named = name_words(tuple(games) or tuple(PLAYS), GAME)
    if not word:
        return Refused("Enter the game: {games}.", games=named)
    return Refused("There is no game called “{word}” here. Try {games}.", word=word[:40], games=named)


def parse_switch(args: Sequence[str], usual: str = "") -> bool:
    """Return whether `on` is said, in any language; `usual` where nothing is. Raises Refused for anything else."""
    word = find_word(args[0], ("on", "off")) if args else usual
    if word not in ("on", "off"):
        raise Refused("Choose on or off.")
    return word == "on"
