"""`ridotto nodes`: list the processes on the books of a server: the one that writes them, and those that wait."""

from datetime import UTC, datetime

from storage.store import Node, Store


def list_nodes(store: Store) -> int:
    """Print a line for each node and return the exit status. Raises BooksError."""
    there = store.find_nodes()
    for one in there:
        print(_describe_node(one))
    if all(one.left_s is None for one in there):
        print(f"No process holds {store}.")
        return 1
    return 0


def _describe_node(one: Node) -> str:
    since = f"{datetime.fromtimestamp(one.since, UTC):%Y-%m-%d %H:%M:%S}"
    return f"from {one.address}, since {since} UTC: {_say_state(one.left_s)}"


def _say_state(left_s: float | None) -> str:
    if left_s is None:
        return "waits"
    if left_s < 0:
        return f"holds the books but is stalled: its lease ended {-left_s:.1f} s ago"
    return "holds the books"
