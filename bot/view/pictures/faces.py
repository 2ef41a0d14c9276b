"""Our own cards: four colours, indices that are readable on a card forty pixels wide, and the same faces as SVG."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape

from bot.view.pictures.palette import NEUTRAL, colours
from bot.view.pictures.pen import Pen, Point
from engine.cards import HIDDEN, JOKER, Card, is_pocket

COLOUR_OF: Mapping[str, str] = {"s": "ink", "h": "red", "d": "blue", "c": "green"}
_COLOUR_OF_POCKET = {"r": "red", "b": "ink", "g": "green"}
_TINTS = {"ink": "grey", "red": "rose", "blue": "sky", "green": "mint"}
# Closed paths in a square of 100, of lines and cubic curves alone.
SUITS: Mapping[str, str] = {
    "s": "M 50 3 C 58 22 95 40 95 64 C 95 78 85 85 75 85 C 66 85 59 80 55 73 C 56 84 60 92 67 97 L 33 97"
    " C 40 92 44 84 45 73 C 41 80 34 85 25 85 C 15 85 5 78 5 64 C 5 40 42 22 50 3",
    "h": "M 50 95 C 20 68 4 50 4 31 C 4 15 15 6 28 6 C 38 6 46 12 50 22 C 54 12 62 6 72 6 C 85 6 96 15 96 31"
    " C 96 50 80 68 50 95",
    "d": "M 50 2 C 60 22 74 38 90 50 C 74 62 60 78 50 98 C 40 78 26 62 10 50 C 26 38 40 22 50 2",
    "c": "M 55 66 C 56 80 60 91 67 97 L 33 97 C 40 91 44 80 45 66 C 41 74 34 79 26 79 C 13 79 4 69 4 57"
    " C 4 45 13 35 25 35 C 28 35 31 36 33 37 C 29 33 27 29 27 25 C 27 12 37 3 50 3 C 63 3 73 12 73 25"
    " C 73 29 71 33 67 37 C 69 36 72 35 75 35 C 87 35 96 45 96 57 C 96 69 87 79 74 79 C 66 79 59 74 55 66",
}
STAR = "M 50 2 L 62 36 L 98 37 L 70 59 L 80 95 L 50 74 L 20 95 L 30 59 L 2 37 L 38 36"
CROWNS: Mapping[str, str] = {
    "K": "M 8 88 L 4 28 L 28 52 L 50 6 L 72 52 L 96 28 L 92 88",
    "Q": "M 12 88 L 2 40 L 24 60 L 32 22 L 50 56 L 68 22 L 76 60 L 98 40 L 88 88",
    "J": "M 14 88 C 10 60 22 44 44 40 C 56 12 78 2 94 14 C 84 20 76 32 76 46 C 86 56 88 70 86 88",
}
# Where the pips of a number lie, in parts of the middle of a card: three columns.
_PIPS: Mapping[str, str] = {
    "2": "b0 b6",
    "3": "b0 b3 b6",
    "4": "a0 c0 a6 c6",
    "5": "a0 c0 b3 a6 c6",
    "6": "a0 c0 a3 c3 a6 c6",
    "7": "a0 c0 b1.5 a3 c3 a6 c6",
    "8": "a0 c0 b1.5 a3 c3 b4.5 a6 c6",
    "9": "a0 c0 a2 c2 b3 a4 c4 a6 c6",
    "T": "a0 c0 b1 a2 c2 a4 c4 b5 a6 c6",
}
# From this width on a card has room for pips and crowns.
_ROOMY = 96
# Strokes of one curve.
_STEPS = 12


@lru_cache(maxsize=16)
def outline(path: str) -> tuple[Point, ...]:
    """Return the corners of a closed path, its curves as short lines."""
    words = path.split()
    points: list[Point] = []
    while words:
        kind, count = words[0], 6 if words[0] == "C" else 2
        numbers = [float(word) for word in words[1 : count + 1]]
        points += _curve(points[-1], numbers) if kind == "C" else [(numbers[0], numbers[1])]
        words = words[count + 1 :]
    return tuple(points)


def _curve(start: Point, numbers: list[float]) -> list[Point]:
    knots = [start, *zip(numbers[::2], numbers[1::2], strict=True)]
    weights = (1, 3, 3, 1)
    parts = [step / _STEPS for step in range(1, _STEPS + 1)]
    return [
        (
            sum(k * (1 - t) ** (3 - n) * t**n * knots[n][0] for n, k in enumerate(weights)),
            sum(k * (1 - t) ** (3 - n) * t**n * knots[n][1] for n, k in enumerate(weights)),
        )
        for t in parts
    ]


def draw_path(pen: Pen, path: str, x: float, y: float, size: float, colour: str) -> None:
    """Draw the path in a square around (x, y)."""
    corner_x, corner_y, part = x - size / 2, y - size / 2, size / 100
    pen.shape([(corner_x + px * part, corner_y + py * part) for px, py in outline(path)], colour)


def paint_card(pen: Pen, width: int, height: int, card: Card, under: str = "") -> None:
    """Paint a face or a back; `under` is the colour of the card below its left part."""
    radius = max(4, width / 11)
    if under:
        pen.box((0, 0, width / 2, height), fill=under)
    pen.box((0, 0, width, height), fill="white", edge="dim", width=1, radius=radius)
    if card == HIDDEN:
        _paint_back(pen, width, height, radius)
    elif is_pocket(card):
        pen.disc(width / 2, height / 2, width * 0.42, fill=_COLOUR_OF_POCKET[card[0]])
        pen.text(width / 2, height / 2, card[1:], width * 0.46, "white")
    elif width >= _ROOMY:
        _paint_index(pen, width * 0.62, card)
        _paint_middle(pen, width, height, card)
    else:
        _paint_index(pen, width, card)
        size = width * (0.5 if card != JOKER else 0.62)
        draw_path(pen, _emblem(card), width - size * 0.62, height - size * 0.64, size, _colour(card))


def _colour(card: Card) -> str:
    return "bronze" if card == JOKER else COLOUR_OF[card[1]]


def _emblem(card: Card) -> str:
    return STAR if card == JOKER else SUITS[card[1]]


def _paint_index(pen: Pen, width: float, card: Card) -> None:
    """Paint the rank with its suit below, in a strip that stays visible under another card."""
    colour, size = _colour(card), width * 0.52
    middle = width * 0.2 + 1
    if card == JOKER:
        pen.text(width * 0.3, width * 0.27, "JK", width * 0.42, colour)
        return
    if card[0] == "T":
        _paint_ten(pen, middle, width * 0.29, width, colour)
    else:
        pen.text(middle, width * 0.29, card[0], size, colour)
    draw_path(pen, SUITS[card[1]], middle, width * 0.72, width * 0.32, colour)


def _paint_ten(pen: Pen, x: float, y: float, width: float, colour: str) -> None:
    """Paint 10 in the width of one digit."""
    half, stroke = width * 0.19, width * 0.08
    left = x - width * 0.13
    pen.box((left, y - half, left + stroke, y + half), fill=colour)
    pen.shape([(left, y - half), (left - stroke * 0.6, y - half * 0.5), (left, y - half * 0.45)], colour)
    zero = left + stroke + width * 0.04
    pen.box((zero, y - half, zero + width * 0.21, y + half), edge=colour, width=stroke, radius=width * 0.1)


def _paint_middle(pen: Pen, width: int, height: int, card: Card) -> None:
    colour = _colour(card)
    if card == JOKER:
        draw_path(pen, STAR, width * 0.6, height * 0.6, width * 0.62, colour)
    elif card[0] == "A":
        draw_path(pen, SUITS[card[1]], width * 0.58, height * 0.56, width * 0.6, colour)
    elif card[0] in _PIPS:
        for x, y in _pips_of(card[0]):
            draw_path(pen, SUITS[card[1]], width * (0.4 + 0.21 * x), height * (0.17 + 0.11 * y), width * 0.19, colour)
    else:
        pen.box((width * 0.34, height * 0.1, width * 0.92, height * 0.9), fill=_TINTS[colour], radius=width * 0.06)
        draw_path(pen, CROWNS[card[0]], width * 0.63, height * 0.28, width * 0.4, "bronze")
        draw_path(pen, SUITS[card[1]], width * 0.63, height * 0.62, width * 0.46, colour)


def _pips_of(rank: str) -> Iterable[Point]:
    return (("abc".index(place[0]), float(place[1:])) for place in _PIPS[rank].split())


def _paint_back(pen: Pen, width: int, height: int, radius: float) -> None:
    """Paint the back: dark blue with a coarse lattice, because every line costs bytes."""
    inset = max(3.0, width / 14)
    pen.box((inset, inset, width - inset, height - inset), fill="blue", radius=radius * 0.7)
    columns, rows = 3, 4
    wide, high = (width - 2 * inset) / columns, (height - 2 * inset) / rows
    for column in range(columns):
        for row in range(rows):
            x, y = inset + (column + 0.5) * wide, inset + (row + 0.5) * high
            pen.shape(_lozenge(x, y, wide * 0.34, high * 0.36), "sky")


def _lozenge(x: float, y: float, half_width: float, half_height: float) -> list[Point]:
    return [(x, y - half_height), (x + half_width, y), (x, y + half_height), (x - half_width, y)]


@lru_cache(maxsize=64)
def face_svg(card: Card) -> str:
    """Return the face or back as a small SVG picture of 100 by 140, with a title for screen readers."""
    body = _svg_back() if card == HIDDEN else _svg_pocket(card) if is_pocket(card) else _svg_face(card)
    frame = '<rect x="1" y="1" width="98" height="138" rx="9" fill="#fcfbf6" stroke="#3e4652" stroke-width="2"/>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140" role="img">'
        f"<title>{escape(card[1:] if is_pocket(card) else card)}</title>{frame}{body}</svg>"
    )


def _svg_face(card: Card) -> str:
    colour = _hex(_colour(card))
    rank = {"T": "10", JOKER: "JK"}.get(card if card == JOKER else card[0], card[0])
    squeezed = ' textLength="40" lengthAdjust="spacingAndGlyphs"' if len(rank) > 1 else ""
    middle = 30 if card == JOKER else 25
    index = (
        f'<text x="{middle}" y="49" font-size="54" font-weight="700" text-anchor="middle" fill="{colour}"'
        f' font-family="DejaVu Sans Condensed, Arial Narrow, sans-serif"{squeezed}>{rank}</text>'
    )
    small = "" if card == JOKER else _svg_path(_emblem(card), 8, 58, 0.32, colour)
    crown = _svg_path(CROWNS[card[0]], 58, 11, 0.32, _hex("bronze")) if card[0] in CROWNS and card != JOKER else ""
    return index + small + crown + _svg_path(_emblem(card), 42, 82, 0.5, colour)


def _svg_pocket(card: Card) -> str:
    return (
        f'<circle cx="50" cy="70" r="42" fill="{_hex(_COLOUR_OF_POCKET[card[0]])}"/><text x="50" y="86" font-size="46"'
        f' font-weight="700" text-anchor="middle" fill="#fcfbf6" font-family="DejaVu Sans Condensed, Arial Narrow,'
        f' sans-serif">{card[1:]}</text>'
    )


def _svg_back() -> str:
    lozenges = "".join(
        f'<path d="M{x} {y - 11}L{x + 10} {y}L{x} {y + 11}L{x - 10} {y}Z"/>'
        for x in (22, 50, 78)
        for y in (25, 55, 85, 115)
    )
    back = f'<rect x="8" y="8" width="84" height="124" rx="6" fill="{_hex("blue")}"/>'
    return f'{back}<g fill="{_hex("sky")}">{lozenges}</g>'


def _svg_path(path: str, x: float, y: float, scale: float, colour: str) -> str:
    return f'<path transform="translate({x} {y}) scale({scale})" fill="{colour}" d="{path} Z"/>'


def _hex(name: str) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colours(NEUTRAL)[name])
