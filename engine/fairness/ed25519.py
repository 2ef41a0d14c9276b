"""Ed25519 (RFC 8032) in plain Python: keys, signatures, and a strict check of them.

Strict means here: S below the order of the group (5.1.7), points in their one canonical form, no key of small order
(such a key lets one signature hold for every message), and the equation without the cofactor, so that R is the one
point that the signer computed. Signing takes no constant time: a server whose signing others can time may
sign elsewhere, with the same bytes.
"""

import hashlib
from functools import lru_cache

# x, y, z and t of RFC 8032, 5.1.4: x = X/Z, y = Y/Z, x * y = T/Z.
Point = tuple[int, int, int, int]
_Table = tuple[tuple[Point, ...], ...]

_P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)
_NEUTRAL: Point = (0, 1, 1, 0)
_ROWS = range(64)


def public_key(secret: bytes) -> bytes:
    """Return the 32 bytes of the public key of 32 secret ones."""
    return _signer(secret)[2]


def sign(secret: bytes, message: bytes) -> bytes:
    """Sign a message with 64 bytes as RFC 8032 defines: the same for the same secret and message."""
    scalar, prefix, key = _signer(secret)
    nonce = _hash(prefix, message)
    commitment = _encode(_multiply(_table(_BASE), nonce))
    answer = (nonce + _hash(commitment, key, message) * scalar) % ORDER
    return commitment + answer.to_bytes(32, "little")


@lru_cache(256)  # Cached, because records of one log share a head.
def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Check a signature of `message` by `key`; never raises for any bytes."""
    table = _table_of(key)
    commitment, answer = signature[:32], int.from_bytes(signature[32:], "little")
    if table is None or len(signature) != 64 or answer >= ORDER:
        return False
    challenge = _hash(commitment, key, message)
    # s B - h A.
    difference = _add(_multiply(_table(_BASE), answer), _negate(_multiply(table, challenge)))
    return _encode(difference) == commitment


@lru_cache(8)
def _table_of(key: bytes) -> _Table | None:
    """Return the multiples of a public key, or None for bytes that are no point, not canonical, or of small order."""
    point = _decode(key)
    if point is None or _is_neutral(_double(_double(_double(point)))):
        return None
    return _table(point)


@lru_cache(8)
def _signer(secret: bytes) -> tuple[int, bytes, bytes]:
    """Return the scalar of a secret, the prefix of its nonces, and its public key."""
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    return scalar, digest[32:], _encode(_multiply(_table(_BASE), scalar))


def _hash(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def _add(one: Point, other: Point) -> Point:
    x, y, z, t = one
    u, v, w, s = other
    a = (y - x) * (v - u)
    b = (y + x) * (v + u)
    c = 2 * t * s % _P * _D
    d = 2 * z * w
    e, f, g, h = (b - a) % _P, (d - c) % _P, (d + c) % _P, (b + a) % _P
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _double(point: Point) -> Point:
    return _add(point, point)


def _negate(point: Point) -> Point:
    x, y, z, t = point
    return -x % _P, y, z, -t % _P


def _is_neutral(point: Point) -> bool:
    x, y, z, _ = point
    return x % _P == 0 and (y - z) % _P == 0


@lru_cache(8)
def _table(point: Point) -> _Table:
    """Tabulate multiples of a point: row i has 0 to 15 times 16^i times the point.

    A multiple then takes one addition a digit.
    """
    rows = []
    for _ in _ROWS:
        row = [_NEUTRAL]
        for _ in range(16):
            row.append(_add(row[-1], point))
        point = row.pop()
        rows.append(tuple(row))
    return tuple(rows)


def _multiply(table: _Table, scalar: int) -> Point:
    total = _NEUTRAL
    for row in table:
        if digit := scalar & 15:
            total = _add(total, row[digit])
        scalar >>= 4
    return total


def _encode(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    return (y * inverse % _P | (x * inverse % _P & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> Point | None:
    """Decode a point (RFC 8032, 5.1.3).

    None where it is not 32 bytes, not on the curve, or not the canonical form of its point.
    """
    whole = int.from_bytes(data, "little")
    sign, y = whole >> 255, whole & (2**255 - 1)
    if len(data) != 32 or y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if x * x % _P != square:
        x = x * _ROOT_OF_MINUS_1 % _P
    if x * x % _P != square or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else _P - x
    return x, y, 1, x * y % _P


def _base() -> Point:
    point = _decode((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
    assert point is not None
    return point


_BASE = _base()
