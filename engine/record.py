"""The hand record: JSON in and out. One object is what storage keeps, recovery replays and a doubter verifies.

parse_record   JSON value -> Deal and moves, or IllegalDeal, IllegalMove
play_record    JSON value -> the answer of `ridotto replay`, refusals included
write_record   Deal and moves -> JSON value

A record of version 2 has a commitment instead of game, rules and options (engine.fairness); it is read here too, and
checked elsewhere.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from engine.errors import IllegalDeal, IllegalMove
from engine.events import Event, Paid, Placed, Won
from engine.felt import VOID, Deal, Game, Move, Options, Settlement, Stake, check
from engine.games import GAMES
from engine.hand import Hand, check_deal
from engine.laws import BrokenLaw
from engine.shuffler import Seed, Stream

JSON = Any
_SEAT = re.compile(r"[1-9][0-9]{0,8}(/[^ /]+)?")
_HEX = re.compile(r"[0-9a-fA-F]{64}")


def play_record(record: JSON) -> dict[str, JSON]:
    """Answer `ridotto replay` for one record; never raises for any JSON value."""
    played = 0
    try:
        if is_undealt(record):
            return _describe_undealt(record)
        deal, moves = _parse_deal(record)
        hand = Hand(deal)
        for move in moves:
            if hand.is_void:
                raise IllegalMove("A void must be the last move.", "G6")
            hand = hand.play(parse_move(move))
            played += 1
        answer = describe(hand)
    except IllegalMove as refused:
        return {"refused": str(refused), "clause": refused.clause, "move": played}
    except IllegalDeal as refused:
        return {"refused": str(refused), "clause": refused.clause, "move": None}
    return answer


def is_undealt(record: JSON) -> bool:
    """Check for a record of version 2 whose hand was void before its cards: every stake goes back."""
    return isinstance(record, dict) and "v" in record and "void" in record


def _describe_undealt(record: Mapping[str, JSON]) -> dict[str, JSON]:
    """Describe an undealt record like a finished hand. A dropped hand has no stakes."""
    answer: dict[str, JSON] = {"over": True, "wagered": {}, "returned": {}, "net": {}}
    if record.get("stakes"):
        deal, _ = _parse_deal(record)
        placed: dict[str, dict[str, int]] = {seat: {} for seat in spots_of(Hand(deal))[0]}
        for event in Hand(deal).events:
            if isinstance(event, Placed):
                placed[event.seat][event.spot] = event.amount
        spots = dict.fromkeys(GAMES[deal.game].all_spots, 0)
        for key in ("wagered", "returned"):
            answer[key] = {seat: spots | amounts for seat, amounts in placed.items()}
        answer["net"] = dict.fromkeys(placed, 0)
        if GAMES[deal.game].meter:
            answer["jackpot"] = settle_jackpot(Hand(deal).play(Move("", VOID))).meter
    return answer | {"facts": {}, "events": [], "asks": {}}


def describe(hand: Hand) -> dict[str, JSON]:
    """Return the output of hand-record: sums by seat and spot, facts, events, asks."""
    answer: dict[str, JSON] = {"over": hand.is_over}
    if hand.is_over:
        answer |= sums_of(hand)
        if GAMES[hand.deal.game].meter:
            answer["jackpot"] = settle_jackpot(hand).meter
        answer |= _describe_law(hand)
    answer["facts"] = hand.facts
    answer["events"] = [{"event": type(event).__name__.lower(), **_fields_of(event)} for event in hand.events]
    answer["asks"] = {seat: [str(offer) for offer in offers if offer.listed] for seat, offers in hand.asks.items()}
    return answer


def _describe_law(hand: Hand) -> dict[str, JSON]:
    """Describe the law that a finished hand breaks, for which a table would void it."""
    try:
        hand.check_payments()
    except BrokenLaw as broken:
        return {"broken_law": str(broken)}
    return {}


def _fields_of(event: Event) -> dict[str, JSON]:
    """Return what a record has of an event: all but the two that only say what a payment is part of."""
    fields: dict[str, JSON] = event._asdict()
    if isinstance(event, Paid):
        del fields["stake"], fields["pot"]
    return fields


def sums_of(hand: Hand) -> dict[str, JSON]:
    """Return {"wagered", "returned", "net"} of a hand that is over, as the rules give them."""
    wagered, returned = spots_of(hand)
    net = {seat: sum(returned[seat].values()) - sum(wagered[seat].values()) for seat in wagered}
    return {"wagered": wagered, "returned": returned, "net": net}


def spots_of(
    hand: Hand, void_seats: Collection[str] = ()
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """Return (wagered, returned) by seat and spot, prizes of the progressive included.

    Every seat is included, even without a stake, and every spot that the game declares. The result must not be
    modified.
    """
    return _count_spots(hand, void_seats) if void_seats else hand.once(_count_spots)


def _count_spots(
    hand: Hand, void_seats: Collection[str] = ()
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    game = GAMES[hand.deal.game]
    wagered, returned = hand.wagered(), hand.returned()
    for stake in hand.deal.stakes:
        wagered.setdefault(str(stake.seat), {})
        returned.setdefault(str(stake.seat), {})
    if game.meter and not hand.is_void:
        for seat, prize in settle_jackpot(hand, void_seats).prizes.items():
            returned[seat][game.meter.spot] = prize

    def complete(by_seat: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
        return {seat: dict.fromkeys(game.all_spots, 0) | amounts for seat, amounts in by_seat.items()}

    return complete(wagered), complete(returned)


def settle_jackpot(hand: Hand, void_seats: Collection[str] = ()) -> Settlement:
    """Return the effect of a finished hand on the meter of its deal; a void hand or seat wins nothing (G6)."""
    meter, deal = GAMES[hand.deal.game].meter, hand.deal
    assert meter is not None
    if hand.is_void:
        return meter.settle(deal.options, deal.jackpot, 0, {})
    coins = sum(meter.spot in stake.bets for stake in deal.stakes)
    won = [event for event in hand.events if isinstance(event, Won) and event.seat not in void_seats]
    return meter.settle(deal.options, deal.jackpot, coins, {event.seat: event.prize for event in won})


def parse_record(record: JSON) -> tuple[Deal, list[Move]]:
    """Parse a checked deal and its moves, not yet played. Raises IllegalDeal, or IllegalMove for a malformed move."""
    deal, moves = _parse_deal(record)
    return deal, [parse_move(move) for move in moves]


def _parse_deal(record: JSON) -> tuple[Deal, list[JSON]]:
    """Parse a checked deal, and return it with the moves as the record has them."""
    check(isinstance(record, dict), "A record must be a JSON object.")
    beacon = None
    if "v" in record:
        record, beacon = _read_version_2(record)
    game = GAMES.get(record["game"]) if isinstance(record.get("game"), str) else None
    if game is None:
        raise IllegalDeal("A record must name its game: {games}.", None, games=", ".join(GAMES))
    rules = _get_field(record, "rules", int, game.rules)
    check(game.knows(rules), "These rules (version {rules}) are not installed here.", None, rules=game.rules)
    _get_field(record, "commit", str, "")
    options = game.parse_options(_get_field(record, "options", dict, {}))
    stakes = tuple(_parse_stake(game, stake) for stake in _get_field(record, "stakes", list))
    check(bool(stakes), "A hand needs at least one stake.")
    deck, dice, seed = _parse_cards(game, options, record, beacon)
    meter = _get_field(record, "jackpot", int, None) if game.meter else None
    check(meter is None or 0 <= meter < 10**18, "The meter must be an amount in minor units.", "G2")
    deal = Deal(game.name, options, stakes, deck, dice, seed, meter, rules)
    check_deal(deal)
    return deal, _get_field(record, "moves", list, [])


def _read_version_2(record: Mapping[str, JSON]) -> tuple[dict[str, JSON], str]:
    """Return the terms of the commitment where a plain record has them, and the beacon's randomness."""
    check(type(record["v"]) is int and record["v"] == 2, "A record must be of version 2 or have no version.")
    commitment = _get_field(record, "promise", dict)
    beacon = _get_field(_get_field(record, "beacon", dict), "randomness", str) if "beacon" in record else ""
    check(_is_text(beacon), "The randomness of a beacon must be hexadecimal.")
    server = _get_field(record, "seed", dict).get("server")
    check(not isinstance(server, str) or server == server.lower(), "Use lower-case hexadecimal digits.")
    committed = {name: _get_field(commitment, name, kind) for name, kind in _COMMITTED.items()}
    return {**{name: record[name] for name in _OF_A_HAND if name in record}, **committed}, beacon


