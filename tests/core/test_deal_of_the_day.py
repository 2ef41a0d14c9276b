"""The deal of the day in a casino: one play a person, nothing seen before its time, everything shown after midnight."""

import json
from pathlib import Path

import pytest

from bot.core.crossing import dump_answer, load_answer
from bot.core.rounds.daily_deals import daily_games, day_of, find_deal, write_day
from bot.core.state.transaction import Transaction
from bot.texts import say
from bot.texts.times import DAY_S
from bot.verifier.command_line import FAILED, FINE
from bot.verifier.commands import verify
from bot.verifier.logs import check_log
from bot.view.lessons import lesson_screen
from engine.daily import WHY
from engine.fairness.commitment import hash_seed
from storage.questions import daily
from storage.rows import DailyDealRow
from storage.sqlite import FILE, copy, restore
from tests.core.communities import do, found, link
from tests.core.conftest import House
from tests.core.tournaments import create, join, live, play_on
from tests.disk import ask
from tests.some import some

GAME = "caribbean"
HERE, THERE = "discord:1", "telegram:1"


def seen(house: House, line: str) -> str:
    """Return everything that a person reads in answer to a line."""
    answer = house.do(line)
    said = [str(text) for text in answer.said] + ([answer.file[1]] if answer.file is not None else [])
    if answer.lesson is not None:
        shown = lesson_screen(answer.lesson, house.books)
        lines = (shown.headline, *shown.holds, *shown.lines, *(button.label for button in shown.moves))
        said += [say(text, "en") for text in lines] + [repr((shown.bank, shown.seats))]
    return "\n".join(said)


def play_all(house: House, name: str, game: str = GAME) -> int:
    """Play a deal to its end with the first choice each time; return the score."""
    lesson = some(house.do(f"{name} deal {game}").lesson)
    while not some(lesson.course).is_over:
        words = next(iter(lesson.choices))
        lesson = some(house.do(f"{name} deal play {game} {' '.join(words)}").lesson)
    chips: int = some(lesson.course).chips
    return chips


def deck_of(house: House, day: int | None = None, game: str = GAME) -> DailyDealRow:
    today = day_of(house.clock.now)
    return some(daily.deal_of_day(house.books, today if day is None else day, game))


def test_everyone_gets_the_same_cards_and_no_chips_move(house: House) -> None:
    house.do("anna balance")
    house.do("bea balance")
    before = house.balances()
    assert play_all(house, "anna") == play_all(house, "bea")
    assert house.balances() == before
    assert "played, " in house.says("anna deal")
    again = house.do(f"anna deal play {GAME} bet 10")
    assert str(again.texts[0]) == "All hands of this deal are played."
    assert house.books.balance("escrow:1") == 0


@pytest.mark.parametrize("game", ["caribbean", "uth", "blackjack"])
def test_a_press_is_in_the_books_and_a_restart_continues(house: House, game: str) -> None:
    house.do(f"anna deal play {game} bet 50")
    before = some(house.do(f"anna deal {game}").lesson)
    (row,) = ask(house.books, "SELECT moves, score FROM daily_plays")
    assert row == ('["5000"]', None)
    house.restart()
    after = some(house.do(f"anna deal {game}").lesson)
    assert lesson_screen(after, house.books) == lesson_screen(before, house.books)
    assert after.choices == before.choices


def test_a_deal_crosses_to_a_front_without_its_cards(house: House) -> None:
    answer = house.do(f"anna deal play {GAME} bet 50")
    sent = dump_answer(answer)
    assert deck_of(house).seed.hex() not in sent
    there = some(load_answer(sent, house.books).lesson)
    assert lesson_screen(there, house.books) == lesson_screen(some(answer.lesson), house.books)


def test_a_press_for_another_moment_only_shows_where_the_player_is(house: House) -> None:
    today = day_of(house.clock.now)
    begun = some(house.do(f"anna deal play {GAME} {today}.0 bet 50").lesson)
    assert some(house.do(f"anna deal play {GAME} {today}.0 bet 50").lesson).said == begun.said == (f"{today}.1",)
    old = house.says(f"anna deal play {GAME} {today - 1}.1 fold")
    assert old.startswith("The deal of ")
    assert " is over. Play today's with /deal." in old


