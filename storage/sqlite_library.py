"""The library that opens SQLite's files, without the libraries that it would load because they happen to be installed.

It asks for numpy and pandas to know their numbers, and no row of ours has any. Where they are installed, every process
would load them: a tenth of its start, threads that wait for matrices, and 25 MiB.
"""

import sys
from typing import Any

_modules: dict[str, Any] = sys.modules
_kept_out = [name for name in ("numpy", "pandas") if _modules.setdefault(name, None) is None]

from sqlite_utils import Database  # noqa: E402
from sqlite_utils.migrations import Migrations  # noqa: E402

for _name in _kept_out:
    del _modules[_name]

__all__ = ["Database", "Migrations"]
