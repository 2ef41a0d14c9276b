"""Private answers that follow the hand: a player's last answer at a table is kept up to date while its token lives.

Only the player sees it; hidden cards and their picture appear nowhere else. Text never waits for a picture: a late one
follows with an edit, a failed one is left out.
"""

import asyncio
import logging
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any, NamedTuple

import discord

from bot.core.counters import PLATFORMS
from bot.core.state.table import Table
from bot.platforms.common.budget import Rank
from bot.platforms.common.kept_answers import KeptAnswers
from bot.platforms.common.newest import Newest
from bot.platforms.discord.components import View
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.context import DiscordContext
from bot.platforms.discord.drawing import HAND_PICTURE, Paint, has_cards, own_screen, panel_key, panel_view
from bot.platforms.discord.replies import Interaction, Reply
from bot.platforms.discord.trouble import TROUBLE, is_unreached
from bot.texts import Text
from bot.view import Screen
from bot.view.describe import describe_hand

# A token lives for fifteen minutes; half a minute is reserved for the way.
TOKEN_LIVES_S = 870.0
GAP_S = 1.0
# A cached picture is ready at once, a new one within milliseconds: with it the answer is one call instead of two.
SOON_S = 0.25
KEPT = 5000
Drawing = asyncio.Future[bytes | None]
Said = tuple[Text, ...]
FILE = "discord-answers"
# Discord's name for the answer to a press, in place of a message's number.
_ORIGINAL: Any = "@original"
_tally = PLATFORMS[PLATFORM]
_log = logging.getLogger("ridotto.discord")


class PanelToken(NamedTuple):
    """The token of one private answer, with which it can be edited for fifteen minutes."""

    table: int
    player: int
    language: str
    until: float
    application: int
    token: str


