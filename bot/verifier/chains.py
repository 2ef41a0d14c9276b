"""Read `--chain`: drand's `/info` object of a beacon other than quicknet, or the file that holds it."""

import os
from typing import Any

from bot.verifier.files import LONGEST_LINE, open_bytes
from engine.fairness import bls, shape
from engine.fairness.beacon import SCHEME, ChainInfo
from engine.fairness.canonical import Unreadable, parse


def read_chain(given: str) -> ChainInfo:
    """Return the chain that a file or a JSON object names. Raises Unreadable, and OSError for a file."""
    if not given.lstrip().startswith("{") or os.path.isfile(given):
        with open_bytes(given) as file:
            data: str | bytes = file.read(LONGEST_LINE)
    else:
        data = given
    try:
        return _parse_chain(parse(data))
    except Unreadable as refused:
        raise Unreadable(f"the chain: {refused}") from None


def _parse_chain(info: Any) -> ChainInfo:
    if not isinstance(info, dict):
        raise Unreadable("it is no object")
    key, period_s, genesis = (info.get(name, "") for name in ("public_key", "period", "genesis_time"))
    if not shape.is_hex(2 * bls.KEY_BYTES)(key) or not bls.is_key(bytes.fromhex(key)):
        raise Unreadable("its public_key is no key")
    if not shape.is_positive(period_s) or not shape.is_number(genesis):
        raise Unreadable("its period and genesis_time are whole seconds")
    if info.get("schemeID", SCHEME) != SCHEME:
        raise Unreadable(f"its schemeID is not {SCHEME}")
    return ChainInfo(bytes.fromhex(key), period_s, genesis)
