"""Browsers and sign-ins: a token in a cookie, all else in the store.

A token is 32 random bytes; the store keeps only its SHA-256. Each browser's cookie has its own name and its set of
players is in the store, so that two concurrent answers cannot undo each other. A token is replaced once a day; the old
one stays valid until the browser has sent the new one, and a while after that.
"""

import asyncio
import hashlib
import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.core.commands.command import Answer
from bot.core.state.transaction import State
from bot.core.state.values import Browser, Player
from bot.platforms.web.clients import is_https, read_form
from bot.texts import Text

COOKIE = "ridotto"
# Cookie that shows whether the browser keeps cookies, and the mark of a form that is sent again to find out.
TRIED, _AGAIN = "tried", "again"
NO_COOKIES = Text(
    "Your browser did not keep the cookie that signs you in. Allow cookies for this address, then try again."
)
KEPT_S = 365 * 86400
TURNS_S = 86400.0
# A token that the browser had sent, or kept over a crash, when it got a new one.
GRACE_S = 3600.0
# How long a new token can be repeated; it is only in memory.
PASSING_S = 600.0
SEEN_EVERY_S = 3600.0
# More cookies than this belong to earlier casinos at this address: unknown ones are deleted.
MOST_COOKIES = 20
_BROWSER = re.compile(rf"{COOKIE}-([0-9a-f]{{16}})")
_SLUG = re.compile(r"[a-z0-9-]*?([1-9][0-9]{0,11})")
_FOUND = web.RequestKey("browsers", list)
_COOKIES = web.RequestKey("cookies", dict)
_KINDS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Macintosh", "CrOS", "Linux")


def new_token() -> str:
    """Return a token of 256 bits in characters for a cookie."""
    return secrets.token_urlsafe(32)


def account_of(token: str) -> str:
    """Return the digest of a token that is kept in its place."""
    return hashlib.sha256(token.encode()).hexdigest()


def slug_of(player: Player) -> str:
    """Return the player's name in addresses: readable, and unique by the number at its end."""
    plain = re.sub(r"[^a-z0-9]+", "-", player.own_name.lower()).strip("-")
    return f"{plain}-{player.id}" if plain else str(player.id)


def player_in(slug: str) -> int | None:
    """Return the player's number in an address such as `/p/12/`; None if it is malformed."""
    found = _SLUG.fullmatch(slug)
    return int(found[1]) if found else None


def kind_of(request: web.Request) -> str:
    """Return the kind of browser in a word or two, from its User-Agent."""
    said = request.headers.get("User-Agent", "")
    kind = next((kind for word, kind in _KINDS.items() if f"{word}/" in said), "")
    return " · ".join(filter(None, (kind, next((system for system in _SYSTEMS if system in said), ""))))


def keep_cookie(request: web.Request, name: str, value: str | None) -> None:
    """Set that cookie with whatever answer this request gets; None deletes it."""
    request.setdefault(_COOKIES, {})[name] = value


def set_cookies(request: web.Request, response: web.StreamResponse) -> None:
    """Add the request's new cookies to an answer."""
    for name, value in request.get(_COOKIES, {}).items():
        if value is None:
            response.del_cookie(name, path="/")
        else:
            set_cookie(request, response, name, value)
        response.headers.add("Set-Cookie", response.cookies[name].OutputString())


def set_cookie(request: web.Request, response: web.StreamResponse, name: str, value: str) -> None:
    """Set a cookie for a year, hidden from scripts and other sites; only for https if the page came by https."""
    response.set_cookie(name, value, max_age=KEPT_S, path="/", httponly=True, samesite="Lax", secure=is_https(request))


async def keeps_cookies(request: web.Request) -> bool:
    """Return whether the browser sends cookies back, once its form is read. Asked before creating anything that only a
    cookie leads back to.

    Raises HTTPTemporaryRedirect once to find out: the same form comes again with the cookie, or without it.
    """
    if request.cookies:
        return True
    if _AGAIN in request.query:
        return False
    await read_form(request)
    keep_cookie(request, TRIED, "1")
    raise web.HTTPTemporaryRedirect(f"{request.path}?{_AGAIN}=1")


@dataclass(frozen=True)
class _NewToken:
    """A new token on its way to the browser."""

    browser: str
    token: str = field(repr=False)


