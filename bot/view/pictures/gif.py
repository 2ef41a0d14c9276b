"""Pictures in sequence as a GIF that every chat plays: each step contains only its changes.

All steps have the sixteen colours of their felt; the last of them is transparent and keeps what was there.
"""

import struct
from collections.abc import Sequence

from PIL import GifImagePlugin, Image, ImageChops

from bot.view.pictures.palette import CLEAR, Theme, colours

# Repeats forever; each frame is drawn over the one before.
_FOR_EVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_STAYS = 1 << 2 | 1
_ENDS = b"\x3b"


def encode_steps(steps: Sequence[Image.Image], times_s: Sequence[float], theme: Theme) -> bytes:
    """Encode indices of one size (mode P) with their durations as a GIF. Raises ValueError without a step."""
    first, *rest = steps
    parts = [_head(first.size, theme), _FOR_EVER, _step(first, (0, 0), times_s[0])]
    before = first
    for step, time_s in zip(rest, times_s[1:], strict=True):
        parts.append(_changes(before, step, time_s))
        before = step
    return b"".join((*parts, _ENDS))


def _head(size: tuple[int, int], theme: Theme) -> bytes:
    """Return the header with sixteen colours for the whole file."""
    palette = bytes(part for rgb in [*colours(theme).values(), (0, 0, 0)] for part in rgb)
    return b"GIF89a" + struct.pack("<HHBBB", *size, 0x80 | 0x70 | 3, CLEAR, 0) + palette


def _changes(before: Image.Image, step: Image.Image, time_s: float) -> bytes:
    """Return the smallest box with all changes as a frame; a single pixel if there are none, so that the step has its
    time.
    """
    differs = ImageChops.difference(_plain(before), _plain(step)).point(lambda value: 255 * (value > 0))
    left, top, right, bottom = differs.getbbox() or (0, 0, 1, 1)
    clear = Image.new("L", step.size, CLEAR)
    clear.paste(_plain(step), (0, 0), differs)
    return _step(clear.crop((left, top, right, bottom)), (left, top), time_s)


def _plain(step: Image.Image) -> Image.Image:
    """Return the indices as grey values, for arithmetic."""
    return Image.frombytes("L", step.size, step.tobytes())


def _step(picture: Image.Image, at: tuple[int, int], time_s: float) -> bytes:
    control = b"\x21\xf9\x04" + struct.pack("<BHBB", _STAYS, round(100 * time_s), CLEAR, 0)
    box = b"\x2c" + struct.pack("<HHHHB", *at, *picture.size, 0)
    return control + box + _packed(picture)


def _packed(picture: Image.Image) -> bytes:
    """Return the indices as LZW, as Pillow writes them after a picture's header."""
    indices = Image.frombytes("P", picture.size, picture.tobytes())
    _header, *data = GifImagePlugin.getdata(indices)
    return b"".join(data)
