"""Verification of each finished hand by a table's page in a real browser, against a cheating server."""

import asyncio
import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from bot.core.commands.command import Command, Who
from bot.core.state.lounge import room
from bot.platforms.common.context import new_key
from engine.fairness.commitment import hash_seed
from engine.record import play_record
from tests.bot.open_house import OpenHouse
from tests.patience import PATIENCE_S, until
from tests.platforms.web.test_lounge_browser import PHONE, Visit, visit
from tests.some import some

pytestmark = [pytest.mark.browser, pytest.mark.slow]
__all__ = ["visit"]
Record = dict[str, Any]


async def play_a_hand(anna: Visit, house: OpenHouse, cut: str = "") -> str:
    """Play from the bet to the payment; return the number of the hand."""
    hand = str(house.table().round.hand_id)
    if cut:
        await anna.turn_drawer("Table")
        await anna.page.locator("#line").fill(f"/cut {cut}")
        await anna.page.keyboard.press("Enter")
        await anna.page.locator("[data-cutter]").wait_for(state="attached")
        await anna.turn_drawer()
    before = await anna.page.locator(".wallet b").inner_text()
    await anna.press("bet ante 10")
    await anna.page.locator(".wallet b", has_not_text=before).wait_for()
    await house.wait(21)
    await anna.page.locator('.mine [data-key="fold "]').wait_for()
    await anna.page.wait_for_timeout(600)
    await anna.press("fold ")
    await anna.page.locator(".paid").wait_for()
    return hand


async def set_option(house: OpenHouse, table: int, name: str, value: str) -> None:
    inspector = Who("test", "inspector", "Inspector", inspector=True)
    command = Command(new_key("test"), inspector, room(table), "table set", (name, value, "why"))
    answer = await asyncio.wrap_future(house.writer.submit(command))
    assert not answer.refused, answer.texts


async def leave_unsigned(house: OpenHouse) -> None:
    """Stop the thread that signs heads: the log proves nothing of a hand unless a test signs it."""
    await asyncio.to_thread(house.writer.heads.stop, PATIENCE_S)


async def mark_of(anna: Visit, hand: str) -> str:
    await anna.page.locator("#checked a", has_text=f"Hand {hand}:").wait_for()
    return await anna.page.locator("#checked").text_content() or ""


async def lie(anna: Visit, change: Callable[[Record], None]) -> None:
    """Serve changed records from now on, replayed as if they were right."""

    async def answer(route: Any) -> None:
        really = await route.fetch()
        record = (await really.json())["record"]
        change(record)
        await route.fulfill(response=really, json={"record": record, "replay": play_record(record)})

    await anna.page.route("**/hand/*/played", answer)


def give_another_seed(record: Record) -> None:
    """Give another consistent seed, with no log that could reveal it."""
    seed = hashlib.sha256(record["seed"]["server"].encode()).digest()
    record["seed"]["server"], record["promise"]["seed"] = seed.hex(), hash_seed(seed)
    record.pop("log", None)


def drop_the_cuts(record: Record) -> None:
    record["seed"]["cuts"] = []


def give_another_commitment(record: Record) -> None:
    record["promise"]["previous"] = "00" * 32
    record.pop("log", None)


def cut_once_more(record: Record) -> None:
    """Add the owner's own cut after the bets: more cuts than players."""
    record["seed"]["cuts"] += ["mine"]
    record.pop("log", None)


def forget_the_stakes(record: Record) -> None:
    record["stakes"] = None


async def test_each_finished_hand_is_checked_and_marked_quietly(visit: Any, house: OpenHouse) -> None:
    await leave_unsigned(house)
    anna = await visit(**PHONE)
    await anna.enter("Anna")
    for _ in range(2):
        hand = await play_a_hand(anna, house, "città")
        assert await mark_of(anna, hand) == f"Hand {hand}: dealt from the seed committed before bets closed"
        assert await anna.page.locator("#checked.wrong").count() == 0
    await anna.shoot("mark-good")
    assert await anna.width() == PHONE["width"]
    await anna.page.locator("#checked a").click()
    await anna.page.locator("#verdict.plain").wait_for()
    said = {
        await row.get_attribute("data-check"): await row.get_attribute("data-said")
        for row in await anna.page.locator("#remembered li").all()
    }
    assert said == {"promised": "ok", "cut": "ok", "cards": "ok", "sealed": "absent"}
    plain = await anna.page.locator("#plain").inner_text()
    assert "Your browser saw the commitment while bets were open" in plain
    assert "Your cut is included" in plain
    assert "This page does not know the rules" in plain
    assert "Seed, commitment and deck match" in await anna.page.locator("#verdict").inner_text()
    await anna.shoot("verify-seen")
    assert await anna.width() == PHONE["width"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (give_another_seed, "saw a different commitment while bets were open"),
        (give_another_commitment, "saw a different commitment while bets were open"),
        (drop_the_cuts, "Your cut is missing"),
        (forget_the_stakes, "no readable record"),
        (cut_once_more, "The deck does not match the record."),
    ],
)
async def test_a_house_that_lies_is_marked_red_with_the_reason(
    visit: Any, house: OpenHouse, change: Callable[[Record], None], why: str
) -> None:
    anna = await visit()
    await anna.enter("Anna")
    await lie(anna, change)
    hand = await play_a_hand(anna, house, "città")
    assert why in await mark_of(anna, hand)
    assert (await mark_of(anna, hand)).startswith("✗")
    assert await anna.page.locator("#checked.wrong").count() == 1
    await anna.shoot(f"mark-{change.__name__}")


