"""Pictures as Telegram accepts them: real image files with sane dimensions, stored under file ids."""

import hashlib
import itertools
import struct
from dataclasses import dataclass, field
from typing import Any

from tests.servers.telegram.refusal import Refusal

THUMBNAIL = 320
MEGABYTES_10 = 10 * 1024 * 1024


def dimensions(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG or JPEG; None for other data."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
        return struct.unpack(">II", data[16:24])
    return _jpeg_dimensions(data) if data.startswith(b"\xff\xd8") else None


def _jpeg_dimensions(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None


@dataclass(frozen=True)
class Picture:
    data: bytes = field(repr=False)
    width: int
    height: int
    file_id: str
    unique_id: str

    @property
    def thumbnail_id(self) -> str:
        return f"{self.file_id}-s"

    def sizes(self) -> list[dict[str, Any]]:
        """Return the sizes, smallest first; only the last one is the sent picture."""
        full = self._size(self.file_id, self.unique_id, 1.0)
        scale = THUMBNAIL / max(self.width, self.height)
        return [full] if scale >= 1 else [self._size(self.thumbnail_id, f"{self.unique_id}s", scale), full]

    def _size(self, file_id: str, unique_id: str, scale: float) -> dict[str, Any]:
        size = {"width": max(int(self.width * scale), 1), "height": max(int(self.height * scale), 1)}
        return {"file_id": file_id, "file_unique_id": unique_id, "file_size": len(self.data)} | size


class Album:
    """All pictures that the server was given."""

    def __init__(self) -> None:
        self.by_id: dict[str, Picture] = {}
        self._numbers = itertools.count(1)

    def upload(self, data: bytes) -> Picture:
        if not data:
            raise Refusal(400, "file must be non-empty")
        if len(data) > MEGABYTES_10:
            raise Refusal(400, "PHOTO_SAVE_FILE_INVALID")
        if (size := dimensions(data)) is None:
            raise Refusal(400, "IMAGE_PROCESS_FAILED")
        if sum(size) > 10_000 or min(size) < 1 or max(size) > 20 * min(size):
            raise Refusal(400, "PHOTO_INVALID_DIMENSIONS")
        # The same bytes sent twice are two files with one unique id.
        unique = hashlib.sha256(data).hexdigest()[:16]
        picture = Picture(data, *size, f"AgACAgQAAxkDAAI{next(self._numbers):06}{unique}", f"AQAD{unique}")
        self.by_id[picture.file_id] = self.by_id[picture.thumbnail_id] = picture
        return picture

    def find(self, file_id: str) -> Picture:
        if file_id not in self.by_id:
            raise Refusal(400, "wrong file identifier/HTTP URL specified")
        return self.by_id[file_id]

    def forget(self) -> None:
        """Invalidate all file ids, as with another bot's token or another server."""
        self.by_id.clear()
