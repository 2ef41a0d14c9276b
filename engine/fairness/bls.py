"""BLS signatures over BLS12-381 in plain Python, as drand's chains sign: signature in G1, public key in G2.

Curve, pairing and compressed points as in draft-irtf-cfrg-pairing-friendly-curves; messages are hashed to G1 by
RFC 9380 (BLS12381G1_XMD:SHA-256_SSWU_RO). Only checks, nothing secret: no operation takes constant time.

A number of Fp2 is (a, b) for a + bu with u^2 = -1, and one of Fp12 the six coefficients of a polynomial in w over Fp2
with w^6 = 1 + u. G1 is computed in Fp2 as well, with b = 0.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

SIGNATURE_BYTES, KEY_BYTES = 48, 96

_Fp2 = tuple[int, int]
_Fp12 = tuple[_Fp2, ...]
# Affine x and y; None is the neutral point.
_Point = tuple[_Fp2, _Fp2] | None

_P = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
_ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
# The curve's parameter is minus this.
_X = 0xD201000000010000
_ZERO, _ONE, _XI = (0, 0), (1, 0), (1, 1)
# y^2 = x^3 + 4, and its twist y^2 = x^3 + 4 (1 + u).
_B1, _B2 = (4, 0), (4, 4)
_ONE_12: _Fp12 = (_ONE, _ZERO, _ZERO, _ZERO, _ZERO, _ZERO)
_GENERATOR_2: _Point = (
    (
        0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
        0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E,
    ),
    (
        0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
        0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE,
    ),
)

# RFC 9380, 8.8.1: the curve that texts are hashed to, and its map to G1 (E.2), lowest coefficient first.
_SUITE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_ISO_A = 0x00144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
_ISO_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
_ISO_Z = 11
_COFACTOR_1 = _X + 1
_ISO_MAP = (
    (
        0x11A05F2B1E833340B809101DD99815856B303E88A2D7005FF2627B56CDB4E2C85610C2D5F2E62D6EAEAC1662734649B7,
        0x17294ED3E943AB2F0588BAB22147A81C7C17E75B2F6A8417F565E33C70D1E86B4838F2A6F318C356E834EEF1B3CB83BB,
        0x0D54005DB97678EC1D1048C5D10A9A1BCE032473295983E56878E501EC68E25C958C3E3D2A09729FE0179F9DAC9EDCB0,
        0x1778E7166FCC6DB74E0609D307E55412D7F5E4656A8DBF25F1B33289F1B330835336E25CE3107193C5B388641D9B6861,
        0x0E99726A3199F4436642B4B3E4118E5499DB995A1257FB3F086EEB65982FAC18985A286F301E77C451154CE9AC8895D9,
        0x1630C3250D7313FF01D1201BF7A74AB5DB3CB17DD952799B9ED3AB9097E68F90A0870D2DCAE73D19CD13C1C66F652983,
        0x0D6ED6553FE44D296A3726C38AE652BFB11586264F0F8CE19008E218F9C86B2A8DA25128C1052ECADDD7F225A139ED84,
        0x17B81E7701ABDBE2E8743884D1117E53356DE5AB275B4DB1A682C62EF0F2753339B7C8F8C8F475AF9CCB5618E3F0C88E,
        0x080D3CF1F9A78FC47B90B33563BE990DC43B756CE79F5574A2C596C928C5D1DE4FA295F296B74E956D71986A8497E317,
        0x169B1F8E1BCFA7C42E0C37515D138F22DD2ECB803A0C5C99676314BAF4BB1B7FA3190B2EDC0327797F241067BE390C9E,
        0x10321DA079CE07E272D8EC09D2565B0DFA7DCCDDE6787F96D50AF36003B14866F69B771F8C285DECCA67DF3F1605FB7B,
        0x06E08C248E260E70BD1E962381EDEE3D31D79D7E22C837BC23C0BF1BC24C6B68C24B1B80B64D391FA9C8BA2E8BA2D229,
    ),
    (
        0x08CA8D548CFF19AE18B2E62F4BD3FA6F01D5EF4BA35B48BA9C9588617FC8AC62B558D681BE343DF8993CF9FA40D21B1C,
        0x12561A5DEB559C4348B4711298E536367041E8CA0CF0800C0126C2588C48BF5713DAA8846CB026E9E5C8276EC82B3BFF,
        0x0B2962FE57A3225E8137E629BFF2991F6F89416F5A718CD1FCA64E00B11ACEACD6A3D0967C94FEDCFCC239BA5CB83E19,
        0x03425581A58AE2FEC83AAFEF7C40EB545B08243F16B1655154CCA8ABC28D6FD04976D5243EECF5C4130DE8938DC62CD8,
        0x13A8E162022914A80A6F1D5F43E7A07DFFDFC759A12062BB8D6B44E833B306DA9BD29BA81F35781D539D395B3532A21E,
        0x0E7355F8E4E667B955390F7F0506C6E9395735E9CE9CAD4D0A43BCEF24B8982F7400D24BC4228F11C02DF9A29F6304A5,
        0x0772CAACF16936190F3E0C63E0596721570F5799AF53A1894E2E073062AEDE9CEA73B3538F0DE06CEC2574496EE84A3A,
        0x14A7AC2A9D64A8B230B3F5B074CF01996E7F63C21BCA68A81996E1CDF9822C580FA5B9489D11E2D311F7D99BBDCC5A5E,
        0x0A10ECF6ADA54F825E920B3DAFC7A3CCE07F8D1D7161366B74100DA67F39883503826692ABBA43704776EC3A79A1D641,
        0x095FC13AB9E92AD4476D6E3EB3A56680F682B4EE96F7D03776DF533978F31C1593174E4B4B7865002D6384D168ECDD0A,
        1,
    ),
    (
        0x090D97C81BA24EE0259D1F094980DCFA11AD138E48A869522B52AF6C956543D3CD0C7AEE9B3BA3C2BE9845719707BB33,
        0x134996A104EE5811D51036D776FB46831223E96C254F383D0F906343EB67AD34D6C56711962FA8BFE097E75A2E41C696,
        0x00CC786BAA966E66F4A384C86A3B49942552E2D658A31CE2C344BE4B91400DA7D26D521628B00523B8DFE240C72DE1F6,
        0x01F86376E8981C217898751AD8746757D42AA7B90EEB791C09E4A3EC03251CF9DE405ABA9EC61DECA6355C77B0E5F4CB,
        0x08CC03FDEFE0FF135CAF4FE2A21529C4195536FBE3CE50B879833FD221351ADC2EE7F8DC099040A841B6DAECF2E8FEDB,
        0x16603FCA40634B6A2211E11DB8F0A6A074A7D0D4AFADB7BD76505C3D3AD5544E203F6326C95A807299B23AB13633A5F0,
        0x04AB0B9BCFAC1BBCB2C977D027796B3CE75BB8CA2BE184CB5231413C4D634F3747A87AC2460F415EC961F8855FE9D6F2,
        0x0987C8D5333AB86FDE9926BD2CA6C674170A05BFE3BDD81FFD038DA6C26C842642F64550FEDFE935A15E4CA31870FB29,
        0x09FC4018BD96684BE88C9E221E4DA1BB8F3ABD16679DC26C1E8B6E6A1F20CABE69D65201C78607A360370E577BDBA587,
        0x0E1BBA7A1186BDB5223ABDE7ADA14A23C42A0CA7915AF6FE06985E7ED1E4D43B9B3F7055DD4EBA6F2BAFAAEBCA731C30,
        0x19713E47937CD1BE0DFD0B8F1D43FB93CD2FCBCB6CAF493FD1183E416389E61031BF3A5CCE3FBAFCE813711AD011C132,
        0x18B46A908F36F6DEB918C143FED2EDCC523559B8AAF0C2462E6BFE7F911F643249D9CDF41B44D606CE07C8A4D0074D8E,
        0x0B182CAC101B9399D155096004F53F447AA7B12A3426B08EC02710E807B4633F06C851C1919211F20D4C04F00B971EF8,
        0x0245A394AD1ECA9B72FC00AE7BE315DC757B3B080D4C158013E6632D3C40659CC6CF90AD1C232A6442D9D3F5DB980133,
        0x05C129645E44CF1102A159F748C4A3FC5E673D81D7E86568D9AB0F5D396A7CE46BA1049B6579AFB7866B1E715475224B,
        0x15E6BE4E990F03CE4EA50B3B42DF2EB5CB181D8F84965A3957ADD4FA95AF01B2B665027EFEC01C7704B456BE69C8B604,
    ),
    (
        0x16112C4C3A9C98B252181140FAD0EAE9601A6DE578980BE6EEC3232B5BE72E7A07F3688EF60C206D01479253B03663C1,
        0x1962D75C2381201E1A0CBD6C43C348B885C84FF731C4D59CA4A10356F453E01F78A4260763529E3532F6102C2E49A03D,
        0x058DF3306640DA276FAAAE7D6E8EB15778C4855551AE7F310C35A5DD279CD2ECA6757CD636F96F891E2538B53DBF67F2,
        0x16B7D288798E5395F20D23BF89EDB4D1D115C5DBDDBCD30E123DA489E726AF41727364F2C28297ADA8D26D98445F5416,
        0x0BE0E079545F43E4B00CC912F8228DDCC6D19C9F0F69BBB0542EDA0FC9DEC916A20B15DC0FD2EDEDDA39142311A5001D,
        0x08D9E5297186DB2D9FB266EAAC783182B70152C65550D881C5ECD87B6F0F5A6449F38DB9DFA9CCE202C6477FAAF9B7AC,
        0x166007C08A99DB2FC3BA8734ACE9824B5EECFDFA8D0CF8EF5DD365BC400A0051D5FA9C01A58B1FB93D1A1399126A775C,
        0x16A3EF08BE3EA7EA03BCDDFABBA6FF6EE5A4375EFA1F4FD7FEB34FD206357132B920F5B00801DEE460EE415A15812ED9,
        0x1866C8ED336C61231A1BE54FD1D74CC4F9FB0CE4C6AF5920ABC5750C4BF39B4852CFE2F7BB9248836B233D9D55535D4A,
        0x167A55CDA70A6E1CEA820597D94A84903216F763E13D87BB5308592E7EA7D4FBC7385EA3D529B35E346EF48BB8913F55,
        0x04D2F259EEA405BD48F010A01AD2911D9C6DD039BB61A6290E591B36E636A5C871A5C29F4F83060400F8B49CBA8F6AA8,
        0x0ACCBB67481D033FF5852C1E48C50C477F94FF8AEFCE42D28C0F9A88CEA7913516F968986F7EBBEA9684B529E2561092,
        0x0AD6B9514C767FE3C3613144B45F1496543346D98ADF02267D5CEEF9A00D9B8693000763E3B90AC11E99B138573345CC,
        0x02660400EB2E4F3B628BDD0D53CD76F2BF565B94E72927C1CB748DF27942480E420517BD8714CC80D1FADC1326ED06F7,
        0x0E0FA1D816DDC03E6B24255E0D7819C171C40F65E273B853324EFCD6356CAA205CA2F570F13497804415473A1D634B8F,
        1,
    ),
)


class _LineFunction(NamedTuple):
    """A line through points of the twist, to be evaluated in G1: constant + slope * x * w^2 + y * w^3."""

    constant: _Fp2
    slope: _Fp2


@lru_cache(64)
def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether the key's owner signed this message; False for an invalid key or signature."""
    point, lines = _read_point(signature, SIGNATURE_BYTES, _B1), _lines_of_key(key)
    if point is None or lines is None or point[0][1] or point[1][1]:
        return False
    hashed = _hash_to_curve(message)
    assert hashed is not None
    # e(signature, generator) = e(hashed, key), as one product that must be 1.
    left, right = (_evaluate(lines, at) for lines, at in ((_lines_of_generator(), _negate(point)), (lines, hashed)))
    return _power_is_one(_multiply_lines(zip(left, right, strict=True)))


