"""A hand is its deal plus its moves: replay, asks, check, play, view.

`Hand` is a frozen value, the same class for all games. Everything about it is computed by running the rule script over
the moves. The newest hand owns the running script, as a cache: `play` advances it by one move and passes it to the new
hand. All other methods start and advance nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.cards import Card, check_deck
from engine.errors import IllegalDeal, IllegalMove
from engine.events import Dealt, Event, Exchanged, Paid, Placed, Shown, Split, Staked, Turned, Voided, seen_by
from engine.felt import TIMEOUT, VOID, Asks, Deal, Facts, Felt, Game, Move, Offers, Script, find_offer
from engine.games import GAMES
from engine.laws import BrokenLaw, check_length, check_payments

T = TypeVar("T")


def check_deal(deal: Deal) -> None:
    """Check a deal before it starts, and the bets (G5, G6). Raises IllegalDeal. Call it once for each new deal."""
    game = GAMES[deal.game]
    if not game.knows(deal.rules):
        raise IllegalDeal(
            "This hand was dealt under rules that are not installed here: {rules}.", None, rules=deal.rules
        )
    game.check(deal.options, deal.stakes)
    check_deck(deal.deck, game.full_deck(deal.options))


@dataclass(slots=True)
class _Run:
    """A script under way, with the table it plays on and what it asks now. It belongs to one hand at a time."""

    felt: Felt
    script: Script
    asks: Asks


_NOTHING_ASIDE: Asks = {}
_PUT_DOWN = (Placed, Staked)


class Hand:
    """An immutable hand: `play` returns another one.

    asks    who may do what now, with the stake of each offer; empty when the hand is over
    aside   moves that are allowed besides, by seat, and that the hand does not wait for (`Felt`)

    Thread-safe. The deal is not checked here: `check_deal` checks it once. Illegal moves raise the errors of `check`.
    Neither are its payments, so that a stored hand stays readable: `check_payments` checks them before they are posted.
    """

    __slots__ = ("_events", "_forbidden", "_found", "_length", "_of_deal", "_run", "aside", "asks", "deal", "moves")

    def __init__(self, deal: Deal, moves: Iterable[Move] = ()) -> None:
        self._of_deal: dict[Callable[[Deal], Any], Any] = {}
        self._set_state(deal, (), _start(deal))
        for move in moves:
            self.check(move)
            self._set_state(deal, (*self.moves, move), _step(self._hand_on(), move))

    def _set_state(self, deal: Deal, moves: tuple[Move, ...], run: _Run) -> None:
        """Set the fields to the hand at which the script is now."""
        felt = run.felt
        self.deal = deal
        self.moves = moves
        self.asks = run.asks
        self.aside = dict(felt.aside) if felt.aside else _NOTHING_ASIDE
        self._forbidden = felt.forbidden
        check_length(felt.events)
        self._events = felt.events  # shared with later hands: only the first events are this one's
        self._length = len(felt.events)
        self._run: _Run | None = run
        self._found: dict[Callable[[Hand], Any], Any] = {}

    def _hand_on(self) -> _Run:
        """Return the script at exactly this hand, for the next move. A second call starts another one."""
        run, self._run = self._run or _replay(self.deal, self.moves), None
        return run

    @property
    def felt(self) -> Felt:
        """The table after this hand's moves, hidden cards and all: for the engine and its strategies only.

        A hand from which another one was played has handed its table on, and is replayed.
        """
        if self._run is None:
            self._run = _replay(self.deal, self.moves)
        return self._run.felt

    @property
    def facts(self) -> Facts:
        """Return what the rules found, as the hand record names it, hidden hands included. A finished hand is not
        replayed.
        """
        return self.felt.facts

    @property
    def is_over(self) -> bool:
        return not self.asks

    @property
    def is_void(self) -> bool:
        return bool(self.moves) and self.moves[-1].word == VOID

    @property
    def events(self) -> Sequence[Event]:
        """All facts so far, hidden ones too."""
        return self._events[: self._length]

    def once(self, find: Callable[["Hand"], T]) -> T:
        """Return `find(self)`, computed once. The result must not be changed."""
        if find not in self._found:
            self._found[find] = find(self)
        found: T = self._found[find]
        return found

    def of_deal(self, find: Callable[[Deal], T]) -> T:
        """Return `find(deal)`, computed once for this hand and all hands played on from it."""
        if find not in self._of_deal:
            self._of_deal[find] = find(self.deal)
        found: T = self._of_deal[find]
        return found

    def view(self, viewer: str | None) -> list[Event]:
        """Return the events as the player on seat `viewer`, or anybody (None), may know them: hidden cards are "??"."""
        return [seen_by(event, viewer) for event in self.events]

    def cards(self, viewer: str | None) -> dict[str, list[Card]]:
        """Return the cards on the table by owner, as `viewer` sees them."""
        return lay_out(self.view(viewer))

    def check(self, move: Move) -> None:
        """Check a move: known, open, whose turn, legal, in this order, each with its own sentence.

        Raises IllegalMove where the rules refuse it here.
        """
        game, seat, word = GAMES[self.deal.game], move.seat, move.word
        if not self.asks:
            raise IllegalMove("The hand is over.")
        if word == VOID and not seat:
            if move.argument:
                raise IllegalMove("A void must not have an argument.", "G6")
            return
        if word not in game.words and word != TIMEOUT:
            raise IllegalMove("“{word}” is not a move in this game.", word=word)
        if self.aside and find_offer(self.aside.get(seat, ()), move):
            return
        if seat not in self.asks:
            turn = game.behind.get(word, game.turn) if "/" in seat else game.turn
            raise IllegalMove("Seat {seat} has nothing to decide now.", turn, seat=seat)
        if word == TIMEOUT and not move.argument:
            return
        if find_offer(self.asks[seat], move) is None:
            clause = self._clause_of(game, move)
            may = ", ".join(str(offer) for offer in self.asks[seat] if offer.listed)
            raise IllegalMove("{move} is not possible. Choose one of: {may}.", clause, move=_said(move), may=may)

    def _clause_of(self, game: Game, move: Move) -> str | None:
        """Return the clause that refuses a move of a seat that is asked: by its word, or else by its argument."""
        offer = next((offer for offer in self.asks[move.seat] if offer.word == move.word), None)
        if offer is not None and game.amounts is not None:
            return game.amounts(self.deal.options, offer, move.argument)
        return self._forbidden.get(move.word) or game.words.get(move.word)

    def check_payments(self) -> None:
        """Check the payments of a finished hand by the engine's laws; a void hand has none. Raises BrokenLaw."""
        if self.is_over and not self.is_void:
            check_payments(GAMES[self.deal.game], self.felt)

    def check_replay(self) -> None:
        """Check that deal and moves alone decide the hand, by playing it once more. Raises BrokenLaw."""
        try:
            again = Hand(self.deal, self.moves)
        except IllegalMove:
            again = None
        if again is None or again.asks != self.asks or [*again.events] != [*self.events]:
            raise BrokenLaw("the same deal and moves gave another hand when they were played again")

    def play(self, move: Move) -> "Hand":
        """Return the hand after a move, at the cost of that move alone. Raises IllegalMove and changes nothing."""
        self.check(move)
        after = object.__new__(Hand)
        after._of_deal = self._of_deal
        after._set_state(self.deal, (*self.moves, move), _step(self._hand_on(), move))
        return after

    def wagered(self) -> dict[str, dict[str, int]]:
        """Return all amounts put down: {seat: {spot: amount}}."""
        totals: dict[str, dict[str, int]] = {}
        for event in self.events:
            if isinstance(event, _PUT_DOWN):
                spots = totals.setdefault(event.seat, {})
                spots[event.spot] = spots.get(event.spot, 0) + event.amount
        return totals

    def returned(self) -> dict[str, dict[str, int]]:
        """Return all amounts that came back, without jackpot prizes: {seat: {spot: amount}}.

        A void returns every stake.
        """
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
    return _Run(felt, script, next(script, {}))


def _step(run: _Run, move: Move) -> _Run:
    """Advance a script by one move that was checked."""
    if move.word == VOID:
        _close(run)
        run.felt.events.append(Voided())
        run.asks = {}
        return run
    try:
        run.asks = run.script.send(move)
    except StopIteration:
        run.asks = {}
    return run


def _close(run: _Run) -> None:
    """End a script in the middle of a hand. Whatever it says or raises then changes nothing: its stakes go back."""
    events = run.felt.events
    known = len(events)
    with suppress(Exception):
        run.script.close()
    del events[known:]


def _replay(deal: Deal, moves: Iterable[Move]) -> _Run:
    """Play a new script up to these moves, for a hand whose own script has advanced further."""
    run = _start(deal)
    for move in moves:
        _step(run, move)
    return run


def _said(move: Move) -> str:
    return f"{move.word} {move.argument}".strip()


def run(deal: Deal, choose: Callable[[str, Offers, Mapping[str, list[Card]]], Move]) -> Felt:
    """Play a whole hand in one go: `choose(seat, offers, cards)` answers each ask. Nothing is checked.

    `cards` are everybody's, hidden ones too: a strategy looks at its own and the open ones. Where no events are
    needed, `engine.quick` is faster.
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
