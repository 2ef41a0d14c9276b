"""`ridotto new-game`: write a folder with a small game, which installs, plays and passes `ridotto check-game`."""

import re
from pathlib import Path

from bot.core.command_list import CHAT_COMMANDS
from bot.games import PLUGINS
from engine.felt import check

_NAME = re.compile(r"[a-z][a-z0-9]*")

_PYPROJECT = """\
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "ridotto-NAME"
version = "1.0"
requires-python = ">=3.11"
dependencies = ["ridotto"]

[project.entry-points."ridotto.games"]
NAME = "ridotto_NAME:PLUGIN"

[tool.setuptools]
packages = ["ridotto_NAME"]
include-package-data = false

[tool.setuptools.package-data]
ridotto_NAME = ["py.typed", "texts/*/LC_MESSAGES/*.po"]
"""

_BABEL = """\
[extractors]
source = bot.texts.extract:from_source
words = bot.cli.vocabulary:from_game

[words: pyproject.toml]
game = NAME

[source: ridotto_NAME/**.py]
"""

_RULES = '''\
"""TITLE: one card each against the bank. Raise or fold; a side bet that both cards have the same suit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.felt import Felt, Game, Limits, Move, Offer, Script, Stake, check, check_seats
from engine.odds import BetOdds, Odds, Unit, chance_alone
from engine.poker import value
from engine.simulation import Cards, Simulation, Strategy, least_on, move

SEATS = 6
# The bank plays with this rank or a higher one.
QUALIFIES = 4


@dataclass(frozen=True)
class Options(Limits):
    """Limits of every bet, in minor units: 100 to a chip."""

    minimum: int = 500
    step: int = 100
    maximum: int = 50000


# A deck has 52 cards: one is the player's, and the bank's is any of the others.
OTHERS, OF_A_SUIT, RANKS = 51, 12, range(2, 15)


def check_stakes(options: Options, stakes: Sequence[Stake]) -> None:
    """Refuse bets without an ante, or outside of the table's limits."""
    check_seats(stakes, SEATS, "CLAUSE1")
    for stake in stakes:
        check("ante" in stake.bets, "Bet an ante first.", "CLAUSE2")
        for spot, amount in stake.bets.items():
            options.check_limits(spot, amount)


def play(felt: Felt) -> Script:
    """Play one hand."""
    bets = felt.place_all()
    felt.call("no more bets")
    felt.deal_each([*bets, "dealer"], up=False)  # CLAUSE3
    felt.facts |= {"cards": felt.cards}
    felt.call("go ahead")

    offers = {seat: (Offer("fold"), Offer("raise", stake=bets[seat]["ante"], spot="raise")) for seat in bets}
    moves = yield from felt.ask_each(offers, timeout="fold")  # CLAUSE4

    for to in ("dealer", *bets):
        felt.show(to)
    for seat in bets:
        settle(felt, seat, bets[seat], moves[seat].word)


def settle(felt: Felt, seat: str, bets: Mapping[str, int], word: str) -> None:
    """Pay every spot with money on it once: what comes back, stake included, and 0 where it is lost."""
    ante, own, banks = bets["ante"], felt.cards[seat][0], felt.cards["dealer"][0]
    if word == "fold":
        felt.pay(seat, "ante", 0, "fold", "CLAUSE4")
    elif value(banks) < QUALIFIES:
        felt.pay(seat, "ante", 2 * ante, "unqualified", "CLAUSE5", odds=(1, 1))
        felt.pay(seat, "raise", ante, "unqualified", "CLAUSE5")
    else:
        wins = value(own) > value(banks)
        for spot in ("ante", "raise"):
            felt.pay(
                seat, spot, 2 * ante if wins else 0, "win" if wins else "lose", "CLAUSE5", odds=(1, 1) if wins else None
            )
    if "suit" in bets:  # CLAUSE6
        wins = own[1] == banks[1]
        felt.pay(seat, "suit", 4 * bets["suit"] if wins else 0, "suit", "CLAUSE6", odds=(3, 1) if wins else None)


GAME = Game(
    name="NAME",
    script=play,
    options=Options,
    check=check_stakes,
    words={"fold": "CLAUSE4", "raise": "CLAUSE4"},
    spots=("ante", "suit"),
    all_spots=("ante", "raise", "suit"),
    turn="CLAUSE4",
)


def count_net_of_raise(rank: int) -> Fraction:
    """Return the expected net of a raise, in antes, against each of the other cards."""
    unqualified = 4 * (QUALIFIES - RANKS.start) - (rank < QUALIFIES)
    wins = 4 * max(0, rank - QUALIFIES)
    loses = OTHERS - unqualified - wins
    return Fraction(unqualified + 2 * wins - 2 * loses, OTHERS)


def raise_from(least: int) -> Strategy:
    """Return a strategy that raises with this rank or a higher one."""

    def choose(seat: str, offers: Sequence[Offer], cards: Cards) -> Move:
        return move(seat, "raise" if value(cards[seat][0]) >= least else "fold")

    return choose


BEST = min(rank for rank in RANKS if count_net_of_raise(rank) > -1)
SIMULATION = Simulation(
    game=GAME,
    strategies={"best": raise_from(BEST), "guest": raise_from(9)},
    lay=least_on("ante"),
    cards=2,
)


def edges(options: Any, meter: int | None) -> Mapping[str, BetOdds]:
    """Return what each bet costs per unit, counted exactly. `ridotto check-game` compares it with the script."""
    net = sum((max(count_net_of_raise(rank), Fraction(-1)) for rank in RANKS), Fraction(0)) / len(RANKS)
    suit = chance_alone("any", {Fraction(3): Fraction(OF_A_SUIT, OTHERS)})
    return {"ante": BetOdds(float(-net), "best", -net), "suit": suit}


ODDS = Odds(game=GAME, edges=edges, units={"ante": Unit("ante", ("raise",)), "suit": Unit("suit")})
'''

