"""Handle commands, let clocks expire, publish. Who calls writes the paper in between: what is said is on disk.

batch = floor.work(commands, now)     on paper: nothing in memory has changed
books.write(batch.paper)
floor.publish(batch)                  the new frozen tables replace the old
"""

import logging
import re
from collections import OrderedDict, deque
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import msgspec
from msgspec import structs

from bot.core.admin import auditing, invitations, renaming
from bot.core.casinos import log_starts, places
from bot.core.command_list import ERRANDS, VERBS
from bot.core.commands import fresh
from bot.core.commands.command import FAULT, Answer, Command, Confirm, Refused, Who
from bot.core.commands.deeds import say_taken
from bot.core.commands.errands import Errand
from bot.core.commands.hooks import hooks_of, of_each_game
from bot.core.commands.naming import with_reply
from bot.core.commands.registry import Request, Trait, Verb
from bot.core.players import linking, self_limits, wallets
from bot.core.players.names import follow_member, meet
from bot.core.rounds import betting, opening, playing, promises, waiting
from bot.core.rounds.hand_records import Promised, known_rules, load_promise
from bot.core.rounds.playing import HandFault
from bot.core.rounds.recovery import close_gone, deal_anew, read_hands
from bot.core.state.casino_log import CasinoLog
from bot.core.state.casinos import CasinoState
from bot.core.state.clocks import Clocks
from bot.core.state.house import Casino, House, Member, Paper, Player, load_casino
from bot.core.state.lounge import LOBBY, LOUNGE
from bot.core.state.plays import PLAYS
from bot.core.state.table import PACES, WAITS_S, Table, Unread, load_table
from bot.texts import Text, dump_texts, load_texts
from engine.fairness.beacon import Round
from engine.fairness.promise import commit_to
from engine.felt import Amount
from storage import ledger
from storage.ledger import CannotPost, NotEnoughChips
from storage.questions import casinos, hands
from storage.questions.hands import OpenHand
from storage.rows import AnswerRow, CasinoRow, LogHeadRow, OpeningRow, PlaceRow, PostingRow
from storage.store import Books

LONGEST_LINE = 1000
REMEMBERED = 10_000
# Tables whose hands are read in one batch after a start.
READ_AT_ONCE = 20
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_log = logging.getLogger("ridotto.floor")


@dataclass
class Batch:
    """What a round of commands came to, on paper. `answers` stand in the order of the commands.

    `said` are the answers that need no disk, `due` the clocks that have run out; both count once it is published.
    """

    paper: Paper
    commands: Sequence[Command] = ()
    answers: list[Answer] = field(default_factory=list)
    said: dict[str, Answer] = field(default_factory=dict)
    due: list[tuple[float, int]] = field(default_factory=list)


