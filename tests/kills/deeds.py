"""Actions of people and the answers they got, which a test compares with the store."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.core.commands.preconditions import parse_precondition
from engine.games import GAMES

MOVES = frozenset(word for game in GAMES.values() for word in game.words if word != "bet")
# Commands that take chips from a wallet, with the least and the largest number of postings. A seat costs one in games
# with stacks, and a rebet makes as many postings as there were bets.
STAKES = {"bet": (1, 1), "buyin": (1, 1), "topup": (1, 1), "rebet": (1, 7), "sit": (0, 1)}
_WRITTEN = MOVES | {"bet", "buyin", "topup", "rebet", "takeback", "ready"}
_DONE = re.compile(
    r"^[^\n]+\. [\d.,]+ left\.|^Ready\. |^[\d.,]+ returned\. You have ",
    re.MULTILINE,
)


# An equal press before this one lost its answer, so this one was not carried out.
_EARLIER = "That is already done"


class Choice(NamedTuple):
    """A button on any platform. `asks`: it wants an amount or a text first."""

    verb: str
    args: tuple[str, ...] = ()
    fresh: str = ""
    asks: bool = False
    source: Any = None

    @property
    def is_move(self) -> bool:
        """Return whether it is a choice in a hand; `bet` may be one, and then names the hand's moves."""
        return self.verb in MOVES or (self.verb == "bet" and bool(parse_precondition(self.fresh).moves))


@dataclass(eq=False)
class Deed:
    """One update of one person. `said` is the answer's text, None before it.

    `source` is sent again in a repetition; `refused` is the answer's own flag, else its words decide.
    """

    key: str
    account: tuple[str, str]
    choice: Choice
    source: Any = None
    refused: bool | None = None
    said: str | None = None

    def hear(self, said: str) -> None:
        self.said = said

    def note(self, said: str, refused: bool) -> None:
        """Record an answer of a browser; a repetition gets the same one, unless that was a refusal."""
        if self.refused is False and self.is_written:
            assert said == self.said, self
            assert not refused, self
            return
        self.said, self.refused = said, refused

    @property
    def is_acknowledged(self) -> bool:
        """Return whether the person was told that it was done."""
        if self.refused is not None:
            return not self.refused
        said = self.said or ""
        return not said.startswith(_EARLIER) and bool(_DONE.search(said))

    @property
    def is_written(self) -> bool:
        """Return whether it changes the store when done."""
        return self.choice.verb in _WRITTEN


class LoungeView(NamedTuple):
    """A view of the lounge: the hand, its commit, the player's own cards, and the last hand."""

    table: int
    hand: int
    commit: str
    player: int
    cards: tuple[str, ...]
    last: int | None


@dataclass
class Deeds:
    """All actions in order; `open` are those without an acknowledgement yet."""

    all: list[Deed] = field(default_factory=list)
    open: list[Deed] = field(default_factory=list)
    views: set[LoungeView] = field(default_factory=set)

    def add(self, deed: Deed) -> Deed:
        self.all.append(deed)
        self.open.append(deed)
        return deed

    def take_told(self) -> list[Deed]:
        """Return and close the actions that were acknowledged."""
        told = [deed for deed in self.open if deed.is_acknowledged]
        self.open = [deed for deed in self.open if not deed.is_acknowledged]
        return told

    def lost(self, written: Mapping[str, float]) -> list[Deed]:
        """Return the acknowledged actions that are missing in the store."""
        return [deed for deed in self.take_told() if deed.is_written and deed.key not in written]


def torn(
    deeds: Iterable[Deed], written: Mapping[str, float], taken: Counter[Any], players: Mapping[Any, int]
) -> list[str]:
    """Return differences: a stake in the store without its update, or an update without its stake.

    `written` is the time of each key's answer, `taken` how often a player's wallet was charged at a time; all of one
    batch has one time. Only actions of these people charge them.
    """
    least: Counter[Any] = Counter()
    most: Counter[Any] = Counter()
    for deed in deeds:
        if deed.choice.verb in STAKES and not deed.choice.is_move and deed.key in written:
            when = players[deed.account], written[deed.key]
            least[when] += STAKES[deed.choice.verb][0]
            most[when] += STAKES[deed.choice.verb][1]
    return [
        f"player {when[0]} was charged {taken[when]} times at {when[1]}, and should be {least[when]} to {most[when]}"
        for when in {*least, *most, *taken}
        if not least[when] <= taken[when] <= most[when]
    ]
