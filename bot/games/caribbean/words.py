"""Texts of Caribbean Stud, and the hand that teaches it: a small pair, which loses on average and is raised (CS5)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from bot.texts.catalogues import RANK
from bot.texts.games import GameTexts
from bot.texts.options import BasisPoints, Chips, ChipsEach, Flag, OneOf, Option
from bot.texts.paragraphs import Page, by_clause
from engine import jackpot, poker
from engine.cards import Card
from engine.felt import Amount, Offers, Word
from engine.games.caribbean import PAYS, CaribbeanOptions
from engine.games.caribbean_odds import coin_edge, edges
from engine.hand import Hand

TOLD_GAINS: Mapping[int, float] = {2: 0.007, 3: 0.016, 4: 0.025, 5: 0.038, 6: 0.058, 7: 0.098}
"""{seats that tell each other all their cards: the gain of each, of its ante} (CS2), over 4,000 deals.

Measured by `python -m tests.counted.told_cards`: two seats may gain a quarter more or less, seven a twentieth. Each
seat chooses what is best by all cards that these seats have been dealt and the dealer's open one. A seat that exchanges
does not know the cards that others buy meanwhile.
"""


# Basis points of an ante, +- 60: over 40,000 random hands, each at the best of a fold, a raise by one minor unit and
# one by twice the ante; exchanges would add to it.
SHORT_RAISES = 5000

FIXED_PRIZES = {
    "four": Text("Prize for four of a kind"),
    "full": Text("Prize for a full house"),
    "flush": Text("Prize for a flush"),
}
OPTIONS = {
    "procedure": Option(
        OneOf(("shuffler", "manual"), (Text("all at once"), Text("card by card"))),
        Text("How cards are dealt: hand by hand, or one at a time around the table (CS3, CS4)."),
        Text("Dealing"),
    ),
    "irregular_bets": Option(
        Flag(), Text("Allow raises of other amounts than twice the ante (CS8)."), Text("Irregular raises")
    ),
    "coin": Option(Chips(), Text("Price of a jackpot coin (CS17)."), Text("Price of a jackpot coin")),
    "fixed": Option(
        ChipsEach(tuple(FIXED_PRIZES), tuple(FIXED_PRIZES.values())),
        Text("The fixed prizes of the jackpot (CS19)."),
        Text("Fixed prizes"),
    ),
    "contribution": Option(
        BasisPoints(0, 10000),
        Text("Share of each coin that goes to the meter (CS18)."),
        Text("Share of a coin for the meter"),
    ),
    "reset": Option(Chips(), Text("Where the meter restarts after a win (CS21)."), Text("Meter after a jackpot win")),
    "hand_pay": Option(
        OneOf(("automatic", "keys"), (Text("replay"), Text("inspectors"))),
        Text("Who confirms a prize: the replay of the hand, or inspectors (CS23)."),
        Text("Jackpot wins are confirmed by"),
    ),
}

RULES = Page(
    """
Caribbean Stud Poker: five cards each against the dealer, one deck of 52 shuffled for every hand, seven seats unless the
table has fewer, one per player (CS1).

Before the deal you place an ante and, if you like, one jackpot coin. The jackpot cannot be played alone (CS2).

The ante is {minimum} to {maximum}, in steps of {step} (CS1, G5).

[procedure=manual] Cards are dealt one at a time around the table, five to each player; the dealer's fifth card is face
up (CS4).

[procedure=shuffler] You get five cards at once, seat 1 first and the dealer last; the dealer's fifth card is face up
(CS3).

You see your own cards and that one. Then you raise, fold and lose the ante, or exchange one card for the price of the
ante and then raise or fold (CS5).

[irregular_bets] A raise is twice the ante. A smaller one pays, pushes and loses for what it is; of a larger one only
twice the ante counts, and the rest is returned (CS8).

[not irregular_bets] A raise is a bet of exactly twice the ante, no more and no less (CS8).

Everyone decides at the same time; exchanged cards come from the rest of the deck, seat 1 first (CS6). If you lack the
chips to raise, another player can give you some with /give; you still play your own hand (CS9).

Don't show or tell your cards (G8). Seats that share all their cards gain the edge, so a table may have fewer seats
(CS2).

