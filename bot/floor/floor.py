"""Handle commands, let clocks expire, publish. Who calls writes the paper in between: what is said is on disk.

batch = floor.work(commands, now)     on paper: nothing in memory has changed
books.write(batch.paper)
floor.publish(batch)                  the new frozen tables replace the old
"""

import heapq
import json
import logging
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.floor import betting, chips, inspectors, knowing, meter, playing, stacks
from bot.floor.command import Answer, Command, Confirm, Place, Refused, Who
from bot.floor.house import Casino, House, Paper, Player
from bot.floor.playing import HandFault
from bot.floor.registry import VERBS, Request
from bot.floor.table import PACES, Table, load_table
from bot.texts import LANGUAGES, Text, dump_texts, load_texts
from engine.errors import Illegal
from engine.felt import Amount
from engine.hand import GAMES, Hand
from engine.record import parse_record
from engine.shuffler import commit
from storage import ledger
from storage.database import Books
from storage.ledger import NotEnoughChips
from storage.rows import AnswerRow, CasinoRow, HandRow, PlaceRow, PlayerRow, PostingRow, TableRow

LOUNGE = 1
LONGEST_NAME = 32
SUSPENDED_LOOK_S = 5.0
REMEMBERED = 10_000
_log = logging.getLogger("ridotto.floor")


@dataclass
class Batch:
    """What a round of commands came to, on paper. `answers` stand in the order of the commands."""

    paper: Paper
    answers: list[Answer]


