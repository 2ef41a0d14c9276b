"""Handle commands: each is answered in the transaction of its batch, which counts once it is written and published.

batch = handling.work_out(commands, now) a transaction: nothing in memory has changed
books.write(batch.transaction)
handling.publish(batch)                  the new frozen tables replace the old
"""

import logging
import re
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import msgspec

from bot.core.admin import auditing, invitations, renaming
from bot.core.casinos import places
from bot.core.command_list import CHAT_COMMANDS, INTERNAL_COMMANDS, PAGE_COMMANDS
from bot.core.commands import preconditions
from bot.core.commands.command import FAULT, Answer, Command, Confirm, Refused, Who
from bot.core.commands.deeds import say_taken
from bot.core.commands.internal_commands import InternalCommand
from bot.core.commands.naming import with_reply
from bot.core.commands.registry import CommandFlag, CommandSpec, Request
from bot.core.commands.words import GAME, find_word
from bot.core.guide.helping import refuse_unknown
from bot.core.players import linking, self_limits, wallets
from bot.core.players.names import follow_member, meet
from bot.core.rounds import playing
from bot.core.rounds.playing import HandFault, UnreadableHand
from bot.core.rounds.recovery import void_faulty_hand
from bot.core.schedule import Schedule
from bot.core.state.clocks import ClockOwner
from bot.core.state.plays import PLAYS
from bot.core.state.transaction import State, Transaction
from bot.core.state.values import Member, Player
from bot.texts import Text, dump_texts, load_texts
from engine.felt import Amount
from storage import ledger
from storage.ledger import CannotPost, NotEnoughChips
from storage.rows import AnswerRow, LogHeadRow, PlaceRow, PostingRow

LONGEST_LINE = 1000
REMEMBERED = 10_000
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_log = logging.getLogger("ridotto.handle")


@dataclass
class Batch:
    """A round of commands in one transaction; `answers` are in the order of the commands.

    `said` are answers that changed nothing, `due` the clocks that have run out; both count once it is published.
    """

    transaction: Transaction
    commands: Sequence[Command] = ()
    answers: list[Answer] = field(default_factory=list)
    said: dict[str, Answer] = field(default_factory=dict)
    due: list[tuple[float, ClockOwner]] = field(default_factory=list)


