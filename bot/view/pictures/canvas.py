"""The canvas of a picture: cached sprites and lines of text, pasted at positions."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from bot.view.pictures.lettering import font, width_of
from bot.view.pictures.palette import CLEAR, Theme, coloured, colours, indexed, pack, shades_between
from bot.view.pictures.pen import Pen
from bot.view.pictures.png import MARGIN, encode

# Sprites are drawn enlarged and then reduced, for smooth edges.
_FINE = 4
# Radius of the table's corners.
CORNER = 26

Paint = Callable[..., None]


class Canvas:
    """A picture in mode L with two pixels to a byte, and the PNG's filter bytes as first column; x must be even.

    Felt and sprites are painted once for the same `about`, and cached.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def lay_felt(self, width: int, height: int, paint: Paint, *about: Any) -> None:
        """Draw the ground of the whole picture, painted by `paint(pen, width, height, *about)`."""
        self._image = _ground(self._theme, width, height, paint, about).copy()
        self._paste = self._image.im.paste

    def draw_sprite(self, x: int, y: int, width: int, height: int, paint: Paint, *about: Any) -> None:
        """Draw a sprite on the felt, painted by `paint(pen, width, height, *about)`."""
        self._stamp(_sprite(self._theme, width, height, paint, about), x // 2, y)

    def text(self, x: int, y: int, text: str, size: int, ink: str, ground: str, anchor: str = "m") -> None:
        """Write a line around (m), from (l) or up to (r) x, its middle at y, on a `ground` of one colour."""
        if text:
            line = _line(self._theme, text, size, ink, ground)
            self._stamp(line, _start(x // 2, line.width, anchor), y - line.height // 2)

    def _stamp(self, stamp: "_Stamp", x: int, y: int) -> None:
        left = x + MARGIN
        self._paste(stamp.core, (left, y, left + stamp.width, y + stamp.height))

    def encode(self) -> bytes:
        return encode(self._image, self._theme)

    def indices(self, part: int = 1) -> Image.Image:
        """Return the picture as indices of the theme (mode P), `part` times smaller in each direction."""
        packed = self._image.crop((MARGIN, 0, *self._image.size))
        whole = Image.frombytes("P", (2 * packed.width, packed.height), packed.tobytes(), "raw", "P;4")
        if part == 1:
            return whole
        return indexed(coloured(whole, self._theme).reduce(part), self._theme)


def _start(x: int, width: int, anchor: str) -> int:
    return x - width // 2 if anchor == "m" else x - width if anchor == "r" else x


class _Stamp(NamedTuple):
    """The core of a sprite; the checks of `Image.paste` would cost five times the copying."""

    core: Any
    width: int
    height: int


def _stamp_of(image: Image.Image) -> _Stamp:
    return _Stamp(image.im, image.width, image.height)


def _painted(theme: Theme, width: int, height: int, paint: Paint, about: tuple[Any, ...]) -> Image.Image:
    known = colours(theme)
    large = Image.new("RGB", (width * _FINE, height * _FINE), known["felt"])
    paint(Pen(large, known, _FINE), width, height, *about)
    return large.reduce(_FINE)


@lru_cache(maxsize=4096)
def _sprite(theme: Theme, width: int, height: int, paint: Paint, about: tuple[Any, ...]) -> _Stamp:
    return _stamp_of(pack(indexed(_painted(theme, width + width % 2, height, paint, about), theme)))


@lru_cache(maxsize=48)
def _ground(theme: Theme, width: int, height: int, paint: Paint, about: tuple[Any, ...]) -> Image.Image:
    """Return the felt with the margin, transparent outside the table's rounded corners."""
    drawn = indexed(_painted(theme, width, height, paint, about), theme)
    inside = Image.new("L", (width, height), 0)
    ImageDraw.Draw(inside).rounded_rectangle((0, 0, width - 1, height - 1), CORNER, fill=255)
    rounded = Image.new("P", (width, height), CLEAR)
    rounded.paste(drawn, (0, 0), inside)
    whole = Image.new("L", (width // 2 + MARGIN, height), 0)
    whole.paste(pack(rounded), (MARGIN, 0))
    return whole


@lru_cache(maxsize=4096)
def _line(theme: Theme, text: str, size: int, ink: str, ground: str) -> _Stamp:
    """Return one line of text as an image."""
    width = (width_of(text, size) + 3) // 2 * 2
    mask = Image.new("L", (width, round(size * 1.24)), 0)
    ImageDraw.Draw(mask).text((1, mask.height // 2), text, fill=255, font=font(size), anchor="lm")
    shades = mask.point(shades_between(theme, ground, ink))
    return _stamp_of(pack(Image.frombytes("P", mask.size, shades.tobytes())))
