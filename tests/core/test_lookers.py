"""Reads of pages in another thread while the writer writes."""

import threading
from contextlib import closing

from bot.core.state.transaction import State, Transaction
from storage.sqlite import SqliteBooks


class SlowBooks(SqliteBooks):
    """A store that delays readers in other threads between reading and caching."""

    def __init__(self, folder):
        super().__init__(folder)
        self.has_read, self.may_go_on = threading.Event(), threading.Event()
        self.writer = threading.current_thread()

    def balance(self, account):
        found = super().balance(account)
        if threading.current_thread() is not self.writer:
            self.has_read.set()
            assert self.may_go_on.wait(30)
        return found


def test_a_wallet_that_changes_while_somebody_looks_at_it_is_remembered_as_it_is_now(tmp_path):
    """Otherwise the next posting would be computed from an old balance."""
    with closing(SlowBooks(tmp_path)) as books:
        house = State(books)
        looker = threading.Thread(target=house.balance, args=("player:1:1",))
        looker.start()
        assert books.has_read.wait(30)
        transaction = Transaction(house)
        transaction.post("mint:1", "player:1:1", 1000, "start", 0.0)
        books.write(transaction)
        house.publish(transaction)
        books.may_go_on.set()
        looker.join()
        assert house.balance("player:1:1") == 1000
