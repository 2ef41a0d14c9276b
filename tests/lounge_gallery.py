"""The lounge in the gallery: the table page in every game and phase, as on a phone and a desktop.

Each is a frame, laid out by the browser that shows the gallery; style sheets and card faces are included once.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from bot.core.state.plays import PLAYS
from bot.platforms import web
from bot.platforms.web.drawing import draw_for
from bot.platforms.web.kept import FACES, style_sheet
from bot.platforms.web.table import PARTS, TableView
from bot.texts import LANGUAGES
from engine.games import GAMES
from tests.exhibits import Exhibit, exhibits

SIZES = ((380, 800), (844, 390), (1280, 720))
# No player can seal a cut.
SEALING = {"log": "", "sealers": "", "seals": "{}", "closing": ""}
_STATIC = Path(web.__file__).parent / "static"
_FACE = re.compile(r'src="/cards/[0-9a-f]+/(\w+)\.svg"')
_STYLE = "<style>iframe { border: 0 }</style>"
_PAGE = """<!doctype html>
<html lang="{language}">
<body class="at-table for-{seating}">
<header class="head"><span></span><div class="part-status">{status}</div></header>
<main>
<div class="{at}" data-game="{screen.game}" data-chip="1">
<div class="part-felt">{felt}</div>
<div class="part-mine">{mine}</div>
<div class="part-side"><div>{aside}{results}</div></div>
</div>
</main>
</body>
</html>"""
_SCRIPT = """<script>
const { style, faces, pages } = JSON.parse(document.getElementById("lounge").textContent);
for (const frame of document.querySelectorAll("iframe[data-page]")) {
  const html = pages[frame.dataset.page].replace(/data-face="(\\w+)"/g, (_all, card) => `src="${faces[card]}"`);
  frame.srcdoc = `<style>${style}</style>${html}`;
}
</script>"""


def lounge_section() -> str:
    """Return self-contained HTML."""
    shown, languages = list(exhibits(3)), tuple(LANGUAGES)
    pages = [draw_page(exhibit, languages[at % len(languages)]) for at, exhibit in enumerate(shown)]
    faces = {card: "data:image/svg+xml," + _percent(svg) for card, svg in FACES.items()}
    told = {"style": table_style(), "faces": faces, "pages": pages}
    data = json.dumps(told).replace("<", "\\u003c")
    stored = f'<script type="application/json" id="lounge">{data}</script>'
    return "\n".join([_STYLE, "<h2>lounge</h2>", *_figures(shown), stored, _SCRIPT])


def table_style() -> str:
    """Return all style sheets of a table's page as one."""
    sheets = [(_STATIC / name).read_text("utf-8") for name in ("ridotto.css", "table.css", "board.css")]
    return "\n".join([*sheets, style_sheet()])


def _percent(svg: str) -> str:
    return svg.replace("%", "%25").replace("#", "%23").replace('"', "'")


def draw_page(exhibit: Exhibit, language: str) -> str:
    """Return the page of the player to move, or of the first one."""
    view = TableView(exhibit.own, "1,000", GAMES[exhibit.game].options())
    shown = {
        "at": view,
        "screen": exhibit.own,
        "casino": 1,
        "promised_in": "1",
        "closed_by": "",
        "stage": "",
        "sealing": SEALING,
    }
    parts = {part: draw_for(f"parts/{part}.html", language, shown) for part in PARTS}
    seating = PLAYS[exhibit.game].seating.value
    at = "at has-slip" if exhibit.own.slips else "at"
    html = _PAGE.format(language=language, seating=seating, screen=exhibit.own, at=at, **parts)
    return _FACE.sub(r'data-face="\1"', html)


def _figures(shown: list[Exhibit]) -> Iterator[str]:
    for at, exhibit in enumerate(shown):
        frames = (_frame(at, width, height) for width, height in SIZES)
        caption = f"<figcaption>{escape(exhibit.game)}, {escape(exhibit.phase)}</figcaption>"
        yield f"<section>{caption}{''.join(frames)}</section>"


def _frame(page: int, width: int, height: int) -> str:
    size = f'width="{width}" height="{height}" title="{width} x {height}"'
    return f'<iframe loading="lazy" data-page="{page}" {size}></iframe>'
