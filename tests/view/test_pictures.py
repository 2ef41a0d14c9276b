"""Pictures: their content, size, robustness, and secrecy.

`python -m tests.view.test_pictures` draws the golden files anew; look at them before keeping them.
"""

import asyncio
import io
import logging
import random
import struct
import threading
import zlib
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from bot.core.commands.hand_descriptions import describe as describe_worth
from bot.texts import LANGUAGES, Text, say_value
from bot.texts.catalogues import STATE
from bot.texts.languages import folder_of
from bot.view import Pile, SpotChips, pictures
from bot.view.describe import LONGEST, describe
from bot.view.pictures import Renderer, digest, face_svg, hand_picture, lettering, picture, worker
from bot.view.pictures.arcs import draw_arc
from bot.view.pictures.areas import draw_areas
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.chips import short_amount, stack_of
from bot.view.pictures.draw import draw_table, render
from bot.view.pictures.felt import FELTS, Areas, arc, in_the_middle
from bot.view.pictures.palette import CLEAR, NEUTRAL, colours
from bot.view.pictures.parts import RESULTS, words
from engine import poker
from engine.cards import FRENCH, HIDDEN, JOKER
from engine.felt import Amount, Word
from engine.hand import Hand
from tests.exhibits import exhibits
from tests.patience import PATIENCE_S
from tests.view.example_screens import GAMES, named, own
from tests.view.test_screens import ANNA, deal, lay, look, lounge, play_at_random, table_of, with_other_hidden_cards

__all__ = ["lounge"]
GOLDENS = Path(__file__).parent / "goldens" / "pictures"
SMALL = (300, 200)
MOST_BYTES = 45 * 1024
ODD_NAMES = ("x" * 64, "🎲🎰", "مريم العلي", "שרה (לוי)", "李小龍", "김민준", "\u202e\x00\ud800", "a\u0301" * 30)


def image(png):
    return Image.open(io.BytesIO(png)).convert("RGBA")


def small(png):
    return image(png).convert("RGB").resize(SMALL, Image.Resampling.BOX)


class Notes(Canvas):
    """A canvas that records what is put where: the structure of a picture."""

    def __init__(self):
        super().__init__(NEUTRAL)
        self.lines = []

    def lay_felt(self, width, height, paint, *about):
        self.lines.append(f"felt {width}x{height} {paint.__name__}")

    def draw_sprite(self, x, y, width, height, paint, *about):
        told = " ".join(str(one) for one in about if one not in ("", ()))
        self.lines.append(f"{x:4} {y:4} {width:4}x{height:<4}{paint.__name__.removeprefix('paint_')} {told}".rstrip())

    def text(self, x, y, text, size, ink, ground, anchor="m"):
        self.lines.append(f"{x:4} {y:4} {size:4} {anchor}   “{text}”")

    def encode(self):
        return b""


def structure(screen):
    notes = Notes()
    draw_table(notes, screen, "en")
    return "\n".join(notes.lines) + "\n"


@pytest.mark.parametrize("game", GAMES)
def test_each_thing_lies_where_it_was_looked_at(game):
    assert structure(GAMES[game](over=True)) == (GOLDENS / f"{game}.txt").read_text("utf-8")


@pytest.mark.parametrize("over", [False, True], ids=["play", "payment"])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_looks_as_it_was_looked_at(game, over):
    golden = Image.open(GOLDENS / f"{game}-{'payment' if over else 'play'}.png").convert("RGB")
    assert_alike(small(picture(GAMES[game](over=over), "en")), golden)


def assert_alike(drawn, golden):
    """Allow differences of shading at edges, by other builds of the font renderer, and no more."""
    difference = ImageChops.difference(drawn, golden).convert("L")
    assert ImageStat.Stat(difference).mean[0] < 2.5
    # Blocks of ten by ten: a card, a chip or a ribbon that is another one fills some of them.
    assert max(difference.reduce(10).tobytes()) < 20


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("over", [False, True])
def test_a_picture_is_a_sound_png_of_sixteen_colours_within_its_size(game, over):
    png = picture(GAMES[game](over=over), "it")
    assert len(png) <= MOST_BYTES
    chunks = dict(chunks_of(png))
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (900, 600, 4, 3, 0, 0, 0)
    assert len(chunks[b"PLTE"]) == 3 * 16
    assert len(zlib.decompress(chunks[b"IDAT"])) == 600 * 451


