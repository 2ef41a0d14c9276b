"""Objects of open pages are frozen, and those of closed ones are still collected."""

import gc
import weakref

import pytest

from bot.platforms.web.gc_freeze import STEP, GcFreeze


class Ring:
    """An object that only the collector frees."""

    def __init__(self):
        self.me = self


@pytest.fixture(autouse=True)
def thawed():
    gc.unfreeze()
    yield
    gc.enable()
    gc.unfreeze()


def test_pages_are_frozen_by_steps_and_few_are_not():
    freeze, before = GcFreeze(), gc.get_freeze_count()
    for number in range(1, STEP):
        assert freeze.count_opened(number) == number
    assert gc.get_freeze_count() == before
    freeze.count_opened(STEP)
    assert gc.get_freeze_count() > before


@pytest.mark.slow
def test_what_is_left_of_frozen_pages_that_have_gone_is_collected():
    freeze, rings = GcFreeze(), [Ring() for _page in range(STEP)]
    watched = [weakref.ref(ring) for ring in rings]
    numbers = [freeze.count_opened(number) for number in range(1, STEP + 1)]
    rings.clear()
    gc.collect()
    assert all(ring() is not None for ring in watched), "frozen things are not gone through"
    for number in numbers[:-1]:
        freeze.count_closed(number)
    assert gc.get_freeze_count()
    freeze.count_closed(numbers[-1])
    assert not gc.get_freeze_count()
    gc.disable()
    for number in range(STEP):
        freeze.count_opened(number + 1)
    assert not gc.get_freeze_count(), "not before they were gone through"
    gc.collect()
    assert not any(ring() is not None for ring in watched)
    freeze.count_opened(STEP + 1)
    assert gc.get_freeze_count()


@pytest.mark.long
def test_pages_that_come_and_go_unfrozen_thaw_nothing():
    freeze = GcFreeze()
    for number in range(1, STEP + 1):
        freeze.count_opened(number)
    frozen = gc.get_freeze_count()
    for _visit in range(3 * STEP):
        freeze.count_closed(freeze.count_opened(STEP + 1))
    assert frozen // 2 < gc.get_freeze_count() <= frozen, "what has died meanwhile is not among them any more"
