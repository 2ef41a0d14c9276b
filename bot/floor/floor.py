"""Handle commands, let clocks expire, publish. Who calls writes the paper in between: what is said is on disk.

batch = floor.work(commands, now)     on paper: nothing in memory has changed
books.write(batch.paper)
floor.publish(batch)                  the new frozen tables replace the old
"""

import logging
import re
import unicodedata
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import orjson

from bot.floor import (
    betting,
    care,
    chips,
    houses,
    inspectors,  # noqa: F401  (it declares its commands)
    keys,
    knowing,
    meter,
    office,
    places,
    playing,
    stacks,
)
from bot.floor.clocks import Clocks
from bot.floor.command import FAULT, Answer, Command, Confirm, Place, Refused, Who
from bot.floor.deals import KeptHand, known_rules
from bot.floor.house import Casino, House, Member, Paper, Player
from bot.floor.playing import HandFault, UnreadableHand
from bot.floor.registry import VERBS, Request
from bot.floor.table import PACES, Table, load_table
from bot.texts import LANGUAGES, Text, dump_texts, load_texts
from engine.felt import Amount
from engine.hand import GAMES, Hand
from engine.record import parse_record
from engine.shuffler import commit
from storage import ledger
from storage.database import Books, OpenHand
from storage.ledger import NotEnoughChips
from storage.rows import AnswerRow, CasinoRow, HandRow, PlaceRow, PlayerRow, PostingRow, TableRow

LOUNGE = places.LOUNGE
LONGEST_NAME = 32
LONGEST_LINE = 1000
SUSPENDED_LOOK_S = 5.0
REMEMBERED = 10_000
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_log = logging.getLogger("ridotto.floor")


@dataclass
class Batch:
    """What a round of commands came to, on paper. `answers` stand in the order of the commands.

    `said` are the answers that need no disk, `due` the clocks that have run out; both count once it is published.
    """

    paper: Paper
    answers: list[Answer] = field(default_factory=list)
    said: dict[str, Answer] = field(default_factory=dict)
    due: list[tuple[float, int]] = field(default_factory=list)


