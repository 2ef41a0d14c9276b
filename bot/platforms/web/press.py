"""A press or a typed line becomes a command; the answer goes to that page alone.

A press carries a key: sent again with the same key it does nothing and gets the same answer.
"""

from collections.abc import Collection, Iterable
from typing import Annotated, Any
from urllib.parse import quote_plus

import msgspec
from aiohttp import web

from bot.core.command_list import has_flag, is_inspectors
from bot.core.commands.command import Answer, Refused
from bot.core.commands.first_hand import Lesson
from bot.core.commands.picks import without_picks
from bot.core.commands.preconditions import PATTERN
from bot.core.commands.registry import CommandFlag
from bot.core.rounds.betting import BELL, seats_of
from bot.core.state.lounge import LOBBY, LOUNGE, PLATFORM, room
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.platforms.common.typed import TypedLine, parse_line
from bot.platforms.web.clients import read_body
from bot.platforms.web.lounge import NO_TABLE, SLOWLY, Lounge, Visitor, language_of, lounge_of, visitor_of
from bot.platforms.web.table import stage_of
from bot.texts import Text, say
from bot.verifier.pack import FILE

LONGEST_LINE = 300
Words = Annotated[str, msgspec.Meta(max_length=LONGEST_LINE)]
UNREADABLE = Answer((Text("That could not be read. Reload the page and press again."),), refused=True)
STRANGER = Answer((Text("You are signed out. Sign in again."),), refused=True)
# Commands that take a seat, and how long an absent player keeps theirs.
_TAKE_SEATS = ("bet", "rebet", "sit", "buyin")
GONE_S = 15.0
_TO_HAND_ON = Text("The page to share")


class PressBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a press: a button's command, or a typed line.

    After a question the page sends the same again, confirmed; no question waits on the server.
    """

    key: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9-]{8,40}\Z")]
    verb: Words | None = None
    args: Annotated[tuple[Words, ...], msgspec.Meta(max_length=20)] = ()
    fresh: Annotated[str, msgspec.Meta(pattern=rf"^(?:{PATTERN})\Z")] = ""
    confirmed: bool | Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}\Z")] = False
    line: Words | None = None

    @property
    def said(self) -> TypedLine:
        return parse_line(without_picks(self.line)) if self.line is not None else TypedLine(self.verb or "", self.args)


async def press(request: web.Request) -> web.Response:
    """Handle one press, at a table or in the lobby (POST)."""
    lounge, visitor = lounge_of(request), await visitor_of(request)
    if visitor is None or visitor.player is None:
        return _reply(language_of(request), STRANGER, 401)
    if not lounge.presses.spend(visitor.player.id):
        return _reply(visitor.language, SLOWLY, 429)
    try:
        wanted = parse_press(await read_body(request))
    except (Refused, web.HTTPRequestEntityTooLarge, web.HTTPBadRequest):
        return _reply(visitor.language, UNREADABLE, 400)
    verb, args = wanted.said
    is_act = is_inspectors(verb)
    if visitor.frame is not None and is_act:
        await visitor.frame.ask_rights()
    place = place_of(request, visitor, visitor.inspected if is_act and visitor.is_inspector else ())
    if place is None:
        return _reply(visitor.language, Answer((NO_TABLE,), refused=True), 404)
    key = f"{PLATFORM}:{visitor.player.id}:{wanted.key}"
    command = visitor.command(place, verb, args, key=key, fresh=wanted.fresh, confirmed=wanted.confirmed)
    takes_seat = verb in _TAKE_SEATS or (verb, *args) == (BELL.verb, *BELL.args)
    if takes_seat and (table := _find_table(request, visitor)) is not None and table.seat_of(visitor.player.id) is None:
        await free_seat(lounge, table)
    before = _find_stage(request, visitor)
    answer = await lounge.submit(command)
    stages = {before, _find_stage(request, visitor)} if _shows_at_table(verb, answer) else set()
    lounge.live.look_again(visitor.player.id)
    shown = lounge.shown.keep_post(answer) if answer.shared_post is not None else ""
    return _reply(visitor.language, answer, 200, verb=verb, base=visitor.base, shown=shown, stages=stages)


async def free_seat(lounge: Lounge, table: Table) -> None:
    """Free a seat of a full table: a player without a bet there and without an open page for GONE_S leaves, and their
    stack is paid out.

    Only in the lounge's own casino: people of a community may be at the table on their platform.
    """
    is_full = len(table.seats) >= seats_of(table)
    if not lounge.frees_seats or table.casino != LOUNGE or not is_full:
        return
    for id in dict.fromkeys(table.seats.values()):
        account = lounge.live.find_absent(id, GONE_S)
        if account and not table.bets_of(id) and not table.is_in_hand(id):
            absent = lounge.state.players[id]
            leave = Visitor(lounge, absent.language, absent, account).command(room(table.id), "leave")
            await lounge.submit(leave)
            return


def _find_table(request: web.Request, visitor: Visitor) -> Table | None:
    number = request.match_info.get("table")
    return visitor.find_table(number) if number is not None else None


def _find_stage(request: web.Request, visitor: Visitor) -> str:
    table = _find_table(request, visitor)
    return stage_of(table) if table is not None else ""


def _shows_at_table(verb: str, answer: Answer) -> bool:
    """Return whether an answer only confirms what the table shows, so that it disappears with it."""
    return has_flag(verb, CommandFlag.SEEN) and not (answer.refused or answer.confirm or answer.choices)


def place_of(request: web.Request, visitor: Visitor, others: Collection[Table]) -> Place | None:
    """Return the place of the table in the address, or the lobby; None for a table that the player may not see.

    `others`: tables that they may name besides.
    """
    number = request.match_info.get("table")
    if number is None:
        return LOBBY if visitor.frame is None else visitor.frame.place
    table = visitor.find_table(number) or next((one for one in others if str(one.id) == number), None)
    is_shown = table is not None and (table.status != "closed" or table.tournament is not None)
    return visitor.place_at(table) if table is not None and is_shown else None


def lesson_address(base: str, game: str, said: Iterable[str] = (), ending: str = "") -> str:
    """Return the address of a practice hand after these presses; `base` begins the player's own addresses."""
    words = quote_plus(" ".join(said))
    return f"{base}/learn/{game}{ending}" + (f"?said={words}" if words else "")


