"""The priority queue finds the same next job as a search through all."""

import random
from dataclasses import dataclass, field
from math import inf

import pytest

from bot.platforms.telegram.order import Order


@dataclass(eq=False)
class Chat:
    """A chat with jobs (priority, since, due); it rests until `rests_until` after each."""

    jobs: list[tuple[int, float, float]] = field(default_factory=list)
    rests_until: float = 0.0
    stamp: int = 0

    def free_at(self) -> float:
        return max(self.rests_until, min(due for _priority, _since, due in self.jobs)) if self.jobs else inf

    def rank(self, now: float) -> tuple[int, float]:
        return min((priority, since) for priority, since, due in self.jobs if due <= now)

    def due_after(self, now: float) -> float:
        return min((due for _priority, _since, due in self.jobs if due > now), default=inf)


@pytest.mark.parametrize("seed", range(20))
def test_it_is_who_comes_first_of_all(seed: int) -> None:
    chance, order, now = random.Random(seed), Order[Chat](), 0.0
    chats = [Chat() for _chat in range(12)]
    found = 0
    for step in range(600):
        now += chance.choice((0.0, 0.5, 1.0))
        chat = chance.choice(chats)
        if chance.random() < 0.6:
            chat.jobs.append((chance.randrange(4), float(step), now + chance.choice((-1.0, 0.0, 0.5, 3.0))))
        elif chat.jobs:
            chat.jobs.pop()
        order.note(chat)
        free = [one for one in chats if one.free_at() <= now]
        first = order.first(now)
        if first is None:
            assert not free
            assert order.next_at() == min(one.free_at() for one in chats)
            continue
        assert first.rank(now) == min(one.rank(now) for one in free)
        found += 1
        if chance.random() < 0.5:  # it goes
            rank = first.rank(now)
            first.jobs = [job for job in first.jobs if job[:2] != rank]
            first.rests_until = now + 1.0
            order.note(first)
    assert found > 100


def test_nobody_waits_where_nothing_does() -> None:
    order, chat = Order[Chat](), Chat()
    assert order.note(chat) == inf
    assert order.first(1e9) is None
    assert order.next_at() == inf


def test_many_that_wait_are_not_looked_through() -> None:
    """Each is checked when it is noted and when its moment comes, however often `first` is called."""
    asked = []

    class Counted(Chat):
        def free_at(self) -> float:
            asked.append(self)
            return super().free_at()

    order = Order[Chat]()
    for number in range(1000):
        order.note(Counted([(number % 3, float(number), 5.0)]))
    assert len(asked) == 1000
    for _look in range(100):
        assert order.first(1.0) is None
        assert order.next_at() == 5.0
    assert (first := order.first(5.0)) is not None
    assert first.rank(5.0) == (0, 0.0)
    assert len(asked) == 1000
