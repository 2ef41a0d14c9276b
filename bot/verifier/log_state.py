"""A log's entries, followed one by one: every table's chain, every hand's course, the casino's meter.

What is kept grows with the tables and with the commitments that are open, never with the log.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from bot.verifier.faults import Faults, Spool
from engine.fairness import shape
from engine.fairness.beacon import QUICKNET, VOID_AFTER_S, ChainInfo
from engine.fairness.canonical import JSON, digest, encode, parse
from engine.fairness.commitment import check_commitment, commit_to, hash_seed, shoe_of
from engine.fairness.log import Entry, check_entry, check_form
from engine.fairness.seals import OPENING_S
from engine.games import GAMES

HOUR_S = 3600
# How long after the last payment a seed must be shown, beyond its delay; and a shoe's after its last hand.
GRACE_S = HOUR_S
SHOE_S = 24 * HOUR_S
_LONGEST_KEPT = 2**12
_Identity = tuple[JSON, JSON, JSON]


class Deck(NamedTuple):
    """Deck and game of a commitment. All is 0 or False if it cannot be played.

    limit     before how many dealt cards another hand of the shoe may start; 0: one hand alone is dealt
    may_shoe  the game has shoes, though this commitment may deal one hand alone
    """

    is_known: bool = False
    cards: int = 0
    limit: int = 0
    may_shoe: bool = False
    has_meter: bool = False


@dataclass(slots=True)
class Open:
    """A commitment whose seed has not been shown."""

    line: int
    table: str
    seed: str
    beacon: bool
    opens: int
    deck: Deck
    cuts: str = ""
    """Hash of all mixed cuts; "" while unknown."""
    round: int = 0
    start: int | None = None
    """Start of the closed, unpaid hand."""
    closed_at: int = 0
    seals: frozenset[str] = frozenset()
    """Seals of the hand that waits for its cuts entry."""
    next: int = 0
    hands: int = 0
    """Number of closed hands."""
    paid_at: int = 0
    paid_line: int = 0
    due: int | None = None
    """The time by which its seed must be shown."""


@dataclass(slots=True)
class LoggedTable:
    """A table in a log: `commit` is its newest commitment; the others are counts.

    `sealed`, `unopened`: of hands with a cuts entry.
    """

    commit: str = ""
    hands: int = 0
    dropped: int = 0
    voided: int = 0
    sealed: int = 0
    unopened: int = 0

    def per_hundred(self) -> list[float]:
        """Return [dropped, voided] per hundred hands that were dealt, void or dropped."""
        return [self._share(self.dropped), self._share(self.voided)]

    def count_seals(self) -> list[float]:
        """Return [sealed, unopened, unopened per hundred hands]."""
        return [self.sealed, self.unopened, self._share(self.unopened)]

    def _share(self, count: int) -> float:
        hands = self.hands + self.dropped
        share = round(100 * count / hands, 2) if hands else 0
        return int(share) if share == int(share) else share


class Naming(NamedTuple):
    """An entry that names a round: a head must have covered it before its time. `check` finds that none has."""

    line: int
    round: int
    due: int
    check: str


@dataclass
class LogState:
    """State of a log while its entries are read in order.

    `identity` is house, casino and log, once a head or a commitment has named them.

    `load_games` is called once, at the first commitment of a game that is not known: it may be another package's.
    """

    faults: Faults
    dropped: Spool
    voided: Spool
    identity: _Identity | None = None
    load_games: Callable[[], None] | None = None
    chain: ChainInfo = QUICKNET
    open: dict[str, Open] = field(default_factory=dict)
    tables: dict[str, LoggedTable] = field(default_factory=dict)
    naming: deque[Naming] = field(default_factory=deque)
    """Named rounds that no head has covered yet."""
    at: int = 0
    forgives_lateness: bool = False
    """Whether a late seed is no fault."""
    _meter: int | None = None
    _is_ended: bool = False

    def process_entry(self, line: int, entry: JSON) -> None:
        """Process one more entry; what is wrong is added to the faults, and the rest of the log is still followed."""
        if self.load_games is not None and is_of_unknown_game(entry):
            self.load_games()
            self.load_games = None
        try:
            check_entry(entry)
        except shape.Wrong as why:
            self.faults.add("entry", line, str(why))
            if not is_almost_a_commit(entry) and not _has_form_of_cuts(entry):
                return
        if (entry["k"] == "begin") != (line == 0):
            self.faults.add("entry", line, "a log begins with its begin entry, and has one")
        if entry["at"] < self.at:
            self.faults.add("entry", line, f"its time falls from {self.at} to {entry['at']}")
        self.at = max(self.at, entry["at"])
        if self._is_ended and entry["k"] != "open":
            self.faults.add("entry", line, "after the end only seeds are shown")
        getattr(self, f"_take_{entry['k']}")(line, entry)

    def _take_begin(self, line: int, entry: Entry) -> None:
        if self.identity is None:
            return
        _, casino, log = self.identity
        if entry["log"] != log:
            self.faults.add("entry", line, f"it begins log {entry['log']}, and the heads are of log {log}")
        if entry["after"] and entry["after"]["casino"] != casino:
            self.faults.add("entry", line, "it comes after a head of another casino")

    def _take_end(self, _line: int, _entry: Entry) -> None:
        self._is_ended = True

    def _take_commit(self, line: int, entry: Entry) -> None:
        commitment = entry["promise"]
        commit, identity = (
            commit_to(commitment),
            (commitment.get("house"), commitment.get("casino"), commitment.get("log")),
        )
        if self.identity is None:
            self.identity = identity
        if identity != self.identity:
            self.faults.add("entry", line, "the promise is of another house, casino or log")
        table = self.tables.setdefault(commitment["table"], LoggedTable())
        if commitment["previous"] != table.commit:
            given, before = shape.quote(commitment["previous"]), shape.quote(table.commit)
            self.faults.add("chain", line, f"it follows {given} and not {before}")
        if commit in self.open:
            self.faults.add("chain", line, "this promise is open already")
            return
        self._leave(line, entry["at"], table.commit)
        table.commit = commit
        self.open[commit] = Open(
            line,
            commitment["table"],
            commitment["seed"],
            commitment["beacon"],
            commitment["opens"],
            _deck_of(commitment),
        )

    def _leave(self, line: int, at: int, commit: str) -> None:
        """Close a commitment when its table moves to another one: no more hands are dealt from it."""
        left = self.open.get(commit)
        if left is None:
            return
        if left.start is not None:
            self.faults.add("paid", line, f"the hand of the promise in line {left.line} is closed, and was not paid")
        if not left.hands:
            left.due = at

    def _take_close(self, line: int, entry: Entry) -> None:
        left = self.open.get(entry["commit"])
        if left is None:
            self.faults.add("close", line, "no commitment with this hash is open")
            return
        wrong = self._close_of(left, entry)
        if wrong:
            self.faults.add("close", line, wrong)
        if not left.hands:
            left.seals = frozenset(entry.get("seals", ()))
            left.cuts, left.round = "" if left.seals else entry["cuts"], entry["round"]
            if not wrong:
                self._note_naming(line, entry)
        left.hands += 1
        left.start, left.closed_at, left.due = entry["start"], entry["at"], None

    def _note_naming(self, line: int, entry: Entry) -> None:
        if entry["round"]:
            due = self.chain.time_of(entry["round"])
            self.naming.append(Naming(line, entry["round"], due, entry["k"]))

    def _close_of(self, left: Open, entry: Entry) -> str:
        """Describe what is wrong with a close entry, or return ""."""
        start, round = entry["start"], entry["round"]
        if self.tables[left.table].commit != entry["commit"]:
            return "its table has a newer promise"
        if left.start is not None:
            return "the hand before is not paid"
        if not left.hands:
            due = 0 if "seals" in entry else self._due_round(left, entry)
            if start:
                return f"the first hand of a promise starts at 0 and not at {start}"
            return "" if round == due else f"it names round {round} and not {due}"
        if "seals" in entry:
            return "seals are given before the first hand of a shoe alone"
        if left.deck.is_known and not left.deck.limit:
            return "this promise deals one hand alone"
        if start != left.next:
            # It is unknown which of the two is wrong.
            self.faults.add("paid", left.paid_line, f"its next hand starts at {start} and not at {left.next}")
            return f"it starts at {start}, and the hand before ended at {left.next}"
        if left.deck.is_known and start >= left.deck.limit:
            return f"no hand starts after {start} of {left.deck.cards} cards here"
        if (entry["cuts"], round) != (left.cuts or entry["cuts"], left.round):
            return "cuts and round are those of the shoe's first hand"
        return ""

    def _due_round(self, left: Open, entry: Entry) -> int:
        return self.chain.round_after(entry["at"]) if left.beacon else 0

    def _take_cuts(self, line: int, entry: Entry) -> None:
        left = self.open.get(entry["commit"])
        if left is None or not left.seals:
            self.faults.add("cuts", line, "no hand of this commitment is closed with seals and waiting for its cuts")
            return
        wrong = self._cuts_of(left, entry)
        if wrong:
            self.faults.add("cuts", line, wrong)
        else:
            self._note_naming(line, entry)
        table = self.tables[left.table]
        table.sealed += len(left.seals)
        table.unopened += len(entry["unopened"])
        left.cuts, left.round, left.seals = entry["cuts"], entry["round"], frozenset()

    def _cuts_of(self, left: Open, entry: Entry) -> str:
        """Describe what is wrong with a cuts entry, or return ""."""
        if entry["start"] != left.start:
            return f"it is of the hand that starts at {entry['start']}, and the closed one starts at {left.start}"
        if not left.seals.issuperset(entry["unopened"]):
            return "an unopened seal is not one of the close's"
        if entry["unopened"] and entry["at"] < left.closed_at + OPENING_S:
            return f"seals are called unopened within {OPENING_S} s of the close"
        due = self._due_round(left, entry)
        return "" if entry["round"] == due else f"it names round {entry['round']} and not {due}"

    def _take_paid(self, line: int, entry: Entry) -> None:
        left = self.open.get(entry["commit"])
        if left is None or left.start is None:
            self.faults.add("paid", line, "no hand of this commitment is closed and waiting for its payout")
            self._follow_meter(line, entry["meter"])
            return
        if left.seals:
            self.faults.add("cuts", line, "the hand is paid, and no cuts entry has settled its seals")
            left.seals = frozenset()
        if wrong := _paid_of(left, entry):
            self.faults.add("paid", line, wrong)
        self._check_time_of_payment(line, left, entry)
        self._follow_meter(line, entry["meter"])
        table = self.tables[left.table]
        table.hands += 1
        if entry["void"]:
            table.voided += 1
            told = {"commit": entry["commit"], "start": entry["start"], "table": left.table}
            self.voided.add({**told, "round": left.round, "why": entry["void"]})
        left.start, left.next, left.paid_at, left.paid_line = None, entry["next"], entry["at"], line
        left.due = entry["at"] + (SHOE_S if left.deck.limit else left.opens * HOUR_S + GRACE_S)

    def _check_time_of_payment(self, line: int, left: Open, entry: Entry) -> None:
        if not left.beacon or not left.round:
            return
        due = self.chain.time_of(left.round)
        if entry["at"] < due:
            check = "void" if entry["void"] else "paid"
            self.faults.add(check, line, f"it is before {due}, the time of round {left.round}")
            return
        is_undealt = entry["void"] and left.deck.limit and entry["next"] == entry["start"]
        if is_undealt and entry["at"] < due + VOID_AFTER_S:
            self.faults.add("void", line, f"nothing was dealt, within an hour of the time of round {left.round}")

    def _follow_meter(self, line: int, meter: JSON) -> None:
        if not meter:
            return
        if self._meter is not None and meter["before"] != self._meter:
            self.faults.add("paid", line, f"the meter stood at {self._meter}, and not at {meter['before']}")
        self._meter = meter["after"]

    def _take_meter(self, line: int, entry: Entry) -> None:
        self._follow_meter(line, entry)

    def _take_open(self, line: int, entry: Entry) -> None:
        left = self.open.pop(entry["commit"], None)
        if left is None:
            self.faults.add("opening", line, "no commitment with this hash is open, or its seed was shown before")
            return
        if self.forgives_lateness:
            left.due = None
        if wrong := _opening_of(left, entry):
            self.faults.add("opening", line, wrong)
        if left.start is not None:
            self.faults.add("paid", line, "its hand is closed, and was not paid")
        if not left.hands:
            self.tables[left.table].dropped += 1
            self.dropped.add({"commit": entry["commit"], "table": left.table, "why": entry["why"]})

    def unopened(self, newest: int) -> Iterator[str]:
        """Yield commits whose seed has not been shown; overdue by the newest head's time, they are faults."""
        for commit, left in self.open.items():
            # After the next commitment of its table, one that was not dealt must be opened within the same second.
            if left.due is not None and newest > left.due - (not left.hands):
                self.faults.add("opening", left.line, f"its seed was not shown by {left.due}")
            yield commit


