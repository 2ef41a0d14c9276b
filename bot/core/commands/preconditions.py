"""Precondition of a button: a hand, how many moves its seat had made, that seat, and the price on its label.

A press means what the button said, or it is refused with a sentence: later presses and presses at another seat are.
Written as "HAND.MOVES.SEAT.COST" in the alphabet [0-9./p]; each part but the first may be left out: a bet has no seat
yet, a question that is answered in words has no price.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bot.core.commands.command import Refused
from bot.core.state.table import Table
from engine.felt import Amount
from storage.rows import PostingRow

# The longest parts that the books could number or name, for readers of buttons.
PATTERN = r"[0-9]{0,15}(?:\.[0-9]{0,6}(?:\.[0-9/p]{0,20}(?:\.[0-9]{0,19})?)?)?"


class Precondition(NamedTuple):
    """The state that a button was made for; `cost` in minor units, None where the button names no price."""

    hand: str
    moves: str = ""
    seat: str = ""
    cost: int | None = None

    def __str__(self) -> str:
        cost = "" if self.cost is None else str(self.cost)
        return ".".join((self.hand, self.moves, self.seat, cost)).rstrip(".")


@lru_cache(maxsize=4096)
def for_bet(hand: int, cost: int | None = None) -> str:
    """Write the precondition of a button before the deal: this hand, at this price in minor units."""
    return str(Precondition(str(hand), cost=cost))


def for_move(hand: int, moves: int | str, seat: str, cost: int | None = None) -> str:
    """Write the precondition of a button of a hand: this seat, after that many moves of it.

    `moves` is text where it comes from another button.
    """
    return str(Precondition(str(hand), str(moves), seat, cost))


def parse_precondition(text: str) -> Precondition:
    """Parse a precondition; never fails: text that we did not write fits no hand."""
    hand, moves, seat, cost = (*text.split(".", 3), "", "", "")[:4]
    return Precondition(hand, moves, seat, int(cost) if cost.isascii() and cost.isdigit() and len(cost) < 20 else None)


def at_price(fresh: str, cost: int | None) -> str:
    """Return a precondition with the price that the button showed, if it showed one."""
    return fresh if cost is None else str(parse_precondition(fresh)._replace(cost=cost))


def check_state(fresh: Precondition, table: Table, player: int) -> None:
    """Check that hand and seat are still the same and no move was made since. Raises Refused."""
    mine = table.seats_played_by(player)
    if fresh.hand == str(table.round.hand_id) and fresh.seat and fresh.seat not in mine:
        raise Refused("That button was another player's. Here is the table as it is now.")
    moves = table.round.hand.moves if table.round.hand is not None else ()
    made = str(sum(move.seat in mine for move in moves))
    asked = next((seat for seat in mine if table.round.hand is not None and seat in table.round.hand.asks), fresh.seat)
    if fresh.hand != str(table.round.hand_id) or fresh.moves not in ("", made) or fresh.seat not in ("", asked):
        raise Refused("The table has changed. Here it is now.")


def check_price(fresh: Precondition, posted: Iterable[PostingRow], purses: Iterable[str]) -> None:
    """Check that the latest postings took from these accounts what the button said. Raises Refused; the caller undoes
    it.
    """
    own = set(purses)
    cost = sum(posting.amount for posting in posted if posting.debit in own and posting.credit not in own)
    if fresh.cost is not None and cost != fresh.cost:
        raise Refused(
            "That costs {cost} now; the button said {said}. Here is the table as it is now.",
            cost=Amount(cost),
            said=Amount(fresh.cost),
        )
