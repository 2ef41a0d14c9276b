import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def temporary_folder():
    """In memory where there is a folder for it: how fast the disk flushes is not what is simulated."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as found:
        yield Path(found)


@pytest.fixture
def folder():
    with temporary_folder() as found:
        yield found
