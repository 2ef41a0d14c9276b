"""The timeline of a felt: its steps as one viewer may know them, and the resulting state.

The steps between two views of a table are the hand's own events, in the order of the record. Other steps are found by
comparison: chips before the cards, and cards that players reveal. Applied to the earlier felt, they give the later one.
"""

from collections.abc import Iterable, Mapping
from itertools import takewhile

import msgspec
from msgspec import Struct

from bot.core.state.table import Table
from bot.view.player_view import PlayerView, hand_on
from engine.events import (
    Called,
    Dealt,
    Event,
    Exchanged,
    Moved,
    Paid,
    Placed,
    Rolled,
    Shown,
    Split,
    Staked,
    Turned,
    Voided,
    Won,
    seen_by,
)
from engine.felt import TIMEOUT

Sums = Mapping[str, Mapping[str, int]]


class FeltState(Struct, frozen=True, kw_only=True):
    """The state of a felt: cards by place ("??" is a back), amounts by "SEAT:PLAYER" and spot, in minor units.

    chips  all bets; paid: returns, without prizes of the progressive
    moved  by seat, the word of its last move; asked: the seats that must choose
    """

    hand: int
    cards: Mapping[str, tuple[str, ...]] = {}
    chips: Sums = {}
    paid: Sums = {}
    moved: Mapping[str, str] = {}
    asked: tuple[str, ...] = ()
    call: str = ""
    dice: tuple[int, ...] = ()
    is_void: bool = False

    def encode(self) -> bytes:
        """Encode a felt: equal felts give equal bytes."""
        return msgspec.json.encode(self, order="deterministic")


class Step(Struct, frozen=True, omit_defaults=True):
    """One step; the fields of each `kind`:

    swept      number: the felt is cleared for the hand of that number
    laid       at, spot, amount: chips of "SEAT:PLAYER"; below 0 they were taken back
    dealt      at, cards
    turned     at, number, cards: these are shown from that position (from 1) on
    exchanged  at, number, cards: the old and the new card, at that position
    split      at, word: the second card of the one hand begins the other
    called     word; rolled: dice
    moved      at, word: a choice of a seat; `played` is what the clock chose for it
    asked      seats: who must choose now
    paid       at, spot, amount; won: at, word, a prize of the progressive
    void       every stake goes back
    """

    kind: str
    at: str = ""
    number: int = 0
    cards: tuple[str, ...] = ()
    spot: str = ""
    amount: int = 0
    word: str = ""
    played: str = ""
    seats: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()


class Seen(Struct, frozen=True):
    """A felt and the events that led to it, as its viewer may know them."""

    felt: FeltState
    events: tuple[Event, ...] = ()
    places: Mapping[str, str] = {}
    is_turning: bool = False


def seen_of(table: Table, viewer: int | None) -> Seen:
    """Return the felt and events for `viewer`, a player, or None for everyone."""
    table = table.with_sealed_bet(viewer)
    view = hand_on(table, viewer)
    if view is None:
        return Seen(FeltState(hand=table.round.hand_id, chips=_bets_of(table)))
    is_turning = table.round.hand is not None and bool(table.round.turning)
    number = table.round.hand_id if table.round.hand is not None else table.last_hand
    assert number is not None, "a hand that lies there has a number"
    places = {key: f"{key.partition('/')[0]}:{owner}" for key, owner in view.owners.items()}
    hand = view.hand
    felt = FeltState(
        hand=number,
        cards={to: tuple(cards) for to, cards in view.cards.items()},
        chips=_sums(view.wagered, places),
        paid={} if is_turning else _sums(hand.returned(), places),
        moved={} if is_turning else {move.seat: move.word for move in hand.moves if move.seat},
        asked=tuple(hand.asks),
        call=next((event.call for event in reversed(view.events) if isinstance(event, Called)), ""),
        dice=(hand.deal.dice or ()) if any(isinstance(event, Rolled) for event in view.events) else (),
        is_void=hand.is_void and not is_turning,
    )
    return Seen(felt, _events_of(view, is_turning), places, is_turning)


