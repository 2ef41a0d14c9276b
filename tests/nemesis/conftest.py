"""Fixtures of campaigns, the same folder as for kills."""

from tests.kills.conftest import room as room
