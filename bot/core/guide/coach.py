"""The coach, asked: what the bets of a table cost, what one's choices are worth now, and what one gave away.

Law: the coach knows only the player's own view, and is silent between players until a hand is over.
Advice is computed outside the writer; odds are floats, and no payment depends on them.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any, NamedTuple

from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Beside, Refused
from bot.core.commands.counting import Count, CountFault
from bot.core.commands.hooks import HOOKS
from bot.core.commands.offers import say_typed
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.commands.words import find_word, take_game
from bot.core.guide.coaching import NOTHING, decision_at, price, read_meter, share_own, weigh_own
from bot.core.rounds.betting import options_of
from bot.core.rounds.hand_records import read_record
from bot.core.state.people import COACH_AFTER, COACH_OFF, COACH_ON
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.texts import Text
from bot.texts.games import GAME_TEXTS, odds_of
from engine.advice import Asked, weigh
from engine.felt import Amount, Word
from engine.games import GAMES, ODDS
from engine.odds import BetOdds
from engine.record import parse_record, terms_of
from storage.questions.results import latest_results
from storage.rows import ResultRow

MOST_HANDS = 200
# A longer pause between two hands ends a session. A review covers at most this many hands of a session or month.
PAUSE_S, MONTH_S, MOST_LOOKED_AT = 3 * 3600.0, 30 * 86400.0, 5000
# Time limit of a review, so that other reports need not wait long; the newest hands come first.
REVIEW_S = 8.0
SLOW = Text("The odds could not be calculated just now. Try again in a moment.")
_WORTH = Text("The value of each decision to the end of the hand, from the cards you see:")

_HOW = Text(
    "`/coach on` shows odds next to your buttons and a note after each hand, `/coach after` only the note, "
    "`/coach off` neither."
)
_TELLS = {
    COACH_ON: Text(
        "The lounge shows the value of each decision on its button, and after each hand which decision cost you most."
    ),
    COACH_AFTER: Text("After each hand I tell you which choice cost you most. Your buttons show no odds."),
    COACH_OFF: Text("The coach is off. /odds and /review still work."),
}


@command(
    "odds",
    Text("See the odds of your choices, or of the bets"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[GAME]",
)
def odds(request: Request) -> Answer:
    """Show the odds: of the player's own choices if a hand asks them, else of the bets of the named game or the one
    here.
    """
    at = None if request.args else request.at
    asked = _asked(at, request.player.id) if at is not None else None
    if at is not None and asked is not None:
        return _price(request.transaction, at, asked)
    game = _game(request)
    options, meter = _here(request, game)
    return Answer(odds_of(game), report=partial(_tell_bets, game=game, options=options, meter=meter))


def _game(request: Request) -> str:
    return take_game(request.args, 0)[0] if request.args else request.table.game


def _here(request: Request, game: str) -> tuple[Any, int | None]:
    """Return the options of the table here, or else the casino's usual ones, and the reading of the meter."""
    at, hooks = request.at, HOOKS[game].casino
    if at is not None and at.game == game:
        options = options_of(request.transaction, at)
    else:
        options = hooks.options(request.casino, GAMES[game].parse_options({}))
    return options, read_meter(game, request.casino.id, request.transaction.balance)


def _asked(table: Table, player: int) -> str | None:
    """Return the seat of a player that is asked now, or None."""
    hand = table.round.hand
    return next((seat for seat in table.seats_played_by(player) if hand is not None and seat in hand.asks), None)


def _price(transaction: Transaction, table: Table, seat: str) -> Answer:
    odds, hand = ODDS.get(table.game), table.round.hand
    assert hand is not None
    if odds is None:
        raise Refused("There are no odds for {game}.", game=Word(table.game))
    if odds.equity is not None:
        raise Refused("Odds of hands between players are shown only after the hand. Use /review then.", "G8")
    if not table.settings.coach:
        raise Refused("This table shows no odds during a hand. Use /review after it.")
    decision = decision_at(table, hand, seat, transaction.balance)
    return Answer((_WORTH,), report=partial(_tell_choices, asked=Asked(decision), value=odds.values))


def _tell_choices(beside: Beside, asked: Asked, value: Any) -> Answer:
    try:
        weighed = beside.count(weigh, value, asked)
    except CountFault:
        return Answer((SLOW,))
    priced = sorted(price(asked.decision.offers, weighed.values), key=lambda one: -one.worth)
    return Answer(tuple(Text("{choice}: {net}", choice=say_typed(one.said), net=_rounded(one.worth)) for one in priced))


def _rounded(value: float) -> Amount:
    return Amount(round(value))


