"""The part of docs/develop/style.md that a test can hold: names, docstrings, catalogue, descriptions, headings.

Add a true exception to the set beside the test, with its reason.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.core.command_list import CHAT_COMMANDS
from tests.test_architecture import ROOT, modules_of, tree_of

PACKAGES = ("bot", "engine", "storage", "tests", "benchmarks")
PAGES = sorted((*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"))
# A docstring opens with a verb or a noun, so none of these comes first.
OPENERS = {
    *"what who whoever whatever whom whose nobody nothing everybody".split(),
    *"he she it his her they their them i you we".split(),
    *"of by at in on with without for to from as than but against between among beside beyond".split(),
}
# What docstrings of the product's functions open with; add a verb where none of these says it.
VERBS = {
    *"Accept Add Admit Advance Announce Answer Append Apply Appoint Arm Arrange Ask Assign Back Ban".split(),
    *"Begin Bet Book Break Bring Build Call Cancel Change Check Choose Claim Clear Close Collect".split(),
    *"Commit Compare Compress Compute Configure Confirm Connect Continue Convert Copy Count Create Cut".split(),
    *"Deal Decide Decode Defer Delay Delete Describe Detach Divide Do Double Doubt Draw Drop Edit".split(),
    *"Encode End Enforce Enter Escape Exclude Exit Expand Expect Explain Fail Fetch Find Finish Fit".split(),
    *"Fix Flush Fold Follow Forget Format Found Frame Free Give Grant Greet Group Guard Handle Hash".split(),
    *"Hold Identify Ignore Insert Interrupt Invert Invite Join Judge Keep Key Lay Leave Let Lift Link".split(),
    *"List Listen Load Lock Log Look Lose Make Map Mark Measure Mention Merge Mix Move Name Normalise".split(),
    *"Note Notice Notify Number Offer Open Order Overwrite Pack Pad Paint Parse Pass Pause Pay Place".split(),
    *"Play Point Poll Post Prefix Price Print Probe Process Prove Put Queue Quote Raise Rank Rate Read".split(),
    *"Record Redirect Refill Refund Refuse Register Reject Release Remember Remove Rename Render Renew".split(),
    *"Repeat Replace Replay Reply Report Reset Restore Resume Retry Return Reveal Review Roll Run Say".split(),
    *"Scale Score Seal Seat Send Serve Set Settle Share Show Shuffle Sign Sit Sleep Sort Spell Spend".split(),
    *"Split Start Stop Store Stream Submit Subscribe Suggest Suspend Tabulate Take Teach Tell Top".split(),
    *"Translate Try Turn Undo Unlink Unregister Update Upload Use Value Verify Void Wait Warn Watch".split(),
    *"Win Work Write Yield".split(),
}
BANNED = ("stands", "lies there", "so many", "beside it", "goes on", "is an amount", "has an end")
# Black Jack and Punto Banco: a player or the dealer stands.
OF_A_MOVE = re.compile(r"(punto|dealer|banco|it|and|and [a-z]+) stands\b|^stands$|^Two cards each\.")
# Longer openings with What or Who are sentences and no labels.
MOST_OF_A_LABEL = 7
LONGEST_DESCRIPTION = 60

# Former private words, which were replaced by standard ones: a rate limiter, a shard, a transaction.
OLD_WORDS = {
    *"pit floor paper desk poster hush keeper lane carrier errand wholeness storm weather town neighbour".split(),
    *"frost asker askers nudge nudges cheer cheers outsider outsiders office scene telling besiegers".split(),
}

# Verbs that do not say what a function does, or to what.
VAGUE = {
    *"ask come do find get give go has have hear hold keep know look make pass put read say see set show".split(),
    *"stand take tell want work".split(),
}
# Those that say it: they act as in `dict`, `Queue` and file objects, or are moves of a game; `do` and `say` are in the
# guides, for a line that a person types and for a text in a language.
CLEAR = {
    *("bot/cli/game_checks/trial_casino.py do", "bot/cli/game_checks/trial_table.py do", "bot/cli/playthrough.py do"),
    *("bot/texts/__init__.py say", "bot/platforms/telegram/saying.py say", "bot/platforms/telegram/presses.py say"),
    *("bot/core/rounds/log_proofs.py get", "engine/fairness/merkle.py get", "storage/ledger.py get"),
    *("bot/platforms/telegram/sending.py put", "storage/ledger.py put", "bot/core/state/layers.py find"),
    *("bot/platforms/common/questions.py ask", "bot/texts/catalogues.py read"),
    *("engine/felt.py show", "engine/quick.py show"),
    *("engine/games/blackjack_play.py stand", "engine/games/blackjack_control.py _stand"),
}

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings_of(package: str) -> Iterator[tuple[str, str]]:
    """Yield (place, docstring) of everything in a package, private functions and tests included."""
    for path in modules_of(package):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, Documented) and (text := ast.get_docstring(node)):
                yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", text


def catalogue() -> list[str]:
    """Return every English sentence of the catalogue."""
    with (ROOT / "bot/texts/de/LC_MESSAGES/ridotto.po").open("rb") as file:
        ids = [entry.id for entry in read_po(file) if entry.id]
    return [text for id in ids for text in ([id] if isinstance(id, str) else id)]


def sentences_of(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text)


def names_of(package: str) -> Iterator[str]:
    """Yield the names of all modules, classes and functions of a package."""
    for path in modules_of(package):
        yield path.stem
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name


@pytest.mark.parametrize("package", ["bot", "engine", "storage"])
def test_names_are_no_private_words(package: str) -> None:
    odd = [name for name in names_of(package) if OLD_WORDS & {one.lower() for one in re.findall("[A-Z]?[a-z]+", name)}]
    assert not odd


def test_no_two_classes_share_a_name() -> None:
    """An underscore does not make two names of one."""
    modules: dict[str, list[str]] = {}
    for package in ("bot", "engine", "storage"):
        for path in modules_of(package):
            for node in ast.walk(tree_of(path)):
                if isinstance(node, ast.ClassDef):
                    modules.setdefault(node.name.lstrip("_"), []).append(str(path.relative_to(ROOT)))
    assert not {name: paths for name, paths in modules.items() if len(paths) > 1}


def test_functions_are_specific_verbs() -> None:
    found = {
        f"{path.relative_to(ROOT)} {node.name}"
        for package in ("bot", "engine", "storage")
        for path in modules_of(package)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.strip("_") in VAGUE
    }
    assert found == CLEAR


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_open_with_a_verb_or_a_noun(package: str) -> None:
    odd = [
        f"{place} {text.splitlines()[0]}"
        for place, text in docstrings_of(package)
        if (first := re.match(r"[^\w{(`]*([\w'’-]+)", text)) and first[1].lower() in OPENERS
    ]
    assert not odd


def test_the_catalogue_says_they_of_a_player() -> None:
    assert not [text for text in catalogue() if re.search(r"\b(he|him|his|himself|she)\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("phrase", BANNED)
def test_the_catalogue_has_no_odd_phrases(phrase: str) -> None:
    said = [text for text in catalogue() if re.search(rf"\b{phrase}\b", text)]
    assert not [text for text in said if not OF_A_MOVE.search(text)]


@pytest.mark.parametrize("package", ["bot", "engine", "storage"])
def test_docstrings_of_functions_open_with_a_verb(package: str) -> None:
    """Properties are free: they are nouns."""
    odd = [
        f"{path.relative_to(ROOT)}:{node.lineno} {text.splitlines()[0]}"
        for path in modules_of(package)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any("property" in ast.unparse(one) for one in node.decorator_list)
        and (text := ast.get_docstring(node))
        and re.split(r"[^A-Za-z]", text)[0] not in VERBS
    ]
    assert not odd


def test_no_sentence_of_the_catalogue_opens_with_a_relative() -> None:
    """Questions, short labels ("What you can do") and lists after a colon may."""
    odd = [
        sentence
        for text in catalogue()
        for sentence in sentences_of(text)
        if re.match(r"(Who|What|Whoever|Whatever|Nobody|Everybody)\b", sentence)
        and not sentence.endswith("?")
        and ": " not in sentence
        and len(sentence.split()) > MOST_OF_A_LABEL
    ]
    assert not odd


@pytest.mark.parametrize("name", CHAT_COMMANDS)
def test_a_description_of_a_command_is_short(name: str) -> None:
    said = str(CHAT_COMMANDS[name].help)
    assert len(said) <= LONGEST_DESCRIPTION, said


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_headings_of_pages_are_no_riddles(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ +(.+)$", text, re.MULTILINE)
    assert headings
    assert not [one for one in headings if re.match(r"(Who|Whoever|Whatever|Nobody|Nothing|Everybody)\b", one)]