def test_TN32_nobody_sees_a_card_a_score_or_a_seed_before_its_time(house: House) -> None:
    house.do("bea deal")
    play_all(house, "anna")
    house.do("anna deal play uth bet 50")
    seeds = [deck_of(house, day, game).seed for day in (None, day_of(house.clock.now) + 1) for game in daily_games()]
    lines = [
        "deal",
        f"deal {GAME}",
        "deal results",
        f"deal results {GAME}",
        "deal uth",
        "log",
        "leaderboard",
        "history",
    ]
    told = "\n".join(seen(house, f"bea {line}") for line in lines)
    told += "\n".join(map(str, ask(house.books, "SELECT entry FROM log_entries")))
    told += "\n".join(map(str, ask(house.books, "SELECT key, answer FROM answers")))
    assert "anna" not in "\n".join(seen(house, f"bea {line}") for line in lines[:5])
    assert not any(seed.hex() in told for seed in seeds)
    assert "secret until midnight" in house.says(f"anna deal results {GAME} {write(house, 0)}")
    assert "no ranking" not in told
    assert repr(deck_of(house)) == f"DailyDealRow(day={day_of(house.clock.now)}, game='{GAME}')"


def write(house: House, days: int) -> str:
    return write_day(day_of(house.clock.now) + days)


def test_TN31_a_deck_is_committed_before_its_day(house: House) -> None:
    """The first start commits tomorrow's, while nobody has asked for one."""
    entries = [json.loads(entry) for (entry,) in ask(house.books, "SELECT entry FROM log_entries")]
    tomorrow = deck_of(house, day_of(house.clock.now) + 1)
    (entry,) = (one for one in entries if one["k"] == "commit" and one["promise"]["seed"] == hash_seed(tomorrow.seed))
    assert entry["at"] < tomorrow.day * DAY_S
    assert entry["promise"]["hand"] == f"{GAME} {write(house, 1)}"


def test_after_midnight_the_ranking_the_seed_and_a_file_that_proves_all(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    score = play_all(house, "anna")
    house.do(f"bea deal play {GAME} bet 1000")
    deck = deck_of(house)
    house.wait(DAY_S)
    told = seen(house, f"anna deal results {GAME}")
    assert f"1. anna: {score // 100}" in told
    assert "2. bea: 0" in told, "the hand was folded when the day was over, and no bet was left"
    assert f"Seed: {deck.seed.hex()}" in told
    assert "of 10 decisions were best" in told
    assert "To share: Caribbean Stud deal of " in told
    assert "decisions" not in seen(house, f"cara deal results {GAME}").partition("{")[0]
    name, content = some(house.do(f"anna deal results {GAME} {write(house, -1)}").file)
    assert name == f"deal-{GAME}-{write(house, -1)}.json"
    house.writer.heads.sign()
    house.wait(1)
    content = some(house.do(f"anna deal results {GAME}").file)[1]
    file = tmp_path / name
    file.write_text(content)
    assert verify(str(file)) == FINE, capsys.readouterr()
    forged = json.loads(content)
    forged["plays"][0]["score"] += 100
    file.write_text(json.dumps(forged))
    assert verify(str(file)) == FAILED
    assert '"plays": "wrong: line of play 0 ends with' in capsys.readouterr().out


def test_each_midnight_ends_a_day_and_commits_another_whoever_plays(house: House) -> None:
    for _day in range(3):
        house.wait(DAY_S)
        assert len(house.writer.state.daily_deals) == 2 * len(daily_games())
    assert ask(house.books, "SELECT count(*) FROM daily_deals WHERE ended IS NOT NULL") == [(3 * len(daily_games()),)]
    house.restart()
    assert ask(house.books, "SELECT count(*) FROM daily_deals") == [(5 * len(daily_games()),)]


def test_log_check_names_each_deck_and_its_reason(house: House, tmp_path: Path) -> None:
    house.wait(DAY_S)
    house.writer.heads.sign()
    house.wait(1)
    file = tmp_path / "log.jsonl"
    file.write_text(some(house.do("anna log").file)[1])
    with check_log(str(file)) as report:
        assert report.faults == []
        assert [json.loads(deck)["why"] for deck in report.dropped] == [WHY] * len(daily_games())


def test_a_deck_of_restored_books_goes_on_and_its_file_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = House(tmp_path / "house")
    house.do(f"anna deal play {GAME} bet 10")
    deck = deck_of(house)
    house.close()
    copy(tmp_path / "house" / FILE, tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "restored")
    restored = House(tmp_path / "restored", began=house.clock.now + 60)
    restored.keys = house.keys
    assert deck_of(restored).seed == deck.seed
    assert some(restored.do(f"anna deal {GAME}").lesson).said == (f"{deck.day}.1",)
    restored.wait(DAY_S)
    restored.writer.heads.sign()
    restored.wait(1)
    file = tmp_path / "deal.json"
    file.write_text(some(restored.do(f"anna deal results {GAME}").file)[1])
    assert verify(str(file)) == FINE
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert (checks["log"], checks["plays"]) == ("ok", "ok")
    assert restored.faults() == []
    restored.close()


def test_days_that_passed_while_the_casino_was_down_end_at_the_start(house: House) -> None:
    house.do(f"anna deal play {GAME} bet 10")
    house.clock.now += 3 * DAY_S
    house.restart()
    house.wait(1)
    assert "1. anna" in house.says(f"anna deal results {GAME} {write(house, -3)}")


def test_TN32_a_line_that_no_longer_replays_voids_the_deal_for_everyone(house: House) -> None:
    house.do(f"bea deal play {GAME} bet 10")
    play_all(house, "anna")
    house.change("UPDATE daily_plays SET moves = '[\"1\"]' WHERE score IS NULL")
    house.wait(DAY_S)
    assert "voided" in house.says(f"anna deal results {GAME}")
    assert ask(house.books, "SELECT score FROM daily_plays") == [(None,), (None,)]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("deal bingo", "There is no game called “bingo” here."),
        ("deal stud", "There is no game called “stud” here."),
        (f"deal play {GAME} fold", "Choose one of: bet 10, bet 20, bet 50, bet 100."),
        (f"deal play {GAME} bet 7", "Bet at least 10 on ante."),
        (f"deal play {GAME} bet 1001", "That costs 1,001, you have 1,000."),
        (f"deal play {GAME} bet much", "Enter an amount"),
        (f"deal results {GAME} yesterday", "Enter the day as YYYY-MM-DD"),
        (f"deal results {GAME} 1969-01-01", "Enter the day as YYYY-MM-DD"),
        (f"deal results {GAME} 1970-01-02", "There is no finished deal"),
        (f"deal results {GAME} 2999-01-01", "That deal is not over yet"),
    ],
)
def test_bad_input_is_one_sentence(house: House, line: str, sentence: str) -> None:
    answer = house.do(f"anna {line}")
    assert answer.refused
    assert len(answer.texts) == 1
    assert sentence in str(answer.texts[0])
    assert ask(house.books, "SELECT count(*) FROM daily_plays") == [(0,)]