def _bets_of(table: Table) -> Sums:
    return {f"{bet.seat}:{bet.player}": _without_nothing(bet.spots) for bet in table.round.bets}


def _sums(by_key: Sums, places: Mapping[str, str]) -> Sums:
    kept = {places[key]: _without_nothing(spots) for key, spots in by_key.items()}
    return {at: spots for at, spots in kept.items() if spots}


def _without_nothing(spots: Mapping[str, int]) -> Mapping[str, int]:
    return {spot: amount for spot, amount in spots.items() if amount}


def _events_of(view: PlayerView, is_turning: bool) -> tuple[Event, ...]:
    """Return the events as the viewer may know them."""
    events = tuple(seen_by(event, key if (key := _whose(event)) in view.mine else None) for event in view.hand.events)
    if is_turning:
        return tuple(takewhile(lambda event: not isinstance(event, Dealt), events))
    return (*events, *view.shown)


def _whose(event: Event) -> str:
    found: str = getattr(event, "to", getattr(event, "seat", ""))
    return found


def steps(before: Seen, after: Seen) -> list[Step]:
    """Return the steps between two views."""
    found: list[Step] = []
    known = len(before.events)
    if before.felt.hand != after.felt.hand or before.events != after.events[:known]:
        found.append(Step("swept", number=after.felt.hand))
        before, known = Seen(FeltState(hand=after.felt.hand)), 0
    if not after.events:
        found += _laid(before.felt.chips, after.felt.chips)
        return found
    events = after.events[known:]
    if not known:
        found += _laid(before.felt.chips, _placed(events, after.places))
        events = tuple(event for event in events if not isinstance(event, Placed))
    if before.is_turning or after.is_turning:
        found += _turned(before.felt.cards, after.felt.cards)
        events = tuple(event for event in events if not isinstance(event, Dealt | Shown | Turned))
    for event in events:
        found += _step(event, after.places)
    if before.felt.asked != after.felt.asked:
        found.append(Step("asked", seats=after.felt.asked))
    return found


def _laid(before: Sums, after: Sums) -> Iterable[Step]:
    for at in {**before, **after}:
        was, now = before.get(at, {}), after.get(at, {})
        for spot in {**was, **now}:
            if amount := now.get(spot, 0) - was.get(spot, 0):
                yield Step("laid", at, spot=spot, amount=amount)


def _placed(events: Iterable[Event], places: Mapping[str, str]) -> Sums:
    sums: dict[str, dict[str, int]] = {}
    for event in events:
        if isinstance(event, Placed):
            spots = sums.setdefault(places[event.seat], {})
            spots[event.spot] = spots.get(event.spot, 0) + event.amount
    return sums


def _turned(before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]) -> Iterable[Step]:
    for at, cards in after.items():
        was = before.get(at, ())
        for position, (old, new) in enumerate(zip(was, cards, strict=False), 1):
            if old != new:
                yield Step("turned", at, position, (new,))
        if cards[len(was) :]:
            yield Step("dealt", at, cards=cards[len(was) :])


def _step(event: Event, places: Mapping[str, str]) -> Iterable[Step]:
    """Return the step of an event; none for events that only sentences show."""
    match event:
        case Placed() | Staked():
            yield Step("laid", places[event.seat], spot=event.spot, amount=event.amount)
        case Called():
            yield Step("called", word=event.call)
        case Rolled():
            yield Step("rolled", dice=event.dice)
        case Dealt():
            yield Step("dealt", event.to, cards=event.cards)
        case Shown():
            yield Step("turned", event.to, 1, event.cards)
        case Turned():
            yield Step("turned", event.to, event.position, event.cards)
        case Exchanged():
            yield Step("exchanged", event.seat, event.position, (event.gone, event.card))
        case Split():
            yield Step("split", event.hand, word=event.into)
        case Moved() if event.seat:
            yield Step("moved", event.seat, word=event.word, played=event.played if event.word == TIMEOUT else "")
        case Paid():
            yield Step("paid", places[event.seat], spot=event.spot, amount=event.amount)
        case Won():
            yield Step("won", places[event.seat], word=event.prize)
        case Voided():
            yield Step("void")
