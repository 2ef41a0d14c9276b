"""What one person alone is told. No legal move depends on more than the alert that answers his press.

An alert holds 200 characters. Where the server takes them there are ephemeral messages besides, and direct messages
for those who pressed Start and asked for them. A server older than Bot API 10.2 would ignore the parameters and show
the cards to everybody: it is asked first, and every answer is checked.
"""

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, Message, ReplyParameters
from telegram.error import (
    BadRequest,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    TelegramError,
)

from bot.core.command_list import has_trait
from bot.core.commands.command import Choice, Command
from bot.core.commands.registry import Trait
from bot.core.state.table import Table
from bot.platforms.common.kept_answers import KeptAnswers
from bot.platforms.common.press import Press, load_press
from bot.platforms.common.questions import Questions
from bot.platforms.common.recent import Recent
from bot.platforms.common.sentences import NO, YES
from bot.platforms.common.stages import stage_of, waited_for
from bot.platforms.common.typed import parse_line
from bot.platforms.telegram.desk import Chat, Desk
from bot.platforms.telegram.drawing import (
    CAPTION,
    READ_BY_LINK,
    TEXT,
    Rows,
    choice_button,
    choice_rows,
    escape,
    fit_alert,
    hand_text,
    in_rows,
    length,
    link_button,
    own_moves,
    payload_of,
    press_button,
    shorten,
)
from bot.platforms.telegram.http import may_have_arrived
from bot.platforms.telegram.messages import LATE_PICTURE_S, Paint, Painter, Told
from bot.platforms.telegram.saying import say
from bot.platforms.telegram.sending import MINOR, NEW, Done
from bot.platforms.telegram.updates import Spoken, is_anonymous
from bot.texts import Text

MOST_PENDING = 2000
# Of what one person reads by pressing: so much at a time, so many times, so many lines in all.
PAGE, PAGES, MOST_LINES = 190, 3, 30
UNREAD_S = 120.0
# In one place so many messages wait to be read, of which each names so many people.
MOST_OPEN, MOST_NAMED = 3, 5
# What changes a street comes together, and where a direct message has the new picture first, Telegram has it.
TOGETHER_S = 1.0
# So long an ephemeral hand of the last street may wait for a call to spare; then it goes.
STALE_S = 5.0
# Who was refused an ephemeral message is not sent another before.
TRY_AGAIN_S = 600.0
ROOM_FOR_EPHEMERAL = 3
# So long a house that ended knows its ephemeral hands again, and where they stand: beside the books.
EPHEMERAL_S, FILE = 86_400.0, "telegram-answers"
NOT_KNOWN = 0
# A player's cards in words wait no longer for their picture; it follows when it is drawn.
SOON_S = 0.25
# Nor does the end of a hand wait longer for what the coach says of it; later on /review tells it.
DEAREST_S = 1.0
_FINISH_HERE = Text("Your table cannot be shown where it was. Finish your hand here.")
FOR_YOU_ALONE = Text("This is for you alone.")
_log = logging.getLogger("ridotto.telegram")


@dataclass
class Pending:
    """Something that waits behind buttons for one person: an answer to read, or a question, which is answered once it
    was seen.
    """

    pages: list[str] = field(default_factory=list)
    is_question: bool = False
    is_seen: bool = False


@dataclass
class Notice:
    """A message of buttons behind which each of these people finds what is for him alone.

    `message` is where everybody sees it, at the place of this address; `whisper` is seen by one person, and has the
    question above its buttons.
    """

    people: dict[int, Pending]
    address: str = ""
    message: tuple[Chat, int] | None = None
    whisper: "Whisper | None" = None


class Unsaid(NamedTuple):
    """What somebody in a group is still to be told, what a yes to it does, and what it offers; where he asked last."""

    spoken: Spoken
    lines: tuple[str, ...]
    ask: Command | None
    choices: Sequence[Choice] = ()


class Whisper(NamedTuple):
    """An ephemeral message, which one member of a group sees. It is changed and deleted by calls of its own."""

    chat: Chat
    user: int
    id: int
    thread: int | None = None

    @property
    def asked(self) -> dict[str, Any]:
        """What each of them names it by."""
        return {"chat_id": self.chat.id, "receiver_user_id": self.user, "ephemeral_message_id": self.id}


