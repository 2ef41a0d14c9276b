"""Commands with arguments of every kind: refused without a trace, or done with the store in order."""

import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.command_list import CHAT_COMMANDS
from bot.core.state.place import Place
from bot.platforms.common.typed import parse_line as parse_typed
from bot.platforms.telegram.updates import parse_command as parse_telegram
from tests.core.conftest import CARIBBEAN
from tests.fuzz import TIMES, examples
from tests.fuzz.counter import PEOPLE, WORDS, open_counter
from tests.fuzz.lines import answer_somebody, say_something
from tests.fuzz.odd import ODD_TEXTS, odd_texts


@pytest.mark.slow
@pytest.mark.parametrize("verb", sorted(CHAT_COMMANDS))
def test_each_command_takes_each_odd_text(verb: str, tmp_path: Path) -> None:
    """The text is the first, second and third argument, from a player and from an inspector."""
    with open_counter(tmp_path) as counter:
        for who in ("anna", "marco"):
            for odd in ODD_TEXTS:
                for before in ((), ("50",), ("ante", "1")):
                    counter.check(PEOPLE[who], Place("web", str(CARIBBEAN)), verb, *before, odd)


def converse(seed: int, length: int) -> Counter[str]:
    """Run a random conversation; return the number of each verb."""
    random, done = Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder, open_counter(Path(folder)) as counter:
        for _ in range(length):
            if random.random() < 0.05:
                counter.wait(random.choice((6, 21, 40)))
            said = answer_somebody(random, counter) if random.random() < 0.2 else None
            who, place, verb, words, more = said or say_something(random)
            answer = counter.check(PEOPLE[who], place, verb, *words, **more)
            done[verb] += not answer.refused
    return done


def test_whatever_is_said_the_books_are_in_order() -> None:
    done = sum((converse(seed, 400) for seed in range(4)), Counter[str]())
    assert done["bet"] > 10
    assert len(done) > len(CHAT_COMMANDS) / 2, "most of what can be said was done at some time"


@pytest.mark.exhaustive
def test_whatever_is_said_for_long_the_books_are_in_order() -> None:
    for seed in range(100, 100 + 15 * (TIMES or 1)):
        converse(seed, 1000)


@examples(300)
@given(st.lists(odd_texts | st.sampled_from(WORDS), max_size=5).map(" ".join), st.sampled_from(("", "/", "//", "/ ")))
def test_any_line_is_some_command_or_none(line: str, slash: str) -> None:
    verb, words = parse_typed(slash + line)
    assert verb == verb.lower()
    assert all(words)
    found = parse_telegram(slash + line, "ridotto_bot")
    assert found is None or all(found.args)
