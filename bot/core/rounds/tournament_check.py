"""Compare the books of a tournament with what its events say (TN4, TN7, TN21, TN22). Nothing is repaired."""

from collections.abc import Iterator

from bot.core.state.table import Table
from bot.core.state.tournament import CHIP, player_named
from engine.games import GAMES
from storage import ledger
from storage.questions.results import results_of_hand
from storage.store import Reader


def examine_tournament(books: Reader, table: Table) -> Iterator[str]:
    """Yield the faults of a tournament. Raises IllegalTournament if its events do not replay."""
    live = table.tournament
    if live is None or table.game not in GAMES:
        return
    now, rules = live.now, live.rules
    pool = 0 if live.has_ended else now.pool + len(live.entering) * rules.buy_in
    if (holds := books.balance(ledger.pool(table.id))) != pool:
        yield f"its pool holds {holds}, the buy-ins are {pool}"
    is_even = rules.is_elimination  # against the bank, chips are won and lost
    chips = {name: books.balance(ledger.chips(table.id, player_named(name))) for name in now.order}
    hand = books.balance(ledger.hand(table.round.hand_id))
    owed = -books.balance(ledger.issue(table.id))
    issued = 0 if not live.is_running else now.entries * rules.stack * CHIP if is_even else owed
    if (held := sum(chips.values()) + hand) != issued:
        yield f"its players hold {held} of {issued} in tournament chips"
    if owed != issued:
        yield f"{owed} in tournament chips were issued instead of {issued}"
    in_hand = {bet.player for bet in table.round.bets}
    for name, stack in now.stacks.items() if live.is_running else ():
        if player_named(name) not in in_hand and chips[name] != stack * CHIP:
            yield f"{name} holds {chips[name]} in tournament chips, by the events {stack * CHIP}"
    if live.has_ended and now.stacks and table.last_hand is not None:
        stored = {f"p{one.player}": (one.wagered, one.returned) for one in results_of_hand(books, table.last_hand)}
        if stored != live.results():
            yield "its results are not those of its events"
