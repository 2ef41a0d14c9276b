"""`ridotto texts check`: every language passes, and each possible error is reported in one line."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.check_language import check
from bot.texts.languages import FILE, FOLDER, KNOWN, LEFT_OUT, remove_language
from bot.verifier.command_line import BAD, FAILED, FINE

NAME = "gsw"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A valid copy of German under an unused code."""
    copy = tmp_path / NAME
    shutil.copytree(FOLDER / "de", copy)
    file = copy / FILE
    text = file.read_text("utf-8").replace("Deutsch", "Alemannisch").replace('["de"]', '["da"]')
    file.write_text(text.replace('tag = "de"', 'tag = "gsw"'), "utf-8")
    yield copy
    remove_language(NAME)


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, old
    path.write_text(text.replace(old, new, 1), "utf-8")


def said_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    status = main(["texts", "check", str(folder)])
    return status, capsys.readouterr().out.splitlines()


@pytest.mark.long
@pytest.mark.parametrize("language", KNOWN)
def test_every_language_is_complete_and_fits(language: str) -> None:
    checked = check(language)
    assert checked.findings == ()
    assert checked.percent == 100


@pytest.mark.long
def test_all_are_checked_without_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "check"]) == FINE
    said = capsys.readouterr().out.splitlines()
    assert [re.sub(r"[0-9]+ of [0-9]+", "N of N", line) for line in said] == [
        f"{name}: {one.name}, N of N messages, 100 %" for name, one in KNOWN.items()
    ]


def test_a_folder_is_checked_by_its_path(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = said_of(folder, capsys)
    assert (status, len(said)) == (FINE, 1)
    assert said[0].startswith(f"{NAME}: Alemannisch, ")


def test_who_names_no_language_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "check", "tlh"]) == BAD
    assert capsys.readouterr().err == f"ridotto: there is no language tlh. Choose one of: {', '.join(KNOWN)}\n"


@pytest.mark.long
def test_one_that_cannot_be_read_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / FILE).write_text("tag = 7")
    assert main(["texts", "check", str(folder)]) == FAILED
    assert "Expected `str`, got `int`" in capsys.readouterr().err
    monkeypatch.setitem(LEFT_OUT, "tlh", "locale.toml: it is not good")
    assert main(["texts", "check"]) == FAILED
    assert "ridotto: tlh: locale.toml: it is not good\n" in capsys.readouterr().err
    assert main(["texts", "check", "tlh"]) == FAILED


def message(text: str) -> Callable[[Path], None]:
    """Write this in place of the German for "Take back"."""
    return lambda folder: replace_in(catalogue(folder), 'msgid "Take back"\nmsgstr "Zurücknehmen"', text)


def catalogue(folder: Path) -> Path:
    return folder / "LC_MESSAGES" / "ridotto.po"


def in_catalogue(old: str, new: str) -> Callable[[Path], None]:
    return lambda folder: replace_in(catalogue(folder), old, new)


def in_file(old: str, new: str) -> Callable[[Path], None]:
    return lambda folder: replace_in(folder / FILE, old, new)


