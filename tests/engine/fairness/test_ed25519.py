"""RFC 8032's own vectors, and signatures that a strict check must refuse though others accept them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fairness.ed25519 import ORDER, public_key, sign, verify

# RFC 8032, 7.1: secret, public, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (  # the message is SHA-512 of "abc"
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]
P = 2**255 - 19
# Every point whose order divides 8, in its canonical form.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]


@pytest.mark.parametrize(("secret", "public", "message", "signature"), VECTORS)
def test_RFC_8032_7_1(secret: str, public: str, message: str, signature: str) -> None:
    key, said, signed = bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature)
    assert public_key(bytes.fromhex(secret)) == key
    assert sign(bytes.fromhex(secret), said) == signed
    assert verify(key, said, signed)
    assert not verify(key, said + b"x", signed)


@pytest.mark.parametrize(("secret", "public", "message", "signature"), VECTORS)
def test_RFC_8032_5_1_7_s_is_below_the_order(secret: str, public: str, message: str, signature: str) -> None:
    """Adding the order to it gives another signature of the same message."""
    key, said, signed = bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature)
    s = int.from_bytes(signed[32:], "little")
    for other in (s + ORDER, s + 2 * ORDER):
        assert not verify(key, said, signed[:32] + other.to_bytes(32, "little"))


@pytest.mark.parametrize("key", SMALL_ORDER)
def test_a_key_of_small_order_signs_nothing(key: str) -> None:
    """R = s B holds with such a key for one message in a few, or for all of them."""
    point = bytes.fromhex(key)
    for commitment in map(bytes.fromhex, SMALL_ORDER):
        assert not verify(point, b"any", commitment + bytes(32))


@pytest.mark.parametrize("y", [P, P + 1, P + 3, 2**255 - 1])
@pytest.mark.parametrize("sign_of_x", [0, 1])
def test_a_point_has_one_form(y: int, sign_of_x: int) -> None:
    key = (y | sign_of_x << 255).to_bytes(32, "little")
    assert not verify(key, b"any", bytes(64))


@pytest.mark.long
def test_what_is_no_point_is_no_key() -> None:
    secret, signature = bytes(32), sign(bytes(32), b"any")
    key = public_key(secret)
    # About every second y is on the curve.
    assert not any(verify(bytes([n]) + key[1:], b"any", signature) for n in range(64) if n != key[0])
    for wrong in (b"", key[:31], key + b"\0"):
        assert not verify(wrong, b"any", signature)
    for wrong in (b"", signature[:63], signature + b"\0"):
        assert not verify(key, b"any", wrong)


@pytest.mark.long
@settings(max_examples=20, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=100), st.integers(0, 511))
def test_what_is_signed_verifies_and_no_bit_of_it_may_change(secret: bytes, message: bytes, bit: int) -> None:
    key, signature = public_key(secret), sign(secret, message)
    assert verify(key, message, signature)
    changed = bytearray(signature)
    changed[bit // 8] ^= 1 << bit % 8
    assert not verify(key, message, bytes(changed))
    assert not verify(public_key(message.ljust(32, b"\0")[:32] + b"x"), message, signature)
