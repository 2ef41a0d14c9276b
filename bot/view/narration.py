"""Narration: the steps of bot/view/timeline.py as sentences for people who cannot see them.

Each event is told once. Chips before the cards are left out, and face-down cards are only mentioned.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.texts import Text
from bot.view.build import context_of
from bot.view.buttons import move_buttons
from bot.view.player_view import PlayerView
from bot.view.presenter import PRESENTERS, Presenter, PresenterFault
from bot.view.render_context import RenderContext
from bot.view.timeline import Step
from engine.cards import HIDDEN, is_pocket, number_of
from engine.felt import VOID, Amount, Word

_RANKS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
# Steps that deal or reveal cards.
_CARDS = ("dealt", "turned", "exchanged", "split")


class Narration(NamedTuple):
    """Sentences in the order of events; `turn` is set if the viewer must choose now."""

    lines: tuple[Text, ...] = ()
    turn: Text | None = None


NOTHING = Narration()


def say_card_in_words(card: str) -> Text:
    """Return a card in spoken words."""
    if card == HIDDEN:
        return Text("a card face down")
    if card == "JK":
        return Text("the joker")
    if is_pocket(card):
        return Text("{n}", n=number_of(card))
    return Text("{rank} of {suit}", rank=Word(_RANKS[card[0]]), suit=Word(_SUITS[card[1]]))


def narrate(
    state: State, table: Table, viewer: int | None, steps: Sequence[Step], was_asked: Sequence[str], now: float
) -> Narration:
    """Tell the steps that led to the present table, from a state in which `was_asked` had to choose. Empty if the game
    fails, because its screen says so (build.py).
    """
    if table.game not in PRESENTERS or not steps:
        return NOTHING
    try:
        context = context_of(state, table, viewer, now)
        if context.view is None:
            return NOTHING
        return Narration(
            tuple(_lines(context, context.view, PRESENTERS[table.game], steps)),
            _turn(context, context.view, steps, was_asked),
        )
    except PresenterFault:
        return NOTHING


def _lines(context: RenderContext, view: PlayerView, presenter: Presenter, steps: Sequence[Step]) -> Iterator[Text]:
    told: set[str] = set()
    for step, after in zip(steps, (*steps[1:], None), strict=True):
        if step.kind == "called" and step.word in presenter.words.calls:
            yield presenter.words.calls[step.word].said
        elif step.kind == "rolled":
            first, second = step.dice
            yield Text("Dice: {a} and {b}", a=first, b=second)
        elif step.kind == "moved" and step.word != VOID:
            yield _move(context, view, presenter, step, after)
        elif step.kind in _CARDS and step.at not in told:
            told.add(step.at)
            come = [card for one in steps if one.kind == "dealt" and one.at == step.at for card in one.cards]
            yield from _cards(context, view, presenter, step, come)
        elif step.kind == "void":
            yield Text("The hand is void: all stakes are returned (G6).")
    if told & {*_shared(view)} and not told & {*view.mine} and len(view.mine) == 1:
        yield from (
            Text("You hold: {worth}", worth=worth) for key in view.mine if (worth := presenter.describe_hand(view, key))
        )
    if any(step.kind == "paid" for step in steps) and context.outcome is not None and not view.hand.is_void:
        yield presenter.result(view)
        yield from _payments(context, view)


def _shared(view: PlayerView) -> Iterable[str]:
    """Return the places that belong to no seat."""
    return (to for to in view.cards if to[:1].isalpha())


def _move(context: RenderContext, view: PlayerView, presenter: Presenter, step: Step, after: Step | None) -> Text:
    state = Word(presenter.words.states.get(step.played or step.word, step.played or step.word))
    if step.played and step.at in view.mine:
        return Text("Time ran out: {state}", state=state)
    name = context.name(view.owners[step.at])
    if after is not None and after.kind == "laid" and after.amount > 0 and after.at.partition(":")[0] == step.at:
        return Text("{name}: {state}, {amount}", name=name, state=state, amount=Amount(after.amount))
    return Text("{name}: {state}", name=name, state=state)


def _cards(
    context: RenderContext, view: PlayerView, presenter: Presenter, step: Step, come: Sequence[str]
) -> Iterator[Text]:
    """Tell the new or revealed cards of a place; for an own hand, all cards and their description."""
    lying = tuple(view.cards.get(step.at, ()))
    is_own = step.at in view.mine
    named = come if step.kind == "dealt" and not is_own else lying
    cards = [say_card_in_words(card) for card in named if card != HIDDEN]
    if not cards:
        return
    worth = presenter.describe_hand(view, step.at) if step.at in view.owners else None
    pile = next((pile for pile in presenter.bank(view) if pile.cards == lying), None)
    if is_own and worth is not None:
        yield Text("You have {cards}: {worth}", cards=cards, worth=worth)
    elif is_own:
        yield Text("You have {cards}", cards=cards)
    elif pile is not None and pile.description is not None:
        yield Text("{name}: {cards}: {worth}", name=pile.name, cards=cards, worth=pile.description)
    else:
        yield Text("{name}: {cards}", name=_name(context, view, step.at, pile.name if pile else None), cards=cards)


def _name(context: RenderContext, view: PlayerView, at: str, pile: Text | None) -> Text | str:
    if pile is not None:
        return pile
    key = at.partition(".")[0]
    return context.name(view.owners[key]) if key in view.owners else Text("{area}", area=Word(at))


def _payments(context: RenderContext, view: PlayerView) -> Iterator[Text]:
    """Yield everyone's payments, the viewer's own last and with reasons."""
    assert context.outcome is not None
    nets, lines = context.outcome.nets, context.outcome.lines
    for player in sorted(dict.fromkeys(view.owners.values()), key=lambda player: player == context.viewer):
        keys = [key for key, owner in view.owners.items() if owner == player]
        net = sum(nets.get(key, 0) for key in keys)
        amount = Amount(abs(net))
        if player == context.viewer:
            yield from (line for key in keys for line in lines.get(key, ()))
            yield _own_result(net, amount)
        elif net > 0:
            yield Text("{name} wins {amount}", name=context.name(player), amount=amount)


def _own_result(net: int, amount: Amount) -> Text:
    if net > 0:
        return Text("You win {amount}", amount=amount)
    if net < 0:
        return Text("You lose {amount}", amount=amount)
    return Text("You are even")


def _turn(context: RenderContext, view: PlayerView, steps: Sequence[Step], was_asked: Sequence[str]) -> Text | None:
    """Return the viewer's prompt once, not again because another player has chosen."""
    asked = {*view.mine} & {*view.hand.asks}
    chose = any(step.kind == "moved" and step.at in view.mine for step in steps)
    if not context.is_playing or (asked <= {*was_asked} and not (asked and chose)):
        return None
    moves = move_buttons(context.table, view, context.viewer)
    return Text("Your turn: {choices}", choices=[button.label for button in moves])
