"""Acts in the audit log, and how each is taken back."""

import pytest

from bot.core.casinos.sharing import rules_of
from bot.core.commands.acts import AuditReader, tell_act, undo_of
from bot.core.commands.picks import pick_player
from bot.core.rounds import betting
from storage.questions.audit import acts_taken_back, latest_acts
from storage.rows import AuditRow
from tests.core.conftest import CARIBBEAN

LOUNGE = 1


@pytest.fixture
def admin_house(house):
    for name in ("anna", "bea", "insp"):
        house.do(f"{name} balance")
    return house


def name_of(house):
    return lambda id: house.writer.state.players[id].own_name


def newest(house):
    return latest_acts(house.writer.books, LOUNGE, 1)[0]


def take_back(house, language="en"):
    act = newest(house)
    tables = {one.number: one for one in house.writer.state.tables_in(LOUNGE) if one.status != "closed"}
    undo = undo_of(act.row, AuditReader(name_of(house), tables, language))
    if undo is None:
        return None
    table = tables[undo.table].id if undo.table is not None else CARIBBEAN
    said = " ".join((undo.verb, *undo.args, f"undo {act.id}"))
    answer = house.do(f"insp {said}", sure=True, table=table)
    assert not answer.refused, (said, answer)
    return said


def state_of(house):
    """Return everything that acts change."""
    casino, table = house.writer.state.casinos[LOUNGE], house.table(CARIBBEAN)
    books = house.writer.state
    chips = [books.balance(f"player:{LOUNGE}:{id}") for id in sorted(books.players)]
    meter = house.writer.state.balance(f"jackpot:{LOUNGE}")
    rights = set(casino.state.banned), set(casino.state.inspectors), casino.name, rules_of(casino)
    return chips, meter, rights, table.status, table.settings, betting.options_of(books, table)


@pytest.mark.parametrize(
    "line",
    [
        "table pause a storm",
        "table set minimum 20 a better night",
        "table set procedure manual as printed",
        "table set coach off",
        "table set pace fast",
        "ban anna counts cards",
        "grant anna 12.50 a prize",
        "take anna 12.50 too much",
        "inspector add anna",
        "house set start 1,234.50 richer",
        "house set most_percent 50 careful",
        "house set name “The New One” we moved",
        "meter set 12,345 a present",
        "meter reset a new year",
        "meter set coin 2 dearer",
        "meter set four 700 dearer",
    ],
)
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_an_act_that_has_an_opposite_is_taken_back_and_that_too(admin_house, line, language):
    if line == "meter reset a new year":
        admin_house.do("insp meter set 12,345 a present", sure=True)
    before = state_of(admin_house)
    assert not admin_house.do(f"insp {line}", sure=True, table=CARIBBEAN).refused
    changed, act = state_of(admin_house), newest(admin_house)
    assert changed != before
    admin_house.do(f"insp language {language}")
    take_back(admin_house, language)
    assert state_of(admin_house) == before
    assert acts_taken_back(admin_house.writer.books, LOUNGE, act.id) == {act.id}
    assert newest(admin_house).row.reason == f"undo {act.id}"
    take_back(admin_house, language)
    assert state_of(admin_house) == changed


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("grant", "player 1", "", "100000", "101250"), "1,000 → 1,012.50"),
        (("meter set", "meter", "", "1000000", "50"), "10,000 → 0.50"),
        (("meter set", "coin", "", "1", "2"), "1 → 2"),
        (("meter reject", "hand 5 seat 1", "", "1000000", "2"), "10,000 → 2"),
        (("house set", "start", "", "100000", "0"), "1,000 → 0"),
        (("house set", "most_percent", "", "100", "50"), "100 → 50"),
        (("inspector add", "player 1", "", "[]", "[1, 2]"), "– → one, two"),
        (("void", "hand 5 seat 1 player 2", "", "", "1000 back, its payments to the bank"), "10 back"),
        (("an act that no command names", "player 1", "", "7", "9"), "one, 7 → 9"),
    ],
)
def test_the_log_is_read_with_names_and_in_chips_whoever_wrote_it(row, said):
    act, subject, reason, before, after = row
    told = str(tell_act(AuditRow(0.0, 1, 0, act, subject, reason, before, after), ["", "one", "two"].__getitem__))
    assert said in told
    assert "player " not in told


def test_a_hand_that_is_void_stays_so(admin_house):
    admin_house.deal("anna bet 50")
    hand = admin_house.table(CARIBBEAN).round.hand_id
    assert not admin_house.do(f"insp void {hand} bad cards", sure=True).refused
    assert take_back(admin_house) is None


def test_a_correction_of_a_settled_hand_is_taken_back(admin_house):
    admin_house.deal("anna bet 50")
    hand = admin_house.table(CARIBBEAN).round.hand_id
    admin_house.do("anna fold")
    before = state_of(admin_house)
    assert not admin_house.do(f"insp adjust {hand} anna 50 wrong", sure=True).refused
    assert take_back(admin_house).startswith(f"adjust {hand} {pick_player(1)} -50")
    assert state_of(admin_house) == before


def test_a_correction_that_names_its_hand_alone_is_taken_back_too(admin_house):
    """The entry has the form of version 0.1."""
    row = AuditRow(0.0, LOUNGE, 0, "adjust", "hand 5 player 1", "why", "100", "5100")
    undo = undo_of(row, AuditReader(name_of(admin_house), {}, "en"))
    assert undo == ("adjust", ("5", pick_player(1), "-50"), None)


def test_a_table_is_opened_and_taken_back(admin_house):
    known = set(admin_house.writer.state.tables)
    assert not admin_house.do("insp table open caribbean minimum 20").refused
    (new,) = set(admin_house.writer.state.tables) - known
    assert take_back(admin_house) is not None
    assert admin_house.table(new).status == "closed"
