"""A press or a typed line becomes a command; the answer goes back to that page alone.

A press carries a key of its own: sent again with the same key it does nothing again and gets the same answer.
"""

import json
import re
from typing import Any, NamedTuple

from aiohttp import web

from bot.floor.command import Answer, Place, Refused
from bot.floor.registry import VERBS
from bot.on_web.lounge import LOBBY, SLOWLY, Visitor, lounge_of, visitor_of
from bot.texts import Text, say

LONGEST_LINE = 300
_KEY = re.compile(r"[A-Za-z0-9-]{8,40}")
_FRESH = re.compile(r"([0-9]{1,15}(\.[0-9]{1,6})?)?")
# As Telegram's menu has to spell them.
_SPELT = {verb.replace("-", ""): verb for verb in VERBS if "-" in verb}
_FIELDS = {"key", "verb", "args", "fresh", "confirmed", "line"}
UNREADABLE = Answer((Text("The house could not read that: reload the page and press again."),), refused=True)
STRANGER = Answer((Text("The house does not know you any more: sign in again."),), refused=True)
NO_TABLE = Answer((Text("There is no such table."),), refused=True)


class Press(NamedTuple):
    key: str
    verb: str
    args: tuple[str, ...]
    fresh: str
    confirmed: bool


async def press(request: web.Request) -> web.Response:
    """POST of one press, at a table or in the lobby."""
    lounge, visitor = lounge_of(request), await visitor_of(request)
    if visitor is None or visitor.player is None:
        return _reply(None, STRANGER, 401)
    if not lounge.presses.take(visitor.player.id):
        return _reply(visitor, SLOWLY, 429)
    try:
        wanted = parse_press(await request.read())
    except (Refused, web.HTTPRequestEntityTooLarge):
        return _reply(visitor, UNREADABLE, 400)
    place = place_of(request, visitor)
    if place is None:
        return _reply(visitor, NO_TABLE, 404)
    key = f"web:{visitor.player.id}:{wanted.key}"
    command = visitor.command(place, wanted.verb, wanted.args, key=key, fresh=wanted.fresh, confirmed=wanted.confirmed)
    answer = await lounge.submit(command)
    lounge.live.look_again(visitor.player.id)
    return _reply(visitor, answer, 200, verb=wanted.verb)


def place_of(request: web.Request, visitor: Visitor) -> Place | None:
    """The table in the address, or the lobby; None for a table that this player does not see."""
    number = request.match_info.get("table")
    if number is None:
        return LOBBY
    table = lounge_of(request).find_table(number, visitor.player)
    return Place("web", str(table.id)) if table is not None and table.status != "closed" else None


def parse_press(body: bytes) -> Press:
    """Raises Refused for whatever no page of ours sends."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused("") from None
    if not isinstance(given, dict) or given.keys() - _FIELDS or ("line" in given) == ("verb" in given):
        raise Refused("")
    if not _matches(_KEY, given.get("key")) or not _matches(_FRESH, given.get("fresh", "")):
        raise Refused("")
    if not isinstance(given.get("confirmed", False), bool):
        raise Refused("")
    verb, args = parse_line(_text(given["line"])) if "line" in given else (_text(given["verb"]), _args(given))
    return Press(given["key"], verb, args, given.get("fresh", ""), given.get("confirmed", False))


def parse_line(line: str) -> tuple[str, tuple[str, ...]]:
    """`/table set minimum 20`: the longest verb that the line begins with, then its arguments."""
    words = line.strip().removeprefix("/").split()
    for length in (2, 1):
        verb = " ".join(words[:length]).lower()
        if len(words) >= length and verb in VERBS:
            return verb, tuple(words[length:])
    word = words[0].lower() if words else "help"
    return _SPELT.get(word, word), tuple(words[1:])


def _args(given: dict[str, Any]) -> tuple[str, ...]:
    args = given.get("args", [])
    if not isinstance(args, list) or len(args) > 20:
        raise Refused("")
    return tuple(_text(one) for one in args)


def _text(value: object) -> str:
    """One line of text that UTF-8 can hold."""
    if not isinstance(value, str) or len(value) > LONGEST_LINE or any("\ud800" <= c <= "\udfff" for c in value):
        raise Refused("")
    return value


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and bool(pattern.fullmatch(value))


def _reply(visitor: Visitor | None, answer: Answer, status: int, verb: str = "") -> web.Response:
    language = visitor.language if visitor else "en"
    said: dict[str, Any] = {
        "texts": [say(text, language) for text in answer.texts],
        "refused": answer.refused,
        "confirm": answer.confirm,
        "clause": answer.clause,
    }
    if answer.file is not None:
        said["file"] = dict(zip(("name", "content"), answer.file, strict=True))
    if verb == "language" and not answer.refused:
        said["reload"] = True
    return web.json_response(said, status=status)
