"""Buttons: what stood behind one becomes a command, and its answer the notice or the alert of that press."""

import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

from telegram import CallbackQuery, Message, Update
from telegram.error import TelegramError

from bot.floor.betting import options_of
from bot.floor.command import Answer, Command, Place, Who
from bot.floor.registry import VERBS
from bot.floor.table import Table
from bot.on_telegram.desk import PLATFORM, Chat, Desk
from bot.on_telegram.drawing import fit_alert, own_cards
from bot.on_telegram.lines import BEFORE, Lines
from bot.on_telegram.places import Places
from bot.on_telegram.private import Private
from bot.on_telegram.rounds import now_of
from bot.on_telegram.tables import Tables
from bot.on_telegram.updates import ANONYMOUS, Press, load_press, thread_of, who_of
from bot.screens import Button
from bot.screens.build import screen
from bot.screens.buttons import chip_amounts, typed
from bot.texts import Text, say
from engine.events import Exchanged
from engine.felt import Amount

MOST_REMEMBERED = 10_000
NOW = Text("It is your turn: press again.")
DRAWS = ("hit", "double", "split", "stand", "insure", "decline")
# Nobody reads his new card faster: two presses so close together are one.
READ_S = 0.8
_log = logging.getLogger("ridotto.telegram")


class Said(NamedTuple):
    """What answers a press: a notice that passes, or an alert that must be closed."""

    lines: list[str]
    alert: bool = False


@dataclass(frozen=True)
class At:
    """Where a press was made and what it is about; `thread` is its topic."""

    query: CallbackQuery
    chat: Chat
    address: str
    thread: int | None
    language: str

    @property
    def user(self) -> int:
        return self.query.from_user.id

    @property
    def key(self) -> str:
        return f"tg:press:{self.query.id}"

    @property
    def place(self) -> Place:
        return Place(PLATFORM, self.address)

    def say(self, text: Text) -> str:
        return say(text, self.language)