def test_TN32_linking_keeps_the_first_play_and_unlinking_gives_no_second(house: House) -> None:
    found(house, HERE, GAME)
    found(house, THERE)
    do(house, "anna balance", HERE)
    house.wait(1)
    do(house, f"beppe deal play {GAME} bet 10", THERE)
    house.wait(1)
    do(house, f"anna deal play {GAME} bet 20", HERE)
    assert not link(house, f"anna@{HERE}", f"beppe@{THERE}").refused
    first = some(do(house, f"anna deal {GAME}", HERE).lesson)
    assert some(first.course).moves == ("1000",), "on any platform the person goes on with what they began first"
    house.wait(DAY_S)
    do(house, f"anna deal play {GAME} bet 50", HERE)
    house.wait(1)
    assert not do(house, "beppe unlink", THERE, sure=True).refused
    refused = do(house, f"beppe deal {GAME}", THERE)
    assert "one play per person" in str(refused.texts[0])
    assert "one play per person" in str(do(house, f"beppe deal play {GAME} bet 10", THERE).texts[0])
    ended = Transaction(house.writer.state)
    assert some(find_deal(ended, day_of(house.clock.now) - 1, GAME)).ended is not None
    assert "1 player" in str(do(house, f"anna deal results {GAME}", HERE).texts[0])


def test_a_month_ranks_the_average_of_the_best_ten_deals_and_never_turnover(house: House) -> None:
    assert "No results yet." in house.says("anna leaderboard month")
    scores = [play_all(house, "anna"), play_all(house, "anna", "blackjack")]
    house.do("bea bet 500")
    assert "anna" not in house.says("anna leaderboard month"), "today's results are secret"
    house.wait(DAY_S)
    told = house.says("anna leaderboard month")
    month = write(house, -1)[:7]
    assert f"Deal of the day, {month}: average chips of the best 10 results | 1. anna: " in told
    average = f"{sum(scores) // 10 / 100:.2f}".removesuffix(".00")
    assert f"1. anna: {average} (2 results)" in told
    assert "bea:" not in told
    house.wait(31 * DAY_S)
    assert "anna" not in house.says("bea leaderboard month"), "each month begins anew"
    assert "1. anna: " in house.says(f"bea leaderboard {month}"), "a past month keeps its winners"
    assert "1. anna: " in house.says(f"bea leaderboard month {month}")
    assert house.says("bea leaderboard 2999-01") == "That month has not begun."
    assert "a month such as" in house.says("bea leaderboard month 2024-13")


def test_a_month_ranks_tournaments_by_the_others_that_were_beaten(house: House) -> None:
    table = create(house)
    join(house, table, "bea")
    play_on(house, table)
    (winner,) = (name for name, place in live(house, table).now.places.items() if place == 1)
    name = next(one for one in ("anna", "bea") if f"p{house.player(one)}" == winner)
    told = house.says("cara leaderboard month").partition("Tournaments, ")[2]
    assert f"1. {name}: 10 (1 result)" in told, "one win of ten results"
    assert "2. " in told
