"""The platforms on the loopback: the strict servers of this repository's tests, which only a checkout has."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_SOURCE = Path(__file__).parents[3]
_TELEGRAM, _DISCORD = "tests.telegram_server", "tests.discord_server"


def has_loopback() -> bool:
    """Whether this is a source tree, whichever folder the command was given in, and what its tests need is there."""
    if (_SOURCE / "tests").is_dir() and str(_SOURCE) not in sys.path:
        sys.path.append(str(_SOURCE))
    try:
        return all(find_spec(name) for name in (_TELEGRAM, _DISCORD, "aiogram", "jsonschema"))
    except ModuleNotFoundError:
        return False


def telegram_server() -> Any:
    """The module; there is one if `has_loopback`."""
    return import_module(_TELEGRAM)


def discord_server() -> Any:
    """The module; there is one if `has_loopback`."""
    return import_module(_DISCORD)
