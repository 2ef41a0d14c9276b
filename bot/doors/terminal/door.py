"""`ridotto talk`: a table in the terminal, for one name or for several who share the keyboard.

A line is a number, which presses the button of that number, or a command as everywhere; `NAME: ` before it says who
speaks. One name alone sees his cards as a matter of course; where several look at one screen, who asks for his cards
is alone with them between two empty lines.
"""

import asyncio
import re
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from aiohttp import web
from msgspec.structs import replace

from bot.doors.kit.desk import Desk, new_key
from bot.doors.kit.door import Opening
from bot.doors.kit.newest import Newest
from bot.doors.kit.questions import Questions
from bot.doors.kit.reach import EVERYWHERE
from bot.doors.kit.sentences import BEFORE, CLOSING, NO, NOTHING_DONE, YES
from bot.doors.kit.stages import as_own, is_of_now, moves_for_all
from bot.doors.kit.typed import parse_line
from bot.house.speech.checked import bytes_of
from bot.house.speech.command import Command, Who
from bot.house.speech.fresh import parse_fresh
from bot.house.speech.picks import without_picks
from bot.house.state.table import Table
from bot.texts import Text, say, title_of
from bot.view import Button, Screen
from bot.view.describe import describe, describe_hand
from bot.view.lessons import lesson_screen
from bot.view.posters import describe_poster

PLATFORM = "terminal"
# The community that all tables of the terminal belong to; each game has a table of its own there.
HOME = "home"
LONGEST = 4000
# Changes that come together are shown together.
TOGETHER_S = 0.05
LEAVE = ("quit", "exit")
# What rests on one's own cards: where several look at the screen, who asks is alone with it.
TOLD_ALONE = ("cards", "odds")
CLEAR = "\x1b[2J\x1b[H"
_SPOKEN = re.compile(r"([^:/]{1,32}):\s*(.*)")
_HOW = Text("A number presses a button, such as 1 or 4 25; or type a command, such as /help. /quit leaves.")
_SEVERAL = Text("Say who speaks: {name}: bet 50. Your cards: {name}: cards.")
_CURTAIN = Text("Now only {name} looks: Enter shows it, and Enter again takes it away.")
_NO_BUTTON = Text("No button has that number.")


@dataclass(frozen=True)
class Line:
    """What was typed, and what the buttons were when it came."""

    text: str
    buttons: Sequence[Button]


