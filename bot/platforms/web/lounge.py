"""What every page of the lounge shares: the house, who is visiting, the words and the limits."""

import asyncio
import hashlib
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from aiohttp import web

from bot.core.casinos.places import communities_of, keeper_of
from bot.core.command_list import is_inspectors
from bot.core.commands.command import Answer, Command, Who
from bot.core.counters import Histogram
from bot.core.state.lounge import LOBBY, LOUNGE, PLATFORM, room
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.state.values import Casino, Player, wallet_of
from bot.core.writer import Writer
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.desk import Desk, new_key
from bot.platforms.common.door import Door
from bot.platforms.common.frames import FrameHost
from bot.platforms.common.posters import ShownThings
from bot.platforms.common.sentences import CLOSING, FAST
from bot.platforms.web.askers import LARGEST_BODY
from bot.platforms.web.audiences import Audiences, Lobby
from bot.platforms.web.courses import Mark
from bot.platforms.web.guesses import Guesses
from bot.platforms.web.live import Live
from bot.platforms.web.sessions import Browsers, player_in, slug_of
from bot.platforms.web.views import View
from bot.texts import LANGUAGES, Name, Text
from bot.texts.languages import language_of_code
from bot.view.pictures.worker import Renderer
from engine.felt import Amount
from storage import ledger
from storage.questions import notes
from storage.rows import PlaceRow

if TYPE_CHECKING:
    from bot.beacon.follow import Beacon

HEALTH, METRICS = "/healthz", "/metrics"
LOOP_LAGS_US = (1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000)
LANGUAGE_COOKIE = "language"
SLOWLY = Answer((FAST,), refused=True)
AWAY = Answer((CLOSING,), refused=True)
NO_TABLE = Text("There is no such table.")


class Cage(NamedTuple):
    """Where a page asks about chips and hands: the lounge's, or that of a casino of the player's, by a table of its."""

    casino: int
    name: str
    place: Place


OWN_CAGE = Cage(LOUNGE, "Lounge", LOBBY)


class Frame(NamedTuple):
    """Of a visitor who looks from a platform's own app: what the app vouches for, and the one table he came for. What
    he does there he does at `place`, as if he had pressed in the chat. `inspects`: whether the platform has said that
    he administers it, when it was asked last; `ask_rights` asks it anew.
    """

    platform: str
    table: int
    place: Place
    inspects: Callable[[], bool]
    ask_rights: Callable[[], Awaitable[None]]


