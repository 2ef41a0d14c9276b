"""Two houses on the books of one server, a casino each, with a lane between them: what is said in the wrong one is done
in the right one, once.
"""

import asyncio

import pytest

from bot.config import Address
from bot.house.floor import ELSEWHERE
from bot.lanes import carrying, sharing
from bot.lanes.carrying import Carrier
from bot.lanes.host import Host
from bot.lanes.sharing import Sharing
from storage.rows import WINGS, wing_of
from tests.bot.house.communities import casino_at, command
from tests.bot.house.test_wings import HERE, THERE, houses  # noqa: F401  (a fixture)
from tests.disk import ask
from tests.patience import PATIENCE_S, until

pytestmark = [pytest.mark.outside, pytest.mark.slow]

SECRET, OTHER = b"the houses' own secret", b"another secret than that"


class Kept:
    """One of them while it runs: its pit has a thread, its lane is open."""

    def __init__(self, house, secret=SECRET):
        self.house, self.pit, self.books, self.secret = house, house.pit, house.books, secret

    async def open(self):
        self.host = Host(self.pit, self.secret, lambda: None)
        self.lane = await self.host.open(Address("127.0.0.1", 0))
        self.carrier = Carrier(self.pit, self.secret, self.lane)
        self.pit.carry = self.carrier.carry
        self.hears = True
        self.sharing = Sharing(self.pit, self.secret, self.lane, lambda: self.hears)
        self.host.give, self.pit.gather = self.sharing.give, self.sharing.gather
        self.books.announce(self.lane)
        self.pit.start()

    async def close(self):
        await self.sharing.close()
        await self.carrier.close()
        await self.host.close()
        await asyncio.to_thread(self.pit.stop)

    async def say(self, line, at, *, key=None, **more):
        asked = command(self.house, line, at, **more)
        answer = self.pit.submit(asked._replace(key=key or asked.key))
        return await asyncio.wait_for(asyncio.wrap_future(answer), PATIENCE_S)

    async def give(self, casino):
        """Between two of its batches, the wing of a casino."""
        await self.between(lambda: self.pit.give_wings(frozenset({wing_of(casino)})))

    async def take(self):
        """What is free."""
        await self.between(lambda: self.pit.take_wings(64))

    async def between(self, act):
        return await asyncio.wait_for(asyncio.wrap_future(self.pit.between(act)), PATIENCE_S)


@pytest.fixture
async def lanes(houses, monkeypatch):  # noqa: F811
    """Each keeps a community: one that of HERE, the other that of THERE."""
    monkeypatch.setattr(sharing, "GATHERED_S", PATIENCE_S)
    monkeypatch.setattr(carrying, "FOLLOW_S", PATIENCE_S)  # else a machine that has much to do refuses
    both = [Kept(house) for house in houses]
    for kept in both:
        await kept.open()
    yield both
    for kept in both:
        await kept.close()


def bets(books):
    return ask(books, "SELECT count(*) FROM postings WHERE why = 'bet'")[0][0]


async def test_what_is_said_in_the_other_house_is_done_and_answered_as_by_the_keeper(lanes):
    one, other = lanes
    before = bets(one.books)
    theirs = await other.say("anna bet 10", HERE)
    assert not theirs.refused, theirs
    ours = await one.say("anna bet 10", THERE)
    assert ours.texts == theirs.texts
    assert bets(one.books) == before + 2
    for line in ("anna balance", "anna rank", "anna statement all", "anna learn", "anna bet 99999999", "anna table"):
        assert await other.say(line, HERE) == await one.say(line, HERE), line


async def test_the_same_key_in_both_houses_is_one_command(lanes):
    one, other = lanes
    before = bets(one.books)
    answers = await asyncio.gather(*(kept.say("anna bet 10", HERE, key="once") for kept in (one, other, one, other)))
    assert len({str(answer.texts) for answer in answers}) == 1
    assert bets(one.books) == before + 1


