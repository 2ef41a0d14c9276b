"""Duel as Ridotto plays it: its tables, its texts, and the hand that teaches it."""

from pathlib import Path

from bot.core.commands.first_hand import FirstHand
from bot.core.state.plays import FollowUp, MoveHelp, Play
from bot.games.building import bank_game
from bot.texts import Card, Text
from bot.texts.catalogues import Catalogues
from bot.texts.games import GameTexts
from bot.texts.options import Count, Option
from bot.texts.paragraphs import Page
from bot.view.player_view import PlayerView
from bot.view.presenter import Presenter
from engine.poker import value
from ridotto_duel.rules import SEATS, SIMULATION

PLAY = Play(
    seats=SEATS,
    moves={
        "fold": MoveHelp(Text("Give up the hand")),
        "raise": MoveHelp(Text("Bet as much again as the ante"), "", "DU4"),
    },
    follow_up=FollowUp("raise", 1, "ante"),
)


OPTIONS = {"qualifies": Option(Count(3, 7), Text("The lowest card to qualify (DU5)."), Text("Dealer qualifies"))}

RULES = Page(
    """
Duel: one card each against the bank, up to six players; one deck, shuffled for every hand (DU1).

Before the deal you put an ante and, if you like, a bet on the suit (DU2). The cards are dealt (DU3).

Both are {minimum} to {maximum}, in steps of {step} (DU2, G5).

You see your own card alone, and raise by as much as the ante, or fold and lose it (DU4).

A bank that does not qualify pays the ante 1 to 1, and the raise comes back, whatever you hold (DU5).

Otherwise the higher card wins, ace high; ante and raise pay 1 to 1. The bank wins equal cards (DU6).

The suit pays 3 to 1 when both cards are of one suit, even if you fold (DU7).
""",
    OPTIONS,
)

PAYTABLE = Page(
    """
Ante and raise pay 1 to 1 (DU6).

The suit pays 3 to 1 (DU7).

The bank qualifies with a {qualifies} or higher (DU5).
""",
    OPTIONS,
)

TEXTS = GameTexts(
    title="Duel",
    summary=Text("One card each against the bank's: the higher wins."),
    rules=RULES,
    paytable=PAYTABLE,
    odds=(Text("The house keeps about 6.3 % of the ante, and 5.9 % of a bet on the suit."),),
    options=OPTIONS,
    catalogues=Catalogues(Path(__file__).parent / "texts", "duel"),
)


def result(view: PlayerView) -> Text:
    (card,) = view.cards["dealer"]
    if value(card) < view.options.qualifies:
        return Text("The bank does not qualify (DU5): {card}.", card=Card(card))
    return Text("Bank: {card}.", card=Card(card))


CHOOSE = Text("Raise bets as much again, fold loses the ante (DU4). A nine beats most cards: raise.")
OVER = Text("The bank's seven qualifies, so the higher card wins; ante and raise pay 1 to 1 (DU5, DU6).")
FIRST_HAND = FirstHand(
    cards="9d 7c",
    bets=({"ante": 1000},),
    opening=(
        Text("You and the bank get one card each; the higher one wins, ace high (DU3, DU6)."),
        Text("You place the ante before the deal (DU2). Suit is an optional side bet, not used here (DU7)."),
    ),
    tells=lambda offers, cards: (CHOOSE if offers else OVER,),
    best=SIMULATION.strategies["basic"],
)


PLUGIN = bank_game(SIMULATION, PLAY, TEXTS, FIRST_HAND, rank=100, presenter=Presenter(result=result))
