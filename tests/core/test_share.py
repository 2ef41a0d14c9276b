"""`/share`: a finished hand as everyone at the table saw it, and no further card."""

import io
import re
import time

import pytest
from PIL import Image, ImageSequence

from bot.texts import say_card
from bot.view.describe import describe
from bot.view.pictures.moving import MOST_BYTES
from bot.view.pictures.shared_posts import shared_post_file, shared_post_picture
from bot.view.shared_posts import describe_shared_post, shared_hand_screens
from tests.core.conftest import HAND, TABLES

CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")
BETS = {
    "caribbean": ("anna bet 50", "bea bet 50"),
    "uth": ("anna bet 50", "bea bet 50"),
    "paiju": ("anna bet south 50", "bea bet west 50"),
    "puntobanco": ("anna bet punto 50", "bea bet banco 50"),
    "roulette": ("anna bet red 50", "bea bet 17 50"),
    "blackjack": ("anna bet 50", "bea bet 50"),
    "stud": tuple(f"p{n} buyin 200" for n in range(1, 8)),
}
LIKED = ("bring-in", "call", "check", "raise", "stand", "decline", "fold")


def play(house, game, *, folds=()):
    """Play a whole hand, in which `folds` fold at once; return the public cards after each move."""
    table, seen = TABLES[game], []
    hand = house.deal(*BETS[game], table=table)
    seen.append(set(open_cards(hand or house.table(table).last)))
    for _move in range(200):
        now = house.table(table)
        if now.round.hand is None:
            break
        if now.round.turning:
            house.wait(60)
            continue
        seat, offers = next(iter(now.round.hand.asks.items()))
        name = house.writer.state.players[now.owners()[seat]].own_name
        words = {str(offer).split()[0] for offer in offers if offer.listed}
        liked = ("fold", *LIKED) if name in folds else LIKED
        word = next(word for word in liked if word in words)
        answer = house.do(f"{name} {word}", table=table)
        assert not answer.refused, answer
        played = house.table(table).round.hand or house.table(table).last
        seen.append(set(open_cards(played)))
    return house.table(table).last, house.table(table).last_hand, set().union(*seen)


def open_cards(hand):
    return [card for cards in hand.cards(None).values() for card in cards if card != "??"]


def cpu_of(act):
    """Return the CPU seconds of this process, the least of three tries."""
    took = []
    for _time in range(3):
        began = time.process_time()
        act()
        took.append(time.process_time() - began)
    return min(took)


def said_in(shared_post, house):
    return {
        card
        for screen in shared_hand_screens(shared_post, house.books)
        for card in CARD.findall(describe(screen, "en", 9000))
    }


@pytest.mark.parametrize("game", list(BETS))
@pytest.mark.parametrize("how", ["", " replay"])
def test_no_card_is_in_it_that_the_table_has_not_shown(house, game, how):
    folds = ("p2", "p3") if game == "stud" else ("bea",)
    hand, number, seen = play(house, game, folds=folds)
    sharer = "p2" if game == "stud" else "bea"
    answer = house.do(f"{sharer} share {number}{how}", table=TABLES[game])
    assert not answer.refused, answer
    told = said_in(answer.shared_post, house)
    assert told <= {say_card(card) for card in seen}
    hidden = {say_card(card) for key in map(str, range(1, 8)) for card in hand.cards(key).get(key, ())} - {
        say_card(card) for card in seen
    }
    assert not told & hidden
    if game in ("caribbean", "stud"):
        assert hidden, "who folded has shown nothing, not even now"


@pytest.mark.long
@pytest.mark.parametrize("game", list(BETS))
def test_the_animation_is_small_and_quickly_drawn(house, game):
    _hand, number, _seen = play(house, game)
    who = BETS[game][0].split()[0]
    shared_post = house.do(f"{who} share {number} replay", table=TABLES[game]).shared_post
    made = shared_post_picture(shared_post, house.books, "en")
    assert cpu_of(lambda: shared_post_picture(shared_post, house.books, "en")) < 0.3
    assert made.startswith(b"GIF89a")
    assert len(made) <= MOST_BYTES
    assert shared_post_file(shared_post) == f"hand-{number}.gif"
    steps = [step.convert("RGB").tobytes() for step in ImageSequence.Iterator(Image.open(io.BytesIO(made)))]
    assert len(set(steps)) >= min(2, len(shared_post.steps)), "one where nobody chooses or reveals anything"


def test_its_last_step_is_what_the_picture_shows(house):
    _hand, number, _seen = play(house, "caribbean")
    still = house.do(f"anna share {number}").shared_post
    moving = house.do(f"anna share {number} replay").shared_post
    assert shared_hand_screens(still, house.books)[-1] == shared_hand_screens(moving, house.books)[-1]
    assert shared_post_picture(still, house.books, "en").startswith(b"\x89PNG")
    assert "anna: " in describe_shared_post(still, house.books, "en")


def test_it_is_the_same_when_the_table_has_gone_on_and_after_a_restart(house):
    _hand, number, _seen = play(house, "stud")
    stud = TABLES["stud"]
    before = house.do(f"p1 share {number}", table=stud)
    house.wait(60)
    house.restart()
    after = house.do(f"p1 share {number}", table=stud)
    assert describe_shared_post(after.shared_post, house.books, "en") == describe_shared_post(
        before.shared_post, house.books, "en"
    )


def test_nobody_shows_a_hand_that_is_not_theirs_or_not_over(house):
    _hand, number, _seen = play(house, "caribbean")
    assert house.says(f"cleo share {number}") == f"You did not play hand {number} here; /history lists yours."
    assert house.says("cleo share") == "You have not finished a hand here yet."
    assert (
        house.says("anna share x") == "Enter one of your hands, for example /share 12, or nothing for your last hand."
    )
    running = house.deal("anna bet 50")
    assert running is not None
    assert "You did not play" in house.says(f"anna share {house.table().round.hand_id}")
    assert house.do("anna share").shared_post.hand == number, "the last that is over"


def test_the_seed_of_a_shoe_that_lasts_stays_hidden(house):
    _hand, number, _seen = play(house, "blackjack")
    shared_post = house.do(f"anna share {number} replay", table=TABLES["blackjack"]).shared_post
    assert all(
        screen.revealed == "" and screen.commit == "" for screen in shared_hand_screens(shared_post, house.books)
    )
    hands = [hand for table in shared_post.steps for hand in (table.round.hand, table.last) if hand is not None]
    assert all(hand.deal.seed is None for hand in hands)


def test_a_seat_that_was_voided_has_won_nothing(house):
    house.deal("anna bet 50", "bea bet 50")
    number = house.table().round.hand_id
    house.do(f"insp void {HAND} 1 mistake", sure=True)
    if house.table().round.hand is not None:
        for name in ("anna", "bea"):
            house.do(f"{name} raise")
    shared_post = house.do(f"bea share {number}").shared_post
    (anna,) = (seat for seat in shared_hand_screens(shared_post, house.books)[-1].seats if seat.name == "anna")
    assert (anna.result, anna.state, anna.net) == ("", "void", None)
