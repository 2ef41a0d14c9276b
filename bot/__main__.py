"""The command line: `ridotto` alone plays; the other commands replay, verify and simulate.

A command is a function that takes the arguments and answers with the exit status: 0, 1 for a failed check, 2 for bad
input. What only one command needs is imported when it runs, so that a replay knows no database and no platform.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import Illegal
from engine.record import play_record

FINE, FAILED, BAD = 0, 1, 2
# What a shell says of a command that SIGINT or SIGPIPE ended.
_INTERRUPTED, _PIPE_CLOSED = 130, 141
# Python refuses to read longer integers, and one such amount should not spoil the other records.
_LONGEST_INTEGER = 4300


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, without the usage."""
        self.exit(BAD, f"{self.prog}: {message}\n")


class _Unreadable(Exception):
    """A file that cannot be read, in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parse_arguments(argv)
    try:
        status = COMMANDS[arguments.command or "run"](arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except (Illegal, _Unreadable) as refused:
        return _complain(str(refused), BAD)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        return _leave_stdout(_PIPE_CLOSED)
    except OSError as fault:
        return _leave_stdout(_complain(str(fault), BAD))


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    # Suppressed, not None: a sub-command's default would overwrite what stands before it.
    house = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    house.add_argument("--data", metavar="DIR", help="the folder of the books, instead of RIDOTTO_DATA")
    guests = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    guests.add_argument("--guests", metavar="N", type=int, help="house players, instead of RIDOTTO_GUESTS")

    parser = _Parser("ridotto", description="A casino for chats. Without a command: run.", parents=[house, guests])
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def add(name: str, sentence: str, *parents: _Parser) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=sentence, description=sentence, parents=parents)

    add("run", "Open the house on every platform that is set up.", house, guests)
    record = "a record or an array of records as JSON; - is standard input"
    add("replay", "Play hand records, one line of JSON for each.").add_argument("file", metavar="FILE", help=record)
    add("verify", "Replay, and check each commit.").add_argument("file", metavar="FILE", help=record)
    _add_simulate(add("simulate", "Play many rounds, and tell what the house keeps."))
    add("doctor", "Check the books: every sum, every balance, every hand.", house)
    backup = add("backup", "Copy the books while the house is open.", house)
    backup.add_argument("file", metavar="FILE", help="the copy; a file that is not there yet")
    restore = add("restore", "Bring a backup into an empty data folder.", house)
    restore.add_argument("file", metavar="FILE", help="what `ridotto backup` wrote")
    bench = add("bench", "Measure how fast the house is.")
    names = "pit, press, tables, pictures, ranks, hands; overload and growth take minutes and run only when named"
    bench.add_argument("name", metavar="NAME", nargs="?", help=f"one of them: {names}")
    bench.add_argument("--json", action="store_true", help="answer with one JSON object")
    bench.add_argument("--plot", metavar="FILE.svg", help="where growth draws its curves (growth.svg)")
    storm = add("simulate-house", "Play a whole house through a seeded storm, and check it after every step.")
    storm.add_argument("--seed", metavar="N", type=int, default=1, help="which storm (1)")
    storm.add_argument("--steps", metavar="M", type=int, default=10000, help="how long it lasts (10000)")
    storm.add_argument("--jobs", metavar="N", type=int, default=1, help="how many houses at once (1)")
    gallery = add("gallery", "Write one page with a picture of every table in every phase.")
    gallery.add_argument("file", metavar="OUT.html", help="the page")
    add("emojis", "Upload the cards to Discord once, as emojis of the application.", house)
    return parser.parse_args(argv)


def _add_simulate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="caribbean, uth, paiju, blackjack or stud")
    parser.add_argument("--rounds", metavar="N", type=int, help="how many rounds to play (100000)")
    parser.add_argument("--strategy", metavar="NAME", help="how the player chooses (the game's first strategy)")
    parser.add_argument("--seed", metavar="N", type=int, help="where the cards come from (1)")
    parser.add_argument("--options", metavar="JSON", help="the table's options, as in a record")
    parser.add_argument("--exact", action="store_true", help="count every deal instead of playing some (paiju)")


def run(arguments: argparse.Namespace) -> int:
    data, guests = getattr(arguments, "data", None), getattr(arguments, "guests", None)
    return import_module("bot.run").main(data=data, guests=guests) or FINE


def replay(arguments: argparse.Namespace) -> int:
    refused = False
    for answer in play_records(arguments.file):
        _print_json(answer)
        refused |= "refused" in answer
    return BAD if refused else FINE


def verify(arguments: argparse.Namespace) -> int:
    status = FINE
    for index, answer in enumerate(play_records(arguments.file, verify=True)):
        _print_json(answer)
        if "refused" in answer:
            status = BAD
        elif not answer["verified"]:
            status = max(status, _complain(f"record {index} is not verified: its commit is not its seed's", FAILED))
    return status


def simulate(arguments: argparse.Namespace) -> int:
    from bot.simulate import enumerate_exactly, simulate

    if arguments.exact:
        _print_json(enumerate_exactly(arguments.game))
        return FINE
    options = _parse_options(arguments.options) if arguments.options is not None else None
    given = {"rounds": arguments.rounds, "strategy": arguments.strategy, "seed": arguments.seed, "options": options}
    _print_json(simulate(arguments.game, **{name: value for name, value in given.items() if value is not None}))
    return FINE


def doctor(arguments: argparse.Namespace) -> int:
    from bot.doctor import check

    return _keep_books(arguments, check)


def backup(arguments: argparse.Namespace) -> int:
    from storage.database import copy

    def work(books: Path) -> int:
        copy(books, Path(arguments.file))
        print(f"The books are copied to {arguments.file}.")
        return FINE

    return _keep_books(arguments, work)


def restore(arguments: argparse.Namespace) -> int:
    from storage.database import restore

    def work(books: Path) -> int:
        restore(Path(arguments.file), books.parent)
        print(f"The books of {arguments.file} are in {books.parent}.")
        return FINE

    return _keep_books(arguments, work)


def _keep_books(arguments: argparse.Namespace, work: Callable[[Path], int]) -> int:
    """Do `work` with the path of the books that the settings name."""
    from bot.config import BadSetting, read_config
    from storage.database import FILE, BooksError

    # A copy of the books is as private as they are.
    os.umask(0o077)
    try:
        return work(read_config(data=getattr(arguments, "data", None)).data / FILE)
    except (BadSetting, BooksError) as refused:
        return _complain(str(refused), BAD)


def bench(arguments: argparse.Namespace) -> int:
    from bot.bench import BENCHMARKS, measure

    if arguments.name is not None and arguments.name not in BENCHMARKS:
        return _complain(f"there is no benchmark {arguments.name}; there are {', '.join(BENCHMARKS)}", BAD)
    quick = [name for name, one in BENCHMARKS.items() if not one.takes_minutes]
    plot = Path(arguments.plot or "growth.svg")
    measure([arguments.name] if arguments.name else quick, as_json=arguments.json, plot=plot)
    return FINE


def gallery(arguments: argparse.Namespace) -> int:
    from bot.gallery import write_gallery

    write_gallery(Path(arguments.file))
    return FINE


def simulate_house(arguments: argparse.Namespace) -> int:
    import tempfile

    from bot.simulate_house import main as weather_storm

    # In memory where there is a folder for it: how fast the disk flushes is not what is simulated.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        return weather_storm(arguments.seed, arguments.steps, Path(folder), max(1, arguments.jobs))


def emojis(arguments: argparse.Namespace) -> int:
    import asyncio

    from bot.config import BadSetting, read_config
    from bot.emojis import API, EmojisError, upload

    try:
        config = read_config(data=getattr(arguments, "data", None))
        if config.discord_token is None:
            raise BadSetting("RIDOTTO_DISCORD_TOKEN is not set: whose emojis shall it be?")
        new = asyncio.run(upload(config.discord_token, config.data, config.discord_api or API))
    except BadSetting as refused:
        return _complain(str(refused), BAD)
    except EmojisError as fault:
        return _complain(str(fault), FAILED)
    print(f"{new} new emojis; all cards are there.")
    return FINE


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "run": run,
    "replay": replay,
    "verify": verify,
    "simulate": simulate,
    "simulate-house": simulate_house,
    "doctor": doctor,
    "backup": backup,
    "restore": restore,
    "bench": bench,
    "gallery": gallery,
    "emojis": emojis,
}


def play_records(file: str, *, verify: bool = False) -> Iterator[dict[str, Any]]:
    """An answer for each record in the file, in order; what is no JSON is one refused record."""
    try:
        records = parse_json(_read(file))
    except ValueError as fault:
        yield {"refused": f"This is no JSON: {fault}.", "clause": None, "move": None}
        return
    for record in records if isinstance(records, list) else [records]:
        yield play_record(record, verify=verify)


def parse_json(data: bytes | str) -> Any:
    """Strict JSON in UTF-8: no NaN, no Infinity. Raises ValueError, for what is nested too deep as well."""
    text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_parse_integer)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _parse_integer(digits: str) -> int | float:
    """An integer beyond all reason becomes infinite, which no amount and no seat may be."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _parse_options(text: str) -> dict[str, Any]:
    try:
        options = parse_json(text)
    except ValueError as fault:
        raise _Unreadable(f"--options is no JSON: {fault}") from None
    if not isinstance(options, dict):
        raise _Unreadable("--options is a JSON object")
    return options


def _read(file: str) -> bytes:
    if file == "-":
        if sys.stdin is None:  # a shell can close it
            raise _Unreadable("there is no standard input")
        return sys.stdin.buffer.read()
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError as fault:
        raise _Unreadable(f"{file}: {fault.strerror}") from None


def _print_json(value: Any) -> None:
    """ASCII alone, so that the bytes are the same on every terminal, and lone surrogates can be told."""
    print(json.dumps(value))


def _complain(sentence: str, status: int) -> int:
    print("ridotto:", " ".join(sentence.split()), file=sys.stderr)  # one line, whatever it quotes
    return status


def _leave_stdout(status: int) -> int:
    """Nobody reads any more: what is still buffered must not fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


if __name__ == "__main__":
    sys.exit(main())
