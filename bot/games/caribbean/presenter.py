"""Caribbean Stud on its screens: five cards each, the dealer's last one face up (CS3), the meter (CS17)."""

from collections.abc import Mapping
from dataclasses import replace

from bot.core.commands.hand_descriptions import of_poker
from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.state.table import Table
from bot.games.caribbean.kept import prizes_of
from bot.texts import Text
from bot.view import Pile
from bot.view.parts import bank_pile, describe_poker, nothing, plain_presenter, seat_pile
from bot.view.pictures.felt import Arc, Felt, in_the_middle
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Bets, Meter, SideBet
from bot.view.render_context import RenderContext
from bot.view.words import Words
from engine.events import Exchanged, Moved, Paid, Won
from engine.felt import Amount, Word
from engine.games.caribbean import CaribbeanOptions
from storage import ledger

FELT = Felt(
    layout=Arc(
        title=("CARIBBEAN", "STUD POKER"),
        seats=7,
        bank=(in_the_middle("Dealer", 5),),
        card=(48, 66),
        spots=(("bet", "ante"),),
        round_spots=frozenset(),
        small_spots=(),
        light="jackpot",
        boxes=False,
        top=226,
        bend=40,
        spots_at=74,
        plate_at=160,
    ),
    theme=Theme(felt=(10, 96, 88), line=(108, 178, 166)),
)


def _are_exchanged(table: Table) -> bool:
    return table.round.hand is not None and any(isinstance(event, Exchanged) for event in table.round.hand.events)


def _stage(table: Table) -> Stage:
    return Stage("1" if _are_exchanged(table) else "0", for_all=True)


def _to_come(table: Table) -> int:
    if table.round.hand is None:
        return 3
    return 1 if _are_exchanged(table) else 2


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=1,
    moves=Places(("fold exchange raise raise",)),
    others=BETS,
    aside=beside_bets(),
    spots=("ante", "bet", "jackpot"),
)


WORDS = Words(
    opening="Fate il vostro gioco",
    calls={},
    labels={"exchange": Text("Exchange card {argument}")},
    states={"exchange": "exchanged"},
    reasons={
        "fee": Text("{spot} fee"),
        "exchanged": Text("{spot} given up by the exchange"),
        "no prize": Text("no {spot} prize"),
    },
    shares={},
)


def bank(view: PlayerView) -> tuple[Pile, ...]:
    """The dealer's cards; their rank when all of them are open."""
    return bank_pile(view, "dealer", Text("Dealer"), describe_poker)


def piles(view: PlayerView, key: str) -> tuple[Pile, ...]:
    """A seat's cards with their rank; one that was given away is marked until the new one comes."""
    return seat_pile(view, key, describe_poker, leaving_card(view, key))


def leaving_card(view: PlayerView, key: str) -> int:
    """The position of the card that was given away and not replaced yet (CS5); 0 for none."""
    came = any(isinstance(event, Exchanged) and event.seat == key for event in view.events)
    moves = (event for event in view.events if isinstance(event, Moved) and event.seat == key)
    return 0 if came else next((int(move.public or 0) for move in moves if move.word == "exchange"), 0)


def result(view: PlayerView) -> Text:
    """Describe the dealer's hand, or that the dealer does not qualify (CS12)."""
    if any(isinstance(event, Paid) and event.why == "unqualified" for event in view.events):
        return Text("The dealer does not qualify: antes are paid.")
    return Text("Dealer: {worth}.", worth=of_poker(view.cards["dealer"]) or "")


def holds(view: PlayerView, key: str) -> tuple[Text, ...]:
    """Say that a new card is to come; and a coin rides on the first five cards, an exchange gives it up (CS7)."""
    lying = view.wagered.get(key, {})
    if leaves := leaving_card(view, key):
        # The answer to the exchange has named its price and the jackpot that it gives up.
        return (Text("Your new card {card} comes when everyone has chosen.", card=leaves),)
    if "jackpot" not in lying:
        return ()
    won = next((event.prize for event in view.events if isinstance(event, Won) and event.seat == key), None)
    if won:
        return (Text("Jackpot: your {rank} pays (CS19).", rank=Word(won)),)
    if any(offer.word == "exchange" for offer in view.hand.asks.get(key, ())):
        return (Text("If you exchange, you lose your jackpot chance in this hand (CS7)."),)
    return ()


def coin(options: CaribbeanOptions, lying: Mapping[str, int]) -> tuple[SideBet, ...]:
    """One coin (CS2)."""
    return () if "jackpot" in lying else (SideBet("jackpot", options.coin, is_fixed=True),)


def meter(context: RenderContext) -> Amount:
    """Return the jackpot meter in minor units."""
    return Amount(context.balance(ledger.jackpot(context.table.casino)))


def waits(context: RenderContext) -> Text | None:
    """CS22: a royal or straight flush stops the tables of the meter."""
    waiting = prizes_of(context.state.casinos[context.table.casino])
    if not any(prize.suspends for prize in waiting):
        return None
    return Text("The table is paused while a royal or straight flush is confirmed (CS22).")


def prints(options: CaribbeanOptions) -> tuple[Text, ...]:
    """Line printed on the felt: the hand with which the dealer qualifies (CS12)."""
    return (Text("The dealer plays with ace and king, or better"),)


PRESENTER = replace(
    plain_presenter(
        bank=bank,
        piles=piles,
        describe_hand=describe_poker,
        result=result,
        words=WORDS,
        bets=Bets(
            mains=("ante",),
            sides=coin,
            asks=Text("Ante: {least} to {most} in steps of {step}, for example {such}."),
            beside=nothing,
        ),
    ),
    holds=holds,
    prints=prints,
    meter=Meter(meter, Text("jackpot {amount} for {rank}")),
    waits=waits,
)
