"""Note that a restore leaves in the books: the casino may have gone on after the backup, and given numbers since.

Hands and tables are numbered from above a gap, so that no number is given twice; every log starts again
(bot.core.casinos.log_starts).
"""

import json
from collections.abc import Mapping

from storage.questions import notes
from storage.rows import TABLES, HandRow, NoteRow, Row, TableRow
from storage.store import Reader

PLATFORM, NAME = "books", "restored"
GAP = 1_000_000
GAPPED: tuple[type[Row], ...] = (HandRow, TableRow)


def note_of(largest: Mapping[type[Row], int], before: NoteRow | None) -> NoteRow:
    """Return the note of a restore of books with these largest numbers, after an earlier note if there is one."""
    least = json.loads(before.value)["above"] if before else {}
    above = {TABLES[kind][0]: max(largest[kind], least.get(TABLES[kind][0], 0)) + GAP for kind in GAPPED}
    return NoteRow(PLATFORM, NAME, json.dumps({"above": above, "begun": False}))


def number_above(books: Reader, kind: type[Row]) -> int:
    """Return a number of this kind that may have been given; 0 where the books were never restored."""
    said = notes.note(books, PLATFORM, NAME) if kind in GAPPED else None
    return int(json.loads(said)["above"][TABLES[kind][0]]) if said else 0


def next_number(books: Reader, kind: type[Row]) -> int:
    """Return the number of the next row of this kind, above all that are there and all that a restore left room for."""
    ((largest,),) = books._select(f"SELECT coalesce(max(id), 0) FROM {TABLES[kind][0]}")
    return int(max(largest, number_above(books, kind))) + 1


def is_unopened(books: Reader) -> bool:
    """Return whether the books were restored and not opened since."""
    said = notes.note(books, PLATFORM, NAME)
    return said is not None and not json.loads(said)["begun"]


def note_of_opened(books: Reader) -> NoteRow:
    """Return the note to be written when restored books are opened."""
    said = json.loads(notes.note(books, PLATFORM, NAME) or "{}")
    return NoteRow(PLATFORM, NAME, json.dumps(said | {"begun": True}))
