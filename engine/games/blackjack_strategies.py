"""Strategies of Black Jack: the published basic strategy for a dealer without a hole card, whose Black Jack takes
doubled and split bets too, and the best play by counting.
"""

from collections.abc import Container, Mapping

from engine.felt import Move, Offers
from engine.games.blackjack import GAME, BlackJackOptions, count
from engine.games.blackjack_control import control
from engine.games.blackjack_dealer import ACE, GONE, OF_A_DECK, DealersOdds
from engine.games.blackjack_odds import kind_of, rules_of
from engine.games.blackjack_play import BoxPlay, HandLine
from engine.simulation import BEST, SIDE_BETS, Cards, Simulation, Strategy, least_beside, move

# By the dealer's open card: 2 to 10, 11 for the ace.
_DOUBLED = {9: range(3, 7), 10: range(2, 10), 11: range(2, 10)}
# By the points of one of the two cards, 11 for the ace; tens and fives are never split.
_SPLIT: Mapping[int, Container[int]] = {
    2: range(2, 8),
    3: range(2, 8),
    4: range(5, 7),
    6: range(2, 7),
    7: range(2, 8),
    8: range(2, 10),
    9: (2, 3, 4, 5, 6, 8, 9),
    11: range(2, 11),
}

# More splits of one box are so rare that they may be played as if no pairs were left.
_SPLITS = 6


def play_basic(seat: str, offers: Offers, cards: Cards) -> Move:
    """Play basic strategy without insurance: by a table's usual rules the bank keeps about 0.5 % of the first bet."""
    words = {offer.word for offer in offers}
    if "decline" in words:
        return move(seat, "decline")
    own, (dealer, _) = cards[offers[0].on], count(cards["dealer"][:1])
    total, is_soft = count(own)
    if "split" in words and dealer in _SPLIT.get(count(own[:1])[0], ()):
        return move(seat, "split")
    if "double" in words and not is_soft and dealer in _DOUBLED[total]:
        return move(seat, "double")
    return move(seat, "hit" if "hit" in words and _draws(total, is_soft, dealer) else "stand")


def _draws(total: int, is_soft: bool, dealer: int) -> bool:
    if is_soft:
        return total < 18 or (total == 18 and dealer > 8)
    if total == 12:
        return dealer not in (4, 5, 6)
    return total < 12 or (total < 17 and dealer > 6)


def insure_always(seat: str, offers: Offers, cards: Cards) -> Move:
    """Play basic strategy, with the most insurance against every ace."""
    insured = offers[0]
    return move(seat, "insure", str(insured.most)) if insured.word == "insure" else play_basic(seat, offers, cards)


def play_best(options: BlackJackOptions) -> Strategy:
    """Play the choice that `blackjack_odds` values most.

    Of the other hands of a split it looks at their first cards alone, so that counts can be used again.
    """
    plays: dict[int, BoxPlay] = {}
    known: dict[tuple[int, HandLine, tuple[int, ...], bool], str] = {}

    def play_against(up: int) -> BoxPlay:
        if up not in plays:
            unseen = [number * options.decks - (kind == up) for kind, number in enumerate(OF_A_DECK)]
            dealer = DealersOdds(unseen, up, hits_soft_17=options.hits_soft_17, counts_all=False)
            plays[up] = BoxPlay(rules_of(options), dealer, splits=_SPLITS)
        return plays[up]

    def choose(seat: str, offers: Offers, cards: Cards) -> Move:
        on, up = offers[0].on, kind_of(cards["dealer"][0])
        gone = _seen_from(on, cards)
        if offers[0].word == "insure":
            pays = 3 * play_against(up).dealer.black_jack(sum(map(GONE.__getitem__, gone)), len(gone)) > 1
            return move(seat, "insure", str(offers[0].most)) if pays else move(seat, "decline")
        kinds = tuple(map(kind_of, cards[on]))
        line = HandLine(
            sum(map(GONE.__getitem__, gone)), len(gone), sum(kinds) + len(kinds), ACE in kinds, "." not in on
        )
        # After two cards the sum decides.
        asked = up, line, kinds[:2] if len(kinds) == 2 else (), f"{seat}.2" in cards
        if asked not in known:
            known[asked] = _best_word(play_against(up), line, kinds, is_split=asked[3])
        return move(seat, known[asked])

    return choose


def _seen_from(on: str, cards: Cards) -> list[int]:
    """Return the kinds of the cards that this hand considers, without the dealer's."""
    box, seen = on.partition(".")[0], list[int]()
    for name, those in cards.items():
        if name != "dealer":
            is_beside = name != on and name.partition(".")[0] == box
            seen += map(kind_of, those[:1] if is_beside else those)
    return seen


def _best_word(play: BoxPlay, line: HandLine, kinds: tuple[int, ...], *, is_split: bool) -> str:
    if len(kinds) == 2:
        values = play.choices(line, (kinds[0], kinds[1]), is_split=is_split)
    else:
        values = {"stand": play.stand(line), "hit": play.hit(line)}
    return max(values, key=values.__getitem__)


SIMULATION = Simulation(
    game=GAME,
    strategies={"basic": play_basic, "guest": play_basic, SIDE_BETS: insure_always},
    by_options={BEST: play_best},
    lay=least_beside("main", "admiral", lambda options: options.minimum, [SIDE_BETS]),
    cards=12,
    control=control,
)