class CommandHandling:
    """The handler of commands: works out batches and publishes them, in one thread at a time.

    `entropy(n)` returns n random bytes.
    """

    def __init__(self, state: State, schedule: Schedule, entropy: Callable[[int], bytes]) -> None:
        self.state = state
        self.schedule = schedule
        self.entropy = entropy
        self._recent: OrderedDict[str, Answer] = OrderedDict()
        # Heads signed in another thread.
        self._signed: deque[LogHeadRow] = deque()

    def work_out(self, commands: Sequence[Command], now: float, *, clocks: int | None = None) -> Batch:
        """Work out each command on top of those before it, then `clocks` (or all) that have run out."""
        batch = Batch(Transaction(self.state), commands)
        self._put_heads(batch.transaction)
        self.schedule.prepare_batch(batch.transaction, now)
        known = {
            key: _load_answer(answer)
            for key, answer in self.state.books.answers(command.key for command in commands).items()
        }
        for command in commands:
            answer = known.get(command.key) or self._recent.get(command.key)
            if answer is None:
                answer = self._answer(batch, command, now)
                known[command.key] = answer
            batch.answers.append(answer)
        batch.due = self.schedule.expire_clocks(batch.transaction, now, clocks)
        batch.transaction.finish()
        return batch

    def shift_clocks(self, step: float) -> Batch:
        """Work out a batch that moves every deadline with the wall clock, which was set by `step` seconds."""
        batch = Batch(Transaction(self.state))
        self.schedule.shift_clocks(batch.transaction, step)
        batch.transaction.finish()
        return batch

    def drop(self, batch: Batch, until: float = 0.0) -> None:
        """Put back what a batch that was not written had taken: its clocks, not before `until`, and heads to sign."""
        self.schedule.arm_again(batch.due, until)
        for head in batch.transaction.unwritten(LogHeadRow):
            self.state.note_grown(head.casino, head.log)

    def publish(self, batch: Batch) -> set[int]:
        """Make a written batch what everybody sees; return the tables that changed, or whose close is covered now."""
        self.state.publish(batch.transaction)
        covered = self.schedule.note_published(batch.transaction)
        for key, answer in batch.said.items():
            self._remember(key, answer)
        return {*batch.transaction.tables, *covered}

    def take_head(self, head: LogHeadRow) -> None:
        """Accept a signed head, in any thread: it goes into the next batch."""
        self._signed.append(head)

    def _put_heads(self, transaction: Transaction) -> None:
        """Store each signed head once: heads of a failed batch are signed again, and two may have the same size."""
        signed: dict[tuple[int, int, int], LogHeadRow] = {}
        while self._signed:
            head = self._signed.popleft()
            signed.setdefault((head.casino, head.log, head.size), head)
        for head in signed.values():
            known = self.state.head_of(head.casino, head.log)
            if known is None or known.size < head.size:
                transaction.put(head)
        transaction.keep_changes()

    def _answer(self, batch: Batch, command: Command, now: float) -> Answer:
        transaction = batch.transaction
        try:
            answer = self._handle(transaction, command, now)
        except Refused as refused:
            _keep_newcomer(transaction, command, now)
            answer = Answer((refused.text,), refused=True, clause=refused.clause, choices=refused.choices)
        except Confirm as question:
            _keep_newcomer(transaction, command, now)
            return Answer((question.text,), refused=True, confirm=question.mark)
        except CannotPost as lack:
            _keep_newcomer(transaction, command, now)
            answer = _say_lack(lack, command)
        except HandFault as fault:
            void_faulty_hand(transaction, fault.table, now, self.entropy, fault)
            place = transaction.place(*command.place)
            if isinstance(fault, UnreadableHand) and (place is None or place.table_id != fault.table):
                transaction.keep_changes()
                return self._answer(batch, command, now)  # it only read that hand, which is void now
            answer = Answer(
                (Text("Something went wrong. The hand is void, and all stakes are returned."),), refused=True
            )
            transaction.put(AnswerRow(command.key, _dump_answer(answer), now))
            transaction.keep_changes()
            return answer
        except Exception as fault:
            _log.error("command %s failed: %s", command.verb, type(fault).__name__, exc_info=fault)
            answer = FAULT
        if answer.refused or not transaction.has_news:
            transaction.undo()
            batch.said[command.key] = answer
            return answer
        transaction.put(AnswerRow(command.key, _dump_answer(answer), now))
        transaction.keep_changes()
        return answer

    def _remember(self, key: str, answer: Answer) -> None:
        """Keep an answer that changed nothing in memory: a repeated update gets the same one."""
        self._recent[key] = answer
        if len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)

    def _handle(self, transaction: Transaction, command: Command, now: float) -> Answer:
        """Check that the command is known, allowed and fresh, then run its own checks: in this order."""
        if command.who.platform == places.HOUSE:
            INTERNAL_COMMANDS[command.verb](InternalCommand(transaction, command, now, self.entropy))
            return Answer()
        verbs = CHAT_COMMANDS if command.verb in CHAT_COMMANDS else {**CHAT_COMMANDS, **PAGE_COMMANDS}
        if command.verb not in verbs and find_word(command.verb, PLAYS, GAME) is not None:
            command = command._replace(verb="help", args=(command.verb,))
        verb = verbs.get(command.verb)
        if verb is None:
            raise refuse_unknown(command.verb, CHAT_COMMANDS)
        _check_args(command.args)
        place, player, member = _admit(transaction, command, now)
        casino = transaction.casinos[place.casino]
        home = transaction.casinos[place.home] if place.home else casino
        is_inspector = command.who.inspector and not places.is_window(command.place, casino.id)
        is_inspector |= player.id in (*casino.state.inspectors, *home.state.inspectors)
        table = transaction.table(place.table_id) if place.table_id else None
        if table is not None and table.game not in PLAYS:
            table = None  # closed at the start, and only displayed
        if verb.group == "inspectors" and not is_inspector:
            raise Refused("Only inspectors can do that.")
        if place.home and CommandFlag.FOUNDERS in verb.flags and player.id not in casino.state.inspectors:
            raise Refused("Only inspectors of the community that founded this casino can do that.")
        admit = partial(_admit_person, transaction, place, now)
        request = Request(
            transaction, now, command, self.entropy, casino, player, member, table, is_inspector, home, admit, verbs
        )
        request = with_reply(request, verb.usage)
        is_staking = self_limits.is_staking(request)
        if is_staking or CommandFlag.MEMBERS in verb.flags:
            auditing.check_may_play(player.id, casino, home)
        if is_staking:
            self_limits.check_may_stake(request)
            invitations.check_invited(request)
        answer = _run(verb, request)
        if member.state.reset is not None:
            answer = renaming.tell_reset(request, answer)
        if table is not None and (verb.name in playing.MOVES or verb.name == "bet"):
            taken = say_taken(transaction, table, player.id, command)
            answer = answer._replace(texts=taken + answer.texts) if taken else answer
        if is_staking:
            self_limits.check_loss(request)
        return self_limits.remind(request, answer) if is_staking or verb.name in playing.MOVES else answer


