"""What people type: commands, amounts in answer to the table, the private chat's first words."""

from dataclasses import dataclass, field

from telegram import InlineKeyboardMarkup, Message, Update
from telegram.error import Forbidden

from bot.doors.kit.press import Press
from bot.doors.kit.recent import Recent
from bot.doors.kit.sentences import BEFORE, FOR_INSPECTORS
from bot.doors.kit.typed import Line
from bot.doors.telegram.desk import PLATFORM, Busy, Chat, Desk
from bot.doors.telegram.drawing import press_button
from bot.doors.telegram.places import Places
from bot.doors.telegram.private import Private
from bot.doors.telegram.saying import as_typed, say
from bot.doors.telegram.tables import Tables
from bot.doors.telegram.updates import is_anonymous, language_of_user, parse_command, thread_of, who_of
from bot.house.play import PLAYS, Seating
from bot.house.round.playing import MOVES
from bot.house.speech.amounts import is_amount_word
from bot.house.speech.command import Command, Place, Who
from bot.house.speech.registry import VERBS, Trait, has_trait
from bot.house.state.table import Table
from bot.texts import GAME_NAMES, Text
from bot.texts.languages import SOURCE

MOST_ASKED = 10_000
# Telegram's clock and ours may differ by so much.
CLOCKS_DIFFER_S = 5.0
NO_CHAT = Text("I may not write to you alone: open our private chat, press Start, and ask here again for the file.")
WELCOME = Text(
    "Welcome to the Ridotto: {n} games, virtual chips only; they can never be bought or sold. "
    "Add me to a group and say /setup there, or open a table here."
)


