"""The Merkle tree of RFC 6962 (2.1): an appendable list of leaves, its root at every size, and both kinds of proof.

Nodes over a whole power of two of leaves never change: they are kept, so that an append costs two hashes on average,
a root or a proof some that grow with the logarithm of the size, and none reads the leaves again.
"""

import hashlib
from collections.abc import Sequence
from typing import Protocol


def hash_leaf(leaf: bytes) -> bytes:
    """Return H(0x00 || leaf)."""
    return hashlib.sha256(b"\0" + leaf).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """Return H(0x01 || left || right)."""
    return hashlib.sha256(b"\1" + left + right).digest()


EMPTY = hashlib.sha256().digest()
"""The root of no leaves."""


class Nodes(Protocol):
    """Storage of a tree's nodes: `index` counts the nodes of a level, each over 2^level leaves."""

    def get(self, level: int, index: int) -> bytes:
        """Return the 32 bytes of a node."""


class MerkleTree:
    """An append-only Merkle tree of `size` leaves, whose nodes are stored elsewhere (`grow`)."""

    def __init__(self, nodes: Nodes, size: int) -> None:
        self._nodes, self.size = nodes, size

    def root(self) -> bytes:
        """Return the root of all leaves."""
        return self._hash(0, self.size) if self.size else EMPTY

    def inclusion(self, index: int) -> list[bytes]:
        """Return the audit path of a leaf (RFC 6962, 2.1.1), the lowest node first."""
        if not 0 <= index < self.size:
            raise IndexError(f"there is no leaf {index} in a tree of {self.size}")
        return self._path(index, 0, self.size)

    def consistency(self, old: int) -> list[bytes]:
        """Prove that the first `old` leaves are the beginning of the tree (RFC 6962, 2.1.2); empty for 0 leaves."""
        if not 0 <= old <= self.size:
            raise IndexError(f"a tree of {self.size} has no beginning of {old}")
        return self._growth(old, 0, self.size, is_known=True) if old else []

    def _hash(self, begin: int, end: int) -> bytes:
        """Return MTH(D[begin:end]) (RFC 6962).

        `begin` is a multiple of the largest power of two in the range.
        """
        count = end - begin
        level = count.bit_length() - 1
        if count == 1 << level:
            return self._nodes.get(level, begin >> level)
        middle = begin + (1 << level)
        return hash_node(self._hash(begin, middle), self._hash(middle, end))

    def _path(self, index: int, begin: int, end: int) -> list[bytes]:
        if end - begin == 1:
            return []
        middle = begin + split(end - begin)
        if index < middle:
            return [*self._path(index, begin, middle), self._hash(middle, end)]
        return [*self._path(index, middle, end), self._hash(begin, middle)]

    def _growth(self, old: int, begin: int, end: int, *, is_known: bool) -> list[bytes]:
        """Return SUBPROOF (RFC 6962); `is_known` while the asker has the root of the old tree within this range."""
        if old == end:
            return [] if is_known else [self._hash(begin, end)]
        middle = begin + split(end - begin)
        if old <= middle:
            return [*self._growth(old, begin, middle, is_known=is_known), self._hash(middle, end)]
        return [*self._growth(old, middle, end, is_known=False), self._hash(begin, middle)]


class Frontier:
    """The root of a growing list in logarithmic memory, for readers that see each leaf once and prove nothing."""

    def __init__(self) -> None:
        self.size = 0
        self._whole: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Append a leaf and merge the nodes that it completes; as many are left as the size has ones in binary."""
        node, index = hash_leaf(leaf), self.size
        while index & 1:
            node = hash_node(self._whole.pop(), node)
            index >>= 1
        self._whole.append(node)
        self.size += 1

    def root(self) -> bytes:
        """Return the root of all leaves so far."""
        return root_of(self._whole)


def grow(size: int, peaks: tuple[bytes, ...], leaf: bytes) -> tuple[tuple[bytes, ...], list[bytes]]:
    """Return the peaks of a tree of `size` after one more leaf, and the nodes it completes, by level from 0.

    Peaks are the nodes over whole powers of two that the tree falls into, the largest first: as many as `size` has ones
    in binary.
    """
    completed = [hash_leaf(leaf)]
    count = 0
    while size >> count & 1:
        completed.append(hash_node(peaks[-1 - count], completed[-1]))
        count += 1
    return (*peaks[: len(peaks) - count], completed[-1]), completed


def root_of(peaks: Sequence[bytes]) -> bytes:
    """Return the root of the tree with these peaks."""
    if not peaks:
        return EMPTY
    root = peaks[-1]
    for node in reversed(peaks[:-1]):
        root = hash_node(node, root)
    return root


def places_of_peaks(size: int) -> list[tuple[int, int]]:
    """Return (level, index) of each peak of a tree of `size`."""
    return [(level, (size >> level) - 1) for level in reversed(range(size.bit_length())) if size >> level & 1]


def split(count: int) -> int:
    """Return the largest power of two smaller than `count`, which is 2 or more."""
    return 1 << (count - 1).bit_length() - 1


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Check that the proof leads from the leaf at `index` to the root of a tree of `size`."""
    if not 0 <= index < size:
        return False
    node, last = hash_leaf(leaf), size - 1
    for sibling in proof:
        if last == 0:
            return False
        if index & 1 or index == last:
            node = hash_node(sibling, node)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            node = hash_node(node, sibling)
        index, last = index >> 1, last >> 1
    return last == 0 and node == root
