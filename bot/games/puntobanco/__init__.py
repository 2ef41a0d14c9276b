"""Punto Banco: two hands of the house and bets on which counts more (PB2), on its screens with the road (PB12)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.core.commands.company import Guest, bet_on
from bot.core.commands.stages import Places, Stage, Stages, beside_bets
from bot.core.rounds.past_results import PastResults
from bot.core.rounds.plain import PLAIN
from bot.core.rounds.reveals import highest_on
from bot.core.state.plays import Play, Reveal, Reveals, Seating
from bot.core.state.table import Table
from bot.games.building import bank_game
from bot.games.puntobanco import road
from bot.games.puntobanco.words import FIRST_HAND, OPTIONS, TEXTS
from bot.texts import Text
from bot.texts.paragraphs import Page
from bot.view.pictures.felt import Areas, FeltDesign
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Bets, Presenter
from engine.cards import HIDDEN, Card
from engine.felt import Word
from engine.games.puntobanco import HANDS, count
from engine.games.puntobanco_odds import SIMULATION

REVEALS = Reveals(
    (
        (Reveal("punto", to="punto", spot="punto", size=2),),
        (Reveal("banco", to="banco", spot="banco", size=2),),
        (Reveal("punto-third", to="punto", spot="punto", first=3),),
        (Reveal("banco-third", to="banco", spot="banco", first=3),),
    ),
    clause="PB10",
)


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Describe a hand by what it counts (PB1); two cards that count 8 or 9 are a natural (PB4)."""
    if not cards[to] or HIDDEN in cards[to]:
        return None
    total = count(cards[to])
    if len(cards[to]) == 2 and total >= 8:
        return Text("natural {total}", total=total)
    return Text("{total}", total=total)


def _stage(table: Table) -> Stage:
    """Return the stage of the hand, named after the cards that are being revealed."""
    return Stage(" ".join(turn.position for turn in table.plays.reveals.due(table.round.turning)), for_all=True)


def _to_come(table: Table) -> int:
    """Return how often the table must still be shown: two reveal steps for each hand that is turned, and the payment.

    The second step is any third card; the first of a deal is shown with it.
    """
    if table.round.hand is not None:
        return max(1, len(table.round.turning))
    return 1 + 2 * sum(_is_turned(table, to) for to in HANDS)


def _is_turned(table: Table, to: str) -> bool:
    """Return whether a player will reveal the hand, by the bets on it."""
    return any(player in table.wants_to_turn for player in highest_on(table.round.bets, to))


def result(view: PlayerView) -> Text:
    """Return the counts and the winning area."""
    counts = {to: count(view.cards[to]) for to in HANDS}
    if counts["punto"] == counts["banco"]:
        return Text("Punto {punto}, banco {banco}: égalité.", **counts)
    winner = Word(max(counts, key=lambda to: counts[to]))
    return Text("Punto {punto}, banco {banco}: {area} wins.", **counts, area=winner)


PRINTS = Page(
    """
Égalité pays {egalite_pays} to 1

A pair pays {pays} to 1

[commission] Banco less {commission}
""",
    OPTIONS,
    pays=lambda options: 11,
)

PLUGIN = bank_game(
    SIMULATION,
    Play(
        seats=60,
        seating=Seating.AREAS,
        private_cards=False,
        reveals=REVEALS,
        memory=PastResults,
        describe_hand=describe_hand,
    ),
    TEXTS,
    FIRST_HAND,
    rank=60,
    presenter=Presenter(
        result=result,
        road=road.road,
        prints=PRINTS,
        bets=Bets(Text("Area and amount, {limits}, for example banco {such}.")),
    ),
    felt=FeltDesign(
        layout=Areas(
            title="PUNTO BANCO",
            hands=("punto", "banco"),
            cards=3,
            rows=(("pair-punto", "egalite", "pair-banco"), ("punto", "banco")),
            road={"punto": "blue", "banco": "red", "egalite": "green"},
        ),
        theme=Theme(felt=(58, 66, 80), line=(150, 178, 192)),
    ),
    stages=Stages(
        stage=_stage,
        to_come=_to_come,
        mentions=0,
        moves=Places(("squeeze-punto=squeeze-punto-third squeeze-banco=squeeze-banco-third",)),
        aside=beside_bets("squeeze"),
    ),
    guest=Guest(bet_on(*HANDS)),
    hooks=replace(PLAIN, after_hand=road.add_result),
)
