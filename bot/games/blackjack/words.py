"""Texts of Black Jack."""

from bot.games.blackjack.card_counter import gain_of
from bot.texts import Text
from bot.texts.catalogues import NO_CATALOGUES, STATE
from bot.texts.games import GameTexts
from bot.texts.options import LIMITS, BasisPoints, Count, Flag, OneOf, Option, Pays
from engine.felt import Amount
from engine.games.blackjack import BOXES, BlackJackOptions


def rules(options: BlackJackOptions) -> tuple[Text, ...]:
    """The page of the rules at a table with these options, clause by clause."""
    least, most, step = Amount(options.minimum), Amount(options.maximum), Amount(options.step)
    return (
        Text(
            "Black Jack: get closer to 21 than the dealer without going over. There are seven boxes unless the "
            "table has fewer. The box holder decides; others can bet behind but neither decide nor advise "
            "(BJ1, BJ5). The highest bet on a free box makes you its holder (BJ3)."
        ),
        Text(
            (
                "The minimum bet is {least}, in steps of {step}. All bets on a box together are limited to {most}; "
                "anything above is cut from the last player who bet behind. Doubles and splits may exceed the "
                "limit (BJ2, G5)."
            ),
            least=least,
            most=most,
            step=step,
        ),
        Text(
            "You can sit out and keep your box. Others may play it meanwhile; the highest bet on it decides. "
            "After three hands in a row without your bet you lose the box (BJ4)."
        ),
        _shoe(options),
        Text(
            "Cards count their number, face cards 10, an ace 1 or 11. Ace and a ten-value card as the first "
            "two are Black Jack and beat any other 21 (BJ9). The dealer has one card face up and draws after "
            "the players (BJ8)."
        ),
        Text(
            "If the dealer shows an ace, you can insure your bet against Black Jack at 2 to 1, from the table "
            "minimum to half the bet; half the bet if that is less (BJ10)."
        ),
        _doubles(options),
        Text(
            "You can split two cards of equal value again and again; each hand has a bet equal to the first. "
            "Split aces get one card each; another ace may be split again. 21 after a split is not Black Jack "
            "(BJ11)."
        ),
        Text(
            "Co-players follow a double or a split with their own money, or stay (BJ13). Decide before the "
            "deal with `/follow on`."
        ),
        _dealer(options),
        Text(
            "A win pays 1 to 1, Black Jack {pays} to {to}, and equal totals are a push (BJ15).",
            pays=options.odds[0],
            to=options.odds[1],
        ),
        _dealers_black_jack(options),
        Text("Three sevens on an unsplit box pay each bet on it once more (BJ16)."),
        Text(
            (
                "Admiral Jack is a side bet that your box's first two cards are Black Jack. It pays 19 to 1, takes "
                "{least} or {most}, and needs a bet of your own on that box (BJ17)."
            ),
            least=least,
            most=Amount(2 * options.minimum),
        ),
        Text(
            "If the box holder's time runs out, the co-player with the highest bet decides, then the dealer's "
            "rule: draw to 11, stand from 12, no doubles or splits (BJ6)."
        ),
    )


def _shoe(options: BlackJackOptions) -> Text:
    if not options.penetration:
        return Text(
            "Every hand has a new shoe of {decks} decks, so counting cards is useless (BJ7).",
            decks=options.decks,
        )
    return Text(
        "The shoe has {decks} decks and is replaced after {percent} % of it (BJ7).",
        decks=options.decks,
        percent=Amount(options.penetration),
    )


def double_here(options: BlackJackOptions) -> Text:
    """Describe which totals may be doubled with these options."""
    if options.double_soft:
        return Text("Double the bet for one card, with 9, 10 or 11 or an ace and an 8 or 9 (BJ11)")
    return Text("Double the bet for one card, with a hard 9, 10 or 11 (BJ11)")


def _doubles(options: BlackJackOptions) -> Text:
    if options.double_soft:
        return Text(
            "On your turn you hit, stand, or double on the first two cards: with 9, 10 or 11, and with an ace and an 8 "
            "or 9; one card only, after a split too (BJ11)."
        )
    return Text(
        "On your turn you hit, stand, or double on the first two cards with a hard 9, 10 or 11; one card only, after a "
        "split too (BJ11)."
    )


def _dealer(options: BlackJackOptions) -> Text:
    if options.hits_soft_17:
        return Text("The dealer draws to 16 and to a soft 17, and stands on any other 17 (BJ14).")
    return Text("The dealer draws to 16 and stands on all 17s, soft ones included (BJ14).")


def _dealers_black_jack(options: BlackJackOptions) -> Text:
    if options.dealer_blackjack_takes == "original":
        return Text("The dealer's Black Jack wins only your first bet; doubled and split amounts are returned (BJ14).")
    return Text("The dealer's Black Jack wins all bets except against a Black Jack, doubled and split bets too (BJ14).")


ORIGINALS = {
    "BJ3": Text(
        "In the rulebook, the higher bet gets a free box, and of equal bets the one nearer the shoe. In a chat "
        "the earlier bet wins (BJ3)."
    ),
    "BJ4": Text(
        "As in the rulebook, the box of an absent holder is open to others and lost after three hands. You "
        "cannot keep a box for other people's money (BJ4)."
    ),
    "BJ5": Text(
        "The rulebook forbids advice from players who bet behind. A chat cannot hear what people say "
        "elsewhere; an inspector can stop a player from holding boxes (BJ5)."
    ),
    "BJ7": Text(
        "The rulebook forbids counting cards. A chat cannot see it, so with penetration 0 every hand has a new "
        "shoe; with a deeper shoe, counting can pay (BJ7)."
    ),
    "BJ14": Text(
        "In the rulebook, the dealer always draws to the end, as here. It does not say what the dealer's Black "
        "Jack wins, so an option decides (BJ14)."
    ),
}

BETS = {
    "main": Text("The bet on a box, played perfectly"),
    "admiral": Text("Admiral Jack"),
    "insurance": Text("Insurance"),
}


def paytable(options: BlackJackOptions) -> tuple[Text, ...]:
    """Return the pay table for these options (BJ10, BJ15 to BJ17)."""
    pays, to = options.odds
    return (
        Text("A win pays 1 to 1, Black Jack {pays} to {to} (BJ15).", pays=pays, to=to),
        Text("Insurance pays 2 to 1 (BJ10), Admiral Jack 19 to 1 (BJ17)."),
        Text("Three sevens pay the first bet once more (BJ16)."),
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


OPTIONS = {
    **LIMITS,
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

TEXTS = GameTexts(
    title="Black Jack",
    channel="black-jack",
    summary=Text("Get closer to 21 than the dealer without going over."),
    rules=rules,
    originals=ORIGINALS,
    paytable=paytable,
    bets=BETS,
    odds=(),
    options=OPTIONS,
    warnings=warnings,
    kept_by_casino=(),
    settings=SETTINGS,
    words={STATE: ("drew", "stands", "doubled", "has split", "insured", "declined", "stays")},
    labels={},
    catalogues=NO_CATALOGUES,
)
