"""Notices by the browser while none of the player's pages is visible: Web Push (RFC 8030, 8291, 8292).

Only players who ask for it in a browser get notices there, and only while signed in there. A notice says that it is
their turn, or that a seat is free, and where, with no card and no amount, encrypted for that browser. The push service
was named by the browser: it is called by https, never at an address of this network, and only the status of its answer
is read.

The libraries are an extra, `push`; without it nothing here is used.
"""

import asyncio
import ipaddress
import json
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, NamedTuple

import aiohttp
import msgspec
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from bot.core.state.lounge import PLATFORM
from bot.core.state.table import Table
from bot.platforms.common.recent import Recent
from bot.platforms.common.stages import now_of, waited_for
from bot.platforms.web.clients import read_body
from bot.platforms.web.lounge import SLOWLY, Lounge, Visitor, player_of
from bot.texts import GAME_NAMES, Text, say
from storage.questions import notes

LIBRARIES = ("pywebpush", "py_vapid")
KEY, WISH = "key for pushes", "push "
# Longest delay until an account that moved to another player by a link counts as theirs.
FRESH_S = 60.0
TIMEOUT_S, MOST_AT_ONCE, MOST_KEPT = 10.0, 200, 10_000
# How far in advance a call to a push service is signed; RFC 8292 allows a day.
SIGNED_S = 3600
_TURN, _FREE, _WHERE = Text("It's your turn."), Text("A seat is free."), Text("{game}, table {number}")
# How long a push service keeps the notice of a free seat.
FREE_S = 300
_ON, _OFF = Text("This browser notifies you when it is your turn."), Text("Notifications are off in this browser.")
_STRANGE = Text("This browser's push service cannot be used.")
_log = logging.getLogger("ridotto.web")


class _Keys(msgspec.Struct):
    p256dh: Annotated[str, msgspec.Meta(max_length=100)]
    auth: Annotated[str, msgspec.Meta(max_length=40)]


class Subscription(msgspec.Struct):
    """A browser's subscription (`PushSubscription.toJSON`): the address of its service, and its keys."""

    endpoint: Annotated[str, msgspec.Meta(max_length=1000)]
    keys: _Keys


class Wish(msgspec.Struct):
    """The stored subscription of one browser, and the accounts whose turns it is told."""

    to: Subscription
    accounts: tuple[str, ...]


class PushOffer(NamedTuple):
    """Data for a page that offers notices: the server's public key, and whether this browser gets notices already."""

    key: str
    is_wanted: bool


class OutsideOnly(AbstractResolver):
    """A resolver that knows only public addresses, so that a subscriber cannot make us call this machine or its
    network.
    """

    def __init__(self) -> None:
        self._names = aiohttp.DefaultResolver()

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:
        found = await self._names.resolve(host, port, family)
        outside = [one for one in found if ipaddress.ip_address(one["host"]).is_global]
        if not outside:
            raise OSError("not a public internet address")
        return outside

    async def close(self) -> None:
        await self._names.close()


def is_outside(url: URL) -> bool:
    """Return whether the address has a name, which `OutsideOnly` resolves; numeric addresses would bypass it."""
    return url.scheme == "https" and url.explicit_port is None and url.user is None and _is_name(url.host or "")


def _is_name(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "." in host
    return False


def _call_outside() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(resolver=OutsideOnly()))


def is_installed() -> bool:
    """Return whether the extra is installed."""
    return all(find_spec(name) is not None for name in LIBRARIES)