class Floor:
    """Owns the published state. One thread at a time; `entropy(n)` hands in n random bytes."""

    def __init__(
        self,
        books: Books,
        entropy: Callable[[int], bytes],
        now: float,
        language: str = "en",
        key: str = "",
        *,
        sign: Callable[[CasinoLog, int], LogHeadRow] | None = None,
        chain: str = "",
    ) -> None:
        """Open the casinos of the books, and the lounge of new ones.

        `language` is that of the tables which the lounge opens with; `key` in hex the public one of the house, `sign`
        makes a head of a log for a time, with the secret one. `chain` names the beacon that it follows; "": none.
        """
        self.house = House(books, partial(read_hands, books), key, chain)
        self._sign = sign
        self.language = language
        self.entropy = entropy
        self._clocks = Clocks(self._runs_out)
        self._recent: OrderedDict[str, Answer] = OrderedDict()
        # Tables whose hands are still to be read: at once when they are needed, else some in each batch.
        self._unread: deque[int] = deque()
        # Heads that were signed in another thread.
        self._signed: deque[LogHeadRow] = deque()
        # Rounds that have come, by any thread, and those of them for which hands wait.
        self._came: deque[Round] = deque()
        self._rounds: dict[int, Round] = {}
        # {round: tables whose hands wait for it}, and for which each of them does.
        self._waiting: dict[int, set[int]] = {}
        self._waits: dict[int, int] = {}
        self._open(now)

    def _open(self, now: float) -> None:
        """Load what is open and wind its clocks; hands are read when they are needed, or in the batches to come."""
        paper = Paper(self.house)
        self._load(paper, now)
        if LOUNGE not in self.house.casinos:
            self._open_lounge(paper, now)
        paper.finish()
        self.house.books.write(paper)
        self.publish(Batch(paper))
        for casino in self.house.casinos.values():
            self._wind_clock_of(casino)

    # Commands

    def work(self, commands: Sequence[Command], now: float, *, clocks: int | None = None) -> Batch:
        """Everything on paper: each command on top of those before it, then `clocks` (or all) that have run out."""
        batch = Batch(Paper(self.house), commands)
        self._put_heads(batch.paper)
        self._note_rounds(now)
        self._read_some(batch.paper, now)
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
        self._sign_closes(batch.paper)
        batch.paper.finish()
        return batch

    # The beacon

    def take_round(self, round: Round) -> None:
        """In any thread: one that was checked. Who waits for it is dealt in the next batch."""
        self._came.append(round)

    @property
    def rounds_to_come(self) -> set[int]:
        """Those for which hands wait; for the writer's thread."""
        return self._waiting.keys() - self._rounds.keys()

    def _note_rounds(self, now: float) -> None:
        while self._came:
            round = self._came.popleft()
            for id in self._waiting.get(round.round, ()):
                self._rounds[round.round] = round
                self._clocks.arm(id, now)

    def _note_waits(self, table: Table) -> None:
        """As it is published."""
        before, round = self._waits.get(table.id), table.waits.round if table.waits is not None else None
        if before == round:
            return
        if before is not None:
            self._forget_waits(table.id, before)
        if round is not None:
            self._waits[table.id] = round
            self._waiting.setdefault(round, set()).add(table.id)
            if round in self._rounds:
                self._clocks.arm(table.id, 0.0)

    def _forget_waits(self, id: int, round: int) -> None:
        del self._waits[id]
        self._waiting[round].discard(id)
        if not self._waiting[round]:
            del self._waiting[round]
            self._rounds.pop(round, None)

    def _sign_closes(self, paper: Paper) -> None:
        """A close with a beacon is covered by a head at once, in the same transaction: whatever becomes of the process,
        the log has it before its round comes."""
        if self._sign is None or not self.house.chain:
            return
        closed = (one for one in paper.tables.values() if one.waits is not None and one.id not in self._waits)
        for casino, number in {(one.casino, one.promise["log"]) for one in closed if one.promise is not None}:
            log = paper.log_of(casino, number)
            paper.put(self._sign(log, log.last_at))
        paper.keep()

    def take_head(self, head: LogHeadRow) -> None:
        """In any thread: it goes into the next batch."""
        self._signed.append(head)

    def _put_heads(self, paper: Paper) -> None:
        """Each once: of a batch that fails they are signed anew."""
        while self._signed:
            head = self._signed.popleft()
            known = self.house.head_of(head.casino, head.log)
            if known is None or known.size < head.size:
                paper.put(head)
        paper.keep()

    def drop(self, batch: Batch, until: float = 0.0) -> None:
        """The batch was not written: its clocks are still to be seen to, at `until` if that is later."""
        for deadline, id in batch.due:
            self._clocks.arm(id, max(deadline, until))
        for head in batch.paper.unwritten(LogHeadRow):
            self.house.note_grown(head.casino, head.log)

    def publish(self, batch: Batch) -> set[int]:
        """The tables that changed, after what is on disk became what everybody sees."""
        self.house.publish(batch.paper)
        for table in batch.paper.tables.values():
            if table.deadline is not None:
                self._clocks.arm(table.id, table.deadline)
            if table.waits is not None or table.id in self._waits:
                self._note_waits(table)
        for casino in batch.paper.casinos.values():
            self._wind_clock_of(casino)
        for row in batch.paper.unwritten(OpeningRow):
            if row.at:
                self._clocks.arm(-row.casino, row.at)
        for key, answer in batch.said.items():
            self._remember(key, answer)
        return set(batch.paper.tables)

    def next_deadline(self) -> float | None:
        """When a clock runs out next."""
        return self._clocks.next()

    @property
    def is_reading(self) -> bool:
        """Whether there are hands that nobody has read since the house opened."""
        return bool(self._unread)

    def is_due(self, now: float) -> bool:
        deadline = self._clocks.next()
        return deadline is not None and deadline <= now

    def shift_clocks(self, step: float) -> Batch:
        """The wall clock was set by so many seconds: on paper, everything that waits for a time goes with it."""
        batch = Batch(Paper(self.house))
        for table in self.house.tables.values():
            if table.status == "closed":
                continue
            shifted = hooks_of(table).shift_clocks(table, step)
            if times := _running_clocks(table):
                shifted = shifted.change(**{name: at + step for name, at in times.items()})
            if shifted is not table:
                batch.paper.set_table(shifted)
        for casino in self.house.casinos.values():
            self._shift_casino(batch.paper, casino.id, step)
        for (platform, address), since in self.house.away.items():
            if since is not None:
                batch.paper.set_away(platform, address, since + step)
        batch.paper.keep()
        batch.paper.finish()
        return batch

    def _shift_casino(self, paper: Paper, id: int, step: float) -> None:
        of_each_game(lambda game: game.shift_clocks(paper, paper.casino(id), step), paper)

    def _runs_out(self, id: int) -> float | None:
        """When the clock of a table runs out; a negative number is a casino's, where something waits."""
        if id < 0:
            casino = self.house.casinos.get(-id)
            return self._runs_out_at(casino) if casino is not None else None
        table = self.house.tables.get(id)
        if table is None:
            return None
        return 0.0 if self._waits.get(id) in self._rounds else table.deadline

    def _wind_clock_of(self, casino: Casino) -> None:
        if (runs_out := self._runs_out_at(casino)) is not None:
            self._clocks.arm(-casino.id, runs_out)

    def _runs_out_at(self, casino: Casino) -> float | None:
        """When something waits no longer there, of a game's or a seed."""
        seed = self.house.next_opening(casino.id)
        times = [_runs_out(casino), seed[0] if seed is not None else None]
        return min((at for at in times if at is not None), default=None)

    def _answer(self, batch: Batch, command: Command, now: float) -> Answer:
        paper = batch.paper
        try:
            answer = self._handle(paper, command, now)
        except Refused as refused:
            _keep_newcomer(paper, command, now)
            answer = Answer((refused.text,), refused=True, clause=refused.clause, choices=refused.choices)
        except Confirm as question:
            _keep_newcomer(paper, command, now)
            return Answer((question.text,), refused=True, confirm=question.mark)
        except CannotPost as lack:
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
            ERRANDS[command.verb](Errand(paper, command, now, self.entropy))
            return Answer()
        verb = VERBS.get(command.verb)
        if verb is None:
            raise Refused("There is no such command; /help lists them.")
        _check_args(command.args)
        place, player, member = _admit(paper, command, now)
        casino = paper.casino(place.casino)
        home = paper.casino(place.home) if place.home else casino
        is_inspector = command.who.inspector and not places.is_window(command.place, casino.id)
        is_inspector |= player.id in (*casino.state.inspectors, *home.state.inspectors)
        table = paper.table(place.table_id) if place.table_id else None
        if table is not None and table.game not in PLAYS:
            table = None  # closed at the start, and only shown
        if verb.group == "inspectors" and not is_inspector:
            raise Refused("That is for inspectors.")
        if place.home and Trait.FOUNDERS in verb.traits and player.id not in casino.state.inspectors:
            raise Refused("That is for the inspectors of the community that founded this casino.")
        admit = partial(_admit_person, paper, place, now)
        request = Request(
            paper, now, command, self.entropy, casino, player, member, table, is_inspector, home, admit, VERBS
        )
        request = with_reply(request, verb.usage)
        is_staking = self_limits.is_staking(request)
        if is_staking or Trait.MEMBERS in verb.traits:
            auditing.check_may_play(player.id, casino, home)
        if is_staking:
            self_limits.check_may_stake(request)
            invitations.check_invited(request)
        answer = _run(verb, request)
        if member.state.reset is not None:
            answer = renaming.tell_reset(request, answer)
        if table is not None and (verb.name in playing.MOVES or verb.name == "bet"):
            taken = say_taken(paper, table, player.id, command)
            answer = answer._replace(texts=taken + answer.texts) if taken else answer
        if is_staking:
            self_limits.check_loss(request)
        return self_limits.remind(request, answer) if is_staking or verb.name in playing.MOVES else answer

    # Clocks

    def _expire(self, batch: Batch, now: float) -> None:
        for id in sorted({id for _deadline, id in batch.due}):
            if id < 0:
                self._tick_casino(batch.paper, -id, now)
                batch.paper.keep()
                continue
            table = batch.paper.tables.get(id) or self.house.tables.get(id)
            if table is None:
                continue
            if table.waits is not None and table.waits.round in self._rounds:
                self._deal_by_round(batch.paper, table, self._rounds[table.waits.round], now)
                batch.paper.keep()
                continue
            if table.deadline is None or table.deadline > now:
                continue
            since = places.away_since(batch.paper, id)
            if since is not None and now < (waits_until := since + WAITS_S) and not places.is_lost(table):
                self._clocks.arm(id, waits_until)
                continue
            try:
                self._tick(batch.paper, id, now)
            except Exception as fault:
                # Nobody is there to be told: whatever went wrong, the hand must not wait for ever.
                self._void_faulty(batch.paper, id, now, fault)
            batch.paper.keep()

    def _deal_by_round(self, paper: Paper, table: Table, round: Round, now: float) -> None:
        """Also where its place is out of reach: whoever waits for cards gets them."""
        try:
            known = paper.table(table.id)
            assert known is not None
            if hooks_of(known).may_deal(paper, known):
                playing.deal_by_round(paper, known, round, now, self.entropy(32))
            else:
                self._clocks.arm(table.id, now + playing.LOOKS_AGAIN_S)
        except Exception as fault:
            self._void_faulty(paper, table.id, now, fault)

    def _tick_casino(self, paper: Paper, id: int, now: float) -> None:
        of_each_game(lambda game: game.tick(paper, paper.casino(id), now), paper)
        for hand_id in self.house.openings_due(id, now):
            row = paper.get(OpeningRow, hand_id)
            # A command of this very batch may have ended its shoe, or lain bets for another hand of it.
            if not isinstance(row, OpeningRow) or 0 < row.at <= now:
                self._show_seed(paper, hand_id, now)

    def _show_seed(self, paper: Paper, hand_id: int, now: float) -> None:
        """Its hours are over, or nobody has played from its shoe for long, which then ends."""
        table = paper.table(promises.row_of(paper, hand_id).table_id)
        if table is None or not promises.is_at(table, hand_id):
            promises.show_due(paper, hand_id, now)
        elif table.play is not None or table.bets:
            promises.put_off(paper, table, now)
        else:
            opening.open_anew(paper, table, now, self.entropy(32), "")

    def _tick(self, paper: Paper, id: int, now: float) -> None:
        table = paper.table(id)
        assert table is not None
        if table.play is not None:
            playing.time_out(paper, table, now, self.entropy(32))
        elif table.waits is not None:
            # Something else is said of it.
            paper.set_table(table.change(deadline=waiting.next_word_at(table.waits, now)))
        else:
            hooks_of(table).run_out(paper, table, now, self.entropy)

    def _read_some(self, paper: Paper, now: float) -> None:
        """Of the tables whose hands nobody has needed yet since the house opened."""
        for _table in range(min(READ_AT_ONCE, len(self._unread))):
            id = self._unread.popleft()
            try:
                paper.table(id)
            except HandFault as fault:
                self._void_faulty(paper, id, now, fault)
            paper.keep()

    def _void_faulty(self, paper: Paper, id: int, now: float, fault: BaseException) -> None:
        """A fault of engine or books voids the hand, gives every stake back, and serves the others on (G6)."""
        paper.undo()
        table = paper.tables.get(id) or self.house.tables[id]
        _log.error("hand %s is void", table.hand_id, exc_info=fault.__cause__ or fault)
        try:
            if table.unread is not None:
                deal_anew(paper, structs.replace(table, unread=None), now, self.entropy(32))
                return
            if table.play is not None:
                playing.void(paper, table, now, self.entropy(32), promises.FAULT)
            elif table.waits is not None:
                playing.void_waiting(paper, table, now, self.entropy(32), promises.FAULT)
            else:
                betting.return_all_bets(paper, table, now, "void")
        except Exception as second:
            # Its game fails at that too: then no rule is asked any more.
            _log.error("hand %s goes back as the books have it", table.hand_id, exc_info=second)
            paper.undo()
            bare = structs.replace(table, play=None, unread=None, turning={}, bets=())
            deal_anew(paper, bare, now, self.entropy(32), "a fault of the house")
            return
        subject = table.audited("hand", table.hand_id)
        paper.audit(now, table.casino, 0, "void", subject, "a fault of the house")

    # Start

    def _load(self, paper: Paper, now: float) -> None:
        house, books = self.house, self.house.books
        for one in casinos.casinos(books):
            house.casinos[one.id] = load_casino(one)
        for place in casinos.places(books):
            house.places[place.platform, place.address] = place
        rows = casinos.tables(books)
        tables = [load_table(row.id, row.casino, row.game, row.status, row.state) for row in rows]
        house.tables.lay({table.id: table for table in tables})
        open_hands = hands.open_hands(books)
        for seed in hands.openings(books):
            house.wait_to_open(seed)
        dealt = {hand.id for hand in open_hands.values() if hand.status == "playing"}
        readable = known_rules(books, dealt | {table.last_hand for table in tables if table.last_hand})
        begun = log_starts.begin_anew(paper, now)
        for table in tables:
            if table.game not in PLAYS:
                self._close_gone(paper, table, open_hands.get(table.hand_id), now)
            elif table.hand_id in open_hands and table.status != "closed":
                self._resume(paper, table, open_hands[table.hand_id], readable, now)
        log_starts.announce(paper, begun, now)

    def _resume(self, paper: Paper, table: Table, hand: OpenHand, readable: Container[int], now: float) -> None:
        """The same hand with the same cards; the clock starts anew, for the house was away (experience, 6).

        Nothing is written of it: the next start winds the clock again.
        """
        last = table.last_hand if table.last_hand in readable else None
        dealt = hand.id if hand.status == "playing" else None
        unread = Unread(dealt, last) if dealt or last else None
        table = _with_promise(table, hand).change(opened=hand.opened, unread=unread)
        if hand.status == "betting" and not self._may_go_on(paper, table):
            self._open_anew(paper, table, now)
            return
        if table.waits is not None:
            table = table.change(deadline=waiting.next_word_at(table.waits, now))
            self._note_waits(table)
        elif hand.status == "betting":
            table = betting.wind_clock(table.change(started=None), now)
            woken = hooks_of(table).wake(paper, table, now)
            clock = {"started": woken.started, "deadline": woken.deadline}
            # Who is out by now is written by a clock that runs out, at once where no other hand is to come.
            if woken.deadline is None and structs.replace(woken, **clock) != table.change(**clock):
                clock["deadline"] = now
            table = table.change(**clock)
        elif hand.id not in readable:
            _log.error("hand %s does not replay any more: its rules are not here", hand.id)
            deal_anew(paper, structs.replace(table, unread=None), now, self.entropy(32))
            return
        else:
            deadline = now + PACES[table.settings.pace]
            if places.is_lost(table) and table.deadline is not None:
                deadline = max(deadline, table.deadline)  # it goes on waiting for its place, or another (G10)
            table = table.change(deadline=deadline, extended=None)
        self.house.tables[table.id] = table
        if unread is not None:
            self._unread.append(table.id)
        if table.deadline is not None:
            self._clocks.arm(table.id, table.deadline)

    def _may_go_on(self, paper: Paper, table: Table) -> bool:
        """Whether the promise still is what its hand would be dealt by: in the log that is written now, and by rules
        that are played here.
        """
        promise = table.promise
        if promise is None or not (table.waits is not None or promises.is_kept(paper, table)):
            return False
        if promises.is_of_beacon(table) and table.waits is None and not paper.chain:
            return False
        return table.rules.knows(promise["rules"]) and table.terms is not None

    def _open_anew(self, paper: Paper, table: Table, now: float) -> None:
        """Bets that lie there come back."""
        if table.bets:
            table = deal_anew(paper, table, now, self.entropy(32), "its promise counts no more")
        else:
            why = promises.CHANGED if promises.is_kept(paper, table) else promises.OTHER_LOG
            table = opening.open_anew(paper, table, now, self.entropy(32), why)
        paper.set_table(hooks_of(table).wake(paper, table, now))
        if table.unread is not None:
            self._unread.append(table.id)

    def _close_gone(self, paper: Paper, table: Table, hand: OpenHand | None, now: float) -> None:
        """Its game is not installed any more: what lies there goes back as the books have it, and it is closed."""
        if table.status == "closed":
            return
        _log.error("table %s is closed and its stakes are back: its game %s is not installed", table.id, table.game)
        close_gone(paper, _with_promise(table, hand) if hand is not None else table, now)

    def _open_lounge(self, paper: Paper, now: float) -> None:
        """The first casino, with its tables of each game."""
        # In the lounge a name is picked in a moment: nobody waits a day for gifts, or for large stacks.
        rules = CasinoState(give_after_s=0.0, give_a_day=10_000_00, language=self.language)
        # The first of all numbers: with the next one taken, no community is given it too.
        paper.next_id(CasinoRow)
        casino = paper.set_casino(Casino(LOUNGE, "Lounge", rules, now))
        of_each_game(lambda game: game.found(paper, casino, now), paper)
        paper.set_place(PlaceRow(*LOBBY, LOUNGE, None))
        firsts, seconds = list(PLAYS), [game for game, play in PLAYS.items() for _more in range(1, play.lounge_tables)]
        for game in (*firsts, *seconds):
            places.open_table(paper, casino.id, game, LOBBY, now, self.entropy(32), language=self.language)


