"""A casino with its own Telegram; a test that needs a different one defines a fixture of the same name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.platforms.telegram.house import House, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as opened:
        yield opened
