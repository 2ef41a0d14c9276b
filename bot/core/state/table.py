"""One table as a frozen value, and how storage keeps it. A change is a new table.

`bets` lie before the deal; with the deal they become its stakes and `play` begins. With neither it sleeps.
`last` is the finished hand that is still shown. `turning` are the hands that players turn themselves now, and who they
are (PJ12). `memory` is what its game alone keeps from hand to hand, in a type of its own (`Play.memory`).
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from bot.core.state.plays import NOT_HERE, PLAYS, GameMemory, Play, Seating
from bot.core.state.tournament import LiveTournament
from bot.texts import Text, dump_texts, load_texts
from engine.fairness.beacon import BeaconRound
from engine.fairness.commitment import Commitment
from engine.felt import Deal, Game, Stake
from engine.games import GAMES
from engine.hand import Hand
from storage import ledger

M = TypeVar("M", bound=GameMemory)
# Seconds to decide, by pace.
PACES = {"fast": 15.0, "normal": 30.0, "slow": 90.0, "correspondence": 12 * 3600.0}
NOTICE_S = 600.0
# How long a hand waits for a place after its table has lost it (G10).
WAITS_S = 24 * 3600.0
# Status of a table without a place, for a first hand that is in no books (bot/core/guide/lessons.py).
PRACTICE = "practice"
# Reason of postings that return the stakes of a void seat.
VOID_SEAT = "void seat "


@dataclass(frozen=True)
class Settings:
    """Settings of a table by inspectors, besides the options of its game.

    `reveal_after`: hours until the seed of a hand is revealed if folded cards are secret meanwhile; it is in the
    commitment, as options are. `coach`: choices are priced while a hand runs and when it is over. `recap`: the hour
    (UTC) of the daily recap for everyone, or off. `cheers`: reactions to big wins. `beacon`: hands are dealt by the
    beacon's rounds, if the casino follows it. `witness`: then "no more bets" is a message of its own in chats.
    `mentions`: a player whose turn it is is mentioned once a hand. `buy_in_min`, `buy_in_max`: the smallest and the
    largest stack that a player brings to a cash table, in bets, where its game leaves them to the table (`Cash`).
    """

    seats: int = 0
    boxes_per_player: int = 3
    pace: str = "normal"
    betting_s: int = 20
    language: str = "en"
    reveal_after: int = 24
    coach: bool = True
    recap: str = "off"
    cheers: bool = False
    beacon: bool = True
    witness: bool = True
    mentions: bool = True
    buy_in_min: int = 20
    buy_in_max: int = 100


class Notice(NamedTuple):
    """Notice at a table until the next deal, for ten minutes, or while the table is paused. It has no names."""

    text: Text
    at: float


class ShoeState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Number of cards gone from the present shoe, and the cuts and round of its shuffle (BJ7)."""

    gone: int
    cuts: tuple[str, ...]
    beacon: BeaconRound | None = None


class AwaitedRound(NamedTuple):
    """A hand with closed bets, which is dealt once this round of the chain of that name is there.

    With round 0 it waits for sealed cuts first: `closed_at` is the time of its close in the log.
    """

    round: int
    chain: str
    closed_at: int = 0


class Lost(msgspec.Struct, frozen=True):
    """Loss of a table's only place: since when, and the status before (G10)."""

    at: float
    status: str


class HandSeats(NamedTuple):
    """Keys of a hand, with its number."""

    hand: int
    seats: tuple[str, ...]


class Unread(NamedTuple):
    """The numbers of hands in the store that were not read since the start: the one in play, and the last."""

    play: int | None
    last: int | None


class Bet(NamedTuple):
    """Bets of one player on one seat or box, or on areas; `key` is the update of their last bet.

    `post` is what the stake of a player with a stack posts besides the usual blinds (`Stake.post`).
    """

    player: int
    seat: int
    spots: Mapping[str, int]
    key: str
    follow: bool = False
    post: str = ""

    @property
    def total(self) -> int:
        return sum(self.spots.values())


