"""Languages as folders of data: locale.toml, codes of platforms, amounts by locale."""

import shutil
from pathlib import Path

import pytest
from babel import Locale

from bot.core.commands.naming import is_quoted, take_text
from bot.core.commands.shown_names import could_be_the_casino
from bot.platforms.common.context import language_of
from bot.platforms.telegram.updates import who_of
from bot.texts import LANGUAGES, languages
from bot.texts.catalogues import KINDS, translate_many, translate_word
from bot.texts.languages import (
    FILE,
    FOLDER,
    KNOWN,
    SOURCE,
    BadLanguage,
    add_language,
    dealers_language,
    language_called,
    language_of_code,
    locale_of,
    read_language,
    remove_language,
    words_for_all,
)
from bot.texts.numbers import Ambiguous, read_amount, write_amount, write_number


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of German as another language, for damaging."""
    copy = tmp_path / "gsw"
    shutil.copytree(FOLDER / "de", copy)
    return copy


def change(folder: Path, old: str, new: str) -> None:
    file = folder / FILE
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_english_comes_first_and_every_folder_is_spoken() -> None:
    assert next(iter(LANGUAGES)) == SOURCE
    assert {*LANGUAGES} == {file.parent.name for file in FOLDER.glob("*/*.toml")}
    assert LANGUAGES["de"] == "Deutsch"
    assert languages.LEFT_OUT == {}


def test_one_language_is_the_dealers() -> None:
    assert dealers_language() == "it"


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("en-US", "en"),
        ("en-GB", "en"),
        ("de", "de"),
        ("pt-BR", None),
        ("DE", "de"),
        ("de-CH", "de"),
        ("it_IT", "it"),
        ("item", None),
        ("", None),
        (None, None),
        ("de-DE-1996", "de"),
    ],
)
def test_a_platforms_code_means_a_language_or_none(code: str | None, language: str | None) -> None:
    assert language_of_code(code) == language


def test_what_means_no_language_here_is_english_to_the_doors() -> None:
    import discord
    from telegram import User

    assert language_of(str(discord.Locale.german)) == "de"
    assert language_of(str(discord.Locale.korean)) == language_of(None) == SOURCE
    assert who_of(User(1, "Anna", False, language_code="de-AT")).language == "de"
    assert who_of(User(1, "Anna", False, language_code="ko")).language == SOURCE


def test_a_language_from_elsewhere_is_spoken_and_forgotten(folder: Path) -> None:
    change(folder, 'name = "Deutsch"', 'name = "Alemannisch"')
    change(folder, 'all = ["alles"]', 'all = ["gesamt"]')
    assert add_language(folder) == "gsw"
    try:
        assert LANGUAGES["gsw"] == "Alemannisch"
        assert language_called(" alemannisch ") == "gsw"
        assert "gesamt" in words_for_all()
        assert locale_of("gsw") == Locale("de")
        assert translate_word("flush", KINDS[4], "gsw") == "Flush"
    finally:
        remove_language("gsw")
    assert "gsw" not in LANGUAGES
    assert language_called("Alemannisch") is None
    assert "gesamt" not in words_for_all()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('tag = "de"', "", "missing required field `tag`"),
        ('tag = "de"', 'tag = "xx-yy"', "unknown locale"),
        ('tag = "de"', 'tag = "not a tag"', "not a tag"),
        ('tag = "de"', "tag = 7", "Expected `str`"),
        ('name = "Deutsch"', 'name = ""', "length >= 1"),
        ("quotes", "colour", "unknown field `colour`"),
        ("„“", "„", "length >= 2"),
        ("[codes]", "[codes", "locale.toml"),
    ],
)
def test_a_file_that_says_too_little_or_too_much_is_told_in_one_line(
    folder: Path, old: str, new: str, reason: str
) -> None:
    change(folder, old, new)
    with pytest.raises(BadLanguage) as refused:
        read_language(folder)
    assert reason in str(refused.value)
    assert FILE in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_folder_without_its_file_is_no_language(tmp_path: Path) -> None:
    with pytest.raises(BadLanguage, match=r"locale\.toml cannot be read"):
        read_language(tmp_path)


@pytest.mark.parametrize("said", ["die Bank 7", "Das Haus", "Spielleiter", "Il Banco", "the dealer"])
def test_nobody_is_called_like_the_house_in_any_of_its_languages(said: str) -> None:
    assert could_be_the_casino(said)


@pytest.mark.parametrize("said", ['"Anna Maria"', "“Anna Maria”", "„Anna Maria“", "«Anna Maria»"])
def test_texts_are_quoted_as_each_language_does(said: str) -> None:
    assert is_quoted(said)
    assert take_text(said.split(), 0) == ("Anna Maria", 2)


def test_plurals_are_the_languages_own() -> None:
    for language, one, two in (("de", "{n} Karte verdeckt", "{n} Karten verdeckt"), ("en", "{n} card", "{n} cards")):
        texts = ("{n} card face down", "{n} cards face down") if language == "de" else (one, two)
        assert translate_many(*texts, 1, language) == one
        assert translate_many(*texts, 0, language) == translate_many(*texts, 2, language) == two


@pytest.mark.parametrize(
    ("tag", "minor", "written"),
    [
        ("en", 123_456_789, "1,234,567.89"),
        ("de", 123_456_789, "1.234.567,89"),
        ("de-CH", 123_456_789, "1’234’567.89"),
        ("fr", 123_456_789, "1\u202f234\u202f567,89"),
        ("hi", 1_234_567_800, "1,23,45,678"),
        ("sv", -150, "-1,50"),
        ("it", 5, "0,05"),
        ("it", 10**20 + 1, "1.000.000.000.000.000.000,01"),
    ],
)
def test_amounts_are_written_as_cldr_says(tag: str, minor: int, written: str) -> None:
    assert write_amount(minor, Locale.parse(tag, sep="-")) == written


@pytest.mark.parametrize("tag", ["en", "de", "fr", "hi"])
def test_a_number_is_written_whole(tag: str) -> None:
    locale = Locale.parse(tag)
    assert write_number(1_234_567, locale) == write_amount(123_456_700, locale)


@pytest.mark.parametrize(
    ("tag", "typed", "minor"),
    [
        ("en", "1,500", 150_000),
        ("de", "1,500", 150),
        ("de", "1.500", 150_000),
        ("de-CH", "1'500", 150_000),
        ("fr", "1 500", 150_000),
        ("fr", "1\u00a0500,5", 150_050),
        ("hi", "1,23,45,678", 1_234_567_800),
        ("en", "+5", None),
        ("en", "1_000", None),
        ("en", "1e3", None),
        ("en", "٣", None),
        ("en", "NaN", None),
        ("en", "1 500", None),
    ],
)
def test_amounts_are_read_as_cldr_writes_them(tag: str, typed: str, minor: int | None) -> None:
    assert read_amount(typed, Locale.parse(tag, sep="-")) == minor


@pytest.mark.parametrize(
    ("tag", "typed"),
    [
        ("de", "1,000"),
        ("en", "1.000"),
        ("de", "1.50"),
        ("en", "12,34"),
        ("hi", "123,456"),
        ("de", "1,005"),
        ("en", "1.2.3"),
    ],
)
def test_what_the_locale_would_not_write_is_ambiguous(tag: str, typed: str) -> None:
    with pytest.raises(Ambiguous):
        read_amount(typed, Locale.parse(tag))


def test_known_languages_are_read_once_and_cannot_be_changed_from_outside() -> None:
    with pytest.raises(TypeError):
        KNOWN["xx"] = KNOWN["en"]  # type: ignore[index]