class Whispered(NamedTuple):
    """An ephemeral hand as it is found again by the next start."""

    table: int
    player: int
    until: float
    chat: int
    user: int
    message: int
    thread: int | None
    hand: int
    has_photo: bool


@dataclass
class _Hand:
    """A private message that shows a hand: in a direct chat, or ephemeral in a group."""

    hand: int
    message: int
    told: Told
    has_photo: bool
    # What it was made for, where it is not looked at with every change.
    stage: Hashable = None


class Private:
    """Belongs to the event loop."""

    def __init__(self, desk: Desk, administers: Callable[[Chat], Awaitable[bool]], paint: Paint | None = None) -> None:
        self.desk, self._painter = desk, Painter(desk.bot, paint, SOON_S)
        self._administers = administers
        self._notices: Recent[str, Notice] = Recent(MOST_PENDING)
        # {address: {user: what he is told there with the next message}}.
        self._unsaid: dict[str, dict[int, Unsaid]] = {}
        # {(chat, user): until when no ephemeral message is tried again}.
        self._refused: Recent[tuple[int, int], float] = Recent(MOST_PENDING)
        self.questions = Questions(MOST_PENDING)
        self._direct: dict[tuple[int, int], _Hand] = {}
        self._ephemeral: dict[tuple[int, int], tuple[Whisper, _Hand]] = {}
        # {(table, player): held by who writes that ephemeral hand}.
        self._writers: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._has_seen_one = False
        self._kept = KeptAnswers(desk.writer.books.folder / FILE, Whispered, _log)

    def open(self) -> None:
        """Hands that this house had whispered before it ended follow the game again, or go."""
        for one in self._kept.open(self.desk.writer.clock()):
            chat = self.desk.notes.chats.get(one.chat)
            if chat is None:
                continue
            whisper = Whisper(chat, one.user, one.message, one.thread)
            if self.desk.house.table(one.table) is None:
                self.desk.spawn(self._clear_whisper(whisper))
                continue
            self._ephemeral[one.table, one.player] = whisper, _Hand(one.hand, one.message, Told(""), one.has_photo)
            self._look_whispered(one.table)

    def close(self) -> None:
        """They stay where they are, and the next start finds them."""
        self._kept.close()

    # Answers to what somebody typed

    async def answer_line(
        self,
        spoken: Spoken,
        texts: Sequence[Text],
        ask: Command | None = None,
        choices: Sequence[Choice] = (),
        *,
        passes: bool = False,
    ) -> None:
        """Answer in a private chat as it is, in a group where one person alone reads it. `passes`: it is soon no longer
        true, and goes there after a while.
        """
        lines = [say(text, spoken.language) for text in texts]
        if not lines:
            return
        if spoken.chat.is_private:
            await self.ask_here(spoken.chat, spoken.user.id, lines, spoken.language, ask, choices)
            return
        if not await self._whisper(spoken, lines, ask, choices, passes=passes):
            self._leave_to_read(spoken, lines, ask, choices)

    async def ask_here(
        self,
        chat: Chat,
        user: int,
        lines: list[str],
        language: str,
        ask: Command | None,
        choices: Sequence[Choice] = (),
    ) -> None:
        """In a private chat; `ask` is what a yes does."""
        markup = self._question(user, language, ask) if ask is not None else choice_markup(choices, language)
        pages = in_pages(lines, TEXT)
        for number, page in enumerate(pages, start=1):
            last = markup if number == len(pages) else None
            await self.send(chat, page, markup=last)

    def _markup(self, spoken: Spoken, ask: Command | None, choices: Sequence[Choice]) -> InlineKeyboardMarkup | None:
        if ask is not None:
            return self._question(spoken.user.id, spoken.language, ask)
        rows = choice_rows(choices, self.desk.bot.username, spoken.language, spoken.chat.number)
        return InlineKeyboardMarkup(rows) if rows else None

    async def _whisper(
        self, spoken: Spoken, lines: list[str], ask: Command | None, choices: Sequence[Choice], *, passes: bool
    ) -> bool:
        """As an ephemeral message, where the bot may send one at any time and the table spares the call; else directly,
        to who asked for it. A group that speaks for an administrator is nobody to whisper to.
        """
        chat, user = spoken.chat, spoken.user.id
        pages = in_pages(lines, CAPTION)
        if is_anonymous(spoken.message):
            return False
        if len(pages) == 1 and self.desk.outbox.has_room(chat.number, 2) and await self._administers(chat):
            markup = self._markup(spoken, ask, choices)
            sent_one = await self._send_ephemeral(chat, spoken.thread, user, Told(escape(pages[0]), markup))
            if sent_one is not None:
                if passes:
                    self.desk.spawn(self._clear_whisper_later(sent_one[0]))
                if ask is not None and markup is not None:
                    press = load_press(str(markup.inline_keyboard[0][0].callback_data))
                    if press is not None and (notice := self._notices.get(press.verb)) is not None:
                        notice.whisper = sent_one[0]
                return True
        if user not in self.desk.notes.wants_direct:
            return False
        markup = self._markup(spoken, ask, choices)
        sent = [await self.send_direct(user, escape(page), markup if page is pages[-1] else None) for page in pages]
        return sent[-1] is not None

    # What waits in a group behind a button: one message for all who wait, and few of them

    def _leave_to_read(
        self, spoken: Spoken, lines: Sequence[str], ask: Command | None, choices: Sequence[Choice]
    ) -> None:
        """With the next message of these. It comes after what the table has to show."""
        address = self.desk.address_of(spoken.chat, spoken.thread)
        waiting = self._unsaid.setdefault(address, {})
        before = waiting.get(spoken.user.id)
        if before is not None:
            lines, ask = (*before.lines, *lines)[-MOST_LINES:], ask or before.ask
        waiting[spoken.user.id] = Unsaid(spoken, tuple(lines), ask, choices)
        send = partial(self._send_notice, address, spoken.chat)
        self.desk.outbox.reply(spoken.chat.number, ("read", address), send, is_group=True)

    async def _send_notice(self, address: str, chat: Chat) -> Done | None:
        waiting = dict(self._unsaid.get(address, {}))
        if not waiting:
            return Done.NOTHING
        key, first = secrets.token_hex(8), next(iter(waiting.values())).spoken
        people = {user: Pending(_pages_to_read(one), one.ask is not None) for user, one in waiting.items()}
        people = self._still_unread(address) | people
        text, row = self._say_who(key, first, waiting, len(people))
        # Buttons that several would see are nobody's.
        choices = next(iter(waiting.values())).choices if len(people) == 1 else ()
        rows = choice_rows(choices, self.desk.bot.username, first.language, chat.number)
        send = partial(
            self.desk.bot.send_message,
            chat.id,
            text,
            reply_markup=InlineKeyboardMarkup([row, *rows]),
            message_thread_id=first.thread,
            disable_notification=True,
        )
        if len(waiting) == 1:
            send = partial(
                send,
                reply_parameters=ReplyParameters(first.message.message_id, allow_sending_without_reply=True),
            )
        receivers = list(people)
        # It may be read before Telegram has told its number.
        notice = self._notices[key] = Notice(people, address)
        for user, one in waiting.items():
            if one.ask is not None:
                self.questions.ask((key, user), one.ask)
        try:
            sent = await send()
        except (BadRequest, Forbidden) as refusal:
            self._notices.pop(key, None)
            _log.warning("an answer could not be sent: %s", refusal)
            for one in self._unsaid.pop(address, {}).values():
                self.desk.spawn(self._say_privately(one))
            return Done.REFUSED
        except TelegramError:
            self._notices.pop(key, None)
            raise
        for user, one in waiting.items():
            if self._unsaid[address].get(user) is one:
                del self._unsaid[address][user]
        for old, other in [one for one in self._notices.items() if one[1].address == address and one[0] != key]:
            for user in [user for user in receivers if user in other.people and not other.people[user].is_question]:
                self.settle(old, user)
        self.desk.heard(sent)
        notice.message = (chat, sent.message_id)
        if not people:
            self.desk.spawn(self._delete_notice(notice))
        elif any(pending.is_question and pending.is_seen for pending in people.values()):
            self.desk.spawn(self.show_yes_no(key, first.language))
        self.desk.spawn(self._clear_later(key))
        return None

    async def _say_privately(self, one: Unsaid) -> None:
        """Where his group takes no words: in the private chat, to who began one. A group has none."""
        if is_anonymous(one.spoken.message):
            return
        user = one.spoken.user.id
        with suppress(TelegramError):
            await self.ask_here(self.desk.chat_of(user, "private"), user, list(one.lines), one.spoken.language, one.ask)

    def _still_unread(self, address: str) -> dict[int, Pending]:
        """Of the oldest message of these, where there are as many as may stand: a new one takes its place.

        Nobody is asked a question twice.
        """
        open_there = [notice for notice in self._notices.values() if notice.address == address and notice.message]
        oldest = open_there[0].people if len(open_there) >= MOST_OPEN else {}
        return {user: pending for user, pending in oldest.items() if not pending.is_question}

    def _say_who(
        self, key: str, spoken: Spoken, waiting: dict[int, Unsaid], count: int
    ) -> tuple[str, list[InlineKeyboardButton]]:
        language, names = spoken.language, [_name_of(one.spoken) for one in waiting.values()][:MOST_NAMED]
        read, one = say(Text("Read"), language), next(iter(waiting.values()))
        if count == 1:
            pages, payload = in_pages(one.lines, PAGE), _payload(spoken.message.text or "", spoken.chat.number)
            if len(pages) > PAGES and one.ask is None and payload:
                text = say(Text("{name}, this is long: read it in our private chat.", name=names[0]), language)
                return text, [link_button(read, self.desk.bot.username, payload)]
            text = say(Text("{name}, this is for you alone.", name=names[0]), language)
        elif count > len(names):
            and_more = Text(
                "{names} and {n} more: each of you reads his own answer.", names=names, n=count - len(names)
            )
            text = say(and_more, language)
        else:
            text = say(Text("{names}: each of you reads his own answer.", names=names), language)
        row = [press_button(read, Press("read", key))]
        return text, row

    async def _clear_later(self, key: str) -> None:
        await self.desk.clock.sleep(UNREAD_S)
        if (notice := self._notices.pop(key, None)) is not None:
            await self._delete_notice(notice)

    async def show_yes_no(self, key: str, language: str) -> None:
        """Yes and No stand under the message of somebody who has read the question behind it."""
        notice = self._notices.get(key)
        if notice is None or notice.message is None:
            return
        chat, message = notice.message
        row = [press_button(say(Text("Read"), language), Press("read", key)), *_yes_no(key, language)]
        edit = partial(
            self.desk.bot.edit_message_reply_markup, chat.id, message, reply_markup=InlineKeyboardMarkup([row])
        )
        with suppress(BadRequest):  # they are there already
            await self.desk.send(chat, edit)

    async def clear_question(self, notice: Notice) -> None:
        """Take away what one person alone was asked."""
        if notice.whisper is not None:
            await self._clear_whisper(notice.whisper)

    async def _delete_notice(self, notice: Notice) -> None:
        """Nobody else has any use for it."""
        if notice.message is not None:
            await self.desk.delete(*notice.message)

    # Questions

    def notice(self, key: str) -> Notice | None:
        """What stands behind the buttons of one message, for whoever finds himself in it."""
        return self._notices.get(key)

    def settle(self, key: str, user: int) -> None:
        """He has read it or answered; what nobody waits for any more goes."""
        notice = self._notices.get(key)
        if notice is None or notice.people.pop(user, None) is None or notice.people:
            return
        del self._notices[key]
        self.desk.spawn(self._delete_notice(notice))

    def _question(self, user: int, language: str, ask: Command) -> InlineKeyboardMarkup:
        key = secrets.token_hex(8)
        self._notices[key] = Notice({user: Pending(is_question=True, is_seen=True)})
        self.questions.ask((key, user), ask)
        return InlineKeyboardMarkup([_yes_no(key, language)])

    # Sending

    async def send(self, chat: Chat, text: str, *, markup: InlineKeyboardMarkup | None = None) -> Message:
        """A line of a conversation, in a private chat; escaped here."""
        sent: Message = await self.desk.send(
            chat, partial(self.desk.bot.send_message, chat.id, text, reply_markup=markup)
        )
        return sent

    async def reply(
        self, spoken: Spoken, text: str, *row: InlineKeyboardButton, rows: Sequence[Sequence[InlineKeyboardButton]] = ()
    ) -> Message | None:
        """In the topic where it was asked; in the private chat of who began one, where that takes no words."""
        markup = InlineKeyboardMarkup([row, *rows])
        send = partial(
            self.desk.bot.send_message,
            spoken.chat.id,
            text,
            reply_markup=markup,
            message_thread_id=spoken.thread,
            reply_parameters=ReplyParameters(spoken.message.message_id, allow_sending_without_reply=True),
            disable_notification=True,
        )
        try:
            sent: Message = await self.desk.send(spoken.chat, send)
            return sent
        except TelegramError as fault:
            _log.warning("a reply could not be sent: %s", fault)
            is_refused = isinstance(fault, BadRequest | Forbidden)
        if is_refused and not spoken.chat.is_private:
            with suppress(TelegramError):
                return await self.send(self.desk.chat_of(spoken.user.id, "private"), text, markup=markup)
        return None

    async def send_direct(self, user: int, text: str, markup: InlineKeyboardMarkup | None) -> Message | None:
        """To who asked for direct messages; who blocks the bot has asked no more."""
        send = partial(self.desk.bot.send_message, user, text, reply_markup=markup, parse_mode="HTML")
        try:
            sent: Message = await self.desk.send(self.desk.chat_of(user, "private"), send)
            return sent
        except Forbidden:
            self.desk.note_direct(user, False)
        except TelegramError as fault:
            _log.warning("a direct message could not be sent: %s", fault)
        return None

    # Ephemeral messages

    async def _may_use_ephemeral(self, chat: Chat, user: int) -> bool:
        """Asks the server once. One that does not know them answers 404, and is never sent any."""
        if self.desk.knows_ephemeral is None:
            self.desk.knows_ephemeral = await self._probe(chat, user)
        return bool(self.desk.knows_ephemeral) and self._refused.get((chat.number, user), 0.0) <= self.desk.clock.now()

    async def _probe(self, chat: Chat, user: int) -> bool | None:
        """None: no answer tells it, and the next one is asked again."""
        try:
            await self._delete(Whisper(chat, user, 1))
        except (EndPointNotFound, InvalidToken):
            return False
        except BadRequest:
            return True
        except TelegramError as fault:
            _log.info("whether ephemeral messages are known is not known: %s", fault)
            return None
        return True

    async def _send_ephemeral(
        self, chat: Chat, thread: int | None, user: int, told: Told, query: str | None = None
    ) -> tuple[Whisper, bool] | None:
        """It, and whether it has a photo; None where it could not be sent. Falls back silently, from a picture to words
        first.
        """
        if chat.is_private or not await self._may_use_ephemeral(chat, user):
            return None
        receiver: dict[str, Any] = {"receiver_user_id": user} | ({"callback_query_id": query} if query else {})
        where = {"message_thread_id": thread, "api_kwargs": {"ephemeral_message_parameters": receiver}}
        # The first one says nothing yet: a server may know the methods and ignore the parameter all the same.
        is_trial = not self._has_seen_one
        harmless = Told(say(FOR_YOU_ALONE, self.desk.language_of(user, None)))
        try:
            send = partial(self._painter.post, chat.id, harmless if is_trial else told, **where)
            sent: Message = await self.desk.send(chat, send)
        except TelegramError as fault:
            _log.info("no ephemeral message: %s", fault)
            is_refused = isinstance(fault, BadRequest) and "too old" not in str(fault)
            if is_refused and told.picture is not None and not is_trial:
                return await self._send_ephemeral(chat, thread, user, told._replace(picture=None), query)
            if is_refused:
                self._refused[chat.number, user] = self.desk.clock.now() + TRY_AGAIN_S
            return None
        id = (sent.api_kwargs or {}).get("ephemeral_message_id")
        if id is None:
            await self._take_back(chat, sent)
            return None
        self._has_seen_one, whisper = True, Whisper(chat, user, int(id), thread)
        if is_trial:
            await self._edit(whisper, "Text", told, text=told.words, parse_mode="HTML")
        return whisper, bool(sent.photo)

    async def _edit(self, whisper: Whisper, part: str, told: Told, **what: Any) -> bool:
        """Whether it shows it now; the call says which part of the message it changes."""
        asked = whisper.asked | what | ({"reply_markup": told.markup} if told.markup is not None else {})
        call = partial(self.desk.bot.do_api_request, f"editEphemeralMessage{part}", api_kwargs=asked)
        try:
            await self.desk.send(whisper.chat, call)
        except TelegramError as fault:
            _log.info("an ephemeral message was not edited: %s", fault)
            return "not modified" in str(fault)
        return True

    async def _delete(self, whisper: Whisper) -> None:
        await self.desk.bot.do_api_request("deleteEphemeralMessage", api_kwargs=whisper.asked)

    async def _clear_whisper(self, whisper: Whisper) -> None:
        with suppress(TelegramError):
            await self._delete(whisper)

    async def _clear_whisper_later(self, whisper: Whisper) -> None:
        await self.desk.clock.sleep(UNREAD_S)
        await self._clear_whisper(whisper)

    async def _take_back(self, chat: Chat, sent: Message) -> None:
        """The server took the parameter for nothing: everybody sees the message. It goes at once, and none follows."""
        self.desk.knows_ephemeral = False
        with suppress(TelegramError):
            await self.desk.bot.delete_message(chat.id, sent.message_id)

    # Hands

    async def whisper_hand(self, chat: Chat, thread: int | None, table: Table, user: int, query: str) -> None:
        """After a press on My cards: the whole hand with its buttons, where there is room for it."""
        player = self.desk.player_of(user)
        if player is None or not self.desk.outbox.has_room(chat.number, ROOM_FOR_EPHEMERAL):
            return
        async with self._writing(table.id, player):
            await self._whisper_now(chat, thread, table.id, player, query)
        # What changed while it was on its way.
        self._look_whispered(table.id)

    def _writing(self, table: int, player: int) -> asyncio.Lock:
        """Held while a player's ephemeral hand is drawn and sent: calls side by side arrive in any order."""
        return self._writers.setdefault((table, player), asyncio.Lock())

    async def _whisper_now(self, chat: Chat, thread: int | None, id: int, player: int, query: str) -> None:
        table, user = self.desk.house.table(id), self.desk.user_of(player)
        if table is None or table.play is None or user is None:
            return
        told, stage = await self._tell(table, player), _stage_for(table, player)
        known = self._ephemeral.get((id, player))
        if known is not None and known[1].hand == table.hand_id and await self._edit_hand(*known, told):
            known[1].told, known[1].stage = told, stage
            return
        sent = await self._send_ephemeral(chat, thread, user, told, query)
        if sent is not None:
            whisper, has_photo = sent
            self._keep(id, player, whisper, _Hand(table.hand_id, whisper.id, told, has_photo, stage))
            if known is not None:
                self.desk.spawn(self._clear_whisper(known[0]))

    async def _refresh(self, table: Table, player: int, whisper: Whisper, hand: _Hand) -> None:
        """Shows the hand as it is on this street: by an edit, anew where none is taken; else it goes, and is no lie."""
        quiet_by = self.desk.clock.now() + STALE_S
        await self.desk.clock.sleep(TOGETHER_S)
        while not self.desk.outbox.is_quiet(whisper.chat.number) and self.desk.clock.now() < quiet_by:
            await self.desk.clock.sleep(TOGETHER_S)
        async with self._writing(table.id, player):
            await self._refresh_now(table.id, player, whisper, hand)
        self._look_whispered(table.id)

    async def _refresh_now(self, id: int, player: int, whisper: Whisper, hand: _Hand) -> None:
        key, table = (id, player), self.desk.house.table(id)
        if table is None or table.play is None or self._ephemeral.get(key) != (whisper, hand):
            return  # it has gone meanwhile
        told, user, hand.stage = await self._tell(table, player), whisper.user, _stage_for(table, player)
        if self.desk.outbox.is_quiet(whisper.chat.number):
            # What is words alone stays so: an edit takes no upload.
            fitting = told if hand.has_photo else told._replace(picture=None)
            if await self._edit_hand(whisper, hand, fitting):
                hand.told = fitting
                return
            if await self._administers(whisper.chat):
                sent = await self._send_ephemeral(whisper.chat, whisper.thread, user, told)
                if sent is not None and self._ephemeral.get(key, (None,))[0] == whisper:
                    self._keep(*key, sent[0], _Hand(table.hand_id, sent[0].id, told, sent[1], hand.stage))
        if self._ephemeral.get(key, (None,))[0] == whisper:
            self._drop(key)
        await self._clear_whisper(whisper)

    def _keep(self, table: int, player: int, whisper: Whisper, hand: _Hand, *, for_s: float = EPHEMERAL_S) -> None:
        self._ephemeral[table, player] = whisper, hand
        now = self.desk.writer.clock()
        place = (whisper.chat.id, whisper.user, whisper.id, whisper.thread)
        self._kept.keep(Whispered(table, player, now + for_s, *place, hand.hand, hand.has_photo), now)

    def _drop(self, key: tuple[int, int]) -> Whisper:
        """It is not followed any more, nor found by the next start."""
        whisper, hand = self._ephemeral[key]
        self._keep(*key, whisper, hand, for_s=0.0)
        del self._ephemeral[key]
        return whisper

    async def _edit_hand(self, whisper: Whisper, hand: _Hand, told: Told) -> bool:
        """Whether the message that is there shows it now: its edits take no uploads, only what Telegram has."""
        if told == hand.told:
            return True
        file = self._painter.id_of(told.picture) if told.picture is not None else None
        if hand.has_photo and told.picture == hand.told.picture:
            return await self._edit(whisper, "Caption", told, caption=told.words, parse_mode="HTML")
        if hand.has_photo and file is not None:
            media = InputMediaPhoto(file, caption=told.words, parse_mode="HTML")
            return await self._edit(whisper, "Media", told, media=media)
        if not hand.has_photo and told.picture is None:
            return await self._edit(whisper, "Text", told, text=told.words, parse_mode="HTML")
        return False

    def look(self, id: int) -> None:
        """A table changed: direct messages show it; ephemeral ones each street, and those of a hand that is over go."""
        table = self.desk.house.table(id)
        if table is None:
            return
        self._look_whispered(id)
        for player in self._reached_directly(table):
            self._look_direct(table, player)

    def _look_whispered(self, id: int) -> None:
        table = self.desk.house.table(id)
        if table is None:
            return
        for key, (whisper, hand) in list(self._ephemeral.items()):
            if key[0] == id and (table.play is None or table.hand_id != hand.hand):
                self.desk.spawn(self._clear_whisper(self._drop(key)))
            elif key[0] == id and hand.stage != (stage := _stage_for(table, key[1])):
                hand.stage = stage
                self.desk.spawn(self._refresh(table, key[1], whisper, hand))

    def _reached_directly(self, table: Table) -> set[int]:
        """Who plays this hand, or did and still has its message."""
        playing = set(table.owners().values())
        shown = {player for id, player in self._direct if id == table.id}
        if table.lost is not None:
            wanted = {player for player in playing if self._may_be_reached(player)}
        elif table.plays.private_cards:
            wanted = {player for player in playing if self.desk.user_of(player) in self.desk.notes.wants_direct}
        else:
            wanted = set()
        return wanted | shown

    def _may_be_reached(self, player: int) -> bool:
        """Whether a private chat with the bot was begun."""
        user = self.desk.user_of(player)
        chat = self.desk.notes.chats.get(user) if user is not None else None
        return chat is not None and self.desk.row_at(chat.address) is not None

    def _look_direct(self, table: Table, player: int, due: float = 0.0) -> None:
        user = self.desk.user_of(player)
        if user is None:
            return
        chat = self.desk.chat_of(user, "private")
        if self.desk.table_at(chat.address) is table:
            return
        # One edit tells the hand's end and his dearest choice in it.
        due = max(
            due, self.desk.clock.now() + DEAREST_S if self.desk.writer.coaching.is_counting(table, player) else 0.0
        )
        priority = NEW if (table.id, player) not in self._direct else MINOR
        self.desk.put(
            chat, ("hand", table.id), partial(self._send_hand, chat, table.id, player), priority=priority, due=due
        )

    async def _send_hand(self, chat: Chat, id: int, player: int) -> Done | None:
        table, known = self.desk.house.table(id), self._direct.get((id, player))
        if table is None:
            return Done.NOTHING
        is_mine = table.play is not None and player in table.owners().values()
        told = await self._tell(table, player, is_over=not is_mine, chat=chat)
        try:
            if known is not None and (known.hand == table.hand_id or not is_mine):
                is_news = told != known.told and known.message != NOT_KNOWN
                if is_news:
                    known.has_photo = await self._painter.edit(
                        chat.id, known.message, told, known.told, has_photo=known.has_photo
                    )
                    known.told = told
                if not is_mine:
                    self._direct.pop((id, player), None)
                if not is_news:
                    return Done.NOTHING
            elif is_mine:
                await self._post_direct(chat, table, player, told)
                if self.desk.house.table(id) is not table:
                    # Nobody looked at it for changes while it was on its way.
                    self._look_direct(table, player)
            else:
                return Done.NOTHING
        except Forbidden:
            self._direct.pop((id, player), None)
            self.desk.note_direct(chat.id, False)
            return Done.REFUSED
        except BadRequest as refusal:
            self._direct.pop((id, player), None)
            _log.info("a direct message could not be edited: %s", refusal)
            return Done.REFUSED
        if is_mine and told.picture is None and self._painter.is_on:
            self._look_direct(table, player, due=self.desk.clock.now() + LATE_PICTURE_S)
        return None

    async def _post_direct(self, chat: Chat, table: Table, player: int, told: Told) -> None:
        """Once a hand: what may have arrived without our knowing is not sent again."""
        known = _Hand(table.hand_id, NOT_KNOWN, told, False)
        try:
            sent = await self._painter.post(chat.id, told)
        except NetworkError as fault:
            if isinstance(fault, BadRequest) or not may_have_arrived(fault):
                raise
            _log.info("a direct message may not have arrived: %s", fault)
        else:
            known.message, known.has_photo = sent.message_id, bool(sent.photo)
        self._direct[table.id, player] = known

    async def _tell(self, table: Table, player: int, *, is_over: bool = False, chat: Chat | None = None) -> Told:
        """His hand as he may see it, in his `chat` with what opens its table; when it is over, what became of it."""
        language = self.desk.house.player(player).language
        view = self.desk.screen(table, player)
        has_cards = any(seat.is_viewer and seat.piles for seat in view.seats)
        picture = await self._painter.draw(view, language) if has_cards else None
        if is_over:
            return Told(self._result(table, player), None, picture)
        rows: Rows = own_moves(view, language, table.id)
        opens = self.desk.open_button(chat, table.id, language) if chat is not None else None
        rows = [*rows, [opens]] if opens is not None else rows
        words = hand_text(view, language)
        if table.lost is not None:
            words = f"{say(_FINISH_HERE, language)}\n{words}"
        return Told(words, InlineKeyboardMarkup(rows) if rows else None, picture)

    def _result(self, table: Table, player: int) -> str:
        language = self.desk.house.player(player).language
        view = self.desk.screen(table, player)
        dearest = self.desk.dearest(table, player)
        told = fit_alert([say(view.own_result or view.headline, language)])
        return escape(f"{told}\n{say(dearest, language)}" if dearest is not None else told)


