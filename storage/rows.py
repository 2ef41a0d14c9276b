"""The rows that storage remembers, one class per table. Amounts in minor units, times in seconds since 1970 (UTC).

A row with a key replaces the row of the same key; a row without one is appended and never changes.
JSON columns are text that storage hands back as it got it.
"""

from typing import NamedTuple


class CasinoRow(NamedTuple):
    id: int
    name: str
    state: str
    founded: float


class PlayerRow(NamedTuple):
    id: int
    name: str
    language: str
    state: str
    joined: float


class IdentityRow(NamedTuple):
    """One person's account on one platform."""

    platform: str
    name: str
    player: int


class MemberRow(NamedTuple):
    """What a player is in one casino; the wallet is an account."""

    casino: int
    player: int
    joined: float
    state: str


class TableRow(NamedTuple):
    id: int
    casino: int
    game: str
    status: str
    state: str


class PlaceRow(NamedTuple):
    """Where a table is to be seen: a channel, a topic, a lounge room. `table_id` None: a place without a table.

    `home` is the casino that the place came from, where it has joined another; 0 where it has not.
    """

    platform: str
    address: str
    casino: int
    table_id: int | None
    home: int = 0


class HandRow(NamedTuple):
    """A hand from the commit to the payment. `seed` is secret until the hand is over; `deal` is its record
    without moves, `status`: betting, playing, over, void.
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
    """What a platform's update was answered, so that the same update twice gets the same answer."""

    key: str
    answer: str
    at: float


class MoveRow(NamedTuple):
    hand: int
    number: int
    move: str
    at: float


class PostingRow(NamedTuple):
    """`amount` goes from the debit to the credit account. (hand, event) is unique: nothing is paid twice."""

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
    """Who did what with which reason; before and after as the act defines them."""

    at: float
    casino: int
    who: int
    act: str
    subject: str
    reason: str
    before: str
    after: str


class NoteRow(NamedTuple):
    """What an adapter keeps of its platform: which chat a place is, which message shows a table. `value` is JSON."""

    platform: str
    name: str
    value: str


Row = (
    CasinoRow
    | PlayerRow
    | IdentityRow
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
)

# Table, and how many leading columns are its key; none: append only.
TABLES: dict[type[Row], tuple[str, int]] = {
    CasinoRow: ("casinos", 1),
    PlayerRow: ("players", 1),
    IdentityRow: ("identities", 2),
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
}
