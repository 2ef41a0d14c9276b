"""Two houses on the books of one server, each with the casinos of its own wings: real books, two floors, one clock."""

import pytest

from bot.house.floor import ELSEWHERE
from storage.rows import ALL_WINGS, WINGS, wing_of
from tests.bot.house.communities import casino_at, do, errand, found, link, player, says, table_at, wallet
from tests.bot.house.conftest import House
from tests.bot.house.test_two_houses import meanwhile
from tests.disk import ask
from tests.patience import wait_until
from tests.stores import POSTGRES, Postgres

pytestmark = [pytest.mark.outside, pytest.mark.slow]

HERE, THERE, NEW = "discord:1", "telegram:1", "discord:2"
MINE, YOURS = frozenset(range(1, WINGS, 2)), frozenset(range(0, WINGS, 2))


class Part:
    """Stores of which a house opens some wings."""

    name = POSTGRES

    def __init__(self, stores, wings):
        self.stores, self.wings = stores, wings

    def open(self, folder):
        return self.of(folder).open(wings=self.wings)

    def of(self, folder):
        return self.stores.of(folder)


@pytest.fixture
def houses(schemas, tmp_path):
    """A community for each. Anna is known in both as one person."""
    stores = Postgres(schemas)
    whole = House(tmp_path, stores=stores)
    for at in (THERE, HERE):
        found(whole, at, "caribbean")
        do(whole, "anna balance", at)
    assert not link(whole, f"anna@{HERE}", f"anna@{THERE}").refused
    assert [wing_of(casino_at(whole, at)) in MINE for at in (HERE, THERE)] == [True, False]
    keys = whole.keys
    whole.close()
    both = [House(tmp_path, stores=Part(stores, wings)) for wings in (MINE, YOURS)]
    for number, house in enumerate(both, start=1):
        house.clock, house.keys = whole.clock, keys + number * 10_000
        house.pit.clock = house.pit.monotonic = house.clock
    yield both
    for house in both:
        assert house.faults() == []
        house.close()
    stores.end()


def test_each_house_loads_what_it_keeps_and_plays_there(houses):
    for _start in range(2):
        for house, at in zip(houses, (HERE, THERE), strict=True):
            state = house.pit.floor.house
            assert {wing_of(id) for id in state.casinos} <= house.books.wings
            assert {table.casino for table in state.tables.values()} <= state.casinos.keys()
            assert {row.casino for row in state.places.values()} <= state.casinos.keys()
            before = wallet(house, f"anna@{at}")
            assert not do(house, "anna bet 10", at).refused
            assert wallet(house, f"anna@{at}") == before - 1000
            house.restart()
            assert len(table_at(house, at).bets) == 1
            assert not do(house, "anna takeback", at).refused


def test_what_is_said_where_another_house_plays_changes_nothing(houses):
    one, other = houses
    kept = ask(one.books, "SELECT * FROM places ORDER BY 1, 2"), ask(one.books, "SELECT count(*) FROM casinos")
    assert do(one, "anna bet 10", THERE) == do(other, "anna bet 10", HERE) == ELSEWHERE
    for verb, *args in (("arrive", "six", "en"), ("lose", "all"), ("posted", "77"), ("enter", THERE)):
        errand(one, THERE, verb, *args)
    assert (
        ask(one.books, "SELECT * FROM places ORDER BY 1, 2"),
        ask(one.books, "SELECT count(*) FROM casinos"),
    ) == kept
    assert not do(other, "anna bet 10", THERE).refused


def test_a_new_community_is_of_the_house_that_meets_it(houses):
    one, other = houses
    assert wing_of(found(one, NEW, "caribbean")) in MINE
    assert do(other, "beppe bet 10", NEW) == ELSEWHERE
    assert not do(one, "beppe bet 10", NEW).refused


def test_whoever_becomes_another_does_so_where_he_plays_himself(houses):
    one, other = houses
    for house, at in ((one, HERE), (other, THERE)):
        do(house, "dora balance", at)
    code = says(other, "dora link", THERE).split()[3].rstrip(".")
    assert do(one, f"dora link {code}", HERE, sure=True) == ELSEWHERE
    assert player(one, f"dora@{HERE}") != player(other, f"dora@{THERE}")
    code = says(one, "dora link", HERE).split()[3].rstrip(".")
    assert not do(other, f"dora link {code}", THERE, sure=True).refused
    assert player(one, f"dora@{HERE}") == player(other, f"dora@{THERE}")
    for house, at in ((one, HERE), (other, THERE)):
        assert not do(house, "dora bet 10", at).refused


def test_what_reaches_over_both_is_refused_whole(houses):
    one, other = houses
    code = says(one, "insp house code", HERE).split()[3].rstrip(".")
    assert do(other, f"insp house join {code}", THERE, sure=True) == ELSEWHERE
    assert ask(one.books, "SELECT count(*) FROM places WHERE home <> 0") == [(0,)]
    one.wait(86400), other.wait(0)
    assert not do(one, "insp ban anna she knows why", HERE, sure=True).refused
    assert do(other, "anna unlink", THERE, sure=True) == ELSEWHERE, "she would not be banned as whom she is then"


