"""Showing a hidden hand after it is over: a player who mucked it, or won without a showdown (HE25).

Not showing mucks it: the cards stay hidden from the next deal on.
"""

from bot.core.commands.command import Answer, Refused
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.state.table import HandSeats, Table, owners_of
from bot.texts import Text
from engine.cards import HIDDEN
from engine.events import Moved
from engine.hand import Hand


@command("show", Text("Show your cards after a hand in which they stayed hidden"), group="play", flags=CommandFlag.SEEN)
def show_hidden_cards(request: Request) -> Answer:
    """Show both cards to everyone until the next deal; the result stays (HE25)."""
    table, player = request.table, request.player.id
    if table.round.hand is not None and table.is_in_hand(player):
        raise Refused("You can show your cards when the hand is over.", "G8")
    seats = [key for key in find_hidden(table) if table.last and owners_of(table.last)[key] == player]
    if not seats or table.last_hand is None:
        raise Refused("You have no cards to show.", table.plays.cash.shows if table.plays.cash else None)
    request.transaction.set_table(table.change(shown=HandSeats(table.last_hand, (*table.shown_seats, *seats))))
    return answer_with("Everyone at the table can see your cards now.")


def find_hidden(table: Table) -> tuple[str, ...]:
    """Return the seats whose players may show their cards now: the last hand is over and the next is not dealt yet."""
    cash, hand = table.plays.cash, table.last
    if cash is None or not cash.shows or hand is None or hand.is_void or table.has_closed:
        return ()
    return tuple(key for key in hand.once(_find_hidden) if key not in table.shown_seats)


def _find_hidden(hand: Hand) -> tuple[str, ...]:
    """Return the seats that stayed in to the end and whose cards nobody else has seen."""
    moves = [event for event in hand.events if isinstance(event, Moved)]
    folded = {move.seat for move in moves if "fold" in (move.word, move.played)}
    seen = hand.cards(None)
    return tuple(key for key in owners_of(hand) if key not in folded and HIDDEN in seen.get(key, ()))
