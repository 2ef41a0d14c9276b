"""A writer of version 2 records and logs: without a store, with seeded randomness.

It calls the same functions as the casino (`engine.fairness`), keeps what it has appended, and plays any legal moves.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.cli.game_checks.random_hands import choose_move
from engine.fairness import beacon, log
from engine.fairness.beacon import VOID_AFTER_S, ChainInfo
from engine.fairness.canonical import encode
from engine.fairness.commitment import Commitment, commit_to, make_commitment, shoe_of
from engine.fairness.ed25519 import public_key
from engine.fairness.log import Entry
from engine.fairness.record import Record, make_dropped, meter_of, next_start
from engine.fairness.seals import OPENING_S, seal
from engine.felt import VOID
from engine.games import GAMES
from engine.hand import Hand
from engine.record import parse_record
from tests.beacon import chain, signed
from tests.engine.fairness.growing_log import GrowingLog, make_record, settled, sign_head
from tests.engine.fairness.trees import GrowingTree

SECRET = bytes(range(32))
CASINO = "17"
BEGAN = 1_790_000_000

# The chain whose rounds are written here, which has quicknet's times.
CHAIN = ChainInfo(chain().key, beacon.PERIOD_S, beacon.GENESIS)
# Rounds of quicknet, which anyone can request.
ROUNDS = {
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    1001: "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
}

Stakes = list[dict[str, Any]]

STAKES: Mapping[str, Stakes] = {
    "caribbean": [
        {"seat": 1, "player": "anna", "bets": {"ante": 1000, "jackpot": 100}},
        {"seat": 4, "player": "bea", "bets": {"ante": 2000}},
    ],
    "uth": [{"seat": 2, "player": "anna", "bets": {"ante": 500, "trips": 500}}],
    "paiju": [{"seat": 1, "player": "anna", "bets": {"south": 500, "north-west": 700}}],
    "blackjack": [
        {"seat": 1, "player": "anna", "bets": {"main": 2000, "admiral": 1000}},
        {"seat": 1, "player": "bea", "bets": {"main": 1000}},
        {"seat": 3, "player": "carlo", "bets": {"main": 1000}},
    ],
    "stud": [
        {"seat": 4, "player": "anna", "stack": 10000},
        {"seat": 6, "player": "bea", "stack": 3000},
        {"seat": 1, "player": "carlo", "stack": 8000},
    ],
    "puntobanco": [{"seat": 1, "player": "anna", "bets": {"punto": 500, "pair-banco": 500}}],
}


@dataclass
class Table:
    """A table's state between hands."""

    name: str
    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    beacon: bool = False
    opens: int = 0
    previous: str = ""
    commitment: Commitment = field(default_factory=dict)
    server: bytes = b""
    commit: str = ""
    start: int = 0
    cuts: Sequence[str] = ()
    round: int = 0


