"""Invariants of the store that a killed process leaves, and of all answers of its lifetime."""

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.cli.doctor import examine
from bot.core.rounds.hand_records import commit_of, proven, read_record
from bot.core.state.table import owners_of
from bot.verifier.records import verify_record
from engine.hand import Hand
from engine.record import parse_record
from storage.questions import logs
from storage.questions.hands import hand as hand_row
from storage.rows import HandRow
from storage.sqlite import FILE, reading
from storage.store import Reader, Store
from tests.disk import ask, rows_of
from tests.kills.deeds import Deeds, LoungeView, torn

OURS = ("ridotto.writer", "ridotto.handle", "ridotto.schedule", "ridotto.recovery", "ridotto.startup", "ridotto.web")
# A move of an older Ridotto, unknown to these rules.
UNHEARD_OF = "1 dance"
# Log lines of a node that was stopped until another owned its store.
STOPPED = "This process has stopped."


class Evidence:
    """Checker of the store after each death, before it is opened again; it remembers what must hold next time.

    It looks at a copy, because the next process must find the log as the kill left it.
    """

    def __init__(self, folder: Path, deeds: Deeds) -> None:
        self.folder, self.deeds = folder, deeds
        self.copy = folder.with_name("as it was left")
        self.hands: dict[int, tuple[bytes, Any, list[str]]] = {}
        self.given_up: set[int] = set()
        self.resumed: Counter[str] = Counter()
        self.settled: set[int] = set()

    def look(self, *, anew: bool = False) -> list[str]:
        """Return all faults. Hands settled before the last check are not replayed, except with `anew`."""
        with self.books() as books:
            # While a hand with the older mark exists, `doctor` reports it.
            aged = tuple(f"Hand {id} does not replay:" for id in self.given_up)
            found = [fault for fault in examine(books, () if anew else self.settled) if not fault.startswith(aged)]
            found += self._hear(books)
            found += self._follow_hands(books)
        return found

    @contextmanager
    def books(self) -> Iterator[Reader]:
        shutil.rmtree(self.copy, ignore_errors=True)
        self.copy.mkdir()
        for file in self.folder.glob(f"{FILE}*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, self.copy)
        with reading(self.copy / FILE) as books:
            yield books

    def _hear(self, books: Reader) -> Iterator[str]:
        """Check that nothing acknowledged is lost and nothing is half there."""
        written = dict(ask(books, "SELECT key, at FROM answers"))
        for deed in self.deeds.lost(written):
            yield f"{deed.key} was acknowledged ({deed.choice.verb} {deed.choice.args}) and is not in the books"
        identities = ask(books, "SELECT platform, name, player FROM identities")
        players = {(platform, name): player for platform, name, player in identities if platform != "web"}
        players |= {("web", str(player)): player for platform, _name, player in identities if platform == "web"}
        charged = """SELECT debit, at FROM postings WHERE debit LIKE 'player:%'
                     AND (event LIKE 'bet %' OR why IN ('buy in', 'top up'))"""
        taken = Counter((int(debit.rpartition(":")[2]), at) for debit, at in ask(books, charged))
        yield from torn(self.deeds.all, written, taken, players)

    def _follow_hands(self, books: Reader) -> Iterator[str]:
        """Check that a hand in play continues: the same seed and deal, and its moves with later ones after them."""
        for id, (seed, deal, moves) in list(self.hands.items()):
            row = hand_row(books, id)
            now = _moves(books, id)
            if row is None or row.seed != seed or _dealt(row.deal) != deal or now[: len(moves)] != moves:
                yield f"Hand {id} is not the hand that it was: {row}, {now}; {deal}, {moves}"
            elif row.status == "void" and id not in self.given_up:
                yield f"Hand {id} was not resumed: it is void"
            elif row.status == "over":
                self.resumed[row.game] += 1
            if row is None or row.status != "playing":
                del self.hands[id]
        playing = rows_of(books, HandRow, "WHERE status = 'playing'")
        self.hands |= {row.id: (row.seed, _dealt(row.deal), _moves(books, row.id)) for row in playing}
        self.settled = {id for (id,) in ask(books, "SELECT id FROM hands WHERE closed IS NOT NULL")}

    def age_a_hand(self) -> bool:
        """Make a hand in play look like one of an older Ridotto: after an upgrade it does not replay, is void, and
        every stake comes back. False if none is in play.
        """
        with closing(sqlite3.connect(self.folder / FILE)) as books, books:
            found = books.execute("SELECT id FROM hands WHERE status = 'playing' ORDER BY id").fetchone()
            if found is None:
                return False
            (id,) = found
            ((moves,),) = books.execute("SELECT count(*) FROM moves WHERE hand = ?", (id,))
            books.execute("INSERT INTO moves VALUES (?, ?, ?, 0)", (id, moves, UNHEARD_OF))
        self.given_up.add(id)
        if id in self.hands:
            seed, dealt, moves_before = self.hands[id]
            self.hands[id] = (seed, dealt, [*moves_before[:moves], UNHEARD_OF])
        return True


class EvidenceOnServer(Evidence):
    """Evidence for a store that another node owns by now: only what was acknowledged before must be there."""

    def __init__(self, store: Store, folder: Path, deeds: Deeds) -> None:
        super().__init__(folder, deeds)
        self.store = store

    @contextmanager
    def books(self) -> Iterator[Reader]:
        with self.store.reading() as books:
            yield books


def _dealt(deal: str) -> Any:
    """Return the deal without what its payment adds, such as the meter of Caribbean Stud."""
    comes = ("jackpot", "lines", "paid", "seal", "void")
    return {name: value for name, value in json.loads(deal).items() if name not in comes}


def _moves(books: Reader, hand: int) -> list[str]:
    return [move for (move,) in ask(books, "SELECT move FROM moves WHERE hand = ? ORDER BY number", hand)]


def faults_of(path: Path) -> list[str]:
    """Return the findings of `doctor`."""
    with reading(path) as books:
        return list(examine(books))


def records(books: Reader) -> dict[int, dict[str, Any]]:
    """Return the records of all finished hands."""
    over = rows_of(books, HandRow, "WHERE status = 'over' ORDER BY id")
    found = {row.id: proven(books, row) for row in over}
    return {id: record for id, record in found.items() if record is not None}


def unsigned_logs(books: Reader) -> list[tuple[int, int]]:
    """Return (casino, number) of the casinos' current logs that have entries which no signed head covers."""
    found = []
    for row in {row.casino: row for row in logs.logs(books)}.values():
        head = logs.newest_head(books, row.casino, row.number)
        if logs.size_of_log(books, row.casino, row.number) > (head.size if head is not None else 0):
            found.append((row.casino, row.number))
    return found


def unverified(played: dict[int, dict[str, Any]]) -> Iterator[str]:
    """Yield hands that are not verified, unless they came after the newest head, which is signed every ten seconds."""
    for id, record in played.items():
        answer = verify_record(record)
        if not answer["verified"] and answer["checks"]["log"] != "absent":
            yield f"hand {id}: {answer}"


def bugs(log: Path, given_up: Set[int], meant: Sequence[str] = (STOPPED,)) -> Iterator[str]:
    """Yield logged errors of the store, rules and pages; complaints about platforms and late pictures are fine.

    `given_up` are hands that were made to look old, `meant` parts of expected messages.
    """
    old = tuple(f"hand {id} " for id in given_up)
    for line in log.read_text().splitlines():
        # A line torn by the kill precedes the next process's first one.
        begins = line.rfind('{"at": ')
        if begins < 0:
            if not (line.startswith("ridotto: ") and any(part in line for part in meant)):
                yield line  # a traceback, and no log
            continue
        said = json.loads(line[begins:])
        is_meant = any(part in said["says"] for part in meant) or said["says"].startswith(old)
        if said["level"] in ("error", "critical") and said["name"] in OURS and not is_meant:
            yield line


def find_false_views(books: Reader, views: set[LoungeView]) -> Iterator[str]:
    """Yield views of the lounge that contradict the hands."""
    commits = {row.id: commit_of(row) for row in rows_of(books, HandRow)}
    dealt: dict[int, dict[int, set[str]]] = {}
    for view in views:
        if commits.get(view.hand) != view.commit:
            yield f"{view}: the commit is another"
        shown = set()
        for id in (view.hand, view.last):
            if id is not None:
                cards = dealt.setdefault(id, _own_cards(books, id))
                shown |= cards.get(view.player, set())
        if view.cards and not set(view.cards) - {"??"} <= shown:
            yield f"{view}: the player's cards are not these, but {shown}"


def _own_cards(books: Reader, id: int) -> dict[int, set[str]]:
    """Return {player: all cards they ever held in that hand}; empty if it was not dealt."""
    record = read_record(books, id)
    if record is None or "stakes" not in record:
        return {}
    # The record of a void hand names no moves, and they were made all the same.
    moves = [move for move in _moves(books, id) if move != UNHEARD_OF]
    hand = Hand(*parse_record(record | {"moves": moves}))
    held: dict[int, set[str]] = {}
    for key, player in owners_of(hand).items():
        mine = held.setdefault(player, set())
        for event in hand.view(key):
            # The second hand of a split box is 7.2; a bet behind on box 7 is 7/p3.
            if getattr(event, "to", getattr(event, "seat", "")).partition(".")[0] == key.partition("/")[0]:
                mine |= {*getattr(event, "cards", ()), getattr(event, "card", "??")}
    return held
