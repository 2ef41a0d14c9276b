"""Ultimate Texas Hold'em on its screens: two cards of one's own and the board (UT3)."""

from collections.abc import Mapping
from dataclasses import replace

from bot.core.commands.worth import of_poker, with_board
from bot.texts import Text
from bot.view import Pile
from bot.view.look import Bets, SideBet
from bot.view.parts import bank_pile, chip_amounts, nothing, one_hand, plain_look, poker_worth
from bot.view.sight import Sight
from bot.view.words import Words
from engine import poker
from engine.games.uth import UltimateOptions

WORDS = Words(
    opening="Messieurs faites vos jeux",
    calls={},
    labels={"play": Text("Play {argument}×")},
    states={"play": "played"},
    reasons={},
    shares={},
)


def house(sight: Sight) -> tuple[Pile, ...]:
    """The board, of which each seat's worth speaks already, and the dealer."""
    board = tuple(sight.cards.get("board", ()))
    piles = (Pile(Text("Board"), board),) if board else ()
    return piles + bank_pile(sight, "dealer", Text("Dealer"), poker_worth)


def result(sight: Sight) -> Text:
    """What the bank has with the board, or that it does not qualify (UT8)."""
    dealer = with_board(sight.cards, "dealer")
    if poker.category(poker.rank(dealer)) < poker.PAIR:
        return Text("The bank does not qualify (UT8): {worth}.", worth=of_poker(dealer) or "")
    return Text("Bank: {worth}.", worth=of_poker(dealer) or "")


def trips(options: UltimateOptions, lying: Mapping[str, int]) -> tuple[SideBet, ...]:
    """Within the limits of the ante (UT2)."""
    amounts = chip_amounts(options.minimum, options.maximum, lying.get("trips", 0))
    return tuple(SideBet("trips", amount) for amount in amounts[:2])


def prints(options: UltimateOptions) -> tuple[Text, ...]:
    """What the bank plays with (UT8)."""
    return (Text("The bank plays with a pair or better"),)


LOOK = replace(
    plain_look(
        house=house,
        piles=one_hand(poker_worth),
        worth=poker_worth,
        result=result,
        words=WORDS,
        bets=Bets(
            mains=("ante",),
            sides=trips,
            asks=Text("How much on ante and blind each: {least} to {most} in steps of {step}, such as {such}."),
            beside=nothing,
        ),
    ),
    prints=prints,
)
