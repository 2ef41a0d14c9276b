"""Common parts of all pages of the lounge: the casino, the visitor, sentences and limits."""

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

from bot.core.access import Access
from bot.core.casinos.places import communities_of, founding_casino_of
from bot.core.command_list import is_inspectors
from bot.core.commands.command import Answer, Command, Who
from bot.core.counters import Histogram
from bot.core.state.lounge import LOBBY, LOUNGE, PLATFORM, room
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.state.values import Casino, Player, wallet_of
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.context import PlatformContext, new_key
from bot.platforms.common.frames import FrameHost
from bot.platforms.common.platform import Platform
from bot.platforms.common.sentences import CLOSING, FAST
from bot.platforms.common.shared_posts import ShownThings
from bot.platforms.web.audiences import Audiences, Lobby
from bot.platforms.web.clients import LARGEST_BODY
from bot.platforms.web.live import Live
from bot.platforms.web.password_throttle import PasswordThrottle
from bot.platforms.web.sessions import Browsers, player_in, slug_of
from bot.platforms.web.timelines import Mark
from bot.platforms.web.views import PageView
from bot.texts import LANGUAGES, Name, Text
from bot.texts.languages import language_of_code
from bot.view.pictures.worker import Renderer
from engine.felt import Amount
from storage import ledger
from storage.questions import notes
from storage.rows import PlaceRow

if TYPE_CHECKING:
    from bot.beacon.follow import BeaconFollower

HEALTH, METRICS = "/healthz", "/metrics"
LOOP_LAGS_US = (1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000)
LANGUAGE_COOKIE = "language"
SLOWLY = Answer((FAST,), refused=True)
AWAY = Answer((CLOSING,), refused=True)
NO_TABLE = Text("There is no such table.")


class Cage(NamedTuple):
    """The casino whose chips and hands a page shows: the lounge's, or one of the player's, reached by one of its
    tables.
    """

    casino: int
    name: str
    place: Place


OWN_CAGE = Cage(LOUNGE, "Lounge", LOBBY)


class Frame(NamedTuple):
    """A visitor's view from a platform's app: what the app proves, and the one table it was opened for. Commands run at
    `place`, as if given in the chat. `inspects`: whether the person administered it when last asked; `ask_rights` asks
    again.
    """

    platform: str
    table: int
    place: Place
    inspects: Callable[[], bool]
    ask_rights: Callable[[], Awaitable[None]]


