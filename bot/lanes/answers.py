"""A command on its way to another house, and its answer on its way back, as JSON.

An answer comes back as the keeper would have said it. What stands in it that the books or the rules make again is sent
by its name: a lesson by what was pressed in it, a hand's poster by the hand.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from bot.house.casinos import share
from bot.house.guide import lessons
from bot.house.office.invitations import Invitation
from bot.house.speech.command import Answer, Choice, Command, Where
from bot.house.speech.first_hand import Lesson
from bot.house.state.posters import HandPoster, Poster, RankPoster, RecapPoster
from bot.house.state.table import Settings
from bot.texts import Text, dump_texts, load_texts
from storage.questions import hands
from storage.store import Reader


class Asked(msgspec.Struct, array_like=True):
    """`number` is the asking end's own, `wing` the one for which it asks. Without a command it is an update that a
    platform has brought, for a door."""

    number: int
    command: Command | None
    wing: int = -1
    door: str = ""
    update: str = ""


class _Lesson(msgspec.Struct, array_like=True):
    game: str
    name: str
    said: tuple[str, ...]
    values: list[tuple[tuple[str, ...], float]]
    best: tuple[str, ...]
    told: str


class _HandPoster(msgspec.Struct, tag="hand"):
    hand: int
    name: str
    number: int
    settings: Settings
    is_moving: bool


class _RankPoster(msgspec.Struct, tag="rank"):
    poster: RankPoster


class _RecapPoster(msgspec.Struct, tag="recap"):
    poster: RecapPoster


class _Said(msgspec.Struct, array_like=True):
    """Texts; and what in them is more than its sentence: (which text, under which name, the table, the code)."""

    texts: str
    marks: list[tuple[int, str, int, str]]


class _Choice(msgspec.Struct, array_like=True):
    """`table`: the one that it leads to."""

    label: _Said
    verb: str
    args: tuple[str, ...]
    turns: bool
    table: int = 0


class Told(msgspec.Struct, array_like=True):
    """`lacks`: the wing for want of which nothing was done, and then all else is empty. `done`: whether an update need
    not come again."""

    number: int
    lacks: int | None = None
    texts: _Said | None = None
    refused: bool = False
    clause: str | None = None
    confirm: str = ""
    file: tuple[str, str] | None = None
    found: _Said | None = None
    lesson: _Lesson | None = None
    choices: list[_Choice] = []
    poster: _HandPoster | _RankPoster | _RecapPoster | None = None
    done: bool = False


_encode = msgspec.json.Encoder().encode
_asked, _told = msgspec.json.Decoder(Asked), msgspec.json.Decoder(Told)


def write_asked(number: int, command: Command, wing: int) -> bytes:
    """A frame for the keeper of a wing. Raises UnicodeError for what no JSON holds."""
    return _encode(Asked(number, command, wing))


def write_handed(number: int, door: str, update: str) -> bytes:
    """A frame for the keeper of what an update is about."""
    return _encode(Asked(number, None, door=door, update=update))


def write_done(number: int, *, done: bool) -> bytes:
    """A frame that says whether an update need not come again."""
    return _encode(Told(number, done=done))


def read_asked(frame: bytes) -> Asked:
    """Raises msgspec.MsgspecError."""
    return _asked.decode(frame)


def write_lack(number: int, wing: int) -> bytes:
    """A frame that says: nothing was done, for want of this wing."""
    return _encode(Told(number, wing))


def write_told(number: int, answer: Answer) -> bytes:
    """Of an answer whose report has been read."""
    assert answer.report is None
    return _encode(
        Told(
            number,
            None,
            _say(answer.texts),
            answer.refused,
            answer.clause,
            answer.confirm,
            answer.file,
            _say(answer.found),
            _write_lesson(answer.lesson) if answer.lesson is not None else None,
            [_write_choice(one) for one in answer.choices],
            _write_poster(answer.poster) if answer.poster is not None else None,
        )
    )


def read_told(frame: bytes) -> Told:
    """Raises msgspec.MsgspecError."""
    return _told.decode(frame)


def answer_of(told: Told, books: Reader) -> Answer:
    """Raises BooksGone, and whatever is raised where a hand does not play here."""
    return Answer(
        _hear(told.texts),
        told.refused,
        told.clause,
        told.confirm,
        told.file,
        None,
        _hear(told.found),
        _read_lesson(told.lesson) if told.lesson is not None else None,
        tuple(map(_read_choice, told.choices)),
        _read_poster(told.poster, books) if told.poster is not None else None,
    )


def _write_choice(one: Choice) -> _Choice:
    return _Choice(_say((one.label,)), one.verb, one.args, one.turns, getattr(one.where, "table", 0))


def _read_choice(sent: _Choice) -> Choice:
    where = Where(sent.table) if sent.table else ""
    return Choice(_hear(sent.label)[0], sent.verb, sent.args, sent.turns, where)


def _say(texts: tuple[Text, ...]) -> _Said:
    marks = [
        (number, name, value.table if isinstance(value, Where) else 0, getattr(value, "code", ""))
        for number, text in enumerate(texts)
        for name, value in text.values.items()
        if isinstance(value, Where | Invitation)
    ]
    return _Said(dump_texts(texts), marks)


def _hear(said: _Said | None) -> tuple[Text, ...]:
    if said is None:
        return ()
    texts = [*load_texts(said.texts)]
    for number, name, table, code in said.marks:
        known = texts[number]
        values: Mapping[str, Any] = {**known.values, name: Invitation(code) if code else Where(table)}
        texts[number] = Text(known.template, known.plural, **values)
    return tuple(texts)


def _write_lesson(lesson: Lesson) -> _Lesson:
    return _Lesson(
        lesson.game, lesson.name, lesson.said, [*lesson.values.items()], lesson.best, dump_texts(lesson.told)
    )


def _read_lesson(sent: _Lesson) -> Lesson:
    dealt = lessons.play(sent.game, sent.said, sent.name)
    return replace(dealt, values=dict(sent.values), best=sent.best, told=load_texts(sent.told))


def _write_poster(poster: Poster) -> _HandPoster | _RankPoster | _RecapPoster:
    match poster:
        case HandPoster():
            table = poster.steps[-1]
            return _HandPoster(poster.hand, poster.name, table.number, table.settings, poster.is_moving)
        case RankPoster():
            return _RankPoster(poster)
        case RecapPoster():
            return _RecapPoster(poster)


def _read_poster(sent: _HandPoster | _RankPoster | _RecapPoster, books: Reader) -> Poster:
    if not isinstance(sent, _HandPoster):
        return sent.poster
    row = hands.hand(books, sent.hand)
    assert row is not None, "it was paid"
    return share.read_poster(books, row, sent.name, sent.settings, sent.number, is_moving=sent.is_moving)
