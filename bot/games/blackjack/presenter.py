"""Black Jack on its screens: boxes with one hand or, after splits, several; the dealer has no hole card (BJ8)."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from bot.core.commands.preconditions import for_bet
from bot.core.commands.stages import Places, Stage, Stages, beside_bets
from bot.core.state.table import Table
from bot.games.blackjack import boxes
from bot.games.blackjack.words import PRINTS
from bot.texts import Text
from bot.view import Button, Pile
from bot.view.parts import in_row
from bot.view.pictures.felt import Arc, FeltDesign, in_the_middle
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Ahead, Bets, Presenter, SideBet
from bot.view.render_context import RenderContext
from bot.view.words import Call, Words
from engine.cards import Card
from engine.events import Split
from engine.games.blackjack import BLACK_JACK, BlackJackOptions, count, is_black_jack

FELT = FeltDesign(
    layout=Arc(
        title=("BLACK", "JACK"),
        seats=7,
        bank=(in_the_middle("Dealer", 2),),
        spots=(("main", ""),),
        round_spots=frozenset({"main"}),
        small_spots=("admiral", "insurance"),
        boxes=True,
        top=208,
        bend=12,
        spots_at=128,
        plate_at=236,
    ),
    theme=Theme(felt=(22, 102, 48), line=(118, 184, 128)),
)


_INSURANCE = Stage("insurance", for_all=True)


def _stage(table: Table) -> Stage:
    """Return the stage: insurance, which everybody decides at once (BJ10), or the player who draws."""
    assert table.round.hand is not None
    asks = table.round.hand.asks
    if any(offer.word == "decline" for offers in asks.values() for offer in offers):
        return _INSURANCE
    return Stage(" ".join(str(table.owners()[key]) for key in asks), for_all=False)


def _to_come(table: Table) -> int:
    return _turns_to_come(table) + (1 if table.round.hand is not None else 2)


def _turns_to_come(table: Table) -> int:
    """Return how often the turn will pass to another player, from box to box (BJ10)."""
    if table.round.hand is None:
        return max(0, len({bet.seat for bet in table.round.bets}) - 1)
    owners = {key: owner for key, owner in table.owners().items() if "/" not in key}
    is_insurance = _stage(table) == _INSURANCE
    now = "" if is_insurance else next((key.partition("/")[0] for key in table.round.hand.asks), "")
    order = list(owners.values())[list(owners).index(now) if now in owners else 0 :]
    return sum(one != other for one, other in pairwise(order)) + is_insurance


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    moves=Places(("stand hit double split stay",)),
    aside=beside_bets("follow"),
    on_felt=Places(("decline insure insure-most insure-ask",)),
)


def of_black_jack(cards: Sequence[Card], *, is_split: bool = False) -> Text | None:
    """Describe a total (BJ9): soft 17, Black Jack, 23 and over."""
    if not cards:
        return None
    total, is_soft = count(cards)
    if is_black_jack(cards) and not is_split:
        return Text("Black Jack")
    if total > 21:
        return Text("{total}, bust", total=total)
    return Text("soft {total}", total=total) if is_soft and total < 21 else Text("{total}", total=total)


def piles(view: PlayerView, key: str) -> tuple[Pile, ...]:
    """Return the hands of a box in the order of play; empty for a bet behind."""
    if "/" in key:
        return ()
    hands = hands_of(view, key)
    turn = played_now(view, key)
    return tuple(
        Pile(
            Text("Hand {n}", n=number) if len(hands) > 1 else Text("Cards"),
            tuple(view.cards[hand]),
            of_black_jack(view.cards[hand], is_split=len(hands) > 1),
            hand == turn,
        )
        for number, hand in enumerate(hands, start=1)
        if hand in view.cards
    )


def hands_of(view: PlayerView, key: str) -> list[str]:
    """Return the hands of a box; a split puts its second hand after the one that was split (BJ11)."""
    box = key.partition("/")[0]
    hands = [box]
    for event in view.events:
        if isinstance(event, Split) and event.seat == box:
            hands.insert(hands.index(event.hand) + 1, event.into)
    return hands


def played_now(view: PlayerView, key: str) -> str:
    """Return the hand of this box that must be decided now."""
    box = key.partition("/")[0]
    for asked, offers in view.hand.asks.items():
        if asked.partition("/")[0] == box and any(offer.word == "stand" for offer in offers):
            return next(offer.on for offer in offers if offer.word == "stand")
    return ""


def describe_hand(view: PlayerView, key: str) -> Text | None:
    """Describe the totals of all hands of a box."""
    hands = [hand for hand in hands_of(view, key) if hand in view.cards]
    totals = [of_black_jack(view.cards[hand], is_split=len(hands) > 1) for hand in hands]
    if len(totals) > 1:
        return in_row([Text("Hand {n}: {worth}", n=n, worth=total or "") for n, total in enumerate(totals, start=1)])
    return totals[0] if totals else None


def result(view: PlayerView) -> Text:
    """Describe the dealer's hand."""
    dealer = view.cards["dealer"]
    total, _soft = count(dealer)
    if is_black_jack(dealer):
        return Text("Dealer: {worth}.", worth=Text(BLACK_JACK))
    if total > 21:
        return Text("Dealer: {total}, bust.", total=total)
    return Text("Dealer: {worth}.", worth=Text("{total}", total=total))