class Round(msgspec.Struct, frozen=True):
    """The hand that a table takes bets for or plays, from its commitment to its payment.

    hand_id, seed, opened  its number in the store, its server seed, and when it opened for bets
    committed  its commitment as canonical bytes; none at a closed table
    lines     the numbers of its entries in the log of its casino: commitment, close, sealed cuts
    terms     the options that the commitment names: options set later wait for the next one
    waits     the beacon's round that its cards wait for
    beacon    the beacon's round that it was dealt by
    cuts      (player, text) in the order in which they cut
    seals     (player, seal) of sealed cuts
    openings  (seal, cut) of those that are opened: secret until all of them count
    ready     players who do not wait for more bets
    started, deadline, extended  when its clock started, runs out, and went into extra time
    away      seats that let a clock run out, for which the table does not wait again
    ahead     seats that have chosen to check or fold on their next turn
    posted    the number of postings of bets
    hand      the hand in play; None before the deal, and while it is `unread`
    turning   {position: the player who may reveal it, or 0} of cards that are still face down (PJ12)
    """

    hand_id: int = 0
    seed: bytes = b""
    committed: bytes = b""
    lines: tuple[int, ...] = ()
    terms: Any = None
    waits: AwaitedRound | None = None
    beacon: BeaconRound | None = None
    opened: float = 0.0
    bets: tuple[Bet, ...] = ()
    cuts: tuple[tuple[int, str], ...] = ()
    seals: tuple[tuple[int, str], ...] = ()
    openings: tuple[tuple[str, str], ...] = ()
    ready: frozenset[int] = frozenset()
    started: float | None = None
    deadline: float | None = None
    extended: float | None = None
    away: frozenset[str] = frozenset()
    ahead: frozenset[str] = frozenset()
    posted: int = 0
    hand: Hand | None = None
    turning: Mapping[str, int] = {}

    def __repr__(self) -> str:
        """Show nothing secret, because a representation can end up in an error message."""
        return f"Round(hand_id={self.hand_id})"

    @property
    def commitment(self) -> Commitment | None:
        """Return the commitment; None at a closed table."""
        return _read_commitment(self.committed) if self.committed else None

    @property
    def commit(self) -> str:
        """Return the commitment's hash; empty without one."""
        return hashlib.sha256(self.committed).hexdigest() if self.committed else ""


