"""Check the file of a deal of the day: the record of its deck, and every line of play on it."""

from bot.verifier.records import OK, Answer, verify_record
from engine.daily import WHY, DailyDeal, score_of
from engine.errors import Illegal
from engine.fairness import shape
from engine.fairness.beacon import ChainInfo
from engine.fairness.canonical import JSON
from engine.fairness.commitment import check_commitment
from engine.felt import Limits

_PLAY: dict[str, shape.Check] = {
    "player": shape.is_text,
    "score": shape.is_number,
    "moves": lambda value: isinstance(value, list) and all(isinstance(word, str) for word in value),
}


def is_deal(record: JSON) -> bool:
    """Return whether it is such a file and no record of a hand."""
    return isinstance(record, dict) and "deal" in record and not record.keys() & {"v", "game"}


def verify_deal(kept: dict[str, JSON], house: str | None = None, chain: ChainInfo | None = None) -> Answer:
    """Return what `ridotto verify` prints: the checks of the deck's record, and `plays`."""
    record = kept["deal"] if isinstance(kept["deal"], dict) else {}
    answer = verify_record(record, house, chain)
    try:
        _check_plays(record, kept.get("plays"))
        plays = OK
    except (shape.Wrong, Illegal) as why:
        plays = f"wrong: {why}"
    is_verified = answer["verified"] and plays == OK
    return answer | {"verified": is_verified, "checks": answer["checks"] | {"plays": plays}}


def _check_plays(record: dict[str, JSON], plays: JSON) -> None:
    """Play every line again. Raises Wrong or Illegal."""
    if record.get("void") != WHY:
        raise shape.Wrong(f"it is no record of a {WHY}")
    commitment: JSON = record.get("promise")
    seed = record.get("seed")
    options = check_commitment(commitment)
    server = seed.get("server") if isinstance(seed, dict) else None
    if not (isinstance(options, Limits) and isinstance(server, str) and shape.is_hex(64)(server)):
        raise shape.Wrong("it has no deck of a game against the bank")
    deal = DailyDeal(commitment["game"], commitment["rules"], options, bytes.fromhex(server))
    if not isinstance(plays, list):
        raise shape.Wrong("plays are a list")
    for number, play in enumerate(plays):
        shape.check_keys(play, _PLAY, f"line of play {number}")
        score = score_of(deal, play["moves"])
        if score != play["score"]:
            raise shape.Wrong(f"line of play {number} ends with {score} and not with {play['score']}")
