"""Declaration of a command: its name, arguments, permission, help sentence, and the request that it gets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from typing import NamedTuple

from bot.core.commands.command import Answer, Choice, Command, Confirm, Refused, Where, Who
from bot.core.commands.picks import split_pick
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino, Member, Player, wallet_of
from bot.texts import GAME_NAMES, Name, Text
from engine.felt import Amount, Word

MOST_NAMED = 12


class CommandFlag(Flag):
    """Flags of a command.

    STAKING   it puts chips at risk that were not in a hand yet: bans and the player's own limits apply
    MEMBERS   a ban forbids it, though it stakes nothing
    FOUNDERS  in a shared casino for inspectors of the founding community alone
    PRIVATE   it may be used in private; so may everything about chips, help and oneself
    LINKABLE  it changes nothing, so that a link may ask for it
    OPENS     it makes its place one of the casino's
    SHOWS     it shows a table where there was none
    SEEN      its effect is visible at the table itself
    BRINGS    it posts the table again if that has scrolled away
    POSTS     its answer is a picture for everyone in the place
    HANDS     its answer is for one person: a file, or a link to pass on
    HARMS     it takes something from people, or nothing takes it back: its button looks dangerous
    """

    NONE = 0
    STAKING = auto()
    MEMBERS = auto()
    FOUNDERS = auto()
    PRIVATE = auto()
    LINKABLE = auto()
    OPENS = auto()
    SHOWS = auto()
    SEEN = auto()
    BRINGS = auto()
    POSTS = auto()
    HANDS = auto()
    HARMS = auto()


_PRIVATE_GROUPS = ("chips", "knowing", "me")


class CommandSpec(NamedTuple):
    """A command: `group` is play, chips, knowing, me or inspectors; `usage` shows the arguments, `game` the game that
    brings it. Empty ones mean none. `button` is what a button that says it is called; inspectors' commands have one.
    """

    name: str
    run: "Callable[[Request], Answer]"
    help: Text
    group: str
    usage: str = ""
    flags: CommandFlag = CommandFlag.NONE
    game: str = ""
    button: Text | None = None

    def __call__(self, request: "Request") -> Answer:
        return self.run(request)


@dataclass
class Request:
    """A command with everything it refers to, found and allowed. Handlers change the transaction and nothing else.

    `home` is the own casino of the command's community, even if it has joined another. `admit` makes a person whom the
    platform has proven a member of the casino, and returns their player. `verbs` are all commands by name.
    """

    transaction: Transaction
    now: float
    command: Command
    entropy: Callable[[int], bytes]
    casino: Casino
    player: Player
    member: Member
    at: Table | None
    is_inspector: bool
    home: Casino
    admit: Callable[[Who], int]
    verbs: Mapping[str, CommandSpec]

    @property
    def verb(self) -> CommandSpec:
        return self.verbs[self.command.verb]

    @property
    def table(self) -> Table:
        if self.at is None:
            raise self._no_table()
        return self.at

    def _no_table(self) -> Refused:
        """Return the refusal for a place without a table: it names the player's table, or others with links, or who
        opens one.
        """
        here = [table for table in self.transaction.tables_in(self.casino.id) if table.status != "closed"]
        mine = [table for table in here if self.player.id in {*table.players(), *table.owners().values()}]
        named = {
            table.id: Text("{number}: {game}", number=table.number, game=Word(table.game))
            for table in (mine or here)[:MOST_NAMED]
        }
        ways, tables = [Choice(name, where=Where(id)) for id, name in named.items()], [*named.values()]
        if mine:
            return Refused("There is no table here. You play at {tables}.", tables=tables).offering(ways)
        if here:
            return Refused("There is no table here. Open tables: {tables}.", tables=tables).offering(ways)
        games = [Choice(Text("{game}", game=Word(game)), "table open", (game,)) for game in GAME_NAMES]
        refused = Refused("There is no table here. An inspector opens one with /table open.")
        return refused.offering(games if self.is_inspector else ())

    @property
    def own_name(self) -> Name:
        """Return the name of the sender here."""
        return self.name_of(self.player.id)

    def name_of(self, player: int) -> Name:
        """Return what a player is called in this casino."""
        return self.transaction.name_of(self.casino.id, player)

    @property
    def args(self) -> tuple[str, ...]:
        return self.command.args

    @property
    def wallet(self) -> str:
        return wallet_of(self.member)

    def chips(self) -> Amount:
        return Amount(self.transaction.balance(self.wallet))

    def argument(self, index: int, missing: str) -> str:
        """Return an argument. Raises Refused with the sentence `missing` (a template) where there is none."""
        if len(self.args) <= index:
            raise Refused(missing)
        return self.args[index]

    def reason(self, index: int) -> str:
        """Return the rest of the line, the reason of an inspector's act. Raises Refused without one."""
        reason = self.remark(index)
        if not reason:
            raise Refused("Add a reason. It goes into the audit log.")
        return reason

    def confirm(self, template: str, plural: str = "", *, about: object = 0, **values: object) -> None:
        """Ask a question, unless this very one has been answered with yes. Raises Confirm."""
        question = Confirm(template, plural, about=about, **values)
        if self.command.confirmed not in (True, question.mark):
            raise question

    def remark(self, index: int) -> str:
        """Return the rest of the line, the optional reason of an act that takes nothing from anybody."""
        return " ".join(map(self._spell, self.args[index:])).strip()[:200]

    def _spell(self, word: str) -> str:
        """Replace a pick by the person's name, because account numbers belong in no log."""
        before, picked = split_pick(word)
        if picked is None:
            return before
        player = picked.player or self.transaction.identity(self.command.who.platform, picked.account)
        is_known = player is not None and self.transaction.member(self.casino.id, player) is not None
        return before + (self.name_of(player) if player is not None and is_known else "?")


def command(
    name: str,
    help: Text,
    *,
    group: str,
    usage: str = "",
    flags: CommandFlag = CommandFlag.NONE,
    button: Text | None = None,
) -> Callable[[Callable[[Request], Answer]], CommandSpec]:
    """Make the function below a command: what is typed, its sentence in the help, who it is for.

    It can be used once `bot.core.command_list` lists it, or the `commands` of a game.
    """
    private = CommandFlag.PRIVATE if group in _PRIVATE_GROUPS else CommandFlag.NONE
    return lambda run: CommandSpec(name, run, help, group, usage, flags | private, button=button)


def answer_with(template: str, **values: object) -> Answer:
    """Make an answer of one sentence; `values` fill the template."""
    return Answer((Text(template, **values),))
