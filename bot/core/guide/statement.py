"""`/statement`: every movement of a player's chips, with what names the record of each hand."""

from collections.abc import Iterator, Sequence
from functools import partial

from bot.core.commands.amounts import parse_count
from bot.core.commands.command import MOST_ROWS, Answer, Beside, to_csv
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.commands.words import find_word
from bot.core.players.reasons import say_reason
from bot.core.players.spreadsheets import (
    CHIPS,
    COMMITMENT,
    FROM,
    HAND,
    IN_RECORD,
    REASON,
    TIME,
    TO,
    name_in_record,
    name_reader,
    write_movement,
)
from bot.core.players.wallets import ROWS, page_turns, read_page
from bot.core.rounds.commitments import RECEIPT_DIGITS
from bot.core.rounds.hand_records import load_commitment
from bot.texts import Text, say
from bot.texts.times import write_time
from engine.fairness.commitment import Commitment, commit_to
from engine.felt import Amount
from storage import ledger
from storage.questions.hands import deals_of_hands
from storage.questions.postings import latest_postings
from storage.rows import PostingRow
from storage.store import Reader

# Number of deals read by one query.
HANDS_AT_ONCE = 500
# (commitment of a hand, lines of its entries in the log).
_Committed = tuple[Commitment | None, tuple[int, ...]]


@command(
    "statement",
    Text("List every movement of your chips"),
    group="chips",
    flags=CommandFlag.LINKABLE,
    usage="[PAGE|csv] [DAY] [#HAND]",
)
def statement(request: Request) -> Answer:
    """Show fifteen chip movements a page, newest first: all, those until the end of a day (`2026-11-24`), those
    of a hand (`#12`), with what names its record; `csv` is a file of them.
    """
    wallets = [ledger.wallet(request.casino.id, player) for player in request.player.ids]
    if request.args and find_word(request.args[0], ("csv",)):
        line = Text("Your latest {most} chip movements.", most=MOST_ROWS)
        return Answer(
            (line,),
            report=partial(
                _whole_statement, wallets=wallets, casino=request.casino.id, language=request.player.language
            ),
        )
    # Transfers between one's own wallets are left out.
    page, day, hand = read_page(request, _hand_in)
    number = int(hand) if hand else None
    rows = latest_postings(request.transaction.books, wallets, ROWS + 1, ROWS * (page - 1), hand=number, before=day)
    lines = tuple(_movement(row, wallets) for row in rows[:ROWS])
    if number is not None and rows:
        lines += _name_record(request.transaction.books, number, rows, wallets)
    return Answer(
        lines or (Text("There are no chip movements here."),), choices=page_turns(request, page, len(rows) > ROWS)
    )


def _hand_in(args: Sequence[str], start: int) -> tuple[str | None, int]:
    word = args[start]
    number = parse_count(word.removeprefix("#"), 1, 10**11) if word.startswith("#") else None
    return (None, start) if number is None else (str(number), start + 1)


def _whole_statement(beside: Beside, wallets: Sequence[str], casino: int, language: str) -> Answer:
    rows = latest_postings(beside.books, wallets, MOST_ROWS)
    name_of = name_reader(beside.books, casino)
    head = [say(one, language) for one in (TIME, CHIPS, REASON, HAND, FROM, TO, COMMITMENT, IN_RECORD)]
    commits = {
        id: commit_to(commitment) for id, (commitment, _lines) in _read_commitments(beside.books, rows) if commitment
    }
    moved = (write_movement(row, wallets, language, name_of, commits) for row in reversed(rows))
    return Answer(file=("statement.csv", to_csv(head, moved)))


def _read_commitments(books: Reader, rows: Sequence[PostingRow]) -> Iterator[tuple[int, _Committed]]:
    """Yield (hand, its commitment and lines in the log) of the hands that postings are of."""
    ids = sorted({row.hand for row in rows if row.hand is not None})
    for first in range(0, len(ids), HANDS_AT_ONCE):
        for id, deal in deals_of_hands(books, ids[first : first + HANDS_AT_ONCE]).items():
            yield id, load_commitment(deal)


def _name_record(books: Reader, hand: int, rows: Sequence[PostingRow], wallets: Sequence[str]) -> tuple[Text, ...]:
    """Name the record of a hand by its commitment, and its player as the record does."""
    names = ", ".join(sorted({name_in_record(row, wallets) for row in rows}))
    return tuple(
        Text(
            "In the record of hand {hand} you are {names}: commitment {digits}…, entry {entry} of log {log}",
            hand=str(hand),
            names=names,
            digits=commit_to(commitment)[:RECEIPT_DIGITS],
            entry=str(lines[0]),
            log=str(commitment["log"]),
        )
        for _id, (commitment, lines) in _read_commitments(books, rows[:1])
        if commitment is not None
    )


def _movement(row: PostingRow, wallets: Sequence[str]) -> Text:
    amount = Amount(row.amount if row.credit in wallets else -row.amount)
    values = {"when": write_time(row.at), "amount": amount, "why": say_reason(row)}
    if row.hand is None:
        return Text("{when} UTC · {amount} · {why}", **values)
    return Text("{when} UTC · {amount} · {why} · hand {hand}", **values, hand=str(row.hand))
