"""The rows that storage remembers, one class per table. Amounts in minor units, times in seconds since 1970 (UTC).

A row with a key replaces the row of the same key; a row without one is appended and never changes.
JSON columns are text that storage hands back as it got it.
"""

from typing import NamedTuple


class CasinoRow(NamedTuple):
    """A casino: `state` is the JSON of a CasinoState; `founded` in Unix seconds."""

    id: int
    name: str
    state: str
    founded: float


class PlayerRow(NamedTuple):
    """A person. `name` is their own, for where no casino is known; `state` is the JSON of a PlayerState; `joined` in
    Unix seconds.
    """

    id: int
    name: str
    language: str
    state: str
    joined: float


class SeenRow(NamedTuple):
    """Place where a player last spoke, and the start of their current session without a rest: it changes with what they
    do in any casino; the last value counts.
    """

    player: int
    casino: int | None = None
    began: float | None = None
    last: float | None = None


class IdentityRow(NamedTuple):
    """One person's account on one platform."""

    platform: str
    name: str
    player: int


class UsernameRow(NamedTuple):
    """The account of a platform that was last seen with a username, case folded: usernames move between people."""

    platform: str
    username: str
    account: str


class MemberRow(NamedTuple):
    """A player in one casino, and their name there; the wallet is an account.

    `number` tells names apart that share a skeleton (`storage.confusables`): 2 is shown as "Ben (2)", 1 as the name
    alone. `look` and `capitals` are the two skeletons of the name, by which a member is found.
    """

    casino: int
    player: int
    joined: float
    state: str
    name: str = ""
    number: int = 1
    look: str = ""
    capitals: str = ""


class TableRow(NamedTuple):
    """A table: `status` is open, paused, closing or closed; `state` is the JSON of its other fields."""

    id: int
    casino: int
    game: str
    status: str
    state: str


class PlaceRow(NamedTuple):
    """A place where a table is shown: a channel, a topic, a lounge room. `table_id` None: a place without a table.

    `home` is the casino that the place came from, where it has joined another; otherwise 0.
    """

    platform: str
    address: str
    casino: int
    table_id: int | None
    home: int = 0


class HandRow(NamedTuple):
    """A hand from the commit to the payment. `seed` is secret until it is shown; `deal` is its record without moves,
    before the cards its commitment, `status`: betting, playing, over, void.
    """

    id: int
    casino: int
    table_id: int
    game: str
    status: str
    seed: bytes
    deal: str
    opened: float
    closed: float | None


class AnswerRow(NamedTuple):
    """Answer to an update of a platform, so that the same update gets the same answer twice."""

    key: str
    answer: str
    at: float


class MoveRow(NamedTuple):
    """A move: `SEAT WORD [ARGUMENT]` with the number of moves before it in its hand; `at` in Unix seconds."""

    hand: int
    number: int
    move: str
    at: float


class PostingRow(NamedTuple):
    """A posting of `amount` from the debit to the credit account. (hand, event) is unique: nothing is paid twice."""

    at: float
    debit: str
    credit: str
    amount: int
    why: str
    hand: int | None
    event: str | None


class ResultRow(NamedTuple):
    """One player's part in a finished hand, for histories and statistics."""

    hand: int
    player: int
    casino: int
    game: str
    wagered: int
    returned: int
    at: float


class AuditRow(NamedTuple):
    """Act of an inspector with its reason; `before` and `after` as the act defines them."""

    at: float
    casino: int
    who: int
    act: str
    subject: str
    reason: str
    before: str
    after: str


class NoteRow(NamedTuple):
    """Note of a platform: the chat of a place, the message of a table. `value` is JSON."""

    platform: str
    name: str
    value: str


class BrowserRow(NamedTuple):
    """A browser of the lounge, found by the name of its cookie.

    `token` and `former` are the SHA-256 of what the cookie holds and held before it `turned` over; `shown`: when the
    browser first came with the new one, so that it has it for certain. `kind` is what sort of browser it says it is.
    """

    id: str
    token: str
    former: str
    turned: float
    shown: float | None
    began: float
    seen: float
    kind: str


class SessionRow(NamedTuple):
    """A browser is signed in with an account of the lounge's platform, until it `ended`."""

    browser: str
    account: str
    began: float
    ended: float | None


class PhraseRow(NamedTuple):
    """The way back to an account of the lounge's platform: a slow hash of its recovery phrase."""

    account: str
    phrase: str
    made: float


