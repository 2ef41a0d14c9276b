"""Write to terminals and files that do not take every letter: suits become letters, the rest what is nearest."""

import codecs
import io
import unicodedata
from typing import TextIO

_NAME = "ridotto.plain"
_PLAIN = {
    "♠": "s", "♥": "h", "♦": "d", "♣": "c", "·": "-", "•": "*", "…": "...", "–": "-", "—": "-", "−": "-", "×": "x",
    "→": "->", "←": "<-", "↑": "^", "↓": "v", "▲": "+", "▼": "-", "▶": ">", "‹": "<", "›": ">", "“": '"', "”": '"',
    "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "½": "1/2", "ß": "ss", "✓": "ok",
    "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ",
}  # fmt: skip


def write_plainly(*streams: TextIO | None) -> None:
    """Make these streams accept any text, whatever their encoding."""
    codecs.register_error(_NAME, _replace)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def _replace(fault: UnicodeError) -> tuple[str, int]:
    """Return a replacement for letters that an encoding lacks."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    said = fault.object[fault.start : fault.end]
    return "".join(_plain(letter) for letter in said), fault.end


def _plain(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    # What is left of an accent or a selector is nothing.
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if one.isascii())
    return bare or ("" if unicodedata.category(letter) in ("Mn", "Cf") else "?")
