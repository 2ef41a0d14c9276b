"""The table page inside a platform's app: admission, duration, and allowed requests.

The app proves the person once (bot/platforms/common/frames.py); then the page carries a token of ours, in memory on
either side and in no cookie, because frames of other sites would lose one. A session is for one person at one table,
and ends with a ban, an account that moved to another player, a sign-out, or after six hours.
"""

import asyncio
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from bot.core.commands.command import Command, Who
from bot.core.state.lounge import LOUNGE
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.context import new_key
from bot.platforms.common.frames import OUTSIDER, FrameHost, NotProven, Proven
from bot.platforms.common.sentences import FAST
from bot.platforms.web.clients import client_of, read_body
from bot.platforms.web.drawing import page
from bot.platforms.web.live import PROTOCOL
from bot.platforms.web.lounge import LOUNGE_KEY, Cage, Frame, Lounge, Visitor, language_of, reader_of
from bot.platforms.web.sessions import slug_of
from bot.texts import GAME_NAMES, Text, say
from bot.verifier import pack

LASTS_S = 6 * 3600.0
# How soon a page notices that its session has ended.
LOOKS_EVERY_S = 1.0
# How often the platform is asked whether a person is still in the place, and administers it.
VOUCHED_S = 300.0
LARGEST_PROOF = 6 * 1024
MOST_SESSIONS = 10_000
# Pages that a frame may request below the player's own address.
_PAGES = re.compile(r"table/[0-9]+(/live|/press)?|press|history|hand/[0-9]+(/.*)?|statement|statistics|leaderboard"
                    r"|jackpot|give|people|verify|rules/.+|deal/.+|log/[0-9]+")  # fmt: skip
# The console for people who administer the place.
_CONSOLE = re.compile(
    r"operator(/open/[a-z]+|/players|/player/[0-9]+|/jackpot|/casino|/audit|(/table/[0-9]+)?(/live)?)?"
)
_TABLE = re.compile(r"table/[0-9]+")
_FILES = ("/static/", "/cards/", "/places/")
_OPENED = ("/frame/", "/learn/", "/rules/", *_FILES)
_ANYBODYS = (*_FILES, "/frame/", "/log/", "/verify/", "/rules/", f"/{pack.FILE}")
_FOREIGN_APP = Text("This app does not belong to this casino.")
_LARGE = Text("That is too large to send.")
ENDED = Text("You are signed out here. Close this and open the table again.")
BANNED = Text("You are banned from this casino.")
CLOSED = Text("That table is closed. Open another one.")
NO_TABLE_HERE = Text("Open a table from its message. There is none here that you can join.")


@dataclass
class Session:
    """A session; `key` is the hash of its token; `proven` has the proof only as a hash."""

    key: str
    proven: Proven
    platform: str
    player: int
    table: int
    place: Place
    until: float
    vouched_at: float
    inspects: bool = False

    @property
    def account(self) -> str:
        return self.proven.account


