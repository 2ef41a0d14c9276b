"""Stored form of typed values: JSON, each field under its own name, without fields that have their default.

Nothing stored is lost. A key that a type does not know, from a game or from a newer Ridotto, is kept in
`StoredState.others` and written again; inside a value such a key is an error, which names it.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

K = TypeVar("K", bound="StoredState")
S = TypeVar("S", bound=Struct)


class StoredState(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The state of something that the books keep. A field that comes later needs a default, which old books then have.

    `version` counts the changes of meaning of what is stored.
    """

    version: int = 1
    others: Mapping[str, Raw] = {}


def encode(state: StoredState) -> str:
    """Encode a state for `decode`."""
    if not state.others:
        return msgspec.json.encode(state).decode()
    own = msgspec.json.encode(msgspec.structs.replace(state, others={}))
    return msgspec.json.encode(_split(own) | dict(state.others)).decode()


def decode(kind: type[K], data: str) -> K:
    """Decode a stored value. Raises msgspec.DecodeError for invalid JSON, or another type."""
    try:
        return _decode_as(kind, data)
    except msgspec.ValidationError:
        return _decode_with_others(kind, _split(data))


def _decode_with_others(kind: type[K], found: dict[str, Raw]) -> K:
    names = _names(kind)
    known = {name: value for name, value in found.items() if name in names}
    others = {name: value for name, value in found.items() if name not in names}
    return msgspec.structs.replace(_decode_as(kind, msgspec.json.encode(known)), others=others)


def extract_value(others: Mapping[str, Raw], kind: type[S]) -> S:
    """Return the value of that type from the other keys."""
    found = {name: others[name] for name in _names(kind) if name in others} if others else others
    taken: S = _decode_cached(kind, msgspec.json.encode(found) if found else b"{}")
    return taken


@lru_cache(maxsize=1024)
def _decode_cached(kind: type[S], data: bytes) -> S:
    return _decode_as(kind, data)


def replace_value(others: Mapping[str, Raw], own: Struct) -> dict[str, Raw]:
    """Return the keys of `others` with those of `own` replaced; `extract_value` reads them back."""
    names = _names(type(own))
    kept = {name: value for name, value in others.items() if name not in names}
    return kept | _split(msgspec.json.encode(own))


def _split(data: str | bytes) -> dict[str, Raw]:
    found = msgspec.json.decode(data, type=dict[str, Raw])
    return {name: value.copy() for name, value in found.items()}


def _decode_as(kind: type[S], data: str | bytes) -> S:
    read: S = _decoder(kind).decode(data)
    return read


@cache
def _decoder(kind: type[S]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@cache
def _names(kind: type[Struct]) -> frozenset[str]:
    return frozenset(kind.__struct_encode_fields__) - {"others"}
