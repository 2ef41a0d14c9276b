"""Texts of Seven Card Stud Hi/Lo, and the hand that teaches it: aces win the high, low cards become a low (SH10)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import KEY, FirstHand
from bot.texts import Text
from bot.texts.catalogues import PHASE, RANK
from bot.texts.games import GameTexts
from bot.texts.options import REVEAL_AFTER, Chips, Flag, Option
from bot.texts.paragraphs import Page, by_clause
from engine import poker
from engine.cards import HIDDEN, Card
from engine.felt import Amount, Move, Offers, Stake, Word
from engine.games.stud import STREETS, StudOptions
from engine.simulation import Cards

OPTIONS = {
    "lower": Option(
        Chips(), Text("The limit of bets and raises on third and fourth street (SH6)."), Text("Lower limit")
    ),
    "upper": Option(Chips(), Text("The limit of bets and raises from fifth street on (SH6)."), Text("Upper limit")),
    "ante": Option(Chips(), Text("Ante of each player (SH2)."), Text("Ante")),
    "unit": Option(Chips(), Text("The smallest chip on the table (SH11)."), Text("Smallest chip")),
    "bring_in_may_complete": Option(
        Flag(), Text("The lowest card may bet the whole limit at once (SH5)."), Text("Bring-in may complete")
    ),
}


def _half(options: StudOptions) -> Amount:
    return Amount(options.lower // 2)


RULES = Page(
    """
Seven Card Stud Hi/Lo, eight or better, fixed limit. Two to eight players, or fewer if the table has fewer seats, play
against each other from stacks; the casino only deals and takes no rake (SH1, SH13).

There is a daily limit on what you can win from, or lose to, other players (/casino show). Larger stacks play only up to
it; on your first day you can bring 40 big bets at most (SH1).

[not ante] There is no ante at these limits (SH2).

[ante] Everyone posts an ante of {ante} (SH2).

Two cards down and one up, then one up on fourth, fifth and sixth street and one down on the river, with a round of bets
after each (SH3). If the deck runs out, one open card is shared by everyone: the first down card of the hand that folded
first, or the next card of the deck (SH4).

The lowest open card posts the bring-in of {half}, half the lower limit; ties by suit: spades highest, then hearts,
diamonds, clubs. On later streets the highest hand showing acts first (SH5).

[bring_in_may_complete] The bring-in player may bet the whole limit instead (SH5).

[not bring_in_may_complete] The bring-in is a forced bet. The others may complete it to the limit, but the player who
posts it may not yet (SH5).

Bets and raises are {lower} on third and fourth street and {upper} after that (SH6), at most four per round: bet, raise,
re-raise, cap (SH7).

A player who cannot cover a bet is all-in and plays for the pots they paid into; uncalled bets are returned (SH9).

At the showdown any five of your seven cards make your high hand and any five your low hand. A low is five different
ranks of eight or lower, with aces low; straights and flushes do not count against it, and the best low is 5-4-3-2-A
(SH10).

The best high hand takes half of each pot, the best low the other half; without a low the high takes all. Equal hands
share. An odd chip from the halving goes to the high, odd chips within a half go one each, first to the dealer's left
(SH11). The last player left takes the pot without showing (SH12).

The smallest chip is {unit}; stacks and shares are multiples of it (SH11).

If your time runs out, you check if that is free, otherwise you fold; after two time-outs in a row you sit out (SH14).

A hand's record and seed are shown some hours later, so that folded hands stay secret while it matters. The table's
rules say after how many (`/rules table`).
""",
    OPTIONS,
    half=_half,
)


def bring_in_here(options: StudOptions) -> Text:
    """Describe the bring-in with these options."""
    half, lower = Amount(options.lower // 2), Amount(options.lower)
    if options.bring_in_may_complete:
        return Text("Post the bring-in of {half}, or the whole limit of {lower} (SH5)", half=half, lower=lower)
    return Text("Post the bring-in of {half}; the others may complete it (SH5)", half=half)


def complete_here(options: StudOptions) -> Text:
    """Describe the completion of a bring-in with these options."""
    return Text("Complete the bring-in to {lower} (SH5)", lower=Amount(options.lower))


def bet_here(options: StudOptions) -> Text:
    """Describe a bet with these options."""
    lower, upper = Amount(options.lower), Amount(options.upper)
    return Text("Bet {lower} on third and fourth street, {upper} after that (SH6)", lower=lower, upper=upper)


def raise_here(options: StudOptions) -> Text:
    """Describe a raise with these options."""
    lower, upper = Amount(options.lower), Amount(options.upper)
    return Text("Raise by {lower} on third and fourth street, by {upper} after that (SH6)", lower=lower, upper=upper)


ORIGINALS = by_clause(
    """