The dealer qualifies with ace and king or better (CS11). If the dealer doesn't qualify, your ante is paid 1 to 1 and the
raise is returned, whatever you hold; your cards are collected unseen (CS12).

If the dealer qualifies, the better hand wins; all five cards count, suits never. If you win, the ante pays 1 to 1 and
the raise by its pay table. If you lose, you lose both. A tie is a push (CS13, CS15).

The jackpot pays for your first five cards, whoever wins and even if you fold; an exchange gives it up (CS7, CS19). All
tables of the casino share one jackpot (CS17).

[hand_pay=keys] A royal or straight flush pauses all tables on the meter until it is confirmed (CS22). One inspector
confirms a fixed prize, two confirm a share of the meter; after 24 hours the replay confirms it automatically (CS23).

[hand_pay=automatic] A royal or straight flush is confirmed at once by replaying the hand from its seed; play continues
(CS22, CS23).

If your time runs out you fold, unless you have a standing order: `/standing raise-pairs` (CS10).
""",
    OPTIONS,
)


def give_up_jackpot(hand: Hand, seat: str) -> Text | None:
    """Warn that an exchange gives up the jackpot of a seat with a coin, whatever its cards (CS7)."""
    if "jackpot" not in hand.wagered().get(seat, {}):
        return None
    return Text("You lose your jackpot chance in this hand (CS7).")


def raise_here(options: CaribbeanOptions) -> Text:
    """Describe a raise with these options."""
    if options.irregular_bets:
        return Text("Bet twice the ante; a smaller raise counts as it is, anything above is returned (CS8)")
    return Text("Bet twice the ante, no more and no less (CS8)")


ORIGINALS = by_clause(
    """
The rulebook forbids showing or telling cards. A chat cannot hear what people say elsewhere, so you see only your own
cards, and an inspector can reduce the seats (CS2).

In the rulebook, seats exchange one after another, so later seats see what earlier ones did. Here everyone decides at
once, so no one waits or has an advantage (CS6).

The rulebook settles a raise that is not twice the ante. Here it is refused if the option irregular_bets is off, because
a short raise would gain the player half an ante (CS8).

In the rulebook, a player may borrow the raise. Here it is a gift, not on the first day and within the daily gift limit,
because a second account could serve as a purse (CS9).

The rulebook says “an ace or a king”, but in its examples A-Q-J-9-8 does not qualify and A-K-J-10-9 does: it takes both
(CS11).

In the rulebook, the winner declares the jackpot, and the fixed prizes are left blank. Here the casino declares it for
you, even after a fold, and sets the prizes (CS19).

The rulebook restarts the meter at a fixed amount without naming it. The casino sets it (CS21).

The rulebook stops all tables as soon as the cards have been looked at. Here they stop when the cards are revealed, and
only if inspectors confirm prizes; a replay takes no time (CS22).

In the rulebook, two keys confirm a jackpot, one held by a municipal inspector. Here two inspectors confirm it, or, by
default, the replay of the hand (CS23).

The rulebook covers cards that fall, are seen too early or go to a wrong seat. That cannot happen to virtual cards. If a
hand is spoiled anyway, an inspector voids it or one seat with /void (CS25).