@dataclass
class Lounge(PlatformContext):
    """The lounge. Requests are limited by client address before a body is read, then by player.

    `password` protects a public address.
    """

    writer: Access
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
    passwords: PasswordThrottle = field(
        default_factory=lambda: PasswordThrottle(Allowance(10, 0.1), of_all=Allowance(100, 1.0))
    )
    phrases: PasswordThrottle = field(default_factory=lambda: PasswordThrottle(Allowance(10, 0.1)))
    renderer: Renderer = field(default_factory=Renderer)
    """Closed by the opener of the lounge."""
    shown: ShownThings = field(default_factory=ShownThings)
    platforms: Sequence[Platform] = ()
    """The platforms that this process serves; a front adds those whose token it gets."""
    routes: Sequence[web.RouteDef] = ()
    """Requests for the other platforms."""
    beacon: "BeaconFollower | None" = None
    frames: Sequence[FrameHost] = ()
    """The platforms whose apps show tables."""
    public_url: str | None = None
    frees_seats: bool = True
    """Whether players without an open page here may lose their seat: only where all pages are of one process."""
    loop_lag_us: Histogram = field(default_factory=lambda: Histogram(LOOP_LAGS_US))

    def __post_init__(self) -> None:
        """Remember the meter from now on, so that pages never wait for the store."""
        super().__init__(self.writer, PLATFORM)
        self.state.balance(ledger.jackpot(LOUNGE))
        # Addresses that are no pages; their clients have a secret of their own.
        self.for_machines = frozenset({HEALTH, *(route.path for route in self.routes)})
        self.audiences = Audiences(self.state, self.writer.clock)
        self.lobby = Lobby(lambda: (self.tables(), Amount(self.state.balance(ledger.jackpot(LOUNGE)))))
        self.browsers = Browsers(self.state, self.see_to, self.writer.clock)
        self._key: bytes | None = None
        self.door_key: asyncio.Task[bytes] | None = None

    @property
    def folder(self) -> Path:
        """Return the data folder, for files beside the store."""
        return self.writer.books.folder

    @property
    def casino(self) -> Casino:
        return self.state.casinos[LOUNGE]

    def communities(self, player: Player | None) -> list[tuple[Casino, list[Table]]]:
        """Return the casinos of the player's communities with open tables, each with those tables."""
        casinos = [self.state.casinos[id] for id in self._communities_of(player) if id != LOUNGE]
        return [(casino, tables) for casino in casinos if (tables := self.tables(casino.id))]

    def _communities_of(self, player: Player | None) -> list[int]:
        return communities_of(self.state, player) if player else []

    def cages(self, player: Player | None) -> list[Cage]:
        """Return the casinos a page can show, the lounge's first."""
        return [OWN_CAGE, *(Cage(one.id, one.name, room(tables[0].id)) for one, tables in self.communities(player))]

    def find_table(self, number: str, player: Player | None) -> Table | None:
        """Return a table of the lounge, or of the player's communities, open or not; None for others."""
        table = self.state.table(int(number)) if len(number) < 12 else None
        return table if table and table.casino in (LOUNGE, *self._communities_of(player)) else None

    def mark(self, tables: set[int]) -> None:
        """Note that these tables changed. Called in the writer's thread. All tables of a casino show its meter
        (CS17).
        """
        known = self.state.tables
        changed = (table for id in tables if (table := known.get(id)) is not None)
        casinos = {table.casino for table in changed if table.plays.linked_meter}

        def is_linked(id: int) -> bool:
            table = known.get(id)
            return table is not None and table.plays.linked_meter and table.casino in casinos

        self.audiences.forget(tables, is_linked)
        self.lobby.forget()
        self.live.mark(tables, is_linked)

    def url_to(self, table: int) -> str:
        """Return the address of a table below the player's own addresses."""
        return f"/table/{table}"

    async def submit(self, command: Command) -> Answer:
        return AWAY if self.is_closing else await super().submit(command)

    async def see_to(self, verb: str, *args: str) -> Answer:
        """Submit an internal command of the lounge."""
        return await self.tend(verb, LOBBY.address, *args)

    def player_behind(self, account: str) -> Player | None:
        id = self.player_of(account)
        return self.state.players[id] if id is not None else None

    async def noted_first(self, name: str, value: str) -> str:
        """Return the note under a name, or store `value` if there is none. Raises HTTPServiceUnavailable if that
        fails.
        """
        kept = notes.note(self.state.books, PLATFORM, name)
        if kept is None:
            await self.see_to("note first", name, value)
            kept = notes.note(self.state.books, PLATFORM, name)
            if kept is None:
                raise web.HTTPServiceUnavailable
        return kept

    async def key(self) -> bytes:
        """Return the lounge's key, created on first use and kept in the store."""
        if self._key is None:
            self._key = bytes.fromhex(await self.noted_first("key", secrets.token_hex(32)))
        return self._key

    async def books_name(self) -> str:
        """Return a public name of the store, by which a browser notices another one at the same address."""
        return hashlib.sha256(b"books" + await self.key()).hexdigest()[:16]


