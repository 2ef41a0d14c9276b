"""Two houses on the books of one server, a casino each, with a lane between them: what is said in the wrong one is done
in the right one, once.
"""

import asyncio

import pytest

from bot.config import Address
from bot.house.floor import ELSEWHERE
from bot.lanes import carrying
from bot.lanes.carrying import Carrier
from bot.lanes.host import Host
from storage.rows import wing_of
from tests.bot.house.communities import casino_at, command, player
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
        self.books.announce(self.lane)
        self.pit.start()

    async def close(self):
        await self.carrier.close()
        await self.host.close()
        await asyncio.to_thread(self.pit.stop)

    async def say(self, line, at, *, key=None, **more):
        asked = command(self.house, line, at, **more)
        answer = self.pit.submit(asked._replace(key=key or asked.key))
        return await asyncio.wait_for(asyncio.wrap_future(answer), PATIENCE_S)

    async def give(self, casino):
        """Between two of its batches, the wing of a casino."""
        gave = asyncio.Event()
        loop, level = asyncio.get_running_loop(), self.pit.level_wings

        def give():
            self.pit.shares, self.pit.level_wings = False, level
            self.pit.give_wings(frozenset({wing_of(casino)}))
            loop.call_soon_threadsafe(gave.set)

        self._between(give)
        await asyncio.wait_for(gave.wait(), PATIENCE_S)

    async def take(self):
        """What is free."""
        took = asyncio.Event()
        loop, level = asyncio.get_running_loop(), self.pit.level_wings

        def take():
            self.pit.shares, self.pit.level_wings = False, level
            self.pit.take_wings(64)
            loop.call_soon_threadsafe(took.set)

        self._between(take)
        await asyncio.wait_for(took.wait(), PATIENCE_S)

    def _between(self, act):
        self.pit.level_wings, self.pit._leveled, self.pit.shares = act, float("-inf"), True


@pytest.fixture
async def lanes(houses):  # noqa: F811
    """Each keeps a community: one that of HERE, the other that of THERE."""
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
    answers = await asyncio.gather(*(other.say(line, HERE) for line in lines))
    assert not [answer for answer in answers if answer.refused]


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


async def test_what_needs_the_wings_of_both_is_refused_whole_and_goes_round_in_no_circle(lanes):
    one, other = lanes
    for kept, at in ((one, HERE), (other, THERE)):
        await kept.say("dora balance", at)
    code = str((await other.say("dora link", THERE)).texts[0]).split()[3].rstrip(".")
    for kept in (one, other):
        assert await kept.say(f"dora link {code}", HERE, sure=True) == ELSEWHERE
    assert player(one.house, f"dora@{HERE}") != player(other.house, f"dora@{THERE}")


async def test_a_house_with_another_secret_is_not_asked_and_it_is_said_once(lanes, caplog):
    _one, other = lanes
    other.carrier._secret = OTHER
    for _time in range(2):
        assert await other.say("anna bet 10", HERE) == ELSEWHERE
    said = [record.getMessage() for record in caplog.records if "RIDOTTO_SECRET" in record.getMessage()]
    assert len([line for line in said if "has another RIDOTTO_SECRET" in line]) == 1
    assert not [line for line in said if SECRET.decode() in line or OTHER.decode() in line]


async def test_what_nobody_keeps_is_refused_in_time(lanes, monkeypatch):
    one, other = lanes
    monkeypatch.setattr(carrying, "FOLLOW_S", 0.2)
    await one.give(casino_at(one.house, HERE))
    for kept in lanes:
        assert await kept.say("anna bet 10", HERE) == ELSEWHERE
    await one.take()
    assert not (await other.say("anna balance", HERE)).refused
