"""What every page of the lounge shares: the pit, who is visiting, the words and the limits."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from aiohttp import web

from bot.floor.command import Answer, Command, Place, Who
from bot.floor.floor import LOUNGE
from bot.floor.house import Casino, House, Player, wallet_of
from bot.floor.places import communities_of
from bot.floor.table import Table
from bot.on_web.live import Live
from bot.on_web.sessions import Allowance, account_of, asker_of, player_in, slug_of, tokens_of
from bot.pictures.worker import Renderer
from bot.pit import Pit
from bot.texts import LANGUAGES, Text
from engine.felt import Amount
from storage import ledger

LOBBY = Place("web", "lobby")
LANGUAGE_COOKIE = "language"
SLOWLY = Answer((Text("That was a little fast: take a breath, then press again."),), refused=True)
AWAY = Answer((Text("The house is closing; your hand waits for you."),), refused=True)


class Desk(NamedTuple):
    """Where a page asks about chips and hands: the lounge, or a casino of the player's through a table of its own."""

    casino: int
    name: str
    place: Place


OWN_DESK = Desk(LOUNGE, "Lounge", LOBBY)


@dataclass
class Lounge:
    """`operator_token` opens the operator's page once; None when it has been used. `door` guards a public address."""

    pit: Pit
    live: Live
    password: str | None = None
    language: str = "en"
    operator_token: str | None = field(default=None, repr=False)
    share_secret: bytes = field(default_factory=lambda: secrets.token_bytes(16), repr=False)
    is_closing: bool = False
    presses: Allowance = field(default_factory=lambda: Allowance(20, 10.0))
    pages: Allowance = field(default_factory=lambda: Allowance(120, 20.0))
    sign_ins: Allowance = field(default_factory=lambda: Allowance(10, 0.1))
    tries: Allowance = field(default_factory=lambda: Allowance(60, 1.0))
    strangers: Allowance = field(default_factory=lambda: Allowance(300, 20.0))
    renderer: Renderer = field(default_factory=Renderer)
    """Draws for every platform of the house; who opened the lounge closes it."""
    platforms: dict[str, Callable[[], bool]] = field(default_factory=dict)
    """Of every other platform that is on: whether it is connected."""

    def __post_init__(self) -> None:
        """The house remembers the meter from here on: pages never wait for the books."""
        self.house.balance(ledger.jackpot(LOUNGE))

    @property
    def house(self) -> House:
        return self.pit.floor.house

    @property
    def casino(self) -> Casino:
        return self.house.casino(LOUNGE)

    def tables(self) -> list[Table]:
        """What is open in the lounge, by number."""
        tables = [table for table in list(self.house.tables.values()) if table.casino == LOUNGE]
        return sorted((table for table in tables if table.status != "closed"), key=lambda table: table.number)

    def community_tables(self, player: Player | None) -> list[tuple[Casino, list[Table]]]:
        """What is open in the communities of a linked person, by community."""
        found = []
        for casino in map(self.house.casino, communities_of(self.house, player) if player else ()):
            own = (table for table in list(self.house.tables.values()) if table.casino == casino.id)
            tables = sorted((table for table in own if table.status != "closed"), key=lambda table: table.number)
            if tables and casino.id != LOUNGE:
                found.append((casino, tables))
        return found

    def desks(self, player: Player | None) -> list[Desk]:
        """The lounge's own first."""
        communities = self.community_tables(player)
        known = (Desk(casino.id, casino.name, Place("web", str(tables[0].id))) for casino, tables in communities)
        return [OWN_DESK, *known]

    def find_table(self, number: str, player: Player | None) -> Table | None:
        """A table of the lounge, which anybody may look at, or of a community of the player's; open or not."""
        table = self.house.tables.get(int(number)) if len(number) < 12 else None
        if table is None or table.casino == LOUNGE:
            return table
        return table if player and table.casino in communities_of(self.house, player) else None

    def mark(self, tables: set[int]) -> None:
        """These tables changed; called in the pit's thread. One meter stands at all tables of its casino (CS17)."""
        known = self.house.tables
        casinos = {known[id].casino for id in tables if known[id].game == "caribbean"}

        def is_linked(id: int) -> bool:
            return known[id].game == "caribbean" and known[id].casino in casinos

        self.live.mark(tables, is_linked)

    async def submit(self, command: Command) -> Answer:
        if self.is_closing:
            return AWAY
        # Who stops waiting must not cancel what the pit is about to answer.
        return await asyncio.shield(asyncio.wrap_future(self.pit.submit(command)))

    async def find_player(self, token: str, asker: str) -> Player | None:
        """The player whose token that is. A forged one is nobody, and makes nobody."""
        account = account_of(token)
        if ("web", account) not in self.house.identities:
            if not self.strangers.take(asker):
                return None
            # An account without a name is never met, so that only one that the books know is let in.
            await self.submit(Command(new_key(), Who("web", account, ""), LOBBY, "balance"))
        player = self.house.identities.get(("web", account))
        return self.house.player(player) if player is not None else None


