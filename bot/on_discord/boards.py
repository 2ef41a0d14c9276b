"""The jackpot channel of a server: one message that shows the meter as it moves, edited once a minute at most."""

import json
import logging
import secrets
from typing import NamedTuple

import discord

from bot.counters import PLATFORMS
from bot.floor.command import Place
from bot.floor.places import errand_of
from bot.on_discord.codes import Code
from bot.on_discord.components import View
from bot.on_discord.drawing import board_view, parts_of
from bot.on_discord.line import PLATFORM, Line
from bot.on_discord.newest import TROUBLE, Newest
from bot.pit import Pit
from bot.texts import Text
from engine.felt import Amount
from storage import ledger
from storage.rows import NoteRow

# Of hour-old messages Discord takes few edits; so seldom it takes them.
GAP_S = 60.0
AGAIN_S, MOST_AGAIN_S = 60.0, 3600.0
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
NAME = "jackpot board "
ABOUT = Text("The progressive jackpot of Caribbean Stud: a coin beside the ante takes part.")
_BUTTON = (Text("The jackpot now"), Code(0, "", "jackpot"))
_log = logging.getLogger("ridotto.discord")
_tally = PLATFORMS[PLATFORM]


class Where(NamedTuple):
    channel: int
    message: int | None
    language: str


class Boards:
    """{server: its board}. They outlive a restart in the books' notes."""

    def __init__(self, client: discord.Client, pit: Pit, line: Line, *, pace: float = 1.0) -> None:
        self.client, self.pit, self.line, self.pace = client, pit, line, pace
        self._boards: dict[int, Board] = {}

    def open(self) -> None:
        """The boards that were shown before; what has moved meanwhile is shown."""
        for row in self.pit.books.rows(NoteRow, "WHERE platform = ? AND name LIKE ?", PLATFORM, f"{NAME}%"):
            if (value := json.loads(row.value)) is not None:
                guild = int(row.name.removeprefix(NAME))
                self._boards[guild] = Board(self, guild, Where(*value))
                self._boards[guild].newest.mark()

    def close(self) -> None:
        for board in self._boards.values():
            board.newest.close()

    def has(self, guild: int) -> bool:
        return guild in self._boards

    def put(self, guild: int, channel: int, language: str) -> None:
        """From now on this server's meter is shown in this channel."""
        self._boards[guild] = board = Board(self, guild, Where(channel, None, language))
        board.newest.mark()

    def drop(self, guild: int) -> None:
        if (board := self._boards.pop(guild, None)) is not None:
            board.newest.close()
            self.note(guild, None)

    def look(self, id: int) -> None:
        """A table changed: a coin may have dropped, a prize may have been paid."""
        table = self.pit.floor.house.table(id)
        if table is not None and table.game == "caribbean":
            self.look_at(table.casino)

    def look_at(self, casino: int) -> None:
        for guild, board in self._boards.items():
            if self.casino_of(guild) == casino:
                board.newest.mark()

    def look_again(self) -> None:
        for board in self._boards.values():
            board.newest.mark()

    def deleted(self, channel: int, message: int) -> None:
        for board in self._boards.values():
            if (board.where.channel, board.where.message) == (channel, message):
                board.lose()

    def casino_of(self, guild: int) -> int | None:
        row = self.pit.floor.house.place(PLATFORM, f"guild:{guild}")
        return row.casino if row is not None else None

    def note(self, guild: int, where: Where | None) -> None:
        key = f"{PLATFORM}:{secrets.token_hex(16)}"
        self.pit.submit(errand_of(key, Place(PLATFORM, ""), "note", f"{NAME}{guild}", json.dumps(where)))


class Board:
    def __init__(self, boards: Boards, guild: int, where: Where) -> None:
        self.boards, self.guild, self.where = boards, guild, where
        self.newest = Newest(self._send, self._wait)
        self._shown: object = None
        self._not_before, self._again_s = 0.0, AGAIN_S

    def lose(self) -> None:
        """Somebody deleted the message: it is posted again, but not in a quarrel with who deletes it each time."""
        self.where, self._shown = self.where._replace(message=None), None
        self.newest.mark()

    def _wait(self) -> float:
        return self._not_before - self.boards.pit.clock()

    async def _send(self) -> None:
        casino = self.boards.casino_of(self.guild)
        if casino is None or self.boards.line.is_silent:
            return
        meter = Amount(self.boards.pit.floor.house.balance(ledger.jackpot(casino)))
        view = board_view(Text("Jackpot {meter}", "", meter=meter), ABOUT, [_BUTTON], self.where.language)
        if parts_of(view) == self._shown:
            _tally.skipped += 1
            return
        now = self.boards.pit.clock()
        try:
            with self.boards.line.watching():
                await self._put(view)
            _tally.sent += 1
            self._shown, self._again_s = parts_of(view), AGAIN_S
            self._not_before = now + GAP_S * self.boards.pace
        except TROUBLE as fault:
            _tally.failed += 1
            self._fail(fault, now)

    async def _put(self, view: View) -> None:
        channel = self.boards.client.get_partial_messageable(self.where.channel)
        if self.where.message is not None:
            try:
                await channel.get_partial_message(self.where.message).edit(view=view)
                return
            except discord.NotFound as fault:
                if fault.code != UNKNOWN_MESSAGE:
                    raise
        sent = await channel.send(view=view, nonce=secrets.token_hex(12))
        self.where = self.where._replace(message=sent.id)
        self.boards.note(self.guild, self.where)

    def _fail(self, fault: BaseException, now: float) -> None:
        if getattr(fault, "code", 0) == UNKNOWN_CHANNEL:
            self.boards.drop(self.guild)
            return
        _log.warning("the jackpot of server %s was not shown: %s", self.guild, fault)
        self._not_before = now + self._again_s * self.boards.pace
        self._again_s = min(MOST_AGAIN_S, 2 * self._again_s)
        self.newest.mark()
