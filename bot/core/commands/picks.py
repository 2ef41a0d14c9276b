"""Picked people: a word of a command that names a player or an account and cannot be typed.

It begins with a private-use character, which is removed from typed text (`without_picks`).
"""

from typing import NamedTuple

_MARK = "\ue00f"


class Picked(NamedTuple):
    """A player by number, or the account of a person on the platform that the command comes from."""

    player: int = 0
    account: str = ""


def pick_player(player: int) -> str:
    """Return the word that names a player of the casino."""
    return f"{_MARK}{player}"


def pick_account(account: str | int) -> str:
    """Return the word that names an account of the platform that the command comes from."""
    return f"{_MARK}@{account}"


def parse_pick(word: str) -> Picked | None:
    """Return the picked person; None for a typed word."""
    if not word.startswith(_MARK):
        return None
    named = word.removeprefix(_MARK)
    if named.startswith("@"):
        return Picked(account=named[1:])
    return Picked(int(named)) if named.isascii() and named.isdigit() and len(named) < 18 else Picked()


def split_pick(word: str) -> tuple[str, Picked | None]:
    """Return what was typed before a pick, and who was picked; text and mention may be written as one word."""
    before, mark, named = word.partition(_MARK)
    return before, parse_pick(mark + named) if mark else None


def without_picks(typed: str) -> str:
    """Return typed text without picks, so that it names people only by name."""
    return typed.replace(_MARK, "")