def _tell_bets(beside: Beside, game: str, options: Any, meter: int | None) -> Answer:
    try:
        return Answer(tuple(tell_bets(beside.count, game, options, meter)))
    except CountFault:
        return Answer((SLOW,))


def tell_bets(count: Count, game: str, options: Any, meter: int | None) -> Iterator[Text]:
    """Yield the cost of each bet under these options, for a coin at this meter with the coin in it. Raises
    CountFault.
    """
    odds = ODDS.get(game)
    if odds is None:
        return
    for name, bet in count(odds.edges, options, _with_a_coin(game, options, meter)).items():
        yield _tell_bet(GAME_TEXTS[game].bets[name], bet)
    if odds.fair_meter is not None:
        fair = count(odds.fair_meter, options)
        yield Text("At a jackpot of {meter} a coin would break even.", meter=Amount(round(fair)))


def _tell_bet(bet: Text, odds: BetOdds) -> Text:
    if odds.edge is None:
        return Text("{bet}: not calculated for these options.", bet=bet)
    percent = Text("{percent} %", percent=Amount(round(abs(odds.edge) * 10_000)))
    if odds.edge < 0:
        return Text("{bet}: players' edge {percent}.", bet=bet, percent=percent)
    return Text("{bet}: house edge {percent}.", bet=bet, percent=percent)


@command(
    "coach",
    Text("Choose if you see odds, and a note after each hand"),
    group="me",
    usage="on|after|off",
)
def coach(request: Request) -> Answer:
    """Turn the coach on or off. Show the current setting when called without an argument."""
    if not request.args:
        return Answer((_TELLS.get(request.player.state.coach, _TELLS[COACH_AFTER]), _HOW))
    word = find_word(request.args[0], _TELLS)
    if word is None:
        raise Refused(_HOW.template)
    request.transaction.set_player(request.player.change(coach=word))
    return Answer((_TELLS[word],))


def tell_effect(beside: Beside, game: str, before: Any, after: Any, meter: int | None) -> Answer:
    """Describe the effect of changed options on the bets of a game, for the inspector who sets them."""
    try:
        return Answer(tuple(_tell_effect(beside.count, game, before, after, meter)))
    except CountFault:
        return Answer((SLOW,))


def _tell_effect(count: Count, game: str, before: Any, after: Any, meter: int | None) -> Iterator[Text]:
    odds = ODDS.get(game)
    if odds is None:
        yield Text("Its effect on the house edge has not been calculated.")
        return
    were, are = (count(odds.edges, options, _with_a_coin(game, options, meter)) for options in (before, after))
    changed = [name for name in are if are[name].edge != were[name].edge]
    for name in changed:
        yield _tell_both(GAME_TEXTS[game].bets[name], were[name].edge, are[name].edge)
    if not changed:
        yield Text("This does not change the odds.")
    yield from GAME_TEXTS[game].warnings(after)


def _tell_both(bet: Text, before: float | None, after: float | None) -> Text:
    if before is None or after is None:
        return _tell_bet(bet, BetOdds(after, ""))
    shares = {"before": Amount(round(before * 10_000)), "after": Amount(round(after * 10_000))}
    return Text("{bet}: house edge {after} %, before {before} %.", bet=bet, **shares)


def _with_a_coin(game: str, options: Any, meter: int | None) -> int | None:
    """Return the meter with one more coin in it."""
    rules = GAMES[game].meter
    return rules.settle(options, meter, 1, {}).meter if rules is not None and meter is not None else meter


