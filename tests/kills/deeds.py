"""What people did, and what they were told of it: all that a test has in hand against the books."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.core.commands.fresh import parse_fresh
from engine.games import GAMES

MOVES = frozenset(word for game in GAMES.values() for word in game.words if word != "bet")
# These take chips from a wallet: in how many postings at least and at most. A seat costs some where one plays from a
# stack, and what is bet again is as many bets as there were.
STAKES = {"bet": (1, 1), "buyin": (1, 1), "topup": (1, 1), "rebet": (1, 7), "sit": (0, 1)}
_WRITTEN = MOVES | {"bet", "buyin", "topup", "rebet", "takeback", "ready"}
_DONE = re.compile(
    r"^[^\n]+\. [\d.,]+ left\.|^Ready\. |^[\d.,]+ back\. You have ",
    re.MULTILINE,
)


# Of the same press before this one, whose answer was lost: this one was not made.
_EARLIER = "That is already done"


class Choice(NamedTuple):
    """A button, whatever it is drawn on. `asks`: it wants an amount or a text first."""

    verb: str
    args: tuple[str, ...] = ()
    fresh: str = ""
    asks: bool = False
    source: Any = None

    @property
    def is_move(self) -> bool:
        """A choice in a hand; `bet` may be one, and names the hand's moves then."""
        return self.verb in MOVES or (self.verb == "bet" and bool(parse_fresh(self.fresh).moves))


@dataclass(eq=False)
class Deed:
    """One update of one person. `said` are the words that came back, None as long as nothing has.

    `source` is what a repetition sends; `refused`, where the answer itself says so, else its words tell.
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
        """An answer of a browser's; a repetition is answered as the first time, unless that was a refusal."""
        if self.refused is False and self.is_written:
            assert said == self.said, self
            assert not refused, self
            return
        self.said, self.refused = said, refused

    @property
    def is_acknowledged(self) -> bool:
        """He was told that it was done."""
        if self.refused is not None:
            return not self.refused
        said = self.said or ""
        return not said.startswith(_EARLIER) and bool(_DONE.search(said))

    @property
    def is_written(self) -> bool:
        """Whether it changes the books, if it is done."""
        return self.choice.verb in _WRITTEN


class Sight(NamedTuple):
    """What the lounge showed somebody: which hand, under which commit, his own cards, and which hand was the last."""

    table: int
    hand: int
    commit: str
    player: int
    cards: tuple[str, ...]
    last: int | None


@dataclass
class Deeds:
    """In the order in which they were done; `open` are those that nobody was told of yet."""

    all: list[Deed] = field(default_factory=list)
    open: list[Deed] = field(default_factory=list)
    sights: set[Sight] = field(default_factory=set)

    def add(self, deed: Deed) -> Deed:
        self.all.append(deed)
        self.open.append(deed)
        return deed

    def take_told(self) -> list[Deed]:
        """Those of which somebody was told that they were done; they are open no more."""
        told = [deed for deed in self.open if deed.is_acknowledged]
        self.open = [deed for deed in self.open if not deed.is_acknowledged]
        return told

    def lost(self, written: Mapping[str, float]) -> list[Deed]:
        """Of these whoever the books do not have."""
        return [deed for deed in self.take_told() if deed.is_written and deed.key not in written]


def torn(
    deeds: Iterable[Deed], written: Mapping[str, float], taken: Counter[Any], players: Mapping[Any, int]
) -> list[str]:
    """Where the books hold a stake without its update, or an update without its stake.

    `written` is when each key was answered, `taken` how often a player's wallet was charged at a moment: all that one
    batch writes bears one time. Nothing but what these people did charges them.
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
