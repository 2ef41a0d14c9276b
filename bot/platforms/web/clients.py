"""Clients by address, and their rate limits, which are checked before a body is read."""

import asyncio
import ipaddress
import re
from functools import lru_cache

from aiohttp import web

# A body must arrive within this time.
BODY_S = 5.0
LARGEST_BODY = 64 * 1024
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_FORM = "application/x-www-form-urlencoded"


def is_https(request: web.Request) -> bool:
    """Return whether the client uses https. A proxy says so in a header; a client that lies only loses its own
    cookie.
    """
    return request.secure or request.headers.get("X-Forwarded-Proto", "") == "https"


def comes_from_here(request: web.Request) -> bool:
    """Return whether a request comes from our own pages (CSRF): browsers name the origin of every POST and
    websocket.
    """
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or origin.partition("://")[2] == request.host


def names_loopback(request: web.Request) -> bool:
    """Return whether the host name is this machine's, and not a foreign name that points here (DNS rebinding)."""
    return _is_loopback(request.host)


@lru_cache(maxsize=256)
def _is_loopback(host: str) -> bool:
    name = host[: host.rfind(":")] if re.search(r":[0-9]+$", host) else host
    return name.strip("[]") in _LOOPBACK


def client_of(request: web.Request) -> str:
    """Return the key of a client's rate limits: its IPv4 address, or its IPv6 network, all of which one person has.

    A proxy on this machine names its client at the end of X-Forwarded-For; from elsewhere the header is ignored.
    """
    said = ",".join(request.headers.getall("X-Forwarded-For", ())).rpartition(",")[2].strip()
    return _client_behind(request.remote or "", said)


@lru_cache(maxsize=4096)
def _client_behind(remote: str, said: str) -> str:
    address = _parse_ip(remote)
    if address is not None and address.is_loopback:
        address = _parse_ip(said) or address
    return _client(address)


def client_at(peer: object) -> str | None:
    """Return the client of a connection; None if it may be a proxy for many."""
    address = _parse_ip(str(peer[0])) if isinstance(peer, tuple) and peer else None
    return None if address is None or address.is_loopback else _client(address)


def _client(address: ipaddress.IPv4Address | ipaddress.IPv6Address | None) -> str:
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _parse_ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def announced_bytes(request: web.Request) -> int:
    """Return the announced size of the body; the largest allowed one if it is not announced."""
    if request.content_length is not None:
        return request.content_length
    return LARGEST_BODY if request.can_read_body else 0


async def read_body(request: web.Request) -> bytes:
    """Read the body. Raises HTTPRequestTimeout, HTTPRequestEntityTooLarge, or HTTPBadRequest for an unreadable one."""
    try:
        if request.content.is_eof():  # most have arrived with their heads and need no timer
            return await request.read()
        async with asyncio.timeout(BODY_S):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(headers={"Connection": "close"}) from None
    except (ValueError, web.RequestPayloadError):
        raise web.HTTPBadRequest(text="") from None


async def read_form(request: web.Request) -> dict[str, str]:
    """Return the fields of a form. Raises as `read_body`, and HTTPBadRequest for another content type."""
    if not await read_body(request):
        return {}
    if request.content_type != _FORM:
        raise web.HTTPBadRequest(text="")
    try:
        form = await request.post()
    except (ValueError, LookupError):
        raise web.HTTPBadRequest(text="") from None
    return {name: value for name, value in form.items() if isinstance(value, str)}
