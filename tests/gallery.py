"""`python -m tests.gallery OUT.html`: one page with every table in every phase, as pictures on both of a chat's
backgrounds and in the lounge, for a person to look at.
"""

import base64
import sys
from html import escape
from pathlib import Path

from bot.texts import LANGUAGES
from bot.view.describe import describe
from bot.view.pictures import hand_picture, picture
from bot.view.pictures.faces import face_svg
from engine.cards import FRENCH, HIDDEN, JOKER
from tests.exhibits import Exhibit, exhibits, renamed

ODD_NAMES = ("x" * 64, "🎲 Dado 🎰", "مريم العلي", "שרה לוי", "李小龍", "さくら", "김민준", "Nicolò d'Àbano")
_STYLE = """
body { margin: 0; font: 15px/1.4 system-ui, sans-serif; background: #313338; color: #dbdee1 }
section { display: flex; flex-wrap: wrap; gap: 16px; padding: 16px; align-items: start }
section.light { background: #fff; color: #222 }
h2 { margin: 0; padding: 24px 16px 0 }
figure { margin: 0; max-width: 900px }
figcaption { max-width: 60ch; white-space: pre-line; font-size: 13px }
img { max-width: 100% }
.phone img { width: 380px }
svg { width: 64px }
"""


def write_gallery(file: Path, more: str = "") -> None:
    """Write a self-contained page: pictures as they are sent, with their descriptions; `more` is HTML that follows."""
    parts = [f"<!doctype html><meta charset=utf-8><title>Ridotto: pictures</title><style>{_STYLE}</style>"]
    shown = list(exhibits(3))
    for game in dict.fromkeys(exhibit.game for exhibit in shown):
        parts.append(f"<h2>{escape(game)}</h2>")
        parts += _game([exhibit for exhibit in shown if exhibit.game == game])
    parts.append("<h2>cards</h2><section>")
    parts += [face_svg(card) for card in (*FRENCH, JOKER, HIDDEN)]
    parts += ["</section>", more]
    file.write_text("\n".join(parts), encoding="utf-8")


def _game(shown: list[Exhibit]) -> list[str]:
    """Return table and hand by turns on dark and light; the payment also with odd names, and as on a phone."""
    parts, languages = [], tuple(LANGUAGES)
    for at, exhibit in enumerate(shown):
        language = languages[at % len(languages)]
        parts.append('<section class="light">' if at % 2 else "<section>")
        parts.append(_figure(picture(exhibit.screen, language), describe(exhibit.screen, language), exhibit.phase))
        if any(seat.is_viewer and seat.piles for seat in exhibit.own.seats):
            parts.append(_figure(hand_picture(exhibit.own, language), describe(exhibit.own, language), exhibit.phase))
        parts.append("</section>")
    for kind, exhibit in (("", shown[-1]), ("phone", shown[-1]), ("phone light", shown[-2])):
        odd = renamed(exhibit.screen, ODD_NAMES)
        figure = _figure(picture(odd, "en"), describe(odd, "en"), exhibit.phase)
        parts.append(f'<section class="{kind}">{figure}</section>')
    return parts


def _figure(png: bytes, words: str, phase: str) -> str:
    data = base64.b64encode(png).decode()
    caption = f"{escape(phase)}, {len(png) / 1024:.1f} KiB\n{escape(words)}"
    return f'<figure><img alt="" src="data:image/png;base64,{data}"><figcaption>{caption}</figcaption></figure>'


def main(file: str) -> None:
    """Write the page, the lounge's part included."""
    from bot.games import load
    from tests.lounge_gallery import lounge_section

    load()
    write_gallery(Path(file), lounge_section())


if __name__ == "__main__":
    main(*sys.argv[1:])
