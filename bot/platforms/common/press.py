"""The data behind a button: short enough for every platform, and complete after a restart."""

from hashlib import blake2b
from typing import NamedTuple

from bot.core.commands.command import Choice
from bot.platforms.common.recent import Recent

# In bytes; the least that any platform takes.
LARGEST_DATA = 64
# More than all tables show at a time, even if all their words were long.
MOST_LONG = 20_000


class Press(NamedTuple):
    """A button's action, independent of the platform.

    kind    verb (a command as it is), chip, move, bet, yes, no, read, direct, own, ask; typed (asked for in words),
            pick (one of several presses, which are written out), turn (a verb whose answer replaces the pressed
            message), setup (set Ridotto up in this place), app (open the table inside the platform's app), admin (a
            button of the settings), fill (the same, once the rest is typed), remove (a shared post; for the named
            account or an inspector)
    table   the table it is about, where the message does not show it (direct and ephemeral messages)
    place   the community it is about, as a key of the platform, where the message does not show it
    """

    kind: str
    verb: str = ""
    args: tuple[str, ...] = ()
    fresh: str = ""
    table: int = 0
    place: str = ""


_KINDS = {
    "v": "verb",
    "c": "chip",
    "m": "move",
    "b": "bet",
    "y": "yes",
    "n": "no",
    "r": "read",
    "d": "direct",
    "o": "own",
    "a": "ask",
    "t": "typed",
    "p": "pick",
    "g": "turn",
    "s": "setup",
    "w": "app",
    "x": "admin",
    "f": "fill",
    "e": "remove",
}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
KINDS = tuple(_LETTERS)


_DIGEST = "#"
# {digest: the press, written out}, for presses longer than the platform allows.
_long: Recent[str, str] = Recent(MOST_LONG)


def dump_press(press: Press, most: int = LARGEST_DATA) -> str:
    """Encode a press in at most `most` bytes (LARGEST_DATA or more).

    If a game's words are longer, a digest stands for the press, which is kept in memory. The digest is the same in
    every process: after a restart the button works again as soon as its table has been shown.
    """
    table = str(press.table or "") + (f"@{press.place}" if press.place else "")
    data = "|".join((_LETTERS[press.kind] + table, press.verb, " ".join(press.args), press.fresh))
    if len(data.encode()) <= most:
        return data
    digest = _DIGEST + blake2b(data.encode(), digest_size=16).hexdigest()
    _long[digest] = data
    return digest


def load_press(data: str) -> Press | None:
    """Decode button data; None for foreign data and for a digest that is not in memory."""
    if data.startswith(_DIGEST):
        data = _long.get(data, "")
    parts = data.split("|")
    if len(parts) != 4 or parts[0][:1] not in _KINDS or not parts[0].isascii():
        return None
    table, _at, place = parts[0][1:].partition("@")
    if not (table or "0").isdigit() or len(table) > 12 or not (place or "0").isalnum():
        return None
    return Press(_KINDS[parts[0][0]], parts[1], tuple(parts[2].split()), parts[3], int(table or "0"), place)


def press_of(choice: Choice) -> Press:
    """Return the press of a choice in an answer."""
    return Press("turn" if choice.turns else "verb", choice.verb, choice.args)
