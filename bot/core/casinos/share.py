"""`/share`: show a finished hand of one's own in the chat, as everyone at the table saw it.

Law: cards that a hand has not shown stay hidden, the player's own folded cards too.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import structs

from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Beside, Choice, Refused
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.commands.stages import stages_of
from bot.core.commands.words import find_word
from bot.core.rounds.hand_records import read_record
from bot.core.rounds.script_budget import deal_hand, play_move
from bot.core.state.plays import PLAYS
from bot.core.state.shared_posts import SharedHand
from bot.core.state.table import PRACTICE, HandSeats, Round, Settings, Table, owners_of
from bot.core.state.values import read_name
from bot.texts import Text
from engine.felt import Amount, Word
from engine.hand import Hand
from engine.record import parse_record, spots_of, write_options
from storage.questions import hands
from storage.questions.results import latest_results, results_of_hand
from storage.rows import HandRow, ResultRow
from storage.store import Reader

# Number of steps in a short animation; of more, those with the shortest times between them are left out.
MOST_STEPS = 8
REPLAY = "replay"


@command(
    "share",
    Text("Share one of your finished hands, as a picture or by move"),
    group="knowing",
    flags=CommandFlag.POSTS,
    usage="[HAND] [replay]",
)
def share(request: Request) -> Answer:
    """Share a finished hand of one's own: `[HAND] [replay]`. Without a number it is the latest one."""
    words = [find_word(word, (REPLAY,)) or word.lower() for word in request.args]
    is_moving = REPLAY in words
    row, result = _own_hand(request, [word for word in words if word != REPLAY])
    settings = table.settings if (table := request.transaction.table(row.table_id)) is not None else Settings()
    number = table.number if table is not None else 0
    if table is not None and table.invited is not None and (request.at is None or request.at.id != table.id):
        raise Refused("Hand {hand} was played at a private table and is shown only there.", hand=str(row.id))
    name = request.own_name
    told = Text(
        "{name} shows hand {hand} of {game}: {net}.",
        name=name,
        hand=str(row.id),
        game=Word(row.game),
        net=_signed(result),
    )
    make = partial(_share_hand, row=row, name=name, settings=settings, number=number, is_moving=is_moving)
    return Answer((told,), report=make, choices=(verify_choice(row.id),))


def verify_choice(hand: int) -> Choice:
    """Return the button that gets the record of a shared hand."""
    return Choice(Text("Verify hand {hand}", hand=str(hand)), "verify", (str(hand),))


def _signed(results: list[ResultRow]) -> Text:
    net = sum(one.returned - one.wagered for one in results)
    return Text("+{amount}" if net > 0 else "{amount}", amount=Amount(net))


def _own_hand(request: Request, words: list[str]) -> tuple[HandRow, list[ResultRow]]:
    """Return the named hand of a player, or the last one here, with its net. Raises Refused for hands of others."""
    books, ids = request.transaction.books, request.player.ids
    if words:
        number = parse_count(words[0].removeprefix("#"), 1, 10**11) if len(words) == 1 else None
        if number is None:
            raise Refused("Enter one of your hands, for example `/share 12`, or nothing for your last hand.")
    else:
        latest = latest_results(books, request.casino.id, ids, 1)
        if not latest:
            raise Refused("You have not finished a hand here yet.")
        number = latest[0].hand
    return own_hand(books, number, ids, request.casino.id)


def own_hand(
    books: Reader, number: int, ids: Sequence[int], casino: int | None = None
) -> tuple[HandRow, list[ResultRow]]:
    """Return a finished hand of one person, whose numbers are `ids`, with its net; of one casino, or
    of any. Raises Refused for all others.
    """
    row = hands.hand(books, number)
    mine = [one for one in results_of_hand(books, number) if one.player in ids and casino in (None, one.casino)]
    if row is None or not mine:
        raise Refused("You did not play hand {hand} here; /history lists yours.", hand=str(number))
    if row.status != "over" or row.game not in PLAYS:
        raise Refused("Hand {hand} was not finished, so there is nothing to show.", hand=str(number))
    return row, mine


def _share_hand(beside: Beside, row: HandRow, name: str, settings: Settings, number: int, is_moving: bool) -> Answer:
    return Answer(shared_post=read_shared_hand(beside.books, row, name, settings, number, is_moving=is_moving))