class Table(msgspec.Struct, frozen=True):
    """A table: what it is, its settings, its round, its game's memory, and what stays from hand to hand.

    number       what people call it
    options      those that differ from the game's own
    left_logs    {casino and log: last commit} of logs that it has left: it may come back
    last_hand, last_ended, last_bets  the number of the last hand, when it was paid, and each player's last bets
    last         the last hand, while it is shown and not `unread`
    void, shown  the seats of a hand that were voided by themselves (G6), or whose players showed their cards after it
    wants_to_turn  players who asked to turn cards (PJ12)
    notice       the last thing that an inspector did here
    invited      the only players who may play here; None if everybody may
    invitations  {token: until when it is valid}
    notify       {event: players who are told of it once}
    tournament   the tournament that is played here, the same value at all its tables; it stays when it is over
    part_of      the first table of the tournament, where it is stored; None there
    """

    id: int
    casino: int
    number: int
    game: str
    options: Mapping[str, Any]
    settings: Settings
    memory: GameMemory
    status: str = "open"
    round: Round = Round()
    left_logs: Mapping[str, str] = {}
    seats: Mapping[int, int] = {}
    last_hand: int | None = None
    last_ended: float = 0.0
    last_bets: Mapping[int, tuple[Bet, ...]] = {}
    last: Hand | None = None
    unread: Unread | None = None
    wants_to_turn: tuple[int, ...] = ()
    shoe: ShoeState | None = None
    void: HandSeats | None = None
    shown: HandSeats | None = None
    lost: Lost | None = None
    notice: Notice | None = None
    invited: frozenset[int] | None = None
    invitations: Mapping[str, float] = {}
    notify: Mapping[str, tuple[int, ...]] = {}
    tournament: LiveTournament | None = None
    part_of: int | None = None
    version: int = 0

    def __repr__(self) -> str:
        """Show nothing secret, because a representation can end up in an error message."""
        return f"Table(id={self.id}, game={self.game!r}, hand_id={self.round.hand_id})"

    @property
    def rules(self) -> Game:
        return GAMES[self.game]

    @property
    def plays(self) -> Play:
        """Return the description of its game's tables."""
        try:  # checked many times a press, and almost always empty
            return PLAYS[self.game]
        except KeyError:
            return NOT_HERE

    @property
    def phase(self) -> str:
        """Phase of the table: asleep, betting, waiting, playing or paused; closed when nothing more is dealt."""
        if self.round.hand is not None or (self.unread is not None and self.unread.play is not None):
            return "playing"
        if self.round.waits is not None:
            return "waiting"
        if self.status != "open":
            return self.status
        return "betting" if self.round.bets or self.round.started is not None else "asleep"

    @property
    def is_awake(self) -> bool:
        """Check whether there is something of a hand to see."""
        return self.phase in ("betting", "waiting", "playing")

    @property
    def awaits_cuts(self) -> bool:
        """Check whether the hand waits for sealed cuts to be opened."""
        return self.round.waits is not None and self.round.waits.round == 0

    @property
    def has_closed(self) -> bool:
        """Whether bets are closed: a hand is played, or waits for its round."""
        return self.round.hand is not None or self.round.waits is not None

    def is_in_hand(self, player: int) -> bool:
        """Check whether a player has something in the hand that they cannot take back."""
        return self.has_closed and any(bet.player == player for bet in self.round.bets)

    def change(self, **changes: Any) -> "Table":
        return replace(self, version=self.version + 1, **changes)

    def with_player(self, seat: int, player: int) -> "Table":
        """Return the table with a player at a free seat, who no longer waits to be told of one."""
        table = self.without_notice(player, "seat")
        return table.change(seats=dict(sorted({**self.seats, seat: player}.items())))

    def without_notice(self, player: int, *kinds: str) -> "Table":
        """Return the table without a player's requests for these notices."""
        left = {
            kind: tuple(one for one in waiting if one != player or kind not in kinds)
            for kind, waiting in self.notify.items()
        }
        return self.change(notify={kind: waiting for kind, waiting in left.items() if waiting})

    def change_round(self, **changes: Any) -> "Table":
        """Return the table with changes to its round."""
        return replace(self, version=self.version + 1, round=replace(self.round, **changes))

    def kept(self, kind: type[M]) -> M:
        """Return the game's memory, in the type that the game has declared."""
        assert isinstance(self.memory, kind)
        return self.memory

    def change_memory(self, **changes: Any) -> "Table":
        """Return the table with changes to the game's memory."""
        return self.change(memory=replace(self.memory, **changes))

    def set_notice(self, text: Text, now: float) -> "Table":
        return self.change(notice=Notice(text, now))

    def told(self, now: float) -> Text | None:
        """Return the notice that is still shown; while the table is paused it stays."""
        if self.notice is None or (now >= self.notice.at + NOTICE_S and self.status != "paused"):
            return None
        return self.notice.text

    def void_seats(self, hand_id: int | None) -> frozenset[str]:
        """Return the keys of a hand that were voided by themselves (G6)."""
        return frozenset(self.void.seats) if self.void is not None and self.void.hand == hand_id else frozenset()

    @property
    def shown_seats(self) -> tuple[str, ...]:
        """Return the seats of the last hand whose players showed their cards after it (HE25)."""
        return self.shown.seats if self.shown is not None and self.shown.hand == self.last_hand else ()

    def with_sealed_bet(self, player: int | None) -> "Table":
        """Return the table as the player sees it whose bet is sealed in a tournament: it is on the table (TN17)."""
        seat = self.seat_of(player) if player is not None and self.tournament is not None else None
        if self.tournament is None or player is None or seat is None or player not in self.tournament.sealed:
            return self
        bet = Bet(player, seat, self.tournament.sealed[player], "")
        return replace(self, round=replace(self.round, bets=(bet,)))

    @property
    def tournament_id(self) -> int:
        """Return the table whose number the accounts of the tournament have: its first."""
        return self.id if self.part_of is None else self.part_of

    @property
    def tournament_number(self) -> int:
        """Return the number of this table in its tournament, from 1."""
        return 1 if self.part_of is None or self.tournament is None else 1 + self.tournament.tables.index(self.id)

    @property
    def next_hand(self) -> int:
        """Return the number of the next hand in a tournament, from 1."""
        return self.tournament.hand_at(self.tournament_number) if self.tournament is not None else 1

    @property
    def has_sealed_bets(self) -> bool:
        """Check whether anybody here has a sealed bet."""
        return self.tournament is not None and not self.tournament.sealed.keys().isdisjoint(self.seats.values())

    def bets_of(self, player: int) -> list[Bet]:
        return [bet for bet in self.round.bets if bet.player == player]

    def lying(self, player: int) -> int:
        """Return a player's undecided bets, a bet that follows another included (UT2). Tournament chips are none."""
        if self.tournament is not None:
            return 0
        if self.round.hand is not None:
            wagered, void = self.round.hand.wagered(), self.void_seats(self.round.hand_id)
            return sum(sum(wagered.get(key, {}).values()) for key in self.seats_played_by(player) if key not in void)
        mine = self.bets_of(player)
        if not mine or self.plays.seating is Seating.STACKS:
            return 0
        placed = (self.rules.place(self.round.terms, Stake(bet.seat, "", bet.spots)) for bet in mine)
        return sum(sum(spots.values()) for spots in placed)

    def follow_ups(self, player: int) -> int:
        """Return the least cost of the bets that must still follow the player's."""
        if self.round.hand is not None:
            return sum(map(self.follow_up, self.seats_played_by(player)))
        _spot, antes, after = self.plays.follow_up
        return sum(antes * bet.spots.get(after, 0) for bet in self.bets_of(player)) if antes else 0

    def follow_up(self, key: str) -> int:
        """Return the least cost of the bet that must still follow a seat's; 0 once it is made or the hand folded."""
        spot, antes, after = self.plays.follow_up
        if self.round.hand is None or not antes or key in self.void_seats(self.round.hand_id):
            return 0
        spots = self.round.hand.wagered()[key]
        is_done = spot in spots or any((move.seat, move.word) == (key, "fold") for move in self.round.hand.moves)
        return 0 if is_done else antes * spots.get(after, 0)

    def seat_of(self, player: int) -> int | None:
        for seat, sitting in self.seats.items():
            if sitting == player:
                return seat
        return None

    def players(self) -> set[int]:
        """Return all players with a seat or a bet."""
        return {*self.seats.values(), *(bet.player for bet in self.round.bets)}

    def purse(self, player: int) -> str:
        """Return the account of a player's chips in a hand: their stack if they play from one, else their wallet."""
        if self.tournament is not None:
            return ledger.chips(self.tournament_id, player)
        if self.plays.seating is Seating.STACKS:
            return ledger.stack(self.id, player)
        return ledger.wallet(self.casino, player)

    @property
    def bank(self) -> str:
        """Return the account that pays and receives what players do not: in a tournament the issue of its chips."""
        return ledger.bank(self.casino) if self.tournament is None else ledger.issue(self.tournament_id)

    def seats_played_by(self, player: int) -> list[str]:
        """Return the keys of the running hand that this player decides."""
        return [key for key, owner in self.owners().items() if owner == player]

    @property
    def turners(self) -> list[int]:
        """Return the players who turn cards now, each once; a position that waits for a decision has none yet
        (PJ12).
        """
        if not self.round.turning:
            return []
        due = (self.round.turning[turn.position] for turn in self.plays.reveals.due(self.round.turning))
        return [player for player in dict.fromkeys(due) if player]

    def audited(self, *at_it: object) -> str:
        """Return the table's name in the audit log, or that of something at it, `hand` and its number first: a search
        key.
        """
        return " ".join(map(str, ("table", self.number, *at_it)))

    def owners(self) -> Mapping[str, int]:
        """Return the player of each key of the running hand."""
        return owners_of(self.round.hand) if self.round.hand is not None else {}

    def stakes(self) -> tuple[Stake, ...]:
        """Return the bets as the engine takes them, in order; players are named by number."""
        if self.plays.seating is Seating.STACKS:
            return tuple(
                Stake(bet.seat, f"p{bet.player}", {}, stack=bet.spots["stack"], post=bet.post)
                for bet in self.round.bets
            )
        return tuple(Stake(bet.seat, f"p{bet.player}", bet.spots, bet.follow) for bet in self.round.bets)


