"""Check payments by seat and spot against what `replay` prints."""

from collections.abc import Mapping

from bot.verifier.case import ABSENT, Case, NotChecked
from engine.fairness import shape
from engine.fairness.canonical import JSON
from engine.fairness.record import PAID

Amounts = Mapping[str, Mapping[str, JSON]]


def check_payments(case: Case) -> str | None:
    """Check every payment against the rules; an omitted spot is 0. Raises Wrong for the first difference."""
    if case.is_dropped:
        if "paid" in case.record:
            raise shape.Wrong("a dropped hand pays nothing")
        return ABSENT
    due = case.result
    if due is None and case.is_void and case.answer:
        raise shape.Wrong(case.answer["refused"])
    if due is None:
        raise NotChecked("the hand cannot be played to its end")
    paid = _parse_paid(case.record.get("paid"))
    bets = _bets_of(case.stakes)
    if not due["net"].keys() <= paid["net"].keys() <= due["net"].keys() | bets.keys():
        raise shape.Wrong("its seats are not those of the stakes")
    wagered, returned = due["wagered"], due["returned"]
    if case.is_void and _without_nothing(paid["wagered"]) == _without_nothing(bets):
        # The rules add a blind as the bet is placed: before the deal the stake may be as the player gave it.
        wagered = returned = bets
    spots = {*case.game.spots, *case.game.all_spots, *(spot for by_spot in due["wagered"].values() for spot in by_spot)}
    for seat in paid["net"]:
        _compare("wagered", seat, paid["wagered"][seat], wagered.get(seat, {}), spots)
        _compare("returned", seat, paid["returned"][seat], returned.get(seat, {}), spots)
        net = sum(returned.get(seat, {}).values()) - sum(wagered.get(seat, {}).values())
        if not _is(paid["net"][seat], net):
            raise shape.Wrong(f"net of seat {seat} is {shape.quote(paid['net'][seat])}, and the rules give {net}")
    return None


def _parse_paid(paid: JSON) -> dict[str, dict[str, JSON]]:
    if not isinstance(paid, dict) or paid.keys() != {*PAID} or not all(isinstance(paid[name], dict) for name in PAID):
        raise shape.Wrong("what was paid is told by wagered, returned and net")
    if not paid["wagered"].keys() == paid["returned"].keys() == paid["net"].keys():
        raise shape.Wrong("wagered, returned and net do not name the same seats")
    if not all(isinstance(spots, dict) for name in PAID[:2] for spots in paid[name].values()):
        raise shape.Wrong("wagered and returned tell amounts by seat and spot")
    return paid


def _bets_of(stakes: list[JSON]) -> dict[str, dict[str, int]]:
    """Return the bets as placed, by record key: a seat's first stake by its number, others by seat and player."""
    bets: dict[str, dict[str, int]] = {}
    for stake in stakes:
        seat = str(stake["seat"])
        bets[f"{seat}/{stake['player']}" if seat in bets else seat] = stake.get("bets", {})
    return bets


def _without_nothing(amounts: Amounts) -> dict[str, dict[str, JSON]]:
    return {
        seat: {spot: amount for spot, amount in spots.items() if not _is(amount, 0)} for seat, spots in amounts.items()
    }


def _compare(name: str, seat: str, paid: Mapping[str, JSON], due: Mapping[str, int], spots: set[str]) -> None:
    for spot in sorted({*paid, *due}):
        if spot not in spots:
            raise shape.Wrong(f"there is no spot {shape.quote(spot)}")
        if not _is(paid.get(spot, 0), due.get(spot, 0)):
            amount = shape.quote(paid.get(spot, 0))
            raise shape.Wrong(f"{name} of seat {seat} on {spot} is {amount}, and the rules give {due.get(spot, 0)}")


def _is(given: JSON, amount: int) -> bool:
    """Check for exactly this amount; true is no amount."""
    return type(given) is int and given == amount