_PLUGIN = '''\
"""TITLE as Ridotto plays it: its tables, its texts, and the hand that teaches it."""

from pathlib import Path

from bot.core.commands.first_hand import FirstHand
from bot.core.state.plays import FollowUp, MoveHelp, Play
from bot.games.building import bank_game
from bot.texts import Card, Text
from bot.texts.catalogues import Catalogues
from bot.texts.games import GameTexts
from bot.texts.paragraphs import Page
from bot.view.player_view import PlayerView
from bot.view.presenter import Presenter
from engine.games import add_odds
from ridotto_NAME.rules import ODDS, SEATS, SIMULATION

PLAY = Play(
    seats=SEATS,
    moves={
        "fold": MoveHelp(Text("Give up the hand")),
        "raise": MoveHelp(Text("Bet as much again as the ante"), "", "CLAUSE4"),
    },
    follow_up=FollowUp("raise", 1, "ante"),
)

RULES = Page(
    """
TITLE: one card each against the bank, up to six players; one deck, shuffled for every hand (CLAUSE1).

Before the deal you bet an ante and, if you like, a bet on the suit (CLAUSE2). Each of you gets one card (CLAUSE3).

Both bets are {minimum} to {maximum}, in steps of {step} (CLAUSE2, G5).

You see your own card only. Raise by as much as the ante, or fold and lose it (CLAUSE4).

A bank with a 2 or 3 does not qualify: the ante pays 1 to 1, and the raise is returned (CLAUSE5).

Otherwise the higher card wins, ace high; ante and raise pay 1 to 1. The bank wins equal cards (CLAUSE5).

The suit pays 3 to 1 if both cards have the same suit, even if you fold (CLAUSE6).
""",
    {},
)

PAYTABLE = Page(
    """
Ante and raise pay 1 to 1 (CLAUSE5).

The suit pays 3 to 1 (CLAUSE6).
""",
    {},
)

TEXTS = GameTexts(
    title="TITLE",
    summary=Text("One card each against the bank: the higher card wins."),
    rules=RULES,
    paytable=PAYTABLE,
    bets={"ante": Text("Ante, with the best raise"), "suit": Text("Suit")},
    catalogues=Catalogues(Path(__file__).parent / "texts", "NAME"),
)

CHOOSE = Text("Raise bets as much again, fold loses the ante (CLAUSE4). A nine beats most cards: raise.")
OVER = Text("The higher card wins; ante and raise pay 1 to 1 (CLAUSE5).")
FIRST_HAND = FirstHand(
    cards="9d 7c",
    bets=({"ante": 1000},),
    opening=(
        Text("You and the bank get one card each. The higher card wins, ace high (CLAUSE3, CLAUSE5)."),
        Text("Bet the ante first (CLAUSE2)."),
    ),
    tells=lambda offers, cards: (CHOOSE if offers else OVER,),
    best=SIMULATION.strategies["best"],
)


def result(view: PlayerView) -> Text:
    """Describe a finished hand in a sentence."""
    (card,) = view.cards["dealer"]
    return Text("Bank: {card}.", card=Card(card))


PLUGIN = bank_game(SIMULATION, PLAY, TEXTS, FIRST_HAND, presenter=Presenter(result=result))
add_odds(ODDS)
'''

