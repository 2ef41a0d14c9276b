"""Checks of every game: random legal deals, random legal moves, and invariants.

A game is dealt its example stakes, unless a function in DEALS deals more kinds. Nothing here knows a rule beyond the
form of a legal deal.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from engine.cards import HIDDEN, Card
from engine.errors import IllegalMove
from engine.events import Dealt, Event, Exchanged, Paid, Placed, Shown, Staked, Turned, Won
from engine.felt import TIMEOUT, VOID, Deal, Game, Move, Offer, Options, Stake
from engine.games import GAMES
from engine.hand import Hand, check_deal, lay_out
from engine.record import parse_record, play_record, write_record
from tests.examples import EXAMPLES, people_at

# More moves than any hand of any game takes: eight players with five rounds of four bets, seven boxes of splits.
LONGEST = 400
PLAYERS = ("anna", "bea", "carlo", "dino", "elsa", "fosco", "gina", "ugo")


def deal_caribbean(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    options = {"procedure": random.choice(["shuffler", "manual"]), "irregular_bets": random.random() < 0.3}

    def bets() -> dict[str, int]:
        return {"ante": random.randrange(1000, 5000, 500)} | random.choice([{}, {"jackpot": 100}])

    return game.parse_options(options), seat_players(random, range(1, 8), bets)


def deal_uth(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    options = {"procedure": random.choice(["shuffler", "manual"]), "nonqualify": random.choice(["venice", "us"])}

    def bets() -> dict[str, int]:
        return {"ante": random.randrange(500, 3000, 100)} | random.choice([{}, {"trips": 700}])

    return game.parse_options(options), seat_players(random, range(1, 7), bets)


def deal_paiju(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    def bets() -> dict[str, int]:
        areas = random.sample(game.spots, random.randint(1, len(game.spots)))
        return {area: random.randrange(500, 3000, 100) for area in areas}

    return game.parse_options({}), seat_players(random, range(1, 12), bets)


def deal_blackjack(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    """Deal boxes with holders, and bets behind some of them that follow or not; sometimes above the maximum."""
    options = {
        "decks": random.randint(1, 8),
        "maximum": random.choice([5000, 100000]),
        "hits_soft_17": random.random() < 0.5,
        "double_soft": random.random() < 0.5,
        "dealer_blackjack_takes": random.choice(["all", "original"]),
    }
    stakes = []
    for box in random.sample(range(1, 8), random.randint(1, 4)):
        for i, player in enumerate(random.sample(PLAYERS, random.randint(1, 3))):
            bets = {"main": random.randrange(1000, 4000, 1000)} | random.choice([{}, {"admiral": 1000}])
            stakes.append(Stake(box, player, bets, follow=i > 0 and random.random() < 0.6))
    return game.parse_options(options), sorted(stakes, key=lambda stake: stake.seat)


def deal_stud(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    """Deal stud from the dealer's left, so that seats wrap; short stacks make side pots."""
    options = {"bring_in_may_complete": random.random() < 0.5, "lower": random.choice([400, 1000])}
    seats = sorted(random.sample(range(1, 9), random.randint(2, 8)))
    first = random.randrange(len(seats))
    deep = random.choice([300, 3000, 80000])
    return game.parse_options(options), [
        Stake(seat, player, {}, stack=random.randint(1, deep))
        for seat, player in zip(seats[first:] + seats[:first], PLAYERS, strict=False)
    ]