def parse_press(body: bytes) -> PressBody:
    """Decode the body of a press. Raises Refused for anything else."""
    try:
        press = msgspec.json.decode(body, type=PressBody)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused("") from None
    if (press.verb is None) == (press.line is None):
        raise Refused("")
    return press


def _address_of(base: str, lesson: Lesson) -> str:
    """Return the address at which a player goes on with a practice hand or a deal of the day."""
    if lesson.course is not None:
        return f"{base}/deal/{lesson.game}"
    return lesson_address(base, lesson.game, lesson.said)


def _reply(
    language: str,
    answer: Answer,
    status: int,
    verb: str = "",
    base: str = "",
    shown: str = "",
    stages: Collection[str] = (),
) -> web.Response:
    said: dict[str, Any] = {
        "texts": [say(text, language) for text in answer.said],
        "refused": answer.refused,
        "confirm": answer.confirm,
        "clause": answer.clause,
    }
    if answer.choices:
        # Acts at another table, or with text to type, have forms in the console.
        here = (one for one in answer.choices if not one.at and one.asks is None)
        said["choices"] = [
            {"label": say(one.label, language), "go": base + one.where}
            if one.where
            else {"label": say(one.label, language), "verb": one.verb, "args": one.args}
            for one in here
        ]
    if answer.lesson is not None:
        said["go"] = _address_of(base, answer.lesson)
    if shown:
        said["page"] = {"label": say(_TO_HAND_ON, language), "address": shown}
    if answer.file is not None:
        name, content = answer.file
        said["file"] = {"name": name, "href": f"/{name}"} if name == FILE else {"name": name, "content": content}
    if stages:
        said["stages"] = sorted(stages)
    if verb == "language" and not answer.refused:
        said["reload"] = True
    return web.Response(body=msgspec.json.encode(said), status=status, content_type="application/json")
