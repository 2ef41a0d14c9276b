"""CSV files in a spreadsheet: text stays text, by any writer, and numbers stay numbers."""

import csv
import io

import pytest

from bot.core.commands.command import to_csv


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    "cell",
    [
        "=cmd|' /C calc'!A0",
        "+1+cmd|calc",
        "-2+3+cmd|calc",
        "@SUM(1+1)",
        "\t=1+1",
        "\r=1+1",
        "\n=1+1",
        "  =1+1",
        "＝1+1",
        '=HYPERLINK("http://evil.example","x")',
        "-",
        "+",
        "--1",
        "-1-1",
        "+1e5x",
        "-٣",
    ],
)
def test_a_cell_that_would_be_reckoned_becomes_text(cell):
    assert read(to_csv(["what"], [[cell]])) == [["what"], ["'" + cell]]


@pytest.mark.parametrize(
    "cell", [-5, 7, -0.5, None, "-5", "+5", "-12.50", "100", "void", "player:1:2", "a=b", "'=x", ""]
)
def test_numbers_and_plain_text_stay_as_they_are(cell):
    assert read(to_csv(["what"], [[cell, "x"]]))[1] == ["" if cell is None else str(cell), "x"]


def test_a_reason_that_an_inspector_typed_is_text_in_the_export(house):
    house.do("insp table set minimum 20 =cmd|calc")
    house.do("anna balance")
    house.do("insp grant anna 5 @SUM(1)", sure=True)
    name, content = house.do("insp export 30 -1+1|calc").file
    assert name.endswith(".csv")
    cells = [cell for row in read(content) for cell in row]
    assert {"'=cmd|calc"} <= set(cells)
    assert any(cell.endswith("@SUM(1)") for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+", "\t"))]
