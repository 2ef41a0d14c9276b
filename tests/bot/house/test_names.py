"""In the lounge nobody is taken for another by his name, nor for the house."""

import sqlite3

import pytest

from bot.house.people.names import GUEST_NAMES, LONGEST_NAME, is_of_the_house, trim_name
from bot.house.speech.command import Command, Place, Who
from storage.looks import looks_of
from storage.sqlite import SqliteBooks
from tests.disk import ask

LOUNGE = Place("web", "lobby")


def come(house, name, platform="web", account=None):
    """What a newcomer of that name is called; None when the name is refused."""
    account = account or f"{platform} account {house.keys}"
    house.keys += 1
    command = Command(f"come {house.keys}", Who(platform, account, name), LOUNGE, "balance")
    if house.batch([command])[0].refused:
        return None
    known = house.pit.floor.house
    return known.player(known.identity(platform, account)).name


@pytest.mark.parametrize(
    ("first", "like_it"),
    [
        ("anna", "anna"),
        ("anna", "ANNA"),
        ("anna", "аnna"),  # with a Cyrillic a
        ("mario", "ｍａｒｉｏ"),  # full width
        ("Éva", "éva"),
        ("éva", "e\u0301va"),
        ("Luca", "Iuca".replace("I", "l")),
        ("lda", "Ida"),
        ("Bob", "B0b"),
        ("Strasse", "straße"),
        ("morning", "rnorning"),
        ("ΑΒΕ", "ABE"),  # Greek capitals, Latin capitals
    ],
)
def test_who_looks_like_somebody_is_told_apart_by_a_number(house, first, like_it):
    assert come(house, first) == first
    second = come(house, like_it)
    assert second.endswith(" 2")
    assert come(house, like_it).endswith(" 3")


def test_two_who_come_in_one_batch_are_told_apart_too(house):
    commands = [Command(f"key {n}", Who("web", f"account {n}", "Anna"), LOUNGE, "balance") for n in range(5)]
    house.batch(commands)
    names = {row[0] for row in ask(house.books, "SELECT name FROM players")}
    assert names == {"Anna", "Anna 2", "Anna 3", "Anna 4", "Anna 5"}


def test_different_names_stay_as_they_are(house):
    for name in ("Ali", "Alì", "Zoë", "Zoe 7", "José María", "anna.b", "O'Neil", "Ann-Lu", "🎲"):
        assert come(house, name) == name
    for name in ("李小龍", "Ольга", "नेहा", "Þóra", "Nguyễn Thị"):
        assert come(house, name) == name


@pytest.mark.parametrize(
    "name",
    [
        "anna\u034f",  # combining grapheme joiner
        "anna\ufe0f",  # variation selector
        "anna\u115f",  # Hangul filler
        "an\u200bna",
        "\u202eanna",
        "\u3164",
        "\u2800",
        "a\u2800b",
        "\u00ad",
        "\U000e0041anna",
        "anna\ue000",
        "anna\u0378",  # assigned to nothing
        "\u0301anna",
        "a" + "\u0301\u0302\u0303\u0304\u0305",
        "a \u0301",
        "",
        "  ",
        "x" * 33,
        "\ufdfa\ufdfa",  # short as typed, long as it is written
        "<b>",
        "a@b",
    ],
)
def test_what_cannot_be_seen_is_no_name(house, name):
    assert come(house, name) is None
    assert not ask(house.books, "SELECT 1 FROM players")


def test_as_many_accents_as_any_language_writes_are_taken(house):
    name = "q" + "\u0301" * 3
    assert come(house, name) == name
    assert come(house, name + "\u0301") is None


@pytest.mark.parametrize(
    "name",
    [
        "Dealer",
        "dealer 2",
        "Dea1er",
        "D e a l e r",
        "Ｄｅａｌｅｒ",
        "Deаler",  # with a Cyrillic a
        "Inspector",
        "The house",
        "the  HOUSE 21",
        "House",
        "Bank",
        "Banco",
        "il Banco",
        "La casa",
        "Mazziere",
        "Ispettore",
        "Casinò",
        "Croupier_7",
        "Ridotto",
    ],
)
def test_nobody_is_called_like_the_house(house, name):
    assert is_of_the_house(name)
    answer = house.batch([Command("come", Who("web", "account", name), LOUNGE, "balance")])[0]
    assert "taken for the house" in str(answer.texts[0])


