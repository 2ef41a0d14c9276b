"""One message a table: posted once, then edited to what the table is now.

A hand of a bank game costs at most six messages and edits: its first bet, its deal, each new round and its payment are
shown at once, what others do meanwhile as far as that budget goes. Black jack and stud, with their many turns, show
the newest state at most every three seconds.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from telegram import InlineKeyboardMarkup, InputMediaPhoto, Message
from telegram.error import BadRequest, ChatMigrated, Forbidden, TelegramError

from bot.floor.places import is_lost
from bot.floor.squeeze import TURN_S
from bot.floor.table import PACES, Table
from bot.on_telegram.desk import PLATFORM, Chat, Desk, Post
from bot.on_telegram.drawing import CAPTION, TEXT, Rows, caption, escape, keyboard, own_moves, public_moves
from bot.on_telegram.sending import BETS, MINOR, NEW
from bot.on_telegram.updates import Press
from bot.screens import Button, Screen
from bot.screens.build import screen
from bot.screens.buttons import move_buttons
from bot.screens.sight import look_at
from bot.texts import Text, say
from engine.cards import HIDDEN
from engine.events import Exchanged
from engine.hand import Hand, lay_out

WITH_TURNS = ("blackjack", "stud")
TURN_GAP_S, MINOR_GAP_S, BETS_GAP_S = 3.0, 5.0, 8.0
CALLS_A_HAND = 6
MOST_FILES = 200
LATE_PICTURE_S = 5.0
_log = logging.getLogger("ridotto.telegram")

Paint = Callable[[Screen, str], Awaitable[bytes | None]]


@dataclass
class _Shown:
    """What was sent last of a table: in which stage, when, how many calls its hand has cost, and the content."""

    stage: tuple[Any, ...] = ()
    at: float = 0.0
    spent: int = 0
    content: Any = None


class Tables:
    """Belongs to the event loop; only `mark` may be called from another thread. `paint` draws, None is text alone."""

    def __init__(self, desk: Desk, on_lost: Callable[[str, TelegramError], None], paint: Paint | None = None) -> None:
        self.desk, self.paint = desk, paint
        self._on_lost = on_lost
        self._loop = asyncio.get_running_loop()
        self._shown: dict[str, _Shown] = {}
        self._places: dict[int, set[str]] = {}
        self._counted = -1
        self._nudges: dict[str, asyncio.Task[None]] = {}
        self._said: dict[str, int] = {}
        self._watchers: list[Callable[[int], None]] = []
        self._files: OrderedDict[bytes, str] = OrderedDict()
        # Where photos are not allowed.
        self._wordy: set[str] = set()

    def watch(self, watcher: Callable[[int], None]) -> None:
        """Called on the event loop with each table that changed."""
        self._watchers.append(watcher)

    def mark(self, tables: set[int]) -> None:
        """These tables changed. Called in the pit's thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody looks any more
            self._loop.call_soon_threadsafe(self._look, tables)

    def _look(self, tables: set[int]) -> None:
        for id in sorted(tables):
            for address in self.addresses_of(id):
                self.look(address)
            for watcher in self._watchers:
                watcher(id)

    def open(self) -> None:
        """After a start every table that is awake is shown as it is now."""
        for (platform, address), row in list(self.desk.house.places.items()):
            table = self.desk.house.tables.get(row.table_id) if row.table_id and platform == PLATFORM else None
            if table is not None and (table.phase in ("betting", "playing") or address not in self.desk.notes.posts):
                self.look(address)

    def close(self) -> None:
        for nudge in self._nudges.values():
            nudge.cancel()

    def addresses_of(self, id: int) -> list[str]:
        """Where this table is to be seen in Telegram."""
        places = self.desk.house.places
        if id not in self._places or self._counted != len(places):
            self._counted = len(places)
            self._places = {}
            for (platform, address), row in list(places.items()):
                if platform == PLATFORM and row.table_id is not None:
                    self._places.setdefault(row.table_id, set()).add(address)
        found = self._places.setdefault(id, set())
        return sorted(address for address in found if _shows(self.desk, address, id))

    # When

    def look(self, address: str, *, again: bool = False) -> None:
        """Decide whether what the table is now is worth a call, and when. `again`: the message may be gone."""
        table, chat = self.desk.table_at(address), self.desk.chat_at(address)
        if table is None or chat is None or (table.status == "closed" and address not in self.desk.notes.posts):
            return
        shown, stage = self._shown.setdefault(address, _Shown()), stage_of(table)
        if again or address not in self.desk.notes.posts:
            shown.stage, shown.content = (), None
        is_new = stage != shown.stage
        if is_new:
            self._forget_nudge(address)
            self._nudge_later(address, table)
        elif not self._is_worth_it(shown, table):
            return
        gap = TURN_GAP_S if table.game in WITH_TURNS else 0.0 if is_new else MINOR_GAP_S
        if table.play is None and not is_new:
            gap = BETS_GAP_S
        self.desk.outbox.put(
            chat.number,
            ("table", address),
            partial(self._send, address),
            is_group=not chat.is_private,
            priority=MINOR if not is_new else NEW if table.phase != "betting" else BETS,
            due=shown.at + gap,
        )

    def _is_worth_it(self, shown: _Shown, table: Table) -> bool:
        """What changes within a stage is shown as far as the hand's budget goes; a table that falls asleep is not.

        Room is kept for what has to come, and for one mention.
        """
        if table.phase == "asleep" and not table.seats:
            return False
        if table.game in WITH_TURNS:
            return True
        mention = 0 if table.game == "uth" else 1
        return shown.spent + _calls_to_come(table) + mention < CALLS_A_HAND

    # What

    async def _send(self, address: str) -> None:
        table, chat = self.desk.table_at(address), self.desk.chat_at(address)
        if table is None or chat is None:
            return
        shown, stage = self._shown[address], stage_of(table)
        view = self._view(chat, table)
        language = self._language(chat, table)
        markup = self._keyboard(chat, table, view, language)
        picture = await self._picture(view, language) if address not in self._wordy else None
        post = self.desk.notes.posts.get(address)
        has_photo = picture is not None or (post is not None and post.has_photo)
        text = caption(view, language, CAPTION if has_photo else TEXT)
        content = (text, markup, picture)
        if content == shown.content and post is not None:
            shown.stage = stage
            return
        try:
            await self._put(address, chat, table, text, markup, picture)
        except ChatMigrated as moved:
            self.desk.note_chat(replace(chat, id=moved.new_chat_id, kind="supergroup"))
            self.look(address)
            return
        except (BadRequest, Forbidden) as fault:
            if picture is not None and "rights to send photos" in str(fault):
                self._wordy.add(address)
                self.look(address, again=True)
                return
            self._on_lost(address, fault)
            return
        is_next_hand = bool(shown.stage) and shown.stage[:2] != stage[:2]
        shown.stage, shown.at, shown.content = stage, self.desk.clock.now(), content
        shown.spent = 0 if is_next_hand else shown.spent + 1
        if picture is None and has_photo and self.paint is not None:
            # It was late: the words stand, under an older picture, until the next look.
            chat_key, again = ("table", address), shown.at + LATE_PICTURE_S
            send = partial(self._send, address)
            self.desk.outbox.put(chat.number, chat_key, send, is_group=not chat.is_private, priority=MINOR, due=again)
        if is_lost(table):
            await self.desk.report("regain", address)

    async def _put(
        self,
        address: str,
        chat: Chat,
        table: Table,
        text: str,
        markup: InlineKeyboardMarkup | None,
        picture: bytes | None,
    ) -> None:
        post = self.desk.notes.posts.get(address)
        if post is not None and post.table == table.id:
            try:
                await self._edit(chat, post, text, markup, picture)
                if picture is not None and not post.has_photo:
                    self.desk.note_post(address, replace(post, has_photo=True))
                return
            except BadRequest as refusal:
                said = str(refusal).lower()
                if "not modified" in said:
                    return
                if picture is not None and picture in self._files and "file" in said:
                    del self._files[picture]  # Telegram knows that id no more
                    await self._edit(chat, post, text, markup, picture)
                    return
                if not _is_gone(refusal):
                    raise
        elif post is not None:
            self.desk.spawn(self.delete(chat, post.message))
        message = await self._post(address, chat, text, markup, picture)
        self.desk.note_post(address, Post(message.message_id, table.id, bool(message.photo)))

    async def _post(
        self, address: str, chat: Chat, text: str, markup: InlineKeyboardMarkup | None, picture: bytes | None
    ) -> Message:
        where: dict[str, Any] = {
            "chat_id": chat.id,
            "message_thread_id": self.desk.thread_at(address),
            "reply_markup": markup,
            "parse_mode": "HTML",
            "disable_notification": True,
        }
        if picture is not None:
            sent = await self.desk.bot.send_photo(photo=self._files.get(picture, picture), caption=text, **where)
            self._keep_file(picture, sent)
            return sent
        return await self.desk.bot.send_message(text=text, **where)

    async def _edit(
        self, chat: Chat, post: Post, text: str, markup: InlineKeyboardMarkup | None, picture: bytes | None
    ) -> None:
        bot, id, message = self.desk.bot, chat.id, post.message
        if picture is not None:
            media = InputMediaPhoto(self._files.get(picture, picture), caption=text, parse_mode="HTML")
            self._keep_file(picture, await bot.edit_message_media(media, id, message, reply_markup=markup))
        elif post.has_photo:
            await bot.edit_message_caption(id, message, caption=text, reply_markup=markup, parse_mode="HTML")
        else:
            await bot.edit_message_text(text, id, message, reply_markup=markup, parse_mode="HTML")

    def _keep_file(self, picture: bytes, sent: Message | bool) -> None:
        """A picture that Telegram has already goes by its id: a table that sleeps looks like it did before."""
        if isinstance(sent, Message) and sent.photo:
            self._files[picture] = sent.photo[-1].file_id
            if len(self._files) > MOST_FILES:
                self._files.popitem(last=False)

    def bring_down(self, address: str) -> None:
        """Post the table's message anew, below what has been said since."""
        chat, post = self.desk.chat_at(address), self.desk.notes.posts.get(address)
        if chat is not None and post is not None:
            self.desk.spawn(self.delete(chat, post.message))
            self.desk.note_post(address, None)
        self.look(address, again=True)

    async def delete(self, chat: Chat, message: int) -> None:
        with suppress(TelegramError):
            await self.desk.bot.delete_message(chat.id, message)

    async def _picture(self, view: Screen, language: str) -> bytes | None:
        """A picture that is late or fails leaves the words alone."""
        if self.paint is None:
            return None
        try:
            return await self.paint(view, language)
        except Exception as fault:
            _log.error("a picture failed: %s", type(fault).__name__, exc_info=fault)
            self.paint = None
            return None

    def _view(self, chat: Chat, table: Table) -> Screen:
        """For everybody; in a private chat as its one person may see it."""
        viewer = self.desk.player_of(chat.id) if chat.is_private else None
        return screen(self.desk.house, table, viewer, self.desk.pit.clock())

    def _language(self, chat: Chat, table: Table) -> str:
        return self.desk.language_of(chat.id, table.settings.language) if chat.is_private else table.settings.language

    def _keyboard(self, chat: Chat, table: Table, view: Screen, language: str) -> InlineKeyboardMarkup | None:
        if chat.is_private:
            moves: Rows = own_moves(view, language)
        else:
            moves = public_moves(_moves_for_all(table), language)
        return keyboard(view, language, self.desk.bot.username, moves)

    # Who is waited for

    def _nudge_later(self, address: str, table: Table) -> None:
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
        self._nudges[address] = asyncio.ensure_future(self._nudge(address, chat, table.deadline, wait))

    async def _nudge(self, address: str, chat: Chat, deadline: float, seconds: float) -> None:
        """One mention, in a message of its own: a mention in an edited message notifies nobody."""
        await self.desk.clock.sleep(max(0.0, seconds))
        table = self.desk.table_at(address)
        if table is None or table.deadline != deadline or not (waited := self._waited_for(table)):
            return
        names = ", ".join(f'<a href="tg://user?id={user}">{escape(name)}</a>' for user, name in waited)
        text = say(Text("{names}: it is your turn.", "", names=names), table.settings.language)

        async def mention() -> None:
            now = self.desk.table_at(address)
            if now is None or now.deadline != deadline:
                return
            thread = self.desk.thread_at(address)
            sent = await self.desk.bot.send_message(chat.id, text, parse_mode="HTML", message_thread_id=thread)
            self._said[address] = sent.message_id
            self._shown[address].spent += 1

        self.desk.outbox.put(chat.number, ("nudge", address), mention, is_group=True, priority=NEW)

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

    def _forget_nudge(self, address: str) -> None:
        if nudge := self._nudges.pop(address, None):
            nudge.cancel()
        chat = self.desk.chat_at(address)
        if chat is not None:
            self.desk.outbox.drop(chat.number, ("nudge", address))
            if (message := self._said.pop(address, None)) is not None:
                self.desk.spawn(self.delete(chat, message))


