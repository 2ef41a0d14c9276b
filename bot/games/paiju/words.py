"""Texts of Paiju."""

from bot.texts import Card, Text
from bot.texts.catalogues import SPOT
from bot.texts.games import plain_texts
from bot.texts.options import LIMITS, Flag, Option
from engine.cards import PAIJU
from engine.felt import Amount
from engine.games.paiju import POSITIONS, PaijuOptions, score


def rules(options: PaijuOptions) -> tuple[Text, ...]:
    """The page of the rules at a table with these options, clause by clause."""
    return (
        Text(
            "Paiju: 32 cards, two for each of four positions. East is the bank; South, West and North play "
            "against it, and everyone can bet on any of them (PJ1, PJ2)."
        ),
        Text(
            "You can bet on one position, or across two (south-west, north-west, north-south), with no other "
            "bet needed (PJ3). Two dice decide who gets the first card, then cards are dealt anticlockwise "
            "(PJ5)."
        ),
        Text(
            "Bets are {least} to {most} per area, in steps of {step} (PJ3, G5).",
            least=Amount(options.minimum),
            most=Amount(options.maximum),
            step=Amount(options.step),
        ),
        Text(
            "Listed pairs score 20 (joker and 3♦) down to 13; a queen with a nine scores 12, with an eight 11, "
            "an eight with a two 10, whatever the suits (PJ7)."
        ),
        Text(
            "Any other hand scores the last digit of its sum: ten 0, jack 1, queen 2, joker 6, other cards "
            "their number (PJ8)."
        ),
        Text(
            "The higher score wins. If both sums are equal and not 0, the best single card decides, worth what "
            "its pair scores; the joker then counts only 6 and the 3♦ only 3 (PJ9). The bank wins ties (PJ10)."
        ),
        Text(
            "A bet on a position that beats the bank pays 1 to 1. A bet across two positions pays 1 to 1 when "
            "both beat the bank and is a push when exactly one does (PJ11)."
        ),
        _turning(options),
        Text("Cards seen before bets are closed are used up in a non-betting coup: all bets are returned (PJ13)."),
    )


def _turning(options: PaijuOptions) -> Text:
    if not options.squeeze:
        return Text("The dealer reveals all cards here (PJ12).")
    return Text("The highest bettor on a position may ask to reveal its cards; that never changes the result (PJ12).")


ORIGINALS = {
    "PJ8": Text(
        "The rulebook subtracts ten from a sum “above 10”, but in its own example a six and a four count 0: "
        "ten is subtracted from 10 as well (PJ8)."
    ),
    "PJ12": Text(
        "In the rulebook, a player holds the cards. Here that player sees them first and reveals them with a "
        "button within a short time, or the dealer does; a table can turn this off (PJ12)."
    ),
    "PJ13": Text(
        "In the rulebook, seen cards lead to a coup without bets. Here an inspector calls it with /noncoup "
        "before bets are closed, and the next deck is new (PJ13)."
    ),
}

BETS = {"area": Text("A bet on one position"), "cavallo": Text("A bet across two positions")}


def paytable(options: PaijuOptions) -> tuple[Text, ...]:
    """Return the payouts of areas and the table of pairs (PJ7, PJ11)."""
    return (
        Text("A position that beats the bank pays 1 to 1; across two, 1 to 1 when both do (PJ11)."),
        Text("Listed pairs (PJ7):"),
        *(Text("{score}: {pairs}", score=wanted, pairs=_pairs(wanted)) for wanted in range(20, 12, -1)),
        Text("12: queen and nine; 11: queen and eight; 10: eight and two."),
    )


def _pairs(wanted: int) -> list[Card]:
    """The cards that make pairs of this score, each pair's two beside each other (PJ1 names them so)."""
    found = [pair for pair in zip(PAIJU[::2], PAIJU[1::2], strict=True) if score(*pair) == wanted]
    return [Card(card) for pair in found for card in pair]


OPTIONS = {
    **LIMITS,
    "squeeze": Option(
        Flag(), Text("The highest bet on a position may reveal its cards (PJ12)."), Text("Players reveal cards")
    ),
}

TEXTS = plain_texts(
    title="Paiju",
    summary=Text("Two cards on each of four positions: bet on those that beat the bank."),
    rules=rules,
    originals=ORIGINALS,
    paytable=paytable,
    bets=BETS,
    odds=(),
    options=OPTIONS,
    words={SPOT: POSITIONS},
)
