"""Ready-made parts for a plain game against the bank."""

from bot.core.commands.stages import NO_PLACES, one_choice
from bot.core.state.plays import NO_FOLLOW_UP, MoveHelp, Seating, plain_play
from bot.games import PLUGINS
from bot.texts import Text
from bot.texts.games import plain_texts
from bot.texts.options import LIMITS
from bot.view.parts import describe_seen
from bot.view.player_view import view_hand
from engine.cards import PAIJU
from engine.felt import Deal, Stake
from engine.games.paiju import PaijuOptions
from engine.hand import Hand


def test_a_plain_play_is_a_seat_each_and_everybody_at_once():
    moves = {"fold": MoveHelp(Text("Give up the hand"))}
    play = plain_play(seats=5, moves=moves)
    assert (play.seats, play.seating, play.moves) == (5, Seating.SEATS, moves)
    assert (play.follow_up, play.takes_turns, play.private_cards) == (NO_FOLLOW_UP, False, True)
    assert play.describe_hand({"1": ["As"]}, "1") is None


def test_one_choice_is_shown_twice_and_has_its_moves_in_a_row():
    stages = one_choice("fold raise")
    assert stages.moves.rows == ("fold raise",)
    assert "bet-ask" in stages.others.slots
    assert not stages.is_long
    assert one_choice("").moves == NO_PLACES


def test_plain_texts_call_the_channel_like_the_title():
    said = Text("Said.")
    texts = plain_texts(
        title="Red & Black 21",
        summary=said,
        rules=(said,),
        paytable=lambda options: (said,),
        odds=(said,),
        options=LIMITS,
        words={},
    )
    assert texts.channel == "red-black-21"
    assert (texts.kept_by_casino, texts.settings, texts.labels, texts.originals) == ((), {}, {}, {})


def test_plain_texts_take_rules_that_follow_the_options_and_rules_that_stand_as_they_are():
    def of_table(options):
        return (Text("From {least}.", least=options.minimum),)

    paragraphs, options = (Text("Said."),), PaijuOptions(minimum=700)
    for rules, said in ((of_table, of_table(options)), (paragraphs, paragraphs)):
        texts = plain_texts(
            title="Red",
            summary=paragraphs[0],
            rules=rules,
            paytable=lambda options: paragraphs,
            odds=paragraphs,
            options=LIMITS,
            words={},
        )
        assert texts.rules(options) == said


def test_the_worth_of_a_hand_is_said_alike_in_the_rules_and_on_a_screen():
    worth = PLUGINS["paiju"].play.describe_hand
    hand = Hand(Deal("paiju", PaijuOptions(), (Stake(1, "p1", {"west": 500}),), PAIJU, (1, 1)))
    view = view_hand(hand, None)
    assert describe_seen(worth)(view, "east") == worth(hand.cards(None), "east") is not None
    assert describe_seen(worth)(view, "9") is None
