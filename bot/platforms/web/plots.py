"""Plots as SVG, rendered by the server: shapes only, no scripts or styles, with the text beside them.

Coordinates are integers: a plot is ten thousand units wide and high, and is stretched to its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from babel.dates import format_date, format_datetime
from markupsafe import Markup

from bot.texts import Text
from bot.texts.languages import locale_of
from engine.felt import Amount
from storage.questions.accounts import Reading
from storage.questions.results import GameResults

# As many readings as a plot shows and as its text twin lists.
MOST_SHOWN = 160
MOST_LISTED = 12
_WHOLE = 10_000
_SHORT_S = 2 * 86400.0


@dataclass(frozen=True)
class BalanceCurve:
    """A balance over time. `levels` are the amounts at the grid lines, highest first."""

    readings: tuple[Reading, ...]
    levels: tuple[int, ...]

    def svg(self, named_by: str) -> Markup:
        """Return the plot as SVG; `named_by` is the id of the sentence that describes it."""
        steps, floor = self._steps(), self._y(max(0, self.levels[-1]))
        shapes = "".join(f'<path class="grid" d="M0 {self._y(level)}H{_WHOLE}"/>' for level in self.levels)
        shapes += f'<path class="under" d="{steps}V{floor}H0Z"/><path class="course" d="{steps}"/>'
        return _svg("plot-course", shapes, f'role="img" aria-labelledby="{named_by}"')

    def _steps(self) -> str:
        """Return the path of a step plot: a balance stays until it changes."""
        places = [(self._x(at), self._y(holds)) for at, holds in self.readings]
        corners = "".join(f"H{x}V{y}" for before, (x, y) in pairwise(places) if before != (x, y))
        return f"M0 {places[0][1]}{corners}H{_WHOLE}"

    def _x(self, at: float) -> int:
        first, last = self.readings[0].at, self.readings[-1].at
        return round((at - first) * _WHOLE / max(last - first, 0.001))

    def _y(self, holds: int) -> int:
        return (self.levels[0] - holds) * _WHOLE // (self.levels[0] - self.levels[-1])

    def times(self, language: str) -> tuple[str, str]:
        """Return the times of the first and last reading."""
        return self.say_time(self.readings[0], language), self.say_time(self.readings[-1], language)

    def say_time(self, reading: Reading, language: str) -> str:
        """Return the day; with the hour (UTC) if the plot covers few days."""
        when = datetime.fromtimestamp(reading.at, UTC)
        if self.readings[-1].at - self.readings[0].at < _SHORT_S:
            return format_datetime(when, "d MMM HH:mm", locale=locale_of(language))
        return format_date(when, "medium", locale=locale_of(language))

    def said(self, language: str) -> Text:
        """Describe the plot in a sentence."""
        held = [reading.holds for reading in self.readings]
        begin, end = self.times(language)
        return Text(
            "{begin} to {end} (UTC): start {first}, end {last}, low {least}, high {most}.",
            begin=begin,
            end=end,
            first=Amount(held[0]),
            last=Amount(held[-1]),
            least=Amount(min(held)),
            most=Amount(max(held)),
        )

    @property
    def listed(self) -> list[Reading]:
        """Return some readings for the table beside the plot, the first and last included."""
        last = len(self.readings) - 1
        count = min(MOST_LISTED, last + 1)
        return [self.readings[last * n // max(1, count - 1)] for n in range(count)]


def curve_of(readings: Sequence[Reading]) -> BalanceCurve | None:
    """Return the plot of these readings, or None if there are none."""
    if not readings:
        return None
    held = [reading.holds for reading in readings]
    return BalanceCurve(tuple(readings), levels(min(held), max(held)))


def levels(least: int, most: int) -> tuple[int, ...]:
    """Return three to six round amounts from above `most` to below `least`, one, two or five of a power of ten
    apart.
    """
    step = _step(max(most - least, 100))
    top, bottom = -(-most // step), least // step
    if top - bottom < 2:
        top, bottom = top + 1, bottom - 1 if bottom > 0 else bottom
    return tuple(step * n for n in range(top, bottom - 1, -1))


def _step(span: int) -> int:
    """Return the least round amount of which at most four fit into the span."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if span <= 4 * digit * power:
                return digit * power
        power *= 10


@dataclass(frozen=True)
class NetBar:
    """The net result of one game as a bar; all bars share a scale and a zero."""

    game: str
    net: int
    svg: Markup


def bars_of(results: Sequence[GameResults]) -> list[NetBar]:
    """Return a bar for each game, on one scale: returns less stakes."""
    nets = [row.returned - row.wagered for row in results]
    least, most = min([0, *nets]), max([0, *nets])
    span = max(1, most - least)

    def draw(net: int) -> Markup:
        zero, end = -least * _WHOLE // span, (net - least) * _WHOLE // span
        kind = "gain" if net > 0 else "loss"
        bar = f'<rect class="{kind}" x="{min(zero, end)}" y="1500" width="{abs(end - zero)}" height="7000"/>'
        return _svg("plot-bar", f'{bar}<path class="zero" d="M{zero} 0V{_WHOLE}"/>', 'aria-hidden="true"')

    return [NetBar(row.game, net, draw(net)) for row, net in zip(results, nets, strict=True)]


def _svg(kind: str, shapes: str, named: str) -> Markup:
    """Return an SVG of numbers and constants only, without text that people wrote."""
    box = f'viewBox="0 0 {_WHOLE} {_WHOLE}" preserveAspectRatio="none" focusable="false"'
    return Markup(f'<svg class="{kind}" {box} {named}>{shapes}</svg>')
