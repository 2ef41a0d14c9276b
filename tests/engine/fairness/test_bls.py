"""BLS signatures against py_ecc, which signs here, and against points that are none."""

import hashlib
from random import Random

import pytest

from engine.fairness import bls
from engine.fairness.beacon import PUBLIC_KEY, message_of
from tests.beacon import SUITE, library
from tests.engine.fairness.writing import ROUNDS

SIGNATURE = bytes.fromhex(ROUNDS[1000])


def test_the_two_rounds_of_quicknet_hold_and_no_other_message() -> None:
    for number, signature in ROUNDS.items():
        assert bls.verify(PUBLIC_KEY, message_of(number), bytes.fromhex(signature))
        assert not bls.verify(PUBLIC_KEY, message_of(number + 2), bytes.fromhex(signature))


@pytest.mark.parametrize("seed", range(3))
def test_what_another_library_signs_holds(seed: int) -> None:
    chance, other = Random(seed), library()
    secret, message = chance.randrange(1, 2**250), chance.randbytes(seed * 40)
    first, second = other.compress_G2(other.multiply(other.G2, secret))
    key = first.to_bytes(48, "big") + second.to_bytes(48, "big")
    hashed = other.hash_to_G1(message, SUITE, hashlib.sha256)
    signature = other.compress_G1(other.multiply(hashed, secret)).to_bytes(48, "big")
    assert bls.verify(key, message, signature)
    assert not bls.verify(key, message + b"!", signature)
    assert not bls.verify(PUBLIC_KEY, message, signature)
    negated = bytes([signature[0] ^ 0x20]) + signature[1:]
    assert not bls.verify(key, message, negated)


@pytest.mark.parametrize(
    "signature",
    ["c0" + "00" * 47, "00" * 48, "ff" * 48, "80" + "00" * 47, "e0" + ROUNDS[1000][2:], "", "b4" * 47, "b4" * 48],
)
def test_what_is_no_point_of_the_group_is_no_signature(signature: str) -> None:
    assert not bls.verify(PUBLIC_KEY, message_of(1000), bytes.fromhex(signature))


@pytest.mark.parametrize("key", ["", "ab" * 96, "c0" + "00" * 95, "00" * 96, PUBLIC_KEY.hex()[:-2], SIGNATURE.hex()])
def test_what_is_no_point_of_the_group_is_no_key(key: str) -> None:
    assert not bls.is_key(bytes.fromhex(key))
    assert not bls.verify(bytes.fromhex(key), message_of(1000), SIGNATURE)


def test_a_point_of_the_curve_outside_the_group_is_no_signature() -> None:
    """x = 4 has a y, and the point another order."""
    other = library()
    data = bytes([0x80]) + bytes(46) + b"\4"
    point = other.decompress_G1(int.from_bytes(data, "big"))
    assert other.is_on_curve(point, other.b)
    assert not other.subgroup_check(point)
    assert not bls.verify(PUBLIC_KEY, message_of(1000), data)