class Floor:
    """Owns the published state. One thread at a time; `entropy(n)` hands in n random bytes."""

    def __init__(self, books: Books, entropy: Callable[[int], bytes], now: float) -> None:
        """Loads what is open, replays hands that were being played and re-arms their clocks; opens the lounge."""
        self.house = House(books)
        self.entropy = entropy
        self._deadlines: list[tuple[float, int]] = []
        self._recent: OrderedDict[str, Answer] = OrderedDict()
        paper = Paper(self.house)
        self._load(paper, now)
        if LOUNGE not in self.house.casinos:
            self._open_lounge(paper, now)
        paper.finish()
        books.write(paper)
        self.publish(Batch(paper, []))

    # Commands

    def work(self, commands: Sequence[Command], now: float) -> Batch:
        """Everything on paper: each command on top of those before it, then the clocks that have run out."""
        batch = Batch(Paper(self.house), [])
        known = {
            key: _load_answer(answer)
            for key, answer in self.house.books.answers(command.key for command in commands).items()
        }
        for command in commands:
            answer = known.get(command.key) or self._recent.get(command.key)
            if answer is None:
                answer = self._answer(batch.paper, command, now)
                known[command.key] = answer
            batch.answers.append(answer)
        self._expire(batch.paper, now)
        batch.paper.finish()
        return batch

    def publish(self, batch: Batch) -> set[int]:
        """The tables that changed, after what is on disk became what everybody sees."""
        self.house.publish(batch.paper)
        for table in batch.paper.tables.values():
            if table.deadline is not None:
                heapq.heappush(self._deadlines, (table.deadline, table.id))
        return set(batch.paper.tables)

    def next_deadline(self) -> float | None:
        """When a clock runs out next; entries of clocks that were set anew are passed over."""
        while self._deadlines:
            deadline, id = self._deadlines[0]
            table = self.house.table(id)
            if table is not None and table.deadline == deadline:
                return deadline
            heapq.heappop(self._deadlines)
        return None

    def _answer(self, batch: Paper, command: Command, now: float) -> Answer:
        paper = Paper(batch)
        try:
            answer = self._handle(paper, command, now)
        except Refused as refused:
            answer = Answer((refused.text,), refused=True, clause=refused.clause)
        except Confirm as question:
            return Answer((question.text,), refused=True, confirm=True)
        except NotEnoughChips as lack:
            text = Text("That costs {wanted}, you have {has}.", "", wanted=Amount(lack.wanted), has=Amount(lack.has))
            answer = Answer((text,), refused=True)
        except HandFault as fault:
            self._void_faulty(batch, fault.table, now, fault)
            answer = Answer((Text("Something went wrong: the hand is void, every stake is back."),), refused=True)
        except Exception as fault:
            _log.error("command %s failed: %s", command.verb, type(fault).__name__, exc_info=fault)
            answer = Answer((Text("Something went wrong here; nothing has changed."),), refused=True)
        if answer.refused or paper.is_empty:
            self._remember(command.key, answer)
            return answer
        paper.put(AnswerRow(command.key, _dump_answer(answer), now))
        batch.take_over(paper)
        return answer

    def _remember(self, key: str, answer: Answer) -> None:
        """What changed nothing needs no disk; a doubled update still gets the same answer."""
        self._recent[key] = answer
        if len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)

    def _handle(self, paper: Paper, command: Command, now: float) -> Answer:
        """Known, allowed, fresh, then the verb's own checks: in this order."""
        verb = VERBS.get(command.verb)
        if verb is None:
            raise Refused("There is no such command; /help lists them.")
        place = paper.place(*command.place)
        if place is None:
            raise Refused("There is no table here. An inspector opens one with /table open.")
        casino = paper.casino(place.casino)
        player = _meet(paper, command.who, now)
        member = paper.member(casino.id, player.id) or chips.welcome(paper, casino.id, player.id, now)
        is_inspector = command.who.inspector or player.id in meter.inspectors_of(casino)
        if verb.group == "inspectors" and not is_inspector:
            raise Refused("That is for inspectors.")
        table = paper.table(place.table_id) if place.table_id else None
        if command.fresh and table is not None:
            _check_fresh(command.fresh, table, player)
        request = Request(paper, now, command, self.entropy, casino, player, member, table, is_inspector)
        return verb.run(request)

    # Clocks

    def _expire(self, batch: Paper, now: float) -> None:
        due: set[int] = set()
        while self._deadlines and self._deadlines[0][0] <= now:
            due.add(heapq.heappop(self._deadlines)[1])
        for id in sorted(due):
            table = batch.table(id)
            if table is None or table.deadline is None or table.deadline > now:
                continue
            paper = Paper(batch)
            try:
                self._tick(paper, table, now)
            except HandFault as fault:
                self._void_faulty(batch, id, now, fault)
                continue
            batch.take_over(paper)
        for casino in list(self.house.casinos.values()):
            if casino.get("prizes", []):
                meter.confirm_old_prizes(batch, batch.casino(casino.id), now)

    def _tick(self, paper: Paper, table: Table, now: float) -> None:
        if table.play is not None:
            playing.time_out(paper, table, now, self.entropy(32))
        elif table.game == "stud":
            self._tick_stud(paper, table, now)
        elif not table.bets:
            paper.set_table(table.change(seats={}, deadline=None))
        elif meter.is_suspended(paper, table):
            paper.set_table(table.change(deadline=now + SUSPENDED_LOOK_S))
        else:
            playing.deal(paper, table, now, self.entropy(32))

    def _tick_stud(self, paper: Paper, table: Table, now: float) -> None:
        if stacks.players_in(paper, table):
            playing.deal(paper, table, now, self.entropy(32))
        else:
            paper.set_table(table.change(started=None, deadline=None))

    def _void_faulty(self, batch: Paper, id: int, now: float, fault: BaseException) -> None:
        """A fault of engine or books voids the hand, gives every stake back, and serves the others on (G6)."""
        table = batch.table(id)
        assert table is not None
        _log.error("hand %s is void", table.hand_id, exc_info=fault.__cause__)
        paper = Paper(batch)
        if table.play is not None:
            playing.void(paper, table, now, self.entropy(32))
        else:
            betting.return_all_bets(paper, table, now, "void")
        paper.audit(now, table.casino, 0, "void", f"hand {table.hand_id}", "a fault of the house")
        batch.take_over(paper)

    # Start

    def _load(self, paper: Paper, now: float) -> None:
        house, books = self.house, self.house.books
        for casino in books.rows(CasinoRow):
            house.casinos[casino.id] = Casino(casino.id, casino.name, json.loads(casino.state), casino.founded)
        for place in books.rows(PlaceRow):
            house.places[place.platform, place.address] = place
        hands = {row.id: row for row in books.open_hands()}
        for row in books.rows(TableRow):
            table = load_table(row.id, row.casino, row.game, row.status, row.state)
            house.tables[table.id] = table
            for player in table.players():
                house.player(player)
            if table.hand_id in hands:
                self._resume(paper, table, hands[table.hand_id], now)

    def _resume(self, paper: Paper, table: Table, row: HandRow, now: float) -> None:
        """The same hand with the same cards; the clock starts anew, for the house was away (experience, 6)."""
        table = replace(
            table, seed=row.seed, commit=commit(row.seed), opened=row.opened, last=self._read_hand(table.last_hand)
        )
        if row.status == "betting" and table.game == "stud":
            paper.set_table(stacks.wake(paper, table.change(started=None, deadline=None), now))
            return
        if row.status == "betting":
            wait = table.settings.betting_s if table.bets else betting.SLEEP_AFTER_S
            paper.set_table(table.change(deadline=now + wait if table.bets or table.seats else None))
            return
        hand = self._read_hand(row.id)
        if hand is None:
            _refund_from_books(paper, table, row, now, self.entropy(32))
            return
        paper.set_table(table.change(play=hand, deadline=now + PACES[table.settings.pace], extended=None))

    def _read_hand(self, id: int | None) -> Hand | None:
        """A hand as the books have it; None when there is none, or when it does not replay under these rules."""
        record = knowing.read_record(self.house.books, id, with_seed=True) if id else None
        if record is None:
            return None
        try:
            return Hand(*parse_record(record))
        except Illegal as fault:
            _log.error("hand %s does not replay any more: %s", id, fault)
            return None

    def _open_lounge(self, paper: Paper, now: float) -> None:
        """The first casino, with a table of each game, and a second one that shares the meter."""
        # In the lounge a name is picked in a moment: nobody waits a day for gifts, or for stud.
        rules = {"give_after_s": 0, "give_a_day": 10_000_00}
        casino = paper.set_casino(Casino(LOUNGE, "Lounge", rules, now))
        meter.found_meter(paper, casino, now)
        for game in (*GAMES, "caribbean"):
            inspectors.open_table(paper, casino.id, game, Place("web", ""), now, self.entropy(32))


