"""Form of the values in a commitment, an entry, a head or a record."""

import re
from collections.abc import Callable, Mapping

from engine.fairness.canonical import JSON

_HEX_DIGITS = re.compile(r"[0-9a-f]*")

Check = Callable[[JSON], bool]


class Wrong(ValueError):
    """A value that can be read but is not what it must be; the message says why in a few words."""


def is_text(value: JSON) -> bool:
    """Check for a text that is not empty, as ids, names and reasons are."""
    return isinstance(value, str) and value != ""


def is_number(value: JSON) -> bool:
    """Check for a whole number from 0; true and false are none."""
    return type(value) is int and value >= 0


def is_positive(value: JSON) -> bool:
    """Check for a whole number from 1."""
    return is_number(value) and value > 0


def is_hex(digits: int) -> Check:
    """Return a check for lower-case hex of that many digits."""

    def check(value: JSON) -> bool:
        return isinstance(value, str) and len(value) == digits and bool(_HEX_DIGITS.fullmatch(value))

    return check


def check_keys(value: JSON, checks: Mapping[str, Check], what: str) -> None:
    """Check that it is an object with exactly these keys, whose values pass. Raises Wrong."""
    if not isinstance(value, dict):
        raise Wrong(f"{what} is no object")
    if value.keys() != checks.keys():
        strange, missing = sorted(value.keys() - checks.keys()), sorted(checks.keys() - value.keys())
        raise Wrong(f"{what} has a key {quote(strange[0])}" if strange else f"{what} has no {missing[0]}")
    for name, is_right in checks.items():
        if not is_right(value[name]):
            raise Wrong(f"{name} of {what} is not what it must be")


def quote(value: JSON) -> str:
    """Quote a value of the input for a sentence: short, on one line."""
    text = ascii(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
