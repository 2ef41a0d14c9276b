"""The lounge's web application: its routes, and the headers of every answer."""

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.core.commands.command import FAULT
from bot.platforms.common.sentences import FAST
from bot.platforms.web import (
    account,
    bells,
    console,
    deal,
    figures,
    files,
    frames,
    installed,
    kept,
    learn,
    log,
    log_page,
    monitoring,
    operator,
    pages,
    password,
    press,
    push,
    replay,
    returns,
    share,
    shown,
    table,
    verify,
)
from bot.platforms.web.clients import LARGEST_BODY, comes_from_here, is_https, names_loopback
from bot.platforms.web.connections import CONNECTIONS_KEY, Connections, keep_pace
from bot.platforms.web.drawing import sentence
from bot.platforms.web.lounge import FRAMED, HEALTH, LOUNGE_KEY, METRICS, Lounge, language_of, lounge_of, reader_of
from bot.platforms.web.sessions import set_cookies
from bot.texts import Text, say
from bot.verifier import pack
from storage.faults import BooksGone

POLICY, UNFRAMED = "Content-Security-Policy", "frame-ancestors 'none'"
HEADERS = {
    POLICY: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    f" connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; {UNFRAMED}",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "same-origin",
    "Server": "Ridotto",
    "X-Content-Type-Options": "nosniff",
}
# A client that uses https keeps using it.
HTTPS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}
# What a locked-out person may see.
_INSTALLED = (installed.MANIFEST, installed.WORKER, installed.OFFLINE)
_OPEN = (HEALTH, METRICS, "/door", "/static/", "/shown/", "/log/", *_INSTALLED)
_MISSING = Text("There is no such page.")
_FOREIGN = Text("That came from another website, so nothing was done.")
_HOST = Text("This address works only on this machine. To open the lounge to others, set RIDOTTO_WEB_PASSWORD.")
_LARGE = Text("That is too large to send.")
_LATE = Text("That took too long to arrive. Send it again.")
_BUSY = Text("Too busy just now. Try again in a moment.")
_SENTENCES = {404: _MISSING, 405: _MISSING, 408: _LATE, 429: FAST, 503: _BUSY}
_log = logging.getLogger("ridotto.web")
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(lounge: Lounge) -> web.Application:
    """Build the application: all routes, behind limits, errors, headers and access checks."""
    middlewares = [keep_pace, _catch_faults, _speak_plainly, _guard]
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=middlewares)
    app[LOUNGE_KEY] = lounge
    app[CONNECTIONS_KEY] = Connections()
    app.on_response_prepare.append(_set_headers)
    frames.make_frames(app, lounge.frames, lounge.public_url)
    lounge.subscribers.append(bells.Bells(app).handle_change)
    app.cleanup_ctx.append(monitoring.watch_loop)
    app.cleanup_ctx.append(returns.keep_returns)
    app.add_routes(
        [
            # Routes are searched in this order, the most frequent first.
            web.post("/p/{slug}/table/{table:[0-9]+}/press", press.press),
            web.get("/", pages.front),
            web.get("/frame/session", frames.check_token),
            web.post("/frame/leave", frames.leave),
            web.get("/frame/{host:[a-z]+}", frames.serve_frame),
            web.get("/frame/{host:[a-z]+}/script.js", frames.script),
            web.post("/frame/{host:[a-z]+}/prove", frames.prove),
            web.post("/sign-in", pages.sign_in),
            web.post("/recover", account.recover),
            web.get("/door", password.show_password_form),
            web.post("/door", password.enter),
            web.get(installed.MANIFEST, installed.manifest),
            web.get(installed.WORKER, installed.worker),
            web.get(installed.OFFLINE, installed.offline),
            web.get("/verify", verify.show_verifier),
            web.get("/verify/games.json", verify.games),
            web.get(f"/{pack.FILE}", verify.one_file),
            web.get("/table/{shared:[0-9]{1,11}}", share.show_shared_table),
            web.get("/table/{shared:[0-9]{1,11}}.png", share.picture),
            web.get("/shown/{key:[A-Za-z0-9_-]{22}}", shown.show_shared_hand),
            web.get("/shown/{key:[A-Za-z0-9_-]{22}}.{ending:png|gif}", shown.picture),
            web.get("/cards/{version:[0-9a-f]{12}}/{card}.svg", kept.face),
            web.get("/places/{version:[0-9a-f]{12}}/{game}.css", kept.places),
            web.get("/log/{casino:[0-9]{1,12}}", log_page.show_log),
            web.get("/log/{casino:[0-9]{1,12}}/head", log.head),
            web.get("/log/{casino:[0-9]{1,12}}/entries", log.entries),
            web.get("/log/{casino:[0-9]{1,12}}/consistency", log.consistency),
            web.get("/log/{casino:[0-9]{1,12}}/heads", log.heads),
            web.get("/log/{casino:[0-9]{1,12}}/inclusion", log.inclusion),
            web.get("/rules/{game}", pages.rules),
            web.get("/learn/{game}", learn.show_lesson),
            web.post("/learn/{game}/press", learn.press),
            web.get("/operator/{token}", operator.link),
            web.post("/operator/{token}", operator.make_inspector),
            web.get(HEALTH, monitoring.health),
            web.get(METRICS, monitoring.metrics),
            web.get("/p/{slug}/", pages.lobby),
            web.get("/p/{slug}/live", pages.follow_lobby),
            web.post("/p/{slug}/press", press.press),
            web.get("/p/{slug}/account", account.show_account),
            web.post("/p/{slug}/sign-out", account.sign_out),
            web.post("/p/{slug}/end-session", account.end_session),
            web.post("/p/{slug}/phrase", account.make_phrase),
            web.post("/p/{slug}/name", account.rename),
            web.post("/p/{slug}/push", push.set_notices),
            web.get("/p/{slug}/table/{table:[0-9]+}", table.show_table),
            web.get("/p/{slug}/table/{table:[0-9]+}/live", table.follow),
            web.get("/p/{slug}/history", pages.history),
            web.get("/p/{slug}/hand/{hand:[0-9]{1,12}}", pages.hand),
            web.get("/p/{slug}/hand/{hand:[0-9]{1,12}}/step/{step:[0-9]{1,6}}", replay.show_step),
            web.get("/p/{slug}/hand/{hand:[0-9]{1,12}}/record", pages.hand_record),
            web.get("/p/{slug}/hand/{hand:[0-9]{1,12}}/replay", pages.hand_replay),
            web.get("/p/{slug}/hand/{hand:[0-9]{1,12}}/played", pages.hand_played),
            web.get("/p/{slug}/statement", pages.statement),
            web.get("/p/{slug}/leaderboard", pages.leaderboard),
            web.get("/p/{slug}/give", pages.show_gift_form),
            web.get("/p/{slug}/people", pages.people),
            web.get("/p/{slug}/statistics", figures.statistics),
            web.get("/p/{slug}/jackpot", figures.jackpot),
            web.get("/p/{slug}/verify", verify.show_verifier),
            web.get("/p/{slug}/log/{casino:[0-9]{1,12}}", log_page.show_log),
            web.get("/p/{slug}/rules/{game}", pages.rules),
            web.get("/p/{slug}/learn/{game}", learn.show_lesson),
            web.post("/p/{slug}/learn/{game}/press", learn.press),
            web.get("/p/{slug}/deal/{game}", deal.show_deal),
            web.get("/p/{slug}/operator", operator.operator),
            web.get("/p/{slug}/operator/live", console.follow_tables),
            web.get("/p/{slug}/operator/open/{game}", console.open_form),
            web.get("/p/{slug}/operator/table/{table:[0-9]{1,11}}", console.table),
            web.get("/p/{slug}/operator/table/{table:[0-9]{1,11}}/live", console.follow_table),
            web.get("/p/{slug}/operator/players", console.players),
            web.get("/p/{slug}/operator/player/{player:[0-9]{1,12}}", console.one_player),
            web.get("/p/{slug}/operator/jackpot", console.jackpot),
            web.get("/p/{slug}/operator/casino", console.casino),
            web.get("/p/{slug}/operator/audit", console.audit),
            web.get(f"/static/{files.FILE}", files.serve_file),
        ]
    )
    app.add_routes(lounge.routes)
    return app