class Replay(NamedTuple):
    """A finished hand as it went.

    steps   the table after the deal, after each move and before each turn of cards; the last when the hand was paid
    names   {player: displayed name}
    """

    steps: tuple[Table, ...]
    names: Mapping[int, str]


def read_shared_hand(
    books: Reader, row: HandRow, name: str, settings: Settings, number: int, *, is_moving: bool
) -> SharedHand:
    """Read a finished hand to be shared. Raises the engine's errors where it cannot be played again."""
    steps, names = read_replay(books, row, settings, number)
    *running, paid = steps
    told = _thinned([*_visible_steps(running)]) if is_moving else ()
    return SharedHand(row.id, str(name), (*told, paid), names, is_moving)


def read_replay(books: Reader, row: HandRow, settings: Settings, number: int) -> Replay:
    """Read a finished hand with all of its steps; `number` is the table's. Raises the engine's errors."""
    record = read_record(books, row.id)
    assert record is not None, "it was paid"
    deal, moves = parse_record(record)
    deal = deal._replace(seed=None)  # a continuing shoe's seed is secret, and this deck is dealt already
    played = [deal_hand(deal)]
    for move in moves:
        played.append(play_move(played[-1], move))
    owners = owners_of(played[0])
    table = _table_of(row, played[-1], settings, number, _void_seats(books, row.id, played[-1]))
    names = {player: str(read_name(books, row.casino, player)) for player in owners.values()}
    return Replay((*_steps(table, played), table), names)


def _visible_steps(running: Sequence[Table]) -> Iterator[Table]:
    """Yield the steps that changed what everyone sees."""
    before: object = None
    for table in running:
        assert table.round.hand is not None
        seen = stages_of(table.game).stage(table).name, table.round.hand.cards(None), table.round.turning
        if seen != before:
            yield table
            before = seen


def _thinned(steps: list[Table]) -> Iterator[Table]:
    room = MOST_STEPS - 1
    if len(steps) <= room:
        yield from steps
    else:
        yield from (steps[number * (len(steps) - 1) // (room - 1)] for number in range(room))


def _table_of(row: HandRow, hand: Hand, settings: Settings, number: int, void: tuple[str, ...]) -> Table:
    """Return the table as it was when the hand was paid, in no place: without today's stacks, meter and bets."""
    seats = {stake.seat: int(stake.player.removeprefix("p")) for stake in reversed(hand.deal.stakes)}
    return Table(
        id=0,
        casino=0,
        number=number,
        game=row.game,
        options=write_options(hand.deal),
        settings=settings,
        memory=PLAYS[row.game].memory(),
        status=PRACTICE,
        round=Round(hand_id=row.id),
        seats=dict(sorted(seats.items())),
        last_hand=row.id,
        last=hand,
        void=HandSeats(row.id, void) if void else None,
    )


def _void_seats(books: Reader, id: int, hand: Hand) -> tuple[str, ...]:
    """Return the seats whose results are missing from the books: they were voided (G6)."""
    wagered, returned = spots_of(hand)
    even = {one.player for one in results_of_hand(books, id) if one.wagered == one.returned}
    nets = {key: sum(returned[key].values()) - sum(wagered[key].values()) for key in wagered}
    owners = owners_of(hand)
    of_player = {player: sum(nets[key] for key in nets if owners[key] == player) for player in owners.values()}
    return tuple(key for key in nets if owners[key] in even and of_player[owners[key]])


def _steps(paid: Table, played: list[Hand]) -> Iterator[Table]:
    """Yield the steps before the payment."""
    yield from (_at(paid, hand, {}) for hand in played if not hand.is_over)
    yield from (_at(paid, played[-1], turning) for turning in _turnings(paid, played[-1]))


def _at(paid: Table, hand: Hand, turning: Mapping[str, int]) -> Table:
    return paid.change(last=None, last_hand=None, round=structs.replace(paid.round, hand=hand, turning=turning))


def _turnings(paid: Table, hand: Hand) -> Iterator[dict[str, int]]:
    """Yield what is still face down before each reveal step."""
    cards, steps = hand.cards(None), paid.plays.reveals.steps
    for number in range(len(steps)):
        due = (turn for step in steps[number:] for turn in step if turn.of(cards))
        if turning := dict.fromkeys((turn.position for turn in due), 0):
            yield turning