def _runs_out(casino: Casino) -> float | None:
    """When something waits no longer that a game keeps for the casino."""
    found = of_each_game(lambda game: game.runs_out(casino))
    return min((at for at in found if at is not None), default=None)


def _with_promise(table: Table, hand: OpenHand) -> Table:
    """Return the table with the terms of its hand; where the stored deal is damaged, with its seed alone."""
    try:
        kept = load_promise(hand.deal)
    except msgspec.DecodeError:
        kept = Promised()
    promise = kept.promise
    if promise is None:
        return table.change(seed=hand.seed)
    terms = promises.parse_terms(promise) if table.game in PLAYS else None
    return table.change(
        seed=hand.seed,
        commit=commit_to(promise),
        promise=promise,
        lines=kept.lines,
        terms=terms,
        waits=kept.waits,
        beacon=kept.round,
    )


def _running_clocks(table: Table) -> dict[str, float]:
    times = {"started": table.started, "deadline": table.deadline, "extended": table.extended}
    return {name: at for name, at in times.items() if at is not None}


def _admit(paper: Paper, command: Command, now: float) -> tuple[PlaceRow, Player, Member]:
    """Who speaks, from where; a newcomer is a member from now on."""
    place = places.find(paper, command)
    if place is None:
        raise Refused("There is no table here. An inspector opens one with /table open.")
    who = command.who
    player = places.remember_casino(paper, command, meet(paper, who, now), place.casino)
    member = _make_member(paper, place, player, who, now)
    linking.carry_over(paper, place.casino, player.id, now)
    return place, player, paper.member(place.casino, player.id) or member


