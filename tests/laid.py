"""Many hands in a store, inserted as if played: deals, moves and their end, without postings."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from bot.core.rounds.hand_records import dump_record
from engine.cards import Card
from engine.fairness.commitment import make_commitment
from engine.fairness.record import record_hand
from engine.felt import Deal, Move, Offers, Stake
from engine.games import GAMES
from engine.hand import Hand
from engine.record import shuffled, spots_of
from engine.shuffler import Seed
from storage.ledger import Draft
from storage.rows import HandRow, MoveRow
from tests.core.conftest import TABLES, House
from tests.disk import ask

Choose = Callable[[str, Offers, Mapping[str, list[Card]]], Move]
Takes = Callable[[Hand], bool]


def lay_hands(
    house: House,
    game: str,
    hands: int,
    bets: Sequence[Mapping[str, int]],
    choose: Choose | None = None,
    takes: Takes = lambda hand: True,
    options: Mapping[str, Any] | None = None,
    random: Random | None = None,
) -> None:
    """Insert hands at the lounge's first table of the game, one seat for each of `bets`. Hands that `takes` rejects are
    left out, as by a dealer who looks at the deck.
    """
    rules, chance, table = GAMES[game], random or Random(game), house.table(TABLES[game])
    parsed, draft = rules.parse_options(options or {}), Draft(house.books)
    ((number,),) = ask(house.books, "SELECT coalesce(max(id), 0) + 1 FROM hands")
    stakes = tuple(Stake(seat, f"p{seat}", spots) for seat, spots in enumerate(bets, start=1))
    for id in range(number, number + hands):
        hand = _play(game, parsed, stakes, choose, chance)
        while not takes(hand):
            hand = _play(game, parsed, stakes, choose, chance)
        assert hand.deal.seed is not None
        server = hand.deal.seed.server
        commitment = make_commitment(
            house=house.writer.state.key,
            casino=str(table.casino),
            log=1,
            table=str(table.id),
            hand=str(id),
            game=game,
            options=parsed,
            previous="",
            server=server,
        )
        deal = dump_record(record_hand(commitment, hand, salt="0" * 32), (), server)
        draft.put(HandRow(id, table.casino, table.id, game, "over", server, deal, 0.0, 1.0))
        for index, move in enumerate(hand.moves):
            draft.put(MoveRow(id, index, str(move), 1.0))
    house.books.write(draft)


def _play(game: str, options: Any, stakes: tuple[Stake, ...], choose: Choose | None, random: Random) -> Hand:
    seed = Seed(random.randbytes(32), ("x",), 0, "")
    deck, dice = shuffled(GAMES[game], options, seed)
    meter = 1_000_000 if GAMES[game].meter else None
    hand = Hand(Deal(game, options, stakes, deck, dice, seed, meter, GAMES[game].rules))
    while hand.asks:
        assert choose is not None
        seat, offers = next(iter(hand.asks.items()))
        hand = hand.play(choose(seat, offers, hand.cards(seat)))
    return hand


def loses(hand: Hand) -> bool:
    """Return whether the players together have no more than they staked."""
    wagered, returned = (sum(map(_sum, spots.values())) for spots in spots_of(hand))
    return returned <= wagered


def _sum(spots: Mapping[str, int]) -> int:
    return sum(spots.values())
