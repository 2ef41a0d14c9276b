"""Compare the chips that a paid hand moved in the books with what its record pays."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from bot.core.rounds.replay_check import is_of_tournament, nets_by_account, void_seats_of
from engine.fairness.record import Record
from engine.felt import VOID
from storage import ledger
from storage.questions.postings import postings_of_hand
from storage.questions.results import results_of_hand
from storage.rows import PostingRow, ResultRow
from storage.store import Reader

# {player: (bet, returned)}
_Paid = Mapping[str, tuple[int, int]]


def find_unposted(books: Reader, hand: int, record: Record) -> list[str] | None:
    """Return where the chips that a paid hand moved in the books differ from its record.

    None where an inspector voided a seat or rejected a prize: `paid` is recorded before such adjustments.
    """
    return find_unposted_rows(postings_of_hand(books, hand), results_of_hand(books, hand), record)


def find_unposted_rows(postings: list[PostingRow], results: list[ResultRow], record: Record) -> list[str] | None:
    """Return where they differ, as `find_unposted` does, from rows that were read."""
    if void_seats_of(postings) or any((one.event or "").startswith("rejected ") for one in postings):
        return None
    paid = paid_by_player(record)
    faults = list(_compare_postings(postings, paid, record))
    is_void = "void" in record or record["moves"][-1:] == [VOID]  # those have no results
    return faults if is_void or is_of_tournament(postings) else [*faults, *_compare_results(results, paid)]


def _compare_postings(postings: list[PostingRow], paid: _Paid, record: Record) -> Iterator[str]:
    posted = _nets_by_player(postings, owners_of_record(record))
    for player, (down, back) in sorted(paid.items()):
        if posted[player] != back - down:
            yield f"its record brings {player} {back - down}, and its postings {posted[player]}"


def _compare_results(results: Iterable[ResultRow], paid: _Paid) -> Iterator[str]:
    found = {f"p{one.player}": (one.wagered, one.returned) for one in results}
    for player in sorted({*paid, *found}):
        if paid.get(player) != found.get(player):
            said, kept = paid.get(player), found.get(player)
            yield f"its record pays {player} {_say_paid(said)}, and its results say {_say_paid(kept)}"


def _nets_by_player(postings: Iterable[PostingRow], owners: Mapping[str, str]) -> Counter[str]:
    """Add up postings by player; escrow of a seat belongs to its player."""
    nets: Counter[str] = Counter()
    for account, amount in nets_by_account(postings).items():
        kind, _, name = account.rpartition(":")
        if account.startswith((*ledger.PLAYERS, ledger.CHIPS)):
            nets[f"p{name}"] += amount
        elif kind.startswith("escrow:"):
            nets[owners[name]] += amount
    return nets


def owners_of_record(record: Record) -> dict[str, str]:
    """Return the player of each seat of a record, by the keys of `bot.core.state.table.owners_at`."""
    owners: dict[str, str] = {}
    for stake in record["stakes"]:
        seat, player = str(stake["seat"]), str(stake["player"])
        owners[seat if seat not in owners else f"{seat}/{player}"] = player
    return owners


def _say_paid(paid: tuple[int, int] | None) -> str:
    return "nothing" if paid is None else f"{paid[1]} for {paid[0]}"


def paid_by_player(record: Record) -> dict[str, tuple[int, int]]:
    """Return {player: (bet, returned)} of a record, all seats of a player together."""
    owners = owners_of_record(record)
    found: dict[str, tuple[int, int]] = {}
    for seat, spots in record["paid"]["wagered"].items():
        down, back = found.get(owners[seat], (0, 0))
        returned = record["paid"]["returned"][seat]
        found[owners[seat]] = (down + sum(spots.values()), back + sum(returned.values()))
    return found