# The terms of a deal in a commitment, and the other keys of a version 2 record.
_COMMITTED = {"game": str, "rules": int, "options": dict}
_OF_A_HAND = ("deck", "dice", "jackpot", "moves", "seed", "stakes", "start")


def write_record(deal: Deal, moves: Sequence[Move], **more: JSON) -> dict[str, JSON]:
    """Make the record of a hand; `more` are keys that this package does not know (hand, commit)."""
    record: dict[str, JSON] = {"game": deal.game, "rules": deal.rules, **more, "options": write_options(deal)}
    if deal.seed is None:
        record["deck"] = list(deal.deck)
        if deal.dice is not None:
            record["dice"] = list(deal.dice)
    else:
        record["seed"] = {"server": deal.seed.server.hex(), "cuts": list(deal.seed.cuts)}
        record["start"] = deal.seed.start
    if deal.jackpot is not None:
        record["jackpot"] = deal.jackpot
    record["stakes"] = write_stakes(deal)
    record["moves"] = [str(move) for move in moves]
    return record


def write_stakes(deal: Deal) -> list[JSON]:
    """Return the stakes as a record has them."""
    return [_write_stake(stake, GAMES[deal.game]) for stake in deal.stakes]


def terms_of(record: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return what names game, rules and options of a record: its commitment, or a plain record itself."""
    terms: Mapping[str, JSON] = record["promise"] if "v" in record else record
    return terms


def write_options(deal: Deal) -> dict[str, JSON]:
    """Return the options of a deal that `differing` keeps."""
    return differing(GAMES[deal.game], deal.options)


def differing(game: Game, options: Options) -> dict[str, JSON]:
    """Return the options that differ from the defaults; all of them if a default depends on another option."""
    given = vars(options)
    defaults = vars(game.parse_options({}))
    different = {name: value for name, value in given.items() if value != defaults[name]}
    try:
        return different if game.parse_options(different) == options else dict(given)
    except IllegalDeal:
        return dict(given)


def shuffled(game: Game, options: Options, seed: Seed) -> tuple[tuple[str, ...], tuple[int, int] | None]:
    """Return the deck that is left after `seed.start` cards, and the dice, which are drawn first."""
    full = game.full_deck(options)
    stream = Stream(seed.server, seed.cuts, seed.beacon)
    dice = stream.dice() if game.dice else None
    return stream.shuffle(full)[seed.start :], dice


def _parse_cards(
    game: Game, options: Options, record: Mapping[str, JSON], beacon: str | None
) -> tuple[tuple[str, ...], tuple[int, int] | None, Seed | None]:
    check(("deck" in record) != ("seed" in record), "A record must have either a deck or a seed.")
    if "deck" in record:
        deck = _get_field(record, "deck", list)
        check(all(isinstance(card, str) for card in deck), "A deck must be a list of cards.", "G1")
        check("start" not in record or record["start"] == 0, "Only a record with a seed can have a start.")
        return tuple(deck), _parse_dice(game, record), None
    check("dice" not in record, "Dice are allowed only with an explicit deck.", game.dice or _clause_of(_dice))
    given = _get_field(record, "seed", dict)
    server, cuts, start = (
        _get_field(given, "server", str),
        _get_field(given, "cuts", list, []),
        _get_field(record, "start", int, 0),
    )
    check(bool(_HEX.fullmatch(server)), "A server seed must be 64 hexadecimal digits.")
    check(all(isinstance(cut, str) and _is_text(cut) for cut in cuts), "Cuts must be a list of texts.")
    size = len(game.full_deck(options))
    check(0 <= start < size, "The start must be inside the shoe.", _shoe(game) or _clause_of(_shoe))
    check(start == 0 or game.shoe is not None, "Only a shoe can have a start; this game uses a new deck.")
    seed = Seed(bytes.fromhex(server), tuple(cuts), start, beacon)
    deck, dice = shuffled(game, options, seed)
    return deck, dice, seed


def _parse_dice(game: Game, record: Mapping[str, JSON]) -> tuple[int, int] | None:
    if not game.dice:
        if "dice" in record:
            raise IllegalDeal("Only {games} has dice.", _clause_of(_dice), games=_names_of(_dice))
        return None
    dice = _get_field(record, "dice", list)
    check(
        len(dice) == 2 and all(type(die) is int and 1 <= die <= 6 for die in dice),
        "{game} needs two dice of 1 to 6.",
        game.dice,
        game=game.name.capitalize(),
    )
    return dice[0], dice[1]


def _parse_stake(game: Game, given: JSON) -> Stake:
    check(isinstance(given, dict), "A stake must be an object with seat, player and bets.")
    unknown = given.keys() - {"seat", "player", "bets", "follow", "stack"} - ({"post"} if game.posts else set())
    check(not unknown, "A stake must not contain {names}.", None, names=", ".join(sorted(unknown)))
    seat, player = _get_field(given, "seat", int), _get_field(given, "player", str)
    check(1 <= seat < 10**9, "Seats are numbered from 1.")
    plain = bool(player) and not re.search(r"[\s/]", player) and _is_text(player)
    check(plain, "A player's name must not contain a space or a /.")
    check("bets" not in given or not game.stacks, "A stake with a stack must not have bets.", game.stacks)
    bets = _get_field(given, "bets", dict, {} if game.stacks else None)
    check(bets is not None, "A stake needs bets.")
    for spot, amount in bets.items():
        check(spot in game.spots, "There is no bet {spot} in this game.", None, spot=spot)
        check(type(amount) is int and amount > 0, "A bet must be a whole number of minor units.", "G2")
    if "follow" in given and not game.follow:
        raise IllegalDeal("Only {games} has followers.", _clause_of(_follow), games=_names_of(_follow))
    if ("stack" in given) != bool(game.stacks):
        clause, names = game.stacks or _clause_of(_stacks), _names_of(_stacks)
        raise IllegalDeal("Stacks are for {games}, where a stack is required.", clause, games=names)
    follow, stack = _get_field(given, "follow", bool, False), _get_field(given, "stack", int, 0)
    check(0 <= stack < 10**15 and (stack > 0 or not game.stacks), "A stack must be more than 0.", "G2")
    return Stake(seat, player, dict(bets), follow, stack, _parse_post(game, given))


def _parse_post(game: Game, given: Mapping[str, JSON]) -> str:
    if "post" not in given:
        return ""
    words = ", ".join(game.posts)
    post: str = _get_field(given, "post", str)
    check(post in game.posts, "A post must be one of: {words}.", [*game.posts.values()][-1], words=words)
    return post


def _write_stake(stake: Stake, game: Game) -> dict[str, JSON]:
    written: dict[str, JSON] = {"seat": stake.seat, "player": stake.player}
    written |= {"stack": stake.stack} if game.stacks else {"bets": dict(stake.bets)}
    return written | ({"follow": True} if stake.follow else {}) | ({"post": stake.post} if stake.post else {})


def parse_move(text: JSON) -> Move:
    """Parse `SEAT WORD [ARGUMENT]` or `void`: single spaces, nothing around them."""
    parts = text.split() if isinstance(text, str) else []
    if text == VOID:
        return Move("", VOID)
    if len(parts) not in (2, 3) or " ".join(parts) != text or not _SEAT.fullmatch(parts[0]) or parts[1] == VOID:
        raise IllegalMove("A move must be SEAT WORD [ARGUMENT], with single spaces.")
    return Move(*parts)


def _is_text(text: str) -> bool:
    """Check for text without lone surrogates, which JSON allows and UTF-8 does not."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


# Keys of some games only; a record of another game that has one is refused by the clause of the first.
_Has = Callable[[Game], str]


def _dice(game: Game) -> str:
    return game.dice


def _shoe(game: Game) -> str:
    return game.shoe.clause if game.shoe else ""


def _stacks(game: Game) -> str:
    return game.stacks


def _follow(game: Game) -> str:
    return game.follow


def _clause_of(has: _Has) -> str | None:
    return next(filter(None, map(has, GAMES.values())), None)


def _names_of(has: _Has) -> str:
    return ", ".join(game.name for game in GAMES.values() if has(game))


_REQUIRED = object()


def _get_field(given: Mapping[str, JSON], key: str, kind: type, default: Any = _REQUIRED) -> Any:
    value = given.get(key, default)
    if type(value) is kind:
        return value
    check(value is not _REQUIRED, "{key} is missing.", None, key=key)
    check(
        key not in given or type(value) is kind,
        "{key} has the wrong type.",
        None,
        key=key,
    )
    return value