def holds(view: PlayerView, key: str) -> tuple[Text, ...]:
    """Describe a box to its bettors; players who bet behind do not decide (BJ5)."""
    if "/" in key:
        return (Text("You bet behind box {box}. Its holder decides (BJ5).", box=key.partition("/")[0]),)
    return ()


def ahead(view: PlayerView, key: str) -> tuple[Ahead, ...]:
    """Return the choices of a box holder before their turn, about the box's two cards (BJ10)."""
    if "/" in key or key in view.hand.asks or is_black_jack(view.cards.get(key, ())):
        return ()
    order = [box for box in view.owners if "/" not in box]
    drawing = next((asked.partition("/")[0] for asked in view.hand.asks if _draws(view, asked)), order[0])
    if order.index(key) < order.index(drawing):
        return ()
    total = count(view.cards[key])[0]
    return (
        Ahead(Text("Stand on {total}", total=total), ("stand",)),
        Ahead(Text("Hit on {total}", total=total), ("hit",)),
    )


def _draws(view: PlayerView, key: str) -> bool:
    return any(offer.word == "stand" for offer in view.hand.asks[key])


def admiral(options: BlackJackOptions, lying: Mapping[str, int]) -> tuple[SideBet, ...]:
    """Return Admiral Jack bets of one or two minimums (BJ17)."""
    room = 2 * options.minimum - lying.get("admiral", 0)
    return tuple(SideBet("admiral", amount) for amount in (options.minimum, 2 * options.minimum) if amount <= room)


def follow(context: RenderContext) -> tuple[Button, ...]:
    """Return the button to follow, which is fixed when bets close, for every box with a bet behind (BJ13)."""
    if not context.has_bet:
        return ()
    follows = context.viewer in boxes.memory_of(context.table).follow
    label = Text("Follow no doubles and splits") if follows else Text("Follow doubles and splits")
    return (Button(label, "follow", ("off" if follows else "on",), "quiet", for_bet(context.table.round.hand_id)),)


PRESENTER = Presenter(
    piles=piles,
    describe_hand=describe_hand,
    result=result,
    holds=holds,
    ahead=ahead,
    prints=PRINTS,
    bets=Bets(
        Text("Box and amount, {limits}, for example 3 {such} for box 3."),
        sides=admiral,
        beside=follow,
    ),
    words=Words(
        calls={"insurance": Call(Text("Insurance"), "Assicurazione")},
        shares={
            "main win": Text("{rank}, wins {net}"),
            "main lose": Text("{rank}, loses {net}"),
            "main push": Text("{rank}, push: {amount} returned"),
            "main bust": Text("{rank}, bust {net}"),
            "main blackjack": Text("{rank}, pays {pays} to {to} {net}"),
            "main dealer blackjack": Text("{rank}, loses to Black Jack {net}"),
            "main original bet": Text("{rank}: {amount} returned, only the first bet is lost {net}"),
            "three sevens": Text("three sevens {net}"),
        },
    ),
)
