"""Names in the lounge: no one can be mistaken for another player or for the casino."""

from time import process_time

import pytest

from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Command, Who
from bot.core.commands.shown_names import GUEST_NAMES, LONGEST_NAME, could_be_the_casino, trim_name
from bot.core.state.lounge import LOUNGE as LOUNGE_ID
from bot.core.state.place import Place
from bot.texts import Name, Text
from tests.disk import ask

LOUNGE = Place("web", "lobby")


def come(house, name, platform="web", account=None):
    """Return the name given to a newcomer; None if it is refused."""
    account = account or f"{platform} account {house.keys}"
    house.keys += 1
    command = Command(f"come {house.keys}", Who(platform, account, name), LOUNGE, "balance")
    if house.batch([command])[0].refused:
        return None
    known = house.writer.state
    return known.name_of(LOUNGE_ID, known.identity(platform, account))


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
    assert second.endswith(" (2)")
    assert come(house, like_it).endswith(" (3)")


def test_two_who_come_in_one_batch_are_told_apart_too(house):
    commands = [Command(f"key {n}", Who("web", f"account {n}", "Anna"), LOUNGE, "balance") for n in range(5)]
    house.batch(commands)
    names = set(ask(house.books, "SELECT name, number FROM members"))
    assert names == {("Anna", 1), ("Anna", 2), ("Anna", 3), ("Anna", 4), ("Anna", 5)}


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
        "anna\u0378",  # characters without an assignment
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
    assert could_be_the_casino(name)
    answer = house.batch([Command("come", Who("web", "account", name), LOUNGE, "balance")])[0]
    assert "looks like the casino" in str(answer.texts[0])


@pytest.mark.parametrize("name", ["Anna Banks", "Casanova", "House of Cards", "Dealerino", "Bancroft", "Lacasa", "Il"])
def test_a_name_that_only_holds_such_a_word_is_nobodys_but_theirs(house, name):
    assert come(house, name) == name


@pytest.mark.parametrize("name", [*GUEST_NAMES, "Momolo".upper(), "Mоmolo"])  # the last with a Cyrillic o
def test_the_names_of_house_players_are_theirs_before_they_come(house, name):
    assert come(house, name).endswith(" (2)")
    for number, own in enumerate(GUEST_NAMES):
        assert come(house, own, "guest", str(number)) == own


def test_a_long_name_stays_whole_before_its_number(house):
    assert come(house, "x" * LONGEST_NAME) == "x" * LONGEST_NAME
    assert come(house, "x" * LONGEST_NAME) == "x" * LONGEST_NAME + " (2)"


def test_platforms_call_people_as_they_like_but_visibly(house):
    assert come(house, "Bea", "discord") == "Bea"
    assert come(house, "Bea", "discord") == "Bea (2)"
    assert come(house, "The dealer", "telegram") == "The dealer (2)", "nobody is the dealer"
    assert trim_name("an\u034fna\ufe0f \u3164\u2800") == "anna"
    assert trim_name("\u202e\u3164") == "?"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Jackpot: 10,000 Dealer: A♠", "Jackpot 10,000 Dealer A"),
        ("🂡 A♠ K♥\ufe0f", "A K"),
        ("▸ 2. Ben:", "2. Ben"),
        ("Ben (2)", "Ben 2"),
        ("Ben（１０）", "Ben 10"),
        ("Ben ⑵", "Ben 2"),
        ("Ben ❨2❩", "Ben 2"),
        ("Ben (she)", "Ben (she)"),
        ("3:1 Ben", "3:1 Ben"),
        ("♠♥", "?"),
    ],
)
def test_a_name_is_no_part_of_a_table(name, shown):
    assert trim_name(name) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [("\u0301" * 5, "?"), ("Z" + "\u0336" * 40 + "oe", "Z\u0336\u0336\u0336oe"), ("Bea \u0489\u0301", "Bea")],
)
def test_accents_of_a_name_are_drawn_over_nothing_else(house, name, shown):
    assert trim_name(name) == shown
    assert come(house, name, "telegram") == shown


