"""Values that are found by what they belong to: a question of one casino looks at no other one's."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

K = TypeVar("K", bound=Any)
V = TypeVar("V")
# Of a value, each as ("casino", 7).
Groups = tuple[tuple[str, int], ...]


class Grouped(dict[K, V]):
    """It is changed by `lay`, `[]` and `del` alone. Any thread may ask while one changes it."""

    def __init__(self, groups_of: Callable[[V], Groups]) -> None:
        super().__init__()
        self._groups_of = groups_of
        # Sets that are replaced and never changed: another thread may be going through one.
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
        """In the order of their keys. What lies `over` it counts instead of what is here."""
        group = (kind, number)
        mine = over or {}
        keys = self._keys.get(group, frozenset()) | mine.keys()
        # Some may have been deleted since.
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