async def test_many_at_once_are_done_in_the_order_in_which_they_were_said(lanes):
    _one, other = lanes
    lines = [("anna bet 10", "anna takeback")[number % 2] for number in range(200)]
    for _time in range(12):
        other.carrier._lanes.clear()  # and where their keeper is has to be found while they come
        answers = await asyncio.gather(*(other.say(line, HERE) for line in lines))
        assert not [(n, answer) for n, answer in enumerate(answers) if answer.refused]


async def test_a_wing_that_goes_to_another_house_is_followed(lanes):
    one, other = lanes
    casino = casino_at(one.house, HERE)
    assert not (await other.say("anna bet 10", HERE)).refused
    await one.give(casino)
    said = asyncio.ensure_future(one.say("anna takeback", HERE))
    again = asyncio.ensure_future(other.say("anna balance", HERE))
    await until(lambda: casino not in one.pit.floor.house.casinos)
    assert not said.done(), "nobody keeps it"
    await other.take()
    assert not (await said).refused
    assert not (await again).refused
    assert not (await one.say("anna bet 10", HERE)).refused, "over the lane now"
    assert casino in other.pit.floor.house.casinos


async def test_a_keeper_whose_lane_is_cut_is_asked_again_and_has_done_it_once(lanes):
    one, other = lanes
    before = bets(one.books)
    assert not (await other.say("anna balance", HERE)).refused
    line = await other.carrier._line(one.lane)
    said = asyncio.ensure_future(other.say("anna bet 10", HERE, key="cut"))
    await until(lambda: bets(one.books) == before + 1)
    line._wire.writer.transport.abort()
    assert not (await said).refused
    assert bets(one.books) == before + 1


async def code_for(lanes):
    one, other = lanes
    for kept, at in ((one, HERE), (other, THERE)):
        await kept.say("dora balance", at)
    return str((await other.say("dora link", THERE)).texts[0]).split()[3].rstrip(".")


@pytest.mark.parametrize("said_in", [0, 1])
async def test_what_needs_the_wings_of_both_has_them_gathered_where_it_is_said_and_is_done_once(lanes, said_in):
    one, other = lanes
    code = await code_for(lanes)
    casinos = casino_at(one.house, HERE), casino_at(other.house, THERE)
    said = [lanes[said_in].say(f"dora link {code}", HERE, sure=True, key="linked") for _time in range(2)]
    for answer in await asyncio.gather(*said):
        assert not answer.refused, answer
    assert {wing_of(casino) for casino in casinos} <= one.books.wings, "where the place is"
    accounts = ask(one.books, "SELECT DISTINCT player FROM identities WHERE name = 'dora'")
    assert len(accounts) == 1
    for kept in (other, one):
        for at in (HERE, THERE):
            assert not (await kept.say("dora balance", at)).refused


async def test_two_that_want_each_others_wings_do_not_wait_for_each_other_for_ever(lanes):
    one, other = lanes
    for kept, at in ((one, HERE), (other, THERE)):
        assert not (await kept.say("insp balance", at)).refused
    code = str((await one.say("insp house code", HERE)).texts[0]).split()[3].rstrip(".")
    back = str((await other.say("insp house code", THERE)).texts[0]).split()[3].rstrip(".")
    answers = await asyncio.gather(
        other.say(f"insp house join {code}", THERE, sure=True), one.say(f"insp house join {back}", HERE, sure=True)
    )
    assert sorted(answer.refused for answer in answers) == [False, True], answers
    assert len(ask(one.books, "SELECT DISTINCT casino FROM places WHERE home <> 0")) == 1


async def test_a_wing_that_is_held_is_not_given_and_who_wants_it_is_told_in_time(lanes, monkeypatch):
    one, other = lanes
    code = await code_for(lanes)
    wing = wing_of(casino_at(other.house, THERE))
    monkeypatch.setattr(sharing, "GATHERED_S", 0.3)
    with other.sharing._holding({wing}):
        assert await one.say(f"dora link {code}", HERE, sure=True) == ELSEWHERE
    assert wing in other.books.wings
    monkeypatch.setattr(sharing, "GATHERED_S", PATIENCE_S)
    assert not (await one.say(f"dora link {code}", HERE, sure=True)).refused


