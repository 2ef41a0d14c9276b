"""The rules in our own words with their clauses, the pay tables from the engine's own, and what the house keeps.

rules_of, paytable_of, odds_of     texts, for an answer in any language
rules_text, paytable               the same in one language
"""

from collections.abc import Callable, Mapping
from typing import Any

from bot.texts import Card, Text, say
from engine import caribbean, jackpot, paiju, poker, uth
from engine.cards import PAIJU
from engine.felt import Amount, Word

RULES: Mapping[str, tuple[Text, ...]] = {
    "caribbean": (
        Text(
            "Caribbean Stud Poker: five cards each against the dealer, who plays for the house; one deck of 52, "
            "shuffled for every hand, up to seven players, one seat each (CS1)."
        ),
        Text(
            "Before the deal you put an ante and, if you like, one jackpot coin; nobody plays the jackpot alone (CS2). "
            "You get five cards; the dealer's fifth lies face up (CS3)."
        ),
        Text(
            "Seeing your own cards and that one, you raise (a bet of exactly twice the ante), fold and lose the ante, "
            "or exchange one card for the price of the ante and then raise or fold (CS5, CS8). All choose at the same "
            "time; exchanged cards come from the rest of the deck, seat 1 first (CS6)."
        ),
        Text(
            "The dealer qualifies with ace and king or better (CS11). If not, your ante is paid 1 to 1 and the bet "
            "comes back, whatever you hold; your cards are collected unseen (CS12)."
        ),
        Text(
            "If the dealer qualifies, the better hand wins; all five cards count, suits never. You win: the ante pays "
            "1 to 1, the bet by the table. You lose: both are lost. A tie: both stay yours (CS13, CS15)."
        ),
        Text(
            "The jackpot pays for your first five cards, whoever wins and even if you fold; an exchange gives it up "
            "(CS7, CS19). One meter is linked to all tables of the casino (CS17). A royal or straight flush stops them "
            "until it is confirmed (CS22)."
        ),
        Text("When your time runs out you fold, unless you left a standing order: /standing raise-pairs (CS10)."),
    ),
    "uth": (
        Text(
            "Ultimate Texas Hold'em in the Venice variant: your two cards and five on the board against the bank's two "
            "and the same five; the best five of seven count. Up to six players (UT1)."
        ),
        Text(
            "Before the deal you put the ante; the blind follows it and is the same. Trips is an optional bet of its "
            "own (UT2)."
        ),
        Text(
            "On two cards you check or play 3 or 4 times the ante (UT4); on the flop you check or play 2 times (UT5); "
            "with the whole board open you play 1 time or fold (UT6). You play once in a hand, and nobody folds before "
            "the whole board is open."
        ),
        Text(
            "The bank qualifies with a pair or better (UT8). If not, it withdraws: your ante is paid 1 to 1, Play and "
            "Blind come back, whatever you hold (UT9)."
        ),
        Text(
            "This rule of Venice costs you more than the usual one, where the ante comes back and Play and Blind are "
            "resolved: by simulation the house keeps about 24 % of the ante instead of 2.2 % (UT9). Both figures are "
            "for the default options."
        ),
        Text(
            "If it qualifies: yours is better, Play and Ante pay 1 to 1 and the Blind by its table from a straight up, "
            "with less it comes back; the bank's is better, all three are lost; equal hands, all three stay (UT10, "
            "UT12, UT13)."
        ),
        Text(
            "Trips pays by its table for three of a kind or better, whoever wins (UT14), and stays live after a fold; "
            "Ante and Blind are lost with the fold (UT15)."
        ),
        Text(
            "When your time runs out you check, and on the river you fold, unless you left a standing order: "
            "/standing play-pairs (UT17)."
        ),
    ),
    "paiju": (
        Text(
            "Paiju: 32 cards, two to each of four positions. East is the bank; South, West and North play against it, "
            "and anybody bets on any of them (PJ1, PJ2)."
        ),
        Text(
            "You bet on a position, or across two of them (south-west, north-west, north-south) without any other bet "
            "(PJ3). Two dice tell who gets the first card, then the cards go round anticlockwise (PJ5)."
        ),
        Text(
            "Two cards of the table of pairs score what it says, from 20 (joker and 3♦) to 13; a queen with a nine is "
            "12, with an eight 11, an eight with a two 10, whatever the suits (PJ7)."
        ),
        Text(
            "Any other hand scores the sum of its cards without the tens: ten 0, jack 1, queen 2, joker 6, the rest "
            "their number (PJ8)."
        ),
        Text(
            "The higher score wins. Equal sums other than 0 compare the best single card of each hand, worth what its "
            "pair scores; the joker is worth only 6 then and the 3♦ only 3 (PJ9). The bank wins ties (PJ10)."
        ),
        Text(
            "A bet on a position that beats the bank pays 1 to 1. A bet across two pays 1 to 1 when both beat the bank "
            "and comes back when exactly one does (PJ11)."
        ),
        Text(
            "Who has the highest bet on a position may ask to turn its cards himself; it never changes the result "
            "(PJ12)."
        ),
    ),
    "blackjack": (
        Text(
            "Black Jack: come closer to 21 than the dealer without going over. Seven boxes; who holds a box decides, "
            "others may bet behind him and do not decide (BJ1, BJ5). A free box is held by the higher bet on it (BJ3)."
        ),
        Text(
            "Cards count their number, pictures 10, an ace 1 or 11. Ace and a ten-value card as the first two are "
            "Black Jack and beat any other 21 (BJ9). The dealer has one open card and draws after the players (BJ8)."
        ),
        Text(
            "When the dealer shows an ace you may insure your bet against his Black Jack: 2 to 1, from the table "
            "minimum to half the bet; for a bet of the minimum, half of it (BJ10)."
        ),
        Text(
            "On your turn you hit, stand, double on the first two cards with a hard 9, 10 or 11 (one card only), or "
            "split two cards of equal value, as often as they come, each hand with a bet equal to the first. Split "
            "aces get one card each; 21 after a split is not Black Jack (BJ11)."
        ),
        Text(
            "Co-players follow a double or a split with their own money, or stay (BJ13): /follow on says it before the "
            "deal."
        ),
        Text(
            "The dealer draws to 16 and stands on 17 (BJ14). A win pays 1 to 1, Black Jack 3 to 2, equal totals come "
            "back (BJ15); the dealer's Black Jack takes everything but a Black Jack (BJ14)."
        ),
        Text("Three sevens on a box that was not split pay everybody on it his first bet once more (BJ16)."),
        Text("Admiral Jack is a side bet that your box's first two cards are Black Jack: 19 to 1 (BJ17)."),
        Text(
            "When the holder's time runs out, the co-player with the highest bet decides, then the dealer's rule: draw "
            "to 11, stand from 12; nothing is doubled or split then (BJ6)."
        ),
    ),
    "stud": (
        Text(
            "Seven Card Stud Hi/Lo, eight or better, fixed limit: two to eight players against each other with a stack "
            "on the table; the house only deals and takes no rake (SH1, SH13)."
        ),
        Text(
            "Everybody posts the ante (SH2). Two cards down and one up, then one up on fourth, fifth and sixth street "
            "and one down on the river, with a round of bets after each (SH3). Should the deck run out, one open card "
            "belongs to everybody (SH4)."
        ),
        Text(
            "The lowest open card brings in half the lower limit, equal ranks by suit: spades highest, hearts, "
            "diamonds, clubs. Later the highest hand showing begins (SH5)."
        ),
        Text(
            "Bets and raises are the lower limit on third and fourth street, the upper one after that (SH6), at most "
            "four in a round: bet, raise, raise again, cap (SH7)."
        ),
        Text(
            "Who is short of a bet is all in and plays for the pots he paid into; what nobody called goes back (SH9)."
        ),
        Text(
            "At the showdown any five of your seven cards make the high hand and any five the low one. A low is five "
            "different cards of eight or lower, the ace low; straights and flushes do not count against it; the best "
            "is 5-4-3-2-A (SH10)."
        ),
        Text(
            "The best high takes half of each pot, the best low the other half; without a low the high takes all. "
            "Equal hands share; an odd chip goes to the high (SH11). The last player left takes the pot and shows "
            "nothing (SH12)."
        ),
        Text(
            "When your time runs out you check if that is free, else you fold; twice in a row, and you sit out (SH14)."
        ),
        Text(
            "The record of a hand and its seed are shown a day later, or when the table's option reveal_after says, so "
            "that folded hands stay secret while it matters."
        ),
    ),
}