@dataclass
class Lounge(Desk):
    """What is asked is counted by asker (an address) before a body is read, and by player once he is known.

    `password` guards a public address.
    """

    writer: Writer
    live: Live
    password: str | None = field(default=None, repr=False)
    language: str = "en"
    share_secret: bytes = field(default_factory=lambda: secrets.token_bytes(16), repr=False)
    is_closing: bool = False
    presses: Allowance = field(default_factory=lambda: Allowance(20, 10.0))
    pages: Allowance = field(default_factory=lambda: Allowance(120, 20.0))
    sign_ins: Allowance = field(default_factory=lambda: Allowance(10, 0.1))
    new_phrases: Allowance = field(default_factory=lambda: Allowance(5, 0.01))
    asked: Allowance = field(default_factory=lambda: Allowance(80, 12.0))
    sent: Allowance = field(default_factory=lambda: Allowance(120, 40.0))
    sent_bytes: Allowance = field(default_factory=lambda: Allowance(16 * LARGEST_BODY, LARGEST_BODY))
    passwords: Guesses = field(default_factory=lambda: Guesses(Allowance(10, 0.1), of_all=Allowance(100, 1.0)))
    phrases: Guesses = field(default_factory=lambda: Guesses(Allowance(10, 0.1)))
    renderer: Renderer = field(default_factory=Renderer)
    """Who opened the lounge closes it."""
    shown: ShownThings = field(default_factory=ShownThings)
    doors: Sequence[Door] = ()
    """The others of the house."""
    beacon: "Beacon | None" = None
    frames: Sequence[FrameHost] = ()
    """Whose apps show a table of ours."""
    public_url: str | None = None
    loop_lag_us: Histogram = field(default_factory=lambda: Histogram(LOOP_LAGS_US))

    def __post_init__(self) -> None:
        """The house remembers the meter from here on: pages never wait for the books."""
        super().__init__(self.writer, PLATFORM)
        self.state.balance(ledger.jackpot(LOUNGE))
        # Which addresses are no page: who asks there keeps a secret of its own.
        self.for_machines = frozenset({HEALTH, *(route.path for door in self.doors for route in door.routes)})
        self.audiences = Audiences(self.state, self.writer.clock)
        self.lobby = Lobby(lambda: (self.tables(), Amount(self.state.balance(ledger.jackpot(LOUNGE)))))
        self.browsers = Browsers(self.state, self.see_to, self.writer.clock)
        self._key: bytes | None = None
        self.door_key: asyncio.Task[bytes] | None = None

    @property
    def folder(self) -> Path:
        """The house's own, where what is not books lies."""
        return self.writer.books.folder

    @property
    def casino(self) -> Casino:
        return self.state.casinos[LOUNGE]

    def communities(self, player: Player | None) -> list[tuple[Casino, list[Table]]]:
        """Those of a linked person where a table is open, each with its tables."""
        casinos = [self.state.casinos[id] for id in self._communities_of(player) if id != LOUNGE]
        return [(casino, tables) for casino in casinos if (tables := self.tables(casino.id))]

    def _communities_of(self, player: Player | None) -> list[int]:
        return communities_of(self.state, player) if player else []

    def cages(self, player: Player | None) -> list[Cage]:
        """The lounge's own first."""
        return [OWN_CAGE, *(Cage(one.id, one.name, room(tables[0].id)) for one, tables in self.communities(player))]

    def find_table(self, number: str, player: Player | None) -> Table | None:
        """A table of the lounge, which anybody may look at, or of a community of the player's; open or not."""
        table = self.state.table(int(number)) if len(number) < 12 else None
        return table if table and table.casino in (LOUNGE, *self._communities_of(player)) else None

    def mark(self, tables: set[int]) -> None:
        """These tables changed; called in the writer's thread. One meter stands at all tables of its casino (CS17)."""
        known = self.state.tables
        changed = (table for id in tables if (table := known.get(id)) is not None)
        casinos = {table.casino for table in changed if table.plays.linked_meter}

        def is_linked(id: int) -> bool:
            table = known.get(id)
            return table is not None and table.plays.linked_meter and table.casino in casinos

        self.audiences.forget(tables, is_linked)
        self.lobby.forget()
        self.live.mark(tables, is_linked)

    async def submit(self, command: Command) -> Answer:
        return AWAY if self.is_closing else await super().submit(command)

    async def see_to(self, verb: str, *args: str) -> Answer:
        """An errand of the lounge's own."""
        return await self.tend(verb, LOBBY.address, *args)

    def player_behind(self, account: str) -> Player | None:
        id = self.player_of(account)
        return self.state.players[id] if id is not None else None

    async def noted_first(self, name: str, value: str) -> str:
        """Return what the books have under a name: `value`, where they had nothing. Raises HTTPServiceUnavailable while
        it cannot be noted."""
        kept = notes.note(self.state.books, PLATFORM, name)
        if kept is None:
            await self.see_to("note first", name, value)
            kept = notes.note(self.state.books, PLATFORM, name)
            if kept is None:
                raise web.HTTPServiceUnavailable
        return kept

    async def key(self) -> bytes:
        """The lounge's own, made when it is first needed and kept in the books."""
        if self._key is None:
            self._key = bytes.fromhex(await self.noted_first("key", secrets.token_hex(32)))
        return self._key

    async def books_name(self) -> str:
        """By which a browser tells these books from others that were kept at the same address; no secret."""
        return hashlib.sha256(b"books" + await self.key()).hexdigest()[:16]


