"""One table as a frozen value, and how storage keeps it. A change is a new table.

`bets` lie before the deal; with the deal they become its stakes and `play` begins. With neither it sleeps.
`last` is the finished hand that is still shown. `turning` are the hands of paiju that players turn themselves (PJ12).
`memory` is what only one game's table needs from hand to hand (its module says what), as JSON; and `void seats`, the
hand in which single seats are void, and those seats (G6). `notice` is what an inspector did here last.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from bot.texts import Text, dump_texts, load_texts
from engine.felt import Stake
from engine.hand import GAMES, Hand

# Seconds to decide, by pace.
PACES = {"fast": 15.0, "normal": 30.0, "slow": 90.0, "correspondence": 12 * 3600.0}
NOTICE_S = 600.0


@dataclass(frozen=True)
class Settings:
    """What an inspector may set at a table beside the options of its game.

    `reveal_after`: hours until the cards of a hand of stud may be read, so that folded hands stay secret meanwhile.
    """

    seats: int = 0
    boxes_per_player: int = 3
    pace: str = "normal"
    betting_s: int = 20
    language: str = "en"
    reveal_after: int = 24


class Notice(NamedTuple):
    """What the table is told, until the next deal or for ten minutes. It names nobody."""

    text: Text
    at: float


class Bet(NamedTuple):
    """What one player has on one seat, box or (paiju) anywhere; `key` is his last betting update."""

    player: int
    seat: int
    spots: Mapping[str, int]
    key: str
    follow: bool = False

    @property
    def total(self) -> int:
        return sum(self.spots.values())


@dataclass(frozen=True)
class Table:
    """`number` is what people call it; `hand_id`, `seed`, `opened` belong to the hand that is bet on or played."""

    id: int
    casino: int
    number: int
    game: str
    options: Mapping[str, Any]
    settings: Settings
    status: str = "open"
    hand_id: int = 0
    seed: bytes = field(default=b"", repr=False)
    commit: str = ""
    opened: float = 0.0
    seats: Mapping[int, int] = field(default_factory=dict)
    bets: tuple[Bet, ...] = ()
    cuts: tuple[tuple[int, str], ...] = ()
    ready: frozenset[int] = frozenset()
    started: float | None = None
    deadline: float | None = None
    extended: float | None = None
    away: frozenset[str] = frozenset()
    posted: int = 0
    last_hand: int | None = None
    last_bets: Mapping[int, tuple[Bet, ...]] = field(default_factory=dict)
    play: Hand | None = None
    last: Hand | None = None
    turning: Mapping[str, int] = field(default_factory=dict)
    memory: Mapping[str, Any] = field(default_factory=dict)
    notice: Notice | None = None
    version: int = 0

    @property
    def rules(self) -> Any:
        return GAMES[self.game]

    @property
    def phase(self) -> str:
        """asleep, betting, playing or paused; closed when nothing more is dealt."""
        if self.play is not None:
            return "playing"
        if self.status != "open":
            return self.status
        return "betting" if self.bets or self.started is not None else "asleep"

    def change(self, **changes: Any) -> "Table":
        """What `dataclasses.replace` does, many times faster: every command changes a table several times."""
        assert changes.keys() <= vars(self).keys()
        changed = object.__new__(Table)
        vars(changed).update(vars(self), version=self.version + 1)
        vars(changed).update(changes)
        return changed

    def remember(self, **changes: Any) -> "Table":
        return self.change(memory={**self.memory, **changes})

    def tell(self, text: Text, now: float) -> "Table":
        return self.change(notice=Notice(text, now))

    def told(self, now: float) -> Text | None:
        return self.notice.text if self.notice is not None and now < self.notice.at + NOTICE_S else None

    def void_seats(self, hand_id: int | None) -> frozenset[str]:
        """The keys of a hand that were voided by themselves (G6)."""
        hand, seats = self.memory.get("void seats", (None, ()))
        return frozenset(seats) if hand == hand_id else frozenset()

    def bets_of(self, player: int) -> list[Bet]:
        return [bet for bet in self.bets if bet.player == player]

    def seat_of(self, player: int) -> int | None:
        return next((seat for seat, sitting in self.seats.items() if sitting == player), None)

    def players(self) -> set[int]:
        """Everybody with a seat or a bet."""
        return {*self.seats.values(), *(bet.player for bet in self.bets)}

    def seats_played_by(self, player: int) -> list[str]:
        """The keys of the running hand that this player decides."""
        return [key for key, owner in self.owners().items() if owner == player]

    @property
    def turners(self) -> list[int]:
        """Who turns cards of paiju now, each once; a position that waits for a decision has nobody yet (PJ12)."""
        return [player for player in dict.fromkeys(self.turning.values()) if player]

    def owners(self) -> dict[str, int]:
        """{key of the running hand: player}."""
        return owners_of(self.play) if self.play is not None else {}

    def stakes(self) -> tuple[Stake, ...]:
        """The bets as the engine takes them, in their order; a player is named by his number."""
        if self.game == "stud":
            return tuple(Stake(bet.seat, f"p{bet.player}", {}, stack=bet.spots["stack"]) for bet in self.bets)
        return tuple(Stake(bet.seat, f"p{bet.player}", bet.spots, bet.follow) for bet in self.bets)


def owners_of(hand: Hand) -> dict[str, int]:
    """{key: player}: a box's first stake is its holder's, the others with the same seat are co-players'."""
    keys: dict[str, int] = {}
    for stake in hand.deal.stakes:
        key = str(stake.seat)
        keys[key if key not in keys else f"{key}/{stake.player}"] = int(stake.player.removeprefix("p"))
    return keys


