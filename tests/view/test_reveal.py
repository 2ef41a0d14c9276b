"""The reveal of a commit: with a payment the seed is shown, except a seed that still deals."""

from bot.platforms.discord.drawing import table_view
from bot.platforms.telegram.drawing import caption
from bot.view.build import screen
from engine.fairness.commitment import commit_to, hash_seed
from tests.core.conftest import (
    BLACKJACK,
    CARIBBEAN,
    STUD,
    house,  # noqa: F401  a fixture
    stores,  # noqa: F401  a fixture
)


def look(house, table=CARIBBEAN):  # noqa: F811
    return screen(house.writer.state, house.table(table), None, house.clock.now)


def test_with_the_payment_the_seed_is_shown_whose_hash_was_committed(house):  # noqa: F811
    house.deal("anna bet 50")
    commit, commitment = house.table().round.commit, house.table().round.commitment
    assert look(house).revealed == ""
    house.do("anna fold")
    shown = look(house)
    assert hash_seed(bytes.fromhex(shown.revealed)) == commitment["seed"]
    assert commit_to(commitment) == commit != shown.commit
    house.restart()
    assert look(house).revealed == shown.revealed
    assert f"Seed of the last hand: {shown.revealed[:12]}" in str(table_view(shown, "en").parts)
    assert f"Seme dell'ultima mano: {shown.revealed[:12]}…" in caption(shown, "it", 4096)
    house.deal("anna bet 50")
    assert look(house).revealed == ""


def test_the_seed_of_a_shoe_that_goes_on_and_of_stud_is_not_shown_with_a_payment(house):  # noqa: F811
    assert not house.do("insp table set penetration 50 a shoe", table=BLACKJACK).refused
    house.deal("anna bet 20", table=BLACKJACK)
    while (hand := house.table(BLACKJACK).round.hand) is not None:
        words = {offer.word for offer in next(iter(hand.asks.values()))}
        house.do(f"anna {'decline' if 'decline' in words else 'stand'}", table=BLACKJACK)
    assert house.table(BLACKJACK).shoe
    assert look(house, 4).revealed == ""
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=STUD)
    house.wait(8 + 600)
    assert house.table(STUD).last is not None
    assert look(house, 5).revealed == ""
