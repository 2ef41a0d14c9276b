"""Areas in the lounge: boxes in the rows of their game, and the road. Here paiju, on another felt."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.commands import stages
from bot.platforms.web.kept import style_sheet
from bot.view import presenter
from bot.view.pictures import felt
from bot.view.pictures.felt import Areas
from tests.bot.open_house import open_house

GAME = "paiju"
ROWS = (("south", "west", "north"), ("south-west", "north-west"))


@pytest.fixture(autouse=True)
def areas(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Areas("AREAS", ("south", "east"), 2, ROWS, {"south": "blue", "west": "red"})
    monkeypatch.setitem(felt._felts, GAME, felt.FELTS[GAME]._replace(layout=layout))
    monkeypatch.setitem(
        presenter._presenters, GAME, replace(presenter.PRESENTERS[GAME], road=lambda table: ("south", "west", "north"))
    )


def test_rows_of_areas_are_as_wide_as_each_other_and_on_a_phone_the_middle_one_stands_above() -> None:
    wide, narrow = (line for line in style_sheet().splitlines() if line.startswith(f'[data-game="{GAME}"] .areas {{'))
    first = "south south west west north north"
    second = "south-west south-west south-west north-west north-west north-west"
    assert f'"{first}" "{second}" / 1fr 1fr 1fr 1fr 1fr 1fr;' in wide
    assert '"west west" "south north" "south-west north-west" / 1fr 1fr;' in narrow
    assert f'[data-game="{GAME}"] .areas > .south-west {{ grid-area: south-west; }}' in style_sheet()


def test_a_felt_of_another_shape_has_no_rows_of_areas() -> None:
    others = {game for game in stages.STAGES if not isinstance(felt.FELTS[game].layout, Areas)}
    assert others
    assert not any(f'[data-game="{game}"] .areas' in style_sheet() for game in others)


async def test_PB12_the_road_is_shown_with_its_letters_and_the_sentence(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        anna = await house.enter("Anna")
        page = await anna.page(f"/table/{next(one.id for one in house.lounge.tables() if one.game == GAME)}")
        assert '<li class="bead blue" aria-label="south" title="south">S</li>' in page
        assert '<li class="bead red" aria-label="west" title="west">W</li>' in page
        assert '<li class="bead grey" aria-label="north" title="north">N</li>' in page
        assert "Past hands do not predict the next one." in page
        other = await anna.page(f"/table/{next(one.id for one in house.lounge.tables() if one.game != GAME)}")
        assert "bead" not in other
