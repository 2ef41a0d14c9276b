"""Whose an update is, where several houses share the books: of the one that keeps the casino that it is about.

Whoever fetches updates hands on what is another's, as Telegram wrote it; the keeper does it as if it had fetched it,
talks to Telegram itself, and says when it is on disk.
"""

from telegram import Update

from bot.doors.kit.press import load_press
from bot.doors.telegram.desk import PLATFORM, Chat, Desk
from bot.doors.telegram.updates import thread_of
from bot.house.casinos.places import speaks_for
from storage.questions import casinos
from storage.rows import PlaceRow, wing_of


class Keepers:
    """Of one bot. For the event loop; what is not known here is looked up in the books."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def wing_of(self, update: Update) -> int | None:
        """None: it is for this house, as is what nobody has met yet."""
        house = self._desk.house
        if house.keeps_all:
            return None
        casino = self._casino_of(update)
        return wing_of(casino) if casino is not None and not house.keeps(casino) else None

    def _casino_of(self, update: Update) -> int | None:
        query, chat = update.callback_query, update.effective_chat
        press = load_press(query.data or "") if query is not None else None
        if press is not None and press.table:
            return self._casino_at(press.table)
        if chat is None:
            return None
        known = self._desk.chat_of(chat.id, chat.type)
        message = update.effective_message
        thread = thread_of(message) if message is not None else None
        row = self._row_at(self._desk.address_of(known, thread)) or self._row_at(known.address)
        return self._casino_of_person(known, row) if known.is_private else row.casino if row is not None else None

    def _casino_of_person(self, chat: Chat, row: PlaceRow | None) -> int | None:
        """A chat with one person is of its own table's, if it has one; else it speaks for the casino he used last."""
        if row is not None and row.table_id is not None:
            return row.casino
        home = speaks_for(self._desk.house, self._desk.player_of(chat.id))
        return home if home is not None else row.casino if row is not None else None

    def _casino_at(self, table: int) -> int | None:
        known = self._desk.house.tables.get(table)
        return known.casino if known is not None else casinos.casino_of_table(self._desk.house.books, table)

    def _row_at(self, address: str) -> PlaceRow | None:
        return self._desk.row_at(address) or casinos.place(self._desk.house.books, PLATFORM, address)
