"""`python -m tests.fuzz.guided TARGET [options of libFuzzer]`: bytes that find new paths.

    pip install atheris
    python -m tests.fuzz.guided record -max_total_time=300 corpus/

It stops at the first input that breaks a promise and writes it to a file; named instead of the folder, that file is run
again.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["engine", "bot", "storage"]):
    from bot.__main__ import parse_json
    from bot.core.commands.command import Refused
    from bot.platforms.common.press import load_press
    from bot.platforms.discord.codes import read_press
    from bot.platforms.telegram.updates import parse_command
    from bot.platforms.web.press import parse_press
    from engine.games import GAMES
    from engine.record import write_record
    from tests.fuzz import test_amounts, test_record

from bot.texts import LANGUAGES
from tests.engine.conformance import play_hand, random_deal


def record(data: bytes) -> None:
    try:
        value = parse_json(data)
    except ValueError:
        return
    for one in value if isinstance(value, list) else [value]:
        test_record.check(one)


def moves(data: bytes) -> None:
    """A good deal of some game, with moves made of its words."""
    given = atheris.FuzzedDataProvider(data)
    game, random = given.PickValueInList(sorted(GAMES)), Random(given.ConsumeIntInRange(0, 9))
    deal = random_deal(game, random)
    value = json.loads(json.dumps(write_record(deal, ())))
    words = sorted({word for hand in play_hand(deal, random) for move in hand.moves for word in str(move).split()})
    for _ in range(given.ConsumeIntInRange(0, 30)):
        seat, word = (given.PickValueInList(words) for _ in range(2)) if words else ("1", "fold")
        rest = given.ConsumeUnicode(6) if given.ConsumeProbability() < 0.2 else given.PickValueInList(["", *words])
        value["moves"].append(f"{seat} {word} {rest}".strip())
    test_record.check(value)


def amount(data: bytes) -> None:
    given = atheris.FuzzedDataProvider(data)
    known = {name: given.ConsumeIntInRange(0, 10**9) for name in ("wallet", "least", "most", "now")}
    step, language = given.ConsumeIntInRange(1, 10**5), given.PickValueInList([*LANGUAGES])
    test_amounts.check(given.ConsumeUnicode(40), language, {**known, "step": step})


def press(data: bytes) -> None:
    """The body of a press in the lounge."""
    try:
        found = parse_press(data)
    except Refused:
        return
    assert all(isinstance(word, str) for word in (found.key, found.verb, found.fresh, *found.args))


def button(data: bytes) -> None:
    """What stands behind a button of Telegram or Discord, and a typed line."""
    text = atheris.FuzzedDataProvider(data).ConsumeUnicode(100)
    for found in (load_press(text), read_press(text), parse_command(text, "ridotto_bot")):
        assert found is None or all(isinstance(word, str) for word in found.args)


TARGETS: dict[str, Callable[[bytes], None]] = {one.__name__: one for one in (record, moves, amount, press, button)}


def seeds_of_records(folder: Path) -> None:
    """What the fuzzer begins with: a hand of each game."""
    for game in GAMES:
        for seed in range(4):
            deal = random_deal(game, Random(seed))
            *_before, last = play_hand(deal, Random(seed))
            (folder / f"{game}-{seed}").write_text(json.dumps(write_record(deal, last.moves)))


def main() -> None:
    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in TARGETS:
        sys.exit(f"Name what to fuzz: {', '.join(TARGETS)}.")
    with tempfile.TemporaryDirectory() as folder:
        if name == "record":
            seeds_of_records(Path(folder))
            sys.argv.append(folder)
        atheris.Setup(sys.argv, TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
