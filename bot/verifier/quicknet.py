"""The signature of a quicknet round: a point of BLS12-381, which a library checks where one is installed.

Whoever has none compares the round himself: it is public. `pip install 'ridotto[beacon]'` brings py_ecc.
"""

import hashlib
import sys
import warnings
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

from engine.fairness.beacon import PUBLIC_KEY, message_of

# RFC 9380 with the suffix of signatures that lie in G1 (drand: bls-unchained-g1-rfc9380).
SUITE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
SIGNATURE_BYTES = 48


def can_check() -> bool:
    """Whether the library is there."""
    return find_spec("py_ecc") is not None


@lru_cache(64)
def is_signature(round: int, signature: bytes, key: bytes = PUBLIC_KEY) -> bool:
    """Whether the chain of this key signed this round so. About a second; ImportError without the library."""
    bls = library()
    if len(signature) != SIGNATURE_BYTES:
        return False
    try:
        point = bls.decompress_G1(int.from_bytes(signature, "big"))
        public = bls.decompress_G2((int.from_bytes(key[:48], "big"), int.from_bytes(key[48:], "big")))
    except ValueError:
        return False
    # Neither is the neutral point, and both lie in the groups of prime order.
    if bls.is_inf(point) or bls.is_inf(public) or not (bls.subgroup_check(point) and bls.subgroup_check(public)):
        return False
    hashed = bls.hash_to_G1(message_of(round), SUITE, hashlib.sha256)
    left = bls.pairing(bls.G2, point, final_exponentiate=False)
    right = bls.pairing(public, bls.neg(hashed), final_exponentiate=False)
    return bool(bls.final_exponentiate(left * right) == bls.FQ12.one())


@cache
def library() -> Any:
    """What is used of py_ecc. It lets Python nest so deep that JSON which did would end the process: undone here."""
    deepest = sys.getrecursionlimit()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a library says of itself is nothing for who verifies a hand
        modules = [import_module(f"py_ecc.{name}") for name in ("optimized_bls12_381", "bls.point_compression")]
        modules += [import_module(f"py_ecc.bls.{name}") for name in ("hash_to_curve", "g2_primitives")]
    sys.setrecursionlimit(deepest)
    return SimpleNamespace(**{name: value for module in modules for name, value in vars(module).items()})
