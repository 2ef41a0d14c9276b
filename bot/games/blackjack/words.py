"""Texts of Black Jack, and the hand that teaches it: twelve against a ten draws, and nineteen stands (BJ11)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import KEY, FirstHand
from bot.games.blackjack.card_counter import gain_of
from bot.texts import Text
from bot.texts.games import GameTexts
from bot.texts.options import BasisPoints, Count, Flag, OneOf, Option, Pays
from bot.texts.paragraphs import Page, by_clause
from engine.cards import Card
from engine.felt import Amount, Offers
from engine.games.blackjack import BOXES, BlackJackOptions, count

OPTIONS = {
    "decks": Option(Count(1, 8), Text("Decks in the shoe (BJ7)."), Text("Decks")),
    "penetration": Option(
        BasisPoints(0, 7500),
        Text("Share of the shoe dealt before a new one; 0 % means a new shoe for every hand (BJ7)."),
        Text("Penetration"),
    ),
    "blackjack_pays": Option(Pays(), Text("What Black Jack pays (BJ15)."), Text("Black Jack pays")),
    "hits_soft_17": Option(Flag(), Text("The dealer draws to soft 17 (BJ14)."), Text("Dealer hits soft 17")),
    "dealer_blackjack_takes": Option(
        OneOf(("all", "original"), (Text("all bets"), Text("first bet only"))),
        Text("What the dealer's Black Jack wins: all bets, or the first bet only (BJ14)."),
        Text("Dealer's Black Jack wins"),
    ),
    "double_soft": Option(Flag(), Text("Allow doubling on soft totals (BJ11)."), Text("Double on soft totals")),
}
SETTINGS = {
    "boxes_per_player": Option(Count(1, BOXES), Text("Boxes one player may hold (BJ3)."), Text("Boxes per player")),
}


def _pays(options: BlackJackOptions) -> int:
    return options.odds[0]


def _to(options: BlackJackOptions) -> int:
    return options.odds[1]


RULES = Page(
    """
Black Jack: get closer to 21 than the dealer without going over. There are seven boxes unless the table has fewer. The
box holder decides; others can bet behind but neither decide nor advise (BJ1, BJ5). The highest bet on a free box makes
you its holder (BJ3).

The minimum bet is {minimum}, in steps of {step}. All bets on a box together are limited to {maximum}; anything above is
cut from the last player who bet behind. Doubles and splits may exceed the limit (BJ2, G5).

You can sit out and keep your box. Others may play it meanwhile; the highest bet on it decides. After three hands in a
row without your bet you lose the box (BJ4).

[not penetration] Every hand has a new shoe of {decks} decks, so counting cards is useless (BJ7).

[penetration] The shoe has {decks} decks and is replaced after {penetration} of it (BJ7).

Cards count their number, face cards 10, an ace 1 or 11. Ace and a ten-value card as the first two are Black Jack and
beat any other 21 (BJ9). The dealer has one card face up and draws after the players (BJ8).

If the dealer shows an ace, you can insure your bet against Black Jack at 2 to 1, from the table minimum to half the
bet; half the bet if that is less (BJ10).

[double_soft] On your turn you hit, stand, or double on the first two cards: with 9, 10 or 11, and with an ace and an 8
or 9; one card only, after a split too (BJ11).

[not double_soft] On your turn you hit, stand, or double on the first two cards with a hard 9, 10 or 11; one card only,
after a split too (BJ11).

You can split two cards of equal value again and again; each hand has a bet equal to the first. Split aces get one card
each; another ace may be split again. 21 after a split is not Black Jack (BJ11).

Co-players follow a double or a split with their own money, or stay (BJ13). Decide before the deal with `/follow on`.

[hits_soft_17] The dealer draws to 16 and to a soft 17, and stands on any other 17 (BJ14).

[not hits_soft_17] The dealer draws to 16 and stands on all 17s, soft ones included (BJ14).

A win pays 1 to 1, Black Jack {pays} to {to}, and equal totals are a push (BJ15).

[dealer_blackjack_takes=original] The dealer's Black Jack wins only your first bet; doubled and split amounts are
returned (BJ14).

[dealer_blackjack_takes=all] The dealer's Black Jack wins all bets except against a Black Jack, doubled and split bets
too (BJ14).

Three sevens on an unsplit box pay each bet on it once more (BJ16).

Admiral Jack is a side bet that your box's first two cards are Black Jack. It pays 19 to 1, takes {minimum} or {most},
and needs a bet of your own on that box (BJ17).

