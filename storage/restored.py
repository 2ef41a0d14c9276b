"""What a restore leaves in the books: that the house may have gone on after what they hold, and what it may have given.

The numbers of hands and tables go on above a gap, so that none is given twice; and the next house begins every log
anew (bot.house.casinos.log_starts).
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
    """What is noted of books that hold these largest numbers, and of a restore before this one."""
    least = json.loads(before.value)["above"] if before else {}
    above = {TABLES[kind][0]: max(largest[kind], least.get(TABLES[kind][0], 0)) + GAP for kind in GAPPED}
    return NoteRow(PLATFORM, NAME, json.dumps({"above": above, "begun": []}))


def number_above(books: Reader, kind: type[Row]) -> int:
    """A number of this kind that may have been given; 0 where the books were never restored."""
    said = notes.note(books, PLATFORM, NAME) if kind in GAPPED else None
    return int(json.loads(said)["above"][TABLES[kind][0]]) if said else 0


def wings_to_begin(books: Reader, wings: frozenset[int]) -> frozenset[int]:
    """Those of a house's wings that nobody has opened since the books were restored."""
    said = notes.note(books, PLATFORM, NAME)
    return wings.difference(json.loads(said)["begun"]) if said else frozenset()


def note_of_begun(books: Reader, wings: frozenset[int]) -> NoteRow:
    """To be written by the house that opens these wings of restored books."""
    said = json.loads(notes.note(books, PLATFORM, NAME) or "{}")
    return NoteRow(PLATFORM, NAME, json.dumps(said | {"begun": sorted(wings.union(said["begun"]))}))