class Panels:
    """Every player's panel at every table. `paint` draws a player's own cards; None is words alone."""

    def __init__(self, context: DiscordContext, paint: Paint | None = None) -> None:
        self.context, self.paint = context, paint
        # {table: {player: panel}}, so that a change of a table does not search the panels of all others.
        self._at: dict[int, dict[int, Panel]] = {}
        # (table, player), the oldest first.
        self._kept: dict[tuple[int, int], None] = {}
        self._tokens = KeptAnswers(context.writer.books.folder / FILE, PanelToken, _log)

    def open(self, client: discord.Client) -> None:
        """Resume the panels of an earlier process; they are updated as soon as Discord is reached."""
        now, wall = self.context.writer.monotonic(), self.context.writer.clock()
        for one in self._tokens.open(wall):
            if self.context.state.table(one.table) is not None and one.player not in self.at(one.table):
                panel = Panel(self, EarlierPress(one, client), one.table, one.player, one.language)
                panel.until = now + one.until - wall
                self._add_panel(panel)
        self.look_again(())

    def draw(self, shown: Screen, language: str) -> Drawing | None:
        """Start drawing the player's cards; None if there is nothing to draw."""
        if self.paint is None or not has_cards(shown):
            return None
        return asyncio.ensure_future(self.paint(own_screen(shown), language))

    async def answer(self, reply: Reply, table: Table, player: int, language: str, said: Said) -> None:
        """Answer a press with the player's own hand, and keep that up to date.

        The panel follows the hand before it is sent, so that no change on the way is missed. The replaced panel is
        edited no more; if both are the same message, its last edit arrives first.
        """
        self._note(reply.interaction, table.id, player, language)
        panel = Panel(self, reply.interaction, table.id, player, language)
        before = self.follow(panel)
        if not await panel.answer(reply, table, said, before):
            self._go_on_with(before, panel)
        elif before is not None and (not reply.in_place or before.message not in (0, reply.message)):
            self.context.spawn(clear_away(before))

    def follow(self, panel: "Panel") -> "Panel | None":
        """Update this panel from now on; return the one that it replaces."""
        before = self._remove_panel(panel.table, panel.player)
        self._add_panel(panel)
        return before

    def _go_on_with(self, before: "Panel | None", panel: "Panel") -> None:
        """Restore the panel before, because the answer did not get through."""
        if self.at(panel.table).get(panel.player) is not panel:
            return
        self._remove_panel(panel.table, panel.player)
        if before is not None and self.context.writer.monotonic() <= before.until:
            self._add_panel(before)
            before.newest.reopen()

    def _note(self, interaction: Interaction, table: int, player: int, language: str) -> None:
        """Store the token before the answer, so that a restarted process can update it."""
        wall = self.context.writer.clock()
        until, application = wall + TOKEN_LIVES_S, interaction.application_id
        self._tokens.store(PanelToken(table, player, language, until, application, interaction.token), wall)

    def _add_panel(self, panel: "Panel") -> None:
        self._at.setdefault(panel.table, {})[panel.player] = panel
        self._kept[panel.table, panel.player] = None
        while len(self._kept) > KEPT:
            self._remove_panel(*next(iter(self._kept)))

    def _remove_panel(self, table: int, player: int) -> "Panel | None":
        """Stop updating a panel, and return it."""
        if (table, player) not in self._kept:
            return None
        del self._kept[table, player]
        panel = self._at[table].pop(player)
        if not self._at[table]:
            del self._at[table]
        panel.newest.close()
        return panel

    def handle_change(self, table: int) -> None:
        """Handle a changed table."""
        now = self.context.writer.monotonic()
        for player, panel in list(self.at(table).items()):
            if now > panel.until:
                self._remove_panel(table, player)
            else:
                panel.newest.mark()

    def look_again(self, _addresses: object) -> None:
        """Queue all panels with a missed update, now that Discord can be reached again.

        Each takes its turn among the tables, though it is counted apart, so that they do not all come at once.
        """
        now = self.context.writer.monotonic()
        for panel in self._all():
            if panel.is_behind and now <= panel.until:
                self.context.calls.enqueue(panel, Rank.DECISION, panel.take_turn)

    def close(self) -> None:
        self._tokens.close()
        for panel in self._all():
            panel.newest.close()

    def at(self, table: int) -> Mapping[int, "Panel"]:
        """Return the panels of a table by player."""
        return self._at.get(table, {})

    def _all(self) -> "Iterator[Panel]":
        return (panel for there in self._at.values() for panel in there.values())


