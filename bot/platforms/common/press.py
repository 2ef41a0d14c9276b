"""What stands behind a button: short enough for every platform, and all that is known of it after a restart."""

from hashlib import blake2b
from typing import NamedTuple

from bot.core.commands.command import Choice
from bot.platforms.common.recent import Recent

# In bytes; the least that any platform takes.
LARGEST_DATA = 64
# More than all tables of a house show at a time, were all their words long.
MOST_LONG = 20_000


class Press(NamedTuple):
    """As a door draws it.

    kind    verb (a command as it is), chip, move, bet, yes, no, read, direct, own, ask; typed (what was asked for),
            pick (one of several presses, which are written out), turn (a verb whose answer takes the place of the
            message that was pressed), setup (the house is set up where it was pressed), app (the table is opened
            inside the platform's app), office (a button of the settings), fill (the same, once the rest is typed),
            remove (a shared post, by the account that is named or an inspector)
    table   the table that it is about, where the message does not say it (direct and ephemeral messages)
    place   the community that it is about, by a key of the door, where the message does not say it
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
    "x": "office",
    "f": "fill",
    "e": "remove",
}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
KINDS = tuple(_LETTERS)


_DIGEST = "#"
# {what stands behind a button whose press is longer than the platform takes: that press, written out}.
_long: Recent[str, str] = Recent(MOST_LONG)


def dump_press(press: Press, most: int = LARGEST_DATA) -> str:
    """At most `most` bytes, LARGEST_DATA or more.

    Where a game's words are longer, the digest of the press stands for it, and is kept in memory. It is the same in
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
    """None for what no button of ours holds, and for a digest that nobody remembers."""
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
    """What a choice of an answer says."""
    return Press("turn" if choice.turns else "verb", choice.verb, choice.args)
