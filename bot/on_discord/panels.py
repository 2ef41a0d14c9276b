"""Private answers that follow the hand: the last one to a player at a table shows what is now while its token lives.

Only who pressed sees it; hidden cards are in nothing else.
"""

from contextlib import suppress
from typing import Any

import discord

from bot.floor.table import Table
from bot.on_discord.drawing import panel_key, panel_view
from bot.on_discord.newest import TROUBLE, Newest
from bot.pit import Pit
from bot.screens import Screen
from bot.screens.build import screen

# A token lives for fifteen minutes; the last half minute is for the way.
TOKEN_LIVES_S = 870.0
GAP_S = 1.0
KEPT = 5000
Interaction = discord.Interaction[Any]


class Panels:
    """{(table, player): his panel}."""

    def __init__(self, pit: Pit, *, pace: float = 1.0) -> None:
        self.pit, self.pace = pit, pace
        self._panels: dict[tuple[int, int], Panel] = {}

    def screen(self, table: Table, player: int) -> Screen:
        return screen(self.pit.floor.house, table, player, self.pit.clock())

    def keep(self, interaction: Interaction, shown: Screen, player: int, language: str) -> "Panel | None":
        """This is his panel from now on; the one before is handed back, to be cleared away."""
        before = self._panels.pop((shown.table, player), None)
        if before is not None:
            before.newest.close()
        self._panels[shown.table, player] = Panel(self, interaction, shown, player, language)
        while len(self._panels) > KEPT:
            self._panels.pop(next(iter(self._panels))).newest.close()
        return before

    def look(self, table: int) -> None:
        """The table changed."""
        now = self.pit.clock()
        for key, panel in list(self._panels.items()):
            if key[0] != table:
                continue
            if now > panel.until:
                self._panels.pop(key).newest.close()
            else:
                panel.newest.mark()

    def close(self) -> None:
        for panel in self._panels.values():
            panel.newest.close()


class Panel:
    def __init__(self, panels: Panels, interaction: Interaction, shown: Screen, player: int, language: str) -> None:
        self._panels, self._table, self._player, self._language = panels, shown.table, player, language
        self.interaction = interaction
        self.until = panels.pit.clock() + TOKEN_LIVES_S
        self._sent_at = panels.pit.clock()
        # What he was told goes with the next change.
        self._shown = panel_key(shown)
        self.newest = Newest(self._send, self._wait)

    def _wait(self) -> float:
        return self._sent_at + GAP_S * self._panels.pace - self._panels.pit.clock()

    async def _send(self) -> None:
        table = self._panels.pit.floor.house.table(self._table)
        if table is None:
            return
        now = self._panels.screen(table, self._player)
        if panel_key(now) == self._shown:
            return
        self._shown, self._sent_at = panel_key(now), self._panels.pit.clock()
        # He may have put it away, or its token may be used up: the next press answers anew.
        with suppress(*TROUBLE):
            await self.interaction.edit_original_response(view=panel_view(now, (), self._language))


async def clear_away(panel: Panel) -> None:
    """Delete a panel that another has replaced."""
    with suppress(*TROUBLE):
        await panel.interaction.delete_original_response()
