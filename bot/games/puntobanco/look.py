"""Punto Banco on its screens: two hands that belong to nobody at the table, five areas, and the road (PB2, PB12)."""

from dataclasses import replace

from bot.games.puntobanco.road import road
from bot.games.puntobanco.worth import of_punto_banco
from bot.texts import Text
from bot.view.parts import bets_on, hands_of, none, nothing, plain_look
from bot.view.sight import Sight
from bot.view.words import PLAIN_WORDS
from engine.felt import Amount, Word
from engine.games.puntobanco import HANDS, PuntoBancoOptions, count


def result(sight: Sight) -> Text:
    """The counts, and which area has won."""
    counts = {to: count(sight.cards[to]) for to in HANDS}
    if counts["punto"] == counts["banco"]:
        return Text("Punto {punto}, banco {banco}: égalité.", **counts)
    winner = Word(max(counts, key=lambda to: counts[to]))
    return Text("Punto {punto}, banco {banco}: {area} wins.", **counts, area=winner)


def prints(options: PuntoBancoOptions) -> tuple[Text, ...]:
    """What the areas pay that do not pay 1 to 1 (PB8, PB9)."""
    banco = Text("Banco less {percent} %", percent=Amount(options.commission))
    egalite = Text("Égalité pays {pays} to 1", pays=options.egalite_pays)
    return (egalite, Text("A pair pays {pays} to 1", pays=11), *((banco,) if options.commission else ()))


LOOK = replace(
    plain_look(
        house=hands_of(HANDS, of_punto_banco),
        piles=nothing,
        worth=none,
        result=result,
        words=PLAIN_WORDS,
        bets=bets_on(
            asks=Text("Which area and how much: {least} to {most} in steps of {step}, such as banco {such}."),
        ),
    ),
    road=road,
    prints=prints,
)
