"""Internal commands of platforms, which cannot be typed, such as a lost place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bot.core.commands.command import Command
from bot.core.state.place import Place
from bot.core.state.transaction import Transaction
from storage.rows import PlaceRow


@dataclass
class InternalCommand:
    """A platform's command with what it may touch. `entropy(n)` draws n random bytes."""

    transaction: Transaction
    command: Command
    now: float
    entropy: Callable[[int], bytes]

    @property
    def at(self) -> Place:
        return self.command.place

    @property
    def args(self) -> tuple[str, ...]:
        return self.command.args

    @property
    def row(self) -> PlaceRow | None:
        return self.transaction.place(*self.at)


class InternalCommandSpec(NamedTuple):
    """An internal command, by the name that platforms and the core use."""

    name: str
    run: Callable[[InternalCommand], None]

    def __call__(self, request: InternalCommand) -> None:
        self.run(request)


def internal_command(name: str) -> Callable[[Callable[[InternalCommand], None]], InternalCommandSpec]:
    """Make the function below an internal command, once `bot.core.command_list` lists it.

    It changes the transaction or raises Refused; its answer is empty.
    """
    return lambda run: InternalCommandSpec(name, run)
