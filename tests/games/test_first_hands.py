"""Practice hands of every registered game: all ways through them, as the learner sees them.

They end within a few presses, explain each of them, and read and store nothing.
"""

import pickle
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import NoReturn

import pytest

from bot.core.commands.command import Refused
from bot.core.commands.counting import CountFault, here
from bot.core.commands.first_hand import FIRST_HANDS, KEY, LEARNER, Lesson
from bot.core.guide.lessons import choices_at, counted, play
from bot.core.state.table import PRACTICE
from bot.games import PLUGINS
from bot.games.check import what_is_wrong
from bot.platforms.common.press import MOST_LONG, Press, dump_press, load_press
from bot.platforms.discord.drawing import MOST_TEXT
from bot.platforms.telegram.drawing import CAPTION, lesson_text, seen_length
from bot.texts import LANGUAGES, say, say_card
from bot.view import Button, Screen
from bot.view.describe import describe
from bot.view.lessons import VERB, lesson_screen, title_of_lesson
from bot.view.pictures.draw import digest, picture
from bot.view.player_view import view_hand
from engine.advice import decision_of
from engine.cards import HIDDEN
from engine.felt import Stake
from engine.games import ODDS
from storage.store import Books

LONGEST_SENTENCE = 170
# The presses: a bet, and one or two choices or reveals.
MOST_PRESSES = 4
SPOKEN = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]|Joker")


# A store that must not be queried.
UNREAD: Books = object()  # type: ignore[assignment]


_known: dict[bytes, object] = {}


def once(function: Callable[..., object], *args: object) -> object:
    """Compute once for equal questions, as a casino does."""
    asked = pickle.dumps((function, args))
    if asked not in _known:
        _known[asked] = here(function, *args)
    return _known[asked]


def at(game: str, *said: str) -> Lesson:
    return counted(once, play(game, said, "Anna"))


def seen(game: str, *said: str) -> Screen:
    return lesson_screen(at(game, *said), UNREAD)


def said_by(button: Button) -> tuple[str, ...]:
    """Return the words after the game, of a press that continues the same hand."""
    return button.args[1:] if button.kind == "move" else ()


@cache
def all_ways(game: str) -> tuple[tuple[str, ...], ...]:
    """Return all sequences of presses, shortest first."""
    found: list[tuple[str, ...]] = [()]
    for said in found:
        found += [words for button in seen(game, *said).moves if (words := said_by(button)) and words not in found]
    return tuple(found)


def screens(game: str) -> Iterator[tuple[tuple[str, ...], Lesson, Screen]]:
    for said in all_ways(game):
        lesson = at(game, *said)
        yield said, lesson, lesson_screen(lesson, UNREAD)


@pytest.fixture(params=PLUGINS)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.long
def test_the_presses_that_are_advised_end_it_soon_and_well(game: str) -> None:
    said: tuple[str, ...] = ()
    pressed = 0
    while (lesson := at(game, *said)).table.last is None:
        buttons = [button for button in lesson_screen(lesson, UNREAD).moves if said_by(button)]
        advised = [button for button in buttons if said_by(button)[len(said) :] == lesson.best]
        assert advised or len(buttons) == 1 or not said, "whoever has a choice is told which is the best"
        said = said_by((advised or buttons)[0])
        pressed += 1
    has_choices = PLUGINS[game].game.words or PLUGINS[game].play.reveals.steps
    assert (2 if has_choices else 1) <= pressed <= MOST_PRESSES
    shown = lesson_screen(lesson, UNREAD)
    (mine,) = [seat for seat in shown.seats if seat.is_viewer]
    assert mine.result == "win", "it teaches what is right, and the cards are its own"


@pytest.mark.long
def test_every_way_through_it_ends_and_says_something_at_every_press(game: str) -> None:
    ends = 0
    for said, lesson, shown in screens(game):
        assert "Practice" in str(shown.headline) or "practice" in str(shown.headline)
        assert "cannot be shown" not in str(shown.headline), said
        assert len(shown.lines) >= 2
        assert shown.phase == ("playing" if lesson.table.round.hand is not None else PRACTICE)
        assert (shown.bets, shown.more, shown.deadline) == ((), (), None)
        assert {button.verb for button in shown.moves} == {VERB}
        ends += lesson.table.last is not None
        assert bool(choices_at(lesson.first, lesson.table)) == (lesson.table.last is None)
    assert ends


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_sentences_are_short_and_fit_wherever_they_are_shown(game: str, language: str) -> None:
    for said, lesson, shown in screens(game):
        first = lesson.first
        view = view_hand(hand, LEARNER) if (hand := lesson.table.round.hand or lesson.table.last) is not None else None
        own = first.opening if view is None else first.tells(view.hand.asks.get(KEY, ()), view.cards)
        assert all(len(say(text, language)) <= LONGEST_SENTENCE for text in own), said
        whole = [*(say(line, language) for line in (*shown.holds, *shown.lines)), describe(shown, language)]
        assert len("\n".join(whole)) < MOST_TEXT
        assert seen_length(lesson_text(title_of_lesson(lesson), shown, language, 10**6)) <= CAPTION, said


