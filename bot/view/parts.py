"""Pieces for presenters: piles and hand descriptions, limits, chips, and `nothing` for hooks that a game does not need.

PRESENTER = plain_presenter(bank=bank_hand("dealer", Text("Dealer"), describe_hand), piles=..., ...)
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from bot.core.commands.hand_descriptions import of_poker
from bot.texts import Text
from bot.view import Pile
from bot.view.player_view import PlayerView
from bot.view.presenter import NO_METER, NO_STACKS, Bets, Presenter
from bot.view.render_context import RenderContext
from bot.view.words import Words
from engine.cards import HIDDEN, Card
from engine.felt import Amount, Word

DescribeHand = Callable[[PlayerView, str], Text | None]
# What the three chips are, as multiples of the minimum: the first of these that fits under the maximum.
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


def plain_presenter(
    *,
    bank: Callable[[PlayerView], tuple[Pile, ...]],
    piles: Callable[[PlayerView, str], tuple[Pile, ...]],
    describe_hand: DescribeHand,
    result: Callable[[PlayerView], Text],
    words: Words,
    bets: Bets,
) -> Presenter:
    """Return the presenter of a game against the bank with common limits (G5); change it by `dataclasses.replace`."""
    return Presenter(
        bank=bank,
        piles=piles,
        describe_hand=describe_hand,
        result=result,
        words=words,
        bets=bets,
        holds=nothing,
        notes=nothing,
        ahead=nothing,
        prints=nothing,
        pot=none,
        limits=bet_limits,
        least=least_bet,
        waits=none,
        road=nothing,
        stacks=NO_STACKS,
        meter=NO_METER,
    )


def bets_on(*mains: str, asks: Text) -> Bets:
    """Return buttons of chips for these spots, or for all if none is named, without side bets."""
    return Bets(mains=mains, sides=nothing, asks=asks, beside=nothing)


NO_BETS = bets_on(asks=Text(""))
"""Bets of a game with stacks."""


def bank_pile(view: PlayerView, to: str, name: Text, describe: DescribeHand) -> tuple[Pile, ...]:
    """Return the cards of `to`, a hand of the bank; empty before they are dealt."""
    cards = tuple(view.cards.get(to, ()))
    return (Pile(name, cards, describe(view, to)),) if cards else ()


def seat_pile(view: PlayerView, key: str, describe: DescribeHand, leaves: int = 0) -> tuple[Pile, ...]:
    """Return the single hand of a seat; `leaves` is the position of a card being exchanged."""
    cards = tuple(view.cards.get(key, ()))
    return (Pile(Text("Cards"), cards, describe(view, key), key in view.hand.asks, leaves),) if cards else ()


def bank_hand(to: str, name: Text, describe: DescribeHand = none) -> Callable[[PlayerView], tuple[Pile, ...]]:
    """Return `Presenter.bank` for a bank with one hand."""
    return lambda view: bank_pile(view, to, name, describe)


def hands_of(
    names: Sequence[str], describe: Callable[[Sequence[Card]], Text | None]
) -> Callable[[PlayerView], tuple[Pile, ...]]:
    """Return `Presenter.bank` for hands that no one at the table holds, each with its description, as far as dealt."""
    return lambda view: tuple(
        Pile(Text("{area}", area=Word(to)), tuple(view.cards[to]), describe(view.cards[to]), to=to)
        for to in names
        if to in view.cards
    )


def one_hand(describe: DescribeHand = none) -> Callable[[PlayerView, str], tuple[Pile, ...]]:
    """Return `Look.piles` for seats with one hand each."""
    return lambda view, key: seat_pile(view, key, describe)


def describe_seen(describe: Callable[[Mapping[str, Sequence[Card]], str], Text | None]) -> DescribeHand:
    """Return `Presenter.describe_hand` from `Play.describe_hand`; None for a seat without visible cards."""
    return lambda view, key: describe(view.cards, key) if key in view.cards else None


def describe_poker(view: PlayerView, to: str) -> Text | None:
    """Describe the best five of the own cards and the open board; None if an own card is hidden."""
    cards = view.cards.get(to, ())
    if not cards or HIDDEN in cards:
        return None
    return of_poker([*cards, *(card for card in view.cards.get("board", ()) if card != HIDDEN)])


def bet_limits(context: RenderContext) -> Text:
    """Return minimum, maximum and step, for the foot of a screen."""
    options = context.options
    least, most, step = Amount(options.minimum), Amount(options.maximum), Amount(options.step)
    return Text("{least} to {most} in steps of {step}", least=least, most=most, step=step)


def least_bet(options: Any) -> int:
    """Return the unit of this table's chips, in minor units."""
    return int(options.minimum)


def chip_amounts(minimum: int, maximum: int, lying: int = 0) -> list[int]:
    """Return three amounts to add to a bet, fitted to the limits (G5): the minimum is a multiple of the step."""
    room = maximum - lying
    fitted = next(([n * minimum for n in chips] for chips in _CHIPS if chips[-1] * minimum <= maximum), [minimum])
    return [amount for amount in fitted if amount <= room]
