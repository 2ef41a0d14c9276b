"""The table messages: one each, kept at the latest state as often as Discord allows.

While the bot has calls to spare, a press is visible a second later. Otherwise a hand of a bank game costs at most eight
messages or edits (more only if its turns pass between too many players), and stud is updated at most every three
seconds. A message that is an hour old or scrolled up is posted anew, and the old one becomes a line that links to it; a
deleted one is posted anew at once.
"""

import asyncio
import logging
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import discord
from discord.utils import snowflake_time

from bot.core.casinos.places import founding_casino_of, is_lost, message_at
from bot.core.commands.stages import shown_stage, stages_of
from bot.core.counters import PLATFORMS
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.platforms.common.budget import Rank
from bot.platforms.common.connectivity import EVERYWHERE
from bot.platforms.common.newest import Newest
from bot.platforms.common.pacing import TurnPacer
from bot.platforms.common.reactions import EMOJI
from bot.platforms.common.stages import waited_for
from bot.platforms.common.turns import TooLate
from bot.platforms.discord.components import View
from bot.platforms.discord.connectivity import CHANNEL, PLATFORM
from bot.platforms.discord.context import DiscordContext
from bot.platforms.discord.drawing import Paint, folded_view, table_view
from bot.platforms.discord.permissions import can_post
from bot.platforms.discord.posts import UNKNOWN_CHANNEL, Again, Post
from bot.platforms.discord.stranded import lose
from bot.platforms.discord.trouble import ARCHIVED_THREAD, TROUBLE, is_broken, is_unreached
from bot.view import Button
from bot.view.describe import describe

EDITS_LAST_S = 3600.0
TURN_GAP_S = 3.0
# Discord takes five edits in five seconds in a channel.
QUIET_GAP_S = 1.1
# How often a hand without calls left checks whether there are some to spare.
LOOK_AGAIN_S = 2.0
CALLS_A_HAND = 8
# Turns of a paced hand that are shown early: with its deal, three streets and payment twelve edits.
TURNS_A_HAND = 7
# A late picture is requested once more.
LATE_PICTURE_S = 5.0
AGAIN_S, MOST_AGAIN_S = 15.0, 600.0
# If messages are deleted this soon, something deletes them on purpose: most often a bot that tidies up.
QUARREL_S = 60.0
# Discord's codes of errors that do not pass with time.
MISSING_ACCESS, TAKES_NO_MESSAGES, MISSING_PERMISSIONS = 50001, 50008, 50013
LOST = (UNKNOWN_CHANNEL, MISSING_ACCESS, TAKES_NO_MESSAGES, MISSING_PERMISSIONS, ARCHIVED_THREAD)

_tally = PLATFORMS[PLATFORM]
_log = logging.getLogger("ridotto.discord")


class DiscordTables:
    """All table messages. `paint` makes the picture, None is text alone."""

    def __init__(self, context: DiscordContext, paint: Paint | None = None) -> None:
        self.context, self.paint = context, paint
        self._messages: dict[int, TableMessage] = {}

    def close(self) -> None:
        for message in self._messages.values():
            message.close()

    def handle_change(self, id: int) -> None:
        """Handle a changed table."""
        for address in self.context.addresses_of(id):
            if (message := self.message(int(address))) is not None:
                message.newest.mark()

    def look_again(self, addresses: Iterable[str]) -> None:
        """Update the tables at addresses that can be reached again, each once in its turn."""
        back = set(addresses)
        messages = (one for one in self._messages.values() if EVERYWHERE in back or str(one.channel) in back)
        for message in [one for one in messages if one.is_due]:
            message.show_again()

    def deleted(self, channel: int, message: int) -> None:
        """Handle a deleted message."""
        known = self.message(channel)
        if known is not None:
            known.deleted(message)

    def arrived(self, channel: int, nonce: str, message: int) -> None:
        """Note the arrival of our own message, in case the answer to its posting was lost."""
        known = self._messages.get(channel)
        if known is not None and known.post.nonce == nonce:
            known.post.arrived = message

    async def react(self, address: str, _table: Table, on: bool) -> None:
        """Add or remove a reaction on the table's message, where allowed, after all calls that people wait for."""
        known, channel = self.message(int(address)), self.context.client.get_channel(int(address))
        if known is None or not known.post.message or not self.context.connectivity.reaches(address):
            return
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread) or self.context.client.user is None:
            return
        allowed = channel.permissions_for(channel.guild.me)
        if not (allowed.add_reactions and allowed.read_message_history):
            return
        message = known.post.place.get_partial_message(known.post.message)
        with suppress(*TROUBLE):
            async with self.context.calls.turn(Rank.BOARD):
                if on:
                    await message.add_reaction(EMOJI)
                else:
                    await message.remove_reaction(EMOJI, self.context.client.user)

    def message(self, channel: int) -> "TableMessage | None":
        """Return the table message of a channel; a table may be shown in several."""
        row, known = self.context.row_at(str(channel)), self._messages.get(channel)
        if row is None or row.table_id is None:
            self._messages.pop(channel, None)
            return None
        if known is None or known.table != row.table_id:
            message = message_at(self.context.state.casinos[founding_casino_of(row)], Place(PLATFORM, row.address))
            known = TableMessage(self, row.table_id, channel, int(message) if message else None)
            self._messages[channel] = known
        return known


