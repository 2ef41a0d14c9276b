"""Messages between fronts and the writer, as JSON of declared types: commands one way, answers and changes back."""

from dataclasses import replace
from typing import Any

import msgspec

from bot.core.casinos.share import read_shared_hand
from bot.core.commands.command import Answer, Choice, Command
from bot.core.commands.first_hand import Lesson
from bot.core.guide.deal_of_the_day import read_course
from bot.core.guide.lessons import play
from bot.core.state.shared_posts import SharedHand, SharedPost, SharedRank, SharedRecap
from bot.core.state.table import Settings
from bot.core.state.transaction import MAPS, Transaction
from bot.texts import dump_values, load_values
from storage.questions import hands
from storage.rows import LogHeadRow
from storage.store import Reader

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (SharedRank, SharedRecap)}


class Greeting(msgspec.Struct):
    """A sign of life of a front, which serves these platforms."""

    serves: list[str]


class Welcome(msgspec.Struct, tag=True):
    """The writer knows this front from now on and tells it each change; what it holds may be old."""


class Alive(msgspec.Struct, tag=True):
    """There is a writer, and it hears this front."""


class Changed(msgspec.Struct, tag=True):
    """Tables that changed for those who look at them, and what the books have anew: {map of the state: keys}."""

    tables: list[int]
    keys: dict[str, list[Any]]


class Answered(msgspec.Struct, tag=True):
    """The answer to the command of that key."""

    key: str
    answer: str


Told = Welcome | Alive | Changed | Answered
_load_told = msgspec.json.Decoder(Told).decode
_load_sent = msgspec.json.Decoder(Command | Greeting).decode
_encode = msgspec.json.Encoder(enc_hook=str).encode


def dump_told(told: Told) -> str:
    """Encode what the writer says, for `load_told`."""
    return _encode(told).decode()


def load_told(body: str) -> Told:
    """Decode what the writer says. Raises msgspec.DecodeError."""
    told: Told = _load_told(body)
    return told


def dump_sent(sent: Command | Greeting) -> str:
    """Encode what a front sends, for `load_sent`. Raises UnicodeEncodeError for text that is no Unicode."""
    return _encode(sent).decode()


def load_sent(body: str) -> Command | Greeting:
    """Decode what a front sends. Raises msgspec.DecodeError."""
    sent: Command | Greeting = _load_sent(body)
    return sent


def describe_changes(transaction: Transaction, tables: set[int]) -> Changed:
    """Return what a published transaction changed, and the tables that look different now."""
    keys = {name: list(getattr(transaction, name)) for name in (*MAPS, "balances")}
    heads = [(head.casino, head.log) for head in transaction.unwritten(LogHeadRow)]
    return Changed(sorted(tables), {name: found for name, found in {**keys, "heads": heads}.items() if found})


def dump_answer(answer: Answer) -> str:
    """Encode an answer for `load_answer`. Its report has been made."""
    lesson = answer.lesson and _plain_lesson(answer.lesson)
    post = answer.shared_post and _plain_post(answer.shared_post)
    return dump_values((*answer._replace(lesson=None, report=None)[:9], lesson, post))


def _plain_lesson(lesson: Lesson) -> list[Any]:
    """Return a practice hand with what was counted, or a deal of the day without its cards, which the books have."""
    if lesson.course is not None:
        return [lesson.game, lesson.course.moves, lesson.name, lesson.day]
    return [lesson.game, lesson.said, lesson.name, [*lesson.values.items()], lesson.best, lesson.told]


def _load_lesson(values: list[Any], books: Reader) -> Lesson:
    game, said, name, *more = values
    if len(more) == 1:
        return read_course(books, more[0], game, said, name)
    valued, best, told = more
    worth = {tuple(words): value for words, value in valued}
    return replace(play(game, said, name), values=worth, best=tuple(best), told=tuple(told))


def _plain_post(post: SharedPost) -> list[Any]:
    """Return a shared post as values; of a hand only what says which one it is, because the books have the rest."""
    if not isinstance(post, SharedHand):
        return [type(post).__name__, list(post)]
    table = post.steps[-1]
    settings = msgspec.json.encode(table.settings).decode()
    return [SharedHand.__name__, [post.hand, post.name, settings, table.number, post.is_moving]]


def load_answer(data: str, books: Reader) -> Answer:
    """Decode an answer; a shared hand is read in the books, and a lesson is played again."""
    texts, refused, clause, confirm, file, _report, found, _lesson, choices, lesson, post = load_values(data)
    return Answer(
        tuple(texts),
        refused,
        clause,
        confirm,
        file=tuple(file) if file is not None else None,
        found=tuple(found),
        lesson=_load_lesson(lesson, books) if lesson is not None else None,
        choices=tuple(map(_load_choice, choices)),
        shared_post=_load_post(post, books) if post is not None else None,
    )


def _load_choice(values: list[Any]) -> Choice:
    choice = Choice(*values)
    return choice._replace(args=tuple(choice.args))


def _load_post(post: list[Any], books: Reader) -> SharedPost:
    kind, values = post
    if kind in _KINDS:
        told: SharedPost = msgspec.convert(values, type=_KINDS[kind])
        return told
    hand, name, settings, number, is_moving = values
    row = hands.hand(books, hand)
    assert row is not None, "it was paid"
    kept = msgspec.json.decode(settings, type=Settings)
    return read_shared_hand(books, row, name, kept, number, is_moving=is_moving)
