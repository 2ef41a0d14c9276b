"""Common parts of plans: their world, waiting, and reading an answer.

A plan is a generator. It yields a command and receives the answer, or yields None and waits a step. Other commands come
in between and may defeat it; then it just ends.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass

from bot.core.commands.command import Answer, Command, Who
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.state.transaction import State
from tests.simulation.crowd import Crowd

Plan = Generator[Command | None, Answer | None, None]
# Longest wait for a table to come to rest.
PATIENCE = 150


@dataclass
class World:
    """The world of plans: the published state, the people, and the next seed where one is needed.

    `internal_command_of(key, place, verb, *args)` makes an internal command.
    """

    crowd: Crowd
    house: State
    seeds: list[bytes]
    internal_command_of: Callable[..., Command]

    def at(self, place: Place) -> Table | None:
        return self.crowd.table_at(place)

    def say(self, who: Who, at: Place, line: str) -> Command:
        return self.crowd.say(who, at, line)

    def internal_command(self, at: Place, verb: str, *args: str) -> Command:
        self.crowd.said += 1
        return self.internal_command_of(f"{self.crowd.seed}:house:{self.crowd.said}", at, verb, *args)

    def inspector(self, platform: str) -> Who:
        return self.crowd.somebody(platform, inspects=True)


def until(world: World, at: Place, is_so: Callable[[Table], bool]) -> Plan:
    """Wait for a condition, with a limit."""
    for _step in range(PATIENCE):
        table = world.at(at)
        if table is None or is_so(table):
            return
        yield None


def wait(steps: int) -> Plan:
    """Wait for this many steps."""
    for _step in range(steps):
        yield None


def value_of(answer: Answer | None, name: str) -> str | None:
    """Return a value of an answer by its name, if the command succeeded."""
    found = answer.texts[0].values.get(name) if answer is not None and not answer.refused else None
    return str(found) if found is not None else None