class TableMessage:
    """One table's message in one channel."""

    def __init__(self, tables: DiscordTables, table: int, channel: int, message: int | None) -> None:
        self.tables, self.context, self.table, self.channel = tables, tables.context, table, channel
        self.post = Post(self.context.client, channel, message, self._note_message, self.context.contest.new_nonce)
        self.newest = Newest(self._send, self._wait, self.context.calls, self._rank)
        self.pacer = TurnPacer(TURNS_A_HAND)
        self.is_behind = False
        self._shown: Any = None
        self._sent_at = 0.0
        # The last person to delete our messages, and until when nothing is posted again.
        self._deleted, self._peace_at, self._quarrel_s = 0, -math.inf, 0.0
        self._stage = (0, "")
        self._waited: tuple[int, ...] = ()
        # Calls of the present hand so far, and whether a player was mentioned in it.
        self._in_stage = self._spent = 0
        self._has_mentioned = False
        self._again = Again(AGAIN_S, MOST_AGAIN_S)
        self._woken_at = -math.inf
        self._late: asyncio.TimerHandle | None = None
        # When repeated failures count as a lost place.
        self._slow: asyncio.TimerHandle | None = None
        # The hand for which the scroll position was checked; and whether a post below was requested.
        self._looked_for, self._is_called = 0, False

    def close(self) -> None:
        self._forget_late()
        self._forget_slow()
        self.newest.close()

    def _forget_slow(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _forget_late(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    @property
    def _now(self) -> float:
        """Return the monotonic time that paces messages."""
        return self.context.writer.monotonic()

    def _wait(self) -> float:
        table = self.context.state.table(self.table)
        if table is None:
            return 0.0
        if self._is_held(table):
            return LOOK_AGAIN_S
        # A new message does not wait for its turn among edits.
        gap = turn = 0.0
        if self.post.message and not self._is_called:
            gap = self._gap(table) * self.context.pace
            if shown_stage(table) == self._stage:
                turn = self.pacer.wait_s(table, self.context.writer.clock()) * self.context.pace
        return max(self._sent_at + gap, self._now + turn, self._again.not_before, self._peace_at) - self._now

    def _gap(self, table: Table) -> float:
        """Return the gap before the next edit. If calls are scarce the second edit follows after a second and later
        ones wait, so that a hand keeps within its budget.
        """
        if self.context.calls.is_quiet:
            return QUIET_GAP_S
        if table.plays.takes_turns:
            return TURN_GAP_S
        sent = self._in_stage if shown_stage(table) == self._stage else 0
        left = max(0.0, (table.round.deadline or 0.0) - self.context.writer.clock() + self._now - self._sent_at)
        at_once = 1 if table.round.hand is not None else 3
        return 1.0 if sent < at_once else max(TURN_GAP_S, left / 2)

    def _is_held(self, table: Table) -> bool:
        """Return whether to hold back an update because the rest of the hand's calls is reserved for stages and a
        mention.
        """
        stages = stages_of(table.game)
        if stages.is_long or not self.post.message or self._is_called or shown_stage(table) != self._stage:
            return False
        kept = 0 if self._has_mentioned else 1
        if table.phase == "asleep" or self._spent + stages.to_come(table) + kept < CALLS_A_HAND:
            return False
        return not self.context.calls.is_quiet

    def may_mention(self) -> bool:
        """Return whether the hand has a call left for a mention, and count it; one is reserved for the first."""
        table = self.context.state.table(self.table)
        if table is None:
            return False
        stages = stages_of(table.game)
        has_room = stages.is_long or self._spent + stages.to_come(table) < CALLS_A_HAND
        if self._has_mentioned and not has_room and not self.context.calls.is_quiet:
            return False
        self._has_mentioned = True
        self._spent += 1
        return True

    def _rank(self) -> Rank:
        """Return the priority of an update: higher for a new hand, its cards, or a new player to move."""
        table = self.context.state.table(self.table)
        if table is None:
            return Rank.BOARD
        if (
            not self.post.message
            or self._is_called
            or shown_stage(table) != self._stage
            or {*waited_for(table)} - {*self._waited}
        ):
            return Rank.TURN
        return Rank.DECISION if table.round.hand is not None else Rank.CHIP

    def _count(self, table: Table) -> None:
        stage, self._waited = shown_stage(table), waited_for(table)
        # The message with a payment also opens the next hand, at no cost to it.
        is_next_hand = stage[0] != self._stage[0]
        self._spent = 0 if is_next_hand else self._spent + 1
        self._has_mentioned = self._has_mentioned and not is_next_hand
        self._in_stage = self._in_stage + 1 if stage == self._stage else 1
        self.pacer.note_edit(table, is_turn=stage == self._stage)
        self._stage, self._sent_at = stage, self._now

    async def _send(self) -> None:
        table = self.context.state.table(self.table)
        if table is None or self.tables.message(self.channel) is not self:
            self._forget_slow()
            return
        if self.context.connectivity.is_silent:
            self.is_behind = True
            return
        if self._is_held(table):
            self.newest.mark()
            return
        view, picture = await self._draw(table)
        if (view.parts, self.post.message) == self._shown and not self._is_called:
            _tally.skipped += 1
            return
        before = (self._stage, self._waited, self._spent, self._in_stage, self._has_mentioned)
        self._count(table)
        self._forget_late()
        if picture is None and self.tables.paint is not None:
            self._late = asyncio.get_running_loop().call_later(LATE_PICTURE_S, self.newest.mark)
        began = self.context.writer.clock()
        if self._slow is None:
            self._slow = asyncio.get_running_loop().call_later(self.context.connectivity.slow_s, self._lose, began)
        is_over = True
        try:
            await self._edit_or_post(table, view, picture)
            _tally.sent += 1
        except TooLate:
            # The library waited in order to send the same again; the present state is sent instead.
            _tally.failed += 1
            self._stage, self._waited, self._spent, self._in_stage, self._has_mentioned = before
            self.is_behind, self._shown = True, None
            self.newest.mark()
            is_over = False
        except TROUBLE as fault:
            _tally.failed += 1
            await self._fail(fault, began)
        finally:
            if is_over:
                self._forget_slow()

    async def _draw(self, table: Table) -> tuple[View, bytes | None]:
        shown, language = self.context.screen(table), table.settings.language
        picture = await self.tables.paint(shown, language) if self.tables.paint is not None else None
        words = describe(shown, language) if picture else ""
        opens = self.context.app_lack is None
        return table_view(shown, language, moves=self._public_moves(table), picture=words, opens=opens), picture

    def _public_moves(self, table: Table) -> Sequence[Button]:
        """Return the moves of the only player to move, if cards lie open or a choice reveals nothing hidden.

        If several must choose at once, each does so in their private answer.
        """
        asked = waited_for(table) if table.plays.takes_turns else ()
        return self.context.screen(table, asked[0]).moves if len(asked) == 1 else ()

    async def _edit_or_post(self, table: Table, view: View, picture: bytes | None) -> None:
        stood, anew = self.post.message, await self._is_old(table)
        with self.context.calls.tried_once():
            stands, old = await self.post.edit_or_post(
                view, picture, has_pictures=self.tables.paint is not None, anew=anew
            )
        if stands != stood:  # a request during the edit is still open
            self._is_called = False
        if old:
            await self._fold(old, stands)
        self._shown = (view.parts, stands)
        self._again.forget()
        self.is_behind = False
        self.context.connectivity.recover(self._cause)
        if stands == self._deleted and self.post.message == stands:
            self._repost()
        if is_lost(table) and not self._is_hindered():
            await self.context.tend("regain", str(self.channel))

    def _is_hindered(self) -> bool:
        """Return whether a right is known to be missing; the message can still be edited for a while."""
        channel = self.context.client.get_channel(self.channel)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return False
        return not can_post(channel.permissions_for(channel.guild.me), channel)

    async def _is_old(self, table: Table) -> bool:
        """Return whether to post anew: an hour old, requested, or scrolled far up, which is checked when a hand begins.

        Messages from before the bot listened are counted by one fetch, without reading them.
        """
        message, place = self.post.message or self.post.arrived, str(self.channel)
        stood_s = self.context.writer.clock() - snowflake_time(message).timestamp() if message else 0.0
        if stood_s > EDITS_LAST_S or (message and self._is_called):
            return True
        begins = self._looked_for != table.round.hand_id and (table.round.bets or table.round.hand is not None)
        if not message or not begins:
            return False
        self._looked_for = table.round.hand_id
        below = self.context.below
        if not below.is_known(place, message):
            there = self.post.place.history(limit=below.most, after=discord.Object(message))
            below.stands(place, message, len([one async for one in there]))
        return below.has_sunk(place, stood_s)

    def call(self) -> bool:
        """Post the table again below on request; return whether it will be."""
        if self.post.message and not self.context.below.may_be_called(str(self.channel), self._now):
            return False
        self._is_called, self._shown = True, None
        self.newest.mark()
        return True

    async def _note_message(self, message: int) -> None:
        self.context.connectivity.note_snowflake(message)
        self.context.below.stands(str(self.channel), message)
        await self.context.tend("posted", str(self.channel), str(message))

    async def _fold(self, message: int, stands: int) -> None:
        """Replace the old message by a line that links to the new one."""
        table, channel = self.context.state.table(self.table), self.context.client.get_channel(self.channel)
        if table is None:
            return
        guild = getattr(getattr(channel, "guild", None), "id", "@me")
        link = f"https://discord.com/channels/{guild}/{self.channel}/{stands}"
        with suppress(*TROUBLE):
            view = folded_view(self.context.screen(table), table.settings.language, link)
            await self.post.edit(message, view, has_pictures=self.tables.paint is not None)

    @property
    def _cause(self) -> tuple[str, int]:
        return (CHANNEL, self.channel)

    def deleted(self, message: int) -> None:
        """Handle a deleted message, which may be ours before its posting was confirmed."""
        self._deleted = message
        if self.post.message == message:
            self._repost()

    def _repost(self) -> None:
        """Post the deleted message again at once (G10), but ever later if someone deletes it each time."""
        self.post.message, self._shown = None, None
        table = self.context.state.table(self.table)
        if table is None or table.status == "closed":
            return
        is_quarrel = self._now - self._peace_at < QUARREL_S
        self._quarrel_s = min(MOST_AGAIN_S, 2 * self._quarrel_s) if is_quarrel else AGAIN_S / 2
        self._peace_at = self._now + (self._quarrel_s if is_quarrel else 0.0)
        self.newest.mark()

    @property
    def is_due(self) -> bool:
        """Return whether to show something when Discord is back: a running clock or a missed update."""
        table = self.context.state.table(self.table)
        return self.is_behind or (table is not None and table.round.deadline is not None)

    def may_wake(self) -> bool:
        """Return whether a press may try to restore a lost table; limited, so that not each of many presses tries."""
        is_rested = self._now - self._woken_at >= AGAIN_S
        self._woken_at = self._now if is_rested else self._woken_at
        return is_rested

    def show_again(self) -> None:
        self._again.forget()
        self.newest.mark()

    def _lose(self, since: float) -> None:
        """Mark the channel as unreachable since then."""
        self.context.connectivity.lose(self._cause, (str(self.channel),), since)
        self.context.connectivity.doubt(since)

    async def _fail(self, fault: BaseException, began: float) -> None:
        """Handle a failure: a lost channel or right ends the waiting (G10); others are retried."""
        code = getattr(fault, "code", 0)
        if code in LOST:
            _log.warning("channel %s cannot be written to: %s", self.channel, fault)
            gone = ("gone",) if code == UNKNOWN_CHANNEL else ()
            await lose(self.context, str(self.channel), *gone)
            self.context.connectivity.recover(self._cause)
            return
        _log.warning("table %s could not be shown: %s", self.table, fault)
        self.is_behind = True
        if is_unreached(fault):
            self._lose(began)
        self._again.fail(self._now, is_quick=is_broken(fault))
        self.newest.mark()