def _check_fresh(fresh: str, table: Table, player: Player) -> None:
    """A button of an older state is answered quietly and does nothing."""
    hand, _dot, count = fresh.partition(".")
    moves = table.play.moves if table.play is not None else ()
    mine = set(table.seats_played_by(player.id)) if table.play is not None else set()
    if hand != str(table.hand_id) or (count and int(count) != sum(move.seat in mine for move in moves)):
        raise Refused("That was before: look at the table as it is now.")


def _meet(paper: Paper, who: Who, now: float) -> Player:
    """The player behind an account; a new account is a new player."""
    known = paper.identity(who.platform, who.account)
    if known is not None:
        return paper.player(known)
    name = check_name(who.name) if who.platform == "web" else trim_name(who.name)
    language = who.language if who.language in LANGUAGES else "en"
    state = {"hidden": True} if who.platform == "guest" else {}
    player = Player(paper.next_id(PlayerRow), _free_name(paper, who.platform, name), language, state, now)
    paper.set_player(player)
    paper.set_identity(who.platform, who.account, player.id)
    return player


def trim_name(name: str) -> str:
    """Any platform's name as one short line of visible characters."""
    visible = (c if unicodedata.category(c)[0] != "C" else " " for c in unicodedata.normalize("NFC", name))
    return " ".join("".join(visible).split())[:LONGEST_NAME].strip() or "?"


def check_name(name: str) -> str:
    """A name that somebody picks here. Raises Refused."""
    trimmed = trim_name(name)
    if trimmed == "?" or trimmed != " ".join(name.split()) or set(trimmed) & set('<>&"/@'):
        raise Refused("Pick a name of 1 to {most} letters, digits and spaces.", None, most=LONGEST_NAME)
    return trimmed


def _free_name(paper: Paper, platform: str, name: str) -> str:
    """Two people of one name in the lounge would be mistaken for each other."""
    if platform not in ("web", "guest"):
        return name
    taken = {row[0] for row in paper.books.select("SELECT name FROM players WHERE name LIKE ? || '%'", name)}
    taken |= {player.name for player in paper.players.values()}
    tries = (name if n == 1 else f"{name} {n}" for n in range(1, 10**6))
    return next(one for one in tries if one not in taken)


def _refund_from_books(paper: Paper, table: Table, row: HandRow, now: float, entropy: bytes) -> None:
    """A hand that no longer replays after an upgrade: every posting of it is undone, whatever it was (G6)."""
    postings = paper.books.rows(PostingRow, "WHERE hand = ? ORDER BY id DESC", row.id)
    for number, posting in enumerate(postings, start=1):
        giver = posting.credit if paper.balance(posting.credit) >= posting.amount else ledger.bank(table.casino)
        paper.post(giver, posting.debit, posting.amount, "void", now, row.id, f"undo {number}")
    paper.put(row._replace(status="void", closed=now))
    paper.audit(now, table.casino, 0, "void", f"hand {row.id}", "does not replay under these rules")
    betting.open_hand(paper, table, now, entropy)


def _dump_answer(answer: Answer) -> str:
    return json.dumps([dump_texts(answer.texts), answer.refused, answer.clause])


def _load_answer(data: str) -> Answer:
    texts, refused, clause = json.loads(data)
    return Answer(load_texts(texts), refused, clause)
