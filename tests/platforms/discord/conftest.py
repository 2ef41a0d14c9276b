"""A casino with its own Discord; a test that needs a different one defines a fixture of the same name."""

import pytest

from tests.platforms.discord.house import opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        yield house
        house.server.assert_clean()
