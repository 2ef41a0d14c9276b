"""Mention a player who is waited for, once a hand at half their clock."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest, Forbidden

from bot.core.casinos.mentions import may_mention
from bot.core.casinos.notify import say_notice
from bot.core.rounds.tournament_table import SEATED, STARTS
from bot.core.state.table import Table
from bot.platforms.common.reminders import Reminders
from bot.platforms.common.sentences import YOUR_TURN
from bot.platforms.common.stages import reminds_at, waited_for
from bot.platforms.telegram.context import Chat, TelegramContext, is_page
from bot.platforms.telegram.drawing import escape
from bot.platforms.telegram.saying import inert
from bot.platforms.telegram.sending import MINOR, NEW, JobResult
from bot.texts import Text, isolate, say


class _Mentioned(NamedTuple):
    """The accounts mentioned in a hand, as players to move or by a notice."""

    hand: int
    accounts: frozenset[int]


class _Waited(NamedTuple):
    account: int
    name: str
    may_be_mentioned: bool


class TelegramTurnMentions:
    """Turn mentions. Belongs to the event loop. `has_room` returns whether a table's hand has a call for a mention,
    `count` counts one, and `on_refused` reports a place where Telegram accepts none.
    """

    def __init__(
        self,
        context: TelegramContext,
        count: Callable[[str], None],
        has_room: Callable[[str, Table, Chat], bool],
        on_refused: Callable[[str], None],
    ) -> None:
        self._on_refused = on_refused
        self.context, self._count, self._has_room = context, count, has_room
        self.reminders = Reminders(context, self._delete)
        # {address: (the watched clock, its mention)}, and the messages that mention someone.
        self._waiting: dict[str, tuple[float, asyncio.Task[None]]] = {}
        self._said: dict[str, int] = {}
        # {address: people mentioned in the latest hand}, each once.
        self._mentioned: dict[str, _Mentioned] = {}

    def close(self) -> None:
        for _deadline, timer in self._waiting.values():
            timer.cancel()

    def watch(self, address: str, table: Table, *, is_new: bool) -> None:
        """Watch the clock of the present stage; again if time was given back."""
        watched = self._waiting.get(address)
        if is_new or (watched is not None and watched[0] != table.round.deadline and address not in self._said):
            self._forget(address)
            self._wait(address, table)

    def _wait(self, address: str, table: Table) -> None:
        chat, at = self.context.chat_at(address), reminds_at(table)
        if at is None or chat is None or chat.is_private:
            return
        assert table.round.deadline is not None
        timer = asyncio.ensure_future(
            self._mention_after(address, chat, table.round.deadline, at - self.context.writer.clock())
        )
        self._waiting[address] = table.round.deadline, timer

    async def _mention_after(self, address: str, chat: Chat, deadline: float, seconds: float) -> None:
        """Mention a player in a separate message, because a mention in an edited one notifies no one."""
        await self.context.clock.sleep(max(0.0, seconds))

        async def mention() -> JobResult | None:
            table = self.context.table_at(address)
            if table is None or table.round.deadline != deadline or not (waited := self._waited_for(table)):
                return JobResult.NOTHING
            known = self._mentioned_in(address, table)
            waited = [one for one in waited if one.account not in known and one.may_be_mentioned]
            if not waited or not self._has_room(address, table, chat):
                return JobResult.NOTHING
            thread = self.context.thread_at(address)
            self._mentioned[address] = _Mentioned(table.round.hand_id, known | {one.account for one in waited})
            try:
                sent = await self.context.bot.send_message(
                    chat.id, _mention(table, waited), parse_mode="HTML", message_thread_id=thread
                )
            except (BadRequest, Forbidden):
                self._on_refused(address)
                return JobResult.REFUSED
            self._said[address] = sent.message_id
            self.context.heard(sent)
            self._count(address)
            return None

        self.context.queue_call(chat, ("mention", address), mention, priority=NEW, once=True)

    async def notice(self, address: str, table: Table, players: Sequence[int], kind: str) -> None:
        """Send a notice to players, when the group has a call to spare; it stays.

        At a table that only the app shows, they are told as soon as possible, with a button to it.
        """
        chat, users = self.context.chat_at(address), {one: self.context.user_of(one) for one in players}
        known = {player: user for player, user in users.items() if user is not None}
        if chat is None or not known:
            return
        names = ((user, inert(self.context.state.name_of(table.casino, player))) for player, user in known.items())
        link = ", ".join(f'<a href="tg://user?id={user}">{escape(name)}</a>' for user, name in names)
        text, thread = say(say_notice(kind, table, link), table.settings.language), self.context.thread_at(address)
        opens = self.context.open_button(chat, table.id, table.settings.language) if is_page(address) else None
        markup = InlineKeyboardMarkup([[opens]]) if opens is not None else None

        async def mention() -> JobResult | None:
            try:
                sent = await self.context.bot.send_message(
                    chat.id, text, parse_mode="HTML", message_thread_id=thread, reply_markup=markup
                )
            except (BadRequest, Forbidden):
                return JobResult.REFUSED
            if kind == STARTS:
                self.reminders.add(address, sent.message_id)
            elif kind != SEATED:
                now = self.context.state.table(table.id) or table
                mentioned = self._mentioned_in(address, now) | {*known.values()}
                self._mentioned[address] = _Mentioned(now.round.hand_id, mentioned)
            self.context.heard(sent)
            return None

        for player, user in known.items() if kind == SEATED else ():
            self._tell_seat(player, user, table)
        priority = NEW if is_page(address) else MINOR
        self.context.queue_call(chat, ("notice", address, *players), mention, priority=priority, once=True)

    def _tell_seat(self, player: int, user: int, table: Table) -> None:
        """Tell a player in their private chat, if they want messages there, where they play now (TN29)."""
        if user not in self.context.notes.wants_direct:
            return
        chat, language = self.context.chat_of(user, "private"), self.context.state.players[player].language
        text = say(Text("You play at table {number} now.", number=table.number), language)

        async def send() -> JobResult | None:
            url = self.context.url_to(table.id)
            way = InlineKeyboardButton(say(Text("To the table"), language), url=url)
            try:
                await self.context.bot.send_message(
                    chat.id, text, reply_markup=InlineKeyboardMarkup([[way]]) if url else None
                )
            except Forbidden:
                self.context.note_direct(user, False)
                return JobResult.REFUSED
            except BadRequest:
                return JobResult.REFUSED
            return None

        self.context.queue_call(chat, ("seated", table.id), send, priority=NEW, once=True)

    async def _delete(self, address: str, message: int) -> None:
        if (chat := self.context.chat_at(address)) is not None:
            await self.context.delete(chat, message)

    def _mentioned_in(self, address: str, table: Table) -> frozenset[int]:
        """Return the accounts mentioned in this hand."""
        last = self._mentioned.get(address)
        return last.accounts if last is not None and last.hand == table.round.hand_id else frozenset()

    def _waited_for(self, table: Table) -> list[_Waited]:
        """Return the players to move who have an account here."""
        state, accounts = self.context.state, ((player, self.context.user_of(player)) for player in waited_for(table))
        return [
            _Waited(account, state.name_of(table.casino, player), may_mention(state, table, player))
            for player, account in accounts
            if account is not None
        ]

    def _forget(self, address: str) -> None:
        if timer := self._waiting.pop(address, None):
            timer[1].cancel()
        chat = self.context.chat_at(address)
        if chat is not None:
            self.context.outbox.drop(chat.number, ("mention", address))
            if (message := self._said.pop(address, None)) is not None:
                self.context.spawn(self.context.delete(chat, message))


def _mention(table: Table, waited: list[_Waited]) -> str:
    """Return the mention of each player, by a link with their name."""
    names = ", ".join(f'<a href="tg://user?id={one.account}">{escape(isolate(inert(one.name)))}</a>' for one in waited)
    return say(Text(YOUR_TURN.template, names=names), table.settings.language)
