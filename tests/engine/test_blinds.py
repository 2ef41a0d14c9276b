"""The dead button and missed blinds (HE6 to HE8), hand by hand."""

from random import Random

from engine.blinds import BIG, BOTH, DEAD, LIVE, NEW, BlindPositions, BlindsDeal, next_deal
from engine.felt import Stake
from engine.games.holdem import HoldemOptions, check_stakes


def places(deal: BlindsDeal) -> tuple[int, int, int]:
    return tuple(deal.positions)  # type: ignore[return-value]


def test_HE6_on_the_first_hand_the_button_is_at_the_lowest_seat() -> None:
    assert places(next_deal(BlindPositions(), [7, 3, 5])) == (3, 5, 7)
    assert next_deal(BlindPositions(), [7, 3, 5]).posts == {5: "", 7: "", 3: ""}
    assert places(next_deal(BlindPositions(), [4, 2])) == (2, 2, 4)
    assert list(next_deal(BlindPositions(), [4, 2]).posts) == [4, 2]


def test_HE6_the_big_blind_moves_to_the_next_player_every_hand() -> None:
    deal = next_deal(BlindPositions(), [1, 4, 6, 9])
    seen = [places(deal)]
    for _ in range(4):
        deal = next_deal(deal.positions, [1, 4, 6, 9])
        seen.append(places(deal))
    assert seen == [(1, 4, 6), (4, 6, 9), (6, 9, 1), (9, 1, 4), (1, 4, 6)]


def test_HE6_the_small_blind_is_dead_if_its_player_is_not_dealt_in() -> None:
    deal = next_deal(BlindPositions(1, 4, 6), [1, 4, 9])
    assert places(deal) == (4, 6, 9)
    assert deal.posts == {9: BIG, 1: "", 4: ""}


def test_HE6_the_button_may_be_at_an_empty_seat() -> None:
    gone = next_deal(BlindPositions(1, 4, 6), [1, 4, 9])
    deal = next_deal(gone.positions, [1, 4, 9])
    assert places(deal) == (6, 9, 1)
    assert deal.posts == {9: "", 1: "", 4: ""}


def test_HE7_a_new_player_waits_for_the_big_blind() -> None:
    deal = next_deal(BlindPositions(1, 4, 6), [1, 4, 6, 9], owed={9: NEW})
    assert (places(deal), deal.posts, deal.owed) == ((4, 6, 9), {6: "", 9: "", 1: "", 4: ""}, {})
    deal = next_deal(BlindPositions(4, 6, 1), [1, 4, 6, 9], owed={9: NEW})
    assert (places(deal), deal.owed) == ((6, 1, 4), {9: NEW})
    assert 9 not in deal.posts


def test_HE7_a_new_player_may_post_a_live_big_blind() -> None:
    deal = next_deal(BlindPositions(9, 1, 4), [1, 4, 6, 8, 9], owed={8: NEW}, posting=[8])
    assert (places(deal), deal.posts) == ((1, 4, 6), {4: "", 6: "", 8: LIVE, 9: "", 1: ""})
    assert deal.owed == {}


def test_HE7_nobody_posts_on_the_button_or_between_it_and_the_big_blind() -> None:
    table = [1, 3, 4, 5, 6, 9]
    # Button 3, small blind 4, big blind 6: seat 5 lies between them, seat 3 on the button.
    between = next_deal(BlindPositions(1, 3, 4), table, owed={5: NEW}, posting=[5])
    assert places(between) == (3, 4, 5), "the big blind reaches seat 5"
    on_it = next_deal(BlindPositions(1, 3, 4), [1, 3, 4, 6, 9], owed={3: LIVE}, posting=[3])
    assert 3 not in on_it.posts
    assert on_it.owed == {3: LIVE}
    assert next_deal(on_it.positions, [1, 3, 4, 6, 9], owed=on_it.owed, posting=[3]).posts[3] == LIVE


