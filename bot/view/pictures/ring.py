"""Eight or nine seats round the pot (Ring), clockwise from the upper left, with cards, stacks and the button."""

from typing import NamedTuple

from bot.texts import Text, say_amount
from bot.view import Screen, Seat
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.chips import paint_stack, short_amount, stack_of
from bot.view.pictures.faces import SUITS, draw_path, paint_card
from bot.view.pictures.felt import Ring
from bot.view.pictures.lettering import fitted, fitted_by_parts, width_of
from bot.view.pictures.parts import (
    HEAD,
    HEIGHT,
    WIDTH,
    draw_amount,
    draw_foot,
    draw_head,
    draw_pill,
    name_of,
    paint_pill,
    paint_table,
    result_of,
    signed,
    state_of,
    step_of,
    words,
)
from bot.view.pictures.pen import Pen
from engine.cards import HIDDEN
from engine.felt import Amount

_ROWS = (HEAD + 8, HEAD + 168, HEAD + 328)
_CARD = (40, 58)
_PLATE = 34
_BOARD_CARD = (60, 87)


class _SeatPlaces(NamedTuple):
    """Places of the seats: (column, row) of each, the left edges of the columns, the width of a block.

    cards   room for a player's cards
    middle  left edge and width of the room between the seats
    """

    columns: tuple[int, ...]
    block: int
    places: tuple[tuple[int, int], ...]
    cards: int
    middle: tuple[int, int]

    def at(self, seat: int) -> tuple[int, int]:
        column, row = self.places[seat - 1]
        return self.columns[column], _ROWS[row]


