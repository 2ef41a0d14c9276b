"""The public view is drawn once: the same as for each viewer alone, and without private cards.

Three people play hands of every game through the real writer, and spectators with different wallets look on.
"""

import asyncio
import random
import re
from functools import partial

import msgspec
import pytest
from aiohttp._websocket.reader_py import WebSocketDataQueue, WebSocketReader
from aiohttp.base_protocol import BaseProtocol
from msgspec import structs

from bot.cli.game_checks.screens import exchange_hidden_cards, find_known_cards
from bot.cli.game_checks.trial_table import TrialTable, void_hand
from bot.games import PLUGINS
from bot.platforms.web.audiences import Audience
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import Lounge, Visitor
from bot.platforms.web.table import _draw_audience, _draw_parts, _make_view, view_of
from bot.platforms.web.views import GAP, Drawing, PageView, frame
from bot.texts import LANGUAGES
from bot.view.audience import NOBODY, people_in
from engine.cards import HIDDEN
from engine.events import Dealt
from storage import ledger
from tests.core.conftest import House
from tests.some import some

HANDS = 2
# In minor units: nothing, some of the minimum bets, all of them, and a newcomer's chips.
WALLETS = {"dora": 0, "eva": 9_00, "fina": 25_00, "gina": 40_00, "hilda": 500_00, "ida": 12_345_67}
PLUGIN = re.compile(r"/cards/[0-9a-f]{12}/([2-9TJQKA][cdhs]|JK)\.svg|data-key=\"([2-9TJQKA][cdhs]|JK)\"")


@pytest.fixture(scope="module", params=sorted(PLUGINS))
def evening(request, tmp_path_factory):
    made = TrialTable(House(tmp_path_factory.mktemp(request.param)), request.param, has_screens=False)
    for name in WALLETS:
        made.do(f"{name} balance")
    made.record("asleep")
    for _ in range(HANDS):
        made.play_hand()
    made.record(
        "void",
        made.table.change(
            last=void_hand(some(made.table.last)), round=structs.replace(made.table.round, hand=None, bets=())
        ),
    )
    house = made.casino.writer.state
    for name, chips in WALLETS.items():
        house.balances[ledger.wallet(made.table.casino, made.casino.player(name))] = chips
    yield made
    made.casino.close()


@pytest.fixture
async def lounge(evening):
    return Lounge(evening.casino.writer, Live())


def visitor_of(lounge, id, language="en"):
    return Visitor(lounge, language, lounge.state.players[id])


def tables_of(evening):
    return [(state.phase, state.table) for state in evening.moments]


def audience_of(lounge, table):
    return Audience(lounge.state, table, lounge.writer.clock(), partial(_draw_audience, lounge), None)


def drawings_of(audience):
    """Yield the public view in every language, for those who can pay for all and for nothing, with odds and without."""
    for language in LANGUAGES:
        for chips in (None, 0):
            for shows_odds in (False, True):
                yield audience.drawing(language, chips, shows_odds=shows_odds)


@pytest.fixture(scope="module")
async def alone(evening):
    """Views of each phase before anyone has looked, drawn once for all tests."""
    lounge = Lounge(evening.casino.writer, Live())
    return [
        (phase, table, [drawing.parts for drawing in drawings_of(audience_of(lounge, table))])
        for phase, table in tables_of(evening)
    ]


@pytest.mark.slow
async def test_every_looker_is_shown_what_they_would_see_alone(evening, lounge):
    for phase, table in tables_of(evening):
        views = []
        for name in WALLETS:
            visitor = visitor_of(lounge, evening.casino.player(name), random.Random(name).choice([*LANGUAGES]))
            alone = _draw_parts(visitor, table, _make_view(visitor, visitor.player, table))
            views.append(view_of(visitor, table))
            assert views[-1].parts == alone, (phase, name)
        # Black jack's boxes are stored by number, and some players have the same numbers.
        assert sum(not view.own for view in views) >= 3, "they have no part in it"


@pytest.mark.slow
async def test_who_has_a_part_in_it_is_shown_their_own(evening, lounge):
    for phase, table in tables_of(evening):
        for id in evening.players.values():
            visitor = visitor_of(lounge, id)
            assert view_of(visitor, table).parts == _draw_parts(
                visitor, table, _make_view(visitor, visitor.player, table)
            ), phase