def chunks_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + data)
        yield kind, data
        at += 12 + length


def test_the_corners_are_clear_so_that_a_table_lies_on_dark_and_on_light():
    drawn = image(picture(GAMES["stud"](over=False), "en"))
    corners = [drawn.getpixel(at)[3] for at in ((0, 0), (899, 0), (0, 599), (899, 599), (450, 300))]
    assert corners == [0, 0, 0, 0, 255]


@pytest.mark.parametrize("game", GAMES)
def test_the_same_description_gives_the_same_bytes_drawn_anew_or_kept(game):
    one, other = GAMES[game](over=True), GAMES[game](over=True)
    assert render(draw_table, one, "en") == render(draw_table, other, "en") == picture(one, "en")
    assert picture(one, "en") is picture(other, "en")
    assert digest(one, "en") == digest(replace(other, deadline=7.0, version=9, hand_id=1), "en")
    assert digest(one, "en") != digest(one, "it")


@pytest.mark.parametrize("theme", [NEUTRAL, *(felt.theme for felt in FELTS.values())])
def test_the_palette_leaves_its_last_place_to_what_is_clear(theme):
    assert len(set(colours(theme).values())) == CLEAR


@pytest.mark.slow
def test_pictures_of_whole_hands_keep_their_size_and_words():
    for exhibit in exhibits(2):
        for language in LANGUAGES:
            assert len(picture(exhibit.screen, language)) <= MOST_BYTES, (exhibit.game, exhibit.phase)
            assert len(hand_picture(exhibit.own, language)) <= MOST_BYTES
            for shown in (exhibit.screen, exhibit.own):
                assert 20 < len(describe(shown, language).encode("utf-16-le")) // 2 <= LONGEST


BANCO = Areas(
    "PUNTO BANCO",
    ("first", "second"),
    3,
    (("left", "middle", "right"), ("first", "second")),
    {"first": "blue", "second": "red"},
)


def areas(road=(), cards=("As", "Kd", "7c")):
    """A table of areas that no game of ours has."""
    names = {name: Text("{area}", area=Word(name)) for row in BANCO.rows for name in row}
    bank = (Pile(names["first"], cards, Text("{n}", n=8)), Pile(names["second"], ("2s", HIDDEN)))
    spots = tuple(SpotChips(name, label, Amount(500), Amount(12_345_600)) for name, label in names.items())
    return replace(GAMES["paiju"](over=False), bank=bank, spots=spots, road=road)


def drawn_areas(screen, layout=BANCO):
    notes = Notes()
    draw_areas(notes, screen, "en", layout)
    return notes.lines


def test_hands_areas_and_who_bets_have_room_beside_each_other():
    lines = drawn_areas(areas())
    assert sum("card " in line for line in lines) == 5
    assert sum(" 34x" in line or "box " in line for line in lines) == 5
    for line in lines[1:]:
        x, y = (int(part) for part in line.split()[:2])
        assert 14 <= x <= 886
        assert y <= 586
    canvas = Canvas(NEUTRAL)
    draw_areas(canvas, areas(("first",) * 200), "it", BANCO)
    assert len(canvas.encode()) <= MOST_BYTES


@pytest.mark.parametrize("count", [2, 5, 9])
def test_a_hand_with_more_cards_than_places_lies_over_itself(count):
    crowded = BANCO._replace(hands=("first", "second", "third", "fourth"))
    cards = [line for line in drawn_areas(areas(cards=tuple(FRENCH[:count])), crowded) if "card " in line]
    assert len(cards) == count + 2
    assert all(30 <= int(line.split()[0]) <= 340 for line in cards)