@dataclass(frozen=True)
class Visitor:
    """Who a request comes from, signed in with `account` in `browser`; `player` None on pages for everybody."""

    lounge: Lounge
    language: str
    player: Player | None = None
    account: str = ""
    browser: str = ""
    cage: Cage = OWN_CAGE
    frame: Frame | None = None

    @property
    def base(self) -> str:
        """How the addresses of his own pages begin."""
        return f"/p/{slug_of(self.player)}" if self.player else ""

    @property
    def name(self) -> Name:
        """What they are called where they are an inspector, or would be."""
        assert self.player is not None
        return self.lounge.state.name_of(self.ground.id, self.player.id)

    @property
    def ground(self) -> Casino:
        """The casino whose inspector he may be here: the lounge's own, or that in whose community's app he looks."""
        return self.lounge.state.casinos[self.cage.casino if self.frame is not None else LOUNGE]

    @property
    def is_inspector(self) -> bool:
        """Appointed by name, here or in his own community, or whoever administers the place, as his platform has it."""
        if self.player is None:
            return False
        row = self._own_place
        home = self.lounge.state.casinos[keeper_of(row)] if row is not None else self.ground
        is_appointed = self.player.id in (*self.ground.state.inspectors, *home.state.inspectors)
        return is_appointed or (self.frame is not None and self.frame.inspects())

    @property
    def is_founder(self) -> bool:
        """Whether what concerns a whole casino is his affair: not where his community has joined another's (G10)."""
        row = self._own_place
        is_own = self.frame is None or (row is not None and keeper_of(row) == self.ground.id)
        return is_own or (self.player is not None and self.player.id in self.ground.state.inspectors)

    @property
    def inspected(self) -> list[Table]:
        """The tables that he may run if he is an inspector, those that take no bets too."""
        tables = [table for table in self.lounge.state.tables_in(self.ground.id) if table.status != "closed"]
        return [table for table in tables if self.frame is None or self._place_of(table) is not None]

    @property
    def _own_place(self) -> PlaceRow | None:
        return self.lounge.state.place(*self.frame.place) if self.frame is not None else None

    def _place_of(self, table: Table) -> Place | None:
        """Where a table stands in the community in whose app he looks."""
        own, rows = self._own_place, self.lounge.state.places_of(table.id)
        near = (row for row in rows if own and (row.platform, keeper_of(row)) == (own.platform, keeper_of(own)))
        return next((Place(row.platform, row.address) for row in near), None)

    @property
    def chips(self) -> Amount | None:
        return self.chips_in(LOUNGE)

    def chips_in(self, casino: int) -> Amount | None:
        member = self.lounge.state.member(casino, self.player.id) if self.player else None
        return Amount(self.lounge.state.balance(wallet_of(member))) if member else None

    @cached_property
    def cages(self) -> list[Cage]:
        """Looked up only where a page shows them, and once for it."""
        return [self.cage] if self.frame is not None else self.lounge.cages(self.player)

    def find_table(self, number: str) -> Table | None:
        """One that he may look at, open or not."""
        if self.frame is None:
            return self.lounge.find_table(number, self.player)
        return self.lounge.state.table(self.frame.table) if number == str(self.frame.table) else None

    def place_at(self, table: Table) -> Place:
        """Where he says what he says to it."""
        if self.frame is None:
            return room(table.id)
        return self.frame.place if table.id == self.frame.table else self._place_of(table) or self.frame.place

    def command(self, place: Place, verb: str, args: tuple[str, ...] = (), **more: Any) -> Command:
        assert self.player is not None
        platform = PLATFORM if self.frame is None else self.frame.platform
        inspects = self.frame is not None and is_inspectors(verb) and self.frame.inspects()
        who = Who(platform, self.account, "", self.player.language, inspects, None)
        return Command(more.pop("key", None) or new_key(PLATFORM), who, place, verb, args, **more)

    async def ask(self, verb: str, *args: str) -> Answer:
        """A question that a page asks for him, at his cage."""
        if self.player is None or not self.lounge.pages.take(self.player.id):
            return SLOWLY
        return await self.lounge.submit(self.command(self.cage.place, verb, args))

    async def follow(
        self,
        request: web.Request,
        table: int | None,
        draw: Callable[["Visitor"], View],
        mark: Mark | None = None,
        may_bend: Callable[[str], bool] | None = None,
    ) -> web.StreamResponse:
        """The websocket of a page that he looks at, which shows what `draw` makes for him of a table, or of all; `mark`
        is how far it has come, `may_bend` which cards he may show to the others as they bend.
        """
        player = self.player
        assert player is not None
        session = self.browser, self.account
        return await self.lounge.live.follow(
            request, table, player.id, session, lambda: draw(self._as_he_is(player.id)), mark, may_bend
        )

    def _as_he_is(self, id: int) -> "Visitor":
        """His language may have changed."""
        player = self.lounge.state.players[id]
        return replace(self, language=player.language, player=player)


_QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")
LOUNGE_KEY = web.AppKey("lounge", Lounge)


def lounge_of(request: web.Request) -> Lounge:
    """The one that this request is asked of."""
    return request.app[LOUNGE_KEY]


def language_of(request: web.Request) -> str:
    """Before anybody signs in: what was chosen here, then what the browser asks for."""
    chosen = request.query.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    spoken = (language_of_code(one) for one in _languages_asked(request.headers.get("Accept-Language", "")))
    return next(filter(None, spoken), lounge_of(request).language)


def _languages_asked(header: str) -> list[str]:
    """Codes, the one that is wanted most first (RFC 9110, 12.5.4); those that are refused by q=0 are left out."""
    wanted: list[tuple[float, str]] = []
    for one in header.split(","):
        code, *more = (part.strip() for part in one.split(";"))
        said = next((part[2:].strip() for part in more if part[:2].lower() == "q="), "1")
        quality = float(said) if _QUALITY.fullmatch(said) else 0.0
        if code and quality:
            wanted.append((quality, code))
    return [code for _quality, code in sorted(wanted, key=lambda pair: -pair[0])]


def reader_of(request: web.Request) -> Visitor:
    """Of a page for everybody."""
    return Visitor(lounge_of(request), language_of(request))


async def players_of(request: web.Request) -> list[Visitor]:
    """Everybody who is signed in in this browser."""
    lounge, found = lounge_of(request), {}
    for browser in await lounge.browsers.of(request):
        for account in sorted(browser.accounts):
            player = lounge.player_behind(account)
            if player is not None and player.id not in found:
                found[player.id] = Visitor(lounge, player.language, player, account, browser.row.id)
    return [found[id] for id in sorted(found)]


FRAMED = web.RequestKey("framed", Visitor)
"""Who asks from a page in a platform's app, as its session has it (frames.py)."""


async def visitor_of(request: web.Request) -> Visitor | None:
    """The player in the address, if he is signed in here; without one in the address, a reader."""
    slug = request.match_info.get("slug")
    if slug is None:
        return reader_of(request)
    if FRAMED in request:
        return request[FRAMED]
    lounge, wanted = lounge_of(request), player_in(slug)
    for browser in await lounge.browsers.of(request):
        for account in browser.accounts:
            if lounge.player_of(account) == wanted:
                return await _welcome(Visitor(lounge, "", lounge.player_behind(account), account, browser.row.id))
    return None


async def _welcome(visitor: Visitor) -> Visitor:
    """Whom the house has not seen since it opened it looks up in the books, with his wallet."""
    assert visitor.player is not None
    if (LOUNGE, visitor.player.id) not in visitor.lounge.state.members:
        await visitor.lounge.submit(visitor.command(LOBBY, "balance"))
    return replace(visitor, language=visitor.player.language)


async def player_of(request: web.Request) -> Visitor:
    """The player in the address, at the cage that he asks for; who is not signed in as him goes to the door."""
    visitor = await visitor_of(request)
    if visitor is None or visitor.player is None:
        raise web.HTTPSeeOther("/")
    wanted = request.query.get("casino")
    if wanted is None or visitor.frame is not None:
        return visitor
    return replace(visitor, cage=next((cage for cage in visitor.cages if str(cage.casino) == wanted), OWN_CAGE))
