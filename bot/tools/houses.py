"""`ridotto houses`: which houses are on the books of a server, and who of them keeps what."""

from datetime import UTC, datetime

from storage.rows import ALL_WINGS
from storage.store import Present, Store


def tell_houses(store: Store) -> int:
    """A line for each; the answer is the exit status. Raises BooksError."""
    there = store.find_houses()
    for one in there:
        print(_say(one))
    if not any(one.wings for one in there):
        print(f"Nobody keeps {store}.")
        return 1
    return 0


def _say(one: Present) -> str:
    since = f"{datetime.fromtimestamp(one.since, UTC):%Y-%m-%d %H:%M:%S}"
    lane = f"; its lane is at {one.lane}" if one.lane is not None else ""
    return f"from {one.address}, since {since} UTC: {_say_kept(one)}{lane}"


def _say_kept(one: Present) -> str:
    if one.left_s is None:
        return "waits, and keeps nothing"
    kept = "keeps the books" if one.wings == ALL_WINGS else f"keeps {len(one.wings)} of {len(ALL_WINGS)} wings"
    if one.left_s < 0:
        return f"{kept}, but stands still: its lease is over since {-one.left_s:.1f} s"
    return kept
