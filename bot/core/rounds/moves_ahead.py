"""`/checkfold`: check or fold before the turn comes; it counts for one turn, and any bet or raise cancels it (HE36)."""

from bot.core.commands.command import Answer, Refused
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.texts import Text
from engine.betting import BETS
from engine.events import Moved
from engine.felt import Move
from engine.hand import Hand

CHECK, FOLD = "check", "fold"


def takes_moves_ahead(table: Table) -> bool:
    """Check whether players may check or fold before their turn: they bet in turn from stacks."""
    return table.plays.seating is Seating.STACKS and {CHECK, FOLD} <= table.rules.words.keys()


def count_bets(hand: Hand) -> int:
    """Return the number of bets and raises so far: another one changes what a choice means."""
    return sum(move.word in BETS for move in hand.moves)


def choose_move(table: Table, seat: str) -> Move:
    """Return the move of a seat in turn that has chosen to check or fold."""
    assert table.round.hand is not None
    can_check = any(offer.word == CHECK for offer in table.round.hand.asks[seat])
    return Move(seat, CHECK if can_check else FOLD)


def follow_move(ahead: frozenset[str], move: Move) -> frozenset[str]:
    """Return the seats whose choice still counts after a move."""
    return frozenset() if move.word in BETS else ahead - {move.seat}


@command(
    "checkfold",
    Text("Check on your next turn, or fold if there is a bet"),
    group="play",
    flags=CommandFlag.PRIVATE | CommandFlag.SEEN,
)
def choose(request: Request) -> Answer:
    """Choose to check or fold on the next turn, or take that back. A button carries the number of bets that it saw."""
    table, hand = request.table, request.table.round.hand
    seat = next(iter(table.seats_played_by(request.player.id)), None)
    if hand is None or seat is None:
        raise Refused("You are not in a hand.")
    if not takes_moves_ahead(table):
        raise Refused("You can't choose before your turn in this game.")
    if seat in hand.asks:
        raise Refused("It's your turn. Choose a move.")
    if _has_folded(hand, seat) or not request.transaction.balance(table.purse(request.player.id)):
        raise Refused("You have nothing more to decide in this hand.")
    if seat in table.round.ahead:
        request.transaction.set_table(table.change_round(ahead=table.round.ahead - {seat}))
        return answer_with("You decide when it is your turn.")
    if request.args and request.args[0] != str(count_bets(hand)):
        raise Refused("There is a new bet. Look at the table, then choose again.")
    request.transaction.set_table(table.change_round(ahead=table.round.ahead | {seat}))
    return answer_with(
        "On your next turn you check, or fold if there is a bet. A new bet or raise cancels this. Press again to undo."
    )


def _has_folded(hand: Hand, seat: str) -> bool:
    moves = (event for event in hand.events if isinstance(event, Moved) and event.seat == seat)
    return any(FOLD in (event.word, event.played) for event in moves)