async def remember(anna: Visit, what: str) -> None:
    """Let Anna's browser have seen this while bets were open."""
    await anna.page.evaluate(f"""() => {{
      const {{ house, player }} = document.getElementById("checked").dataset;
      const {{ hand }} = document.getElementById("fair").dataset;
      seen.note(house, hand, {{ isOpen: true, {what} }});
    }}""")


@pytest.mark.parametrize(
    ("seen", "finds"),
    [
        ('cut: "città", player', "Your cut is missing"),
        ('commit: "ab".repeat(32)', "saw a different commitment"),
    ],
)
async def test_what_differs_from_what_the_browser_saw_is_found(
    visit: Any, house: OpenHouse, seen: str, finds: str
) -> None:
    """The hand itself is consistent: cards, record and commit fit; only what was shown before is missing."""
    anna = await visit()
    await anna.enter("Anna")
    await remember(anna, seen)
    hand = await play_a_hand(anna, house)
    assert finds in await mark_of(anna, hand)


async def test_a_card_that_was_shown_and_not_dealt_is_found(visit: Any, house: OpenHouse) -> None:
    anna = await visit()
    await anna.enter("Anna")
    hand = await play_a_hand(anna, house)
    assert (await mark_of(anna, hand)).startswith("Hand ")
    last = some(house.table().last)
    shown = last.deal.deck[:10]
    other = next(card for card in last.deal.deck if card not in shown)
    await anna.page.evaluate(
        """([hand, card]) => {
          const { house } = document.getElementById("checked").dataset;
          seen.note(house, hand, { cards: [card] });
        }""",
        [hand, str(other)],
    )
    await anna.page.locator("#checked a").click()
    await anna.page.locator("#verdict.bad").wait_for()
    assert await anna.page.locator('[data-check="cards"].wrong').count() == 1


async def test_a_hand_whose_record_is_shown_later_is_checked_when_the_page_is_opened_again(
    visit: Any, house: OpenHouse
) -> None:
    anna = await visit()
    await anna.enter("Anna")

    async def not_yet(route: Any) -> None:
        await route.fulfill(json={"record": None, "replay": None})

    await anna.page.route("**/hand/*/played", not_yet)
    async with anna.page.expect_response("**/hand/*/played"):
        hand = await play_a_hand(anna, house)
    assert await anna.page.locator("#checked").inner_text() == ""
    await anna.page.unroute("**/hand/*/played")
    await anna.page.reload()
    assert (await mark_of(anna, hand)).startswith("Hand ")


async def test_the_hands_of_a_shoe_are_asked_for_when_another_one_is_on_the_table(visit: Any, house: OpenHouse) -> None:
    """The seed of a shoe is shown at its end; until then asking would be in vain."""
    anna = await visit()
    number = next(table.id for table in house.lounge.tables() if table.game == "puntobanco")
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url) if "/played" in request.url else None)
    await set_option(house, number, "penetration", "50")
    await anna.enter("Anna", number)
    hand = house.table(number).round.hand_id
    await anna.page.locator(".area [data-press]").first.click()
    await anna.page.locator(".area.has-mine").wait_for()
    await house.wait(60)
    await anna.page.locator(".paid").wait_for()
    waiting = """() => {
      const { house, player } = document.getElementById("checked").dataset;
      return seen.awaited(house, player);
    }"""
    assert await anna.page.evaluate(waiting) == [str(hand)]
    assert asked == []
    await set_option(house, number, "penetration", "0")
    await anna.page.locator(".area [data-press]").first.click()
    await anna.page.locator(".area.has-mine").wait_for()
    await house.wait(60)
    await until(lambda: asked)
    assert asked[0].endswith(f"/hand/{hand}/played")
    await until(lambda: len(asked) == 2, "and the hand of the next one")
    assert (await mark_of(anna, str(house.table(number).last_hand))).startswith("Hand ")
    await asyncio.to_thread(house.writer.heads.sign)
    await house.submit("tables")
    await anna.page.reload()
    await anna.page.wait_for_function(f"() => ({waiting})().length === 0")


async def test_who_came_after_the_bets_is_told_that_nobody_saw_the_commit(visit: Any, house: OpenHouse) -> None:
    await leave_unsigned(house)
    anna = await visit()
    await anna.enter("Anna")
    await anna.page.evaluate("localStorage.clear()")
    hand = str(house.table().round.hand_id)
    await anna.press("bet ante 10")
    await anna.page.locator(".wallet", has_text="990").wait_for()
    await anna.page.goto("about:blank")
    await house.wait(21)
    await anna.page.go_back()
    await anna.page.locator('.mine [data-key="fold "]').wait_for()
    await anna.page.evaluate("localStorage.clear()")
    await anna.page.reload()
    await anna.page.locator('.mine [data-key="fold "]').wait_for()
    await anna.page.wait_for_timeout(600)
    await anna.press("fold ")
    assert (await mark_of(anna, hand)).startswith("– ")
    await anna.page.locator("#checked a").click()
    await anna.page.locator("#verdict.plain").wait_for()
    assert "cannot prove" in await anna.page.locator("#plain").inner_text()


async def test_the_browser_keeps_a_bounded_number_of_hands(visit: Any, house: OpenHouse) -> None:
    anna = await visit()
    await anna.enter("Anna")
    kept = await anna.page.evaluate("""() => {
      for (let hand = 1000; hand < 1500; hand += 1) seen.note("books", String(hand), { isOpen: true, commit: "ab" });
      const kept = Object.keys(localStorage).filter((key) => key.startsWith("seen "));
      return [kept.length, seen.recall("books", "1499")?.commit];
    }""")
    assert kept[0] <= 400
    assert kept[1] == "ab"
