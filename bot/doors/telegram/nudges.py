"""Who is waited for, and told so: once at half his clock; or at once, where the table itself does not show it."""

import asyncio
from collections.abc import Callable

from telegram import InlineKeyboardMarkup

from bot.doors.kit.sentences import YOUR_TURN
from bot.doors.kit.stages import moves_for_all, reminds_at, waited_for
from bot.doors.telegram.desk import Chat, Desk
from bot.doors.telegram.drawing import cards_asked, escape, public_moves
from bot.doors.telegram.saying import inert
from bot.doors.telegram.sending import NEW, Done
from bot.house.state.table import Table
from bot.texts import Text, say
from bot.view import Screen


class Nudges:
    """Belongs to the event loop. `view` is a table as its chat may see it; `count` is told of each mention."""

    def __init__(self, desk: Desk, view: Callable[[Chat, Table], Screen], count: Callable[[str], None]) -> None:
        self.desk, self._view, self._count = desk, view, count
        # {address: (the clock that is watched, who will be mentioned)}, and the messages that mention somebody.
        self._waiting: dict[str, tuple[float, asyncio.Task[None]]] = {}
        self._said: dict[str, int] = {}

    def close(self) -> None:
        for _deadline, nudge in self._waiting.values():
            nudge.cancel()

    def watch(self, address: str, table: Table, *, is_new: bool) -> None:
        """Of each stage one clock is watched; anew, where time was given back."""
        watched = self._waiting.get(address)
        if is_new or (watched is not None and watched[0] != table.deadline and address not in self._said):
            self._forget(address)
            self._wait(address, table)

    def _wait(self, address: str, table: Table) -> None:
        chat, at = self.desk.chat_at(address), reminds_at(table)
        if at is None or chat is None or chat.is_private:
            return
        assert table.deadline is not None
        nudge = asyncio.ensure_future(self._nudge_after(address, chat, table.deadline, at - self.desk.pit.clock()))
        self._waiting[address] = table.deadline, nudge

    def call(self, address: str, table: Table, chat: Chat) -> None:
        """The table will not show whose turn this is: he is called at once, with what he needs to decide."""
        if address not in self._said and table.deadline is not None:
            self._forget(address)
            nudge = asyncio.ensure_future(self._nudge_after(address, chat, table.deadline, 0.0, with_hand=True))
            self._waiting[address] = table.deadline, nudge

    async def _nudge_after(
        self, address: str, chat: Chat, deadline: float, seconds: float, *, with_hand: bool = False
    ) -> None:
        """One mention, in a message of its own: a mention in an edited message notifies nobody."""
        await self.desk.clock.sleep(max(0.0, seconds))

        async def mention() -> Done | None:
            table = self.desk.table_at(address)
            if table is None or table.deadline != deadline or not (waited := self._waited_for(table)):
                return Done.NOTHING
            text, markup = self._hand_of(chat, table, waited) if with_hand else (_mention(table, waited), None)
            thread = self.desk.thread_at(address)
            sent = await self.desk.bot.send_message(
                chat.id, text, parse_mode="HTML", message_thread_id=thread, reply_markup=markup
            )
            self._said[address] = sent.message_id
            if not with_hand:
                self._count(address)
            return None

        self.desk.put(chat, ("nudge", address), mention, priority=NEW, once=True)

    def _hand_of(
        self, chat: Chat, table: Table, waited: list[tuple[int, str]]
    ) -> tuple[str, InlineKeyboardMarkup | None]:
        """As far as they lie open, the cards of the house and of who is asked; and his buttons."""
        language = table.settings.language
        rows = public_moves(moves_for_all(table), language)
        lines = [_mention(table, waited), *cards_asked(self._view(chat, table), language)]
        return "\n".join(lines), InlineKeyboardMarkup(rows) if rows else None

    def _waited_for(self, table: Table) -> list[tuple[int, str]]:
        """(account, name) of those who have an account here."""
        accounts = ((player, self.desk.user_of(player)) for player in waited_for(table))
        return [(account, self.desk.house.player(player).name) for player, account in accounts if account is not None]

    def _forget(self, address: str) -> None:
        if nudge := self._waiting.pop(address, None):
            nudge[1].cancel()
        chat = self.desk.chat_at(address)
        if chat is not None:
            self.desk.outbox.drop(chat.number, ("nudge", address))
            if (message := self._said.pop(address, None)) is not None:
                self.desk.spawn(self.desk.delete(chat, message))


def _mention(table: Table, waited: list[tuple[int, str]]) -> str:
    """The one mention that is meant: of a player, by a link with his name."""
    names = ", ".join(f'<a href="tg://user?id={user}">{escape(inert(name))}</a>' for user, name in waited)
    return say(Text(YOUR_TURN.template, "", names=names), table.settings.language)
