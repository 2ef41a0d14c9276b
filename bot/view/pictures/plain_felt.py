"""The felt of a game that draws none: places for the cards that its first hand deals, and spots in its own order."""

import colorsys
from collections.abc import Mapping, Sequence
from zlib import crc32

from bot.view.pictures.felt import BANK_CARD, BANK_STEP, Arc, Areas, Slots, arc
from bot.view.pictures.lettering import width_of
from bot.view.pictures.palette import RGB, Theme

# Width of a label on a spot, and the smallest size at which it is written (bot.view.pictures.chips).
_LABEL, _SIZE = 48, 10
_AREAS_IN_A_ROW = 4
_MIDDLE, _GAP = 450, 40


def theme_of(name: str) -> Theme:
    """Return the colours of a felt, by the game's name."""
    hue = crc32(name.encode()) % 360 / 360
    return Theme(felt=_colour(hue, 0.23, 0.5), line=_colour(hue, 0.62, 0.35))


def _colour(hue: float, lightness: float, saturation: float) -> RGB:
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue, lightness, saturation))
    return red, green, blue


def plain_arc(
    title: str, seats: int, labels: Mapping[str, str], own: int, bank: Mapping[str, int], short: Mapping[str, str]
) -> Arc:
    """Return seats before a dealer. `labels` are those of the spots, the first on the right, some of them from `short`;
    `own` and `bank` count the cards of a seat and of each pile of the bank's. Raises ValueError for a label that does
    not fit.
    """
    for spot, label in labels.items():
        if width_of(label.upper(), _SIZE) > _LABEL:
            raise ValueError(f"the label {label!r} is too long for its spot: give {spot} a shorter one in `short`")
    spots = list(labels)
    return arc(
        *title.upper().split(maxsplit=2),
        seats=seats,
        bank=_in_a_row(bank),
        spots=tuple(zip([*spots[1::2], ""], spots[::2], strict=False)),
        round_spots=frozenset(spots[1:]),
        cards=own,
        short=tuple(short.items()),
    )


def _in_a_row(piles: Mapping[str, int]) -> tuple[Slots, ...]:
    """Return room for the bank's piles around the middle of the picture."""
    widths = [BANK_STEP * count - (BANK_STEP - BANK_CARD[0]) for count in piles.values()]
    left = _MIDDLE - (sum(widths) + _GAP * (len(widths) - 1)) // 2
    slots = []
    for (name, count), width in zip(piles.items(), widths, strict=True):
        slots.append(Slots(name, left, count))
        left += width + _GAP
    return tuple(slots)


def plain_areas(title: str, spots: Sequence[str], bank: Mapping[str, int]) -> Areas:
    """Return areas in rows below the bank's hands, without a road."""
    rows = (tuple(spots[at : at + _AREAS_IN_A_ROW]) for at in range(0, len(spots), _AREAS_IN_A_ROW))
    return Areas(title.upper(), tuple(bank), max(bank.values(), default=1), tuple(rows), road={})
