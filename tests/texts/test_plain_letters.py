"""Output to a terminal or file that does not support every character."""

import io

import pytest

from bot.plain_letters import write_plainly


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("utf-8", "A♠ 10♥ · “Zoë” → 1\u202f000 岡\ufe0f"),
        ("ascii", 'As 10h - "Zoe" -> 1 000 ?'),
        ("latin-1", 'As 10h · "Zoë" -> 1 000 ?'),
    ],
)
def test_suits_become_letters_and_the_rest_what_is_nearest(encoding: str, written: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    write_plainly(stream, None)
    stream.write("A♠ 10♥ · “Zoë” → 1\u202f000 岡\ufe0f")
    stream.flush()
    assert raw.getvalue().decode(encoding) == written