@pytest.mark.slow
def test_G8_no_card_is_in_the_shared_part_that_is_not_for_everybody(evening, alone):
    secret = 0
    for phase, table, drawn in alone:
        known = find_known_cards(table, None)
        for parts in drawn:
            shown = {card for found in PLUGIN.findall("".join(parts.values())) for card in found if card}
            assert shown <= known, phase
        hand = table.round.hand
        secret += bool(hand) and any(
            card not in known
            for key in people_with_cards(hand)
            for card in hand.cards(key).get(key, ())
            if card != HIDDEN
        )
    private = PLUGINS[evening.game].play.private_cards
    assert secret or not private, "there were cards that only their player knew"


def people_with_cards(hand):
    return {event.to for event in hand.events if isinstance(event, Dealt) and event.to[:1].isdigit()}


@pytest.mark.slow
async def test_the_shared_part_is_the_same_whoever_has_looked_before(evening, lounge, alone):
    for phase, table, drawn in alone:
        for id in (*evening.players.values(), *(evening.casino.player(name) for name in WALLETS)):
            view_of(visitor_of(lounge, id), table)
            audience = lounge.audiences.of(table, partial(_draw_audience, lounge))
            assert [drawing.parts for drawing in drawings_of(audience)] == drawn, phase


@pytest.mark.slow
async def test_G8_the_shared_part_is_the_same_whatever_the_hidden_cards_are(evening, lounge, alone):
    compared, rng = 0, random.Random(evening.game)
    open_ones = [(table, drawn) for phase, table, drawn in alone if phase in ("playing", "turning")]
    for table, drawn in open_ones:
        other = exchange_hidden_cards(table, None, rng)
        if other is not None:
            compared += 1
            two = audience_of(lounge, table.change_round(hand=other))
            assert [drawing.parts for drawing in drawings_of(two)] == drawn
    assert compared or not open_ones, "only a game that asks nobody has no open hand"


@pytest.mark.long
async def test_many_lookers_are_one_drawing(evening, lounge):
    for _phase, table in tables_of(evening):
        rich = [view_of(visitor_of(lounge, evening.casino.player(name)), table).drawing for name in ("hilda", "ida")]
        assert rich[0] is rich[1]
        assert view_of(visitor_of(lounge, evening.casino.player("hilda"), "de"), table).drawing is not rich[0]


def test_nobody_is_no_player_and_has_no_part(evening):
    for _phase, table in tables_of(evening):
        assert NOBODY not in people_in(table)
        assert set(evening.players.values()) <= people_in(table) or table.last is None


def told(message: bytes):
    return msgspec.json.decode(message)["parts"] if message else {}


def test_a_message_brings_what_changed_and_the_page_has_the_whole():
    rng = random.Random(7)
    page: dict[str, str] = {}
    drawn = [{"felt": f"<b>ünd</b> {rng.choice('ab')}", "mine": f"{rng.choice('ab')} {GAP}"} for _drawing in range(6)]
    drawings = [Drawing(parts) for parts in drawn]
    seen = None
    for _step in range(300):
        own = rng.choice([{}, {}, {"felt": rng.choice('"cd'), "mine": "e"}])
        drawing = Drawing({}) if own else rng.choice(drawings)
        view = PageView(drawing, rng.choice(['1,000"', "2\u202f000", "&#39;"]), own)
        message = view.since(seen)
        page |= told(message)
        assert page == view.parts
        assert (not message) == (seen is not None and seen.parts == view.parts)
        assert GAP not in message.decode()
        seen = view


def test_what_is_the_same_is_put_into_words_once():
    one, two = Drawing({"felt": "a", "mine": GAP}), Drawing({"felt": "b", "mine": GAP})
    assert two.since(one, has_new_text=False) is two.since(one, has_new_text=False)
    assert told(PageView(two, "5").since(PageView(one, "5"))) == {"felt": "b"}
    assert told(PageView(two, "6").since(PageView(one, "5"))) == {"felt": "b", "mine": "6"}


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_frame_is_read_as_the_library_reads_it(size):
    """Frames follow RFC 6455, 5.2."""
    loop = asyncio.new_event_loop()
    try:
        queue = WebSocketDataQueue(BaseProtocol(loop), 2**20, loop=loop)
        WebSocketReader(queue, 2**20, compress=False, decode_text=True).feed_data(frame(b"x" * size))
        assert [message.data for message, *_size in queue._buffer] == ["x" * size]
    finally:
        loop.close()
