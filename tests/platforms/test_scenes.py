"""Scenes common to all platforms: bets, repeated and late presses, private cards, outages, restarts.

The same scenes are played through each platform's real library (tests/platforms/rooms.py), in the writer's process and
through a front.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import engine.games
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.games import PLUGINS
from bot.texts import Text, say_card
from bot.view.parts import nothing
from bot.view.presenter import Bets, SideBet
from engine.cards import HIDDEN
from engine.events import Dealt
from tests.games.toys import installed
from tests.platforms import rooms
from tests.platforms.rooms import PEOPLE, Room, room_of
from tests.some import some
from tests.stores import Postgres

FRONT = " by a front"
DOORS = ("discord", "telegram", "web", f"discord{FRONT}", f"telegram{FRONT}")


@pytest.fixture(params=DOORS)
async def room(request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder, platform = tmp_path / "data", request.param.removesuffix(FRONT)
    stores = Postgres(request.getfixturevalue("schemas")) if request.param.endswith(FRONT) else None
    store = stores.of(folder) if stores is not None else None
    async with room_of(platform, folder, monkeypatch, store) as room:
        yield room
    if stores is not None:
        stores.end()


def holds(room: Room, name: str) -> set[str]:
    """Return the cards of the player's hand as text."""
    table = room.table
    hand = some(table.round.hand or table.last)
    seats = table.seats_played_by(room.player(name))
    dealt = [one for seat in seats for one in hand.view(seat) if isinstance(one, Dealt) and one.to == seat]
    return {say_card(card) for event in dealt for card in event.cards if card != HIDDEN}


@pytest.mark.slow
async def test_a_bet_is_paid_and_shown_to_everybody(room):
    await room.says("Bea", "bet", "50")
    await room.presses("Anna", room.chip)
    await room.until(lambda: len(room.table.round.bets) == 2)
    assert (room.chips("Anna"), room.chips("Bea")) == (99_000, 95_000)
    await room.until(lambda: all(name in room.shown("Bea") for name in PEOPLE))


@pytest.mark.parametrize("platform", ["discord", "telegram"])
async def test_a_game_of_words_longer_than_a_platform_takes_is_pressed_as_any_other(
    platform, tmp_path: Path, monkeypatch
):
    """Telegram's buttons hold 64 bytes, Discord's 100."""
    known, spot = PLUGINS["uth"], "beside-" + 10 * "everything-"
    game = replace(known.game, spots=("ante", spot), all_spots=("ante", "blind", "play", spot))
    sides = Bets(mains=("ante",), sides=lambda options, lying: (SideBet(spot, 10_00),), asks=Text(""), beside=nothing)
    look, simulation = replace(known.presenter, bets=sides), replace(known.simulation, game=game)
    # Replaces the known one, whose commands the platforms have registered already.
    for mapping in (engine.games._games, engine.games._simulations):
        monkeypatch.delitem(mapping, game.name)
    with installed(replace(known, game=game, simulation=simulation, presenter=look)):
        monkeypatch.setattr(rooms, "GAME", game.name)
        async with room_of(platform, tmp_path / "data", monkeypatch) as room:
            await room.says("Anna", "bet", "10")
            await room.presses("Anna", "beside")
            await room.until(
                lambda: [dict(bet.spots) for bet in room.table.round.bets] == [{"ante": 10_00, spot: 10_00}]
            )


@pytest.mark.slow
async def test_a_double_press_is_one_move(room):
    await room.deal()
    raised = [await room.presses("Anna", "Raise"), await room.presses_again("Anna", "Raise")]
    moves = [
        move for move in room.table.round.hand.moves if move.seat in room.table.seats_played_by(room.player("Anna"))
    ]
    assert len(moves) == 1, raised
    assert room.chips("Anna") == 100_000 - 5_000 - 10_000


