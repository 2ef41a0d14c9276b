"""Rows of buttons whose labels fit a phone."""

from collections.abc import Callable, Iterable
from typing import TypeVar

# Characters of a label that a phone shows if three or more buttons share a row, and if two do.
SHORT, HALF = 12, 20
T = TypeVar("T")


def pack_buttons(buttons: Iterable[T], widest: int, label_of: Callable[[T], str]) -> list[list[T]]:
    """Return the buttons in order, at most `widest` in a row, and fewer where labels are long."""
    rows: list[list[T]] = []
    room = 0
    for button in buttons:
        length = len(label_of(button))
        most = widest if length <= SHORT else min(widest, 2) if length <= HALF else 1
        room = min(room, most)
        if rows and len(rows[-1]) < room:
            rows[-1].append(button)
        else:
            rows.append([button])
            room = most
    return rows
