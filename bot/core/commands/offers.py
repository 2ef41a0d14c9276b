"""Offers of the rules as commands that anyone can type: the only place that words them, for buttons and for `/cards`.

A card is named by its position, never by its face (CS6); an amount is written as every language reads it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from bot.texts import Text
from engine.felt import Amount, Offer


class Typed(NamedTuple):
    """A command, and what it takes from the purse."""

    verb: str
    args: tuple[str, ...] = ()
    cost: Amount = Amount(0)


def typed(amount: int) -> str:
    """Write an amount so that it can be typed in any language: 50, 2.50."""
    whole, cents = divmod(amount, 100)
    return f"{whole}.{cents:02}" if cents else str(whole)


def as_typed(offer: Offer) -> Iterable[Typed]:
    """Return the commands of an offer; of a range those with an amount that gets a button."""
    if offer.most:
        for amount in offer.sizes:
            yield Typed(offer.word, (typed(amount),), Amount(amount - offer.put))
    elif offer.public is not None:
        yield Typed(offer.word, (offer.public,), Amount(offer.stake))
    else:
        yield Typed(offer.word, (offer.argument,) if offer.argument else (), Amount(offer.stake))


def say_typed(choice: Typed) -> Text:
    """Write a choice in the words of the command, which are the same in every language: exchange 3 (10)."""
    command = " ".join((choice.verb, *choice.args))
    if not choice.cost:
        return Text("{command}", command=command)
    return Text("{command} ({cost})", command=command, cost=choice.cost)