def test_HE7_missed_blinds_are_owed_once() -> None:
    table, away, owed = [1, 4, 8], [6], dict[int, str]()
    deal = BlindsDeal(BlindPositions(8, 1, 4), {}, {})
    seen = []
    for _ in range(8):
        deal = next_deal(deal.positions, table, away, owed)
        owed = deal.owed
        seen.append(owed.get(6, ""))
    assert seen == [LIVE, BOTH, BOTH, BOTH, BOTH, BOTH, BOTH, BOTH]


def test_HE7_after_the_big_blind_a_player_who_sits_out_owes_the_small_one() -> None:
    deal = next_deal(BlindPositions(1, 4, 6), [1, 4, 9], away=[6])
    assert deal.owed == {6: DEAD}
    back = next_deal(deal.positions, [1, 4, 6, 9], owed=deal.owed, posting=[6])
    assert 6 not in back.posts, "on the button"
    posted = next_deal(back.positions, [1, 4, 6, 9], owed=back.owed, posting=[6])
    assert posted.posts[6] == DEAD


def test_HE7_a_player_who_returns_before_missing_a_blind_is_dealt_in_at_once() -> None:
    out = next_deal(BlindPositions(1, 4, 6), [1, 4, 6, 9], away=[3])
    assert out.owed == {}
    assert 3 in next_deal(out.positions, [1, 3, 4, 6, 9]).posts


def test_HE7_the_big_blind_clears_everything() -> None:
    deal = next_deal(BlindPositions(1, 4, 6), [1, 4, 6, 9], owed={9: BOTH})
    assert (deal.positions.big, deal.posts[9], deal.owed) == (9, "", {})


def test_HE7_when_a_third_player_joins_two_the_button_is_right_of_the_small_blind() -> None:
    heads_up = BlindPositions(2, 2, 5)
    deal = next_deal(heads_up, [2, 5, 7], owed={7: NEW})
    assert (places(deal), list(deal.posts)) == ((2, 5, 7), [5, 7, 2])
    behind = next_deal(heads_up, [2, 5, 8], owed={8: NEW})
    assert behind.positions.big == 8
    late = next_deal(BlindPositions(5, 5, 2), [2, 3, 5], owed={3: NEW}, posting=[3])
    assert places(late) == (5, 2, 3)


def test_HE8_two_players_always_post_both_blinds() -> None:
    deal = next_deal(BlindPositions(1, 4, 6), [4, 6])
    assert (places(deal), deal.posts) == ((6, 6, 4), {4: "", 6: ""})
    assert next_deal(BlindPositions(1, 4, 6), [4, 6], owed={4: NEW}).posts == {4: "", 6: ""}


def test_HE6_HE7_whatever_players_do_the_stakes_are_legal_and_no_big_blind_is_paid_twice() -> None:
    random = Random("blinds")
    for _ in range(300):
        last, owed, gone = BlindPositions(), dict[int, str](), set[int]()
        seated = {1, 5}
        for _ in range(40):
            for seat in range(1, 10):
                if random.random() < 0.1:
                    if seat in seated and len(seated) > 2:
                        seated.discard(seat)
                        gone.discard(seat)
                        owed.pop(seat, None)
                    elif seat not in seated:
                        seated.add(seat)
                        owed |= {seat: NEW} if last.big else {}
                if seat in seated and random.random() < 0.2:
                    gone ^= {seat}
            ready = seated - gone
            if len(ready) < 2:
                continue
            posting = [seat for seat in ready if seat in owed and random.random() < 0.5]
            deal = next_deal(last, ready, gone, owed, posting)
            stakes = [Stake(seat, f"p{seat}", {}, stack=10_000, post=post) for seat, post in deal.posts.items()]
            check_stakes(HoldemOptions(), stakes)
            assert deal.positions.big != last.big
            assert {seat for seat in ready if seat not in owed} <= {*deal.posts}
            assert not {*deal.posts} & ({*deal.owed} | gone)
            last, owed = deal.positions, deal.owed
