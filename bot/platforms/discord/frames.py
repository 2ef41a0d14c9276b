"""The table as an Activity: the identity that Discord proves there.

The page sends a code, which the server exchanges at Discord for the user; Discord also says who is in the Activity's
instance and in which channel that is. No claim of the page counts before that.
"""

import logging
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import aiohttp
import discord
import msgspec
from discord.http import Route

from bot.core.casinos.places import founding_casino_of
from bot.platforms.common.context import language_of
from bot.platforms.common.frames import AWAY, NOT_FROM_HERE, FrameHost, NotProven, Proven, is_known_at, table_named
from bot.platforms.common.proxies import find_proxy
from bot.platforms.discord.bot import Ridotto
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.context import community_of
from bot.platforms.discord.trouble import TROUBLE

PATIENCE_S = 5.0
HOME = "https://discord.com"
_SERVED = "discordsays.com"
_Code = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,200}\Z")]
_log = logging.getLogger("ridotto.discord")


class ActivityRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The body that the page sends."""

    code: _Code
    instance: _Code
    table: Annotated[str, msgspec.Meta(max_length=40)] = ""


class _AccessToken(msgspec.Struct):
    access_token: _Code


class _DiscordUser(msgspec.Struct):
    id: str
    username: str
    global_name: str | None = None
    locale: str = ""


class _Location(msgspec.Struct):
    channel_id: str
    guild_id: str | None = None


class _Instance(msgspec.Struct):
    location: _Location
    users: list[str]


class Activity:
    """Proofs of identity in an Activity. `secret` is the application's; without one no identity can be proven."""

    def __init__(self, client: Ridotto, secret: str) -> None:
        self._client, self._context, self._secret = client, client.context, secret
        self._session: aiohttp.ClientSession | None = None

    @property
    def host(self) -> FrameHost:
        """Return the host for the lounge."""
        return FrameHost(
            PLATFORM,
            ancestors=(HOME, f"https://*.{_SERVED}"),
            script=Path(__file__).parent / "frame.js",
            prove=self.prove,
            place_of=self.place_of,
            inspects=self.inspects,
            origin=self._origin,
            marks=frozenset({"frame_id", "instance_id"}),
            told=lambda: {"client": str(self._client.application_id or ""), "home": HOME},
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    def _origin(self) -> str | None:
        id = self._client.application_id
        return f"https://{id}.{_SERVED}" if id is not None else None

    async def prove(self, body: bytes) -> Proven:
        """Verify a code, which is good once, and return the person's identity. Raises NotProven."""
        try:
            shown = msgspec.json.decode(body, type=ActivityRequest)
            if self._client.application_id is None:
                raise NotProven(AWAY)  # Discord was not reached yet, or another front uses the token
            user = await self._user_behind(shown.code)
            there = await self._instance(shown.instance)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise NotProven(NOT_FROM_HERE) from None
        except TROUBLE as fault:
            _log.warning("an Activity was not opened: %s", type(fault).__name__)
            raise NotProven(AWAY) from None
        if user.id not in there.users:
            raise NotProven(NOT_FROM_HERE)
        here = self._context.state.place(PLATFORM, there.location.channel_id)
        table = table_named(shown.table) or (here.table_id if here is not None else None)
        seen = {"channel": there.location.channel_id, "guild": there.location.guild_id or ""}
        proof = sha256(f"{shown.instance} {user.id}".encode()).hexdigest()
        return Proven(user.id, user.global_name or user.username, language_of(user.locale), proof, table, seen)

    async def place_of(self, proven: Proven, table: int) -> str | None:
        """Return the Activity's channel if it shows the table, else another of the same server for a known player."""
        addresses = self._context.addresses_of(table)
        if proven.seen["channel"] in addresses:
            return proven.seen["channel"]
        community = self._context.row_at(community_of(int(proven.seen["guild"] or 0)))
        known = self._context.state.table(table)
        if community is None or known is None:
            return None
        if not is_known_at(self._context.state, self._context.player_of(proven.account), known.casino):
            return None
        rows = ((address, self._context.row_at(address)) for address in addresses)
        return next(
            (one for one, row in rows if row and founding_casino_of(row) == founding_casino_of(community)), None
        )

    async def inspects(self, proven: Proven, address: str) -> bool:
        """Return whether the person manages the Activity's server or has the inspectors' role right now."""
        guild, row = self._client.get_guild(int(proven.seen["guild"] or 0)), self._context.row_at(address)
        is_there = guild is not None and address.isdecimal() and guild.get_channel_or_thread(int(address)) is not None
        if guild is None or row is None or not is_there:
            return False
        try:
            member = await guild.fetch_member(int(proven.account))
        except TROUBLE as fault:
            _log.warning("could not find out who manages a server: %s", type(fault).__name__)
            return False
        role = self._context.state.casinos[founding_casino_of(row)].state.roles.get(PLATFORM)
        return member.guild_permissions.manage_guild or any(str(one.id) == role for one in member.roles)

    async def _user_behind(self, code: str) -> _DiscordUser:
        form = {
            "client_id": str(self._client.application_id),
            "client_secret": self._secret,
            "grant_type": "authorization_code",
            "code": code,
        }
        told = await self._call_api("POST", "/oauth2/token", data=form)
        token = msgspec.json.decode(told, type=_AccessToken).access_token
        answer = await self._call_api("GET", "/users/@me", headers={"Authorization": f"Bearer {token}"})
        return msgspec.json.decode(answer, type=_DiscordUser)

    async def _call_api(self, method: str, path: str, **more: Any) -> bytes:
        """Call the API in a separate session, without the bot's authorization. Raises NotProven for a refusal."""
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=PATIENCE_S)
            self._session = aiohttp.ClientSession(timeout=timeout, proxy=find_proxy(Route.BASE))
        async with self._session.request(method, f"{Route.BASE}{path}", allow_redirects=False, **more) as answer:
            if answer.status == 401 and path == "/oauth2/token":
                _log.error("RIDOTTO_DISCORD_SECRET is refused by Discord; copy it again from the developer portal.")
            if answer.status == 429 or answer.status >= 500:
                raise NotProven(AWAY)
            if answer.status != 200:
                raise NotProven(NOT_FROM_HERE)
            return await answer.read()

    async def _instance(self, id: str) -> _Instance:
        route = Route(
            "GET",
            "/applications/{application_id}/activity-instances/{instance_id}",
            application_id=self._client.application_id,
            instance_id=id,
        )
        try:
            return msgspec.convert(await self._client.http.request(route), type=_Instance)
        except discord.NotFound:
            raise NotProven(NOT_FROM_HERE) from None