def _paid_of(left: Open, entry: Entry) -> str:
    """Describe what is wrong with a payout entry, or return ""."""
    deck, start, next = left.deck, entry["start"], entry["next"]
    if start != left.start:
        return f"it pays the hand that starts at {start}, and the closed one starts at {left.start}"
    if not deck.is_known:
        return ""
    if bool(entry["meter"]) != deck.has_meter:
        return "this game has no meter" if entry["meter"] else "it does not tell the meter"
    if entry["void"] and entry["meter"] and entry["meter"]["before"] != entry["meter"]["after"]:
        return "a void hand leaves the meter as it was"
    if not deck.may_shoe:
        return "" if next == 0 else "next is 0 where no shoe goes on"
    is_of_one_hand = not deck.limit and next == 0
    is_dealt = start < next <= deck.cards or (bool(entry["void"]) and next == start)
    return "" if is_of_one_hand or is_dealt else f"the next hand cannot start at {next}"


def _opening_of(left: Open, entry: Entry) -> str:
    """Describe what is wrong with an open entry, or return ""."""
    at = entry["at"]
    if hash_seed(bytes.fromhex(entry["seed"])) != left.seed:
        return "the seed does not match the commitment"
    if left.start is not None:
        return "the seed is shown while its hand is under way"
    if not left.hands and not entry["why"]:
        return "a promise that was not dealt says why"
    if left.hands and entry["why"]:
        return "bets were closed on this promise: it is not dropped, and does not say why"
    if left.hands and at < left.paid_at + left.opens * HOUR_S:
        return f"it is shown before its {left.opens} hours are over"
    return "" if left.due is None or at <= left.due else f"it had to be shown by {left.due}"