def owners_of(hand: Hand) -> Mapping[str, int]:
    """Return the player of each key of a hand."""
    return hand.of_deal(_owners_by)


def _owners_by(deal: Deal) -> Mapping[str, int]:
    return owners_at(deal.stakes)


def owners_at(stakes: Iterable[Stake]) -> dict[str, int]:
    """Return the player of each key: of a box the first stake is its holder's, the others are co-players'."""
    keys: dict[str, int] = {}
    for stake in stakes:
        key = str(stake.seat)
        keys[key if key not in keys else f"{key}/{stake.player}"] = int(stake.player.removeprefix("p"))
    return keys


class _OnDisk(msgspec.Struct):
    """A table in the books: all but what the hand's own rows hold, the seed, the commit, the moves."""

    number: int
    options: dict[str, Any]
    settings: Settings
    hand: int
    seats: list[tuple[int, int]]
    bets: list[Bet]
    cuts: list[tuple[int, str]]
    seals: list[tuple[int, str]]
    openings: list[tuple[str, str]]
    ready: list[int]
    started: float | None
    deadline: float | None
    extended: float | None
    away: list[str]
    ahead: list[str]
    posted: int
    last_hand: int | None
    turning: dict[str, int]
    memory: msgspec.Raw
    shoe: ShoeState | None
    wants_to_turn: tuple[int, ...]
    void: HandSeats | None
    shown: HandSeats | None
    lost: Lost | None
    last_bets: list[tuple[int, list[Bet]]]
    version: int
    notice: tuple[str, float] | None
    invited: list[int] | None
    invitations: dict[str, float]
    notify: dict[str, tuple[int, ...]]
    left_logs: dict[str, str]
    last_ended: float
    tournament: LiveTournament | None = None
    part_of: int | None = None


