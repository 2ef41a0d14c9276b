"""The leaderboard of a casino, kept in memory: always equal to a search of all wallets."""

import random
from operator import itemgetter

import pytest

from bot.core.players.wallets import RANKED, rank_players
from bot.core.state import board
from bot.core.state.board import Leaderboard
from bot.core.state.lounge import LOUNGE
from bot.core.state.transaction import Transaction
from storage.sqlite import SqliteReader
from tests.core.conftest import STUD, UTH


class Wallets(SqliteReader):
    """The only query of the board, counted."""

    def __init__(self, chips):
        self.chips, self.looks = chips, 0

    def _select(self, _sql, *values):
        first, _end, most = values
        self.looks += 1
        rows = sorted(self.chips.items(), key=lambda one: (-one[1], one[0]))
        return [(f"{first}{player}", has) for player, has in rows[:most]]

    def move(self, on, player, has):
        self.chips[player] = has
        on.note(player, has)

    def top(self, most, hidden=()):
        rows = [one for one in self.chips.items() if one[0] not in hidden]
        return sorted(rows, key=itemgetter(1), reverse=True)[:most]


@pytest.fixture(autouse=True)
def few_are_known(monkeypatch):
    monkeypatch.setattr(board, "ROOM", 20)


def shown(player):
    return True


def amounts(top):
    return [chips for _player, chips in top]


@pytest.mark.long
def test_whatever_moves_the_board_is_what_a_look_at_all_wallets_finds():
    chance = random.Random(3)
    wallets = Wallets({player: chance.randrange(1000) for player in range(300)})
    kept = Leaderboard(wallets, 1, dict)
    for _step in range(3000):
        player = chance.randrange(320)  # some of them are new
        wallets.move(kept, player, max(0, wallets.chips.get(player, 500) + chance.randrange(-200, 190)))
        top = kept.top(10, shown)
        assert amounts(top) == amounts(wallets.top(10))
        assert all(wallets.chips[player] == chips for player, chips in top)
    assert wallets.looks < 60, "it hardly ever looks at all of them"


def test_in_a_small_casino_it_looks_once():
    wallets = Wallets(dict.fromkeys(range(12), 100))
    kept = Leaderboard(wallets, 1, dict)
    for player in range(12):
        wallets.move(kept, player, player)
        assert len(kept.top(10, shown)) == 10
    assert kept.top(3, shown) == [(11, 11), (10, 10), (9, 9)]
    assert wallets.looks == 1


def test_equals_stand_in_the_order_in_which_they_came():
    wallets = Wallets(dict.fromkeys(range(50), 100))
    assert Leaderboard(wallets, 1, dict).top(3, shown) == [(0, 100), (1, 100), (2, 100)]


def test_however_many_of_the_richest_do_not_want_to_be_seen():
    wallets = Wallets({player: 1000 - player for player in range(500)})
    kept, hidden = Leaderboard(wallets, 1, dict), range(300)
    assert kept.top(10, lambda player: player not in hidden) == wallets.top(10, hidden)
    looks = wallets.looks
    assert kept.top(10, lambda player: player not in hidden) == wallets.top(10, hidden)
    assert wallets.looks == looks
    assert kept.top(10, shown) == wallets.top(10)


def test_nobody_who_is_shown_is_an_empty_board():
    assert Leaderboard(Wallets({player: player for player in range(100)}), 1, dict).top(10, lambda player: False) == []
    assert Leaderboard(Wallets({}), 1, dict).top(10, shown) == []


@pytest.mark.long
def test_the_house_tells_its_boards_what_moved(house):
    """Many changes are reported between two queries too."""
    house.do("anna balance")
    assert house.says("anna leaderboard") == "1. anna: 1,000"
    for number in range(520):
        house.do(f"player{number} balance")
    house.do("insp grant player7 2000 rich", sure=True)
    house.do("anna give player8 300")
    board = house.says("anna leaderboard").split(" | ")
    assert board[:3] == ["1. player7: 3,000", "2. player8: 1,300", "3. player0: 1,000"]
    assert not house.writer.state.boards._moved


def test_who_hides_and_comes_back_is_where_they_were(house):
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
    house.do("anna give bea 1")
    house.says("anna leaderboard")
    house.do("bea leaderboard hide")
    assert house.says("anna leaderboard") == "1. anna: 999"
    house.do("bea leaderboard hide")
    assert house.says("anna leaderboard") == "1. bea: 1,001 | 2. anna: 999"


def test_all_chips_of_a_player_count_wherever_they_are(house):
    """The chips are in the wallet, in a stack, on a spot and in a hand in play."""
    for name in ("anna", "bea", "cat"):
        house.do(f"{name} balance")
    house.do("anna give bea 1")
    house.do("bea buyin 320", table=STUD)
    house.deal("bea bet 50")
    house.do("cat bet 100", table=UTH)
    assert house.says("anna leaderboard") == "1. bea: 1,001 | 2. cat: 1,000 | 3. anna: 999"


def test_players_with_most_of_their_chips_at_a_table_are_known(monkeypatch, house):
    """Players whose wallets are not among the richest that the board reads."""
    monkeypatch.setattr(board, "ROOM", 2)
    for name in ("anna", "bea", "cat", "dan", "eva"):
        house.do(f"{name} balance")
    house.do("insp grant anna 40 rich", sure=True)
    house.do("anna bet 100", table=UTH)
    house.do("bea buyin 320", table=STUD)
    assert house.says("bea leaderboard").startswith("1. anna: 1,040 | 2. bea: 1,000 | 3. cat: 1,000")
    house.do("anna takeback", table=UTH)
    house.do("bea give anna 40")
    house.do("cat bet 100", table=UTH)
    assert house.says("bea leaderboard").startswith("1. anna: 1,080 | 2. cat: 1,000 | 3. dan: 1,000 | 4. eva: 1,000")
    assert "6. bea: 960" in house.says("bea leaderboard")


def test_a_leaderboard_reads_no_hand(house):
    """After a start its cost does not grow with the hands that are open."""
    house.do("bea buyin 320", table=STUD)
    house.deal("cat bet 100", table=UTH)
    house.do("anna bet 10")
    house.restart()
    state = house.writer.state
    players = [house.player(name) for name in ("bea", "cat", "anna")]
    assert rank_players(Transaction(state), LOUNGE, RANKED) == [(player, 1000_00) for player in players]
    assert [table.id for table in state.tables.values() if table.unread is not None] == [UTH], "it is not replayed"


def test_ones_own_place_is_told_on_every_page(house):
    for number in range(25):
        house.do(f"player{number} balance")
    house.do("anna balance")
    first = house.says("anna leaderboard").split(" | ")
    assert [line.split(".")[0] for line in first[:10]] == [str(place) for place in range(1, 11)]
    assert first[10] == "Your rank: 26, with 1,000 chips"
    third = house.says("anna leaderboard page 3").split(" | ")
    assert third[-1] == "26. anna: 1,000"
    assert house.says("anna leaderboard page 2").endswith(" | Your rank: 26, with 1,000 chips")
    house.do("anna leaderboard hide")
    assert "Your rank" not in house.says("anna leaderboard")


@pytest.mark.long
def test_whoever_is_below_the_last_place_is_told_so(house):
    for number in range(RANKED):
        house.do(f"player{number} balance")
    house.do("anna balance")
    assert house.says("anna leaderboard").endswith("Your rank: below 100, with 1,000 chips")
