"""The jackpot channel of a server: one message with the meter, edited at most once a minute."""

import logging
from contextlib import suppress
from typing import NamedTuple

from bot.core.counters import PLATFORMS
from bot.platforms.common.budget import Rank
from bot.platforms.common.newest import Newest
from bot.platforms.common.press import Press
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.context import DiscordContext, community_of, guild_of
from bot.platforms.discord.drawing import board_view
from bot.platforms.discord.posts import UNKNOWN_CHANNEL, Again, Post
from bot.platforms.discord.trouble import TROUBLE
from bot.texts import Text
from engine.felt import Amount
from storage import ledger

# Gap between edits of hour-old messages, of which Discord takes few.
GAP_S = 60.0
AGAIN_S, MOST_AGAIN_S = 60.0, 3600.0
NAME = "jackpot board "
ABOUT = Text("The progressive jackpot: add a coin to your bet to take part.")
_BUTTON = (Text("The jackpot now"), Press("verb", "jackpot"))
_log = logging.getLogger("ridotto.discord")
_tally = PLATFORMS[PLATFORM]


class BoardPlace(NamedTuple):
    """A board's channel, its message (None before it is posted), and the server's language."""

    channel: int
    message: int | None
    language: str


class JackpotBoards:
    """Boards by server, restored from the store's notes after a restart."""

    def __init__(self, context: DiscordContext) -> None:
        self.context = context
        self._boards: dict[int, JackpotBoard] = {}

    def open(self) -> None:
        """Restore the boards."""
        guilds = [str(guild) for row in self.context.places() if (guild := guild_of(row.address)) is not None]
        for noted, value in self.context.noted_of(guilds, NAME):
            if value is not None:
                self._boards[int(noted)] = board = JackpotBoard(self, int(noted), BoardPlace(*value))
                board.newest.mark()

    def close(self) -> None:
        for board in self._boards.values():
            board.newest.close()

    def has_board(self, guild: int) -> bool:
        return guild in self._boards

    def add_board(self, guild: int, channel: int, language: str) -> None:
        """Show this server's meter in this channel from now on."""
        self._boards[guild] = board = JackpotBoard(self, guild, BoardPlace(channel, None, language))
        board.newest.mark()

    def drop(self, guild: int) -> None:
        if (board := self._boards.pop(guild, None)) is not None:
            board.newest.close()
            self.context.note(f"{NAME}{guild}", None)

    def handle_change(self, id: int) -> None:
        """Handle a changed table, which may have changed the meter."""
        table = self.context.state.table(id)
        if table is not None and table.plays.linked_meter:
            self.look_at(table.casino)

    def look_at(self, casino: int) -> None:
        for guild, board in self._boards.items():
            if self.casino_of(guild) == casino:
                board.newest.mark()

    def look_again(self, _addresses: object) -> None:
        for board in self._boards.values():
            board.newest.mark()

    def deleted(self, channel: int, message: int) -> None:
        for board in self._boards.values():
            if board.post.channel == channel:
                board.deleted(message)

    def casino_of(self, guild: int) -> int | None:
        row = self.context.row_at(community_of(guild))
        return row.casino if row is not None else None


class JackpotBoard:
    """The message of one jackpot channel, edited with the latest state at most once a minute."""

    def __init__(self, boards: JackpotBoards, guild: int, where: BoardPlace) -> None:
        self.boards, self._context, self.guild, self._language = boards, boards.context, guild, where.language
        self.post = Post(
            self._context.client, where.channel, where.message, self._note_message, self._context.contest.new_nonce
        )
        self.newest = Newest(self._send, self._wait, self._context.calls, lambda: Rank.BOARD)
        self._shown: object = None
        self._sent_at = float("-inf")
        self._again = Again(AGAIN_S, MOST_AGAIN_S)
        self._deleted = 0

    def deleted(self, message: int) -> None:
        """Handle a deleted message: the board is posted again, at most once a minute."""
        self._deleted = message
        if self.post.message == message:
            self.post.message, self._shown = None, None
            self.newest.mark()

    @property
    def _now(self) -> float:
        return self._context.writer.monotonic()

    def _wait(self) -> float:
        return max(self._sent_at + GAP_S * self._context.pace, self._again.not_before) - self._now

    async def _send(self) -> None:
        casino = self.boards.casino_of(self.guild)
        if casino is None or self._context.connectivity.is_silent:
            return
        meter = Amount(self._context.state.balance(ledger.jackpot(casino)))
        view = board_view(Text("Jackpot {meter}", meter=meter), ABOUT, [_BUTTON], self._language)
        if (view.parts, self.post.message) == self._shown:
            _tally.skipped += 1
            return
        began = self._now
        try:
            with self._context.connectivity.watching():
                message, old = await self.post.edit_or_post(view)
            _tally.sent += 1
            # If it was deleted meanwhile, this content is not shown.
            self._shown, self._sent_at = (view.parts, message), began
            self._again.forget()
            if message == self._deleted:
                # Discord reported the deletion before the message's id.
                self.deleted(message)
            if old:
                await self._delete(old)
        except TROUBLE as fault:
            _tally.failed += 1
            self._fail(fault, began)

    async def _delete(self, message: int) -> None:
        """Delete a message that takes no more edits and was replaced."""
        with suppress(*TROUBLE):
            await self.post.place.get_partial_message(message).delete()

    async def _note_message(self, message: int) -> None:
        where = BoardPlace(self.post.channel, message, self._language)
        self._context.note(f"{NAME}{self.guild}", where)

    def _fail(self, fault: BaseException, began: float) -> None:
        if getattr(fault, "code", 0) == UNKNOWN_CHANNEL:
            self.boards.drop(self.guild)
            return
        _log.warning("the jackpot of server %s could not be shown: %s", self.guild, fault)
        self._again.fail(began, self._context.pace)
        self.newest.mark()