class TerminalDoor:
    """Belongs to the event loop; what is typed is read in a thread of its own."""

    name = PLATFORM
    routes: Sequence[web.RouteDef] = ()

    def __init__(self, opening: Opening, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        config = opening.config
        self._opening, self.desk, self._language = opening, Desk(opening.pit, PLATFORM), config.language
        self._names, self._game = config.names, config.game
        self._stdin, self._stdout = stdin or sys.stdin, stdout or sys.stdout
        self._speaker = self._names[0]
        self._questions = Questions()
        self._typed: asyncio.Queue[Line | None] = asyncio.Queue()
        # A number means the same button as long as the door is open: what it was made for last is pressed.
        self._buttons: list[Button] = []
        self._shown = ""
        # Who is about to look at his cards alone, and whether he does.
        self._curtain: str | None = None
        self._behind: tuple[str, tuple[str, ...]] = ("cards", ())
        self._is_looking = False
        self._is_open = False

    # The door

    async def open(self) -> None:
        """Founds its community where it is new and opens a table; what is typed is heard from then on."""
        self._loop = asyncio.get_running_loop()
        await self.desk.tend("back", EVERYWHERE)
        await self.desk.tend("arrive", HOME, "Terminal", self._language)
        await self.desk.tend("enter", self._game, HOME)
        for name in self._names:  # so that the house knows them
            await self.desk.submit(self._command(name, "balance"))
        if (table := self.desk.table_at(self._game)) is None or table.status == "closed":
            await self._submit(self._speaker, "table open", (self._game,))
        self._say(_HOW)
        if len(self._names) > 1:
            self._say(Text(_SEVERAL.template, "", name=self._names[0]))
        self._newest = Newest(self._show, lambda: 0.0, together_s=TOGETHER_S)
        self.desk.looks.append(self._look)
        self._unsubscribe = self.desk.hear()
        self._is_open = True
        self.reader = threading.Thread(target=self._read, name="terminal", daemon=True)
        self.reader.start()
        self._listening = asyncio.ensure_future(self._listen())
        self._newest.mark()

    def is_contested(self) -> bool:
        return False

    def is_connected(self) -> bool:
        return self._is_open

    async def hush(self) -> None:
        """Nobody is there any more: clocks of its tables stand until it is opened again."""
        self._is_open = False
        self._unsubscribe()
        self._newest.close()
        self._listening.cancel()
        await self.desk.tend("away", EVERYWHERE)
        self._say(CLOSING)

    async def close(self) -> None:
        """Nothing is left open: the terminal is not ours."""

    # What is typed

    def _read(self) -> None:
        for line in self._stdin:
            self._loop.call_soon_threadsafe(self._take, line.strip())
        self._loop.call_soon_threadsafe(self._typed.put_nowait, None)

    def _take(self, line: str) -> None:
        self._typed.put_nowait(Line(line, tuple(self._buttons)))

    async def _listen(self) -> None:
        while (line := await self._typed.get()) is not None and line.text.lstrip("/").lower() not in LEAVE:
            if self._curtain is not None:
                await self._draw_curtain()
            elif line.text:
                await self._hear(line)
        self._opening.end()

    async def _hear(self, line: Line) -> None:
        spoken = _SPOKEN.fullmatch(line.text)
        known = {name.lower(): name for name in self._names}
        if spoken is not None and spoken[1].strip().lower() in known:
            self._speaker, line = known[spoken[1].strip().lower()], Line(spoken[2], line.buttons)
        answer = line.text.lower()
        if answer and answer in (*self._words(YES), *self._words(NO)):
            await self._settle(self._speaker, is_yes=answer in self._words(YES))
            return
        number, *typed = line.text.split() or [""]
        if number.isdecimal() and number.isascii():
            await self._press(self._speaker, line.buttons, int(number), tuple(typed))
            return
        verb, args = parse_line(without_picks(line.text))
        if verb in TOLD_ALONE and len(self._names) > 1:
            self._curtain, self._behind = self._speaker, (verb, args)
            self._say(Text(_CURTAIN.template, "", name=self._speaker))
            return
        await self._submit(self._speaker, verb, args)

    async def _press(self, name: str, buttons: Sequence[Button], number: int, typed: tuple[str, ...]) -> None:
        if not 1 <= number <= len(buttons):
            self._say(_NO_BUTTON)
            return
        button, table = buttons[number - 1], self.desk.table_at(self._game)
        if button.ask is not None and not typed:
            self._say(button.ask)
            return
        args, fresh = (*button.args, *typed), button.fresh
        if len(self._names) > 1 and table is not None and _is_move(button):
            if not is_of_now(table, button.fresh):
                self._say(BEFORE)
                return
            args, fresh = as_own(table, self._screen(table, name).moves, button.verb, button.args, fresh)
        await self._submit(name, button.verb, args, fresh)

    async def _settle(self, name: str, *, is_yes: bool) -> None:
        command = self._questions.confirm(name, name.lower(), new_key(PLATFORM)) if is_yes else None
        if command is not None:
            await self._do(name, command)
        else:
            self._questions.decline(name, name.lower())
            self._say(NOTHING_DONE)

    async def _submit(self, name: str, verb: str, args: tuple[str, ...] = (), fresh: str = "") -> None:
        await self._do(name, self._command(name, verb, args, fresh))

    def _command(self, name: str, verb: str, args: tuple[str, ...] = (), fresh: str = "") -> Command:
        """Whoever sits at the machine runs its tables."""
        who = Who(PLATFORM, name.lower(), name, self._language, inspector=True)
        return Command(new_key(PLATFORM), who, self.desk.place(self._game), verb, args, fresh)

    async def _do(self, name: str, command: Command) -> None:
        answer = await self.desk.submit(command)
        if answer.lesson is not None:
            self._show_lesson(lesson_screen(answer.lesson, self.desk.house.books))
            return
        self._write(*(say(text, self.desk.language_of(name.lower(), self._language)) for text in answer.said))
        if answer.poster is not None:
            self._write(describe_poster(answer.poster, self.desk.house.books, self._language))
        table = self.desk.table_at(self._game)
        here = [one for one in answer.choices if not one.at or (table is not None and one.at == table.id)]
        if here:
            buttons = (Button(one.label, one.verb, one.args, ask=one.asks) for one in here)
            self._write("   ".join(map(self._label, buttons)))
        if answer.file is not None:
            self._hand_over(answer.file)
        if answer.confirm:
            self._questions.ask(name, command._replace(confirmed=answer.confirm))
            self._write(" / ".join(say(word, self._language) for word in (YES, NO)))

    def _hand_over(self, file: tuple[str, str]) -> None:
        """What can be read is shown; what cannot lies in the house's folder."""
        name, content = file
        if not content:
            path = self._opening.config.data / name
            path.write_bytes(bytes_of(file))
            content = str(path)
        self._write(content)

    # What is shown

    def _look(self, id: int) -> None:
        table = self.desk.table_at(self._game)
        if table is not None and table.id == id:
            self._newest.mark()

    async def _show(self) -> None:
        table = self.desk.table_at(self._game)
        if table is None or self._curtain is not None:
            return
        shown = self._screen(table, self._names[0] if len(self._names) == 1 else None)
        moves = shown.moves if len(self._names) == 1 else moves_for_all(table)
        lines = [f"— {title_of(table.game)} —", describe(shown, self._language, LONGEST)]
        own = filter(None, [shown.dearest])
        lines += [say(line, self._language) for line in (*shown.lines, *own)]
        lines.append("   ".join(self._label(button) for button in (*shown.bets, *moves, *shown.more)))
        if (said := "\n".join(lines)) != self._shown:
            self._shown = said
            self._write("", said)

    def _show_lesson(self, shown: Screen) -> None:
        lines = ["", f"— {title_of(shown.game)} —", describe(shown, self._language, LONGEST)]
        lines += [say(line, self._language) for line in (*shown.holds, *shown.lines)]
        self._write(*lines, "   ".join(self._label(button) for button in shown.moves))

    def _screen(self, table: Table, name: str | None) -> Screen:
        viewer = self.desk.player_of(name.lower()) if name is not None else None
        shown = self.desk.screen(table, viewer)
        return replace(shown, dearest=self.desk.dearest(table, viewer)) if viewer is not None else shown

    def _label(self, button: Button) -> str:
        """Its number is kept; what it was made for is what it is made for now."""
        same = (index for index, one in enumerate(self._buttons) if (one.verb, one.args) == (button.verb, button.args))
        index = next(same, len(self._buttons))
        self._buttons[index : index + 1] = [button]
        return f"[{index + 1}] {say(button.label, self._language)}"

    async def _draw_curtain(self) -> None:
        """First his cards, or what he asked, then nothing of it."""
        table, name, (verb, args) = self.desk.table_at(self._game), self._curtain, self._behind
        if table is not None and name is not None and not self._is_looking:
            self._is_looking = True
            if verb == "cards":
                self._write(describe_hand(self._screen(table, name), self._language, LONGEST))
            else:
                await self._submit(name, verb, args)
            return
        self._curtain, self._is_looking, self._shown = None, False, ""
        self._write(CLEAR if self._stdout.isatty() else "")
        self._newest.mark()

    def _words(self, answer: Text) -> tuple[str, str]:
        """As it is said, and its first letter."""
        word = say(answer, self._language).lower()
        return word, word[0]

    def _say(self, text: Text) -> None:
        self._write(say(text, self._language))

    def _write(self, *lines: str) -> None:
        print(*lines, sep="\n", file=self._stdout, flush=True)


def _is_move(button: Button) -> bool:
    return parse_fresh(button.fresh).moves != ""


make_door = TerminalDoor
