"""A Merkle tree that grows in memory, and the check of its consistency proofs."""

from collections.abc import Sequence

from engine.fairness.merkle import EMPTY, MerkleTree, grow, hash_node, places_of_peaks


class NodesInMemory:
    """Nodes of a tree by level and index."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], bytes] = {}

    def get(self, level: int, index: int) -> bytes:
        return self.known[level, index]


class GrowingTree(MerkleTree):
    """A tree with all its nodes, whose older trees are addressed by their `size`."""

    def __init__(self, nodes: NodesInMemory | None = None) -> None:
        self.nodes = nodes or NodesInMemory()
        super().__init__(self.nodes, 0)

    def append(self, leaf: bytes) -> int:
        """Append a leaf and return its index."""
        peaks = tuple(self.nodes.get(*place) for place in places_of_peaks(self.size))
        for level, node in enumerate(grow(self.size, peaks, leaf)[1]):
            self.nodes.known[level, self.size >> level] = node
        self.size += 1
        return self.size - 1

    def root(self, size: int | None = None) -> bytes:
        return super().root() if size is None else self.at(size).root()

    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        return super().inclusion(index) if size is None else self.at(size).inclusion(index)

    def consistency(self, old: int, size: int | None = None) -> list[bytes]:
        return super().consistency(old) if size is None else self.at(size).consistency(old)

    def at(self, size: int) -> MerkleTree:
        """Return the tree of the first `size` leaves. Raises IndexError."""
        if not 0 <= size <= self.size:
            raise IndexError(f"there are {self.size} leaves and not {size}")
        return MerkleTree(self.nodes, size)


def is_consistent(old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Check that a tree of `old` leaves is the beginning of a tree of `size`."""
    if not 0 <= old <= size:
        return False
    if old == 0 or old == size:
        return not proof and old_root == (EMPTY if old == 0 else root)
    path = list(proof)
    if old & (old - 1) == 0:
        path = [old_root, *path]  # the old root is a node of the new tree, and left out
    if not path:
        return False
    index, last = old - 1, size - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    before = after = path[0]
    for node in path[1:]:
        if last == 0:
            return False
        if index & 1 or index == last:
            before, after = hash_node(node, before), hash_node(node, after)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            after = hash_node(after, node)
        index, last = index >> 1, last >> 1
    return last == 0 and before == old_root and after == root
