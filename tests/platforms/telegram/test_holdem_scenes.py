"""Short scenes of Hold'em in a Telegram group: what each person reads, in order."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.platforms.dealer import Dealer
from tests.platforms.telegram.house import House, open_house, people, set_up
from tests.servers.telegram import Chat, Message, User

Opens = Callable[..., Awaitable["Room"]]


@dataclass
class Room:
    """A group with a table of Hold'em, and people who sit at it."""

    house: House
    group: Chat
    people: dict[str, User]

    @property
    def post(self) -> Message:
        return self.house.post_at(self.group)

    @property
    def lines(self) -> list[str]:
        return self.post.text.split("\n")

    @property
    def labels(self) -> list[str]:
        return [button.text for button in self.post.buttons]

    async def presses(self, name: str, label: str, *, wait_s: float = 6) -> str:
        """Press a button of the table, and wait until the table shows what came of it."""
        alert = await self.people[name].presses(self.post, label)
        await self.house.wait(wait_s)
        return alert.text if alert is not None else ""

    async def says(self, name: str, line: str) -> str:
        """Type a line; return the answer that the person reads privately, or their question."""
        await self.people[name].says(self.group, line)
        await self.house.wait(6)
        alert = await self.people[name].presses(self.group, "Read")
        await self.house.wait(1)
        return alert.text if alert is not None else ""

    async def goes_all_in(self, name: str, label: str) -> str:
        """Press a button for all chips; return the question, and confirm it by a second press."""
        asked = await self.presses(name, label, wait_s=1)
        await self.presses(name, label, wait_s=12)
        return asked

    async def sit(self) -> list[str]:
        return [await self.presses(name, "Buy in: 100", wait_s=1.5) for name in self.people]

    async def deal(self) -> None:
        if self.house.table_at(self.group).round.hand is None:
            await self.house.wait(8)
        assert self.house.table_at(self.group).round.hand is not None

    async def fold_out(self) -> None:
        """Press Fold, or Check where that is free, until the hand is over."""
        names = {self.house.app.context.player_of(user.id): name for name, user in self.people.items()}
        while (hand := (table := self.house.table_at(self.group)).round.hand) is not None:
            (seat,) = hand.asks
            await self.presses(names[table.owners()[seat]], self.labels[0])


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Opens]:
    """Return a function that opens a table in a group; `order` ranks the players of the first hand."""
    dealer = Dealer()

    async def open_table(*names: str, order: tuple[list[int], ...] = ()) -> Room:
        dealer.wish(*order)
        there = people(house, *names)
        group = house.server.supergroup("Salotto", members=there[1:], admins=there[:1])
        await set_up(house, group, there[0], "holdem")
        return Room(house, group, dict(zip(names, there, strict=True)))

    async with open_house(tmp_path, of={"dealer": dealer}) as house:
        yield open_table


async def test_HE6_the_button_and_the_small_blind_may_be_at_an_empty_seat(table: Opens) -> None:
    room = await table("Anna", "Bea", "Carla", "Dora")
    await room.sit()
    await room.deal()
    assert room.lines[4:] == [
        "1. Anna Ⓓ: 🂠 🂠 stack 100 · waiting",
        "2. Bea: 🂠 🂠 in for 1 stack 99 · waiting",
        "3. Carla: 🂠 🂠 in for 2 stack 98 · waiting",
        "▸ 4. Dora: 🂠 🂠 stack 100 · thinking",
    ]
    assert await room.says("Carla", "/leave") == "You will leave when this hand is over."
    await room.fold_out()
    await room.deal()
    assert room.lines[3:] == [
        "Pot: 2",
        "▸ 1. Anna: 🂠 🂠 stack 100 · thinking",
        "2. Bea Ⓓ: 🂠 🂠 stack 99 · waiting",
        "4. Dora: 🂠 🂠 in for 2 stack 98 · waiting",
    ]
    await room.fold_out()
    await room.deal()
    assert not any("Ⓓ" in line for line in room.lines), "the button is where Carla sat"
    assert "1. Anna: 🂠 🂠 in for 2 stack 98 · waiting" in room.lines
    assert "▸ 2. Bea: 🂠 🂠 stack 99 · thinking" in room.lines


