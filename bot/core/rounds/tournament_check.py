"""Compare the books of a tournament with what its events say (TN4, TN7, TN21, TN22). Nothing is repaired."""

from collections.abc import Iterator, Mapping

from bot.core.state.table import Table
from bot.core.state.tournament import CHIP, LiveTournament, player_named
from engine.games import GAMES
from storage import ledger
from storage.questions.results import results_of_hand
from storage.store import Reader


def examine_tournament(books: Reader, table: Table, known: Mapping[int, Table]) -> Iterator[str]:
    """Yield the faults of a tournament, at its first table. Raises IllegalTournament if its events do not replay."""
    live = table.tournament
    if live is None or table.part_of is not None or table.game not in GAMES:
        return
    now, rules, tables = live.now, live.rules, [known[id] for id in live.tables or (table.id,)]
    pool = 0 if live.has_ended else now.pool
    if (holds := books.balance(ledger.pool(table.id))) != pool:
        yield f"its pool holds {holds}, the buy-ins are {pool}"
    is_even = rules.is_elimination  # chips are won from and lost to the bank
    chips = {name: books.balance(ledger.chips(table.id, player_named(name))) for name in now.order}
    in_hands = sum(books.balance(ledger.hand(one.round.hand_id)) for one in tables)
    owed = -books.balance(ledger.issue(table.id))
    issued = 0 if not live.is_running else sum(now.stacks.values()) * CHIP if is_even else owed
    if (held := sum(chips.values()) + in_hands) != issued:
        yield f"its players hold {held} of {issued} in tournament chips"
    if owed != issued:
        yield f"{owed} in tournament chips were issued instead of {issued}"
    playing = {bet.player for one in tables for bet in one.round.bets}
    for name, stack in now.stacks.items() if live.is_running else ():
        if player_named(name) not in playing and chips[name] != stack * CHIP:
            yield f"{name} holds {chips[name]} in tournament chips, by the events {stack * CHIP}"
    yield from _examine_seats(live, tables) if live.is_running else ()
    hands = [one.last_hand for one in tables if one.last_hand is not None]
    if live.has_ended and now.stacks and hands:
        rows = [row for hand in hands for row in results_of_hand(books, hand)]
        if {f"p{one.player}": (one.wagered, one.returned) for one in rows} != live.results():
            yield "its results are not those of its events"


def _examine_seats(live: LiveTournament, tables: list[Table]) -> Iterator[str]:
    """Check that each player left has one seat, that of the events."""
    for number, table in enumerate(tables, start=1):
        if table.seats != live.seats_at(number) and table.status != "closed":
            yield f"the seats of table {number} are not those of its events"
        if table.seats and table.status == "closed":
            yield f"players are seated at table {number}, which is closed"
