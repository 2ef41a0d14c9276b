"""House players: they keep a person company by the same commands, and play with no one else."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.core.commands.command import Who
from bot.core.commands.shown_names import GUEST_NAMES
from bot.platforms.common.guests import HousePlayer, act, choose
from engine.cards import HIDDEN
from engine.felt import Deal, Stake
from engine.games import GAMES
from engine.hand import Hand
from tests.bot.open_house import OpenHouse, Player, open_house
from tests.core.conftest import BUY_IN, TABLES

FREE = ("check", "stand", "decline", "fold", "call")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path) as house:
        yield house


class Company:
    """One house player, with time moved by the test."""

    def __init__(self, house: OpenHouse, number: int = 0) -> None:
        self.house, self.guest = house, HousePlayer(Who("guest", str(number), GUEST_NAMES[number]), Random(1))
        self.now = 0.0

    async def live(self, steps: int = 4) -> None:
        for _ in range(steps):
            self.now += 10
            await act(self.house.lounge, self.guest, self.now)

    @property
    def id(self) -> int:
        return self.house.writer.state.identities["guest", self.guest.who.account]


async def test_where_nobody_plays_guests_are_silent(house: OpenHouse) -> None:
    company = Company(house)
    await house.enter("Anna")
    await company.live(8)
    assert all(table.phase == "asleep" and not table.players() for table in house.lounge.tables())


@pytest.mark.parametrize("game", ["caribbean", "uth", "paiju", "blackjack"])
async def test_a_guest_joins_a_person_plays_on_and_leaves_with_them(house: OpenHouse, game: str) -> None:
    company, anna, number = Company(house), await house.enter("Anna"), TABLES[game]
    await company.live(3)
    await anna.press("bet", *(["south", "50"] if game == "paiju" else ["50"]), table=number)
    await company.live()
    bets = house.table(number).bets_of(company.id)
    assert bets
    assert not any(spot in bet.spots for bet in bets for spot in ("jackpot", "trips", "admiral")), "no side bets"
    assert company.id in house.table(number).round.ready, "the house player does not make a person wait"
    await anna.press("ready", table=number)
    await house.wait(21)
    for _ in range(30):
        if house.table(number).round.hand is None:
            break
        await company.live(2)
        await press_something(anna, house, number)
    assert house.table(number).last is not None
    await anna.press("leave", table=number)
    await company.live(4)
    assert company.id not in house.table(number).players()


async def test_a_guest_waits_for_a_hand_that_nobody_has_read_since_the_start(house: OpenHouse) -> None:
    company, anna = Company(house), await house.enter("Anna")
    await company.live(3)
    await anna.press("bet", "50")
    while not house.table().bets_of(company.id):
        await company.live(1)
    await anna.press("ready")
    await house.wait(21)
    assert company.id not in house.table().round.ready
    house.forget_hands()
    await company.live(2)
    assert not company.guest.doing.startswith("ready")


async def press_something(anna: Player, house: OpenHouse, number: int) -> None:
    hand = house.table(number).round.hand
    for seat in house.table(number).seats_played_by(anna.id):
        if hand is not None and seat in hand.asks:
            words = [offer.word for offer in hand.asks[seat]]
            await anna.press(next(word for word in FREE if word in words), table=number)


@pytest.mark.parametrize("game", BUY_IN)
async def test_a_guest_sits_down_at_a_cash_table_with_a_person(house: OpenHouse, game: str) -> None:
    company, anna, number = Company(house), await house.enter("Anna"), TABLES[game]
    await company.live(3)
    said = await anna.press("sit", table=number)
    assert not said["refused"], said
    await company.live(4)
    assert company.id in house.table(number).players()


async def test_guests_are_no_rivals(house: OpenHouse) -> None:
    company, anna = Company(house), await house.enter("Anna")
    await company.live(3)
    assert company.guest.who.name not in await anna.page("/leaderboard")


async def test_a_guest_who_is_refused_does_not_insist(house: OpenHouse) -> None:
    company, anna = Company(house), await house.enter("Anna")
    await company.live(3)
    poor = house.writer.state.balances
    poor[f"player:1:{company.id}"] = 0
    await anna.press("bet", "50")
    before = house.writer.commands
    company.now += 1
    for _ in range(40):
        company.now += 0.5
        await act(house.lounge, company.guest, company.now)
    assert house.writer.commands - before <= 4


def test_a_guest_sees_what_their_seat_sees() -> None:
    """A house player's choice does not depend on hidden cards."""
    game = GAMES["caribbean"]
    own = "As Kd Jc 8h 3s".split()
    choices = set()
    for others in ("2c 3c 4c 5c 6c 7c", "Ac Ah Ad Kc Kh Ks"):
        deck = (*own, *others.split(), *"9c 9d".split())
        hand = Hand(Deal("caribbean", game.parse_options({}), (Stake(1, "p1", {"ante": 1000}),), deck))
        assert HIDDEN in hand.cards("1")["dealer"]
        choices.add(choose(hand, "1"))
    assert len(choices) == 1


async def test_a_guest_registers_for_a_tournament_and_plays_it_to_its_end(house: OpenHouse) -> None:
    company, anna = Company(house), await house.enter("Anna")
    await company.live(3)
    await anna.press("tournament create", "holdem", "2", table=TABLES["holdem"])
    number = max(house.writer.state.tables)
    await company.live(3)
    live = house.table(number).tournament
    assert live is not None
    assert live.is_running
    for _ in range(300):
        if house.table(number).status == "closed":
            break
        hand = house.table(number).round.hand
        if hand is None:
            await house.wait(8)
        elif anna.id in {house.table(number).owners()[seat] for seat in hand.asks}:
            ((_seat, offers),) = hand.asks.items()
            words = [offer.word for offer in offers]
            verb = next(word for word in ("raise", "bet", "call", "check", "fold") if word in words)
            await anna.press(verb, *(["all"] if verb in ("raise", "bet") else []), table=number, confirmed=True)
        await company.live(1)
    assert house.table(number).status == "closed"
