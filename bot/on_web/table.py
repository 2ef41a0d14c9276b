"""A table as one player sees it: his screen, cut into the parts that change on their own."""

from dataclasses import dataclass

from aiohttp import web

from bot.floor.command import Place
from bot.floor.floor import LOUNGE
from bot.floor.table import Table
from bot.on_web.drawing import draw, page, sentence
from bot.on_web.live import Parts
from bot.on_web.lounge import Lounge, Visitor, lounge_of, visitor_of
from bot.on_web.share import share
from bot.screens import Button, Pile, Screen, Seat
from bot.screens.build import screen
from bot.texts import Text
from engine.felt import Amount

PARTS = ("status", "felt", "mine", "results", "fair")
# Buttons that are pages here.
_LINKS = {"rules": "/rules/{}", "paytable": "/rules/{}#pays", "verify": "/hand/{}", "history": "/history"}


@dataclass(frozen=True)
class Sight:
    """A screen, sorted as the templates want it; `chips` is the viewer's wallet in the table's casino."""

    screen: Screen
    base: str
    chips: Amount | None

    @property
    def own_seats(self) -> list[Seat]:
        return [seat for seat in self.screen.seats if seat.is_viewer]

    @property
    def own_piles(self) -> list[Pile]:
        return [pile for seat in self.own_seats for pile in seat.piles]

    def card_move(self, position: int) -> Button | None:
        """The move that a press on the viewer's own card makes."""
        return next((move for move in self.screen.moves if move.card == position), None)

    @property
    def choices(self) -> list[Button]:
        return [move for move in self.screen.moves if not move.card]

    @property
    def by_card(self) -> Button | None:
        return next((move for move in self.screen.moves if move.card), None)

    def bets_on(self, spot: str) -> list[Button]:
        return [button for button in self.screen.bets if button.spot == spot]

    @property
    def bet_spots(self) -> list[str]:
        """Spots that are bet on from the row of chips: those that are no area of the felt."""
        areas = {chips.spot for chips in self.screen.spots}
        spots = dict.fromkeys(button.spot for button in self.screen.bets if button.spot)
        return [spot for spot in spots if spot not in areas]

    @property
    def plain_bets(self) -> list[Button]:
        return [button for button in self.screen.bets if not button.spot]

    @property
    def more(self) -> list[Button]:
        return [button for button in self.screen.more if button.verb not in _LINKS and button.verb != "cards"]

    @property
    def links(self) -> list[tuple[Text, str]]:
        return [
            (button.label, self.base + _LINKS[button.verb].format(*button.args))
            for button in self.screen.more
            if button.verb in _LINKS
        ]


def parts_of(lounge: Lounge, visitor: Visitor, table_id: int) -> Parts:
    """{part: HTML} of the table as it is now."""
    table = lounge.house.tables[table_id]
    return _draw_parts(visitor, see(lounge, visitor, table))


def see(lounge: Lounge, visitor: Visitor, table: Table) -> Sight:
    viewer = visitor.player.id if visitor.player else None
    return Sight(screen(lounge.house, table, viewer, lounge.pit.clock()), visitor.base, visitor.chips_in(table.casino))


def _draw_parts(visitor: Visitor, sight: Sight) -> Parts:
    return {part: draw(f"parts/{part}.html", visitor, {"at": sight, "screen": sight.screen}) for part in PARTS}


def find_table(request: web.Request, visitor: Visitor | None) -> Table | None:
    return lounge_of(request).find_table(request.match_info["table"], visitor.player if visitor else None)


async def show(request: web.Request) -> web.Response:
    visitor = await visitor_of(request)
    if visitor is None:
        raise web.HTTPSeeOther("/")
    table = find_table(request, visitor)
    if table is None:
        return sentence(visitor, Text("There is no such table."), status=404)
    if table.casino != LOUNGE:
        # His wallet there may be in the books alone.
        await visitor.lounge.submit(visitor.command(Place("web", str(table.id)), "balance"))
    sight = see(lounge_of(request), visitor, table)
    parts = _draw_parts(visitor, sight)
    return page(
        "table.html",
        visitor,
        at=sight,
        screen=sight.screen,
        parts=parts,
        now=lounge_of(request).pit.clock(),
        shared=share(request, table.id, visitor.language) if table.casino == LOUNGE else None,
    )


async def follow(request: web.Request) -> web.StreamResponse:
    """The websocket of an open table."""
    visitor = await visitor_of(request)
    table = find_table(request, visitor)
    if visitor is None or visitor.player is None or table is None:
        raise web.HTTPForbidden(text="")
    lounge, id, player = lounge_of(request), table.id, visitor.player.id
    lounge.live.check_room(player)

    def render() -> Parts:
        # The player as he is now: his language may have changed.
        now = Visitor(lounge, lounge.house.player(player).language, lounge.house.player(player), visitor.token)
        return parts_of(lounge, now, id)

    return await lounge.live.follow(request, id, player, render)
