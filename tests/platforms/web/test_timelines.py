"""Numbered events for a page: it knows the state of the felt whatever it missed, and gets nothing twice."""

import asyncio
import random

import msgspec
import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType

from bot.cli.game_checks.trial_table import TrialTable
from bot.games import PLUGINS
from bot.platforms.web.live import HEARTBEAT_S
from bot.platforms.web.lounge import Visitor
from bot.platforms.web.table import view_of
from bot.platforms.web.timelines import MOST_STEPS, Mark, Timelines
from bot.platforms.web.views import Drawing, PageView
from bot.view.timeline import FeltState, Step, seen_of
from tests.bot.open_house import TABLE, OpenHouse
from tests.core.conftest import House
from tests.folding import fold
from tests.patience import PATIENCE_S

HANDS = 3


@pytest.fixture(scope="module", params=sorted(PLUGINS))
def evening(request, tmp_path_factory):
    made = TrialTable(House(tmp_path_factory.mktemp(request.param)), request.param, has_screens=False)
    made.record("asleep")
    for _ in range(HANDS):
        made.play_hand()
    yield made
    made.casino.close()


def courses_of(evening):
    writer = evening.casino.writer
    return Timelines(writer.state, writer.clock)


class Page:
    """A browser's page, as it results from the messages."""

    def __init__(self):
        self.felt, self.lies = FeltState(hand=0), 0
        self.mark: Mark | None = None
        self.view: PageView | None = None

    def lose_line(self):
        self.view = None

    def be_shown(self, view):
        message, self.view = view.since(self.view, self.mark), view
        if not message:
            return
        told = msgspec.json.decode(message)
        if "lies" in told:
            self.felt = msgspec.convert(told["lies"], FeltState)
            self.lies += 1
        elif "steps" in told:
            steps = msgspec.convert(told["steps"], list[Step])
            self.felt = fold(self.felt, steps)
            assert self.mark is not None
            assert told["number"] == self.mark.number + len(steps), "each has its number, none is left out"
        self.mark = view.mark


def people_of(evening):
    return (None, *evening.players.values())


def test_a_page_knows_the_felt_over_every_lost_line(evening):
    rng, timelines = random.Random(evening.game), courses_of(evening)
    for viewer in people_of(evening):
        page, lost = Page(), 0
        for state in evening.moments:
            if rng.random() < 0.3:
                page.lose_line()
                lost += 1
            if rng.random() < 0.8:
                page.be_shown(PageView(Drawing({}), timeline=timelines.of(state.table, viewer)))
                assert page.felt.encode() == seen_of(state.table, viewer).felt.encode()
        assert lost
        assert page.lies == 1, "only a page that knows nothing yet is told all of it"


def test_who_takes_part_goes_on_from_what_everybody_knows(evening):
    """A player shares the public course until they get private cards."""
    for viewer in evening.players.values():
        timelines, page = courses_of(evening), Page()
        for number, state in enumerate(evening.moments):
            plays = number > 0
            page.be_shown(PageView(Drawing({}), timeline=timelines.of(state.table, viewer if plays else None)))
            assert page.felt.encode() == seen_of(state.table, viewer if plays else None).felt.encode()
        assert page.lies == 1


@pytest.mark.long
def test_who_missed_too_much_or_comes_from_elsewhere_is_told_how_the_felt_lies(evening):
    timelines, page = courses_of(evening), Page()
    first, *_more, last = evening.moments
    page.be_shown(PageView(Drawing({}), timeline=timelines.of(first.table, None)))
    timeline = timelines.of(first.table, None)
    for _ in range(MOST_STEPS):
        for table in (last.table, first.table):
            timeline.go_on(table)
    page.be_shown(PageView(Drawing({}), timeline=timeline))
    page.lose_line()
    page.be_shown(PageView(Drawing({}), timeline=courses_of(evening).of(last.table, None)))
    assert page.lies == 3
    assert page.felt.encode() == seen_of(last.table, None).felt.encode()


def test_a_course_of_everybody_is_kept_once_and_told_in_the_same_bytes(evening):
    timelines, table = courses_of(evening), evening.moments[-1].table
    timeline, mark = timelines.of(evening.moments[0].table, None), timelines.of(evening.moments[0].table, None).mark
    assert timelines.of(table, None) is timeline
    assert timeline.since(mark, "en") is timeline.since(mark, "en")
    assert timeline.since(timeline.mark, "en") == b""


async def test_a_spectator_and_a_player_are_told_their_own_course(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    await anna.press("bet", "10")
    await house.wait(21)
    table, house_ = house.table(), house.lounge
    views = {
        name: view_of(Visitor(house_, "en", house_.state.players[one.id]), table)
        for name, one in (("anna", anna), ("bea", bea))
    }
    told = {name: msgspec.json.decode(view.since(None))["lies"]["cards"] for name, view in views.items()}
    assert "??" not in told["anna"]["1"]
    assert set(told["bea"]["1"]) == {"??"}


@pytest.mark.slow
async def test_a_page_hears_something_while_nothing_happens(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    socket = await anna.watch()
    await socket.receive_json()
    beat = await ClientWebSocketResponse.receive(socket, PATIENCE_S)
    assert beat.data == '{"watch":0}'


async def test_a_page_hears_how_many_others_look_on_and_who_plays_is_none_of_them(house: OpenHouse) -> None:
    people = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    await people[0].press("bet", "10")
    sockets = [await one.watch() for one in people]
    second_page = await people[1].watch()

    async def hear(socket: ClientWebSocketResponse) -> dict[str, int]:
        while "watch" not in (said := await asyncio.wait_for(socket.receive_json(), PATIENCE_S)):
            pass
        return dict(said)

    assert [await hear(socket) for socket in (*sockets, second_page)] == [
        {"watch": 2},
        {"watch": 1},
        {"watch": 1},
        {"watch": 1},
    ]


async def test_a_page_may_ask_how_long_an_answer_takes_and_not_all_the_time(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    socket = await anna.watch()
    await socket.receive_json()
    await socket.send_str("?")
    assert await asyncio.wait_for(socket.receive_json(), PATIENCE_S) == {"echo": 1}
    await socket.send_str("?")
    assert (await asyncio.wait_for(socket.receive(), PATIENCE_S)).type in (WSMsgType.CLOSE, WSMsgType.CLOSED)


@pytest.mark.slow
@pytest.mark.parametrize("after", ["x", "x.", "x.-1", "x.99999999999999999", ".7", "x.²"])
async def test_a_page_that_says_nonsense_of_where_it_was_is_told_all(house: OpenHouse, after: str) -> None:
    anna = await house.enter("Anna")
    socket = await anna.client.ws_connect(f"{anna.base}{TABLE}/live", params={"after": after})
    assert "lies" in await socket.receive_json()


async def test_hearts_of_pages_that_came_together_are_asked_apart(house: OpenHouse) -> None:
    """aiohttp sends those of one second at once, which for thousands blocked the loop for a fifth of a second."""
    anna = await house.enter("Anna")
    sockets = [await anna.watch() for _ in range(8)]
    for socket in sockets:
        await socket.receive_json()
    asked_s = {page.socket._heartbeat for page in house.lounge.live.pages}
    assert len(asked_s) == 8
    assert all(HEARTBEAT_S <= one < 2 * HEARTBEAT_S for one in asked_s if one is not None)
