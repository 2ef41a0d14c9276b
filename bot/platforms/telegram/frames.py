"""The table as a Mini App: the identity that Telegram proves there.

Telegram signs `initData` for the page with the bot's token. Clients send the same for a day, so it cannot be limited to
one use. No other claim of the page counts.
"""

import hmac
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qsl

import msgspec
from telegram import ChatMember, ChatMemberRestricted
from telegram.error import TelegramError

from bot.core.casinos.places import is_own
from bot.platforms.common.context import PlatformContext, language_of
from bot.platforms.common.frames import NOT_FROM_HERE, TOO_OLD, FrameHost, NotProven, Proven, is_known_at, table_named
from bot.platforms.telegram.context import PLATFORM, Chat, TelegramContext

LARGEST = 4096
# Clients keep the signed data for a day.
LASTS_S = 24 * 3600.0
# Possible lead of Telegram's clock.
AHEAD_S = 60.0
_KEY = b"WebAppData"
_ADMINISTRATORS = (ChatMember.OWNER, ChatMember.ADMINISTRATOR)
_MEMBERS = (*_ADMINISTRATORS, ChatMember.MEMBER)
_WEB = "https://web.telegram.org"


class MiniAppRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The body that the page sends: `initData`, and the table it was opened for if Telegram does not name it."""

    data: str
    table: str = ""


class _TelegramUser(msgspec.Struct):
    id: int
    first_name: str = ""
    last_name: str = ""
    language_code: str = ""


def read_init_data(data: str, token: str, now: float) -> Mapping[str, str]:
    """Verify `initData` for the bot of this token, and return its fields. Raises NotProven."""
    if len(data.encode("utf-8", "replace")) > LARGEST:
        raise NotProven(NOT_FROM_HERE)
    try:
        pairs = parse_qsl(data, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=32)
    except ValueError:
        raise NotProven(NOT_FROM_HERE) from None
    fields = dict(pairs)
    given = fields.pop("hash", "")
    key = hmac.new(_KEY, token.encode(), sha256).digest()
    signed = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    expected = hmac.new(key, signed.encode(), sha256).hexdigest()
    is_signed = hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))
    # A repeated name was added by someone else.
    if not is_signed or len(fields) + 1 != len(pairs):
        raise NotProven(NOT_FROM_HERE)
    when = fields.get("auth_date", "")
    if not (when.isascii() and when.isdigit() and len(when) < 12) or int(when) > now + AHEAD_S:
        raise NotProven(NOT_FROM_HERE)
    if int(when) < now - LASTS_S:
        raise NotProven(TOO_OLD)
    return fields | {"hash": given}


class MiniApp:
    """Proofs of identity in a Mini App. `find_context` returns the bot's context; None while Telegram cannot be
    reached.
    """

    def __init__(
        self,
        token: str,
        shared: PlatformContext,
        clock: Callable[[], float],
        find_context: Callable[[], TelegramContext | None],
    ) -> None:
        self._token, self._shared, self._clock, self._find_context = token, shared, clock, find_context

    @property
    def host(self) -> FrameHost:
        """Return the host for the lounge."""
        return FrameHost(
            PLATFORM,
            ancestors=(_WEB,),
            script=Path(__file__).parent / "frame.js",
            prove=self.prove,
            place_of=self.place_of,
            inspects=self.inspects,
            told=lambda: {"home": _WEB},
        )

    async def prove(self, body: bytes) -> Proven:
        """Verify the body of a request and return the person's identity. Raises NotProven."""
        try:
            shown = msgspec.json.decode(body, type=MiniAppRequest)
            fields = read_init_data(shown.data, self._token, self._clock())
            user = msgspec.json.decode(fields.get("user", "").encode(), type=_TelegramUser)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise NotProven(NOT_FROM_HERE) from None
        name = " ".join(filter(None, (user.first_name, user.last_name)))
        table = table_named(fields.get("start_param") or shown.table)
        return Proven(str(user.id), name, language_of(user.language_code), fields["hash"], table)

    async def place_of(self, proven: Proven, table: int) -> str | None:
        """Return the address of a group whose member the person is right now; by the store if Telegram does not
        answer.
        """
        for address in self._shared.addresses_of(table):
            if await self._is_place_of(proven.account, address, table):
                return address
        return None

    async def inspects(self, proven: Proven, address: str) -> bool:
        """Return whether the person owns or administers the group right now."""
        context = self._find_context()
        chat = context.chat_at(address) if context is not None else None
        if context is None or chat is None or chat.is_private:
            return False
        found = await _member(context, chat, int(proven.account))
        return found is not None and found.status in _ADMINISTRATORS

    async def _is_place_of(self, account: str, address: str, table: int) -> bool:
        context, place = self._find_context(), self._shared.place(address)
        chat = context.chat_at(address) if context is not None else None
        if is_own(place):
            return chat is not None and str(chat.id) == account
        is_member = await _is_member(context, chat, int(account)) if context is not None and chat is not None else None
        if is_member is not None:
            return is_member
        known = self._shared.state.table(table)
        player = self._shared.player_of(account)
        return known is not None and is_known_at(self._shared.state, player, known.casino)


async def _is_member(context: TelegramContext, chat: Chat, user: int) -> bool | None:
    """Return whether the user is a member of the chat; None if Telegram does not answer."""
    found = await _member(context, chat, user)
    if found is None:
        return None
    return found.status in _MEMBERS or (isinstance(found, ChatMemberRestricted) and found.is_member)


async def _member(context: TelegramContext, chat: Chat, user: int) -> ChatMember | None:
    """Return the user's membership in a chat. Telegram guarantees an answer only to administrators; otherwise maybe
    None.
    """
    with suppress(TelegramError):
        return await context.bot.get_chat_member(chat.id, user)
    return None
