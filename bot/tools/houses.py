"""`ridotto houses`: which houses are on the books of a server, and who of them keeps what. `ridotto release`: one of
them hands what it keeps to the others, or to one that waits.
"""

import asyncio
import time
from datetime import UTC, datetime

from bot.lanes.host import RELEASE
from bot.lanes.wire import LaneLost, NotLetIn, call
from storage.faults import BooksError
from storage.rows import ALL_WINGS
from storage.store import Present, Store

# A house finishes what has arrived, and the next opens; and how often is looked.
HANDED_OVER_S, LOOK_S = 10.0, 0.05


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
    calls = ", ".join(f"{round(100 * part)} % of {name}'s" for name, part in sorted(one.calls.items()))
    return f"from {one.address}, since {since} UTC: {_say_kept(one)}{lane}{f'; of calls {calls}' if calls else ''}"


def _say_kept(one: Present) -> str:
    if one.left_s is None:
        return "waits, and keeps nothing"
    kept = "keeps the books" if one.wings == ALL_WINGS else f"keeps {len(one.wings)} of {len(ALL_WINGS)} wings"
    if one.left_s < 0:
        return f"{kept}, but stands still: its lease is over since {-one.left_s:.1f} s"
    return kept


def release_books(store: Store, secret: str | None, lane: str | None = None) -> int:
    """One house ends for an upgrade, and others go on with what it keeps: the one at `lane`, or the only one that keeps
    anything; the answer is the exit status. Raises BooksError, with nothing changed: there is no such house, or nobody
    else, or it is not reached."""
    if secret is None:
        raise BooksError("RIDOTTO_SECRET is not set: only a house's own operator asks it for its books.")
    there = store.find_houses()
    house = _find_house(store, there, lane)
    if not any(one.left_s is None or one.left_s >= 0 for one in there if one != house):
        raise BooksError(f"No house waits for {store}: start another first, or the casino would be closed.")
    if house.lane is None:
        raise BooksError("The house that keeps the books has no lane: give it RIDOTTO_SECRET, or end it with SIGTERM.")
    try:
        asyncio.run(_ask_for_release(house.lane, secret.encode()))
    except NotLetIn as refused:
        raise BooksError(str(refused)) from None
    except LaneLost:
        raise BooksError(f"The house that keeps the books is not reached at {house.lane} from here.") from None
    until = time.monotonic() + HANDED_OVER_S
    while not _has_ended(after := store.find_houses(), house):
        if time.monotonic() > until:
            raise BooksError("The house was asked, and nobody else keeps the books yet: ridotto houses tells more.")
        time.sleep(LOOK_S)
    print("\n".join(("The books are handed over.", *(_say(one) for one in after if one.wings))))
    return 0


def _find_house(store: Store, there: list[Present], lane: str | None) -> Present:
    keepers = [one for one in there if one.wings]
    if not keepers:
        raise BooksError(f"Nobody keeps {store}.")
    if lane is None and len(keepers) > 1:
        lanes = ", ".join(one.lane for one in keepers if one.lane is not None)
        raise BooksError(f"Several houses keep {store}: name the one that is to end by its lane, of {lanes}.")
    for one in keepers:
        if lane in (None, one.lane):
            return one
    raise BooksError(f"No house that keeps anything has the lane {lane}: ridotto houses tells where they are.")


def _has_ended(there: list[Present], house: Present) -> bool:
    """And whether all that it kept is kept by others that are well."""
    others = [one for one in there if (one.since, one.lane) != (house.since, house.lane)]
    kept = [one for one in others if one.left_s is not None and one.left_s >= 0]
    return len(others) == len(there) and house.wings <= frozenset[int]().union(*(one.wings for one in kept))


async def _ask_for_release(lane: str, secret: bytes) -> None:
    """Until it has heard that. Raises NotLetIn, LaneLost."""
    wire = await call(lane, secret)
    try:
        wire.write(RELEASE)
        await asyncio.wait_for(wire.read(), HANDED_OVER_S)
    except TimeoutError:
        raise LaneLost from None
    finally:
        wire.close()