async def test_HE15_HE16_a_short_all_in_does_not_reopen_the_betting(table: Opens) -> None:
    room = await table("Anna", "Bea", "Carla")
    await room.presses("Anna", "Buy in: 100")
    await room.people["Bea"].says(room.group, "/buyin 40")
    await room.house.wait(3)
    await room.presses("Carla", "Buy in: 100")
    await room.deal()
    assert await room.presses("Anna", "Other amount", wait_s=1) == (
        "Reply to the table's message with the amount, or type /raise 35"
    )
    await room.people["Anna"].says(room.group, "30", reply_to=room.post)
    await room.house.wait(5)
    assert room.labels == ["Fold", "Call (29)", "All-in 39", "My cards", "Check/fold"]
    assert await room.goes_all_in("Bea", "All-in 39") == "Press again to confirm.\nRaise to 40? You would be all-in."
    assert room.labels[:5] == ["Fold", "Call (38)", "Raise to 68", "Raise to 95", "Other amount"]
    assert (await room.presses("Carla", "Call (38)", wait_s=12)).startswith("You called: 38. Waiting for Anna.")
    assert room.labels == ["Fold", "Call (10)", "My cards", "Check/fold"]


async def test_HE2_HE23_a_heads_up_all_in_shows_both_hands_and_empties_a_stack(table: Opens) -> None:
    room = await table("Anna", "Bea", order=([1], [0]))
    await room.sit()
    await room.deal()
    assert await room.says("Anna", "/raise all") == "Raise to 100? You would be all-in."
    await room.people["Anna"].presses(room.group, "Yes")
    await room.house.wait(6)
    assert room.labels == ["Fold", "All-in 98", "My cards", "Check/fold"]
    assert await room.goes_all_in("Bea", "All-in 98") == "Press again to confirm.\nCall (98)? You would be all-in."
    assert room.lines[1] == "The pot was 200. Waiting for a second player to top up, come back or buy in."
    assert [line.split(":")[0] for line in room.lines if " wins " in line or " loses " in line] == [
        "Bea loses 100",
        "Anna wins 100",
    ]
    assert "No chips left: Bea. The seat is kept for 2 minutes." in room.lines
    shown = [line for line in room.lines if line.endswith((" stack 200", " stack 0"))]
    assert [line.partition(":")[0] for line in shown] == ["1. Anna Ⓓ", "2. Bea"]
    assert "🂠" not in room.post.text
    assert await room.says("Bea", "/back") == "Your stack is empty. Top up first: /topup AMOUNT."
    await room.people["Bea"].says(room.group, "/topup 100")
    await room.house.wait(6)
    assert room.lines[1] == "The pot was 200. The next hand is about to be dealt."


async def test_HE31_HE32_after_two_time_outs_a_player_sits_out_and_comes_back(table: Opens) -> None:
    room = await table("Anna", "Bea")
    assert await room.sit() == [
        "Seat 1, stack 100. 900 left. The game needs two players.",
        "Seat 2, stack 100. 900 left. Next hand in 8 s.",
    ]
    await room.deal()
    before = len(room.house.server.shown)
    await room.house.wait(20)
    assert [one.text for one in room.house.server.shown[before:]] == ["Anna: it's your turn."]
    await room.house.wait(11)
    assert room.house.table_at(room.group).round.extended is not None, "the time bank runs"
    await room.house.wait(30)
    assert "Anna loses 1: time ran out: fold · folded" in room.lines
    assert not any(line.startswith("Sitting out") for line in room.lines)
    await room.deal()
    await room.presses("Bea", "Call (1)")
    await room.house.wait(35)
    await room.presses("Bea", "Check")
    await room.house.wait(60)
    await room.fold_out()
    assert "Sitting out: Anna." in room.lines
    assert room.lines[1].endswith("Waiting for a second player to top up, come back or buy in.")
    assert await room.presses("Anna", "Deal me in") == "You play from the next hand on."
    assert room.lines[1].endswith("The next hand is about to be dealt.")


