"""Faults of SQLite and the disk, and what an operator does about them."""

import errno
import sqlite3

# Of a statement that failed by what it was given and not by what the file or the disk is like.
REFUSALS = (sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError)
# SQLite's own memory that runs out is Python's error; what the system refuses us beside the database is its own.
LOSSES = (sqlite3.Error, MemoryError, OSError)

_AGAIN = ", and start the house again"
# SQLite says so too where the file is well and the disk fails to read it.
_MALFORMED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_HINTS = {
    sqlite3.SQLITE_FULL: f"make room on the disk{_AGAIN}",
    sqlite3.SQLITE_BUSY: f"end the other program that holds them{_AGAIN}",
    sqlite3.SQLITE_LOCKED: f"end the other program that holds them{_AGAIN}",
    sqlite3.SQLITE_READONLY: f"let this user write the data folder and all that is in it{_AGAIN}",
    sqlite3.SQLITE_PERM: f"let this user write the data folder and all that is in it{_AGAIN}",
    sqlite3.SQLITE_CANTOPEN: f"see that the data folder is there and this user may write it{_AGAIN}",
    **dict.fromkeys(_MALFORMED, "run “ridotto doctor” first, it finds out whether the file is damaged"),
    sqlite3.SQLITE_NOMEM: f"give the house more memory{_AGAIN}",
}
_ELSE = "see to the disk, and run “ridotto doctor” before you start the house again"


def hint(fault: BaseException) -> str:
    """Return what an operator does about a fault of SQLite."""
    code = sqlite3.SQLITE_NOMEM if isinstance(fault, MemoryError) else getattr(fault, "sqlite_errorcode", -1)
    if isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EDQUOT):
        code = sqlite3.SQLITE_FULL
    return _HINTS.get(code & 0xFF, _ELSE)


def hint_of_unopened(fault: BaseException) -> str:
    """The same for whoever cannot even open the file, the doctor too."""
    if getattr(fault, "sqlite_errorcode", -1) & 0xFF in _MALFORMED:
        return "see to the disk and run “ridotto doctor” again; if it reports the same, restore a backup"
    return hint(fault)


def explain(fault: BaseException) -> str:
    """A fault of open books as one sentence."""
    return f"The books cannot be read or written ({str(fault) or type(fault).__name__}): {hint(fault)}."
