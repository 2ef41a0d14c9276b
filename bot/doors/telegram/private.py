"""What one person alone is told. No legal move depends on more than the alert that answers his press.

An alert holds 200 characters. Where the server takes them there are ephemeral messages besides, and direct messages
for those who pressed Start and asked for them. A server older than Bot API 10.2 would ignore the parameters and show
the cards to everybody: it is asked first, and every answer is checked.
"""

import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto, Message, ReplyParameters
from telegram.error import BadRequest, EndPointNotFound, Forbidden, InvalidToken, NetworkError, TelegramError

from bot.doors.kit.press import Press
from bot.doors.kit.questions import Questions
from bot.doors.kit.recent import Recent
from bot.doors.kit.sentences import NO, YES
from bot.doors.telegram.desk import Chat, Desk
from bot.doors.telegram.drawing import (
    CAPTION,
    TEXT,
    Rows,
    escape,
    fit_alert,
    hand_text,
    length,
    link_button,
    own_moves,
    press_button,
    shorten,
)
from bot.doors.telegram.http import may_have_arrived
from bot.doors.telegram.messages import LATE_PICTURE_S, Paint, Painter, Told
from bot.doors.telegram.saying import inert, say
from bot.doors.telegram.sending import MINOR, NEW, Done
from bot.doors.telegram.updates import Spoken
from bot.house.speech.command import Command
from bot.house.speech.registry import Trait, has_trait
from bot.house.state.table import Table
from bot.texts import Text

MOST_PENDING = 2000
PAGES = 3
UNREAD_S = 120.0
ROOM_FOR_EPHEMERAL = 3
NOT_KNOWN = 0
# A player's cards in words wait no longer for their picture; it follows when it is drawn.
SOON_S = 0.25
# Nor does the end of a hand wait longer for what the coach says of it; later on /review tells it.
DEAREST_S = 1.0
FOR_YOU_ALONE = Text("This is for you alone.")
_log = logging.getLogger("ridotto.telegram")


@dataclass
class Pending:
    """Something that waits behind buttons for one person: an answer to read, or a question."""

    user: int
    language: str
    pages: list[str] = field(default_factory=list)
    is_question: bool = False
    message: tuple[int, int] | None = None


class Whisper(NamedTuple):
    """An ephemeral message, which one member of a group sees. It is changed and deleted by calls of its own."""

    chat: Chat
    user: int
    id: int

    @property
    def asked(self) -> dict[str, Any]:
        """What each of them names it by."""
        return {"chat_id": self.chat.id, "receiver_user_id": self.user, "ephemeral_message_id": self.id}


@dataclass
class _Hand:
    """A private message that shows a hand: in a direct chat, or ephemeral in a group."""

    hand: int
    message: int
    told: Told
    has_photo: bool