def is_of_unknown_game(entry: JSON) -> bool:
    """Check for a commit to a hand of an unknown game."""
    commitment = entry.get("promise") if isinstance(entry, dict) else None
    return isinstance(commitment, dict) and commitment.get("game") not in list(GAMES)


def _has_form_of_cuts(entry: JSON) -> bool:
    """Return whether it is a close or a cuts entry in which only the order of the seals is wrong."""
    try:
        return check_form(entry) in ("close", "cuts")
    except shape.Wrong:
        return False


def is_almost_a_commit(entry: JSON) -> bool:
    """Check for a commit that cannot be played but can be followed in its table's chain."""
    if not isinstance(entry, dict) or entry.get("k") != "commit" or not shape.is_number(entry.get("at")):
        return False
    commitment = entry.get("promise")
    if not isinstance(commitment, dict):
        return False
    kinds = {"table": str, "previous": str, "seed": str, "beacon": bool, "opens": int}
    return all(type(commitment.get(name)) is kind for name, kind in kinds.items())


def _deck_of(commitment: dict[str, JSON]) -> Deck:
    if not isinstance(commitment.get("game"), str):
        return Deck()
    told = encode({name: commitment.get(name) for name in ("game", "rules", "options")})
    # Deals that nobody can play are not kept: a line may be long.
    return _deck_told(told) if len(told) < _LONGEST_KEPT else _deck_told.__wrapped__(told)


@lru_cache(256)
def _deck_told(told: bytes) -> Deck:
    """Return the deck of a commitment's game and options, cached because tables keep the same options."""
    given = parse(told)
    commitment = _ANY_COMMITMENT | given
    try:
        options = check_commitment(commitment)
    except shape.Wrong:
        return Deck()
    game = GAMES[given["game"]]
    cards, limit = shoe_of(game, options)
    return Deck(True, cards, limit, game.shoe is not None, game.meter is not None)


# The fields of a commitment that do not affect the deck.
_ANY_COMMITMENT = {
    "v": 2,
    "house": "0" * 64,
    "casino": "any",
    "log": 1,
    "table": "any",
    "hand": "any",
    "previous": "",
    "beacon": False,
    "opens": 0,
    "seed": digest("any"),
}