@dataclass
class Lines:
    """What is said in words: commands, and the amounts that a button has asked for."""

    desk: Desk
    tables: Tables
    private: Private
    places: Places
    # What a button asked for: the next amount that this person says in this chat completes it.
    asked: Recent[tuple[int, int], Press] = field(default_factory=lambda: Recent(MOST_ASKED))

    async def on_message(self, update: Update, _context: object) -> None:
        """Of what a group says, commands and answers to the bot alone are heard."""
        message = update.message
        if message is None or self._is_service(message):
            return
        user = message.from_user
        anonymous = is_anonymous(message)
        if not message.text or user is None or (user.is_bot and not anonymous):
            return
        if message.sender_chat is not None and not anonymous:
            return
        if message.text.startswith("/") and not self.desk.allowance.take(user.id):
            return  # each answer is a message, and a group has few
        chat = self.desk.chat_of(message.chat.id, message.chat.type)
        asked = self.asked.get((chat.number, user.id))
        line = parse_command(message.text, self.desk.bot.username) if message.text.startswith("/") else None
        if line is None and not message.text.startswith("/"):
            line = self._amount_of(chat, message)
        if line is None:
            return
        try:
            await self._run(chat, message, line)
        except Busy:
            if asked is not None:  # it comes again, and means the same
                self.asked.setdefault((chat.number, user.id), asked)
            raise

    def _is_service(self, message: Message) -> bool:
        if message.migrate_to_chat_id:
            self.places.migrate(message.chat.id, message.migrate_to_chat_id)
        elif message.migrate_from_chat_id:
            self.places.migrate(message.migrate_from_chat_id, message.chat.id)
        elif message.forum_topic_reopened:
            chat = self.desk.chat_of(message.chat.id, message.chat.type)
            self.tables.look(f"{chat.address}:{message.message_thread_id}", again=True)
        else:
            return False
        return True

    def _amount_of(self, chat: Chat, message: Message) -> Line | None:
        """`35`, in a private chat or in answer to the table (in a topic all that answers nothing answers its first)."""
        assert message.from_user is not None
        assert message.text is not None
        address = self.desk.address_of(chat, thread_of(message))
        post, answered = self.desk.notes.posts.get(address), message.reply_to_message
        answers_table = post is not None and answered is not None and answered.message_id == post.message
        if not chat.is_private and not answers_table:
            return None
        words = tuple(as_typed(message.text).split())
        press = self.asked.pop((chat.number, message.from_user.id), None)
        if press is not None:
            return Line(press.verb, (*press.args, *words))
        table = self.desk.table_at(address)
        if table is None or not words or not (words[0][0].isdigit() or is_amount_word(words[-1]) or len(words) > 1):
            return Line("help", ()) if chat.is_private else None
        if table.plays.seating is Seating.STACKS:
            player = self.desk.player_of(message.from_user.id)
            return Line("topup" if player is not None and table.seat_of(player) is not None else "buyin", words)
        return Line("bet", words)

    # Commands

    async def _run(self, chat: Chat, message: Message, line: Line) -> None:
        assert message.from_user is not None
        if line.verb == "start":
            await self._start(chat, message, line)
            return
        if line.verb == "setup" and chat.is_private:
            await self._open_own(chat, message, line.args[0].lower() if line.args else "")
            return
        known = VERBS.get(line.verb)
        if known is None and line.verb != "setup" and not chat.is_private:
            return  # another bot's
        is_inspectors = line.verb in ("setup", "help") or (known is not None and known.group == "inspectors")
        who = await self._who(chat, message, ask=is_inspectors)
        language = self.desk.language_of(message.from_user.id, message.from_user.language_code)
        key = f"tg:message:{chat.id}:{message.message_id}"
        if is_anonymous(message) and not is_inspectors and known is not None and known.group != "knowing":
            self._say(
                chat, message, language, [Text("Write under your own name to play: the group itself has no wallet.")]
            )
        elif line.verb == "setup" and not who.inspector:
            self._say(chat, message, language, [FOR_INSPECTORS])
        elif line.verb == "setup":
            self._say(chat, message, language, await self.places.set_up(chat, message, who, key))
        else:
            await self._command(chat, message, who, key, line)

    async def _who(self, chat: Chat, message: Message, *, ask: bool) -> Who:
        user = message.from_user
        assert user is not None
        if is_anonymous(message):
            return Who(PLATFORM, f"anonymous:{chat.number}", message.chat.title or "?", language_of_user(user), True)
        return who_of(user, inspector=ask and await self.places.is_inspector(chat, user.id))

    async def _command(self, chat: Chat, message: Message, who: Who, key: str, line: Line) -> None:
        assert message.from_user is not None
        title = message.chat.title or message.from_user.full_name
        if line.verb == "table open" and who.inspector:
            address = await self.places.found(chat, thread_of(message), message.from_user, title)
            await self.places.change_game(address, who, key, line.args[0].lower() if line.args else "")
        else:
            address = await self.places.arrive(chat, thread_of(message), message.from_user, title)
        if line.verb == "cards" and not chat.is_private:
            await self._offer_cards(chat, message, address)
            return
        language = self.desk.language_of(message.from_user.id, message.from_user.language_code)
        if _was_before(message, line, self.desk.table_at(address)):
            self._say(chat, message, language, [BEFORE])
            return
        command = Command(key, who, Place(PLATFORM, address), line.verb, line.args)
        answer = await self.desk.do(command)
        if answer.file is not None:
            self.desk.spawn(self._send_file(chat, message, language, answer.file))
        if answer.confirm:
            self._say(chat, message, language, list(answer.said), command)
        elif chat.is_private or answer.refused or not has_trait(line.verb, Trait.SEEN):
            self._say(chat, message, language, list(answer.said))
        table = self.desk.table_at(address)
        if table is not None and table.lost is not None:
            self.tables.look(address, again=True)

    async def _offer_cards(self, chat: Chat, message: Message, address: str) -> None:
        """Cards are shown to one person, and a typed command has no such answer: a button has."""
        table = self.desk.table_at(address)
        language = table.settings.language if table is not None else SOURCE
        label, text = say(Text("My cards"), language), say(Text("Only who presses sees his own cards."), language)
        markup = InlineKeyboardMarkup([[press_button(label, Press("verb", "cards"))]])
        self.desk.spawn(self.private.reply(chat, message, text, markup))

    async def _send_file(self, chat: Chat, message: Message, language: str, file: tuple[str, str]) -> None:
        """To him alone: what he asked for in a group comes in the private chat."""
        assert message.from_user is not None
        name, content = file
        to = chat if chat.is_private else self.desk.chat_of(message.from_user.id, "private")

        async def send() -> Message:
            return await self.desk.bot.send_document(to.id, content.encode(), filename=name)

        try:
            await self.desk.outbox.send(to.number, send, is_group=False)
        except Forbidden:
            self._say(chat, message, language, [NO_CHAT])

    def _say(self, chat: Chat, message: Message, language: str, texts: list[Text], ask: Command | None = None) -> None:
        """Beside: a chat that Telegram holds up must not hold up the others' updates."""
        self.desk.spawn(self.private.answer_line(chat, message, language, texts, ask=ask))

    # The private chat

    async def _start(self, chat: Chat, message: Message, line: Line) -> None:
        user = message.from_user
        if not chat.is_private or user is None:
            return
        await self.places.arrive(chat, None, user, user.full_name)
        words = tuple(line.args[0].split("_")) if line.args else ()
        if words and has_trait(words[0], Trait.LINKABLE):
            await self._run(chat, message, Line(words[0], words[1:]))
            return
        language = self.desk.language_of(user.id, user.language_code)
        wants = user.id in self.desk.notes.wants_direct
        welcome = say(Text(WELCOME.template, n=len(PLAYS)), language)
        self.desk.spawn(self.private.send(chat, welcome, markup=_start_buttons(language, wants)))

    async def _open_own(self, chat: Chat, message: Message, game: str) -> None:
        user = message.from_user
        assert user is not None
        address = await self.places.arrive(chat, None, user, user.full_name)
        language = self.desk.language_of(user.id, user.language_code)
        if not game:
            markup = _start_buttons(language, user.id in self.desk.notes.wants_direct)
            self.desk.spawn(self.private.send(chat, say(Text("Which game?"), language), markup=markup))
            return
        answer = await self.desk.do(self.desk.errand("open own", address, game, language))
        if answer.refused:
            self._say(chat, message, language, list(answer.said))


def _was_before(message: Message, line: Line, table: Table | None) -> bool:
    """A move that waited at Telegram while nothing came through, and meant a hand that is over. Bets stay bets."""
    if table is None or table.play is None:
        return False
    bets_are_moves = table.plays.seating is Seating.STACKS
    if line.verb not in MOVES and not (bets_are_moves and line.verb == "bet"):
        return False
    return message.date.timestamp() + CLOCKS_DIFFER_S < table.opened


def _start_buttons(language: str, wants_direct: bool) -> InlineKeyboardMarkup:
    # Stacks are won from each other: nobody plays that alone.
    alone = [game for game, play in PLAYS.items() if play.seating is not Seating.STACKS]
    games = [press_button(GAME_NAMES[game], Press("own", game)) for game in alone]
    direct = Text("My cards in this chat: no") if wants_direct else Text("My cards in this chat: yes")
    rows = [games[start : start + 2] for start in range(0, len(games), 2)]
    return InlineKeyboardMarkup([*rows, [press_button(say(direct, language), Press("direct"))]])
