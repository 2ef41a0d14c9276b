"""Build the screen of a practice hand or of a deal of the day: a real table with explanations and buttons.

A press of a practice hand carries all earlier ones, so that the server keeps no state: in chats it is `/learn` with
them, on a page that draws a table its address has them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from bot.core.commands.first_hand import FIRST_HANDS, KEY, LEARNER, Lesson, Words
from bot.core.commands.shown_names import GUEST_NAMES
from bot.core.guide.lessons import choices_at
from bot.core.rounds.betting import cost_of
from bot.core.rounds.daily_deals import write_day
from bot.core.state.plays import Seating
from bot.core.state.table import Settings, Table, owners_of
from bot.core.state.transaction import State
from bot.texts import Text, title_of
from bot.view import Button, Screen
from bot.view.build import caught, public_screen
from bot.view.payments import signed
from bot.view.player_view import hand_on
from bot.view.render_context import RenderContext, lone_state
from engine.daily import HANDS
from engine.felt import Amount, Stake, Word
from engine.games import GAMES
from storage import ledger
from storage.store import ReadableBooks

VERB, DEAL = "learn", "deal"


def title_of_lesson(lesson: Lesson) -> Text:
    """Return the heading of the learner's screen."""
    if lesson.day is None:
        return Text("{game}: a first hand", game=title_of(lesson.game))
    return Text("{game}: deal of the day {day}", game=title_of(lesson.game), day=write_day(lesson.day))


def lesson_screen(lesson: Lesson, books: ReadableBooks) -> Screen:
    """Return the learner's screen. Nothing is read from `books`; the whole table is in `lesson`."""
    return caught(partial(_draw, lesson), _build_state(lesson, books), lesson.table, LEARNER, 0.0)


def lesson_table(lesson: Lesson, books: ReadableBooks) -> Screen:
    """Return the learner's screen for a page that draws a whole table: all seats of the game, each button where a table
    has it, as a table's command. `lines` explain.
    """
    table = lesson.table.change(settings=Settings())
    return caught(partial(_draw_table, lesson), _build_state(lesson, books), table, LEARNER, 0.0)


def words_of(said: Sequence[str], verb: str, args: Sequence[str]) -> Words:
    """Return the words after /learn GAME of a press on such a page, with those that were `said` before."""
    return (*said, *((verb, *args) if said or not args else args))


def next_press(lesson: Lesson, shown: Screen) -> Button | None:
    """Return the button of `lesson_table` to press next: of the best choice, or of the first; None at the end."""
    choices = choices_at(lesson.first, lesson.table)
    wanted = lesson.best or next(iter(choices), ())
    of_seats = (button for seat in shown.seats for button in seat.buttons)
    buttons = (*shown.moves, *shown.bets, *of_seats)
    said = (*lesson.said, *wanted)
    return next((one for one in buttons if wanted and words_of(lesson.said, one.verb, one.args) == said), None)


def _build_state(lesson: Lesson, books: ReadableBooks) -> State:
    """Return a state with only the players of this hand and their chips."""
    table, first = lesson.table, lesson.first
    names = {LEARNER: lesson.name} | dict(zip(_company(table), GUEST_NAMES, strict=False))
    brought = {LEARNER: first.stack} | {int(one.player.removeprefix("p")): one.stack for one in first.others}
    back = _net(table)
    balances = {ledger.stack(table.id, player): stack + back.get(player, 0) for player, stack in brought.items()}
    balances[ledger.wallet(table.casino, LEARNER)] = ledger.LARGEST
    return lone_state(table, names, balances, books)


def _company(table: Table) -> list[int]:
    return [player for player in table.seats.values() if player != LEARNER]


def _net(table: Table) -> dict[int, int]:
    """Return the net result of a finished hand by player."""
    if table.last is None:
        return {}
    wagered, returned = table.last.wagered(), table.last.returned()
    return {
        player: sum(returned[key].values()) - sum(wagered[key].values())
        for key, player in owners_of(table.last).items()
    }


def _draw(lesson: Lesson, context: RenderContext) -> Screen:
    shown = public_screen(context)
    choices = _choices(lesson, shown)
    return replace(
        shown,
        headline=_headline(lesson, shown) if context.is_playing or lesson.course is not None else shown.headline,
        meter=None,
        lines=(*shown.lines, *_said(lesson, context), *_weighed(lesson, choices)),
        bets=(),
        moves=tuple(_button(lesson, words, label, card) for words, (label, card) in choices.items()) + _ends(lesson),
        more=(),
        holds=_without_choices(shown),
    )