@dataclass(eq=False)
class Push:
    """Turn notices. Belongs to the event loop. `contact` is our address, by which a push service knows the sender."""

    lounge: Lounge
    contact: str
    may_call: Callable[[URL], bool] = is_outside
    call: Callable[[], aiohttp.ClientSession] = _call_outside
    _wishes: dict[str, Wish] = field(default_factory=dict)
    _browsers: dict[int, list[str]] = field(default_factory=dict)
    _is_read: bool = False
    _sorted_at: float = float("-inf")
    _told: Recent[tuple[int, int], str] = field(default_factory=lambda: Recent(MOST_KEPT))
    _going: int = 0
    _http: aiohttp.ClientSession | None = None
    _key: Any = None

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()

    async def offer(self, visitor: Visitor) -> PushOffer:
        """Return the offer for the player's page in this browser."""
        await self._read_wishes()
        wish = self._wishes.get(visitor.browser)
        return PushOffer(public_of(await self.key()), wish is not None and visitor.account in wish.accounts)

    async def wish(self, visitor: Visitor, to: Subscription | None) -> Text:
        """Turn notices for the player on or off in this browser, on disk before the answer."""
        await self._read_wishes()
        known = self._wishes.get(visitor.browser)
        others = tuple(one for one in (known.accounts if known else ()) if one != visitor.account)
        if to is None and known is not None:
            await self._note(visitor.browser, Wish(known.to, others))
        elif to is not None:
            await self._note(visitor.browser, Wish(to, (*others, visitor.account)))
        return _OFF if to is None else _ON

    async def forget(self, browser: str, account: str) -> None:
        """Forget a signed-out account, and the browser's subscription after its last one."""
        await self._read_wishes()
        known = self._wishes.get(browser)
        if known is not None and account in known.accounts:
            await self._note(browser, Wish(known.to, tuple(one for one in known.accounts if one != account)))

    async def _note(self, browser: str, wish: Wish | None) -> None:
        kept = wish if wish is not None and wish.accounts else None
        await self.lounge.see_to("note", f"{WISH}{browser}", msgspec.json.encode(kept).decode())
        if kept is None:
            self._wishes.pop(browser, None)
        else:
            self._wishes[browser] = kept
        self._sort()

    async def _read_wishes(self) -> None:
        """Read what was noted before the last start, once."""
        if self._is_read:
            return
        self._is_read = True
        rows = await asyncio.to_thread(notes.notes_of_platform, self.lounge.state.books, PLATFORM, WISH)
        found = {row.name.removeprefix(WISH): msgspec.json.decode(row.value, type=Wish | None) for row in rows}
        self._wishes = {browser: wish for browser, wish in found.items() if wish is not None}
        self._sort()

    def _sort(self) -> None:
        """Sort browsers by player, because an account may belong to another one after a link."""
        self._sorted_at = asyncio.get_running_loop().time()
        self._browsers = {}
        for browser, wish in self._wishes.items():
            for account in wish.accounts:
                if (player := self.lounge.player_of(account)) is not None:
                    self._browsers.setdefault(player, []).append(browser)

    def tells(self, player: int) -> bool:
        """Return whether a browser tells this player, as far as known."""
        return player in self._browsers

    def handle_change(self, id: int) -> None:
        """Send each player to move a notice, once a turn, unless they look at a page."""
        table = self.lounge.state.table(id)
        if not self._is_read:
            self.lounge.spawn(self._read_wishes())
        elif asyncio.get_running_loop().time() >= self._sorted_at + FRESH_S:
            self._sort()
        if table is None or table.round.hand is None or table.round.deadline is None or not self._browsers:
            return
        for player in waited_for(table):
            if not self.tells(player) or self._told.get((player, id)) == (now := now_of(table)):
                continue
            if not self.lounge.live.is_looked_at_by(player) and self._going < MOST_AT_ONCE:
                self._told[player, id] = now
                lasts_s = max(0, int(table.round.deadline - self.lounge.writer.clock()))
                self.lounge.spawn(self._notify_player(player, table, _TURN, lasts_s))

    async def tell_seat(self, player: int, table: Table) -> None:
        """Send the notice of a free seat."""
        await self._notify_player(player, table, _FREE, FREE_S)

    async def _notify_player(self, player: int, table: Table, title: Text, lasts_s: int) -> None:
        """Send to all browsers of the player at once, so that a slow service delays no other."""
        self._going += 1
        try:
            browsers = [(one, self._wishes.get(one)) for one in self._browsers.get(player, [])]
            people = [(one, wish, self._visitor(one, wish, player)) for one, wish in browsers if wish]
            told = (self._send(one, wish, visitor, table, title, lasts_s) for one, wish, visitor in people if visitor)
            await asyncio.gather(*told)
        finally:
            self._going -= 1

    def _visitor(self, browser: str, wish: Wish, player: int) -> Visitor | None:
        """Return the visitor behind a subscription; None if the player is no longer signed in there."""
        known = self.lounge.state.browser(browser)
        for account in wish.accounts:
            if known is not None and account in known.accounts and self.lounge.player_of(account) == player:
                one = self.lounge.state.players[player]
                return Visitor(self.lounge, one.language, one, account, browser)
        return None

    async def _send(self, browser: str, wish: Wish, visitor: Visitor, table: Table, title: Text, lasts_s: int) -> None:
        """Send a notice. If the service no longer knows the browser its subscription ends; other failures are not
        retried.
        """
        if visitor.find_table(str(table.id)) is None:
            return
        where = Text(_WHERE.template, game=GAME_NAMES[table.game], number=table.number)
        told = {
            "title": say(title, visitor.language),
            "body": say(where, visitor.language),
            "url": f"{visitor.base}/table/{table.id}",
            "tag": f"table{table.id}",
        }
        url, key = URL(wish.to.endpoint), await self.key()
        headers, body = await asyncio.to_thread(seal, wish.to, told, key, self.contact, self.lounge.writer.clock())
        headers |= {"TTL": str(lasts_s), "Urgency": "high", "Topic": told["tag"]}
        if self._http is None:
            self._http = self.call()
        try:
            async with self._http.post(
                url, data=body, headers=headers, allow_redirects=False, timeout=aiohttp.ClientTimeout(TIMEOUT_S)
            ) as answer:
                status = answer.status
        except (aiohttp.ClientError, OSError, TimeoutError) as fault:
            _log.info("a notification failed: %s", type(fault).__name__)
            return
        if status in (404, 410):
            await self._note(browser, None)
        elif status >= 300:
            _log.warning("a push service refused a notification (%d)", status)

    async def key(self) -> Any:
        """Return our key for push services (VAPID), created on first use and kept in the store."""
        if self._key is None:
            vapid = import_module("py_vapid").Vapid02
            made = vapid()
            made.generate_keys()
            number = made.private_key.private_numbers().private_value
            kept = await self.lounge.noted_first(KEY, _letters(number.to_bytes(32, "big")))
            self._key = vapid.from_raw(kept.encode())
        return self._key


