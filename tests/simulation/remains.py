"""Checks of the store after a process died: all confirmed data, and its last batch whole or not at all."""

from collections import Counter
from collections.abc import Collection, Sequence

from bot.core.state.transaction import Transaction
from storage.rows import AnswerRow, AuditRow, LogEntryRow, LogHeadRow, MoveRow, PostingRow, ResultRow, Row
from storage.store import Reader
from tests.questions import is_there, postings_after

# Append-only tables, which contain nothing of a missing batch.
APPENDED = (PostingRow, MoveRow, AnswerRow, ResultRow, AuditRow, LogEntryRow, LogHeadRow)


def check_remains(
    disk: Reader, read: int, attempted: Sequence[Transaction], sure: int, told: Collection[str]
) -> list[Transaction]:
    """Return those of the attempted transactions that are on disk: the first `sure`, and maybe the last.

    They were attempted since posting number `read`; `told` are the keys of answered commands. Raises AssertionError.
    """
    there = list(attempted)
    if len(there) > sure and _missing(disk, there[-1]):
        _check_absent(disk, there.pop())
    postings, _last = postings_after(disk, read)
    written = [row for draft in there for row in draft.rows[PostingRow].values()]
    assert postings == written, f"{len(postings)} postings are there, {len(written)} of them were written"
    if there:
        missing = _missing(disk, there[-1])
        assert not missing, f"of a batch that was written there is no {_say(missing)}"
    forgotten = (_keys(attempted) & set(told)) - _keys(there)
    assert not forgotten, f"{len(forgotten)} commands were answered and are not on disk"
    return there


def _missing(disk: Reader, draft: Transaction) -> list[Row]:
    return [row for rows in draft.rows.values() for row in rows.values() if not is_there(disk, row)]


def _check_absent(disk: Reader, draft: Transaction) -> None:
    part = [row for kind in APPENDED for row in draft.rows[kind].values() if is_there(disk, row)]
    assert not part, f"of a batch that failed there is {_say(part)}"


def _say(rows: Sequence[Row]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in Counter(type(row).__name__ for row in rows).items())


def _keys(drafts: Sequence[Transaction]) -> set[str]:
    """Return the keys of the commands that these transactions answer."""
    rows = (row for draft in drafts for row in draft.rows[AnswerRow].values())
    return {row.key for row in rows if isinstance(row, AnswerRow)}
