"""Texts of Ultimate Texas Hold'em, and the hand that teaches it: weak cards that wait, and a flop that pairs them."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from bot.texts.catalogues import RANK
from bot.texts.games import GameTexts, pay_lines
from bot.texts.options import OneOf, Option
from bot.texts.paragraphs import Page, by_clause
from engine import poker
from engine.cards import HIDDEN, Card
from engine.felt import Offers
from engine.games.uth import BLIND_PAYS, TRIPS_PAYS, UltimateOptions

OPTIONS = {
    "procedure": Option(
        OneOf(("shuffler", "manual"), (Text("all at once"), Text("card by card"))),
        Text("How cards are dealt: hand by hand, or one at a time with burn cards (UT3)."),
        Text("Dealing"),
    ),
    "nonqualify": Option(
        OneOf(("venice", "us"), (Text("Venice rules"), Text("US rules"))),
        Text(
            "What happens when the bank has no pair: the Venice rule, or the usual one, which returns the Ante (UT9)."
        ),
        Text("Dealer doesn't qualify"),
    ),
}

RULES = Page(
    """
Ultimate Texas Hold'em in the Venice variant: your two cards and five on the board against the bank's two and the same
five; the best five of seven count. Six seats unless the table has fewer (UT1).

Before the deal you place the Ante, and the Blind of the same amount follows. Trips is an optional side bet (UT2).

Ante and Trips are {minimum} to {maximum} each, in steps of {step} (UT1, G5); Play may be more (UT6).

[procedure=manual] Cards are dealt one at a time in two rounds, the bank last, and a card is burned before the flop, the
turn and the river (UT3).

[procedure=shuffler] The five board cards are dealt face down first; then everyone gets two at once, the bank last
(UT3).

With two cards you check or play 3 or 4 times the ante (UT4); on the flop you check or play 2 times (UT5); with the
whole board you play 1 time or fold (UT6). You play once per hand and can fold only at the end.

Everyone decides at the same time on each street (UT7). Don't show or tell your cards (G8).

[nonqualify=us] The bank qualifies with a pair or better (UT8). If it doesn't, your Ante is returned, and Play and Blind
are still decided by the cards (UT9).

[nonqualify=venice] The bank qualifies with a pair or better (UT8). If it doesn't, your Ante is paid 1 to 1, and Play
and Blind are returned whatever you hold (UT9).

[nonqualify=venice] This Venice rule costs you more than the usual one, where the Ante is returned and Play and Blind
are resolved (UT9).

If it qualifies and your hand is better, Play and Ante pay 1 to 1, and the Blind pays by its table for a straight or
better, otherwise it is a push. If the bank's hand is better, you lose all three. Equal hands: all three are a push
(UT10, UT12, UT13).

[procedure=manual] Trips pays by its table for three of a kind or better, whoever wins (UT14). If you fold, you lose
Ante, Blind and Trips, because the cards are dealt by hand (UT15).

[procedure=shuffler] Trips pays by its table for three of a kind or better, whoever wins (UT14), and stays live after a
fold; Ante and Blind are lost with the fold (UT15).

If your time runs out you check, on the river you fold, unless you have a standing order: `/standing play-pairs` (UT17).
""",
    OPTIONS,
)


def fold_here(options: UltimateOptions) -> Text:
    """Describe what a fold loses with these options."""
    if options.procedure == "manual":
        return Text("Give up Ante, Blind and Trips (UT15)")
    return Text("Give up Ante and Blind; Trips stays in play (UT15)")


ORIGINALS = by_clause(
    """
In a casino players decide one after another and see what the others did. Here everyone decides at once, and the round
ends when all have decided; decisions may be visible meanwhile (UT7).

This follows the Venice rulebook; most casinos push the Ante and resolve Play and Blind. The option nonqualify offers
the usual rule (UT9).

The rulebook has both: with a shuffler Trips stays in play after a fold, dealt by hand it is lost. The option procedure
decides (UT15).

The rulebook replaces bank cards that fall face up. Virtual cards cannot fall; if a hand is spoiled anyway, all of it is
voided (UT16).
"""
)


def paytable(options: UltimateOptions) -> tuple[Text, ...]:
    """Return the pay table of play, ante, blind and trips (UT10, UT13, UT14)."""
    return (
        Text("Play and Ante pay 1 to 1 (UT10). The Blind pays a winner (UT13):"),
        *pay_lines(BLIND_PAYS),
        Text("Trips pays, whoever wins (UT14):"),
        *pay_lines(TRIPS_PAYS),
    )


TEXTS = GameTexts(
    title="Ultimate Texas Hold'em",
    channel="ultimate-texas-holdem",
    summary=Text("Poker against the bank with two cards of your own and five for everyone."),
    rules=RULES,
    originals=ORIGINALS,
    paytable=paytable,
    bets={"ante": Text("Ante and blind together, for each ante"), "trips": Text("Trips")},
    options=OPTIONS,
    words={RANK: tuple(poker.CATEGORIES)},
)

# By how many cards of the board lie open.
_CHOOSE = {
    0: (
        Text("A check is free and shows you three cards of the board. You can fold only after all five (UT4, UT6)."),
        Text("Nine and seven are too weak for a bet of 3 or 4 antes: wait for the flop."),
    ),
    3: (
        Text("The flop gives you a pair of nines. Play bets twice the ante now, later only once (UT5, UT6)."),
        Text("A pair with one of your own cards beats most hands: bet now."),
    ),
    5: (
        Text("All five board cards are open. Play once the ante, or fold and lose Ante and Blind (UT6, UT15)."),
        Text("Ante and Blind are already at stake, so even a weak pair is worth one more bet."),
    ),
}
_OVER = (
    Text("The bank qualifies with a pair of fours, so the better hand wins (UT8, UT10)."),
    Text(
        "Ante and Play pay 1 to 1. The Blind pays for a straight or better; otherwise it is a push if you win (UT13)."
    ),
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    return _CHOOSE[sum(card != HIDDEN for card in cards["board"])] if offers else _OVER


FIRST_HAND = FirstHand(
    cards="9d Kc 4h Js 2d 9s 7h 4s Qc",
    bets=({"ante": 1000},),
    opening=(
        Text("Two cards are yours, five on the board are for everyone; your best five of the seven count (UT1)."),
        Text("Ante and Blind are two equal bets before the cards; the side bet Trips is left out here (UT2)."),
        Text("Play is your only raise: 3 or 4 times the ante at first, 2 on the flop, 1 at the end (UT4 to UT6)."),
    ),
    tells=_tells,
)
