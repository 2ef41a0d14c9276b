"""Typed text: commands, amounts in reply to the table, the first words of a private chat."""

import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update, User
from telegram.error import Forbidden, TelegramError

from bot import texts
from bot.core.admin.invitations import table_of
from bot.core.admin.settings import SETTINGS
from bot.core.casinos.places import PRIVATE, find_stranded
from bot.core.command_list import CHAT_COMMANDS, has_flag, is_inspectors
from bot.core.commands.amounts import is_amount_word
from bot.core.commands.command import Answer, Choice, Command, Who
from bot.core.commands.picks import without_picks
from bot.core.commands.registry import CommandFlag
from bot.core.commands.words import GAME, SPOT, take_word
from bot.core.guide.verdicts import bytes_of
from bot.core.rounds.playing import MOVES
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Table
from bot.platforms.common.admin import with_settings
from bot.platforms.common.press import Press
from bot.platforms.common.recent import Recent
from bot.platforms.common.sentences import BEFORE, FOR_INSPECTORS
from bot.platforms.common.shared_posts import SHOWN
from bot.platforms.common.typed import TypedLine, parse_line
from bot.platforms.telegram.admin import TelegramAdmin
from bot.platforms.telegram.context import PLATFORM, Busy, Chat, TelegramContext
from bot.platforms.telegram.drawing import READ_BY_LINK, Rows, choice_rows, escape, press_button
from bot.platforms.telegram.invites import say_way_in
from bot.platforms.telegram.lessons import Lessons
from bot.platforms.telegram.places import TelegramPlaces
from bot.platforms.telegram.private import PrivateAnswers
from bot.platforms.telegram.saying import Link, as_typed, inert, say
from bot.platforms.telegram.setup import TABLE_IS_OPEN, TOPICS_ARE_THERE, TelegramSetup
from bot.platforms.telegram.shared_posts import TelegramSharedPosts
from bot.platforms.telegram.tables import TelegramTables
from bot.platforms.telegram.updates import (
    Spoken,
    account_answered,
    addressed,
    is_anonymous,
    is_typed,
    language_of_user,
    parse_command,
    people_in,
    thread_of,
    who_of,
    with_picks,
)
from bot.texts import GAME_NAMES, Text, isolate
from bot.texts.languages import SOURCE

MOST_ASKED = 10_000
# Possible difference between Telegram's clock and ours.
CLOCKS_DIFFER_S = 5.0
# By then the table shows the result, or Telegram has refused to.
SHOWN_S = 5.0
# A keyboard opened for an amount expires after this time.
OPEN_S = 60.0
_log = logging.getLogger("ridotto.telegram")
# Prefix of links that lead a group's inspector into the private chat.
FROM = re.compile(r"from([0-9]{1,18})")
SETTINGS_ARE_THERE = Text("Settings open in our private chat.")
NO_CHAT = Text("I can't message you yet. Open our chat, press Start, then ask here again for the file.")
START_FIRST = Text("I can't message you yet. Open our chat, press Start, then ask here again.")
NO_ONES = Text(
    "That is sent as a private message, which groups posting as themselves can't receive. Write under your own name."
)
OPEN_YOUR_OWN = Text("Or open a table here, just for you:")
WELCOME = Text(
    "Welcome to Ridotto: {n} casino games with play chips, no real money, ever. Open a table here, or add me to a "
    "group and send /setup there."
)


