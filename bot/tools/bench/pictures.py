"""`ridotto bench pictures`: a table picture as we draw it, beside the same table drawn plainly with Pillow.

Plainly: every stroke anew on an RGB picture, saved as PNG with Pillow's defaults. Ours: hands from deal to payment, one
state after the other, with sprites that were drawn before, but no finished picture, and no band of one, from an
earlier round. In CPU time of this process.
"""

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from bot.view import Screen
from bot.view.pictures.canvas import PlainCanvas
from bot.view.pictures.draw import draw_table, kept, picture, render
from bot.view.pictures.felt import FELTS
from bot.view.pictures.png import forget_bands
from tests.exhibits import exhibits

_SEEDS = (1, 2, 3)
_MOST_PLAIN = 24
_ROUNDS = 5


class Measure(NamedTuple):
    """Medians over the screens of a game; `kib_most` is the largest of them. `kept_ms`: when it is asked for again."""

    game: str
    pictures: int
    cpu_ms: float
    plain_ms: float
    ratio: float
    kib: float
    kib_most: float
    plain_kib: float
    kept_ms: float


def measure_pictures() -> list[Measure]:
    """Milliseconds and kibibytes of each game's picture over all phases, beside Pillow's plain way."""
    shown: dict[str, list[Screen]] = {}
    for seed in _SEEDS:
        for exhibit in exhibits(seed):
            shown.setdefault(exhibit.game, []).append(exhibit.screen)
    return [_measure(game, screens) for game, screens in shown.items()]


def _measure(game: str, screens: list[Screen]) -> Measure:
    sizes = [len(render(draw_table, screen, "en")) for screen in screens]  # this warms up, too
    some = screens[:: max(1, len(screens) // _MOST_PLAIN)]
    plain_sizes = [len(_render_plainly(screen)) for screen in some]
    ours, plain, again = [], [], []
    for _ in range(_ROUNDS):
        kept.clear()
        forget_bands()
        for screen in screens:
            ours.append(_cpu_ms(lambda screen: picture(screen, "en"), screen))
    for screen in some:
        plain.append(_cpu_ms(_render_plainly, screen))
        picture(screen, "en")
        again.append(_cpu_ms(lambda screen: picture(screen, "en"), screen))
    return Measure(
        game,
        len(screens),
        round(median(ours), 2),
        round(median(plain), 1),
        round(median(plain) / median(ours), 1),
        round(median(sizes) / 1024, 1),
        round(max(sizes) / 1024, 1),
        round(median(plain_sizes) / 1024, 1),
        round(median(again), 3),
    )


def _render_plainly(screen: Screen) -> bytes:
    canvas = PlainCanvas(FELTS[screen.game].theme)
    draw_table(canvas, screen, "en")
    return canvas.encode()


def _cpu_ms(work: Callable[[Screen], bytes], screen: Screen) -> float:
    started = time.process_time()
    work(screen)
    return (time.process_time() - started) * 1000
