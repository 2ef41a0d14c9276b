"""A message of the bot in a channel: edited while Discord allows it, then posted anew.

Nothing waits here: the owner decides when to send and which state to show.
"""

from collections.abc import Awaitable, Callable
from io import BytesIO

import discord

from bot.platforms.discord.components import NOBODY, View
from bot.platforms.discord.drawing import PICTURE
from bot.platforms.discord.stranded import refuse_locked
from bot.platforms.discord.trouble import ARCHIVED_THREAD

# Delays after a failure at Discord's end, while bettors wait.
QUICK_S = (0.5, 1.0, 1.0, 2.0, 2.0, 2.0)
# Discord's codes.
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, EDITED_TOO_OFTEN = 10003, 10008, 30046


class Post:
    """One message. `keep` is called with its new id. `nonce` is that of a posting whose answer is missing, `arrived`
    the message that it made after all.
    """

    def __init__(
        self,
        client: discord.Client,
        channel: int,
        message: int | None,
        keep: Callable[[int], Awaitable[None]],
        new_nonce: Callable[[], str],
    ) -> None:
        self._new_nonce = new_nonce
        self._client, self.channel, self.message, self._keep = client, channel, message, keep
        self.nonce, self.arrived = "", 0
        self.place = client.get_partial_messageable(channel)

    async def edit_or_post(
        self, view: View, picture: bytes | None = None, *, has_pictures: bool = False, anew: bool = False
    ) -> tuple[int, int]:
        """Edit or post; return the id of the message, and of one that it replaces, or 0. Raises what the library
        raises.

        `has_pictures`: old attachments are removed if there is no new picture. `anew`: post instead of editing.
        """
        message = self.message or self.arrived
        if message and not anew:
            try:
                await self.edit(message, view, picture, has_pictures)
            except discord.HTTPException as fault:
                if fault.code not in (UNKNOWN_MESSAGE, EDITED_TOO_OFTEN, ARCHIVED_THREAD):
                    raise
                # What is sent to a thread wakes it; what is edited there does not.
                message = 0 if fault.code == UNKNOWN_MESSAGE else message
            else:
                if message == self.arrived:
                    await self._record_message(message)
                return message, 0
        return await self._post(view, picture, has_pictures), message

    async def edit(self, message: int, view: View, picture: bytes | None = None, has_pictures: bool = False) -> None:
        """Edit the message of this id; pictures are removed only where it has some."""
        partial = self.place.get_partial_message(message)
        if has_pictures:
            files = [_file(picture)] if picture is not None else []
            await partial.edit(view=view, attachments=files, allowed_mentions=NOBODY)
        else:
            await partial.edit(view=view, allowed_mentions=NOBODY)

    async def _post(self, view: View, picture: bytes | None, has_pictures: bool) -> int:
        """Post with a nonce, which makes a second try harmless; a message of the first try is edited to the present
        state.
        """
        await refuse_locked(self._client, self.channel)
        is_second_try = bool(self.nonce)
        self.nonce = self.nonce or self._new_nonce()
        if picture is not None:
            sent = await self.place.send(view=view, file=_file(picture), nonce=self.nonce)
        else:
            sent = await self.place.send(view=view, nonce=self.nonce)
        await self._record_message(sent.id)
        if is_second_try:
            await self.edit(sent.id, view, picture, has_pictures)
        return sent.id

    async def _record_message(self, message: int) -> None:
        """Record the message; if it is deleted meanwhile it is posted anew."""
        self.message, self.nonce, self.arrived = message, "", 0
        await self._keep(message)


class Again:
    """Delays of retries: doubled each time, after a few quick tries when Discord was out of reach."""

    def __init__(self, first_s: float, most_s: float) -> None:
        self._first_s, self._most_s = first_s, most_s
        self.forget()

    def forget(self) -> None:
        self.not_before, self._wait_s, self._quick = 0.0, self._first_s, iter(QUICK_S)

    def fail(self, now: float, pace: float = 1.0, *, is_quick: bool = False) -> None:
        """Set when to try again; `is_quick` after a failure that usually passes at once."""
        quick_s = next(self._quick, None) if is_quick else None
        if quick_s is not None:
            self.not_before = now + quick_s
            return
        self.not_before = now + self._wait_s * pace
        self._wait_s = min(self._most_s, 2 * self._wait_s)


def _file(picture: bytes) -> discord.File:
    return discord.File(BytesIO(picture), PICTURE)