class LogRow(NamedTuple):
    """A log of a casino, from 1. `house` is the public key in hex that signs its heads; `joined` is the casino that it
    has ended for, 0 while it goes on.
    """

    casino: int
    number: int
    house: str
    joined: int


class LogEntryRow(NamedTuple):
    """An entry of a log, from 0, as it is hashed. `nodes` are those of the Merkle tree that it completes, 32 bytes
    each: that of its leaf, and one a level above.
    """

    casino: int
    log: int
    number: int
    entry: str
    nodes: bytes


class LogHeadRow(NamedTuple):
    """Signed tree head of a log: the root of its first `size` entries, `at` in Unix seconds."""

    casino: int
    log: int
    size: int
    root: bytes
    at: int
    signature: bytes


class OpeningRow(NamedTuple):
    """When the seed of a commitment is shown, `at` in Unix seconds, 0 if it is shown already.

    `hand` is the one that the commitment names.
    """

    hand: int
    casino: int
    at: int


class DailyDealRow(NamedTuple):
    """Deck of a game for one day (counted from 1970, UTC). `seed` is secret until the day is over; `deal` is its
    commitment with the lines of its entries in the lounge's log; `ended`: when the seed was shown.
    """

    day: int
    game: str
    seed: bytes
    deal: str
    ended: float | None

    def __repr__(self) -> str:
        return f"DailyDealRow(day={self.day}, game={self.game!r})"


class DailyPlayRow(NamedTuple):
    """A person's line of play in the deal of a day: `moves` is a JSON list of bets and moves; `score` in minor units,
    None until it is over.
    """

    day: int
    game: str
    player: int
    began: float
    moves: str
    score: int | None


class SigningKeyRow(NamedTuple):
    """Signing key of the casino (storage.signing_key): 32 secret bytes. Its id is `one`."""

    one: int
    secret: bytes

    def __repr__(self) -> str:
        return "SigningKeyRow(...)"


Row = (
    CasinoRow
    | PlayerRow
    | SeenRow
    | IdentityRow
    | UsernameRow
    | MemberRow
    | TableRow
    | PlaceRow
    | HandRow
    | AnswerRow
    | MoveRow
    | PostingRow
    | ResultRow
    | AuditRow
    | NoteRow
    | BrowserRow
    | SessionRow
    | PhraseRow
    | LogRow
    | LogEntryRow
    | LogHeadRow
    | OpeningRow
    | DailyDealRow
    | DailyPlayRow
    | SigningKeyRow
)

# Table, and number of leading key columns; none: append only.
TABLES: dict[type[Row], tuple[str, int]] = {
    CasinoRow: ("casinos", 1),
    PlayerRow: ("players", 1),
    SeenRow: ("seen", 1),
    IdentityRow: ("identities", 2),
    UsernameRow: ("usernames", 2),
    MemberRow: ("members", 2),
    TableRow: ("tables", 1),
    PlaceRow: ("places", 2),
    HandRow: ("hands", 1),
    AnswerRow: ("answers", 0),
    MoveRow: ("moves", 0),
    PostingRow: ("postings", 0),
    ResultRow: ("results", 0),
    AuditRow: ("audit", 0),
    NoteRow: ("notes", 2),
    BrowserRow: ("browsers", 1),
    SessionRow: ("sessions", 2),
    PhraseRow: ("phrases", 1),
    LogRow: ("logs", 2),
    LogEntryRow: ("log_entries", 0),
    LogHeadRow: ("log_heads", 0),
    OpeningRow: ("openings", 1),
    DailyDealRow: ("daily_deals", 2),
    DailyPlayRow: ("daily_plays", 3),
    SigningKeyRow: ("signing_key", 1),
}

# The number of an appended row, which rows themselves do not have.
NUMBERED = (AnswerRow, PostingRow, AuditRow)


# {table: columns that follow from nothing else}, each after those that it refers to.
COLUMNS: dict[str, tuple[str, ...]] = {
    **{table: ("id",) * (kind in NUMBERED) + kind._fields for kind, (table, _keys) in TABLES.items()},
    "accounts": ("name", "balance"),
}

# {table: columns of minor units}, which hold whole numbers only.
AMOUNTS: dict[str, tuple[str, ...]] = {
    "accounts": ("balance",),
    "postings": ("amount",),
    "results": ("wagered", "returned"),
    "sums": ("wagered", "returned", "best"),
}
