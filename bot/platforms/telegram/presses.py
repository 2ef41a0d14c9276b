"""Buttons: each becomes a command, whose answer is the notice or alert of the press."""

import logging
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import msgspec
from telegram import CallbackQuery, InlineKeyboardMarkup, Message, Update
from telegram.error import BadRequest, TelegramError

from bot.core.admin.settings import SETTINGS
from bot.core.casinos.mentions import may_mention
from bot.core.casinos.places import PRIVATE, find_stranded
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Answer, Choice, Command
from bot.core.commands.offers import typed
from bot.core.commands.preconditions import parse_precondition
from bot.core.commands.stages import stages_of
from bot.core.rounds.betting import options_of
from bot.core.rounds.playing import MOVES
from bot.core.state.place import Place
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.platforms.common.admin import with_settings
from bot.platforms.common.press import Press, load_press
from bot.platforms.common.questions import Questions
from bot.platforms.common.recent import Recent
from bot.platforms.common.sentences import ASKED_ANEW, BEFORE, FAST, FOR_INSPECTORS, NOTHING_DONE
from bot.platforms.common.shared_posts import NOT_REMOVED, NOT_YOURS, REMOVED, SHOWN
from bot.platforms.common.stages import as_own, find_own, is_of_now, means_the_same, moves_in_turn, now_of
from bot.platforms.telegram.connectivity import is_unreachable
from bot.platforms.telegram.context import PLATFORM, Busy, Chat, TelegramContext
from bot.platforms.telegram.drawing import ALERT, TEXT, choice_rows, fit_notice, length, own_cards, press_button
from bot.platforms.telegram.intake import Intake
from bot.platforms.telegram.lines import Lines, waits_for_its_place
from bot.platforms.telegram.places import SET_UP, TelegramPlaces
from bot.platforms.telegram.private import PrivateAnswers, choice_markup
from bot.platforms.telegram.saying import say
from bot.platforms.telegram.setup import TABLE_IS_OPEN, TOPICS_ARE_THERE
from bot.platforms.telegram.tables import TelegramTables
from bot.platforms.telegram.unread import in_pages
from bot.platforms.telegram.updates import ANONYMOUS, Spoken, thread_of, who_of
from bot.platforms.telegram.whispered_hands import WhisperedHands
from bot.texts import Text
from bot.view import Button
from bot.view.parts import chip_amounts
from engine.events import Exchanged
from engine.felt import Amount, Word

MOST_REMEMBERED = 10_000
_SHARE_AGAIN = Text("Press again to post this for everyone here.")
NOW = Text("It's your turn. Press again.")
WAITS = Text("The casino is busy. Your press is waiting and will be done.")
REPEATED = Text("That is already done. Press again to repeat it.")
# Lifetime of a press at Telegram; the call for its answer gets half of it.
ANSWER_S = 10.0
# How long an unanswered or waiting press is not carried out twice.
SAME_S = 60.0
# A message that opens a keyboard is sent only if the table keeps this many calls.
ROOM_TO_ASK = 3
# Presses whose table is that of the command, because the message is private.
_IN_SETTINGS = ("admin", "fill")
# No one reads a new card faster: two presses this close together count as one.
READ_S = 0.8
_TIMEOUTS = ("connect_timeout", "read_timeout", "write_timeout", "pool_timeout")
# Identity of a press: the player, the chat, the message, and the button's data.
Same = tuple[int, int, int, str]
_log = logging.getLogger("ridotto.telegram")


class Said(NamedTuple):
    """The answer to a press: a short notice, or an alert to be closed. `is_done`: a command was accepted."""

    lines: list[str]
    alert: bool = False
    is_done: bool = False


class LostAnswer(NamedTuple):
    """A press whose answer was lost: its query, when it was made, and the answer."""

    query: str
    since: float
    lines: list[str]


@dataclass(frozen=True)
class At:
    """The place of a press and what it is about; `thread` is its topic.

    `held`: the table of a hand that goes on in private because its place is lost.
    """

    query: CallbackQuery
    chat: Chat
    address: str
    thread: int | None
    language: str
    held: int | None = None

    @property
    def user(self) -> int:
        return self.query.from_user.id

    @property
    def key(self) -> str:
        return f"tg:press:{self.query.id}"

    @property
    def same(self) -> Same:
        """Return the identity of a press: this player, this button, as it was then."""
        message = self.query.message
        return self.user, self.chat.number, message.message_id if message else 0, self.query.data or ""

    @property
    def place(self) -> Place:
        return Place(PLATFORM, self.address)

    def say(self, text: Text) -> str:
        return say(text, self.language)