In the rulebook, a player whose exchange was forgotten may continue or have the hand voided. Here that cannot happen,
and the deck always has enough cards (CS26).
"""
)


def paytable(options: CaribbeanOptions) -> tuple[Text, ...]:
    """Return the pay table of bet, ante and coin for these options, and the rules of the meter (CS13 to CS21)."""
    return (
        Text("The bet pays, to 1, on five cards as dealt / after an exchange (CS15):"),
        *(
            Text("{rank}: {dealt} / {exchanged}", rank=Word(rank), dealt=dealt, exchanged=exchanged)
            for rank, (dealt, exchanged) in PAYS.items()
        ),
        Text("The ante pays 1 to 1 (CS13)."),
        Text("A jackpot coin ({coin}) pays for your first five cards (CS19):", coin=Amount(options.coin)),
        *prize_lines(options),
        Text(
            "{percent} % of each coin goes to the meter, the rest to the bank (CS18).",
            percent=Amount(options.contribution),
        ),
        Text(
            "After a royal flush the meter starts again from {amount} (CS21).",
            amount=Amount(options.reset),
        ),
    )


def prize_lines(options: CaribbeanOptions) -> tuple[Text, ...]:
    """Return a line for each prize of a coin: shares of the meter, then fixed ones (CS19)."""
    shares = (
        Text("{rank}: {percent} % of the meter", rank=Word(rank), percent=n) for rank, n in jackpot.SHARES.items()
    )
    fixed = ((rank, options.fixed[name]) for rank, name in jackpot.FIXED.items())
    return (*shares, *(Text("{rank}: {amount}", rank=Word(rank), amount=Amount(amount)) for rank, amount in fixed))


def warnings(options: CaribbeanOptions) -> tuple[Text, ...]:
    """Return warnings about short raises (counted over 20,000 hands) and about coins right after a restart."""
    restarted = coin_edge(options, options.reset).edge
    assert restarted is not None, "all deals are counted"
    coin = Text(
        "Right after a restart, a coin has a house edge of {percent} % in the long run (CS21).",
        percent=Amount(round(restarted * 10_000)),
    )
    if not options.irregular_bets:
        return (coin,)
    short = Text(
        (
            "With irregular raises allowed, raising the smallest amount with weak hands wins about {percent} % of "
            "each ante from the casino in the long run (CS8)."
        ),
        percent=Amount(SHORT_RAISES),
    )
    return short, coin


def tell_of_seats(seats: int) -> tuple[Text, ...]:
    """Describe the gain of seats that share all their cards (CS2)."""
    if seats not in TOLD_GAINS:
        return (Text("A single seat knows no other cards (CS2)."),)
    best = edges(CaribbeanOptions(), None)["ante"].edge
    assert best is not None, "all deals are counted"
    left = Amount(round((best - TOLD_GAINS[seats]) * 10_000))
    values = {"n": seats, "gain": Amount(round(TOLD_GAINS[seats] * 10_000)), "percent": Amount(abs(left))}
    if left >= 0:
        sentence = (
            "{n} seats that share all their cards gain about {gain} % of an ante; {percent} % house edge is left (CS2)."
        )
        return (Text(sentence, **values),)
    sentence = "{n} seats that share all their cards gain about {gain} % of an ante and win {percent} % (CS2)."
    return (Text(sentence, **values),)


TEXTS = GameTexts(
    title="Caribbean Stud",
    summary=Text("Five-card poker against the dealer, with an exchange of one card and a jackpot."),
    rules=RULES,
    originals=ORIGINALS,
    paytable=paytable,
    bets={
        "ante": Text("The ante, with the best exchange and raise"),
        "ante without exchange": Text("The ante without an exchange"),
        "jackpot": Text("A jackpot coin"),
    },
    options=OPTIONS,
    warnings=warnings,
    seats=tell_of_seats,
    # The meter's: one for all tables of the casino (CS17), set with /meter set.
    kept_by_casino=("coin", "fixed", "contribution", "reset", "hand_pay"),
    words={RANK: tuple(poker.CATEGORIES)},
)

_CHOOSE = (
    Text("Only you see your five cards; the dealer's last card is face up (CS3)."),
    Text("Raise bets twice the ante, fold loses the ante, an exchange buys one new card for an ante (CS5, CS8)."),
    Text("Raise with any pair: on average it loses a little, while a fold loses the whole ante."),
)
_OVER = (
    Text("The dealer qualifies with ace and king, so hands that raised are compared (CS11, CS13)."),
    Text(
        "A pair pays the bet 1 to 1, a flush 5 to 1. If the dealer does not qualify, only the ante is paid (CS12, "
        "CS15)."
    ),
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    if not offers:
        return _OVER
    if any(offer.word == "exchange" for offer in offers):
        return _CHOOSE
    return (Text("The price of the exchange is spent either way. Now raise or fold (CS5)."),)


FIRST_HAND = FirstHand(
    cards="7s 7d Kc 9h 2c Kd Jc 8s 4d Ah Qd",
    bets=({"ante": 1000},),
    opening=(
        Text("You and the dealer get five cards each from one deck, and the better poker hand wins (CS1, CS13)."),
        Text("The ante is your bet before the cards. Later you raise it or give it up (CS2, CS5)."),
        Text("The jackpot coin is a side bet on your five cards; this hand leaves it out (CS19)."),
    ),
    tells=_tells,
)
