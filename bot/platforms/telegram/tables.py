"""The table messages: each posted once, then edited to the latest state.

A hand's first bet, its deal, each new stage (bot/core/commands/stages.py) and its payment are shown at once; other
changes within two seconds, while the group has calls to spare. In a busy group, where people type commands or another
table is played, a hand costs at most six messages and edits: those that no stage needs are spread over the betting
time, and later bets spend more only while half of the group's minute is free. Where a stage is one player's turn, the
answer to a press shows the player their cards, and each turn appears in the table's message as soon as the group has a
call, however many turns a hand has. Other changes of a hand leave that call free for a while. A hand too long for any
budget is updated at most every three seconds.
"""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any

from telegram import InlineKeyboardMarkup, Message
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, TelegramError

from bot.core.casinos.places import is_lost
from bot.core.commands.stages import stages_of
from bot.core.state.table import Table
from bot.platforms.common.connectivity import EVERYWHERE
from bot.platforms.common.pacing import TurnPacer
from bot.platforms.common.reactions import EMOJI
from bot.platforms.common.stages import moves_for_all, stage_of
from bot.platforms.telegram.context import Chat, TablePost, TelegramContext, is_page, message_link
from bot.platforms.telegram.drawing import (
    CAPTION,
    TEXT,
    Rows,
    caption,
    escape,
    keyboard,
    name_of,
    own_moves,
    public_moves,
)
from bot.platforms.telegram.http import may_have_arrived
from bot.platforms.telegram.messages import LATE_PICTURE_S, MessageContent, Paint, Painter
from bot.platforms.telegram.saying import Link, say
from bot.platforms.telegram.sending import BETS, MINOR, NEW, JobResult
from bot.platforms.telegram.turn_mentions import TelegramTurnMentions
from bot.texts import Text
from bot.view import Screen

# A table whose post got no answer is not posted again for this long; a press on it shows where it is.
UNSURE_S = 20.0
TURN_GAP_S, MINOR_GAP_S = 3.0, 5.0
# Gaps between updates of bets: at most this, however long they last. Then, from when on a call beyond those of a busy
# hand is allowed while half of the minute is free.
BETS_GAP_S, LATE_BETS_S = 10.0, 5.0
# Where a group has used more than half of its minute, the first bet waits for others that come with it.
GATHER_S = 2.0
# Gaps between updates of a hand in a quiet group, and in a private chat, which has a call a second to itself.
QUIET_GAP_S, PRIVATE_GAP_S = 2.0, 1.0
CALLS_A_HAND = 6
# Turns of a paced hand that are shown early: with its deal, three streets and payment eight edits.
TURNS_A_HAND = 3


@dataclass
class _SentState:
    """The last sent state of a table: its stage, time and content, and the calls that its hand has cost."""

    stage: tuple[Any, ...] = ()
    at: float = 0.0
    # The message with a payment also opens the next hand, at no cost to it.
    hand: int = 0
    spent: int = 0
    told: MessageContent | None = None
    unsure: float = 0.0
    # The hand for which the scroll position was checked; and whether a post below was requested.
    looked_for: int = 0
    is_called: bool = False
    # How often the message was considered gone.
    looks: int = 0
    pacer: TurnPacer = field(default_factory=lambda: TurnPacer(TURNS_A_HAND))