def _draw_table(lesson: Lesson, context: RenderContext) -> Screen:
    shown, choices = public_screen(context), choices_at(lesson.first, lesson.table)
    bets = tuple(_bet(lesson, word, stake) for (word, *_), stake in choices.items() if isinstance(stake, Stake))
    seats = shown.seats
    if context.plays.seating is Seating.BOXES:
        seats, bets = tuple(one._replace(buttons=bets) if one.is_viewer else one for one in seats), ()
    return replace(
        shown,
        meter=None,
        seats=seats,
        lines=(*(lesson.told if lesson.said else ()), *_said(lesson, context)),
        bets=bets,
        moves=tuple(one for one in shown.moves if (one.verb, *one.args) in choices),
        more=(),
        holds=_without_choices(shown),
    )


def _without_choices(shown: Screen) -> tuple[Text, ...]:
    return tuple(line for line in shown.holds if "choices" not in line.values)


def _bet(lesson: Lesson, word: str, stake: Stake) -> Button:
    """Return the button that begins the hand; nobody is asked twice about practice chips, so a stack costs nothing."""
    if stake.stack:
        return Button(_begin(stake), word, (), "bet")
    rules = GAMES[lesson.game]
    cost, amount = cost_of(rules, rules.options(), stake.bets), sum(stake.bets.values())
    spot = next(iter(stake.bets))
    return Button(_begin(stake), "bet", (word,), "bet", cost=Amount(cost), spot=spot, amount=Amount(amount))


def _headline(lesson: Lesson, shown: Screen) -> Text:
    course = lesson.course
    if course is None:
        return Text("Practice: {now}", now=shown.headline)
    if course.is_over:
        return Text("All hands are played: {chips} chips.", chips=Amount(course.chips))
    return Text("Hand {n} of {hands}. Chips: {chips}.", n=course.number, hands=HANDS, chips=Amount(course.left))


def _said(lesson: Lesson, context: RenderContext) -> tuple[Text, ...]:
    """Return the game's explanation; cards that the learner has not revealed yet are left out."""
    turned = context.view if not context.table.round.turning else hand_on(context.table, None)
    if turned is None:
        return lesson.first.opening
    return lesson.first.tells(turned.hand.asks.get(KEY, ()), turned.cards)


def _choices(lesson: Lesson, shown: Screen) -> dict[Words, tuple[Text, int]]:
    """Return {press: its label, as at a table, and the position of its card}."""
    buttons = {(button.verb, *button.args): (button.label, button.card) for button in shown.moves}
    return {
        words: (_say_bet(lesson, choice), 0) if isinstance(choice, Stake) else buttons[words]
        for words, choice in lesson.choices.items()
    }


def _say_bet(lesson: Lesson, stake: Stake) -> Text:
    """Return the label of a bet; in a deal of the day it has one spot, and its cost where the rules add to it (UT2)."""
    if lesson.course is None:
        return _begin(stake)
    (bet,) = stake.bets.values()
    label, cost = Text("Bet {cost}", cost=Amount(bet)), lesson.course.deal.cost(bet)
    return label if cost == bet else Text("{label} ({cost})", label=label, cost=Amount(cost))


def _begin(stake: Stake) -> Text:
    if stake.stack:
        return Text("Buy in: {amount}", amount=Amount(stake.stack))
    bets = [Text("{spot} {amount}", spot=Word(spot), amount=Amount(bet)) for spot, bet in stake.bets.items()]
    return Text("{bets}", bets=bets)


def _weighed(lesson: Lesson, choices: Mapping[Words, tuple[Text, int]]) -> Iterator[Text]:
    """Yield the computed values: of the learner's last choice, or of each present one."""
    yield from lesson.told
    if lesson.best:
        yield Text("Best: {choice}.", choice=choices[lesson.best][0])
    if lesson.values:
        worth = sorted(lesson.values.items(), key=lambda one: -one[1])
        each = [Text("{choice}: {net}", choice=choices[words][0], net=signed(round(net))) for words, net in worth]
        yield Text("Average values: {choices}.", choices=each)


def _button(lesson: Lesson, words: Words, label: Text, card: int) -> Button:
    """Return the button of a choice, with a mark on the best one."""
    marked = Text("★ {label}", label=label) if words == lesson.best else label
    return Button(
        marked,
        VERB if lesson.course is None else f"{DEAL} play",
        (lesson.game, *lesson.said, *words),
        "move",
        card=card,
    )


def _ends(lesson: Lesson) -> tuple[Button, ...]:
    """Return the buttons for the same game again, after the end, and for the next game; or for all deals of the day."""
    if lesson.course is not None:
        return (Button(Text("Deals of the day"), DEAL),) if lesson.course.is_over else ()
    again = Button(Text("Once more"), VERB, (lesson.game,))
    games = [*FIRST_HANDS]
    following = games[(games.index(lesson.game) + 1) % len(games)]
    other = Button(Text("Next game: {game}", game=Word(following)), VERB, (following,))
    if not lesson.said:
        return (other,)
    return (again, other) if lesson.table.last is not None else ()