@pytest.mark.slow
async def test_odds_are_told_to_them_alone_before_a_hand_in_it_and_after_it(room):
    bets, choices = "with the best exchange and raise: house edge 1.18 %", "The value of each decision"
    assert bets in await room.reads("Anna", "odds")
    await room.deal()
    told = await room.reads("Anna", "odds")
    assert choices in told
    assert "old: -50" in told  # each platform writes the word in its own way
    assert bets not in told
    await room.says("Anna", "fold")
    assert bets in await room.reads("Anna", "odds")
    assert choices in await room.reads("Bea", "odds")
    assert choices not in room.shown("Anna") + room.shown("Bea")
    await room.says("Bea", "fold")
    await room.until(lambda: room.table.round.hand is None)
    assert bets in await room.reads("Bea", "odds")


@pytest.mark.slow
async def test_a_move_that_was_taken_says_so_and_who_is_waited_for(room):
    await room.deal()
    said = await room.presses("Anna", "Raise")
    assert "You raised: 100. Waiting for Bea." in said, said
    said = await room.says("Anna", "fold")
    assert "Nothing to decide right now. Waiting for Bea." in said, said
    said = await room.presses("Bea", "Fold")
    assert "You folded. The hand is over." in said, said
    assert room.table.round.hand is None


@pytest.mark.slow
async def test_a_press_of_a_hand_that_is_over_does_nothing(room):
    await room.deal()
    for name in PEOPLE:
        await room.presses(name, "Fold")
    await room.until(lambda: room.table.round.hand is None)
    before = room.chips("Anna"), room.chips("Bea")
    said = await room.presses_again("Bea", "Raise")
    assert (room.chips("Anna"), room.chips("Bea")) == before
    assert "The table has changed" in said, said


@pytest.mark.slow
async def test_what_is_refused_is_refused_in_a_sentence_and_costs_nothing(room):
    said = await room.says("Anna", "bet", "7")
    assert "10" in said, said
    assert room.table.round.bets == ()
    assert room.chips("Anna") == 100_000


@pytest.mark.slow
async def test_what_cannot_be_undone_is_asked_once_more(room):
    asked = await room.says("Anna", "pause", "30")
    assert "can't be undone" in asked, asked
    await room.confirms("Anna", yes=False)
    await room.says("Anna", "bet", "50")
    await room.until(lambda: room.chips("Anna") == 95_000)
    await room.says("Bea", "pause", "30")
    await room.confirms("Bea", yes=True)
    said = await room.says("Bea", "bet", "50")
    assert "paused" in said, said
    assert room.chips("Bea") == 100_000


@pytest.mark.slow
async def test_each_sees_their_own_cards_and_nobody_elses(room):
    await room.deal()
    mine, hers = holds(room, "Anna"), holds(room, "Bea")
    assert len(mine | hers) == 10
    said = await room.looks_at_his_cards("Anna")
    assert mine <= room.cards_in(said), said
    await room.looks_at_his_cards("Bea")
    await room.says("Anna", "fold")
    for name, other in (("Anna", hers), ("Bea", mine)):
        assert not other & room.cards_in(room.everything(name)), name


@pytest.mark.slow
async def test_somebody_elses_button_is_not_theirs(room):
    await room.deal()
    await room.presses("Anna", "Fold")
    moves = len(room.table.round.hand.moves)
    await room.presses_again("Anna", "Raise")
    assert len(room.table.round.hand.moves) == moves
    assert room.chips("Bea") == 95_000


@pytest.mark.slow
async def test_clocks_stand_while_nobody_can_be_reached(room):
    await room.deal()
    left = room.table.round.deadline - room.writer.clock()
    await room.lose()
    await room.until(lambda: room.is_away)
    await room.pass_time(300)
    assert room.table.round.hand is not None
    assert room.table.round.hand.asks
    await room.find()
    await room.until(lambda: not room.is_away)
    assert room.table.round.deadline - room.writer.clock() >= left - 30
    await room.says("Anna", "fold")
    await room.says("Bea", "fold")
    await room.until(lambda: room.table.round.hand is None)


@pytest.mark.slow
async def test_a_first_hand_is_learnt_alone_and_no_book_knows_it(room):
    version = room.table.version
    begins, asks, pays = await room.learns("Anna", *room.first_hand)
    assert "practice" in begins.lower(), begins
    assert "The ante is your bet before the cards" in begins, begins
    assert room.best_choice in asks, asks
    assert "bet pays 1 to 1 +20 ante pays 1 to 1 +10" in pays.replace(" · ", " "), pays
    assert "That was the best choice." in pays
    assert (room.table.version, room.table.round.bets) == (version, ())
    assert room.chips("Anna") == 100_000
    assert "CS15" not in room.everything("Bea")


