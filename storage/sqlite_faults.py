"""Faults of SQLite and the disk, and what an operator does about them."""

import errno
import sqlite3

# Codes of statements that failed because of their values, not because of the file or the disk.
REFUSALS = (sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError)
# SQLite reports a lack of memory as Python's error, and refusals of the system as its own.
LOSSES = (sqlite3.Error, MemoryError, OSError)

_AGAIN = ", and start the casino again"
# SQLite also reports this if the file is fine and the disk fails to read it.
_MALFORMED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_HINTS = {
    sqlite3.SQLITE_FULL: f"make room on the disk{_AGAIN}",
    sqlite3.SQLITE_BUSY: f"stop the other program that locks them{_AGAIN}",
    sqlite3.SQLITE_LOCKED: f"stop the other program that locks them{_AGAIN}",
    sqlite3.SQLITE_READONLY: f"give this user write access to the data folder and everything in it{_AGAIN}",
    sqlite3.SQLITE_PERM: f"give this user write access to the data folder and everything in it{_AGAIN}",
    sqlite3.SQLITE_CANTOPEN: f"check that the data folder exists and this user can write to it{_AGAIN}",
    **dict.fromkeys(_MALFORMED, "run “ridotto doctor” to find out whether the file is damaged"),
    sqlite3.SQLITE_NOMEM: f"give Ridotto more memory{_AGAIN}",
}
_ELSE = "check the disk, and run “ridotto doctor” before you start the casino again"


def hint(fault: BaseException) -> str:
    """Return what an operator does about a fault of SQLite."""
    code = sqlite3.SQLITE_NOMEM if isinstance(fault, MemoryError) else getattr(fault, "sqlite_errorcode", -1)
    if isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EDQUOT):
        code = sqlite3.SQLITE_FULL
    return _HINTS.get(code & 0xFF, _ELSE)


def hint_of_unopened(fault: BaseException) -> str:
    """Return advice for a store that cannot even be opened."""
    if getattr(fault, "sqlite_errorcode", -1) & 0xFF in _MALFORMED:
        return "check the disk and run “ridotto doctor” again; if it reports the same, restore a backup"
    return hint(fault)


def explain(fault: BaseException) -> str:
    """Explain a fault of open books in one sentence."""
    return f"The books cannot be read or written ({str(fault) or type(fault).__name__}): {hint(fault)}."
