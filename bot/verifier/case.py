"""A record of version 2 under examination, with what several checks need to know of it."""

from functools import cached_property

from engine.fairness import shape
from engine.fairness.beacon import QUICKNET, ChainInfo
from engine.fairness.canonical import JSON
from engine.fairness.commitment import check_commitment, check_cuts, shoe_of
from engine.fairness.record import Record, is_dropped
from engine.fairness.seals import check_seals, public_cuts
from engine.felt import Game, Options
from engine.games import GAMES
from engine.record import play_record

ABSENT = "absent"
is_digest = shape.is_hex(64)


class NotChecked(Exception):
    """Result of a check that could not be made, with the reason."""


class Case:
    """Parts of a record as the checks need them. A part is None if it follows from a wrong commitment or deck, which
    another check reports.

    `chain` is the beacon's, whose times and signatures count.
    """

    def __init__(self, record: Record, house: str | None, chain: ChainInfo = QUICKNET) -> None:
        self.record = record
        self.house = house
        self.chain = chain
        commitment = record.get("promise")
        self.commitment: dict[str, JSON] = commitment if isinstance(commitment, dict) else {}
        self.is_void = "void" in record
        self.is_dropped = is_dropped(record)
        self.start: JSON = record.get("start", 0)
        seed = record.get("seed")
        self.seed: dict[str, JSON] = seed if isinstance(seed, dict) else {}
        stakes = record.get("stakes")
        self.stakes: list[JSON] = stakes if isinstance(stakes, list) else []

    @cached_property
    def options(self) -> Options | None:
        """Return the options of a valid commitment, else None."""
        try:
            return check_commitment(self.commitment)
        except shape.Wrong:
            return None

    @property
    def game(self) -> Game:
        """Return the game of a valid commitment."""
        return GAMES[self.commitment["game"]]

    @cached_property
    def has_deck(self) -> bool:
        """Return whether the deck follows from the record."""
        try:
            check_deck(self)
        except (shape.Wrong, NotChecked):
            return False
        return self.options is not None

    @cached_property
    def answer(self) -> dict[str, JSON] | None:
        """Return the answer of `replay`, a refusal included; None without a deck to play from."""
        return play_record(self.playable) if self.has_deck else None

    @property
    def playable(self) -> Record:
        """Return the record as `replay` takes it: a wrong version is reported by its own check."""
        return self.record | {"v": 2}

    @property
    def result(self) -> dict[str, JSON] | None:
        """Return the answer of `replay` for a finished hand; None if the hand is not finished or cannot be played."""
        return self.answer if self.answer and self.answer.get("over") else None


def check_deck(case: Case) -> str | None:
    """Check everything that the deck follows from; a record has no deck to compare."""
    for name in ("deck", "dice"):
        if name in case.record:
            raise shape.Wrong(f"the {name} of a hand follow from its seed, and are not part of a record")
    if not shape.is_number(case.start):
        raise shape.Wrong("start is a number of cards")
    cuts, has_seals = check_cuts(case.seed.get("cuts", [])), "seals" in case.record
    if case.is_dropped:
        if cuts or case.start or has_seals or "unopened" in case.record:
            raise shape.Wrong("a dropped hand has no cuts and no seals, and its start is 0")
        return ABSENT
    if has_seals:
        check_seals(cuts, case.record["seals"], case.record.get("unopened"))
        if case.start:
            raise shape.Wrong("seals are given before the first hand of a shoe alone")
    elif "unopened" in case.record:
        raise shape.Wrong("there are unopened seals, and no seals")
    if case.options is None:
        raise NotChecked("the promise cannot be played")
    cards, limit = shoe_of(case.game, case.options)
    if case.start and case.start >= limit:
        raise shape.Wrong(f"no hand starts after {case.start} of {cards} cards here")
    # A later hand of a shoe repeats the cuts of its first, whoever plays now.
    players = {str(stake.get("player")) for stake in case.stakes if isinstance(stake, dict)}
    if case.start == 0 and len(public_cuts(cuts) + case.record["seals"] if has_seals else cuts) > len(players):
        raise shape.Wrong("there are more cuts than players with a bet")
    if case.is_void:
        return ABSENT
    if not is_digest(case.seed.get("server")):
        raise NotChecked("there is no seed")
    beacon = case.record.get("beacon")
    if case.commitment["beacon"] != ("beacon" in case.record):
        raise NotChecked("the promise and the record do not agree on a beacon")
    if case.commitment["beacon"] and not (isinstance(beacon, dict) and is_digest(beacon.get("randomness"))):
        raise NotChecked("the beacon's round is missing")
    return None
