"""What comes in from a platform and what goes back to it."""

import csv
import io
from collections.abc import Iterable
from typing import NamedTuple

from bot.texts import Text


class Who(NamedTuple):
    """An account on a platform, as the platform vouches for it. `inspector`: it administers where it speaks from."""

    platform: str
    account: str
    name: str
    language: str = "en"
    inspector: bool = False


class Place(NamedTuple):
    """A channel, a topic, a room of the lounge: `platform` and its own address for it."""

    platform: str
    address: str


class Command(NamedTuple):
    """One update. `key` is the platform's own id of it; `args` are words as people type them.

    `fresh` comes from a button: "HAND.COUNT", the hand it was made for and how many moves its seat had made then.
    `confirmed`: the person was asked once more and said yes.
    """

    key: str
    who: Who
    place: Place
    verb: str
    args: tuple[str, ...] = ()
    fresh: str = ""
    confirmed: bool = False


class Answer(NamedTuple):
    """What the sender alone is told. `confirm`: send the same command again, confirmed, to go through with it.

    `file`: a record or a table of values to hand over, as (name, content).
    """

    texts: tuple[Text, ...] = ()
    refused: bool = False
    clause: str | None = None
    confirm: bool = False
    file: tuple[str, str] | None = None


# What a fault of the house itself is told as, on whatever floor it is caught.
FAULT = Answer((Text("Something went wrong here; nothing has changed."),), refused=True)


class Refused(Exception):
    """The player's: one polite sentence, a clause where there is one, nothing changed."""

    def __init__(self, template: str, clause: str | None = None, **values: object) -> None:
        self.text = Text(template, "", **values)
        self.clause = clause
        super().__init__(template)


class Confirm(Exception):
    """Not yet done: what exactly would happen, and does he want it."""

    def __init__(self, template: str, plural: str = "", **values: object) -> None:
        self.text = Text(template, plural, **values)
        super().__init__(template)


def to_csv(names: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A file's content for `Answer.file`."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(names)
    writer.writerows(rows)
    return written.getvalue()
