"""Pictures of shared posts: a table, its steps as an animation, or a sheet of figures."""

from bot.core.state.shared_posts import SharedHand, SharedPost, SharedRank
from bot.view.pictures.draw import picture
from bot.view.pictures.moving import moving_picture
from bot.view.pictures.sheet import sheet_picture
from bot.view.shared_posts import shared_hand_screens, sheet_of
from storage.store import ReadableBooks


def shared_post_picture(shared_post: SharedPost, books: ReadableBooks, language: str) -> bytes:
    """Return a PNG, or a GIF for an animation. Nothing is read from `books`."""
    if not isinstance(shared_post, SharedHand):
        return sheet_picture(sheet_of(shared_post), language)
    screens = shared_hand_screens(shared_post, books)
    return moving_picture(screens, language) if shared_post.is_moving else picture(screens[-1], language)


def shared_post_file(shared_post: SharedPost) -> str:
    """Return the file name of the picture."""
    if isinstance(shared_post, SharedHand):
        return f"hand-{shared_post.hand}.{'gif' if shared_post.is_moving else 'png'}"
    return "card.png" if isinstance(shared_post, SharedRank) else "recap.png"
