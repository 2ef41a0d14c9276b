"""A casino with a lounge; a test that needs a different one defines a fixture of the same name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.open_house import OpenHouse, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path) as opened:
        yield opened
