"""Values of options as people type them, each in its unit. What does not fit is refused with an example in that unit.

What `Option.unit.write` writes is read here again as the same value, in every language.
"""

from collections.abc import Sequence

from bot.core.commands.amounts import parse_amount, parse_count, parse_share
from bot.core.commands.command import Refused
from bot.core.commands.naming import take_text
from bot.core.commands.words import find_word
from bot.texts import say
from bot.texts.options import BasisPoints, Chips, ChipsEach, Count, Flag, OneOf, Pays, Unit
from engine.felt import Amount


def take_value(args: Sequence[str], start: int) -> tuple[str, int]:
    """Return one word or a quoted text, with a percent sign that stands apart, and the index of the next word."""
    text, end = take_text(args, start)
    return (f"{text}%", end + 1) if list(args[end : end + 1]) == ["%"] else (text, end)


def parse_option(name: object, unit: Unit, text: str, language: str) -> object:
    """Parse a value of this unit. `name` is what a refusal calls the option; raises Refused."""
    value = _parse(unit, text.strip(), language)
    if unit.fits(value):
        return value
    raise _refuse(name, unit)


def _parse(unit: Unit, text: str, language: str) -> object:
    """Parse a value in a unit; None if it cannot be read at all."""
    match unit:
        case Chips():
            return 0 if text == "0" else parse_amount(text, language)
        case Count():
            return parse_count(text, unit.least, unit.most)
        case BasisPoints():
            return parse_share(text)
        case Flag():
            said = find_word(text, ("on", "off", "true", "false"))
            return said in ("on", "true") if said is not None else None
        case OneOf():
            said = find_word(text, map(str, unit.values))
            shown = {say(label, language).lower(): one for label, one in zip(unit.labels, unit.values, strict=False)}
            return next((one for one in unit.values if str(one) == said), shown.get(text.lower()))
        case Pays():
            return text
        case ChipsEach():
            return _parse_each(text, language)


def _parse_each(text: str, language: str) -> object:
    """Parse an amount for each name: `four 500, full 100`. None where it cannot be read."""
    pairs = [pair.split() for pair in text.split(",")]
    if any(len(pair) != 2 for pair in pairs):
        return None
    return {name: 0 if amount == "0" else parse_amount(amount, language) for name, amount in pairs}


def _refuse(name: object, unit: Unit) -> Refused:
    match unit:
        case Chips():
            return Refused("Enter {name} in chips, for example 50.", name=name)
        case Count(least, most):
            return Refused("{name} must be a number from {least} to {most}.", name=name, least=least, most=most)
        case BasisPoints(least, most):
            template = "{name} must be from {least} % to {most} %, for example {such} %."
            such = Amount(min(max(least, 5000), most))
            return Refused(template, name=name, least=Amount(least), most=Amount(most), such=such)
        case Flag():
            return Refused("{name} must be on or off.", name=name)
        case OneOf(values):
            return Refused("{name} must be one of: {allowed}.", name=name, allowed=", ".join(map(str, values)))
        case Pays():
            return Refused("{name} must be odds, for example 3:2.", name=name)
        case ChipsEach(names=names):
            example = unit.write(dict.fromkeys(names, 5000))
            return Refused("{name} must be an amount for each, for example “{such}”.", name=name, such=example)
