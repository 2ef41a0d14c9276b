"""Selection of the store that the settings or the command line name. An engine is imported only when it is named."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from storage.address import FORM, SCHEMES, ServerAddress, parse_address
from storage.faults import BooksError
from storage.sqlite import SqliteStore
from storage.store import Store

IN_A_FOLDER = "sqlite:"


def store_of(folder: Path, address: ServerAddress | None = None) -> Store:
    """Return the store of a data folder: in the folder, or on the server at `address`.

    Raises BooksError if the server's library is not installed.
    """
    if address is None:
        return SqliteStore(folder)
    if find_spec("psycopg") is None:
        raise BooksError("Books on PostgreSQL need psycopg: pip install 'ridotto[postgres]'.")
    store: Store = import_module("storage.postgres").PostgresStore(address, folder)
    return store


def store_named(name: str, folder: Path) -> Store:
    """Return the store named `sqlite:FOLDER` or `postgresql://...`.

    `folder` is the data folder beside books on a server. Raises ValueError, which does not quote the name.
    """
    if name.startswith(SCHEMES):
        return store_of(folder, parse_address(name))
    if not name.startswith(IN_A_FOLDER) or name == IN_A_FOLDER:
        raise ValueError(f"{IN_A_FOLDER}FOLDER or {FORM}")
    return SqliteStore(Path(name.removeprefix(IN_A_FOLDER)))
