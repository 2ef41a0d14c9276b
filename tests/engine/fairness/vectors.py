"""`python -m tests.engine.fairness.vectors > tests/engine/fairness/vectors.json`: golden vectors of each section.

The sections are those of docs/reference/fairness-log.md.

The file is data alone, so that verifiers in other languages can be tested with it. A test compares it with the results
computed here; other tests hold published answers (RFC 8032, 6962, 8785, quicknet).
"""

import io
import json
import tempfile
from pathlib import Path
from typing import Any

from bot.verifier.logs import check_log
from bot.verifier.records import verify_record
from engine.cards import FRENCH, PAIJU
from engine.fairness import beacon
from engine.fairness.canonical import encode
from engine.fairness.commitment import commit_to, normalise_cut
from engine.fairness.ed25519 import public_key
from engine.fairness.seals import seal
from engine.shuffler import Stream
from tests.engine.fairness.trees import GrowingTree
from tests.engine.fairness.writing import CHAIN, SECRET, STAKES, Table, Writing, play_and_open, write_lines

FILE = Path(__file__).with_name("vectors.json")

UTH_BEA = {"seat": 4, "player": "bea", "bets": {"ante": 500}}
VALUES = [
    '{"b": 1, "a": [true, false, {}, []], "": "x"}',
    '{"numbers": [0, -1, 9007199254740991, -9007199254740991]}',
    r'{"controls": "\u0000\b\t\n\f\r\u001f\u007f\"\\\/"}',
    '{"città": "Buona fortuna, città!", "cards": "🃏"}',
    r'{"\ud83c\udccf": "astral before \ufb00", "\ufb00": "by UTF-16 code units", "z": 1}',
]
REFUSED = [
    '{"a": 1, "a": 1}',
    '{"a": {"b": 1, "b": 2}}',
    "1.0",
    "1e3",
    "-0.0",
    "9007199254740992",
    "-9007199254740992",
    "null",
    '{"a": [null]}',
    r'"\ud800"',
    r'{"\udc00": 1}',
    "NaN",
    "Infinity",
    '{"half": ',
    "'single'",
    "[1,]",
    "01",
    '"\t"',
    "",
]
CUTS = ["anna", " Buona fortuna ", "citta\u0300", "\u3000x\u2003", "🃏" * 64, "a\u2028b", "12"]
DECKS: list[tuple[str, list[str], str]] = [
    ("00" * 32, [], ""),
    (bytes(range(32)).hex(), ["12", "Buona fortuna, città!", "anna"], ""),
    ("ff" * 32, ["🃏"], beacon.randomness_of(b"a round")),
]
LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
CLOSES = [0, beacon.GENESIS - 3, beacon.GENESIS - 2, beacon.GENESIS, 1_790_000_000, 1_790_000_001, 1_790_000_002]


def make_vectors() -> dict[str, Any]:
    """Return all sections by number."""
    return {
        "0 bytes": {
            "canonical": [{"json": text, "hex": encode(json.loads(text)).hex()} for text in VALUES],
            "refused": REFUSED,
        },
        "2 tree": make_tree(),
        "4 cuts": [{"typed": text, "cut": normalise_cut(text)} for text in CUTS],
        "4 deck": [make_deck(*given) for given in DECKS],
        "4a seals": [{"cut": cut, "seal": seal(cut)} for cut in (bytes(32).hex(), bytes(range(32)).hex())],
        "5 beacon": [{"closed_at": at, "round": beacon.round_after(at)} for at in CLOSES],
        **make_log(),
    }


def make_tree() -> dict[str, Any]:
    """Return leaves, the root at each size, and all proofs."""
    tree = GrowingTree()
    roots = [tree.root().hex()]
    for leaf in LEAVES:
        tree.append(bytes.fromhex(leaf))
        roots.append(tree.root().hex())
    sizes = range(1, len(LEAVES) + 1)
    return {
        "leaves": LEAVES,
        "roots": roots,
        "inclusion": [
            {"index": index, "size": size, "proof": hexes(tree.inclusion(index, size))}
            for size in sizes
            for index in range(size)
        ],
        "consistency": [
            {"from": old, "to": size, "proof": hexes(tree.consistency(old, size))}
            for size in sizes
            for old in range(1, size + 1)
        ],
    }


def hexes(nodes: list[bytes]) -> list[str]:
    return [node.hex() for node in nodes]


def make_deck(server: str, cuts: list[str], randomness: str) -> dict[str, Any]:
    """Return the first words, and the deck in the order of the deal."""

    def stream() -> Stream:
        return Stream(bytes.fromhex(server), cuts, randomness)

    words, paiju = stream(), stream()
    return {
        "server": server,
        "cuts": cuts,
        "beacon": randomness,
        "words": [words.below(2**32) for _ in range(9)],
        "deck": " ".join(stream().shuffle(FRENCH)),
        "six decks, first 20": " ".join(stream().shuffle(FRENCH * 6)[:20]),
        "paiju": {"dice": list(paiju.dice()), "deck": " ".join(paiju.shuffle(PAIJU))},
    }


def make_log() -> dict[str, Any]:
    """Return a casino's first log from its beginning, and proofs of its hands. The secret is a test's."""
    written = Writing(seed=7, at=beacon.time_of(beacon.round_after(1_790_000_000)))
    play_and_open(written, Table("17-1", "uth"), cuts=["Buona fortuna, città!"])
    play_and_open(written, Table("17-2", "paiju"), void="the house was closed")
    dropping = Table("17-3", "stud", opens=24)
    written.commitment(dropping)
    written.open(dropping, "options changed")
    play_and_open(written, Table("17-4", "caribbean", beacon=True), cuts=["anna", "bea"])
    shoe = Table("17-5", "blackjack", {"penetration": 5000})
    written.commitment(shoe)
    written.play(shoe, cuts=["12"])
    written.play(shoe)
    written.open(shoe)
    opened, unopened = bytes(range(32)).hex(), bytes(range(32, 64)).hex()
    sealed = Table("17-6", "uth", beacon=True)
    play_and_open(written, sealed, sealed=[opened], unopened=[unopened], stakes=STAKES["uth"] + [UTH_BEA])
    written.wait(10)
    written.sign()
    commitment = next(entry["promise"] for entry in written.entries if entry["k"] == "commit")
    records = [written.proven(hand) for hand in written.records]
    return {
        "1 promise": {"promise": commitment, "commit": commit_to(commitment)},
        "2 log": {"secret": SECRET.hex(), "house": public_key(SECRET).hex(), "lines": written.lines_of_file()},
        "6 records": records,
        "8 chain": {
            "public_key": CHAIN.key.hex(),
            "period": CHAIN.period_s,
            "genesis_time": CHAIN.genesis,
            "schemeID": beacon.SCHEME,
        },
        "8 verify": [verify_record(record, chain=CHAIN) for record in records],
        "8 log check": check_lines(written.lines_of_file()),
    }


def check_lines(lines: list[dict[str, Any]]) -> dict[str, Any]:
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "log").write_text(write_lines(lines), "utf-8")
        with check_log(f"{folder}/log", chain=CHAIN) as report:
            report.write(out)
    report_told: dict[str, Any] = json.loads(out.getvalue())
    return report_told


if __name__ == "__main__":
    print(json.dumps(make_vectors(), indent=1, ensure_ascii=False))
