"""Storage of tables: what is written is read again."""

from msgspec import structs

from bot.core.state.plays import PLAYS
from bot.core.state.table import HandSeats, Lost, Notice, Round, Settings, ShoeState, Table, dump_table, load_table
from bot.texts import Text


def kept_again(table):
    return load_table(table.id, table.casino, table.game, table.status, dump_table(table))


def test_what_the_house_keeps_beside_a_games_memory_is_read_again():
    for game, play in PLAYS.items():
        table = Table(1, 1, 1, game, {}, Settings(), play.memory())
        full = table.change(
            shoe=ShoeState(12, ("x", "y")),
            wants_to_turn=(3, 4),
            void=HandSeats(7, ("1", "2/p3")),
            shown=HandSeats(7, ("4",)),
            lost=Lost(5.0, "open"),
            notice=Notice(Text("Ready."), 9.0),
            seats={2: 5},
            round=structs.replace(table.round, turning={"south": 0}, cuts=((5, "cut"),)),
        )
        assert kept_again(full) == full
        assert kept_again(table) == table


def test_a_tables_seed_stands_in_no_error():
    assert "secret" not in repr(
        Table(1, 1, 1, "stud", {}, Settings(), PLAYS["stud"].memory(), round=Round(seed=b"secret"))
    )