class Private:
    """Belongs to the event loop."""

    def __init__(self, desk: Desk, paint: Paint | None = None) -> None:
        self.desk, self._painter = desk, Painter(desk.bot, paint, SOON_S)
        self._pending: Recent[str, Pending] = Recent(MOST_PENDING)
        self.questions = Questions(MOST_PENDING)
        self._direct: dict[tuple[int, int], _Hand] = {}
        self._ephemeral: dict[tuple[int, int], tuple[Whisper, _Hand]] = {}
        self._has_seen_one = False

    # Answers to what somebody typed

    async def answer_line(self, spoken: Spoken, texts: Sequence[Text], ask: Command | None = None) -> None:
        """In a private chat as it is; in a group where he alone reads it."""
        lines = [say(text, spoken.language) for text in texts]
        if not lines:
            return
        if spoken.chat.is_private:
            await self.ask_here(spoken.chat, spoken.user.id, lines, spoken.language, ask)
        elif not await self._whisper(spoken, lines, ask):
            await self._leave_to_read(spoken, lines, ask)

    async def ask_here(self, chat: Chat, user: int, lines: list[str], language: str, ask: Command | None) -> None:
        """In a private chat; `ask` is what a yes does."""
        markup = self._question(user, language, ask) if ask is not None else None
        pages = in_pages(lines, TEXT)
        for number, page in enumerate(pages, start=1):
            last = markup if number == len(pages) else None
            await self.send(chat, page, markup=last)

    async def _whisper(self, spoken: Spoken, lines: list[str], ask: Command | None) -> bool:
        """As an ephemeral message, where the bot may send one at any time; else directly, to who asked for it."""
        chat, user = spoken.chat, spoken.user.id
        markup = self._question(user, spoken.language, ask) if ask is not None else None
        pages = in_pages(lines, CAPTION)
        if len(pages) == 1 and chat.number not in self.desk.cannot_whisper:
            if await self._send_ephemeral(chat, spoken.thread, user, Told(escape(pages[0]), markup)) is not None:
                return True
            self.desk.cannot_whisper.add(chat.number)
        if user not in self.desk.notes.wants_direct:
            return False
        sent = [await self.send_direct(user, escape(page), markup if page is pages[-1] else None) for page in pages]
        return sent[-1] is not None

    async def _leave_to_read(self, spoken: Spoken, lines: list[str], ask: Command | None) -> None:
        """A button that he alone can press; what is long is read in the private chat."""
        name, language, pages = spoken.user.full_name, spoken.language, in_pages(lines, 190)
        if len(pages) > PAGES and ask is None and (payload := _payload(spoken.message.text or "")):
            text = say(Text("{name}, this is long: read it in our private chat.", "", name=name), language)
            await self.reply(spoken, text, link_button(say(Text("Read"), language), self.desk.bot.username, payload))
            return
        if len(pages) > 1:
            pages = [f"{page}\n({number}/{len(pages)})" for number, page in enumerate(pages, start=1)]
        pending = Pending(spoken.user.id, language, pages)
        key = self._keep(pending, ask)
        row = [press_button(say(Text("Read"), language), Press("read", key))]
        if ask is not None:
            row += _yes_no(key, language)
        sent = await self.reply(spoken, say(Text("{name}, this is for you alone.", "", name=name), language), *row)
        if sent is not None:
            pending.message = (spoken.chat.id, sent.message_id)
            self.desk.spawn(self._clear_later(pending))

    async def _clear_later(self, pending: Pending) -> None:
        await self.desk.clock.sleep(UNREAD_S)
        await self.clear(pending)

    async def clear(self, pending: Pending) -> None:
        """Nobody else has any use for it."""
        if pending.message is not None:
            at, pending.message = pending.message, None
            with suppress(TelegramError):
                await self.desk.bot.delete_message(*at)

    # Questions

    def _keep(self, pending: Pending, ask: Command | None) -> str:
        key = secrets.token_hex(8)
        self._pending[key] = pending
        if ask is not None:
            pending.is_question = True
            self.questions.ask(key, ask)
        return key

    def pending(self, key: str, user: int) -> Pending | None:
        found = self._pending.get(key)
        return found if found is not None and found.user == user else None

    def take(self, key: str) -> None:
        self._pending.pop(key, None)

    def _question(self, user: int, language: str, ask: Command) -> InlineKeyboardMarkup:
        return InlineKeyboardMarkup([_yes_no(self._keep(Pending(user, language), ask), language)])

    # Sending

    async def send(self, chat: Chat, text: str, *, markup: InlineKeyboardMarkup | None = None) -> Message:
        """A line of a conversation, in a private chat; escaped here."""
        sent: Message = await self.desk.send(
            chat, partial(self.desk.bot.send_message, chat.id, text, reply_markup=markup)
        )
        return sent

    async def reply(self, spoken: Spoken, text: str, *row: InlineKeyboardButton) -> Message | None:
        """In the topic where it was asked. A group that cannot be written to is no reason to fail."""
        send = partial(
            self.desk.bot.send_message,
            spoken.chat.id,
            text,
            reply_markup=InlineKeyboardMarkup([row]),
            message_thread_id=spoken.thread,
            reply_parameters=ReplyParameters(spoken.message.message_id, allow_sending_without_reply=True),
            disable_notification=True,
        )
        try:
            sent: Message = await self.desk.send(spoken.chat, send)
            return sent
        except TelegramError as fault:
            _log.warning("a reply could not be sent: %s", fault)
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
        return self.desk.knows_ephemeral and self.desk.notes.numbers[chat.number].takes_ephemeral is not False

    async def _probe(self, chat: Chat, user: int) -> bool:
        try:
            await self._delete(Whisper(chat, user, 1))
        except (EndPointNotFound, InvalidToken):
            return False
        except BadRequest:
            return True
        except TelegramError:
            return False
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
            if query is not None and is_refused:
                self.desk.note_ephemeral(chat, False)
            return None
        id = (sent.api_kwargs or {}).get("ephemeral_message_id")
        if id is None:
            await self._take_back(chat, sent)
            return None
        self._has_seen_one, whisper = True, Whisper(chat, user, int(id))
        self.desk.note_ephemeral(chat, True)
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
            return False
        return True

    async def _delete(self, whisper: Whisper) -> None:
        await self.desk.bot.do_api_request("deleteEphemeralMessage", api_kwargs=whisper.asked)

    async def _clear_whisper(self, whisper: Whisper) -> None:
        with suppress(TelegramError):
            await self._delete(whisper)

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
        told = await self._tell(table, player)
        known = self._ephemeral.get((table.id, player))
        if known is not None and known[1].hand == table.hand_id and await self._edit_hand(*known, told):
            known[1].told = told
            return
        sent = await self._send_ephemeral(chat, thread, user, told, query)
        if sent is not None:
            whisper, has_photo = sent
            self._ephemeral[table.id, player] = whisper, _Hand(table.hand_id, whisper.id, told, has_photo)
            if known is not None:
                self.desk.spawn(self._clear_whisper(known[0]))

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
        """A table changed: direct messages show it, ephemeral ones of a hand that is over go."""
        table = self.desk.house.table(id)
        if table is None:
            return
        for key, (whisper, hand) in list(self._ephemeral.items()):
            if key[0] == id and (table.play is None or table.hand_id != hand.hand):
                del self._ephemeral[key]
                self.desk.spawn(self._clear_whisper(whisper))
        for player in self._reached_directly(table):
            self._look_direct(table, player)

    def _reached_directly(self, table: Table) -> set[int]:
        """Who plays this hand, or did and still has its message."""
        playing = set(table.owners().values()) if table.plays.private_cards else set()
        shown = {player for id, player in self._direct if id == table.id}
        wanted = {player for player in playing if self.desk.user_of(player) in self.desk.notes.wants_direct}
        return wanted | shown

    def _look_direct(self, table: Table, player: int, due: float = 0.0) -> None:
        user = self.desk.user_of(player)
        if user is None:
            return
        chat = self.desk.chat_of(user, "private")
        if self.desk.table_at(chat.address) is table:
            return
        # One edit tells the hand's end and his dearest choice in it.
        due = max(due, self.desk.clock.now() + DEAREST_S if self.desk.pit.coaching.is_counting(table, player) else 0.0)
        priority = NEW if (table.id, player) not in self._direct else MINOR
        self.desk.put(
            chat, ("hand", table.id), partial(self._send_hand, chat, table.id, player), priority=priority, due=due
        )

    async def _send_hand(self, chat: Chat, id: int, player: int) -> Done | None:
        table, known = self.desk.house.table(id), self._direct.get((id, player))
        assert table is not None, "it is kept for good"
        is_mine = table.play is not None and player in table.owners().values()
        told = await self._tell(table, player, is_over=not is_mine)
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

    async def _tell(self, table: Table, player: int, *, is_over: bool = False) -> Told:
        """His hand as he may see it; when it is over, what became of it."""
        language = self.desk.house.player(player).language
        view = self.desk.screen(table, player)
        has_cards = any(seat.is_viewer and seat.piles for seat in view.seats)
        picture = await self._painter.draw(view, language) if has_cards else None
        if is_over:
            return Told(self._result(table, player), None, picture)
        rows: Rows = own_moves(view, language, table.id)
        return Told(hand_text(view, language), InlineKeyboardMarkup(rows) if rows else None, picture)

    def _result(self, table: Table, player: int) -> str:
        language = self.desk.house.player(player).language
        view = self.desk.screen(table, player)
        name = inert(self.desk.house.player(player).name)
        lines = [say(line, language) for line in view.lines]
        mine = [line for line in lines if line.startswith(f"{name}:")] or lines[:1]
        dearest = self.desk.dearest(table, player)
        told = fit_alert(mine) or say(view.headline, language)
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


def _yes_no(key: str, language: str) -> list[Any]:
    return [
        press_button(say(YES, language), Press("yes", key)),
        press_button(say(NO, language), Press("no", key)),
    ]


def _payload(line: str) -> str:
    """What a link to the private chat asks for: the command again, if it only tells something."""
    words = line.lstrip("/").split()
    words = [words[0].partition("@")[0], *words[1:]] if words else []
    payload = "_".join(words)
    fits = len(payload) <= 64 and payload.replace("_", "").replace("-", "").isalnum() and payload.isascii()
    return payload if fits and words and has_trait(words[0], Trait.LINKABLE) else ""
