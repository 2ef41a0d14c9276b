"""Screens as PNG, by the layout of their game. Equal screens give equal bytes, and are drawn once."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from hashlib import blake2b

from bot.view import Screen
from bot.view.pictures.arcs import draw_arc
from bot.view.pictures.areas import draw_areas
from bot.view.pictures.boards import draw_board
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.compass import draw_compass
from bot.view.pictures.felt import Arc, Areas, Board, Compass, Ring, felt_of
from bot.view.pictures.hand import draw_hand
from bot.view.pictures.ring import draw_ring

# About 30 KiB each.
_KEPT = 256
kept: OrderedDict[Hashable, bytes] = OrderedDict()


def picture(screen: Screen, language: str) -> bytes:
    """Return the picture of a table's screen."""
    return _once(("table", *_shown(screen, language)), draw_table, screen, language)


def hand_picture(screen: Screen, language: str) -> bytes:
    """Return a picture of the viewer's own hands, from their own screen and only for them."""
    labels = tuple(move.label for move in screen.moves)
    return _once(("hand", labels, *_shown(screen, language)), draw_hand, screen, language)


def digest(screen: Screen, language: str) -> str:
    """Return a name of the table's picture, equal in every process, under which a platform may keep the file."""
    told = repr(_shown(screen, language)).encode("utf-8", "surrogatepass")
    return blake2b(told, digest_size=16).hexdigest()


def _shown(screen: Screen, language: str) -> tuple[Hashable, ...]:
    """Return a cache key of everything that is drawn, without clocks and buttons."""
    seats = tuple(seat._replace(buttons=(), lines=()) for seat in screen.seats)
    middle: tuple[Hashable, ...] = (screen.bank, screen.spots, screen.pot, screen.dice, screen.meter)
    middle += (screen.road,) if screen.road else ()
    return language, screen.game, screen.number, screen.headline, screen.limits, screen.commit[:8], *middle, seats


def draw_table(canvas: Canvas, screen: Screen, language: str) -> None:
    """Draw the table by the layout of the game's felt."""
    match felt_of(screen.game).layout:
        case Arc() as arc:
            draw_arc(canvas, screen, language, arc)
        case Ring() as ring:
            draw_ring(canvas, screen, language, ring)
        case Compass() as compass:
            draw_compass(canvas, screen, language, compass)
        case Areas() as areas:
            draw_areas(canvas, screen, language, areas)
        case Board() as board:
            draw_board(canvas, screen, language, board)


def render(draw: Callable[[Canvas, Screen, str], None], screen: Screen, language: str) -> bytes:
    """Draw the screen without the cache."""
    canvas = Canvas(felt_of(screen.game).theme)
    draw(canvas, screen, language)
    return canvas.encode()


def _once(key: Hashable, draw: Callable[[Canvas, Screen, str], None], screen: Screen, language: str) -> bytes:
    png = kept.pop(key, None) or render(draw, screen, language)
    kept[key] = png
    while len(kept) > _KEPT:
        kept.popitem(last=False)
    return png
