"""Wings that change hands while houses write: given, taken, and taken from a process that dies or stands still."""

import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from bot.tools.houses import tell_houses
from storage.faults import BooksError, LeaseLost, RowsRefused
from storage.postgres import PostgresStore
from storage.rows import ALL_WINGS, WINGS, CasinoRow, NoteRow, wing_of
from storage.store import Claim
from storage.system import elapsed_s
from tests.disk import ask
from tests.patience import PATIENCE_S, wait_until
from tests.storage.drafts import draft_on, write

pytestmark = pytest.mark.outside

ROOT = Path(__file__).parents[2]
MINE = frozenset(wing for wing in ALL_WINGS if wing % 2)
YOURS = ALL_WINGS - MINE
# For who is stopped until it is over; no machine is so slow that the other loses his meanwhile.
SOON_S = "8"


@pytest.mark.slow
def test_what_one_gives_another_takes_and_each_goes_on_with_the_rest(store):
    with closing(store.open(wings=MINE)) as first, closing(store.open(wings=YOURS)) as second:
        write(first, bank_1=-5, bank_3=-3)
        assert second.take_wings(WINGS) == frozenset(), "nothing is free"
        first.give_wings(frozenset({wing_of(1)}))
        with pytest.raises(RowsRefused, match="a casino of another house"):
            write(first, bank_1=-6)
        assert second.take_wings(WINGS) == {1} == second.wings - YOURS
        write(second, bank_1=-7)
        write(first, bank_3=-4)
        for books in first, second:
            assert books._leases._renew()
            books.check()
            assert (books.balance("bank:1"), books.balance("bank:3")) == (-7, -4)


def test_who_needs_all_wings_for_another_version_and_then_none_opens(store):
    """While it waited, the other version went, and a house of its own has brought the functions back."""
    told = "COMMENT ON FUNCTION write_books IS '{}'"

    def waits(_held):
        keeper._conn.execute(told.format(ours).encode())
        return True

    with closing(store.open()) as keeper:
        ((ours,),) = ask(keeper, "SELECT obj_description(oid, 'pg_proc') FROM pg_proc WHERE proname = 'write_books'"
                         " AND pronamespace = current_schema()::regnamespace")  # fmt: skip
        keeper.announce("127.0.0.1:1")
        keeper._conn.execute(told.format("another version").encode())
        with closing(store.open(waits, wings=frozenset())) as other:
            assert other.wings == frozenset()


def test_what_houses_may_call_of_a_token_never_comes_to_more_than_the_whole(store, capsys):
    def claim(books, part, held_s=0.0):
        return books.claim("telegram", Claim(len(books.wings), part, part, held_s))

    with closing(store.open(wings=MINE)) as first:
        assert first.find_claims("telegram") == []
        assert claim(first, 1.0) == 1.0
        with closing(store.open(wings=YOURS)) as second:
            assert claim(second, 0.7) == 0.0, "nobody has given it up"
            assert claim(first, 0.4) == 0.4
            assert claim(second, 0.7) == pytest.approx(0.6)
            assert claim(first, 0.5) == pytest.approx(0.4), "all is taken"
            assert second.claim("discord", Claim(32, 1.0, 1.0)) == 0.5, "who has claimed nothing has what he keeps"
            assert claim(second, 0.3, held_s=60) == 0.3
            assert [one.calls for one in store.find_houses()] == [
                {"telegram": pytest.approx(0.4)},
                {"telegram": 0.3, "discord": 0.5},
            ]
            assert tell_houses(store) == 0
            assert "; of calls 50 % of discord's, 30 % of telegram's" in capsys.readouterr().out
            ((wings, wanted, part, held_s),) = first.find_claims("telegram")
            assert (wings, wanted, part) == (len(YOURS), 0.3, 0.3)
            assert 0 < held_s <= 60
        wait_until(lambda: claim(first, 1.0) == 1.0, "what a house had that has gone is free")
        assert first.find_claims("telegram") == []


def test_houses_that_claim_at_the_same_time_are_given_one_after_the_other(store):
    with ExitStack() as stack, ThreadPoolExecutor() as together:
        houses = [stack.enter_context(closing(store.open(wings=frozenset({wing})))) for wing in range(4)]
        claims = [
            together.submit(house.claim, "telegram", Claim(1, 0.4, 0.4)) for house in houses for _time in range(5)
        ]
        assert all(0 <= claim.result(PATIENCE_S) <= 0.4 for claim in claims)
        kept = [house.claim("telegram", Claim(1, 0.4, 0.4)) for house in houses]
    assert sum(kept) <= 1 + 1e-9
    assert sorted(kept, reverse=True)[:2] == [0.4, 0.4]


def test_all_that_a_house_took_may_be_given_at_once(store):
    with closing(store.open(wings=MINE)) as first, closing(store.open(wings=frozenset())) as second:
        second.take_wings(WINGS)
        kept = second.wings
        assert kept == YOURS
        second.give_wings(second.wings)
        assert (kept, second.wings) == (YOURS, frozenset())
        assert first.take_wings(WINGS) == YOURS