ODDS: Mapping[str, tuple[Text, ...]] = {
    "caribbean": (Text("The house keeps about 5.2 % of the ante; the jackpot is counted apart."),),
    "uth": (
        Text("The house keeps about 24 % of the ante, by simulation: the bank's withdrawal pays Venice's way (UT9)."),
        Text("With the usual rule (option nonqualify: us) it would be about 2.2 %."),
    ),
    "paiju": (Text("The house keeps 523 of every 35,960 chips bet on a position, exactly: about 1.45 %."),),
    "blackjack": (Text("The house keeps about 0.6 % of the first bet against who plays by the book."),),
    "stud": (Text("No rake: the house keeps nothing, the players win from each other (SH13)."),),
}


def rules_of(game: str) -> tuple[Text, ...]:
    return RULES[game]


def odds_of(game: str) -> tuple[Text, ...]:
    """What the house keeps in the long run."""
    return (*ODDS[game], Text("Figures of the default options, for a player who chooses well."))


def paytable_of(game: str, options: Any) -> tuple[Text, ...]:
    """What a win pays at a table with these options, highest first."""
    return tuple(_PAYTABLES[game](options))


def rules_text(game: str, language: str) -> list[str]:
    return [say(paragraph, language) for paragraph in rules_of(game)]


def paytable(game: str, options: Any, language: str) -> list[str]:
    return [say(line, language) for line in paytable_of(game, options)]


