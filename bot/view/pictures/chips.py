"""Chips in small stacks by value, and amounts that fit."""

from functools import lru_cache

from bot.texts import say_amount
from bot.view.pictures.lettering import fitted, width_of
from bot.view.pictures.pen import Pen

# (value in minor units, colour), highest first.
_VALUES = (
    (100_000_00, "sky"),
    (25_000_00, "blue"),
    (5_000_00, "rail"),
    (1_000_00, "gold"),
    (500_00, "bronze"),
    (100_00, "ink"),
    (25_00, "green"),
    (5_00, "red"),
    (1_00, "white"),
    (1, "grey"),
)
STACK = 34
_HIGHEST_STACK = 5
_THICK = 6


@lru_cache(maxsize=4096)
def stack_of(amount: int) -> tuple[str, ...]:
    """Return the chips of the amount by colour, the most valuable below; the smallest are left out of a high stack."""
    chips: list[str] = []
    for value, colour in _VALUES:
        count, amount = divmod(amount, value)
        chips += [colour] * (count if value > 1 else min(count, 1))
    return tuple(chips[:_HIGHEST_STACK])


def paint_stack(pen: Pen, width: int, height: int, chips: tuple[str, ...]) -> None:
    """Paint a stack from the front, on the lower edge."""
    face = width * 0.42
    for level, colour in enumerate(chips):
        top = height - face - _THICK - level * _THICK
        pen.ellipse((0, top + _THICK, width, top + _THICK + face), fill=colour, edge="ink", width=1)
        pen.box((0, top + face / 2, width, top + face / 2 + _THICK), fill=colour)
        _paint_rim(pen, width, top + face / 2, face, colour)
        pen.ellipse((0, top, width, top + face), fill=colour, edge="ink", width=1)
    top = height - face - len(chips) * _THICK
    inset = "dim" if chips[-1] in ("white", "gold", "grey") else "white"
    pen.ellipse((width * 0.2, top + face * 0.2, width * 0.8, top + face * 0.8), edge=inset, width=1.5)


def paint_spot(pen: Pen, width: int, height: int, is_round: bool, label: str, chips: tuple[str, ...]) -> None:
    """Paint a place for a bet: its outline with a label or with the chips on it."""
    if is_round:
        pen.disc(width / 2, height / 2, width / 2, fill="felt", edge="line", width=2)
    else:
        pen.box((0, 0, width, height), fill="felt", edge="line", width=2, radius=8)
    if chips:
        paint_stack(pen.moved((width - STACK) / 2, 0), STACK, height - 18, chips)
    elif label:
        shown, size = fitted(label.upper(), 48 if is_round else 52, 17, 10)
        pen.text(width / 2, height / 2 if is_round else height - 16, shown, size, "line")


def _paint_rim(pen: Pen, width: int, y: float, face: float, colour: str) -> None:
    mark = "dim" if colour in ("white", "gold", "grey") else "white"
    for part, drop in ((0.16, 0.36), (0.44, 0.5), (0.72, 0.36)):
        left = width * part
        pen.box((left, y + face * drop, left + width * 0.12, y + face * drop + _THICK - 1), fill=mark)


@lru_cache(maxsize=4096)
def short_amount(amount: int, language: str, width: int, size: int) -> str:
    """Return the amount in full; if it is too wide, in thousands or millions, with or without a decimal."""
    said = say_amount(amount, language)
    for unit, letter in ((1_000_00, "k"), (1_000_000_00, "M"), (1_000_000_000_00, "G")):
        for step in (unit // 10, unit):
            if width_of(said, size) <= width or abs(amount) < unit:
                return said
            said = _cut_to(amount, step, unit, language) + letter
    return said


def _cut_to(amount: int, step: int, unit: int, language: str) -> str:
    cut = abs(amount) // step * step * 100 // unit
    said = say_amount(-cut if amount < 0 else cut, language)
    return said.removesuffix("0") if cut % 100 else said
