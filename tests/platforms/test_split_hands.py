"""Hit and Stand name their hand after a split, wherever they are read (BJ11)."""

from msgspec.structs import replace

from bot.platforms.discord.drawing import panel_view, table_view
from bot.platforms.telegram.drawing import CAPTION, caption, own_cards
from bot.texts import Text
from bot.view import Pile, Screen
from bot.view.describe import describe
from tests.view.example_screens import GAMES, own

HANDS = (
    Pile(Text("Hand {n}", n=1), ("8s", "Kd"), Text("18")),
    Pile(Text("Hand {n}", n=2), ("8h", "3c"), Text("11"), is_turn=True),
)


def split(piles: tuple[Pile, ...] = HANDS) -> Screen:
    shown: Screen = GAMES["blackjack"](False)
    first, *others = shown.seats
    return replace(shown, seats=(first._replace(piles=piles, is_turn=True), *others))


def words_of(view: object) -> str:
    parts = view.parts[0]["components"]  # type: ignore[attr-defined]
    return "\n".join(part["content"] for part in parts if "content" in part)


def test_of_two_hands_the_one_that_is_played_is_marked_at_the_table() -> None:
    assert "▶ Hand 2:" in words_of(table_view(split(), "en"))
    assert "▶ Hand 1:" not in words_of(table_view(split(), "en"))
    said = caption(split(), "en", CAPTION)
    assert "▸ 8♥ 3♣" in said
    assert "▸ 8♠" not in said
    assert "Hand 2 8♥ 3♣ (11), played now" in describe(split(), "en")


def test_and_in_ones_own_panel_and_alert() -> None:
    mine = own(split())
    piles = HANDS if len(mine.seats[0].piles) != len(HANDS) else mine.seats[0].piles
    mine = replace(mine, seats=(mine.seats[0]._replace(piles=piles), *mine.seats[1:]))
    assert sum("▶" in line for line in words_of(panel_view(mine, [], "en")).splitlines() if line.startswith("## ")) == 1
    assert [line.startswith("▸ ") for line in own_cards(mine, "en")[:2]] == [False, True]


def test_one_hand_needs_no_mark() -> None:
    alone = split((HANDS[1],))
    assert "▶ Hand 2" not in words_of(table_view(alone, "en"))
    assert "played now" not in describe(alone, "en")
