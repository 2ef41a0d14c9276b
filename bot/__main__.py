"""The command line: `ridotto` alone plays; the other commands replay, verify, simulate and count.

A command is a function that takes the arguments and answers with the exit status: 0, 1 for a failed check, 2 for bad
input. What only one command needs is imported when it runs, so that a replay knows no database and no platform.
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bot.verifier.command_line import BAD, FAILED, FINE, Parser
from engine.errors import Illegal
from engine.games import GAMES
from engine.record import play_record

if TYPE_CHECKING:
    from storage.store import Store

# Exit status of a command that SIGINT or SIGPIPE ended, as shells report it.
_INTERRUPTED, _PIPE_CLOSED = 130, 141
# Python refuses to parse longer integers; one such amount must not spoil the other records.
_LONGEST_INTEGER = 4300
# Commands that need only the rules of a game.
RECORDS_ALONE = ("replay", "replay-tournament", "verify", "advise", "log")
_GAME = f"one of {', '.join(GAMES)}, or another installed game"
_OPTIONS = "the table's options, as in a record"


class _Hash(argparse.Action):
    """Print the hash of the one-file verifier, as `make verifier` does, for comparison with a file from elsewhere."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        from bot.verifier.pack import FILE, packed

        print(f"{packed()[1]}  {FILE}")
        parser.exit(FINE)