_EIGHT = _SeatPlaces(
    (22, 310, 598), 280, ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)), 7, (310, 280)
)
_NINE = _SeatPlaces(
    (18, 236, 454, 672),
    210,
    ((0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (2, 2), (1, 2), (0, 2)),
    2,
    (18, 646),
)


def _places_of(ring: Ring) -> _SeatPlaces:
    return _NINE if ring.seats > len(_EIGHT.places) else _EIGHT


def draw_ring(canvas: Canvas, screen: Screen, language: str, ring: Ring) -> None:
    """Draw up to nine players round a pot, with the dealer's button."""
    places = _places_of(ring)
    canvas.lay_felt(WIDTH, HEIGHT, paint_ring, ring)
    draw_head(canvas, screen, language)
    draw_foot(canvas, screen, language)
    if places is _NINE:
        _draw_board(canvas, screen, language, places)
    else:
        _draw_pot(canvas, screen, language)
    for seat in screen.seats:
        if seat.name and seat.key.isdigit() and 1 <= int(seat.key) <= len(places.places):
            _draw_seat(canvas, seat, language, places)


def paint_ring(pen: Pen, width: int, height: int, ring: Ring) -> None:
    """Paint the bare felt."""
    places = _places_of(ring)
    paint_table(pen, width, height)
    for seat in range(1, len(places.places) + 1):
        x, y = places.at(seat)
        pen.box((x, y, x + places.block, y + _PLATE), edge="line", width=1.5, radius=8)
        pen.text(x + places.block / 2, y + _PLATE / 2, str(seat), 20, "line")
        for at in range(places.cards):
            left, top = x + 40 * at, y + _PLATE + 4
            pen.box((left + 1, top, left + _CARD[0] - 1, top + _CARD[1]), edge="line", width=1, radius=4)
    left, room = places.middle
    y = _ROWS[1]
    pen.text(left + room / 2, y + 14, ring.title, 20, "gold")
    if places is _NINE:
        for at in range(ring.board):
            x = left + 20 + (_BOARD_CARD[0] + 6) * at
            pen.box((x, y + 42, x + _BOARD_CARD[0], y + 42 + _BOARD_CARD[1]), edge="line", width=1, radius=5)
        return
    for at, suit in enumerate("shdc"):
        draw_path(pen, SUITS[suit], WIDTH / 2 + 30 * (at - 1.5), y + 42, 19, "line")
    pen.box((left + 30, y + 64, left + room - 30, y + 146), edge="line", width=2, radius=40)


def _draw_pot(canvas: Canvas, screen: Screen, language: str) -> None:
    middle, y = WIDTH // 2, _ROWS[1] + 64
    for pile in screen.bank[:1]:
        for at, card in enumerate(pile.cards[:1]):
            canvas.draw_sprite(_EIGHT.middle[0] - 4 + 40 * at, y + 12, *_CARD, paint_card, card, "")
    _draw_pot_at(canvas, screen, language, middle, y)


def _draw_board(canvas: Canvas, screen: Screen, language: str, places: _SeatPlaces) -> None:
    """Draw the board on the left of the middle and the pot on its right."""
    left, room = places.middle
    y = _ROWS[1]
    for pile in screen.bank[:1]:
        for at, card in enumerate(pile.cards):
            canvas.draw_sprite(left + 20 + (_BOARD_CARD[0] + 6) * at, y + 42, *_BOARD_CARD, paint_card, card, "")
    _draw_pot_at(canvas, screen, language, left + room - 130, y + 44)


def _draw_pot_at(canvas: Canvas, screen: Screen, language: str, middle: int, y: int) -> None:
    if not screen.pot:
        return
    canvas.draw_sprite(middle - 92, y + 16, 34, 50, paint_stack, stack_of(screen.pot))
    canvas.draw_sprite(middle - 50, y + 12, 144, 58, paint_pill, "ink", "gold", 14)
    canvas.text(middle + 22, y + 26, words(Text("POT"), language), 16, "gold", "ink")
    canvas.text(middle + 22, y + 50, *fitted(say_amount(screen.pot, language), 132, 28, 18), "white", "ink")


def _draw_seat(canvas: Canvas, seat: Seat, language: str, places: _SeatPlaces) -> None:
    x, y = places.at(int(seat.key))
    block = places.block
    _draw_plate(canvas, x, y, seat, language, block)
    for pile in seat.piles[:1]:
        step = step_of(len(pile.cards), 40, block, 0) if len(pile.cards) > places.cards else 40
        for at, card in enumerate(pile.cards):
            canvas.draw_sprite(x + step * at, y + _PLATE + 4, *_CARD, paint_card, card, "")
    below = y + _PLATE + _CARD[1] + 8
    lying = sum(chips.amount for chips in seat.chips)
    if lying and not seat.result:
        canvas.draw_sprite(x + 4, below + 2, 34, 46, paint_stack, stack_of(lying))
        draw_amount(canvas, x + 78, below + 34, lying, language, 76)
    # Room for the seat's state beside two cards, or below seven.
    pill_x, pill_y, room = (x + 148, y + _PLATE + 24, 122) if places is _NINE else (x + 200, below + 34, 156)
    if seat.result:
        _draw_result(canvas, x, below, seat, language, block)
    elif seat.state:
        ink, fill = ("ink", "gold") if seat.is_turn else ("grey", "ink")
        draw_pill(canvas, pill_x, pill_y, state_of(seat, language), 18, room, ink, fill)
        description_y = pill_y + 28 if places is _NINE else below + 10
        _draw_description(canvas, pill_x, description_y, seat, language, room + 4)


def _draw_plate(canvas: Canvas, x: int, y: int, seat: Seat, language: str, block: int) -> None:
    """Draw button, number, name and stack."""
    fill, ink = ("gold", "ink") if seat.is_turn else ("ink", "white")
    edge = "white" if seat.is_turn else "bronze" if seat.is_viewer else "dim"
    canvas.draw_sprite(x, y, block, _PLATE, paint_pill, fill, edge)
    canvas.draw_sprite(x + 6, y + 6, 24, 22, paint_pill, "dim", "", 10, fill)
    canvas.text(x + 18, y + 17, seat.key, 16, "white", "dim")
    stack = short_amount(seat.stack, language, 100, 20) if seat.stack is not None else ""
    left, room = x + 36, block - 36 - 10 - width_of(stack, 20) - 8
    if seat.is_dealer:
        canvas.draw_sprite(left, y + 5, 24, 24, paint_button, fill)
        left, room = left + 28, room - 28
    canvas.text(left, y + 17, *fitted(name_of(seat, language), room, 21, 16), ink, fill, "l")
    canvas.text(x + block - 10, y + 17, stack, 20, "ink" if seat.is_turn else "gold", fill, "r")


def paint_button(pen: Pen, width: int, height: int, ground: str) -> None:
    """Paint the dealer's button."""
    pen.box((0, 0, width, height), fill=ground)
    pen.disc(width / 2, height / 2, width / 2, fill="white", edge="dim", width=1)
    pen.text(width / 2, height / 2, "D", 16, "ink")


def _draw_description(canvas: Canvas, x: int, y: int, seat: Seat, language: str, room: int) -> None:
    """Draw the description of a visible hand above the seat's state."""
    pile = seat.piles[0] if seat.piles else None
    if pile is not None and pile.description is not None and (seat.is_viewer or HIDDEN not in pile.cards):
        draw_pill(canvas, x, y, words(pile.description, language), 17, room, "white", "ink", least=12)


def _draw_result(canvas: Canvas, x: int, y: int, seat: Seat, language: str, block: int) -> None:
    word, fill = result_of(seat, language)
    said = f"{word}   {signed(seat.net or Amount(0), language, 120, 19)}"
    canvas.draw_sprite(x, y, block, 28, paint_pill, fill, "white")
    canvas.text(x + block // 2, y + 14, *fitted(said, block - 16, 19, 15), "white", fill)
    pile = seat.piles[0] if seat.piles else None
    if pile is not None and pile.description is not None and HIDDEN not in pile.cards:
        canvas.draw_sprite(x, y + 29, block, 24, paint_pill, "ink", "", 8)
        canvas.text(
            x + block // 2,
            y + 41,
            *fitted_by_parts(words(pile.description, language), block - 12, 18, 12),
            "white",
            "ink",
        )
