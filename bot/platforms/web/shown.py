"""Shared posts: the lounge has no chat, so the player gets an address to pass on.

It is a page with a picture, for which no cookie or password is needed; people with the address were given it.
"""

from aiohttp import web

from bot.core.commands.command import Answer
from bot.platforms.web.clients import is_https
from bot.platforms.web.drawing import page, sentence
from bot.platforms.web.lounge import Lounge, Visitor, lounge_of, reader_of
from bot.platforms.web.share import Shared
from bot.texts import LANGUAGES, Text
from bot.view.pictures.shared_posts import shared_post_file
from bot.view.shared_posts import describe_shared_post

# The content never changes.
_KEPT = "public, max-age=86400"
_GONE = Text("That is no longer available.")
_LATE = Text("The picture is not ready yet. Try again in a moment.")
_TYPES = {"png": "image/png", "gif": "image/gif"}


def _find_shown(request: web.Request) -> tuple[Lounge, Answer | None]:
    lounge = lounge_of(request)
    return lounge, lounge.shown.get(request.match_info["key"])


async def show_shared_hand(request: web.Request) -> web.Response:
    """Show the shared hand with its text and a link to verify it (GET)."""
    lounge, answer = _find_shown(request)
    visitor = reader_of(request)
    if answer is None or answer.shared_post is None:
        return sentence(visitor, _GONE, status=404)
    file, path = shared_post_file(answer.shared_post), request.path
    site = f"{'https' if is_https(request) else 'http'}://{request.host}"
    ending = file.rpartition(".")[2]
    return page(
        "shown.html",
        visitor,
        texts=answer.texts,
        said=describe_shared_post(answer.shared_post, lounge.state.books, visitor.language),
        hands=[one.args[0] for one in answer.choices if one.verb == "verify"],
        shared=Shared(site, path, f"{path}.{ending}?lang={visitor.language}"),
    )


async def picture(request: web.Request) -> web.Response:
    """Serve the picture or the animation (GET)."""
    lounge, answer = _find_shown(request)
    language = request.query.get("lang", "")
    language = language if language in LANGUAGES else lounge.language
    if answer is None or answer.shared_post is None:
        raise web.HTTPNotFound
    made = await lounge.renderer.render_shared_post(answer.shared_post, lounge.state.books, language)
    if made is None:
        return sentence(Visitor(lounge, language), _LATE, status=503)
    kind = _TYPES[shared_post_file(answer.shared_post).rpartition(".")[2]]
    return web.Response(body=made, content_type=kind, headers={"Cache-Control": _KEPT})
