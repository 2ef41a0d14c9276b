"""The casino in a language of accents (tests/pseudo.py): words without accents are in no catalogue.

Proper names stay: games, people, casinos, typed text, and words that must be typed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import astuple

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Answer, Command
from bot.core.commands.table_options import known_at
from bot.core.rounds.playing import MOVES
from bot.core.state.casino_log import FIRST
from bot.core.state.plays import PLAYS
from bot.core.state.table import Settings
from bot.texts import GAME_NAMES, LANGUAGES, Text, say
from bot.texts.games import GAME_TEXTS, odds_of, paytable_of, rules_of
from bot.texts.languages import add_language, locale_of, remove_language
from bot.texts.options import OneOf
from bot.verifier.pack import FILE
from bot.view.describe import describe, describe_hand
from bot.view.pictures.draw import draw_table
from bot.view.pictures.hand import draw_hand
from bot.view.presenter import PRESENTERS
from engine.games import GAMES
from tests import pseudo
from tests.bot.open_house import TABLE, OpenHouse, open_house
from tests.exhibits import NAMES as PEOPLE
from tests.exhibits import exhibits
from tests.pseudo import CODE, plain_words
from tests.simulation.history import History
from tests.view.test_pictures import Notes

STEPS = 500
# Names of games, cards, the casino, and of languages in themselves.
PROPER = {word for name in (*GAME_NAMES.values(), *LANGUAGES.values()) for word in re.findall("[A-Za-z]+", name)}
PROPER |= {"Joker", "Ridotto", "Venezia", "Accents"}


@pytest.fixture(scope="module", autouse=True)
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The test language, while these tests run."""
    name = add_language(pseudo.write_language(tmp_path_factory.mktemp("texts")))
    yield name
    remove_language(name)


def without_accents(said: Iterable[str], *names: str) -> dict[str, str]:
    """Return {word that is no name: its sentence}. Commands are typed as they are."""
    found = ((word, one) for one in said for word in plain_words(re.sub(r"(?<!\w)/[a-z]+", "", one)))
    return {word: one for word, one in found if word not in PROPER and word not in names}


def of_the_dealer() -> set[str]:
    """Return the words of the dealer's calls, which stay in the dealer's language (G7)."""
    calls = [(look.words.opening, *(call.house for call in look.words.calls.values())) for look in PRESENTERS.values()]
    return {word for called in calls for one in called for word in plain_words(one)}


def texts_in(seen: object) -> Iterator[Text]:
    """Yield the texts in a screen, at any depth."""
    if isinstance(seen, Text):
        yield seen
    elif isinstance(seen, Struct):
        yield from texts_in(astuple(seen))
    elif isinstance(seen, tuple | list):
        for one in seen:
            yield from texts_in(one)


def drawn(draw: Any, screen: Any) -> list[str]:
    notes = Notes()
    draw(notes, screen, pseudo.NAME)
    return [line.partition("“")[2] for line in notes.lines if "“" in line]


@pytest.mark.long
@pytest.mark.parametrize("game", PLAYS)
def test_tables_are_said_and_drawn_from_the_catalogue(game: str) -> None:
    shown = [one for one in exhibits(3) if one.game == game]
    said = list[str]()
    for screen in (screen for one in shown for screen in (one.screen, one.own)):
        said += [say(text, pseudo.NAME) for text in texts_in(screen)]
        said += [describe(screen, pseudo.NAME), describe_hand(screen, pseudo.NAME)]
        said += drawn(draw_table, screen)
    for own in (one.own for one in shown):
        if any(seat.is_viewer and seat.piles for seat in own.seats):
            said += drawn(draw_hand, own)
    assert len(said) > 100
    assert not without_accents(said, *PEOPLE, *of_the_dealer(), *typed_words())


@pytest.mark.parametrize("game", PLAYS)
def test_rules_pay_tables_odds_and_options_are_in_the_catalogue(game: str) -> None:
    texts, usual = GAME_TEXTS[game], GAMES[game].options()
    said = [texts.summary, *rules_of(game, usual), *paytable_of(game, usual), *odds_of(game)]
    said += texts.originals.values()
    said += [option.means for option in (*texts.options.values(), *texts.settings.values())]
    assert not without_accents(say(text, pseudo.NAME) for text in said)


class Heard(History):
    """A history that keeps one answer of each kind to each command, without typed names."""

    def _hear(self, command: Command, answer: Answer) -> None:
        kept: dict[tuple[str, str], tuple[Command, Text]] = vars(self).setdefault("kept", {})
        for text in answer.texts:
            kept.setdefault((command.verb, text.template), (command, text))
        super()._hear(command, answer)


def typed_words() -> set[str]:
    """Return the words with one form in every language: commands and their usage, options, games and moves as typed."""
    typed = {word for verb in CHAT_COMMANDS.values() for word in re.findall("[A-Za-z]+", f"{verb.name} {verb.usage}")}
    for name, texts in GAME_TEXTS.items():
        typed |= {word for option in (*texts.options, *texts.settings) for word in option.split("_")}
        known = [option.unit for option in known_at(name).values()]
        typed |= {str(value) for unit in known if isinstance(unit, OneOf) for value in unit.values}
        typed |= {name, *GAMES[name].words} | {word for order in PLAYS[name].orders for word in order.split("-")}
        typed |= {turn.position for turn in PLAYS[name].reveals.in_order}
    return typed | {word for setting in vars(Settings()) for word in setting.split("_")} | {pseudo.NAME}


