"""The layout of French roulette: zero, twelve streets and the columns, with dozens and even chances below."""

from collections.abc import Iterator

from bot.texts import Text
from bot.view.pictures.felt import Board, Cell
from engine.cards import RED_NUMBERS
from engine.games.roulette import BETS, EVEN_CHANCES, NTH
from engine.games.roulette_odds import kind_of

_COLOURS = {str(number): "red" if number in RED_NUMBERS else "ink" if number else "green" for number in range(37)}


def _cells() -> Iterator[Cell]:
    yield Cell("0", 0.5, 1.5, height=3)
    for at, nth in enumerate(NTH):
        yield Cell(f"{nth}-column", 13.5, 2.5 - at)
        yield Cell(f"{nth}-dozen", 3 + 4 * at, 3.5, width=4)
    for at, bet in enumerate(EVEN_CHANCES):
        yield Cell(bet, 2 + 2 * at, 4.5, width=2)
    yield from (_cell_on_numbers(bet) for bet in BETS if 1 <= len(BETS[bet]) <= 6 and bet != "0")


def _cell_on_numbers(bet: str) -> Cell:
    """Return the place of a bet in the middle of its numbers: where they touch, or at the edge of their streets."""
    kind, columns, rows = (
        kind_of(bet),
        *zip(*((1.5 + (n - 1) // 3, 2.5 - (n - 1) % 3) for n in BETS[bet] if n), strict=True),
    )
    is_at_edge = bet == "first-four" or (0 not in BETS[bet] and kind in ("street", "six-line"))
    x = 1.0 if 0 in BETS[bet] else sum(columns) / len(columns)
    y = 3.0 if is_at_edge else sum(rows) / len(rows)
    return Cell(bet, x, y, height=0.5 if kind == "split" else 1, kind="" if kind == "straight" else kind)


BOARD = Board(
    title="FRENCH ROULETTE",
    hand="ball",
    columns=14,
    rows=5,
    cells=tuple(_cells()),
    kinds=(
        ("", Text("Numbers")),
        ("split", Text("Splits")),
        ("street", Text("Streets")),
        ("corner", Text("Corners")),
        ("six-line", Text("Six lines")),
    ),
    colours={**_COLOURS, "red": "red", "black": "ink"},
    short={**{f"{nth}-column": "2:1" for nth in NTH}, "low": "1–18", "high": "19–36"},
    road=_COLOURS,
)
