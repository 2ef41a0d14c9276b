"""Strategies for values that people and programs do not send, and for slightly wrong ones."""

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

ODD_TEXTS = (
    "",
    " ",
    "0",
    "-1",
    "+5",
    "00",
    "01",
    "1e9",
    "0x10",
    "1_000",
    "50.001",
    "1,00",
    "1.000.000,50",
    "٣",
    "５０",
    "²",
    "½",
    "∞",
    "NaN",
    "null",
    "9" * 18,
    "9" * 19,
    "9" * 40,
    "9" * 4301,
    "\0",
    "a\0b",
    "\n",
    "50\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\u202e50",
    "\u200f",
    "\u2066x\u2069",
    "\ufeff50",
    "\ud800",
    "\udfff50",
    "e\u0301" * 50,
    "💰",
    "👩‍👩‍👧‍👦",
    "{amount}",
    "{0}",
    "%s%n",
    "'; DROP TABLE accounts; --",
    "<script>",
    "../../etc/passwd",
    "A" * 10_000,
    "all",
    "half",
    "max",
    "min",
    "x2",
    "1k",
    "999999999999k",
    "void",
    "timeout",
    "__class__",
)

odd_texts = st.sampled_from(ODD_TEXTS) | st.text(max_size=12)
ODD_NUMBERS = (
    *(0, -1, 1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**18, 10**40, -(10**40), 10**4299),
    *(0.5, -0.0, 1e308, float("inf")),
)
odd_numbers = st.sampled_from(ODD_NUMBERS) | st.integers(-1000, 10**7)
odd_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | odd_numbers | odd_texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(odd_texts, inner, max_size=4),
    max_leaves=6,
)


def arguments(sensible: Sequence[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """Generate arguments of a command: meaningful words and others."""
    return st.lists(st.sampled_from(sensible) | odd_texts, max_size=6).map(tuple)


def paths_of(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of everything in a JSON value."""
    found = [at]
    if isinstance(value, dict):
        for key in value:
            found += paths_of(value[key], (*at, key))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            found += paths_of(one, (*at, index))
    return found


@st.composite
def mutated(draw: st.DrawFn, value: Any) -> Any:
    """Generate a JSON value with a few parts replaced, left out, doubled, moved or added. Changes `value`."""
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(paths_of(value)))
        if not path:
            how = draw(st.integers(0, 9))
            if how == 0:
                return draw(odd_values)
            if isinstance(value, dict) and how < 4:
                value[draw(odd_texts)] = draw(odd_values)
            continue
        _change(draw, _holder(value, path), path[-1])
    return value


def _holder(value: Any, path: Sequence[Any]) -> Any:
    for step in path[:-1]:
        value = value[step]
    return value


def _change(draw: st.DrawFn, holder: Any, key: Any) -> None:
    how = draw(st.sampled_from(("replace", "near", "drop", "double", "swap")))
    if how == "replace":
        holder[key] = draw(odd_values)
    elif how == "near":
        holder[key] = _near(draw, holder[key])
    elif how == "drop":
        del holder[key]
    elif isinstance(holder, list):
        other = draw(st.integers(0, len(holder) - 1))
        if how == "double":
            holder.insert(other, holder[key])
        else:
            holder[key], holder[other] = holder[other], holder[key]


def _near(draw: st.DrawFn, value: Any) -> Any:
    """Generate a similar value of the same kind."""
    if isinstance(value, bool) or value is None:
        return draw(st.booleans() | st.integers(0, 1))
    if isinstance(value, int):
        return value + draw(st.sampled_from((-1, 1, -value, value, 10**6, 2**62)))
    if isinstance(value, str):
        cut = draw(st.integers(0, len(value)))
        return value[:cut] + draw(odd_texts) + value[cut + draw(st.integers(0, 1)) :]
    return draw(odd_values)


def mutate(random: Random, value: Any) -> Any:
    """Mutate `value` in place from a seed, like `mutated`: for long histories, which are not shrunk anyway."""
    for _ in range(random.randint(1, 3)):
        path = random.choice(paths_of(value))
        if not path:
            continue
        holder, key = _holder(value, path), path[-1]
        odd: Any = random.choice((*ODD_TEXTS, *ODD_NUMBERS, None, True, [], {}))
        how = random.randrange(3)
        if how == 0:
            holder[key] = odd
        elif how == 1:
            del holder[key]
        elif isinstance(holder[key], int):
            holder[key] += random.choice((-1, 1, 2**31, 10**6))
        elif isinstance(holder[key], str):
            holder[key] = holder[key][: random.randint(0, len(holder[key]))] + str(odd)
    return value
