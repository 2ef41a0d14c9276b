"""Storage of private answers: enough to edit them, and no more."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from benchmarks.crowd import open_tables, temporary_house
from benchmarks.press import told_press
from bot.core.counters import PLATFORMS
from bot.core.writer import Writer
from bot.platforms.common.kept_answers import KeptAnswers
from bot.platforms.discord.calls import Calls
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.context import DiscordContext
from bot.platforms.discord.panels import FILE, Panel, Panels, PanelToken
from bot.platforms.discord.replies import Interaction

ANNA, BRUNO = 1, 2


@pytest.fixture
def writer() -> Iterator[Writer]:
    with temporary_house() as found:
        open_tables(found, 3)
        yield found


class Kept:
    """Panels that have been shown, by table and player."""

    def __init__(self, writer: Writer) -> None:
        self.client = discord.Client(intents=discord.Intents(guilds=True), max_messages=None)
        me: Any = {"id": "1", "username": "ridotto", "discriminator": "0", "avatar": None, "bot": True}
        self.client._connection.user = discord.ClientUser(state=self.client._connection, data=me)
        self.context = DiscordContext(writer, self.client, Calls(), 0.0)
        self.panels = Panels(self.context)
        self.shown: dict[tuple[int, int], Panel] = {}

    def show(self, table: int, player: int) -> Panel | None:
        """Show the player's answer at that table; return the one that it replaces."""
        screen = self.context.own_screen(self.context.state.tables[table], player)
        self.shown[table, player] = panel = Panel(self.panels, self.press(), table, player, "en")
        panel.note_shown(screen, (), None)
        return self.panels.follow(panel)

    def press(self) -> Interaction:
        data: Any = told_press("v1||bet 10|", 1, [])
        return discord.Interaction(data=data, state=self.client._connection)

    async def changed(self, *tables: int) -> int:
        """Return how many panels are drawn when these tables change; unchanged ones are not sent."""
        before = PLATFORMS[PLATFORM].skipped
        for table in tables:
            self.panels.handle_change(table)
        await asyncio.sleep(0.01)
        return PLATFORMS[PLATFORM].skipped - before


def test_a_change_is_for_the_panels_of_its_own_table(writer: Writer) -> None:
    async def changed() -> int:
        kept = Kept(writer)
        kept.show(1, ANNA)
        kept.show(1, BRUNO)
        kept.show(2, ANNA)
        return await kept.changed(1, 3)

    assert asyncio.run(changed()) == 2


def test_a_second_answer_takes_the_place_of_the_first(writer: Writer) -> None:
    async def changed() -> int:
        kept = Kept(writer)
        assert kept.show(1, ANNA) is None
        first = kept.shown[1, ANNA]
        assert kept.show(1, ANNA) is first
        return await kept.changed(1)

    assert asyncio.run(changed()) == 1


def test_a_token_is_forgotten_when_it_has_lived_its_time(writer: Writer) -> None:
    async def kept_of() -> set[int]:
        kept = Kept(writer)
        kept.show(1, ANNA)
        kept.show(1, BRUNO)
        kept.shown[1, ANNA].until = 0.0
        assert await kept.changed(1) == 1
        return set(kept.panels.at(1))

    assert asyncio.run(kept_of()) == {BRUNO}


def test_of_a_press_nothing_is_kept_but_what_changes_its_answer(writer: Writer) -> None:
    """Five thousand may be stored, and a pressed message is a hundred objects."""

    async def kept_of() -> Any:
        kept = Kept(writer)
        kept.show(1, ANNA)
        return kept.shown[1, ANNA].interaction

    pressed = asyncio.run(kept_of())
    assert pressed.message is None
    assert pressed.data is None
    assert pressed.token


def kept_in(folder: Path) -> KeptAnswers[PanelToken]:
    return KeptAnswers(folder / FILE, PanelToken, logging.getLogger("ridotto.discord"))


def test_tokens_outlive_the_process_while_they_live_and_are_its_owners_alone(tmp_path: Path) -> None:
    first = kept_in(tmp_path)
    assert first.open(0.0) == []
    one, newer, old, other = (
        PanelToken(1, player, "it", until, 7, token)
        for player, until, token in ((ANNA, 900.0, "a"), (ANNA, 950.0, "b"), (BRUNO, 90.0, "c"), (3, 900.0, "d"))
    )
    for token in (one, old, newer, other):
        first.store(token, 0.0)
    file = tmp_path / FILE
    with file.open("a") as cut:
        cut.write('[1, 4, "it", 900.0, 7, "cu')
    assert file.stat().st_mode & 0o777 == 0o600
    second = kept_in(tmp_path)
    assert second.open(100.0) == [newer, other]
    assert second.open(1000.0) == []
    second.close()
    first.close()


def test_where_no_tokens_can_be_kept_answers_go_on_as_ever(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tokens = kept_in(tmp_path / "nowhere")
    assert tokens.open(0.0) == []
    tokens.store(PanelToken(1, ANNA, "en", 900.0, 7, "secret"), 0.0)
    assert "private answers are not changed after a restart" in caplog.text
    assert "secret" not in caplog.text