If the box holder's time runs out, the co-player with the highest bet decides, then the dealer's rule: draw to 11, stand
from 12, no doubles or splits (BJ6).
""",
    OPTIONS,
    pays=_pays,
    to=_to,
    most=lambda options: Amount(2 * options.minimum),
)


def double_here(options: BlackJackOptions) -> Text:
    """Describe which totals may be doubled with these options."""
    if options.double_soft:
        return Text("Double the bet for one card, with 9, 10 or 11 or an ace and an 8 or 9 (BJ11)")
    return Text("Double the bet for one card, with a hard 9, 10 or 11 (BJ11)")


ORIGINALS = by_clause(
    """
In the rulebook, the higher bet gets a free box, and of equal bets the one nearer the shoe. In a chat the earlier bet
wins (BJ3).

As in the rulebook, the box of an absent holder is open to others and lost after three hands. You cannot keep a box for
other people's money (BJ4).

The rulebook forbids advice from players who bet behind. A chat cannot hear what people say elsewhere; an inspector can
stop a player from holding boxes (BJ5).

The rulebook forbids counting cards. A chat cannot see it, so with penetration 0 every hand has a new shoe; with a
deeper shoe, counting can pay (BJ7).

In the rulebook, the dealer always draws to the end, as here. It does not say what the dealer's Black Jack wins, so an
option decides (BJ14).
"""
)

PAYTABLE = Page(
    """
A win pays 1 to 1, Black Jack {pays} to {to} (BJ15).

Insurance pays 2 to 1 (BJ10), Admiral Jack 19 to 1 (BJ17).

Three sevens pay the first bet once more (BJ16).
""",
    OPTIONS,
    pays=_pays,
    to=_to,
)

# Printed on the felt.
PRINTS = Page(
    """
Black Jack pays {pays} to {to}

[hits_soft_17] The dealer draws to a soft 17

[not hits_soft_17] The dealer stands on 17

Insurance pays 2 to 1
""",
    OPTIONS,
    pays=_pays,
    to=_to,
)


def warnings(options: BlackJackOptions) -> tuple[Text, ...]:
    """Warn that a shoe of several hands favours card counters; measured for six decks and default options (BJ7)."""
    gain = gain_of(options.penetration)
    if gain is None:
        return ()
    wins = round(100 * (options.maximum * gain.good + options.minimum * gain.bad))
    told: dict[str, object] = {"percent": Amount(options.penetration), "amount": Amount(abs(wins))}
    told |= {"least": Amount(options.minimum), "most": Amount(options.maximum)}
    if wins > 0:
        return (
            Text(
                (
                    "With {percent} % of the shoe dealt, counting cards pays: betting {most} when the count is "
                    "good and {least} otherwise wins about {amount} in a hundred rounds (BJ7)."
                ),
                **told,
            ),
        )
    return (
        Text(
            (
                "With {percent} % of the shoe dealt, counting cards still loses about {amount} in a hundred rounds "
                "when betting {most} with a good count and {least} otherwise (BJ7)."
            ),
            **told,
        ),
    )


TEXTS = GameTexts(
    title="Black Jack",
    summary=Text("Get closer to 21 than the dealer without going over."),
    rules=RULES,
    originals=ORIGINALS,
    paytable=PAYTABLE,
    bets={
        "main": Text("The bet on a box, played perfectly"),
        "admiral": Text("Admiral Jack"),
        "insurance": Text("Insurance"),
    },
    options=OPTIONS,
    warnings=warnings,
    settings=SETTINGS,
)

_OVER = (
    Text("The dealer must draw to 16 and stand from 17 on (BJ14)."),
    Text("The higher total pays 1 to 1, equal totals are a push, and Black Jack pays 3 to 2 (BJ15)."),
)
_STAND_FROM = 17


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    total, _is_soft = count(cards[KEY])
    if total > 21:
        return (Text("More than 21 is a bust: you lose at once, whatever the dealer draws (BJ11)."), *_OVER)
    if not offers:
        return _OVER
    ask = Text("You have {total}. Hit to take one more card, or stand (BJ11).", total=total)
    if total < _STAND_FROM:
        return ask, Text("The dealer's ten makes 17 or more most of the time. With less than 17 you must draw.")
    return ask, Text("Most cards would bust you. Let the dealer draw.")


FIRST_HAND = FirstHand(
    cards="7h Tc 5d 7s 8d",
    bets=({"main": 1000},),
    opening=(
        Text("Get closer to 21 than the dealer without going over. Face cards count 10, an ace 1 or 11 (BJ9)."),
        Text("Your bet is on your box. The dealer shows one card and draws after you (BJ8)."),
        Text(
            "The side bet Admiral Jack wins when your first two cards are Black Jack; this hand leaves it out (BJ17)."
        ),
    ),
    tells=_tells,
)
