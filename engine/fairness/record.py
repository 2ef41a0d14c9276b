"""The record of version 2: what is kept of a hand whose commitment stands in a log (its keys: section 6).

Written here; `engine.record` plays it, as it plays a plain record.
"""

from collections.abc import Mapping, Sequence

from engine.fairness.beacon import BeaconRound
from engine.fairness.canonical import JSON
from engine.fairness.commitment import Commitment, check_commitment, shoe_of
from engine.felt import Deal
from engine.games import GAMES
from engine.hand import Hand
from engine.record import parse_record, play_record, settle_jackpot, sums_of, write_stakes

Record = dict[str, JSON]

PAID = ("wagered", "returned", "net")


def _named_seals(seals: Sequence[str], unopened: Sequence[str]) -> Record:
    """Return the seals as a record has them: an empty list is left out."""
    return {name: sorted(named) for name, named in (("seals", seals), ("unopened", unopened)) if named}


def record_deal(
    commitment: Commitment,
    deal: Deal,
    *,
    salt: str,
    hand: str = "",
    beacon: BeaconRound | None = None,
    seals: Sequence[str] = (),
    unopened: Sequence[str] = (),
) -> Record:
    """Record a deal once bets are closed, and with `beacon` once its round is known; moves and payouts are added later.

    `hand` is the own id of a shoe's later hand; `seals` and `unopened` are those of the commitment's first hand.
    """
    seed = deal.seed
    assert seed is not None
    record: Record = {"v": 2, "promise": commitment} | ({"hand": hand} if hand else {})
    record["seed"] = {"server": seed.server.hex(), "cuts": list(seed.cuts)}
    record |= _named_seals(seals, unopened) | {"salt": salt, "start": seed.start}
    record["stakes"] = write_stakes(deal)
    if deal.jackpot is not None:
        record["jackpot"] = deal.jackpot
    return record if beacon is None else record | {"beacon": beacon._asdict()}


def record_hand(
    commitment: Commitment,
    played: Hand,
    *,
    salt: str,
    hand: str = "",
    beacon: BeaconRound | None = None,
    seals: Sequence[str] = (),
    unopened: Sequence[str] = (),
) -> Record:
    """Make the record of a hand that is over from the hand itself, which is not played again."""
    record = record_deal(commitment, played.deal, salt=salt, hand=hand, beacon=beacon, seals=seals, unopened=unopened)
    return record | {"moves": [str(move) for move in played.moves], "paid": sums_of(played)}


def record_void(dealt: Record, why: str) -> Record:
    """Record that a dealt hand is void: every bet is returned in full. No rule script runs."""
    bets: dict[str, dict[str, int]] = {}
    for stake in dealt["stakes"]:
        seat = str(stake["seat"])
        bets[f"{seat}/{stake['player']}" if seat in bets else seat] = stake.get("bets", {})
    paid = {"wagered": bets, "returned": bets, "net": dict.fromkeys(bets, 0)}
    return dealt | {"moves": [], "void": why, "paid": paid}


def make_dropped(commitment: Commitment, server: bytes, why: str) -> Record:
    """Make the record of a commitment from which nothing was dealt."""
    seed = {"server": server.hex(), "cuts": []}
    return {"v": 2, "promise": commitment, "seed": seed, "start": 0, "void": why}


def is_dropped(record: Mapping[str, JSON]) -> bool:
    """Check for a void record without stakes: nothing was dealt from its commitment."""
    return "void" in record and not record.get("stakes")


def next_start(record: Record) -> int:
    """Return where the next hand of the shoe starts: `start` plus the cards dealt; 0 without a shoe."""
    game = GAMES[record["promise"]["game"]]
    _, limit = shoe_of(game, check_commitment(record["promise"]))
    if not limit:
        return 0
    start: int = record["start"]
    return start if "void" in record else start + cards_dealt(record)


def next_after(hand: Hand) -> int:
    """Return where the next hand of the shoe starts after one that is over or void in its course; 0 without a shoe."""
    assert hand.deal.seed is not None
    _, limit = shoe_of(GAMES[hand.deal.game], hand.deal.options)
    return hand.deal.seed.start + hand.felt.drawn if limit else 0


def meter_after(hand: Hand) -> dict[str, int]:
    """Return {"before", "after"} of the meter that the hand's deal names; {} if it names none."""
    if hand.deal.jackpot is None:
        return {}
    return {"before": hand.deal.jackpot, "after": settle_jackpot(hand).meter}


def cards_dealt(record: Record) -> int:
    """Count the cards that the moves of a record took from the deck."""
    return Hand(*parse_record(record)).felt.drawn


def meter_of(record: Record) -> dict[str, int]:
    """Return {"before", "after"} of the meter of a record's game; {} if it has none."""
    meter = GAMES[record["promise"]["game"]].meter
    if meter is None:
        return {}
    before = meter.settle(check_commitment(record["promise"]), record.get("jackpot"), 0, {}).meter
    return {"before": before, "after": play_record(record)["jackpot"]}
