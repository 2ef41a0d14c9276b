"""Paiju: four hands that belong to no one at the table, the bank's among them, and six areas to bet on (PJ2, PJ3)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.command import Answer, Refused
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.stages import Places, Stages, beside_bets
from bot.core.rounds import betting, commitments, opening
from bot.core.state.plays import Play, Reveal, Reveals, Seating
from bot.core.state.table import Table
from bot.games.building import bank_game
from bot.games.paiju.words import FIRST_HAND, TEXTS
from bot.texts import Text
from bot.texts.paragraphs import Page
from bot.view.parts import describe_seen, hands_of
from bot.view.pictures.felt import Compass, FeltDesign
from bot.view.pictures.palette import Theme
from bot.view.presenter import Bets, Presenter
from engine.cards import HIDDEN, Card
from engine.games.paiju import GAME, score
from engine.games.paiju_odds import SIMULATION


@command(
    "noncoup",
    Text("Play a coup without bets and return all bets"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="REASON",
    button=Text("Play a coup without bets"),
)
def non_coup(request: Request) -> Answer:
    """Call a non-betting coup: cards shown before the bets are used up; only before "Nulla va più" (PJ13)."""
    table = betting.taking_bets(request)
    if table.game != GAME.name:
        raise Refused("Only Paiju has a non-betting coup.", "PJ13")
    reason = request.reason(0)
    request.confirm("Use up the cards of hand {hand} and return all bets?", hand=str(table.round.hand_id))
    transaction, hand_id = request.transaction, table.round.hand_id
    table = betting.return_all_bets(transaction, table, request.now, "non-betting coup")
    told = Text("A non-betting coup (PJ13): all bets are returned, and a new deck is committed.")
    table = table.set_notice(told, request.now)
    opening.open_anew(transaction, table, request.now, request.entropy(32), commitments.NON_COUP)
    subject = table.audited("hand", hand_id)
    transaction.audit(request.now, table.casino, request.player.id, "noncoup", subject, reason)
    return answer_with("A non-betting coup: all bets are returned, and a new deck is committed.")


# PJ6: south, west and north are turned, then the bank.
REVEALS = Reveals(
    (
        tuple(Reveal(position, to=position, spot=position) for position in ("south", "west", "north")),
        (Reveal("east", to="east", spot=""),),
    ),
    clause="PJ12",
)


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Describe two cards by the table of pairs (PJ7) or their sum (PJ8); None where one is hidden or missing."""
    if len(cards[to]) != 2 or HIDDEN in cards[to]:
        return None
    points = score(*cards[to])
    return Text("{score}, listed pair", score=points) if points >= 10 else Text("{score}", score=points)


def _to_come(table: Table) -> int:
    return 1 if table.round.hand is not None or not table.wants_to_turn else 2


PLUGIN = bank_game(
    SIMULATION,
    Play(seats=60, seating=Seating.AREAS, private_cards=False, reveals=REVEALS, describe_hand=describe_hand),
    TEXTS,
    FIRST_HAND,
    rank=30,
    presenter=Presenter(
        bank=hands_of("south", "west", "north", "east"),
        result=lambda view: Text("Bank: {worth}.", worth=describe_seen(view, "east") or ""),
        prints=Page("The bank wins ties\n\nAcross two: pays when both win"),
        bets=Bets(Text("Area and amount, {limits}, for example west {such}.")),
    ),
    felt=FeltDesign(Compass("PAIJU", "east"), Theme(felt=(122, 28, 44), line=(214, 134, 130))),
    stages=Stages(
        to_come=_to_come,
        moves=Places(("squeeze-south squeeze-west squeeze-north squeeze-east",)),
        aside=beside_bets("squeeze"),
    ),
    commands=(non_coup,),
)