def _shows(desk: Desk, address: str, table: int) -> bool:
    place = desk.house.places.get((PLATFORM, address))
    return place is not None and place.table_id == table


def stage_of(table: Table) -> tuple[Any, ...]:
    """What is shown at once: another table or hand, its first bet, its deal, each round of decisions, its payment."""
    hand = table.play
    if hand is None:
        return table.id, table.hand_id, table.phase, 0
    if table.game in WITH_TURNS:
        return table.id, table.hand_id, table.phase, len(hand.moves)
    return table.id, table.hand_id, table.phase, _street(hand)


def _street(hand: Hand) -> int:
    """A round of decisions: by the common cards that lie open (UT3), or whether cards were exchanged (CS6)."""
    if hand.deal.game == "uth":
        return sum(card != HIDDEN for card in lay_out(hand.view(None)).get("board", ()))
    return int(any(isinstance(event, Exchanged) for event in hand.events))


def _calls_to_come(table: Table) -> int:
    """What this hand will have to show: its deal, its rounds, its payment."""
    if table.play is None:
        return {"caribbean": 3, "uth": 4}.get(table.game, 1 + bool(table.memory.get("squeeze")))
    streets = {"uth": {0: 3, 3: 2}, "caribbean": {0: 2}}.get(table.game, {})
    return streets.get(_street(table.play), 1)


