"""The card faces of the pictures, as small files that a browser keeps: their address changes when a face does."""

from collections.abc import Mapping
from hashlib import blake2b

from aiohttp import web

from bot.pictures.faces import face_svg
from engine.cards import FRENCH, HIDDEN, JOKER

_FACES: Mapping[str, str] = {"back" if card == HIDDEN else card: face_svg(card) for card in (*FRENCH, JOKER, HIDDEN)}
VERSION = blake2b("".join(_FACES.values()).encode(), digest_size=6).hexdigest()
# A year: what lies at one of these addresses never changes.
_KEPT = "public, max-age=31536000, immutable"


def face_address(card: str) -> str:
    return f"/cards/{VERSION}/{'back' if card == HIDDEN else card}.svg"


async def face(request: web.Request) -> web.Response:
    """An old version's address shows today's face: a page that was open meanwhile goes on."""
    svg = _FACES.get(request.match_info["card"])
    if svg is None:
        raise web.HTTPNotFound
    kept = _KEPT if request.match_info["version"] == VERSION else "no-cache"
    return web.Response(text=svg, content_type="image/svg+xml", headers={"Cache-Control": kept})
