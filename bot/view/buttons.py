"""Buttons: chips while bets are open, the moves that the rules offer, and the rest.

A viewer gets legal buttons that they can pay for; the public gets those that may be legal for someone.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.core.commands.deeds import label_without_argument, priced
from bot.core.commands.offers import Typed, as_typed, typed
from bot.core.commands.preconditions import for_bet, for_move
from bot.core.rounds import betting, shoe
from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Button
from bot.view.parts import chip_amounts
from bot.view.player_view import PlayerView
from bot.view.presenter import PRESENTERS, Bets, BuyIn, SideBet
from bot.view.render_context import RenderContext, Wallet
from engine.felt import Amount, Game, Offer, Word
from storage import ledger


def bet_buttons(context: RenderContext, wallet: Wallet) -> list[Button]:
    """Return the chips on the main spots, then side bets."""
    table, lying = context.table, tuple(wallet.lying.items())
    asked = _OfferKey(PRESENTERS[context.table.game].bets, table.rules, context.options, table.round.hand_id)
    offered, dearest = _offered(asked, lying, wallet.box, wallet.chips is None)
    if wallet.can_pay(dearest):
        return list(offered)
    return [button for button in offered if wallet.can_pay(button.cost)]


class _OfferKey:
    """A cache key of offered bets, by identity, because their values may not be hashable."""

    __slots__ = ("_key", "bets", "hand", "options", "rules")

    def __init__(self, bets: Bets, rules: Game, options: Any, hand: int) -> None:
        self.bets, self.rules, self.options, self.hand = bets, rules, options, hand
        self._key = id(bets), id(rules), id(options), hand

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _OfferKey) and self._key == other._key


@lru_cache(maxsize=4096)
def _offered(
    asked: _OfferKey, lying: tuple[tuple[str, int], ...], box: int, is_public: bool
) -> tuple[tuple[Button, ...], int]:
    """Return the offered bets and the highest cost; cached for a hand and the bets made, because the table is shown
    again with every bet, and each player gets a panel.
    """
    on, bets, options = dict(lying), asked.bets, asked.options
    wanted = _main_bets(bets.mains or asked.rules.spots, options, on)
    if is_public or not bets.mains or any(spot in on for spot in bets.mains):
        wanted += bets.sides(options, on)
    paid, found = _cost_of(asked.rules, options, bets.mains, on), []
    for bet in wanted:
        after = {**on, bet.spot: on.get(bet.spot, 0) + bet.amount}
        cost = _cost_of(asked.rules, options, bets.mains, after) - paid
        found.append(_chip(bet, cost, box, for_bet(asked.hand, cost)))
    return tuple(found), max((button.cost or 0 for button in found), default=0)


def _main_bets(spots: tuple[str, ...], options: Any, on: Mapping[str, int]) -> tuple[SideBet, ...]:
    least, most = options.minimum, options.maximum
    return tuple(SideBet(spot, amount) for spot in spots for amount in chip_amounts(least, most, on.get(spot, 0)))


def _chip(bet: SideBet, cost: int, box: int, fresh: str) -> Button:
    at = (str(box),) if box else ()
    args = (*at, bet.spot) if bet.is_fixed else (*at, bet.spot, typed(bet.amount))
    label = Text("{spot} {amount}", spot=Word(bet.spot), amount=Amount(bet.amount))
    if cost != bet.amount:  # UT2: the blind follows the ante, and the button names the whole price
        label = Text("Bet {cost}", cost=Amount(cost))
    return Button(label, "bet", args, "bet", fresh, Amount(cost), spot=bet.spot, amount=Amount(bet.amount))


def _cost_of(rules: Game, options: Any, mains: tuple[str, ...], spots: Mapping[str, int]) -> int:
    """Return what bets cost; a side bet is priced alone where the public has no main bet."""
    for spot in mains:
        if spot not in spots:
            return sum(spots.values())
    return betting.cost_of(rules, options, spots)


def buy_in_buttons(amount: int, seat: int = 0) -> list[Button]:
    """Return the button for a seat with a stack of this amount; empty for 0."""
    if not amount:
        return []
    label = Text("Buy in: {amount}", amount=Amount(amount))
    args = (typed(amount), str(seat)) if seat else (typed(amount),)
    return [Button(label, "buyin", args, "bet", cost=Amount(amount))]


def stack_buttons(context: RenderContext) -> list[Button]:
    """Return the buttons for stacks (SH1): buy in, top up, sit out, come back, and the game's own."""
    table, viewer, stacks = context.table, context.viewer, PRESENTERS[context.table.game].stacks
    buy_in = stacks.buy_in(context)
    seated = table.seat_of(viewer) is not None if viewer is not None else bool(table.seats)
    # The public sees moves that may be legal for one of the seated players.
    players = [viewer] if viewer is not None else [*table.seats.values()]
    out = {player for player in players if stacks.is_out(table, player)}
    found = []
    if viewer is None or not seated:
        found += [*buy_in_buttons(buy_in.usual), _buy_in(buy_in)]
    if seated:
        if not context.is_in_hand:
            if viewer is not None and buy_in.usual and not context.balance(ledger.stack(table.id, viewer)):
                found.append(_top_up(table.round.hand_id, buy_in.usual))
            such = typed(buy_in.least)
            asks = Text("Amount to add, for example {such}.", such=such)
            found.append(Button(Text("Top up"), "topup", (), "bet", ask=asks))
        if len(out) < len(players):
            found.append(Button(Text("Sit out"), "sitout"))
        if out:
            found.append(Button(Text("Deal me in"), "back"))
    return [*found, *stacks.beside(context)]