class _Version(argparse.Action):
    """Print the version of the installed package, looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        try:
            print(f"ridotto {version('ridotto')}")
        except PackageNotFoundError:
            parser.error("not installed as a package, so that it has no version: pip install -e .")
        parser.exit(FINE)


class _UnreadableFile(Exception):
    """A file that cannot be read, in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status. Errors are one line on standard error, no traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A character that the terminal's encoding lacks must not stop a command.
            stream.reconfigure(errors="replace")
    arguments = parse_arguments(argv)
    try:
        if arguments.command not in RECORDS_ALONE:
            _load_games()
        status = COMMANDS[arguments.command or "run"](arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except (Illegal, _UnreadableFile) as refused:
        return _complain(str(refused), BAD)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        return _leave_stdout(_PIPE_CLOSED)
    except OSError as fault:
        return _leave_stdout(_complain(str(fault), BAD))


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse every command with its options. Errors and --help raise SystemExit, as argparse does."""
    # Suppressed, not None: a sub-command's default would overwrite the option given before it.
    house = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    house.add_argument("--data", metavar="DIR", help="the data folder, instead of RIDOTTO_DATA")
    guests = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    guests.add_argument("--guests", metavar="N", type=int, help="house players, instead of RIDOTTO_GUESTS")

    parser = Parser("ridotto", description="A casino for chats. Without a command: run.", parents=[house, guests])
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def add(name: str, sentence: str, *parents: Parser) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=sentence, description=sentence, parents=parents)

    add("run", "Open the casino on every platform that is set up.", house, guests)
    record = "a record or an array of records as JSON; - is standard input"
    add("replay", "Play hand records, one line of JSON for each.").add_argument("file", metavar="FILE", help=record)
    tournament = add("replay-tournament", "Play tournament records, one line of JSON for each.")
    tournament.add_argument("file", metavar="FILE", help=record)
    verify = add("verify", "Check hand records: commitment, deck, moves, payouts, log, beacon.")
    verify.add_argument("file", metavar="FILE", help=record)
    verify.add_argument("--house", metavar="HEX", help="the casino's key, which every commitment must name")
    chain = "the beacon's /info, if it is not quicknet"
    verify.add_argument("--chain", metavar="FILE|JSON", help=chain)
    verify.add_argument("--hash", action=_Hash, nargs=0, help="print the SHA-256 of the one-file verifier and exit")
    log = add("log", "Check the whole log of a casino.")
    log.add_argument("action", choices=["check"], help="check: every entry and tree head, and every deadline")
    log.add_argument(
        "source", metavar="FILE|URL", help="entries, then tree heads, as JSON lines, or the address of a casino's log"
    )
    log.add_argument("--seen", metavar="FILE", help="tree heads seen earlier, as JSON lines with their times")
    log.add_argument("--chain", metavar="FILE|JSON", help=chain)
    _add_simulate(add("simulate", "Simulate many rounds and print the house edge."))
    check = add("check-game", "Check everything that a game must pass, and print what to do about each fault.")
    check.add_argument("game", metavar="NAME", help=_GAME)
    rounds = "rounds that are compared with the exact edges (default: 200000)"
    check.add_argument("--rounds", metavar="N", type=int, help=rounds)
    new = add("new-game", "Write the folder of a new game, which installs and plays.")
    new.add_argument("name", metavar="NAME", help="one word in lower case")
    new.add_argument("folder", metavar="FOLDER", nargs="?", help="the new folder (default: NAME)")
    playthrough = add("playthrough", "Print a short evening of a game, step by step, as everyone sees it.")
    playthrough.add_argument("game", metavar="NAME", help=_GAME)
    edges = add("edges", "Compute the exact house edge of every bet of a game.")
    edges.add_argument("game", metavar="GAME", help=_GAME)
    edges.add_argument("--options", metavar="JSON", help=_OPTIONS)
    edges.add_argument("--meter", metavar="N", type=int, help="jackpot meter including this coin, in minor units")
    advise = add("advise", "Print the value of each decision in hand records, one line of JSON per record.")
    advise.add_argument("file", metavar="FILE", help=record)
    doctor = add("doctor", "Check the books: every total, every balance, every hand.", house)
    returns = "print instead what each bet returned at each table, next to its exact value"
    doctor.add_argument("--returns", action="store_true", help=returns)
    choices = "with --returns: number of latest hands per table whose decisions are counted (500)"
    doctor.add_argument("--choices", metavar="N", type=int, default=500, help=choices)
    backup = add("backup", "Back up the books while the casino is running.", house)
    backup.add_argument("file", metavar="FILE", help="the backup file; it must not exist yet")
    key = "include the casino's signing key; keep it safe"
    backup.add_argument("--with-key", action="store_true", help=key)
    restore = add("restore", "Restore a backup into an empty data folder.", house)
    restore.add_argument("file", metavar="FILE", help="a file written by `ridotto backup`")
    accept = "take over what is left of incomplete books; recorded in every audit log"
    restore.add_argument("--accept-loss", action="store_true", help=accept)
    moving = add("move-books", "Move the books from one store to another while the casino is stopped.", house)
    named = "sqlite:FOLDER or postgresql://USER@HOST/DATABASE"
    moving.add_argument("source", metavar="FROM", help=f"current store: {named}")
    moving.add_argument("target", metavar="TO", help="new store, which must be empty")
    add("nodes", "List the processes that hold or wait for the books on a server.", house)
    add("operator", "Create a link that makes one player an inspector. It works once, within 15 minutes.", house)
    texts = add("texts", "Check translations.")
    texts.add_argument(
        "action", choices=["check"], help="check: print a line for everything that keeps the language from being used"
    )
    where = "name of the language or path of its folder (default: all installed)"
    texts.add_argument("language", metavar="LANGUAGE", nargs="?", help=where)
    add("emojis", "Upload the cards to Discord once, as application emojis.", house)
    return parser.parse_args(argv)


def _add_simulate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=_GAME)
    parser.add_argument("--rounds", metavar="N", type=int, help="number of rounds (default: enough for the house edge)")
    parser.add_argument("--strategy", metavar="NAME", help="the player's strategy (default: the game's first)")
    parser.add_argument("--seed", metavar="N", type=int, help="seed of the cards (default: 1)")
    parser.add_argument("--options", metavar="JSON", help=_OPTIONS)
    parser.add_argument("--exact", action="store_true", help="count every deal instead, for small games")


@cache
def _load_games() -> None:
    """Load the games, once."""
    import_module("bot.games").load()
    for game, why in import_module("bot.core.state.plays").LEFT_OUT.items():
        _complain(f"game {game} is skipped: {why}", FINE)


def run(arguments: argparse.Namespace) -> int:
    """Run `ridotto run` until a signal comes."""
    data, guests = getattr(arguments, "data", None), getattr(arguments, "guests", None)
    return import_module("bot.run").main(data=data, guests=guests) or FINE


def replay(arguments: argparse.Namespace) -> int:
    """Run `ridotto replay`: a line of JSON for each record; status 2 where one was refused."""
    return _answer_each(arguments.file, play_record)


def replay_tournament(arguments: argparse.Namespace) -> int:
    """Run `ridotto replay-tournament`: a line of JSON for each record; status 2 where one was refused."""
    from engine.tournaments.record import replay_tournament

    return _answer_each(arguments.file, replay_tournament, ("event",))


def _answer_each(
    file: str, answer: Callable[[Any], dict[str, Any]], places: tuple[str, ...] = ("clause", "move")
) -> int:
    refused = False
    for each in answer_records(file, answer, places):
        _print_json(each)
        refused |= "refused" in each
    return BAD if refused else FINE


def verify(arguments: argparse.Namespace) -> int:
    """Run `ridotto verify`: status 1 where a record is not verified, 2 where it cannot be read."""
    from bot.verifier.commands import verify

    return verify(arguments.file, arguments.house, arguments.chain, _load_games)


def log(arguments: argparse.Namespace) -> int:
    """Run `ridotto log check`: status 1 where the log has a fault, 2 where it cannot be read."""
    from bot.verifier.commands import check_log_at

    return check_log_at(arguments.source, arguments.seen, arguments.chain, _load_games)


def simulate(arguments: argparse.Namespace) -> int:
    """Run `ridotto simulate`: one JSON object; with --exact it is counted and not played."""
    from bot.cli.simulate import enumerate_exactly, simulate

    options = _parse_options(arguments.options) if arguments.options is not None else None
    if arguments.exact:
        _print_json(enumerate_exactly(arguments.game, options))
        return FINE
    given = {"rounds": arguments.rounds, "strategy": arguments.strategy, "seed": arguments.seed, "options": options}
    _print_json(simulate(arguments.game, **{name: value for name, value in given.items() if value is not None}))
    return FINE


def check_game(arguments: argparse.Namespace) -> int:
    """Run `ridotto check-game`: a line for each fault; status 1 where there is one."""
    from bot.cli.check_game import print_faults

    if arguments.rounds is not None and arguments.rounds < 1:
        return _complain("--rounds must be at least 1.", BAD)
    return FINE if print_faults(arguments.game, arguments.rounds) else FAILED


def new_game(arguments: argparse.Namespace) -> int:
    """Run `ridotto new-game`: refuses a name that is taken and a folder that exists."""
    from bot.cli.new_game import write_game

    folder = Path(arguments.folder or arguments.name)
    write_game(arguments.name, folder)
    print(f"{folder} has the game {arguments.name}. Install it with `pip install -e {folder}`, then run `ridotto`.")
    print(f"Check it with `ridotto check-game {arguments.name}`.")
    return FINE


def playthrough(arguments: argparse.Namespace) -> int:
    """Print the recorded evening of a game, the same until somebody sees something else."""
    from bot.cli.playthrough import write_playthrough

    print(write_playthrough(arguments.game), end="")
    return FINE


def edges(arguments: argparse.Namespace) -> int:
    """Run `ridotto edges`: one JSON object."""
    from bot.cli.edges import count_edges

    options = _parse_options(arguments.options) if arguments.options is not None else None
    _print_json(count_edges(arguments.game, options, arguments.meter))
    return FINE


def advise(arguments: argparse.Namespace) -> int:
    """Run `ridotto advise`: the decisions of each record, as a line of JSON; status 2 where one was refused."""
    from engine.advice import advise_record

    return _answer_each(arguments.file, advise_record)


def doctor(arguments: argparse.Namespace) -> int:
    """Run `ridotto doctor`: status 1 and a line for each fault; with --returns, for each bet that is out."""
    from bot.cli.doctor import check
    from bot.cli.returns import check_returns

    return _keep_books(arguments, partial(check_returns, choices=arguments.choices) if arguments.returns else check)


def nodes(arguments: argparse.Namespace) -> int:
    """Run `ridotto nodes`: a line for each; status 1 where none has the books."""
    from bot.cli.nodes import list_nodes

    return _keep_books(arguments, list_nodes)


def backup(arguments: argparse.Namespace) -> int:
    """Run `ridotto backup`: refuses a file that exists."""
    import time

    from storage.backups import back_up

    def write_backup(store: "Store") -> int:
        back_up(store, Path(arguments.file), time.time(), with_key=arguments.with_key)
        print(f"The books are backed up to {arguments.file}.")
        if arguments.with_key:
            print("The backup contains the signing key: anyone who has it can sign in the casino's name.")
        else:
            print(
                "The signing key is not included: a casino restored from this backup signs with a new "
                "key. Use --with-key to include it."
            )
        return FINE

    return _keep_books(arguments, write_backup)


def restore(arguments: argparse.Namespace) -> int:
    """Run `ridotto restore` into an empty folder; with --accept-loss also from incomplete books."""
    import time

    from storage.signing_key import find_signing_key

    def restore_books(store: "Store") -> int:
        file, loss = Path(arguments.file), None
        if arguments.accept_loss:
            loss = store.take_over(file, time.time())
        else:
            store.restore(file)
        print(f"The books of {file} are in {store}.")
        with store.reading() as books:
            has_key = find_signing_key(books) is not None
        signs = "signs with the key that the backup contains" if has_key else "makes a new signing key"
        print(f"At the next start the casino {signs} and starts every log again.")
        print(
            "Dealt hands continue. Open bets are returned, because the cards committed for them may have been "
            "shown since."
        )
        if loss:
            print(f"The books are incomplete, as every casino's audit log says: {loss}\nRun `ridotto doctor` on them.")
        return FINE

    return _keep_books(arguments, restore_books)


def move_books(arguments: argparse.Namespace) -> int:
    """Run `ridotto move-books`: status 1 where the doctor finds a fault in both."""
    from bot.cli.moving import move
    from bot.config import BadSetting, read_config
    from storage.faults import BooksError
    from storage.stores import store_named
    from storage.system import keep_private

    keep_private()
    try:
        folder = read_config(data=getattr(arguments, "data", None)).data
        return move(store_named(arguments.source, folder), store_named(arguments.target, folder))
    except ValueError as refused:
        return _complain(f"enter a store as {refused}.", BAD)
    except (BadSetting, BooksError) as refused:
        return _complain(str(refused), BAD)


def _keep_books(arguments: argparse.Namespace, work: Callable[["Store"], int]) -> int:
    """Do `work` with the store that the settings name."""
    from bot.config import BadSetting, read_config
    from storage.faults import BooksError
    from storage.stores import store_of
    from storage.system import keep_private

    # A copy of the books is as private as the books.
    keep_private()
    try:
        config = read_config(data=getattr(arguments, "data", None))
        return work(store_of(config.data, config.books))
    except (BadSetting, BooksError) as refused:
        return _complain(str(refused), BAD)


def operator(arguments: argparse.Namespace) -> int:
    """Run `ridotto operator`: print the link; the casino need not be running."""
    from time import time

    from bot.config import read_config
    from bot.platforms.web.operator_link import make_link

    def print_link(store: "Store") -> int:
        address = read_config(data=getattr(arguments, "data", None)).web
        if address is None:
            return _complain("RIDOTTO_WEB is off, so there is no lounge.", BAD)
        if not store.is_there():
            return _complain(
                f"There are no books at {store}. Start the casino first, or pass its folder with --data.", BAD
            )
        path = f"/operator/{make_link(store.folder, time())}"
        # Behind a proxy, or on a free port, the settings do not know the lounge's address.
        print(f"Once, within 15 minutes: {address.url if address.port else 'the address of the lounge, then '}{path}")
        return FINE

    return _keep_books(arguments, print_link)


def texts(arguments: argparse.Namespace) -> int:
    """Run `ridotto texts check [LANGUAGE]`: a line for each finding; status 1 where there is one."""
    from bot.cli.check_language import check, named
    from bot.texts.languages import KNOWN, LEFT_OUT, BadLanguage

    status = FINE
    try:
        wanted = [named(arguments.language)] if arguments.language else [*KNOWN]
    except BadLanguage as fault:
        return _complain(f"{arguments.language}: {fault}", FAILED)
    for language in wanted:
        if language is None:
            return _complain(f"there is no language {arguments.language}. Choose one of: {', '.join(KNOWN)}", BAD)
        checked = check(language)
        for finding in checked.findings:
            print(f"{language}: {finding}")
            status = FAILED
        share = f"{checked.translated} of {checked.total} messages, {checked.percent} %"
        print(f"{language}: {KNOWN[language].name}, {share}")
    for language, why in LEFT_OUT.items() if not arguments.language else ():
        status = _complain(f"{language}: {why}", FAILED)
    return status


def emojis(arguments: argparse.Namespace) -> int:
    """Run `ridotto emojis`: ask Discord which exist, and upload those that are missing."""
    from bot.config import BadSetting, read_config
    from bot.platforms.discord.emojis import EmojisError, upload_as_set

    try:
        new = upload_as_set(read_config(data=getattr(arguments, "data", None)))
    except BadSetting as refused:
        return _complain(str(refused), BAD)
    except EmojisError as fault:
        return _complain(str(fault), FAILED)
    print(f"{new} new emojis; all cards are there.")
    return FINE


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "run": run,
    "replay": replay,
    "replay-tournament": replay_tournament,
    "verify": verify,
    "log": log,
    "simulate": simulate,
    "check-game": check_game,
    "new-game": new_game,
    "playthrough": playthrough,
    "edges": edges,
    "advise": advise,
    "doctor": doctor,
    "backup": backup,
    "restore": restore,
    "move-books": move_books,
    "operator": operator,
    "nodes": nodes,
    "texts": texts,
    "emojis": emojis,
}


def answer_records(
    file: str, answer: Callable[[Any], dict[str, Any]], places: tuple[str, ...] = ("clause", "move")
) -> Iterator[dict[str, Any]]:
    """Answer each record of a file, in order. Text that is no JSON is one refused record, with None for `places`."""
    try:
        records = parse_json(_read_input(file))
    except ValueError as fault:
        yield {"refused": f"This is not valid JSON: {fault}.", **dict.fromkeys(places)}
        return
    for record in records if isinstance(records, list) else [records]:
        if isinstance(record, dict) and record.get("game") not in list(GAMES):
            _load_games()  # it may be another package's
        yield answer(record)


def parse_json(data: bytes | str) -> Any:
    """Read strict JSON in UTF-8: no NaN, no Infinity, no key twice. Raises ValueError, also where it is nested too
    deep."""
    text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    try:
        return json.loads(
            text, object_pairs_hook=_read_object, parse_constant=_refuse_constant, parse_int=_parse_integer
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Read an object of JSON as the verifier does."""
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has a duplicate key")
    return value


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _parse_integer(digits: str) -> int | float:
    """Parse an integer; one of too many digits becomes infinite, which no amount and no seat may be."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _parse_options(text: str) -> dict[str, Any]:
    try:
        options = parse_json(text)
    except ValueError as fault:
        raise _UnreadableFile(f"--options is not valid JSON: {fault}") from None
    if not isinstance(options, dict):
        raise _UnreadableFile("--options must be a JSON object")
    return options


def _read_input(file: str) -> bytes:
    if file == "-":
        if sys.stdin is None:  # a shell can close it
            raise _UnreadableFile("standard input is not available")
        return sys.stdin.buffer.read()
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError as fault:
        raise _UnreadableFile(f"{file}: {fault.strerror}") from None


def _print_json(value: Any) -> None:
    """Print JSON in ASCII, so that the bytes are the same on every terminal and lone surrogates can be printed."""
    print(json.dumps(value))


def _complain(sentence: str, status: int) -> int:
    print("ridotto:", " ".join(sentence.split()), file=sys.stderr)  # one line, whatever it quotes
    return status


def _leave_stdout(status: int) -> int:
    """Close standard output, whose reader has gone: buffered text must not fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


if __name__ == "__main__":
    sys.exit(main())
