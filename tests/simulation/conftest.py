import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.memory import memory


@contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=memory()) as found:
        yield Path(found)


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as found:
        yield found
