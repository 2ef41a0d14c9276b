"""Sealed cuts: a player's page fixes its cut before bets close, and shows it only after.

A cut is 32 random bytes, written as 64 lower-case hex digits; its seal is hex H("ridotto cut" || cut).
"""

import hashlib
from collections.abc import Sequence

from engine.fairness.canonical import JSON
from engine.fairness.commitment import is_opened_cut
from engine.fairness.log import check_ascending, is_digests
from engine.fairness.shape import Wrong

# How long after the close a page may still open its cut.
OPENING_S = 5


def seal(cut: str) -> str:
    """Return the seal of a cut, in hex."""
    return hashlib.sha256(b"ridotto cut" + bytes.fromhex(cut)).hexdigest()


def public_cuts(cuts: Sequence[str]) -> list[str]:
    """Return the public cuts among those that a hand with seals mixes."""
    return [cut for cut in cuts if not is_opened_cut(cut)]


def check_seals(cuts: Sequence[str], seals: JSON, unopened: JSON) -> None:
    """Raise Wrong unless each seal has its one opened cut or is named as unopened, and no other cut is opened.

    `unopened` is None where every seal was opened.
    """
    for named, what in ((seals, "the seals"), ([] if unopened is None else unopened, "the unopened seals")):
        if not is_digests(named):
            raise Wrong(f"{what} are a list of hashes in hex")
        check_ascending(named, what)
    if not seals or unopened == []:
        raise Wrong("a record names no empty list of seals")
    opened = sorted(map(seal, filter(is_opened_cut, cuts)))
    if sorted([*opened, *(unopened or [])]) != seals:
        raise Wrong("each seal has one opened cut or is unopened, and there is no other opened cut")
