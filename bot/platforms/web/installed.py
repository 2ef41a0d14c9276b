"""The lounge as an installable web app: its manifest, and the page shown without a network.

Nothing here is personal: it is the same for everyone and cached by the browser.
"""

from hashlib import blake2b
from pathlib import Path

from aiohttp import web

from bot.platforms.web.drawing import draw
from bot.platforms.web.lounge import Visitor, reader_of
from bot.texts import LANGUAGES, Text, say

MANIFEST, WORKER, OFFLINE = "/manifest.webmanifest", "/worker.js", "/offline"
_STATIC = Path(__file__).parent / "static"
# Files that the offline page needs; the list in worker.js is the same.
_KEPT = ("ridotto.css", "pages.css", "ridotto.svg", "offline.js")
# As `--felt-dark` and `--night` in ridotto.css.
THEME, BACKGROUND = "#09402d", "#061a13"
_WHAT = Text("Casino tables with virtual chips. Anyone can check every deck.")


async def manifest(request: web.Request) -> web.Response:
    """Serve the Web Application Manifest (W3C) in the reader's language (GET)."""
    language = reader_of(request).language
    told = {
        "id": "/",
        "name": "Ridotto",
        "short_name": "Ridotto",
        "description": say(_WHAT, language),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME,
        "background_color": BACKGROUND,
        "icons": [
            {"src": "/static/icon192.png", "sizes": "192x192", "type": "image/png"},
            {"src": "/static/icon512.png", "sizes": "512x512", "type": "image/png"},
            {"src": "/static/mask512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
            {"src": "/static/ridotto.svg", "sizes": "any", "type": "image/svg+xml"},
        ],
    }
    return web.json_response(told, content_type="application/manifest+json")


async def worker(request: web.Request) -> web.Response:
    """Serve the service worker, whose content changes with the files that it caches (GET)."""
    reader = reader_of(request)
    kept = [draw("offline.html", reader, {}).encode(), *((_STATIC / name).read_bytes() for name in _KEPT)]
    version = blake2b(b"\0".join(kept), digest_size=8).hexdigest()
    page = f"{OFFLINE}?lang={reader.language}"
    script = f'const VERSION = "{version}", PAGE = "{page}";\n{(_STATIC / "worker.js").read_text("utf-8")}'
    return web.Response(text=script, content_type="text/javascript")


async def offline(request: web.Request) -> web.Response:
    """Serve the page kept by the service worker, in the language of its address (GET)."""
    asked = request.query.get("lang", "")
    reader = reader_of(request) if asked not in LANGUAGES else Visitor(reader_of(request).lounge, asked)
    return web.Response(text=draw("offline.html", reader, {}), content_type="text/html")
