"""Files that a browser caches for good: card faces, and the positions of every game's buttons and areas.

Their addresses change with their content. A page names its game (`data-game`); positions come from the game's own
modules (bot/core/commands/stages.py, and for areas bot/view/pictures/felt.py).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from math import lcm

from aiohttp import web

from bot.core.commands.stages import STAGES, Places
from bot.platforms.web.files import read_sheet
from bot.view.pictures.faces import face_svg
from bot.view.pictures.felt import FELTS, Areas, Board
from engine.cards import FRENCH, HIDDEN, JOKER, POCKETS

# A year: the content of such an address never changes.
_KEPT = "public, max-age=31536000, immutable"
# Instead of a game's name: every game.
ALL = "all"
# As wide as in ridotto.css.
_PHONE = "@media (max-width: 760px)"
# Where a board is turned, as in board.css.
_UPRIGHT = "@media (max-width: 559px) and (orientation: portrait)"


def _version(drawn: str) -> str:
    return blake2b(drawn.encode(), digest_size=6).hexdigest()


def _answer(request: web.Request, drawn: str, kind: str, version: str) -> web.Response:
    """Return a file. The address of an old version returns the present one, so that an open page works on."""
    kept = _KEPT if request.match_info["version"] == version else "no-cache"
    response = web.Response(text=drawn, content_type=kind, headers={"Cache-Control": kept})
    response.enable_compression()
    return response


FACES: Mapping[str, str] = {
    "back" if card == HIDDEN else card: face_svg(card) for card in (*FRENCH, *POCKETS, JOKER, HIDDEN)
}
"""{card: its face as SVG}, the back as "back"."""
VERSION = _version("".join(FACES.values()))


def face_address(card: str) -> str:
    """Return the address of a card face, which changes with the pictures, so that browsers can cache it for good."""
    return f"/cards/{VERSION}/{'back' if card == HIDDEN else card}.svg"


async def face(request: web.Request) -> web.Response:
    """Serve a card as SVG (GET); 404 for unknown cards."""
    svg = FACES.get(request.match_info["card"])
    if svg is None:
        raise web.HTTPNotFound
    return _answer(request, svg, "image/svg+xml", VERSION)


def sheet_address(game: str = ALL) -> str:
    """Return the address of a game's style sheet, or of all, which changes with their layouts."""
    return f"/places/{_version(style_sheet(game))}/{game}.css"


async def places(request: web.Request) -> web.Response:
    """Serve the style sheet with the positions of a game or of all (GET); 404 for an unknown one."""
    game = request.match_info["game"]
    if game not in (ALL, *STAGES):
        raise web.HTTPNotFound
    sheet = style_sheet(game)
    return _answer(request, sheet, "text/css", _version(sheet))


def style_sheet(only: str = ALL) -> str:
    """Return the style sheet of a game, or of all, for wide screens and phones; `data-game` selects the positions."""
    wide: list[str] = []
    narrow: list[str] = []
    upright: list[str] = []
    for game in STAGES if only == ALL else (only,):
        stages = STAGES[game]
        felt, line = (" ".join(map(str, colour)) for colour in FELTS[game].theme)
        of_game = f'[data-game="{game}"]'
        colours = f"--felt: rgb({felt}); --line: rgb({line});"
        wide.append(f".at-table:has({of_game}), .tables {of_game} {{ {colours} }}")
        if isinstance(layout := FELTS[game].layout, Areas):
            wide += [_boxes(game, layout.rows), *_each_box(game, layout.rows)]
            narrow.append(_boxes(game, _for_a_phone(layout.rows)))
        if isinstance(layout, Board):
            wide += [_tracks(game, layout.columns, layout.rows), *_cells(game, layout), *_kinds(game, layout)]
            upright.append(_tracks(game, layout.rows, layout.columns))
        for row, places in (
            (":is(.choices, .aheads)", stages.moves),
            (".answers", stages.on_felt),
            (".others", stages.others),
            (".aside", stages.aside),
        ):
            of = f'[data-game="{game}"] {row}'
            wide += [_areas(of, places), *_each(of, places)]
    board = [read_sheet("board.css")] if only != ALL and isinstance(FELTS[only].layout, Board) else []
    return "\n".join([*board, *wide, f"{_PHONE} {{", *narrow, "}", f"{_UPRIGHT} {{", *upright, "}", ""])


def _areas(of: str, places: Places) -> str:
    slots = {".": ".", **places.slots}
    rows = (" ".join(slots[place.partition("=")[0]] for place in row.split()) for row in _as_wide(places.rows))
    laid = " ".join(f'"{row}"' for row in rows) or "none"
    return f"{of} {{ grid-template-areas: {laid}; }}"


def _each(of: str, places: Places) -> Iterator[str]:
    for name, slot in sorted(places.slots.items()):
        yield f"{of} > .in-{name} {{ grid-area: {slot}; }}"


def _as_wide(rows: tuple[str, ...]) -> Iterator[str]:
    """Pad short rows with gaps at the end."""
    columns = max((len(row.split()) for row in rows), default=0)
    return (" ".join([*row.split(), *["."] * (columns - len(row.split()))]) for row in rows)


def _boxes(game: str, rows: Sequence[Sequence[str]]) -> str:
    """Return the areas of a felt in rows of equal width."""
    columns = lcm(*map(len, rows))
    wide = (" ".join(name for name in row for _part in range(columns // len(row))) for row in rows)
    laid = " ".join(f'"{row}"' for row in wide)
    return f'[data-game="{game}"] .areas {{ grid-template: {laid} / {" ".join(["1fr"] * columns)}; }}'


def _each_box(game: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for name in (name for row in rows for name in row):
        yield f'[data-game="{game}"] .areas > .{name} {{ grid-area: {name}; }}'


def _tracks(game: str, across: int, down: int) -> str:
    """Return the tracks of a board, four to each of its units."""
    columns, rows = (f"repeat({4 * count}, minmax(var(--track), 1fr))" for count in (across, down))
    return f'[data-game="{game}"] .cells {{ grid-template: {rows} / {columns}; }}'


def _cells(game: str, board: Board) -> Iterator[str]:
    """Yield the lines between which each place of a board lies: top, bottom, left and right (board.css)."""
    for cell in board.cells:
        top, left = 4 * (cell.y - cell.height / 2), 4 * (cell.x - cell.width / 2)
        lines = {"t": top, "b": top + 4 * cell.height, "l": left, "r": left + 4 * cell.width}
        said = "; ".join(f"--{name}: {round(line) + 1}" for name, line in lines.items())
        yield f'[data-game="{game}"] [data-key="area-{cell.spot}"] {{ {said} }}'


def _kinds(game: str, board: Board) -> Iterator[str]:
    """Yield that places on lines and corners take bets while their kind is chosen."""
    for kind in filter(None, (kind for kind, _name in board.kinds)):
        yield f'[data-game="{game}"] .board:has([value="{kind}"]:checked) .on-{kind} > button {{ display: grid; }}'


def _for_a_phone(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Arrange rows with at most two buttons side by side; of three the middle one goes above the others."""
    found: list[Sequence[str]] = []
    for row in rows:
        middle, half = len(row) % 2, len(row) // 2
        found += [row[half : half + 1]] if middle else []
        rest = (*row[:half], *row[half + middle :])
        found += [rest[at : at + 2] for at in range(0, len(rest), 2)]
    return found
