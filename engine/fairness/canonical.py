"""Canonical JSON (RFC 8785) of the few values that have one, and a reader that refuses all others.

Objects, lists, strings, true, false and whole numbers below 2^53 in size have a form; nothing else has.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

JSON = Any
LARGEST = 2**53 - 1
# Deeper than any fairness data, and shallow enough for every program that reads it.
DEEPEST = 256
_LONGEST_NUMBER = len(str(-LARGEST))


class Unreadable(ValueError):
    """Input that has no canonical form: one sentence, and nothing of it is checked."""


def encode(value: JSON) -> bytes:
    """Return C(value), the canonical bytes. Raises Unreadable for a value that has none."""
    check(value)
    return encode_known(value)


def encode_known(value: JSON) -> bytes:
    """Return C(value) of a value that is known to have a canonical form, without checking it.

    That is what `parse` returned, or what was made of such values alone.
    """
    data = _write_sorted(value)
    # RFC 8785 sorts keys by UTF-16 code units; among ASCII that is the order of code points.
    return data if data.isascii() else _write(_sort_keys(value)).encode()


def write_with(writer: Callable[[JSON], bytes]) -> None:
    """Replace the writer of canonical JSON for this process.

    It must write the same bytes, with keys ordered by code point. The casino uses a faster one than the standard
    library's.
    """
    global _write_sorted
    _write_sorted = writer


def digest(value: JSON) -> str:
    """Return the hex SHA-256 of C(value), not checked, as in `encode_known`."""
    return hashlib.sha256(encode_known(value)).hexdigest()


def parse(data: bytes | str) -> JSON:
    """Parse one JSON value that has a canonical form, however it is spelled. Raises Unreadable."""
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        value = _DECODER.decode(text)
    except Unreadable:
        raise
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except ValueError as fault:
        raise Unreadable(f"it is not valid JSON: {fault}") from None
    _check_parsed(value, text)
    return value


def parse_first(text: str, start: int) -> tuple[JSON, int]:
    """Parse the value that begins at `start`, and return it with its end.

    Raises Unreadable, and ValueError where it is no JSON.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    _check_parsed(value, text[start:end])
    return value, end


def _check_parsed(value: JSON, text: str) -> None:
    """Refuse what the decoder accepts and the contract does not. Most text is cleared by a quick search."""
    if "null" in text or "\\u" in text or text.count("[") + text.count("{") > DEEPEST:
        check(value)


def check(value: JSON, depth: int = 0) -> None:
    """Refuse a value without a canonical form. Raises Unreadable."""
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, int):  # true and false are whole numbers to Python, and have a form as well
        if abs(value) > LARGEST:
            raise Unreadable("a number is 2^53 or more in size")
    elif depth == DEEPEST and isinstance(value, Mapping | list | tuple):
        raise Unreadable("it is nested too deeply")
    elif isinstance(value, Mapping):
        for key, one in value.items():
            if not isinstance(key, str):
                raise Unreadable("a key is a text")
            if not key.isascii():
                _check_text(key)
            # Most values are plain text, which needs no further check.
            if type(one) is not str or not one.isascii():
                check(one, depth + 1)
    elif isinstance(value, list | tuple):
        for one in value:
            check(one, depth + 1)
    else:
        raise Unreadable("a value is null" if value is None else "a number has a point or an exponent")


def _check_text(text: str) -> None:
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Unreadable("a text holds a lone surrogate")


def _sort_keys(value: JSON) -> JSON:
    if isinstance(value, Mapping):
        return {key: _sort_keys(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
    return [_sort_keys(one) for one in value] if isinstance(value, list | tuple) else value


def _read_object(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Unreadable("an object has a duplicate key")
    return value


def _read_number(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER or abs(int(digits)) > LARGEST:
        raise Unreadable("a number is 2^53 or more in size")
    return int(digits)


def _refuse_number(_digits: str) -> NoReturn:
    raise Unreadable("a number has a point or an exponent")


def _refuse_constant(word: str) -> NoReturn:
    raise Unreadable(f"{word} is not a number")


_PLAIN: Mapping[str, Any] = {"ensure_ascii": False, "check_circular": False, "separators": (",", ":")}
_write = json.JSONEncoder(**_PLAIN).encode
_write_by_code_point = json.JSONEncoder(**_PLAIN, sort_keys=True).encode


def _write_plainly(value: JSON) -> bytes:
    return _write_by_code_point(value).encode()


_write_sorted: Callable[[JSON], bytes] = _write_plainly
_DECODER = json.JSONDecoder(
    object_pairs_hook=_read_object,
    parse_int=_read_number,
    parse_float=_refuse_number,
    parse_constant=_refuse_constant,
)
