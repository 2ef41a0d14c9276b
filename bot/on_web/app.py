"""The lounge's web application: its addresses, its doors, and what stands in every answer's headers."""

import hashlib
import hmac
import logging
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path

from aiohttp import web

from bot.floor.command import FAULT
from bot.on_web import faces, figures, monitoring, operator, pages, press, share, table
from bot.on_web.connections import CONNECTIONS_KEY, Connections, keep_pace
from bot.on_web.drawing import go, page, sentence
from bot.on_web.lounge import LOUNGE_KEY, Lounge, Visitor, language_of, lounge_of
from bot.on_web.sessions import asker_of, comes_from_here, is_https, names_loopback, read_form, set_cookie
from bot.texts import Text, say

LARGEST_BODY = 64 * 1024
DOOR = "door"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "same-origin",
    "Server": "Ridotto",
    "X-Content-Type-Options": "nosniff",
}
# Who speaks https here goes on with it.
HTTPS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}
_STATIC = Path(__file__).parent / "static"
# What a machine or a locked-out person may see.
_FOR_MACHINES = ("/healthz", "/telegram")
_OPEN = ("/healthz", "/metrics", "/door", "/static/")
_MISSING = Text("There is no such page.")
_FOREIGN = Text("That came from another site's page: nothing was done.")
_HOST = Text("This address is for this machine alone; from elsewhere the lounge needs RIDOTTO_WEB_PASSWORD.")
_LARGE = Text("That was far too much at once.")
_log = logging.getLogger("ridotto.web")
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(lounge: Lounge) -> web.Application:
    middlewares = [keep_pace, _catch_faults, _speak_plainly, _guard]
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=middlewares)
    app[LOUNGE_KEY] = lounge
    app[CONNECTIONS_KEY] = Connections()
    app.on_response_prepare.append(_set_headers)
    app.add_routes(
        [
            web.get("/", pages.front),
            web.post("/sign-in", pages.sign_in),
            web.get("/door", _door),
            web.post("/door", _open_door),
            web.get("/verify", pages.verifier),
            web.get("/table/{shared:[0-9]{1,11}}", share.show),
            web.get("/table/{shared:[0-9]{1,11}}.png", share.picture),
            web.get("/cards/{version:[0-9a-f]{12}}/{card}.svg", faces.face),
            web.get("/rules/{game}", pages.rules),
            web.get("/operator/{token}", operator.link),
            web.post("/operator/{token}", operator.take),
            web.get("/healthz", monitoring.health),
            web.get("/metrics", monitoring.metrics),
            web.get("/p/{slug}/", pages.lobby),
            web.get("/p/{slug}/live", pages.follow_lobby),
            web.post("/p/{slug}/press", press.press),
            web.post("/p/{slug}/sign-out", pages.sign_out),
            web.get("/p/{slug}/table/{table:[0-9]+}", table.show),
            web.get("/p/{slug}/table/{table:[0-9]+}/live", table.follow),
            web.post("/p/{slug}/table/{table:[0-9]+}/press", press.press),
            web.get("/p/{slug}/history", pages.history),
            web.get("/p/{slug}/hand/{hand:[0-9]{1,12}}", pages.hand),
            web.get("/p/{slug}/hand/{hand:[0-9]{1,12}}/record", pages.hand_record),
            web.get("/p/{slug}/statement", pages.statement),
            web.get("/p/{slug}/leaderboard", pages.leaderboard),
            web.get("/p/{slug}/statistics", figures.statistics),
            web.get("/p/{slug}/jackpot", figures.jackpot),
            web.get("/p/{slug}/verify", pages.verifier),
            web.get("/p/{slug}/rules/{game}", pages.rules),
            web.get("/p/{slug}/operator", operator.operator),
            web.static("/static", _STATIC),
        ]
    )
    return app


async def _set_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Before the first byte of every answer, websockets included."""
    response.headers.update(HEADERS)
    if is_https(request):
        response.headers.update(HTTPS_HEADERS)
    if request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-cache"
    else:
        response.headers.setdefault("Cache-Control", "no-store")


@web.middleware
async def _catch_faults(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """A website's own faults stay in its log: the visitor reads one sentence."""
    try:
        return await handler(request)
    except web.HTTPException:
        raise
    except ConnectionError:
        raise
    except Exception as fault:
        _log.error("a page failed: %s", type(fault).__name__, exc_info=fault)
        return _say(request, FAULT.texts[0], 500)


@web.middleware
async def _speak_plainly(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """aiohttp's own refusals (no such page, too large) as one sentence."""
    try:
        return await handler(request)
    except web.HTTPRequestEntityTooLarge:
        return _say(request, _LARGE, 413)
    except web.HTTPException as answer:
        if answer.status < 400:
            raise
        return _say(request, _MISSING if answer.status in (404, 405) else _FOREIGN, answer.status)


@web.middleware
async def _guard(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """This machine's name, this site's pages, this house's guests."""
    lounge = lounge_of(request)
    if request.path in _FOR_MACHINES:
        return await handler(request)
    if lounge.password is None and not names_loopback(request):
        return _say(request, _HOST, 421)
    speaks = request.method not in ("GET", "HEAD") or request.path.endswith("/live")
    if speaks and not comes_from_here(request):
        return _say(request, _FOREIGN, 403)
    is_open = request.path.startswith(_OPEN) or share.opens(request)
    if lounge.password is not None and not is_open and not _is_inside(request):
        raise web.HTTPSeeOther("/door")
    return await handler(request)


def _say(request: web.Request, text: Text, status: int) -> web.Response:
    language = language_of(request)
    if request.path.endswith("/press"):
        return web.json_response({"texts": [say(text, language)], "refused": True}, status=status)
    return sentence(Visitor(lounge_of(request), language), text, status=status)


# The door of a public address


@lru_cache(maxsize=1)
def _pass_of(password: str) -> str:
    """What the cookie of somebody holds who knew the password; slow to try passwords against."""
    key = hashlib.scrypt(password.encode(), salt=b"ridotto door", n=2**12, r=8, p=1)
    return hmac.new(key, b"door", "sha256").hexdigest()


def _is_inside(request: web.Request) -> bool:
    password = lounge_of(request).password
    return password is None or hmac.compare_digest(request.cookies.get(DOOR, "").encode(), _pass_of(password).encode())


async def _door(request: web.Request) -> web.Response:
    return page("door.html", Visitor(lounge_of(request), language_of(request)), fault=None)


async def _open_door(request: web.Request) -> web.Response:
    lounge, visitor = lounge_of(request), Visitor(lounge_of(request), language_of(request))
    if lounge.password is None:
        raise web.HTTPSeeOther("/")
    # Passwords are tried from many addresses as well as from one.
    if not (lounge.sign_ins.take(("door", asker_of(request))) and lounge.tries.take("door")):
        return page("door.html", visitor, status=429, fault=Text("Too many tries: wait a minute, please."))
    said = (await read_form(request)).get("password", "")
    if not hmac.compare_digest(said.encode("utf-8", "replace"), lounge.password.encode()):
        return page("door.html", visitor, status=403, fault=Text("That is not the password."))
    response = go("/")
    set_cookie(request, response, DOOR, _pass_of(lounge.password))
    return response
