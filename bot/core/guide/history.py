"""`/history`: a player's hands, and the receipts of bets that are not paid yet."""

from collections.abc import Iterable, Sequence

from bot.core.commands.command import Answer
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.commands.words import GAME, take_word
from bot.core.players.wallets import ROWS, page_turns, read_page
from bot.core.rounds import commitments
from bot.core.rounds.hand_records import load_commitment
from bot.core.state.plays import PLAYS, Seating
from bot.texts import Text
from bot.texts.times import write_time
from engine.felt import Amount, Word
from storage.questions.hands import deals_of_hands
from storage.questions.results import latest_results
from storage.rows import ResultRow


def _game_in(args: Sequence[str], start: int) -> tuple[str | None, int]:
    return take_word(args, start, PLAYS, GAME)


@command(
    "history",
    Text("List the hands you played"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[PAGE] [GAME] [DAY]",
)
def history(request: Request) -> Answer:
    """List fifteen hands a page, the newest first, each with where its commitment is in the log: all, those of a game,
    those until the end of a day (`2026-11-24`). Before them, the receipts of bets that are not paid yet.
    """
    books = request.transaction.books
    page, day, game = read_page(request, _game_in)
    rows = latest_results(
        books, request.casino.id, request.player.ids, ROWS + 1, ROWS * (page - 1), game=game or None, before=day
    )
    choices, rows = page_turns(request, page, len(rows) > ROWS), rows[:ROWS]
    deals = deals_of_hands(books, [row.hand for row in rows])
    lines = tuple(_result(row, deals.get(row.hand)) for row in rows)
    if page == 1 and day is None:
        lines = (*_receipts(request, game), *lines)
    none = Text("You have not finished a hand here yet.")
    nothing = Text("You have no such hands here.") if request.args else none
    return Answer(lines or (nothing,), choices=choices)


def _receipts(request: Request, game: str) -> Iterable[Text]:
    """Yield the receipt of each table where chips of the player are at stake, or will be with the next hand."""
    ids = set(request.player.ids)
    found = {table.id: table for id in ids for table in request.transaction.tables_of(id)}
    for table in sorted(found.values(), key=lambda table: table.id):
        if table.casino != request.casino.id:
            continue
        bets = {bet.player for bet in table.round.bets}
        plays_next = table.plays.seating is Seating.STACKS and not table.has_closed
        there = bets | set(table.seats.values()) if plays_next else bets
        receipt = commitments.receipt_of(table) if there & ids and game in ("", table.game) else None
        if receipt is not None:
            yield receipt


def _result(row: ResultRow, deal: str | None) -> Text:
    """Describe a finished hand, with its entry in the log unless its deal is damaged."""
    commitment, lines = load_commitment(deal) if deal is not None else (None, ())
    net = row.returned - row.wagered
    values = {
        "when": write_time(row.at),
        "hand": str(row.hand),
        "game": Word(row.game),
        "wagered": Amount(row.wagered),
        "returned": Amount(row.returned),
        "net": Text("+{amount}" if net > 0 else "{amount}", amount=Amount(net)),
    }
    if commitment is None:
        return Text("{when} UTC · hand {hand} · {game}: bet {wagered}, returned {returned}, {net}", **values)
    return Text(
        "{when} UTC · hand {hand} · {game}: bet {wagered}, returned {returned}, {net} · entry {entry} of log {log}",
        **values,
        entry=str(lines[0]),
        log=str(commitment["log"]),
    )