def test_what_names_no_casino_is_written_by_the_keeper_of_the_one_that_it_is_of(store):
    with closing(store.open(wings=MINE)) as books:
        draft = draft_on(books, NoteRow("telegram", "post:5", "{}"))
        draft.of[2] = None
        with pytest.raises(RowsRefused, match="a casino of another house"):
            books.write(draft)
        del draft.of[2]
        draft.of[3] = None
        books.write(draft)


def test_all_that_a_house_had_is_taken_when_it_closes(store):
    with closing(store.open(wings=YOURS)) as second:
        store.open(wings=MINE).close()
        assert second.take_wings(2) == {1, 3}
        assert second.take_wings(WINGS) == MINE - {1, 3}
        assert second.wings == ALL_WINGS
        write(second, CasinoRow(1, "Lounge", "{}", 0.0), CasinoRow(2, "other", "{}", 0.0))


def test_a_wing_s_lane_is_its_keeper_s_wherever_it_goes(store, capsys):
    with closing(store.open(wings=MINE)) as first, closing(store.open(wings=YOURS)) as second:
        assert first.find_lane(1) is None
        first.announce("10.0.0.1:8152")
        second.announce("10.0.0.2:8152")
        assert [books.find_lane(wing) for books in (first, second) for wing in (1, 2)] == [
            "10.0.0.1:8152",
            "10.0.0.2:8152",
        ] * 2
        assert tell_houses(store) == 0
        told = capsys.readouterr().out.splitlines()
        assert sorted(line.partition("; ")[2] for line in told) == [
            "its lane is at 10.0.0.1:8152",
            "its lane is at 10.0.0.2:8152",
        ]
        first.give_wings(frozenset({1}))
        assert second.find_lane(1) is None, "nobody keeps it"
        second.take_wings(1)
        assert first.find_lane(1) == "10.0.0.2:8152"
        first.release()
        assert second.find_lane(3) is None
        assert first.find_lane(2) == "10.0.0.2:8152"


def test_who_takes_a_wing_after_a_house_with_a_lane_has_not_that_one_s(store):
    with closing(store.open(wings=MINE)) as first:
        first.announce("10.0.0.1:8152")
    with closing(store.open()) as books:
        assert books.find_lane(1) is None


COMMITS_LATE = """
CREATE FUNCTION come_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {} RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER commits_late AFTER UPDATE ON leases DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (new.epoch > old.epoch) EXECUTE FUNCTION come_late()"""
WAITS_FOR_THE_TEST = "PERFORM pg_advisory_xact_lock(1638);"
TOOK_A_TERM = "UPDATE leases SET until = now() - interval '1 second' WHERE wing = new.wing;"


def test_a_renewal_between_taking_a_wing_and_its_commit_loses_nothing(postgres, store, schema):
    with closing(store.open(wings=MINE)) as books, ThreadPoolExecutor() as beside:
        postgres.ask(COMMITS_LATE.format(WAITS_FOR_THE_TEST), schema)
        with psycopg.connect(postgres.address(schema).text) as holding:
            holding.execute("SELECT pg_advisory_xact_lock(1638)")
            taking = beside.submit(books.take_wings, 1)
            waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1638 AND NOT granted"
            wait_until(lambda: postgres.ask(waits) == [(1,)], "it is about to be committed")
            assert books._leases._renew()
        assert taking.result(PATIENCE_S) == {0}
        assert books.wings == MINE | {0}
        left_s = books._leases._ends - elapsed_s()
        kept = "SELECT min(until) > clock_timestamp() + make_interval(secs => {}) FROM leases WHERE backend IS NOT NULL"
        assert postgres.ask(kept.format(left_s), schema) == [(True,)], "it counts shorter than the server, for each"
        assert books._leases._renew()
        books.check()


def test_a_wing_whose_taking_took_longer_than_its_term_is_not_ours_and_costs_no_other(postgres, store, schema):
    with closing(store.open(wings=MINE)) as books:
        postgres.ask(COMMITS_LATE.format(TOOK_A_TERM), schema)
        assert books.take_wings(1) == frozenset()
        assert books.wings == MINE
        write(books, bank_1=-5)
        assert books._leases._renew()
        books.check()
        postgres.ask("DROP TRIGGER commits_late ON leases", schema)
        assert books.take_wings(1) == {0}


def test_a_house_that_has_given_all_writes_nothing_and_takes_again(store):
    with closing(store.open(wings=MINE)) as books:
        books.give_wings(MINE)
        assert books._leases._renew(), "it has lost nothing"
        with pytest.raises(RowsRefused):
            write(books, bank_1=-5)
        assert set(books.find_lanes().values()) == {None}
        assert books.take_wings(WINGS) == ALL_WINGS
        write(books, bank_1=-5)


