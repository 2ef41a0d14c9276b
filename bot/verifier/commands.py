"""Commands that verify records and check a log. Each prints its findings and returns the exit status."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from bot.verifier.command_line import BAD, FAILED, FINE
from bot.verifier.daily import is_deal, verify_deal
from bot.verifier.fetch import fetched
from bot.verifier.files import LONGEST_LINE, open_bytes, read_records, read_text
from bot.verifier.logs import check_log
from bot.verifier.records import verify_record
from engine.fairness import bls, shape
from engine.fairness.beacon import SCHEME, ChainInfo
from engine.fairness.canonical import JSON, Unreadable, parse
from engine.games import GAMES

_KEY = re.compile(r"[0-9a-f]{64}")


def verify(
    file: str,
    house: str | None = None,
    chain: str | None = None,
    load_games: Callable[[], None] = lambda: None,
) -> int:
    """Run `ridotto verify`: a line of JSON for each record.

    Returns 1 where one is not verified, 2 where the input is refused. `load_games` is called once where a record names
    a game that is not known yet. Raises OSError.
    """
    if house is not None and not _KEY.fullmatch(house):
        return _print_refused(f"a house's key is 64 digits of lower case hex, and not {house[:80]}")
    try:
        named = None if chain is None else read_chain(chain)
        text = read_text(file)
        _refuse_unreadable(text)
    except Unreadable as refused:
        return _print_refused(str(refused))
    status = FINE
    for number, record in enumerate(_knowing_games(read_records(text), load_games)):
        answer = (verify_deal if is_deal(record) else verify_record)(record, house, named)
        _print_json(answer)
        if not answer["verified"]:
            status = max(status, FAILED)
            _complain(f"record {number} is not verified")
    return status


def _refuse_unreadable(text: str) -> None:
    """Raise Unreadable unless all of it can be read, and is an object or some objects in an array."""
    count = 0
    for record in read_records(text):
        count += 1
        if not isinstance(record, dict):
            raise Unreadable("a record is an object")
    if not count:
        raise Unreadable("the array holds no record")


def check_log_at(
    source: str,
    seen: str | None = None,
    chain: str | None = None,
    load_games: Callable[[], None] | None = None,
) -> int:
    """Run `ridotto log check`: one line of JSON.

    Returns 1 where there is a fault, 2 where the log cannot be read. Raises OSError.
    """
    try:
        named = None if chain is None else read_chain(chain)
        with (
            fetched(source) as (file, has_newest_head_only),
            check_log(
                file, seen, chain=named, has_newest_head_only=has_newest_head_only, load_games=load_games
            ) as report,
        ):
            report.write(sys.stdout)
            return _complain(f"faults in the log: {len(report.faults)}") if report.faults else FINE
    except Unreadable as refused:
        _print_json({"refused": str(refused)})
        return BAD


def _knowing_games(records: Iterator[JSON], load_games: Callable[[], None]) -> Iterator[JSON]:
    """Yield the records, after loading installed games where one names an unknown game."""
    for record in records:
        dealt = record["deal"] if is_deal(record) and isinstance(record["deal"], dict) else record
        terms = dealt.get("promise") if "v" in dealt else dealt
        if isinstance(terms, dict) and terms.get("game") not in list(GAMES):
            load_games()
        yield record


def _print_refused(why: str) -> int:
    _print_json({"verified": False, "refused": why})
    return BAD


def _complain(sentence: str) -> int:
    print(f"ridotto: {sentence}", file=sys.stderr)
    return FAILED


def _print_json(value: JSON) -> None:
    """Print JSON in ASCII, so that the bytes are the same on every terminal."""
    print(json.dumps(value))


def read_chain(given: str) -> ChainInfo:
    """Return the chain that a file or a JSON object names. Raises Unreadable, and OSError for a file."""
    if not given.lstrip().startswith("{") or os.path.isfile(given):
        with open_bytes(given) as file:
            data: str | bytes = file.read(LONGEST_LINE)
    else:
        data = given
    try:
        return _parse_chain(parse(data))
    except Unreadable as refused:
        raise Unreadable(f"the chain: {refused}") from None


def _parse_chain(info: Any) -> ChainInfo:
    if not isinstance(info, dict):
        raise Unreadable("it is no object")
    key, period_s, genesis = (info.get(name, "") for name in ("public_key", "period", "genesis_time"))
    if not shape.is_hex(2 * bls.KEY_BYTES)(key) or not bls.is_key(bytes.fromhex(key)):
        raise Unreadable("its public_key is no key")
    if not shape.is_positive(period_s) or not shape.is_number(genesis):
        raise Unreadable("its period and genesis_time are whole seconds")
    if info.get("schemeID", SCHEME) != SCHEME:
        raise Unreadable(f"its schemeID is not {SCHEME}")
    return ChainInfo(bytes.fromhex(key), period_s, genesis)
