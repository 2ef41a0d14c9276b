"""What people type: commands, amounts in answer to the table, the private chat's first words."""

from collections import OrderedDict
from dataclasses import dataclass, field

from telegram import InlineKeyboardMarkup, Message, Update

from bot.floor.command import Command, Place, Who
from bot.floor.playing import MOVES
from bot.floor.registry import VERBS
from bot.floor.table import Table
from bot.on_telegram.desk import PLATFORM, Chat, Desk
from bot.on_telegram.drawing import press_button
from bot.on_telegram.places import Places
from bot.on_telegram.private import LINKED, Private
from bot.on_telegram.tables import Tables
from bot.on_telegram.updates import Line, Press, is_anonymous, parse_line, thread_of, who_of
from bot.texts import GAME_NAMES, Text, say
from engine.hand import GAMES

AMOUNT_WORDS = ("all", "half", "max", "min", "x2", "tutto", "metà", "meta")
# What the table itself shows: in a group such a command needs no answer of its own.
SHOWN = {"bet", "rebet", "takeback", "ready", "sit", "leave", "buyin", "topup", "sitout", "back"}
SHOWN |= {"raise", "fold", "exchange", "check", "play", "hit", "stand", "double", "split", "insure", "decline", "stay"}
SHOWN |= {"call", "complete", "bring-in"}
MOST_ASKED = 10_000
# Telegram's clock and ours may differ by so much.
CLOCKS_DIFFER_S = 5.0
BEFORE = Text("That was before: look at the table as it is now.")
WELCOME = Text(
    "Welcome to the Ridotto: five games, virtual chips only; they can never be bought or sold. "
    "Add me to a group and say /setup there, or open a table here."
)


@dataclass
class Lines:
    desk: Desk
    tables: Tables
    private: Private
    places: Places
    # What a button asked for: the next amount that this person says in this chat completes it.
    asked: OrderedDict[tuple[int, int], Press] = field(default_factory=OrderedDict)

    def ask(self, chat: int, user: int, press: Press) -> None:
        self.asked[chat, user] = press
        if len(self.asked) > MOST_ASKED:
            self.asked.popitem(last=False)

    async def on_message(self, update: Update, _context: object) -> None:
        message = update.message
        if message is None or self._is_service(message):
            return
        user = message.from_user
        anonymous = is_anonymous(message)
        if not message.text or user is None or (user.is_bot and not anonymous):
            return
        if message.sender_chat is not None and not anonymous:
            return
        chat = self.desk.chat_of(message.chat.id, message.chat.type)
        line = parse_line(message.text, self.desk.bot.username) if message.text.startswith("/") else None
        if line is None and not message.text.startswith("/"):
            line = self._amount_of(chat, message)
        if line is not None:
            await self._run(chat, message, line)

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
        address = self._address(chat, message)
        post, answered = self.desk.notes.posts.get(address), message.reply_to_message
        answers_table = post is not None and answered is not None and answered.message_id == post.message
        if not chat.is_private and not answers_table:
            return None
        words = tuple(message.text.split())
        press = self.asked.pop((chat.number, message.from_user.id), None)
        if press is not None:
            return Line(press.verb, (*press.args, *words))
        table = self.desk.table_at(address)
        if (
            table is None
            or not words
            or not (words[0][0].isdigit() or words[-1].lower() in AMOUNT_WORDS or len(words) > 1)
        ):
            return Line("help", ()) if chat.is_private else None
        if table.game == "stud":
            player = self.desk.player_of(message.from_user.id)
            return Line("topup" if player is not None and table.seat_of(player) is not None else "buyin", words)
        return Line("bet", words)

    def _address(self, chat: Chat, message: Message) -> str:
        thread = thread_of(message)
        return chat.address if chat.is_private or thread is None else f"{chat.address}:{thread}"

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
            self._say(chat, message, language, [Text("That is for inspectors.")])
        elif line.verb == "setup":
            self.desk.spawn(self._set_up(chat, message, who, key, language))
        else:
            await self._command(chat, message, who, key, line)

    async def _who(self, chat: Chat, message: Message, *, ask: bool) -> Who:
        user = message.from_user
        assert user is not None
        if is_anonymous(message):
            return Who(
                PLATFORM, f"anonymous:{chat.number}", message.chat.title or "?", user.language_code or "en", True
            )
        return who_of(user, inspector=ask and await self.places.is_inspector(chat, user.id))

    async def _set_up(self, chat: Chat, message: Message, who: Who, key: str, language: str) -> None:
        said = await self.places.set_up(chat, message, who, key)
        await self.private.answer_line(chat, message, language, said)

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
        answer = await self.desk.submit(command)
        if answer.file is not None and chat.is_private:
            self.desk.spawn(self._send_file(chat, answer.file))
        if answer.confirm:
            again = command._replace(key=f"{key}:yes", confirmed=True)
            self._say(chat, message, language, list(answer.texts), again)
        elif chat.is_private or answer.refused or line.verb not in SHOWN:
            self._say(chat, message, language, list(answer.texts))
        table = self.desk.table_at(address)
        if table is not None and table.memory.get("lost"):
            self.tables.look(address, again=True)

    async def _offer_cards(self, chat: Chat, message: Message, address: str) -> None:
        """Cards are shown to one person, and a typed command has no such answer: a button has."""
        table = self.desk.table_at(address)
        language = table.settings.language if table is not None else "en"
        label, text = say(Text("My cards"), language), say(Text("Only who presses sees his own cards."), language)
        markup = InlineKeyboardMarkup([[press_button(label, Press("verb", "cards"))]])
        self.desk.spawn(self.private.reply(chat, message, text, markup))

    async def _send_file(self, chat: Chat, file: tuple[str, str]) -> None:
        name, content = file

        async def send() -> Message:
            return await self.desk.bot.send_document(chat.id, content.encode(), filename=name)

        await self.desk.outbox.send(chat.number, send, is_group=False)

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
        if words and words[0] in LINKED:
            await self._run(chat, message, Line(words[0], words[1:]))
            return
        language = self.desk.language_of(user.id, user.language_code)
        wants = user.id in self.desk.notes.wants_direct
        self.desk.spawn(self.private.send(chat, say(WELCOME, language), markup=_start_buttons(language, wants)))

    async def _open_own(self, chat: Chat, message: Message, game: str) -> None:
        user = message.from_user
        assert user is not None
        address = await self.places.arrive(chat, None, user, user.full_name)
        language = self.desk.language_of(user.id, user.language_code)
        if not game:
            markup = _start_buttons(language, user.id in self.desk.notes.wants_direct)
            self.desk.spawn(self.private.send(chat, say(Text("Which game?"), language), markup=markup))
            return
        answer = await self.desk.report("open own", address, game, language)
        if answer.refused:
            self._say(chat, message, language, list(answer.texts))


def _was_before(message: Message, line: Line, table: Table | None) -> bool:
    """A move that waited at Telegram while nothing came through, and meant a hand that is over. Bets stay bets."""
    if table is None or table.play is None or not (line.verb in MOVES or (line.verb, table.game) == ("bet", "stud")):
        return False
    return message.date.timestamp() + CLOCKS_DIFFER_S < table.opened


def _start_buttons(language: str, wants_direct: bool) -> InlineKeyboardMarkup:
    games = [press_button(GAME_NAMES[game], Press("own", game)) for game in GAMES if game != "stud"]
    direct = Text("My cards in this chat: no") if wants_direct else Text("My cards in this chat: yes")
    return InlineKeyboardMarkup([games[:2], games[2:], [press_button(say(direct, language), Press("direct"))]])
