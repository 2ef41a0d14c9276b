"""`ridotto new-game`: write a folder with a small game, which installs, plays and passes `ridotto check-game`."""

import re
from pathlib import Path

from bot.core.command_list import CHAT_COMMANDS
from bot.games import PLUGINS
from engine.felt import check

_NAME = re.compile(r"[a-z][a-z0-9]*")

# The files to write, named with `.txt` added: NAME, TITLE and CLAUSE are replaced by those of the game.
_FILES = Path(__file__).parent / "new_game_files"


def write_game(name: str, folder: Path) -> None:
    """Write the folder of a new game. Raises IllegalDeal for a name or a folder that cannot be used."""
    ours = ", ".join(PLUGINS)
    check(
        bool(_NAME.fullmatch(name)),
        "A game's name must be one word in lower case, for example duel; {name} is not.",
        name=repr(name),
    )
    check(name not in PLUGINS, "{name} is the name of a game: choose another than {games}.", name=name, games=ours)
    commands = {command.partition(" ")[0] for command in CHAT_COMMANDS}
    check(name not in commands, "{name} is the name of a command: choose another one.", name=name)
    check(not folder.exists(), "{folder} exists: name another folder, or remove it.", folder=str(folder))
    words = {"NAME": name, "TITLE": name.capitalize(), "CLAUSE": f"{name:x<2}"[:2].upper()}
    for template in sorted(_FILES.rglob("*.txt")):
        file = folder / str(template.relative_to(_FILES).with_suffix("")).replace("NAME", name)
        text = template.read_text("utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
