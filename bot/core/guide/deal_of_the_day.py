"""`/deal`: ten hands a game and day, the same for everyone, played once in private (TN31 to TN33).

A line of play is stored with each press. The cards of a hand follow from the day's seed, so a restart continues.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.core.commands.amounts import parse_amount
from bot.core.commands.command import Answer, Beside, Choice, Refused
from bot.core.commands.counting import Count, CountFault
from bot.core.commands.first_hand import FIRST_HANDS, Lesson, LessonPress, Words
from bot.core.commands.offers import typed
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.commands.words import take_game
from bot.core.guide.coach import SLOW
from bot.core.guide.coaching import NOTHING
from bot.core.guide.lessons import moves_of, practice_table, table_with
from bot.core.players.wallets import is_on_boards
from bot.core.rounds import daily_deals
from bot.core.rounds.commitments import RECEIPT_DIGITS
from bot.core.rounds.daily_deals import Ranked, write_day
from bot.texts import Name, Text
from bot.texts.times import read_day
from engine.advice import decision_of, find_decisions, weigh
from engine.daily import CHIPS, HANDS, KEY, DailyCourse, DailyDeal, follow_course, net_of
from engine.errors import Illegal
from engine.felt import TIMEOUT, Amount, Move, Word, find_offer
from engine.games import ODDS
from engine.hand import Hand
from storage.questions import daily
from storage.rows import DailyDealRow, DailyPlayRow
from storage.store import Reader

BET = "bet"
# Number of places that a ranking lists.
PLACES = 10
# The bets with buttons, in multiples of the smallest one.
_TIMES = (1, 2, 5, 10)
# The day, and the number of presses before the button.
_MARK = re.compile(r"([0-9]{1,6})\.([0-9]{1,4})")


@command(
    "deal",
    Text("Play the deal of the day: the same cards for everyone"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[GAME]",
)
def deal(request: Request) -> Answer:
    """Show the deals of today, or where the player is in the one of a game."""
    if request.args:
        return _show_deal(request, take_game(request.args, 0, daily_deals.daily_games())[0])
    day = daily_deals.day_of(request.now)
    lines = [
        Text(
            "Deals of {day}: {hands} hands on the same cards for everyone, once, with {chips} practice chips. There "
            "are no chips to win.",
            day=write_day(day),
            hands=HANDS,
            chips=Amount(CHIPS),
        )
    ]
    choices = []
    for game in daily_deals.daily_games():
        play = daily_deals.find_play(request.transaction, day, game, request.player.id)
        lines.append(_say_state(game, play))
        if play is None or play.score is None:
            choices.append(Choice(Text("{game}", game=Word(game)), "deal", (game,)))
    return Answer((*lines,), choices=(*choices, Choice(Text("Results"), "deal results")))


def _say_state(game: str, play: DailyPlayRow | None) -> Text:
    if play is None:
        return Text("{game}: not played yet", game=Word(game))
    if play.score is None:
        return Text("{game}: in play", game=Word(game))
    return Text("{game}: played, {chips} chips", game=Word(game), chips=Amount(play.score))


@command("deal play", Text("Bet or decide in the deal of the day"), group="knowing", usage="GAME MOVE")
def play(request: Request) -> Answer:
    """Play one bet or move of the deal of the day. A press for another moment only shows where the player is."""
    game, start = take_game(request.args, 0, daily_deals.daily_games())
    said = [word.lower() for word in request.args[start:]]
    row, before, course = _course_of(request, game)
    if said and (mark := _MARK.fullmatch(said[0])) is not None:
        if int(mark[1]) != row.day:
            raise Refused("The deal of {day} is over. Play today's with /deal.", day=write_day(int(mark[1])))
        if int(mark[2]) != len(course.moves):
            return _show_deal(request, game)
        del said[0]
    if not said:
        return _show_deal(request, game)
    try:
        after = course.play(_word_of(request, course, said))
    except Illegal as refused:
        raise Refused(refused.template, refused.clause, **refused.values) from None
    began = before or DailyPlayRow(row.day, game, request.player.id, request.now, "[]", None)
    daily_deals.put_course(request.transaction, began, after)
    return _show_deal(request, game)


def _word_of(request: Request, course: DailyCourse, said: Sequence[str]) -> str:
    """Return the word of a line of play that was typed. Raises Refused."""
    choice = choices_of(course).get((*said,))
    if isinstance(choice, Move):
        return str(choice._replace(seat=""))
    if course.hand is None and said[0] == BET and len(said) == 2:
        limits = course.deal.options
        values = {"wallet": course.chips, "least": limits.minimum, "most": limits.maximum, "step": limits.step}
        return str(parse_amount(said[1], request.player.language, **values))
    possible = [Text("{command}", command=" ".join(words)) for words in choices_of(course)]
    raise (
        Refused("Choose one of: {choices}.", choices=possible)
        if possible
        else Refused("All hands of this deal are played.")
    )


def _course_of(request: Request, game: str) -> tuple[DailyDealRow, DailyPlayRow | None, DailyCourse]:
    """Return today's deck of a game, the player's row, and how far they have come. Raises Refused."""
    transaction, day = request.transaction, daily_deals.day_of(request.now)
    row, before = (
        daily_deals.find_deal(transaction, day, game),
        daily_deals.find_play(transaction, day, game, request.player.id),
    )
    if row is None or row.ended is not None:
        raise Refused("There is no deal of the day here.")
    if before is not None and before.player not in request.player.ids:
        raise Refused("You play this deal with your other account: one play per person.", "TN32")
    return row, before, _follow(row, daily_deals.moves_of(before))


def _follow(row: DailyDealRow, moves: Sequence[str]) -> DailyCourse:
    try:
        return follow_course(daily_deals.terms_of_deal(row), moves)
    except Illegal:
        raise Refused("Today's deal cannot be continued. It is void for everyone.") from None


def _show_deal(request: Request, game: str) -> Answer:
    row, _before, course = _course_of(request, game)
    lesson = show_course(row, course, str(request.own_name))
    return Answer((Text("Deal of the day: only you can see it."),), lesson=lesson)


def read_course(books: Reader, day: int, game: str, moves: Sequence[str], name: str) -> Lesson:
    """Return the screen's content after these moves, from the books."""
    row = daily.deal_of_day(books, day, game)
    assert row is not None, "it was played"
    return show_course(row, follow_course(daily_deals.terms_of_deal(row), moves), name)