def _top_up(hand: int, amount: int) -> Button:
    """Return the button to top up an empty stack, once."""
    label = Text("Top up: {amount}", amount=Amount(amount))
    return Button(label, "topup", (typed(amount),), "bet", for_bet(hand), cost=Amount(amount))


def _buy_in(buy_in: BuyIn) -> Button:
    least, most, such = Amount(buy_in.least), Amount(buy_in.most), typed(2 * buy_in.least)
    label = Text("Buy in: {least} to {most}", least=least, most=most)
    asks = Text("Enter a stack from {least} to {most}, for example {such}.", least=least, most=most, such=such)
    return Button(label, "buyin", (), "bet", ask=asks)


def betting_buttons(context: RenderContext, wallet: Wallet) -> list[Button]:
    """Return the buttons rebet, take back, ready, another amount, the game's own, and cut."""
    table, options, viewer = context.table, context.options, context.viewer
    bets, fresh, everybody = PRESENTERS[context.table.game].bets, for_bet(context.table.round.hand_id), viewer is None
    lies = bool(table.round.bets if everybody else wallet.lying)
    last = table.last_bets if everybody else table.last_bets.get(viewer or 0, ())
    asks = _another_amount(bets.asks.template, options.minimum, options.maximum, options.step)
    found = [_ask_amount(fresh, asks)]
    if last and (everybody or not lies):
        found.append(_rebet(table, options, bets.mains, viewer))
    if lies:
        found.append(take_back_button(fresh))
        if everybody or viewer not in table.round.ready:
            found.append(ready_button(fresh))
    if table.plays.reveals.steps and options.squeeze:
        found.append(_squeeze(table, viewer))
    found += bets.beside(context)
    found += [_announced(table, bet, options.minimum) for bet in bets.announced]
    if not shoe.goes_on(table) and not any(player == viewer for player, _text in table.round.cuts):
        found.append(_cut(fresh))
    return found if wallet.chips is None else [button for button in found if wallet.can_pay(button.cost)]


# Found by key: comparing sentences would take as long as making them.


@lru_cache(maxsize=1024)
def _ask_amount(fresh: str, asks: Text) -> Button:
    return Button(Text("Other amount"), "bet", (), "bet", fresh, ask=asks)


@lru_cache(maxsize=1024)
def take_back_button(fresh: str) -> Button:
    """Return the button to take bets back."""
    return Button(Text("Take back"), "takeback", (), "bet", fresh)


@lru_cache(maxsize=1024)
def ready_button(fresh: str) -> Button:
    """Return the button to end betting early."""
    return Button(Text("Ready"), "ready", (), "bet", fresh)


@lru_cache(maxsize=1024)
def _cut(fresh: str) -> Button:
    asks = Text("Enter any text of up to 64 characters, for example: Venezia 1638.")
    return Button(Text("Cut the deck"), "cut", (), "quiet", fresh, ask=asks)


@lru_cache(maxsize=4096)
def sit_button(seat: str, fresh: str) -> Button:
    """Return the button to take a free seat."""
    return Button(Text("Sit here"), "sit", (seat,), "quiet", fresh)


@lru_cache(maxsize=4096)
def made_once(label: Text, verb: str, args: tuple[str, ...] = ()) -> Button:
    """Return an equal earlier object, so that cached drawings are found by identity."""
    return Button(label, verb, args, "quiet", "")


@lru_cache(maxsize=1024)
def _another_amount(asks: str, least: int, most: int, step: int) -> Text:
    limits = betting.say_limits(least, most, step)
    return Text(asks, limits=limits, such=typed(3 * least if 3 * least <= most else least))


def _rebet(table: Table, options: Any, mains: tuple[str, ...], viewer: int | None) -> Button:
    last = table.last_bets.get(viewer or 0, ())
    cost = Amount(sum(_cost_of(table.rules, options, mains, bet.spots) for bet in last))
    label = Text("Rebet {amount}", amount=cost) if cost else Text("Rebet")
    return Button(label, "rebet", (), "bet", for_bet(table.round.hand_id, cost or None), cost)


def _announced(table: Table, bet: str, least: int) -> Button:
    """Return the button of a bet that places several chips of the least amount."""
    chips = sum(table.plays.announced[bet].values())
    label, cost = Text("{spot}: {n} × {amount}", spot=Word(bet), n=chips, amount=Amount(least)), Amount(chips * least)
    return Button(label, "bet", (bet, typed(least)), "bet", for_bet(table.round.hand_id, cost), cost)