def dump_table(table: Table) -> str:
    """All but what the hand's own rows hold: the seed, the commit, the moves."""
    return orjson.dumps(
        {
            "number": table.number,
            "options": dict(table.options),
            "settings": vars(table.settings),
            "hand": table.hand_id,
            "seats": list(table.seats.items()),
            "bets": [_dump_bet(bet) for bet in table.bets],
            "cuts": table.cuts,
            "ready": sorted(table.ready),
            "started": table.started,
            "deadline": table.deadline,
            "extended": table.extended,
            "away": sorted(table.away),
            "posted": table.posted,
            "last_hand": table.last_hand,
            "turning": dict(table.turning),
            "memory": dict(table.memory),
            "notice": [dump_texts((table.notice.text,)), table.notice.at] if table.notice else None,
            "last_bets": [[player, [_dump_bet(bet) for bet in bets]] for player, bets in table.last_bets.items()],
            "version": table.version,
        }
    ).decode()


# Thousands of tables share what is the same at most of them.
_settings = lru_cache(maxsize=100)(Settings)
_NOBODY: frozenset[int] = frozenset()
_NONE: frozenset[str] = frozenset()


def load_table(id: int, casino: int, game: str, status: str, data: str) -> Table:
    """What `dump_table` wrote, still without its hand."""
    state = orjson.loads(data)
    bets = tuple(_load_bet(bet) for bet in state["bets"])
    last_bets = {player: _share(player, bets, tuple(map(_load_bet, last))) for player, last in state["last_bets"]}
    return Table(
        id=id,
        casino=casino,
        number=state["number"],
        game=game,
        options=state["options"],
        settings=_settings(**state["settings"]),
        status=status,
        hand_id=state["hand"],
        seats=dict(state["seats"]),
        bets=bets,
        cuts=tuple((player, cut) for player, cut in state["cuts"]),
        ready=frozenset(state["ready"]) if state["ready"] else _NOBODY,
        started=state["started"],
        deadline=state["deadline"],
        extended=state["extended"],
        away=frozenset(state["away"]) if state["away"] else _NONE,
        posted=state["posted"],
        last_hand=state["last_hand"],
        turning=state["turning"],
        memory=state["memory"],
        notice=_load_notice(state.get("notice")),
        last_bets=last_bets,
        version=state["version"],
    )


def _share(player: int, bets: tuple[Bet, ...], last: tuple[Bet, ...]) -> tuple[Bet, ...]:
    """In a hand the last bets are those on the table."""
    mine = tuple(bet for bet in bets if bet.player == player)
    return mine if mine == last else last


def _dump_bet(bet: Bet) -> list[Any]:
    return [bet.player, bet.seat, dict(bet.spots), bet.key, bet.follow]


def _load_notice(data: list[Any] | None) -> Notice | None:
    return Notice(load_texts(data[0])[0], data[1]) if data else None


def _load_bet(data: list[Any]) -> Bet:
    return Bet(*data)
