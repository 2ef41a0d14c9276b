"""`python -m tests.readme_picture docs/pictures/hand.webp`: a hand as the README shows it, played by the casino itself.

Above is the table message that the whole channel sees, below it what one player sees alone.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import bot.games
import bot.view.pictures
from bot.view.build import screen
from bot.view.pictures import hand_picture, picture

bot.games.load()
from tests.core.conftest import House  # noqa: E402

FONT = Path(bot.view.pictures.__file__).parent / "fonts" / "DejaVuSansCondensed-Bold.ttf"
SIZE, MARGIN, LINE = (560, 800), 14, 26
CHAT, INK = "#313338", "#f2f3f5"


def draw_hand() -> Iterator[tuple[Image.Image, int]]:
    """Yield each picture of a hand of Caribbean Stud with its time in ms."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), "full house")
        house.do("Anna bet 50")
        house.do("Anna cut x")
        yield _frame(house), 1800
        house.wait(house.table().round.deadline - house.clock.now)
        yield _frame(house), 3500
        house.do("Anna raise")
        yield _frame(house), 5000
        house.close()


def _frame(house: House) -> Image.Image:
    state, table, now = house.writer.state, house.table(), house.clock.now
    own = screen(state, table, house.player("Anna"), now)
    shown = {"Everyone in the channel sees the table:": picture(screen(state, table, None, now), "en")}
    if any(seat.is_viewer and seat.piles for seat in own.seats):
        shown["Only Anna sees her cards:"] = hand_picture(own, "en")
    frame = Image.new("RGB", SIZE, CHAT)
    pen, y = ImageDraw.Draw(frame), MARGIN
    for title, drawn in shown.items():
        pen.text((MARGIN, y), title, INK, ImageFont.truetype(FONT, 17))
        image = Image.open(io.BytesIO(drawn)).convert("RGB")
        image.thumbnail((SIZE[0] - 2 * MARGIN, SIZE[1]))
        frame.paste(image, (MARGIN, y + LINE))
        y += LINE + image.height + MARGIN
    return frame


def save(file: Path) -> None:
    """Write the moving picture, which plays for ever."""
    (first, *rest), times = zip(*draw_hand(), strict=True)
    first.save(file, save_all=True, append_images=rest, duration=list(times), loop=0, quality=80)


if __name__ == "__main__":
    save(Path(sys.argv[1]))
