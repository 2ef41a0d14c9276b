"""Laws of rule scripts, on random hands: legal offers, replay, void, time-outs, payments, and no hidden card in a view.

Each function takes a hand and yields a sentence for every fault.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bot.cli.game_checks.random_hands import (
    LONGEST,
    choose_move,
    list_viewers,
    make_illegal_moves,
    take_offer,
)
from engine.cards import HIDDEN, Card
from engine.errors import IllegalMove
from engine.events import Dealt, Event, Exchanged, Paid, Shown, Turned
from engine.felt import TIMEOUT, VOID, Move, Offer
from engine.games import GAMES
from engine.hand import Hand, lay_out
from engine.laws import BrokenLaw
from engine.record import parse_record, play_record, write_record

_CHANCE = "use no chance, no clock, no set's order and nothing that outlives the hand in the rule script"


def check_offers(hand: Hand, random: Random) -> Iterator[str]:
    """Check that every offer can be made, and so can a time-out; none is empty, and its stake has a spot."""
    for seat, offers in hand.asks.items():
        if not offers:
            yield f"Seat {seat} is asked and has no offer: pass at least one Offer."
        for read, times in Counter(str(offer) for offer in offers).items():
            if times > 1:
                yield f"Two offers of one seat read “{read}”: give each another word or argument."
        for offer in offers:
            if (offer.stake or offer.most) and not offer.spot:
                yield f"The offer “{offer}” takes a stake and names no spot: add `spot`."
            yield from _check_offer(hand, offer, take_offer(seat, offer, random))
        try:
            hand.play(Move(seat, TIMEOUT))
        except IllegalMove as fault:
            yield f"A time-out of seat {seat} is refused ({fault}): pass `timeout` a word that is offered and free."


def _check_offer(hand: Hand, offer: Offer, move: Move) -> Iterator[str]:
    before = hand.wagered().get(move.seat, {}).get(offer.spot, 0)
    try:
        after = hand.play(move)
    except IllegalMove as fault:
        yield f"The offered move “{move}” is refused ({fault}): offer only what the script accepts."
        return
    added = after.wagered().get(move.seat, {}).get(offer.spot, 0) - before
    wanted = int(move.argument) - offer.put if offer.most else offer.stake
    if added < wanted:
        yield f"“{move}” puts {added} on “{offer.spot}” instead of {wanted}: the felt takes an offer's stake by itself."


def check_refusals(hand: Hand, random: Random) -> Iterator[str]:
    """Check that a move that is not offered raises with a sentence and leaves the hand unchanged."""
    before = hand.deal, hand.moves, dict(hand.asks), list(hand.events)
    for move in (*make_illegal_moves(hand, random), Move(str(hand.deal.stakes[0].seat), VOID), Move("", VOID, "now")):
        try:
            hand.play(move)
        except IllegalMove as refused:
            if not str(refused).endswith(".") or refused.template.format(**refused.values) != str(refused):
                yield f"“{refused}” is no sentence: end what `check` refuses with a full stop."
        else:
            yield f"The move “{move}” was not offered and is accepted: {_CHANCE}."
    if before != (hand.deal, hand.moves, dict(hand.asks), list(hand.events)):
        yield f"A refused move changes the hand: {_CHANCE}."


def check_replay(hand: Hand) -> Iterator[str]:
    """Check that deal and moves determine the hand: replayed they give the same events, asks and facts."""
    again = Hand(hand.deal, hand.moves)
    if (list(again.events), again.asks, again.felt.facts) != (list(hand.events), hand.asks, hand.felt.facts):
        yield f"The same deal and moves give another hand the second time: {_CHANCE}."


def check_record(hand: Hand) -> Iterator[str]:
    """Check that a written and re-read hand plays the same, and that equal records give equal bytes."""
    try:
        text = json.dumps(write_record(hand.deal, hand.moves))
        deal, moves = parse_record(json.loads(text))
        answers = {json.dumps(play_record(json.loads(text))) for _ in range(2)}
    except (TypeError, ValueError) as fault:
        yield f"A hand cannot be written as JSON ({fault}): use JSON values in options and `felt.facts`."
        return
    if deal != hand.deal:
        yield "A written deal reads back as another one: use JSON values in the options, and tuples for lists."
    elif len(answers) != 1 or list(Hand(deal, moves).events) != list(hand.events):
        yield f"A record played twice gives two answers: {_CHANCE}."
    elif json.loads(answers.pop())["over"] is not hand.is_over:
        yield f"A record ends where its hand does not: {_CHANCE}."


def check_void(hand: Hand) -> Iterator[str]:
    """Check that an open hand can be voided with every stake back, and a finished one cannot (G6)."""
    try:
        void = hand.play(Move("", VOID))
    except IllegalMove:
        if not hand.is_over:
            yield "An open hand cannot be voided (G6): let the script end when `yield from` raises."
        return
    if hand.is_over or not void.is_over or not (void.returned() == void.wagered() == hand.wagered()):
        yield "A void hand does not return its stakes (G6): catch nothing around `yield from` in the script."


def check_timeouts(hand: Hand) -> Iterator[str]:
    """Check that time-outs alone end the hand from any state, and stake only forced bets."""
    staked = _sum_stakes(hand)
    for _ in range(2 * LONGEST):
        if hand.is_over:
            break
        hand = hand.play(Move(next(iter(hand.asks)), TIMEOUT))
    else:
        yield "A hand in which nobody answers never ends: let the word of `timeout` end each question."
    if not GAMES[hand.deal.game].stacks and staked != _sum_stakes(hand):  # stacks may be forced to bring in
        yield "A player whose time runs out pays for it: name a free word as `timeout`."


def _sum_stakes(hand: Hand) -> Counter[str]:
    return Counter({seat: sum(spots.values()) for seat, spots in hand.wagered().items()})


def check_branches(hand: Hand, random: Random) -> Iterator[str]:
    """Check that a hand is a value: two moves from the same one are independent, and it is unchanged."""
    if hand.is_over:
        return
    asks, events, moves = dict(hand.asks), list(hand.events), [choose_move(hand, random) for _ in range(2)]
    branches = [hand.play(move) for move in moves]
    if (hand.asks, list(hand.events)) != (asks, events):
        yield f"A move changes the hand before it: {_CHANCE}."
    for move, branch in zip(moves, branches, strict=True):
        yield from check_replay(branch)
        if branch.moves != (*hand.moves, move) or list(branch.events)[: len(events)] != events:
            yield f"Two moves from the same hand disturb each other: {_CHANCE}."


def check_views(hand: Hand) -> Iterator[str]:
    """Check that a view names only cards dealt to its viewer or turned face up (G8)."""
    known = set(GAMES[hand.deal.game].full_deck(hand.deal.options))
    sizes = {who: len(cards) for who, cards in lay_out(hand.events).items()}
    for viewer in list_viewers(hand.deal):
        seen = set(cards_seen(hand.events, viewer))
        view, name = hand.view(viewer), "the public" if viewer is None else f"seat {viewer}"
        for event in view:
            for card in sorted((set(words_of(event)) & known) - seen):
                yield (
                    f"The event {type(event).__name__} shows {name} the hidden card {card} (G8): name no card in a "
                    "call, a reason or an argument before `felt.show`, and give a secret argument `public`."
                )
        for card in sorted(({card for cards in lay_out(view).values() for card in cards} & known) - seen):
            yield f"The hidden card {card} is seen by {name} (G8): deal it with up=False, and show it later."
        if len(view) != len(hand.events) or {who: len(cards) for who, cards in hand.cards(viewer).items()} != sizes:
            yield f"The view of {name} has other hands than the table: deal, show and turn cards by the felt alone."


def cards_seen(events: Sequence[Event], viewer: str | None) -> Iterator[Card]:
    """Yield the cards that `viewer` may know, from the real events."""
    for event in events:
        if isinstance(event, Dealt):
            yield from (card for card, up in zip(event.cards, event.up, strict=True) if up or viewer == event.to)
        elif isinstance(event, Shown | Turned):
            yield from event.cards
        elif isinstance(event, Exchanged) and viewer == event.seat:
            yield from (event.gone, event.card)


def words_of(value: Any) -> Iterator[str]:
    """Yield every text in an event, and every word in it."""
    if isinstance(value, str):
        yield from value.split()
    elif isinstance(value, tuple | list):
        for part in value:
            yield from words_of(part)


def check_hidden_in_errors(hand: Hand) -> Iterator[str]:
    """Check that what an error would say of a hand names no card."""
    said = repr((hand, hand.deal))
    if any(repr(card) in said for card in hand.deal.deck):
        yield "The text of a hand in an error names a card (G8): keep cards out of the options."


def check_payments(hand: Hand) -> Iterator[str]:
    """Check the engine's laws of payment, and that each payment has a clause and names no hidden hand (G8)."""
    if not hand.is_over:
        return
    try:
        hand.check_payments()
    except BrokenLaw as fault:
        yield f"A payment breaks a law: {fault}. Pay every staked spot once, with an int of at least 0 (0: lost)."
    lying = hand.cards(None)
    for event in hand.events:
        if isinstance(event, Paid):
            if not event.clause:
                yield f"A payment on “{event.spot}” names no clause: give `felt.pay` the clause of the rule."
            if event.hand and HIDDEN in lying.get(event.seat, ()):
                yield f"A payment names the hidden hand of seat {event.seat} (G8): turn it with `felt.show` first."


