import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def room(tmp_path):
    """In memory where there is room: a kill leaves what was written as it is, and no disk is waited for."""
    memory = Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free > 2**29:
        with TemporaryDirectory(dir=memory) as made:
            yield Path(made)
    else:
        yield tmp_path
