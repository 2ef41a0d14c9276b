"""Pieces for presenters: piles and hand descriptions, limits, chips, and `nothing` for hooks that a game does not need.

LOOK = plain_look(house=lambda sight: bank_pile(sight, "dealer", Text("Dealer"), worth), piles=..., ...)
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from bot.core.commands.worth import of_poker
from bot.core.rounds import cash_table
from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Pile
from bot.view.look import NO_METER, NO_STACKS, Bets, BuyIn, Look, Stacks
from bot.view.scene import Scene
from bot.view.sight import Sight
from bot.view.words import Words
from engine.cards import HIDDEN, Card
from engine.felt import Amount, Word

Worth = Callable[[Sight, str], Text | None]
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


def plain_look(
    *,
    house: Callable[[Sight], tuple[Pile, ...]],
    piles: Callable[[Sight, str], tuple[Pile, ...]],
    worth: Worth,
    result: Callable[[Sight], Text],
    words: Words,
    bets: Bets,
) -> Look:
    """Return the presenter of a game against the bank with common limits (G5); change it by `dataclasses.replace`."""
    return Look(
        house=house,
        piles=piles,
        worth=worth,
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
"""Of a game that is played from stacks."""


def _buy_in(scene: Scene) -> BuyIn:
    """Return the stack that a press takes to the table."""
    table, chips = scene.table, scene.chips()
    least, most = cash_table.stack_limits(scene.options, table, scene.state.casinos[table.casino])
    usual = cash_table.usual_stack(scene.options, table, scene.viewer or 0, min(chips, most), scene.now)
    return BuyIn(usual if usual >= least else 0, least, most)


def _is_out(table: Table, player: int) -> bool:
    return player in cash_table.memory_of(table).out


def _button(table: Table) -> int:
    return cash_table.memory_of(table).button


CASH_STACKS = Stacks(_buy_in, _is_out, _button)
"""Hooks of a game that is played from stacks at the casino's cash tables."""


def bank_pile(sight: Sight, to: str, name: Text, worth: Worth) -> tuple[Pile, ...]:
    """Return the cards of `to`, a hand of the bank; empty before they are dealt."""
    cards = tuple(sight.cards.get(to, ()))
    return (Pile(name, cards, worth(sight, to)),) if cards else ()


def seat_pile(sight: Sight, key: str, worth: Worth, leaves: int = 0) -> tuple[Pile, ...]:
    """Return the single hand of a seat; `leaves` is the position of a card being exchanged."""
    cards = tuple(sight.cards.get(key, ()))
    return (Pile(Text("Cards"), cards, worth(sight, key), key in sight.hand.asks, leaves),) if cards else ()


def bank_hand(to: str, name: Text, worth: Worth = none) -> Callable[[Sight], tuple[Pile, ...]]:
    """Return `Look.house` for a bank with one hand."""
    return lambda sight: bank_pile(sight, to, name, worth)


def hands_of(
    names: Sequence[str], worth: Callable[[Sequence[Card]], Text | None]
) -> Callable[[Sight], tuple[Pile, ...]]:
    """Return `Look.house` for hands that no one at the table holds, each with its description, as far as dealt."""
    return lambda sight: tuple(
        Pile(Text("{area}", area=Word(to)), tuple(sight.cards[to]), worth(sight.cards[to]), to=to)
        for to in names
        if to in sight.cards
    )


def one_hand(worth: Worth = none) -> Callable[[Sight, str], tuple[Pile, ...]]:
    """Return `Look.piles` for seats with one hand each."""
    return lambda sight, key: seat_pile(sight, key, worth)


def seen_worth(worth: Callable[[Mapping[str, Sequence[Card]], str], Text | None]) -> Worth:
    """Return `Look.worth` from `Play.worth`; None for a seat without visible cards."""
    return lambda sight, key: worth(sight.cards, key) if key in sight.cards else None


def poker_worth(sight: Sight, to: str) -> Text | None:
    """Describe the best five of the own cards and the open board; None if an own card is hidden."""
    cards = sight.cards.get(to, ())
    if not cards or HIDDEN in cards:
        return None
    return of_poker([*cards, *(card for card in sight.cards.get("board", ()) if card != HIDDEN)])


def bet_limits(scene: Scene) -> Text:
    """Return minimum, maximum and step, for the foot of a screen."""
    options = scene.options
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