@dataclass
class Lines:
    """Typed commands, and amounts that a button asked for."""

    context: TelegramContext
    tables: TelegramTables
    private: PrivateAnswers
    places: TelegramPlaces
    lessons: Lessons
    setup: TelegramSetup
    shared_posts: TelegramSharedPosts
    admin: TelegramAdmin
    # Presses that wait for an amount: the next one that this person types in this chat completes it.
    asked: Recent[tuple[int, int], Press] = field(default_factory=lambda: Recent(MOST_ASKED))
    # The message that opened the user's keyboard.
    _opened: Recent[tuple[int, int], int] = field(default_factory=lambda: Recent(MOST_ASKED))

    async def on_message(self, update: Update, _context: object) -> None:
        """Handle a message; in groups only commands and replies to the bot."""
        message = update.message
        if message is None:
            return
        self.context.heard(message)
        if self._is_service(message):
            return
        user = message.from_user
        anonymous = is_anonymous(message)
        if not message.text or not is_typed(message) or user is None or (user.is_bot and not anonymous):
            return
        if message.sender_chat is not None and not anonymous:
            return
        account = (user.id, message.chat.id) if anonymous else user.id
        if message.text.startswith("/") and not self.context.allowance.spend(account):
            return  # each answer is a message, and a group has few
        self.places.notice(message.chat)
        chat = self.context.chat_of(message.chat.id, message.chat.type)
        asked = self.asked.get((chat.number, user.id))
        if chat.is_private and not message.text.startswith("/"):
            spoken = Spoken(message, user, chat, self.context.language_of(user.id, user.language_code))
            if await self.admin.type(spoken, message.text):
                return
        if message.text.startswith("/"):
            await self.context.hear_name(addressed(message.text))
            line = parse_command(with_picks(message), self.context.bot.username)
        else:
            line = self._amount_of(chat, message, message.text, user.id)
        if line is None:
            return
        try:
            await self._run(Spoken(message, user, chat, self.context.language_of(user.id, user.language_code)), line)
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
            chat = self.context.chat_of(message.chat.id, message.chat.type)
            self.tables.schedule_update(f"{chat.address}:{message.message_thread_id}", again=True)
        else:
            return False
        return True

    def _amount_of(self, chat: Chat, message: Message, text: str, user: int) -> TypedLine | None:
        """Return a typed amount like `35` as a command: in a private chat or as a reply to the table.

        In a topic a message without a reply counts as a reply to its first one.
        """
        address = self.context.address_of(chat, thread_of(message))
        post, answered = self.context.notes.posts.get(address), message.reply_to_message
        answers_table = post is not None and answered is not None and answered.message_id == post.message
        opened = self._opened.get((chat.number, user))
        answers_us = answered is not None and opened is not None and answered.message_id == opened
        if not chat.is_private and not answers_table and not answers_us:
            return None
        if opened is not None:
            self.context.spawn(self._close(chat, user, opened))
        words = tuple(without_picks(as_typed(text)).split())
        press = self.asked.pop((chat.number, user), None)
        if press is not None:
            return TypedLine(press.verb, (*press.args, *words))
        table = self.context.table_at(address)
        if table is None or not _is_bet(table, words):
            return TypedLine("help", ()) if chat.is_private else None
        if table.plays.seating is Seating.STACKS:
            player = self.context.player_of(user)
            return TypedLine("topup" if player is not None and table.seat_of(player) is not None else "buyin", words)
        return TypedLine("bet", words)

    async def ask_for(self, chat: Chat, thread: int | None, user: User, press: Press, language: str) -> None:
        """Open the person's keyboard, so that they need not find the table's message to reply to it. The message is
        silent and deleted after the reply or a while.
        """
        shown = isolate(inert(self.context.shown_name(chat, user)))
        name = f'<a href="tg://user?id={user.id}">{escape(shown)}</a>'
        asks = Text("{name}, your text:") if press.verb == "cut" else Text("{name}, how much?")
        send = partial(
            self.context.bot.send_message,
            chat.id,
            texts.say(Text(asks.template, name=name), language),
            parse_mode="HTML",
            message_thread_id=thread,
            reply_markup=ForceReply(selective=True),
            disable_notification=True,
        )
        try:
            sent: Message = await self.context.send(chat, send)
        except TelegramError as fault:
            _log.info("a keyboard was not opened: %s", fault)
            return
        self.context.heard(sent)
        if (before := self._opened.get((chat.number, user.id))) is not None:
            await self._close(chat, user.id, before)
        self._opened[chat.number, user.id] = sent.message_id
        await self.context.clock.sleep(OPEN_S)
        await self._close(chat, user.id, sent.message_id)

    async def _close(self, chat: Chat, user: int, message: int) -> None:
        if self._opened.get((chat.number, user)) == message:
            del self._opened[chat.number, user]
            await self.context.delete(chat, message)

    async def _run(self, spoken: Spoken, line: TypedLine) -> None:
        chat = spoken.chat
        if line.verb == "start" and not chat.is_private:
            if line.args:
                return  # sent by a link that adds the bot, which the greeting answers
            line = TypedLine("help", ())
        if line.verb == "start":
            await self._start(spoken, line)
            return
        if line.verb == "setup" and chat.is_private:
            what = line.args[0].lower() if line.args else ""
            if what.isdecimal():
                if await self.admin.group_of(what, spoken.user.id) is not None:
                    self.context.note_admin_group(spoken.user.id, int(what))
                self.context.spawn(self.setup.show_panel(chat, spoken.user, what))
            else:
                await self._open_own(spoken, take_word(line.args, 0, PLAYS, GAME)[0] or what)
            return
        known = CHAT_COMMANDS.get(line.verb)
        if known is None and line.verb != "setup" and not (chat.is_private or addressed(spoken.message.text or "")):
            return  # another bot's
        asks = line.verb == "help" or is_inspectors(line.verb)
        who = await self._who(spoken, ask=asks)
        if line.verb == SETTINGS and (chat.is_private or who.inspector):
            await self._show_settings(spoken, line.args)
            return
        is_free = known is None or known.group == "knowing" or has_flag(line.verb, CommandFlag.BRINGS)
        if is_anonymous(spoken.message) and not asks and not is_free:
            self._spawn_answer(spoken, Text("Write under your own name to play. The group itself has no wallet."))
        elif is_anonymous(spoken.message) and has_flag(line.verb, CommandFlag.HANDS):
            self._spawn_answer(spoken, NO_ONES)
        elif line.verb == "setup" and not who.inspector:
            self._spawn_answer(spoken, FOR_INSPECTORS)
        elif line.verb == "setup":
            self.context.spawn(self._set_up(spoken, who))
        else:
            await self._command(spoken, who, line)

    async def _set_up(self, spoken: Spoken, who: Who) -> None:
        """Set up the group in the background, because topics are limited by Telegram; then report the result."""
        at = spoken.chat, spoken.message.chat, spoken.thread, spoken.user
        said = await self.setup.run(*at, who, spoken.key)
        done = TOPICS_ARE_THERE if spoken.message.chat.is_forum else TABLE_IS_OPEN
        await self._say_somewhere(spoken, said or [done])

    async def _show_settings(self, spoken: Spoken, page: tuple[str, ...]) -> None:
        """Show the settings in the private chat; in a group send a button that leads there."""
        chat, user = spoken.chat, spoken.user
        if not chat.is_private:
            self._spawn_answer(spoken, SETTINGS_ARE_THERE, choices=[self.setup.panel_of(chat)])
        elif (group := await self.admin.group_for(user.id, chat)) is None:
            self._spawn_answer(spoken, FOR_INSPECTORS)
        else:
            self.context.spawn(self.admin.open(chat, user, group, spoken.key, *page))

    async def speaks_as(self, chat: Chat, user: User, verb: str, address: str, thread: int | None) -> tuple[Who, Place]:
        """Return who gives an inspector's command and where; a private chat stands for the group they administer."""
        asks = verb == "help" or is_inspectors(verb)
        if not chat.is_private or not asks or has_flag(verb, CommandFlag.OPENS | CommandFlag.SHOWS):
            may = asks and await self.places.is_inspector(chat, user.id)
            return who_of(user, inspector=may), Place(PLATFORM, address)
        group = await self.admin.group_for(user.id, chat)
        if group is None:
            return who_of(user), Place(PLATFORM, address)
        may = await self.places.is_inspector(group, user.id)
        return who_of(user, inspector=may), Place(PLATFORM, group.address)

    async def _who(self, spoken: Spoken, *, ask: bool) -> Who:
        chat, user = spoken.chat, spoken.user
        if is_anonymous(spoken.message):
            name = spoken.message.chat.title or "?"
            return Who(PLATFORM, f"anonymous:{chat.number}", name, language_of_user(user), True)
        return who_of(user, inspector=ask and await self.places.is_inspector(chat, user.id))

    async def _command(self, spoken: Spoken, who: Who, line: TypedLine) -> None:
        chat, where = spoken.chat, (spoken.chat, spoken.thread, spoken.user, spoken.title)
        may = who.inspector or not is_inspectors(line.verb)
        shows = may and has_flag(line.verb, CommandFlag.SHOWS) and not chat.is_private
        if shows and (lacks := await self.setup.needed(chat)):
            await self._say_somewhere(spoken, lacks)
            return
        if line.verb == "table open" and who.inspector:
            address = await self.places.found(*where)
            await self.places.change_game(address, who, spoken.key, take_word(line.args, 0, PLAYS, GAME)[0] or "")
        else:
            address = await self.places.arrive(*where)
        if line.verb == "cards" and not chat.is_private:
            await self._offer_cards(spoken, address)
            return
        if _was_before(spoken.message, line, self.context.table_at(address)):
            self._spawn_answer(spoken, BEFORE)
            return
        place = Place(PLATFORM, address)
        if chat.is_private:
            who, place = await self.speaks_as(chat, spoken.user, line.verb, address, None)
        elif line.verb in MOVES and self.context.table_at(address) is None:
            # Without a table here the move is for the hand that lost its place.
            held = find_stranded(self.context.state, self.context.player_of(spoken.user.id))
            place = Place(PLATFORM, PRIVATE) if held is not None else place
        command = Command(
            spoken.key,
            who,
            place,
            line.verb,
            line.args,
            people=people_in(spoken.message),
            answers=account_answered(spoken.message),
        )
        was_lost = waits_for_its_place(self.context.table_at(address))
        answer = await self.context.submit_update(command)
        if not is_anonymous(spoken.message):  # they may have chosen another language
            spoken = replace(spoken, language=self.context.language_of(spoken.user.id, spoken.language))
        answer = with_settings(line.verb, answer)
        table = self.context.table_at(address)
        if answer.refused and is_of_a_table(line.verb) and (was_lost or waits_for_its_place(table)):
            # It was not paused by anyone.
            answer = answer._replace(texts=(await self.setup.why_lost(chat, spoken.thread),))
        is_lost = table is not None and table.lost is not None
        if line.verb == "accept" and not answer.refused:
            outside = await say_way_in(self.context, table_of(" ".join(line.args)), spoken.user.id)
            answer = answer._replace(texts=answer.texts + outside)
        if answer.lesson is not None:
            show, offer = self.lessons.show_lesson, self.lessons.offer
            lesson = answer.lesson
            self.context.spawn(show(chat, lesson, spoken.language) if chat.is_private else offer(spoken, lesson))
            return
        if answer.shared_post is not None:
            self._show_everybody(spoken, address, answer)
            return
        if answer.file is not None and is_anonymous(spoken.message):
            answer = answer._replace(texts=(NO_ONES, *answer.texts))
        elif answer.file is not None:
            self.context.spawn(self._send_file(spoken, answer.file[0], bytes_of(answer.file)))
        if any(isinstance(text.values.get("invitation"), Link) for text in answer.said):
            self.context.spawn(self._hand_over(spoken, answer))
        elif has_flag(line.verb, CommandFlag.BRINGS) and not answer.refused:
            if not self.tables.call(address):
                self._spawn_answer(spoken, *answer.said)
        elif answer.confirm:
            self._spawn_answer(spoken, *answer.said, ask=command._replace(confirmed=answer.confirm))
        elif answer.refused and chat.is_private and is_of_a_table(line.verb) and table is None:
            self._show_start(spoken, *answer.said, OPEN_YOUR_OWN, choices=answer.choices)
        elif chat.is_private or answer.refused or is_lost or not _is_shown(line.verb, table):
            self._spawn_answer(spoken, *answer.said, choices=answer.choices, passes=answer.refused)
        else:
            self.context.spawn(self._say_unless_shown(spoken, address, answer))
        if is_lost:
            self.tables.schedule_update(address, again=True)

    async def _say_unless_shown(self, spoken: Spoken, address: str, answer: Answer) -> None:
        """Explain a table that could not be shown, which is known once Telegram has refused it."""
        await self.context.clock.sleep(SHOWN_S)
        table = self.context.table_at(address)
        if table is not None and table.lost is not None:
            self._spawn_answer(spoken, *answer.said, await self.setup.why_lost(spoken.chat, spoken.thread))

    def _show_everybody(self, spoken: Spoken, address: str, answer: Answer) -> None:
        """Post a shared post; if it is not accepted, tell the person why."""
        said = self.shared_posts.accepts(spoken.chat, spoken.user.id)
        if said is SHOWN:
            self.context.spawn(self.post(spoken, address, answer))
        else:
            self._spawn_answer(spoken, said)

    async def post(self, spoken: Spoken, address: str, answer: Answer) -> None:
        """Post a shared post into the group or topic, in the language of its table."""
        table = self.context.table_at(address)
        is_own = spoken.chat.is_private or table is None
        language = spoken.language if is_own or table is None else table.settings.language
        user = None if is_anonymous(spoken.message) else spoken.user.id
        if (refused := await self.shared_posts.post(spoken.chat, spoken.thread, answer, language, user)) is not None:
            self._spawn_answer(spoken, refused)

    async def _offer_cards(self, spoken: Spoken, address: str) -> None:
        """Offer a button for the cards, because a typed command has no private answer."""
        table = self.context.table_at(address)
        language = table.settings.language if table is not None else SOURCE
        label, text = (
            say(Text("My cards"), language),
            say(Text("Only you see your cards when you press this."), language),
        )
        # If the table is not shown here, the button may be elsewhere, and names its place.
        about = table.id if table is not None and table.lost is not None else 0
        button = press_button(label, Press("verb", "cards", table=about))
        self.context.spawn(self.private.reply(spoken, text, button))

    async def _send_file(self, spoken: Spoken, name: str, content: bytes) -> None:
        """Send a file to the person alone, in the private chat."""
        to = spoken.chat if spoken.chat.is_private else self.context.chat_of(spoken.user.id, "private")
        try:
            await self.context.send(to, partial(self.context.bot.send_document, to.id, content, filename=name))
        except Forbidden:
            self._spawn_answer(spoken, NO_CHAT, choices=[self._open_chat()])

    async def _hand_over(self, spoken: Spoken, answer: Answer) -> None:
        """Send an invitation in the private chat, because an alert shows no links."""
        to = spoken.chat if spoken.chat.is_private else self.context.chat_of(spoken.user.id, "private")
        try:
            await self.private.send(to, "\n".join(say(text, spoken.language) for text in answer.said))
        except Forbidden:
            self._spawn_answer(spoken, START_FIRST, choices=[self._open_chat()])

    def _open_chat(self) -> Choice:
        """Return a button that opens the private chat, for pressing Start."""
        return Choice(Text("Open our chat"), where=f"https://t.me/{self.context.bot.username}?start=hello")

    def _spawn_answer(
        self,
        spoken: Spoken,
        *texts: Text,
        ask: Command | None = None,
        choices: Sequence[Choice] = (),
        passes: bool = False,
    ) -> None:
        """Answer in the background: a rate-limited chat must not delay the updates of others."""
        self.context.spawn(self.private.answer_line(spoken, texts, ask, choices, passes=passes))

    async def _say_somewhere(self, spoken: Spoken, texts: Sequence[Text]) -> None:
        """Answer a group's administrator where they asked, or in their private chat if the group takes no messages."""
        if not await self.setup.is_mute(spoken.chat):
            self._spawn_answer(spoken, *texts, choices=[self.setup.panel_of(spoken.chat)])
            return
        words = "\n".join(say(text, spoken.language) for text in texts)
        with suppress(TelegramError):
            await self.private.send(self.context.chat_of(spoken.user.id, "private"), words)

    async def _start(self, spoken: Spoken, line: TypedLine) -> None:
        chat, user = spoken.chat, spoken.user
        await self.places.arrive(chat, None, user, user.full_name)
        words = tuple(line.args[0].split("_")) if line.args else ()
        if words and (came := FROM.fullmatch(words[0])) is not None:
            if await self.admin.group_of(came[1], user.id) is not None:
                self.context.note_admin_group(user.id, int(came[1]))
            asked = parse_line(" ".join(words[1:]))
            if has_flag(asked.verb, CommandFlag.LINKABLE) or asked.verb in READ_BY_LINK:
                await self._run(spoken, asked)
                return
        if words and has_flag(words[0], CommandFlag.LINKABLE):
            await self._run(spoken, TypedLine(words[0], words[1:]))
            return
        self._show_start(spoken, Text(WELCOME.template, n=len(PLAYS)))

    async def _open_own(self, spoken: Spoken, game: str) -> None:
        address = await self.places.arrive(spoken.chat, None, spoken.user, spoken.user.full_name)
        if not game:
            self._show_start(spoken, Text("Which game?"))
            return
        answer = await self.context.submit_update(
            self.context.internal_command("open own", address, game, spoken.language)
        )
        if answer.refused:
            self._spawn_answer(spoken, *answer.said)

    def _show_start(self, spoken: Spoken, *texts: Text, choices: Sequence[Choice] = ()) -> None:
        """Greet with a button for each game for one player, below those of `choices`."""
        wants_direct = spoken.user.id in self.context.notes.wants_direct
        ways = choice_rows(choices, self.context.bot.username, spoken.language)
        markup = _start_buttons(spoken.language, wants_direct, self.context.bot.username, ways)
        words = "\n".join(say(text, spoken.language) for text in texts)
        self.context.spawn(self.private.send(spoken.chat, words, markup=markup))


