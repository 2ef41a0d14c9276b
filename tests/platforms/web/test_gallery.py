"""The lounge in `ridotto gallery`: every game in every phase, with all that a browser needs to lay it out."""

import json
import re

from bot.core.state.plays import PLAYS
from tests.lounge_gallery import SIZES, lounge_section


def test_the_gallery_has_the_lounge_in_every_phase_with_all_that_it_needs() -> None:
    text = lounge_section()
    stored = json.loads(text.partition('id="lounge">')[2].partition("</script>")[0])
    pages = stored["pages"]
    assert text.count("<iframe") == len(SIZES) * len(pages)
    assert {page.partition('data-game="')[2].partition('"')[0] for page in pages} == {*PLAYS}
    assert {card for page in pages for card in re.findall(r'data-face="(\w+)"', page)} <= stored["faces"].keys()
    assert not [page for page in pages if "src=" in page or "http" in page]
    assert "</" not in text.partition('id="lounge">')[2].partition("</script>")[0]
