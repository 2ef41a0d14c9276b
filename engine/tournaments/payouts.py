"""Ranking and payouts: places, ties, the shares of an abandoned tournament (TN19 to TN21, TN25)."""

from collections.abc import Iterable, Mapping, Sequence

from engine.tournaments.definition import Definition

Groups = Sequence[Sequence[str]]
"""Players who tie, from the best place to the last."""


def places_of(groups: Groups, first: int = 1) -> dict[str, int]:
    """Return the place of each player; those who tie share the best of their places."""
    places: dict[str, int] = {}
    for group in groups:
        places |= dict.fromkeys(group, first)
        first += len(group)
    return places


def group_by_stack(stacks: Mapping[str, int]) -> list[list[str]]:
    """Group players by their stacks, the largest first; equal stacks tie."""
    amounts = sorted(set(stacks.values()), reverse=True)
    return [[player for player, stack in stacks.items() if stack == amount] for amount in amounts]


def pay_places(definition: Definition, prizes: Sequence[int], groups: Groups, first: int = 1) -> dict[str, int]:
    """Pay the prizes from place `first` on; each group shares its prizes, and is in order of registration (TN21)."""
    paid: dict[str, int] = {}
    for group in groups:
        together = sum(prizes[first - 1 : first - 1 + len(group)])
        paid |= _share(together, group, definition.prize_unit)
        first += len(group)
    return paid


def _share(amount: int, players: Sequence[str], unit: int) -> dict[str, int]:
    units, rest = divmod(amount, unit)
    each, odd = divmod(units, len(players))
    paid = {player: (each + (place < odd)) * unit for place, player in enumerate(players)}
    paid[players[0]] += rest
    return paid


def pay_abandoned(
    definition: Definition, pool: int, prizes: Sequence[int], stacks: Mapping[str, int]
) -> dict[str, int]:
    """Divide what is open among the players left; `stacks` are in order of registration (TN25)."""
    count = len(stacks)
    if count > len(prizes):
        amount, equal = pool, definition.round_down(pool // 2 // count)
        by_chips = pool - pool // 2
    else:
        amount, equal = sum(prizes[:count]), definition.round_down(prizes[count - 1])
        by_chips = amount - prizes[count - 1] * count
    chips = sum(stacks.values())
    paid = {
        player: equal + definition.round_down(by_chips * stack // chips if chips else 0)
        for player, stack in stacks.items()
    }
    largest = max(stacks, key=lambda player: stacks[player])
    paid[largest] += amount - sum(paid.values())
    return paid


def in_order(players: Iterable[str], order: Sequence[str]) -> list[str]:
    """Sort players by registration."""
    return sorted(players, key=order.index)
