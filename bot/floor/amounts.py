"""Amounts as people type them. Never guessed: what could mean two things is refused with an example."""

import re

from bot.floor.command import Refused

_THOUSANDS = {"en": ",", "it": "."}
_NUMBER = re.compile(r"([0-9]{1,12})((?:[.,][0-9]{3}){0,4})(?:([.,])([0-9]{1,2}))?(k?)")
LARGEST = 10**14


def parse_amount(
    text: str, language: str, *, wallet: int = 0, least: int = 0, most: int = 0, step: int = 1, now: int = 0
) -> int:
    """Minor units, above nothing. Words lean on what the caller knows: the wallet, the limits, what lies there `now`.

    `all`, `half` and `max` are fitted down to the step. Raises Refused.
    """
    word = text.strip().lower()
    if word in ("all", "tutto"):
        return _fit(min(wallet, most or wallet), step)
    if word in ("half", "metà", "meta"):
        return _fit(min(wallet // 2, most or wallet), step)
    if word == "max":
        return _fit(min(most or wallet, wallet), step)
    if word == "min":
        return least or step
    if word == "x2":
        if not now:
            raise Refused("There is nothing to double yet: name an amount, such as 50.")
        return now
    return _parse_number(word, language)


def parse_count(text: str, least: int, most: int) -> int | None:
    """A whole number within bounds, or None for anything else, however many digits it has."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        return None
    return int(text) if least <= int(text) <= most else None


def _fit(amount: int, step: int) -> int:
    if amount < step:
        raise Refused("Your chips do not reach for that; name an amount, such as 50.")
    return amount - amount % step


def _parse_number(word: str, language: str) -> int:
    found = _NUMBER.fullmatch(word)
    if not found:
        raise Refused("That is no amount. Write it like 50, 2.5, 1k, all, half or max.")
    whole, groups, _point, cents, kilo = found.groups()
    if groups and (set(groups) & set(",.") != {_THOUSANDS.get(language, ",")} or len(whole) > 3):
        raise Refused("That could be two different amounts. Write it like 1000 or 2.5.")
    if groups and cents and _point in groups:
        raise Refused("That could be two different amounts. Write it like 1000 or 2.5.")
    amount = int(whole + re.sub(r"[.,]", "", groups)) * 100 + int((cents or "").ljust(2, "0"))
    amount *= 1000 if kilo else 1
    if not 0 < amount <= LARGEST:
        raise Refused("That is no amount. Write it like 50, 2.5, 1k, all, half or max.")
    return amount
