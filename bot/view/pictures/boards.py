"""Tables with one hand of the bank, a board of places for bets below it, the bettors, and past results (Board)."""

from collections.abc import Sequence

from bot.texts import Text
from bot.view import Screen, SpotChips
from bot.view.pictures.areas import initial_of, paint_bead
from bot.view.pictures.bettors import draw_bettors
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.chips import short_amount
from bot.view.pictures.faces import paint_card
from bot.view.pictures.felt import Board, Cell
from bot.view.pictures.lettering import fitted
from bot.view.pictures.parts import HEAD, HEIGHT, WIDTH, draw_foot, draw_head, draw_pill, paint_table, words
from bot.view.pictures.pen import Pen
from engine.felt import Word

_LEFT, _RIGHT, _TOP, _BOTTOM = 30, 640, HEAD + 162, 542
_MIDDLE, _CARD = 336, (64, 88)
_UNIT_Y = 44
_CAPTION, _ROAD, _BEAD = 468, 490, 32
_PLAQUE = (34, 18)

Box = tuple[int, int, int, int]
Boxes = tuple[tuple[Box, str, str], ...]


def draw_board(canvas: Canvas, screen: Screen, language: str, board: Board) -> None:
    """Draw the hand, the board with everyone's bets, and the newest results."""
    printed = tuple(
        (_box_of(board, cell), _label_of(board, cell, language), board.colours.get(cell.spot, "felt"))
        for cell in board.cells
        if not cell.kind
    )
    canvas.lay_felt(WIDTH, HEIGHT, paint_board, board.title, printed)
    draw_head(canvas, screen, language)
    draw_foot(canvas, screen, language)
    for pile in screen.bank:
        canvas.draw_sprite(_MIDDLE - _CARD[0] // 2, HEAD + 12, *_CARD, paint_card, pile.cards[0], "")
        if pile.description is not None:
            said = words(pile.description, language)
            draw_pill(canvas, _MIDDLE, HEAD + 128, said, 22, 580, "white", "ink", "white")
    lying = {chips.spot: chips for chips in screen.spots}
    for cell, (box, label, colour) in zip((one for one in board.cells if not one.kind), printed, strict=True):
        if cell.spot in lying and lying[cell.spot].result == "win":
            x, y, wide, high = box
            canvas.draw_sprite(x, y, wide, high, paint_place, label, colour, True)
    for cell in board.cells:
        if cell.spot in lying and lying[cell.spot].total:
            _draw_plaque(canvas, _box_of(board, cell), cell, lying[cell.spot], language)
    _draw_road(canvas, screen.road, board, language)
    draw_bettors(canvas, [seat for seat in screen.seats if seat.name], language)


def _unit(board: Board) -> int:
    return (_RIGHT - _LEFT) // board.columns // 2 * 2


def _box_of(board: Board, cell: Cell) -> Box:
    """Return (x, y, width, height) of a place, all even from left to right."""
    unit = _unit(board)
    left = _LEFT + (_RIGHT - _LEFT - unit * board.columns) // 4 * 2
    x, y = left + round((cell.x - cell.width / 2) * unit) // 2 * 2, _TOP + round((cell.y - cell.height / 2) * _UNIT_Y)
    return x, y, round(cell.width * unit), round(cell.height * _UNIT_Y)


def _label_of(board: Board, cell: Cell, language: str) -> str:
    return board.short.get(cell.spot) or words(Text("{area}", area=Word(cell.spot)), language)


def paint_board(pen: Pen, width: int, height: int, title: str, printed: Boxes) -> None:
    """Paint the bare felt: every printed place with its label and colour."""
    paint_table(pen, width, height)
    pen.text(_LEFT + 4, HEAD + 40, *fitted(title, 240, 26, 16), "gold", "lm")
    for (x, y, wide, high), label, colour in printed:
        paint_place(pen.moved(x, y), wide, high, label, colour, False)
    pen.box((654, HEAD + 10, 656, _BOTTOM), fill="line")


def paint_place(pen: Pen, width: int, height: int, label: str, colour: str, is_lit: bool) -> None:
    """Paint a printed place; `is_lit` if it has won."""
    pen.box((0, 0, width, height), fill=colour, edge="gold" if is_lit else "line", width=4 if is_lit else 1)
    shown, size = fitted(label, width - 6, 20, 11)
    pen.text(width / 2, height / 2 if height > _UNIT_Y else 14, shown, size, "white")


def _draw_plaque(canvas: Canvas, box: Box, cell: Cell, chips: SpotChips, language: str) -> None:
    """Draw a bet as a plaque: everyone's, or the viewer's own in gold."""
    (x, y, wide, high), (width, tall) = box, _PLAQUE
    said = short_amount(chips.amount or chips.total, language, width - 4, 13)
    down = y + high // 2 - tall // 2 if cell.kind else y + high - tall - 3
    fill = "gold" if chips.amount else "white"
    canvas.draw_sprite((x + wide // 2 - width // 2) // 2 * 2, down, width, tall, paint_plaque, said, fill)


def paint_plaque(pen: Pen, width: int, height: int, amount: str, fill: str) -> None:
    """Paint an amount on a plaque, which covers the lines below it."""
    pen.box((0, 0, width, height), fill=fill, edge="ink", width=1)
    pen.text(width / 2, height / 2, *fitted(amount, width - 4, 13, 9), "ink")


def _draw_road(canvas: Canvas, road: Sequence[str], board: Board, language: str) -> None:
    """Draw the newest results that fit, the last one at the right end, and the caption that they predict nothing."""
    said = words(Text("Past hands do not predict the next one."), language)
    canvas.text(_LEFT, _CAPTION, *fitted(said, 580, 16, 12), "white", "felt", "l")
    for at, mark in enumerate(road[-((_RIGHT - _LEFT) // _BEAD) :]):
        fill = board.road.get(mark, "grey")
        canvas.draw_sprite(_LEFT + _BEAD * at, _ROAD, _BEAD, _BEAD, paint_bead, fill, initial_of(mark))
