"""Libraries that a process with a store loads."""

import subprocess
import sys

import pytest

LOADED = "import sys; import storage.sqlite; print('{0}' in sys.modules); import {0}; print({0}.__version__ != '')"


@pytest.mark.parametrize("name", ["numpy"])
def test_what_is_only_installed_is_not_loaded_and_can_be_later(name: str) -> None:
    said = subprocess.run([sys.executable, "-c", LOADED.format(name)], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "True"]
