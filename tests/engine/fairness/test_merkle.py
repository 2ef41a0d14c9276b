"""RFC 6962's tree: known roots, proofs that hold and no others, and the cost of an append."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fairness.merkle import (
    EMPTY,
    Frontier,
    grow,
    hash_leaf,
    hash_node,
    is_included,
    places_of_peaks,
    root_of,
    split,
)
from tests.engine.fairness.trees import GrowingTree, NodesInMemory, is_consistent
from tests.engine.fairness.vectors import LEAVES

# Certificate transparency's reference leaves, and the root at each size.
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def by_the_book(leaves: list[bytes]) -> bytes:
    """Return MTH, word for word (2.1)."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = split(len(leaves))
    return hashlib.sha256(b"\1" + by_the_book(leaves[:k]) + by_the_book(leaves[k:])).digest()


def a_tree(size: int) -> GrowingTree:
    tree = GrowingTree()
    for number in range(size):
        assert tree.append(b"%d" % number) == number
    return tree


def test_the_roots_that_the_field_knows() -> None:
    tree, frontier = GrowingTree(), Frontier()
    for size, root in enumerate(ROOTS):
        assert (tree.size, tree.root().hex(), frontier.root().hex()) == (size, root, root)
        if size < len(LEAVES):
            tree.append(bytes.fromhex(LEAVES[size]))
            frontier.append(bytes.fromhex(LEAVES[size]))
    assert [tree.root(size).hex() for size in range(9)] == ROOTS


@pytest.mark.parametrize("size", [*range(20), 31, 32, 33])
def test_RFC_6962_2_1_roots(size: int) -> None:
    leaves = [b"%d" % number for number in range(size)]
    assert a_tree(33).root(size) == by_the_book(leaves)


@pytest.mark.parametrize(("count", "half"), [(2, 1), (3, 2), (4, 2), (5, 4), (8, 4), (9, 8), (2**40 + 1, 2**40)])
def test_the_left_part_is_the_largest_power_of_two_below(count: int, half: int) -> None:
    assert split(count) == half


def test_every_proof_up_to_33_holds_and_none_for_another_leaf_index_size_or_root() -> None:
    tree = a_tree(33)
    roots = [tree.root(size) for size in range(34)]
    for size in range(1, 34):
        for index in range(size):
            proof, leaf = tree.inclusion(index, size), b"%d" % index
            assert is_included(leaf, index, size, proof, roots[size])
            assert not is_included(b"other", index, size, proof, roots[size])
            assert not is_included(leaf, index, size, proof, roots[size - 1])
            assert not is_included(leaf, index, size, [*proof, bytes(32)], roots[size])
            assert not is_included(leaf, index, size, proof[:-1], roots[size]) or not proof
            others = {*range(size)} - {index}
            assert not any(is_included(leaf, other, size, proof, roots[size]) for other in others)
        assert is_consistent(0, EMPTY, size, roots[size], tree.consistency(0, size))
        for old in range(1, size + 1):
            proof = tree.consistency(old, size)
            assert is_consistent(old, roots[old], size, roots[size], proof)
            assert not is_consistent(old, roots[old], size, bytes(32), proof)
            assert not is_consistent(old, bytes(32), size, roots[size], proof)
            assert not is_consistent(old, roots[old], size, roots[size], [*proof, bytes(32)])
            assert not is_consistent(old, roots[old], size, roots[size], proof[:-1]) or not proof


def test_what_is_not_there_has_no_proof() -> None:
    tree = a_tree(3)
    for index, size in ((3, 3), (-1, 3), (0, 0), (0, 4), (2, 2)):
        with pytest.raises(IndexError):
            tree.inclusion(index, size)
        assert not is_included(b"0", index, size, [], EMPTY)
    for old, size in ((4, 3), (-1, 3), (1, 4)):
        with pytest.raises(IndexError):
            tree.consistency(old, size)
    assert not is_consistent(4, tree.root(), 3, tree.root(), [])
    with pytest.raises(IndexError):
        tree.root(4)


class Counted(NodesInMemory):
    """A store of nodes that counts reads."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def get(self, level: int, index: int) -> bytes:
        self.counts["get"] += 1
        return super().get(level, index)


@pytest.mark.long
def test_proofs_and_roots_read_a_few_nodes_however_long_the_log() -> None:
    nodes, size = Counted(), 2**17 - 1
    tree = GrowingTree(nodes)
    for number in range(size):
        tree.append(number.to_bytes(4, "big"))
    assert len(nodes.known) < 2 * size
    nodes.counts.clear()
    for ask in (
        tree.root,
        lambda: tree.inclusion(1),
        lambda: tree.inclusion(size - 1),
        lambda: tree.inclusion(77_777, 99_999),
        lambda: tree.consistency(50_001, 99_999),
        lambda: tree.consistency(1),
    ):
        nodes.counts.clear()
        ask()
        assert nodes.counts["get"] <= 17 * 18 / 2
    assert len(tree.inclusion(1)) == 17


@pytest.mark.long
@settings(deadline=None)
@given(st.lists(st.binary(max_size=5), max_size=70))
def test_the_frontier_has_the_trees_root(leaves: list[bytes]) -> None:
    frontier, tree = Frontier(), GrowingTree()
    for leaf in leaves:
        frontier.append(leaf)
        tree.append(leaf)
    assert frontier.root() == tree.root() == by_the_book(leaves)


def test_a_leaf_is_no_node() -> None:
    left, right = hash_leaf(b"a"), hash_leaf(b"b")
    assert hash_leaf(left + right) != hash_node(left, right)
    assert not is_included(left + right, 0, 1, [], hash_node(left, right))


def test_peaks_grow_as_the_tree_does_and_complete_the_same_nodes() -> None:
    tree = GrowingTree()
    peaks: tuple[bytes, ...] = ()
    for size in range(70):
        assert root_of(peaks) == tree.root()
        assert peaks == tuple(tree._nodes.get(*place) for place in places_of_peaks(size))
        peaks, completed = grow(size, peaks, b"%d" % size)
        tree.append(b"%d" % size)
        assert completed == [tree._nodes.get(level, size >> level) for level in range(len(completed))]
