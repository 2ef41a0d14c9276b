"""The moving picture of the README: a real hand, small enough for a page."""

from PIL import Image

from tests.readme_picture import save
from tests.test_architecture import ROOT


def test_it_is_drawn_by_the_command_and_is_small(tmp_path):
    made, kept = tmp_path / "hand.webp", ROOT / "docs" / "pictures" / "hand.webp"
    save(made)
    with Image.open(made) as new, Image.open(kept) as shown:
        assert (new.n_frames, new.size) == (shown.n_frames, shown.size) == (3, (560, 800))
    assert kept.stat().st_size < 1_000_000
