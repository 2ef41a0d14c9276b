"""Scripted faults: rate limits, errors, delays and broken connections, on routes that a test names."""

from __future__ import annotations

import asyncio
import fnmatch
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.servers.discord.log import Call
    from tests.servers.discord.things import Channel

Json = dict[str, Any]


@dataclass(eq=False)
class Fault:
    """A fault; `route` is "PATCH /channels/{channel_id}/messages/{message_id}", with `*` for any characters."""

    route: str
    times: int | None
    channel: Channel | None = None
    status: int | None = None
    body: Json | str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    slow_s: float = 0.0
    # Set when calls that were held may go on.
    gate: asyncio.Event | None = None
    is_cut: bool = False
    # Whether Discord carries out the call, and only the answer fails.
    after: bool = False
    struck: list[Call] = field(default_factory=list)

    def strikes(self, call: Call) -> bool:
        if self.times == 0 or (self.channel is not None and self.channel.id != call.channel_id):
            return False
        # Braces and brackets of a route are literal.
        wanted = self.route.replace("[", "[[]")
        if not fnmatch.fnmatchcase(call.route, wanted):
            return False
        self.times = None if self.times is None else self.times - 1
        self.struck.append(call)
        return True

    def stop(self) -> None:
        self.times = 0
        if self.gate is not None:
            self.gate.set()


@dataclass(eq=False)
class Limit:
    """A rate limit: `calls` a window for each channel (or other major parameter) of a route."""

    route: str
    calls: int
    per_s: float
    windows: dict[str, tuple[float, int]] = field(default_factory=dict)

    def take(self, call: Call, now_s: float) -> tuple[int, float]:
        """Count a call; return (calls left, seconds until the window ends); below 0 it is refused."""
        started_s, used = self.windows.get(call.major, (now_s, 0))
        if now_s >= started_s + self.per_s:
            started_s, used = now_s, 0
        self.windows[call.major] = started_s, used + 1
        return self.calls - used - 1, started_s + self.per_s - now_s


def too_many(
    retry_after_s: float, code: int, is_global: bool, via: bool, message: str | None
) -> tuple[Json, dict[str, str]]:
    """Return body and headers of a 429; without `Via` it comes from Cloudflare, and the library gives up at once."""
    body: Json = {
        "message": message or "You are being rate limited.",
        "retry_after": retry_after_s,
        "global": is_global,
    }
    headers = {"Retry-After": str(int(retry_after_s) + 1), "X-RateLimit-Scope": "global" if is_global else "user"}
    headers |= {"X-RateLimit-Global": "true"} if is_global else {}
    return body | ({"code": code} if code else {}), headers | ({"Via": "1.1 google"} if via else {})
