"""Short scenes of Hold'em in a Discord channel: what each person reads, in order. All are played in one casino."""

from collections.abc import AsyncIterator

import pytest

from bot.core.state.table import owners_of
from tests.platforms.dealer import Dealer
from tests.platforms.discord.house import House, opened


def lines_of(shown):
    return shown.text.replace("**", "").split("\n")


class Room:
    """A channel with a table of Hold'em, and people who sit at it."""

    def __init__(self, house, channel, names):
        self.house, self.channel = house, channel
        self.people = {name: channel.guild.member(name) for name in names}

    @property
    def hand(self):
        return self.house.table(self.channel).round.hand

    @property
    def post(self):
        return next((message for message in reversed(self.channel.messages) if message.labels), None)

    async def shows(self, words):
        """Wait until the table shows these words; return its lines."""
        await self.house.until(lambda: self.post is not None and words in self.post.text, words)
        return lines_of(self.post)

    async def does(self, name, verb, **options):
        """Use a command; return the lines of the answer."""
        self.told = await self.people[name].slash(self.channel, verb, **options)
        return lines_of(self.told)

    async def presses(self, name, label):
        """Press a button of the table; return the lines of the answer."""
        self.told = await self.people[name].presses(self.post, label)
        return lines_of(self.told)

    async def sit(self, amount=100):
        return [(await self.does(name, "buyin", amount=str(amount)))[0] for name in self.people]

    async def deal(self):
        await self.house.pass_time(self.house.left(self.channel))
        await self.house.until(lambda: self.hand is not None)

    async def fold_out(self):
        """Fold, or check where that is free, until the hand is over."""
        known = {self.house.house.identities["discord", str(one.id)]: name for name, one in self.people.items()}
        while (hand := self.hand) is not None:
            ((seat, offers),) = hand.asks.items()
            await self.does(known[owners_of(hand)[seat]], offers[0].word)


@pytest.fixture(scope="module")
async def casino(tmp_path_factory) -> AsyncIterator[tuple[House, Dealer]]:
    dealer = Dealer()
    with pytest.MonkeyPatch.context() as patch:
        async with opened(tmp_path_factory.mktemp("scenes"), patch, entropy=dealer) as house:
            yield house, dealer
            house.server.assert_clean()


@pytest.fixture
def table(casino):
    """Return a function that opens a table in a server of its own; `order` ranks the players of the first hand."""
    house, dealer = casino

    async def open_table(*names, order=()):
        dealer.wish(*order)
        guild = house.server.guild("Venezia")
        room = Room(house, guild.text_channel("holdem"), names)
        await guild.owner.slash(room.channel, "table open", game="holdem")
        await room.shows("The game starts when two players have bought in.")
        return room

    return open_table


async def test_HE8_heads_up_the_button_acts_first_before_the_flop_and_last_after_it(table):
    room = await table("Anna", "Bea")
    assert await room.sit() == [
        "Seat 1, stack 100. 900 left. The game needs two players.",
        "Seat 2, stack 100. 900 left. Next hand in 8 s.",
    ]
    await room.deal()
    lines = await room.shows("waiting for Anna")
    assert "▶ 1. Anna (D) · [99] · in for 1 · thinking · Cards: 🂠 🂠" in lines
    assert "2. Bea · [98] · in for 2 · waiting · Cards: 🂠 🂠" in lines
    assert room.post.labels == [
        "Fold",
        "Call (1)",
        "Raise to 4",
        "Raise to 6",
        "Other amount",
        "My cards",
        "Check/fold",
    ]
    assert (await room.presses("Anna", "Call (1)"))[0] == "You called: 1. Waiting for Bea."
    await room.shows("waiting for Bea")
    assert (await room.presses("Bea", "Check"))[0] == "You checked. It's your turn again."
    lines = await room.shows("The flop: waiting for Bea.")
    board = next(line for line in lines if line.startswith("Board: "))
    assert await room.presses("Bea", "Check") == [
        "You checked. Waiting for Anna.",
        next(line for line in lines_of(room.told) if line.startswith("## ")),
        "in for 2",
        "Your stack: 98",
        board,
        "Pot: 4",
        "▶ 1. Anna (D) · [98] · in for 2 · thinking · Cards: 🂠 🂠",
        next(line for line in lines_of(room.told) if line.startswith("You hold: ")),
    ]


