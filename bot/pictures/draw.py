"""A screen into a PNG, by the layout of its game. The same screen gives the same bytes, and is drawn once."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from hashlib import blake2b

from bot.pictures.arcs import draw_arc
from bot.pictures.canvas import Canvas, IndexedCanvas
from bot.pictures.compass import draw_compass
from bot.pictures.hand import draw_hand
from bot.pictures.ring import draw_ring
from bot.screens import Screen

_LAYOUTS: Mapping[str, Callable[[Canvas, Screen, str], None]] = {
    "caribbean": draw_arc,
    "uth": draw_arc,
    "paiju": draw_compass,
    "blackjack": draw_arc,
    "stud": draw_ring,
}
# About 30 KiB each.
_KEPT = 256
kept: OrderedDict[Hashable, bytes] = OrderedDict()


def picture(screen: Screen, language: str) -> bytes:
    """The table as `screen` shows it."""
    return _once(("table", *_shown(screen, language)), draw_table, screen, language)


def hand_picture(screen: Screen, language: str) -> bytes:
    """The viewer's own hands, from his own screen; for him alone."""
    labels = tuple(move.label for move in screen.moves)
    return _once(("hand", labels, *_shown(screen, language)), draw_hand, screen, language)


def digest(screen: Screen, language: str) -> str:
    """A name for the table's picture, the same in every process: a platform may keep the file under it."""
    told = repr(_shown(screen, language)).encode("utf-8", "surrogatepass")
    return blake2b(told, digest_size=16).hexdigest()


def _shown(screen: Screen, language: str) -> tuple[Hashable, ...]:
    """All that is drawn, and nothing of clocks and buttons."""
    seats = tuple(seat._replace(buttons=(), lines=()) for seat in screen.seats)
    middle = (screen.house, screen.spots, screen.pot, screen.dice, screen.meter)
    return language, screen.game, screen.number, screen.headline, screen.limits, screen.commit[:8], *middle, seats


def draw_table(canvas: Canvas, screen: Screen, language: str) -> None:
    _LAYOUTS[screen.game](canvas, screen, language)


def render(draw: Callable[[Canvas, Screen, str], None], screen: Screen, language: str) -> bytes:
    """Drawn anew, whether or not it was drawn before."""
    canvas = IndexedCanvas(screen.game)
    draw(canvas, screen, language)
    return canvas.encode()


def _once(key: Hashable, draw: Callable[[Canvas, Screen, str], None], screen: Screen, language: str) -> bytes:
    png = kept.pop(key, None) or render(draw, screen, language)
    kept[key] = png
    while len(kept) > _KEPT:
        kept.popitem(last=False)
    return png
