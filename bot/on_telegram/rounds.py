"""The rounds of a hand: what is shown at once, what is still to come, and what the buttons of everybody are made for.

A button of everybody says its hand and round; one that was made for another round does nothing.
"""

from dataclasses import replace
from itertools import pairwise
from typing import Any

from bot.floor.table import Table
from bot.on_telegram.updates import Press
from bot.screens import Button
from bot.screens.buttons import move_buttons
from bot.screens.sight import look_at
from bot.texts import Text
from engine.cards import HIDDEN
from engine.events import Exchanged
from engine.hand import Hand, lay_out

WITH_TURNS = ("blackjack", "stud")
INSURANCE = "insurance"


def stage_of(table: Table) -> tuple[Any, ...]:
    """What is shown at once: another table or hand, its first bet, its deal, each round of decisions, its payment."""
    hand = table.play
    if hand is None:
        return table.id, table.hand_id, table.phase, 0
    if table.game == "stud":
        return table.id, table.hand_id, table.phase, len(hand.moves)
    if table.game == "blackjack":
        return table.id, table.hand_id, table.phase, whose_turn(table)
    return table.id, table.hand_id, table.phase, _street(hand)


def _street(hand: Hand) -> int:
    """A round of decisions: by the common cards that lie open (UT3), or whether cards were exchanged (CS6)."""
    if hand.deal.game == "uth":
        return sum(card != HIDDEN for card in lay_out(hand.view(None)).get("board", ()))
    return int(any(isinstance(event, Exchanged) for event in hand.events))


def whose_turn(table: Table) -> str:
    """At black jack: insurance, which everybody decides at once (BJ10), or the player who draws, for all his boxes."""
    assert table.play is not None
    asks = table.play.asks
    if any(offer.word == "decline" for offers in asks.values() for offer in offers):
        return INSURANCE
    return " ".join(str(table.owners()[key]) for key in asks)


def _turns_to_come(table: Table) -> int:
    """How often the turn will pass to another player: from box to box (BJ10)."""
    if table.play is None:
        return max(0, len({bet.seat for bet in table.bets}) - 1)
    boxes = {key: owner for key, owner in table.owners().items() if "/" not in key}
    is_insurance = whose_turn(table) == INSURANCE
    now = "" if is_insurance else next((key.partition("/")[0] for key in table.play.asks), "")
    order = list(boxes.values())[list(boxes).index(now) if now in boxes else 0 :]
    return sum(one != other for one, other in pairwise(order)) + is_insurance


def calls_to_come(table: Table) -> int:
    """What this hand will have to show: its deal, its rounds, its payment."""
    if table.game == "blackjack":
        return _turns_to_come(table) + (1 if table.play is not None else 2)
    if table.play is None:
        return {"caribbean": 3, "uth": 4}.get(table.game, 1 + bool(table.memory.get("squeeze")))
    streets = {"uth": {0: 3, 3: 2}, "caribbean": {0: 2}}.get(table.game, {})
    return streets.get(_street(table.play), 1)


def moves_for_all(table: Table) -> list[tuple[Button, Press]]:
    """The choices of everybody who is asked now. What they cost differs; what they are called tells no card.

    The press carries the round that it was made for, so that it does nothing twice.
    """
    if table.play is None:
        return []
    owners, sight = table.owners(), look_at(table.play, None, table.turning)
    asked = dict.fromkeys(owners[seat] for seat in table.play.asks if seat not in table.away)
    fresh = f"{table.hand_id}.{round_of(table)}"
    found: dict[tuple[str, tuple[str, ...]], list[Button]] = {}
    for player in [*asked, *table.turners]:
        mine = tuple(key for key, owner in owners.items() if owner == player)
        for button in move_buttons(table, replace(sight, mine=mine), player):
            if not button.ask:
                args = () if button.verb == "insure" else button.args
                found.setdefault((button.verb, args), []).append(button)
    return [(_plain(buttons), Press("move", verb, args, fresh, 0)) for (verb, args), buttons in found.items()]


def round_of(table: Table) -> str:
    """What the buttons of everybody were made for: a street, or where players move in turn each single move.

    Within a street the rules take one choice of everybody; one more press of it is refused as what it is.
    """
    assert table.play is not None
    if table.game == "blackjack" and whose_turn(table) == INSURANCE:
        return INSURANCE
    return str(len(table.play.moves) if table.game in WITH_TURNS else _street(table.play))


def now_of(table: Table) -> str:
    """What a button for everybody says that is made now."""
    return f"{table.hand_id}.{round_of(table)}"


def _plain(buttons: list[Button]) -> Button:
    """One button for all of them; a price only where it is everybody's."""
    first = buttons[0]
    if all(button.label == first.label for button in buttons):
        return first
    if first.verb == "play":
        return first._replace(label=Text("Play {times} ×", "", times=int(first.args[0])))
    label = first.label.values.get("label")
    return first._replace(label=label if isinstance(label, Text) else first.label)