def test_behind_every_button_is_all_that_was_pressed_and_it_fits_a_platform(game: str) -> None:
    presses = 0
    for _said, _lesson, shown in screens(game):
        for button in shown.moves:
            press = Press("verb", button.verb, button.args)
            assert load_press(dump_press(press)) == press
            assert not button.cost
            presses += 1
    assert presses < MOST_LONG


def test_the_same_words_come_to_the_same_screen(game: str) -> None:
    for said, _lesson, shown in screens(game):
        assert seen(game, *said) == shown


def test_G8_no_card_is_shown_that_the_learner_would_not_see_at_a_table(game: str) -> None:
    for said, lesson, shown in screens(game):
        hand = lesson.table.round.hand or lesson.table.last
        told = " ".join([describe(shown, "en"), *map(str, (*shown.holds, *shown.lines))])
        lying = view_hand(hand, LEARNER, lesson.table.round.turning).cards.values() if hand is not None else ()
        may = {say_card(card) for cards in lying for card in cards if card != HIDDEN}
        named = set(SPOKEN.findall(" ".join(describe(shown, "en").splitlines()[1:])))
        assert named <= may, (said, told)
        piles = [*shown.bank, *(pile for seat in shown.seats for pile in seat.piles)]
        assert {say_card(card) for pile in piles for card in pile.cards if card != HIDDEN} <= may


def test_it_is_drawn(game: str) -> None:
    drawn = {digest(shown, "en"): shown for _said, _lesson, shown in screens(game)}
    for shown in list(drawn.values())[:6]:
        assert picture(shown, "en").startswith(b"\x89PNG")


def test_what_is_best_is_what_was_counted(game: str) -> None:
    for said, lesson, _shown in screens(game):
        if lesson.values:
            assert lesson.values[lesson.best] == max(lesson.values.values()), said
            assert lesson.values.keys() == choices_at(lesson.first, lesson.table).keys()


def test_a_choice_is_judged_by_what_the_better_one_was_worth(game: str) -> None:
    for said, lesson, _shown in screens(game):
        for words, worth in lesson.values.items():
            after = at(game, *said, *words)
            cost = lesson.values[lesson.best] - worth
            told = str(after.told[0])
            assert (told == "That was the best choice.") == (cost < 0.5), (said, words, told)


@pytest.mark.long
def test_between_players_each_decision_has_the_share_that_is_the_learners(game: str) -> None:
    odds = ODDS.get(game)
    for said, lesson, shown in screens(game):
        hand = lesson.table.round.hand
        told = [str(line) for line in shown.lines if "% of the pot is yours on average (estimate)" in str(line)]
        if odds is None or odds.equity is None or hand is None or KEY not in hand.asks:
            assert not told
        else:
            share = round(100 * odds.equity(decision_of(hand, KEY))) if len(said) == 1 else None
            assert len(told) == 1
            assert share is None or f" {share} % " in told[0]


def test_words_that_do_not_fit_are_refused_with_the_way_to_begin(game: str) -> None:
    for said in all_ways(game):
        with pytest.raises(Refused) as refused:
            play(game, (*said, "nonsense"), "Anna")
        assert f"/learn {game}" in str(refused.value.text)


def test_one_game_leads_to_the_next_until_all_were_learnt(game: str) -> None:
    been, now = [game], game
    while (now := seen(now).moves[-1].args[0]) not in been:
        been.append(now)
    assert sorted(been) == sorted(FIRST_HANDS)


def test_where_nobody_counts_in_time_it_goes_on_without(game: str) -> None:
    def too_slow(*_asked: object) -> object:
        raise CountFault("too slow")

    for said in all_ways(game):
        lesson = counted(too_slow, play(game, said, "Anna"))
        shown = lesson_screen(lesson, UNREAD)
        assert (lesson.values, lesson.said) == ({}, said)
        assert [button.args for button in shown.moves] == [button.args for button in seen(game, *said).moves]


def test_a_fault_of_its_words_is_a_sentence(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_about: object) -> NoReturn:
        raise RuntimeError("a fault of the game")

    first = replace(FIRST_HANDS[game], tells=fail)
    monkeypatch.setattr("bot.core.guide.lessons.FIRST_HANDS", MappingProxyType({**FIRST_HANDS, game: first}))
    (word, *_others) = first.starts()
    shown = seen(game, word)
    assert "cannot be shown" in str(shown.headline)
    assert shown.moves == ()


def test_one_that_cannot_be_dealt_leaves_its_game_out(game: str) -> None:
    plugin = PLUGINS[game]
    first = plugin.first_hand
    assert what_is_wrong(plugin) is None
    wrong = {
        "has nothing to bet": replace(first, bets=()),
        "nothing to say": replace(first, opening=()),
        "has dice, or none": replace(first, dice=None if first.dice else (1, 1)),
        "cannot be dealt: XX is not a card": replace(first, cards=f"XX {first.cards}"),
        "cannot be dealt": replace(first, others=(Stake(1, "p1", {}),)),
        "first_hand.tells is no function": replace(first, tells=lambda: ()),  # type: ignore[arg-type, misc]
    }
    for told, lie in wrong.items():
        assert told in (what_is_wrong(replace(plugin, first_hand=lie)) or ""), told
