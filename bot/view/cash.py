"""Pieces for presenters of games that are played from stacks at the casino's cash tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.core.commands.preconditions import for_bet
from bot.core.rounds import cash_table
from bot.core.rounds.cash_table import EMPTY_S
from bot.core.rounds.show_cards import find_hidden
from bot.core.state.table import Table, owners_of
from bot.texts import Text
from bot.view import Button
from bot.view.player_view import PlayerView
from bot.view.presenter import NO_BETS, Ahead, BuyIn, Presenter, Stacks
from bot.view.render_context import RenderContext
from bot.view.words import Words
from engine.betting import POT
from engine.events import Called, Event, Moved, Paid, Staked
from engine.felt import Amount


def _buy_in(context: RenderContext) -> BuyIn:
    """Return the stack that a press takes to the table."""
    table, chips = context.table, context.chips()
    least, most = cash_table.stack_limits(context.options, table, context.state.casinos[table.casino])
    usual = cash_table.usual_stack(context.options, table, context.viewer or 0, min(chips, most), context.now)
    return BuyIn(usual if usual >= least else 0, least, most)


def _is_out(table: Table, player: int) -> bool:
    return player in cash_table.memory_of(table).out


def _button(table: Table) -> int:
    return cash_table.memory_of(table).button


def _beside(context: RenderContext) -> tuple[Button, ...]:
    """Return the buttons to post owed blinds (HE7) and to show the cards of the last hand (HE25)."""
    table, viewer, memory = context.table, context.viewer, cash_table.memory_of(context.table)
    found, owing = [], {*memory.owed} - {*memory.posting} - {*memory.out}
    if viewer in owing or (viewer is None and owing):
        found.append(Button(Text("Post blinds"), "post"))
    owners = owners_of(table.last) if table.last is not None else {}
    may_show = {owners[key] for key in find_hidden(table)}
    if viewer in may_show or (viewer is None and may_show):
        found.append(Button(Text("Show cards"), "show", fresh=for_bet(table.round.hand_id)))
    return tuple(found)


def _absent(context: RenderContext) -> tuple[Text, ...]:
    """Say who sits out, and whose seat is kept for an empty stack (HE2, HE32)."""
    table, found = context.table, []
    empty = [one for one in table.seats.values() if not context.balance(table.purse(one))]
    out = [one for one in table.seats.values() if _is_out(table, one) and one not in empty]
    if out:
        found.append(Text("Sitting out: {names}.", names=[context.name(one) for one in out]))
    if empty:
        names = [context.name(one) for one in empty]
        found.append(
            Text("No chips left: {names}. The seat is kept for {n} minutes.", names=names, n=round(EMPTY_S / 60))
        )
    return tuple(found)


CASH_STACKS = Stacks(_buy_in, _is_out, _button, _beside, _absent)
"""Hooks of a game that is played from stacks at the casino's cash tables."""
POT_SHARES = {
    "uncalled": Text("uncalled {amount} returned"),
    "best hand": Text("won {amount}"),
    "last player": Text("{amount} as the last player"),
    "lose": Text("no share of the pot"),
    "fold": Text("folded"),
}
"""Words of payments from a pot (`Words.shares`)."""


def pot(view: PlayerView) -> Amount:
    """Return all stakes; uncalled ones are returned at the end of the hand (SH9)."""
    put_in = sum(spots.get(POT, 0) for spots in view.wagered.values())
    back = [event.amount for event in view.events if isinstance(event, Paid) and event.why == "uncalled"]
    return Amount(put_in - sum(back))


def ahead(view: PlayerView, key: str) -> tuple[Ahead, ...]:
    """Return the choices before the turn of a player with chips who has not acted: check, or call the present bet
    (SH8).
    """
    own = [event for event in view.events if isinstance(event, Moved) and event.seat == key]
    if key in view.hand.asks or any("fold" in (move.word, move.played) for move in own):
        return ()
    street = _street(view.events)
    put_in: dict[str, int] = {}
    for event in street:
        if isinstance(event, Staked):
            put_in[event.seat] = put_in.get(event.seat, 0) + event.amount
    owed = max(put_in.values(), default=0) - put_in.get(key, 0)
    stack = next(stake.stack for stake in view.hand.deal.stakes if str(stake.seat) == key)
    left = stack - view.wagered.get(key, {}).get(POT, 0)
    has_answered = key in put_in or any(event in street for event in own)
    if not left or (has_answered and not owed):
        return ()
    if not owed:
        return (Ahead(Text("Check or fold"), ("check", "fold")), Ahead(Text("Check"), ("check",)))
    return (Ahead(Text("Fold"), ("fold",)), Ahead(Text("Call"), ("call",), min(owed, left)))


def _street(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events since the street was called."""
    calls = [number for number, event in enumerate(events) if isinstance(event, Called)]
    return events[calls[-1] :] if calls else events


def say_pot(view: PlayerView) -> Text:
    """Return the result of a hand between players: the size of the pot."""
    return Text("The pot was {pot}.", pot=pot(view))


# The parts of a presenter that follow from the stacks.
_OF_CASH: Mapping[str, Any] = {"result": say_pot, "pot": pot, "bets": NO_BETS, "stacks": CASH_STACKS}


def complete_presenter(presenter: Presenter) -> Presenter:
    """Return the presenter with the pieces of this module in place of those that a game leaves out."""
    words = presenter.words
    opening = "" if words.opening == Words.opening else words.opening
    parts = {name: part for name, part in _OF_CASH.items() if getattr(presenter, name) is getattr(Presenter, name)}
    return replace(presenter, **parts, words=replace(words, opening=opening, shares={**POT_SHARES, **words.shares}))