class Floor:
    """Owns the published state. One thread at a time; `entropy(n)` hands in n random bytes."""

    def __init__(self, books: Books, entropy: Callable[[int], bytes], now: float, language: str = "en") -> None:
        """Loads what is open and re-arms its clocks; hands are replayed when they are looked at. Opens the lounge.

        `language` is that of the tables which the lounge opens with.
        """
        self.house = House(books)
        self.language = language
        self.entropy = entropy
        self._clocks = Clocks(self._runs_out)
        self._recent: OrderedDict[str, Answer] = OrderedDict()
        # (table, hand) that somebody looked at, in whatever thread, and that the books do not play any more.
        self._unreadable: deque[tuple[int, int]] = deque()
        paper = Paper(self.house)
        self._load(paper, now)
        if LOUNGE not in self.house.casinos:
            self._open_lounge(paper, now)
        paper.finish()
        books.write(paper)
        self.publish(Batch(paper))
        for casino in self.house.casinos.values():
            self._await_confirmation(casino)

    # Commands

    def work(self, commands: Sequence[Command], now: float, *, clocks: int | None = None) -> Batch:
        """Everything on paper: each command on top of those before it, then `clocks` (or all) that have run out."""
        batch = Batch(Paper(self.house))
        self._give_up_unreadable(batch.paper, now)
        known = {
            key: _load_answer(answer)
            for key, answer in self.house.books.answers(command.key for command in commands).items()
        }
        for command in commands:
            answer = known.get(command.key) or self._recent.get(command.key)
            if answer is None:
                answer = self._answer(batch, command, now)
                known[command.key] = answer
            batch.answers.append(answer)
        batch.due += self._clocks.take(now, clocks)
        self._expire(batch, now)
        batch.paper.finish()
        return batch

    def drop(self, batch: Batch, until: float = 0.0) -> None:
        """The batch was not written: its clocks are still to be seen to, at `until` if that is later."""
        for deadline, id in batch.due:
            self._clocks.arm(id, max(deadline, until))

    def publish(self, batch: Batch) -> set[int]:
        """The tables that changed, after what is on disk became what everybody sees."""
        self.house.publish(batch.paper)
        for table in batch.paper.tables.values():
            if table.deadline is not None:
                self._clocks.arm(table.id, table.deadline)
        for casino in batch.paper.casinos.values():
            self._await_confirmation(casino)
        for key, answer in batch.said.items():
            self._remember(key, answer)
        return set(batch.paper.tables)

    def next_deadline(self) -> float | None:
        """When a clock runs out next."""
        return self._clocks.next()

    def is_due(self, now: float) -> bool:
        deadline = self._clocks.next()
        return deadline is not None and deadline <= now

    def _runs_out(self, id: int) -> float | None:
        """When the clock of a table runs out; a negative number is a casino's, whose prizes wait for their keys."""
        if id < 0:
            return keys.next_confirmation(self.house.casino(-id))
        table = self.house.table(id)
        return table.deadline if table is not None else None

    def _await_confirmation(self, casino: Casino) -> None:
        if (confirmation := keys.next_confirmation(casino)) is not None:
            self._clocks.arm(-casino.id, confirmation)

    def _answer(self, batch: Batch, command: Command, now: float) -> Answer:
        paper = batch.paper
        try:
            answer = self._handle(paper, command, now)
        except Refused as refused:
            _keep_newcomer(paper, command, now)
            answer = Answer((refused.text,), refused=True, clause=refused.clause)
        except Confirm as question:
            _keep_newcomer(paper, command, now)
            return Answer((question.text,), refused=True, confirm=True)
        except NotEnoughChips as lack:
            _keep_newcomer(paper, command, now)
            answer = _say_lack(lack, command)
        except HandFault as fault:
            self._void_faulty(paper, fault.table, now, fault)
            answer = Answer((Text("Something went wrong: the hand is void, every stake is back."),), refused=True)
            paper.put(AnswerRow(command.key, _dump_answer(answer), now))
            paper.keep()
            return answer
        except Exception as fault:
            _log.error("command %s failed: %s", command.verb, type(fault).__name__, exc_info=fault)
            answer = FAULT
        if answer.refused or not paper.has_news:
            paper.undo()
            batch.said[command.key] = answer
            return answer
        paper.put(AnswerRow(command.key, _dump_answer(answer), now))
        paper.keep()
        return answer

    def _remember(self, key: str, answer: Answer) -> None:
        """What changed nothing needs no disk; a doubled update still gets the same answer."""
        self._recent[key] = answer
        if len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)

    def _handle(self, paper: Paper, command: Command, now: float) -> Answer:
        """Known, allowed, fresh, then the verb's own checks: in this order."""
        if command.who.platform == places.HOUSE:
            return places.tend(paper, command, now, self.entropy)
        verb = VERBS.get(command.verb)
        if verb is None:
            raise Refused("There is no such command; /help lists them.")
        _check_args(command.args)
        place, player, member = _admit(paper, command, now)
        casino = paper.casino(place.casino)
        home = paper.casino(place.home) if place.home else casino
        is_inspector = command.who.inspector and not places.is_window(command.place, casino.id)
        is_inspector |= player.id in (*meter.inspectors_of(casino), *meter.inspectors_of(home))
        table = paper.table(place.table_id) if place.table_id else None
        if verb.group == "inspectors" and not is_inspector:
            raise Refused("That is for inspectors.")
        if place.home and houses.is_for_founders(verb.name) and player.id not in meter.inspectors_of(casino):
            raise Refused("That is for the inspectors of the community that founded this casino.")
        request = Request(paper, now, command, self.entropy, casino, player, member, table, is_inspector, home)
        is_staking = care.is_staking(request)
        if is_staking or verb.name in office.BARRED:
            office.check_may_play(player.id, casino, home)
        if command.fresh and table is not None:
            _check_fresh(command.fresh, table, player)
        if not is_staking:
            answer = verb.run(request)
            return care.remind(request, answer) if verb.name in playing.MOVES else answer
        care.check_may_stake(request)
        answer = verb.run(request)
        care.check_loss(request)
        return care.remind(request, answer)

    # Clocks

    def _expire(self, batch: Batch, now: float) -> None:
        away = places.away_since(batch.paper) if batch.due else {}
        for id in sorted({id for _deadline, id in batch.due}):
            if id < 0:
                keys.confirm_old_prizes(batch.paper, batch.paper.casino(-id), now)
                batch.paper.keep()
                continue
            table = batch.paper.table(id)
            if table is None or table.deadline is None or table.deadline > now:
                continue
            if id in away and now < (waits_until := away[id] + places.WAITS_S) and not places.is_lost(table):
                self._clocks.arm(id, waits_until)
                continue
            try:
                self._tick(batch.paper, table, now)
            except Exception as fault:
                # Nobody is there to be told: whatever went wrong, the hand must not wait for ever.
                self._void_faulty(batch.paper, id, now, fault)
            batch.paper.keep()

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
        if stacks.players_in(paper, table) and table.status == "open":
            playing.deal(paper, table, now, self.entropy(32))
        else:
            paper.set_table(table.change(started=None, deadline=None))

    def _give_up_unreadable(self, paper: Paper, now: float) -> None:
        while self._unreadable:
            id, hand = self._unreadable.popleft()
            table = paper.table(id)
            if table is not None and table.play is not None and table.hand_id == hand:
                self._void_faulty(paper, id, now, UnreadableHand(id))
            elif table is not None and table.last_hand == hand:
                paper.set_table(table.change(last=None))
            paper.keep()

    def _void_faulty(self, paper: Paper, id: int, now: float, fault: BaseException) -> None:
        """A fault of engine or books voids the hand, gives every stake back, and serves the others on (G6)."""
        paper.undo()
        table = paper.table(id)
        assert table is not None
        _log.error("hand %s is void", table.hand_id, exc_info=fault.__cause__ or fault)
        try:
            if isinstance(fault, UnreadableHand):
                _refund_from_books(paper, table, now, self.entropy(32))
                return
            if table.play is not None:
                playing.void(paper, table, now, self.entropy(32))
            else:
                betting.return_all_bets(paper, table, now, "void")
        except Exception as second:
            # It waits as it is for the next start, which refunds from the books what does not replay.
            _log.error("hand %s cannot be voided", table.hand_id, exc_info=second)
            paper.undo()
            paper.set_table(table.change(deadline=None))
            return
        paper.audit(now, table.casino, 0, "void", f"hand {table.hand_id}", "a fault of the house")

    # Start

    def _load(self, paper: Paper, now: float) -> None:
        house, books = self.house, self.house.books
        for casino in books.rows(CasinoRow):
            house.casinos[casino.id] = Casino(casino.id, casino.name, orjson.loads(casino.state), casino.founded)
        for place in books.rows(PlaceRow):
            house.places[place.platform, place.address] = place
        for row in books.rows(TableRow):
            house.tables[row.id] = load_table(row.id, row.casino, row.game, row.status, row.state)
        tables = list(house.tables.values())
        open_hands = books.open_hands()
        dealt = {hand.id for hand in open_hands.values() if hand.status == "playing"}
        readable = known_rules(books, dealt | {table.last_hand for table in tables if table.last_hand})
        for table in tables:
            if table.hand_id in open_hands:
                self._resume(paper, table, open_hands[table.hand_id], readable, now)

    def _resume(self, paper: Paper, table: Table, hand: OpenHand, readable: Container[int], now: float) -> None:
        """The same hand with the same cards; the clock starts anew, for the house was away (experience, 6).

        Nothing is written of it: the next start winds the clock again.
        """
        last = None
        if table.last_hand is not None and table.last_hand in readable:
            last = KeptHand(self._read_hand, table.id, table.last_hand)
        table = table.change(seed=hand.seed, commit=commit(hand.seed), opened=hand.opened, last=last)
        if hand.status == "betting" and table.game == "stud":
            table = stacks.wake(paper, table.change(started=None, deadline=None), now)
        elif hand.status == "betting":
            table = betting.wind_clock(table.change(started=None), now)
        elif hand.id not in readable:
            _log.error("hand %s does not replay any more: its rules are not here", hand.id)
            _refund_from_books(paper, table, now, self.entropy(32))
            return
        else:
            deadline = now + PACES[table.settings.pace]
            if places.is_lost(table) and table.deadline is not None:
                deadline = max(deadline, table.deadline)  # it goes on waiting for its place, or another (G10)
            table = table.change(play=KeptHand(self._read_hand, table.id, hand.id), deadline=deadline, extended=None)
        self.house.tables[table.id] = table
        if table.deadline is not None:
            self._clocks.arm(table.id, table.deadline)

    def _read_hand(self, table: int, hand: int) -> Hand:
        """Raises UnreadableHand where the books do not play it any more."""
        try:
            record = knowing.read_record(self.house.books, hand, with_seed=True)
            assert record is not None, "it has no cards"
            return Hand(*parse_record(record))
        except Exception as fault:
            _log.error("hand %s does not replay any more: %s", hand, type(fault).__name__)
            self._unreadable.append((table, hand))
            raise UnreadableHand(table) from fault

    def _open_lounge(self, paper: Paper, now: float) -> None:
        """The first casino, with a table of each game, and a second one that shares the meter."""
        # In the lounge a name is picked in a moment: nobody waits a day for gifts, or for stud.
        rules = {"give_after_s": 0, "give_a_day": 10_000_00, "language": self.language}
        casino = paper.set_casino(Casino(LOUNGE, "Lounge", rules, now))
        meter.found_meter(paper, casino, now)
        paper.set_place(PlaceRow("web", "lobby", LOUNGE, None))
        for game in (*GAMES, "caribbean"):
            place, seed = Place("web", ""), self.entropy(32)
            places.open_table(paper, casino.id, game, place, now, seed, language=self.language)