class Frames:
    """All sessions of pages in apps, in memory only, because a proof opens another one. Belongs to the event loop."""

    def __init__(self, lounge: Lounge, hosts: Sequence[FrameHost], public_url: str | None) -> None:
        self.lounge, self.public_url = lounge, public_url
        self.hosts = {host.name: host for host in hosts} if public_url is not None else {}
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._by_proof: dict[str, str] = {}
        self.asked = Allowance(60, 5.0)
        self.proven = Allowance(10, 0.2)

    def __len__(self) -> int:
        return len(self._sessions)

    def of(self, request: web.Request) -> Session | None:
        """Return the valid session of the request's token, or None."""
        token = token_of(request)
        session = self._sessions.get(_digest(token)) if token else None
        return session if session is not None and self.fault_of(session) is None else None

    def fault_of(self, session: Session) -> Text | None:
        """Return why a session has ended, or None."""
        state = self.lounge.state
        if session.until <= self.lounge.writer.clock():
            return ENDED
        if state.identity(session.platform, session.account) != session.player:
            return ENDED
        table = state.table(session.table)
        if table is None:
            return ENDED
        return BANNED if session.player in state.casinos[table.casino].state.banned else None

    def open(self, proven: Proven, platform: str, player: int, table: int, place: Place) -> str:
        """Open a session and return its token. Showing the same proof again ends the earlier session."""
        token, proof = secrets.token_urlsafe(32), _digest(proven.proof)
        self.forget(self._by_proof.get(proof, ""))
        now, kept = self.lounge.writer.clock(), proven._replace(proof=proof)
        session = Session(_digest(token), kept, platform, player, table, place, now + LASTS_S, now)
        self._sessions[session.key] = session
        self._by_proof[proof] = session.key
        while len(self._sessions) > MOST_SESSIONS:
            self.forget(next(iter(self._sessions)))
        return token

    def forget(self, key: str) -> Session | None:
        session = self._sessions.pop(key, None)
        if session is not None and self._by_proof.get(session.proven.proof) == key:
            del self._by_proof[session.proven.proof]
        return session

    async def end(self, session: Session, why: Text) -> None:
        """End a session and close its open pages."""
        self.forget(session.key)
        player = self.lounge.state.players[session.player]
        await self.lounge.live.end((_browser(session), session.account), say(why, player.language))

    async def end_invalid(self) -> None:
        """End each session that has become invalid."""
        for session in list(self._sessions.values()):
            if (why := self.fault_of(session)) is not None:
                await self.end(session, why)

    async def vouch_for_one(self) -> None:
        """Check one session, the one whose last check is oldest, if it is due. A person who left the place is signed
        out, and a former admin loses the console.
        """
        now = self.lounge.writer.clock()
        due = (one for one in self._sessions.values() if now >= one.vouched_at + VOUCHED_S)
        session = min(due, key=lambda one: one.vouched_at, default=None)
        if session is None:
            return
        session.vouched_at = now
        if await self.hosts[session.platform].place_of(session.proven, session.table) != session.place.address:
            await self.end(session, OUTSIDER)
        elif session.inspects:
            await self.ask_rights(session)

    def visitor(self, session: Session) -> Visitor:
        """Return the session's player as a visitor of its pages."""
        player = self.lounge.state.players[session.player]
        table = self.lounge.state.table(session.table)
        assert table is not None, "it is kept for good"
        ask_rights = partial(self.ask_rights, session)
        frame = Frame(session.platform, session.table, session.place, lambda: session.inspects, ask_rights)
        cage = Cage(table.casino, self.lounge.state.casinos[table.casino].name, session.place)
        return Visitor(self.lounge, player.language, player, session.account, _browser(session), cage, frame)

    async def ask_rights(self, session: Session) -> None:
        """Ask the platform whether the person administers the place now."""
        session.inspects = await self.hosts[session.platform].inspects(session.proven, session.place.address)

    def is_page(self, request: web.Request) -> bool:
        """Return whether the request is for a page shown in an app, before sign-in, for a file of such a page, which is
        loaded without a token, or for a practice hand and its rules, which an app opens in the browser.
        """
        is_known = request.path.startswith(_OPENED) or self.opened_by(request) is not None
        return bool(self.hosts) and is_known

    def opened_by(self, request: web.Request) -> FrameHost | None:
        """Return the app that opens the first page, or None."""
        if request.path != "/" or request.method != "GET":
            return None
        asked = set(request.query)
        return next((host for host in self.hosts.values() if host.marks and host.marks <= asked), None)

    def lets_through(self, request: web.Request, is_framed: bool) -> bool:
        """Return whether an app's request is allowed at the public address of a lounge without a password."""
        return is_framed and self.public_url is not None and request.host == urlsplit(self.public_url).netloc

    def comes_from_app(self, request: web.Request, session: Session | None) -> bool:
        """Return whether the request comes from the address at which the person's app serves our pages."""
        name = session.platform if session is not None else request.match_info.get("host", "")
        host, said = self.hosts.get(name), request.headers.get("Origin", "")
        served = host.origin() if host is not None else None
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin" or served is None:
            return False
        return hmac.compare_digest(said.encode("utf-8", "replace"), served.encode())

    def may_ask(self, request: web.Request, session: Session) -> bool:
        """Return whether a page in an app may show the path: the player's own pages of their table, and public ones."""
        if (wanted := self._own_page(request, session)) is not None:
            return any(pages.fullmatch(wanted) is not None for pages in (_PAGES, _CONSOLE))
        return request.path.startswith(_ANYBODYS)

    def shows_rights(self, request: web.Request, session: Session) -> bool:
        """Return whether the answer depends on admin rights: the console, and the page that links to it."""
        wanted = self._own_page(request, session) or ""
        return any(pages.fullmatch(wanted) is not None for pages in (_TABLE, _CONSOLE))

    def _own_page(self, request: web.Request, session: Session) -> str | None:
        """Return the path behind the player's own address, or None."""
        own = f"/p/{slug_of(self.lounge.state.players[session.player])}/"
        return request.path.removeprefix(own) if request.path.startswith(own) else None


FRAMES_KEY = web.AppKey("frames", Frames)


def frames_of(request: web.Request) -> Frames:
    """Return the sessions of the request's application."""
    return request.app[FRAMES_KEY]


