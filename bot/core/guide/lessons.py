"""`/learn GAME`: a practice hand for one person, invisible to others and outside of the store.

Law: nothing of it is stored. Buttons contain all earlier presses, which give the same hand again, also after a restart;
no posting, no table and no statistic changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from msgspec import structs

from bot.core.commands.command import Answer, Beside, Refused
from bot.core.commands.counting import Count, CountFault
from bot.core.commands.first_hand import FIRST_HANDS, KEY, LEARNER, FirstHand, Lesson, LessonPress, Words
from bot.core.commands.offers import as_typed
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.commands.words import refuse_game, take_game
from bot.core.guide.coach import SLOW, tell_bets
from bot.core.guide.coaching import NOTHING
from bot.core.rounds.script_budget import WATCHDOG, deal_hand, play_move
from bot.core.state.plays import PLAYS
from bot.core.state.table import PRACTICE, Settings, Table
from bot.texts import Text
from engine.advice import decision_of
from engine.felt import Amount, Move, Offer, Offers, Stake, Word
from engine.games import GAMES, ODDS, SIMULATIONS
from engine.hand import Hand

_HERE = Text("A practice hand: the chips don't count, and only you can see it.")


@command(
    "learn",
    Text("Play a first hand of a game, with practice chips"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[GAME]",
)
def learn(request: Request) -> Answer:
    """Teach the named game, the one here, or the first one; the words after it are the presses so far."""
    here = request.at.game if request.at is not None else next(iter(FIRST_HANDS), "")
    game, start = take_game(request.args, 0, FIRST_HANDS) if request.args else (here, 0)
    lesson = play(game, request.args[start:], str(request.own_name))
    return Answer((_HERE,), report=partial(_count, lesson=lesson))


def _count(beside: Beside, lesson: Lesson) -> Answer:
    return Answer(lesson=counted(beside.count, lesson))


def play(game: str, said: Sequence[str], name: str) -> Lesson:
    """Play the lesson up to these words. Raises Refused for a game without one, and for words that do not fit."""
    if game not in FIRST_HANDS:
        raise refuse_game(game, FIRST_HANDS)
    first, words = FIRST_HANDS[game], tuple(word.lower() for word in said)
    table, rest, last = practice_table(game, first), words, None
    while rest:
        choices = choices_at(first, table)
        taken = next((choice for choice in choices if rest[: len(choice)] == choice), None)
        if taken is None:
            sentence = "“{word}” is not possible in this practice hand. Start it again with `/learn {game}`."
            raise Refused(sentence, word=rest[0][:40], game=game)
        choice, hand = choices[taken], table.round.hand
        last = (hand, choice) if hand is not None and isinstance(choice, Move) else None
        table, rest = _go_on(first, table, choice), rest[len(taken) :]
    return Lesson(game, name, words, table, first, last=last, choices=choices_at(first, table))


def choices_at(first: FirstHand, table: Table) -> dict[Words, LessonPress]:
    """Return what may be typed now, word by word, and what each choice does; empty when the hand is over."""
    hand = table.round.hand
    if hand is None:
        return {(word,): stake for word, stake in first.starts().items()} if table.last is None else {}
    return moves_of(hand.asks.get(KEY, ())) | {
        ("squeeze", turn.position): turn.position for turn in table.plays.reveals.due(table.round.turning)
    }


def moves_of(offers: Offers) -> dict[Words, LessonPress]:
    """Return what may be typed for the listed offers, word by word, and the moves."""
    return {
        (typed.verb, *typed.args): _move(offer, typed.cost)
        for offer in offers
        if offer.listed
        for typed in as_typed(offer)
    }


def _move(offer: Offer, amount: int) -> Move:
    return Move(KEY, offer.word, str(int(amount) + offer.put) if offer.most else offer.argument)


def practice_table(game: str, first: FirstHand) -> Table:
    """Return the lesson's table, in no place; only the learner and their company can sit there."""
    sitting = {stake.seat: int(stake.player.removeprefix("p")) for stake in (*first.starts().values(), *first.others)}
    return Table(
        id=0,
        casino=0,
        number=0,
        game=game,
        options={},
        settings=Settings(seats=max(sitting)),
        memory=PLAYS[game].memory(),
        status=PRACTICE,
        seats=dict(sorted(sitting.items())),
    )


def _go_on(first: FirstHand, table: Table, choice: LessonPress) -> Table:
    match choice:
        case Stake():
            hand = _others_move(deal_hand(first.deal(GAMES[table.game], choice)))
            return table_with(table, hand, _cards_to_turn(table, hand, choice.bets))
        case Move():
            assert table.round.hand is not None
            return table_with(table, _others_move(play_move(table.round.hand, choice)), {})
        case _:
            assert table.round.hand is not None
            return table_with(
                table, table.round.hand, {one: who for one, who in table.round.turning.items() if one != choice}
            )


