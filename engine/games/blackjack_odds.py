"""Cost of the bets of black jack with the first hand of a fresh shoe, and value of each choice (BJ10 to BJ17).

All open cards are known, those of other boxes and of other hands of a split too; every other card of the shoe is
equally likely, including those that left it before the hand. Best play is that of `blackjack_play`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files

from engine.cards import Card
from engine.events import Dealt, Placed, Split, Staked
from engine.felt import Move
from engine.games.blackjack import GAME, BlackJackOptions, count, is_black_jack, name_stakes
from engine.games.blackjack_dealer import ACE, OF_A_DECK, TEN, DealersOdds
from engine.games.blackjack_play import BetRules, BoxPlay, HandLine
from engine.odds import SAME_SHARE, BetOdds, Decision, Odds, Unit, chance_alone, choices_of

EDGES = files(__package__) / "blackjack_edges.json"

# A few cards are counted as fast as by differences, which would be less exact.
_FEW = 26

_BEST_PLAY = (
    "best play with the first hand of a fresh shoe, by its own cards and the dealer's; in a split each hand is played "
    "by its own cards, the pairs that led to it and the dealer's card, and no insurance"
)
_ALWAYS = "no choice to make"
_WITH_AN_ACE = "insurance against every ace of the dealer's, whatever lies in the boxes"


def edges(options: BlackJackOptions, meter: int | None) -> Mapping[str, BetOdds]:
    """Return the edges of the first hand of a fresh shoe. Payouts of Black Jacks are not rounded."""
    decks, (pays, to) = options.decks, options.odds
    win = Fraction(pays, to) * _share_of_black_jacks(decks)
    net = nets()[decks, options.hits_soft_17, *rules_of(options)]
    admiral, insurance = _admiral_wins(decks), _insurance_wins(decks)
    return {
        "main": BetOdds(-(net + float(win)), _BEST_PLAY),
        "admiral": chance_alone(_ALWAYS, {Fraction(19): admiral}),
        "insurance": chance_alone(_WITH_AN_ACE, {Fraction(2): insurance}),
    }


@cache
def nets() -> Mapping[tuple[int, bool, bool, bool], float]:
    """Return the mean net of a unit on `main` by rule, without the box's Black Jacks.

    The key is (decks, hits_soft_17, a dealer's Black Jack takes the original bet alone, double_soft); counted by
    `python -m tests.counted.blackjack_edges`.
    """
    return {(decks, *map(bool, rules)): net for decks, *rules, net in json.loads(EDGES.read_text("utf-8"))}


def rules_of(options: BlackJackOptions) -> BetRules:
    """Return the options that change how a hand is played, without the dealer's rule."""
    return BetRules(spares=options.dealer_blackjack_takes == "original", double_soft=options.double_soft)


def _admiral_wins(decks: int) -> Fraction:
    """Return the chance that the box's first two cards are an ace and a ten (BJ17)."""
    size = 52 * decks
    return Fraction(2 * OF_A_DECK[ACE] * OF_A_DECK[TEN] * decks * decks, size * (size - 1))


def _insurance_wins(decks: int) -> Fraction:
    """Return the chance that the card after the dealer's ace is a ten (BJ10)."""
    return Fraction(OF_A_DECK[TEN] * decks, 52 * decks - 1)


def _share_of_black_jacks(decks: int) -> Fraction:
    """Return the chance that the box has a Black Jack and the dealer has none, the only case that is paid as one
    (BJ15).
    """
    size, aces, tens = 52 * decks, OF_A_DECK[ACE] * decks, OF_A_DECK[TEN] * decks
    both = Fraction(2 * (aces - 1) * (tens - 1), (size - 2) * (size - 3))
    return _admiral_wins(decks) * (1 - both)


@dataclass
class _BettorBox:
    """A box as one bettor on it sees it.

    hands  {name of a hand: their bet on it}, in the order of play
    """

    seat: str
    main: int = 0
    admiral: int = 0
    insurance: int = 0
    hands: dict[str, int] = field(default_factory=dict)


def values(decision: Decision) -> Mapping[str, float]:
    """Return the expected final net of every choice for the seat asked, in minor units (`engine.odds.Odds`)."""
    box, play = _read_box(decision), _make_play(decision)
    if decision.offers[0].word in ("insure", "decline"):
        return _value_insurances(decision, box, play)
    settled = _value_sides(decision, box, play)
    on = decision.offers[0].on
    names = list(box.hands)
    place = names.index(on)
    settled += sum(_value_finished(decision, box, play, name) for name in names[:place])
    settled += sum(_value_waiting(decision, box, play, name) for name in names[place + 1 :])
    worth = _value_words(decision, box, play, on)
    return {choice: settled + box.hands[on] * worth[choice] for choice in choices_of(decision.offers)}


def _read_box(decision: Decision) -> _BettorBox:
    """Read a box from the events: a double and a split first stake, then deal to their hand or begin another."""
    key, seat = decision.seat, decision.seat.partition("/")[0]
    box, staked = _BettorBox(seat), 0
    for event in decision.events:
        match event:
            case Placed(seat=at, spot="main", amount=amount) if at == key:
                box.main = box.hands[seat] = amount
            case Placed(seat=at, spot="admiral", amount=amount) if at == key:
                box.admiral = amount
            case Staked(seat=at, spot="insurance", amount=amount) if at == key:
                box.insurance = amount
            case Staked(seat=at, spot="main", amount=amount) if at == key:
                staked = amount
            case Split(seat=at, hand=hand, into=into) if at == seat:
                box.hands = _put_behind(box.hands, hand, into, staked)
                staked = 0
            case Dealt(to=to) if to in box.hands:
                box.hands[to] += staked
                staked = 0
    return box


def _put_behind(hands: Mapping[str, int], hand: str, into: str, bet: int) -> dict[str, int]:
    """Insert a split hand right after the one that it was split from, which is played next (BJ11)."""
    ordered: dict[str, int] = {}
    for name, its_bet in hands.items():
        ordered[name] = its_bet
        if name == hand:
            ordered[into] = bet
    return ordered


def _make_play(decision: Decision) -> BoxPlay:
    options: BlackJackOptions = decision.options
    unseen = [number * options.decks for number in OF_A_DECK]
    for cards in decision.cards.values():
        for card in cards:
            unseen[kind_of(card)] -= 1
    return _play_against(kind_of(decision.cards["dealer"][0]), tuple(unseen), options.hits_soft_17, rules_of(options))


# Cached, because all insurers know the same cards.
@lru_cache(2)
def _play_against(up: int, unseen: tuple[int, ...], hits_soft_17: bool, rules: BetRules) -> BoxPlay:
    dealer = DealersOdds(unseen, up, hits_soft_17=hits_soft_17, counts_all=sum(unseen) < _FEW)
    return BoxPlay(rules, dealer)


def kind_of(card: Card) -> int:
    """Return the kind of a card, as `blackjack_dealer` numbers it."""
    total, is_soft = count([card])
    return ACE if is_soft else total - 1


def _value_insurances(decision: Decision, box: _BettorBox, play: BoxPlay) -> dict[str, float]:
    settled = _value_sides(decision, box, play) + _value_first(decision, box, play)
    a_unit = _net_of_insurance(play)
    amounts = {choice: int(choice.partition(" ")[2] or 0) for choice in choices_of(decision.offers)}
    return {choice: settled + amount * a_unit for choice, amount in amounts.items()}


def _net_of_insurance(play: BoxPlay) -> float:
    """Return the net of a unit of insurance: 2:1 if the dealer makes Black Jack (BJ10)."""
    return 3 * play.dealer.black_jack(0, 0) - 1


def _value_sides(decision: Decision, box: _BettorBox, play: BoxPlay) -> float:
    """Return the net of Admiral Jack, which is decided already (BJ17), and of insurance (BJ10).

    Three sevens end their box (BJ16).
    """
    has_won = is_black_jack(decision.cards[box.seat]) and len(box.hands) == 1
    return box.admiral * (19.0 if has_won else -1.0) + box.insurance * _net_of_insurance(play)


def _value_first(decision: Decision, box: _BettorBox, play: BoxPlay) -> float:
    """Return the value of the bet on the first two cards, before anybody has played."""
    options: BlackJackOptions = decision.options
    cards = decision.cards[box.seat]
    if is_black_jack(cards):
        pays, to = options.odds
        return (box.main * pays // to) * (1 - play.dealer.black_jack(0, 0))
    line, pair = _line(cards, is_first=True), (kind_of(cards[0]), kind_of(cards[1]))
    if decision.seat == box.seat or _follows(decision):
        return box.main * max(play.choices(line, pair, is_split=False).values())
    return box.main * play.ride(line, pair)


def _follows(decision: Decision) -> bool:
    """Return whether a bet follows: fixed when bets close, unless the player has chosen to stay (BJ13)."""
    stays = Move(decision.seat, "stay") in decision.moves
    return name_stakes(decision.stakes)[decision.seat].follow and not stays


def _line(cards: Sequence[Card], *, is_first: bool) -> HandLine:
    """Return the line of seen cards, from which on others are drawn."""
    kinds = [kind_of(card) for card in cards]
    return HandLine(0, 0, sum(kinds) + len(kinds), ACE in kinds, is_first)


def _value_finished(decision: Decision, box: _BettorBox, play: BoxPlay, name: str) -> float:
    """Return the value of a hand that stands or is broken, whatever is drawn before the dealer draws."""
    bet, total = box.hands[name], count(decision.cards[name])[0]
    if total > 21:
        return -bet
    is_first = name == box.seat
    return box.main * play.against(total, 0, 0, bet // box.main, is_first=is_first) if bet else 0.0


def _value_waiting(decision: Decision, box: _BettorBox, play: BoxPlay, name: str) -> float:
    """Return the value of a hand of a split that waits for its second card."""
    if not (bet := box.hands[name]):
        return 0.0
    kind = kind_of(decision.cards[name][0])
    return bet * (play.slot(0, 0, kind, is_first=False) if decision.seat == box.seat else play.drawn_on(0, 0, kind))


def _value_words(decision: Decision, box: _BettorBox, play: BoxPlay, on: str) -> Mapping[str, float]:
    """Return the value of each move, for a unit on the hand that is played."""
    cards, is_split = decision.cards[on], len(box.hands) > 1
    line = _line(cards, is_first=on == box.seat)
    if len(cards) > 2:
        return {"stand": play.stand(line), "hit": play.hit(line)}
    pair = kind_of(cards[0]), kind_of(cards[1])
    return play.choices(line, pair, is_split=is_split)


ODDS = Odds(
    game=GAME,
    edges=edges,
    values=values,
    units={"main": Unit("main", ("sevens",)), "admiral": Unit("admiral"), "insurance": Unit("insurance")},
    no_figure={
        **SAME_SHARE,
        "penetration": "edges are those of a fresh shoe, however far it is dealt",
        "double_soft": "best play doubles no soft hand unless the dealer hits soft 17",
    },
)