def token_of(request: web.Request) -> str:
    """Return the token of a page in an app, from a header or a websocket's protocols; "" if there is none."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if scheme != "Bearer":
        first, _comma, token = request.headers.get("Sec-WebSocket-Protocol", "").partition(",")
        if first.strip() != PROTOCOL:
            return ""
    return token.strip()


def has_token(request: web.Request) -> bool:
    """Return whether the request carries a token, valid or not."""
    return bool(token_of(request))


async def keep_frames(app: web.Application) -> AsyncIterator[None]:
    """End sessions in the background while the lounge is open."""
    frames = app[FRAMES_KEY]

    async def watch() -> None:
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            await frames.end_invalid()
            await frames.vouch_for_one()

    watching = asyncio.ensure_future(watch())
    yield
    watching.cancel()


def make_frames(app: web.Application, hosts: Sequence[FrameHost], public_url: str | None) -> None:
    """Add the sessions to the application."""
    app[FRAMES_KEY] = Frames(app[LOUNGE_KEY], hosts, public_url)
    app.cleanup_ctx.append(keep_frames)


def _host_of(request: web.Request) -> FrameHost | None:
    return frames_of(request).hosts.get(request.match_info["host"])


async def serve_frame(request: web.Request) -> web.Response:
    """Serve the page that an app shows (GET); all else is loaded into it."""
    host = _host_of(request)
    if host is None:
        raise web.HTTPNotFound
    return shell(request, host)


def shell(request: web.Request, host: FrameHost) -> web.Response:
    """Return the first page in an app, the same for everyone; it learns from the app who the person is."""
    response = page("frame.html", reader_of(request), host=host, site=frames_of(request).public_url, told=host.told())
    response.headers["Content-Security-Policy"] = " ".join(("frame-ancestors", *host.ancestors))
    return response


async def script(request: web.Request) -> web.Response:
    """Serve the page's script that talks with the app (GET)."""
    host = _host_of(request)
    if host is None:
        raise web.HTTPNotFound
    text = await asyncio.to_thread(host.script.read_text, "utf-8")
    return web.Response(text=text, content_type="text/javascript", charset="utf-8")


async def prove(request: web.Request) -> web.Response:
    """Check the app's proof of identity (POST). Answers with a token and the address of the table, or a sentence."""
    frames, language, host = frames_of(request), language_of(request), _host_of(request)
    if host is None:
        return _refuse(_FOREIGN_APP, language, 404)
    if not frames.asked.spend(client_of(request)):
        return _refuse(FAST, language, 429)
    if (request.content_length or 0) > LARGEST_PROOF:
        return _refuse(_LARGE, language, 413)
    body = await read_body(request)
    if len(body) > LARGEST_PROOF:
        return _refuse(_LARGE, language, 413)
    try:
        proven = await host.prove(body)
    except NotProven as refused:
        return _refuse(refused.text, language, 403)
    if not frames.proven.spend((host.name, proven.account)):
        return _refuse(FAST, proven.language, 429)
    try:
        return web.json_response(await _let_in(frames, host, proven))
    except NotProven as refused:
        return _refuse(refused.text, proven.language, 403)


def _refuse(text: Text, language: str, status: int) -> web.Response:
    return web.json_response({"texts": [say(text, language)], "refused": True}, status=status)


async def _let_in(frames: Frames, host: FrameHost, proven: Proven) -> dict[str, Any]:
    """Open a session for a proven person. Raises NotProven."""
    if proven.table is None:
        return await _offer(frames, host, proven)
    lounge = frames.lounge
    table = lounge.state.table(proven.table)
    # No platform proves anything about the lounge's own casino, which has a password of its own.
    address = await host.place_of(proven, proven.table) if table and table.casino != LOUNGE else None
    if table is None or address is None:
        raise NotProven(OUTSIDER)
    if table.status == "closed":
        raise NotProven(CLOSED)
    place = Place(host.name, address)
    who = Who(host.name, proven.account, proven.name, proven.language, here=None)
    # As if the person had written in the chat: they become known and get welcome chips.
    await lounge.submit(Command(new_key(host.name), who, place, "balance"))
    id = lounge.state.identity(host.name, proven.account)
    if id is None or id in lounge.state.casinos[table.casino].state.banned:
        raise NotProven(BANNED)
    token = frames.open(proven, host.name, id, table.id, place)
    return {"token": token, "go": f"/p/{slug_of(lounge.state.players[id])}/table/{table.id}"}


async def _offer(frames: Frames, host: FrameHost, proven: Proven) -> dict[str, Any]:
    """Return the tables that the person may join, if the app was opened without one; the page then shows its proof
    again.

    Raises NotProven.
    """
    state = frames.lounge.state
    id = state.identity(host.name, proven.account)
    casinos = state.players[id].state.casinos if id is not None else ()
    known = [table for casino in casinos for table in frames.lounge.tables(casino) if casino != LOUNGE]
    open_to_him = [table for table in known if await host.place_of(proven, table.id) is not None]
    if not open_to_him:
        raise NotProven(NO_TABLE_HERE)
    return {"tables": [{"table": f"t{one.id}", "label": _title(frames, one, proven.language)} for one in open_to_him]}


def _title(frames: Frames, table: Table, language: str) -> str:
    casino = frames.lounge.state.casinos[table.casino].name
    return say(
        Text("{game} {number} · {casino}", game=GAME_NAMES[table.game], number=table.number, casino=casino),
        language,
    )


async def leave(request: web.Request) -> web.Response:
    """End this session (POST)."""
    frames = frames_of(request)
    session = frames.of(request)
    if session is not None:
        await frames.end(session, ENDED)
    return web.json_response({"texts": [say(ENDED, language_of(request))]})


async def check_token(request: web.Request) -> web.Response:
    """Answer that a token is valid (GET); the guard has refused invalid ones."""
    return web.json_response({})


def refuse_token(request: web.Request) -> web.Response:
    """Refuse a page whose session has ended; it may show its proof again."""
    return _refuse(ENDED, language_of(request), 401)


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def _browser(session: Session) -> str:
    return f"frame {session.key[:16]}"