async def _set_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Set the headers before the first byte of every answer, websockets included."""
    framed_by = response.headers.get(POLICY, "")
    response.headers.update(HEADERS)
    if framed_by:
        response.headers[POLICY] = HEADERS[POLICY].replace(UNFRAMED, framed_by)
    set_cookies(request, response)
    if is_https(request):
        response.headers.update(HTTPS_HEADERS)
    if request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-cache"
    else:
        response.headers.setdefault("Cache-Control", "no-store")


@web.middleware
async def _catch_faults(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Log a page's own faults; the visitor gets one sentence."""
    try:
        return await handler(request)
    except web.HTTPException:
        raise
    except ConnectionError:
        raise
    except BooksGone:
        return _respond_with(request, FAULT.texts[0], 503)  # the process ends, and the log says why
    except Exception as fault:
        _log.error("a page failed: %s", type(fault).__name__, exc_info=fault)
        return _respond_with(request, FAULT.texts[0], 500)


@web.middleware
async def _speak_plainly(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Replace aiohttp's own errors (not found, too large) by one sentence."""
    try:
        return await handler(request)
    except web.HTTPRequestEntityTooLarge:
        return _respond_with(request, _LARGE, 413)
    except web.HTTPException as answer:
        if answer.status < 400:
            raise
        return _respond_with(request, _SENTENCES.get(answer.status, _FOREIGN), answer.status)


@web.middleware
async def _guard(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Check a request: the host name, the origin of forms, and the password or app session."""
    lounge = lounge_of(request)
    if request.path in lounge.for_machines:
        return await handler(request)
    in_app = frames.frames_of(request)
    session = in_app.of(request)
    if session is None and frames.has_token(request):
        return frames.refuse_token(request)
    is_framed = session is not None or in_app.is_page(request)
    if lounge.password is None and not names_loopback(request) and not in_app.lets_through(request, is_framed):
        return _respond_with(request, _HOST, 421)
    speaks = request.method not in ("GET", "HEAD") or request.path.endswith("/live")
    if speaks and not comes_from_here(request) and not in_app.comes_from_app(request, session):
        return _respond_with(request, _FOREIGN, 403)
    if session is not None:
        if not in_app.may_ask(request, session):
            raise web.HTTPNotFound
        if in_app.shows_rights(request, session):
            await in_app.ask_rights(session)
        request[FRAMED] = in_app.visitor(session)
    is_open = is_framed or request.path.startswith(_OPEN) or share.opens(request)
    if lounge.password is not None and not is_open and not await password.is_inside(request):
        raise web.HTTPSeeOther("/door")
    return await handler(request)


def _respond_with(request: web.Request, text: Text, status: int) -> web.Response:
    if request.path.endswith(("/press", "/prove")):
        return web.json_response({"texts": [say(text, language_of(request))], "refused": True}, status=status)
    return sentence(reader_of(request), text, status=status)
