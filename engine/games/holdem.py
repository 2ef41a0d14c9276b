"""Texas Hold'em (HE): no-limit, pot-limit and fixed-limit, between players; the casino only deals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.betting import POT, BettingRound, FixedLimitRound, OpenRound, PlayerRing, bet_in_turn, check_stacks, post
from engine.felt import Amount, Facts, Felt, Game, Offer, Options, Script, Stake, check, choose, is_amount
from engine.poker import name, rank
from engine.pots import numbers, return_uncalled, share, split_pots

STREETS = {"pre-flop": 0, "flop": 3, "turn": 1, "river": 1}
"""{street: how many cards the board gets}."""
PRE_FLOP, FLOP, TURN, RIVER = STREETS
SEATS = 9
BOARD = "board"

NO_LIMIT, POT_LIMIT, FIXED_LIMIT = "no-limit", "pot-limit", "fixed-limit"
EACH, FROM_BIG_BLIND = "each", "big-blind"
# HE7: the posts of a stake. `BIG` says that the small blind is dead (HE6).
BIG, LIVE, BOTH, DEAD = "big", "live", "both", "dead"

# The default of the small blind, told apart from a 0 in a record.
_HALF_THE_BIG = Amount(0)


@dataclass(frozen=True)
class HoldemOptions(Options):
    """Options of Texas Hold'em. The small blind is half the big blind unless it is given (HE5)."""

    betting: str = NO_LIMIT
    big_blind: int = 200
    small_blind: int = _HALF_THE_BIG
    ante: int = 0
    ante_from: str = EACH
    unit: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("betting", self.betting, NO_LIMIT, POT_LIMIT, FIXED_LIMIT)
        choose("ante_from", self.ante_from, EACH, FROM_BIG_BLIND)
        check(self.unit > 0, "The smallest chip must be more than 0.", "HE29")
        if self.small_blind is _HALF_THE_BIG:
            half = self.big_blind // 2 // self.unit * self.unit
            object.__setattr__(self, "small_blind", max(half, self.unit))
        check(self.big_blind > 0, "The big blind must be more than 0.", "HE5")
        check(self.small_blind > 0, "The small blind must be more than 0.", "HE5")
        check(self.small_blind <= self.big_blind, "The small blind must be at most the big blind.", "HE5")
        check(self.ante <= self.big_blind, "The ante must be at most the big blind.", "HE9")
        payable = all(amount % self.unit == 0 for amount in (self.small_blind, self.big_blind, self.ante))
        check(payable, "Blinds and ante must be multiples of the smallest chip.", "HE29")


def check_stakes(options: HoldemOptions, stakes: Sequence[Stake]) -> None:
    """Check two to nine stacks from the dealer's left, and posts only where allowed (HE6, HE7). Raises IllegalDeal."""
    check_stacks(stakes, SEATS, "HE1", "HE4")
    if not any(stake.post for stake in stakes):
        return
    check(len(stakes) > 2, "With two players only the blinds are posted.", "HE8")
    small_is_dead = stakes[0].post == BIG
    for stake in stakes[1:] if small_is_dead else stakes:
        check(stake.post != BIG, "Only the first player can have the big blind after a dead small blind.", "HE7")
    for stake in stakes[1:2] if not small_is_dead else ():
        check(not stake.post, "A player who has a blind posts nothing else.", "HE7")
    check(stakes[0].post in ("", BIG), "A player who has a blind posts nothing else.", "HE7")
    needed = options.small_blind + (options.ante if options.ante_from == EACH else 0)
    for stake in stakes:
        check(stake.post != DEAD or stake.stack > needed, "A dead small blind must leave at least one chip.", "HE7")


def play(felt: Felt) -> Script:
    """Play a hand: antes and blinds, four streets with their betting, the pots."""
    ring = PlayerRing(felt.deal.stakes)
    betting, dead = begin_street(felt, ring, PRE_FLOP), Counter[str]()
    waiting = post_blinds(felt, ring, betting, dead)
    for _ in range(2):
        felt.deal_each(ring.live, up=False)
    felt.facts |= {"board": [], "hands": {seat: {"cards": felt.cards[seat]} for seat in ring.live}, "showdown": []}
    yield from bet_in_turn(felt, ring, betting, waiting)
    for street in (FLOP, TURN, RIVER):
        if len(ring.live) == 1:
            break
        # HE23: a player is all-in and there is no more action.
        if len(ring.with_chips()) <= 1 and not felt.facts["showdown"]:
            show_hands(felt, ring.live, {})
        felt.call(street)
        felt.deal_to(BOARD, STREETS[street], up=True)
        felt.facts["board"] = felt.cards[BOARD]
        betting = begin_street(felt, ring, street)
        yield from bet_in_turn(felt, ring, betting, ring.with_chips())
    ranked = rank_hands(felt)
    if len(ring.live) > 1 and not felt.facts["showdown"]:
        show_down(felt, ring, betting.aggressor, ranked)
    settle(felt, ring, ranked, dead)


# Bets


def begin_street(felt: Felt, ring: PlayerRing, street: str) -> BettingRound:
    """Begin a betting round by the option `betting` (HE14 to HE21)."""
    options: HoldemOptions = felt.options
    if options.betting == FIXED_LIMIT:
        # HE19: big blinds before and on the flop, twice that on the turn and river.
        limit = options.big_blind * (2 if street in (TURN, RIVER) else 1)
        return FixedLimitRound(ring, limit, "bet", "HE20", "HE21")
    return OpenRound(ring, "bet", options.big_blind, options.unit, is_pot_limit=options.betting == POT_LIMIT)