async def test_what_somebody_sets_in_one_house_holds_in_the_other_at_once(lanes):
    one, other = lanes
    assert not (await other.say("anna bet 10", THERE)).refused
    assert not (await one.say("anna pause 7", HERE, sure=True)).refused
    assert "paused yourself" in str((await other.say("anna bet 10", THERE)).texts[0])


async def test_a_newcomer_whom_both_houses_meet_at_once_is_one_player(lanes):
    one, other = lanes
    await asyncio.gather(*(kept.say("carlo balance", at) for kept, at in ((one, HERE), (other, HERE))))
    assert ask(one.books, "SELECT count(*) FROM identities WHERE name = 'carlo'") == [(1,)]


async def test_a_house_with_another_secret_is_not_asked_and_it_is_said_once(lanes, caplog):
    _one, other = lanes
    other.carrier.secret = OTHER
    for _time in range(2):
        assert await other.say("anna bet 10", HERE) == ELSEWHERE
    said = [record.getMessage() for record in caplog.records if "RIDOTTO_SECRET" in record.getMessage()]
    assert len([line for line in said if "has another RIDOTTO_SECRET" in line]) == 1
    assert not [line for line in said if SECRET.decode() in line or OTHER.decode() in line]


@pytest.mark.slow
async def test_who_does_not_hear_his_platforms_asks_for_nothing_and_takes_what_nobody_else_takes(lanes, monkeypatch):
    here, there = lanes
    all_of_them = here.books.wings | there.books.wings
    monkeypatch.setattr(sharing, "LEFT_BY_ALL_S", PATIENCE_S)  # else a machine that has much to do leaves them so long
    there.hears = False
    there.sharing.open()
    await there.between(lambda: there.pit.give_wings(there.books.wings))
    await asyncio.sleep(2 * sharing.LEFT_S)
    here.sharing.open()
    await until(lambda: here.books.wings == all_of_them)
    await asyncio.sleep(5 * sharing.LOOKS_EVERY_S)
    assert there.books.wings == frozenset()
    there.hears = True
    await until(lambda: there.books.wings, "it asks for its share")
    there.hears = False
    await here.sharing.close()
    await here.between(lambda: here.pit.give_wings(here.books.wings))
    monkeypatch.setattr(sharing, "LEFT_BY_ALL_S", sharing.LEFT_S)
    await until(lambda: there.books.wings == all_of_them, "nobody else takes them")


async def test_a_look_that_fails_is_logged_and_the_next_one_takes_what_is_free(lanes, monkeypatch, caplog):
    here, there = lanes
    await there.between(lambda: there.pit.give_wings(there.books.wings))
    taking, failures = here.pit.floor.take_wings, [ValueError("nobody thought of this")]

    def fail_once(*asked):
        if failures:
            raise failures.pop()
        return taking(*asked)

    monkeypatch.setattr(here.pit.floor, "take_wings", fail_once)
    monkeypatch.setattr(sharing, "LEFT_S", 0.0)
    here.sharing.open()
    await until(lambda: len(here.books.wings) == WINGS)
    assert [one.message for one in caplog.records] == ["the wings were not looked after: ValueError"]


async def test_what_nobody_keeps_is_refused_in_time(lanes, monkeypatch):
    one, other = lanes
    monkeypatch.setattr(carrying, "FOLLOW_S", 0.2)
    await one.give(casino_at(one.house, HERE))
    for kept in lanes:
        assert await kept.say("anna bet 10", HERE) == ELSEWHERE
    monkeypatch.setattr(carrying, "FOLLOW_S", PATIENCE_S)
    await one.take()
    assert not (await other.say("anna balance", HERE)).refused
