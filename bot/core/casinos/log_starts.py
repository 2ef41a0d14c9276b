"""Logs that begin anew at a start: the signing key has changed, or the books were restored.

The former log keeps its entries, but is not signed any more: others may have seen more of it than restored books have.
"""

from bot.core.state.transaction import Transaction
from bot.texts import Text
from storage import restored
from storage.questions import logs

LOST_KEY = "the house has another key than the log before"
RESTORED = "the books were restored"
_TOLD = {
    LOST_KEY: Text("The casino signs with a new key, so this casino's log starts again."),
    RESTORED: Text("The casino was restored from a backup, so its log starts again."),
}


def begin_anew(transaction: Transaction, now: float) -> dict[int, str]:
    """Return the casinos whose log begins anew, with the reason."""
    books, begun = transaction.books, dict[int, str]()
    if is_restored := restored.is_unopened(books):
        transaction.put(restored.note_of_opened(books))
    last = {row.casino: row for row in logs.logs(books)}
    for row in last.values():
        # Entries that were not signed before the stop.
        transaction.state.note_grown(row.casino, row.number)
    for casino, row in last.items():
        why = LOST_KEY if row.house != transaction.state.key else RESTORED if is_restored else None
        # The log of a casino that has joined another one has ended; the next begins when it leaves.
        if why is not None and not row.joined:
            transaction.begin_log(casino, why, now)
            begun[casino] = why
    return begun


def announce(transaction: Transaction, begun: dict[int, str], now: float) -> None:
    """Announce the new log at every table of these casinos."""
    for casino, why in begun.items():
        for table in transaction.tables_in(casino):
            if table.status != "closed":
                transaction.set_table(table.set_notice(_TOLD[why], now))