def test_what_somebody_has_set_in_one_is_told_and_holds_in_the_other_at_once(houses):
    one, other = houses
    assert "90 minutes" not in says(other, "anna pause", THERE)
    do(one, "anna pause minutes 90", HERE, sure=True)
    assert "90 minutes" in says(other, "anna pause", THERE)
    do(one, "anna pause 7", HERE, sure=True)
    assert "paused yourself" in says(other, "anna bet 10", THERE)
    assert other.pit.reruns == 0


@pytest.mark.parametrize("dealt", [False, True])
def test_what_lies_on_tables_of_the_other_counts_for_the_loss_limit(houses, dealt):
    one, other = houses
    do(one, "anna pause loss 50", HERE, sure=True)
    assert not do(one, "anna bet 10", HERE).refused
    if dealt:
        one.wait(table_at(one, HERE).deadline - one.clock.now + 1)
        assert table_at(one, HERE).play is not None
    assert "more than your limit of 50" in says(other, "anna bet 10", THERE), "twenty may follow each ten"
    if not dealt:
        do(one, "anna takeback", HERE)
        assert not do(other, "anna bet 10", THERE).refused


def test_two_bets_that_exceed_the_limit_together_are_not_both_taken_however_they_meet(houses):
    one, other = houses
    do(one, "anna pause loss 50", HERE, sure=True)
    for house, at in ((one, HERE), (other, THERE)):
        do(house, "anna balance", at)
    meanwhile(other, lambda: do(one, "anna bet 10", HERE))
    assert "more than your limit of 50" in says(other, "anna bet 10", THERE)
    assert other.pit.reruns == 1


def test_a_wallet_that_the_other_keeps_is_read_each_time(houses):
    one, other = houses
    account = f"player:{casino_at(one, HERE)}:{player(one, f'anna@{HERE}')}"
    before = other.pit.floor.house.balance(account)
    do(one, "anna bet 10", HERE)
    assert other.pit.floor.house.balance(account) == before - 1000


def hand_over(house, to, casino):
    """The wing of a casino, between two batches."""
    wing = frozenset({wing_of(casino)})
    house.pit.floor.give_wings(wing)
    before = dict(to.pit.floor.house.tables)
    tables = to.pit.floor.take_wings(1, ALL_WINGS, to.clock.now).tables
    assert tables == to.pit.floor.house.tables.keys() - before.keys()
    return tables


def test_a_hand_goes_on_with_the_same_cards_in_the_house_that_takes_its_wing(houses):
    one, other = houses
    casino = casino_at(one, HERE)
    assert not do(one, "anna bet 10", HERE).refused
    one.wait(table_at(one, HERE).deadline - one.clock.now + 1)
    dealt = table_at(one, HERE)
    assert dealt.play is not None
    assert hand_over(one, other, casino) == {dealt.id}
    assert not any(table.casino == casino for table in one.pit.floor.house.tables.values())
    assert do(one, "anna raise", HERE) == ELSEWHERE
    assert other.pit.floor.house.read_table(dealt.id).play.deal == dealt.play.deal
    assert not do(other, "anna raise", HERE).refused
    one.wait(3600)
    assert ask(one.books, "SELECT status FROM hands WHERE id = ?", dealt.hand_id) == [("over",)]
    before = wallet(other, f"anna@{HERE}")
    assert not do(other, "anna bet 10", HERE).refused
    assert hand_over(other, one, casino) == {dealt.id}
    assert wallet(one, f"anna@{HERE}") == before - 1000
    assert not do(one, "anna takeback", HERE).refused
    assert wallet(one, f"anna@{HERE}") == before


def test_hands_of_a_table_are_numbered_in_the_order_in_which_they_are_played_whoever_keeps_it(houses):
    one, other = houses
    casino, numbers = casino_at(one, HERE), []
    for keeper, next_one in ((one, other), (other, one), (one, other)):
        assert not do(keeper, "anna bet 10", HERE).refused
        numbers.append(table_at(keeper, HERE).hand_id)
        for _clock in range(4):
            one.wait(600), other.wait(0)
        numbers.append(table_at(keeper, HERE).hand_id)
        hand_over(keeper, next_one, casino)
    assert numbers == sorted(numbers)
    assert len({*numbers}) >= 4, numbers


def test_a_clock_runs_out_where_its_table_is_kept_and_nowhere_else(houses):
    one, other = houses
    assert not do(one, "anna bet 10", HERE).refused
    hand, casino = table_at(one, HERE).hand_id, casino_at(one, HERE)
    hand_over(one, other, casino)
    for house in (one, other):
        for _clock in range(4):
            house.wait(600)
        status = ask(one.books, "SELECT status FROM hands WHERE id = ?", hand)[0][0]
        assert status == ("betting" if house is one else "over")
    assert [row.casino for row in one.pit.floor.house.places.values() if row.casino == casino] == []