PUSH_KEY = web.AppKey("push", Push)
"""The sender of turn notices, if there is a public address and the extra."""


async def offer_push(request: web.Request, visitor: Visitor) -> PushOffer | None:
    """Return the offer of notices, or None without the extra."""
    push = request.app.get(PUSH_KEY)
    return await push.offer(visitor) if push is not None else None


def public_of(key: Any) -> str:
    """Return the public key for browsers: an uncompressed point in base64url."""
    point = key.public_key.public_numbers()
    return _letters(b"\x04" + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big"))


def _letters(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def seal(to: Subscription, told: Mapping[str, str], key: Any, contact: str, now: float) -> tuple[dict[str, str], bytes]:
    """Return headers and body of a message that only this browser can read, signed by us."""
    url = URL(to.endpoint)
    sealed = import_module("pywebpush").WebPusher(msgspec.to_builtins(to)).encode(json.dumps(told).encode())
    headers: dict[str, str] = key.sign({"aud": str(url.origin()), "sub": contact, "exp": int(now) + SIGNED_S})
    return {**headers, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}, sealed["body"]


async def set_notices(request: web.Request) -> web.Response:
    """Turn notices for the player in the address on or off (POST): a browser's subscription as JSON, or null."""
    visitor, push = await player_of(request), request.app.get(PUSH_KEY)
    if push is None or not visitor.browser:
        raise web.HTTPNotFound
    assert visitor.player is not None
    if not visitor.lounge.presses.spend(visitor.player.id):
        return _reply(visitor, SLOWLY.texts[0], 429)
    try:
        to = msgspec.json.decode(await read_body(request), type=Subscription | None)
        if to is not None and not (push.may_call(URL(to.endpoint)) and _can_seal(to)):
            return _reply(visitor, _STRANGE, 400)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return _reply(visitor, _STRANGE, 400)
    return _reply(visitor, await push.wish(visitor, to), 200)


def _can_seal(to: Subscription) -> bool:
    """Return whether the subscription's keys are a point of the curve and sixteen bytes."""
    try:
        point, secret = (urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in (to.keys.p256dh, to.keys.auth))
        curve = import_module("cryptography.hazmat.primitives.asymmetric.ec")
        curve.EllipticCurvePublicKey.from_encoded_point(curve.SECP256R1(), point)
    except (NotBase64, ValueError):
        return False
    return len(secret) == 16


def _reply(visitor: Visitor, text: Text, status: int) -> web.Response:
    said = {"texts": [say(text, visitor.language)], "refused": status != 200}
    return web.json_response(said, status=status)