def post_blinds(felt: Felt, ring: PlayerRing, betting: BettingRound, dead: Counter[str]) -> list[str]:
    """Post antes, blinds and posts in the order of HE9 and HE7. Return who may act, the first first (HE8, HE11).

    `dead` counts by seat what is not matched by the others: dead small blinds and the ante of the big blind.
    """
    options: HoldemOptions = felt.options
    first, second = ring.live[:2]
    big, small = (first, second) if len(ring.live) == 2 else (second, first)
    if felt.deal.stakes[0].post == BIG:
        big, small = first, ""
    for seat in ring.live if options.ante and options.ante_from == EACH else ():
        post(felt, ring, seat, options.ante)
    if small:
        betting.put[small] = post(felt, ring, small, options.small_blind)
    betting.put[big] = post(felt, ring, big, options.big_blind)
    for stake in felt.deal.stakes:
        seat = str(stake.seat)
        if stake.post in (LIVE, BOTH):
            betting.put[seat] = post(felt, ring, seat, options.big_blind)
        if stake.post in (BOTH, DEAD):
            dead[seat] = post(felt, ring, seat, options.small_blind)
    if options.ante_from == FROM_BIG_BLIND:
        dead[big] = post(felt, ring, big, options.ante)
    betting.count_blind(options.big_blind)
    return ring.with_chips_after(big) + [big] * (ring.stacks[big] > 0)


def find_clause(options: HoldemOptions, offer: Offer, argument: str) -> str:
    """Return the clause that refuses an argument: an amount where none is allowed, a missing one, one out of range."""
    if not offer.most:
        return "HE19" if offer.word in ("bet", "raise") else "HE11"
    if not is_amount(argument):
        return "HE17"
    if int(argument) < offer.least:
        return "HE14"
    if int(argument) > offer.most:
        return "HE18" if options.betting == POT_LIMIT else "HE15"
    return "HE17"


# Showdown


def show_down(felt: Felt, ring: PlayerRing, aggressor: str, ranked: Mapping[str, int]) -> None:
    """Show all hands if a player is all-in, otherwise the last aggressor's first, then clockwise (HE23, HE24)."""
    if len(ring.with_chips()) < len(ring.live):
        show_hands(felt, ring.live, {})
    else:
        first = ring.live.index(aggressor) if aggressor else 0
        show_hands(felt, ring.live[first:] + ring.live[:first], ranked)


def show_hands(felt: Felt, seats: Sequence[str], ranked: Mapping[str, int]) -> None:
    """Show each hand that ties or beats the best one shown so far and muck the others (HE25). Unranked hands tie."""
    felt.call("showdown")
    best = 0
    for seat in seats:
        shows = ranked.get(seat, 0) >= best
        if shows:
            best = ranked.get(seat, 0)
            felt.show(seat)
        felt.facts["showdown"].append({"seat": int(seat), "shows": shows})


# Pots


def settle(felt: Felt, ring: PlayerRing, ranked: Mapping[str, int], dead: Mapping[str, int]) -> None:
    """Give back the uncalled bet, then pay each pot to its winners, the main pot first (HE26 to HE29)."""
    paid = {seat: felt.staked.get((seat, POT), 0) - dead.get(seat, 0) for seat in ring.stacks}
    return_uncalled(felt, paid, "HE27")
    pots = split_pots(paid, ring.live, sum(dead.values()))
    felt.facts["pots"] = [pay_pot(felt, amount, eligible, ranked, pot) for pot, (amount, eligible) in enumerate(pots)]
    winners = {str(seat) for pot in felt.facts["pots"] for seat in pot["winners"]}
    if len(ring.live) == 1:
        winners.update(ring.live)
    for seat, hand in felt.facts["hands"].items():
        hand["result"] = "win" if seat in winners else "lose" if seat in ring.live else "fold"
        if seat not in winners and paid[seat] + dead.get(seat, 0):
            felt.pay(seat, POT, 0, hand["result"], "HE28" if seat in ring.live else "HE11")


def rank_hands(felt: Felt) -> dict[str, int]:
    """Rank every hand with the board, folded ones too; without a flop there is no rank."""
    board, ranked = felt.facts["board"], {}
    for seat, hand in felt.facts["hands"].items():
        ranked[seat] = rank(hand["cards"] + board) if board else 0
        hand["rank"] = name(ranked[seat]) if board else None
    return ranked


def pay_pot(felt: Felt, amount: int, eligible: Sequence[str], ranked: Mapping[str, int], pot: int) -> Facts:
    """Pay one pot to the best hand; equal hands split it, a single player needs no showdown (HE27, HE28)."""
    if len(eligible) == 1:
        winners = eligible
        felt.pay(eligible[0], POT, amount, "last player", "HE26", pot=pot)
    else:
        best = max(ranked[seat] for seat in eligible)
        winners = [seat for seat in eligible if ranked[seat] == best]
        for seat, part in share(amount, winners, felt.options.unit).items():
            felt.pay(seat, POT, part, "best hand", "HE28", hand=name(best), pot=pot)
    return {"amount": amount, "eligible": numbers(eligible), "winners": numbers(winners)}


GAME = Game(
    name="holdem",
    script=play,
    options=HoldemOptions,
    check=check_stakes,
    words=dict.fromkeys(("fold", "check", "call", "bet", "raise"), "HE11"),
    amounts=find_clause,
    spots=(),
    all_spots=(POT,),
    turn="HE11",
    seats=SEATS,
    stacks="HE2",
    posts={BIG: "HE6", LIVE: "HE7", BOTH: "HE7", DEAD: "HE7"},
)