The rulebook has no limit on what players win from each other. Here there is a daily limit, because chips could
otherwise be passed on by losing them (SH1).

The rulebook uses a discard as the community card without saying which. Here it is the first down card of the hand that
folded first (SH4).

The rulebook does not say whether the bring-in player may bet the whole limit at once. The option bring_in_may_complete
decides (SH5).

The rulebook does not say who gets odd chips. Here they go one each, starting left of the dealer, as is usual in poker
(SH11).
"""
)

PAYTABLE = Page(
    """
Limits {lower}/{upper}, ante {ante}, bring-in {half}.

Half of each pot to the best high, half to the best low of eight or better (SH11).

Hands, highest first: {ranks}.
""",
    OPTIONS,
    half=_half,
    ranks=lambda options: [Word(rank) for rank in reversed(poker.CATEGORIES)],
)
# For the foot of a screen (SH2, SH6).
LIMITS = Page("Limits {lower}/{upper}, ante {ante}", OPTIONS)

TEXTS = GameTexts(
    title="7 Card Stud Hi/Lo",
    summary=Text("Poker between players, from stacks. The best high hand and the best low hand share the pot."),
    rules=RULES,
    originals=ORIGINALS,
    paytable=PAYTABLE,
    odds=(Text("No rake: the casino keeps nothing (SH13)."),),
    options=OPTIONS,
    settings=REVEAL_AFTER,
    words={PHASE: STREETS, RANK: tuple(poker.CATEGORIES)},
)

_THIRD_STREET = (
    Text("Two aces down, a five up. The other player's two is the lowest open card and posts the bring-in (SH5)."),
    Text("Call to stay in, or complete to a full bet (SH7). Aces with a low card win three pots in four: complete."),
)
_LATER = (
    Text(
        "Each street deals one more card face up to everyone, the last one face down, with bets after each (SH3, SH6)."
    ),
    Text("Your aces are ahead, and your low cards may win the other half. Bet while you are ahead."),
)
_SHOWDOWN = (
    Text("Cards speak (SH12): aces beat kings, and 7-6-5-3-A is a low that the other player doesn't have."),
    Text("You win both halves of the pot (SH11). The pot comes from the players' stacks, never from the casino."),
)
_GAVE_UP = (Text("A fold leaves the pot to the others, and no cards are shown (SH12)."),)
_BEST = ("complete", "bet", "raise", "call", "check")
_STACK = 850


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    if offers:
        return _THIRD_STREET if len(cards[KEY]) == 3 else _LATER
    return _GAVE_UP if any(HIDDEN in hand for hand in cards.values()) else _SHOWDOWN


def _best(seat: str, offers: Offers, cards: Cards) -> Move:
    """Play the learner's aces as aggressively as allowed."""
    words = [offer.word for offer in offers]
    return Move(seat, next(word for word in _BEST if word in words))


FIRST_HAND = FirstHand(
    cards="As Kh Ad Qd 5c 2d 3h 9s 7d Kc Qs 8s 6h Tc",
    bets=({},),
    opening=(
        Text(
            "You play against each other; the casino only deals. The best high hand and the best low hand share the "
            "pot (SH11)."
        ),
        Text("A low is five different ranks of eight or lower, with aces low. One hand may win both halves (SH10)."),
        Text("You buy in with a stack. Everyone posts an ante, gets two cards down and one up, and bets (SH2, SH3)."),
    ),
    tells=_tells,
    best=_best,
    stack=_STACK,
    others=(Stake(2, "p2", {}, stack=_STACK),),
)
