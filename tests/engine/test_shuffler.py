"""Golden vectors of the committed shuffle, written out, so that another language can reproduce it.

commit = SHA-256(seed); key = HMAC-SHA256(seed, the cuts joined by line feeds); block i = HMAC-SHA256(key, i as 8 bytes,
big-endian), eight 32-bit big-endian words each; below(n) skips words from n * floor(2^32 / n) on, then takes the word
mod n. The shuffle runs from the last index down. A deck's digest is the SHA-256 of its words joined by spaces.
"""

import hashlib
from itertools import islice
from typing import NamedTuple

import pytest

from engine.cards import FRENCH, PAIJU
from engine.games import GAMES
from engine.record import shuffled
from engine.shuffler import Seed, Stream, commit

SEED_OF_A_HIGH_WORD = 1793


class Shuffled(NamedTuple):
    first: str
    digest: str


class Vector(NamedTuple):
    server: str
    cuts: tuple[str, ...]
    commit: str
    words: str
    one_deck: Shuffled
    six_decks: Shuffled
    dice: tuple[int, int]
    paiju: Shuffled


VECTORS = [
    Vector(
        server="0000000000000000000000000000000000000000000000000000000000000000",
        cuts=(),
        commit="66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
        words="2df84110 9a7ee919 e2cdfa7e 4b30fa5e a59676ce ba282f83 e12ea03b ce62e37a 7ad19399",
        one_deck=Shuffled(
            "Jh Td Jc 8h 4s 8c 8d 9c", "f3fd3768063c036f3765017cf191c46c88944820a9830fda1d125a5c11cf949d"
        ),
        six_decks=Shuffled(
            "3s 5h Ah 5s 4s Qc 6c As", "d329e23811b999c714bc3f0edb6674c052f76ba4390d15ef245f21873a0e1d5e"
        ),
        dice=(3, 2),
        paiju=Shuffled("4h Th 5h 6c Ts 8c Qd 9d", "91b55861ca1c2c9e1bbc44d48e3628bfe8879fe7991fb624565d3b2006842879"),
    ),
    Vector(
        server="000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        cuts=("12", "anna", "Buona fortuna, città!"),
        commit="630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        words="9476c8cd 1d2039d1 828071c4 5d2642ba 9ef1111c 48091832 aef0caca 58e09dab fde3cdf0",
        one_deck=Shuffled(
            "8d 2d 6d 4h 9c 4c 9d 8h", "f1bf87c38119306e29d60e6f06a4360c0d29e65360164ff4191f0c684f7e461b"
        ),
        six_decks=Shuffled(
            "2d Qs Ts Qd 2d 8h Jd 9s", "0f0101a44c6cdc026bf5ef1ded837e9a35728d1eb5dda749c5bd8fb283867a30"
        ),
        dice=(6, 4),
        paiju=Shuffled("Jd 7h 7s 4s Qd Th 6h 7c", "efaf16abe9d1cb263bd7dff580a88a3f0e49581b69b25e18e578a51599991d29"),
    ),
    Vector(
        server="ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        cuts=("🃏",),
        commit="af9613760f72635fbdb44a5a0a63c39f12af30f950a6ee5c971be188e89c4051",
        words="e01fff7f 8eaadd8d 5f0d54ad 5a0fdcb6 55561a4d e52c1ab6 066af368 91e7ba28 402e3cfa",
        one_deck=Shuffled(
            "7c 9s 9c Qc Ts 8s Qd Th", "092ffb0b4f47ecf44a9d870971c13ad9df36364122b3a469ba784351ec90eeca"
        ),
        six_decks=Shuffled(
            "Ad 2h 4h 7c Kh 2h 2h 5c", "0d77aed47a0b6800e208221f77e1deaa55cb5d049c37b2108d2ccdf29e07660d"
        ),
        dice=(2, 6),
        paiju=Shuffled("Jh 7d 7s 4h 6h 8d 9d 4s", "4fc5503c0029e5eab4110bbe8e771b00922dd500eeaf61f01894431eb8f0451a"),
    ),
]


def digest(deck: tuple[str, ...]) -> str:
    return hashlib.sha256(" ".join(deck).encode()).hexdigest()


def check_shuffled(deck: tuple[str, ...], expected: Shuffled) -> None:
    assert " ".join(deck[:8]) == expected.first
    assert digest(deck) == expected.digest


def stream_of(vector: Vector) -> Stream:
    return Stream(bytes.fromhex(vector.server), vector.cuts)


@pytest.mark.parametrize("vector", VECTORS)
def test_fairness_1_the_commit_is_the_digest_of_the_raw_seed(vector: Vector) -> None:
    assert commit(bytes.fromhex(vector.server)) == vector.commit


