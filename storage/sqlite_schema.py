"""The schema of the books in a folder, as a list of steps: books of 1.0 have the first, each release may add some.

A step that comes later has the same name in storage.postgres_schema, and a test on books that the release before made.
Books that lack the first step, or have one that is not listed here, are refused (storage.sqlite).
"""

from pathlib import Path

from storage.sqlite_library import Database, Migrations

migrations = Migrations("ridotto")


def _casino_in(account: str) -> str:
    names_none = " ".join(f"WHEN '{kind}' THEN NULL" for kind in ("hand:", "stack", "escro", "chips", "issue", "pool:"))
    number = f"CAST(substr({account}, instr({account}, ':') + 1) AS INTEGER)"
    return f"CASE substr({account}, 1, 5) {names_none} ELSE {number} END"


# The casino of a posting's accounts. Between a stack and a stake, which name none, it is NULL, and is that of the hand:
# a table changes casinos only without cards on it.
NAMED_CASINO = f"coalesce({_casino_in('debit')}, {_casino_in('credit')})"


@migrations()
def schema_1(db: Database) -> None:
    """Create the schema of 1.0."""
    schema = Path(__file__).with_name("sqlite_schema_1.sql").read_text("utf-8").format(NAMED_CASINO=NAMED_CASINO)
    # One statement at a time: sqlite3's executescript would commit the step's transaction.
    for statement in schema.split("\n\n"):
        db.execute(statement)
