"""A campaign takes place where the deaths of a house do."""

from tests.kills.conftest import room as room