def _is_gone(refusal: BadRequest) -> bool:
    said = str(refusal).lower()
    return "message to edit not found" in said or "can't be edited" in said or "message_id_invalid" in said


def _moves_for_all(table: Table) -> list[tuple[Button, Press]]:
    """The choices of everybody who is asked now. What they cost differs; what they are called tells no card.

    The press carries the round that it was made for, so that it does nothing twice.
    """
    if table.play is None:
        return []
    owners, sight = table.owners(), look_at(table.play, None, table.turning)
    asked = dict.fromkeys(owners[seat] for seat in table.play.asks if seat not in table.away)
    fresh = f"{table.hand_id}.{round_of(table)}"
    found: dict[tuple[str, tuple[str, ...]], list[Button]] = {}
    for player in [*asked, *table.turners]:
        mine = tuple(key for key, owner in owners.items() if owner == player)
        for button in move_buttons(table, replace(sight, mine=mine), player):
            if not button.ask:
                args = () if button.verb == "insure" else button.args
                found.setdefault((button.verb, args), []).append(button)
    return [(_plain(buttons), Press("move", verb, args, fresh, 0)) for (verb, args), buttons in found.items()]


def round_of(table: Table) -> str:
    """What the buttons of everybody were made for: a street, or where players move in turn each single move.

    Within a street the rules take one choice of everybody; one more press of it is refused as what it is.
    """
    assert table.play is not None
    return str(len(table.play.moves) if table.game in WITH_TURNS else _street(table.play))


def _plain(buttons: list[Button]) -> Button:
    """One button for all of them; a price only where it is everybody's."""
    first = buttons[0]
    if all(button.label == first.label for button in buttons):
        return first
    if first.verb == "play":
        return first._replace(label=Text("Play {times} ×", "", times=int(first.args[0])))
    label = first.label.values.get("label")
    return first._replace(label=label if isinstance(label, Text) else first.label)
