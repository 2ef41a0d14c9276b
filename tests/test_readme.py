"""What the README shows works as it says."""

import json
import re
import subprocess
import sys
from pathlib import Path

from bot.__main__ import COMMANDS
from bot.config import NAMES
from tests.some import some

README = Path(__file__).parents[1] / "README.md"


def test_the_record_in_it_plays():
    shown = some(re.search(r"echo '(.*?)' \| ridotto replay -", README.read_text(), re.DOTALL))
    played = subprocess.run(
        [sys.executable, "-m", "bot", "replay", "-"], input=shown[1], capture_output=True, text=True, check=True
    )
    assert json.loads(played.stdout)["net"] == {"1": 1000}


def test_its_table_of_settings_is_complete():
    rows = [line for line in README.read_text().splitlines() if line.startswith("| `RIDOTTO_")]
    assert sorted(re.findall(r"`(RIDOTTO_\w+)`", " ".join(row.split("|")[1] for row in rows))) == sorted(NAMES)


def test_it_names_every_command():
    assert [name for name in COMMANDS if name != "run" and f"ridotto {name}" not in README.read_text()] == []


def test_its_links_and_pictures_are_there():
    targets = re.findall(r"\]\((docs/[^)]+)\)", README.read_text())
    assert targets
    assert [target for target in targets if not (README.parent / target).exists()] == []