@pytest.mark.parametrize("vector", VECTORS)
def test_fairness_4_words_follow_from_seed_and_cuts(vector: Vector) -> None:
    # A range of 2^32 lets every word pass as it is; the ninth comes from the second block.
    stream = stream_of(vector)
    assert " ".join(f"{stream.below(2**32):08x}" for _ in range(9)) == vector.words


@pytest.mark.parametrize("vector", VECTORS)
def test_fairness_4_decks_and_dice(vector: Vector) -> None:
    check_shuffled(stream_of(vector).shuffle(FRENCH), vector.one_deck)
    check_shuffled(stream_of(vector).shuffle(FRENCH * 6), vector.six_decks)
    stream = stream_of(vector)
    assert stream.dice() == vector.dice
    check_shuffled(stream.shuffle(PAIJU), vector.paiju)


def test_fairness_4_a_game_shuffles_its_own_deck_and_paiju_takes_its_dice_first() -> None:
    vector = VECTORS[1]
    seed = Seed(bytes.fromhex(vector.server), vector.cuts)
    known = {FRENCH: vector.one_deck, FRENCH * 6: vector.six_decks, PAIJU: vector.paiju}
    for game in GAMES.values():
        options = game.parse_options({})
        deck, dice = shuffled(game, options, seed)
        assert dice == (vector.dice if game.dice else None)
        if expected := known.get(game.full_deck(options)):
            check_shuffled(deck, expected)


def test_fairness_4_a_shoe_goes_on_where_it_stopped() -> None:
    game, seed = GAMES["caribbean"], Seed(bytes(32))
    whole, _ = shuffled(game, game.parse_options({}), seed)
    rest, _ = shuffled(game, game.parse_options({}), seed._replace(start=10))
    assert rest == whole[10:]


def test_fairness_4_below_passes_over_words_beyond_the_last_whole_multiple() -> None:
    # 2^32 holds 2^31 + 1 once: of these words, those from 80000001 on are passed over.
    words = [int(word, 16) for word in VECTORS[0].words.split()]
    small = [word for word in words if word < 2**31 + 1]
    assert small == [0x2DF84110, 0x4B30FA5E, 0x7AD19399]
    stream = stream_of(VECTORS[0])
    assert [stream.below(2**31 + 1) for _ in small] == small


def test_fairness_4_below_is_the_word_modulo_n() -> None:
    stream = stream_of(VECTORS[0])
    assert [stream.below(52) for _ in range(9)] == [int(word, 16) % 52 for word in VECTORS[0].words.split()]
    assert stream.below(1) == 0


def shuffle_by_the_book(stream: Stream, deck: tuple[str, ...]) -> tuple[str, ...]:
    """Shuffle word for word by the documentation: from the last index down, swap with the card at `below(i + 1)`."""
    cards = list(deck)
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


# One of the first words of SEED_OF_A_HIGH_WORD is among the highest 2**16, which get a second check.
@pytest.mark.parametrize("seed", [*range(20), SEED_OF_A_HIGH_WORD])
def test_fairness_4_a_shuffle_is_below_from_the_last_index_down(seed: int) -> None:
    server = seed.to_bytes(32, "big")
    for deck in (FRENCH, FRENCH * 8):
        one, other = Stream(server, ()), Stream(server, ())
        assert one.shuffle(deck) == shuffle_by_the_book(other, deck)
        assert one.below(2**32) == other.below(2**32)  # both took the same number of words


def test_fairness_4_the_seed_of_a_high_word_has_one() -> None:
    stream = Stream(SEED_OF_A_HIGH_WORD.to_bytes(32, "big"), ())
    assert max(stream.below(2**32) for _ in range(51)) >= 2**32 - 2**16


def test_fairness_4_a_shuffle_passes_over_words_beyond_the_last_whole_multiple() -> None:
    # No known seed begins like this: 2^32 - 1 is the one word that three cards skip.
    stream = Stream(bytes(32), ())
    stream._words = iter([2**32 - 1, 2**32 - 1, 1, 2**32 - 1])
    assert stream.shuffle(("a", "b", "c")) == ("a", "c", "b")


def test_fairness_4_below_is_even() -> None:
    stream = Stream(bytes(32), ())
    counts = [0] * 6
    for _ in range(60_000):
        counts[stream.below(6)] += 1
    # Five degrees of freedom: 20.5 is passed once in a thousand times, and this seed is fixed.
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 20.5


def test_fairness_4_cuts_are_joined_by_line_feeds_and_their_order_counts() -> None:
    def word(*cuts: str) -> int:
        return Stream(bytes(32), cuts).below(2**32)

    assert word("a", "b") == word("a\nb")
    assert len({word(), word("a"), word("a", "b"), word("b", "a"), word("ab"), word("a", "b", "")}) == 6


def test_the_deck_stays_whole() -> None:
    for seed in range(20):
        stream = Stream(seed.to_bytes(32, "big"), ())
        for deck in islice((stream.shuffle(FRENCH) for _ in range(3)), 3):
            assert sorted(deck) == sorted(FRENCH)
