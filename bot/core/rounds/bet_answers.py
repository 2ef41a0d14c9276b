"""Answer to a bet: what it took, what is on the table, what is left in the wallet, and when the cards come."""

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple

from bot.core.commands.command import Answer
from bot.core.commands.registry import Request
from bot.core.rounds import commitments
from bot.core.state.plays import Seating
from bot.core.state.table import Bet, Table
from bot.texts import Text
from engine.cards import is_pocket
from engine.felt import Amount, Stake, Word

# More bets than these are only counted, to fit a Telegram notice.
MOST_NAMED = 3


class Lying(NamedTuple):
    """Bets on one spot of a seat or box, in minor units."""

    seat: int
    spot: str
    amount: int


def say_bets(request: Request, options: Any, before: Sequence[Bet]) -> Answer:
    """Return one sentence for a bet that was placed; `before` are the player's bets from before it."""
    table = request.table
    lying = _lay_out(table, options, table.bets_of(request.player.id))
    cost = sum(one.amount for one in lying) - sum(one.amount for one in _lay_out(table, options, before))
    bets, then = _say_lying(table, lying), say_cards_come(table, request.now)
    values: dict[str, object] = {"cost": Amount(cost), "bets": bets, "chips": request.chips(), "then": then}
    if before:
        return Answer((Text("Bet {cost} more: {bets}. {chips} left. {then}", **values),))
    return Answer((Text("Bet {cost}: {bets}. {chips} left. {then}", **values),))


def say_sealed(table: Table, options: Any, player: int) -> Text:
    """Describe the bets of a player, each spot with its amount."""
    return _say_each(table, _lay_out(table, options, table.bets_of(player)))


def _lay_out(table: Table, options: Any, bets: Iterable[Bet]) -> list[Lying]:
    """Return the bets with what the rules put down beside them."""
    placed = [(bet.seat, table.rules.place(options, Stake(1, "you", bet.spots))) for bet in bets]
    return [Lying(seat, spot, amount) for seat, spots in placed for spot, amount in spots.items()]


def say_cards_come(table: Table, now: float) -> Text:
    """Say when the cards come; with the beacon it is known only when bets close."""
    seconds = math.ceil((table.round.deadline or now) - now)
    if commitments.is_of_beacon(table) or is_pocket(table.rules.full_deck(table.round.terms)[0]):
        return Text("Bets close in {n} s.", n=max(1, seconds))
    return Text("Cards in {n} s.", n=max(1, seconds))


def _say_lying(table: Table, lying: Sequence[Lying]) -> Text:
    """Name every bet with its amount; a single one only by its spot."""
    if len(lying) > MOST_NAMED:
        return Text("{n} bet", "{n} bets", n=len(lying))
    has_boxes = table.plays.seating is Seating.BOXES
    if len(lying) == 1:
        ((seat, spot, _amount),) = lying
        return Text("box {seat}", seat=seat) if has_boxes else Text("{spot}", spot=Word(spot))
    return _say_each(table, lying)


def _say_each(table: Table, lying: Sequence[Lying]) -> Text:
    has_boxes = table.plays.seating is Seating.BOXES
    parts = [_say_spot(table, *one) if has_boxes else _say_area(*one) for one in lying]
    return reduce(lambda said, part: Text("{bets} + {bet}", bets=said, bet=part), parts)


def _say_area(_seat: int, spot: str, amount: int) -> Text:
    return Text("{spot} {amount}", spot=Word(spot), amount=Amount(amount))


def _say_spot(table: Table, seat: int, spot: str, amount: int) -> Text:
    values = {"seat": seat, "spot": Word(spot), "amount": Amount(amount)}
    if spot == table.rules.spots[0]:
        return Text("{amount} on box {seat}", **values)
    return Text("{amount} on {spot} (box {seat})", **values)
