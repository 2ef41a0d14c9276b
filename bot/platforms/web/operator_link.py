"""The link that appoints one player as an inspector: good once, for a quarter of an hour.

Its hash is in a file beside the store, so that the command line can create one while the casino runs, and the casino
finds one created while it was closed.
"""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

FILE = "operator"
LASTS_S = 900.0


def make_link(folder: Path, now: float, token: str | None = None) -> str:
    """Create a link and return its token; the one before becomes invalid."""
    token = token or secrets.token_urlsafe(24)
    keep_link(folder, f"{_hash(token)} {now + LASTS_S!r}")
    return token


def keep_link(folder: Path, kept: str) -> None:
    """Write the file atomically, readable by its owner only, in place of an earlier one."""
    partial = folder / f"{FILE}.partial"
    with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(kept)
    os.replace(partial, folder / FILE)


def find_link(folder: Path, token: str, now: float) -> str | None:
    """Return the stored link if the token is right and it has not expired, else None."""
    try:
        kept = (folder / FILE).read_text("ascii")
        hashed, until = kept.split()
        is_good = hmac.compare_digest(hashed, _hash(token)) and now < float(until) <= now + LASTS_S
    except (OSError, ValueError):
        return None
    return kept if is_good else None


def use_up(folder: Path) -> None:
    """Delete the link, so that it works no more."""
    (folder / FILE).unlink(missing_ok=True)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
