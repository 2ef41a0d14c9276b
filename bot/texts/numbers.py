"""Numbers and amounts in the forms of a locale (CLDR), written and read.

Law: an amount is whole minor units, hundredths of a chip; between it and its text stand decimals, never a float.
"""

import re
from decimal import Decimal
from functools import cache

from babel import Locale
from babel.numbers import (
    NumberFormatError,
    NumberPattern,
    format_decimal,
    get_decimal_symbol,
    get_group_symbol,
    parse_decimal,
    parse_pattern,
)

DECIMALS = 2
_SPACES = " \u00a0\u202f"
# Characters on keyboards for a locale's grouping signs.
_TYPED = {**dict.fromkeys(_SPACES, _SPACES), "’": "’'"}


class Ambiguous(ValueError):
    """A number that could mean something else to its writer."""


def write_number(number: int, locale: Locale) -> str:
    """Write a number grouped by the locale: 1,234."""
    return format_decimal(number, locale=locale)


def write_amount(minor: int, locale: Locale) -> str:
    """Write an amount as 1,234 or 12.50: two decimals only where needed."""
    return format_decimal(Decimal(minor).scaleb(-DECIMALS), _pattern(locale, DECIMALS * (minor % 100 != 0)), locale)


@cache
def _pattern(locale: Locale, decimals: int) -> NumberPattern:
    pattern = parse_pattern(locale.decimal_formats[None].pattern)
    pattern.frac_prec = (decimals, decimals)
    return pattern


def read_amount(text: str, locale: Locale) -> int | None:
    """Read a number without a sign as the locale writes it, in minor units; None where it is no number.

    Raises Ambiguous for a number that the locale groups or points otherwise, for parts of a minor unit, and for three
    zeros behind the point, which are thousands wherever that point groups.
    """
    point = get_decimal_symbol(locale)
    typed = _with_own_groups(text, get_group_symbol(locale))
    if not _looks_like_a_number(typed, locale):
        return None
    try:
        value = parse_decimal(typed, locale, strict=True).scaleb(DECIMALS)
    except NumberFormatError:
        raise Ambiguous(text) from None
    if value != value.to_integral_value() or typed.partition(point)[2] == "000":
        raise Ambiguous(text)
    return int(value)


def _with_own_groups(text: str, group: str) -> str:
    return re.sub(f"(?<=[0-9])[{_TYPED[group]}](?=[0-9])", group, text) if group in _TYPED else text


def _looks_like_a_number(text: str, locale: Locale) -> bool:
    """Check for digits with some locale's separators between them, which the caller must then parse as a whole."""
    between = re.escape(f".,{get_group_symbol(locale)}{get_decimal_symbol(locale)}")
    return len(text) <= 24 and re.fullmatch(rf"[0-9]+(?:[{between}][0-9]+)*", text) is not None
