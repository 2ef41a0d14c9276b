"""The secret with which a house signs: a file of its own beside the books, which no backup has.

Houses that share books have the same. It is in no row, no log and no error; whoever has it can sign for the house.
"""

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from storage.faults import BooksError

FILE = "house-key"
BYTES = 32
_FORM = re.compile(r"[0-9a-f]{64}\n?")


def derive(secret: str) -> bytes:
    """What houses that have the same secret make where they have no key yet, slowly: its public half is everybody's."""
    return hashlib.scrypt(secret.encode(), salt=b"ridotto house key", n=2**15, r=8, p=1, maxmem=2**26, dklen=BYTES)


def take(folder: Path, entropy: Callable[[int], bytes]) -> bytes:
    """The secret of the house in that folder, made at its first start. Raises BooksError."""
    path = folder / FILE
    try:
        return read(path)
    except FileNotFoundError:
        return _make(path, entropy(BYTES))


def read(path: Path) -> bytes:
    """Raises FileNotFoundError, and BooksError where something else stands there, which is not quoted."""
    try:
        said = path.read_text("ascii")
    except FileNotFoundError:
        raise
    except OSError as fault:
        raise BooksError(f"{path} cannot be read: {fault.strerror}. The house signs with it.") from None
    except ValueError:
        said = ""
    if not _FORM.fullmatch(said):
        raise BooksError(
            f"{path} is no key of a house: put back the file that was there, or delete it, and every log begins anew."
        )
    return bytes.fromhex(said)


def _make(path: Path, secret: bytes) -> bytes:
    """On disk for good before it is used. One house at a time opens books."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secret.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
        return secret
    except OSError as fault:
        raise BooksError(f"{path} cannot be made: {fault.strerror}. The house signs with it.") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
