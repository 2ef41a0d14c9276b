"""PNG files of packed indices, as fast as zlib allows: four bits a pixel, no filter, a cached header.

The picture is compressed in separate bands, most of which are unchanged from one state of a table to the next.
"""

import struct
import zlib
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from PIL import Image

from bot.view.pictures.palette import CLEAR, Theme, colours

# The first byte of every row of a canvas is 0, the filter "none": its bytes are the PNG's own raw data.
MARGIN = 1
# Where a band ends: below the headline, the dealer (or a row of seats), two more rows, the players.
_BANDS = (66, 228, 388, 548)
_ADLER = 65521
# A zlib stream: 32 KiB window, fast; and at its end an empty last block.
_OPENED, _CLOSED = b"\x78\x01", b"\x03\x00"


class _Band(NamedTuple):
    deflated: bytes
    adler: int
    length: int


def encode(canvas: Image.Image, theme: Theme) -> bytes:
    """Encode a canvas of packed indices, with its margin, as a PNG file."""
    head = _head(2 * (canvas.width - MARGIN), canvas.height, theme)
    return b"".join((head, _chunk(b"IDAT", _deflate(canvas.tobytes(), canvas.width)), _chunk(b"IEND", b"")))


def _deflate(raw: bytes, width: int) -> bytes:
    cuts = [0, *(cut * width for cut in _BANDS if cut * width < len(raw)), len(raw)]
    bands = [_deflate_band(raw[start:end]) for start, end in pairwise(cuts)]
    adler = 1
    for band in bands:
        adler = _adler_of_both(adler, band)
    return b"".join((_OPENED, *(band.deflated for band in bands), _CLOSED, struct.pack(">I", adler)))


@lru_cache(maxsize=128)
def _deflate_band(raw: bytes) -> _Band:
    """Compress a band that ends on a whole byte and refers to nothing before it, so that it fits anywhere in a
    stream.
    """
    deflater = zlib.compressobj(2, zlib.DEFLATED, -zlib.MAX_WBITS)
    return _Band(deflater.compress(raw) + deflater.flush(zlib.Z_SYNC_FLUSH), zlib.adler32(raw), len(raw))


def _adler_of_both(before: int, band: _Band) -> int:
    """Return the checksum of two pieces together from those of each (zlib's adler32_combine)."""
    low, high = before & 0xFFFF, before >> 16
    own_low, own_high = band.adler & 0xFFFF, band.adler >> 16
    both_low = (low + own_low - 1) % _ADLER
    both_high = (band.length * (low - 1) + high + own_high) % _ADLER
    return both_high << 16 | both_low


@lru_cache(maxsize=64)
def _head(width: int, height: int, theme: Theme) -> bytes:
    known = list(colours(theme).values())
    palette = bytes(part for rgb in [*known, (0, 0, 0)] for part in rgb)
    header = struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)
    opaque = b"\xff" * CLEAR + b"\0"
    return b"\x89PNG\r\n\x1a\n" + b"".join((_chunk(b"IHDR", header), _chunk(b"PLTE", palette), _chunk(b"tRNS", opaque)))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))))
