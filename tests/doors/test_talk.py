"""`ridotto talk` as a process of its own, at a terminal of its own."""

import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.config import BadSetting, Config, for_terminal
from bot.verifier.pack import packed
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]


class Terminal:
    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        ours, theirs = pty.openpty()
        env = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
        env |= settings
        command = [sys.executable, "-m", "bot", "talk", "--data", str(folder), *arguments]
        self.process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        os.set_blocking(ours, False)
        self.file, self.all, self.looked_at, self.data = ours, "", 0, folder

    @property
    def seen(self) -> str:
        """What has not been looked at yet."""
        return self.all[self.looked_at :]

    def sees(self, pattern: str) -> str:
        """Waits for it in what has not been looked at yet, and looks at all up to there."""
        until, sought = time.monotonic() + PATIENCE_S, re.compile(pattern)
        while (found := sought.search(self.all, self.looked_at)) is None:
            assert time.monotonic() < until, self.seen
            self._read()
        self.looked_at = found.end()
        return found[0]

    def _read(self) -> None:
        try:
            self.all += os.read(self.file, 65536).decode(errors="replace").replace("\r\n", "\n")
        except BlockingIOError:
            time.sleep(0.02)
        except OSError:  # nobody is there any more
            time.sleep(0.02)

    def types(self, line: str) -> None:
        os.write(self.file, f"{line}\n".encode())

    def end(self) -> int:
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.file)


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """At a terminal of the same house each time."""
    terminals: list[Terminal] = []

    def open_one(*arguments: str, **settings: str) -> Terminal:
        terminals.append(Terminal(tmp_path / "data", *arguments, **settings))
        return terminals[-1]

    yield open_one
    for terminal in terminals:
        terminal.close()


@pytest.mark.slow
def test_one_plays_a_hand_and_leaves(sit: Callable[..., Terminal]) -> None:
    here = sit("Anna", "--game", "uth")
    number = re.findall(r"\[([0-9]+)\]", here.sees(r"\[[0-9]+\] Bet 50 "))[0]
    here.types(number)
    here.sees("Ready")
    here.types("ready")
    here.sees(r"Cards (\S+[♠♥♦♣] ?){2}")
    here.types("fold" if "Fold" in here.seen else "check")
    here.types("/balance")
    here.sees("You have [0-9]+ chips")
    here.types("/quit")
    here.sees("The house closes")
    assert here.end() == 0


PLAIN = {
    "C": {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
}


@pytest.mark.slow
@pytest.mark.parametrize("settings", PLAIN.values(), ids=PLAIN)
def test_a_terminal_without_utf_8_shows_suits_as_letters(
    sit: Callable[..., Terminal], settings: dict[str, str]
) -> None:
    here = sit("Anna", "--game", "caribbean", **settings)
    here.sees(r"\[1\] ante")
    here.types("bet 10")
    here.types("ready")
    here.sees(r"Cards ([0-9AKQJT]+[shdc] ?){5}")
    here.types("/fold")
    here.types("/quit")
    here.sees("The house closes")
    assert here.end() == 0
    assert "Traceback" not in here.all


@pytest.mark.slow
def test_several_share_the_keyboard_and_each_looks_at_his_cards_alone(sit: Callable[..., Terminal]) -> None:
    here = sit("Anna", "Bea", "--game", "uth")
    here.sees("Say who speaks")
    here.types("Anna: bet 10")
    here.types("bea: bet 10")
    here.sees("Bea: betting")
    here.types("Anna: ready")
    here.types("Bea: ready")
    here.sees("thinking, Cards 2 cards face down")
    here.types("Bea: cards")
    here.sees("Now only Bea looks")
    here.types("")
    here.sees("[♠♥♦♣]")
    here.types("")
    here.sees("\x1b\\[2J")
    here.sees("2 cards face down")
    assert not re.search("[♠♥♦♣]", here.seen)
    here.types("Bea: odds")
    here.sees("Now only Bea looks")
    assert "worth" not in here.seen
    here.types("")
    here.sees("worth to the end of the hand")
    here.types("")
    here.sees("\x1b\\[2J")
    here.types("quit")
    assert here.end() == 0


@pytest.mark.slow
def test_who_is_alone_reads_after_the_hand_what_his_choice_gave_away(sit: Callable[..., Terminal]) -> None:
    """To fold a pair or better is always wrong; every other hand has one. Each is folded until the first such one."""
    here = sit("Anna", "--game", "caribbean")
    holds = ""
    for _hand in range(60):
        here.sees(r"\[1\] ante")
        here.types("bet 10")
        here.types("ready")
        holds = here.sees(r"thinking, Cards (\S+ ){5}\(.+?\)")
        here.types("fold")
        if "high card" not in holds:
            break
    assert here.sees(r"Best was .+\. You chose Fold: -10\."), holds
    here.types("quit")
    assert here.end() == 0


def test_what_cannot_be_is_one_sentence(sit: Callable[..., Terminal]) -> None:
    here = sit("Anna", "--game", "whist")
    here.sees("There is no game whist; there are")
    assert here.end() == 2
    assert not here.data.exists()


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Anna", "anna"), "Each name once, please."),
        (("An/na",), "A name has up to 32 letters, and neither a colon nor a slash."),
    ],
)
def test_two_names_alike_or_one_that_nobody_could_speak_for_are_refused(names: tuple[str, ...], told: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(told)):
        for_terminal(Config(), names, "uth")


@pytest.mark.slow
def test_a_hand_waits_for_who_comes_back(sit: Callable[..., Terminal]) -> None:
    here = sit("Anna", "--game", "uth")
    here.sees(r"\[1\]")
    here.types("bet 10")
    here.types("ready")
    cards = here.sees(r"Cards \S+[♠♥♦♣] \S+")
    here.types("quit")
    assert here.end() == 0
    here = sit("Anna", "--game", "uth")
    here.sees(re.escape(cards))
    here.types("quit")
    assert here.end() == 0


@pytest.mark.slow
def test_what_choices_are_worth_is_counted_beside_the_house(sit: Callable[..., Terminal]) -> None:
    here = sit("Anna", "--game", "caribbean")
    here.sees(r"\[1\]")
    here.types("odds")
    here.sees(r"exchanged and raised at its best: the house keeps 1\.18 % of it")
    here.types("bet 10")
    here.types("ready")
    here.sees(r"Cards \S+[♠♥♦♣] \S+")
    here.types("odds")
    here.sees(r"fold: -10\b")
    here.types("fold")
    here.sees(r"-10\b")
    here.types("review")
    here.sees(r"Hands: 1; choices: 1; given away: ")
    here.types("verify file")
    assert Path(here.sees(r"\S+\.pyz\n").strip()).read_bytes() == packed()[0]
    here.types("quit")
    assert here.end() == 0
