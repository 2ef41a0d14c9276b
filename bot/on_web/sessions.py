"""Who is asking: tokens in one cookie, players in the address, and how much anybody may ask for.

A token is 32 random bytes; the books keep its SHA-256 only, as the player's account on the platform "web". One cookie
can hold the tokens of several players: which of them is meant stands in the address.
"""

import hashlib
import ipaddress
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from aiohttp import web

from bot.floor.house import Player

COOKIE = "ridotto"
MOST_PLAYERS = 12
KEPT_S = 365 * 86400
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_SLUG = re.compile(r"[a-z0-9-]*?([1-9][0-9]{0,11})")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def new_token() -> str:
    return secrets.token_urlsafe(32)


def account_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def tokens_of(request: web.Request) -> list[str]:
    """The tokens that the cookie holds, well-formed ones alone."""
    found = request.cookies.get(COOKIE, "").split(".")
    return list(dict.fromkeys(token for token in found if _TOKEN.fullmatch(token)))[-MOST_PLAYERS:]


def set_tokens(request: web.Request, response: web.StreamResponse, tokens: Sequence[str]) -> None:
    set_cookie(request, response, COOKIE, ".".join(tokens[-MOST_PLAYERS:]))


def set_cookie(request: web.Request, response: web.StreamResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=KEPT_S, path="/", httponly=True, samesite="Lax", secure=is_https(request))


def is_https(request: web.Request) -> bool:
    """Behind a proxy it says so itself; who lies about it only loses his own cookie."""
    return request.secure or request.headers.get("X-Forwarded-Proto", "") == "https"


def slug_of(player: Player) -> str:
    """How the address names a player: readable, and told apart by the number at its end."""
    plain = re.sub(r"[^a-z0-9]+", "-", player.name.lower()).strip("-")
    return f"{plain}-{player.id}" if plain else str(player.id)


def player_in(slug: str) -> int | None:
    found = _SLUG.fullmatch(slug)
    return int(found[1]) if found else None


def comes_from_here(request: web.Request) -> bool:
    """False for what another site's page sends (CSRF): a browser names the origin of every POST and websocket."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or origin.partition("://")[2] == request.host


def names_loopback(request: web.Request) -> bool:
    """False where a foreign name was made to point at this machine (DNS rebinding)."""
    host = request.host
    name = host[: host.rfind(":")] if re.search(r":[0-9]+$", host) else host
    return name.strip("[]") in _LOOPBACK


def asker_of(request: web.Request) -> str:
    """Whose allowance a request uses up: an address; of IPv6 the network, all of which one person has.

    A proxy on this machine names at the end of X-Forwarded-For whom it speaks for; who comes from elsewhere could write
    anything there.
    """
    address = _parse_ip(request.remote or "")
    if address is not None and address.is_loopback:
        said = ",".join(request.headers.getall("X-Forwarded-For", ())).rpartition(",")[2].strip()
        address = _parse_ip(said) or address
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _parse_ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


async def read_form(request: web.Request) -> dict[str, str]:
    """What was typed into a form; files are no answer to anything here. Raises HTTPBadRequest for what is no form."""
    try:
        form = await request.post()
    except (ValueError, LookupError, AssertionError, web.RequestPayloadError):
        raise web.HTTPBadRequest(text="") from None
    for value in form.values():
        if isinstance(value, web.FileField):
            value.file.close()
    return {name: value for name, value in form.items() if isinstance(value, str)}


class Allowance:
    """So many at once, and so many a second after that, for each key. Keeps the latest few thousand keys."""

    def __init__(self, at_once: int, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.at_once, self.a_second, self._clock = at_once, a_second, clock
        self._left: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def take(self, key: object) -> bool:
        """Whether `key` may, once more."""
        now = self._clock()
        left, since = self._left.pop(key, (float(self.at_once), now))
        left = min(float(self.at_once), left + (now - since) * self.a_second)
        self._left[key] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > 10_000:
            self._left.popitem(last=False)
        return left >= 1