def check_answer(hand: Hand) -> Iterator[str]:
    """Check that the replay of a finished hand adds up and names the game's spots for every seat."""
    answer = play_record(write_record(hand.deal, hand.moves))
    if not answer["over"] or answer["asks"] or answer["wagered"].keys() != answer["returned"].keys():
        yield f"The record of a finished hand does not end it: {_CHANCE}."
        return
    spots = set(GAMES[hand.deal.game].all_spots)
    for seat, net in answer["net"].items():
        wagered, returned = answer["wagered"][seat], answer["returned"][seat]
        if net != sum(returned.values()) - sum(wagered.values()) or set(wagered) != set(returned):
            yield f"The record of seat {seat} does not add up: stake and pay by the felt alone."
        if not set(wagered) >= spots:
            yield f"The record of seat {seat} lacks a spot: list every spot in `Game.all_spots`."


def check_deck(hand: Hand) -> Iterator[str]:
    """Check that no card is dealt twice."""
    dealt = [card for event in hand.events if isinstance(event, Dealt) for card in event.cards]
    # SH4: a discard may be dealt once more, open for all.
    again = set(hand.facts.get("board", ())) if GAMES[hand.deal.game].stacks else set()
    for card in sorted({*dealt} - again):
        if dealt.count(card) > list(hand.deal.deck).count(card):
            yield f"The card {card} is dealt twice: take cards from the felt alone."