def table_with(table: Table, hand: Hand, turning: Mapping[str, int]) -> Table:
    """Return the lesson's table with a hand in play or finished."""
    is_over = hand.is_over and not turning
    return table.change(
        last=hand if is_over else None,
        round=structs.replace(table.round, hand=None if is_over else hand, turning=turning),
    )


def _cards_to_turn(table: Table, hand: Hand, bets: Mapping[str, int]) -> dict[str, int]:
    """Give the cards of an area to the learner to turn, if they are alone on it and the game has players turn cards."""
    cards = hand.cards(None)
    turns = (turn for turn in table.plays.reveals.in_order if turn.spot in bets and turn.of(cards))
    return {turn.position: LEARNER for turn in turns}


def _others_move(hand: Hand) -> Hand:
    """Play the others' moves until the learner is asked, or until the hand is over."""
    game = hand.deal.game
    while hand.asks and KEY not in hand.asks:
        seat, offers = next(iter(hand.asks.items()))
        choose = SIMULATIONS[game].strategies["guest"]
        hand = play_move(hand, WATCHDOG.run(game, choose, seat, offers, hand.cards(seat)))
    return hand


def counted(count: Count, lesson: Lesson) -> Lesson:
    """Add the value of each choice; a sentence if that takes too long."""
    try:
        lesson = _valued(count, lesson)
        return replace(lesson, told=(*lesson.told, *_share(count, lesson)))
    except CountFault:
        return replace(lesson, told=(SLOW,))


def _valued(count: Count, lesson: Lesson) -> Lesson:
    hand, game, first = lesson.table.round.hand, GAMES[lesson.game], lesson.first
    if not lesson.said and not game.words:  # without later decisions the bet is the choice
        bets = tell_bets(count, lesson.game, game.options(), None)
        return replace(lesson, best=_cheapest(count, lesson), told=tuple(bets))
    lesson = replace(lesson, told=tuple(_judged(count, lesson)))
    if hand is None or KEY not in hand.asks:
        return lesson
    moves = {words: move for words, move in lesson.choices.items() if isinstance(move, Move)}
    if first.best is not None:
        best = first.best(KEY, hand.asks[KEY], hand.cards(KEY))
        return replace(lesson, best=next(words for words, move in moves.items() if move == best))
    weighed = _weigh(count, hand)
    values = {words: weighed[_written(move)] for words, move in moves.items()} if weighed else {}
    return replace(lesson, values=values, best=max(values, key=values.__getitem__, default=()))


def _cheapest(count: Count, lesson: Lesson) -> Words:
    """Name the cheapest of the bets that the learner may place; nothing if they cost the same."""
    odds = ODDS.get(lesson.game)
    edges = {} if odds is None else count(odds.edges, GAMES[lesson.game].options(), None)
    costs = {word: edges[word].edge for word in lesson.first.starts() if word in edges and edges[word].edge is not None}
    least = [word for word, cost in costs.items() if cost == min(costs.values())]
    return (least[0],) if len(least) == 1 < len(costs) else ()


def _weigh(count: Count, hand: Hand) -> Mapping[str, float]:
    """Return the value of each choice of the learner, as it is typed; empty where the game's odds value none."""
    odds = ODDS.get(hand.deal.game)
    return {} if odds is None else count(odds.values, decision_of(hand, KEY))


def _share(count: Count, lesson: Lesson) -> Iterator[Text]:
    """Yield the learner's share of the pot, in games where choices have no value: allowed because it is practice."""
    odds, hand = ODDS.get(lesson.game), lesson.table.round.hand
    if odds is not None and odds.equity is not None and hand is not None and KEY in hand.asks:
        share = round(100 * count(odds.equity, decision_of(hand, KEY)))
        yield Text("From the cards you see, {share} % of the pot is yours on average (estimate).", share=share)


def _written(move: Move) -> str:
    return str(move._replace(seat=""))


def _judged(count: Count, lesson: Lesson) -> Iterator[Text]:
    """Compare the choice that the learner has just made with the best one."""
    if lesson.last is None:
        return
    hand, move = lesson.last
    weighed = _weigh(count, hand)
    if not weighed:
        return
    best = max(weighed, key=weighed.__getitem__)
    cost = weighed[best] - weighed[_written(move)]
    if cost < NOTHING:
        yield Text("That was the best choice.")
    else:
        yield Text(
            "You chose {move}; {best} was worth {cost} more, on average.",
            move=Word(move.word),
            best=Text("{move}", move=Word(best.partition(" ")[0])),
            cost=Amount(round(cost)),
        )