class Panel:
    """The private message with a player's hand, kept at the latest state while its token lives."""

    def __init__(
        self, panels: Panels, interaction: "Interaction | EarlierPress", table: int, player: int, language: str
    ) -> None:
        self._panels, self.table, self.player, self._language = panels, table, player, language
        self._context, self.interaction = panels.context, interaction
        # Thousands are kept, of which only the token is needed again; the pressed message would take most of the
        # memory.
        if isinstance(interaction, discord.Interaction):
            interaction.message = interaction.data = None
        self._sent_at = self._context.writer.monotonic()
        self.until = self._sent_at + TOKEN_LIVES_S
        # The last answer, which is shown again with the next change.
        self._said: Said = ()
        # The number of its message, 0 while that is unknown.
        self.message = 0
        # Until a send is known to have arrived.
        self._shown: Hashable = None
        self.newest = Newest(self._send, self._wait)
        self._late: Drawing | None = None

    async def answer(self, reply: Reply, table: Table, said: Said, before: "Panel | None") -> bool:
        """Send the first answer and return whether it got through. Changes on the way are shown next."""
        self.message = reply.message
        return await self.newest.begin_with(lambda: self._answer(reply, table, said, before))

    async def _answer(self, reply: Reply, table: Table, said: Said, before: "Panel | None") -> bool:
        if reply.in_place and before is not None:
            await reply.wait_for(before.newest.over())
        shown = self._context.own_screen(self._context.state.table(self.table) or table, self.player)
        drawing = self._panels.draw(shown, self._language)
        picture = await soon(drawing)
        self.note_shown(shown, said, drawing)
        is_sent = await reply.send(*panel_with(shown, said, self._language, picture))
        self.message, self._sent_at = reply.message, self._context.writer.monotonic()
        return is_sent

    def note_shown(self, shown: Screen, said: Said, drawing: Drawing | None) -> None:
        """Record what the message shows."""
        self._shown, self._said = panel_key(shown), said
        self._await(drawing)

    @property
    def is_behind(self) -> bool:
        return self._shown is None

    def take_turn(self, number: int) -> None:
        """Send now; calls to an interaction's token have their own limit."""
        self._context.calls.answered(number)
        self.newest.mark()

    def _await(self, drawing: Drawing | None) -> None:
        """Show a late picture when it is drawn."""
        self._late = None
        if drawing is not None and not drawing.done():
            self._late = drawing
            drawing.add_done_callback(lambda _drawn: self.newest.mark())

    def _wait(self) -> float:
        return self._sent_at + GAP_S * self._context.pace - self._context.writer.monotonic()

    async def _send(self) -> None:
        table = self._context.state.table(self.table)
        if table is None:
            return
        if self._context.connectivity.is_silent:
            self._shown = None
            return
        now = self._context.own_screen(table, self.player)
        drawing = self._late
        if panel_key(now) != self._shown:
            drawing, self._said = self._panels.draw(now, self._language), ()
        elif drawing is None or (drawing.done() and drawn(drawing) is None):
            _tally.skipped += 1
            return
        picture = await soon(drawing)
        if self.newest.is_closed:
            return  # another one has replaced it meanwhile
        self._shown, self._sent_at = panel_key(now), self._context.writer.monotonic()
        self._await(drawing)
        view, files = panel_with(now, self._said, self._language, picture)
        try:
            with self._context.connectivity.watching():
                await self.interaction.edit_original_response(view=view, attachments=files)
            _tally.sent += 1
        except TROUBLE as fault:
            _tally.failed += 1
            # The player may have dismissed it, or its token expired: then the next press gets a new answer.
            if is_unreached(fault):
                self._shown = None


async def soon(drawing: Drawing | None) -> bytes | None:
    """Return the picture if it is drawn in a moment; otherwise drawing goes on."""
    if drawing is None:
        return None
    await asyncio.wait({drawing}, timeout=SOON_S)
    return drawn(drawing)


def drawn(drawing: Drawing) -> bytes | None:
    """Return the drawn picture, or None after a fault, which was logged."""
    is_there = drawing.done() and not drawing.cancelled() and drawing.exception() is None
    return drawing.result() if is_there else None


def panel_with(shown: Screen, said: Said, language: str, picture: bytes | None) -> tuple[View, list[discord.File]]:
    """Return a panel and the files to upload with it."""
    if picture is None:
        return panel_view(shown, said, language), []
    view = panel_view(shown, said, language, describe_hand(own_screen(shown), language))
    return view, [discord.File(BytesIO(picture), HAND_PICTURE)]


class EarlierPress:
    """A press of an earlier process, whose answer can still be edited by its token."""

    def __init__(self, one: PanelToken, client: discord.Client) -> None:
        self._webhook = discord.Webhook.partial(one.application, one.token, client=client)
        self._webhook.proxy, self._webhook.proxy_auth = client.http.proxy, client.http.proxy_auth

    async def edit_original_response(self, *, view: View, attachments: list[discord.File]) -> None:
        """Edit the answer as `Interaction` does."""
        await self._webhook.edit_message(_ORIGINAL, view=view, attachments=attachments)

    async def delete_original_response(self) -> None:
        """Delete the answer as `Interaction` does."""
        await self._webhook.delete_message(_ORIGINAL)


async def clear_away(panel: Panel) -> None:
    """Delete a replaced panel after its last edit has arrived."""
    await panel.newest.over()
    with suppress(*TROUBLE):
        await panel.interaction.delete_original_response()
