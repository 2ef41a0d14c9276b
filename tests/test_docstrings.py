"""Docstrings: everything a reader may call is explained."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_architecture import ROOT, modules_of, tree_of

PACKAGES = ("engine", "storage", "bot")
# A longer method needs a docstring; a shorter one is read as fast as a sentence.
PLAIN_LINES = 5
# Words that docstrings share and that explain nothing.
EMPTY = {*"a an and as be by for from get in is it its make of on or return returns set the this to what with".split()}

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def defined_in(path: Path) -> Iterator[tuple[str, Definition]]:
    """Yield (name, definition) of public functions and classes, and of methods that are not short."""
    for node in tree_of(path).body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{method.name}", method) for method in methods_of(node))


def methods_of(node: ast.ClassDef) -> Iterator[Function]:
    """Yield the methods of a class that need a docstring."""
    public = (one for one in node.body if isinstance(one, Function) and not one.name.startswith("_"))
    yield from (one for one in public if (one.end_lineno or 0) - one.body[0].lineno >= PLAIN_LINES)


def says_something(node: Definition) -> bool:
    """Return whether a docstring has a word that is not in the names of the function and its arguments."""
    names = [node.name, *(part.arg for part in ast.walk(node) if isinstance(part, ast.arg))]
    return bool(set(words_of(ast.get_docstring(node) or "")) - {*words_of(" ".join(names))} - EMPTY)


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_what_others_may_call_has_a_sentence(package: str) -> None:
    without = [
        f"{path.relative_to(ROOT)}:{node.lineno} {name}"
        for path in modules_of(package)
        for name, node in defined_in(path)
        if not says_something(node)
    ]
    assert not without


@pytest.mark.parametrize("package", PACKAGES)
def test_a_module_opens_with_what_it_is_for(package: str) -> None:
    without = [path for path in modules_of(package) if path.stat().st_size and not ast.get_docstring(tree_of(path))]
    assert not without


@pytest.mark.parametrize("package", PACKAGES)
def test_a_sentence_is_a_sentence(package: str) -> None:
    """A docstring begins with a capital, a number, a quotation or code."""
    odd = [
        f"{path.relative_to(ROOT)}:{node.lineno} {name}: {text.splitlines()[0]}"
        for path in modules_of(package)
        for name, node in defined_in(path)
        if (text := ast.get_docstring(node)) and not re.match(r"[A-Z0-9\"“`'({<]", text)
    ]
    assert not odd


def test_a_sentence_that_repeats_the_name_is_none() -> None:
    (repeats, says) = ast.parse(
        'def make_table(house): """Make the table of the house."""\n'
        'def make_table(house): """At a place that has none."""'
    ).body
    assert isinstance(repeats, ast.FunctionDef)
    assert isinstance(says, ast.FunctionDef)
    assert not says_something(repeats)
    assert says_something(says)
