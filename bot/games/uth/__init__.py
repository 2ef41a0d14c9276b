"""Ultimate Texas Hold'em, the variant of Venice: two cards of one's own and the board (UT3)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.hand_descriptions import of_poker, of_poker_seat, with_board
from bot.core.commands.stages import Places, stages_of_rounds
from bot.core.state.plays import FollowUp, MoveHelp, Play
from bot.games.building import bank_game
from bot.games.uth.words import FIRST_HAND, TEXTS, fold_here
from bot.texts import Text
from bot.texts.paragraphs import Page
from bot.view.parts import chip_amounts
from bot.view.pictures.felt import FeltDesign, Slots, arc
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Bets, Presenter, SideBet
from bot.view.words import Words
from engine import poker
from engine.cards import HIDDEN, Card
from engine.felt import Offers
from engine.games.uth import UltimateOptions, has_hidden_pair
from engine.games.uth_strategies import SIMULATION
from engine.hand import Hand

# Open cards of the board in each round of choices.
_ROUNDS = (0, 3, 5)


def play_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
    """Return the move by the order "on the river play 1 with a pair or better that uses a hole card, else fold" (UT17).

    Before the river it is to check.
    """
    if any(offer.word == "check" for offer in offers):
        return "check"
    return "play 1" if has_hidden_pair(list(cards[seat]), list(cards["board"])) else "fold"


def _find_round(hand: Hand) -> int:
    open_cards = sum(card != HIDDEN for card in hand.cards(None).get("board", ()))
    return _ROUNDS.index(open_cards)


def result(view: PlayerView) -> Text:
    """Describe the bank's hand, or that the bank does not qualify (UT8)."""
    dealer = with_board(view.cards, "dealer")
    if poker.category(poker.rank(dealer)) < poker.PAIR:
        return Text("The bank does not qualify (UT8): {worth}.", worth=of_poker(dealer) or "")
    return Text("Dealer: {worth}.", worth=of_poker(dealer) or "")


def trips(options: UltimateOptions, lying: Mapping[str, int]) -> tuple[SideBet, ...]:
    """Return Trips bets within the limits of the ante (UT2)."""
    amounts = chip_amounts(options.minimum, options.maximum, lying.get("trips", 0))
    return tuple(SideBet("trips", amount) for amount in amounts[:2])


PLUGIN = bank_game(
    SIMULATION,
    Play(
        seats=6,
        follow_up=FollowUp("play", 1, "ante"),
        moves={
            "play": MoveHelp(
                Text("Bet 1 to 4 times the ante"),
                "TIMES",
                done=Text("You played {argument}×: {cost}."),
                label=Text("Play {argument}×"),
                did="played",
            ),
            "fold": MoveHelp(Text("Give up the hand"), here=fold_here),
        },
        describe_hand=of_poker_seat,
        orders={"play-pairs": play_pairs},
    ),
    TEXTS,
    FIRST_HAND,
    rank=20,
    presenter=Presenter(
        result=result,
        prints=Page("The bank plays with a pair or better"),
        words=Words("Messieurs faites vos jeux"),
        bets=Bets(Text("Ante and Blind, each {limits}, for example {such}."), sides=trips),
    ),
    felt=FeltDesign(
        layout=arc(
            "ULTIMATE",
            "TEXAS",
            "HOLD'EM",
            seats=6,
            bank=(Slots("Board", 40, 5), Slots("Dealer", 480, 2)),
            spots=(("trips", "play"), ("blind", "ante")),
            round_spots=frozenset({"trips", "play", "blind", "ante"}),
        ),
        theme=Theme(felt=(30, 68, 122), line=(120, 158, 208)),
    ),
    stages=stages_of_rounds(
        _find_round,
        last=2,
        mentions=0,
        moves=Places(("fold check play-3=play-2=play-1 play-4",)),
        spots=("trips", "blind", "ante", "play"),
    ),
)
