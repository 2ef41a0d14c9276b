"""Secrets of a log: neither it nor its proofs reveal a seed before its opening, a card, a cut or a stake."""

import json
from contextlib import closing

import pytest

from bot.core.rounds import log_proofs
from bot.core.writer import Writer
from engine.fairness.commitment import commit_to
from storage.questions import logs
from storage.sqlite import SqliteBooks
from tests.cli.kept_logs import CASINO, keep_an_evening


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """(what was written, the log's public lines, its heads and proofs)."""
    with closing(SqliteBooks(tmp_path_factory.mktemp("evening"))) as books:
        written = keep_an_evening(books)
        log = logs.log(books, CASINO)
        assert log is not None
        lines = [row.entry for row in logs.entry_rows(books, CASINO, 1)]
        proofs = [json.dumps(log_proofs.inclusion(books, log, [index], len(lines))) for index in range(len(lines))]
        shown = [json.dumps(log_proofs.published(log.house, head)) for head in logs.heads(books, CASINO, 1)]
        shown += [json.dumps(log_proofs.consistency(books, log, old, len(lines))) for old in range(1, len(lines))]
        yield written, lines, proofs + shown


def test_a_seed_stands_nowhere_before_it_is_shown(evening):
    written, lines, shown = evening
    looked = 0
    for hand, seed in written.seeds.items():
        (commit,) = [
            commit_to(one["promise"])
            for one in written.entries
            if one["k"] == "commit" and one["promise"]["hand"] == hand
        ] or [""]
        opened = [line for line, one in enumerate(written.entries) if one["k"] == "open" and one["commit"] == commit]
        before = lines[: opened[0]] if opened else lines
        assert not [line for line in before if seed.hex() in line], hand
        assert not [one for one in shown if seed.hex() in one], hand
        looked += bool(before)
    assert looked == len(written.seeds) > 20


def test_cuts_stakes_and_salts_stand_nowhere(evening):
    """The close binds them by hashes; participants have them in their records."""
    written, lines, shown = evening
    secrets = {record["salt"] for record in written.records.values() if "salt" in record}
    secrets |= {json.dumps(stake)[1:-1] for record in written.records.values() for stake in record.get("stakes", [])}
    secrets |= {f'"{cut}"' for record in written.records.values() for cut in record["seed"]["cuts"]}
    assert len(secrets) > 30
    compact = [line.replace(" ", "") for line in [*lines, *shown]]
    assert not [(secret, line) for secret in secrets for line in compact if secret.replace(" ", "") in line]


def test_no_card_stands_in_an_entry(evening):
    """Entries have only the documented keys, none of which holds cards or moves."""
    _written, lines, _shown = evening
    keys = {key for line in lines for key in json.loads(line)}
    assert keys == {
        *("k", "at", "log", "after", "why", "promise", "commit", "start", "cuts", "bets", "round"),
        *("next", "void", "record", "meter", "before", "seed", "seals", "unopened"),
    }
    committed = {key for line in lines for key in json.loads(line).get("promise", {})}
    assert committed == {
        *("v", "house", "casino", "log", "table", "hand", "game", "rules", "options", "previous", "beacon"),
        *("opens", "seed"),
    }


def test_the_secret_of_the_house_is_in_no_book(tmp_path):
    """Nor is it in a file beside the store, where it was handed over."""
    secret = bytes(range(7, 39))
    with closing(SqliteBooks(tmp_path)) as books:
        writer = Writer(books, clock=lambda: 1_000_000.0, secret=secret)
        writer.heads.sign()
        writer.round([], [])
        held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert len(held) > 100_000
    for form in (secret, secret.hex().encode()):
        assert form not in held