def test_PB12_a_bead_road_fills_its_columns_from_above_and_keeps_the_newest():
    beads = [line for line in drawn_areas(areas(("first", "second", "first", "odd", "first", "first", "second")))
             if "bead" in line]  # fmt: skip
    assert [line.split()[-1] for line in beads] == ["F", "S", "F", "O", "F", "F", "S"]
    assert [line.split()[-2] for line in beads] == ["blue", "red", "blue", "grey", "blue", "blue", "red"]
    places = [tuple(map(int, line.split()[:2])) for line in beads]
    assert len({x for x, _y in places[:6]}) == 1
    assert places[6] == (places[0][0] + 22, places[0][1])
    many = [line for line in drawn_areas(areas(("first",) * 1000 + ("second",))) if "bead" in line]
    assert many[-1].split()[-1] == "S"
    assert len(many) <= 27 * 6
    assert max(int(line.split()[0]) for line in many) <= 640


def test_PB12_past_hands_say_nothing_of_the_next_in_the_picture_and_in_words():
    assert any("“Past hands do not predict the next one.”" in line for line in drawn_areas(areas()))
    said = describe(areas(("first", "second", "odd")), "en")
    assert "Last results: first, second, odd. Past hands do not predict the next one." in said
    assert "past hands" not in describe(areas(), "en")


def test_a_picture_with_another_road_has_another_name():
    assert digest(areas(("first",)), "en") != digest(areas(("second",)), "en")


@pytest.mark.parametrize("rows", [1, 2])
def test_the_usual_arc_has_room_for_seats_with_two_rows_of_spots(rows):
    made = arc("CASINO", "WAR", seats=7, bank=(in_the_middle("Dealer", 1),),
               spots=(("side", "main"), ("more", "still"))[:rows], round_spots=frozenset({"main"}))  # fmt: skip
    notes = Notes()
    draw_arc(notes, GAMES["caribbean"](over=True), "en", made)
    bottoms = [int(line.split()[1]) + int(line.split()[2].split("x")[1]) for line in notes.lines if "pill" in line]
    assert max(bottoms) <= 552


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("over", [False, True])
def test_odd_names_break_no_picture(game, over):
    assert len(picture(named(GAMES[game](over=over), *ODD_NAMES), "en")) <= MOST_BYTES


def test_a_long_name_is_cut_within_its_plate():
    notes = structure(named(GAMES["caribbean"](over=True), "x" * 64))
    shown = [line.split("“")[1].rstrip("”") for line in notes.splitlines() if "xxx" in line]
    assert len(shown) == 6
    assert all(name.endswith("…") and lettering.width_of(name, 17) <= 108 for name in shown)


def test_a_name_that_cannot_be_drawn_is_its_seat():
    assert "“Seat 7”" in structure(named(GAMES["stud"](over=False), "🎲🎰"))


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("Nicolò", "Nicolò"),
        ("𝓑𝓸𝓫 🎲", "Bob"),
        ("김민준", "gimminjun"),
        ("さくら", "sakura"),
        ("Bob 李", "Bob ◇"),
        ("李小龍", ""),
        ("🎲", ""),
        ("אבג", "גבא"),
        ("אב (ג)", "(ג) בא"),
        ("Bob אב!", "Bob בא!"),
        ("بب", "ﺐﺑ"),
        ("لا", "ﻻ"),
        ("\u202eevil\n\t\x00", "evil"),
    ],
)
def test_names_of_other_scripts_are_drawn_spelled_or_marked(written, drawn):
    assert lettering.clean(written) == drawn


@pytest.mark.parametrize("over", [False, True])
def test_SH3_eight_players_with_seven_cards(over):
    notes = structure(GAMES["stud"](over=over))
    assert notes.count("card ") == 56
    assert all(
        line.split()[0].isdigit() and int(line.split()[0]) + 40 <= 886 for line in notes.splitlines() if "card " in line
    )


def test_BJ11_eight_hands_in_one_box_each_with_its_total():
    notes = structure(GAMES["blackjack"](over=False))
    assert notes.count("“17”") == 9


