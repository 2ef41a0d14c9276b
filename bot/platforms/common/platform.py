"""The interface between a platform and the process that opens it.

A platform is a package under bot/platforms with a module `platform`, whose `make_platform` takes the opening; the
settings choose the platforms (bot/config.py). A module may have `stand_in`, which takes the settings and is entered
while the process waits for a store that another process holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from aiohttp import web

from bot.config import Config
from bot.core.access import Access
from bot.platforms.common.frames import FrameHost
from bot.view.pictures.worker import Renderer

if TYPE_CHECKING:
    from bot.beacon.follow import BeaconFollower


class CannotOpen(Exception):
    """A reason, in one line, why the casino cannot open."""


class Platform(Protocol):
    """A running platform. Belongs to the event loop.

    name           of the platform, as in places and accounts
    routes         requests that the web server passes on to it
    open           accept updates from now on, and show changes. Raises CannotOpen
    is_connected   whether presses arrive now
    is_contested   whether another program uses the bot's token, so that no bets are accepted
    drain          accept nothing new; what has arrived is finished and answered while the writer still runs
    close          end it, after the writer has stopped
    """

    @property
    def name(self) -> str: ...

    @property
    def routes(self) -> Sequence[web.RouteDef]: ...

    async def open(self) -> None: ...

    def is_connected(self) -> bool: ...

    def is_contested(self) -> bool: ...

    async def drain(self) -> None: ...

    async def close(self) -> None: ...


@dataclass
class Opening:
    """The parts that a platform gets when the process opens it.

    platforms    all platforms, in the order of opening
    opened       those that this process serves: a front leaves out those whose token another one uses
    beacon   None if the settings name none
    frames   platforms that show the table page in their own apps; each platform adds its own when it is made
    """

    config: Config
    writer: Access
    renderer: Renderer
    platforms: list[Platform] = field(default_factory=list)
    opened: list[Platform] = field(default_factory=list)
    frames: list[FrameHost] = field(default_factory=list)
    beacon: "BeaconFollower | None" = None