@pytest.mark.slow
async def test_a_first_hand_goes_on_after_a_restart(room):
    bet, raised = room.first_hand
    await room.learns("Anna", bet)
    await room.restart()
    (pays,) = await room.learns("Anna", raised, begins=False)
    assert "That was the best choice." in pays, pays


@pytest.mark.slow
async def test_a_table_that_has_sunk_is_posted_anew_with_the_next_hand_once_a_minute_at_most(room):
    await room.pass_time(700)
    await room.talks("Bea", 30)
    assert room.stands() == "ciao"
    await room.says("Anna", "bet", "50")
    await room.until(lambda: "Anna" in room.stands())
    # Deletes everything that can be deleted.
    await room.until(lambda: len(room.folded()) == (room.platform == "discord"))
    await room.talks("Bea", 30)
    await room.pass_time(25)
    await room.says("Anna", "fold")
    await room.says("Bea", "bet", "50")
    await room.until(lambda: len(room.table.round.bets) == 1)
    await room.pass_time(5)
    assert "Place your bets" not in room.stands()


@pytest.mark.slow
async def test_any_member_brings_the_table_down(room):
    await room.talks("Bea", 5)
    await room.says("Bea", "table here")
    await room.until(lambda: "Place your bets" in room.stands())
    await room.talks("Bea", 5)
    said = await room.says("Bea", "table here")
    assert "Here is the table." in said, "not twice a minute"
    assert "Place your bets" not in room.stands()


@pytest.mark.slow
async def test_how_far_a_table_has_sunk_is_known_after_a_restart(room):
    await room.pass_time(700)
    await room.talks("Bea", 30)
    await room.restart()
    await room.says("Anna", "bet", "50")
    await room.until(lambda: "Anna" in room.stands())


@pytest.mark.slow
async def test_the_tables_are_listed_with_where_they_are(room):
    said = await room.says("Bea", "tables")
    assert "Caribbean Stud" in said, said
    link = {"discord": f"<#{room.address}>", "telegram": "https://t.me/c/"}.get(room.platform, "")
    assert link in said


@pytest.mark.slow
async def test_a_hand_goes_on_after_a_restart(room):
    await room.deal()
    mine, chips = holds(room, "Anna"), room.chips("Anna")
    await room.restart()
    assert holds(room, "Anna") == mine
    assert mine <= room.cards_in(await room.looks_at_his_cards("Anna"))
    await room.says("Anna", "fold")
    await room.says("Bea", "fold")
    await room.until(lambda: room.table.round.hand is None)
    assert room.chips("Anna") == chips


@pytest.mark.slow
async def test_two_doors_play_one_hand_at_one_table(room):
    casino = room.table.casino
    await room.elsewhere("- arrive Lontano en", internal_command=True)
    code = await room.submit(house_code(room))
    await room.elsewhere(f"insp house join {re.findall(r'code is ([A-Za-z0-9-]+)', str(code.texts[0]))[0]}")
    assert room.writer.state.place("elsewhere", "home").casino == casino
    answer = await room.elsewhere(f"insp table mirror {room.table.number}")
    assert not answer.refused, answer
    assert not (await room.elsewhere("Carla bet 50")).refused
    await room.until(lambda: "Carla" in room.shown("Anna"))
    await room.says("Anna", "bet", "50")
    await room.until(lambda: len(room.table.round.bets) == 2)
    await room.pass_time(25)
    await room.until(lambda: room.table.round.hand is not None)
    await room.says("Anna", "fold")
    assert not (await room.elsewhere("Carla fold")).refused
    await room.until(lambda: room.table.round.hand is None)


def house_code(room: Room) -> Command:
    who = Who(room.platform, "doge", "Doge", inspector=True)
    return Command("code", who, Place(room.platform, room.address), "house code")
