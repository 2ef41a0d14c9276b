"""Every command, declared once: its name, what it takes, who may, and the help. Slash commands, menus, the lounge's
command line and the help are all made from it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bot.floor.command import Answer, Command, Refused
from bot.floor.house import Casino, Member, Paper, Player, wallet_of
from bot.floor.table import Table
from bot.texts import Text
from engine.felt import Amount


@dataclass
class Request:
    """A command with everything it refers to, found and allowed. Handlers change the paper and nothing else.

    `home` is the own casino of the community that it comes from, wherever that has joined.
    """

    paper: Paper
    now: float
    command: Command
    entropy: Callable[[int], bytes]
    casino: Casino
    player: Player
    member: Member
    at: Table | None
    is_inspector: bool
    home: Casino

    @property
    def table(self) -> Table:
        if self.at is None:
            raise Refused("There is no table here. An inspector opens one with /table open.")
        return self.at

    @property
    def args(self) -> tuple[str, ...]:
        return self.command.args

    @cached_property
    def wallet(self) -> str:
        return wallet_of(self.member)

    def chips(self) -> Amount:
        return Amount(self.paper.balance(self.wallet))

    def argument(self, index: int, missing: str) -> str:
        """The argument, or the sentence `missing` (a template) as a refusal."""
        if len(self.args) <= index:
            raise Refused(missing)
        return self.args[index]

    def reason(self, index: int) -> str:
        """An inspector's act names its reason: the rest of the line."""
        reason = self.remark(index)
        if not reason:
            raise Refused("Name the reason, please: it stands in the audit log.")
        return reason

    def remark(self, index: int) -> str:
        """The reason of an act that takes nothing from anybody: it may go without saying."""
        return " ".join(self.args[index:]).strip()[:200]


class Verb(NamedTuple):
    """`group`: play, chips, knowing, me, inspectors. `usage` shows the arguments; an empty one means none."""

    name: str
    run: Callable[[Request], Answer]
    help: Text
    group: str
    usage: str = ""


VERBS: dict[str, Verb] = {}


def verb(
    name: str, help: Text, *, group: str, usage: str = ""
) -> Callable[[Callable[[Request], Answer]], Callable[[Request], Answer]]:
    def declare(run: Callable[[Request], Answer]) -> Callable[[Request], Answer]:
        VERBS[name] = Verb(name, run, help, group, usage)
        return run

    return declare


def say(template: str, **values: object) -> Answer:
    return Answer((Text(template, "", **values),))
