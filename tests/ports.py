"""Ports for processes that must know theirs before they listen, or find it again after a restart."""

import random
import socket

# Below the ports that a system uses for its own connections, one of which could be taken before a server listens.
ABOVE, BELOW = 10_000, 32_000


def free_port() -> int:
    """Return a free port of 127.0.0.1."""
    while True:
        port = random.SystemRandom().randrange(ABOVE, BELOW)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
