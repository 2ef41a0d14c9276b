"""Who is waited for, and told so: once at half his clock; or at once, where the table itself does not show it."""

import asyncio
from collections.abc import Callable

from telegram import InlineKeyboardMarkup

from bot.floor.squeeze import TURN_S
from bot.floor.table import PACES, Table
from bot.on_telegram.desk import Chat, Desk
from bot.on_telegram.drawing import cards_asked, escape, public_moves
from bot.on_telegram.rounds import moves_for_all
from bot.on_telegram.sending import NEW, Done
from bot.screens import Screen
from bot.texts import Text, say


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
        chat = self.desk.chat_at(address)
        if (
            table.play is None
            or table.deadline is None
            or table.extended is not None
            or chat is None
            or chat.is_private
        ):
            return
        half = (TURN_S if table.turning else PACES[table.settings.pace]) / 2
        wait = table.deadline - half - self.desk.pit.clock()
        nudge = asyncio.ensure_future(self._nudge_after(address, chat, table.deadline, wait))
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

        self.desk.outbox.put(chat.number, ("nudge", address), mention, is_group=True, priority=NEW, once=True)

    def _hand_of(
        self, chat: Chat, table: Table, waited: list[tuple[int, str]]
    ) -> tuple[str, InlineKeyboardMarkup | None]:
        """At black jack all cards lie open: the dealer's, those of who is asked, and his buttons."""
        language = table.settings.language
        rows = public_moves(moves_for_all(table), language)
        lines = [_mention(table, waited), *cards_asked(self._view(chat, table), language)]
        return "\n".join(lines), InlineKeyboardMarkup(rows) if rows else None

    def _waited_for(self, table: Table) -> list[tuple[int, str]]:
        """(account, name) of who is asked, has an account here, and has not let the clock run out before."""
        if table.play is None:
            return []
        owners = table.owners()
        asked = [owners[seat] for seat in table.play.asks if seat not in table.away] + table.turners
        found = []
        for player in dict.fromkeys(asked):
            if (account := self.desk.account_of(player)) is not None:
                found.append((account, self.desk.house.player(player).name))
        return found

    def _forget(self, address: str) -> None:
        if nudge := self._waiting.pop(address, None):
            nudge[1].cancel()
        chat = self.desk.chat_at(address)
        if chat is not None:
            self.desk.outbox.drop(chat.number, ("nudge", address))
            if (message := self._said.pop(address, None)) is not None:
                self.desk.spawn(self.desk.delete(chat, message))


def _mention(table: Table, waited: list[tuple[int, str]]) -> str:
    names = ", ".join(f'<a href="tg://user?id={user}">{escape(name)}</a>' for user, name in waited)
    return say(Text("{names}: it is your turn.", "", names=names), table.settings.language)
