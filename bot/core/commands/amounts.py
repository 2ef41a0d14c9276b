"""Amounts as people type them. Never guessed: what could mean two things is refused with an example."""

import re
from collections.abc import Sequence

from bot.core.commands.command import Refused
from bot.texts.languages import locale_of, words_for_all, words_for_half
from bot.texts.numbers import Ambiguous, read_amount
from engine.felt import Amount

# Amounts that mean the same in every language, with a point or a comma; others are read by the language's rules.
_PLAIN = re.compile(r"([0-9]{1,12})(?:[.,]([0-9]{1,2}))?")
_SHARE = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))?\s*(%?)")
_LEANING = ("max", "min", "x2")
# Ten billion chips, so that sums over hands, boxes and days fit into 64 bits.
LARGEST = 10**12


def parse_amount(
    text: str, language: str, *, wallet: int = 0, least: int = 0, most: int = 0, step: int = 1, now: int = 0
) -> int:
    """Parse an amount into minor units above 0. Raises Refused.

    Words such as `all` and `max` need what the caller knows: the wallet, the limits, and the bet placed `now`. `all`,
    `half` and `max` are rounded down to the step.
    """
    word = text.strip().lower()
    if word in words_for_all():
        return _fit(min(wallet, most or wallet), step)
    if word in words_for_half():
        return _fit(min(wallet // 2, most or wallet), step)
    if word == "max":
        return _fit(min(most or wallet, wallet), step)
    if word == "min":
        return least or step
    if word == "x2":
        if not now:
            raise Refused("There is nothing to double yet. Enter an amount, for example 50.")
        return now
    return _parse_number(word, language)


def is_amount_word(word: str) -> bool:
    """Check whether a word is an amount that depends on the player's chips, in any language."""
    word = word.strip().lower()
    return word in _LEANING or word in words_for_all() or word in words_for_half()


def join_amounts(words: Sequence[str]) -> list[str]:
    """Join the words that make one amount, such as "all in"."""
    joined: list[str] = []
    for word in words:
        if joined and f"{joined[-1]} {word}".lower() in words_for_all():
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def parse_count(text: str, least: int, most: int) -> int | None:
    """Parse a whole number within bounds; None for anything else, however many digits it has."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        return None
    return int(text) if least <= int(text) <= most else None


def parse_share(text: str) -> int | None:
    """Parse a share into basis points, or None: 50%, 50 and 5000 are all 5000.

    Without a percent sign a number up to 100 is percent, a larger one basis points.
    """
    found = _SHARE.fullmatch(text)
    if not found:
        return None
    whole, part, sign = found.groups()
    if not sign and not part and int(whole) > 100:
        return int(whole)
    return int(whole) * 100 + int((part or "").ljust(2, "0"))


def _fit(amount: int, step: int) -> int:
    if amount < step:
        raise Refused("You don't have enough chips. Enter an amount, for example 50.")
    return amount - amount % step


def _parse_number(word: str, language: str) -> int:
    number, times = (word[:-1], 1000) if word.endswith("k") else (word, 1)
    amount = times * (_read_plainly(number) or _read_as_written(number, language))
    if not amount:
        raise Refused("Enter an amount like 50, 2.5, 1k, all, half or max.")
    if amount > LARGEST:
        raise Refused("The largest amount is {most}.", most=Amount(LARGEST))
    return amount


def _read_plainly(number: str) -> int:
    if (found := _PLAIN.fullmatch(number)) is None:
        return 0
    whole, part = found.groups()
    return int(whole) * 100 + int((part or "").ljust(2, "0"))


def _read_as_written(number: str, language: str) -> int:
    """Read a number as its language writes it: 1,500 is fifteen hundred in English, one and a half in German."""
    try:
        return read_amount(number, locale_of(language)) or 0
    except Ambiguous:
        raise Refused("That could be two different amounts. Enter an amount like 1000 or 2.5.") from None