@dataclass(frozen=True)
class Visitor:
    """Who a request comes from; `player` None on pages that everybody may read."""

    lounge: Lounge
    language: str
    player: Player | None = None
    token: str = field(default="", repr=False)
    desk: Desk = OWN_DESK

    @property
    def base(self) -> str:
        """How the addresses of his own pages begin."""
        return f"/p/{slug_of(self.player)}" if self.player else ""

    @property
    def is_inspector(self) -> bool:
        return self.player is not None and self.player.id in self.lounge.casino.get("inspectors", [])

    @property
    def chips(self) -> Amount | None:
        return self.chips_in(LOUNGE)

    def chips_in(self, casino: int) -> Amount | None:
        member = self.lounge.house.members.get((casino, self.player.id)) if self.player else None
        return Amount(self.lounge.house.balance(wallet_of(member))) if member else None

    @cached_property
    def desks(self) -> list[Desk]:
        """Looked up only where a page shows them, and once for it."""
        return self.lounge.desks(self.player)

    def command(self, place: Place, verb: str, args: tuple[str, ...] = (), **more: Any) -> Command:
        assert self.player is not None
        who = Who("web", account_of(self.token), self.player.name, self.player.language)
        return Command(more.pop("key", None) or new_key(), who, place, verb, args, **more)

    async def ask(self, verb: str, *args: str) -> Answer:
        """A question that a page asks for him, at his desk."""
        if self.player is None or not self.lounge.pages.take(self.player.id):
            return SLOWLY
        return await self.lounge.submit(self.command(self.desk.place, verb, args))


LOUNGE_KEY = web.AppKey("lounge", Lounge)


def new_key() -> str:
    return "web:" + secrets.token_hex(16)


def lounge_of(request: web.Request) -> Lounge:
    return request.app[LOUNGE_KEY]


def language_of(request: web.Request) -> str:
    """Before anybody signs in: what was chosen here, then what the browser asks for."""
    chosen = request.query.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    wanted = (
        one.partition(";")[0].strip()[:2].lower() for one in request.headers.get("Accept-Language", "").split(",")
    )
    return next((one for one in wanted if one in LANGUAGES), lounge_of(request).language)


async def players_of(request: web.Request) -> list[tuple[str, Player]]:
    """(token, player) of everybody whom this cookie knows."""
    lounge, found = lounge_of(request), []
    for token in tokens_of(request):
        player = await lounge.find_player(token, asker_of(request))
        if player is not None:
            found.append((token, player))
    return found


async def visitor_of(request: web.Request) -> Visitor | None:
    """The player in the address, if the cookie vouches for him; without one in the address, a reader."""
    lounge = lounge_of(request)
    slug = request.match_info.get("slug")
    if slug is None:
        return Visitor(lounge, language_of(request))
    wanted = player_in(slug)
    for token, player in await players_of(request):
        if player.id == wanted:
            return Visitor(lounge, player.language, player, token)
    return None


async def player_of(request: web.Request) -> Visitor:
    """The player in the address, at the desk that he asks for; who is not signed in as him goes to the door."""
    visitor = await visitor_of(request)
    if visitor is None or visitor.player is None:
        raise web.HTTPSeeOther("/")
    wanted = request.query.get("casino")
    if wanted is None:
        return visitor
    return replace(visitor, desk=next((desk for desk in visitor.desks if str(desk.casino) == wanted), OWN_DESK))
