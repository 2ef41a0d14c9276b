"""Two PostgreSQL servers with synchronous replication; either can fail and be replaced by the other."""

import subprocess

from tests.patience import wait_until
from tests.postgres_server import Server, is_dead

# An acknowledgement means that both have it: a single server commits nothing until the other one is back.
SYNCHRONOUS = {"synchronous_standby_names": "*", "max_wal_size": "64MB"}
EVERYTHING = "unlimited"


class Pair:
    """The servers: `primary` takes writes, `standby` follows. Each stays in its folder."""

    def __init__(self) -> None:
        self.primary = Server(**SYNCHRONOUS).start()
        self.standby = Server(self.primary, **SYNCHRONOUS).start()
        self.servers = (self.primary, self.standby)
        self._follows()

    def _follows(self) -> None:
        in_step = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        wait_until(lambda: self.primary.ask(in_step) == [(1,)], "the standby follows")

    def fail_over(self) -> None:
        """Kill the primary, promote its standby, and make the old primary's folder follow it."""
        self.primary.kill()
        self.primary, self.standby = self.standby, self.primary
        self.primary.ask("SELECT pg_promote()")
        self.standby.follow(self.primary)
        self.standby.start()
        self._follows()

    def restart(self) -> None:
        """Kill the primary and start it again."""
        self.primary.kill()
        self.primary.start()
        self._follows()

    def lose_standby(self) -> None:
        """Kill the standby; commits wait for it."""
        self.standby.kill()

    def find_standby(self) -> None:
        self.standby.start()
        self._follows()

    def fill_disk(self, size: int) -> None:
        """Let the primary's files not grow beyond this any more."""
        self._limit(f"{size}")

    def make_room(self) -> None:
        """Lift the limit; restart a server that has given up."""
        self._limit(EVERYTHING)
        process = self.primary.process
        assert process is not None
        wait_until(lambda: process.poll() is not None or self.primary.answers, "the server answers, or has given up")
        if process.poll() is not None:
            self.primary.start()
        self._limit(EVERYTHING)
        self._follows()

    def _limit(self, size: str) -> None:
        """Limit the size of files for the server and its children; new ones inherit it."""
        assert self.primary.process is not None
        for pid in (self.primary.process.pid, *self.primary.children):
            # The soft limit, which the server must not exceed; the hard one stays. As the server's user, because root
            # may lack the right. A connection may have ended meanwhile.
            command = ["prlimit", "--pid", f"{pid}", f"--fsize={size}:"]
            done = subprocess.run(command, user=self.primary.owner, capture_output=True, text=True, check=False)
            assert not done.returncode or is_dead(pid), done.stderr

    def end(self) -> None:
        for server in self.servers:
            server.end()
