"""Value of each choice in a hand record: the answer of `ridotto advise`. A seat is judged by what it knew alone.

advise_record  JSON value -> one decision for each time a seat was asked, or a refusal as `engine.record` writes it
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.events import Moved
from engine.felt import TIMEOUT, Deal, Move, Offers, find_offer
from engine.games import ODDS
from engine.hand import Hand
from engine.odds import Decision, Odds, Values
from engine.record import JSON, parse_record, play_record


@dataclass(frozen=True)
class Asked:
    """A decision and its outcome.

    index   of its move among all moves; None if none was made
    taken   the move, as written
    played  the move that a time-out made; "" if the script goes on with another seat
    """

    decision: Decision
    index: int | None = None
    taken: Move | None = None
    played: str = ""


def advise_record(record: JSON) -> dict[str, JSON]:
    """Answer `ridotto advise` for one record; never raises for any JSON value."""
    answer = play_record(record)
    if "refused" in answer:
        return answer
    deal, moves = parse_record(record)
    odds = ODDS.get(deal.game)
    if odds is None:
        return {"refused": f"There are no odds for {deal.game}.", "clause": None, "move": None}
    decisions = [_advise(odds, asked) for asked in find_decisions(deal, moves)]
    return {"decisions": decisions, "method": "sampled" if odds.equity else "exact"}


def find_decisions(deal: Deal, moves: list[Move]) -> Iterator[Asked]:
    """Yield each decision: where a seat was asked and moved, then, by rising seat, where one is still asked.

    Moves made aside and voids are no decisions. Not checked: that the moves are legal.
    """
    hand = Hand(deal)
    for index, move in enumerate(moves):
        before, hand = hand, hand.play(move)
        if move.seat in before.asks and find_offer(before.aside.get(move.seat, ()), move) is None:
            yield Asked(decision_of(before, move.seat), index, move, _played(before, hand))
    for seat in sorted(hand.asks, key=lambda seat: int(seat.partition("/")[0])):
        yield Asked(decision_of(hand, seat))


def decision_of(hand: Hand, seat: str) -> Decision:
    """Return what a seat that is asked knows. Raises KeyError for a seat that is not asked."""
    deal = hand.deal
    offers, cards = hand.asks[seat], hand.cards(seat)
    own = tuple(move for move in hand.moves if move.seat == seat)
    return Decision(deal.options, deal.stakes, seat, offers, hand.view(seat), cards, own, deal.jackpot)


def _played(before: Hand, after: Hand) -> str:
    """Return the move that a time-out played, from the event of the move."""
    new = after.events[len(before.events) :]
    return next((event.played for event in new if isinstance(event, Moved)), "")


def _advise(odds: Odds, asked: Asked) -> dict[str, JSON]:
    said: dict[str, JSON] = {"move": asked.index, "seat": asked.decision.seat}
    if odds.equity:
        equity = odds.equity(asked.decision)
        return said | {"equity": equity, "best": None, "taken": _written(asked), "cost": None}
    weighed = weigh(odds.values, asked)
    return said | {"choices": weighed.values, "best": weighed.best, "taken": weighed.taken, "cost": weighed.cost}


class Weighed(NamedTuple):
    """A choice compared: the `values` of all choices, the one `taken` as written, and what it `cost` against the best.

    None where no choice was made.
    """

    values: dict[str, float]
    best: str
    taken: str | None
    cost: float | None


def weigh(value: Callable[[Decision], Values], asked: Asked) -> Weighed:
    """Compare the choice of a seat with its alternatives; `value` is its game's (`Odds.values`)."""
    decision, taken, written = asked.decision, asked.taken, _written(asked)
    values = dict(value(decision))
    if taken is not None and written is not None:
        # An amount inside its range, or one that is not proposed, is valued separately.
        choice = asked.played or written
        worth = values[choice] if choice in values else value(_narrowed(decision, taken))[choice]
        if not _is_proposed(decision.offers, asked):
            values[choice] = worth
    best = max(values, key=values.__getitem__)
    return Weighed(values, best, written, values[best] - worth if written is not None else None)


def _written(asked: Asked) -> str | None:
    """Return the choice as it was written; None if there was none, or a time-out left it to another seat."""
    if asked.taken is None or (asked.taken.word == TIMEOUT and not asked.played):
        return None
    return str(asked.taken._replace(seat=""))


def _is_proposed(offers: Offers, asked: Asked) -> bool:
    """Check whether a choice is among the offers or inside the range of one."""
    if asked.taken is None or asked.taken.word == TIMEOUT:
        return True
    offer = find_offer(offers, asked.taken)
    return offer is not None and offer.listed


def _narrowed(decision: Decision, move: Move) -> Decision:
    """Return the decision with this amount as its only choice."""
    offer = find_offer(decision.offers, move)
    assert offer is not None, "The move was played"
    amount = int(move.argument)
    return replace(decision, offers=[replace(offer, least=amount, most=amount, listed=True)])