def _admit(paper: Paper, command: Command, now: float) -> tuple[PlaceRow, Player, Member]:
    """Who speaks, from where; a newcomer is a member from now on."""
    place = places.find(paper, command)
    if place is None:
        raise Refused("There is no table here. An inspector opens one with /table open.")
    player = places.remember_casino(paper, command, _meet(paper, command.who, now), place.casino)
    member = paper.member(place.casino, player.id) or chips.welcome(paper, place.casino, player.id, now)
    return place, player, member


def _say_lack(lack: NotEnoughChips, command: Command) -> Answer:
    """A player's lack is his own affair; another account that cannot give is a fault of the house."""
    if not lack.account.startswith(ledger.PLAYERS):
        _log.error("command %s failed: %s", command.verb, lack)
        return FAULT
    text = Text("That costs {wanted}, you have {has}.", "", wanted=Amount(lack.wanted), has=Amount(lack.has))
    return Answer((text,), refused=True)


def _keep_newcomer(paper: Paper, command: Command, now: float) -> None:
    """The command is undone. Whose very first it was is a member all the same; nothing is written of who was one."""
    paper.undo()
    if command.who.platform == places.HOUSE or command.verb not in VERBS:
        return
    members = len(paper.members)
    with suppress(Refused):
        _admit(paper, command, now)
        if len(paper.members) > members:
            paper.keep()
    paper.undo()