def deal_holdem(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    """Deal hold'em from the dealer's left; short stacks, antes, dead small blinds and posts of returning players."""
    options = {
        "betting": random.choice(["no-limit", "pot-limit", "fixed-limit"]),
        "ante": random.choice([0, 0, 50, 200]),
        "ante_from": random.choice(["each", "big-blind"]),
        "unit": random.choice([1, 1, 50]),
    }
    seats = sorted(random.sample(range(1, 10), random.randint(2, len(PLAYERS))))
    first = random.randrange(len(seats))
    posts = [""] * len(seats)
    if len(seats) > 2:
        posts[0] = random.choice(["", "", "big"])
        posts[-1] = random.choice(["", "", "live", "both", "dead"])
    deep = random.choice([300, 3000, 80000])
    return game.parse_options(options), [
        Stake(seat, player, {}, stack=random.randint(1, deep) + (300 if post == "dead" else 0), post=post)
        for seat, player, post in zip(seats[first:] + seats[:first], PLAYERS, posts, strict=False)
    ]


def deal_example(random: Random, game: Game) -> tuple[Options, list[Stake]]:
    """Deal a game that is not in DEALS, with its example stakes and default options."""
    lay, most = EXAMPLES[game.name].lay, people_at(game.name)
    seats = sorted(random.sample(range(1, most + 1), random.randint(min(2, most), most)))
    return game.options(), [stake for seat in seats for stake in lay(random, game, seat, random.randint(1, 5))]


DEALS: Mapping[str, Callable[[Random, Game], tuple[Options, list[Stake]]]] = {
    "caribbean": deal_caribbean,
    "uth": deal_uth,
    "paiju": deal_paiju,
    "blackjack": deal_blackjack,
    "stud": deal_stud,
    "holdem": deal_holdem,
}


def seat_players(random: Random, seats: Sequence[int], bets: Callable[[], dict[str, int]]) -> list[Stake]:
    taken = sorted(random.sample(seats, random.randint(1, min(len(seats), len(PLAYERS)))))
    return [Stake(seat, player, bets()) for seat, player in zip(taken, PLAYERS, strict=False)]


def random_deal(name: str, random: Random) -> Deal:
    game = GAMES[name]
    options, stakes = DEALS.get(name, deal_example)(random, game)
    full = game.full_deck(options)
    dice = (random.randint(1, 6), random.randint(1, 6)) if game.dice else None
    meter = random.randrange(10**7) if game.meter else None
    deal = Deal(name, options, tuple(stakes), tuple(random.sample(full, len(full))), dice, jackpot=meter)
    check_deal(deal)
    return deal


def take(seat: str, offer: Offer, random: Random) -> Move:
    """Return a move of the offer; with an open amount, some amount, often a limit."""
    if not offer.most:
        return Move(seat, offer.word, offer.argument)
    most = min(offer.most, 10**6)
    some = random.randint(offer.least, most)
    amount = random.choice([offer.least, most, max(offer.least, some - some % offer.unit)])
    return Move(seat, offer.word, str(amount))


def random_move(hand: Hand, random: Random) -> Move:
    aside = [take(seat, offer, random) for seat, offers in hand.aside.items() for offer in offers]
    if aside and random.random() < 0.1:
        return random.choice(aside)
    seat = random.choice(list(hand.asks))
    if random.random() < 0.05:
        return Move(seat, TIMEOUT)
    return take(seat, random.choice(list(hand.asks[seat])), random)


def play_hand(deal: Deal, random: Random) -> Iterator[Hand]:
    """Yield the hand before its first move and after each, to its end."""
    hand = Hand(deal)
    yield hand
    while not hand.is_over:
        assert len(hand.moves) < LONGEST
        hand = hand.play(random_move(hand, random))
        yield hand


def viewers(deal: Deal) -> list[str | None]:
    """Return every player's key, and the public."""
    seats = [str(stake.seat) for stake in deal.stakes]
    behind = [f"{stake.seat}/{stake.player}" for stake in deal.stakes if seats.count(str(stake.seat)) > 1]
    return [None, *dict.fromkeys(seats), *behind]


def check_offers(hand: Hand, random: Random) -> None:
    """Check that every offer can be made, and so can a time-out; none is empty, and its stake has a spot."""
    for seat, offers in hand.asks.items():
        assert offers
        assert len({str(offer) for offer in offers}) == len(offers)
        for offer in offers:
            assert not (offer.stake or offer.most) or offer.spot
            before = hand.wagered().get(seat, {}).get(offer.spot, 0)
            move = take(seat, offer, random)
            after = hand.play(move)
            added = after.wagered().get(seat, {}).get(offer.spot, 0) - before
            assert added >= (int(move.argument) - offer.put if offer.most else offer.stake)
        hand.play(Move(seat, TIMEOUT))


def check_refusals(hand: Hand, random: Random) -> None:
    """Check that a move that is not offered raises with a sentence and leaves the hand unchanged."""
    deal, moves, asks, events = hand.deal, hand.moves, dict(hand.asks), list(hand.events)
    for move in illegal_moves(hand, random):
        with pytest.raises(IllegalMove) as refused:
            hand.play(move)
        assert str(refused.value).endswith(".")
        assert refused.value.template.format(**refused.value.values) == str(refused.value)
    assert (hand.deal, hand.moves, hand.asks, list(hand.events)) == (deal, moves, asks, events)


def illegal_moves(hand: Hand, random: Random) -> Iterator[Move]:
    game = GAMES[hand.deal.game]
    seats: list[str] = [key for key in viewers(hand.deal) if key] + ["99", "0", "", "1/nobody"]
    arguments = ["", "0", "1", "-1", "01", "٣", "As", "5", "99999999999999999999", " "]
    offered = {seat: {(o.word, o.argument) for o in offers if not o.most} for seat, offers in hand.asks.items()}
    ranges = {(seat, o.word) for seat, offers in hand.asks.items() for o in offers if o.most}
    aside = {(seat, o.word) for seat, offers in hand.aside.items() for o in offers}
    for _ in range(12):
        seat, word, argument = random.choice(seats), random.choice([*game.words, TIMEOUT]), random.choice(arguments)
        if word == TIMEOUT and not argument and seat in hand.asks:
            continue
        if (word, argument) not in offered.get(seat, ()) and not {(seat, word)} & (ranges | aside):
            yield Move(seat, word, argument)
    yield Move(random.choice(seats), "fly")
    yield Move(str(hand.deal.stakes[0].seat), VOID)
    yield Move("", VOID, "now")


def check_replay(hand: Hand) -> None:
    """Check that deal and moves determine the hand: replayed they give the same events, asks and facts."""
    again = Hand(hand.deal, hand.moves)
    assert list(again.events) == list(hand.events)
    assert again.asks == hand.asks
    assert again.felt.facts == hand.felt.facts


def check_record(hand: Hand) -> None:
    """Check that a written and re-read hand plays the same, and that equal records give equal bytes."""
    text = json.dumps(write_record(hand.deal, hand.moves))
    deal, moves = parse_record(json.loads(text))
    assert deal == hand.deal
    assert list(Hand(deal, moves).events) == list(hand.events)
    answers = {json.dumps(play_record(json.loads(text))) for _ in range(2)}
    assert len(answers) == 1
    assert json.loads(answers.pop())["over"] is hand.is_over


def check_void(hand: Hand) -> None:
    """Check that an open hand can be voided with every stake back, and a finished one cannot (G6)."""
    if hand.is_over:
        with pytest.raises(IllegalMove):
            hand.play(Move("", VOID))
    else:
        void = hand.play(Move("", VOID))
        assert void.is_over
        assert void.returned() == void.wagered() == hand.wagered()


def check_timeouts(hand: Hand) -> None:
    """Check that time-outs alone end the hand from any state, and stake only forced bets."""
    staked = Counter({seat: sum(spots.values()) for seat, spots in hand.wagered().items()})
    while not hand.is_over:
        assert len(hand.moves) < 2 * LONGEST
        hand = hand.play(Move(next(iter(hand.asks)), TIMEOUT))
    if not GAMES[hand.deal.game].stacks:  # where a bring-in is forced
        assert staked == Counter({seat: sum(spots.values()) for seat, spots in hand.wagered().items()})


def check_branches(hand: Hand, random: Random) -> None:
    """Check that a hand is a value: two moves from the same one are independent, and it is unchanged."""
    if hand.is_over:
        return
    asks, events, moves = dict(hand.asks), list(hand.events), [random_move(hand, random) for _ in range(2)]
    branches = [hand.play(move) for move in moves]
    assert (hand.asks, list(hand.events)) == (asks, events)
    for move, branch in zip(moves, branches, strict=True):
        check_replay(branch)
        assert branch.moves == (*hand.moves, move)
        assert list(branch.events)[: len(events)] == events


def check_views(hand: Hand) -> None:
    """Check that a view names only cards dealt to its viewer or turned face up (G8)."""
    known = set(GAMES[hand.deal.game].full_deck(hand.deal.options))
    for viewer in viewers(hand.deal):
        seen = set(cards_seen(hand.events, viewer))
        view = hand.view(viewer)
        assert len(view) == len(hand.events)
        assert {word for event in view for word in words_of(event)} & known <= seen
        assert {card for cards in lay_out(view).values() for card in cards} & known <= seen
        assert {who: len(cards) for who, cards in hand.cards(viewer).items()} == {
            who: len(cards) for who, cards in lay_out(hand.events).items()
        }


def check_payments(hand: Hand) -> None:
    """Check that no payment names a hand that the table has not seen (G8)."""
    lying = hand.cards(None)
    assert not any(
        HIDDEN in lying.get(event.seat, ()) for event in hand.events if isinstance(event, Paid) and event.hand
    )


def cards_seen(events: Sequence[Event], viewer: str | None) -> Iterator[Card]:
    """Yield the cards that `viewer` may know, from the real events."""
    for event in events:
        if isinstance(event, Dealt):
            yield from (card for card, up in zip(event.cards, event.up, strict=True) if up or viewer == event.to)
        elif isinstance(event, Shown | Turned):
            yield from event.cards
        elif isinstance(event, Exchanged) and viewer == event.seat:
            yield from (event.gone, event.card)


def words_of(value: Any) -> Iterator[str]:
    """Yield every text in an event, and every word in it."""
    if isinstance(value, str):
        yield from value.split()
    elif isinstance(value, tuple | list):
        for part in value:
            yield from words_of(part)


def check_payment(hand: Hand) -> None:
    """Check that every spot with a stake is paid once, even if 0, and no other spot is paid."""
    staked = {(event.seat, event.spot) for event in hand.events if isinstance(event, Placed | Staked)}
    paid = Counter((event.seat, event.spot, event.on) for event in hand.events if isinstance(event, Paid))
    prizes = {(event.seat, "jackpot") for event in hand.events if isinstance(event, Won)}
    told = {(seat, spot) for seat, spot, _ in paid}
    # From a stack a seat is paid for each pot, and for what was not called.
    bonus = {(seat, spot) for seat, spot in told if spot in GAMES[hand.deal.game].bonuses}
    assert told - bonus | prizes == staked
    assert not told & prizes
    assert GAMES[hand.deal.game].stacks or set(paid.values()) <= {1}
    assert all(event.amount >= 0 for event in hand.events if isinstance(event, Paid))
    assert all(event.clause for event in hand.events if isinstance(event, Paid))


def check_chips(hand: Hand) -> None:
    """Players with stacks win what others lose, at most their stacks; the bank pays only on stakes."""
    wagered = {seat: sum(spots.values()) for seat, spots in hand.wagered().items()}
    returned = {seat: sum(spots.values()) for seat, spots in hand.returned().items()}
    assert wagered.keys() == returned.keys()
    if GAMES[hand.deal.game].stacks:
        stacks = {str(stake.seat): stake.stack for stake in hand.deal.stakes}
        assert sum(wagered.values()) == sum(returned.values())
        assert all(amount <= stacks[seat] for seat, amount in wagered.items())
    else:
        # The longest odds of all bank games stand at 500 to 1 (UT13).
        assert all(0 <= amount <= 501 * wagered[seat] for seat, amount in returned.items())


def check_answer(hand: Hand) -> None:
    """Check that the replay of a finished hand adds up and names the game's spots for every seat."""
    answer = play_record(write_record(hand.deal, hand.moves))
    assert answer["over"]
    assert answer["asks"] == {}
    assert answer["wagered"].keys() == answer["returned"].keys() == answer["net"].keys()
    for seat, net in answer["net"].items():
        assert net == sum(answer["returned"][seat].values()) - sum(answer["wagered"][seat].values())
        assert set(answer["wagered"][seat]) == set(answer["returned"][seat])
        assert set(answer["wagered"][seat]) >= set(GAMES[hand.deal.game].all_spots)
