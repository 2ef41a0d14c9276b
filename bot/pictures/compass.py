"""Paiju: four hands at the points of the compass, six areas between them, dice, and who bets (PJ2, PJ3, PJ5)."""

from collections.abc import Mapping, Sequence

from bot.pictures.canvas import Canvas
from bot.pictures.chips import paint_spot, paint_stack, short_amount, stack_of
from bot.pictures.faces import SUITS, draw_path, paint_card
from bot.pictures.lettering import fitted, width_of
from bot.pictures.parts import (
    HEAD,
    HEIGHT,
    WIDTH,
    draw_amount,
    draw_foot,
    draw_head,
    name_of,
    paint_pill,
    paint_table,
    result_of,
    signed,
    words,
)
from bot.pictures.pen import Pen
from bot.screens import Chips, Pile, Screen, Seat
from bot.texts import Text, say
from engine.felt import Amount, Word

_CARD = (64, 88)
# Where the first of two cards lies; the score stands beside or below them.
_HANDS: Mapping[str, tuple[int, int]] = {
    "north": (268, HEAD + 12),
    "south": (268, 454),
    "west": (30, 262),
    "east": (506, 262),
}
_SCORES: Mapping[str, tuple[int, int]] = {
    "north": (434, 122),
    "south": (434, 498),
    "west": (96, 374),
    "east": (572, 374),
}
_LABELS: Mapping[str, tuple[int, int]] = {
    "north": (208, 122),
    "south": (208, 498),
    "west": (96, 244),
    "east": (572, 244),
}
_AREA = (120, 72)
_AREAS: Mapping[str, tuple[int, int]] = {
    "north": (274, 176),
    "south": (274, 370),
    "west": (176, 272),
    "north-west": (48, 160),
    "south-west": (48, 400),
    "north-south": (340, 272),
}
_ROW, _LEFT, _RIGHT = 52, 666, 878
_PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}


def draw_compass(canvas: Canvas, screen: Screen, language: str) -> None:
    names = tuple((at, words(Text("{area}", "", area=Word(at)), language)) for at in (*_HANDS, *list(_AREAS)[3:]))
    canvas.lay_felt(WIDTH, HEIGHT, paint_compass, names)
    draw_head(canvas, screen, language)
    draw_foot(canvas, screen, language)
    for pile in screen.house:
        _draw_hand(canvas, pile, language)
    for chips in screen.spots:
        if chips.total:
            _draw_area(canvas, chips, language)
    for at, number in enumerate(screen.dice or ()):
        canvas.put(524 + 62 * at, 112, 54, 54, paint_die, number)
    _draw_bettors(canvas, [seat for seat in screen.seats if seat.name], language)


# The felt


def paint_compass(pen: Pen, width: int, height: int, names: tuple[tuple[str, str], ...]) -> None:
    known = dict(names)
    paint_table(pen, width, height)
    for place, (x, y) in _HANDS.items():
        for left in (x, x + _CARD[0] + 4):
            pen.box((left, y, left + _CARD[0], y + _CARD[1]), edge="line", width=1.5, radius=6)
        shown, size = fitted(known[place].upper(), 112, 21, 14)
        pen.text(*_LABELS[place], shown, size, "gold" if place == "east" else "white")
    for area, (x, y) in _AREAS.items():
        pen.box((x, y, x + _AREA[0], y + _AREA[1]), edge="line", width=2, radius=10)
        if "-" in area:
            shown, size = fitted(known[area], _AREA[0] - 10, 17, 12)
            pen.text(x + _AREA[0] / 2, y - 13 if area == "north-west" else y + _AREA[1] + 13, shown, size, "line")
        else:
            _paint_arrow(pen, area, x + _AREA[0] / 2, y + _AREA[1] / 2)
    pen.text(572, 452, "PAIJU", 34, "gold")
    for at, suit in enumerate("shdc"):
        draw_path(pen, SUITS[suit], 572 + 32 * (at - 1.5), 494, 22, "line")
    pen.box((654, HEAD + 10, 656, 542), fill="line")


