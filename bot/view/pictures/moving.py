"""A hand as one short animation: each step as its table is drawn, at half its size.

At most 30 KiB, which every chat plays unchanged; steps in the middle are left out if needed.
"""

from collections.abc import Sequence

from PIL import Image

from bot.view import Screen
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.draw import draw_table
from bot.view.pictures.felt import felt_of
from bot.view.pictures.gif import encode_steps

MOST_BYTES = 30 * 1024
# How many times smaller than the picture of a table, the most legible first.
_PARTS = (2, 3)
STEP_S, RESULT_S = 1.4, 4.0
FEWEST = 2


def moving_picture(screens: Sequence[Screen], language: str) -> bytes:
    """Return a GIF of these steps, the last of which stays longest. Raises ValueError if it cannot be small enough."""
    canvases = [_draw(screen, language) for screen in screens]
    theme = felt_of(screens[0].game).theme
    for part in _PARTS:
        steps = [canvas.indices(part) for canvas in canvases]
        while True:
            made = encode_steps(steps, [*[STEP_S] * (len(steps) - 1), RESULT_S], theme)
            if len(made) <= MOST_BYTES:
                return made
            if len(steps) <= FEWEST:
                break
            steps = _fewer(steps)
    raise ValueError(f"{len(made)} bytes are too many")


def _draw(screen: Screen, language: str) -> Canvas:
    canvas = Canvas(felt_of(screen.game).theme)
    draw_table(canvas, screen, language)
    return canvas


def _fewer(steps: Sequence[Image.Image]) -> list[Image.Image]:
    """Return the steps without the middle one; beginning and end stay."""
    middle = len(steps) // 2
    return [*steps[:middle], *steps[middle + 1 :]]