def _admit_person(paper: Paper, place: PlaceRow, now: float, who: Who) -> int:
    """Somebody whom another person picked: a member from now on, with the chips that every newcomer gets."""
    player = meet(paper, who, now)
    _make_member(paper, place, player, who, now)
    return player.id


def _make_member(paper: Paper, place: PlaceRow, player: Player, who: Who, now: float) -> Member:
    """Called as the platform says, and known by the community of this place."""
    known = paper.member(place.casino, player.id)
    member = known or wallets.welcome(paper, place.casino, player.id, now)
    homes, home = member.state.homes, place.home or place.casino
    if (place.home or homes) and home not in homes and place.address != places.PRIVATE:
        before = homes or ((place.casino,) if known is not None else ())
        member = paper.set_member(member.change(homes=tuple(dict.fromkeys((*before, home)))))
    return follow_member(paper, member, player, who)


def _say_lack(lack: CannotPost, command: Command) -> Answer:
    """A player's lack is his own affair; another account that cannot give is a fault of the house."""
    if not isinstance(lack, NotEnoughChips):
        text = Text("So many chips cannot be counted: name less, or let an inspector take some back with /take.")
        return Answer((text,), refused=True)
    if not lack.account.startswith(ledger.PLAYERS):
        _log.error("command %s failed: %s", command.verb, lack)
        return FAULT
    text = Text("That costs {cost}, you have {chips}.", cost=Amount(lack.wanted), chips=Amount(lack.has))
    return Answer((text,), refused=True)


