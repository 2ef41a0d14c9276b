"""Questions that anyone may ask, and secrets until their time."""

import json
import logging
import re

import pytest

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.hand_descriptions import of_poker
from bot.core.state.plays import PLAYS
from bot.games.blackjack.presenter import of_black_jack
from bot.texts import LANGUAGES, say
from bot.texts.catalogues import translate
from bot.texts.template import sentences
from bot.view.build import screen
from engine.cards import HIDDEN
from tests.core.conftest import BLACKJACK, CARIBBEAN, HAND, HOLDEM, PAIJU, STUD, TABLES, UTH
from tests.disk import ask


def pages(house, who, start="help", **at):
    """Return every page of the menu, found by pressing: {the command that turns to it: its answer}."""
    found, waiting = {}, [start]
    while waiting:
        said = waiting.pop()
        if said not in found:
            found[said] = house.do(f"{who} {said}", **at)
            waiting += [" ".join((one.verb, *one.args)) for one in found[said].choices if one.turns]
    return found


def commands_on(pages):
    lines = [str(text) for answer in pages.values() for text in answer.texts]
    return {line[1:].partition(":")[0] for line in lines if line.startswith("/") and ": " in line}


def test_help_is_a_menu_whose_pages_hold_every_command_that_one_may_use(house):
    start = [str(text) for text in house.do("anna help").texts]
    assert "Ridotto uses play chips: no real money, ever." in start
    here = [pages(house, "anna", table=table) for table in (CARIBBEAN, UTH, PAIJU, BLACKJACK, STUD, HOLDEM)]
    named = set().union(*map(commands_on, here))
    for name, verb in CHAT_COMMANDS.items():
        assert any(f"{one} ".startswith(f"{name} ") for one in named) == (verb.group != "inspectors"), name
    everything = set().union(
        *(commands_on(pages(house, "insp", table=table)) for table in (CARIBBEAN, BLACKJACK, PAIJU))
    )
    told = {name for name, verb in CHAT_COMMANDS.items() if verb.group == "inspectors"}
    assert not {name for name in told if not any(f"{one} ".startswith(f"{name} ") for one in everything)}
    assert house.says("anna help bet").startswith("/bet ")
    assert house.do("anna help dance").choices
    assert house.do("anna help inspectors").refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_the_help_is_longer_than_any_platform_takes(house, language):
    for said, answer in pages(house, "insp").items():
        words = "\n".join(say(text, language) for text in answer.texts)
        assert len(words) < 1000, (said, len(words))
        assert len(answer.choices) <= 8, said


@pytest.mark.parametrize("typed", ["caribbean", "/Caribbean", "CARIBBEAN STUD", "caribbean-stud"])
def test_help_explains_a_game_by_any_of_its_names(house, typed):
    told = house.do(f"anna help {typed}")
    said = [str(text) for text in told.texts]
    assert said[0].startswith("Caribbean Stud: Five-card poker against the dealer")
    assert said[1].startswith("/bet ")
    assert any(line.startswith("/exchange POSITION: ") for line in said)
    labels = [str(one.label) for one in told.choices]
    tables = [f"Table {id}" for id in (CARIBBEAN, len(TABLES) + 1)]
    assert labels == [*tables, "Rules", "Pay table", "First hand"]
    for one in told.choices[2:]:
        assert not house.do(f"anna {one.verb} {' '.join(one.args)}").refused


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PLAYS)
def test_help_of_every_game_fits_any_platform(house, game, language):
    told = house.do(f"anna help {game}", table=TABLES[game])
    assert not told.refused
    assert house.do(f"anna {game}").texts == told.texts
    assert len("\n".join(say(text, language) for text in told.texts)) < 1000
    assert len(told.choices) <= 8


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("BET", "/bet "),
        ("/Bet@Ridotto", "/bet "),
        ("setzen", "/bet "),
        ("Table Open", "/table open "),
        ("tableopen", "/table open "),
        ("METER", "/meter "),
        ("Chips", "My chips:"),
    ],
)
def test_help_reads_names_of_commands_however_they_are_written(house, typed, first):
    assert house.says(f"insp help {typed}").startswith(first)


def test_a_near_miss_is_answered_with_what_it_is_like(house):
    for line, near in (("help carribean", "caribbean"), ("help blakjack", "blackjack"), ("leaderbord", "leaderboard")):
        told = house.do(f"anna {line}")
        assert told.refused
        assert str(told.texts[0]).endswith("Did you mean this?")
        assert told.choices[0].args == (near,)
        assert not house.do(f"anna help {near}").refused
    told = house.do("anna help qqqq")
    assert str(told.texts[0]) == "There is no command or game called “qqqq”. See /help."
    assert [one.args for one in told.choices] == [("start",)]


