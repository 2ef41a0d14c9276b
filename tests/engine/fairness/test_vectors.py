"""Golden vectors, compared with the code and with each other."""

import json

import pytest

from engine.fairness.canonical import Unreadable, parse
from engine.fairness.merkle import is_included
from tests.engine.fairness.trees import is_consistent
from tests.engine.fairness.vectors import FILE, LEAVES, make_vectors


def test_the_vectors_are_what_is_computed() -> None:
    assert make_vectors() == json.loads(FILE.read_text("utf-8"))


def test_the_log_of_the_vectors_is_in_order_and_its_hands_verify() -> None:
    vectors = json.loads(FILE.read_text("utf-8"))
    assert vectors["8 log check"]["faults"] == vectors["8 log check"]["unopened"] == []
    assert len(vectors["6 records"]) == len(vectors["8 verify"]) == 7
    assert all(answer["verified"] for answer in vectors["8 verify"])


def test_what_the_vectors_refuse_is_refused() -> None:
    for text in json.loads(FILE.read_text("utf-8"))["0 bytes"]["refused"]:
        with pytest.raises(Unreadable):
            parse(text)


def test_the_proofs_of_the_vectors_hold() -> None:
    tree = json.loads(FILE.read_text("utf-8"))["2 tree"]
    roots = [bytes.fromhex(root) for root in tree["roots"]]
    for one in tree["inclusion"]:
        index, size, proof = one["index"], one["size"], [bytes.fromhex(node) for node in one["proof"]]
        assert is_included(bytes.fromhex(LEAVES[index]), index, size, proof, roots[size])
    for one in tree["consistency"]:
        old, size, proof = one["from"], one["to"], [bytes.fromhex(node) for node in one["proof"]]
        assert is_consistent(old, roots[old], size, roots[size], proof)
