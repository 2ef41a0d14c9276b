"""Buttons that turn the pages of a long list."""

from bot.core.commands.command import Choice
from bot.texts import Text

BACK, MORE = Text("‹ Back"), Text("More ›")


def turn_pages(
    verb: str, page: int, *, has_more: bool, before: tuple[str, ...] = (), rest: tuple[str, ...] = ()
) -> tuple[Choice, ...]:
    """Return buttons to the pages before and after this one: the same command with another page among its words."""
    ways = ((BACK, page - 1), (MORE, page + 1))
    there = [(label, number) for label, number in ways if 0 < number <= page + has_more]
    return tuple(Choice(label, verb, (*before, str(number), *rest), True) for label, number in there)
