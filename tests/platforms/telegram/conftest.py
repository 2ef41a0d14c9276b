"""A house with a Telegram of its own; who needs more of it than an open one has a fixture of the same name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.platforms.telegram.house import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as opened:
        yield opened
