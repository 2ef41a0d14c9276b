"""How a table is kept: what is written is read, and what earlier editions wrote too."""

import json

from bot.games.blackjack.boxes import BoxesMemory
from bot.games.stud.stacks import StudMemory
from bot.house.play import PLAYS
from bot.house.state.table import Lost, Notice, Settings, Shoe, Table, VoidSeats, dump_table, load_table
from bot.texts import Text


def kept_again(table):
    return load_table(table.id, table.casino, table.game, table.status, dump_table(table))


def test_what_the_house_keeps_beside_a_games_memory_is_read_again():
    for game, play in PLAYS.items():
        table = Table(1, 1, 1, game, {}, Settings(), play.memory())
        full = table.change(
            shoe=Shoe(12, ("x", "y")),
            wants_to_turn=(3, 4),
            void=VoidSeats(7, ("1", "2/p3")),
            lost=Lost(5.0, "open"),
            notice=Notice(Text("Ready."), 9.0),
            turning={"south": 0},
            seats={2: 5},
            cuts=((5, "cut"),),
        )
        assert kept_again(full) == full
        assert kept_again(table) == table


def test_the_memory_of_the_first_edition_is_read():
    """It had one bag for all, with numbers of people as text."""
    state = json.loads(dump_table(Table(1, 1, 1, "stud", {}, Settings(), PLAYS["stud"].memory())))
    state["memory"] = {
        "button": 3,
        "out": [4],
        "late": {"4": 1},
        "missed": {"4": 2},
        "left": {"5": [100, 7.5]},
        "keys": {"4": "key"},
        "waiting": [6],
        "lost": {"at": 5.0, "status": "open"},
        "void seats": [9, ["1"]],
    }
    stud = load_table(1, 1, "stud", "open", json.dumps(state))
    memory = stud.kept(StudMemory)
    assert (memory.button, memory.out, memory.late, memory.left) == (3, (4,), {4: 1}, {5: (100, 7.5)})
    assert (stud.lost, stud.void_seats(9), stud.void_seats(8)) == (Lost(5.0, "open"), frozenset("1"), frozenset())
    state["memory"] = {"idle": {"3": 2}, "follow": [1], "shoe": {"gone": 30, "cuts": ["a"]}, "lost": None}
    black_jack = load_table(1, 1, "blackjack", "open", json.dumps(state))
    assert (black_jack.kept(BoxesMemory).idle, black_jack.shoe, black_jack.lost) == ({3: 2}, Shoe(30, ("a",)), None)
    state["memory"] = {"squeeze": [8]}
    assert load_table(1, 1, "paiju", "open", json.dumps(state)).wants_to_turn == (8,)


def test_a_tables_seed_stands_in_no_error():
    assert "secret" not in repr(Table(1, 1, 1, "stud", {}, Settings(), PLAYS["stud"].memory(), seed=b"secret"))
