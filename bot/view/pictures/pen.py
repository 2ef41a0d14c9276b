"""A pen for all shapes, which draws the same on a sprite four times its size as directly on a picture."""

from collections.abc import Mapping, Sequence
from copy import copy

from PIL import Image, ImageDraw

from bot.view.pictures.lettering import font
from bot.view.pictures.palette import RGB

Point = tuple[float, float]


class Pen:
    """A pen with named colours for an RGB image, `scale` times enlarged."""

    def __init__(self, image: Image.Image, known: Mapping[str, RGB], scale: int = 1) -> None:
        self._draw = ImageDraw.Draw(image)
        self._known, self._scale = known, scale
        self._x = self._y = 0.0

    def moved(self, x: float, y: float) -> "Pen":
        """Return the same pen with its origin elsewhere."""
        other = copy(self)
        other._x, other._y = self._x + x, self._y + y
        return other

    def _at(self, x: float, y: float) -> Point:
        return (x + self._x) * self._scale, (y + self._y) * self._scale

    def _within(self, box: Sequence[float]) -> tuple[float, float, float, float]:
        """Scale a box so that the last pixel belongs to the shape."""
        left, top = self._at(box[0], box[1])
        right, bottom = self._at(box[2], box[3])
        return left, top, right - 1, bottom - 1

    def box(self, box: Sequence[float], fill: str = "", edge: str = "", width: float = 0, radius: float = 0) -> None:
        """Draw a box in pixels of the picture: left, top, right, bottom; colours by palette name, "" for none."""
        self._draw.rounded_rectangle(
            self._within(box),
            radius * self._scale,
            fill=self._known[fill] if fill else None,
            outline=self._known[edge] if edge else None,
            width=round(width * self._scale),
        )

    def ellipse(self, box: Sequence[float], fill: str = "", edge: str = "", width: float = 0) -> None:
        """Draw an ellipse in pixels of the picture: left, top, right, bottom; colours by palette name, "" for none."""
        self._draw.ellipse(
            self._within(box),
            fill=self._known[fill] if fill else None,
            outline=self._known[edge] if edge else None,
            width=round(width * self._scale),
        )

    def disc(self, x: float, y: float, radius: float, fill: str = "", edge: str = "", width: float = 0) -> None:
        self.ellipse((x - radius, y - radius, x + radius, y + radius), fill, edge, width)

    def shape(self, points: Sequence[Point], fill: str) -> None:
        self._draw.polygon([self._at(x, y) for x, y in points], fill=self._known[fill])

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        whole = max(1, round(width * self._scale))
        self._draw.line([self._at(x, y) for x, y in points], fill=self._known[colour], width=whole, joint="curve")

    def arc(self, box: Sequence[float], start: float, end: float, colour: str, width: float) -> None:
        self._draw.arc(self._within(box), start, end, fill=self._known[colour], width=round(width * self._scale))

    def text(self, x: float, y: float, text: str, size: float, colour: str, anchor: str = "mm") -> None:
        whole = round(size * self._scale)
        self._draw.text(self._at(x, y), text, fill=self._known[colour], font=font(whole), anchor=anchor)