def test_help_names_what_can_be_played_at_the_table_where_it_is_asked(house):
    assert {"raise [AMOUNT]", "fold", "exchange POSITION"} <= commands_on(pages(house, "anna", "help table"))
    assert not {"hit", "buyin AMOUNT [SEAT]"} & commands_on(pages(house, "anna", "help table"))
    assert "hit" in commands_on(pages(house, "anna", "help table", table=BLACKJACK))
    assert str(house.do("anna help table").texts[1]).startswith("/sit")


def test_what_was_answered_with_syntax_is_answered_with_choices(house):
    told = house.do("anna language")
    assert not told.refused
    assert [one.args for one in told.choices] == [("de",), ("it",)]
    assert not house.do("anna language it").refused
    assert [one.args for one in house.do("anna language").choices] == [("en",), ("de",)]
    orders = house.do("anna standing").choices
    assert orders
    for one in orders:
        assert not house.do(f"anna standing {one.args[0]}").refused, one
    assert [one.args for one in house.do("anna pause").choices] == [("1",), ("7",), ("30",), ("minutes", "60")]


def test_help_tells_what_a_move_does_at_the_table_where_it_is_asked(house):
    assert "At this table: Bet twice the ante, no more and no less (CS8)" in house.says("anna help raise")
    assert not house.do("insp table set irregular_bets on tests").refused
    assert "At this table: Bet twice the ante; a smaller raise counts as it is" in house.says("anna help raise")
    assert "At this table: 10 to 1,000 in steps of 5" in house.says("anna help bet")
    assert house.says("anna help bet", table=UTH).endswith("At this table: 5 to 500"), "a single chip is no step"
    assert "At this table: Raise by 4 on third and fourth street, by 8" in house.says("anna help raise", table=STUD)
    assert "At this table: Bet 4 on third" in house.says("anna help bet", table=STUD)
    assert "At this table" not in house.says("anna help balance")
    assert "At this table" not in house.says("anna help raise", table=PAIJU)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_commands_as_they_are_typed_and_what_they_take_in_the_readers_language(house, language):
    lines = [say(text, language) for answer in pages(house, "insp").values() for text in answer.texts]
    typed = {line.partition(":")[0].split()[0] for line in lines if line.startswith("/")}
    assert typed <= {f"/{name.split()[0]}" for name in CHAT_COMMANDS}
    assert any("PLAYER AMOUNT" in line for line in lines) == (language == "en")


COMMAND = re.compile(r"(?:^|[\s(“:])/([a-z]+(?:-[a-z]+)*)(?: ([a-z]+))?")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_name_commands_that_there_are_and_in_every_language_the_same(language):
    firsts = {name.split()[0] for name in CHAT_COMMANDS}
    for one in sentences():
        named = [found[1] for found in COMMAND.finditer(one.template)]
        if one.template.startswith("/") and " " not in one.template:
            continue  # a name
        assert set(named) <= firsts, one.template
        said = translate(one.template, language)
        assert sorted(set(named)) == sorted({found[1] for found in COMMAND.finditer(said)}), said


def test_own_cards_are_seen_by_their_owner_alone(house):
    assert house.says("anna cards") == "You hold no cards now."
    hand = house.deal("anna bet 50", "bea bet 10")
    for seat, name in (("1", "anna"), ("2", "bea")):
        told = house.says(f"{name} cards")
        assert sum(told.count(suit) for suit in "♠♥♦♣") == 5
        assert f"({hand.asks[seat][1].stake // 100})" in told
    assert house.says("cat cards") == "You hold no cards now."


def test_what_ones_cards_are_worth_now_counts_what_lies_open_for_all(house):
    """Every table shows the present value, and the price of each choice."""
    house.deal("anna bet 20", table=UTH)
    seen = house.table(UTH).round.hand.cards("1")
    assert f"You hold: {of_poker(seen['1'])} | You may:" in house.says("anna cards", table=UTH)
    house.do("anna check", table=UTH)
    hand = house.table(UTH).round.hand
    seen = hand.cards("1")
    five = [*seen["1"], *(card for card in seen["board"] if card != HIDDEN)]
    assert len(five) == 5
    assert f"You hold: {of_poker(five)} | You may:" in house.says("anna cards", table=UTH)
    house.deal("anna bet 1 20", "bea bet 1 10", table=BLACKJACK)
    hand = house.table(BLACKJACK).round.hand
    for name in ("anna", "bea"):
        assert f"You hold: {of_black_jack(hand.cards(None)['1'])}" in house.says(f"{name} cards", table=BLACKJACK)


