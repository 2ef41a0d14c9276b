"""What may be missing elsewhere and is there in a test."""

from typing import TypeVar

T = TypeVar("T")


def some(value: T | None) -> T:
    assert value is not None
    return value
