"""A hand is its deal plus its moves: replay, asks, play, view.

`Hand` is a frozen value, the same class for all games. Everything about it is computed by running the rule script over
the moves; a running script may be carried along as a cache, and is made anew when it is not there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine import blackjack, caribbean, paiju, stud, uth
from engine.cards import Card, check_deck
from engine.errors import IllegalDeal, IllegalMove
from engine.events import Dealt, Event, Exchanged, Paid, Placed, Shown, Split, Staked, Turned, Voided, seen_by
from engine.felt import TIMEOUT, VOID, Asks, Deal, Felt, Game, Move, Offers, Script, find_offer

GAMES: Mapping[str, Game] = {
    game.name: game for game in (caribbean.GAME, uth.GAME, paiju.GAME, blackjack.GAME, stud.GAME)
}


def check_deal(deal: Deal) -> None:
    """The green light and the bets (G5, G6). Raises IllegalDeal; whoever makes a deal calls it once."""
    game = GAMES[deal.game]
    if deal.rules != game.rules:
        raise IllegalDeal("This hand was dealt under rules that are not here: {rules}.", None, rules=deal.rules)
    game.check(deal.options, deal.stakes)
    check_deck(deal.deck, game.full_deck(deal.options))


@dataclass
class _Run:
    """A script that has received `count` moves, with what it asks now."""

    felt: Felt
    script: Script
    asks: Asks
    count: int


class Hand:
    """Never changes: `play` answers with another hand.

    Not checked: the deal, which `check_deal` checks once. Raises what `play` raises for moves that are not legal.
    """

    __slots__ = ("_length", "_run", "asks", "deal", "moves")

    def __init__(self, deal: Deal, moves: Iterable[Move] = ()) -> None:
        self.deal = deal
        self.moves: tuple[Move, ...] = ()
        run = self._run = _start(deal)
        for move in moves:
            _check(run, self.moves, move)
            _advance(run, move)
            self.moves += (move,)
        self._length = len(run.felt.events)
        self.asks: Asks = dict(run.asks)
        """Who may do what now, with what each offer stakes; empty when the hand is over."""

    def _catch_up(self) -> _Run:
        """The script stopped after exactly these moves; it may have gone on with a later hand meanwhile."""
        if self._run.count != len(self.moves):
            self._run = Hand(self.deal, self.moves)._run
        return self._run

    @property
    def felt(self) -> Felt:
        """The table after this hand's moves, hidden cards and all: for the engine and its strategies only."""
        return self._catch_up().felt

    @property
    def is_over(self) -> bool:
        return not self.asks

    @property
    def is_void(self) -> bool:
        return bool(self.moves) and self.moves[-1].word == VOID

    @property
    def events(self) -> Sequence[Event]:
        """All facts so far, hidden ones too."""
        return self._run.felt.events[: self._length]

    def view(self, viewer: str | None) -> list[Event]:
        """The facts as the player on seat `viewer` may know them, or anybody (None): hidden cards are "??"."""
        return [seen_by(event, viewer) for event in self.events]

    def cards(self, viewer: str | None) -> dict[str, list[Card]]:
        """Whose cards lie on the table, as `viewer` sees them."""
        return lay_out(self.view(viewer))

    def play(self, move: Move) -> "Hand":
        """The hand after the move. Raises IllegalMove, and nothing has changed then."""
        run = self._catch_up()
        _check(run, self.moves, move)
        _advance(run, move)
        after = object.__new__(Hand)
        after.deal, after.moves, after._run = self.deal, (*self.moves, move), run
        after._length = len(run.felt.events)
        after.asks = dict(run.asks)
        return after

    def wagered(self) -> dict[str, dict[str, int]]:
        """{seat: {spot: amount}}: all that was put down."""
        totals: dict[str, dict[str, int]] = {}
        for event in self.events:
            if isinstance(event, Placed | Staked):
                spots = totals.setdefault(event.seat, {})
                spots[event.spot] = spots.get(event.spot, 0) + event.amount
        return totals

    def returned(self) -> dict[str, dict[str, int]]:
        """{seat: {spot: amount}}: what came back, without prizes of the progressive. A void returns every stake."""
        totals = self.wagered()
        if self.is_void:
            return totals
        for spots in totals.values():
            spots.update(dict.fromkeys(spots, 0))
        for event in self.events:
            if isinstance(event, Paid):
                spots = totals[event.seat]
                spots[event.spot] = spots.get(event.spot, 0) + event.amount
        return totals


def lay_out(events: Iterable[Event]) -> dict[str, list[Card]]:
    """Fold what one viewer saw into the cards that lie there now."""
    cards: dict[str, list[Card]] = {}
    for event in events:
        if isinstance(event, Dealt):
            cards.setdefault(event.to, []).extend(event.cards)
        elif isinstance(event, Exchanged):
            cards[event.seat][event.position - 1] = event.card
        elif isinstance(event, Split):
            cards[event.into] = [cards[event.hand].pop()]
        elif isinstance(event, Shown):
            cards[event.to] = list(event.cards)
        elif isinstance(event, Turned):
            first = event.position - 1
            cards[event.to][first : first + len(event.cards)] = event.cards
    return cards


def _start(deal: Deal) -> _Run:
    game = GAMES[deal.game]
    felt = Felt(deal, game)
    script = game.script(felt)
    return _Run(felt, script, next(script, {}), 0)


def _advance(run: _Run, move: Move) -> None:
    run.count += 1
    if move.word == VOID:
        run.script.close()
        run.felt.events.append(Voided())
        run.asks = {}
        return
    try:
        run.asks = run.script.send(move)
    except StopIteration:
        run.asks = {}


def _check(run: _Run, moves: Sequence[Move], move: Move) -> None:
    """Known, open, whose turn, legal: in this order (boardgame.io's), each with its own sentence."""
    game = GAMES[run.felt.deal.game]
    if not run.asks:
        raise IllegalMove("The hand is over.")
    if move.word == VOID and not move.seat:
        if move.argument:
            raise IllegalMove("A void stands alone.", "G6")
        return
    if move.word not in game.words and move.word != TIMEOUT:
        raise IllegalMove("{word} is no move of this game.", word=move.word)
    if find_offer(run.felt.aside.get(move.seat, ()), move):
        return
    if move.seat not in run.asks:
        turn = game.behind.get(move.word, game.turn) if "/" in move.seat else game.turn
        raise IllegalMove("Seat {seat} has nothing to choose now.", turn, seat=move.seat)
    if move.word == TIMEOUT and not move.argument:
        return
    if find_offer(run.asks[move.seat], move) is None:
        clause = run.felt.forbidden.get(move.word) or game.words.get(move.word)
        may = ", ".join(str(offer) for offer in run.asks[move.seat] if offer.listed)
        raise IllegalMove("{move} is not possible; possible are: {may}.", clause, move=_said(move), may=may)


def _said(move: Move) -> str:
    return f"{move.word} {move.argument}".strip()


def run(deal: Deal, choose: Callable[[str, Offers, Mapping[str, list[Card]]], Move]) -> Felt:
    """Play a whole hand in one go: `choose(seat, offers, cards)` answers each ask. Nothing is checked.

    `cards` are everybody's, hidden ones too: a strategy looks at its own and at what lies open. Who needs no events
    plays faster with `engine.quick`.
    """
    game = GAMES[deal.game]
    felt = Felt(deal, game)
    script = game.script(felt)
    try:
        asks = next(script)
        while True:
            seat, offers = next(iter(asks.items()))
            asks = script.send(choose(seat, offers, felt.cards))
    except StopIteration:
        return felt
