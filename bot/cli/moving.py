"""`ridotto move-books`: move all books from one store into another, while the casino is closed.

What has arrived is examined before it is made final, and the source stays as it was.
"""

from bot.cli.doctor import examine
from storage.faults import BooksError
from storage.moving import Figures, check_moved, figures
from storage.store import Reader, Store, opened

_HEAD = ("table", "rows", "largest", "sum")


def move(source: Store, target: Store) -> int:
    """Print both stores side by side and the doctor's findings. Returns the exit status: 1 if the doctor finds
    something, in both the same. Raises BooksError: nothing was moved.
    """
    if not source.is_there():
        raise BooksError(f"There are no books at {source}.")
    target.check_empty()
    if loss := source.find_loss():
        raise BooksError(loss)
    # Opened, so that no other process uses them meanwhile, and so that older ones are upgraded.
    with opened(source), source.reading() as sent:
        faults = list(examine(sent))

        def compare_books(arrived: Reader) -> None:
            check_moved(sent, arrived)
            if (found := list(examine(arrived))) != faults:
                strange = next(iter({*found} ^ {*faults}))
                raise BooksError(f"`ridotto doctor` reports differ ({strange}), so nothing was moved.")
            _print_side_by_side(figures(sent), figures(arrived))

        target.fill(sent, compare_books)
    for fault in faults:
        print(fault)
    print(f"{source} was moved to {target}. Start the casino there; the old books are unchanged.")
    return int(bool(faults))


def _print_side_by_side(sent: dict[str, Figures], arrived: dict[str, Figures]) -> None:
    lines = [(*_HEAD, *_HEAD[1:])] + [
        (table, *map(str, of_one), *map(str, arrived[table])) for table, of_one in sent.items()
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)))
