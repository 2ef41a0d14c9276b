"""Sensible lines by verb, and slightly wrong ones."""

from random import Random
from typing import Any

from bot.core.command_list import CHAT_COMMANDS
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS
from bot.texts import LANGUAGES
from tests.fuzz.counter import PEOPLE, PLACES, WORDS, Counter
from tests.fuzz.odd import ODD_TEXTS

SENSIBLE: dict[str, tuple[str, ...]] = {
    "bet": (
        "50",
        "ante 50",
        "50 jackpot",
        "ante 20 trips 10",
        "west 20",
        "south-west 50 north 20",
        "3 20",
        "1 30 admiral 10",
        "half",
        "all",
        "x2",
        "2.5",
        "1k",
    ),
    "buyin": ("320", "320 2", "500 5", "max"),
    "topup": ("100", "max"),
    "sit": ("", "1", "4"),
    "cut": ("good luck",),
    "play": ("1", "2", "3", "4"),
    "exchange": ("1", "5"),
    "insure": ("5", "10", "half"),
    "squeeze": ("", "off", "1", "2"),
    "standing": ("off", "check", "fold", "raise", "call", "stand", "decline"),
    "follow": ("on", "off"),
    "give": ("Bea 5", "Anna 5"),
    "statement": ("", "2", "csv"),
    "history": ("", "2"),
    "review": ("", "2", "0"),
    "leaderboard": ("", "week", "hide", "1"),
    "verify": ("1", "2", "7"),
    "help": ("", "bet", "table open"),
    "rules": ("", "stud", "table", "changes", "2", "G5", "uth 2 UT9"),
    "paytable": ("", "uth"),
    "odds": ("", "paiju"),
    "language": tuple(LANGUAGES),
    "pause": ("1", "loss 50", "minutes 60", "off loss", "quiet"),
    "casino choose": ("", "1", "Lounge"),
    "house set": ("start 500 test", "name Fenice test", "daily 100 test", "most_percent 50 test"),
    "table mirror": ("1", "off"),
    "meter reset": ("test", "5000 test"),
    "meter set": ("5000 test", "coin 2 test", "contribution 5000 test", "four 600 test"),
    "meter confirm": ("", "1 1"),
    "meter reject": ("1 1 test",),
    "table open": ("caribbean", "stud", "uth test"),
    "table close": ("test",),
    "table pause": ("test",),
    "table resume": ("", "test"),
    "table set": ("minimum 20", "betting_s 5", "pace fast", "seats 3", "maximum 500 test"),
    "table turner": ("north Anna",),
    "table refuse": ("Bea test",),
    "noncoup": ("test",),
    "void": ("1 test", "2 1 test"),
    "grant": ("Anna 100 test", "Bea 50 test"),
    "take": ("Anna 10 test",),
    "adjust": ("1 Anna 10 test", "1 Anna -10 test"),
    "ban": ("Bea test",),
    "unban": ("Bea test",),
    "inspector add": ("Anna",),
    "inspector remove": ("Anna test",),
    "audit": ("", "Marco", "Marco grant"),
    "settings": ("", "tables", "people", "log 2", "table 1", "option 1 minimum"),
    "export": ("", "30 test"),
}
# Weights that keep chips in play and make commands that end it rare.
_PLAYING = ("bet", "bet", "bet", "buyin", "rebet", "ready", "raise", "fold", "check", "play", "stand", "hit", "call")
_ENDING = ("table close", "house reset", "ban", "table pause", "pause", "table refuse")
_OTHERS = tuple(verb for verb in CHAT_COMMANDS if verb not in _ENDING)
_WHERE = (
    *PLACES,
    *PLACES[: len(PLAYS)],
    *PLACES[: len(PLAYS)],
    Place("web", "99"),
    Place("web", ""),
    Place("nowhere", "1"),
)
_FRESH = ("1", "1.0", "9.9", "x", "1.x", "\0", "9" * 30, "-1", "1.1.1")
Said = tuple[str, Place, str, tuple[str, ...], dict[str, Any]]


def say_something(random: Random) -> Said:
    """Return a random sender, place, verb, arguments, and a button's precondition."""
    verb = random.choice(random.choice((_PLAYING, _PLAYING, _OTHERS, _OTHERS, _OTHERS, tuple(CHAT_COMMANDS))))
    words = random.choice(SENSIBLE.get(verb, ("", "test"))).split()
    beside = random.randrange(10)
    if beside == 0:
        words = [_odd_word(random) for _ in range(random.randrange(7))]
    elif beside == 1:
        words.insert(random.randint(0, len(words)), _odd_word(random))
    elif beside == 2 and words:
        words[random.randrange(len(words))] = _odd_word(random)
    more: dict[str, Any] = {"confirmed": random.random() < 0.5}
    if random.random() < 0.1:
        more["fresh"] = random.choice(_FRESH)
    who = random.choice(
        ("anna", "bea", "marco", "marco") if CHAT_COMMANDS[verb].group == "inspectors" else sorted(PEOPLE)
    )
    return who, random.choice(_WHERE), verb, tuple(words), more


def _odd_word(random: Random) -> str:
    return random.choice(random.choice((WORDS, ODD_TEXTS)))


def answer_somebody(random: Random, counter: Counter) -> Said | None:
    """Return a possible choice of a player to move, at any table."""
    house = counter.writer.state
    asked = [(table, seat) for table in house.tables.values() if table.round.hand for seat in table.round.hand.asks]
    if not asked:
        return None
    table, seat = random.choice(asked)
    assert table.round.hand is not None
    offer = random.choice(table.round.hand.asks[seat])
    owner = house.players[table.owners()[seat]].own_name
    words = str(random.randint(offer.least, offer.most) // 100) if offer.most else offer.argument
    word = offer.word if offer.word in CHAT_COMMANDS else "check"
    return owner.lower(), Place("web", str(table.number)), word, tuple(words.split()), {}