def is_key(key: bytes) -> bool:
    """Return whether these bytes are a public key: a point of G2 other than the neutral one."""
    return _lines_of_key(key) is not None


def _mul(one: _Fp2, other: _Fp2) -> _Fp2:
    a, b = one
    c, d = other
    return (a * c - b * d) % _P, (a * d + b * c) % _P


def _sub(one: _Fp2, other: _Fp2) -> _Fp2:
    return (one[0] - other[0]) % _P, (one[1] - other[1]) % _P


def _add(one: _Fp2, other: _Fp2) -> _Fp2:
    return (one[0] + other[0]) % _P, (one[1] + other[1]) % _P


def _inverse(value: _Fp2) -> _Fp2:
    a, b = value
    inverse = pow(a * a + b * b, -1, _P)
    return a * inverse % _P, -b * inverse % _P


def _power(value: _Fp2, exponent: int) -> _Fp2:
    result = _ONE
    for bit in bin(exponent)[2:]:
        result = _mul(result, result)
        if bit == "1":
            result = _mul(result, value)
    return result


def _root(value: _Fp2) -> _Fp2 | None:
    """Return a square root, or None (Adj and Rodriguez-Henriquez, algorithm 9)."""
    first = _power(value, (_P - 3) // 4)
    alpha, root = _mul(_mul(first, first), value), _mul(first, value)
    factor = (0, 1) if alpha == (_P - 1, 0) else _power(_add(_ONE, alpha), (_P - 1) // 2)
    root = _mul(factor, root)
    return root if _mul(root, root) == value else None


def _negate(point: _Point) -> _Point:
    return None if point is None else (point[0], _sub(_ZERO, point[1]))


def _slope(one: tuple[_Fp2, _Fp2], other: tuple[_Fp2, _Fp2]) -> _Fp2 | None:
    """Return the slope of the line through both points, of the tangent if they are equal; None if vertical."""
    (x, y), (u, v) = one, other
    if x != u:
        return _mul(_sub(v, y), _inverse(_sub(u, x)))
    if y != v or y == _ZERO:
        return None
    return _mul(_mul((3, 0), _mul(x, x)), _inverse(_add(y, y)))


def _add_points(one: _Point, other: _Point) -> _Point:
    if one is None or other is None:
        return one or other
    slope = _slope(one, other)
    if slope is None:
        return None
    x = _sub(_sub(_mul(slope, slope), one[0]), other[0])
    return x, _sub(_mul(slope, _sub(one[0], x)), one[1])


def _multiply_point(point: _Point, scalar: int) -> _Point:
    total: _Point = None
    for bit in bin(scalar)[2:]:
        total = _add_points(total, total)
        if bit == "1":
            total = _add_points(total, point)
    return total


def _read_point(data: bytes, size: int, b: _Fp2) -> _Point:
    """Decode a compressed point of the group of prime order; None for anything else, and for the neutral point."""
    if len(data) != size or data[0] & 0xC0 != 0x80:
        return None
    parts = [int.from_bytes(data[at : at + 48], "big") for at in range(0, size, 48)]
    is_larger, parts[0] = bool(parts[0] >> 381 & 1), parts[0] & (1 << 381) - 1
    if max(parts) >= _P:
        return None
    x = (parts[-1], parts[0]) if size == KEY_BYTES else (parts[0], 0)
    y = _root(_add(_mul(_mul(x, x), x), b))
    if y is None:
        return None
    if ((y[1] or y[0]) > _P // 2) != is_larger:
        y = _sub(_ZERO, y)
    return (x, y) if _multiply_point((x, y), _ORDER) is None else None


def _hash_to_curve(message: bytes) -> _Point:
    first, second = (_map_to_curve(int.from_bytes(_expand(message)[at : at + 64], "big") % _P) for at in (0, 64))
    return _multiply_point(_add_points(first, second), _COFACTOR_1)


def _expand(message: bytes) -> bytes:
    """Expand a message to 128 bytes (RFC 9380, 5.3.1)."""
    suffix = _SUITE + bytes([len(_SUITE)])
    first = hashlib.sha256(bytes(64) + message + (128).to_bytes(2, "big") + b"\0" + suffix).digest()
    blocks = [hashlib.sha256(first + b"\1" + suffix).digest()]
    for number in range(2, 5):
        mixed = bytes(one ^ other for one, other in zip(first, blocks[-1], strict=True))
        blocks.append(hashlib.sha256(mixed + bytes([number]) + suffix).digest())
    return b"".join(blocks)


def _map_to_curve(u: int) -> _Point:
    """Map a field element to the curve (RFC 9380, 6.6.2 and 6.6.3)."""
    square = _ISO_Z * u * u % _P
    divisor = (square * square + square) % _P
    if divisor:
        x = -_ISO_B * pow(_ISO_A, -1, _P) * (1 + pow(divisor, -1, _P)) % _P
    else:
        x = _ISO_B * pow(_ISO_Z * _ISO_A, -1, _P) % _P
    y = _root_of_curve(x)
    if y is None:
        x = square * x % _P
        y = _root_of_curve(x)
    assert y is not None
    if y & 1 != u & 1:
        y = _P - y
    x_over, x_under, y_over, y_under = (_evaluate_polynomial(row, x) for row in _ISO_MAP)
    if not x_under or not y_under:
        return None
    return (x_over * pow(x_under, -1, _P) % _P, 0), (y * y_over * pow(y_under, -1, _P) % _P, 0)


def _root_of_curve(x: int) -> int | None:
    square = (x * x * x + _ISO_A * x + _ISO_B) % _P
    root = pow(square, (_P + 1) // 4, _P)
    return root if root * root % _P == square else None


def _evaluate_polynomial(row: Sequence[int], x: int) -> int:
    total = 0
    for coefficient in reversed(row):
        total = (total * x + coefficient) % _P
    return total


@lru_cache(8)
def _lines_of_key(key: bytes) -> tuple[_LineFunction | None, ...] | None:
    """Return the lines of a key; None for an invalid one."""
    point = _read_point(key, KEY_BYTES, _B2)
    return None if point is None else _lines(point)


@cache
def _lines_of_generator() -> tuple[_LineFunction | None, ...]:
    return _lines(_GENERATOR_2)


def _lines(point: _Point) -> tuple[_LineFunction | None, ...]:
    """Compute the lines of Miller's loop over a point of G2, with None before each squaring of its value."""
    lines: list[_LineFunction | None] = []
    now = point
    for bit in bin(_X)[3:]:
        lines += [None, _line(now, now)]
        now = _add_points(now, now)
        if bit == "1":
            lines.append(_line(now, point))
            now = _add_points(now, point)
    return tuple(lines)


def _line(one: _Point, other: _Point) -> _LineFunction:
    assert one is not None
    assert other is not None
    slope = _slope(one, other)
    assert slope is not None  # the order of the point is beyond every multiple of the loop
    return _LineFunction(_sub(_mul(slope, one[0]), one[1]), _sub(_ZERO, slope))


def _evaluate(lines: Sequence[_LineFunction | None], at: _Point) -> Iterator[_Fp12 | None]:
    assert at is not None
    x, y = at
    for line in lines:
        yield None if line is None else (line.constant, _ZERO, _mul(line.slope, x), y, _ZERO, _ZERO)


def _multiply_lines(pairs: Iterator[tuple[_Fp12 | None, _Fp12 | None]]) -> _Fp12:
    """Run Miller's loop over two pairings at once.

    The sign of the curve's parameter would only invert the result.
    """
    value = _ONE_12
    for one, other in pairs:
        value = _multiply(value, value) if one is None or other is None else _multiply(_multiply(value, one), other)
    return value


def _multiply(one: _Fp12, other: _Fp12) -> _Fp12:
    real, imaginary = [0] * 11, [0] * 11
    for j, (c, d) in enumerate(other):
        if c or d:
            for k, (a, b) in enumerate(one, j):
                real[k] += a * c - b * d
                imaginary[k] += a * d + b * c
    for k in range(5):
        a, b = real[k + 6], imaginary[k + 6]
        real[k] += a - b
        imaginary[k] += a + b
    return tuple((real[k] % _P, imaginary[k] % _P) for k in range(6))


def _conjugate(value: _Fp12) -> _Fp12:
    """Return value^(p^6), which is the inverse after the easy part of the final exponentiation."""
    return tuple(_sub(_ZERO, one) if power % 2 else one for power, one in enumerate(value))


@cache
def _frobenius_factors() -> tuple[_Fp2, ...]:
    factor = _power(_XI, (_P - 1) // 6)
    return tuple(_power(factor, power) for power in range(6))


def _frobenius(value: _Fp12) -> _Fp12:
    """Return value^p."""
    return tuple(_mul((a, -b), factor) for (a, b), factor in zip(value, _frobenius_factors(), strict=True))


def _invert(value: _Fp12) -> _Fp12:
    """Invert a value by norms: to polynomials in w^2, then to Fp2."""
    other = _conjugate(value)
    a, _, b, _, c, _ = _multiply(value, other)
    # (a + bv + cv^2)^-1 with v^3 = 1 + u.
    first = _sub(_mul(a, a), _mul(_XI, _mul(b, c)))
    second = _sub(_mul(_XI, _mul(c, c)), _mul(a, b))
    third = _sub(_mul(b, b), _mul(a, c))
    norm = _add(_mul(a, first), _mul(_XI, _add(_mul(b, third), _mul(c, second))))
    inverse = _inverse(norm)
    rest = (_mul(first, inverse), _ZERO, _mul(second, inverse), _ZERO, _mul(third, inverse), _ZERO)
    return _multiply(other, rest)


def _power_of_x(value: _Fp12) -> _Fp12:
    """Return the value to the power of the curve's parameter, which is negative."""
    result = value
    for bit in bin(_X)[3:]:
        result = _multiply(result, result)
        if bit == "1":
            result = _multiply(result, value)
    return _conjugate(result)


def _power_is_one(value: _Fp12) -> bool:
    """Return whether value^((p^12 - 1) / order) is 1. The hard part is taken three times, which does not change the
    result: 3 (p^4 - p^2 + 1) / order = (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3.
    """
    value = _multiply(_conjugate(value), _invert(value))
    value = _multiply(_frobenius(_frobenius(value)), value)
    result = value
    for _ in range(2):
        result = _multiply(_power_of_x(result), _conjugate(result))
    result = _multiply(_power_of_x(result), _frobenius(result))
    rest = _multiply(_frobenius(_frobenius(result)), _conjugate(result))
    result = _multiply(_power_of_x(_power_of_x(result)), rest)
    return _multiply(result, _multiply(_multiply(value, value), value)) == _ONE_12
