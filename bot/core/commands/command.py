"""Commands from a platform, and their answers."""

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, Self

from bot.core.commands.counting import Count
from bot.core.commands.first_hand import Lesson
from bot.core.state.place import Place
from bot.core.state.shared_posts import SharedPost
from bot.texts import Text, register_kind, say
from bot.texts.languages import SOURCE
from storage.store import Reader


class Who(NamedTuple):
    """An account on a platform, as the platform vouches for it. `inspector`: it administers where it speaks from.

    `name` is the person's own on the whole platform, "" where it does not say. `here` is what it calls them in this
    place, such as a nickname in a server: "" for the same, None where it does not say, such as in a direct message.
    `username` is the one by which others address them, if they do.
    """

    platform: str
    account: str
    name: str
    language: str = "en"
    inspector: bool = False
    here: str | None = ""
    username: str = ""


class Command(NamedTuple):
    """A command: one update. `key` is the platform's own id of it; `args` are words as people type them.

    `fresh` comes from a button: what it was made for (see bot.core.commands.preconditions).
    `confirmed`: the question to which the person said yes, as `Answer.confirm` has it; True for any.
    `people` are accounts that are picked in its args, as the platform vouches for them; `answers` is the account of who
    wrote the message that it answers, "" for none.
    """

    key: str
    who: Who
    place: Place
    verb: str
    args: tuple[str, ...] = ()
    fresh: str = ""
    confirmed: bool | str = False
    people: tuple[Who, ...] = ()
    answers: str = ""


class Where(str):
    """Place of a table, which a platform may show as a link; empty if it knows none."""

    table: int

    def __new__(cls, table: int) -> "Where":
        where = super().__new__(cls, "")
        where.table = table
        return where


register_kind(Where, "where", lambda where: where.table)


class Choice(NamedTuple):
    """A next step that an answer offers as a button, which submits this command.

    With `turns` the next answer replaces the one with the button, as pages of a menu do. With `where` it submits
    nothing and leads to that table; the table's address takes its place once a platform knows it. With `asks` the rest
    of the command is typed in answer to that sentence. `at` is the id of the table that it is for, if that is not the
    one here.
    """

    label: Text
    verb: str = ""
    args: tuple[str, ...] = ()
    turns: bool = False
    where: str = ""
    asks: Text | None = None
    at: int = 0


class Answer(NamedTuple):
    """Private answer to a command. `confirm` is the mark of a question: the same command, confirmed with it, goes
    through unless another question would be asked by then.

    `file`: a record or a table of values, as (name, content). `report` makes the rest of the answer beside the writer
    once the command is on disk: it may take long to read or to count. What it `found` is not stored: the same command
    again is answered without it. The same holds for a `lesson`, which replaces the sentences, for `choices`, and for a
    `shared_post`: a picture for everyone in the place of the command, with the sentences as caption and the choices as
    buttons.
    """

    texts: tuple[Text, ...] = ()
    refused: bool = False
    clause: str | None = None
    confirm: str = ""
    file: tuple[str, str] | None = None
    report: "Callable[[Beside], Answer] | None" = None
    found: tuple[Text, ...] = ()
    lesson: Lesson | None = None
    choices: tuple[Choice, ...] = ()
    shared_post: SharedPost | None = None

    @property
    def said(self) -> tuple[Text, ...]:
        """All that the sender reads."""
        return self.texts + self.found


class Beside(NamedTuple):
    """Means of a report: the books as they are at that moment, and a process that counts."""

    books: Reader
    count: Count


# A cell that begins with one of these could become a formula or leave its column; some spreadsheets also accept the
# full-width forms.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")

# The answer to a command that failed because of a bug, wherever it is caught.
FAULT = Answer((Text("Something went wrong. Nothing has changed."),), refused=True)


# The largest table of values, some five megabytes, which every platform accepts as a file.
MOST_ROWS = 50_000


class Refused(Exception):
    """A refusal of a command: one polite sentence, with a clause if one decides. Nothing has changed."""

    def __init__(self, template: str, clause: str | None = None, /, **values: object) -> None:
        self.text = Text(template, **values)
        self.clause = clause
        self.choices: tuple[Choice, ...] = ()
        super().__init__(template)

    def offering(self, choices: Iterable[Choice]) -> Self:
        """Return the refusal with buttons for alternatives."""
        self.choices = tuple(choices)
        return self


class Confirm(Exception):
    """A question before a command is carried out: what exactly would happen. `about` is the player whom it concerns."""

    def __init__(self, template: str, plural: str = "", /, *, about: object = 0, **values: object) -> None:
        self.text = Text(template, plural, **values)
        # A different name, number or player makes a different question.
        self.mark = hashlib.sha256(f"{about} {say(self.text, SOURCE)}".encode()).hexdigest()[:16]
        super().__init__(template)


def to_csv(names: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Write a table as CSV for `Answer.file`, with no cell that a spreadsheet would take for a formula."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(names)
    writer.writerows([_write_cell(cell) for cell in row] for row in rows)
    return written.getvalue()


def _write_cell(cell: object) -> object:
    """Prefix an apostrophe to text that begins like a formula; negative numbers stay numbers."""
    if not isinstance(cell, str) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULAS) else cell
