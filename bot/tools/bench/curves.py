"""The curves of `ridotto bench growth` as an SVG that stands alone: what a command costs, by how much there is.

Two fields side by side, tables and postings; sizes on a logarithmic axis, costs as multiples of the cost at the
smallest size, and a band up to which they count as flat.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, HEIGHT = 420, 300
LEFT, TOP, BOTTOM, GAP = 48, 34, 40, 150
FLAT = 1.25
# Told apart without colour too: by dashes, and by the name at the end of each line.
_INKS = ("#1b6ca8", "#b3471d", "#2f7d4f", "#7a3e9d", "#8a6d00", "#b0305c", "#3d4f5c", "#007c89", "#a3541f")
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "", "6 3", "2 3", "8 3 2 3", "1 4")


def draw(rows: Sequence[Mapping[str, Any]]) -> str:
    """`rows` as the benchmark measures them; those that measure no size say what the others come to."""
    rows = [row for row in rows if "size" in row]
    fields = list(dict.fromkeys(row["over"] for row in rows))
    width, height = len(fields) * (LEFT + WIDTH + GAP), TOP + HEIGHT + BOTTOM
    most = max(2.0, math.ceil(max(row["growth"] for row in rows)))
    drawn = "".join(
        f'<g transform="translate({index * (LEFT + WIDTH + GAP) + LEFT} {TOP})">'
        f"{_field([row for row in rows if row['over'] == over], over, most)}</g>"
        for index, over in enumerate(fields)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        f' font-size="12"><title>Cost of a command by size</title>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{drawn}</svg>\n'
    )


def _field(rows: Sequence[Mapping[str, Any]], over: str, most: float) -> str:
    sizes = sorted({row["size"] for row in rows})
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])

    def x(size: int) -> float:
        return round((math.log10(size) - first) / max(last - first, 1e-9) * WIDTH, 1)

    def y(growth: float) -> float:
        return round(HEIGHT - growth / most * HEIGHT, 1)

    shapes = [f'<rect y="{y(FLAT)}" width="{WIDTH}" height="{round(y(0) - y(FLAT), 1)}" fill="#eef5ee"/>']
    shapes += [
        f'<path d="M0 {y(level)}H{WIDTH}" stroke="#ccc"/>'
        f'<text x="-8" y="{y(level) + 4}" text-anchor="end">{level}</text>'
        for level in range(0, int(most) + 1, max(1, int(most) // 6))
    ]
    shapes += [f'<text x="{x(size)}" y="{HEIGHT + 18}" text-anchor="middle">{size:,}</text>' for size in sizes]
    shapes.append(f'<text x="0" y="-14" font-weight="bold">times the cost at the smallest, over {over}</text>')
    commands = list(dict.fromkeys(row["command"] for row in rows))
    ends = _apart([y(next(row["growth"] for row in reversed(rows) if row["command"] == one)) for one in commands])
    for number, (command, end) in enumerate(zip(commands, ends, strict=True)):
        points = " ".join(f"{x(row['size'])},{y(row['growth'])}" for row in rows if row["command"] == command)
        ink, dash = _INKS[number % len(_INKS)], _DASHES[number % len(_DASHES)]
        shapes.append(
            f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        shapes.append(f'<text x="{WIDTH + 8}" y="{end + 4}" fill="{ink}">{command}</text>')
    return "".join(shapes)


def _apart(heights: Sequence[float], gap: float = 14.0) -> list[float]:
    """The same heights, moved down where two names would stand on each other."""
    found: dict[int, float] = {}
    last = -gap
    for index in sorted(range(len(heights)), key=lambda index: heights[index]):
        found[index] = last = max(heights[index], last + gap)
    return [round(found[index], 1) for index in range(len(heights))]
