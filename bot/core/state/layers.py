"""Layered maps: values by typed keys. Each layer holds its own changes and reads everything else from the layers below.

A transaction is a layer on the published state, which reads missing values from the books.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

K = TypeVar("K", bound=Any)
V = TypeVar("V")
# The groups of a value, each as ("casino", 7).
Groups = tuple[tuple[str, int], ...]


class LayeredMap(dict[K, V]):
    """One layer of a map. As a dict it is what this layer holds: of a transaction, what has changed.

    `[]` and `find` see through to the layer `below`. The lowest layer asks `read` for what it does not hold, and keeps
    the answer, but never over what was published meanwhile: any thread may ask.
    """

    # Not set by an `__init__`, because each batch makes a layer of every map.
    below: "LayeredMap[K, V] | None" = None
    read: Callable[[K], V | None] | None = None

    @staticmethod
    def reading(read: "Callable[[K], V | None]") -> "LayeredMap[K, V]":
        """Return an empty lowest layer."""
        lowest = LayeredMap[K, V]()
        lowest.read = read
        return lowest

    def __missing__(self, key: K) -> V:
        if self.below is not None:
            return self.below[key]
        found = self.read(key) if self.read is not None else None
        if found is None:
            raise KeyError(key)
        return self.setdefault(key, found)

    def find(self, key: K) -> V | None:
        """Return the value as this layer has it, or None."""
        found = self.get(key)
        if found is not None:
            return found
        if self.below is not None:
            found = self.below.get(key)
            return self.below.find(key) if found is None else found
        found = self.read(key) if self.read is not None else None
        return self.setdefault(key, found) if found is not None else None

    def under(self, kind: str, number: int, over: Mapping[K, V] | None = None) -> list[V]:
        """Return the values of a group in the order of their keys; those of layers on top, `over`, come first."""
        assert self.below is not None, "the lowest layer of groups is a GroupedMap"
        return self.below.under(kind, number, self if over is None else {**self, **over})


class GroupedMap(LayeredMap[K, V]):
    """The lowest layer of values that are found by what they belong to, with no look at those of other groups.

    It is changed by `lay`, `[]` and `del` alone. Any thread may ask while one changes it.
    """

    def __init__(self, groups_of: Callable[[V], Groups]) -> None:
        super().__init__()
        self._groups_of = groups_of
        # Sets are replaced, never changed, because another thread may be iterating.
        self._keys: dict[tuple[str, int], frozenset[K]] = {}

    def __setitem__(self, key: K, value: V) -> None:
        before = self._groups_of(self[key]) if key in self else ()
        now = self._groups_of(value)
        super().__setitem__(key, value)
        if before != now:
            self._regroup(key, {*before} - {*now}, {*now} - {*before})

    def __delitem__(self, key: K) -> None:
        before = self._groups_of(self[key])
        super().__delitem__(key)
        self._regroup(key, before, ())

    def lay(self, values: Mapping[K, V]) -> None:
        for key, value in values.items():
            self[key] = value

    def under(self, kind: str, number: int, over: Mapping[K, V] | None = None) -> list[V]:
        """Return the values of a group in the order of their keys, those of `over` before its own."""
        group = (kind, number)
        mine = over or {}
        keys = self._keys.get(group, frozenset()) | mine.keys()
        # Some may have been deleted meanwhile.
        found = (mine[key] if key in mine else self.get(key) for key in sorted(keys))
        return [value for value in found if value is not None and group in self._groups_of(value)]

    def _regroup(self, key: K, left: Iterable[tuple[str, int]], joined: Iterable[tuple[str, int]]) -> None:
        for group in left:
            others = self._keys[group] - {key}
            if others:
                self._keys[group] = others
            else:
                del self._keys[group]
        for group in joined:
            self._keys[group] = self._keys.get(group, frozenset()) | {key}