class TelegramTables:
    """The table messages. Belongs to the event loop. `paint` draws, None is text alone."""

    def __init__(
        self,
        context: TelegramContext,
        on_lost: Callable[[str, TelegramError], Awaitable[None]],
        paint: Paint | None = None,
    ) -> None:
        self.context, self.painter = context, Painter(context.bot, paint)
        self._on_lost = on_lost
        self._shown: dict[str, _SentState] = {}
        look_again = partial(self.schedule_update, again=True)
        self.turn_mentions = TelegramTurnMentions(context, self._count_mention, self._has_room_to_mention, look_again)
        # Where photos are not allowed.
        self._wordy: set[str] = set()

    def look_at(self, table: int) -> None:
        """Handle a changed table."""
        for address in self.context.addresses_of(table):
            self.schedule_update(address)

    def open(self) -> None:
        """Show every awake table as it is now, after a start."""
        for row in self.context.places():
            table = self.context.state.table(row.table_id) if row.table_id else None
            if table is not None and (table.is_awake or row.address not in self.context.notes.posts):
                self.schedule_update(row.address)

    def close(self) -> None:
        self.turn_mentions.close()

    def schedule_update(self, address: str, *, again: bool = False) -> None:
        """Decide whether the table's state deserves a call, and when. `again`: the message may be gone."""
        table, chat = self.context.table_at(address), self.context.chat_at(address)
        if table is None or chat is None or (table.status == "closed" and address not in self.context.notes.posts):
            return
        if is_page(address):
            return
        shown, stage = self._shown.setdefault(address, _SentState()), self._stage(table)
        if again or address not in self.context.notes.posts:
            shown.stage, shown.told = (), None
            shown.looks += again
        is_new = stage != shown.stage
        self.turn_mentions.watch(address, table, is_new=is_new)
        put = partial(self.context.queue_call, chat, ("table", address), partial(self._send, address))
        if is_new:
            gap = 0.0 if not table.plays.takes_turns else PRIVATE_GAP_S if chat.is_private else TURN_GAP_S
            if table.phase != "betting":
                put(priority=NEW, due=shown.at + gap)
            else:
                gathers = self.context.outbox.is_half_used(chat.number)
                put(priority=BETS, due=max(shown.at + gap, self.context.clock.now() + GATHER_S if gathers else 0.0))
        elif table.phase != "asleep" or table.seats:  # one that falls asleep is not worth a call
            left = self._calls_left(shown, table, chat)
            is_over, is_long = left < 1, stages_of(table.game).is_long
            due = inf if is_over else shown.at + self._busy_gap(shown, table, chat, left)
            turn_s = 0.0 if chat.is_private else shown.pacer.wait_s(table, self.context.writer.clock())
            if turn_s:
                # The previous turn is no longer worth a call.
                self.context.outbox.drop(chat.number, ("table", address))
                due = max(due, self.context.clock.now() + turn_s)
            are_bets = table.round.hand is None and not is_long
            is_kept = is_long or ((is_over or are_bets) and self._is_another_played(address, chat))
            soon = inf if is_kept else shown.at + QUIET_GAP_S
            late = shown.at + LATE_BETS_S if are_bets else inf
            priority = BETS if table.round.hand is None else MINOR
            put(priority=priority, due=due, soon=soon, late=late, yields=is_over or are_bets)

    def show_turn(self, address: str, *, is_needed: bool) -> None:
        """Show the present turn soon: its player has pressed a button of an older state.

        `is_needed`: that move is not possible now.
        """
        if (table := self.context.table_at(address)) is not None:
            self._shown.setdefault(address, _SentState()).pacer.skip_early_turns(table, is_needed=is_needed)
            self.schedule_update(address)

    def _stage(self, table: Table) -> tuple[Any, ...]:
        """Return the key of what is shown at once."""
        return *stage_of(table), self.context.is_contested

    def _busy_gap(self, shown: _SentState, table: Table, chat: Chat, left: float) -> float:
        if chat.is_private:
            return PRIVATE_GAP_S
        if table.round.hand is not None or table.round.deadline is None or left == inf:
            return TURN_GAP_S if table.plays.takes_turns else MINOR_GAP_S
        to_the_deal = self.context.clock.now() - shown.at + table.round.deadline - self.context.writer.clock()
        return max(QUIET_GAP_S, min(BETS_GAP_S, to_the_deal / (left + 1)))

    def _calls_left(self, shown: _SentState, table: Table, chat: Chat) -> float:
        """Return the calls that the hand has left for changes within a stage, however busy the group is.

        Calls are reserved for what has to come, and for a mention once the cards are dealt; later bets may use those
        up.
        """
        stages = stages_of(table.game)
        if stages.is_long or chat.is_private:
            return inf
        mentions = stages.mentions if table.round.hand is not None else 0
        return CALLS_A_HAND - shown.spent - stages.to_come(table) - mentions

    def _is_another_played(self, address: str, chat: Chat) -> bool:
        """Return whether another table in the group is played; they share its calls."""
        others = (
            self.context.table_at(at) for at in self.context.addresses_in(chat) if at != address and not is_page(at)
        )
        return any(table is not None and (table.round.bets or table.round.hand is not None) for table in others)

    def _is_busy(self, address: str, chat: Chat) -> bool:
        outbox = self.context.outbox
        is_spent = not outbox.is_quiet(chat.number) or outbox.is_talked_in(chat.number)
        return is_spent or self._is_another_played(address, chat)

    def _has_room_to_mention(self, address: str, table: Table, chat: Chat) -> bool:
        """Return whether the hand's budget allows a mention."""
        shown, stages = self._shown.setdefault(address, _SentState()), stages_of(table.game)
        has_room = table.plays.takes_turns or shown.spent + stages.to_come(table) < CALLS_A_HAND
        return has_room or not self._is_busy(address, chat)

    async def _send(self, address: str) -> JobResult | None:
        table, chat = self.context.table_at(address), self.context.chat_at(address)
        if table is None or chat is None:
            return JobResult.NOTHING
        shown, stage = self._shown.setdefault(address, _SentState()), self._stage(table)
        view = self._view(chat, table)
        language = self._language(chat, table)
        markup = self._keyboard(chat, table, view, language)
        picture = await self.painter.draw(view, language) if address not in self._wordy else None
        post, anew = self.context.notes.posts.get(address), self._is_sunk(address, shown, table)
        has_photo = picture is not None or (post is not None and post.has_photo)
        told = MessageContent(caption(view, language, CAPTION if has_photo else TEXT), markup, picture)
        if told == shown.told and post is not None and not anew:
            shown.stage = stage
            return JobResult.NOTHING
        if post is None and shown.unsure > self.context.clock.now():
            self._put_off(address, chat, shown.unsure)
            return JobResult.NOTHING
        shown.told = None
        looks = shown.looks
        try:
            await self._edit_or_post(address, chat, table, told, shown, anew=anew)
        except ChatMigrated as moved:
            self.context.note_chat(replace(chat, id=moved.new_chat_id, kind="supergroup"))
            self.schedule_update(address)
            return JobResult.REFUSED
        except (BadRequest, Forbidden) as fault:
            if picture is not None and "rights to send photos" in str(fault):
                self._wordy.add(address)
                self.schedule_update(address, again=True)
            else:
                await self._on_lost(address, fault)
            return JobResult.REFUSED
        shown.at = self.context.clock.now()
        shown.pacer.note_edit(table, is_turn=shown.stage == stage)
        if shown.looks == looks:  # or the message may have been deleted during this call
            shown.stage, shown.told = stage, told
        shown.spent = 0 if shown.hand != table.round.hand_id else shown.spent + 1
        shown.hand = table.round.hand_id
        if picture is None and has_photo and self.painter.is_on:
            # It was late: the text is shown with an older picture until the next check.
            late = shown.at + LATE_PICTURE_S
            self._put_off(address, chat, late if self._calls_left(shown, table, chat) >= 1 else inf, late)
        if is_lost(table):
            await self.context.tend("regain", address)
        return None

    def _put_off(self, address: str, chat: Chat, due: float, soon: float = inf) -> None:
        """Delay an update; `soon`: until the group has a call to spare."""
        send = partial(self._send, address)
        self.context.queue_call(chat, ("table", address), send, priority=MINOR, due=due, soon=soon, yields=due == inf)

    def _is_sunk(self, address: str, shown: _SentState, table: Table) -> bool:
        """Return whether to post the table again below: on request, or as a hand begins and it has scrolled far up."""
        post = self.context.notes.posts.get(address)
        if post is None or shown.is_called:
            return shown.is_called
        if shown.looked_for == table.round.hand_id or not (table.round.bets or table.round.hand is not None):
            return False
        shown.looked_for = table.round.hand_id
        return self.context.below.has_sunk(address, self.context.writer.clock() - post.at)

    async def _edit_or_post(
        self, address: str, chat: Chat, table: Table, told: MessageContent, shown: _SentState, *, anew: bool
    ) -> None:
        """Edit the table's message, or post a new one if it is gone or must move down."""
        post, sunk = self.context.notes.posts.get(address), None
        if anew:
            post, sunk = None, post
        if post is not None and post.table == table.id:
            try:
                has_photo = await self.painter.edit(chat.id, post.message, told, None, has_photo=post.has_photo)
            except BadRequest as refusal:
                if not _is_gone(refusal):
                    raise
            else:
                if has_photo and not post.has_photo:
                    self.context.note_post(address, replace(post, has_photo=True))
                return
        elif post is not None:
            self.context.spawn(self.context.delete(chat, post.message))
        if post is not None:
            self.context.note_post(address, None)
        thread = self.context.thread_at(address)
        try:
            message = await self.painter.post(chat.id, told, message_thread_id=thread, disable_notification=True)
        except NetworkError as fault:
            if may_have_arrived(fault):
                shown.unsure = self.context.clock.now() + UNSURE_S
            raise
        self.context.note_post(
            address, TablePost(message.message_id, table.id, bool(message.photo), self.context.writer.clock())
        )
        shown.is_called = False
        if sunk is not None:
            self.context.spawn(self._take_away(address, chat, table, sunk))

    async def _take_away(self, address: str, chat: Chat, table: Table, sunk: TablePost) -> None:
        """Delete the old message. One that is too old for that becomes a line that links to the new one."""
        if await self.context.delete(chat, sunk.message):
            return
        self.context.queue_call(
            chat, ("sunk", sunk.message), partial(self._fold, address, chat, table, sunk), priority=MINOR, once=True
        )

    async def _fold(self, address: str, chat: Chat, table: Table, sunk: TablePost) -> JobResult | None:
        post, language = self.context.notes.posts.get(address), self._language(chat, table)
        link = message_link(chat, self.context.thread_at(address), post.message) if post is not None else ""
        moved = say(Text("further down: {link}", link=Link(link or "↓")), language)
        line = escape(f"{name_of(table, language)} · {moved}")
        try:
            await self.painter.edit(chat.id, sunk.message, MessageContent(line), None, has_photo=sunk.has_photo)
        except (BadRequest, Forbidden):
            return JobResult.REFUSED
        return None

    async def react(self, address: str, _table: Table, on: bool) -> None:
        """Add or remove a reaction on the table's message when the group has a call to spare; stop if the group allows
        none.
        """
        chat, post = self.context.chat_at(address), self.context.notes.posts.get(address)
        if chat is None or post is None:
            return

        async def send() -> JobResult | None:
            try:
                await self.context.bot.set_message_reaction(chat.id, post.message, EMOJI if on else None)
            except (BadRequest, Forbidden):
                return JobResult.REFUSED
            return None

        self.context.queue_call(chat, ("reaction", address), send, priority=MINOR, once=True)

    async def renew(self, address: str) -> None:
        """Show the table again as it is now. If its place is gone, Telegram's refusal reveals it."""
        chat = self.context.chat_at(address)
        if chat is not None:
            self._shown.setdefault(address, _SentState()).told = None
            with suppress(TelegramError):
                await self.context.send(chat, partial(self._send, address))

    def come_back(self, addresses: Iterable[str]) -> None:
        """Show new clocks at once, because those in the messages are past."""
        known = list(self._shown) if EVERYWHERE in (back := set(addresses)) else back & self._shown.keys()
        for address in known:
            self._shown[address].stage = ()

    def relink(self) -> None:
        """Show every table with links by the bot's new name, when its group has a call to spare."""
        for address in list(self.context.notes.posts):
            if (chat := self.context.chat_at(address)) is not None:
                self._put_off(address, chat, inf, self.context.clock.now())

    def bring_down(self, address: str) -> None:
        """Post the table's message again below later messages."""
        if address in self.context.notes.posts:
            self._shown.setdefault(address, _SentState()).is_called = True
        self.schedule_update(address, again=True)

    def call(self, address: str) -> bool:
        """Post the table again below on request; return whether it will be, because it may be near already."""
        if not self.context.below.may_be_called(address, self.context.clock.now()):
            return False
        self.bring_down(address)
        return True

    def notice(self, address: str, message: Message) -> None:
        """Handle a press on another message that shows the table: one whose posting was not confirmed, or a surplus
        one.
        """
        table, chat = self.context.table_at(address), self.context.chat_at(address)
        post, shown = self.context.notes.posts.get(address), self._shown.get(address)
        if table is None or chat is None or (post is not None and post.message == message.message_id):
            return
        if not (message.caption or message.text or "").startswith(name_of(table, self._language(chat, table))):
            return
        if post is not None:
            self.context.spawn(self.context.delete(chat, message.message_id))
        elif shown is not None and shown.unsure > self.context.clock.now():
            post = TablePost(message.message_id, table.id, bool(message.photo), message.date.timestamp())
            self.context.note_post(address, post)
            self.schedule_update(address)

    def _count_mention(self, address: str) -> None:
        if address in self._shown:
            self._shown[address].spent += 1

    def _view(self, chat: Chat, table: Table) -> Screen:
        """Return the screen for everyone; in a private chat, for its one person."""
        viewer = self.context.player_of(chat.id) if chat.is_private else None
        return self.context.screen(table, viewer)

    def _language(self, chat: Chat, table: Table) -> str:
        return (
            self.context.language_of(chat.id, table.settings.language) if chat.is_private else table.settings.language
        )

    def _keyboard(self, chat: Chat, table: Table, view: Screen, language: str) -> InlineKeyboardMarkup | None:
        if chat.is_private:
            moves: Rows = own_moves(view, language)
        else:
            moves = public_moves(moves_for_all(table), language)
        opens = self.context.open_button(chat, table.id, language)
        return keyboard(view, language, self.context.bot.username, moves, opens)


def _is_gone(refusal: BadRequest) -> bool:
    said = str(refusal).lower()
    return "message to edit not found" in said or "can't be edited" in said or "message_id_invalid" in said
