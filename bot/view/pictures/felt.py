"""The layout of a game's table in pictures: its shape with all positions, its title, its colours.

It is the part of a game's plugin that pictures use; all of it is data. A picture is 900 by 600 pixels, and positions
are in these, from the upper left corner. Colours are those of the palette, by name. There are five shapes:

    Arc      seats before the dealer, with spots for bets
    Ring     seats round the pot: eight with up to seven cards each, or nine with two and a board
    Compass  four hands at the points of the compass and areas between them
    Areas    a few hands of the bank in a row, and areas below them for everyone's bets
    Board    many places for everyone's bets, side by side and between each other
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bot.texts import Text
from bot.view.pictures.palette import NEUTRAL, Theme


class Slots(NamedTuple):
    """The place of a bank's pile, named as in English by the presenter: `places` cards from `left` on.

    Further cards overlap.
    """

    pile: str
    left: int
    places: int


# Size of a card of the bank's, and the distance to the next.
BANK_CARD = (72, 100)
BANK_STEP = BANK_CARD[0] + 6
_MIDDLE = 450


def in_the_middle(pile: str, count: int) -> Slots:
    """Return room for `count` cards of that pile, around the middle of the picture."""
    return Slots(pile, _MIDDLE - BANK_STEP * count // 2 + 3, count)


class Arc(NamedTuple):
    """Seats in an arc, seat 1 on the dealer's left, which is the right side of the picture.

    title        two lines, or three
    seats        number of seats; 5 to 7 fit
    bank         where the bank's piles lie
    card         width and height of a player's card
    spots        rows of (left, right) below the cards, "" for none; two rows at most
    round_spots  those that are circles; the others are boxes
    small_spots  side bets beside the first row, as small plates, where the right column is left free
    light        the spot whose bet is a light beside the seat's number, "" for none
    boxes        a seat may have several hands, and others bet behind it: both have room
    top          the upper edge of the outermost seats' cards
    bend         how much further down the middle seat lies
    spots_at     how far below `top` of a seat its first row of spots begins
    plate_at     the same for the plate with its name, which needs 84 pixels above y 552
    cards        places for so many cards of a seat
    short        (spot, its label on the felt), where its word is too long
    """

    title: tuple[str, ...]
    seats: int
    bank: tuple[Slots, ...]
    spots: tuple[tuple[str, str], ...]
    top: int
    bend: int
    spots_at: int
    plate_at: int
    card: tuple[int, int] = (52, 72)
    round_spots: frozenset[str] = frozenset()
    small_spots: tuple[str, ...] = ()
    light: str = ""
    boxes: bool = False
    cards: int = 2
    short: tuple[tuple[str, str], ...] = ()


# A row of an arc's spots.
ROW = 72


def arc(
    *title: str,
    seats: int,
    bank: tuple[Slots, ...],
    spots: tuple[tuple[str, str], ...],
    round_spots: frozenset[str],
    cards: int = 2,
    short: tuple[tuple[str, str], ...] = (),
) -> Arc:
    """Return an arc with common measures: up to two rows of spots."""
    high = ROW * len(spots)
    return Arc(
        title=title,
        seats=seats,
        bank=bank,
        spots=spots,
        round_spots=round_spots,
        top=206,
        bend=160 - high if len(spots) > 1 else 40,
        spots_at=76,
        plate_at=90 + high,
        cards=cards,
        short=short,
    )


class Ring(NamedTuple):
    """Eight or nine seats, clockwise from the upper left, with a row of cards each.

    title  one line
    seats  number of seats
    board  room for so many cards of the first pile of the bank, beside the pot
    """

    title: str
    seats: int = 8
    board: int = 1


class Compass(NamedTuple):
    """Hands `north`, `south`, `west` and `east`; areas `north`, `south`, `west` and across two of them, `north-west`...

    title  one line
    bank   the hand that is the bank's
    """

    title: str
    bank: str


class Areas(NamedTuple):
    """Hands side by side, below them boxes for the areas, on the right who bets; the road at the foot.

    title  one line
    hands  one to four, by the pile's name as a word of the game
    cards  room for so many cards of each hand
    rows   areas in rows of up to four, from above; up to three rows, two where there is a road
    road   {result: the colour of its bead}, of the road's words; empty for no road
    """

    title: str
    hands: tuple[str, ...]
    cards: int
    rows: tuple[tuple[str, ...], ...]
    road: Mapping[str, str]


class Cell(NamedTuple):
    """The place of a bet on a board: `x` and `y` of its middle and its size, in units of the board.

    `kind` is "" for a printed box; others lie on lines and corners between boxes, and overlap those of other kinds.
    """

    spot: str
    x: float
    y: float
    width: float = 1
    height: float = 1
    kind: str = ""


class Board(NamedTuple):
    """One hand of the bank, below it a board of places for bets, on the right who bets; past results at the foot.

    title    one line
    hand     its pile, by its name as a word of the game
    columns, rows  size of the board; edges of its places are multiples of a half, and of a quarter from top to bottom
    cells    all places
    kinds    (kind of places, its name), "" first: in the lounge one kind at a time takes bets
    colours  {spot: the colour of its box}, of the palette; others are as the felt
    short    {spot: its label on the board}, where its word is too long, the same in every language
    road     {result: the colour of its bead}
    """

    title: str
    hand: str
    columns: int
    rows: int
    cells: tuple[Cell, ...]
    kinds: tuple[tuple[str, Text], ...]
    colours: Mapping[str, str]
    short: Mapping[str, str]
    road: Mapping[str, str]


Layout = Arc | Ring | Compass | Areas | Board


class FeltDesign(NamedTuple):
    """The layout of a game; `theme`: the felt and the lines on it."""

    layout: Layout
    theme: Theme


_felts: dict[str, FeltDesign] = {}
FELTS: Mapping[str, FeltDesign] = MappingProxyType(_felts)
"""{game: its felt}."""


def add_felt(game: str, felt: FeltDesign) -> None:
    """Register the layout of this game's pictures (for bot.games)."""
    _felts[game] = felt


NO_FELT = FeltDesign(Ring(""), NEUTRAL)


def felt_of(game: str) -> FeltDesign:
    """Return the layout of a game; a bare one if it is no longer installed."""
    return FELTS.get(game, NO_FELT)