_TEST = '''\
"""TITLE, clause by clause."""

from engine.games import GAMES, add_game
from engine.record import play_record
from ridotto_NAME.rules import GAME

if GAME.name not in GAMES:
    add_game(GAME)


def play(cards: str, move: str, **bets: int) -> int:
    """Return the net of one player, who is dealt the first card."""
    stakes = [{"seat": 1, "player": "anna", "bets": bets}]
    record = {"game": GAME.name, "deck": cards.split(), "stakes": stakes, "moves": [move]}
    return int(play_record(record)["net"]["1"])


def test_CLAUSE5_the_higher_card_wins_and_the_bank_wins_equal_cards() -> None:
    assert play("Kd 9c", "1 raise", ante=500) == 1000
    assert play("Kd Kc", "1 raise", ante=500) == -1000


def test_CLAUSE4_a_player_whose_time_runs_out_folds() -> None:
    assert play("Kd 9c", "1 timeout", ante=500) == -500


def test_CLAUSE6_the_suit_pays_after_a_fold() -> None:
    assert play("Kd 9d", "1 fold", ante=500, suit=500) == -500 + 1500
'''

_FILES = {
    "pyproject.toml": _PYPROJECT,
    "babel.cfg": _BABEL,
    "ridotto_NAME/__init__.py": _PLUGIN,
    "ridotto_NAME/rules.py": _RULES,
    "ridotto_NAME/py.typed": "",
    "tests/test_NAME.py": _TEST,
}


def write_game(name: str, folder: Path) -> None:
    """Write the folder of a new game. Raises IllegalDeal for a name or a folder that cannot be used."""
    ours = ", ".join(PLUGINS)
    check(
        bool(_NAME.fullmatch(name)),
        "A game's name must be one word in lower case, for example duel; {name} is not.",
        name=repr(name),
    )
    check(name not in PLUGINS, "{name} is the name of a game: choose another than {games}.", name=name, games=ours)
    commands = {command.partition(" ")[0] for command in CHAT_COMMANDS}
    check(name not in commands, "{name} is the name of a command: choose another one.", name=name)
    check(not folder.exists(), "{folder} exists: name another folder, or remove it.", folder=str(folder))
    for path, text in _FILES.items():
        file = folder / path.replace("NAME", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            text.replace("NAME", name).replace("TITLE", name.capitalize()).replace("CLAUSE", f"{name:x<2}"[:2].upper()),
            "utf-8",
        )
