"""Pictures of shared posts: a table, its steps as an animation, or a sheet of figures."""

from bot.core.state.posters import HandPoster, Poster, RankPoster
from bot.view.pictures.draw import picture
from bot.view.pictures.moving import moving_picture
from bot.view.pictures.sheet import sheet_picture
from bot.view.posters import poster_screens, sheet_of
from storage.store import Books


def poster_picture(poster: Poster, books: Books, language: str) -> bytes:
    """Return a PNG, or a GIF for an animation. Nothing is read from `books`."""
    if not isinstance(poster, HandPoster):
        return sheet_picture(sheet_of(poster), language)
    screens = poster_screens(poster, books)
    return moving_picture(screens, language) if poster.is_moving else picture(screens[-1], language)


def poster_file(poster: Poster) -> str:
    """Return the file name of the picture."""
    if isinstance(poster, HandPoster):
        return f"hand-{poster.hand}.{'gif' if poster.is_moving else 'png'}"
    return "card.png" if isinstance(poster, RankPoster) else "recap.png"