@dataclass(frozen=True)
class Visitor:
    """The sender of a request, signed in with `account` in `browser`; `player` is None on public pages."""

    lounge: Lounge
    language: str
    player: Player | None = None
    account: str = ""
    browser: str = ""
    cage: Cage = OWN_CAGE
    frame: Frame | None = None

    @property
    def base(self) -> str:
        """Return the prefix of the player's own addresses."""
        return f"/p/{slug_of(self.player)}" if self.player else ""

    @property
    def name(self) -> Name:
        """Return the player's name in the casino of their inspector rights."""
        assert self.player is not None
        return self.lounge.state.name_of(self.ground.id, self.player.id)

    @property
    def ground(self) -> Casino:
        """Return the casino in which the visitor may be an inspector: the lounge's, or that of the app's community."""
        return self.lounge.state.casinos[self.cage.casino if self.frame is not None else LOUNGE]

    @property
    def is_inspector(self) -> bool:
        """Return whether the visitor is an appointed inspector, here or in their community, or administers the app's
        place.
        """
        if self.player is None:
            return False
        row = self._own_place
        home = self.lounge.state.casinos[founding_casino_of(row)] if row is not None else self.ground
        is_appointed = self.player.id in (*self.ground.state.inspectors, *home.state.inspectors)
        return is_appointed or (self.frame is not None and self.frame.inspects())

    @property
    def is_founder(self) -> bool:
        """Return whether the visitor may act on the whole casino; not if their community has joined another's (G10)."""
        row = self._own_place
        is_own = self.frame is None or (row is not None and founding_casino_of(row) == self.ground.id)
        return is_own or (self.player is not None and self.player.id in self.ground.state.inspectors)

    @property
    def inspected(self) -> list[Table]:
        """Return the tables that the visitor may run as an inspector, closing ones included."""
        tables = [table for table in self.lounge.state.tables_in(self.ground.id) if table.status != "closed"]
        return [table for table in tables if self.frame is None or self._place_of(table) is not None]

    @property
    def _own_place(self) -> PlaceRow | None:
        return self.lounge.state.place(*self.frame.place) if self.frame is not None else None

    def _place_of(self, table: Table) -> Place | None:
        """Return the table's place in the app's community, or None."""
        own, rows = self._own_place, self.lounge.state.places_of(table.id)
        near = (
            row
            for row in rows
            if own and (row.platform, founding_casino_of(row)) == (own.platform, founding_casino_of(own))
        )
        return next((Place(row.platform, row.address) for row in near), None)

    @property
    def chips(self) -> Amount | None:
        return self.chips_in(LOUNGE)

    def chips_in(self, casino: int) -> Amount | None:
        member = self.lounge.state.member(casino, self.player.id) if self.player else None
        return Amount(self.lounge.state.balance(wallet_of(member))) if member else None

    @cached_property
    def cages(self) -> list[Cage]:
        """Return the casinos, looked up once and only if a page shows them."""
        return [self.cage] if self.frame is not None else self.lounge.cages(self.player)

    def find_table(self, number: str) -> Table | None:
        """Return a table that the visitor may see, open or not, or None."""
        if self.frame is None:
            return self.lounge.find_table(number, self.player)
        if number == str(self.frame.table):
            return self.lounge.state.table(self.frame.table)
        return self._find_beside(int(number), self.frame.table)

    def _find_beside(self, id: int, own: int) -> Table | None:
        """Return a table of the tournament of the app's own table, which its players are moved to."""
        table, here = self.lounge.state.table(id), self.lounge.state.table(own)
        if table is None or here is None or here.tournament is None or table.tournament_id != here.tournament_id:
            return None
        return table if self._place_of(table) is not None else None

    def place_at(self, table: Table) -> Place:
        """Return the place of the visitor's commands to a table."""
        if self.frame is None:
            return room(table.id)
        return self.frame.place if table.id == self.frame.table else self._place_of(table) or self.frame.place

    def command(self, place: Place, verb: str, args: tuple[str, ...] = (), **more: Any) -> Command:
        assert self.player is not None
        platform = PLATFORM if self.frame is None else self.frame.platform
        inspects = self.frame is not None and is_inspectors(verb) and self.frame.inspects()
        who = Who(platform, self.account, "", self.player.language, inspects, None)
        return Command(more.pop("key", None) or new_key(PLATFORM), who, place, verb, args, **more)

    async def submit_question(self, verb: str, *args: str) -> Answer:
        """Submit a question of a page in the visitor's name."""
        if self.player is None or not self.lounge.pages.spend(self.player.id):
            return SLOWLY
        return await self.lounge.submit(self.command(self.cage.place, verb, args))

    async def follow(
        self,
        request: web.Request,
        table: int | None,
        draw: Callable[["Visitor"], PageView],
        mark: Mark | None = None,
        may_bend: Callable[[str], bool] | None = None,
    ) -> web.StreamResponse:
        """Serve the websocket of a page, whose content `draw` returns for one table or for all. `mark` is how far the
        page has come, `may_bend` which cards the visitor may bend for everyone to see.
        """
        player = self.player
        assert player is not None
        session = self.browser, self.account
        return await self.lounge.live.follow(
            request, table, player.id, session, lambda: draw(self._as_he_is(player.id)), mark, may_bend
        )

    def _as_he_is(self, id: int) -> "Visitor":
        """Return the visitor with present settings, such as a new language."""
        player = self.lounge.state.players[id]
        return replace(self, language=player.language, player=player)


_QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")
LOUNGE_KEY = web.AppKey("lounge", Lounge)


def lounge_of(request: web.Request) -> Lounge:
    """Return the lounge of the request's application."""
    return request.app[LOUNGE_KEY]


def language_of(request: web.Request) -> str:
    """Return the reader's language before sign-in: the one chosen here, else the browser's."""
    chosen = request.query.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    spoken = (language_of_code(one) for one in _languages_asked(request.headers.get("Accept-Language", "")))
    return next(filter(None, spoken), lounge_of(request).language)


def _languages_asked(header: str) -> list[str]:
    """Return language codes by preference (RFC 9110, 12.5.4), without those refused by q=0."""
    wanted: list[tuple[float, str]] = []
    for one in header.split(","):
        code, *more = (part.strip() for part in one.split(";"))
        said = next((part[2:].strip() for part in more if part[:2].lower() == "q="), "1")
        quality = float(said) if _QUALITY.fullmatch(said) else 0.0
        if code and quality:
            wanted.append((quality, code))
    return [code for _quality, code in sorted(wanted, key=lambda pair: -pair[0])]


def reader_of(request: web.Request) -> Visitor:
    """Return the visitor of a public page."""
    return Visitor(lounge_of(request), language_of(request))


async def players_of(request: web.Request) -> list[Visitor]:
    """Return everyone who is signed in in this browser."""
    lounge, found = lounge_of(request), {}
    for browser in await lounge.browsers.of(request):
        for account in sorted(browser.accounts):
            player = lounge.player_behind(account)
            if player is not None and player.id not in found:
                found[player.id] = Visitor(lounge, player.language, player, account, browser.row.id)
    return [found[id] for id in sorted(found)]


FRAMED = web.RequestKey("framed", Visitor)
"""The visitor of a request from a page in a platform's app (frames.py)."""


async def visitor_of(request: web.Request) -> Visitor | None:
    """Return the player in the address if signed in here, else None; a reader if the address names none."""
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
    """Load the player and their wallet from the store, if unseen since the start."""
    assert visitor.player is not None
    if (LOUNGE, visitor.player.id) not in visitor.lounge.state.members:
        await visitor.lounge.submit(visitor.command(LOBBY, "balance"))
    return replace(visitor, language=visitor.player.language)


async def player_of(request: web.Request) -> Visitor:
    """Return the player in the address, with the requested casino. Redirects to the front page if not signed in."""
    visitor = await visitor_of(request)
    if visitor is None or visitor.player is None:
        raise web.HTTPSeeOther("/")
    wanted = request.query.get("casino")
    if wanted is None or visitor.frame is not None:
        return visitor
    return replace(visitor, cage=next((cage for cage in visitor.cages if str(cage.casino) == wanted), OWN_CAGE))
