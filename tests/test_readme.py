"""The record, the links and the length of the README."""

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.some import some

README = Path(__file__).parents[1] / "README.md"


def test_the_record_in_it_plays():
    shown = some(re.search(r"echo '(.*?)' \| ridotto replay -", README.read_text(), re.DOTALL))
    played = subprocess.run(
        [sys.executable, "-m", "bot", "replay", "-"], input=shown[1], capture_output=True, text=True, check=True
    )
    assert json.loads(played.stdout)["net"] == {"1": 1000}


def test_it_has_at_most_600_words():
    assert len(README.read_text("utf-8").split()) <= 600


def test_its_links_and_pictures_are_there():
    targets = re.findall(r"\]\((docs/[^)]+)\)", README.read_text())
    assert targets
    assert [target for target in targets if not (README.parent / target).exists()] == []
