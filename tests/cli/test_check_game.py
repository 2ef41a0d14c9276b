"""`ridotto new-game` and `ridotto check-game`: a new game passes, and bad ones are told what to do."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.game_checks.edges import play_samples
from bot.games import PLUGINS
from engine.games import ODDS
from engine.simulation import BEST
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.timeout(240)
GAME = "highcard"
RULES, PLUGIN = f"ridotto_{GAME}/rules.py", f"ridotto_{GAME}/__init__.py"
CATALOGUE = f"ridotto_{GAME}/texts/it/LC_MESSAGES/{GAME}.po"

Written = Callable[..., Path]


def run(*arguments: str, path: Path | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("RIDOTTO_", "PYTEST_"))}
    env["PYTHONPATH"] = os.pathsep.join(map(str, filter(None, (ROOT, path))))
    done = subprocess.run(
        [sys.executable, *arguments], env=env, cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Write the new game, with texts replaced in a file, and an installer's metadata beside it."""

    def write(file: str = RULES, changes: Mapping[str, str] | None = None) -> Path:
        folder = tmp_path / GAME
        assert run("-m", "bot", "new-game", GAME, str(folder)).returncode == 0
        text = (folder / file).read_text("utf-8")
        for old, new in (changes or {}).items():
            assert old in text
            text = text.replace(old, new)
        (folder / file).write_text(text, "utf-8")
        info = folder / f"ridotto_{GAME}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ridotto-{GAME}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[ridotto.games]\n{GAME} = ridotto_{GAME}:PLUGIN\n")
        return folder

    return write


def check(folder: Path, *, rounds: int = 4000) -> subprocess.CompletedProcess[str]:
    return run("-m", "bot", "check-game", GAME, "--rounds", str(rounds), path=folder)


@pytest.mark.slow
def test_a_new_game_passes_its_checks_and_its_own_tests(written: Written) -> None:
    folder = written()
    done = check(folder)
    assert (done.returncode, done.stdout) == (0, f"{GAME} passes 33 checks.\n")
    tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", path=folder, cwd=folder)
    assert tested.returncode == 0, tested.stdout


@pytest.mark.slow
def test_a_new_game_is_typed_and_simulated(written: Written) -> None:
    folder = written()
    assert '"strategy": "best"' in run("-m", "bot", "simulate", GAME, "--rounds", "100", path=folder).stdout
    typed = run(
        "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), f"ridotto_{GAME}", path=folder, cwd=folder
    )
    assert typed.returncode == 0, typed.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Duel", "must be one word in lower case"),
        ("two words", "must be one word in lower case"),
        ("7up", "must be one word in lower case"),
        (next(iter(PLUGINS)), "is the name of a game"),
        ("table", "is the name of a command"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", name, str(tmp_path / "new")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not (tmp_path / "new").exists()


def test_a_folder_that_exists_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-game", GAME, str(tmp_path)]) == 2
    assert "exists: name another folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_game_that_is_not_there_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "nothing"]) == 2
    assert capsys.readouterr().err.startswith("ridotto: There is no game nothing. Choose one of: ")


def test_no_rounds_are_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", next(iter(PLUGINS)), "--rounds", "0"]) == 2
    assert "--rounds must be at least 1" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.parametrize("game", PLUGINS)
def test_our_games_pass(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", game, "--rounds", "500"]) == 0
    assert "passes" in capsys.readouterr().out


def test_a_doubled_or_split_bet_counts_in_units_of_its_first_stake() -> None:
    plugin = PLUGINS["blackjack"]
    options, odds = plugin.game.options(), ODDS["blackjack"]
    bets = {"main": (odds.units["main"], odds.edges(options, None)["main"])}
    nets = play_samples(plugin, options, BEST, bets, 300)["main"].nets
    assert {-2, -1, 0, 1, Fraction(3, 2), 2} <= {*nets}


# Bad games: (file, {text: another one}, what is said)

BAD: dict[str, tuple[str, dict[str, str], str]] = {
    "a side bet that pays too much": (
        RULES,
        {"4 * bets": "5 * bets"},
        "exact edges: suit wins 4 to 1 in",
    ),
    "a bet whose odds assume another rule": (
        RULES,
        {"value(own) > value(banks)": "value(own) >= value(banks)"},
        "compare the payments of the script with `Odds.edges`",
    ),
    "a card in a call": (
        RULES,
        {'felt.call("go ahead")': 'felt.call(f"the bank has {felt.cards[\'dealer\'][0]}")'},
        "hidden cards of seats: The event Called shows the public the hidden card",
    ),
    "a button with a card": (
        RULES,
        {'Offer("fold")': 'Offer("fold", felt.cards["dealer"][0])'},
        "G8",
    ),
    "chance in the script": (
        RULES,
        {"wins = value(own) > value(banks)": 'wins = __import__("random").random() < 0.5'},
        "replay: The same deal and moves give another hand the second time",
    ),
    "the order of a set": (
        RULES,
        {"for seat in bets:\n        settle": "for seat in set(bets):\n        settle"},
        "records in two processes: The same seed and moves give another record",
    ),
    "a spot that is not paid": (
        RULES,
        {'        felt.pay(seat, "ante", 0, "fold", "HI4")': "        pass"},
        "payments: A payment breaks a law: “ante” of seat",
    ),
    "a loop": (
        RULES,
        {'    felt.call("go ahead")': '    while felt:\n        pass\n    felt.call("go ahead")'},
        "loading: It is not loaded: its package raises OverBudget: its code ran for more than 1 s",
    ),
    "an exception": (
        RULES,
        {'    felt.call("go ahead")': '    felt.call("go" / 2)'},
        "loading: It is not loaded: its package raises TypeError: unsupported operand",
    ),
    "a text without its value": (
        PLUGIN,
        {'Text("Bank: {card}.", card=Card(card))': 'Text("Bank: {other}.", card=Card(card))'},
        "descriptions (en): KeyError: 'other' (__init__.py, line ",
    ),
    "a package that raises": (
        PLUGIN,
        {"PLAY = Play(": "raise RuntimeError('no luck')\nPLAY = Play("},
        "loading: It is not loaded: its package raises RuntimeError: no luck",
    ),
    "output, a thread and a changed felt": (
        PLUGIN,
        {
            "PLAY = Play(": "import threading\nfrom engine.felt import Felt\nprint('hello')\n"
            "threading.Thread(target=threading.Event().wait, name='busy', daemon=True).start()\n"
            "Felt.declare = lambda self, seat, rank: None\nPLAY = Play("
        },
        "side effects: It changes engine.felt.Felt.declare, which every game and the casino use",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("bad", BAD)
def test_a_bad_game_is_told_what_to_do(written: Written, bad: str) -> None:
    file, changes, said = BAD[bad]
    done = check(written(file, changes))
    assert done.returncode == 1, done.stdout + done.stderr
    assert said in done.stdout, done.stdout
    assert done.stdout.splitlines()[-1].startswith(f"{GAME} fails ")


@pytest.mark.slow
def test_a_missing_translation_is_named_where_the_package_brings_the_language(written: Written) -> None:
    folder = written()
    file = folder / CATALOGUE
    file.parent.mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    file.write_text(f'{head}msgid "The suit pays 3 to 1 (HI6)."\nmsgstr "Il seme paga 3 a 1 (HI6)."\n', "utf-8")
    done = check(folder)
    assert done.returncode == 1
    assert f"has no translation in it: add it to {GAME}.po" in done.stdout
    assert "The suit pays 3 to 1 (HI6).” has no translation" not in done.stdout
