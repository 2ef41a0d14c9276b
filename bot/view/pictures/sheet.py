"""Sheets as pictures: the title, a plate for each row, a curve, and the player's name."""

from bot.view.pictures.canvas import Canvas
from bot.view.pictures.lettering import fitted, width_of
from bot.view.pictures.palette import NEUTRAL
from bot.view.pictures.parts import FOOT, HEAD, HEIGHT, WIDTH, paint_pill, paint_table, words
from bot.view.pictures.pen import Pen
from bot.view.sheets import Row, Sheet

_EDGE, _ROW, _GAP = 30, 48, 8
_CURVE = 120
# The symbol carries the result without colour.
_SIGNS = {"win": ("▲ ", "green"), "lose": ("▼ ", "red"), "push": ("= ", "bronze"), "": ("", "ink")}


def sheet_picture(sheet: Sheet, language: str) -> bytes:
    """Return a PNG whose height depends on the number of rows."""
    canvas = Canvas(NEUTRAL)
    draw_sheet(canvas, sheet, language)
    return canvas.encode()


def draw_sheet(canvas: Canvas, sheet: Sheet, language: str) -> None:
    """Draw the sheet on any canvas."""
    curve = _CURVE + _GAP if len(sheet.curve) > 1 else 0
    height = HEAD + 14 + len(sheet.rows) * (_ROW + _GAP) + curve + 6 + HEIGHT - FOOT
    height += height % 2
    canvas.lay_felt(WIDTH, height, paint_table)
    title, size = fitted(words(sheet.title, language), WIDTH - 2 * _EDGE, 30, 20)
    canvas.text(_EDGE, (14 + HEAD - 2) // 2, title, size, "white", "ink", "l")
    y = HEAD + 14
    for row in sheet.rows:
        _draw_row(canvas, y, row, language)
        y += _ROW + _GAP
    if curve:
        canvas.draw_sprite(_EDGE, y, WIDTH - 2 * _EDGE, _CURVE, paint_curve, sheet.curve)
    foot = (FOOT + HEIGHT - 14) // 2 + height - HEIGHT
    canvas.text(_EDGE, foot, *fitted(words(sheet.foot, language), WIDTH - 2 * _EDGE, 20, 16), "grey", "ink", "l")


def _draw_row(canvas: Canvas, y: int, row: Row, language: str) -> None:
    """Draw the figure at the right, on its colour; the label gets the rest of the width."""
    sign, fill = _SIGNS[row.result]
    value, size = fitted(f"{sign}{words(row.value, language)}", 420, 26, 17)
    wide = (width_of(value, size) + 33) // 8 * 8
    canvas.draw_sprite(_EDGE, y, WIDTH - 2 * _EDGE, _ROW, paint_pill, "ink", "dim")
    room = WIDTH - 2 * _EDGE - wide - 40
    canvas.text(_EDGE + 16, y + _ROW // 2, *fitted(words(row.label, language), room, 24, 16), "white", "ink", "l")
    left = WIDTH - _EDGE - wide - 8
    canvas.draw_sprite(left, y + 6, wide, _ROW - 12, paint_pill, fill, "", 8, "ink")
    canvas.text(left + wide // 2, y + _ROW // 2, value, size, "white", fill)


def paint_curve(pen: Pen, width: int, height: int, curve: tuple[int, ...]) -> None:
    """Paint a curve between its least and greatest value, with a line at zero."""
    pen.box((0, 0, width, height), fill="felt")
    pen.box((0, 0, width, height), fill="ink", edge="dim", width=2, radius=8)
    least, most = min(*curve, 0), max(*curve, 0)
    span, inner = max(1, most - least), height - 24
    heights = [12 + inner - inner * (value - least) / span for value in curve]
    zero = 12 + inner - inner * (0 - least) / span
    pen.line([(12, zero), (width - 12, zero)], "dim", 2)
    step = (width - 40) / (len(curve) - 1)
    pen.line([(20 + step * at, y) for at, y in enumerate(heights)], "gold", 3)
