"""Cards that a viewer may know, derived from the hand itself and not from any view of it; and what they are shown.

A screen is searched wholly, in its Python representation: every text with its values, every name, pile and button; and
so is its description in words.
"""

import re
from collections.abc import Iterator

from bot.core.commands.command import Answer
from bot.core.state.table import Table, owners_of
from bot.texts import Card, Text, say
from bot.view import Screen
from bot.view.describe import describe
from engine.cards import HIDDEN
from engine.events import Dealt, Exchanged, Shown, Split, Turned
from engine.hand import Hand
from tests.simulation.behavior import BEHAVIORS

# A card in the engine's notation, and in words.
WRITTEN = re.compile(r"'([2-9TJQKA][cdhs]|JK)'")
SPOKEN = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")
SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


def check_screen(table: Table, viewer: int | None, seen: Screen, language: str | None) -> None:
    """Check a screen; with `language` also in words. Raises AssertionError for a card or seed that `viewer` may not
    know.
    """
    everything = repr(seen)
    shown = set(WRITTEN.findall(everything))
    if any(suit in everything for suit in SUITS):
        shown |= {_unsay(found) for found in SPOKEN.findall(everything)}
    assert table.round.hand is None or table.round.seed.hex() not in everything, (
        f"table {table.id} shows the seed of an open hand"
    )
    if language is not None:
        shown |= _cards_said(seen, language)
    known = known_to(table, viewer)
    assert shown <= known, f"table {table.id} ({table.game}) shows {sorted(shown - known)} to {viewer or 'everybody'}"
    for seat in seen.seats:
        for pile in seat.piles:
            # If some of a player's cards are open, those are described.
            is_told = (
                pile.description is not None and HIDDEN in pile.cards and not BEHAVIORS[table.game].most_open(seat.key)
            )
            assert not is_told, f"table {table.id} tells {viewer or 'everybody'} what seat {seat.key} holds"


def check_answer(table: Table | None, player: int | None, answer: Answer) -> None:
    """Check that an answer names no foreign hidden card, and no seed of an open hand."""
    cards = {str(card) for text in answer.texts for card in _typed_cards(text)}
    if cards:
        assert table is not None, f"{sorted(cards)} without a table"
        known = known_to(table, player)
        assert cards <= known, f"table {table.id} answers {player} with {sorted(cards - known)}"


def known_to(table: Table, viewer: int | None) -> set[str]:
    """Return the cards of the hand on the table that `viewer` (None: anyone) may see now."""
    hand = table.round.hand or table.last
    if hand is None:
        return set()
    owners = owners_of(hand)
    known: set[str] = set()
    covers = BEHAVIORS[table.game].covers
    showed = table.shown_seats if table.round.hand is None else ()
    for to, cards in _lying(hand).items():
        known |= {card for card, _is_open in cards if to in showed}
        is_own = viewer is not None and owners.get(to) == viewer
        for position, (card, is_open) in enumerate(cards, start=1):
            if (is_open or is_own) and not covers(table, to, position, viewer):
                known.add(card)
    if viewer is not None:
        exchanged = (event for event in hand.events if isinstance(event, Exchanged))
        known |= {event.gone for event in exchanged if owners.get(event.seat) == viewer}
    return known


def _lying(hand: Hand) -> dict[str, list[tuple[str, bool]]]:
    """Return {whose: [(card, whether it lies open)]}."""
    lying: dict[str, list[tuple[str, bool]]] = {}
    for event in hand.events:
        if isinstance(event, Dealt):
            lying.setdefault(event.to, []).extend(zip(event.cards, event.up, strict=True))
        elif isinstance(event, Exchanged):
            lying[event.seat][event.position - 1] = (event.card, False)
        elif isinstance(event, Split):
            lying[event.into] = [lying[event.hand].pop()]
        elif isinstance(event, Shown):
            lying[event.to] = [(card, True) for card in event.cards]
        elif isinstance(event, Turned):
            first = event.position - 1
            lying[event.to][first : first + len(event.cards)] = [(card, True) for card in event.cards]
    if hand.asks:
        _check_open(hand.deal.game, lying)
    return lying


def _check_open(game: str, lying: dict[str, list[tuple[str, bool]]]) -> None:
    for to, cards in lying.items():
        count = sum(is_open for _card, is_open in cards)
        assert count <= BEHAVIORS[game].most_open(to), (
            f"{count} cards of {to} lie open while a hand of {game} is played"
        )


def _typed_cards(value: object) -> Iterator[Card]:
    if isinstance(value, Card):
        yield value
    elif isinstance(value, Text):
        yield from _typed_cards(list(value.values.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _typed_cards(one)


def _cards_said(seen: Screen, language: str) -> set[str]:
    words = [describe(seen, language, 10**6), *(say(text, language) for text in (*seen.lines, *seen.holds))]
    return {_unsay(found) for line in words for found in SPOKEN.findall(line)}


def _unsay(found: tuple[str, str]) -> str:
    rank, suit = found
    return rank.replace("10", "T") + SUITS[suit]
