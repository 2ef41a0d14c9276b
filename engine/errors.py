"""What the rules refuse, as one sentence and a clause.

    Illegal
      IllegalDeal    options, stakes or a deck that the rules do not allow: nothing is dealt
      IllegalMove    a move that the rules do not allow now: the hand stands as it was

A sentence is a template with named values, so that another language can say it.
"""


class Illegal(Exception):
    """`clause` is the number in the rules, or None where no clause applies."""

    def __init__(self, template: str, clause: str | None = None, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.clause = clause
        self.values = values


class IllegalDeal(Illegal):
    pass


class IllegalMove(Illegal):
    pass