def test_one_that_lost_a_wing_while_it_was_renewed_is_told_though_it_gave_another(postgres, store, schema):
    with closing(store.open(wings=MINE)) as books:
        postgres.ask("UPDATE leases SET epoch = epoch + 1 WHERE wing = 1", schema)
        books.give_wings(frozenset({3}))
        assert not books._leases._renew()
        with pytest.raises(LeaseLost):
            books.check()


def test_each_has_a_fair_share_of_those_who_are_there_and_do_not_stand_still(postgres, store, schema):
    with closing(store.open(wings=frozenset())) as first:
        assert (first.fair_share(), first.wings) == (WINGS, frozenset())
        with closing(store.open(wings=frozenset())) as second, closing(store.open(wings=frozenset({5}))):
            assert first.fair_share() == second.fair_share() == -(-WINGS // 3)
            postgres.ask("UPDATE leases SET until = now() - interval '1 second' WHERE wing = 5", schema)
            assert first.fair_share() == WINGS // 2
        wait_until(lambda: first.fair_share() == WINGS, "their sessions end")


def test_who_is_there_and_who_keeps_what_is_told(postgres, store, schema, capsys):
    assert tell(store, capsys) == (2, ["There are no books"])
    with closing(store.open(wings=MINE)), closing(store.open(wings=frozenset())):
        status, (first, second) = tell(store, capsys)
        assert (status, first, second) == (0, f"keeps 32 of {WINGS} wings", "waits, and keeps nothing")
        postgres.ask("UPDATE leases SET until = now() - interval '3 seconds' WHERE backend IS NOT NULL", schema)
        assert re.fullmatch(rf"keeps 32 of {WINGS} wings, but stands still: its lease is over since [3-9]\.\d s",
                            tell(store, capsys)[1][0])  # fmt: skip
    wait_until(lambda: tell(store, capsys) == (1, [f"Nobody keeps {store}."]), "their sessions end")
    with closing(store.open()):
        assert tell(store, capsys) == (0, ["keeps the books"])


def tell(store: PostgresStore, capsys) -> tuple[int, list[str]]:
    """The status, and the ends of the lines; each house's begins alike."""
    try:
        status = tell_houses(store)
    except BooksError as refused:
        return 2, [str(refused).partition(" at ")[0]]
    begins = r"from the same machine, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC: "
    return status, [re.sub(begins, "", line) for line in capsys.readouterr().out.splitlines()]


class Keeper:
    """A process, see wing_keeper; `said` are its acknowledgements by casino."""

    def __init__(self, store: PostgresStore, casino: int, *takes: str) -> None:
        self.log = store.folder / f"{casino}.log"
        command = (sys.executable, "-m", "tests.storage.wing_keeper")
        arguments = (store.address.text, str(store.folder), SOON_S, str(casino), *takes)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([*command, *arguments], cwd=ROOT, stdout=log, stderr=log)

    def said(self, casino: int) -> list[int]:
        return [int(number) for number in re.findall(rf"^{casino} (\d+)$", self.log.read_text(), re.MULTILINE)]

    def goes_on(self, casino: int) -> None:
        """For a while from now on."""
        before = len(self.said(casino))
        wait_until(lambda: len(self.said(casino)) > before + 20, f"it writes of {casino}")

    def end(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)


@pytest.mark.slow
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_of_a_process_that_dies_or_stands_still_another_takes_the_wing_and_nothing_said_is_lost(
    postgres, store, schema, fault
):
    with closing(store.open()) as books:
        write(books, *(CasinoRow(id, str(id), "{}", 0.0) for id in (2, 3)))
    lost, kept = Keeper(store, 3), None
    try:
        lost.goes_on(3)
        kept = Keeper(store, 2, "takes")
        kept.goes_on(2)
        lost.goes_on(3)
        assert kept.said(3) == []
        lost.process.send_signal(fault)
        kept.goes_on(3)
        kept.goes_on(2)
        lost.process.send_signal(signal.SIGCONT)
        assert lost.process.wait(PATIENCE_S) != 0
    finally:
        lost.end()
        if kept is not None:
            kept.end()
    before, after = lost.said(3), kept.said(3)
    # What was written and not said yet when it stopped may lie between.
    assert after[0] - before[-1] in (1, 2)
    assert [*before, *after] == [*range(1, before[-1] + 1), *range(after[0], after[-1] + 1)]
    for casino, last in ((2, kept.said(2)[-1]), (3, after[-1])):
        ((chips, keys, postings),) = postgres.ask(
            f"SELECT (SELECT balance FROM accounts WHERE name = 'player:{casino}:1'),"
            f" (SELECT count(*) FROM answers WHERE key LIKE '{casino}.%'),"
            f" (SELECT sum(amount) FROM postings WHERE casino = {casino})",
            schema,
        )
        assert chips == keys == postings >= last
