"""The reference of the engine's and the plugin's API, made from docstrings.

`python -m tests.games_reference` writes it.

A docstring's lines `name  meaning` become a table with the types and defaults of the source.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "games.md"
HEAD = """\
# Games: parts, fields and functions

Everything that a game's package imports, by module. [Add a game](../develop/add-a-game.md) shows how the parts
work together. A field without a default must be given. Amounts are minor units.
`python -m tests.games_reference` writes this page.
"""
SECTIONS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "Rules": {
        "engine.felt": (
            *("Game", "Options", "Limits", "Stake", "Felt", "Offer", "ChosenMove", "Shoe", "Meter", "check", "choose"),
            "check_seats",
        ),
    },
    "Rules between players": {
        "engine.betting": (
            *("PlayerRing", "FixedLimitRound", "OpenRound", "check_stacks", "post", "to_pot", "bet_in_turn"),
        ),
        "engine.pots": ("return_uncalled", "split_pots", "share"),
    },
    "Hands of poker": {
        "engine.poker": ("rank", "name", "category", "value"),
        "bot.core.commands.hand_descriptions": ("of_poker_seat",),
    },
    "Automatic play": {
        "engine.simulation": (
            *("Simulation", "PlayedRound", "least_on", "least_beside", "least_on_area", "only_bet", "counted"),
            *("six_stacks", "call_down", "choose_at_random"),
        ),
        "bot.core.commands.company": ("Guest", "bet_little", "bet_on"),
    },
    "Odds": {
        "engine.odds": ("Odds", "BetOdds", "Unit", "Decision", "chance_alone", "choices_of"),
        "engine.games": ("add_odds",),
    },
    "Plugin": {
        "bot.games.building": ("bank_game", "player_game"),
        "bot.games.plugin": ("GamePlugin",),
        "bot.core.state.plays": (
            *("Play", "Seating", "MoveHelp", "FollowUp", "Reveals", "Reveal", "GameMemory", "Cash"),
        ),
        "bot.core.commands.hooks": ("Hooks", "CasinoHooks"),
        "bot.core.commands.stages": ("Stages", "Stage", "Places", "stages_of_rounds", "beside_bets"),
        "bot.core.commands.first_hand": ("FirstHand",),
    },
    "Texts": {
        "bot.texts.games": ("GameTexts", "pay_lines"),
        "bot.texts.paragraphs": ("Page", "by_clause"),
        "bot.texts.options": ("Option", "Chips", "Count", "BasisPoints", "Flag", "OneOf", "Pays", "ChipsEach"),
        "bot.texts.catalogues": ("Catalogues",),
    },
    "Screens": {
        "bot.view.presenter": ("Presenter", "Bets", "SideBet", "Ahead", "Stacks", "MeterDisplay"),
        "bot.view.words": ("Words", "Call"),
        "bot.view": ("Pile",),
        "bot.view.player_view": ("PlayerView",),
        "bot.view.cash": ("ahead",),
    },
    "Pictures": {
        "bot.view.pictures.felt": (
            "FeltDesign",
            "Arc",
            "Ring",
            "Compass",
            "Areas",
            "Board",
            "Cell",
            "Slots",
            "arc",
            "in_the_middle",
        ),
    },
}
_ROW = re.compile(r"^([a-z_]\w*(?:, [a-z_]\w*)*) {2,}(\S.*)$")


def write_reference() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(line for title in SECTIONS for line in _write_section(title))])


def _write_section(title: str) -> Iterator[str]:
    yield from (f"## {title}", "")
    for module, names in SECTIONS[title].items():
        for name in names:
            yield from (f"### `{name}` ({module})", "")
            part = getattr(import_module(module), name)
            yield from _write_class(part) if inspect.isclass(part) else _write_function(part)


def _write_class(part: type) -> Iterator[str]:
    prose, meanings = _read_docstring(part)
    yield from (*prose, "") if prose else ()
    fields = _fields_of(part)
    if meanings and fields and not issubclass(part, Enum):
        missing = [name for name in fields if name not in meanings]
        assert not missing, f"{part.__name__}: describe {missing} in its docstring, as `name  meaning` with two spaces"
        yield from ("| field | type | meaning | default |", "|---|---|---|---|")
        for name, (kind, default) in fields.items():
            yield f"| `{name}` | {_code(kind)} | {_cell(meanings[name])} | {_code(default)} |"
        yield ""
    elif meanings:
        yield from (*(f"- `{name}`: {meaning}" for name, meaning in meanings.items()), "")
    elif fields:
        yield from (f"Fields: {', '.join(f'`{name}: {kind}`' for name, (kind, _) in fields.items())}.", "")
    if (part.__name__ == "Felt" and not fields) or part.__name__ in ("Offer", "PlayerRing"):
        for name, method in vars(part).items():
            if inspect.isfunction(method) and not name.startswith("_"):
                yield from (f"- `{name}{_signature(method)}`: {' '.join(_paragraphs(method))}",)
        yield ""


def _write_function(function: Any) -> Iterator[str]:
    prose, meanings = _read_docstring(function)
    yield from ("```python", f"{function.__name__}{_signature(function)}", "```", "", *prose, "")
    yield from (*(f"- `{name}`: {meaning}" for name, meaning in meanings.items()), "") if meanings else ()


def _signature(function: Any) -> str:
    """Return the signature as its source has it."""
    source = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(source, ast.FunctionDef)
    arguments = ast.unparse(source.args)
    arguments = re.sub(r"^self(, )?", "", arguments)
    return f"({arguments}) -> {ast.unparse(source.returns) if source.returns else 'None'}"


def _paragraphs(part: Any) -> list[str]:
    doc = inspect.getdoc(part)
    assert doc, part
    return [" ".join(paragraph.split()) for paragraph in doc.split("\n\n")]


def _read_docstring(part: Any) -> tuple[list[str], dict[str, str]]:
    """Return the prose of a docstring and the meanings of the names that it describes."""
    prose, meanings = list[str](), dict[str, str]()
    names: list[str] = []
    for line in (inspect.getdoc(part) or "").splitlines():
        if found := _ROW.match(line):
            names = found[1].split(", ")
            meanings |= dict.fromkeys(names, found[2])
        elif names and line.startswith(" "):
            meanings |= {name: f"{meanings[name]} {line.strip()}" for name in names}
        else:
            names = []
            prose.append(line)
    return "\n".join(prose).strip().splitlines(), meanings


def _fields_of(part: type) -> dict[str, tuple[str, str]]:
    """Return {field: (its type, its default)} as the source has them, those of the base class first."""
    found = {}
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(part))).body
    assert isinstance(tree, ast.ClassDef)
    for line in tree.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and not line.target.id.startswith("_"):
            default = ast.unparse(line.value) if line.value is not None else ""
            default = re.sub(r"^field\(default_factory=(?:lambda: )?(.*)\)$", r"\1", default)
            found[line.target.id] = ast.unparse(line.annotation), {"dict": "{}"}.get(default, default)
    return found


def _code(text: str) -> str:
    return f"`{_cell(text)}`" if text else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    from bot.games import load

    load()
    PAGE.write_text(write_reference(), "utf-8")
