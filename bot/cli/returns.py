"""`ridotto doctor --returns`: compare what the bets of each table have returned with what they are worth."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from itertools import groupby

from bot.cli.progress import bar_of
from bot.core.admin.returns import INSIDE, NOT_COUNTED, OLDER, UNREADABLE, BetComparison, Returns, compare_returns
from bot.core.commands.counting import here
from bot.core.state.table import load_table
from engine.felt import check
from storage.questions.casinos import casinos, tables
from storage.questions.hands import number_of_settled
from storage.store import Reader, Store

_COMPARED = {"exact": "its odds", "most": "at most", "choices": "choices in"}
_LEFT_OUT = {
    NOT_COUNTED: "of games without computed odds",
    OLDER: "dealt under older rules",
    INSIDE: "from inside a shoe, because exact values hold for a fresh shoe",
    UNREADABLE: "that do not replay; see `ridotto doctor`",
}
_HEAD = ("bet", "against", "hands", "measured", "exact", "error", "z", "")
_ROW = "  {:<12} {:<10} {:>9} {:>9} {:>9} {:>9} {:>7}  {}"
_LEGEND = """Average return of each bet per unit, compared with its exact value.
its odds    a bet without decisions, compared with its odds
at most     a bet with decisions, compared with best play, the highest possible average
choices in  the same with the cost of the decisions added back, for the latest hands
OUT marks differences above four standard errors (z)."""


def check_returns(store: Store, choices: int) -> int:
    """Print the returns and return the exit status: 1 where a bet is out.

    Raises BooksError without books, IllegalDeal for a negative number of choices.
    """
    check(choices >= 0, "Enter a number of hands from 0 up.")
    with store.reading() as books:
        tell = bar_of(number_of_settled(books))
        returns, names = (
            compare_returns(lambda: nullcontext(books), here, choices=choices, tell=tell),
            _name_tables(books),
        )
    for text in write_returns(returns, names):
        print(text)
    return int(any(line.verdict.is_out for line in returns.lines))


def write_returns(returns: Returns, names: Mapping[int, str]) -> Iterator[str]:
    """Write the returns as lines of text; `names` are those of tables, by their numbers in the books."""
    yield from (_LEGEND, "")
    for group, lines in groupby(returns.lines, key=lambda line: line.group):
        options = f", {group.options}" if group.options != "{}" else ""
        yield f"{names.get(group.table, f'table {group.table}')}: {group.game}{options}"
        yield _ROW.format(*_HEAD).rstrip()
        yield from (_write(line) for line in lines)
        yield ""
    yield from (f"Left out: {hands} hands {_LEFT_OUT[why]}." for why, hands in sorted(returns.left_out.items()))
    out = sum(line.verdict.is_out for line in returns.lines)
    found = f"{out} OUT" if out else "none OUT"
    yield f"{returns.hands} hands, {len(returns.lines)} comparisons, {found}."


def _write(line: BetComparison) -> str:
    verdict = line.verdict
    said = (
        "OUT" if verdict.is_out else "" if verdict.is_known else f"too few to judge; about {verdict.needed} are needed"
    )
    figures = (f"{figure:.5f}" for figure in (verdict.measured, verdict.exact, verdict.error))
    row = _ROW.format(line.spot, _COMPARED[line.compared], verdict.hands, *figures, f"{verdict.z:+.2f}", said)
    return row.rstrip()


def _name_tables(books: Reader) -> dict[int, str]:
    """Name the tables by casino and number; one that cannot be read keeps its id, and the doctor reports it."""
    of, named = {row.id: row.name for row in casinos(books)}, {}
    for row in tables(books):
        with suppress(Exception):
            table = load_table(row.id, row.casino, row.game, row.status, row.state)
            named[row.id] = f"{of[row.casino]}, table {table.number}"
    return named