def _keep_newcomer(paper: Paper, command: Command, now: float) -> None:
    """The command is undone. Whose very first it was is a member all the same; nothing is written of who was one."""
    paper.undo()
    if command.who.platform == places.HOUSE or command.verb not in VERBS:
        return
    members = len(paper.members)
    with suppress(Refused, CannotPost, HandFault):
        _admit(paper, command, now)
        if len(paper.members) > members:
            paper.keep()
    paper.undo()


def _check_args(args: Sequence[str]) -> None:
    """What cannot be written into the books, or has no end, is refused before anything looks at it."""
    if sum(map(len, args)) > LONGEST_LINE:
        raise Refused("That is too long: say it in {most} characters.", most=LONGEST_LINE)
    if any(map(_UNWRITABLE.search, args)):
        raise Refused("That holds characters that cannot be written down.")


def _run(verb: Verb, request: Request) -> Answer:
    """A press does what its button said, to the chip, or nothing."""
    if not request.command.fresh or request.at is None:
        return verb.run(request)
    made_for = fresh.parse_fresh(request.command.fresh)
    fresh.check_state(made_for, request.at, request.player.id)
    before = len(request.paper.rows[PostingRow])
    purses = request.wallet, ledger.stack(request.at.id, request.player.id)
    answer = verb.run(request)
    fresh.check_price(made_for, request.paper.posted(before), purses)
    return answer


class _KeptAnswer(msgspec.Struct, array_like=True):
    """As it is said again to the same update."""

    texts: str
    refused: bool
    clause: str | None


def _dump_answer(answer: Answer) -> str:
    kept = _KeptAnswer(dump_texts(answer.texts), answer.refused, answer.clause)
    return msgspec.json.encode(kept).decode()


def _load_answer(data: str) -> Answer:
    kept = msgspec.json.decode(data, type=_KeptAnswer)
    return Answer(load_texts(kept.texts), kept.refused, kept.clause)
