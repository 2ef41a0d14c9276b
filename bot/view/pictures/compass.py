"""Four hands at the points of the compass, six areas between them, dice, and who bets (Compass; PJ2, PJ3, PJ5)."""

from collections.abc import Mapping

from bot.texts import Text
from bot.view import Pile, Screen, SpotChips
from bot.view.pictures.bettors import draw_bettors
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.chips import paint_spot, paint_stack, stack_of
from bot.view.pictures.faces import SUITS, draw_path, paint_card
from bot.view.pictures.felt import Compass
from bot.view.pictures.lettering import fitted
from bot.view.pictures.parts import (
    HEAD,
    HEIGHT,
    WIDTH,
    draw_amount,
    draw_foot,
    draw_head,
    paint_pill,
    paint_table,
    words,
)
from bot.view.pictures.pen import Pen
from engine.felt import Word

_CARD = (64, 88)
# Place of the first of two cards; the score is beside or below them.
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
_PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}


def draw_compass(canvas: Canvas, screen: Screen, language: str, compass: Compass) -> None:
    """Draw four hands with areas between them, dice, and who has bet."""
    names = tuple((at, words(Text("{area}", area=Word(at)), language)) for at in (*_HANDS, *list(_AREAS)[3:]))
    canvas.lay_felt(WIDTH, HEIGHT, paint_compass, compass, names)
    draw_head(canvas, screen, language)
    draw_foot(canvas, screen, language)
    for pile in screen.bank:
        _draw_hand(canvas, pile, language, compass.bank)
    for chips in screen.spots:
        if chips.total:
            _draw_area(canvas, chips, language)
    for at, number in enumerate(screen.dice or ()):
        canvas.draw_sprite(524 + 62 * at, 112, 54, 54, paint_die, number)
    draw_bettors(canvas, [seat for seat in screen.seats if seat.name], language)


def paint_compass(pen: Pen, width: int, height: int, compass: Compass, names: tuple[tuple[str, str], ...]) -> None:
    """Paint the bare felt; `names` are (hand or area, its text)."""
    known = dict(names)
    paint_table(pen, width, height)
    for place, (x, y) in _HANDS.items():
        for left in (x, x + _CARD[0] + 4):
            pen.box((left, y, left + _CARD[0], y + _CARD[1]), edge="line", width=1.5, radius=6)
        shown, size = fitted(known[place].upper(), 112, 21, 14)
        pen.text(*_LABELS[place], shown, size, "gold" if place == compass.bank else "white")
    for area, (x, y) in _AREAS.items():
        pen.box((x, y, x + _AREA[0], y + _AREA[1]), edge="line", width=2, radius=10)
        if "-" in area:
            shown, size = fitted(known[area], _AREA[0] - 10, 17, 12)
            pen.text(x + _AREA[0] / 2, y - 13 if area == "north-west" else y + _AREA[1] + 13, shown, size, "line")
        else:
            _paint_arrow(pen, area, x + _AREA[0] / 2, y + _AREA[1] / 2)
    pen.text(572, 452, compass.title, 34, "gold")
    for at, suit in enumerate("shdc"):
        draw_path(pen, SUITS[suit], 572 + 32 * (at - 1.5), 494, 22, "line")
    pen.box((654, HEAD + 10, 656, 542), fill="line")


def _paint_arrow(pen: Pen, area: str, x: float, y: float) -> None:
    """Paint an arrow to the hand that the area bets on."""
    turn = {"north": (0, -1), "south": (0, 1), "west": (-1, 0)}[area]
    ahead, aside = turn, (-turn[1], turn[0])
    points = ((14, 0), (-6, 12), (-6, -12))
    pen.shape([(x + a * ahead[0] + b * aside[0], y + a * ahead[1] + b * aside[1]) for a, b in points], "line")


def paint_die(pen: Pen, width: int, height: int, number: int) -> None:
    """Paint one die by its pips."""
    pen.box((0, 0, width, height), fill="white", edge="dim", width=1, radius=10)
    for place in _PIPS[number]:
        row, column = divmod("abcdefghi".index(place), 3)
        pen.disc(width * (0.25 + 0.25 * column), height * (0.25 + 0.25 * row), width * 0.095, fill="ink")


def _draw_hand(canvas: Canvas, pile: Pile, language: str, bank: str) -> None:
    place = str(pile.name.values.get("area", ""))
    if place not in _HANDS:
        return
    x, y = _HANDS[place]
    for at, card in enumerate(pile.cards[:2]):
        canvas.draw_sprite(x + at * (_CARD[0] + 4), y, *_CARD, paint_card, card, "")
    if pile.description is not None:
        score, (x, y) = words(Text("{score}", **pile.description.values), language), _SCORES[place]
        canvas.draw_sprite(x - 24, y - 17, 48, 34, paint_pill, "ink", "gold" if place == bank else "white", 10)
        canvas.text(x, y, *fitted(score, 42, 26, 14), "white", "ink")


def _draw_area(canvas: Canvas, chips: SpotChips, language: str) -> None:
    """Draw everyone's chips on the area; the viewer's own in gold below."""
    if chips.spot not in _AREAS:
        return
    x, y = _AREAS[chips.spot]
    canvas.draw_sprite(x, y, *_AREA, paint_area, stack_of(chips.total))
    amount_y = y + (24 if chips.amount else 36)
    draw_amount(canvas, x + 78, amount_y, chips.total, language, 72)
    if chips.amount:
        draw_amount(canvas, x + 78, y + 50, chips.amount, language, 72, "gold")


def paint_area(pen: Pen, width: int, height: int, chips: tuple[str, ...]) -> None:
    """Paint a stack on an area; `chips` are colours, the lowest first."""
    paint_spot(pen, width, height, False, "", ())
    paint_stack(pen.moved(6, 6), 34, height - 14, chips)