# Thousands of tables share equal values.
_NOBODY: frozenset[int] = frozenset()
_NONE: frozenset[str] = frozenset()
_decoder = msgspec.json.Decoder(_OnDisk)
_encode = msgspec.json.Encoder().encode


def dump_table(table: Table) -> str:
    """Encode a table for `load_table`."""
    kept = _OnDisk(
        number=table.number,
        options=dict(table.options),
        settings=table.settings,
        hand=table.round.hand_id,
        seats=list(table.seats.items()),
        bets=list(table.round.bets),
        cuts=list(table.round.cuts),
        seals=list(table.round.seals),
        openings=list(table.round.openings),
        ready=sorted(table.round.ready),
        started=table.round.started,
        deadline=table.round.deadline,
        extended=table.round.extended,
        away=sorted(table.round.away),
        ahead=sorted(table.round.ahead),
        posted=table.round.posted,
        last_hand=table.last_hand,
        turning=dict(table.round.turning),
        memory=msgspec.Raw(_encode(table.memory)),
        shoe=table.shoe,
        wants_to_turn=table.wants_to_turn,
        void=table.void,
        shown=table.shown,
        lost=table.lost,
        last_bets=[(player, list(bets)) for player, bets in table.last_bets.items()],
        version=table.version,
        notice=(dump_texts((table.notice.text,)), table.notice.at) if table.notice else None,
        invited=sorted(table.invited) if table.invited is not None else None,
        invitations=dict(table.invitations),
        notify=dict(table.notify),
        left_logs=dict(table.left_logs),
        last_ended=table.last_ended,
        tournament=table.tournament if table.part_of is None else None,
        part_of=table.part_of,
    )
    return _encode(kept).decode()


def load_table(id: int, casino: int, game: str, status: str, data: str) -> Table:
    """Decode a table from `dump_table`, still without its hand."""
    state = _decoder.decode(data)
    bets = tuple(state.bets)
    return Table(
        id=id,
        casino=casino,
        number=state.number,
        game=game,
        options=state.options,
        settings=_share_settings(state.settings),
        memory=msgspec.json.decode(state.memory, type=PLAYS.get(game, NOT_HERE).memory),
        status=status,
        round=Round(
            hand_id=state.hand,
            bets=bets,
            cuts=tuple(state.cuts),
            seals=tuple(state.seals),
            openings=tuple(state.openings),
            ready=frozenset(state.ready) if state.ready else _NOBODY,
            started=state.started,
            deadline=state.deadline,
            extended=state.extended,
            away=frozenset(state.away) if state.away else _NONE,
            ahead=frozenset(state.ahead) if state.ahead else _NONE,
            posted=state.posted,
            turning=state.turning,
        ),
        seats=dict(state.seats),
        last_hand=state.last_hand,
        last_ended=state.last_ended,
        wants_to_turn=state.wants_to_turn,
        shoe=state.shoe,
        void=state.void,
        shown=state.shown,
        lost=state.lost,
        notice=_load_notice(state.notice),
        invited=frozenset(state.invited) if state.invited is not None else None,
        invitations=state.invitations,
        notify=state.notify,
        left_logs=state.left_logs,
        last_bets={player: _share(player, bets, tuple(last)) for player, last in state.last_bets},
        version=state.version,
        tournament=state.tournament,
        part_of=state.part_of,
    )


def share_tournaments(tables: dict[int, Table], known: Mapping[int, Table] = MappingProxyType({})) -> None:
    """Give loaded tables the tournament of which they are part, from its first table, which may be loaded already."""
    for table in [one for one in tables.values() if one.part_of is not None]:
        first = tables.get(table.part_of or 0) or known.get(table.part_of or 0)
        tables[table.id] = replace(table, tournament=first.tournament if first is not None else None)


def _share(player: int, bets: tuple[Bet, ...], last: tuple[Bet, ...]) -> tuple[Bet, ...]:
    """Share one tuple: in a hand the last bets are those on the table."""
    mine = tuple(bet for bet in bets if bet.player == player)
    return mine if mine == last else last


@lru_cache(maxsize=100)
def _read_commitment(committed: bytes) -> Commitment:
    commitment: Commitment = msgspec.json.decode(committed)
    return commitment


@lru_cache(maxsize=100)
def _share_settings(settings: Settings) -> Settings:
    return settings


def _load_notice(kept: tuple[str, float] | None) -> Notice | None:
    return Notice(load_texts(kept[0])[0], kept[1]) if kept else None
