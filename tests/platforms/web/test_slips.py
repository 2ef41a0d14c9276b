"""Payments of a hand at each player's place: everyone sees only their own."""

import re

import pytest

from bot.texts.times import write_time
from tests.bot.open_house import OpenHouse, Player
from tests.core.conftest import BLACKJACK

SLIP = re.compile(r'<div class="paid (\w+)".*?</div>', re.DOTALL)


async def slips_of(player: Player) -> list[tuple[str, list[str]]]:
    """Return (result, lines) of each."""
    html = await player.page(f"/table/{BLACKJACK}")
    return [(slip[1], re.findall("<li.*?>(.*?)</li>", slip[0])) for slip in SLIP.finditer(html)]


@pytest.mark.parametrize("behind", [True, False])
async def test_BJ5_who_bets_behind_a_box_has_a_slip_of_their_own(house: OpenHouse, behind: bool) -> None:
    anna, bea = [await house.enter(name) for name in ("Anna", "Bea")]
    await bea.press("bet", "3", "20", table=BLACKJACK)
    await anna.press("bet", "3" if behind else "4", "10", table=BLACKJACK)
    await house.wait(21)
    for player in (bea, anna):
        await player.press("stand", table=BLACKJACK)
    assert house.table(BLACKJACK).round.hand is None
    hers, annas = await slips_of(bea), await slips_of(anna)
    assert (len(hers), len(annas)) == (1, 1)
    assert len(hers[0][1]) == len(annas[0][1]) == 1, "her own bet, and not what lay behind it"
    assert not [line for _result, lines in (*hers, *annas) for line in lines if "Anna" in line or "Bea" in line]
    assert re.search(r"[+-]20\b", hers[0][1][0])
    assert re.search(r"[+-]10\b", annas[0][1][0])


async def test_BJ5_two_boxes_of_one_player_share_a_slip_with_their_sum(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    for box in ("3", "5"):
        await anna.press("bet", box, "10", table=BLACKJACK)
    await house.wait(21)
    while house.table(BLACKJACK).round.hand is not None:
        await anna.press("stand", table=BLACKJACK)
    ((_result, lines),) = await slips_of(anna)
    assert ["Box 3" in lines[0], "Box 5" in lines[1], len(lines)] == [True, True, 2]
    each = [int(re.sub("<.*?>", "", line).split()[-1]) for line in lines]
    (slip,) = SLIP.finditer(await anna.page(f"/table/{BLACKJACK}"))
    (net,) = re.findall('<b class="net">. (.*?)</b>', slip[0])
    assert int(net) == sum(each)


async def test_the_hands_say_which_one_was_paid_and_when(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.press("bet", "3", "10", table=BLACKJACK)
    hand = house.table(BLACKJACK).round.hand_id
    await house.wait(21)
    while house.table(BLACKJACK).round.hand is not None:
        await anna.press("stand", table=BLACKJACK)
    paid = house.table(BLACKJACK).last_ended
    assert 0 <= house.writer.clock() - paid < 21
    await house.wait(3600)
    assert f"<h2>Hand {hand} <small>{write_time(paid)} UTC</small></h2>" in await anna.page(f"/table/{BLACKJACK}")