@pytest.mark.parametrize("game", GAMES)
def test_bets_of_seven_figures(game):
    shown = GAMES[game](over=True)
    rich = Amount(123_456_700)
    seats = [
        s._replace(chips=tuple(c._replace(amount=rich, total=rich) for c in s.chips), net=rich, stack=rich)
        for s in shown.seats
    ]
    spots = tuple(spot._replace(amount=rich, total=rich) for spot in shown.spots)
    assert len(picture(replace(shown, seats=tuple(seats), spots=spots, pot=rich, meter=rich), "it")) <= MOST_BYTES


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (5000, "50"),
        (1250, "12.50"),
        (1_234_567_00, "1.2M"),
        (123_456_00, "123k"),
        (25_000_00, "25k"),
        (12_345_00, "12.3k"),
    ],
)
def test_an_amount_without_room_is_cut_to_thousands(amount, said):
    assert short_amount(amount, "en", 58, 18) == said


def test_chips_lie_in_stacks_by_value_and_no_stack_is_endless():
    assert stack_of(136_00) == ("ink", "green", "red", "red", "white")
    assert len(stack_of(999_999_99)) == 5
    assert stack_of(0) == ()


def test_a_hand_picture_shows_the_viewers_cards_and_what_each_choice_costs():
    shown = own(GAMES["caribbean"](over=False), cards=("As", "Kd", "Td", "7c", "2h"))
    notes = Notes()
    pictures.hand.draw_hand(notes, shown, "en")
    drawn = "\n".join(notes.lines)
    assert all(f"card {card}" in drawn for card in ("As", "Kd", "Td", "7c", "2h"))
    assert "“Raise (200)”" in drawn
    assert "“Fold”" in drawn
    assert len(hand_picture(shown, "it")) <= MOST_BYTES


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cards_are_worth_has_no_half_word_beside_a_seat(language):
    chance = random.Random(7)
    hands = [chance.sample(FRENCH, 5) for _hand in range(300)] + [["Qs", "Qh", "7s", "7h", "2c"]]
    told = [words(describe_worth(poker.rank(hand)), language) for hand in hands]
    told += [
        words(Text("shows {worth}", worth=describe_worth(poker.rank_showing(hand[:4]))), language) for hand in hands
    ]
    drawn = [lettering.fitted_by_parts(one, 150, 17, 12)[0] for one in told]
    assert [one for one in drawn if "…" in one] == []
    assert all(one.startswith(short) for one, short in zip(told, drawn, strict=True))
    assert drawn != told, "two pairs of queens and sevens have no room for both"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_seat_does_and_what_came_of_it_have_room_on_its_ribbon(language):
    """The narrowest seat has 120 pixels; chips alone show that a player bets."""
    with (folder_of("it") / "LC_MESSAGES" / "ridotto.po").open("rb") as catalogue:
        states = {str(one.id) for one in read_po(catalogue) if one.context == STATE} - {"betting"}
    said = [f"▸ {say_value(Word(state), language, 'state')}" for state in states]
    said += [f"{sign} {words(word, language)}" for word, sign, _fill in RESULTS.values()]
    assert len(said) > 25
    assert [one for one in said if lettering.fitted(one, 110, 18, 16)[0] != one] == []


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_hand_picture_has_room_for_splits_and_seven_cards(at):
    hands = own(GAMES["blackjack"](over=False), at=at), own(GAMES["stud"](over=False), cards=FRENCH[:7])
    for shown in hands:
        assert image(hand_picture(shown, "en")).width == 900


@pytest.mark.long
@pytest.mark.parametrize("game", ["caribbean", "uth", "stud"])
def test_G8_a_picture_is_byte_identical_whatever_the_hidden_cards_are(lounge, game):
    rng = random.Random(game)
    for hand in play_at_random(Hand(deal(game, rng)), rng):
        other = with_other_hidden_cards(hand, None, rng) if hand.asks else None
        if other is not None:
            tables = [lay(table_of(lounge, game), one) for one in (hand, other)]
            one, two = (render(draw_table, look(lounge, table, None), "en") for table in tables)
            assert one == two
        mine = with_other_hidden_cards(hand, ANNA, rng) if hand.asks else None
        if mine is not None:
            tables = [lay(table_of(lounge, game), one) for one in (hand, mine)]
            assert len({hand_picture(look(lounge, table, ANNA), "en") for table in tables}) == 1