# A line of the audit log shows the reason as it was typed.
KEPT = "{when} UTC · {who}: {what} ({reason})"
AUDITED = r"⟦[0-9-]{10} [0-9:]{5} · .*: .*⟧"
# Where an answer quotes them.
QUOTES_COMMANDS = (
    "help",
    "rules",
    "cards",
    "learn",
    "standing",
    "statement",
    "table list",
    "table set",
    "table open",
    "house set",
    "meter set",
)


def test_answers_to_every_kind_of_command_are_in_the_catalogue(tmp_path: Path) -> None:
    with closing(Heard(1, tmp_path)) as history:
        for _step in history.run(STEPS):
            pass
        house = history.writer.state
        names = {word for one in house.players.values() for word in re.findall("[A-Za-z]+", one.own_name)}
        names |= {word for one in house.casinos.values() for word in re.findall("[A-Za-z]+", one.name)}
        heard = vars(history)["kept"]
    assert len(heard) > 150
    # A statement shows an inspector's act with the given reason.
    # The name after a reset is written once, in the casino's language.
    typed, names = typed_words(), names | {"test", "Player"}
    for (verb, _template), (command, text) in heard.items():
        # A code to be typed may consist of letters only.
        echoed = set(re.findall("[A-Za-z]+", " ".join((command.verb, *command.args, str(text.values.get("code", ""))))))
        # A move that is not possible is answered with those that are; a bet in a hand of stud is a move (SH8).
        more = typed if verb in QUOTES_COMMANDS or verb in {*MOVES, "bet"} else set()
        if text.template != KEPT:
            assert not without_accents([say(text, pseudo.NAME)], *names, *echoed, *more), command


def test_help_says_every_command(tmp_path: Path) -> None:
    said = [say(verb.help, pseudo.NAME) for verb in CHAT_COMMANDS.values()]
    assert not without_accents(said)


class Page(HTMLParser):
    """The text of a page, visible or read aloud, without lines of the audit log."""

    READ = ("aria-label", "title", "alt", "placeholder")
    # Text that a script shows later.
    LATER = "back bad download good lost missing name rests slow twice uncommitted unreadable unseeded".split()

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said, self._inside = list[str](), list[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._inside.append(tag)
        read = {*self.READ, *(f"data-{name}" for name in self.LATER)}
        self.said += [value for name, value in attrs if value and name in read]

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            while self._inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "pre"} & {*self._inside} and data.strip():
            self.said += [] if re.fullmatch(AUDITED, data.strip()) else [data.strip()]


GUARDED = (
    "/",
    "/history",
    "/statement",
    "/leaderboard",
    "/statistics",
    "/jackpot",
    "/account",
    "/verify",
    "/log/1",
    "/operator",
)


async def pages_of(house: OpenHouse) -> dict[str, str]:
    """Yield every page, before and after a hand of each kind."""
    asked = {"Accept-Language": CODE}
    anna = await house.enter("Zanetta7", **asked)
    found = {path: await (await anna.client.get(path, headers=asked)).text() for path in ("/verify", TABLE)}
    stranger = await house.browser()
    found["front"] = await (await stranger.get("/", headers=asked)).text()
    found["refused"] = await (await stranger.post("/sign-in", data={"name": "x" * 99}, headers=asked)).text()
    found["missing"] = await (await stranger.get("/nowhere", headers=asked)).text()
    await house.submit("inspector add", "Zanetta7")
    for path in GUARDED:
        found[f"new {path}"] = await anna.page(path)
    for table in house.lounge.tables():
        found[f"table {table.id}"] = await anna.page(f"/table/{table.id}")
    await anna.press("bet", "50", "jackpot")
    found["betting"] = await anna.page(TABLE)
    await house.wait(21)
    found["playing"] = await anna.page(TABLE)
    await anna.press("fold")
    await house.wait(30)
    for path in (*GUARDED, TABLE, f"/hand/{house.table().last_hand}"):
        found[path] = await anna.page(path)
    found |= {f"rules of {game}": await anna.page(f"/rules/{game}") for game in PLAYS}
    return found


async def test_pages_of_the_lounge_are_in_the_catalogue(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        found = await pages_of(house)
    assert len(found) > 30
    months = {
        word for month in locale_of(pseudo.NAME).months["format"]["abbreviated"].values() for word in plain_words(month)
    }
    for name, html in found.items():
        assert f'<html lang="{pseudo.NAME}">' in html, name
        # The reason for starting a log is stored in it, in its only language.
        quoted = plain_words(FIRST) if name.endswith("/log/1") else []
        names = "Clockmaker", *plain_words(FILE), *quoted, *months, *of_the_dealer(), *typed_words()
        assert not without_accents(Page(html).said, *names), name


def described(commands: list[Any]) -> Iterator[str]:
    """Yield the descriptions of commands and arguments; in English if there is no translation."""
    for one in commands:
        yield (one.get("description_localizations") or {}).get(CODE, one["description"])
        yield from described(one.get("options", []))
