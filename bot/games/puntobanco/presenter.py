"""Punto Banco's screens: two hands that belong to no one at the table, five areas, and the road (PB2, PB12)."""

from dataclasses import replace

from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.rounds.reveals import highest_on
from bot.core.state.table import Table
from bot.games.puntobanco.hand_description import of_punto_banco
from bot.games.puntobanco.road import road
from bot.texts import Text
from bot.view.parts import bets_on, hands_of, none, nothing, plain_presenter
from bot.view.pictures.felt import Areas, Felt
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.words import PLAIN_WORDS
from engine.felt import Amount, Word
from engine.games.puntobanco import HANDS, PuntoBancoOptions, count

FELT = Felt(
    layout=Areas(
        title="PUNTO BANCO",
        hands=("punto", "banco"),
        cards=3,
        rows=(("pair-punto", "egalite", "pair-banco"), ("punto", "banco")),
        road={"punto": "blue", "banco": "red", "egalite": "green"},
    ),
    theme=Theme(felt=(58, 66, 80), line=(150, 178, 192)),
)


_TURNS = "squeeze-punto=squeeze-punto-third squeeze-banco=squeeze-banco-third"


def _stage(table: Table) -> Stage:
    """Return the stage of the hand, named after the cards that are being revealed."""
    return Stage(" ".join(turn.position for turn in table.plays.reveals.due(table.round.turning)), for_all=True)


def _to_come(table: Table) -> int:
    """A hand that is turned has two waves, its third card maybe; the first of a deal is shown with it."""
    if table.round.hand is not None:
        return max(1, len(table.round.turning))
    return 1 + 2 * sum(_is_turned(table, to) for to in HANDS)


def _is_turned(table: Table, to: str) -> bool:
    """Return whether a player will reveal the hand, by the bets on it."""
    return any(player in table.wants_to_turn for player in highest_on(table.round.bets, to))


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=0,
    moves=Places((_TURNS,)),
    others=BETS,
    aside=beside_bets("squeeze"),
)


def result(view: PlayerView) -> Text:
    """The counts, and which area has won."""
    counts = {to: count(view.cards[to]) for to in HANDS}
    if counts["punto"] == counts["banco"]:
        return Text("Punto {punto}, banco {banco}: égalité.", **counts)
    winner = Word(max(counts, key=lambda to: counts[to]))
    return Text("Punto {punto}, banco {banco}: {area} wins.", **counts, area=winner)


def prints(options: PuntoBancoOptions) -> tuple[Text, ...]:
    """Lines printed on the felt: payouts other than 1 to 1 (PB8, PB9)."""
    banco = Text("Banco less {percent} %", percent=Amount(options.commission))
    egalite = Text("Égalité pays {pays} to 1", pays=options.egalite_pays)
    return (egalite, Text("A pair pays {pays} to 1", pays=11), *((banco,) if options.commission else ()))


PRESENTER = replace(
    plain_presenter(
        bank=hands_of(HANDS, of_punto_banco),
        piles=nothing,
        describe_hand=none,
        result=result,
        words=PLAIN_WORDS,
        bets=bets_on(
            asks=Text("Area and amount, {least} to {most} in steps of {step}, for example banco {such}."),
        ),
    ),
    road=road,
    prints=prints,
)
