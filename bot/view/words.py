"""A game's words on its screens, and the words that all games share.

Keys are the rule script's own words; a game's words override common ones. All are in English and translated by the
catalogue, except what the dealer says in the language of the casino (G7).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from bot.core.commands.deeds import COMMON_LABELS
from bot.texts import Text


class Call(NamedTuple):
    """A call of the dealer: in the table's language, and in the casino's (G7)."""

    said: Text
    house: str


@dataclass(frozen=True)
class Words:
    """Words of a game. Each may be empty, `{}`, where the common ones suffice; except `opening`.

    opening  the dealer's words that open the bets, in the casino's language
    calls    {argument of `felt.call`: the dealer's words}
    labels   {a move's word: its button}; `{argument}` where the offer has one
    states   {a move's word: the seat's state after it, such as "folded"}: of the kind "state" in its texts
    reasons  {why `felt.pay` pays without odds: the words before the amount}; may name {spot}
    shares   {why, or "spot why": the words whatever the odds, with the amount}; may name {spot}
             {amount} (the return) {net} {rank}; "why alone" where by this clause nothing else was paid from a pot
    """

    opening: str = "Fate il vostro gioco"
    calls: Mapping[str, Call] = field(default_factory=dict)
    labels: Mapping[str, Text] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, Text] = field(default_factory=dict)
    shares: Mapping[str, Text] = field(default_factory=dict)


_COMMON = Words(
    opening="",
    calls={
        "no more bets": Call(Text("No more bets please"), "Nulla va più"),
        "go ahead": Call(Text("In play"), "Prego"),
        "showdown": Call(Text("Showdown"), "Carte in tavola"),
    },
    labels=COMMON_LABELS,
    states={
        "raise": "raised",
        "fold": "folded",
        "check": "checked",
        "call": "called",
        "bet": "has bet",
    },
    reasons={
        "fold": Text("{spot} lost by folding"),
    },
    shares={},
)


def with_common(words: Words) -> Words:
    """Return a game's words over the common ones."""
    merged = {one.name: {**getattr(_COMMON, one.name), **getattr(words, one.name)} for one in fields(Words)[1:]}
    return Words(words.opening, **merged)