def _caribbean(options: Any) -> list[Text]:
    lines = [Text("The bet pays, to 1, on five cards as dealt / after an exchange (CS15):")]
    for rank, (dealt, exchanged) in caribbean.PAYS.items():
        lines.append(Text("{rank}: {dealt} / {exchanged}", "", rank=Word(rank), dealt=dealt, exchanged=exchanged))
    lines.append(Text("The ante pays 1 to 1 (CS13)."))
    lines.append(Text("A jackpot coin of {coin} pays, for the first five cards (CS19):", "", coin=Amount(options.coin)))
    for rank, percent in jackpot.SHARES.items():
        lines.append(Text("{rank}: {percent} % of the meter", "", rank=Word(rank), percent=percent))
    for rank, name in jackpot.FIXED.items():
        lines.append(Text("{rank}: {amount}", "", rank=Word(rank), amount=Amount(options.fixed[name])))
    return lines


def _uth(options: Any) -> list[Text]:
    lines = [Text("Play and Ante pay 1 to 1 (UT10). The Blind pays a winner (UT13):")]
    for rank, (pays, to) in uth.BLIND_PAYS.items():
        lines.append(Text("{rank}: {pays} to {to}", "", rank=Word(rank), pays=pays, to=to))
    lines.append(Text("Trips pays, whoever wins (UT14):"))
    for rank, pays in uth.TRIPS_PAYS.items():
        lines.append(Text("{rank}: {pays} to {to}", "", rank=Word(rank), pays=pays, to=1))
    return lines


def _paiju(options: Any) -> list[Text]:
    return [
        Text("A position that beats the bank pays 1 to 1; across two, 1 to 1 when both do (PJ11)."),
        Text("The table of pairs (PJ7):"),
        *(Text("{score}: {pairs}", "", score=score, pairs=_pairs(score)) for score in range(20, 12, -1)),
        Text("12: queen and nine; 11: queen and eight; 10: eight and two."),
    ]


def _pairs(score: int) -> list[Card]:
    """The cards that make pairs of this score, each pair's two beside each other (PJ1 names them so)."""
    found = [pair for pair in zip(PAIJU[::2], PAIJU[1::2], strict=True) if paiju.score(*pair) == score]
    return [Card(card) for pair in found for card in pair]


def _blackjack(options: Any) -> list[Text]:
    pays, to = options.odds
    return [
        Text("A win pays 1 to 1, Black Jack {pays} to {to} (BJ15).", "", pays=pays, to=to),
        Text("Insurance pays 2 to 1 (BJ10), Admiral Jack 19 to 1 (BJ17)."),
        Text("Three sevens pay the first bet once more (BJ16)."),
    ]


def _stud(options: Any) -> list[Text]:
    lower, upper, ante = Amount(options.lower), Amount(options.upper), Amount(options.ante)
    return [
        Text(
            "Limits {lower}/{upper}, ante {ante}, bring-in {half}.",
            "",
            lower=lower,
            upper=upper,
            ante=ante,
            half=Amount(options.lower // 2),
        ),
        Text("Half of each pot to the best high, half to the best low of eight or better (SH11)."),
        Text("Hands, highest first: {ranks}.", "", ranks=[Word(rank) for rank in reversed(poker.CATEGORIES)]),
    ]


_PAYTABLES: Mapping[str, Callable[[Any], list[Text]]] = {
    "caribbean": _caribbean,
    "uth": _uth,
    "paiju": _paiju,
    "blackjack": _blackjack,
    "stud": _stud,
}
