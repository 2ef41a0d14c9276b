"""Books of both stores: what a store promises is tried on each."""

from contextlib import closing

import pytest

from tests.stores import BOTH, opened_stores


@pytest.fixture(params=BOTH)
def stores(request):
    yield from opened_stores(request)


@pytest.fixture
def books(stores, tmp_path):
    with closing(stores.open(tmp_path / "data")) as opened:
        yield opened
