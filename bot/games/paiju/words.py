"""What Paiju says of itself."""

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
            "Paiju: 32 cards, two to each of four positions. East is the bank; South, West and North play against it, "
            "and anybody bets on any of them (PJ1, PJ2)."
        ),
        Text(
            "You bet on a position, or across two of them (south-west, north-west, north-south) without any other bet "
            "(PJ3). Two dice tell who gets the first card, then the cards go round anticlockwise (PJ5)."
        ),
        Text(
            "A bet on an area is {least} to {most}, in steps of {step} (PJ3, G5).",
            least=Amount(options.minimum),
            most=Amount(options.maximum),
            step=Amount(options.step),
        ),
        Text(
            "Two cards of the table of pairs score what it says, from 20 (joker and 3♦) to 13; a queen with a nine is "
            "12, with an eight 11, an eight with a two 10, whatever the suits (PJ7)."
        ),
        Text(
            "Any other hand scores the sum of its cards without the tens: ten 0, jack 1, queen 2, joker 6, the rest "
            "their number (PJ8)."
        ),
        Text(
            "The higher score wins. Equal sums other than 0 compare the best single card of each hand, worth what its "
            "pair scores; the joker is worth only 6 then and the 3♦ only 3 (PJ9). The bank wins ties (PJ10)."
        ),
        Text(
            "A bet on a position that beats the bank pays 1 to 1. A bet across two pays 1 to 1 when both beat the bank "
            "and comes back when exactly one does (PJ11)."
        ),
        _turning(options),
        Text(
            "Cards that were seen before the bets are closed are used up in a coup without bets: every bet that lies "
            "there comes back (PJ13)."
        ),
    )


def _turning(options: PaijuOptions) -> Text:
    if not options.squeeze:
        return Text("The dealer turns all the cards here (PJ12).")
    return Text(
        "Who has the highest bet on a position may ask to turn its cards himself; it never changes the result (PJ12)."
    )


ORIGINALS = {
    "PJ8": Text(
        "The rulebook takes ten off a sum “above 10”. Its own example, a six with a four, counts 0: ten is taken off "
        "a sum of 10 too (PJ8)."
    ),
    "PJ12": Text(
        "The rulebook gives the cards into a player's hands. Here he alone sees them first and turns them with a "
        "button within a short time, or the dealer does; a table may go without it (PJ12)."
    ),
    "PJ13": Text(
        "The rulebook plays a coup without bets when cards have been shown. Here an inspector calls it with /noncoup, "
        "before the bets are closed, and the next deck is new (PJ13)."
    ),
}

BETS = {"area": Text("A bet on one position"), "cavallo": Text("A bet across two positions")}


def paytable(options: PaijuOptions) -> tuple[Text, ...]:
    """What an area pays, and the table of pairs (PJ7, PJ11)."""
    return (
        Text("A position that beats the bank pays 1 to 1; across two, 1 to 1 when both do (PJ11)."),
        Text("The table of pairs (PJ7):"),
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
        Flag(), Text("Whether the highest bet on a position may turn its cards (PJ12)."), Text("Players turn cards")
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