BACK = 'msgid "Take back"\nmsgstr '


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "finding"),
    [
        (message(BACK + '""'), "“Take back” waits for its translation"),
        (message("#, fuzzy\n" + BACK + '"Zurücknehmen"'), "“Take back” is fuzzy"),
        (message('msgid "Take it back"\nmsgstr "Zurück"'), "“Take back” is missing; `make texts` adds it"),
        (message('msgid "Take it back"\nmsgstr "Zurück"'), "“Take it back” is said nowhere"),
        (message(BACK + '"Zurück {nehmen}"'), "“Take back” names nehmen and not nothing"),
        (message(BACK + '"Zurück {"'), "“Take back”: Single '{' encountered in format string"),
        (in_catalogue("Die Ante zahlt 1 zu 1 (CS13).", "(CS14)."), "has other clauses than CS13"),
        (in_catalogue('msgstr "Hand {hand}"', 'msgstr "Hand {mano}"'), "“Hand {hand}” names mano and not hand"),
        (in_catalogue('msgctxt "move"\nmsgid "hit"', 'msgctxt "spot"\nmsgid "hit"'), "move “hit” is missing"),
        (in_catalogue("plural=(n != 1)", "plural=(n > 1)"), "are not the forms of CLDR: one, other"),
        (in_catalogue("nplurals=2; plural=(n != 1)", "nplurals=2; plural=0"), "are not the forms of CLDR: one, other"),
        (in_catalogue("nplurals=2; plural=(n != 1)", "nplurals=1; plural=0"), "is no catalogue: msg has more"),
        (in_catalogue("nplurals=2;", "nplurals=3;"), "“{n} player” waits for its translation"),
        (lambda folder: catalogue(folder).write_text("no catalogue"), "is no catalogue: "),
        (lambda folder: catalogue(folder).unlink(), "there is no catalogue "),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_catalogue_is_told_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None], finding: str
) -> None:
    spoil(folder)
    status, said = said_of(folder, capsys)
    assert status == FAILED
    assert all(line.startswith(f"{NAME}: ") for line in said)
    assert any(finding in line for line in said), said


@pytest.mark.long
def test_what_waits_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message(BACK + '""')(folder)
    said = said_of(folder, capsys)[1][-1]
    counted = re.search(r", ([0-9]+) of ([0-9]+) messages, 99 %", said)
    assert counted is not None
    assert int(counted[1]) == int(counted[2]) - 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "finding"),
    [
        (in_file('phrases = "english"', 'phrases = "german"'), "phrases = 'german' is no word list"),
        (in_file('["alles"]', '["Alles"]'), "all = 'Alles' is no word in lower case"),
        (in_file('["alles"]', '["100"]'), "all = '100' is no word in lower case"),
        (in_file('["alles"]', '["max"]'), "all = 'max' is no word in lower case"),
        (in_file('["alles"]', '["half"]'), "'half' means something else in en, too"),
        (in_file('"haus"', '"haus 7"'), "the name 'haus 7' is no single word"),
        (in_file('discord = ["da"]', 'discord = ["it"]'), "'it' means it too"),
        (in_file('discord = ["da"]', 'discord = ["gsw"]'), "discord: 'gsw' is not a locale"),
        (in_file('telegram = ["da"]', 'telegram = ["gsw"]'), "telegram: 'gsw' is not a two-letter code"),
        (in_file('web = ["da"]', 'post = ["da"]'), "codes for 'post', which is none of"),
        (in_file("„“", "“„"), "'“' opens what '”' closes in en, too"),
        (in_file("Alemannisch", "Italiano"), "'Italiano' is the name of it, too"),
        (in_file("[codes]", "dealer = true\n[codes]"), "the dealer calls in it, too"),
    ],
)
def test_what_is_wrong_with_its_own_is_told_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None], finding: str
) -> None:
    spoil(folder)
    status, said = said_of(folder, capsys)
    assert status == FAILED
    assert any(finding in line for line in said), said


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ('"/setzen"', '"/auf setzen"', "discord: “auf setzen”, for /bet, is no name"),
        ('"/setzen"', f'"/{"x" * 33}"', "for /bet, is no name"),
        ('"/setzen"', '"/fertig"', "discord: “fertig” is bet and ready"),
        ('"Einen Einsatz machen"', f'"{"x" * 101}"', "has 101 characters, 100 at most"),
        ('"Karte {argument} tauschen"', f'"{"x" * 80}{{argument}}"', "has 86 characters, 80 at most"),
        ('"Ridotto hier einrichten"', f'"{"x" * 257}"', "telegram: “" + "x" * 257),
        ('"Falsches Passwort."', '"Das ist es."', ""),
        ('"Das können nur Inspektoren."', f'"{"x" * 201}"', "has 201 characters, 200 at most"),
    ],
)
def test_what_a_platform_would_cut_is_told_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, finding: str
) -> None:
    replace_in(catalogue(folder), f"msgstr {old}", f"msgstr {new}")
    status, said = said_of(folder, capsys)
    assert status == (FAILED if finding else FINE)
    assert any(finding in line for line in said), said