class Writing:
    """A growing log, with the records of its hands by id."""

    def __init__(
        self,
        seed: int = 0,
        number: int = 1,
        after: Mapping[str, Any] | None = None,
        at: int = BEGAN,
        casino: str = CASINO,
        secret: bytes = SECRET,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.names = dict(names or {})
        self.random = Random(seed)
        self.log = GrowingLog(secret, casino, number)
        self.at = at
        self.entries: list[Entry] = []
        self.heads: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.records: dict[str, Record] = {}
        self.lines: dict[str, list[int]] = {}
        self.seeds: dict[str, bytes] = {}
        self.meter = 1_000_000
        self.hands = 0
        self.append(log.begin(number, dict(after or {}), "the first log" if number == 1 else "a new key", self.at))

    def wait(self, seconds: int) -> None:
        self.at += seconds

    def append(self, entry: Entry) -> int:
        line = self.log.append(entry).line
        self.entries.append(json.loads(json.dumps(entry)))
        self.events.append(json.loads(json.dumps(entry)))
        return line

    def sign(self) -> None:
        self.heads.append(self.log.head(self.at))
        self.events.append({"sign": self.at})

    def commitment(self, table: Table) -> None:
        """Append a commitment, which opens the betting."""
        self.hands += 1
        table.server = self.seeds[str(self.hands)] = self.random.randbytes(32)
        table.commitment = make_commitment(
            house=self.log.house,
            casino=self.log.casino,
            log=self.log.number,
            table=table.name,
            hand=str(self.hands),
            game=table.game,
            options=GAMES[table.game].parse_options(table.options),
            previous=table.previous,
            server=table.server,
            beacon=table.beacon,
            opens=table.opens,
        )
        table.commit = table.previous = commit_to(table.commitment)
        table.start = table.round = 0
        line = self.append(log.committed(table.commitment, self.at))
        self.lines[table.commit] = [line]

    def play(
        self,
        table: Table,
        *,
        stakes: Stakes | None = None,
        cuts: Sequence[str] = (),
        void: str = "",
        void_after: int | None = None,
        round: Mapping[str, Any] | None = None,
        sealed: Sequence[str] = (),
        unopened: Sequence[str] = (),
    ) -> Record:
        """A hand from its close to its payment. `void`: before its deal; `void_after`: so many moves.

        `sealed` are opened cuts in hex, and `unopened` those of which only the seal is known.
        """
        stakes = STAKES[table.game] if stakes is None else stakes
        stakes = [{**stake, "player": self.names.get(stake["player"], stake["player"])} for stake in stakes]
        salt, hand = self.random.randbytes(16).hex(), str(self.hands)
        is_later = table.start > 0
        if is_later:
            self.hands += 1
            hand = str(self.hands)
        seals = {seal(cut): cut if cut in sealed else None for cut in [*sealed, *unopened]}
        if not is_later:
            table.cuts, unopened = settled(seals, cuts)
            table.round = beacon.round_after(self.at) if table.beacon and not seals else 0
        given: dict[str, Any] = {
            "salt": salt,
            "stakes": stakes,
            "cuts": table.cuts,
            "start": table.start,
            "hand": hand if is_later else "",
            "jackpot": self.meter if GAMES[table.game].meter else None,
            "seals": sorted(seals),
            "unopened": list(unopened),
        }
        closed = log.closed(
            table.commit,
            start=table.start,
            cuts=sorted(cuts) if seals else table.cuts,
            seals=sorted(seals),
            salt=salt,
            stakes=stakes,
            round=table.round,
            at=self.at,
        )
        lines = [*self.lines[table.commit][:1], self.append(closed)]
        if seals:
            self.sign()
            self.wait(OPENING_S if unopened else 1)
            lines.append(self.append(self.settle(table, unopened)))
        if table.beacon and not is_later:
            self.sign()
            self.wait(beacon.time_of(table.round) - self.at)
        if void:
            self.wait(VOID_AFTER_S if table.beacon else 0)
            record = make_record(table.commitment, table.server, **given, void=void)
        else:
            given["beacon"] = (round or signed(table.round)._asdict()) if table.beacon else None
            moves = self.moves_of(table, given, void_after)
            record = make_record(table.commitment, table.server, **given, moves=moves)
        self.wait(5)
        why = void or ("an inspector said so" if void_after is not None else "")
        meter, next = meter_of(record), next_start(record)
        paid = log.paid(table.commit, record, next=next, void=why, meter=meter, at=self.at)
        lines.append(self.append(paid))
        self.meter = meter.get("after", self.meter)
        table.start = next
        self.records[hand] = record
        self.lines[hand] = lines
        return record

    def move_meter(self, to: int, why: str) -> None:
        """Move the meter as an inspector does."""
        self.append(log.moved({"before": self.meter, "after": to}, why, self.at))
        self.meter = to

    def settle(self, table: Table, unopened: Sequence[str]) -> Entry:
        table.round = beacon.round_after(self.at) if table.beacon else 0
        return log.unsealed(table.commit, start=0, cuts=table.cuts, unopened=unopened, round=table.round, at=self.at)

    def moves_of(self, table: Table, given: Mapping[str, Any], void_after: int | None) -> list[str]:
        given = {name: value for name, value in given.items() if name not in ("seals", "unopened")}
        record: Record = {"v": 2, "promise": table.commitment, "moves": [], **given}
        record["seed"] = {"server": table.server.hex(), "cuts": list(given["cuts"])}
        record = {name: value for name, value in record.items() if value is not None}
        hand = Hand(*parse_record(record))
        while not hand.is_over and len(hand.moves) != void_after:
            hand = hand.play(choose_move(hand, self.random))
        return [str(move) for move in hand.moves] + ([VOID] if void_after is not None else [])

    def goes_on(self, table: Table) -> bool:
        """Return whether the shoe serves another hand."""
        game = GAMES[table.game]
        _, limit = shoe_of(game, game.parse_options(table.options))
        return 0 < table.start < limit

    def open(self, table: Table, why: str = "") -> None:
        """Show the seed."""
        line = self.append(log.opened(table.commit, table.server, why, self.at))
        if why:
            self.records[table.commitment["hand"]] = make_dropped(table.commitment, table.server, why)
            self.lines[table.commitment["hand"]] = [*self.lines[table.commit], line]
        table.start = 0

    def proven(self, hand: str) -> Record:
        """Return a record with its proofs in the newest head."""
        proof = self.log.prove({line: self.entries[line] for line in self.lines[hand]}, self.heads[-1])
        record: Record = json.loads(json.dumps({**self.records[hand], "log": proof}))
        return record

    def lines_of_file(self) -> list[dict[str, Any]]:
        return [*self.entries, *self.heads]

    def text(self) -> str:
        return write_lines(self.lines_of_file())


def round_of_quicknet(number: int) -> dict[str, Any]:
    signature = ROUNDS[number]
    return {"round": number, "randomness": beacon.randomness_of(bytes.fromhex(signature)), "signature": signature}


def publish(events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Publish any entries and heads, as a holder of the key can. {"sign": t} signs everything before it."""
    tree, heads = GrowingTree(), []
    for event in events:
        if "sign" in event:
            head = {"house": public_key(SECRET).hex(), "casino": CASINO, "log": 1, "size": tree.size}
            heads.append(sign_head(SECRET, {**head, "root": tree.root().hex(), "at": event["sign"]}))
        else:
            tree.append(encode(event))
    return [*(dict(event) for event in events if "sign" not in event), *heads]


def write_lines(values: Sequence[Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def an_evening(seed: int = 0, **of: Any) -> Writing:
    """Write every game at a table of its own, void and dropped hands, shoes, a beacon, delays: all that a log can
    hold.
    """
    written = Writing(seed, **of)
    written.wait(10)
    tables = [Table(f"t{number}", game) for number, game in enumerate(STAKES)]
    for table in tables:
        play_and_open(written, table)
        play_and_open(written, table, void="the house was closed")
    shoe = Table("shoe", "blackjack", {"penetration": 5000})
    for _ in range(2):
        written.commitment(shoe)
        written.play(shoe, cuts=["hearts", "anna"])
        while written.goes_on(shoe):
            written.wait(20)
            written.play(shoe)
        written.sign()
        written.open(shoe)
    small = Table("small shoe", "puntobanco", {"penetration": 300})
    written.commitment(small)
    written.play(small)
    written.play(small)
    written.wait(3000)
    written.open(small)
    written.move_meter(500_000, "counted again")
    dropping = Table("dropping", "uth")
    written.commitment(dropping)
    written.wait(60)
    written.open(dropping, "options changed")
    play_and_open(written, dropping)
    play_and_open(written, dropping, void_after=0)
    public = Table("public", "caribbean", beacon=True)
    for void in ("", "the beacon was away", ""):
        play_and_open(written, public, void=void)
    written.move_meter(2_000_000, "a present")
    play_sealed(written)
    slow = Table("slow", "stud", opens=24)
    written.commitment(slow)
    written.play(slow)
    waiting = Table("slow", "stud", opens=24, previous=slow.commit)
    written.commitment(waiting)
    written.play(waiting)
    again = Table("again", "blackjack", {"penetration": 5000}, beacon=True)
    written.commitment(again)
    written.play(again)
    written.play(again)
    written.wait(24 * 3600 - 5)
    written.sign()
    for table in (slow, waiting, again):
        written.open(table)
    lying = Table("lying", "uth")
    written.commitment(lying)
    written.sign()
    return written


def play_sealed(written: Writing) -> None:
    """Hands with sealed cuts: opened, unopened, void, with public cuts, with the beacon, of a shoe."""
    cuts = [written.random.randbytes(32).hex() for _ in range(12)]
    table = Table("sealed", "caribbean")
    play_and_open(written, table, sealed=cuts[:2])
    play_and_open(written, table, sealed=cuts[2:3], unopened=cuts[3:4])
    play_and_open(written, table, sealed=cuts[4:5], cuts=["anna"], void="the house was closed")
    play_and_open(written, table)
    public = Table("sealed public", "uth", beacon=True)
    play_and_open(written, public, sealed=cuts[5:6])
    play_and_open(written, public, unopened=cuts[6:7], void="the beacon was away")
    shoe = Table("sealed shoe", "blackjack", {"penetration": 5000}, beacon=True)
    written.commitment(shoe)
    written.play(shoe, cuts=["spades"], sealed=cuts[7:8], unopened=cuts[8:9])
    written.play(shoe)
    written.open(shoe)
    written.sign()


def play_and_open(written: Writing, table: Table, **how: Any) -> Record:
    """Play one commitment with one hand."""
    written.commitment(table)
    written.wait(30)
    record = written.play(table, **how)
    written.open(table)
    written.sign()
    return record
