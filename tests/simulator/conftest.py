import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def folder():
    """In memory where there is a folder for it: how fast the disk flushes is not what is simulated."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as found:
        yield Path(found)
