"""Tables that notes show have one cell below each header, numbers to the right.

Without this, a short row or a | in a text would move values into the wrong column without a word.
"""

import pytest

from course.notebook import table


def test_table():
    lines = table(["name", "n", "share"], [["a", 1, "0.5"], ["b", 20, "1.0"]]).data.splitlines()
    assert lines == ["| name | n | share |", "| :--- | ---: | ---: |", "| a | 1 | 0.5 |", "| b | 20 | 1.0 |"]
    assert table(["name", "kind", "n"], [], left=2).data.splitlines()[1] == "| :--- | :--- | ---: |"


def test_every_row_has_as_many_cells_as_the_header():
    with pytest.raises(ValueError, match="every row needs 2 cells"):
        table(["name", "n"], [["a", 1], ["b"]])


@pytest.mark.parametrize(("header", "row"), [(["name", "|θ|"], ["a", 1]), (["name", "n"], ["p(x | y)", 1])])
def test_a_pipe_would_begin_another_cell(header, row):
    with pytest.raises(ValueError, match="would begin another cell"):
        table(header, [row])
