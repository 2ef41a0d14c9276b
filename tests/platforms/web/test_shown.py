"""Shared posts of the lounge: an address that needs no cookie."""

import pytest

from tests.bot.open_house import OpenHouse


@pytest.mark.parametrize(("how", "kind", "begins"), [((), "png", b"\x89PNG"), (("replay",), "gif", b"GIF89a")])
async def test_a_finished_hand_has_an_address_for_everybody(
    house: OpenHouse, how: tuple[str, ...], kind: str, begins: bytes
) -> None:
    anna = await house.enter("Anna")
    await anna.press("bet", "50")
    await house.wait(30)
    await anna.press("raise")
    said = await anna.press("share", *how)
    address = said["page"]["address"]
    assert address.startswith("/shown/"), said
    stranger = await house.browser()
    answer = await stranger.get(address)
    text = await answer.text()
    assert answer.status == 200
    assert "Anna shows hand" in text
    assert 'href="/verify?hand=' in text
    picture = await stranger.get(f"{address}.{kind}")
    assert (await picture.read()).startswith(begins)
    assert picture.content_type == f"image/{kind}"
    assert (await stranger.get("/shown/" + "x" * 22)).status == 404
