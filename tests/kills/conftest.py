from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.memory import memory


@pytest.fixture
def room() -> Iterator[Path]:
    """In memory where there is room: a kill leaves what was written as it is, and no disk is waited for."""
    with TemporaryDirectory(dir=memory()) as made:
        yield Path(made)
