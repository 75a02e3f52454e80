"""Labels one letter away from a frequent one."""

import pytest
from misleading_tables import column

from markone.data.reading.cell_table import CellTable
from markone.tables.findings.target_checks import find_label_typos, one_edit_apart


@pytest.mark.parametrize(
    "pair", ["sikc sick", "sick sik", "sick siick", "sick sack", "kind kinds", "ab b", "xa x"]
)
def test_one_edit(pair):
    one, other = pair.split()
    assert one_edit_apart(one, other)
    assert one_edit_apart(other, one)


@pytest.mark.parametrize(
    "pair", ["sick sick", "sick well", "grade1 grade2", "sick kics", "abcd badc", "ab abcd"]
)
def test_no_edit_or_more(pair):
    assert not one_edit_apart(*pair.split())


def typos(**counts):
    labels = [word for word, n in counts.items() for _ in range(n)]
    return find_label_typos(CellTable("made", {"y": column(labels)}), "y", "classification")


def test_a_rare_label_beside_a_frequent_one():
    (found,) = typos(sick=90, well=100, sikc=2)
    assert found.doubts_score
    assert found.sentence == "Class 'sikc' of 'y', in 2 rows, is one letter away from 'sick'."


def test_classes_that_are_frequent_or_short_are_no_typos():
    assert typos(sick=90, sack=9, well=100) == []
    assert typos(yes=200, yet=1) == []
    assert find_label_typos(CellTable("made", {"y": column([1.0, 2.0])}), "y", "regression") == []
