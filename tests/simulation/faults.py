"""Faults from outside: time, places that vanish and come back, platforms that are away.

Platforms report them by internal commands; late and repeated ones, and those about unknown places, come too.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.config import CHATS
from bot.core.commands.command import Command
from bot.core.state.lounge import is_room
from bot.core.state.place import Place
from tests.simulation.books import FATES
from tests.simulation.world import World

DAY_S = 86400.0
# How often a step brings each fault.
INCIDENTS = {"silence": 0.003, "deletion": 0.0008, "removal": 0.0003, "migration": 0.001, "outage": 0.0008}
CALM = {"regain": 0.01, "return": 0.02}
CRASHES = 0.0025
NIGHTS = 0.00025
SETTINGS = 0.002
# Someone removes the lock and opens a second node on the same folder.
SECOND_HOUSES = 0.0008
# How often the log is checkpointed, and how often a dead process's files are checked as if some of them were lost.
HOMEWARD, LOSSES_AT_DEATH = 0.02, 0.5
# How often a computation is late: most of them are skipped, because they would take half of the running time.
LATE_COUNTS = 0.8
# How far a machine's wall clock may be off.
AHEAD_S = (-1800.0, -45.0, -0.7, 0.0, 0.7, 45.0, 1800.0)


@dataclass
class Faults:
    """Faults from outside: `away` are unreachable platforms, `lost` places that may be regained."""

    rng: random.Random
    lost: list[Place] = field(default_factory=list)
    away: list[str] = field(default_factory=list)

    @property
    def silent(self) -> str:
        return self.away[0] if self.away else ""

    def pass_time(self) -> float:
        """Return seconds: mostly few, sometimes enough for every clock, seldom a day or three."""
        roll = self.rng.random()
        if roll < NIGHTS:
            return self.rng.choice((1, 1, 3)) * DAY_S
        if roll < 0.03:
            return self.rng.uniform(5, 200)
        return self.rng.choice((0.01, 0.05, 0.2, 1.0, 3.0))

    def set_clock(self) -> float | None:
        """Return how far the wall clock is ahead from now on, or None for no change."""
        return self.rng.choice(AHEAD_S) if self.rng.random() < SETTINGS else None

    def has(self, often: float) -> bool:
        return self.rng.random() < often

    def fate(self) -> str:
        return self.rng.choice(FATES) if self.rng.random() < CRASHES else ""

    def befall(self, world: World) -> Iterator[Command]:
        for name, often in (*INCIDENTS.items(), *CALM.items()):
            if self.rng.random() < often:
                yield from getattr(self, f"_{name}")(world)

    def _silence(self, world: World) -> Iterator[Command]:
        """Mute the bot: by a restriction, a closed topic, or a removed right."""
        at = self._place(world)
        if at is not None:
            self.lost.append(at)
            yield world.internal_command(at, "lose")

    def _regain(self, world: World) -> Iterator[Command]:
        if self.lost:
            yield world.internal_command(self.lost.pop(self.rng.randrange(len(self.lost))), "regain")
        elif (at := self._place(world)) is not None:
            yield world.internal_command(at, "regain")

    def _deletion(self, world: World) -> Iterator[Command]:
        """Delete a channel. A table is opened elsewhere, where a dealt hand goes on (G10)."""
        at = self._place(world)
        table = world.at(at) if at is not None else None
        if at is None or table is None:
            return
        yield world.internal_command(at, "lose", "gone")
        other = Place(at.platform, f"{at.address.partition(' ')[0]} room {world.crowd.said}")
        yield world.internal_command(other, "enter", f"{at.address.partition(' ')[0]} home")
        yield world.say(world.inspector(at.platform), other, f"table open {table.game}")

    def _removal(self, world: World) -> Iterator[Command]:
        """Remove the bot from a community, at once or place by place, and let it come back."""
        platform = self.rng.choice(CHATS)
        name = self.rng.choice((platform, "second"))
        home = Place(platform, f"{name} home")
        if self.rng.random() < 0.5:
            yield world.internal_command(home, "lose", "all")
        else:
            known = [key for key in world.house.places if key[0] == platform and key[1].startswith(f"{name} ")]
            yield from (world.internal_command(Place(*key), "lose", "gone") for key in known)
        yield world.internal_command(home, "arrive", name, "en")

    def _migration(self, world: World) -> Iterator[Command]:
        """Turn a group into a supergroup: the place has another address, and late presses still name the old one."""
        at = self._place(world)
        if at is not None:
            yield world.internal_command(at, "move", f"{at.address} moved")

    def _outage(self, world: World) -> Iterator[Command]:
        if not self.away:
            self.away.append(self.rng.choice(CHATS))
            yield world.internal_command(Place(self.away[0], ""), "away")

    def _return(self, world: World) -> Iterator[Command]:
        if self.away:
            yield world.internal_command(Place(self.away.pop(), ""), "back")

    def _place(self, world: World) -> Place | None:
        keys = [key for key in world.crowd.with_table if not is_room(Place(*key))]
        return Place(*self.rng.choice(keys)) if keys else None
