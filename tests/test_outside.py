"""The fast tier is found by itself, and nobody in it goes outside unseen."""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
import pytest

from bot.core.commands.counting import Counting, here
from tests.outside import is_way_out

ROOT = Path(__file__).parents[1]


def starts_a_process() -> None:
    subprocess.run(["true"], check=True)


async def starts_it_in_a_loop() -> None:
    await asyncio.create_subprocess_exec("true")


def in_an_inner_function() -> None:
    def inner() -> None:
        starts_a_process()

    inner()


@contextlib.contextmanager
def wrapped() -> Iterator[None]:
    starts_a_process()
    yield


class Client:
    @property
    def session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession()


class Heir(Client):
    pass


def by_a_class() -> Heir:
    return Heir()


def by_its_context() -> None:
    with wrapped():
        pass


def counts_beside() -> int:
    return Counting()(len, "abc")


def stays() -> int:
    return here(len, os.fspath(ROOT)) + stays_too()


def stays_too() -> int:
    """Knows itself, and what it does not call: a loop alone is no way out."""
    return asyncio.iscoroutinefunction(stays) or stays_too()


@pytest.mark.parametrize(
    "function", [starts_a_process, starts_it_in_a_loop, in_an_inner_function, by_a_class, by_its_context, counts_beside]
)
def test_whatever_starts_a_process_or_opens_a_socket_is_a_way_out(function: Callable[[], object]) -> None:
    assert is_way_out(function)


@pytest.mark.parametrize("function", [stays, stays_too])
def test_what_calls_nothing_of_that_kind_is_none(function: Callable[[], object]) -> None:
    assert not is_way_out(function)


UNSEEN = """
import pytest

RUN = {"run": getattr(__import__("subprocess"), "run")}
CONNECT = [getattr(__import__("socket"), "create_server")]

def test_hides_a_process():
    RUN["run"](["true"])

def test_hides_a_socket():
    CONNECT[0](("127.0.0.1", 0)).close()

@pytest.mark.outside
def test_is_marked():
    RUN["run"](["true"])

@pytest.mark.slow
def test_is_slow():
    RUN["run"](["true"])

def test_stays():
    pass
"""


def run(*arguments: str, cwd: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", *arguments]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "test_unseen.py"]
    return subprocess.run(
        command, cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    ).stdout


@pytest.mark.slow
def test_who_goes_out_without_a_mark_fails(tmp_path: Path) -> None:
    (tmp_path / "test_unseen.py").write_text(UNSEEN)
    told = run(cwd=tmp_path)
    assert re.search(r"2 error.*|2 failed", told), told
    assert "went outside (subprocess.Popen) without the mark `outside`" in told
    assert "went outside (socket.bind) without the mark `outside`" in told
    assert {*re.findall(r"(?:FAILED|ERROR) \S*::(\w+)", told)} == {"test_hides_a_process", "test_hides_a_socket"}


@pytest.mark.slow
def test_the_fast_tier_leaves_the_others_out(tmp_path: Path) -> None:
    (tmp_path / "test_unseen.py").write_text(UNSEEN)
    told = run("--collect-only", "-m", "fast", cwd=tmp_path)
    assert {*re.findall(r"::(\w+)", told)} == {"test_hides_a_process", "test_hides_a_socket", "test_stays"}
