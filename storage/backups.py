"""Backups of a store, and the time of the last one, which the data folder records for monitoring."""

import os
from pathlib import Path

from storage.faults import BooksError
from storage.sqlite import PARTIAL
from storage.store import Store

NOTE = "last-backup"


def back_up(store: Store, target: Path, at: float, *, with_key: bool = False) -> None:
    """Copy its books at this Unix time, with the signing key or without. Raises BooksError."""
    note = store.folder / NOTE
    if target.resolve() == note.resolve():
        raise BooksError(f"{target} is reserved for the time of the last backup. Use another file.")
    store.back_up(target, with_key=with_key)
    partial = note.with_name(NOTE + PARTIAL)
    try:
        partial.write_text(f"{at!r}\n", "ascii")
        os.replace(partial, note)
    except OSError as fault:
        raise BooksError(
            f"{target} is complete, but its time could not be written to {note}: {fault.strerror}."
        ) from None


def last_backup(folder: Path) -> float:
    """Return when the last backup was made, in Unix time; 0 if the folder has none."""
    try:
        return float((folder / NOTE).read_text("ascii"))
    except (OSError, ValueError):
        return 0.0
