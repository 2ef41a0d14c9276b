"""The list of players with bets, on the right side of tables without seats (PJ2)."""

from collections.abc import Sequence

from bot.texts import Text, say
from bot.view import Seat
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.chips import short_amount
from bot.view.pictures.lettering import fitted, width_of
from bot.view.pictures.parts import HEAD, name_of, paint_pill, result_of, signed
from engine.felt import Amount

_ROW, _LEFT, _RIGHT = 52, 666, 878


def draw_bettors(canvas: Canvas, seats: Sequence[Seat], language: str) -> None:
    """Draw a row for each player; the last one counts those without room."""
    most = (542 - HEAD - 10) // _ROW
    shown = seats if len(seats) <= most else seats[: most - 1]
    for at, seat in enumerate(shown):
        _draw_bettor(canvas, HEAD + 10 + _ROW * at, seat, language)
    if len(shown) < len(seats):
        more = say(Text("and {n} more", n=len(seats) - len(shown)), language)
        canvas.draw_sprite(_LEFT, HEAD + 10 + _ROW * len(shown), _RIGHT - _LEFT, _ROW - 6, paint_pill, "ink", "dim")
        canvas.text((_LEFT + _RIGHT) // 2, HEAD + 32 + _ROW * len(shown), *fitted(more, 190, 20, 14), "white", "ink")


def _draw_bettor(canvas: Canvas, y: int, seat: Seat, language: str) -> None:
    width = _RIGHT - _LEFT
    fill, said = "ink", short_amount(sum(chips.amount for chips in seat.chips), language, 80, 20)
    if seat.result:
        word, fill = result_of(seat, language)
        said = f"{word} {signed(seat.net or Amount(0), language, 78, 18)}"
    edge = "white" if seat.result or seat.is_turn else "bronze" if seat.is_viewer else "dim"
    canvas.draw_sprite(_LEFT, y, width, _ROW - 4, paint_pill, fill, edge)
    if seat.result:
        canvas.text(_LEFT + 10, y + 14, *fitted(name_of(seat, language), width - 20, 19, 15), "white", fill, "l")
        canvas.text(_RIGHT - 10, y + 34, *fitted(said, width - 20, 18, 14), "white", fill, "r")
    else:
        room = width - 28 - width_of(said, 20)
        canvas.text(_LEFT + 10, y + 24, *fitted(name_of(seat, language), room, 20, 16), "white", fill, "l")
        canvas.text(_RIGHT - 10, y + 24, said, 20, "gold", fill, "r")
