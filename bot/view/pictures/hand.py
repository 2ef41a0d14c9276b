"""A player's own hand: large cards, their description, the middle of the table, the cost of each choice."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.texts import Text, say
from bot.view import Button, Pile, Screen
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.faces import paint_card
from bot.view.pictures.lettering import clean, fitted, width_of
from bot.view.pictures.parts import (
    HEAD,
    HEIGHT,
    WIDTH,
    draw_fan,
    draw_foot,
    draw_head,
    draw_pill,
    paint_pill,
    paint_table,
    words,
)

_SIZES = ((132, 184), (112, 156), (92, 128), (72, 100), (52, 72), (40, 56))
_HOUSE_CARD = (52, 72)
_CHOICE = 44
_EDGE = 30


class _Own(NamedTuple):
    """A hand of the viewer's with the name of its seat, if they play several."""

    name: str
    pile: Pile


def draw_hand(canvas: Canvas, screen: Screen, language: str) -> None:
    """Draw one player's own cards with the bank's and the choices; it grows with the number of piles."""
    own = _own_piles(screen, language)
    bank = [pile for pile in screen.bank if pile.cards]
    rows, size = _rows_of(own)
    choices = _choice_rows(screen.moves, language)
    row_high = size[1] + 48
    own_top = HEAD + 12 + (_HOUSE_CARD[1] + 12 if bank else 0)
    choices_top = own_top + row_high * len(rows) + 4
    height = (choices_top + (_CHOICE + 8) * len(choices) + 6 + HEIGHT - 540 + 1) // 2 * 2
    canvas.lay_felt(WIDTH, height, paint_table)
    draw_head(canvas, screen, language)
    draw_foot(canvas, screen, language, height)
    _draw_bank(canvas, bank, language)
    for at, row in enumerate(rows):
        _draw_row(canvas, own_top + row_high * at, row, size, screen.moves, language)
    for at, row_of_choices in enumerate(choices):
        _draw_choices(canvas, choices_top + (_CHOICE + 8) * at, row_of_choices)


def _own_piles(screen: Screen, language: str) -> list[_Own]:
    seats = [seat for seat in screen.seats if seat.is_viewer and seat.piles]
    several = len(seats) > 1
    return [
        _Own(say(Text("Seat {seat}", seat=seat.key), language) if several else "", pile)
        for seat in seats
        for pile in seat.piles
    ]


def _rows_of(own: Sequence[_Own]) -> tuple[list[list[_Own]], tuple[int, int]]:
    """Arrange the hands in rows, with the largest cards that leave at most two rows."""
    for size in _SIZES:
        rows: list[list[_Own]] = []
        room = 0
        for one in own:
            wide = _width(one.pile, size[0])
            if not rows or wide > room:
                rows.append([])
                room = WIDTH - 2 * _EDGE
            rows[-1].append(one)
            room -= wide + 24
        has_room = all(_width(one.pile, size[0]) <= WIDTH - 2 * _EDGE for one in own)
        if has_room and len(rows) <= (1 if size[0] > 72 else 2):
            break
    return rows, size


def _width(pile: Pile, card: int) -> int:
    return max(120, len(pile.cards) * (card + 6))


def _draw_bank(canvas: Canvas, bank: Sequence[Pile], language: str) -> None:
    """Draw the dealer's cards and the board, small."""
    x, width = _EDGE, _HOUSE_CARD[0] + 4
    for pile in bank:
        name = words(pile.name, language)
        room = width * len(pile.cards)
        if x + width_of(name, 20) + 10 + room > WIDTH - _EDGE:
            return
        draw_pill(canvas, x + (width_of(name, 20) + 24) // 2, HEAD + 48, name, 20, 160, "grey")
        x += width_of(name, 20) + 32
        for at, card in enumerate(pile.cards):
            canvas.draw_sprite(x + width * at, HEAD + 12, *_HOUSE_CARD, paint_card, card, "")
        x += room + 26


def _draw_row(
    canvas: Canvas, y: int, row: Sequence[_Own], size: tuple[int, int], moves: Sequence[Button], language: str
) -> None:
    whole = sum(_width(one.pile, size[0]) for one in row) + 24 * (len(row) - 1)
    x = (WIDTH - whole) // 2
    for one in row:
        wide = min(_width(one.pile, size[0]), WIDTH - 2 * _EDGE)
        middle = x + wide // 2
        draw_fan(canvas, middle, y, one.pile.cards, size, wide, 6)
        said = " · ".join(part for part in (one.name, words(one.pile.description, language)) if part)
        if said:
            fill, ink = ("gold", "ink") if one.pile.is_turn and len(row) > 1 else ("ink", "white")
            most = wide + 20 if len(row) > 1 else WIDTH - 80
            draw_pill(canvas, middle, y + size[1] + 22, said, 28, most, ink, fill)
        x += wide + 24


def _choice_rows(moves: Sequence[Button], language: str) -> list[list[tuple[str, int]]]:
    """Return (label, width) of each choice, in rows."""
    rows: list[list[tuple[str, int]]] = []
    room = 0
    for move in moves:
        label = fitted(clean(say(move.label, language)), 400, 24, 18)[0]
        wide = (width_of(label, 24) + 33) // 2 * 2
        if not rows or wide > room:
            rows.append([])
            room = WIDTH - 2 * _EDGE
        rows[-1].append((label, wide))
        room -= wide + 12
    return rows


def _draw_choices(canvas: Canvas, y: int, row: Sequence[tuple[str, int]]) -> None:
    x = (WIDTH - sum(wide for _, wide in row) - 12 * (len(row) - 1)) // 2
    for label, wide in row:
        canvas.draw_sprite(x, y, wide, _CHOICE, paint_pill, "ink", "gold", 12)
        canvas.text(x + wide // 2, y + _CHOICE // 2, label, 24, "white", "ink")
        x += wide + 12