@command(
    "review",
    Text("See what your decisions cost you"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[HANDS|session|month]",
)
def review(request: Request) -> Answer:
    """Compare the player's choices with the best ones, by what they saw then: in the given number of their latest hands
    in this casino, in those without a long pause between them, or in those of thirty days.

    Between players, where there is no best choice, show the player's share of the pot.
    """
    typed = request.args[0] if request.args else "20"
    word = find_word(typed, _SPANS) or typed
    most = MOST_LOOKED_AT if word in _SPANS else parse_count(word, 1, MOST_HANDS)
    if most is None:
        raise Refused("Enter a number of hands from 1 to {most}, or session, or month.", most=MOST_HANDS)
    span = partial(_SPANS[word], now=request.now) if word in _SPANS else None
    report = partial(_review, casino=request.casino.id, players=tuple(request.player.ids), most=most, span=span)
    return Answer((Text("Your decisions compared with the best ones, from what you saw:"),), report=report)


def _of_session(rows: Sequence[ResultRow], now: float) -> Sequence[ResultRow]:
    """Return the results up to the first long pause, back from the latest, even if that session is long over."""
    pauses = (later.at - row.at for later, row in pairwise(rows))
    return rows[: 1 + next((number for number, pause in enumerate(pauses) if pause > PAUSE_S), len(rows))]


def _of_month(rows: Sequence[ResultRow], now: float) -> Sequence[ResultRow]:
    return [row for row in rows if row.at > now - MONTH_S]


_SPANS = {"session": _of_session, "month": _of_month}


class _Chosen(NamedTuple):
    """A choice of a review: what was chosen and what would have been best, without cards and amounts.

    `share` is the player's part of the pot.

    Between players nothing is best, and against the bank there is no share.
    """

    hand: int
    kind: tuple[str, str]
    cost: float = 0.0
    share: float | None = None


def _review(
    beside: Beside,
    casino: int,
    players: tuple[int, ...],
    most: int,
    span: Callable[[Sequence[ResultRow]], Sequence[ResultRow]] | None,
) -> Answer:
    """Review the choices of the latest hands; `span` selects the hands to review."""
    end, hands, chosen = time.monotonic() + REVIEW_S, 0, list[_Chosen]()
    rows: Sequence[ResultRow] = latest_results(beside.books, casino, players, most)
    rows = span(rows) if span is not None else rows
    for row in rows:
        if time.monotonic() > end:
            break
        try:
            chosen += _choices(beside, row.hand, players)
        except CountFault:
            return Answer((SLOW,))
        hands += 1
    told = tuple(_tell_review(hands, chosen))
    if hands < len(rows):
        late = Text("This covers the latest {hands} of {all} hands.", hands=hands, all=len(rows))
        told += (late,)
    return Answer(told)


def _choices(beside: Beside, hand: int, players: Iterable[int]) -> Iterator[_Chosen]:
    """Yield the players' choices in a finished hand whose rules are installed and whose choices can be valued."""
    record = read_record(beside.books, hand)
    if record is None or terms_of(record)["game"] not in ODDS:
        return
    deal, moves = parse_record(record)
    if ODDS[deal.game].equity is not None:
        for asked, share in share_own(beside.count, deal, moves, players):
            taken = asked.played or (asked.taken.word if asked.taken is not None else "")
            yield _Chosen(hand, (taken, ""), share=share)
        return
    for asked, weighed in weigh_own(beside.count, deal, moves, players):
        taken, cost = asked.played or weighed.taken or "", weighed.cost or 0.0
        yield _Chosen(hand, (_word(taken), _word(weighed.best)), cost)


def _word(choice: str) -> str:
    return choice.partition(" ")[0]


def _tell_review(hands: int, chosen: list[_Chosen]) -> Iterator[Text]:
    against_the_bank = [one for one in chosen if one.share is None]
    mistakes = [one for one in against_the_bank if one.cost > NOTHING]
    if not chosen:
        yield Text("There were no decisions in your latest hands here.")
        return
    if against_the_bank:
        values = {"choices": len(against_the_bank), "away": _rounded(sum(one.cost for one in mistakes))}
        yield Text("Hands: {hands}; decisions: {choices}; given away: {away}.", hands=hands, **values)
    costs, times = dict[tuple[str, str], float](), Counter[tuple[str, str]]()
    for one in mistakes:
        costs[one.kind] = costs.get(one.kind, 0.0) + one.cost
        times[one.kind] += 1
    for (taken, best), cost in sorted(costs.items(), key=lambda kind: -kind[1]):
        yield Text(
            "{move}, where {best} was best: {cost}, {n} time",
            "{move}, where {best} was best: {cost}, {n} times",
            n=times[taken, best],
            move=Word(taken),
            best=Text("{move}", move=Word(best)),
            cost=_rounded(cost),
        )
    if mistakes:
        worst = max(mistakes, key=lambda one: one.cost)
        yield Text("Most expensive decision: {cost} in hand {hand}.", cost=_rounded(worst.cost), hand=str(worst.hand))
    yield from _tell_shares(chosen)


def _tell_shares(chosen: list[_Chosen]) -> Iterator[Text]:
    """Yield the player's shares of pots by kind of choice, from the highest."""
    shares = dict[str, list[float]]()
    for one in chosen:
        if one.share is not None:
            shares.setdefault(one.kind[0], []).append(one.share)
    if shares:
        yield Text("Your average share of the pot, estimated from what you could see at each decision:")
    for taken, each in sorted(shares.items(), key=lambda kind: -fmean(kind[1])):
        yield Text(
            "{move}: {share} %, {n} time",
            "{move}: {share} %, {n} times",
            n=len(each),
            move=Word(taken),
            share=round(100 * fmean(each)),
        )
