"""Caribbean Stud with card exchange and the linked progressive: the dealer's last card is face up (CS3, CS17)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.commands.hand_descriptions import of_poker_seat
from bot.core.commands.hooks import CasinoHooks
from bot.core.commands.stages import Places, stages_of_rounds
from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import FollowUp, MoveHelp, Play
from bot.games.building import bank_game
from bot.games.caribbean import meter, prize_keys
from bot.games.caribbean.kept import prizes_of
from bot.games.caribbean.words import FIRST_HAND, TEXTS, give_up_jackpot, raise_here
from bot.texts import Text
from bot.texts.paragraphs import Page
from bot.view import Pile
from bot.view.parts import describe_seen, seat_pile
from bot.view.pictures.felt import Arc, FeltDesign, in_the_middle
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Bets, MeterDisplay, Presenter
from bot.view.render_context import RenderContext
from bot.view.words import Words
from engine import poker
from engine.cards import Card
from engine.events import Exchanged, Moved, Paid, Won
from engine.felt import Amount, Offers, Word
from engine.games.caribbean_strategies import SIMULATION
from engine.hand import Hand
from storage import ledger


def raise_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
    """Return the move by the order "raise with a pair or better, else fold" (CS10)."""
    return "raise" if poker.category(poker.rank(cards[seat])) >= poker.PAIR else "fold"


def _find_round(hand: Hand) -> int:
    """Return 1 once cards are exchanged."""
    return int(any(isinstance(event, Exchanged) for event in hand.events))


def piles(view: PlayerView, key: str) -> tuple[Pile, ...]:
    """Return a seat's cards with their rank; an exchanged one is marked until the new one comes."""
    return seat_pile(view, key, leaves=leaving_card(view, key))


def leaving_card(view: PlayerView, key: str) -> int:
    """Return the position of the card that was given away and not replaced yet (CS5); 0 for none."""
    came = any(isinstance(event, Exchanged) and event.seat == key for event in view.events)
    moves = (event for event in view.events if isinstance(event, Moved) and event.seat == key)
    return 0 if came else next((int(move.public or 0) for move in moves if move.word == "exchange"), 0)


def result(view: PlayerView) -> Text:
    """Describe the dealer's hand, or that the dealer does not qualify (CS12)."""
    if any(isinstance(event, Paid) and event.why == "unqualified" for event in view.events):
        return Text("The dealer does not qualify: antes are paid.")
    return Text("Dealer: {worth}.", worth=describe_seen(view, "dealer") or "")


def holds(view: PlayerView, key: str) -> tuple[Text, ...]:
    """Say that a new card is to come, that the jackpot pays, or that an exchange gives it up (CS7)."""
    lying = view.wagered.get(key, {})
    if leaves := leaving_card(view, key):
        # The answer to the exchange has named its price and the lost jackpot.
        return (Text("Your new card {card} comes when everyone has chosen.", card=leaves),)
    if "jackpot" not in lying:
        return ()
    won = next((event.prize for event in view.events if isinstance(event, Won) and event.seat == key), None)
    if won:
        return (Text("Jackpot: your {rank} pays (CS19).", rank=Word(won)),)
    if any(offer.word == "exchange" for offer in view.hand.asks.get(key, ())):
        return (Text("An exchange costs you the jackpot chance (CS7)."),)
    return ()


def show_meter(context: RenderContext) -> Amount:
    """Return the jackpot meter in minor units."""
    return Amount(context.balance(ledger.jackpot(context.table.casino)))


def waits(context: RenderContext) -> Text | None:
    """Return why the table waits: a royal or straight flush stops the tables of the meter (CS22). Else None."""
    waiting = prizes_of(context.state.casinos[context.table.casino])
    if not any(prize.suspends for prize in waiting):
        return None
    return Text("The table is paused while a royal or straight flush is confirmed (CS22).")


PLUGIN = bank_game(
    SIMULATION,
    Play(
        seats=7,
        follow_up=FollowUp("bet", 2, "ante"),
        orders={"raise-pairs": raise_pairs},
        linked_meter=True,
        lounge_tables=2,
        moves={
            "raise": MoveHelp(Text("Bet twice the ante, or raise"), "[AMOUNT]", here=raise_here),
            "fold": MoveHelp(Text("Give up the hand")),
            "exchange": MoveHelp(
                Text("Buy one new card for the price of the ante"),
                "POSITION",
                "CS6",
                done=Text("Card {argument} swapped for {cost}."),
                gives_up=give_up_jackpot,
                label=Text("Exchange card {argument}"),
                did="exchanged",
            ),
        },
        describe_hand=of_poker_seat,
    ),
    TEXTS,
    FIRST_HAND,
    rank=10,
    presenter=Presenter(
        piles=piles,
        result=result,
        holds=holds,
        prints=Page("The dealer plays with ace and king, or better"),
        meter=MeterDisplay(show_meter, Text("jackpot {amount} for {rank}")),
        waits=waits,
        words=Words(
            reasons={
                "fee": Text("{spot} fee"),
                "exchanged": Text("{spot} given up by the exchange"),
                "no prize": Text("no {spot} prize"),
            }
        ),
        bets=Bets(Text("Ante: {limits}, for example {such}.")),
    ),
    felt=FeltDesign(
        layout=Arc(
            title=("CARIBBEAN", "STUD POKER"),
            seats=7,
            bank=(in_the_middle("Dealer", 5),),
            card=(48, 66),
            spots=(("bet", "ante"),),
            light="jackpot",
            top=226,
            bend=40,
            spots_at=74,
            plate_at=160,
        ),
        theme=Theme(felt=(10, 96, 88), line=(108, 178, 166)),
    ),
    stages=stages_of_rounds(
        _find_round,
        last=1,
        moves=Places(("fold exchange raise raise",)),
        spots=("ante", "bet", "jackpot"),
    ),
    hooks=replace(
        PLAIN,
        prices=meter.price_of_coin,
        may_deal=meter.may_deal,
        after_deal=meter.drop_coins,
        before_payment=meter.pay_prizes,
        payee=meter.payee,
        take_back=meter.take_back_coins,
        dues=meter.dues,
        casino=CasinoHooks(
            found=meter.found_meter,
            options=meter.with_meter,
            runs_out=prize_keys.next_confirmation,
            tick=prize_keys.confirm_old_prizes,
            shift_clocks=prize_keys.shift_clocks,
            waits=meter.waits,
            meter=ledger.jackpot,
            reading=meter.stood,
        ),
    ),
    commands=(meter.show_jackpot, meter.reset, meter.set_option, meter.history, prize_keys.confirm, prize_keys.reject),
)
