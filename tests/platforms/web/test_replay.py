"""A finished hand of one's own, step by step, as that player saw it."""

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest

from bot.core.state.plays import PLAYS
from tests.bot.open_house import TABLE, OpenHouse, Player
from tests.core.conftest import TABLES
from tests.patience import PATIENCE_S
from tests.platforms.web.test_table_layout import FAULTS, SCREENS, play_a_hand
from tests.some import some

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def play(house: OpenHouse, game: str) -> tuple[list[Player], int]:
    """Play a hand of three people to its payment; return the people and its number."""
    people = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]

    async def look(_phase: str) -> None:
        pass

    await play_a_hand(house, game, people, look)
    return people, some(house.table(TABLES[game]).last_hand)


def steps_in(html: str) -> tuple[int, int]:
    """Return the shown step and the number of steps; a hand without decisions has one, which is not numbered."""
    step, steps = next(iter(re.findall(r"Step (\d+) of (\d+)", html)), (1, 1))
    return int(step), int(steps)


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYS)
async def test_each_step_of_a_hand_can_be_seen_again(house: OpenHouse, game: str) -> None:
    (anna, *_others), hand = await play(house, game)
    last = some(house.table(TABLES[game]).last)
    first = await anna.page(f"/hand/{hand}/step/1")
    step, steps = steps_in(first)
    assert step == 1
    assert (steps > 1) == (game != "roulette")
    assert ('class="paid' in first) == (steps == 1), "nothing is paid before the last step"
    seen = [await anna.page(f"/hand/{hand}/step/{number}") for number in range(1, steps + 1)]
    moves = [move for move in last.moves if move.seat]
    told = "".join(re.findall(r'<div class="band bet-band told">\s*<ul>(.*?)</ul>', "".join(seen)))
    assert told.count("<li>") == len(moves)
    assert 'class="paid' in seen[-1]
    assert steps_in(await anna.page(f"/hand/{hand}/step/999")) == (steps, steps)
    assert f"/hand/{hand}/step/1" in await anna.page("/history")
    assert f"/hand/{hand}/step/1" in await anna.page(f"/table/{TABLES[game]}")


async def test_own_hands_of_stud_can_be_seen_at_once_and_others_never(house: OpenHouse) -> None:
    """Folded cards of others and the seed are secret for a day, one's own cards are not."""
    people = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    table = TABLES["stud"]
    for one in people:
        assert not (await one.press("buyin", "320", table=table))["refused"]
    await house.wait(21)
    held = {}
    while (hand := house.table(table).round.hand) is not None:
        seat = next(iter(hand.asks))
        asked = next(one for one in people if one.id == house.table(table).owners()[seat])
        words = [offer.word for offer in hand.asks[seat]]
        held = {id: hand.cards(key)[key] for key, id in house.table(table).owners().items()}
        await asked.press("bring-in" if "bring-in" in words else "fold", table=table)
    number = some(house.table(table).last_hand)
    last, seed = some(house.table(table).last), some(some(house.table(table).last).deal.seed).server.hex()
    public = {card for cards in last.cards(None).values() for card in cards}
    assert "folded cards stay hidden" in await people[0].page(f"/hand/{number}", status=404), (
        "its record is not out yet"
    )
    for one in people:
        _step, steps = steps_in(await one.page(f"/hand/{number}/step/1"))
        pages = [await one.page(f"/hand/{number}/step/{step}") for step in range(1, steps + 1)]
        keys = set(re.findall(r'data-key="([2-9TJQKA][shdc])"', "".join(pages)))
        assert set(held[one.id]) <= keys, "all own cards are shown"
        assert keys <= {*held[one.id], *public}, "and nobody else's that were not shown"
        assert not any(seed in html for html in pages)


async def test_only_who_played_a_hand_sees_it_again(house: OpenHouse) -> None:
    (anna, *_others), hand = await play(house, "caribbean")
    zoe = await house.enter("Zoe")
    assert "You did not play hand" in await zoe.page(f"/hand/{hand}/step/1", status=404)
    assert "You did not play hand" in await zoe.page("/hand/999999/step/1", status=404)
    assert "You did not play hand" in await anna.page(f"/hand/{house.table().round.hand_id}/step/1", status=404), (
        "not yet"
    )


async def test_what_the_clock_chose_says_so(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.press("bet", "20")
    await house.wait(21)
    await house.wait(31)
    await house.wait(31)
    hand = some(house.table().last_hand)
    _step, steps = steps_in(await anna.page(f"/hand/{hand}/step/1"))
    assert "Anna: time ran out, fold." in await anna.page(f"/hand/{hand}/step/{steps}")
    assert ">time ran out: fold</li>" in await anna.page(TABLE), "and so does what the table says of it"


def _note(faults: list[str], fault: object) -> None:
    faults.append(str(fault))


@pytest.mark.slow
@pytest.mark.browser
async def test_a_replay_is_one_screen_and_obeys_the_arrow_keys(browser: "Browser", house: OpenHouse) -> None:
    (anna, *_others), hand = await play(house, "stud")
    for width, height in (SCREENS[0], SCREENS[2], SCREENS[4]):
        context = await browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        jar = anna.client.session.cookie_jar
        await context.add_cookies([{"name": one.key, "value": one.value, "url": house.url} for one in jar])
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        faults: list[str] = []
        page.on("pageerror", partial(_note, faults))
        await page.goto(f"{house.url}{anna.base}/hand/{hand}/step/1")
        assert await page.evaluate(FAULTS) == [], f"{width}x{height}"
        assert not faults
        await page.keyboard.press("ArrowRight")
        await page.wait_for_url("**/step/2")
        await page.keyboard.press("ArrowLeft")
        await page.wait_for_url("**/step/1")
        await page.get_by_role("button", name="Play").click()
        await page.wait_for_url("**/step/3#play")
        await page.get_by_role("button", name="Pause").click()
        await page.get_by_role("button", name="Share by a link").click()
        await page.locator(".said a").wait_for()
        await context.close()
