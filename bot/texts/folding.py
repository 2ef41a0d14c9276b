"""Comparison of typed words, without case, accents, spaces, hyphens and apostrophes."""

import unicodedata

# Letters that NFKD does not decompose.
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})


def fold(text: str) -> str:
    """Return the letters and digits of a text, in one case and without marks: "Pair-Punto" is "pairpunto"."""
    plain = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return "".join(letter for letter in plain if letter.isalnum()).translate(_LETTERS)