def _check_args(args: Sequence[str]) -> None:
    """What cannot be written into the books, or has no end, is refused before anything looks at it."""
    if sum(map(len, args)) > LONGEST_LINE:
        raise Refused("That is too long: say it in {most} characters.", None, most=LONGEST_LINE)
    if any(map(_UNWRITABLE.search, args)):
        raise Refused("That holds characters that cannot be written down.")


def _check_fresh(fresh: str, table: Table, player: Player) -> None:
    """A button of an older state is answered quietly and does nothing."""
    hand, _dot, count = fresh.partition(".")
    moves = table.play.moves if table.play is not None else ()
    mine = set(table.seats_played_by(player.id)) if table.play is not None else set()
    if hand != str(table.hand_id) or (count and count != str(sum(move.seat in mine for move in moves))):
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
    lower = {one.lower() for one in taken}
    tries = (name if n == 1 else f"{name} {n}" for n in range(1, 10**6))
    return next(one for one in tries if one.lower() not in lower)


def _refund_from_books(paper: Paper, table: Table, now: float, entropy: bytes) -> None:
    """A hand that no longer replays, as after an upgrade: what it took from each account and gave goes back (G6)."""
    row = paper.books.first(HandRow, "WHERE id = ?", table.hand_id)
    assert row is not None
    net: Counter[str] = Counter()
    for posting in paper.books.rows(PostingRow, "WHERE hand = ?", row.id):
        net[posting.credit] += posting.amount
        net[posting.debit] -= posting.amount
    account, bank = ledger.hand(row.id), ledger.bank(table.casino)
    del net[account]
    for giver, amount in (+net).items():
        there = amount if giver == bank else min(amount, paper.balance(giver))
        paper.post(giver, account, there, "void", now, row.id, f"undo {giver}")
    for taker, amount in (-net).items():
        short = amount - paper.balance(account)
        paper.post(bank, account, max(0, short), "void", now, row.id, f"undo for {taker}")
        paper.post(account, taker, amount, "void", now, row.id, f"undo {taker}")
    paper.put(row._replace(status="void", closed=now))
    paper.audit(now, table.casino, 0, "void", f"hand {row.id}", "does not replay under these rules")
    # The cards of a shoe that were seen are not dealt again (BJ7).
    betting.open_hand(paper, table.remember(shoe=None), now, entropy)


def _dump_answer(answer: Answer) -> str:
    return orjson.dumps([dump_texts(answer.texts), answer.refused, answer.clause]).decode()


def _load_answer(data: str) -> Answer:
    texts, refused, clause = orjson.loads(data)
    return Answer(load_texts(texts), refused, clause)