class Browsers:
    """All browsers of the lounge. `internal_command` submits an internal command."""

    def __init__(
        self, state: State, internal_command: Callable[..., Awaitable[Answer]], clock: Callable[[], float]
    ) -> None:
        self._state, self._submit_internal, self._clock = state, internal_command, clock
        self._passing: dict[str, asyncio.Task[_NewToken | None]] = {}

    async def of(self, request: web.Request) -> list[Browser]:
        """Return the requesting browser for each valid cookie; there are several if it first signed in twice at
        once.
        """
        if _FOUND not in request:
            request[_FOUND] = await self._find_browsers(request)
        found: list[Browser] = request[_FOUND]
        return found

    async def sign_in(self, request: web.Request, account: str, name: str, language: str) -> Answer:
        """Sign in a new player; refused for an invalid or taken name."""
        return await self._let_in(request, "sign in", account, name, language)

    async def let_in(self, request: web.Request, account: str) -> Answer:
        """Sign in a known account."""
        return await self._let_in(request, "let in", account)

    async def _let_in(self, request: web.Request, internal_command: str, account: str, *about: str) -> Answer:
        browsers, kind = await self.of(request), kind_of(request)
        id, token = (browsers[0].row.id, "") if browsers else (secrets.token_hex(8), new_token())
        where = (id, account_of(token) if token else "", kind)
        args = (account, *about, *where) if internal_command == "sign in" else (*where, account)
        answer = await self._submit_internal(internal_command, *args)
        if token and not answer.refused:
            keep_cookie(request, f"{COOKIE}-{id}", token)
        return answer

    async def _find_browsers(self, request: web.Request) -> list[Browser]:
        found, strange = [], []
        for name, token in request.cookies.items():
            named = _BROWSER.fullmatch(name)
            given = account_of(token) if named else ""
            if named and (browser := self._recognise(named[1], given)) is not None:
                await self._renew_token(request, browser, given)
                found.append(browser.row.id)
            elif named:
                strange.append(name)
        for name in strange[: -MOST_COOKIES or None]:
            keep_cookie(request, name, None)
        browsers = (self._state.browser(id) for id in found)
        return [browser for browser in browsers if browser is not None]

    def _recognise(self, id: str, given: str) -> Browser | None:
        """Return the browser with this token, or None."""
        browser = self._state.browser(id)
        if browser is None:
            return None
        row = browser.row
        is_former = hmac.compare_digest(given, row.former) and _is_in_grace(row.shown, self._clock())
        return browser if hmac.compare_digest(given, row.token) or is_former else None

    async def _renew_token(self, request: web.Request, browser: Browser, given: str) -> None:
        """Replace the token when it is due, repeat a new one that has not arrived, and note the visit."""
        row, now = browser.row, self._clock()
        is_newest = hmac.compare_digest(given, row.token)
        is_old = is_newest and row.shown is not None and now >= row.turned + TURNS_S
        if is_old or (not is_newest and row.shown is None):
            await self._pass_on(request, row.id, lambda: self._turn(row.id))
        elif is_newest and (row.shown is None or now >= row.seen + SEEN_EVERY_S):
            await self._submit_internal("see browser", row.id, kind_of(request))

    async def _turn(self, id: str) -> _NewToken | None:
        token = new_token()
        answer = await self._submit_internal("turn token", id, account_of(token))
        return None if answer.refused else _NewToken(id, token)

    async def _pass_on(
        self, request: web.Request, key: str, make: Callable[[], Coroutine[Any, Any, _NewToken | None]]
    ) -> str | None:
        """Give the same new token to all concurrent requests with `key`, once it is on disk. Return the browser's
        id.
        """
        if key not in self._passing:
            self._passing[key] = asyncio.ensure_future(make())
            asyncio.get_running_loop().call_later(PASSING_S, self._passing.pop, key, None)
        passed = await asyncio.shield(self._passing[key])
        if passed is None:
            self._passing.pop(key, None)
            return None
        keep_cookie(request, f"{COOKIE}-{passed.browser}", passed.token)
        return passed.browser


def _is_in_grace(shown: float | None, now: float) -> bool:
    return shown is None or now < shown + GRACE_S