def _as_answer(query: str, said: Said) -> bytes:
    """Return an `answerCallbackQuery` as the answer to the request that brought the press."""
    call = {"method": "answerCallbackQuery", "callback_query_id": query}
    text, must_close = fit_notice(said.lines, alert=said.alert)
    return msgspec.json.encode({**call, "text": text, "show_alert": must_close} if text else call)


def _has_button(query: CallbackQuery) -> bool:
    """Return whether the pressed message has the button that a press says."""
    markup = query.message.reply_markup if isinstance(query.message, Message) else None
    rows = markup.inline_keyboard if markup is not None else ()
    return any(button.callback_data == query.data for row in rows for button in row)


@dataclass
class Presses:
    """Handlers of buttons. A press counts once, even if its answer was lost."""

    context: TelegramContext
    tables: TelegramTables
    private: PrivateAnswers
    whispered: WhisperedHands
    places: TelegramPlaces
    lines: Lines
    intake: Intake
    # Each player's chip for presses that use their own: an index into the table's three.
    _chips: Recent[tuple[int, int], int] = field(default_factory=lambda: Recent(MOST_REMEMBERED))
    # {(table, account): (the last state they were told, when)}.
    _told: Recent[tuple[int, int], tuple[str, float]] = field(default_factory=lambda: Recent(MOST_REMEMBERED))
    # A question that answered a press in a group: the same press again says yes.
    _asked: Questions = field(default_factory=lambda: Questions(MOST_REMEMBERED))
    # Presses that are done or waiting and whose answer was lost.
    _unheard: Recent[Same, LostAnswer] = field(default_factory=lambda: Recent(MOST_REMEMBERED))

    async def on_press(self, update: Update, _context: object) -> None:
        """Handle a press, which is answered in any case, so that the button stops waiting."""
        query = update.callback_query
        if query is None or query.message is None or query.from_user.id == ANONYMOUS:
            return
        press = load_press(query.data or "")
        is_slow = self.context.allowance.spend(query.from_user.id)
        about = press.table if press is not None and press.kind not in _IN_SETTINGS else 0
        at = await self._locate_press(query, about) if is_slow else None
        if press is None or at is None:
            language = self.context.language_of(query.from_user.id, query.from_user.language_code)
            await self._end(update.update_id, query, Said([say(BEFORE if is_slow else FAST, language)], True))
            return
        said = self._again(at)
        if said is None:
            try:
                said = await self._dispatch_press(at, press)
            except Busy:
                if at.same not in self._unheard:  # it may arrive many times and is answered once
                    self._note_unheard(at.same, query.id, [at.say(WAITS)])
                    await self._answer(query.id, Said([at.say(WAITS)], True))
                raise
        await self._end(update.update_id, query, said, at)

    async def _end(self, update: int, query: CallbackQuery, said: Said, at: At | None = None) -> None:
        """Answer a press, which is on disk; at once in its request if that still waits.

        An update that came again was not answered, so its answer is a call.
        """
        about = (at.same, at.language) if at is not None else ()
        if at is not None:
            self._note_done(at, query.id, said)
        call = partial(self._answer, query.id, said, *about)
        again = partial(call, answered=self.context.clock.now())
        if not self.intake.answer(update, _as_answer(query.id, said), lambda: self.context.spawn(again())):
            self.intake.end(update)
            await call()

    def _again(self, at: At) -> Said | None:
        """Return the lost answer to an equal earlier press; None if this press is new."""
        known = self._unheard.get(at.same)
        if known is None or known.query == at.query.id or self.context.clock.now() - known.since > SAME_S:
            return None
        if known.lines[0] != at.say(WAITS):
            del self._unheard[at.same]
        return Said(known.lines, True)

    def _note_unheard(self, same: Same, query: str, lines: list[str]) -> None:
        self._unheard[same] = LostAnswer(query, self.context.clock.now(), lines)

    def _note_done(self, at: At, query: str, said: Said) -> None:
        """Note that a press is done: a query is answered once, so a player who was told to wait learns it at their next
        press.
        """
        known = self._unheard.get(at.same)
        if known is None or known.query != query:
            return
        if said.is_done and known.lines[0] == at.say(WAITS):
            self._note_unheard(at.same, query, [at.say(REPEATED), *said.lines])
        else:
            del self._unheard[at.same]

    def _forget_unheard(self, same: Same | None, query: str) -> None:
        if same is not None and same in self._unheard and self._unheard[same].query == query:
            del self._unheard[same]

    async def _locate_press(self, query: CallbackQuery, about: int) -> At | None:
        """Return the place of a press. A message about a table elsewhere names it, for its players."""
        message, user = query.message, query.from_user
        assert message is not None
        self.places.notice(message.chat)
        chat = self.context.chat_of(message.chat.id, message.chat.type)
        language = self.context.language_of(user.id, user.language_code)
        if about:
            address = self._address_of(about, user.id)
            held = about if address == PRIVATE else None
            return At(query, chat, address, None, language, held) if address is not None else None
        if not isinstance(message, Message):
            # The message was deleted: in a forum its topic is unknown.
            if message.chat.is_forum:
                return None
            thread = None
        else:
            thread = thread_of(message)
        title = message.chat.title or user.full_name
        address = await self.places.arrive(chat, thread, user, title)
        if isinstance(message, Message):
            self.tables.notice(address, message)
        if not chat.is_private and self.context.table_at(address) is None:
            held = find_stranded(self.context.state, self.context.player_of(user.id))
            if held is not None:
                return At(query, chat, PRIVATE, thread, language, held)
        return At(query, chat, address, thread, language)

    def _table_at(self, at: At) -> Table | None:
        return self.context.state.table(at.held) if at.held is not None else self.context.table_at(at.address)

    def _address_of(self, id: int, user: int) -> str | None:
        table, player = self.context.state.table(id), self.context.player_of(user)
        if table is None or player is None or player not in {*table.owners().values(), *table.players()}:
            return None
        return next(iter(self.context.addresses_of(id)), PRIVATE if table.lost is not None else None)

    async def _answer(
        self,
        query: str,
        said: Said,
        same: Same | None = None,
        language: str = "en",
        *,
        answered: float | None = None,
    ) -> None:
        """Answer a press, and retry if the answer is lost. Telegram refuses one that is too old or answered.

        `same`: until its arrival is certain, the next press with the same meaning is not a second one. `answered`: when
        an answer went with the request; a refusal soon after means that it arrived.
        """
        known = self._unheard.get(same) if same is not None else None
        is_noted = known is not None and known.query == query
        for _try in range(2):
            fault = await self._try_answer(query, said)
            if fault is None:
                self._forget_unheard(same, query)
                return
            if (
                answered is not None
                and isinstance(fault, BadRequest)
                and self.context.clock.now() - answered < ANSWER_S
            ):
                return
            _log.info("a press was not answered: %s", fault)
            if same is not None and said.is_done and not is_noted:
                is_noted = True
                self._note_unheard(same, query, [say(REPEATED, language), *said.lines])
            if not is_unreachable(fault):
                return

    async def _try_answer(self, query: str, said: Said) -> TelegramError | None:
        text, must_close = fit_notice(said.lines, alert=said.alert)
        patience: dict[str, Any] = dict.fromkeys(_TIMEOUTS, ANSWER_S / 2)
        try:
            await self.context.bot.answer_callback_query(
                query, text or None, show_alert=must_close and bool(text), **patience
            )
        except TelegramError as fault:
            self.context.outbox.on_answer(fault)
            return fault
        return None

    async def _dispatch_press(self, at: At, press: Press) -> Said:
        if (press.kind == "own" and not at.chat.is_private) or (press.kind == "remove" and not _has_button(at.query)):
            return Said([at.say(BEFORE)], True)  # no client of Telegram's own sends that
        if press.kind in ("yes", "no", "read"):
            return await self._settle(at, press)
        if press.kind == "direct":
            return self._change_direct(at)
        if press.kind == "own":
            answer = await self.context.submit_update(
                self.context.internal_command("open own", at.address, press.verb, at.language)
            )
            return Said([at.say(text) for text in answer.said], answer.refused)
        if press.kind == "setup":
            return await self._set_up(at, press)
        if press.kind == "remove":
            return await self._remove_post(at, press.verb)
        if press.kind in _IN_SETTINGS:
            return await self._turn_settings(at, press)
        if press.kind == "chip":
            return self._next_chip(at)
        if press.kind == "ask":
            self.lines.asked[at.chat.number, at.user] = press
            example = f"/{press.verb.replace('-', '')} {' '.join(press.args)}".strip()
            how = Text("Reply to the table's message with the amount, or type {example} 35", example=Word(example))
            cut = Text("Reply to the table's message with your text, or type `/cut TEXT`")
            said = at.say(cut if press.verb == "cut" else how)
            if self._may_open_keyboard(at):
                self.context.spawn(self.lines.ask_for(at.chat, at.thread, at.query.from_user, press, at.language))
            return Said([said], True)
        if press.verb == "cards":
            return self._show_cards(at)
        return await self._command(at, press)

    def _may_open_keyboard(self, at: At) -> bool:
        """Return whether to open the keyboard by a message that mentions the person; not if they or the table want no
        mentions.
        """
        table, player = self._table_at(at), self.context.player_of(at.user)
        if at.chat.is_private or table is None:
            return False
        may = may_mention(self.context.state, table, player) if player is not None else table.settings.mentions
        return may and self.context.outbox.has_room(at.chat.number, ROOM_TO_ASK)

    async def _set_up(self, at: At, press: Press) -> Said:
        """Set up the group, by the button of the greeting or in the panel."""
        message, setup, user = at.query.message, self.lines.setup, at.query.from_user
        if at.chat.is_private and press.args:
            shown = message if isinstance(message, Message) else None
            self.context.spawn(self._report(at, setup.press(at.chat, user, press, at.key, shown)))
            return Said([], is_done=True)
        if not isinstance(message, Message) or not await self.places.is_inspector(at.chat, at.user):
            return Said([at.say(FOR_INSPECTORS)], True)
        work = setup.run(at.chat, message.chat, at.thread, user, who_of(user, inspector=True), at.key)
        if message.chat.is_forum:
            self.context.spawn(self._report(at, work, TOPICS_ARE_THERE, message))
            return Said(
                [at.say(Text("I'm making a topic for each game and will tell you here when they are ready."))],
                is_done=True,
            )
        lines = [at.say(text) for text in await work]
        self.context.spawn(self._lead_to_panel(at, message))
        return Said(lines or [at.say(TABLE_IS_OPEN)], bool(lines), is_done=True)

    async def _open_settings(self, at: At, page: tuple[str, ...]) -> Said:
        admin, user = self.lines.admin, at.query.from_user
        if (group := await admin.group_for(user.id, at.chat)) is None:
            return Said([at.say(FOR_INSPECTORS)], True)
        self.context.spawn(admin.open(at.chat, user, group, at.key, *page))
        return Said([], is_done=True)

    async def _turn_settings(self, at: At, press: Press) -> Said:
        """Turn a page of the settings, only in the private chat, where the message is edited in place."""
        message = at.query.message
        if not at.chat.is_private or not isinstance(message, Message):
            return Said([at.say(FOR_INSPECTORS)], True)
        hindered = await self.lines.admin.press(at.chat, at.query.from_user, press, at.key, message)
        return Said([at.say(hindered)], True) if hindered is not None else Said([], is_done=True)

    async def _report(
        self, at: At, work: Awaitable[list[Text]], done: Text | None = None, greeting: Message | None = None
    ) -> None:
        lines = [at.say(text) for text in await work or ([done] if done is not None else [])]
        if lines:
            send = partial(self.context.bot.send_message, at.chat.id, "\n".join(lines), message_thread_id=at.thread)
            await self.context.send(at.chat, send)
        if greeting is not None:
            await self._lead_to_panel(at, greeting)

    async def _lead_to_panel(self, at: At, greeting: Message) -> None:
        """Add a link to the panel beside the greeting's button."""
        markup = choice_rows([self.lines.setup.panel_of(at.chat)], self.context.bot.username, at.language)
        again = [press_button(at.say(SET_UP), Press("setup"))]
        rows = InlineKeyboardMarkup([again, *markup])
        edit = partial(self.context.bot.edit_message_reply_markup, at.chat.id, greeting.message_id, reply_markup=rows)
        with suppress(BadRequest):  # it is there already
            await self.context.send(at.chat, edit)

    async def _command(self, at: At, press: Press) -> Said:
        table = self._table_at(at)
        verb, args, fresh = press.verb, press.args, press.fresh
        if press.kind == "bet":
            args = (*args, self._chip(table, at.user)) if table is not None else args
        elif press.kind == "move":
            if table is None or table.round.hand is None:
                return Said([at.say(BEFORE)], True)
            is_stale, moves = not is_of_now(table, fresh), self._moves(table, at.user)
            own, player = find_own(moves, verb, args), self.context.player_of(at.user)
            asks_the_same = own is not None and player is not None and means_the_same(table, fresh, own, player)
            if is_stale and not asks_the_same and not self._has_seen(table, at.user):
                return self._tell_turn(at, table, parse_precondition(fresh).hand, own)
            is_told = is_stale and stages_of(table.game).is_paced
            args, fresh = as_own(table, moves, verb, args, fresh, is_told=is_told)
        known = CHAT_COMMANDS.get(verb)
        if verb == SETTINGS and at.chat.is_private:
            return await self._open_settings(at, args)
        who, place = await self.lines.speaks_as(at.chat, at.query.from_user, verb, at.address, at.thread)
        command = Command(at.key, who, place, verb, args, fresh)
        asked = self._asked.confirm(at.user, who.account, at.key)
        if asked is not None and asked[2:6] == command[2:6]:
            command = asked._replace(who=who)
        try:
            answer = await self.context.submit_update(command)
        except Busy:
            if command.confirmed:
                self._asked.ask(at.user, command)  # it comes again, and is still a yes
            raise
        if asked is None and answer.shared_post is not None and not at.chat.is_private:
            self._asked.ask(at.user, command)
            return Said([at.say(_SHARE_AGAIN)], True)
        answer = with_settings(verb, answer)
        if answer.refused and table is None and known is not None and known.group == "play":
            self.context.spawn(self._clear_old(at))
        if answer.refused and not answer.confirm and any(map(waits_for_its_place, (table, self._table_at(at)))):
            # It was not paused by anyone.
            answer = answer._replace(texts=(await self.lines.setup.why_lost(at.chat, at.thread),))
        return self._show_answer(at, command, answer, turns=press.kind == "turn")

    async def _clear_old(self, at: At) -> None:
        """Remove the buttons of an old table message, from before the bot was removed."""
        message = at.query.message
        if isinstance(message, Message) and not at.chat.is_private:
            edit = partial(self.context.bot.edit_message_reply_markup, at.chat.id, message.message_id)
            with suppress(BadRequest):
                await self.context.send(at.chat, edit)

    def _moves(self, table: Table, user: int) -> Sequence[Button]:
        player = self.context.player_of(user)
        if player is None:
            return ()
        return self.context.own_screen(table, player).moves

    def _show_answer(self, at: At, command: Command, answer: Answer, *, turns: bool = False) -> Said:
        # the command may have changed the language
        at = replace(at, language=self.context.language_of(at.user, at.language))
        if answer.lesson is not None and at.chat.is_private:
            # A new practice hand gets its own message, below the pressed one.
            message = at.query.message if answer.lesson.is_begun else None
            pressed = message if isinstance(message, Message) else None
            self.context.spawn(self.lines.lessons.show_lesson(at.chat, answer.lesson, at.language, pressed))
            return Said([])
        if answer.shared_post is not None:
            return self._show_everybody(at, answer)
        lines = [at.say(text) for text in answer.said]
        if answer.confirm:
            command = command._replace(confirmed=answer.confirm)
            if at.chat.is_private:
                self.context.spawn(self.private.ask_here(at.chat, at.user, lines, at.language, command))
                return Said([])
            self._asked.ask(at.user, command)
            return Said([at.say(Text("Press again to confirm.")), *lines], True)
        if turns and at.chat.is_private:
            self.context.spawn(self._turn(at, lines, answer.choices))
            return Said([], is_done=not answer.refused)
        if at.chat.is_private and (answer.choices or length("\n".join(lines)) > ALERT):
            self.context.spawn(self.private.ask_here(at.chat, at.user, lines, at.language, None, answer.choices))
            return Said([], is_done=not answer.refused)
        if answer.refused:
            self._look_if_lost(at)
            return Said(lines, True)
        return self._tell_done(at, command, lines)._replace(is_done=True)

    def _show_everybody(self, at: At, answer: Answer) -> Said:
        """Post a shared post in the table's language."""
        said, table = self.lines.shared_posts.accepts(at.chat, at.user), self._table_at(at)
        if said is not SHOWN:
            return Said([at.say(said)], True)
        language = at.language if at.chat.is_private or table is None else table.settings.language
        self.context.spawn(self.lines.shared_posts.post(at.chat, at.thread, answer, language, at.user))
        return Said([at.say(said)], is_done=True)

    async def _remove_post(self, at: At, account: str) -> Said:
        message = at.query.message
        if str(at.user) != account and not await self.places.is_inspector(at.chat, at.user):
            return Said([at.say(NOT_YOURS)], True)
        if message is None or not await self.context.delete(at.chat, message.message_id):
            return Said([at.say(NOT_REMOVED)], True)
        return Said([at.say(REMOVED)], is_done=True)

    async def _turn(self, at: At, lines: list[str], choices: Sequence[Choice]) -> None:
        """Replace the message of the button by the menu's next page."""
        message = at.query.message
        if not isinstance(message, Message):
            return
        bot, (page, *_cut) = self.context.bot, in_pages(lines, TEXT)
        markup = choice_markup(choices, at.language)
        edit = partial(bot.edit_message_text, page, at.chat.id, message.message_id, reply_markup=markup)
        with suppress(BadRequest):  # it is there already, or is a message of another kind
            await self.context.send(at.chat, edit)

    def _tell_done(self, at: At, command: Command, lines: list[str]) -> Said:
        if command.verb == "exchange":
            return self._tell_exchange(at, lines)
        table = self._table_at(at)
        if command.verb in MOVES and table is not None and moves_in_turn(table):
            return Said([*lines, *self._tell_draw(at, table).lines])
        return Said(lines)

    # A move in turn is answered at once, and the table's message follows when the budget allows.

    def _has_seen(self, table: Table, user: int) -> bool:
        """Return whether the user was told the present state by an answer, and has had time to read it."""
        told, when = self._told.get((table.id, user), ("", 0.0))
        return told == now_of(table) and self.context.clock.now() - when >= READ_S

    def _note_told(self, table: Table, user: int) -> None:
        if self._told.get((table.id, user), ("", 0.0))[0] != now_of(table):
            self._told[table.id, user] = now_of(table), self.context.clock.now()

    def _tell_draw(self, at: At, table: Table) -> Said:
        player = self.context.player_of(at.user)
        if table.round.hand is None or player is None:
            return Said([])
        self._note_told(table, at.user)
        return Said(own_cards(self.context.screen(table, player), at.language))

    def _tell_turn(self, at: At, table: Table, hand: str, own: Button | None) -> Said:
        """Tell a player in turn, whose button is from an older state, how things stand; their next press counts."""
        player, owners = self.context.player_of(at.user), table.owners()
        asked = {owners[key] for key in table.round.hand.asks} if table.round.hand is not None else set()
        is_paced = stages_of(table.game).is_paced
        if not (moves_in_turn(table) or is_paced) or player not in asked or hand != str(table.round.hand_id):
            return Said([at.say(BEFORE)], True)
        lines = [at.say(NOW), *self._tell_draw(at, table).lines]
        if not is_paced:
            return Said(lines, True)
        self.tables.show_turn(at.address, is_needed=own is None)
        first = Text("It's your turn. This move is not possible now.")
        if own is not None:
            first = Text("{move}? Press again.", move=own.label)
        return Said([at.say(first), *lines[1:]], True)

    def _tell_exchange(self, at: At, lines: list[str]) -> Said:
        """Tell the price of an exchange, and the new cards once everyone has chosen (CS6)."""
        table, player = self._table_at(at), self.context.player_of(at.user)
        if table is None or table.round.hand is None or player is None:
            return Said(lines)
        mine = table.seats_played_by(player)
        if not any(isinstance(event, Exchanged) and event.seat in mine for event in table.round.hand.events):
            return Said(lines)
        shown = self._show_cards(at)
        return Said([*lines, *shown.lines], shown.alert)

    def _look_if_lost(self, at: At) -> None:
        table = self._table_at(at)
        if table is not None and table.lost is not None:
            self.tables.schedule_update(at.address, again=True)

    def _show_cards(self, at: At) -> Said:
        """Show the alert, and where possible also an ephemeral message with the buttons."""
        table, player = self._table_at(at), self.context.player_of(at.user)
        if table is None or table.round.hand is None or player is None or player not in table.owners().values():
            return Said([at.say(Text("You hold no cards now."))], True)
        view = self.context.screen(table, player)
        if not at.chat.is_private:
            self.context.spawn(self.whispered.show_hand(at.chat, at.thread, table, at.user, at.query.id))
        return Said(own_cards(view, at.language) or [at.say(Text("You hold no cards now."))], True)

    def _amounts(self, table: Table) -> list[int]:
        options = options_of(self.context.state, table)
        return chip_amounts(options.minimum, options.maximum)

    def _chip(self, table: Table, user: int) -> str:
        amounts = self._amounts(table)
        return typed(amounts[self._chips.get((table.id, user), 0) % len(amounts)])

    def _next_chip(self, at: At) -> Said:
        table = self._table_at(at)
        if table is None or table.plays.seating is Seating.STACKS:
            return Said([at.say(BEFORE)], True)
        self._chips[table.id, at.user] = (self._chips.get((table.id, at.user), 0) + 1) % len(self._amounts(table))
        amount = Amount(self._amounts(table)[self._chips[table.id, at.user]])
        return Said([at.say(Text("Each press bets {amount} now.", amount=amount))])

    async def _settle(self, at: At, press: Press) -> Said:
        key, user = press.verb, await self._reads_as(at, press.verb)
        notice = self.private.unread.notice(key)
        pending = notice.people.get(user) if notice is not None else None
        if notice is None or pending is None:
            return Said([at.say(Text("That is not for you, or no longer."))], True)
        if press.kind == "read" or (pending.is_question and not pending.is_seen):
            page = pending.pages.pop(0)
            if not pending.pages and pending.is_question:
                pending.pages.append(page)  # a question stays to be read until it is answered
                if not pending.is_seen:
                    pending.is_seen = True
                    self.context.spawn(self.private.unread.show_yes_no(key, at.language))
            elif not pending.pages:
                self.private.unread.settle(key, user)
            return Said([page], True)
        said = Said([at.say(NOTHING_DONE)])
        account = f"anonymous:{at.chat.number}" if user == ANONYMOUS else str(user)
        command = self.private.unread.questions.confirm((key, user), account, at.key)
        if press.kind == "yes" and command is not None:
            said = await self._say_yes(at, (key, user), command)
        self.private.unread.settle(key, user)
        self.context.spawn(self._clear_question(at, notice.message is None))
        self.context.spawn(self.private.clear_question(notice))
        return said

    async def _reads_as(self, at: At, key: str) -> int:
        """Return the account whose answers the person may read: their own, or that of an anonymous administrator."""
        notice = self.private.unread.notice(key)
        if notice is None or at.user in notice.people or ANONYMOUS not in notice.people:
            return at.user
        return ANONYMOUS if await self.places.is_inspector(at.chat, at.user) else at.user

    async def _say_yes(self, at: At, key: tuple[str, int], command: Command) -> Said:
        """Submit a confirmed command, as an inspector only if the person administers the place it is for."""
        who, chat = command.who, self.context.chat_at(command.place.address) or at.chat
        if who.inspector and not await self.places.is_inspector(chat, at.user):
            who = who._replace(inspector=False)
        try:
            answer = await self.context.submit_update(command._replace(who=who))
        except Busy:
            self.private.unread.questions.ask(key, command)  # it comes again, and is still a yes
            raise
        if answer.confirm:
            return self._ask_anew(at, answer, command._replace(who=who, confirmed=answer.confirm), key[1])
        return Said([at.say(text) for text in answer.said], True)

    def _ask_anew(self, at: At, answer: Answer, command: Command, user: int) -> Said:
        """Ask again, with new buttons, if the subject of the question has changed; the old buttons do nothing."""
        message = at.query.message
        if user != at.user or not isinstance(message, Message):
            return Said([at.say(text) for text in (NOTHING_DONE, *answer.said)], True)
        spoken = Spoken(message, at.query.from_user, at.chat, at.language)
        self.context.spawn(self.private.answer_line(spoken, answer.said, command))
        return Said([at.say(ASKED_ANEW)], True)

    async def _clear_question(self, at: At, is_own: bool) -> None:
        """Delete an answered question."""
        message = at.query.message
        if is_own and message is not None and at.chat.is_private:
            await self.context.delete(at.chat, message.message_id)

    def _change_direct(self, at: At) -> Said:
        wants = at.user not in self.context.notes.wants_direct
        self.context.note_direct(at.user, wants)
        yes = Text("From the next hand on, your cards are sent to this chat as well.")
        return Said([at.say(yes if wants else Text("Your cards are no longer sent to this chat."))], True)
