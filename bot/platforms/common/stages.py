"""The stages of a hand: which changes deserve a message or an edit, and the round that shared buttons belong to.

A button for everyone carries its hand and round; one of an earlier round does nothing.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from bot.core.commands.preconditions import at_price, for_move, parse_precondition
from bot.core.commands.stages import shown_stage, stages_of
from bot.core.commands.stages import waited_for as waited_for
from bot.core.rounds.reveals import decision_s
from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Button
from bot.view.buttons import move_buttons
from bot.view.player_view import view_hand
from engine.events import Called, Moved
from engine.felt import Amount
from engine.hand import Hand


def stage_of(table: Table) -> tuple[Any, ...]:
    """Return a key that changes with whatever is shown at once: table, hand, first bet, deal, stage, payment."""
    return table.id, table.phase, *shown_stage(table)


def reminds_at(table: Table) -> float | None:
    """Return when half of the decision time is over; None if no one must decide or a time bank runs."""
    if table.round.hand is None or table.round.deadline is None or table.round.extended is not None:
        return None
    return table.round.deadline - decision_s(table) / 2


def moves_in_turn(table: Table) -> bool:
    """Return whether players move one after another, and read their next card in the answer to their move."""
    return table.plays.takes_turns and not stages_of(table.game).is_long


def moves_for_all(table: Table) -> list[Button]:
    """Return the buttons of everyone who must decide now. Prices may differ; labels reveal no card.

    Each button carries its round, so that pressing it twice does nothing. An amount is typed by a single player only.
    """
    if table.round.hand is None:
        return []
    owners, view = table.owners(), view_hand(table.round.hand, None, table.round.turning)
    found: dict[tuple[str, tuple[str, ...], bool], list[Button]] = {}
    waited = waited_for(table)
    for player in waited:
        mine = tuple(key for key, owner in owners.items() if owner == player)
        for button in move_buttons(table, replace(view, mine=mine), player):
            if not button.ask or len(waited) == 1:
                args = () if button.verb == "insure" else button.args
                found.setdefault((button.verb, args, bool(button.ask)), []).append(button)
    return [
        _plain(buttons)._replace(args=args, fresh=_made_for(table, buttons))
        for (_verb, args, _asks), buttons in found.items()
    ]


def _made_for(table: Table, buttons: list[Button]) -> str:
    """Return the precondition of a shared button: the round, and the price if the label has one."""
    cost = buttons[0].cost if _is_same_for_all(buttons) else None
    return for_move(table.round.hand_id, round_of(table), "", cost)


def round_of(table: Table) -> str:
    """Return the round of the shared buttons: a stage that all decide at once, or each single move.

    Within a stage the rules take one choice of each player; a second press is refused with the reason.
    """
    assert table.round.hand is not None
    stage = stages_of(table.game).stage(table)
    return stage.name if stage.for_all else str(len(table.round.hand.moves))


def now_of(table: Table) -> str:
    """Return the precondition for a shared button made now."""
    return f"{table.round.hand_id}.{round_of(table)}"


def is_of_now(table: Table, fresh: str) -> bool:
    """Return whether a shared button was made for the present round."""
    made_for = parse_precondition(fresh)
    return table.round.hand is not None and f"{made_for.hand}.{made_for.moves}" == now_of(table)


def find_own(moves: Iterable[Button], verb: str, args: tuple[str, ...]) -> Button | None:
    """Return the player's own button for a shared one, or None."""
    fitting = [move for move in moves if move.verb == verb and not move.ask and (move.args == args or verb == "insure")]
    return fitting[-1] if fitting else None


def means_the_same(table: Table, fresh: str, own: Button, player: int) -> bool:
    """Return whether a button of an older turn asks the same now: on the same street, at the same price, and the player
    has made no move since.
    """
    made_for, hand = parse_precondition(fresh), table.round.hand
    if hand is None or made_for.hand != str(table.round.hand_id) or made_for.cost != own.cost:
        return False
    if not stages_of(table.game).is_paced:  # the message shows each turn at once, so an older one was another player's
        return False
    since = int(made_for.moves) if made_for.moves.isdecimal() else -1
    seats = table.seats_played_by(player)
    return since >= hand.once(_count_moves_before) and all(move.seat not in seats for move in hand.moves[since:])


def _count_moves_before(hand: Hand) -> int:
    """Count the moves before the present street."""
    before, moves = 0, 0
    for event in hand.events:
        moves += isinstance(event, Moved)
        before = moves if isinstance(event, Called) else before
    return before


def as_own(
    table: Table, moves: Iterable[Button], verb: str, args: tuple[str, ...], fresh: str, *, is_told: bool = False
) -> tuple[tuple[str, ...], str]:
    """Return the words and precondition of a shared button for the player whose `moves` these are, at their price.

    `is_told`: the player was told their own price, which then counts instead of the one on the button.
    The writer refuses what the player may not do.
    """
    own = find_own(moves, verb, args)
    if own is None:
        return args, str(table.round.hand_id)
    return own.args, own.fresh if is_told else at_price(own.fresh, parse_precondition(fresh).cost)


def _is_same_for_all(buttons: list[Button]) -> bool:
    return all(button.label == buttons[0].label for button in buttons)


def _plain(buttons: list[Button]) -> Button:
    """Return one button for several players; with a price only if it is the same for all."""
    first = buttons[0]
    if _is_same_for_all(buttons):
        return first
    if first.verb == "play":
        return first._replace(label=Text("Play {times} ×", times=int(first.args[0])), cost=Amount(0))
    label = first.label.values.get("label")
    return first._replace(label=label if isinstance(label, Text) else first.label, cost=Amount(0))