def test_what_is_noted_of_a_place_is_noted_by_its_keeper_alone(houses):
    one, other = houses
    noted = "SELECT name, value FROM notes WHERE name LIKE 'post%' ORDER BY name"
    errand(one, HERE, "note", "post:1", "5")
    assert ask(one.books, noted) == [("post:1", "5")]
    assert errand(other, HERE, "note", "post:1", "6") == ELSEWHERE
    assert ask(one.books, noted) == [("post:1", "5")]
    errand(other, THERE, "note", "post:2", "7")
    assert ask(one.books, noted) == [("post:1", "5"), ("post:2", "7")]
    hand_over(one, other, casino_at(one, HERE))
    errand(other, HERE, "note", "post:1", "8")
    assert ask(one.books, noted) == [("post:1", "8"), ("post:2", "7")]


def test_what_two_houses_note_under_one_name_is_what_the_first_of_them_did(houses):
    one, other = houses
    noted = "SELECT value FROM notes WHERE name = 'key'"
    assert errand(other, HERE, "note first", "key", "4") == ELSEWHERE
    for house, value in ((one, "5"), (one, "6"), (other, "7")):
        assert not errand(house, HERE, "note first", "key", value).refused
    hand_over(one, other, casino_at(one, HERE))
    assert not errand(other, HERE, "note first", "key", "8").refused
    assert ask(one.books, noted) == [("5",)]


def test_what_was_remembered_while_another_house_kept_it_is_read_anew(houses):
    """As a page's thread may that had begun to read before."""
    one, other = houses
    casino = casino_at(one, HERE)
    account = f"player:{casino}:{player(one, f'anna@{HERE}')}"
    hand_over(one, other, casino)
    one.pit.floor.house.balances[account] = one.books.balance(account)
    assert not do(other, "anna bet 10", HERE).refused
    hand_over(other, one, casino)
    assert one.pit.floor.house.balance(account) == one.books.balance(account)
    assert not do(one, "anna takeback", HERE).refused


def test_a_casino_whose_wing_is_just_being_taken_is_known_to_whoever_asks(houses):
    one, other = houses
    casino = casino_at(one, HERE)
    one.pit.give_wings(frozenset({wing_of(casino)}))
    assert other.books.take_wings(1) == {wing_of(casino)}
    assert other.pit.floor.house.casino(casino).name == HERE, "nothing of it is in memory yet"


class Told:
    """Who shows what a house keeps."""

    def __init__(self, house):
        self.came, self.went = [], []
        house.pit.follow_wings(self)

    def take_up(self, came):
        self.came.append(came)

    def let_go(self, went):
        self.went.append(went)


def test_whoever_shows_tables_is_told_of_those_that_come_and_go_and_where_they_stand(houses):
    one, other = houses
    table, row = table_at(one, HERE).id, one.pit.floor.house.places["discord", "1"]
    left, right = Told(one), Told(other)
    one.pit.give_wings(frozenset({wing_of(row.casino)}))
    ((tables, places),) = left.went
    assert (tables, places) == ({table}, (row,))
    assert right.came == []
    other.pit.take_wings(1)
    assert right.came == left.went
    other.pit.take_wings(1)
    assert len(right.came) == 1, "nothing was free"


@pytest.fixture
def sharing(schemas, tmp_path):
    """How a house comes that keeps nothing yet; all have one clock."""
    stores, came = Postgres(schemas), list[House]()

    def come():
        house = House(tmp_path, stores=Part(stores, frozenset()))
        if came:
            house.clock = house.pit.clock = house.pit.monotonic = came[0].clock
        house.keys = 10_000 * len(came)
        came.append(house)
        return house

    yield come
    for house in came:
        house.close()
    stores.end()


def level(*houses):
    """Each twice: what one has above its share another takes."""
    for house in houses * 2:
        kept, share = house.books.wings, house.books.fair_share()
        if len(kept) > share:
            house.pit.give_wings(frozenset(sorted(kept)[share:]))
        house.pit.take_wings(share - len(house.books.wings))
    return [len(house.books.wings) for house in houses]


def test_houses_that_come_and_go_share_evenly_and_lose_no_table(sharing):
    one = sharing()
    assert level(one) == [WINGS]
    places = [f"discord:{number}" for number in range(8)]
    for at in places:
        found(one, at, "caribbean")
        assert not do(one, "anna bet 10", at).refused
    other, third = sharing(), sharing()
    kept = level(one, other, third)
    assert sum(kept) == WINGS
    assert max(kept) - min(kept) <= 3
    for at in places:
        answers = [do(house, "anna takeback", at) for house in (one, other, third)]
        assert sorted(answer == ELSEWHERE for answer in answers) == [False, True, True]
        assert [answer.refused for answer in answers].count(False) == 1
    one.close()
    wait_until(lambda: sum(level(other, third)) == WINGS, "its session has ended, and they have what it had")
    third.close()
    wait_until(lambda: level(other) == [WINGS], "and the last one has all")
    for at in places:
        assert not do(other, "anna bet 10", at).refused
    assert other.faults() == []
