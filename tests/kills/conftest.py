from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.memory import memory


@pytest.fixture
def room() -> Iterator[Path]:
    """A folder in memory if there is room: a kill leaves written data as it is, and no disk slows the test."""
    with TemporaryDirectory(dir=memory()) as made:
        yield Path(made)