@pytest.mark.parametrize("table", [CARIBBEAN, UTH, BLACKJACK, STUD])
def test_what_one_holds_is_said_as_the_screen_says_it(house, table):
    for name in ("anna", "bea"):
        house.do(f"{name} {'buyin 80' if table == STUD else 'bet 10'}", table=table)
    house.wait(20)
    for name in ("anna", "bea"):
        shown = screen(house.writer.state, house.table(table), house.player(name), house.clock.now).holds
        (held,) = [str(line) for line in shown if line.template == "You hold: {worth}"]
        assert f" | {held}" in house.says(f"{name} cards", table=table)


def test_answers_come_in_the_language_that_one_chose(house):
    assert house.says("anna language it") == "I'll answer you in Italiano."
    assert house.writer.state.players[house.player("anna")].language == "it"
    house.restart()
    assert house.writer.state.players[house.player("anna")].language == "it"


@pytest.mark.parametrize("typed", ["de", "DE", "deutsch", "Deutsch"])
def test_a_language_is_called_by_its_code_or_its_own_name(house, typed):
    assert house.says(f"anna language {typed}") == "I'll answer you in Deutsch."
    assert house.writer.state.players[house.player("anna")].language == "de"


@pytest.mark.parametrize("typed", ["tlh", "en it", "../de"])
def test_who_names_no_language_is_told_which_there_are(house, typed):
    answer = house.do(f"anna language {typed}")
    assert answer.refused
    assert str(answer.texts[0]) == "Choose a language: English · Deutsch · Italiano."


def cards_in(text):
    """Return the cards in a text: two-letter words, and cards as written in sentences."""
    suits = dict(zip("♠♥♦♣", "shdc", strict=True))
    plain = re.sub(r"(10|[2-9JQKA])([♠♥♦♣])", lambda m: m[1].replace("10", "T") + suits[m[2]], text)
    return set(re.findall(r"\b[2-9TJQKA][shdc]\b", plain))


@pytest.mark.long
def test_G8_nothing_hidden_is_told_logged_or_kept_in_an_answer_before_its_time(house, caplog):
    """Every command is typed by a player in the hand, by a spectator and by an inspector."""
    caplog.set_level(logging.DEBUG)
    hand = house.deal("anna bet 50 jackpot", "bea bet 10 jackpot")
    house.do("bea exchange 2", sure=True)
    seed = house.table().round.seed.hex()
    own = set(hand.cards("1")["1"])
    secret = {*hand.deal.deck[:20]} - own - {hand.cards(None)["dealer"][4]}
    lines = [f"{verb} {args}".strip() for verb in CHAT_COMMANDS for args in ("", "1", "1 1", "1 why", "bea 5 why")]
    ends_the_hand = ("raise", "fold", "exchange", "void", "table close", "leave")
    for name in ("anna", "cat", "insp"):
        for line in lines:
            if not line.startswith(ends_the_hand):
                answer = house.do(f"{name} {line}")
                told = " ".join(map(str, answer.texts)) + json.dumps(answer.file)
                seen = cards_in(told)
                assert not seen & secret, (name, line, told)
                assert name == "anna" or not seen & own, (name, line, told)
                assert seed not in told, (name, line)
    assert house.table().phase == "playing"
    for kept in [row[0] for row in ask(house.books, "SELECT answer FROM answers")]:
        assert not cards_in(kept), kept
        assert seed not in kept
    logged = " ".join(record.getMessage() for record in caplog.records)
    assert not cards_in(logged)
    assert seed not in logged
    assert seed not in repr(house.table())
    house.do("anna fold")
    house.do("bea fold")
    assert seed in house.do(f"cat verify {HAND}").file[1]


def test_verify_tells_the_whole_commit_before_the_cards_and_the_seed_after_them(house):
    house.do("anna bet ante 10")
    table = house.table()
    for line in ("anna verify", f"cat verify {table.round.hand_id}"):
        told = [str(text) for text in house.do(line).texts]
        assert "is revealed when the hand or the shoe is over" in told[0]
        assert told[1] == f"The commitment of hand {table.round.hand_id} is {table.round.commit}."
    house.wait(30)
    house.do("anna fold")
    assert table.round.seed.hex() in house.do(f"cat verify {table.round.hand_id}").file[1]