JOINED = ["علی\u200cرضا", "ශ්\u200dරී", "क्\u200cष", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "👩🏽\u200d🚀"]


@pytest.mark.parametrize("name", JOINED)
def test_joiners_stay_where_a_script_needs_them(house, name):
    assert trim_name(name) == name
    assert come(house, name) == name
    assert come(house, name.replace("\u200c", "").replace("\u200d", "")).endswith(" (2)"), "nobody sees the difference"


@pytest.mark.parametrize(
    "name", ["an\u200dna", "\u200danna", "anna\u200c", "ر\u200cر", "1\u200c2", "👩\u200d", "a\u200d👩"]
)
def test_joiners_go_where_nobody_sees_them(house, name):
    assert not set(trim_name(name)) & {"\u200c", "\u200d"}
    assert come(house, name) is None


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\u2066\u2067\u2068\u2069", "?"),  # isolates alone
        ("\u2068anna\u2069", "anna"),
        ("\ue000\uf8ff", "?"),  # for private use
        ("an\ue000\uf8ffna", "an na"),
        ("\udfff\ud800", "?"),  # surrogates without their other half
        ("an\ud800na", "an na"),
    ],
)
def test_what_no_platform_should_send_is_left_out_of_a_name(house, name, shown):
    assert come(house, name, "telegram") == shown
    assert come(house, name) is None
    house.restart()
    assert trim_name(name) == shown


@pytest.mark.parametrize("joined", ["\u200d", "\u200c", "ع\u200c", "👩\u200d", "👩\ufe0f", "ع\u0301\u200c"])
def test_a_name_of_ten_thousand_joiners_costs_no_time(house, joined):
    name, began = "ع" + joined * 10_000, process_time()
    assert len(come(house, name, "telegram")) <= LONGEST_NAME
    assert come(house, name) is None
    assert process_time() - began < 0.5


def test_fifty_of_one_name_are_told_apart_and_each_is_found(house):
    names = [come(house, "Anna", "telegram") for _ in range(50)]
    assert names == ["Anna", *(f"Anna ({number})" for number in range(2, 51))]
    answer = house.do("insp grant Anna 5 prize")
    assert answer.refused
    assert 2 <= len(answer.choices) <= 25
    assert house.do('insp grant "Anna (50)" 5 prize', sure=True).texts[0].values["name"] == "Anna (50)"


def test_two_who_look_alike_at_one_table_are_told_apart(house):
    say(house, Who("telegram", "7", "Ben"))
    say(house, Who("telegram", "8", "B\u0435n"))
    say(house, Who("telegram", "9", "Ben (2)"))
    assert [name_of(house, account) for account in "789"] == ["Ben", "B\u0435n (2)", "Ben 2"]


def test_a_name_of_the_lounge_gives_way_to_one_of_a_platform(house):
    assert come(house, "Anna", "discord") == "Anna"
    assert come(house, "anna") == "anna (2)"


def test_an_unknown_name_is_repeated_as_it_can_be_seen(house):
    refused = say(house, Who("web", "gina", "Gina"), "give", '"\u202eAnna\u0301\u0301\u0301\u0301"', "5")
    assert refused.texts == (Text("No player here is called {name}.", name=Name("Anna\u0301\u0301\u0301")),)


def test_wildcards_are_letters_like_others(house):
    assert come(house, "anna") == "anna"
    assert [come(house, name) for name in ("%", "_", "a%", "a___")] == ["%", "_", "a%", "a___"]


def say(house, who, verb="balance", *args, place=LOUNGE):
    house.keys += 1
    return house.batch([Command(f"key {house.keys}", who, place, verb, args)])[0]


def name_of(house, account, platform="telegram", casino=LOUNGE_ID):
    known = house.writer.state
    return known.name_of(casino, known.identity(platform, account))


