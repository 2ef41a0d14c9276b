"""Choice of the drand chain. Quicknet is built in; of another chain the key is downloaded and checked by its hash."""

import hashlib
from typing import NamedTuple

from bot.beacon.rounds import Failed, parse_answer
from engine.fairness.beacon import CHAIN, CHAIN_NAME, GENESIS, PERIOD_S, PUBLIC_KEY, SCHEME
from engine.fairness.shape import is_hex

_DEFAULT_NAME = "default"
_NAME_BYTES = 64


class Chain(NamedTuple):
    """A drand chain: `key` is its public key, a compressed point of G2."""

    hash: str
    key: bytes

    @property
    def name(self) -> str:
        return name_of(self.hash)


QUICKNET = Chain(CHAIN, PUBLIC_KEY)


def name_of(hash: str) -> str:
    """Return the name of a chain, as it is named everywhere: `quicknet`, or the hash of another one."""
    return CHAIN_NAME if hash == CHAIN else hash


def read_info(data: bytes, hash: str) -> Chain:
    """Read the answer to `GET /HASH/info`: a chain of that hash with quicknet's times and scheme. Raises Failed."""
    info = parse_answer(data)
    metadata = info.get("metadata")
    name = metadata.get("beaconID", _DEFAULT_NAME) if isinstance(metadata, dict) else _DEFAULT_NAME
    key, seed = info.get("public_key", ""), info.get("groupHash", "")
    if not (is_hex(192)(key) and is_hex(64)(seed) and isinstance(name, str) and len(name.encode()) <= _NAME_BYTES):
        raise Failed("wrong", "its chain information has a wrong format")
    if (info.get("period"), info.get("genesis_time"), info.get("schemeID")) != (PERIOD_S, GENESIS, SCHEME):
        raise Failed("wrong", "its chain has a different period, genesis or scheme than expected")
    chain = Chain(hash_of(bytes.fromhex(key), bytes.fromhex(seed), name), bytes.fromhex(key))
    if chain.hash != hash:
        raise Failed("wrong", "its chain information has a different hash")
    return chain


def hash_of(key: bytes, seed: bytes, name: str) -> str:
    """Return drand's hash of a chain with quicknet's times; the name of the default chain is left out."""
    times = PERIOD_S.to_bytes(4, "big") + GENESIS.to_bytes(8, "big")
    return hashlib.sha256(times + key + seed + (b"" if name in ("", _DEFAULT_NAME) else name.encode())).hexdigest()
