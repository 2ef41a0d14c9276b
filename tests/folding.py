"""The state of a felt after steps of its timeline, as a page follows them (bot.view.timeline)."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from bot.view.timeline import FeltState, Step, Sums


def fold(felt: FeltState, found: Iterable[Step]) -> FeltState:
    """Return the felt after these steps."""
    for step in found:
        felt = _after(felt, step)
    return felt


def _after(felt: FeltState, step: Step) -> FeltState:
    if step.kind == "swept":
        return FeltState(hand=step.number)
    lies = felt.cards.get(step.at, ())
    changes: dict[str, Any] = {}
    match step.kind:
        case "laid":
            changes["chips"] = _added(felt.chips, step)
        case "paid":
            changes["paid"] = _added(felt.paid, step)
        case "void":
            changes |= {"paid": felt.chips, "is_void": True}
        case "dealt":
            changes["cards"] = {**felt.cards, step.at: lies + step.cards}
        case "turned":
            first, last = step.number - 1, step.number - 1 + len(step.cards)
            changes["cards"] = {**felt.cards, step.at: lies[:first] + step.cards + lies[last:]}
        case "exchanged":
            changes["cards"] = {**felt.cards, step.at: (*lies[: step.number - 1], step.cards[1], *lies[step.number :])}
        case "split":
            changes["cards"] = {**felt.cards, step.at: lies[:-1], step.word: lies[-1:]}
        case "called":
            changes["call"] = step.word
        case "rolled":
            changes["dice"] = step.dice
        case "moved":
            changes["moved"] = {**felt.moved, step.at: step.word}
        case "asked":
            changes["asked"] = step.seats
    return replace(felt, **changes)


def _added(sums: Sums, step: Step) -> Sums:
    spots = dict(sums.get(step.at, {}))
    spots[step.spot] = spots.get(step.spot, 0) + step.amount
    kept = {**sums, step.at: {spot: amount for spot, amount in spots.items() if amount}}
    return {at: spots for at, spots in kept.items() if spots}
