"""A house with a Discord of its own; who needs more of it than an open one has a fixture of the same name."""

import pytest

from tests.platforms.discord.house import opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        yield house
        house.server.assert_clean()
