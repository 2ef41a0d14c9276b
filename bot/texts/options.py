"""Options of a table: a unit, and a sentence that explains the option. A unit checks and writes values.

Values are read, as people type them, in bot/core/commands/options.py.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.texts import Text
from engine.felt import Amount, Word

_PAYS = re.compile(r"[1-9][0-9]?:[1-9][0-9]?")


@dataclass(frozen=True)
class Chips:
    """An int, in minor units: 1000 is written 10. The rules check its least and largest values."""

    def fits(self, value: object) -> bool:
        return type(value) is int and value >= 0

    def write(self, value: object) -> object:
        assert isinstance(value, int)
        return Amount(value)


@dataclass(frozen=True)
class Count:
    """An int from `least` to `most`, whatever is counted: decks, seats, seconds, hours."""

    least: int
    most: int

    def fits(self, value: object) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def write(self, value: object) -> object:
        return str(value)


@dataclass(frozen=True)
class BasisPoints:
    """An int, hundredths of a percent, from `least` to `most`: 5000 is written 50 %."""

    least: int
    most: int

    def fits(self, value: object) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def write(self, value: object) -> object:
        """Write a percentage with as many decimals as an amount of chips."""
        assert isinstance(value, int)
        return Text("{percent} %", percent=Amount(value))


@dataclass(frozen=True)
class Flag:
    """A bool: on or off."""

    def fits(self, value: object) -> bool:
        return type(value) is bool

    def write(self, value: object) -> object:
        return Word("on" if value else "off")


@dataclass(frozen=True)
class OneOf:
    """A choice among words or whole numbers; `labels` are what people read instead, one for each, or ()."""

    values: tuple[str | int, ...]
    labels: tuple[Text, ...] = ()

    def fits(self, value: object) -> bool:
        return any(type(value) is type(one) and value == one for one in self.values)

    def write(self, value: object) -> object:
        return self.labels[self.values.index(value)] if self.labels else str(value)


@dataclass(frozen=True)
class Pays:
    """A str, what is paid to what: 3:2, each from 1 to 99."""

    def fits(self, value: object) -> bool:
        return type(value) is str and bool(_PAYS.fullmatch(value))

    def write(self, value: object) -> object:
        return str(value)


@dataclass(frozen=True)
class ChipsEach:
    """Amounts by name, in minor units, all names required: written four 500, full 100.

    `labels`: the name of each alone.
    """

    names: tuple[str, ...]
    labels: tuple[Text, ...]

    def fits(self, value: object) -> bool:
        return isinstance(value, Mapping) and {*value} == {*self.names} and all(map(Chips().fits, value.values()))

    def write(self, value: object) -> object:
        assert isinstance(value, Mapping)
        return [Text("{name} {amount}", name=name, amount=Amount(value[name])) for name in self.names]


Unit = Chips | Count | BasisPoints | Flag | OneOf | Pays | ChipsEach


class Option(NamedTuple):
    """A table's setting or a game's option.

    unit    reads, checks and writes its values
    means   one sentence, as a table's card shows it: what the option does, in the player's words
    label   what people call it, in place of the key that is typed
    needs   another option of the game, without which this one does nothing: it is offered and accepted only while
            that one is on, or more than 0
    """

    unit: Unit
    means: Text
    label: Text
    needs: str = ""

    def is_needed(self, values: Mapping[str, Any]) -> bool:
        """Check whether the option does anything at a table with these values of options."""
        return not self.needs or bool(values[self.needs])


def say_option(option: Option, value: object) -> Text:
    """Describe an option: its name, its value now, and its meaning."""
    return Text("{option}: {value} · {means}", option=option.label, value=option.unit.write(value), means=option.means)


def say_other(option: Option, value: object, usual: object) -> Text:
    """Write an option that differs from the game's default: marked, with the default."""
    return Text(
        "● {option}: {value} (default {usual}) · {means}",
        option=option.label,
        value=option.unit.write(value),
        usual=option.unit.write(usual),
        means=option.means,
    )


LIMITS: Mapping[str, Option] = {
    "minimum": Option(Chips(), Text("The minimum bet on a spot (G5)."), Text("Minimum")),
    "step": Option(Chips(), Text("The step between bets (G5)."), Text("Step")),
    "maximum": Option(Chips(), Text("The maximum bet on a spot (G5)."), Text("Maximum")),
}
"""Options of every game against the bank (engine.felt.Limits)."""
REVEAL_AFTER: Mapping[str, Option] = {
    "reveal_after": Option(
        Count(0, 168),
        Text("Hours until a hand's record and seed are shown."),
        Text("Hours until the seed is shown"),
    ),
}
"""The setting of games whose folded hands stay secret; a week at most."""


def plain_option(name: str, default: int) -> Option:
    """Return an option that is called by its name: a switch, an amount of chips, or a number."""
    label = name.strip("_").replace("_", " ").capitalize()
    unit = Flag() if isinstance(default, bool) else Chips() if default >= 100 else Count(0, 1000)
    return Option(unit, Text(f"{label}."), Text(label))
