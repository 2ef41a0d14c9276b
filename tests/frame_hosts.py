"""The platforms' own pages around our page, on loopback with TLS, as a browser meets them: web.telegram.org,
discord.com, Discord's proxy, and our public address.
"""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from aiohttp import ClientSession, WSMsgType, web

from tests.browser import ARGS, executable

if TYPE_CHECKING:
    from playwright.async_api import Browser

HOUSE, TELEGRAM, DISCORD, SAYS = "casino.example", "web.telegram.org", "discord.com", "discordsays.com"
SITE = f"https://{HOUSE}"
# Headers for a single hop.
_HOPS = {"connection", "keep-alive", "transfer-encoding", "upgrade", "content-length", "content-encoding", "host"}
_SOCKETS = {"sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions", "sec-websocket-protocol"}
# Each app records the page's messages, and can send those of a test.
_APP = """<!doctype html><title>app</title><body style="margin:0">
<iframe id="shown" src="{src}" style="border:0;width:100vw;height:100vh"></iframe>
<script>
window.heard = [];
window.say = (what) => shown.contentWindow.postMessage(what, "{origin}");
addEventListener("message", (event) => {{
  if (event.origin !== "{origin}" || event.source !== shown.contentWindow) return;
  heard.push(event.data);
  {answers}
}});
</script>"""
# Discord's app greets back and answers requests (discord/embedded-app-sdk: the same messages).
_DISCORDS = """
  const [kind, said] = event.data;
  if (kind === 0) say([1, { cmd: "DISPATCH", evt: "READY", nonce: null, data: { v: 1, config: {} } }]);
  if (kind === 1 && said.cmd === "AUTHORIZE") {
    fetch("/code").then((answer) => answer.text()).then((code) =>
      say([1, { cmd: "AUTHORIZE", evt: null, nonce: said.nonce, data: { code } }]));
  } else if (kind === 1) say([1, { cmd: said.cmd, evt: null, nonce: said.nonce, data: {} }]);
"""


class Hosts:
    """The pages around ours. `house`: where the lounge listens. `code`: what Discord's app gives the page next."""

    def __init__(self, house: str, application: int = 0) -> None:
        self.house, self.application = house, application
        self.codes: list[str] = []
        # Every requested path, as in a proxy's log.
        self.asked: list[str] = []

    def telegram(self, data: str, table: str = "") -> str:
        """Return the address at which Telegram's web app shows the page."""
        query = f"?table={table}" if table else ""
        src = f"{SITE}/frame/telegram{query}#tgWebAppData={_quoted(data)}&tgWebAppVersion=9.1&tgWebAppPlatform=weba"
        return f"https://{TELEGRAM}/a/?src={_quoted(src)}"

    def discord(self, instance: str, table: str = "") -> str:
        custom = f"&custom_id={table}" if table else ""
        launched = f"?instance_id={instance}&frame_id=0e2c&platform=desktop&channel_id=1&guild_id=1{custom}"
        return f"https://{DISCORD}/app?src={_quoted(f'https://{self.application}.{SAYS}/{launched}')}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        name = request.host.partition(":")[0]
        if name in (TELEGRAM, DISCORD):
            return self._app(request, name)
        origin = HOUSE if name.endswith(f".{SAYS}") else name
        self.asked.append(request.path_qs)
        headers = {key: value for key, value in request.headers.items() if key.lower() not in _HOPS | _SOCKETS}
        headers |= {"Host": origin, "X-Forwarded-Proto": "https"}
        if "upgrade" in request.headers.get("Connection", "").lower():
            return await _relay_socket(request, self.house, headers)
        async with (
            ClientSession(auto_decompress=False) as session,
            session.request(
                request.method, f"{self.house}{request.path_qs}", headers=headers, data=await request.read(),
                allow_redirects=False,
            ) as answer,
        ):  # fmt: skip
            kept = [(key, value) for key, value in answer.headers.items() if key.lower() not in _HOPS]
            if "Content-Encoding" in answer.headers:
                kept.append(("Content-Encoding", answer.headers["Content-Encoding"]))
            response = web.Response(body=await answer.read(), status=answer.status)
            response.headers.popall("Content-Type", None)
            response.headers.extend(kept)
            return response

    def _app(self, request: web.Request, name: str) -> web.Response:
        if request.path == "/code":
            return web.Response(text=self.codes.pop(0))
        if "src" not in request.query:
            return web.Response(status=204)
        src = request.query["src"]
        origin = "/".join(src.split("/")[:3])
        answers = _DISCORDS if name == DISCORD else ""
        return web.Response(text=_APP.format(src=escape(src), origin=origin, answers=answers), content_type="text/html")


async def _relay_socket(request: web.Request, house: str, headers: dict[str, str]) -> web.WebSocketResponse:
    protocols = [one.strip() for one in request.headers.get("Sec-WebSocket-Protocol", "").split(",") if one.strip()]
    async with (
        ClientSession() as session,
        session.ws_connect(f"{house}{request.path_qs}", headers=headers, protocols=protocols) as far,
    ):
        near = web.WebSocketResponse(protocols=[far.protocol] if far.protocol else [], compress=False)
        await near.prepare(request)
        both = [asyncio.ensure_future(_pump(far, near)), asyncio.ensure_future(_pump(near, far))]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for one in both:
            one.cancel()
        await near.close()
    return near


async def _pump(source: Any, sink: Any) -> None:
    async for message in source:
        if message.type != WSMsgType.TEXT:
            return
        await sink.send_str(message.data)


def _quoted(text: str) -> str:
    return quote(text, safe="")


def make_certificate(folder: Path) -> ssl.SSLContext:
    """Create a temporary certificate, for browsers that ignore certificate errors."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
         "2", "-subj", f"/CN={HOUSE}", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


@asynccontextmanager
async def open_hosts(folder: Path, house: str, application: int = 0) -> AsyncIterator[tuple[Hosts, Browser]]:
    """Open the pages, with a browser that takes them for the real ones."""
    from playwright.async_api import async_playwright  # slow to import, and only these tests need it

    hosts = Hosts(house.rstrip("/"), application)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", hosts.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=await asyncio.to_thread(make_certificate, folder))
    await site.start()
    port = runner.addresses[0][1]
    rules = ",".join(f"MAP {name}:443 127.0.0.1:{port}" for name in (HOUSE, TELEGRAM, DISCORD, f"*.{SAYS}"))
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=executable(), args=[*ARGS, f"--host-resolver-rules={rules}", "--ignore-certificate-errors"]
        )
        try:
            yield hosts, chromium
        finally:
            await chromium.close()
            await runner.cleanup()
