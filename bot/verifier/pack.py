"""The verifier as one file that any Python runs: `python -m bot.verifier.pack ridotto-verify.pyz`.

The same sources give the same bytes, by anyone at any time: files sorted by name, one fixed time, nothing compressed.
Anyone who doubts a distributed file can pack their own and compare the hashes.
"""

import hashlib
import io
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FILE = "ridotto-verify.pyz"
# The packed sources: engine, and of bot the verifier alone.
_SOURCES = ("engine/**/*.py", "bot/__init__.py", "bot/verifier/*.py")
_ROOT = Path(__file__).parent.parent.parent
_SHEBANG = b"#!/usr/bin/env python3\n"
_MAIN = b"""import sys

if sys.version_info < (3, 11):
    sys.exit("ridotto-verify needs Python 3.11 or newer.")

from bot.verifier.__main__ import main

sys.exit(main())
"""
# The earliest time of a zip file, and the mode of a plain file that all may read.
_TIME = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3


def pack() -> bytes:
    """Return the bytes of the file."""
    packed = io.BytesIO()
    packed.write(_SHEBANG)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(_sources()):
            info = zipfile.ZipInfo(name, _TIME)
            info.create_system, info.external_attr = _UNIX, _MODE
            archive.writestr(info, data)
    return packed.getvalue()


@cache
def packed() -> tuple[bytes, str]:
    """Return the bytes of the file and its SHA-256 in hex, as a casino offers it; packed once."""
    data = pack()
    return data, hashlib.sha256(data).hexdigest()


def _sources() -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of each source, with line ends as in the repository, however they were checked out."""
    yield "__main__.py", _MAIN
    for pattern in _SOURCES:
        for path in _ROOT.glob(pattern):
            yield path.relative_to(_ROOT).as_posix(), path.read_bytes().replace(b"\r\n", b"\n")


def main() -> None:
    """Write the verifier to the path in the first argument, and print its hash."""
    target, data = Path(sys.argv[1] if len(sys.argv) > 1 else FILE), pack()
    target.write_bytes(data)
    print(f"{hashlib.sha256(data).hexdigest()}  {target}")


if __name__ == "__main__":
    main()
