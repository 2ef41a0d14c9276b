"""The people of the simulation, and their knowledge of the casino as the store has it.

All choices follow from one random.Random.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.config import CHATS
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Command, Who
from bot.core.state.lounge import PLATFORM, room
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.texts import LANGUAGES
from storage.rows import PlaceRow

PLATFORMS = (PLATFORM, *CHATS)
PEOPLE = 240
INSPECTORS = 9
# The regular players of each platform, so that tables fill and hands are played to the end.
REGULARS = (4, 12, 30, PEOPLE)


@dataclass
class Crowd:
    """The people; `games` are those that they open tables of.

    faces      the accounts of each player, and `accounts` the other way round
    places     all known places; `with_table` those where people play
    waiting    tables where a hand waits for a command that is no move
    """

    seed: int
    rng: random.Random
    house: State
    games: Sequence[str]
    people: list[Who] = field(default_factory=list)
    faces: dict[tuple[str, str], int] = field(default_factory=dict)
    accounts: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    places: dict[tuple[str, str], PlaceRow] = field(default_factory=dict)
    with_table: list[tuple[str, str]] = field(default_factory=list)
    waiting: set[int] = field(default_factory=set)
    said: int = 0

    def __post_init__(self) -> None:
        self.people = [self._person(number) for number in range(PEOPLE)]
        self.of = {name: [who for who in self.people if who.platform == name] for name in PLATFORMS}
        self.by_account = {(who.platform, who.account): who for who in self.people}

    def _person(self, number: int) -> Who:
        platform = PLATFORMS[number % len(PLATFORMS)]
        language = tuple(LANGUAGES)[number // len(PLATFORMS) % len(LANGUAGES)]
        return Who(platform, str(number), f"player{number}", language, inspector=number < INSPECTORS)

    def meet(self, platform: str, account: str, player: int) -> None:
        """Assign an account to a player from now on, as after a link."""
        key = (platform, account)
        before = self.faces.get(key)
        if before is not None:
            self.accounts[before].remove(key)
        self.faces[key] = player
        self.accounts.setdefault(player, []).append(key)

    def find(self, row: PlaceRow) -> None:
        """Add a place where a table is or can be opened."""
        key = (row.platform, row.address)
        is_for_all = not row.address.endswith("home") and not row.address.startswith(("room", "@", "lobby"))
        if key not in self.places and is_for_all:
            self.with_table.append(key)
        self.places[key] = row

    def notice(self, table: Table, *, waits: bool) -> None:
        """Note a hand that waits for a command, and a room of the lounge that closes with its table."""
        (self.waiting.add if waits else self.waiting.discard)(table.id)
        own = room(table.id)
        if table.status == "closed" and own in self.with_table and len(self.with_table) > 6:
            self.with_table.remove(own)

    def table_at(self, at: Place) -> Table | None:
        row = self.house.place(*at)
        return self.house.table(row.table_id) if row is not None and row.table_id else None

    def player(self, who: Who) -> int:
        """Return the number of the person's player; 0 for an unknown one."""
        return self.faces.get((who.platform, who.account), 0)

    def place_of(self, game: str) -> Place | None:
        """Return a place where the game is played now, or None."""
        keys = [key for key in self.with_table if (table := self.table_at(Place(*key))) and table.game == game]
        return Place(*self.rng.choice(keys)) if keys else None

    def somebody(self, platform: str, *, inspects: bool = False) -> Who:
        people = self.of[platform]
        if inspects:
            return self.rng.choice(people[: INSPECTORS // 3])
        return self.rng.choice(people[: self.rng.choice(REGULARS)])

    def one_of(self, at: Place, players: Sequence[int]) -> Who | None:
        """Return an account of this platform that belongs to one of the players."""
        found = [key for player in players for key in self.accounts.get(player, ()) if key[0] == at.platform]
        return self.by_account[self.rng.choice(found)] if found else None

    def command(
        self, who: Who, at: Place, verb: str, args: Sequence[str] = (), fresh: str = "", sure: bool = True
    ) -> Command:
        self.said += 1
        return Command(f"{self.seed}:{self.said}", who, at, verb, tuple(args), fresh, sure)

    def say(self, who: Who, at: Place, line: str, fresh: str = "", sure: bool = True) -> Command:
        """Return a typed line as a command."""
        verb, args = split_line(line)
        return self.command(who, at, verb, args, fresh, sure)


def split_line(line: str) -> tuple[str, list[str]]:
    """Return the command of a line, which may have two words, and its arguments."""
    words = line.split()
    count = 2 if " ".join(words[:2]) in CHAT_COMMANDS else 1
    return " ".join(words[:count]), words[count:]
