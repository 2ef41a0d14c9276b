"""Refusals of the rules: one sentence and a clause.

    Illegal
      IllegalDeal    options, stakes or a deck that the rules do not allow: nothing is dealt
      IllegalMove    a move that the rules do not allow now: the hand does not change

A sentence is a template with named values, so that it can be translated.
"""

# Quoted parts of a record may be any text or number, so a sentence is kept to one printable line.
_LONGEST_QUOTE = 200
_LARGEST_QUOTE = 10**30


class Illegal(Exception):
    """A refusal of the rules; `clause` is its number in the rules, or None where no clause applies."""

    def __init__(self, template: str, clause: str | None = None, **values: object) -> None:
        self.template = template
        self.clause = clause
        self.values = {name: _quote(value) for name, value in values.items()}
        super().__init__(template.format(**self.values))


def _quote(value: object) -> object:
    if isinstance(value, int) and abs(value) >= _LARGEST_QUOTE:
        return f"a number of {value.bit_length() * 301 // 1000 + 1} digits"
    if not isinstance(value, str) or (len(value) <= _LONGEST_QUOTE and value.isprintable()):
        return value
    shown = value if len(value) <= _LONGEST_QUOTE else value[:_LONGEST_QUOTE] + "…"
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in shown)


class IllegalDeal(Illegal):
    """Options, stakes or a deck that the rules do not allow: nothing is dealt."""


class IllegalMove(Illegal):
    """A move that the rules do not allow now: the hand is unchanged."""