def show_course(row: DailyDealRow, course: DailyCourse, name: str) -> Lesson:
    """Return what the player sees of a deal of the day: their own hand, or the last one and the next bets."""
    first = replace(FIRST_HANDS[row.game], opening=(), tells=lambda offers, cards: ())
    table, hand = practice_table(row.game, first), course.hand or next(iter(course.played[-1:]), None)
    return Lesson(
        row.game,
        name,
        (f"{row.day}.{len(course.moves)}",),
        table if hand is None else table_with(table, hand, {}),
        first,
        told=tuple(_describe_deal(row, course)),
        choices=choices_of(course),
        day=row.day,
        course=course,
    )


def choices_of(course: DailyCourse) -> dict[Words, LessonPress]:
    """Return what may be pressed now: bets, or the moves that the chips pay for."""
    if course.is_over:
        return {}
    if course.hand is not None:
        return moves_of(course.offers)
    limits = course.deal.options
    bets = [times * limits.minimum for times in _TIMES]
    fitting = [bet for bet in bets if bet <= limits.maximum and course.deal.cost(bet) <= course.chips]
    return {(BET, typed(bet)): course.deal.stake(bet) for bet in fitting}


def _describe_deal(row: DailyDealRow, course: DailyCourse) -> Iterator[Text]:
    if not course.moves:
        yield Text(
            "You play {hands} hands, once, on the cards that everyone gets today. Hands that are not played by "
            "midnight UTC are played with the smallest bet and no decision.",
            hands=HANDS,
        )
        commit, line = daily_deals.commit_of_deal(row)
        yield Text(
            "Commitment {digits}…, entry {entry} of the lounge's log", digits=commit[:RECEIPT_DIGITS], entry=line
        )
    if course.is_over:
        yield Text("Ranking, cards and best play follow after midnight UTC: /deal results.")
        day, game = write_day(row.day), Word(row.game)
        yield Text("To share: I have played the {game} deal of {day}.", game=game, day=day)


