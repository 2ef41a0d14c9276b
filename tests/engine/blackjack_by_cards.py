"""Values at black jack by dealing every possible card through the rule script itself: slow, and independent of the
engine's own odds. For shoes with few unseen cards.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from engine.cards import Card
from engine.errors import IllegalDeal
from engine.felt import Deal, Move, Stake
from engine.games.blackjack import GAME, BlackJackOptions, count, is_black_jack, name_stakes
from engine.hand import Hand
from engine.odds import choices_of
from engine.record import spots_of

Nets = dict[str, float]
# (hand, seat) -> the choice of a seat; None where it plays best.
Policy = Callable[[Hand, str], str]
OTHERS = 6


class Cards:
    """A hand whose last box is played with every possible card; the others and the dealer's open card are fixed.

    `deck` are the dealt cards, and `moves` those made.
    """

    def __init__(self, options: BlackJackOptions, stakes: Sequence[Stake], policy: Policy | None = None) -> None:
        self.options = options
        self.stakes = tuple(stakes)
        self._policy = policy

    def hand(self, deck: Sequence[Card], moves: Sequence[Move]) -> Hand:
        return Hand(Deal(GAME.name, self.options, self.stakes, tuple(deck)), moves)

    def choices(self, deck: Sequence[Card], moves: Sequence[Move], seat: str) -> dict[str, float]:
        """Return the seat's net by its choice, if everyone plays best for themselves after it."""
        offers = self.hand(deck, moves).asks[seat]
        return {choice: self._after(deck, moves, seat, choice)[seat] for choice in choices_of(offers)}

    def nets(self, deck: Sequence[Card], moves: Sequence[Move]) -> Nets:
        """Return the expected net of every seat. Where the cards run out every stake goes back."""
        try:
            hand = self.hand(deck, moves)
        except IllegalDeal:
            return self._draw(deck, moves)
        if hand.is_over:
            wagered, returned = spots_of(hand)
            return {seat: sum(returned[seat].values()) - sum(wagered[seat].values()) for seat in wagered}
        seat = min(hand.asks)
        if self._policy:
            return self._after(deck, moves, seat, self._policy(hand, seat))
        every = [self._after(deck, moves, seat, choice) for choice in choices_of(hand.asks[seat])]
        return max(every, key=lambda nets: nets[seat])

    def _after(self, deck: Sequence[Card], moves: Sequence[Move], seat: str, choice: str) -> Nets:
        word, _, argument = choice.partition(" ")
        return self.nets(deck, [*moves, Move(seat, word, argument)])

    def _draw(self, deck: Sequence[Card], moves: Sequence[Move]) -> Nets:
        """Average over the next card, one of each kind."""
        kinds: dict[int, list[Card]] = {}
        left = Counter(GAME.full_deck(self.options)) - Counter(deck)
        for card in left.elements():
            kinds.setdefault(count([card])[0], []).append(card)
        nets: Nets = {}
        for cards in kinds.values():
            for seat, net in self.nets([*deck, cards[0]], moves).items():
                nets[seat] = nets.get(seat, 0.0) + net * len(cards) / left.total()
        return nets


def lay_out(
    own: str, up: str, unseen: str, *stakes: Stake, options: BlackJackOptions
) -> tuple[list[Stake], list[Card], list[Move]]:
    """Return (stakes, deck, moves) after which box 7 with these stakes must choose. Its cards and the dealer's have the
    ranks `own` and `up`; the low cards of one deck, aces to sixes without the ranks `unseen`, are on the six other
    boxes. No one takes insurance.
    """
    there = {rank: [rank + suit for suit in "shdc"] for rank in "A23456789TJQK"}
    mine, dealers = [there[rank].pop() for rank in own], there[up].pop()
    for rank in unseen:
        there[rank].pop()
    rest = [card for rank in "A23456" for card in there[rank]]
    boxes = next(filter(None, (_share_out(rest, Random(seed)) for seed in range(1000))))
    others = [Stake(seat, f"player{seat}", {"main": 1000}) for seat in range(1, OTHERS + 1)]
    deck = [*(box[0] for box in boxes), mine[0], dealers, *(box[1] for box in boxes), mine[1]]
    moves = [Move(key, "decline") for key in name_stakes([*others, *stakes]) if up == "A"]
    for seat, box in enumerate(boxes, start=1):
        deck += box[2:]
        moves += [Move(str(seat), "hit")] * len(box[2:])
        moves += [Move(str(seat), "stand")] * (count(box)[0] < 21)
    return [*others, *stakes], deck, moves


def _share_out(cards: list[Card], random: Random) -> list[list[Card]] | None:
    """Deal cards to six boxes, at least two each, and none after the card that ends the box; None if that fails."""
    cards = random.sample(cards, len(cards))
    boxes = [cards[2 * box : 2 * box + 2] for box in range(OTHERS)]
    if any(is_black_jack(box) for box in boxes):
        return None
    rest = cards[2 * OTHERS :]
    for box in boxes:
        while rest and count(box)[0] < 21:
            box.append(rest.pop())
    return None if rest else boxes
