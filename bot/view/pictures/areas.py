"""Tables with a few hands of the bank side by side, areas for bets, the bettors, and the road (Areas)."""

from collections.abc import Sequence

from bot.texts import Text
from bot.view import Pile, Screen, SpotChips
from bot.view.pictures.bettors import draw_bettors
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.chips import STACK, paint_stack, stack_of
from bot.view.pictures.faces import paint_card
from bot.view.pictures.felt import Areas
from bot.view.pictures.lettering import fitted
from bot.view.pictures.parts import (
    HEAD,
    HEIGHT,
    WIDTH,
    draw_amount,
    draw_fan,
    draw_foot,
    draw_head,
    draw_pill,
    paint_table,
    words,
)
from bot.view.pictures.pen import Pen
from engine.felt import Word

_LEFT, _RIGHT, _BOTTOM = 30, 640, 542
_NAMES, _CARDS, _SCORES, _AREAS = HEAD + 24, HEAD + 42, HEAD + 148, HEAD + 168
_SIZES = ((64, 88), (52, 72), (40, 56))
_GAP = 8
# The road: a bead is `_BEAD` wide and high; six in a column, the first column on the left.
_BEAD, _DEEP = 22, 6
_ROAD = _BOTTOM - _BEAD * _DEEP
_CAPTION = _ROAD - 14
_COLUMNS = (_RIGHT - _LEFT) // _BEAD

Names = tuple[tuple[str, str], ...]


def draw_areas(canvas: Canvas, screen: Screen, language: str, areas: Areas) -> None:
    """Draw a few hands in a row, areas for everybody's bets below, and beads of past hands if the layout has them."""
    spoken = (*areas.hands, *(area for row in areas.rows for area in row))
    names = tuple((word, _write_word(word, language)) for word in dict.fromkeys(spoken))
    title = (areas.title, bool(areas.road))
    canvas.lay_felt(WIDTH, HEIGHT, paint_areas, title, areas.hands, areas.cards, areas.rows, names)
    draw_head(canvas, screen, language)
    draw_foot(canvas, screen, language)
    piles = {_word_of(pile): pile for pile in screen.bank}
    for at, hand in enumerate(areas.hands):
        if hand in piles:
            _draw_hand(canvas, at, areas, piles[hand], language)
    known = dict(names)
    for chips in screen.spots:
        if chips.total and (box := _boxes(areas.rows, bool(areas.road)).get(chips.spot)):
            _draw_chips(canvas, box, known[chips.spot], chips, language)
    if areas.road:
        _draw_road(canvas, screen.road, areas, language)
    draw_bettors(canvas, [seat for seat in screen.seats if seat.name], language)


def _write_word(word: str, language: str) -> str:
    return words(Text("{area}", area=Word(word)), language)


def _word_of(pile: Pile) -> str:
    return next((str(value) for value in pile.name.values.values() if isinstance(value, Word)), pile.name.template)


def _middle(at: int, count: int) -> int:
    return _LEFT + round((_RIGHT - _LEFT) * (at + 0.5) / count)


def _room(hands: int) -> int:
    return (_RIGHT - _LEFT) // hands - _GAP


def _card_size(hands: int, cards: int) -> tuple[int, int]:
    """Return the largest card size at which the cards of every hand fit side by side."""
    return next((size for size in _SIZES if cards * (size[0] + 4) <= _room(hands)), _SIZES[-1])


