"""Pieces for presenters: piles, hand descriptions, limits, chips, and `nothing` for hooks that a game does not need."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from bot.core.rounds.betting import say_limits
from bot.core.state.plays import PLAYS
from bot.texts import Card, Text
from bot.view import Pile
from bot.view.player_view import PlayerView
from bot.view.render_context import RenderContext
from engine.felt import Word

DescribeHand = Callable[[PlayerView, str], Text | None]
ASKS = Text("Amount: {limits}, for example {such}.")
# Bank hands with names of their own; others go by the game's word.
_BOARD, _BURN = "board", "burn"
_NAMES = {"dealer": Text("Dealer"), _BOARD: Text("Board")}
NAMES_OF_PILES = {to: name.template for to, name in _NAMES.items()}
# The three chips as multiples of the minimum: the first set that fits under the maximum.
_CHIPS = ((1, 5, 10), (1, 2, 5), (1, 2, 3), (1, 2), (1,))


def in_row(parts: Sequence[Text]) -> Text:
    """Return several texts as one, with dots between them; there must be at least one."""
    return reduce(lambda said, part: Text("{said} · {part}", said=said, part=part), parts)


def nothing(*_about: object) -> tuple[()]:
    """Return nothing to show."""
    return ()


def none(*_about: object) -> None:
    """Return None, for a hook that a game does not need."""
    return None


def describe_seen(view: PlayerView, to: str) -> Text | None:
    """Describe a hand by the game's `Play.describe_hand`; None before it is dealt."""
    return PLAYS[view.hand.deal.game].describe_hand(view.cards, to) if to in view.cards else None


def bank_piles(view: PlayerView) -> tuple[Pile, ...]:
    """Return the bank's hands as far as they are dealt, the board first, each with its description."""
    names = [to for to in view.cards if not to[:1].isdigit() and to != _BURN]
    return tuple(bank_pile(view, to) for to in sorted(names, key=lambda to: to != _BOARD))


def bank_pile(view: PlayerView, to: str) -> Pile:
    """Return a dealt hand of the bank's. The board has no description: it counts in those of the others."""
    cards = tuple(view.cards[to])
    description = describe_seen(view, to) if to != _BOARD else None
    if to in _NAMES:
        return Pile(_NAMES[to], cards, description)
    return Pile(Text("{area}", area=Word(to)), cards, description, to=to)


def hands_of(*names: str) -> Callable[[PlayerView], tuple[Pile, ...]]:
    """Return `Presenter.bank` with these hands in this order."""
    return lambda view: tuple(bank_pile(view, to) for to in names if to in view.cards)


def seat_pile(view: PlayerView, key: str, describe: DescribeHand = describe_seen, leaves: int = 0) -> tuple[Pile, ...]:
    """Return the single hand of a seat; `leaves` is the position of a card being exchanged."""
    cards = tuple(view.cards.get(key, ()))
    return (Pile(Text("Cards"), cards, describe(view, key), key in view.hand.asks, leaves),) if cards else ()


def describe_bank(view: PlayerView) -> Text:
    """Return the bank's hands in a sentence: by their descriptions, else by their cards."""
    piles = [pile for pile in bank_piles(view) if pile.name != _NAMES[_BOARD]]
    hands = [(pile.name, pile.description or [Card(card) for card in pile.cards]) for pile in piles]
    return in_row([Text("{hand}: {worth}", hand=name, worth=worth) for name, worth in hands])


def bet_limits(context: RenderContext) -> Text:
    """Return the limits of a bet, for the foot of a screen."""
    options = context.options
    return say_limits(options.minimum, options.maximum, options.step)


def least_bet(options: Any) -> int:
    """Return the unit of this table's chips, in minor units."""
    return int(options.minimum)


def chip_amounts(minimum: int, maximum: int, lying: int = 0) -> list[int]:
    """Return three amounts to add to a bet, fitted to the limits (G5): the minimum is a multiple of the step."""
    room = maximum - lying
    fitted = next(([n * minimum for n in chips] for chips in _CHIPS if chips[-1] * minimum <= maximum), [minimum])
    return [amount for amount in fitted if amount <= room]
