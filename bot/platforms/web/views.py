"""A page's content in parts, and its changes: most of it is the same for many pages.

A `Drawing` is rendered and encoded as JSON once for all its viewers. A `PageView` is one page's content: a drawing, a
text for its gap, and parts of its own. Events are sent beside both (timelines.py).
"""

import itertools
from collections.abc import Mapping
from secrets import token_hex

import msgspec

from bot.platforms.web.timelines import Mark, Timeline
from bot.texts.languages import SOURCE

Parts = Mapping[str, str]
# Placeholder in HTML for a text of each page. It is secret, so no one can type it.
GAP = f"gap-{token_hex(16)}"
_GAP = GAP.encode()
_numbers = itertools.count(1)
_encode = msgspec.json.encode
# Sizes from which on a frame says its size in two bytes more, and in eight.
_LONG, _LONGER = 126, 1 << 16


class Drawing:
    """Parts that many pages share, with an optional gap."""

    def __init__(self, parts: Parts) -> None:
        self.number = next(_numbers)
        self.parts = parts
        self._gapped = {name for name, html in parts.items() if GAP in html}
        self._told: dict[tuple[int, bool], bytes] = {}

    def whole(self, text: str) -> dict[str, str]:
        """Return all parts, with that text in the gap."""
        return {name: html.replace(GAP, text) if name in self._gapped else html for name, html in self.parts.items()}

    def since(self, before: "Drawing", *, has_new_text: bool) -> bytes:
        """Return the parts that differ from another drawing, as members of a JSON object, with the gap still in it."""
        key = before.number, has_new_text
        if key not in self._told:
            changed = _changed(self.parts, before.parts)
            again = {name: self.parts[name] for name in self._gapped if has_new_text}
            self._told[key] = _members(changed | again)
        return self._told[key]


class PageView:
    """One page's content: `text` fills the drawing's gap, `own` are its own parts; `timeline` has the events, told in
    `language`.
    """

    __slots__ = ("drawing", "language", "mark", "own", "text", "timeline")

    def __init__(
        self,
        drawing: Drawing,
        text: str = "",
        own: Parts | None = None,
        timeline: Timeline | None = None,
        language: str = SOURCE,
    ) -> None:
        self.drawing, self.text, self.own, self.timeline, self.language = drawing, text, own or {}, timeline, language
        self.mark = timeline.mark if timeline is not None else None

    @property
    def parts(self) -> dict[str, str]:
        return self.drawing.whole(self.text) | dict(self.own)

    def since(self, before: "PageView | None", mark: Mark | None = None) -> bytes:
        """Return the message to a page that shows another view; b"" if nothing changed. `mark`: the position of a
        reconnecting page.
        """
        parts = self._parts_since(before)
        if before is not None:
            mark = before.mark
        happened = b"" if self.timeline is None else self.timeline.since(mark, self.language)
        if not parts and not happened:
            return b""
        members = b'"parts":{%b}' % parts if parts else b""
        return b"{%b}" % b",".join(filter(None, (happened, members)))

    def _parts_since(self, before: "PageView | None") -> bytes:
        """Return the changed parts as members of a JSON object."""
        if before is None:
            return _members(self.parts)
        if self.own or before.own:
            return _members(_changed(self.parts, before.parts))
        has_new_text = self.text != before.text
        if self.drawing is before.drawing and not has_new_text:
            return b""
        told = self.drawing.since(before.drawing, has_new_text=has_new_text)
        return told.replace(_GAP, _encode(self.text)[1:-1])


def _changed(parts: Parts, before: Parts) -> dict[str, str]:
    return {name: html for name, html in parts.items() if before.get(name) != html}


def _members(parts: Parts) -> bytes:
    return _encode(parts)[1:-1]


def frame(payload: bytes) -> bytes:
    """Return a text message as a server's websocket frame (RFC 6455, 5.2); unmasked, so the same for every client."""
    size = len(payload)
    if size < _LONG:
        return bytes((0x81, size)) + payload
    if size < _LONGER:
        return b"\x81\x7e" + size.to_bytes(2, "big") + payload
    return b"\x81\x7f" + size.to_bytes(8, "big") + payload