def _paint_arrow(pen: Pen, area: str, x: float, y: float) -> None:
    """To the hand that the area bets on."""
    turn = {"north": (0, -1), "south": (0, 1), "west": (-1, 0)}[area]
    ahead, aside = turn, (-turn[1], turn[0])
    points = ((14, 0), (-6, 12), (-6, -12))
    pen.shape([(x + a * ahead[0] + b * aside[0], y + a * ahead[1] + b * aside[1]) for a, b in points], "line")


def paint_die(pen: Pen, width: int, height: int, number: int) -> None:
    pen.box((0, 0, width, height), fill="white", edge="dim", width=1, radius=10)
    for place in _PIPS[number]:
        row, column = divmod("abcdefghi".index(place), 3)
        pen.disc(width * (0.25 + 0.25 * column), height * (0.25 + 0.25 * row), width * 0.095, fill="ink")


# What lies there


def _draw_hand(canvas: Canvas, pile: Pile, language: str) -> None:
    place = str(pile.name.values.get("area", ""))
    if place not in _HANDS:
        return
    x, y = _HANDS[place]
    for at, card in enumerate(pile.cards[:2]):
        canvas.put(x + at * (_CARD[0] + 4), y, *_CARD, paint_card, card, "")
    if pile.worth is not None:
        score, (x, y) = words(Text("{score}", "", **pile.worth.values), language), _SCORES[place]
        canvas.put(x - 24, y - 17, 48, 34, paint_pill, "ink", "gold" if place == "east" else "white", 10)
        canvas.text(x, y, *fitted(score, 42, 26, 14), "white", "ink")


def _draw_area(canvas: Canvas, chips: Chips, language: str) -> None:
    """Everybody's chips there; the viewer's own in gold below."""
    if chips.spot not in _AREAS:
        return
    x, y = _AREAS[chips.spot]
    canvas.put(x, y, *_AREA, paint_area, stack_of(chips.total))
    amount_y = y + (24 if chips.amount else 36)
    draw_amount(canvas, x + 78, amount_y, chips.total, language, 72)
    if chips.amount:
        draw_amount(canvas, x + 78, y + 50, chips.amount, language, 72, "gold")


def paint_area(pen: Pen, width: int, height: int, chips: tuple[str, ...]) -> None:
    paint_spot(pen, width, height, False, "", ())
    paint_stack(pen.moved(6, 6), 34, height - 14, chips)


def _draw_bettors(canvas: Canvas, seats: Sequence[Seat], language: str) -> None:
    """One row each; more than there is room for are counted in the last."""
    most = (542 - HEAD - 10) // _ROW
    shown = seats if len(seats) <= most else seats[: most - 1]
    for at, seat in enumerate(shown):
        _draw_bettor(canvas, HEAD + 10 + _ROW * at, seat, language)
    if len(shown) < len(seats):
        more = say(Text("and {n} more", "", n=len(seats) - len(shown)), language)
        canvas.put(_LEFT, HEAD + 10 + _ROW * len(shown), _RIGHT - _LEFT, _ROW - 6, paint_pill, "ink", "dim")
        canvas.text((_LEFT + _RIGHT) // 2, HEAD + 32 + _ROW * len(shown), *fitted(more, 190, 20, 14), "white", "ink")


def _draw_bettor(canvas: Canvas, y: int, seat: Seat, language: str) -> None:
    width = _RIGHT - _LEFT
    fill, said = "ink", short_amount(sum(chips.amount for chips in seat.chips), language, 80, 20)
    if seat.result:
        word, fill = result_of(seat, language)
        said = f"{word} {signed(seat.net or Amount(0), language, 78, 18)}"
    edge = "white" if seat.result or seat.is_turn else "bronze" if seat.is_viewer else "dim"
    canvas.put(_LEFT, y, width, _ROW - 4, paint_pill, fill, edge)
    if seat.result:
        canvas.text(_LEFT + 10, y + 14, *fitted(name_of(seat, language), width - 20, 19, 15), "white", fill, "l")
        canvas.text(_RIGHT - 10, y + 34, *fitted(said, width - 20, 18, 14), "white", fill, "r")
    else:
        room = width - 28 - width_of(said, 20)
        canvas.text(_LEFT + 10, y + 24, *fitted(name_of(seat, language), room, 20, 16), "white", fill, "l")
        canvas.text(_RIGHT - 10, y + 24, said, 20, "gold", fill, "r")
