"""The moving picture of the README: a real hand, small enough for a page."""

from PIL import Image, ImageSequence

from tests.readme_picture import save
from tests.test_architecture import ROOT


def count(picture):
    return sum(1 for _ in ImageSequence.Iterator(picture))


def test_it_is_drawn_by_the_command_and_is_small(tmp_path):
    made, kept = tmp_path / "hand.webp", ROOT / "docs" / "pictures" / "hand.webp"
    save(made)
    with Image.open(made) as new, Image.open(kept) as shown:
        assert (new.size, count(new)) == (shown.size, count(shown)) == ((560, 800), 3)
    assert kept.stat().st_size < 1_000_000
