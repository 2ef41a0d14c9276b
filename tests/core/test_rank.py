"""`/rank`: a player's own card, shared with everyone on request."""

import io

import pytest
from PIL import Image

from bot.view.pictures.shared_posts import shared_post_file, shared_post_picture
from bot.view.shared_posts import describe_shared_post


def play(house):
    house.deal("anna bet 50", "bea bet 50")
    house.do("anna raise")
    house.do("bea fold")


def test_it_has_chips_place_games_and_the_biggest_win(house):
    play(house)
    answer = house.do("bea rank")
    assert str(answer.texts[0]) == "bea shares a player card."
    told = describe_shared_post(answer.shared_post, house.books, "en").splitlines()
    assert told[:3] == ["bea", "Chips: 950", f"Place on the leaderboard: {answer.shared_post.place}"]
    assert told[3] == "Caribbean Stud, 1 hand: -50"
    assert not any("Biggest win" in line for line in told), "she has won nothing"


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_it_is_a_picture(house, language):
    play(house)
    shared_post = house.do("anna rank").shared_post
    made = shared_post_picture(shared_post, house.books, language)
    assert Image.open(io.BytesIO(made)).width == 900
    assert len(made) < 30 * 1024
    assert shared_post_file(shared_post) == "card.png"


def test_who_stands_on_no_leaderboard_has_no_place(house):
    play(house)
    house.do("anna leaderboard hide")
    shared_post = house.do("anna rank").shared_post
    assert shared_post.place is None
    assert "Place" not in describe_shared_post(shared_post, house.books, "en")


def test_who_has_not_played_has_no_card(house):
    assert house.says("cleo rank") == "You have not finished a hand here yet."


def test_their_figures_lead_to_it(house):
    play(house)
    (choice,) = house.do("anna stats").choices
    assert (choice.verb, str(choice.label)) == ("rank", "Share my player card")