def _slots(at: int, hands: int, cards: int) -> list[int]:
    """Return the left edges of a hand's cards; empty if they must overlap."""
    step = _card_size(hands, cards)[0] + 4
    first = (_middle(at, hands) - cards * step // 2 + 2) // 2 * 2
    return [first + step * number for number in range(cards)] if cards * step <= _room(hands) else []


def _boxes(rows: Sequence[Sequence[str]], has_road: bool) -> dict[str, tuple[int, int, int, int]]:
    """Return {area: (x, y, width, height)}."""
    bottom = _CAPTION - 12 if has_road else _BOTTOM - 60
    high = min(96, (bottom - _AREAS) // len(rows) - _GAP)
    found = {}
    for down, row in enumerate(rows):
        wide = ((_RIGHT - _LEFT + _GAP) // len(row) - _GAP) // 2 * 2
        for at, area in enumerate(row):
            found[area] = (_LEFT + (wide + _GAP) * at, _AREAS + (high + _GAP) * down, wide, high)
    return found


def paint_areas(
    pen: Pen,
    width: int,
    height: int,
    title: tuple[str, bool],
    hands: tuple[str, ...],
    cards: int,
    rows: tuple[tuple[str, ...], ...],
    names: Names,
) -> None:
    """Paint the bare felt; `names` are (hand or area, its text), `title` with whether there is a road."""
    line, has_road = title
    known, size = dict(names), _card_size(len(hands), cards)
    paint_table(pen, width, height)
    for at, hand in enumerate(hands):
        pen.text(_middle(at, len(hands)), _NAMES, *fitted(known[hand].upper(), 600 // len(hands), 22, 14), "white")
        for left in _slots(at, len(hands), cards):
            pen.box((left, _CARDS, left + size[0], _CARDS + size[1]), edge="line", width=1.5, radius=6)
    for area, (x, y, wide, high) in _boxes(rows, has_road).items():
        paint_box(pen.moved(x, y), wide, high, known[area], ())
    if has_road:
        pen.text(_RIGHT, _CAPTION, line, 20, "gold", "rm")
        _paint_grid(pen)
    else:
        pen.text((_LEFT + _RIGHT) / 2, _BOTTOM - 26, line, 34, "gold")
    pen.box((654, HEAD + 10, 656, _BOTTOM), fill="line")


def _paint_grid(pen: Pen) -> None:
    right, bottom = _LEFT + _COLUMNS * _BEAD, _ROAD + _DEEP * _BEAD
    for at in range(_COLUMNS + 1):
        pen.line([(_LEFT + _BEAD * at, _ROAD), (_LEFT + _BEAD * at, bottom)], "line", 0.5)
    for at in range(_DEEP + 1):
        pen.line([(_LEFT, _ROAD + _BEAD * at), (right, _ROAD + _BEAD * at)], "line", 0.5)


def paint_box(pen: Pen, width: int, height: int, name: str, chips: tuple[str, ...]) -> None:
    """Paint an area with its name and chips."""
    pen.box((0, 0, width, height), fill="felt", edge="line", width=2, radius=10)
    pen.text(width / 2, 14, *fitted(name, width - 12, 17, 11), "line")
    if chips:
        paint_stack(pen.moved(8, 22), STACK, height - 28, chips)


def _draw_hand(canvas: Canvas, at: int, areas: Areas, pile: Pile, language: str) -> None:
    hands, size = len(areas.hands), _card_size(len(areas.hands), areas.cards)
    middle, slots = _middle(at, hands), _slots(at, hands, areas.cards)
    if len(pile.cards) > len(slots):
        draw_fan(canvas, middle, _CARDS, pile.cards, size, _room(hands))
    for left, card in zip(slots, pile.cards if len(pile.cards) <= len(slots) else (), strict=False):
        canvas.draw_sprite(left, _CARDS, *size, paint_card, card, "")
    if pile.description is not None:
        draw_pill(canvas, middle, _SCORES, words(pile.description, language), 22, 600 // hands, "white", "ink", "white")


def _draw_chips(canvas: Canvas, box: tuple[int, int, int, int], name: str, chips: SpotChips, language: str) -> None:
    """Draw everyone's chips, with the viewer's own in gold below."""
    x, y, wide, high = box
    room = min(96, wide - STACK - 24)
    middle = x + STACK + 16 + (wide - STACK - 24) // 2
    canvas.draw_sprite(x, y, wide, high, paint_box, name, stack_of(chips.total))
    draw_amount(canvas, middle, y + (34 if chips.amount else 45), chips.total, language, room)
    if chips.amount:
        draw_amount(canvas, middle, y + 57, chips.amount, language, room, "gold")


def _draw_road(canvas: Canvas, road: Sequence[str], areas: Areas, language: str) -> None:
    """Draw the newest columns that fit, and the caption that they predict nothing (PB12)."""
    said = words(Text("Past hands do not predict the next one."), language)
    canvas.text(_LEFT, _CAPTION, *fitted(said, 400, 16, 12), "white", "felt", "l")
    columns = -(-len(road) // _DEEP)
    for at, mark in enumerate(road[max(0, columns - _COLUMNS) * _DEEP :]):
        column, row = divmod(at, _DEEP)
        fill, letter = areas.road.get(mark, "grey"), initial_of(_write_word(mark, language))
        canvas.draw_sprite(_LEFT + _BEAD * column, _ROAD + _BEAD * row, _BEAD, _BEAD, paint_bead, fill, letter)


def initial_of(name: str) -> str:
    """Return what is written on the bead of a result: its first letter, or the whole number."""
    return name if name.isdecimal() else name[:1].upper()


def paint_bead(pen: Pen, width: int, height: int, fill: str, letter: str) -> None:
    """Paint a bead with a letter, so that colour alone never carries the result."""
    pen.disc(width / 2, height / 2, width / 2 - 1, fill=fill, edge="ink", width=1)
    pen.text(width / 2, height / 2, letter, 14, "ink" if fill in ("white", "gold", "grey") else "white")
