"""The commitment, made before the first bet, and its commit, which players see.

No randomness here: the caller draws the 32 bytes of the seed.
"""

import hashlib
import unicodedata
from typing import Any

from engine.errors import IllegalDeal
from engine.fairness import shape
from engine.fairness.canonical import JSON, digest
from engine.fairness.shape import Wrong
from engine.felt import Game, Options
from engine.games import GAMES

Commitment = dict[str, JSON]

LONGEST_CUT = 64
NO_GAME = "there is no game"
_WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_is_digest = shape.is_hex(64)
_KEYS: dict[str, shape.Check] = {
    "v": lambda value: type(value) is int and value == 2,
    "house": _is_digest,
    "casino": shape.is_text,
    "log": shape.is_positive,
    "table": shape.is_text,
    "hand": shape.is_text,
    "game": shape.is_text,
    "rules": shape.is_number,
    "options": lambda value: isinstance(value, dict),
    "previous": lambda value: value == "" or _is_digest(value),
    "beacon": lambda value: isinstance(value, bool),
    "opens": shape.is_number,
    "seed": _is_digest,
}


def make_commitment(
    *,
    house: str,
    casino: str,
    log: int,
    table: str,
    hand: str,
    game: str,
    options: Options,
    previous: str,
    server: bytes,
    beacon: bool = False,
    opens: int = 0,
    rules: int | None = None,
) -> Commitment:
    """Make a commitment, with the hash of the 32 secret bytes `server`; `rules` defaults to the current version.

    Not checked, because its maker has what it names: readers call `check_commitment`.
    """
    return {
        "v": 2,
        "house": house,
        "casino": casino,
        "log": log,
        "table": table,
        "hand": hand,
        "game": game,
        "rules": GAMES[game].rules if rules is None else rules,
        "options": written_out(options),
        "previous": previous,
        "beacon": beacon,
        "opens": opens,
        "seed": hash_seed(server),
    }


def written_out(options: Options) -> dict[str, JSON]:
    """Return every option of the game by name, derived ones included."""
    return {name: dict(value) if hasattr(value, "items") else value for name, value in vars(options).items()}


def hash_seed(server: bytes) -> str:
    """Hash a server seed for its commitment: hex H("ridotto 2" || seed)."""
    return hashlib.sha256(b"ridotto 2" + server).hexdigest()


def commit_to(commitment: Commitment) -> str:
    """Return the commit: the hash of a commitment, hex H(C(commitment)), which players see before the first bet."""
    return digest(commitment)


def check_commitment(commitment: JSON) -> Options:
    """Check a commitment and return its options. Raises Wrong if it is malformed or its rules cannot be played."""
    shape.check_keys(commitment, _KEYS, "the promise")
    game = GAMES.get(commitment["game"])
    if game is None:
        raise Wrong(f"{NO_GAME} {shape.quote(commitment['game'])} here")
    if not game.knows(commitment["rules"]):
        raise Wrong(f"these rules of {game.name} are not known here; they are version {game.rules}")
    try:
        options = game.parse_options(commitment["options"])
    except IllegalDeal as refused:
        raise Wrong(f"its options cannot be: {refused}") from None
    if written := _difference(written_out(options), commitment["options"]):
        raise Wrong(f"its options do not say {written}")
    # Only games between players have folds, after which cards stay secret.
    if commitment["opens"] and not game.stacks:
        raise Wrong("the seed of this game is shown when the hand is over, and opens is 0")
    return options


def _difference(options: dict[str, Any], given: dict[str, JSON]) -> str:
    """Return the first option that is missing or given with another value than is played; "" if there is none."""
    return next((name for name, value in options.items() if name not in given or given[name] != value), "")


def shoe_of(game: Game, options: Options) -> tuple[int, int]:
    """Return (cards, cards to deal before a shuffle); the second is 0 without a continuing shoe."""
    cards = len(game.full_deck(options))
    return cards, -(-cards * game.shoe.penetration(options) // 10000) if game.shoe else 0


def check_cuts(cuts: JSON) -> list[str]:
    """Check the cuts of a hand: each in its form, sorted by code point. Raises Wrong."""
    if not isinstance(cuts, list):
        raise Wrong("cuts are a list")
    for cut in cuts:
        if not isinstance(cut, str) or not 1 <= len(cut) <= LONGEST_CUT:
            raise Wrong(f"a cut is a text of 1 to {LONGEST_CUT} code points")
        if cut[0] in _WHITE_SPACE or cut[-1] in _WHITE_SPACE:
            raise Wrong("a cut has white space at an end")
        if not unicodedata.is_normalized("NFC", cut):
            raise Wrong("a cut is not in NFC")
        if any(unicodedata.category(letter) == "Cc" for letter in cut):
            raise Wrong("a cut has a control character")
    if cuts != sorted(cuts):
        raise Wrong("cuts must be ordered by code point")
    return cuts


is_opened_cut = shape.is_hex(64)
"""Test whether a cut of a mixed list is an opened sealed one (engine.fairness.seals); others are public."""


def normalise_cut(text: str) -> str:
    """Normalise a player's text to a public cut. Raises Wrong where it cannot be one."""
    cut = unicodedata.normalize("NFC", text)
    begin, end = 0, len(cut)
    while begin < end and cut[begin] in _WHITE_SPACE:
        begin += 1
    while begin < end and cut[end - 1] in _WHITE_SPACE:
        end -= 1
    cut = cut[begin:end]
    if is_opened_cut(cut):
        raise Wrong("a public cut is not 64 hexadecimal digits")
    return check_cuts([cut])[0]