@command(
    "deal results",
    Text("See the ranking, the seed and the best play of a past deal"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[GAME] [DAY]",
)
def results(request: Request) -> Answer:
    """Show the last finished deal of a game, or the one of a day: ranking, seed and coach, and all of it as a file."""
    games = daily_deals.daily_games()
    if not request.args:
        choices = tuple(Choice(Text("{game}", game=Word(game)), "deal results", (game,)) for game in games)
        return Answer((Text("Choose a game to see the ranking of its last deal."),), choices=choices)
    game, start = take_game(request.args, 0, games)
    row = _finished_deal(request, game, request.args[start] if len(request.args) > start else "")
    ranking = daily_deals.rank_deal(request.transaction, row, partial(_is_ranked, request))
    names = {one.player: request.name_of(one.player) for one in ranking}
    own = next((one for one in ranking if one.player == request.player.id), None)
    lines = [
        Text("{game}: deal of {day}, {n} player", "{game}: deal of {day}, {n} players", n=len(ranking), **_named(row)),
        *(Text("{place}. {name}: {chips}", **_values(one, names)) for one in ranking[:PLACES]),
    ]
    if own is not None and own not in ranking[:PLACES]:
        lines.append(Text("{place}. {name}: {chips}", **_values(own, names)))
    if not ranking:
        lines.append(Text("There is no ranking: the deal was not played here, or it was voided."))
    lines.append(Text("Seed: {seed}", seed=row.seed.hex()))
    plays = [(str(names[one.player]), one) for one in ranking]
    return Answer((*lines,), report=partial(_tell_results, row=row, own=own, plays=plays))


def _named(row: DailyDealRow) -> dict[str, object]:
    return {"game": Word(row.game), "day": write_day(row.day)}


def _values(one: Ranked, names: Mapping[int, Name]) -> dict[str, object]:
    return {"place": one.place, "name": names[one.player], "chips": Amount(one.score)}


def _is_ranked(request: Request, player: int) -> bool:
    """Check whether a player is ranked in this casino: its members who are on leaderboards."""
    casino, transaction = request.casino.id, request.transaction
    return transaction.member(casino, player) is not None and is_on_boards(transaction, casino, player)


def _finished_deal(request: Request, game: str, word: str) -> DailyDealRow:
    today = daily_deals.day_of(request.now)
    begins = read_day(word) if word else None
    if word and begins is None:
        raise Refused("Enter the day as YYYY-MM-DD, for example {day}.", day=write_day(today - 1))
    day = daily_deals.day_of(begins) if begins is not None else None
    if day is not None and day >= today:
        raise Refused("That deal is not over yet: its cards are secret until midnight UTC.", "TN32")
    books = request.transaction.books
    row = daily.latest_deal(books, game, today) if day is None else daily.deal_of_day(books, day, game)
    if row is None:
        raise Refused("There is no finished deal of {game} yet.", game=Word(game))
    if row.ended is None:
        raise Refused("The results are not ready yet. Try again in a moment.")
    return row


def _tell_results(beside: Beside, row: DailyDealRow, own: Ranked | None, plays: Sequence[tuple[str, Ranked]]) -> Answer:
    """Compare the player's line with best play, and send the record with every line."""
    kept = {
        "deal": daily_deals.record_of_deal(beside.books, row),
        "plays": [{"player": name, "score": one.score, "moves": list(one.moves)} for name, one in plays],
    }
    file = f"deal-{row.game}-{write_day(row.day)}.json", json.dumps(kept, ensure_ascii=False)
    try:
        lines = tuple(_compare(beside.count, row, own))
    except CountFault:
        lines = (SLOW,)
    check = Text("Check seed, cards and scores: “ridotto verify FILE”.")
    return Answer((*lines, check), file=file)


def _compare(count: Count, row: DailyDealRow, own: Ranked | None) -> Iterator[Text]:
    deal = daily_deals.terms_of_deal(row)
    mine = follow_course(deal, own.moves).played if own is not None else ()
    for number in range(1, HANDS + 1):
        best = play_best(count, deal, number)
        values = {"n": number, "best": _say_moves(best)}
        if number <= len(mine):
            hand = mine[number - 1]
            yield Text(
                "Hand {n}: {own} ({net}); best: {best}", own=_say_moves(hand), net=_signed(net_of(hand)), **values
            )
        else:
            yield Text("Hand {n}: best play {best} ({net} with the smallest bet)", net=_signed(net_of(best)), **values)
    if own is None:
        return
    costs = [cost for hand in mine for cost in _costs(count, hand)]
    good = sum(cost < NOTHING for cost in costs)
    values = {"good": good, "all": len(costs), "cost": Amount(round(sum(costs)))}
    yield Text("{good} of {all} decisions were best; the others cost {cost} on average.", **values)
    line = Text(
        "{game} deal of {day}: {chips} chips, place {place}, {good} of {all} decisions best",
        **_named(row),
        chips=Amount(own.score),
        place=own.place,
        **values,
    )
    yield Text("To share: {line}", line=line)


def _costs(count: Count, hand: Hand) -> Iterator[float]:
    """Yield what each decision of a finished hand cost against the best one, by what the player saw."""
    for asked in find_decisions(hand.deal, list(hand.moves)):
        weighed = count(weigh, ODDS[hand.deal.game].values, asked)
        if weighed.cost is not None:
            yield weighed.cost


def play_best(count: Count, deal: DailyDeal, number: int) -> Hand:
    """Play a hand with the smallest bet, each decision the best by what the player sees. Raises CountFault."""
    hand = deal.deal(number, deal.options.minimum)
    while not hand.is_over:
        values = count(ODDS[deal.game].values, decision_of(hand, KEY))
        hand = hand.play(Move(KEY, *max(values, key=values.__getitem__).split(" ", 1)))
    return hand


def _say_moves(hand: Hand) -> list[Text]:
    """Say the moves of a hand; one without a decision has none."""
    before, moves = Hand(hand.deal), []
    for move in hand.moves:
        moves.append(_say_move(before, move))
        before = before.play(move)
    return moves or [Text("no decision")]


def _say_move(hand: Hand, move: Move) -> Text:
    if move.word == TIMEOUT:
        return Text("time out")
    offer = find_offer(hand.asks.get(KEY, ()), move)
    if offer is None or not move.argument:
        return Text("{move}", move=Word(move.word))
    detail = Amount(int(move.argument)) if offer.most else move.argument
    return Text("{move} {detail}", move=Word(move.word), detail=detail)


def _signed(net: int) -> Text:
    return Text("+{amount}" if net > 0 else "{amount}", amount=Amount(net))