def _admit(transaction: Transaction, command: Command, now: float) -> tuple[PlaceRow, Player, Member]:
    """Return the place, the player and their membership; a newcomer becomes a member."""
    place = places.find_place(transaction, command)
    if place is None:
        raise Refused("There is no table here. An inspector opens one with /table open.")
    who = command.who
    player = places.remember_casino(transaction, command, meet(transaction, who, now), place.casino)
    member = _make_member(transaction, place, player, who, now)
    linking.carry_over(transaction, place.casino, player.id, now)
    return place, player, transaction.member(place.casino, player.id) or member


def _admit_person(transaction: Transaction, place: PlaceRow, now: float, who: Who) -> int:
    """Make a person whom another one picked a member, with the chips that every newcomer gets."""
    player = meet(transaction, who, now)
    _make_member(transaction, place, player, who, now)
    return player.id


def _make_member(transaction: Transaction, place: PlaceRow, player: Player, who: Who, now: float) -> Member:
    """Make a player a member, named as the platform says, and known in the community of this place."""
    known = transaction.member(place.casino, player.id)
    member = known or wallets.welcome(transaction, place.casino, player.id, now)
    homes, home = member.state.homes, place.home or place.casino
    if (place.home or homes) and home not in homes and place.address != places.PRIVATE:
        before = homes or ((place.casino,) if known is not None else ())
        member = transaction.set_member(member.change(homes=tuple(dict.fromkeys((*before, home)))))
    return follow_member(transaction, member, player, who)


def _say_lack(lack: CannotPost, command: Command) -> Answer:
    """Tell a player what they lack; another account that cannot pay is a bug."""
    if not isinstance(lack, NotEnoughChips):
        text = Text(
            "That is more than the largest balance. Enter less, or ask an inspector to take some back with /take."
        )
        return Answer((text,), refused=True)
    if not lack.account.startswith(ledger.PLAYERS):
        _log.error("command %s failed: %s", command.verb, lack)
        return FAULT
    text = Text("That costs {cost}, you have {chips}.", cost=Amount(lack.wanted), chips=Amount(lack.has))
    return Answer((text,), refused=True)


def _keep_newcomer(transaction: Transaction, command: Command, now: float) -> None:
    """Undo the command, but keep the membership of a player whose very first it was."""
    transaction.undo()
    if command.who.platform == places.HOUSE or command.verb not in CHAT_COMMANDS:
        return
    members = len(transaction.members)
    with suppress(Refused, CannotPost, HandFault):
        _admit(transaction, command, now)
        if len(transaction.members) > members:
            transaction.keep_changes()
    transaction.undo()


def _check_args(args: Sequence[str]) -> None:
    """Refuse words that cannot be stored, or are too long, before anything reads them."""
    if sum(map(len, args)) > LONGEST_LINE:
        raise Refused("That is too long. Use at most {most} characters.", most=LONGEST_LINE)
    if any(map(_UNWRITABLE.search, args)):
        raise Refused("That contains characters that are not supported.")


def _run(verb: CommandSpec, request: Request) -> Answer:
    """Run a command; a press does exactly what its button said, or nothing."""
    if not request.command.fresh or request.at is None:
        return verb.run(request)
    made_for = preconditions.parse_precondition(request.command.fresh)
    preconditions.check_state(made_for, request.at, request.player.id)
    before = len(request.transaction.rows[PostingRow])
    purses = request.wallet, request.at.purse(request.player.id)
    answer = verb.run(request)
    preconditions.check_price(made_for, request.transaction.posted(before), purses)
    return answer


class _StoredAnswer(msgspec.Struct, array_like=True):
    """An answer as it is given again to the same update."""

    texts: str
    refused: bool
    clause: str | None


def _dump_answer(answer: Answer) -> str:
    stored = _StoredAnswer(dump_texts(answer.texts), answer.refused, answer.clause)
    return msgspec.json.encode(stored).decode()


def _load_answer(data: str) -> Answer:
    stored = msgspec.json.decode(data, type=_StoredAnswer)
    return Answer(load_texts(stored.texts), stored.refused, stored.clause)
