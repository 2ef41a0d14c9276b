"""A table for people elsewhere: a picture and a page of the public view, without cookies.

Behind a password the address carries a key of that table, so that only people who got it see who plays. The key reveals
nothing of the password and lasts until the process ends.
"""

import hmac
from typing import NamedTuple
from urllib.parse import urlencode

from aiohttp import web

from bot.core.state.table import Table
from bot.platforms.web.clients import is_https
from bot.platforms.web.drawing import page, sentence
from bot.platforms.web.lounge import NO_TABLE, Lounge, Visitor, lounge_of, reader_of
from bot.texts import LANGUAGES, Text
from bot.view import Screen
from bot.view.build import screen
from bot.view.describe import describe
from bot.view.pictures.draw import digest

# A chat that unfolds an address asks several times; a table changes every few seconds.
_KEPT = "public, max-age=5"
_LATE = Text("The picture is not ready yet. Try again in a moment.")


def share_path(lounge: Lounge, table: int, ending: str = "", **query: str) -> str:
    """Return the table's public path; with `ending` .png its picture's."""
    if lounge.password is not None:
        query["key"] = _key(lounge, table)
    return f"/table/{table}{ending}" + (f"?{urlencode(query)}" if query else "")


class Shared(NamedTuple):
    """The public addresses of a table; chats show the site before the paths."""

    site: str
    page: str
    picture: str


def share(request: web.Request, table: int, language: str) -> Shared:
    """Return the public addresses of the table's page and picture."""
    lounge, site = lounge_of(request), f"{'https' if is_https(request) else 'http'}://{request.host}"
    return Shared(site, share_path(lounge, table), share_path(lounge, table, ".png", lang=language))


def _key(lounge: Lounge, table: int) -> str:
    return hmac.new(lounge.share_secret, f"table {table}".encode(), "sha256").hexdigest()[:32]


def opens(request: web.Request) -> bool:
    """Return whether the address itself lets a stranger look without the password."""
    number = request.match_info.get("shared")
    given = request.query.get("key", "").encode("utf-8", "replace")
    return number is not None and hmac.compare_digest(given, _key(lounge_of(request), int(number)).encode())


def _table(request: web.Request) -> Table | None:
    table = lounge_of(request).find_table(request.match_info["shared"], None)
    return table if table is not None and table.status != "closed" else None


def _make_public_screen(lounge: Lounge, table: Table) -> Screen:
    """Return the public screen, without a viewer."""
    return screen(lounge.state, table, None, lounge.writer.clock())


async def picture(request: web.Request) -> web.Response:
    """Serve the table as a PNG, drawn once for each visible state (GET)."""
    lounge, table = lounge_of(request), _table(request)
    language = request.query.get("lang", "")
    language = language if language in LANGUAGES else lounge.language
    if table is None:
        raise web.HTTPNotFound
    shown = _make_public_screen(lounge, table)
    tag = f'"{digest(shown, language)}"'
    headers = {"Cache-Control": _KEPT, "ETag": tag}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    png = await lounge.renderer.render(shown, language)
    if png is None:
        return sentence(Visitor(lounge, language), _LATE, status=503)
    return web.Response(body=png, content_type="image/png", headers=headers)


async def show_shared_table(request: web.Request) -> web.Response:
    """Show a shared table: the picture, its description, and a link to the lounge (GET)."""
    visitor, table = reader_of(request), _table(request)
    if table is None:
        return sentence(visitor, NO_TABLE, status=404)
    shown, language = _make_public_screen(visitor.lounge, table), visitor.language
    return page(
        "share.html",
        visitor,
        screen=shown,
        said=describe(shown, language),
        shared=share(request, table.id, language),
    )