@dataclass
class Presses:
    desk: Desk
    tables: Tables
    private: Private
    places: Places
    lines: Lines
    # Which chip each player bets with where a press bets his own: an index into the table's three.
    _chips: OrderedDict[tuple[int, int], int] = field(default_factory=OrderedDict)
    # {(table, account): (what he was told of it last, when)}.
    _told: OrderedDict[tuple[int, int], tuple[str, float]] = field(default_factory=OrderedDict)
    # A question that answered a press in a group: the same press again says yes.
    _asked: OrderedDict[int, str] = field(default_factory=OrderedDict)

    async def on_press(self, update: Update, _context: object) -> None:
        query = update.callback_query
        if query is None or query.message is None or query.from_user.id == ANONYMOUS:
            return
        press = load_press(query.data or "")
        at = await self._find(query, press.table if press else 0)
        if press is None or at is None:
            language = self.desk.language_of(query.from_user.id, query.from_user.language_code)
            await self._answer(query, Said([say(BEFORE, language)], True))
            return
        said = await self._do(at, press)
        await self._answer(query, said)

    async def _find(self, query: CallbackQuery, about: int) -> At | None:
        """The place that a press is about. A message of a table elsewhere names it, to who plays there."""
        message, user = query.message, query.from_user
        assert message is not None
        chat = self.desk.chat_of(message.chat.id, message.chat.type)
        language = self.desk.language_of(user.id, user.language_code)
        if about:
            address = self._address_of(about, user.id)
            return At(query, chat, address, None, language) if address is not None else None
        if not isinstance(message, Message):
            # Deleted meanwhile: in a forum it cannot be told from which topic it was.
            if message.chat.is_forum:
                return None
            thread = None
        else:
            thread = thread_of(message)
        title = message.chat.title or user.full_name
        address = await self.places.arrive(chat, thread, user, title)
        if isinstance(message, Message):
            self.tables.notice(address, message)
        return At(query, chat, address, thread, language)

    def _address_of(self, id: int, user: int) -> str | None:
        table, player = self.desk.house.tables.get(id), self.desk.player_of(user)
        if table is None or player is None or player not in {*table.owners().values(), *table.players()}:
            return None
        return next(iter(self.tables.addresses_of(id)), None)

    async def _answer(self, query: CallbackQuery, said: Said) -> None:
        """One answer a press. What is too old, or answered already, needs none."""
        text = fit_alert(said.lines)
        try:
            await self.desk.bot.answer_callback_query(query.id, text or None, show_alert=said.alert and bool(text))
        except TelegramError as fault:
            self.desk.outbox.on_answer(fault)
            _log.info("a press was not answered: %s", fault)

    async def _do(self, at: At, press: Press) -> Said:
        if press.kind in ("yes", "no", "read"):
            return await self._settle(at, press)
        if press.kind == "direct":
            return self._change_direct(at)
        if press.kind == "own":
            answer = await self.desk.report("open own", at.address, press.verb, at.language)
            return Said([at.say(text) for text in answer.texts], answer.refused)
        if press.kind == "chip":
            return self._next_chip(at)
        if press.kind == "ask":
            self.lines.ask(at.chat.number, at.user, press)
            example = f"/{press.verb.replace('-', '')} {' '.join(press.args)}".strip()
            how = Text("Answer the table's message with the amount, or say: {example} 35", "", example=example)
            cut = Text("Answer the table's message with your text, or say: /cut TEXT")
            return Said([at.say(cut if press.verb == "cut" else how)], True)
        if press.verb == "cards":
            return self._show_cards(at)
        return await self._command(at, press)

    # Commands

    async def _command(self, at: At, press: Press) -> Said:
        table = self.desk.table_at(at.address)
        verb, args, fresh = press.verb, press.args, press.fresh
        if press.kind == "bet":
            args = (*args, self._chip(table, at.user)) if table is not None else args
        elif press.kind == "move":
            if table is None or table.play is None:
                return Said([at.say(BEFORE)], True)
            if fresh != now_of(table) and not self._has_seen(table, at.user):
                return self._tell_turn(at, table, fresh)
            own = self._own_move(table, press, at.user)
            args, fresh = (own.args, own.fresh) if own is not None else (args, str(table.hand_id))
        known = VERBS.get(verb)
        ask = known is not None and known.group == "inspectors"
        who = who_of(at.query.from_user, inspector=ask and await self.places.is_inspector(at.chat, at.user))
        confirmed = self._asked.pop(at.user, "") == (at.query.data or "")
        command = Command(at.key, who, at.place, verb, args, fresh, confirmed)
        return self._tell(at, command, await self.desk.submit(command))

    def _own_move(self, table: Table, press: Press, user: int) -> Button | None:
        """What a button for everybody means to him now; None where it is not for him: the floor says why."""
        player = self.desk.player_of(user)
        if player is None:
            return None
        moves = screen(self.desk.house, table, player, self.desk.pit.clock()).moves
        fitting = [
            move
            for move in moves
            if move.verb == press.verb and not move.ask and (move.args == press.args or press.verb == "insure")
        ]
        return fitting[-1] if fitting else None

    def _tell(self, at: At, command: Command, answer: Answer) -> Said:
        lines = [at.say(text) for text in answer.texts]
        if answer.confirm:
            self._asked[at.user] = at.query.data or ""
            if len(self._asked) > MOST_REMEMBERED:
                self._asked.popitem(last=False)
            if at.chat.is_private:
                again = command._replace(key=f"{at.key}:yes", confirmed=True)
                self.desk.spawn(self.private.ask_here(at.chat, at.user, lines, at.language, again))
                return Said([])
            return Said([at.say(Text("Press again to say yes.")), *lines], True)
        if answer.refused:
            self._look_if_lost(at)
            return Said(lines, True)
        if command.verb == "exchange":
            return self._tell_exchange(at)
        table = self.desk.table_at(at.address)
        if command.verb in DRAWS and not lines and table is not None and table.game == "blackjack":
            return self._tell_draw(at, table)
        return Said(lines)

    # Black jack: the answer to who draws comes at once, the table's message when the budget lets it

    def _has_seen(self, table: Table, user: int) -> bool:
        """Whether he was told how it stands, by an answer to him, and has had the time to read it."""
        told, when = self._told.get((table.id, user), ("", 0.0))
        return told == now_of(table) and self.desk.clock.now() - when >= READ_S

    def _note_told(self, table: Table, user: int) -> None:
        if self._told.get((table.id, user), ("", 0.0))[0] != now_of(table):
            self._told[table.id, user] = now_of(table), self.desk.clock.now()
        if len(self._told) > MOST_REMEMBERED:
            self._told.popitem(last=False)

    def _tell_draw(self, at: At, table: Table) -> Said:
        player = self.desk.player_of(at.user)
        if table.play is None or player is None:
            return Said([])
        self._note_told(table, at.user)
        return Said(own_cards(screen(self.desk.house, table, player, self.desk.pit.clock()), at.language))

    def _tell_turn(self, at: At, table: Table, fresh: str) -> Said:
        """The button is of an older state. Whose turn it is now is told how it stands; his next press counts."""
        player, owners = self.desk.player_of(at.user), table.owners()
        asked = {owners[key] for key in table.play.asks} if table.play is not None else set()
        if table.game != "blackjack" or player not in asked or fresh.partition(".")[0] != str(table.hand_id):
            return Said([at.say(BEFORE)], True)
        return Said([at.say(NOW), *self._tell_draw(at, table).lines], True)

    def _tell_exchange(self, at: At) -> Said:
        """CS6: the new cards come together, when everybody has chosen."""
        table, player = self.desk.table_at(at.address), self.desk.player_of(at.user)
        if table is not None and table.play is not None and player is not None:
            mine = table.seats_played_by(player)
            if not any(isinstance(event, Exchanged) and event.seat in mine for event in table.play.events):
                return Said([at.say(Text("Your new card comes when everybody has chosen."))])
        return self._show_cards(at)

    def _look_if_lost(self, at: At) -> None:
        table = self.desk.table_at(at.address)
        if table is not None and table.memory.get("lost"):
            self.tables.look(at.address, again=True)

    # Cards

    def _show_cards(self, at: At) -> Said:
        """The alert always; besides it, where the chat takes them, an ephemeral message with the buttons."""
        table, player = self.desk.table_at(at.address), self.desk.player_of(at.user)
        if table is None or table.play is None or player is None or player not in table.owners().values():
            return Said([at.say(Text("You hold no cards now."))], True)
        view = screen(self.desk.house, table, player, self.desk.pit.clock())
        if not at.chat.is_private:
            self.desk.spawn(self.private.whisper_hand(at.chat, at.thread, table, at.user, at.query.id))
        return Said(own_cards(view, at.language) or [at.say(Text("You hold no cards now."))], True)

    # Chips

    def _amounts(self, table: Table) -> list[int]:
        options = options_of(self.desk.house, table)
        return chip_amounts(options.minimum, options.maximum)

    def _chip(self, table: Table, user: int) -> str:
        amounts = self._amounts(table)
        return typed(amounts[self._chips.get((table.id, user), 0) % len(amounts)])

    def _next_chip(self, at: At) -> Said:
        table = self.desk.table_at(at.address)
        if table is None or table.game == "stud":
            return Said([at.say(BEFORE)], True)
        self._chips[table.id, at.user] = (self._chips.get((table.id, at.user), 0) + 1) % len(self._amounts(table))
        if len(self._chips) > MOST_REMEMBERED:
            self._chips.popitem(last=False)
        amount = Amount(self._amounts(table)[self._chips[table.id, at.user]])
        return Said([at.say(Text("Each press bets {amount} now.", "", amount=amount))])

    # What waits for one person

    async def _settle(self, at: At, press: Press) -> Said:
        pending = self.private.pending(press.verb, at.user)
        if pending is None:
            return Said([at.say(Text("That is for somebody else, or was before."))], True)
        if press.kind == "read":
            page = pending.pages.pop(0)
            if pending.pages:
                return Said([page], True)
            if pending.command is None:
                self.private.take(press.verb)
                self.desk.spawn(self.private.clear(pending))
            else:
                pending.pages.append(page)  # a question stays to be read until it is answered
            return Said([page], True)
        self.private.take(press.verb)
        self.desk.spawn(self._clear_question(at, pending.message is None))
        self.desk.spawn(self.private.clear(pending))
        if press.kind == "no" or pending.command is None:
            return Said([at.say(Text("Nothing has changed."))])
        command = pending.command
        who: Who = command.who
        if who.inspector and not await self.places.is_inspector(at.chat, at.user):
            who = who._replace(inspector=False)
        answer = await self.desk.submit(command._replace(who=who))
        return Said([at.say(text) for text in answer.texts], True)

    async def _clear_question(self, at: At, is_own: bool) -> None:
        """Its buttons have done their work."""
        message = at.query.message
        if is_own and message is not None and at.chat.is_private:
            await self.desk.delete(at.chat, message.message_id)

    def _change_direct(self, at: At) -> Said:
        wants = at.user not in self.desk.notes.wants_direct
        self.desk.note_direct(at.user, wants)
        yes = Text("From the next hand your cards come into this chat as well.")
        return Said([at.say(yes if wants else Text("Your cards come into this chat no more."))], True)