def _squeeze(table: Table, viewer: int | None) -> Button:
    """Return the buttons to reveal cards, for the highest bettor of a position (PJ12)."""
    asked = viewer in table.wants_to_turn
    label, words = (Text("Dealer reveals"), ("off",)) if asked else (Text("I'll reveal"), ())
    return Button(label, "squeeze", words, "quiet", for_bet(table.round.hand_id))


def move_buttons(table: Table, view: PlayerView, viewer: int | None) -> list[Button]:
    """Return the moves of the viewer's first seat that must choose, which a command without a seat would move.

    Then come optional offers outside of the turn (BJ13), and cards to reveal.
    """
    count = sum(move.seat in view.mine for move in view.hand.moves)
    labels = PRESENTERS[table.game].words.labels
    asked = next((key for key in view.mine if key in view.hand.asks), "")
    offers = [offer for offer in view.hand.asks.get(asked, ()) if offer.listed]
    due = (turn.position for turn in table.plays.reveals.due(table.round.turning))
    turning = [position for position in due if table.round.turning[position] == viewer]
    found = [*_moves(offers, labels, _stack_left(view, asked)), *(_turn(position) for position in turning)]
    beside = _moves(_beside(view), labels)
    return [
        *(_made_for(button, table.round.hand_id, count, asked) for button in found),
        *(_made_for(button, table.round.hand_id, count, "") for button in beside),
    ]


def ahead_buttons(table: Table, view: PlayerView) -> list[Button]:
    """Return the choices before the turn of the viewer's first seat that is still to come. Their preconditions are
    those of that turn, so that nothing is chosen that has changed.
    """
    count = sum(move.seat in view.mine for move in view.hand.moves)
    presenter = PRESENTERS[table.game]
    for key in view.mine:
        found = [
            _made_for(
                Button(priced(one.label, one.cost), one.moves[-1], one.moves, "ahead", cost=Amount(one.cost)),
                table.round.hand_id,
                count,
                key,
            )
            for one in presenter.ahead(view, key)
        ]
        if found:
            return found
    return []


def _beside(view: PlayerView) -> Sequence[Offer]:
    """Return optional offers to a player who is not in turn."""
    aside = view.hand.aside
    return next((aside[key] for key in view.mine if key in aside), ())


def _made_for(button: Button, hand: int, count: int, seat: str) -> Button:
    """Return the button with its precondition; without a price if an amount must be typed."""
    return button._replace(fresh=for_move(hand, count, seat, None if button.ask else button.cost))


def _turn(position: str) -> Button:
    return Button(Text("Reveal {position}", position=Word(position)), "squeeze", (position,), "move")


def _stack_left(view: PlayerView, key: str) -> int:
    """Return the rest of a seat's stack, in minor units; 0 in games without stacks."""
    stack = next((stake.stack for stake in view.hand.deal.stakes if str(stake.seat) == key), 0)
    return max(0, stack - sum(view.wagered.get(key, {}).values()))


def _moves(offers: Iterable[Offer], labels: Mapping[str, Text], all_in: int = 0) -> Iterable[Button]:
    """Return buttons of moves; `all_in`: the price of a move that puts in the whole stack."""
    for offer in offers:
        label = _label_of(labels, offer)
        # By position, never by face (CS6): a public press must reveal nothing.
        card = int(offer.public) if offer.public and offer.public.isdecimal() else 0
        for move in as_typed(offer):
            said = _label(label, offer, move)
            if move.cost and move.cost == all_in:
                said = Text("All-in {cost}", cost=move.cost)
            yield Button(said, move.verb, move.args, "move", cost=move.cost, card=card)
        if offer.least < offer.most:
            least, most = Amount(offer.least), Amount(offer.most)
            asking = Text("{label} {least} to {most}", label=label, least=least, most=most)
            if offer.pot:
                asking = Text("Other amount")
            yield Button(asking, offer.word, (), "move", ask=_amount_between(offer))


def say_choice(game: str, offer: Offer, move: Typed) -> Text:
    """Return a choice as its button labels it."""
    return _label(_label_of(PRESENTERS[game].words.labels, offer), offer, move)


def _label_of(labels: Mapping[str, Text], offer: Offer) -> Text:
    return labels.get(offer.word) or Text("{move}", move=Word(offer.word))


def _label(label: Text, offer: Offer, move: Typed) -> Text:
    """Return a button's label with its argument: an amount, a multiple, or a card's position."""
    if "{argument}" in label.template and not offer.argument:
        if offer.most:
            return Text(label.template, argument=Amount(move.cost + offer.put))
        label = label_without_argument(offer.word)
    if offer.argument and not offer.most:
        argument = move.args[0]
        label = Text(label.template, argument=int(argument) if argument.isdecimal() else Word(argument))
    return priced(label, move.cost)


def _amount_between(offer: Offer) -> Text:
    least, most, such = Amount(offer.least), Amount(offer.most), typed(offer.most)
    return Text("Amount: {least} to {most}, for example {such}.", least=least, most=most, such=such)
