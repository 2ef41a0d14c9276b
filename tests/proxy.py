"""A proxy on loopback: the only way to a host of the tests that no resolver knows."""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

ENVIRONMENT = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


class Proxy:
    """A proxy that leads every call for `host` to a port of this machine; `asked` counts connections by (method,
    host).
    """

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.asked: Counter[tuple[str, str]] = Counter()

    async def take(self, reader, writer):
        """Forward one connection: a tunnel for CONNECT, else the requests as they come, in their absolute form."""
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _version = head.split(b"\r\n")[0].decode().split(" ")
        asked = target.removeprefix("http://").removeprefix("ws://").partition("/")[0].partition(":")[0]
        self.asked[method, asked] += 1
        if asked != self.host:
            writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            writer.close()
            return
        there, onward = await asyncio.open_connection("127.0.0.1", self.port)
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            onward.write(head)
        await asyncio.gather(_pour(reader, onward), _pour(there, writer))


@asynccontextmanager
async def only_by_proxy(monkeypatch, host, port):
    """Set the environment to a proxy that alone knows the way to `host`."""
    proxy = Proxy(host, port)
    server = await asyncio.start_server(proxy.take, "127.0.0.1", 0)
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    monkeypatch.setenv("HTTP_PROXY", address)
    monkeypatch.setenv("HTTPS_PROXY", address)
    try:
        yield proxy
    finally:
        server.close()


async def _pour(reader, writer):
    try:
        while some := await reader.read(1 << 16):
            writer.write(some)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()