async def test_HE7_a_newcomer_waits_for_the_big_blind_or_posts(table):
    room = await table("Anna", "Bea", "Carla")
    await room.sit()
    await room.deal()
    room.people |= {name: room.channel.guild.member(name) for name in ("Dora", "Elsa")}
    waits = "You are dealt in when the big blind reaches you. Post what you owe to play sooner: /post."
    assert plain(await room.does("Dora", "buyin", amount="100")) == f"Seat 4, stack 100. 900 left. {waits}"
    assert plain(await room.does("Elsa", "buyin", amount="100")) == f"Seat 5, stack 100. 900 left. {waits}"
    await room.fold_out()
    await room.shows("The next hand is about to be dealt.")
    assert plain(await room.presses("Elsa", "Post blinds")) == (
        "You post what you owe and play from the next hand. On the button, and between it and the big blind, you wait."
    )
    await room.deal()
    lines = await room.shows("waiting for Elsa")
    assert "4. Dora · [98] · in for 2 · waiting · Cards: 🂠 🂠" in lines
    assert "▶ 5. Elsa · [98] · in for 2 · thinking · Cards: 🂠 🂠" in lines
    assert room.post.labels[0] == "Check"


def plain(lines):
    """Return the first line without the numbers of mentioned commands."""
    return "".join(part if n % 2 == 0 else f"/{part[2:].split(':')[0]}" for n, part in enumerate(split(lines[0])))


def split(line):
    return line.replace("</", "\0</").replace(">", "\0").split("\0")


async def test_HE29_the_odd_chip_of_a_split_pot_goes_left_of_the_button(table):
    room = await table("Anna", "Bea", "Carla", order=([0, 1], [2]))
    await room.sit()
    await room.deal()
    for name, verb, options in (
        ("Anna", "raise", {"amount": "4.01"}),
        ("Bea", "raise", {"amount": "10"}),
        ("Carla", "call", {}),
        ("Anna", "fold", {}),
    ):
        await room.does(name, verb, **options)
    for _street in range(3):
        for name in ("Bea", "Carla"):
            await room.does(name, "check")
    lines = await room.shows("The pot was 24.01.")
    said = [line for line in lines if " wins " in line or " loses " in line]
    assert said[0].startswith("Bea wins 2.01: ")
    assert said[0].endswith(" · in for 10 · won 12.01")
    assert said[1].startswith("Carla wins 2: ")
    assert said[1].endswith(" · in for 10 · won 12")
    assert said[2] == "Anna loses 4.01: folded"


async def test_HE2_HE33_a_player_leaves_a_hand_and_comes_back_with_what_they_left_with(table):
    room = await table("Anna", "Bea", "Carla")
    await room.sit()
    await room.deal()
    await room.shows("waiting for Anna")
    await room.presses("Anna", "Raise to 7")
    assert (await room.does("Anna", "leave"))[0] == "You will leave when this hand is over."
    await room.does("Bea", "raise", amount="30")
    await room.fold_out()
    lines = await room.shows("The pot was ")
    assert "Anna loses 7: folded" in lines
    assert not any("[" in line for line in lines if "1. Anna" in line), "the chips have left the table"
    answer = await room.does("Anna", "buyin", amount="92")
    assert answer[0] == "You left with 93 less than an hour ago. Buy in for at least that much."
    told = await room.does("Anna", "buyin", amount="93")
    assert told[0].startswith("Seat 1, stack 93. 900 left. You are dealt in when the big blind reaches you.")


async def test_HE32_a_stack_returns_to_its_wallet_ten_minutes_after_the_last_hand(table):
    room = await table("Anna", "Bea")
    await room.sit()
    answer = await room.does("Anna", "sitout")
    assert answer[0].endswith("After 10 hands, or 10 minutes without a hand, your stack returns to your wallet.")
    await room.shows("Sitting out: Anna.")
    await room.house.pass_time(600)
    said = await room.house.shown(room.channel, "is back in your wallet")
    anna = room.people["Anna"]
    assert said.text == f"<@{anna.id}>: you sat out for 10 hands or 10 minutes, so your stack is back in your wallet."
    assert room.house.chips(anna) == 1000_00
    lines = await room.shows("The game starts when two players have bought in.")
    assert not any("Anna" in line for line in lines)


async def test_HE36_check_or_fold_before_the_turn_is_played_at_once_and_cancelled_by_a_bet(table):
    room = await table("Anna", "Bea", "Carla", "Dora")
    await room.sit()
    await room.deal()
    await room.shows("waiting for Dora")
    edits = room.post.edits
    for name in ("Anna", "Carla"):
        said = await room.presses(name, "Check/fold")
        assert said[0].startswith("On your next turn you check, or fold if there is a bet. A new bet or raise cancels")
    assert room.post.edits == edits, "nothing that others may see has changed"
    assert (await room.presses("Dora", "Call (2)"))[0] == "You called: 2. Waiting for Bea."
    await room.shows("waiting for Bea")
    await room.presses("Bea", "Call (1)")
    lines = await room.shows("The flop: waiting for Bea.")
    assert any("1. Anna" in line and "folded" in line for line in lines)
    await room.presses("Carla", "Check/fold")
    await room.does("Bea", "bet", amount="10")
    await room.shows("waiting for Carla")
    assert (await room.does("Carla", "checkfold"))[0] == "It's your turn. Choose a move."
