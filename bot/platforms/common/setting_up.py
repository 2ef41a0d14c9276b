"""`/setup` on any platform: what Ridotto lacks in a place, one sentence each, and what an inspector can choose.

A platform finds what is missing, creates the places, and draws the panel. The choice is stored as a note of the
community, so that the next run creates the same and nothing else.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.core.casinos.places import founding_casino_of
from bot.core.commands.command import Answer, Command, Who
from bot.core.state.plays import PLAYS
from bot.core.state.table import PACES, Settings, Table
from bot.platforms.common.context import PlatformContext
from bot.texts import LANGUAGES, Text, title_of

LANGUAGE, GAMES, PACE, ROLE = "language", "games", "pace", "role"
MOST_LACKS = 12
_PACES = {
    "fast": Text("Fast: {s} seconds per decision"),
    "normal": Text("Normal: {s} seconds per decision"),
    "slow": Text("Slow: {s} seconds per decision"),
    "correspondence": Text("Correspondence: {h} hours per decision"),
}
_ASKS = {
    LANGUAGE: Text("Table language"),
    GAMES: Text("Games"),
    PACE: Text("Time per decision"),
}


class Lack(NamedTuple):
    """A missing right: one sentence that names it, where it is missing and where to grant it.

    Setting up goes ahead without one that is not `is_needed`.
    """

    says: Text
    is_needed: bool = True


class Wishes(NamedTuple):
    """The games that a community wants, and the pace of its tables; "" if none was chosen."""

    games: tuple[str, ...]
    pace: str


class PanelOption(NamedTuple):
    """A choice. `label`: a language is named in itself."""

    value: str
    label: Text
    is_chosen: bool


class PanelField(NamedTuple):
    """A choice on the panel; with `several`, more than one option."""

    name: str
    asks: Text
    options: tuple[PanelOption, ...]
    several: bool


class SetupPanel(NamedTuple):
    """The panel that an inspector sees; `is_whole`: there is nothing left to retry."""

    lines: tuple[Text, ...]
    fields: tuple[PanelField, ...]
    is_whole: bool


class SettingUp:
    """Set up what a community chose. The platform creates the places of games that have none."""

    def __init__(self, context: PlatformContext) -> None:
        self.context = context

    def wishes(self, community: str) -> Wishes:
        """Return the community's choice; by default all games. Games that are no longer installed are left out."""
        noted = next((value for rest, value in self.context.noted(_note(community)) if not rest), None) or {}
        games = tuple(game for game in noted.get(GAMES, PLAYS) if game in PLAYS)
        return Wishes(games or tuple(PLAYS), noted.get(PACE, ""))

    def tables(self, community: str) -> list[tuple[str, Table]]:
        """Yield (address, table) of each open table in this community."""
        found = ((row.address, self.context.table_at(row.address)) for row in self.context.places_beside(community))
        return [(address, table) for address, table in found if table is not None and table.status != "closed"]

    async def choose(
        self, community: str, who: Who, key: str, field: str, values: Sequence[str], *, one_game: bool = False
    ) -> tuple[Text, ...]:
        """Apply a choice and return what failed. `one_game`: there is room for one table."""
        if field == LANGUAGE and values and values[0] in LANGUAGES:
            await self.context.tend("speak", community, values[0], who.account)
            return await self._set_all(community, who, key, LANGUAGE, values[0])
        if field == PACE and values and values[0] in PACES:
            await self._wish(community, self.wishes(community)._replace(pace=values[0]))
            return await self._set_all(community, who, key, PACE, values[0])
        games = tuple(game for game in PLAYS if game in values)
        if field == GAMES and games:
            await self._wish(community, self.wishes(community)._replace(games=games[:1] if one_game else games))
            return await self._close_others(community, who, key, games)
        return ()

    async def open_table(self, community: str, address: str, game: str, who: Who, key: str) -> Answer:
        """Open a table of a game with the chosen pace."""
        pace = self.wishes(community).pace
        args = (game, PACE, pace) if pace and pace != Settings().pace else (game,)
        return await self._submit_command(address, who, f"{key}:{address}:{game}", "table open", args)

    def panel(
        self, community: str, lacks: Iterable[Lack], said: Iterable[Text], language: str, *, one_game: bool = False
    ) -> SetupPanel:
        """Build the setup panel, missing rights first. `said`: the results of the last action.

        `language` is that of the tables if none is open yet.
        """
        lacks, tables, wishes = list(lacks), self.tables(community), self.wishes(community)
        needed = [lack.says for lack in lacks if lack.is_needed]
        lines = needed[:MOST_LACKS] or [Text("All permissions are in place.")]
        if (more := len(needed) - MOST_LACKS) > 0:
            lines.append(Text("And {n} more. Fix these first, then try again.", n=more))
        lines += [lack.says for lack in lacks if not lack.is_needed][:MOST_LACKS]
        lines += said
        spoken, pace = language, wishes.pace or Settings().pace
        row = self.context.row_at(community)
        if row is not None and (known := self.context.state.casinos[founding_casino_of(row)].state.language):
            spoken = known
        games = {table.game for _address, table in tables if table.status != "closing"} or set(wishes.games)
        fields = (
            _field(LANGUAGE, {code: _named(name) for code, name in LANGUAGES.items()}, {spoken}),
            _field(GAMES, {game: _named(title_of(game)) for game in PLAYS}, games, several=not one_game),
            _field(PACE, {name: _pace(name) for name in PACES}, {pace}),
        )
        return SetupPanel(tuple(lines), fields, not needed)

    async def _wish(self, community: str, wishes: Wishes) -> None:
        """Store the choice and wait until it is stored."""
        value = json.dumps({GAMES: wishes.games, PACE: wishes.pace})
        await self.context.tend("note", "", _note(community), value)

    async def _set_all(self, community: str, who: Who, key: str, option: str, value: str) -> tuple[Text, ...]:
        said = []
        for address, table in self.tables(community):
            if getattr(table.settings, option) == value:
                continue
            answer = await self._submit_command(address, who, f"{key}:{address}:{option}", "table set", (option, value))
            if answer.refused:
                said.append(_about(table, answer))
        return tuple(said)

    async def _close_others(self, community: str, who: Who, key: str, games: Sequence[str]) -> tuple[Text, ...]:
        """Close the tables of games that were not chosen, after their hands."""
        said = []
        for address, table in self.tables(community):
            if table.game in games or table.status == "closing":
                continue
            answer = await self._submit_command(
                address, who, f"{key}:{address}:close", "table close", ("/setup",), confirmed=True
            )
            said.append(_about(table, answer))
        return tuple(said)

    async def _submit_command(
        self, address: str, who: Who, key: str, verb: str, args: tuple[str, ...], *, confirmed: bool = False
    ) -> Answer:
        return await self.context.submit(Command(key, who, self.context.place(address), verb, args, "", confirmed))


def _note(community: str) -> str:
    return f"setup:{community}"


def _about(table: Table, answer: Answer) -> Text:
    return Text("{name}: {what}", name=title_of(table.game), what=answer.texts[0])


def _pace(name: str) -> Text:
    seconds = int(PACES[name])
    return Text(_PACES[name].template, s=seconds, h=seconds // 3600)


def _named(name: str) -> Text:
    return Text("{name}", name=name)


def _field(name: str, options: Mapping[str, Text], chosen: set[str], *, several: bool = False) -> PanelField:
    made = tuple(PanelOption(value, label, value in chosen) for value, label in options.items())
    return PanelField(name, _ASKS[name], made, several)
