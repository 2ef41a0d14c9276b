"""`/log`: the whole log as a file that the verifier accepts."""

import pytest

from bot.core.state.lounge import LOUNGE
from bot.verifier.logs import check_log
from tests.cli.kept_logs import append_an_evening
from tests.core.conftest import House


@pytest.fixture
def house(tmp_path):
    opened = House(tmp_path / "house")
    yield opened
    opened.close()


@pytest.mark.long
def test_it_is_in_order_for_the_verifier(house, tmp_path):
    written = append_an_evening(house.writer.state, LOUNGE)
    name, content = house.do("anna log").file
    assert name == "log-1-1.jsonl"
    (tmp_path / name).write_text(content)
    with check_log(str(tmp_path / name)) as report:
        assert report.entries >= len(written.entries)
        assert (report.heads, report.faults) == (len(written.heads), [])


def test_what_is_not_signed_yet_is_not_sent(house):
    answer = house.do("anna log")
    assert answer.file is None
    assert "Try again in a moment" in str(answer.said[-1])


@pytest.mark.long
def test_what_no_platform_takes_as_a_file_is_to_be_had_elsewhere(house, monkeypatch):
    append_an_evening(house.writer.state, LOUNGE)
    monkeypatch.setattr("bot.core.casinos.log_file.MOST_BYTES", 20_000)
    answer = house.do("anna log")
    assert answer.file is None
    assert "Read it in the lounge at /log/" in str(answer.said[-1])
    assert answer.said[-1].values == {"casino": LOUNGE}
