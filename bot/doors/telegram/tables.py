"""One message a table: posted once, then edited to what the table is now.

A hand costs at most six edits: its first bet, its deal, each new stage (bot/house/stages.py) and its payment are shown
at once, what others do meanwhile as far as that budget goes. Where a stage is one player's turn, who moves is told his
cards by the answer to his press; turns beyond the budget are called in a message of their own, which has the buttons
and is deleted afterwards. A hand too long for any budget shows the newest state at most every three seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from telegram import InlineKeyboardMarkup, Message
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, TelegramError

from bot.doors.kit.stages import is_called, moves_for_all, stage_of
from bot.doors.telegram.desk import Chat, Desk, Post
from bot.doors.telegram.drawing import (
    CAPTION,
    TEXT,
    Rows,
    caption,
    keyboard,
    name_of,
    own_moves,
    public_moves,
)
from bot.doors.telegram.http import may_have_arrived
from bot.doors.telegram.messages import LATE_PICTURE_S, Paint, Painter, Told
from bot.doors.telegram.nudges import Nudges
from bot.doors.telegram.sending import BETS, MINOR, NEW, Done
from bot.house.casinos.places import is_lost
from bot.house.stages import stages_of
from bot.house.state.table import Table
from bot.view import Screen

# A table that may have been posted, for no answer came, is not posted again before; a press on it tells where it is.
UNSURE_S = 20.0
TURN_GAP_S, MINOR_GAP_S, BETS_GAP_S = 3.0, 5.0, 8.0
CALLS_A_HAND = 6


@dataclass
class _Shown:
    """What was sent last of a table: in which stage, when, how many calls its hand has cost, and the content."""

    stage: tuple[Any, ...] = ()
    at: float = 0.0
    spent: int = 0
    told: Told | None = None
    unsure: float = 0.0


class Tables:
    """Belongs to the event loop. `paint` draws, None is text alone."""

    def __init__(self, desk: Desk, on_lost: Callable[[str, TelegramError], None], paint: Paint | None = None) -> None:
        self.desk, self._painter = desk, Painter(desk.bot, paint)
        self._on_lost = on_lost
        self._shown: dict[str, _Shown] = {}
        self._nudges = Nudges(desk, self._view, self._count_mention)
        # Where photos are not allowed.
        self._wordy: set[str] = set()

    def look_at(self, table: int) -> None:
        """A table changed."""
        for address in self.desk.addresses_of(table):
            self.look(address)

    def open(self) -> None:
        """After a start every table that is awake is shown as it is now."""
        for row in self.desk.places():
            table = self.desk.house.table(row.table_id) if row.table_id else None
            if table is not None and (
                table.phase in ("betting", "playing") or row.address not in self.desk.notes.posts
            ):
                self.look(row.address)

    def close(self) -> None:
        self._nudges.close()

    # When

    def look(self, address: str, *, again: bool = False) -> None:
        """Decide whether what the table is now is worth a call, and when. `again`: the message may be gone."""
        table, chat = self.desk.table_at(address), self.desk.chat_at(address)
        if table is None or chat is None or (table.status == "closed" and address not in self.desk.notes.posts):
            return
        shown, stage = self._shown.setdefault(address, _Shown()), stage_of(table)
        if again or address not in self.desk.notes.posts:
            shown.stage, shown.told = (), None
        is_new = stage != shown.stage
        self._nudges.watch(address, table, is_new=is_new)
        if not is_new and not self._is_worth_it(shown, table, chat):
            return
        gap = TURN_GAP_S if table.plays.takes_turns else 0.0 if is_new else MINOR_GAP_S
        if table.play is None and not is_new:
            gap = BETS_GAP_S
        priority = MINOR if not is_new else NEW if table.phase != "betting" else BETS
        self.desk.put(chat, ("table", address), partial(self._send, address), priority=priority, due=shown.at + gap)

    def _is_worth_it(self, shown: _Shown, table: Table, chat: Chat) -> bool:
        """What changes within a stage is shown as far as the hand's budget goes; a table that falls asleep is not.

        Room is kept for what has to come, and for a mention.
        """
        if table.phase == "asleep" and not table.seats:
            return False
        stages = stages_of(table.game)
        if stages.is_long or (is_called(table) and chat.is_private):
            return True
        return shown.spent + stages.to_come(table) + stages.mentions < CALLS_A_HAND

    def _keeps_the_last_for_the_payment(self, shown: _Shown, table: Table, chat: Chat) -> bool:
        if not is_called(table) or table.play is None or chat.is_private:
            return False
        return shown.stage[:2] == (table.id, table.hand_id) and shown.spent >= CALLS_A_HAND - 1

    # What

    async def _send(self, address: str) -> Done | None:
        table, chat = self.desk.table_at(address), self.desk.chat_at(address)
        if table is None or chat is None:
            return Done.NOTHING
        shown, stage = self._shown[address], stage_of(table)
        view = self._view(chat, table)
        language = self._language(chat, table)
        markup = self._keyboard(chat, table, view, language)
        picture = await self._painter.draw(view, language) if address not in self._wordy else None
        post = self.desk.notes.posts.get(address)
        has_photo = picture is not None or (post is not None and post.has_photo)
        told = Told(caption(view, language, CAPTION if has_photo else TEXT), markup, picture)
        if told == shown.told and post is not None:
            shown.stage = stage
            return Done.NOTHING
        if self._keeps_the_last_for_the_payment(shown, table, chat):
            shown.stage = stage
            self._nudges.call(address, table, chat)
            return Done.NOTHING
        if post is None and shown.unsure > self.desk.clock.now():
            self._put_off(address, chat, shown.unsure)
            return Done.NOTHING
        try:
            await self._put(address, chat, table, told)
        except ChatMigrated as moved:
            self.desk.note_chat(replace(chat, id=moved.new_chat_id, kind="supergroup"))
            self.look(address)
            return Done.REFUSED
        except (BadRequest, Forbidden) as fault:
            if picture is not None and "rights to send photos" in str(fault):
                self._wordy.add(address)
                self.look(address, again=True)
            else:
                self._on_lost(address, fault)
            return Done.REFUSED
        is_next_hand = bool(shown.stage) and shown.stage[:2] != stage[:2]
        shown.stage, shown.at, shown.told = stage, self.desk.clock.now(), told
        shown.spent = 0 if is_next_hand else shown.spent + 1
        if picture is None and has_photo and self._painter.is_on:
            # It was late: the words stand, under an older picture, until the next look.
            self._put_off(address, chat, shown.at + LATE_PICTURE_S)
        if is_lost(table):
            await self.desk.tend("regain", address)
        return None

    def _put_off(self, address: str, chat: Chat, due: float) -> None:
        self.desk.put(chat, ("table", address), partial(self._send, address), priority=MINOR, due=due)

    async def _put(self, address: str, chat: Chat, table: Table, told: Told) -> None:
        """As an edit of its message, or where that is gone as a new one."""
        post = self.desk.notes.posts.get(address)
        if post is not None and post.table == table.id:
            try:
                has_photo = await self._painter.edit(chat.id, post.message, told, None, has_photo=post.has_photo)
            except BadRequest as refusal:
                if not _is_gone(refusal):
                    raise
            else:
                if has_photo and not post.has_photo:
                    self.desk.note_post(address, replace(post, has_photo=True))
                return
        elif post is not None:
            self.desk.spawn(self.desk.delete(chat, post.message))
        if post is not None:
            self.desk.note_post(address, None)
        thread = self.desk.thread_at(address)
        try:
            message = await self._painter.post(chat.id, told, message_thread_id=thread, disable_notification=True)
        except NetworkError as fault:
            if may_have_arrived(fault):
                self._shown[address].unsure = self.desk.clock.now() + UNSURE_S
            raise
        self.desk.note_post(address, Post(message.message_id, table.id, bool(message.photo)))

    def bring_down(self, address: str) -> None:
        """Post the table's message anew, below what has been said since."""
        chat, post = self.desk.chat_at(address), self.desk.notes.posts.get(address)
        if chat is not None and post is not None:
            self.desk.spawn(self.desk.delete(chat, post.message))
            self.desk.note_post(address, None)
        self.look(address, again=True)

    def notice(self, address: str, message: Message) -> None:
        """A press on a message that shows the table: the one that was posted without our knowing, or one too many."""
        table, chat = self.desk.table_at(address), self.desk.chat_at(address)
        post, shown = self.desk.notes.posts.get(address), self._shown.get(address)
        if table is None or chat is None or (post is not None and post.message == message.message_id):
            return
        if not (message.caption or message.text or "").startswith(name_of(table, self._language(chat, table))):
            return
        if post is not None:
            self.desk.spawn(self.desk.delete(chat, message.message_id))
        elif shown is not None and shown.unsure > self.desk.clock.now():
            self.desk.note_post(address, Post(message.message_id, table.id, bool(message.photo)))
            self.look(address)

    def _count_mention(self, address: str) -> None:
        self._shown[address].spent += 1

    def _view(self, chat: Chat, table: Table) -> Screen:
        """For everybody; in a private chat as its one person may see it."""
        viewer = self.desk.player_of(chat.id) if chat.is_private else None
        return self.desk.screen(table, viewer)

    def _language(self, chat: Chat, table: Table) -> str:
        return self.desk.language_of(chat.id, table.settings.language) if chat.is_private else table.settings.language

    def _keyboard(self, chat: Chat, table: Table, view: Screen, language: str) -> InlineKeyboardMarkup | None:
        if chat.is_private:
            moves: Rows = own_moves(view, language)
        else:
            moves = public_moves(moves_for_all(table), language)
        return keyboard(view, language, self.desk.bot.username, moves)


def _is_gone(refusal: BadRequest) -> bool:
    said = str(refusal).lower()
    return "message to edit not found" in said or "can't be edited" in said or "message_id_invalid" in said
