"""A beacon on loopback: drand's interface over real HTTP, with a test chain that has quicknet's times.

It can be silent, late, wrong, forged, or go back.
"""

import asyncio
import hashlib
import json
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import SimpleNamespace, TracebackType
from typing import Any, Self

from aiohttp import web

from bot.beacon.chain import Chain, hash_of
from engine.fairness.beacon import GENESIS, PERIOD_S, SCHEME, BeaconRound, message_of, randomness_of, round_at

SUITE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
SECRET, ANOTHER_SECRET = 20_261_123, 99
NAME, SEED = "loopback", bytes(range(32))
Told = dict[str, Any]


@cache
def library() -> Any:
    """Return py_ecc, which signs here and knows nothing of the product. Undo its change of the recursion limit."""
    deepest = sys.getrecursionlimit()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        modules = [import_module(f"py_ecc.{name}") for name in ("optimized_bls12_381", "bls.point_compression")]
        modules += [import_module(f"py_ecc.bls.{name}") for name in ("hash_to_curve", "g2_primitives")]
    sys.setrecursionlimit(deepest)
    return SimpleNamespace(**{name: value for module in modules for name, value in vars(module).items()})


@cache
def chain() -> Chain:
    """Return the chain of every loopback beacon."""
    key = _key_of(SECRET)
    return Chain(hash_of(key, SEED, NAME), key)


@cache
def _key_of(secret: int) -> bytes:
    bls = library()
    first, second = bls.compress_G2(bls.multiply(bls.G2, secret))
    return bytes(first.to_bytes(48, "big") + second.to_bytes(48, "big"))


@cache
def signed(round: int, secret: int = SECRET) -> BeaconRound:
    """Return a round signed with that secret."""
    bls = library()
    point = bls.multiply(bls.hash_to_G1(message_of(round), SUITE, hashlib.sha256), secret)
    signature = bls.compress_G1(point).to_bytes(48, "big")
    return BeaconRound(round, randomness_of(signature), signature.hex())


def _with(**more: Any) -> Callable[[Told], bytes]:
    return lambda told: json.dumps(told | more).encode()


def _of_another(told: Told) -> bytes:
    return json.dumps(signed(told["round"] - 1)._asdict()).encode()


# {fault: an answer that has it, instead of the right one}
WRONG: dict[str, Callable[[Told], bytes]] = {
    "another round": _of_another,
    "another randomness": _with(randomness="00" * 32),
    "short signature": _with(signature="ab" * 47),
    "capital hex": lambda told: json.dumps(told | {"signature": told["signature"].upper()}).encode(),
    "no number": _with(round="1000"),
    "true": _with(round=True),
    "null": _with(previous_signature=None),
    "no signature": lambda told: json.dumps({"round": told["round"]}).encode(),
    "a list": lambda told: json.dumps([told]).encode(),
    "half": lambda told: json.dumps(told).encode()[:40],
    "nothing": lambda told: b"",
    "nested": lambda told: b"[" * 2000,
    "no text": lambda told: bytes(range(128, 256)),
    "long": lambda told: json.dumps(told | {"more": "a" * 3_000_000}).encode(),
}
FORGED: dict[str, Callable[[Told], bytes]] = {
    "another key": lambda told: json.dumps(signed(told["round"], ANOTHER_SECRET)._asdict()).encode(),
    "of another round": lambda told: json.dumps(
        signed(told["round"] - 1)._asdict() | {"round": told["round"]}
    ).encode(),
    "no point": lambda told: json.dumps(told | _signature(b"\xb4" * 48)).encode(),
    "neutral point": lambda told: json.dumps(told | _signature(b"\xc0" + bytes(47))).encode(),
}


def _signature(signature: bytes) -> Told:
    return {"signature": signature.hex(), "randomness": randomness_of(signature)}


class LoopbackBeacon:
    """One relay, on a free port of 127.0.0.1, in the loop that enters it.

    asked        every requested path, without the hash
    behind_s     the delay of rounds
    is_silent    accept requests, and never answer
    status       of every answer, if not 200
    says         changes the right answer: WRONG or FORGED
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.asked: list[str] = []
        self.behind_s = 0.0
        self.is_silent = False
        self.status = 200
        self.says: Callable[[Told], bytes] | None = None
        self.port = 0
        self._runner: web.AppRunner | None = None
        self._closed = asyncio.Event()

    @property
    def url(self) -> str:
        """Return the address without the hash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def setting(self) -> str:
        """Return the value for RIDOTTO_BEACON."""
        return f"{self.url}/{chain().hash}"

    @property
    def newest(self) -> int:
        return round_at(self.clock() - self.behind_s)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start, on the former port if there was one."""
        app = web.Application()
        app.router.add_get(f"/{chain().hash}/info", self._tell_info)
        app.router.add_get(f"/{chain().hash}/public/{{round:latest|[0-9]+}}", self._tell_round)
        self._runner = web.AppRunner(app, shutdown_timeout=0.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop like a relay that is switched off: connections are refused."""
        self._closed.set()
        if self._runner is not None:
            await self._runner.cleanup()
        self._closed.clear()

    async def _tell_info(self, _request: web.Request) -> web.Response:
        self.asked.append("info")
        info = {
            "public_key": chain().key.hex(),
            "period": PERIOD_S,
            "genesis_time": GENESIS,
            "hash": chain().hash,
            "groupHash": SEED.hex(),
            "schemeID": SCHEME,
            "metadata": {"beaconID": NAME},
        }
        return web.json_response(info)

    async def _tell_round(self, request: web.Request) -> web.Response:
        asked = request.match_info["round"]
        self.asked.append(asked)
        if self.is_silent:
            await self._closed.wait()
        if self.status != 200:
            return web.Response(status=self.status, headers={"Location": f"/{chain().hash}/info"})
        number = self.newest if asked == "latest" else int(asked)
        if not 1 <= number <= self.newest:
            return web.json_response({"error": "Requested future beacon"}, status=404)
        told = signed(number)._asdict()
        body = self.says(told) if self.says else json.dumps(told).encode()
        return web.Response(body=body, content_type="application/json")
