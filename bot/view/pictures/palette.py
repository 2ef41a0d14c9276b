"""Sixteen colours for each game's pictures, so that two pixels are one byte and zlib has half the work.

Fifteen are common or the felt's own; shades between them smooth edges. The last is transparent.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

RGB = tuple[int, int, int]


class Theme(NamedTuple):
    """The colours of a table: the felt, and the lines on it."""

    felt: RGB
    line: RGB


# Colours of pictures without a table.
NEUTRAL = Theme(felt=(10, 96, 88), line=(108, 178, 166))

_COLOURS: Mapping[str, RGB] = {
    "white": (252, 251, 246),
    "ink": (22, 24, 30),
    "grey": (178, 184, 190),
    "dim": (86, 92, 102),
    "red": (200, 20, 36),
    "rose": (230, 138, 142),
    "blue": (24, 84, 200),
    "sky": (138, 168, 226),
    "green": (8, 120, 52),
    "mint": (126, 186, 142),
    "gold": (242, 196, 76),
    "bronze": (150, 102, 26),
    "rail": (84, 48, 28),
}
# Outside the table, where the chat's own background shows.
CLEAR = 15


def colours(theme: Theme) -> Mapping[str, RGB]:
    """Return {name: colour} in the order of their indices."""
    return {**theme._asdict(), **_COLOURS}


@lru_cache(maxsize=8)
def _palette_image(theme: Theme) -> Image.Image:
    known = list(colours(theme).values())
    image = Image.new("P", (1, 1))
    image.putpalette([part for rgb in known + known[:1] * (256 - len(known)) for part in rgb])
    return image


def indexed(image: Image.Image, theme: Theme) -> Image.Image:
    """Return an RGB picture as indices (mode P) of the nearest colours."""
    return image.quantize(palette=_palette_image(theme), dither=Image.Dither.NONE)


def coloured(image: Image.Image, theme: Theme) -> Image.Image:
    """Return indices (mode P) as an RGB picture; transparent becomes ink."""
    shown = image.copy()
    shown.putpalette([part for rgb in [*colours(theme).values(), _COLOURS["ink"]] for part in rgb])
    return shown.convert("RGB")


def pack(image: Image.Image) -> Image.Image:
    """Return indices of an even width, two to a byte (mode L, half as wide)."""
    return Image.frombytes("L", (image.width // 2, image.height), image.tobytes("raw", "P;4"))


@lru_cache(maxsize=256)
def shades_between(theme: Theme, ground: str, ink: str) -> bytes:
    """Return, for each of the 256 strengths of a letter's mask, the index of the nearest colour."""
    known = colours(theme)
    ramp = [_nearest(_between(known[ground], known[ink], step / 15), tuple(known.values())) for step in range(16)]
    return bytes(ramp[(value + 8) // 17] for value in range(256))


def _between(one: RGB, other: RGB, part: float) -> RGB:
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _nearest(rgb: RGB, known: tuple[RGB, ...]) -> int:
    def distance(index: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(known[index], rgb, strict=True))

    return min(range(len(known)), key=distance)