async def test_HE32_a_stack_returns_to_its_wallet_ten_minutes_after_the_last_hand(table: Opens) -> None:
    room = await table("Anna", "Bea")
    await room.sit()
    assert await room.presses("Anna", "Sit out") == (
        "You sit out from the next hand on. Use /back to play again. After 10 hands, or 10 minutes without a hand, "
        "your stack returns to your wallet."
    )
    await room.house.wait(580)
    assert "Sitting out: Anna." in room.lines
    assert room.group.last_message is room.post, "nobody was told anything before"
    await room.house.wait(30)
    said = room.group.last_message
    assert said.text == "Anna: you sat out for 10 hands or 10 minutes, so your stack is back in your wallet."
    assert said.mentions == [room.people["Anna"]]
    assert [line for line in room.lines if line.startswith(("1.", "2."))] == ["2. Bea: stack 100 · waiting"]
    assert (await room.presses("Anna", "Buy in: 100")).startswith("Seat 1, stack 100. 900 left.")


async def test_HE36_check_or_fold_before_the_turn_costs_no_edit_and_is_played_at_once(table: Opens) -> None:
    room = await table("Anna", "Bea", "Carla", "Dora")
    await room.sit()
    await room.deal()
    post, said = room.post, "On your next turn you check, or fold if there is a bet. A new bet or raise cancels this."
    edits = post.edits
    for name in ("Bea", "Anna", "Carla"):
        assert await room.presses(name, "Check/fold", wait_s=2) == f"{said} Press again to undo."
    assert await room.presses("Dora", "Check/fold", wait_s=2) == "It's your turn. Choose a move."
    assert await room.presses("Bea", "Check/fold", wait_s=2) == "You decide when it is your turn."
    assert post.edits == edits, "nothing that others may see has changed"
    assert await room.presses("Dora", "Call (2)") == "You called: 2. Waiting for Bea."
    assert any(line.startswith("1. Anna") and "folded" in line for line in room.lines)
    await room.presses("Bea", "Call (1)")
    assert room.lines[1].endswith("The flop: waiting for Bea."), "Carla checked, too"
    old = next(str(one.data) for one in room.post.buttons if one.text == "Check/fold")
    assert (await room.presses("Carla", "Check/fold")).startswith("On your next turn you check")
    await room.people["Bea"].says(room.group, "/bet 10")
    await room.house.wait(12)
    assert room.lines[1].endswith("The flop: waiting for Carla."), room.lines
    late = await room.people["Dora"].presses(room.post, old, stale=True)
    assert late is not None
    assert late.text.startswith("There is a new bet. Look at the table, then choose again.")


async def test_HE33_a_full_table_has_a_waiting_list_whose_first_is_told_of_a_free_seat(table: Opens) -> None:
    room = await table("Anna", "Bea", "Carla", "Dora")
    await room.says("Anna", "/table set seats 2 small")
    for name in ("Anna", "Bea"):
        await room.presses(name, "Buy in: 100", wait_s=1)
    full = "All seats are taken. You are on the waiting list and get one message here when a seat is free."
    assert await room.presses("Carla", "Buy in: 100", wait_s=1) == full
    assert await room.presses("Bea", "Leave") == "You left the table. You have 1,000."
    assert room.group.last_message.text.startswith("Carla: a seat is free at table ")
    assert room.group.last_message.text.endswith(". Take it within a minute.")
    assert room.group.last_message.mentions == [room.people["Carla"]]
    assert await room.presses("Dora", "Buy in: 100") == "Others are waiting for that seat. You are on the waiting list."
    assert (await room.presses("Carla", "Buy in: 100")).startswith("Seat 2, stack 100. 900 left.")
