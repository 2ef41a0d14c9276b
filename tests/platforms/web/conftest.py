"""A casino with a lounge; a test that needs a different one defines a fixture of the same name."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.open_house import OpenHouse, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """Open a casino whose clock moves by `wait` alone, so that no machine is too slow for it."""
    async with open_house(tmp_path, began=time.time()) as opened:
        yield opened
