"""Answers to presses and commands. Discord waits three seconds; slower ones are deferred first.

Several presses may edit one message. Their answers are sent one at a time, and none replaces that of a later press,
because concurrent calls arrive in any order.
"""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from itertools import count
from typing import Any
from weakref import WeakValueDictionary

import discord

from bot.core.counters import PLATFORMS
from bot.platforms.common.recent import Recent
from bot.platforms.discord.components import View
from bot.platforms.discord.connectivity import PLATFORM, DiscordConnectivity
from bot.platforms.discord.contest import Contest
from bot.platforms.discord.trouble import TROUBLE

PATIENCE_S = 1.0
MOST_MESSAGES = 5000
# Discord's codes: the three seconds are over; the answer is there already.
TOO_LATE, ANSWERED = 10062, 40060
_NUMBER = "number"
Interaction = discord.Interaction[Any]
_tally = PLATFORMS[PLATFORM]
_log = logging.getLogger("ridotto.discord")


class Replies:
    """All answers of one client. Belongs to the event loop."""

    def __init__(self, connectivity: DiscordConnectivity, contest: Contest) -> None:
        self.connectivity, self.contest = connectivity, contest
        self._numbers = count(1)
        # {message: the number of the press that it answers}.
        self._newest: Recent[int, int] = Recent(MOST_MESSAGES)
        # {interaction: how often it arrived}: a resumed connection may repeat it.
        self._came: Recent[int, int] = Recent(MOST_MESSAGES)
        self._writing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def number_press(self, interaction: Interaction) -> None:
        """Number the interaction, so that the order of presses is known."""
        if _NUMBER not in interaction.extras:
            interaction.extras[_NUMBER] = next(self._numbers)
            self._came[interaction.id] = self._came.get(interaction.id, 0) + 1

    def came_once(self, interaction: Interaction) -> bool:
        """Return whether this interaction came only once, so that no one else in this process can have answered it."""
        return self._came.get(interaction.id, 0) <= 1

    def to(self, interaction: Interaction, *, in_place: bool = False) -> "Reply":
        """Return the reply to this interaction; `in_place` of the pressed message."""
        self.number_press(interaction)
        return Reply(self, interaction, in_place=in_place and interaction.message is not None)

    def lock(self, message: int) -> asyncio.Lock:
        """Return the lock to hold while editing this message."""
        return self._writing.setdefault(message, asyncio.Lock())

    def claim(self, message: int, number: int) -> bool:
        """Return whether no later press was answered in this message, and register this one."""
        if self._newest.get(message, 0) > number:
            return False
        self._newest[message] = number
        return True


class Reply:
    """The answer to one interaction. `message`: the id of the message that shows it, 0 while unknown."""

    def __init__(self, replies: Replies, interaction: Interaction, *, in_place: bool) -> None:
        self._replies, self.interaction, self.in_place = replies, interaction, in_place
        self.message = interaction.message.id if in_place and interaction.message is not None else 0

    async def wait_for(self, work: Awaitable[None]) -> None:
        """Wait for the result, and defer the answer if it takes long."""
        waiting = asyncio.ensure_future(work)
        done, _pending = await asyncio.wait({waiting}, timeout=PATIENCE_S)
        if not done:
            await self.put_off()
        await waiting

    async def put_off(self) -> None:
        """Defer the answer."""
        if self.interaction.response.is_done():
            return
        began = asyncio.get_running_loop().time()
        try:
            if self.in_place:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=True, thinking=True)
        except TROUBLE as fault:
            self._look_for_another(fault, began)
            _log.warning("too late to defer an answer: %s", fault)

    async def send(self, view: View, files: Sequence[discord.File] = ()) -> bool:
        """Send the answer and return whether Discord accepted it. If a later press was answered meanwhile, keep that
        answer.
        """
        if not self.in_place:
            return await self._send(view, files)
        async with self._replies.lock(self.message):
            if self._replies.claim(self.message, self.interaction.extras[_NUMBER]):
                return await self._send(view, files)
        await self.put_off()
        return True

    async def _send(self, view: View, files: Sequence[discord.File]) -> bool:
        response, began = self.interaction.response, asyncio.get_running_loop().time()
        try:
            with self._replies.connectivity.watching():
                if response.is_done():
                    shown = await self.interaction.edit_original_response(view=view, attachments=files)
                    self.message = shown.id
                elif self.in_place:
                    await response.edit_message(view=view, attachments=files)
                else:
                    sent = await response.send_message(view=view, files=files, ephemeral=True)
                    self.message = sent.message_id or 0
        except TROUBLE as fault:
            self._look_for_another(fault, began)
            return self._fail(fault)
        _tally.sent += 1
        return True

    def _look_for_another(self, fault: BaseException, began: float) -> None:
        if getattr(fault, "code", 0) == ANSWERED and self._replies.came_once(self.interaction):
            took_s = asyncio.get_running_loop().time() - began
            self._replies.contest.see_answered(self.interaction.channel_id, took_s)

    def _fail(self, fault: BaseException) -> bool:
        """Log a lost answer; the command was carried out and its result is at the table."""
        code = getattr(fault, "code", 0)
        if code == ANSWERED:
            return True
        _tally.failed += 1
        _log.log(logging.INFO if code == TOO_LATE else logging.WARNING, "an answer was not taken: %s", fault)
        return False