def test_the_text_twin_says_what_the_picture_shows():
    said = describe(GAMES["uth"](over=True), "en")
    assert said.splitlines()[0] == "In play: waiting for Cleo."
    assert "Board 9♠ 9♥ 9♦ 9♣ 8♠" in said
    assert "1 Anna: loses 1,250, Cards A♦ A♣, ante 10, blind 10, trips 5, play 40" in said


def test_the_text_twin_tells_backs_without_their_faces():
    said = describe(GAMES["caribbean"](over=False), "en")
    assert "Dealer A♥ 4 cards face down" in said
    assert said.index("Cleo: thinking") < said.index("Anna")


@pytest.mark.parametrize("longest", [200, 1024])
def test_the_text_twin_keeps_the_most_important_within_its_room(longest):
    crowd = named(GAMES["stud"](over=True), "🎲" * 64)
    said = describe(crowd, "en", longest)
    assert said.startswith("In play")
    assert len(said.encode("utf-16-le")) // 2 <= longest


@pytest.mark.parametrize("card", [*FRENCH, JOKER, HIDDEN])
def test_each_card_has_an_svg_face_of_its_own(card):
    svg = face_svg(card)
    assert svg.startswith("<svg ")
    assert f"<title>{card}</title>" in svg
    assert len({face_svg(one) for one in (*FRENCH, JOKER, HIDDEN)}) == 54


@pytest.fixture
def renderer():
    made = Renderer(late_s=0.2)
    yield made
    made.close()


async def test_a_picture_is_drawn_in_a_thread_of_its_own(renderer):
    shown = GAMES["uth"](over=True)
    renderer = Renderer(late_s=30.0)
    assert await renderer.render(shown, "en") == picture(shown, "en")
    assert await renderer.render_hand(own(shown), "en") == hand_picture(own(shown), "en")
    renderer.close()


async def test_a_table_whose_game_is_gone_has_a_bare_felt(renderer):
    gone = replace(GAMES["uth"](over=True), game="whist", seats=(), bank=(), spots=())
    renderer = Renderer(late_s=30.0)
    assert (await renderer.render(gone, "en")).startswith(b"\x89PNG")
    renderer.close()


async def test_a_failing_picture_is_none_and_is_logged_once(renderer, caplog):
    broken = replace(GAMES["uth"](over=True), headline=Text("{nobody}"))
    with caplog.at_level(logging.ERROR):
        answers = [await renderer.render(broken, "en") for _ in range(3)]
    assert answers == [None, None, None]
    assert [record.getMessage() for record in caplog.records] == ["a picture of uth failed: KeyError"]


async def test_a_late_picture_is_none_and_nothing_waits_for_it(renderer, caplog):
    gate = threading.Event()

    class Slow(str):
        def format(self, *args, **values):
            gate.wait(PATIENCE_S)
            return ""

    slow = replace(
        GAMES["uth"](over=True),
        headline=Text(Slow("of this test alone: what was translated once is not formatted again")),
        commit="feedbeef",
    )
    with caplog.at_level(logging.ERROR):
        answers = tuple(await asyncio.gather(renderer.render(slow, "en"), renderer.render(slow, "en")))
    gate.set()
    assert answers == (None, None)
    assert [one.name for one in caplog.records].count(worker.__name__) == 1


def write_goldens():
    GOLDENS.mkdir(parents=True, exist_ok=True)
    for game, shown in GAMES.items():
        (GOLDENS / f"{game}.txt").write_text(structure(shown(over=True)), "utf-8")
        for over, phase in ((False, "play"), (True, "payment")):
            drawn = small(picture(shown(over=over), "en")).quantize(64, dither=Image.Dither.NONE)
            drawn.save(GOLDENS / f"{game}-{phase}.png", optimize=True)


if __name__ == "__main__":
    write_goldens()
