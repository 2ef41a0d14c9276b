"""Screens made by hand, one of each game at its payment and in play, for the tests of pictures."""

from msgspec.structs import replace

from bot.texts import Text
from bot.view import Button, Pile, Screen, Seat, SpotChips
from engine.felt import Amount, Word

NAMES = ("Anna", "Bea", "Cleo", "Dora", "Elio", "Furio", "Gino", "Ilia")
RESULTS = (("win", 30000), ("lose", -125000), ("push", 0))
DECK = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]


def blank(game, **fields):
    base = {
        "table": 1, "number": 3, "game": game, "phase": "playing", "viewer": None,
        "headline": Text("In play: waiting for {names}.", names=["Cleo"]), "call": None,
        "limits": Text("{least} to {most} in steps of {step}", least=Amount(1000), most=Amount(100000),
                       step=Amount(500)),
        "meter": None, "hand_id": 12, "commit": "4be1a2c97d0011", "bank": (), "seats": (), "spots": (), "pot": None,
        "lines": (), "bets": (), "moves": (), "more": (), "holds": (), "deadline": None, "waits_s": 0.0, "cuts": (),
        "last_hand": None, "dice": None, "version": 1,
    }  # fmt: skip
    return Screen(**{**base, **fields})


def lying(**spots):
    return tuple(SpotChips(spot, Text("{spot}", spot=Word(spot)), Amount(n), Amount(n)) for spot, n in spots.items())


def dealt(start, count, *, hidden=False):
    return ("??",) * count if hidden else tuple(DECK[(start + at) % 52] for at in range(count))


def seat(number, piles, chips, *, over, turn=3, **more):
    result, net = RESULTS[number % 3] if over else ("", None)
    asked = number == turn and not over
    return Seat(
        str(number), NAMES[number - 1], False, tuple(piles), chips, state="thinking" if asked else "raised",
        is_turn=asked, result=result, net=Amount(net) if net is not None else None, **more,
    )  # fmt: skip


def hand(cards, worth=None):
    return Pile(Text("Cards"), tuple(cards), worth)


def caribbean(over):
    seats = [
        seat(n, [hand(dealt(5 * n, 5, hidden=not over or n == 2))], lying(ante=5000 * n, bet=10000 * n), over=over)
        for n in (1, 2, 3, 4, 6, 7)
    ]
    seats[0] = seats[0]._replace(chips=seats[0].chips + lying(jackpot=100))
    seats.insert(4, Seat("5", "", False, state="free"))
    cards = dealt(40, 5) if over else ("??", "??", "??", "??", "Ah")
    bank = (Pile(Text("Dealer"), cards, Text("pair of {a}", a=Word("aces")) if over else None),)
    return blank("caribbean", bank=bank, seats=tuple(seats), meter=Amount(1234500))


def uth(over):
    seats = [
        seat(n, [hand(dealt(2 * n, 2, hidden=not over))], lying(ante=1000, blind=1000, trips=500, play=4000), over=over)
        for n in range(1, 7)
    ]
    board = dealt(20, 5) if over else (*dealt(20, 3), "??", "??")
    bank = (Pile(Text("Board"), board), Pile(Text("Dealer"), dealt(30, 2, hidden=not over)))
    return blank("uth", bank=bank, seats=tuple(seats))


def paiju(over):
    hands = (("south", "JK", "3d", 20), ("west", "Th", "4d", 4), ("north", "8s", "9c", 7), ("east", "Qh", "9d", 12))
    bank = tuple(
        Pile(Text("{area}", area=Word(place)), (one, two), Text("{score}", score=score))
        for place, one, two, score in hands if over
    )  # fmt: skip
    spots = [("south", 125000), ("west", 500), ("south-west", 2500), ("north-south", 99900)]
    areas = tuple(SpotChips(a, Text("{area}", area=Word(a)), Amount(500), Amount(total)) for a, total in spots)
    seats = tuple(seat(n, [], lying(south=5000 * n), over=over, turn=0) for n in range(1, 9))
    return blank("paiju", bank=bank, spots=areas, seats=seats, dice=(3, 6) if over else None)


def totalled(cards, total):
    return hand(cards, Text("{total}", total=total))


def blackjack(over):
    hands = {1: [totalled(("As", "Kh"), 21)], 2: [totalled(("8s", "Th"), 18), totalled(("8d", "3c", "9h"), 20)],
             4: [totalled(("Tc", "5h", "2d"), 17)] * 8,
             6: [totalled(("2c", "3h", "2d", "Ah", "4s", "5s"), 17)]}  # fmt: skip
    seats = [seat(n, piles, lying(main=5000 * n, admiral=1000, insurance=2500), over=over, turn=2)
             for n, piles in hands.items()]  # fmt: skip
    behind = tuple(SpotChips("main", Text("main"), Amount(2000), Amount(2000), name) for name in ("Bettina", "Ciro"))
    seats[0] = seats[0]._replace(chips=seats[0].chips + behind)
    bank = (Pile(Text("Dealer"), ("9d", "3d", "9s") if over else ("9d",), Text("{total}", total=21)),)
    return blank("blackjack", bank=bank, seats=tuple(seats))


def stud(over):
    def cards(n):
        seen = dealt(7 * n, 7)
        return seen if over else ("??", "??", *seen[2:6], "??")

    seats = tuple(
        seat(n, [hand(cards(n), Text("pair of {a}", a=Word("sevens")) if over else None)], lying(pot=4800),
             over=over, stack=Amount(100000 * n), is_dealer=n == 2)
        for n in range(1, 9)
    )  # fmt: skip
    return blank("stud", seats=seats, pot=Amount(38400))


GAMES = {"caribbean": caribbean, "uth": uth, "paiju": paiju, "blackjack": blackjack, "stud": stud}


def own(shown, at=0, cards=None):
    """Return the screen of the player on one of the seats, with choices."""
    seats = list(shown.seats)
    piles = tuple(pile._replace(cards=tuple(cards or pile.cards)) for pile in seats[at].piles)
    seats[at] = seats[at]._replace(is_viewer=True, piles=piles)
    moves = (
        Button(Text("{label} ({cost})", label=Text("Raise"), cost=Amount(20000)), "raise"),
        Button(Text("Fold"), "fold"),
    )
    return replace(shown, viewer=1, seats=tuple(seats), moves=moves)


def named(shown, *names):
    seats = (s._replace(name=names[at % len(names)]) if s.name else s for at, s in enumerate(shown.seats))
    return replace(shown, seats=tuple(seats))
