"""A front in the process of its writer, on the same books of a server: a platform there plays as on another machine."""

from collections.abc import Callable

from bot.core.casinos.places import internal_command_of
from bot.core.commands.counting import here
from bot.core.forwarding import Forwarder
from bot.core.front import Front
from bot.core.state.place import Place
from bot.core.writer import Writer
from storage.store import Store
from tests.patience import PATIENCE_S
from tests.some import some


class Fronted:
    """`front` is what a platform gets instead of the writer."""

    def __init__(
        self, store: Store, writer: Writer, clock: Callable[[], float], monotonic: Callable[[], float]
    ) -> None:
        self._forwarder = Forwarder(writer, some(writer.books.open_forwarding()))
        self._forwarder.start()
        self._books = store.open_front(lambda held: False)
        self.faults: list[BaseException] = []
        self.front = Front(self._books, clock=clock, monotonic=monotonic, on_fatal=self.faults.append, count=here)
        self.front.start()
        # Once it is answered, the front is known and hears of each change.
        hello = internal_command_of("hello", Place("nowhere", ""), "back")
        assert not self.front.submit(hello).result(PATIENCE_S).refused

    def close(self) -> None:
        self.front.stop()
        self._books.close()
        self._forwarder.close()
        assert not self.faults
