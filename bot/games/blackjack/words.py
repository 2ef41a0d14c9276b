"""What Black Jack says of itself."""

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
            "Black Jack: come closer to 21 than the dealer without going over. Seven boxes, or as many as the table "
            "has set; who holds a box decides, others may bet behind him and neither decide nor advise (BJ1, BJ5). A "
            "free box is held by the higher bet on it (BJ3)."
        ),
        Text(
            "A bet is {least} at least, in steps of {step}; a box takes {most}, all bets on it together, and what is "
            "more is cut from the last who bets behind. Doubles and splits may exceed it (BJ2, G5).",
            least=least,
            most=most,
            step=step,
        ),
        Text(
            "A holder may sit out and keep his box; others may play it meanwhile, and the highest bet on it decides. "
            "After three hands in a row without him he loses it (BJ4)."
        ),
        _shoe(options),
        Text(
            "Cards count their number, pictures 10, an ace 1 or 11. Ace and a ten-value card as the first two are "
            "Black Jack and beat any other 21 (BJ9). The dealer has one open card and draws after the players (BJ8)."
        ),
        Text(
            "When the dealer shows an ace you may insure your bet against his Black Jack: 2 to 1, from the table "
            "minimum to half the bet; for a bet of the minimum, half of it (BJ10)."
        ),
        _doubles(options),
        Text(
            "You split two cards of equal value, as often as they come, each hand with a bet equal to the first. Split "
            "aces get one card each, and an ace that comes may be split again; 21 after a split is not Black Jack "
            "(BJ11)."
        ),
        Text(
            "Co-players follow a double or a split with their own money, or stay (BJ13): `/follow on` says it before "
            "the deal."
        ),
        _dealer(options),
        Text(
            "A win pays 1 to 1, Black Jack {pays} to {to}, equal totals come back (BJ15).",
            pays=options.odds[0],
            to=options.odds[1],
        ),
        _dealers_black_jack(options),
        Text("Three sevens on a box that was not split pay everybody on it his first bet once more (BJ16)."),
        Text(
            "Admiral Jack is a side bet that your box's first two cards are Black Jack: 19 to 1. It takes {least} or "
            "{most}, beside a bet of your own on that box (BJ17).",
            least=least,
            most=Amount(2 * options.minimum),
        ),
        Text(
            "When the holder's time runs out, the co-player with the highest bet decides, then the dealer's rule: draw "
            "to 11, stand from 12; nothing is doubled or split then (BJ6)."
        ),
    )


def _shoe(options: BlackJackOptions) -> Text:
    if not options.penetration:
        return Text(
            "The shoe holds {decks} decks, and every hand has a new one: there is nothing to note or count (BJ7).",
            decks=options.decks,
        )
    return Text(
        "The shoe holds {decks} decks and serves until {percent} % of it are out (BJ7).",
        decks=options.decks,
        percent=Amount(options.penetration),
    )


def double_here(options: BlackJackOptions) -> Text:
    """What may be doubled at a table with these options."""
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
    return Text("The dealer draws to 16 and stands on every 17, a soft one too (BJ14).")


def _dealers_black_jack(options: BlackJackOptions) -> Text:
    if options.dealer_blackjack_takes == "original":
        return Text(
            "The dealer's Black Jack takes the first bet alone where you have none; what was doubled or split comes "
            "back (BJ14)."
        )
    return Text("The dealer's Black Jack takes everything but a Black Jack, doubled and split bets too (BJ14).")


ORIGINALS = {
    "BJ3": Text(
        "The rulebook gives a free box to the higher bet, and of equal ones to who is nearer the shoe. In a chat "
        "nobody is: who bet first is (BJ3)."
    ),
    "BJ4": Text(
        "The rulebook opens a box whose holder sits out, and takes it from him after three hands; so it is here. "
        "Nobody keeps a box for others' money (BJ4)."
    ),
    "BJ5": Text(
        "The rulebook forbids advice from who bets behind. A chat cannot hear what people tell each other elsewhere; "
        "an inspector may refuse somebody as a box holder who spoils the game (BJ5)."
    ),
    "BJ7": Text(
        "The rulebook forbids notes of the drawn cards. A chat cannot see them; so every hand has a new shoe where the "
        "option penetration is 0, and a table that deals deeper pays who counts (BJ7)."
    ),
    "BJ14": Text(
        "The rulebook has the dealer draw to his end whatever the boxes hold, and so he does. What his Black Jack "
        "takes it leaves open: an option says it (BJ14)."
    ),
}

BETS = {
    "main": Text("The bet on a box, played at its best"),
    "admiral": Text("Admiral Jack"),
    "insurance": Text("Insurance"),
}


def paytable(options: BlackJackOptions) -> tuple[Text, ...]:
    """What a win pays at a table with these options (BJ10, BJ15 to BJ17)."""
    pays, to = options.odds
    return (
        Text("A win pays 1 to 1, Black Jack {pays} to {to} (BJ15).", pays=pays, to=to),
        Text("Insurance pays 2 to 1 (BJ10), Admiral Jack 19 to 1 (BJ17)."),
        Text("Three sevens pay the first bet once more (BJ16)."),
    )


def warnings(options: BlackJackOptions) -> tuple[Text, ...]:
    """What a shoe that goes on is worth to who counts, by a figure for six decks and the usual options (BJ7)."""
    gain = gain_of(options.penetration)
    if gain is None:
        return ()
    wins = round(100 * (options.maximum * gain.good + options.minimum * gain.bad))
    told: dict[str, object] = {"percent": Amount(options.penetration), "amount": Amount(abs(wins))}
    told |= {"least": Amount(options.minimum), "most": Amount(options.maximum)}
    if wins > 0:
        return (
            Text(
                "A shoe of which {percent} % come out pays who counts its cards: with {most} where the count is good "
                "and {least} elsewhere he wins about {amount} in a hundred rounds (BJ7).",
                **told,
            ),
        )
    return (
        Text(
            "Who counts the cards of a shoe of which {percent} % come out, and bets {most} where the count is good and "
            "{least} elsewhere, still loses about {amount} in a hundred rounds (BJ7).",
            **told,
        ),
    )


OPTIONS = {
    **LIMITS,
    "decks": Option(Count(1, 8), Text("How many decks the shoe holds (BJ7)."), Text("Decks")),
    "penetration": Option(
        BasisPoints(0, 7500),
        Text("How much of a shoe comes out before the next one; with 0 % every hand has its own (BJ7)."),
        Text("Penetration"),
    ),
    "blackjack_pays": Option(Pays(), Text("What Black Jack pays (BJ15)."), Text("Black Jack pays")),
    "hits_soft_17": Option(Flag(), Text("Whether the dealer draws to a soft 17 (BJ14)."), Text("Dealer hits soft 17")),
    "dealer_blackjack_takes": Option(
        OneOf(("all", "original"), (Text("all bets"), Text("first bet only"))),
        Text("What the dealer's Black Jack takes: all bets, or the first bet alone (BJ14)."),
        Text("Dealer's Black Jack takes"),
    ),
    "double_soft": Option(Flag(), Text("Whether soft totals may be doubled (BJ11)."), Text("Double on soft totals")),
}
SETTINGS = {
    "boxes_per_player": Option(
        Count(1, BOXES), Text("How many boxes one player may hold (BJ3)."), Text("Boxes per player")
    ),
}

TEXTS = GameTexts(
    title="Black Jack",
    channel="black-jack",
    summary=Text("Come closer to 21 than the dealer without going over."),
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
