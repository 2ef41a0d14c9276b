"""Commitment, commit, cuts and the resulting deck."""

import hashlib
import hmac
import json
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FRENCH, PAIJU, POCKETS
from engine.fairness.commitment import check_commitment, check_cuts, commit_to, make_commitment, normalise_cut, shoe_of
from engine.fairness.shape import Wrong
from engine.games import GAMES
from engine.record import shuffled
from engine.shuffler import Seed, Stream

SERVER = bytes(range(32))


@pytest.mark.parametrize("game", GAMES)
def test_fairness_1_a_commitment_has_every_option_written_out(game: str) -> None:
    options = GAMES[game].parse_options({})
    commitment = make_commitment(
        house="ab" * 32, casino="17", log=1, table="t", hand="1", game=game, options=options, previous="", server=SERVER
    )
    assert list(commitment) == "v house casino log table hand game rules options previous beacon opens seed".split()
    assert commitment["options"].keys() == vars(options).keys()
    assert check_commitment(json.loads(json.dumps(commitment))) == options
    assert commitment["seed"] == hashlib.sha256(b"ridotto 2" + SERVER).hexdigest()
    text = json.dumps(commitment, sort_keys=True, separators=(",", ":"))
    assert commit_to(commitment) == hashlib.sha256(text.encode()).hexdigest()


def test_fairness_1_computed_options_are_written_out() -> None:
    game = GAMES["stud"]
    commitment = make_commitment(
        house="ab" * 32,
        casino="17",
        log=1,
        table="t",
        hand="1",
        game="stud",
        options=game.parse_options({"lower": 1000}),
        previous="",
        server=SERVER,
        opens=24,
    )
    assert {name: commitment["options"][name] for name in ("lower", "upper", "ante")} == {
        "lower": 1000,
        "upper": 2000,
        "ante": 125,
    }
    with pytest.raises(Wrong, match="upper"):
        check_commitment(
            commitment | {"options": {"lower": 1000, "ante": 125, "unit": 1, "bring_in_may_complete": False}}
        )


def by_the_book(server: bytes, cuts: list[str], beacon: str) -> list[int]:
    """Return the first 400 words of section 4."""
    message = json.dumps({"beacon": beacon, "cuts": cuts}, ensure_ascii=False, separators=(",", ":")).encode()
    key = hmac.new(server, message, hashlib.sha256).digest()
    blocks = [hmac.new(key, struct.pack(">Q", i), hashlib.sha256).digest() for i in range(50)]
    return [word for block in blocks for word in struct.unpack(">8I", block)]


@pytest.mark.parametrize(("cuts", "beacon"), [([], ""), (["a", "b"], ""), (["città"], "ab" * 32)])
def test_fairness_4_words_follow_from_seed_cuts_and_beacon(cuts: list[str], beacon: str) -> None:
    words = by_the_book(SERVER, cuts, beacon)
    stream = Stream(SERVER, cuts, beacon)
    assert [stream.below(2**32) for _ in range(400)] == words
    assert Stream(SERVER, cuts).below(2**32) != words[0]


@pytest.mark.parametrize("game", GAMES)
def test_fairness_4_the_deck_is_shuffled_from_the_last_card_down_dice_first(game: str) -> None:
    declared = GAMES[game]
    options = declared.parse_options({})
    full = declared.full_deck(options)
    words = iter(by_the_book(SERVER, ["x"], "cd" * 32))

    def below(n: int) -> int:
        return next(word for word in words if word < n * (2**32 // n)) % n

    dice = (1 + below(6), 1 + below(6)) if full == PAIJU else None
    deck = list(full)
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    assert set(full) <= {*FRENCH, *POCKETS} or dice is not None
    assert shuffled(declared, options, Seed(SERVER, ("x",), 0, "cd" * 32)) == (tuple(deck), dice)


def test_fairness_4_cuts_are_no_joined_lines_any_more() -> None:
    """Version 1 did not distinguish the cuts a, b from the one cut "a\\nb"."""
    assert Stream(SERVER, ["a", "b"], "").below(2**32) != Stream(SERVER, ["a\nb"], "").below(2**32)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (" anna ", "anna"),
        ("citta\u0300", "città"),
        ("x" * 64, "x" * 64),
        ("\u3000\x85🃏\n", "🃏"),
        ("a\u2028b", "a\u2028b"),
    ],
)
def test_fairness_4_a_cut_is_composed_and_has_no_white_space_at_its_ends(text: str, cut: str) -> None:
    assert normalise_cut(text) == cut
    assert check_cuts([cut]) == [cut]


@pytest.mark.parametrize("text", ["", "   ", "x" * 65, "a\nb", "a\x00b", "\x1b[2J", "\x1ca", "\x7f"])
def test_fairness_4_what_is_no_cut(text: str) -> None:
    with pytest.raises(Wrong, match="cut"):
        normalise_cut(text)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=70))
def test_fairness_4_a_cut_stays_as_it_is(text: str) -> None:
    try:
        cut = normalise_cut(text)
    except Wrong:
        return
    assert normalise_cut(cut) == cut
    assert check_cuts([cut, cut]) == [cut, cut]


@pytest.mark.parametrize("cuts", [["b", "a"], ["é", "z"], "a", [5], None, ["a "], ["a", ""]])
def test_fairness_4_cuts_stand_by_code_point(cuts: object) -> None:
    with pytest.raises(Wrong):
        check_cuts(cuts)
    assert check_cuts(["Z", "a", "a", "é", "🃏"])


def test_BJ7_a_shoe_goes_on_until_its_part_has_come_out() -> None:
    game = GAMES["blackjack"]
    assert shoe_of(game, game.parse_options({})) == (312, 0)
    assert shoe_of(game, game.parse_options({"penetration": 7500})) == (312, 234)
    assert shoe_of(game, game.parse_options({"penetration": 1, "decks": 1})) == (52, 1)
    assert shoe_of(GAMES["uth"], GAMES["uth"].parse_options({})) == (52, 0)
