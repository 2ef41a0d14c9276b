"""Questions about notes: what platforms keep of their platforms."""

from storage.rows import NoteRow
from storage.store import Reader


def note(books: Reader, platform: str, name: str) -> str | None:
    """Return the note under a name, or None."""
    found = books._first(NoteRow, "WHERE platform = ? AND name = ?", platform, name)
    return found.value if found else None


def notes_of_platform(books: Reader, platform: str, prefix: str = "") -> list[NoteRow]:
    """Return the notes of a platform whose names have this prefix."""
    return books._rows(NoteRow, "WHERE platform = ? AND substr(name, 1, ?) = ?", platform, len(prefix), prefix)