def waits_for_its_place(table: Table | None) -> bool:
    """Return whether a table cannot be shown, and so takes no bets; a dealt hand goes on in private (G10)."""
    return table is not None and table.lost is not None and table.round.hand is None


def is_of_a_table(verb: str) -> bool:
    """Return whether a command only makes sense at a table."""
    return verb in CHAT_COMMANDS and CHAT_COMMANDS[verb].group == "play"


def _was_before(message: Message, line: TypedLine, table: Table | None) -> bool:
    """Return whether a move was delayed at Telegram and meant a hand that is over. Bets stay valid."""
    if table is None or table.round.hand is None:
        return False
    bets_are_moves = table.plays.seating is Seating.STACKS
    if line.verb not in MOVES and not (bets_are_moves and line.verb == "bet"):
        return False
    return message.date.timestamp() + CLOCKS_DIFFER_S < table.round.opened


def _is_bet(table: Table, words: Sequence[str]) -> bool:
    """Check whether words begin with an amount or a bet of the table, or are a word and an amount; others are said
    about the game.
    """
    if not words:
        return False
    known, amounts = (*table.rules.spots, *table.plays.announced), words if len(words) == 2 else words[:1]
    is_amount = any(word[0].isdigit() or is_amount_word(word) for word in amounts)
    return is_amount or take_word(words, 0, known, SPOT)[0] is not None


def _start_buttons(language: str, wants_direct: bool, me: str, ways: Rows) -> InlineKeyboardMarkup:
    # Stacks are won from other players, so such games need several.
    alone = [game for game, play in PLAYS.items() if play.seating is not Seating.STACKS]
    games = [press_button(GAME_NAMES[game], Press("own", game)) for game in alone]
    direct = Text("Stop sending my cards here") if wants_direct else Text("Send my cards here")
    rows = [games[start : start + 2] for start in range(0, len(games), 2)]
    learn = press_button(say(Text("First hand"), language), Press("verb", "learn"))
    add = InlineKeyboardButton(say(Text("Add me to a group"), language), url=f"https://t.me/{me}?startgroup=setup")
    return InlineKeyboardMarkup([*ways, *rows, [learn, press_button(say(direct, language), Press("direct"))], [add]])


def _is_shown(verb: str, table: Table | None) -> bool:
    """Return whether the table shows what a command did. At a cash table only a move shows during a hand; sitting out,
    coming back or leaving counts after it.
    """
    is_later = table is not None and table.has_closed and table.plays.seating is Seating.STACKS
    return has_flag(verb, CommandFlag.SEEN) and (not is_later or verb in (*MOVES, "bet"))
