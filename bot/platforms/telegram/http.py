"""HTTP requests to Telegram: aiohttp behind python-telegram-bot's `BaseRequest`, at a tenth of the usual cost.

Errors are those of the library's own client: TimedOut or NetworkError, with the aiohttp error as cause. Their texts
contain no address, because the address contains the bot's token.
"""

import json
from typing import Any

import aiohttp
import msgspec
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

from bot.platforms.common.press import Press, dump_press
from bot.platforms.common.proxies import find_proxy

# With these errors nothing was sent: no connection was free, or none could be made.
_UNASKED = (
    aiohttp.ClientConnectorError,
    aiohttp.ClientHttpProxyError,
    aiohttp.ConnectionTimeoutError,
    aiohttp.InvalidURL,
)
_NOT_GIVEN = BaseRequest.DEFAULT_NONE
_ENCODER = msgspec.json.Encoder()
# Headers that aiohttp would add at a cost: no compression of short answers, no cookies.
_UNSAID = ("Accept", "Accept-Encoding")


def may_have_arrived(fault: BaseException) -> bool:
    """Return whether a failed call may have been carried out: the connection broke, or no answer came, after the
    request.
    """
    cause = fault.__cause__
    if isinstance(cause, aiohttp.ClientError | OSError):
        return not isinstance(cause, _UNASKED)
    return isinstance(fault, TimedOut)


# Timeouts in seconds for sending, and for sending a file.
WRITE_S, MEDIA_S = 5.0, 20.0


class Http(BaseRequest):
    """Connections to one Bot API server, `connections` at most; open between `initialize` and `shutdown`.

    Timeouts in seconds, None for none: for each part of an answer, for connecting, and for a free connection. A proxy
    is taken from the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY).
    """

    def __init__(
        self,
        connections: int,
        *,
        read_s: float | None = 5.0,
        connect_s: float | None = 5.0,
        pool_s: float | None = 1.0,
    ) -> None:
        self._connections, self._read_s, self._connect_s, self._pool_s = connections, read_s, connect_s, pool_s
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[str, str | None] = {}

    @property
    def read_timeout(self) -> float | None:
        return self._read_s

    async def initialize(self) -> None:
        """Create the session; called by the library once, in the loop that uses it."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self._connections),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": self.USER_AGENT},
                skip_auto_headers=_UNSAID,
            )

    async def shutdown(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = _NOT_GIVEN,
        write_timeout: Any = _NOT_GIVEN,
        connect_timeout: Any = _NOT_GIVEN,
        pool_timeout: Any = _NOT_GIVEN,
    ) -> tuple[int, bytes]:
        """Send a request for the library and return (status, body). Raises TimedOut or NetworkError for any network
        error.
        """
        if self._session is None:
            raise RuntimeError("This request is not initialized!")
        has_files = request_data is not None and request_data.contains_files
        timeout = _timeout(
            self._read_s if read_timeout is _NOT_GIVEN else read_timeout,
            (MEDIA_S if has_files else WRITE_S) if write_timeout is _NOT_GIVEN else write_timeout,
            self._connect_s if connect_timeout is _NOT_GIVEN else connect_timeout,
            self._pool_s if pool_timeout is _NOT_GIVEN else pool_timeout,
        )
        body = _body(request_data) if request_data is not None else {}
        try:
            async with self._session.request(
                method, url, timeout=timeout, allow_redirects=False, proxy=self._proxy(url), **body
            ) as response:
                return response.status, await response.read()
        except TimeoutError as fault:
            raise TimedOut from fault
        except (aiohttp.ClientError, OSError) as fault:
            raise NetworkError(f"aiohttp.{type(fault).__name__}: {_reason(fault)}") from fault

    def _proxy(self, url: str) -> str | None:
        """Return the proxy of a host, found in the environment once, because looking it up takes longer than
        sending.
        """
        scheme, _colon, rest = url.partition("://")
        origin = f"{scheme}://{rest.partition('/')[0]}"
        if origin not in self._proxies:
            self._proxies[origin] = find_proxy(origin)
        return self._proxies[origin]

    @staticmethod
    def parse_json_payload(payload: bytes) -> Any:
        """Decode an answer as the library does, but without logging its content. Raises TelegramError."""
        try:
            said = msgspec.json.decode(payload)
        except (msgspec.DecodeError, UnicodeDecodeError):
            said = _decode_leniently(payload)
        if isinstance(said, dict):
            lighten(said.get("result"))
        return said


# Fields of our own messages that come back with every press and edit and that nothing reads.
_UNREAD = ("reply_markup", "entities", "caption_entities")
# Data of presses that count only if the message has their button: a client may send any data.
_CHECKED = dump_press(Press("remove"))[:2]


def lighten(result: Any) -> None:
    """Remove unused parts from updates or a message before the library makes objects of them.

    The last of a picture's sizes stays, which is the picture itself.
    """
    for one in result if isinstance(result, list) else (result,):
        if not isinstance(one, dict):
            continue
        press = one.get("callback_query")
        message = press.get("message") if isinstance(press, dict) else one
        if isinstance(message, dict) and "message_id" in message:
            is_checked = isinstance(press, dict) and str(press.get("data")).startswith(_CHECKED)
            for name in _UNREAD[is_checked:]:
                message.pop(name, None)
            if isinstance(sizes := message.get("photo"), list):
                del sizes[:-1]


def _decode_leniently(payload: bytes) -> Any:
    """Decode JSON with invalid UTF-8 or a lone surrogate. Raises TelegramError."""
    try:
        return json.loads(payload.decode(errors="replace"))
    except ValueError:
        raise TelegramError("Invalid server response") from None


def _timeout(
    read_s: float | None, write_s: float | None, connect_s: float | None, pool_s: float | None
) -> aiohttp.ClientTimeout:
    """Return aiohttp's timeout; it has none for sending alone, so the total of all parts bounds that."""
    until_asked = _sum(connect_s, pool_s)
    return aiohttp.ClientTimeout(
        total=_sum(until_asked, write_s, read_s), connect=until_asked, sock_connect=connect_s, sock_read=read_s
    )


def _sum(*seconds: float | None) -> float | None:
    known = [one for one in seconds if one is not None]
    return sum(known) if len(known) == len(seconds) else None


def _body(data: RequestData) -> dict[str, Any]:
    """Return the request body: JSON, which costs least; with files a form, whose other values are JSON."""
    if not data.contains_files:
        return {"data": _ENCODER.encode(data.parameters), "headers": {"Content-Type": "application/json"}}
    form = aiohttp.FormData(quote_fields=False)
    for name, value in data.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, kind) in data.multipart_data.items():
        form.add_field(name, content, filename=filename, content_type=kind)
    return {"data": form}


def _reason(fault: BaseException) -> str:
    return (fault.strerror or "") if isinstance(fault, OSError) else ""