@pytest.mark.parametrize("name", ["Anna Banks", "Casanova", "House of Cards", "Dealerino", "Bancroft", "Lacasa", "Il"])
def test_a_name_that_only_holds_such_a_word_is_nobodys_but_his(house, name):
    assert come(house, name) == name


@pytest.mark.parametrize("name", [*GUEST_NAMES, "Momolo".upper(), "Mоmolo"])  # the last with a Cyrillic o
def test_the_names_of_house_players_are_theirs_before_they_come(house, name):
    assert come(house, name).endswith(" 2")
    for number, own in enumerate(GUEST_NAMES):
        assert come(house, own, "guest", str(number)) == own


def test_a_house_player_gives_way_to_a_person_of_old_books(house):
    house.change("INSERT INTO players (id, name, language, state, joined) VALUES (7, 'Zanetta', 'en', '{}', 0)")
    house.change("INSERT INTO looks VALUES ('zanetta', 7)")
    assert come(house, "Zanetta", "guest", "0") == "Zanetta 2"


def test_a_long_name_stays_within_its_length_with_its_number(house):
    assert come(house, "x" * LONGEST_NAME) == "x" * LONGEST_NAME
    assert come(house, "x" * LONGEST_NAME) == "x" * (LONGEST_NAME - 2) + " 2"


def test_platforms_call_people_as_they_like_but_visibly(house):
    for _ in range(2):
        assert come(house, "The dealer", "discord") == "The dealer"
    assert come(house, "The dealer", "telegram") == "The dealer"
    assert trim_name("an\u034fna\ufe0f \u3164\u2800") == "anna"
    assert trim_name("\u202e\u3164") == "?"


def test_a_name_of_the_lounge_gives_way_to_one_of_a_platform(house):
    assert come(house, "Anna", "discord") == "Anna"
    assert come(house, "anna") == "anna 2"


def test_wildcards_are_letters_like_others(house):
    assert come(house, "anna") == "anna"
    assert [come(house, name) for name in ("%", "_", "a%", "a___")] == ["%", "_", "a%", "a___"]


@pytest.mark.parametrize("stores", ["sqlite"], indirect=True)
def test_a_free_name_is_found_by_few_looks_however_many_have_it(house, monkeypatch):
    count = 20_000
    conn = house.books.db.conn
    people = [(n, "guest" if n == 1 else f"guest {n}") for n in range(1, count + 1)]
    with house.books.db.atomic():
        conn.executemany("INSERT INTO players (id, name, language, state, joined) VALUES (?, ?, 'en', '{}', 0)", people)
        looks = [(look, n) for n, name in people for look in looks_of(name)]
        conn.executemany("INSERT INTO looks VALUES (?, ?)", looks)
    asked = []
    select = house.books._select

    def noting(sql, *values):
        asked.append(sql)
        return select(sql, *values)

    monkeypatch.setattr(house.books, "_select", noting)
    house.pit.floor.house.ids.clear()
    house.books._given.clear()
    assert come(house, "guest") == f"guest {count + 1}"
    assert sum("looks" in sql for sql in asked) < 100
    (sql,) = {sql for sql in asked if "looks" in sql}
    plan = select(f"EXPLAIN QUERY PLAN {sql}", "guest")
    assert all("SEARCH" in line for *_numbers, line in plan), plan


def test_looks_of_who_came_before_are_in_old_books(tmp_path):
    SqliteBooks(tmp_path).close()
    with sqlite3.connect(tmp_path / "ridotto.sqlite3") as old:
        old.execute("DROP TABLE looks")
        old.execute("DELETE FROM _sqlite_migrations WHERE name = 'looks_of_names'")
        old.execute(
            "INSERT INTO players (id, name, language, state, joined)"
            " VALUES (1, 'Ida', 'en', '{}', 0), (2, 'Dealer', 'it', '{}', 0)"
        )
    old.close()
    books = SqliteBooks(tmp_path)
    assert ask(books, "SELECT look, player FROM looks ORDER BY look") == [("dealer", 2), ("ida", 1), ("lda", 1)]
    assert ask(books, "SELECT name FROM players ORDER BY id") == [("Ida",), ("Dealer",)], "names stay"
    books.close()
