"""What a platform's way in is to the house that opens it.

Each is a package under bot/platforms with a module `door`, whose `make_door` takes the opening; the configuration says
whose doors are on (bot/config.py). A `stand_in`, where the module has one, takes the configuration and is entered while
the process waits for books that another one has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from aiohttp import web

from bot.config import Config
from bot.core.writer import Writer
from bot.platforms.common.frames import FrameHost
from bot.view.pictures.worker import Renderer

if TYPE_CHECKING:
    from bot.beacon.follow import Beacon


class CannotOpen(Exception):
    """What keeps the house shut, in one line."""


class Door(Protocol):
    """Belongs to the event loop.

    name           the platform's, as places and accounts have it
    routes         what is asked of the house's web server on its behalf
    open           takes what comes in from now on, and shows what changes. Raises CannotOpen
    is_connected   whether what people press now is heard
    is_contested   whether another program uses the bot's token, so that no bets are taken
    hush           takes nothing new; what has arrived is finished and answered, and the writer still runs
    close          ends it; the writer has stopped
    """

    @property
    def name(self) -> str: ...

    @property
    def routes(self) -> Sequence[web.RouteDef]: ...

    async def open(self) -> None: ...

    def is_connected(self) -> bool: ...

    def is_contested(self) -> bool: ...

    async def hush(self) -> None: ...

    async def close(self) -> None: ...


@dataclass
class Opening:
    """What a house that opens gives to each of its doors.

    doors    all of them, in the order of their opening
    beacon   None where the settings name none
    frames   platforms that show the house's page in their own apps: each door adds its own when it is made
    """

    config: Config
    writer: Writer
    renderer: Renderer
    doors: list[Door] = field(default_factory=list)
    frames: list[FrameHost] = field(default_factory=list)
    beacon: "Beacon | None" = None
