"""Long lists in pages, with buttons to the next and previous one."""

import pytest


def turn(house, answer, label):
    """Press a button of an answer, as this player."""
    choice = next(one for one in answer.choices if str(one.label) == label)
    assert choice.turns
    return house.do(" ".join(("insp", choice.verb, *choice.args)))


def labels(answer):
    return [str(one.label) for one in answer.choices]


def test_the_audit_is_read_page_by_page(house):
    house.says("anna balance")
    for number in range(19):
        house.do(f"insp grant anna {number + 1} reason{number}", sure=True)
    first = house.do("insp audit grant")
    assert ["reason18" in str(first.texts[0]), len(first.texts), labels(first)] == [True, 8, ["More ›"]]
    second = turn(house, first, "More ›")
    assert ["reason10" in str(second.texts[0]), labels(second)] == [True, ["‹ Back", "More ›"]]
    third = turn(house, second, "More ›")
    assert [len(third.texts), labels(third)] == [3, ["‹ Back"]]
    assert turn(house, turn(house, third, "‹ Back"), "‹ Back").texts == first.texts
    assert house.do("insp audit anna grant 3").texts == third.texts


def test_the_leaderboard_is_read_page_by_page(house):
    for number in range(23):
        house.says(f"p{number} balance")
    first = house.do("insp leaderboard")
    places = [str(one) for one in first.texts if "place" in one.values]
    assert [len(places), places[0].split(".")[0], labels(first)] == [10, "1", ["More ›", "This month"]]
    third = turn(house, turn(house, first, "More ›"), "More ›")
    assert [str(one).split(".")[0] for one in third.texts] == ["21", "22", "23", "24"]
    assert labels(third) == ["‹ Back"]
    assert house.says("insp leaderboard page 9") == (
        "The leaderboard has fewer pages. | Your rank: 24, with 1,000 chips"
    )
    assert house.do("insp leaderboard page 11").refused


@pytest.mark.parametrize("verb", ["statement", "history"])
def test_movements_and_hands_are_read_page_by_page(house, verb):
    for number in range(16):
        house.do(f"insp bet {10 + 5 * number}")
        house.do("insp takeback" if verb == "statement" else "insp ready")
        if verb == "history":
            house.wait(25)
            house.do("insp fold")
    first = house.do(f"insp {verb}")
    assert labels(first) == ["More ›"]
    second = turn(house, first, "More ›")
    assert "‹ Back" in labels(second)
    assert not set(map(str, second.texts)) & set(map(str, first.texts))