def in_pages(lines: Sequence[str], most: int) -> list[str]:
    """Whole lines together, as many as fit on a page; a longer line is cut."""
    pages: list[str] = []
    for line in lines:
        cut = shorten(line, most)
        joined = f"{pages[-1]}\n{cut}" if pages else cut
        if pages and length(joined) <= most:
            pages[-1] = joined
        else:
            pages.append(cut)
    return pages


def _stage_for(table: Table, player: int) -> Hashable:
    """Where the hand stands, and whether he has to choose."""
    return stage_of(table), player in waited_for(table)


def _pages_to_read(unsaid: Unsaid) -> list[str]:
    pages = in_pages(unsaid.lines, PAGE)
    if len(pages) > 1:
        pages = [f"{page}\n({number}/{len(pages)})" for number, page in enumerate(pages, start=1)]
    return pages


def _name_of(spoken: Spoken) -> str:
    """A group that speaks for one of its administrators is called by its title."""
    return (spoken.message.chat.title or "?") if is_anonymous(spoken.message) else spoken.user.full_name


def choice_markup(choices: Sequence[Choice], language: str) -> InlineKeyboardMarkup | None:
    """What an answer offers to do next, in a private chat."""
    rows = in_rows([choice_button(one, language) for one in choices])
    return InlineKeyboardMarkup(rows) if rows else None


def _yes_no(key: str, language: str) -> list[Any]:
    return [
        press_button(say(YES, language), Press("yes", key)),
        press_button(say(NO, language), Press("no", key)),
    ]


def _payload(text: str, group: int) -> str:
    """What a link to the private chat asks for: the command again, if it only tells something."""
    line = parse_line(re.sub(r"^(/\w+)@\w+", r"\1", text))
    payload = payload_of(line.verb, line.args, group)
    fits = len(payload) <= 64 and payload.replace("_", "").replace("-", "").isalnum() and payload.isascii()
    return payload if fits and (has_trait(line.verb, Trait.LINKABLE) or line.verb in READ_BY_LINK) else ""
