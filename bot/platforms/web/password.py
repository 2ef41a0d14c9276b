"""The password of a public address: one for all, and a pass for browsers that have entered it.

A pass is random, expires, and is signed with a key derived from the lounge's key and the password: it reveals nothing
of the password, and a new password ends all passes.
"""

import asyncio
import hmac
import secrets

from aiohttp import web

from bot.platforms.web.clients import client_of, read_form
from bot.platforms.web.drawing import page, redirect_to
from bot.platforms.web.lounge import lounge_of, reader_of
from bot.platforms.web.password_throttle import TOO_MANY, stretch
from bot.platforms.web.sessions import NO_COOKIES, keep_cookie, keeps_cookies
from bot.texts import Text

COOKIE = "door"
LASTS_S = 30 * 86400.0


async def is_inside(request: web.Request) -> bool:
    """Return whether the browser has a valid pass; after half of its time it is renewed."""
    lounge, now = lounge_of(request), lounge_of(request).writer.clock()
    if lounge.password is None:
        return True
    until, _dot, rest = request.cookies.get(COOKIE, "").partition(".")
    if not until.isdecimal() or not until.isascii() or len(until) > 12 or not now < int(until) <= now + LASTS_S:
        return False
    nonce, _dot, _signature = rest.partition(".")
    if not hmac.compare_digest(rest.encode("utf-8", "replace"), (await _sign(request, until, nonce)).encode()):
        return False
    if now > int(until) - LASTS_S / 2:
        await _hand_out(request)
    return True


async def _hand_out(request: web.Request) -> None:
    until = str(int(lounge_of(request).writer.clock() + LASTS_S))
    keep_cookie(request, COOKIE, f"{until}.{await _sign(request, until, secrets.token_hex(16))}")


async def _sign(request: web.Request, until: str, nonce: str) -> str:
    """Return `NONCE.SIGNATURE`."""
    signed = f"{until}.{nonce}".encode("utf-8", "replace")
    return f"{nonce}.{hmac.new(await _key(request), signed, 'sha256').hexdigest()}"


async def _key(request: web.Request) -> bytes:
    """Return the signing key, slow to compute against guesses, and cached."""
    lounge = lounge_of(request)
    assert lounge.password is not None
    salt = await lounge.key()  # if it cannot be read now, the password is asked again
    if lounge.door_key is None:
        lounge.door_key = asyncio.ensure_future(stretch(lounge.password, salt))
    return await asyncio.shield(lounge.door_key)


async def show_password_form(request: web.Request) -> web.Response:
    """Show the field for the password (GET)."""
    return _page(request)


async def enter(request: web.Request) -> web.Response:
    """Check the password (POST).

    A right one always works; with very many wrong guesses a new browser waits a while.
    """
    lounge, asker = lounge_of(request), client_of(request)
    if lounge.password is None:
        raise web.HTTPSeeOther("/")
    is_known = bool(await lounge.browsers.of(request))
    async with lounge.passwords.turn(asker, is_known=is_known) as may_try:
        if not may_try:
            return _page(request, TOO_MANY, 429)
        said = (await read_form(request)).get("password", "")
        if not hmac.compare_digest(said.encode("utf-8", "replace"), lounge.password.encode()):
            lounge.passwords.note_wrong(asker)
            return _page(request, Text("Wrong password."), 403)
        if not await keeps_cookies(request):
            return _page(request, NO_COOKIES, 400)
    await _hand_out(request)
    return redirect_to("/")


def _page(request: web.Request, fault: Text | None = None, status: int = 200) -> web.Response:
    return page("door.html", reader_of(request), status=status, fault=fault)