def test_a_name_follows_its_platform(house):
    say(house, Who("telegram", "7", "Anna"))
    say(house, Who("telegram", "8", "Mallory"))
    say(house, Who("telegram", "7", "Annika"))
    assert name_of(house, "7") == "Annika"
    say(house, Who("telegram", "8", "Anna"))
    assert name_of(house, "8") == "Anna", "whom nobody is called any more"
    say(house, Who("telegram", "8", "Annika"))
    assert name_of(house, "8") == "Annika (2)"
    say(house, Who("telegram", "7", "Annika"))
    assert (name_of(house, "7"), name_of(house, "8")) == ("Annika", "Annika (2)"), "and it stays so"
    assert house.writer.state.players[house.writer.state.identity("telegram", "7")].own_name == "Annika"


def test_a_nickname_is_of_one_place_and_a_direct_message_knows_none(house):
    say(house, Who("discord", "7", "Max", here="Max Mustermann (HR)"))
    assert name_of(house, "7", "discord") == "Max Mustermann (HR)"
    say(house, Who("discord", "7", "Max", here=None))
    assert name_of(house, "7", "discord") == "Max Mustermann (HR)"
    assert name_of(house, "7", "discord", casino=99) == "Max", "where they have never been"
    say(house, Who("discord", "7", "Maxi", here="Max Mustermann (HR)"))
    assert name_of(house, "7", "discord") == "Max Mustermann (HR)"
    assert name_of(house, "7", "discord", casino=99) == "Maxi"
    say(house, Who("discord", "7", "Maxi", here="Boss"))
    assert name_of(house, "7", "discord") == "Boss"


def test_an_inspector_takes_an_offensive_name_away(house):
    gina, mal = Who("telegram", "1", "Gina", inspector=True), Who("telegram", "7", "Offence")
    say(house, mal)
    asked = say(house, gina, "name reset", "offence", "an", "insult")
    assert str(asked.texts[0]) == "Show Offence as Player 1 here until they change their name?"
    house.keys += 1
    command = Command(f"key {house.keys}", gina, LOUNGE, "name reset", ("offence", "an", "insult"), confirmed=True)
    assert str(house.batch([command])[0].texts[0]) == "Offence is shown as Player 1 now."
    told = [str(text) for text in say(house, mal).texts]
    assert told[1:] == ["An inspector reset your name here: an insult. You are shown as Player 1 until you change it."]
    assert len(say(house, mal).texts) == 1, "once"
    assert name_of(house, "7") == "Player 1", "their platform's name is not taken again"
    done = str(say(house, gina, "audit").texts[0])
    assert "Gina: Name reset, Player 1, Offence → Player 1 (an insult)" in done
    say(house, mal._replace(name="Mallory"))
    assert name_of(house, "7") == "Mallory"
    assert say(house, mal, "name reset", "gina", "why").refused


def test_in_the_lounge_a_name_is_chosen_anew_and_never_one_that_was_taken_away(house):
    assert come(house, "Offence", account="7") == "Offence"
    gina = Who("telegram", "1", "Gina", inspector=True)
    house.keys += 1
    house.batch([Command("reset", gina, LOUNGE, "name reset", ("Offence", "why"), confirmed=True)])
    assert rename(house, "7", "0ffence") == "An inspector has removed this name. Choose another one."
    assert rename(house, "7", "Dealer").startswith("“Dealer” looks like the casino itself")
    assert rename(house, "7", "Anna") == ""
    assert name_of(house, "7", "web") == "Anna"
    assert come(house, "anna", account="8") == "anna (2)"


def rename(house, account, name):
    """Return why a new name was refused, or ""."""
    house.keys += 1
    answer = house.batch([internal_command_of(f"key {house.keys}", LOUNGE, "rename", account, name)])[0]
    return str(answer.texts[0]) if answer.refused else ""
