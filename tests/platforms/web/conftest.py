"""A house whose lounge tests look into; who needs more of it than an open one has a fixture of the same name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.open_house import OpenHouse, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path) as opened:
        yield opened
